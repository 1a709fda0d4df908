"""What a seat may know (tigris_euphrates#hidden), and full states that fit it.

The other seats' hands, points, taken treasures and swapped tiles are hidden, and so is the bag (hidden-1 .. hidden-4).
"""

from __future__ import annotations

from dataclasses import dataclass

from games.core.contract import NO_SEAT, Outcome, Rng
from games.tigris_euphrates import legality, scoring
from games.tigris_euphrates.actions import Action
from games.tigris_euphrates.components import (
    COLOURS,
    COUNTS,
    KIND_OF,
    KINDS,
    LABELS,
    MONUMENT_OF,
    MONUMENTS,
    N_COLOURS,
    ROLE_OF,
    ROLES,
    SQUARE_OF,
    START_TEMPLES,
)
from games.tigris_euphrates.kingdoms import find_kingdoms
from games.tigris_euphrates.legality import SQUARE_SHAPE
from games.tigris_euphrates.state import (
    CONFLICTS,
    DEFENCE,
    END,
    ENDINGS,
    FROM_TILES,
    N_SOURCES,
    NO_CONFLICT,
    NO_ENDING,
    NOWHERE,
    PHASES,
    SOURCES,
    State,
    first_state,
    hand_count,
    labels_of,
    total_of,
)


@dataclass(frozen=True, slots=True)
class Conflict:
    """The conflict that is being resolved."""

    kind: str  # revolt, war
    role: str
    attacker: int
    defender: int
    added: int | None  # the attacker's tiles; None until they are given


@dataclass(frozen=True, slots=True)
class View:
    """A position as one seat knows it (`seat` None: a spectator). Tuples are indexed by seat; squares are labels."""

    seat: int | None
    seats: int
    open_totals: bool
    phase: str  # action, war_choice, attack, defence, monument, treasure, start, drawing, scoring, end
    turn: int
    active: int | None
    due: int | None
    actions_left: int  # left in the turn, including the current one
    tiles: dict[str, str]  # square -> kind of the face-up tile
    down: tuple[str, ...]
    catastrophes: tuple[str, ...]
    treasures: tuple[str, ...]
    leaders: tuple[dict[str, str | None], ...]  # role -> square; None: in hand
    built: tuple[tuple[str, str, str], ...]  # monument, upper left square, kind of its four tiles
    monuments_left: tuple[str, ...]
    hands: tuple[dict[str, int] | None, ...]  # None where hidden
    hand_counts: tuple[int, ...]
    bag_count: int
    catastrophes_left: tuple[int, ...]
    points: tuple[dict[str, int] | None, ...]  # colour -> points, without treasures; None where hidden
    jokers: tuple[int | None, ...]  # treasures taken; None where hidden
    gone: dict[str, int]  # tiles that left the game in full view
    swapped: tuple[dict[str, int] | None, ...]  # None where hidden
    swapped_counts: tuple[int, ...]
    conflict: Conflict | None
    union: str | None  # square of the union tile while wars are being resolved
    placed: str | None  # square of the tile placed by the current action
    swapping: int  # tiles to be drawn for a swap
    ending: str | None  # treasures, bag, swap
    derivations: tuple[scoring.Derivation | None, ...]  # None where hidden
    outcome: Outcome | None


def view_for(state: State, seat: int | None) -> View:
    """Return what `seat` may know of the position; None is a spectator."""
    seats = range(state.seats)
    is_open = state.open_totals or state.phase == END
    return View(
        seat=seat,
        seats=state.seats,
        open_totals=state.open_totals,
        phase=PHASES[state.phase],
        turn=state.turn,
        active=_or_none(state.active),
        due=_or_none(state.due),
        actions_left=state.actions_left,
        tiles={label: kind for kind, board in zip(KINDS, state.tiles, strict=True) for label in labels_of(board)},
        down=tuple(labels_of(state.down)),
        catastrophes=tuple(labels_of(state.catastrophes)),
        treasures=tuple(labels_of(state.treasures)),
        leaders=tuple([_leaders(state, s) for s in seats]),
        built=tuple([(MONUMENTS[monument][0], LABELS[square], KINDS[kind]) for monument, square, kind in state.built]),
        monuments_left=tuple([name for index, (name, _, _) in enumerate(MONUMENTS) if state.monuments_left >> index & 1]),
        hands=tuple([_counts(state.hands, s) if s == seat else None for s in seats]),
        hand_counts=tuple([hand_count(state, s) for s in seats]),
        bag_count=sum(state.bag),
        catastrophes_left=tuple(state.catastrophes_left),
        points=tuple([_points(state, s) if is_open or s == seat else None for s in seats]),
        jokers=tuple([state.jokers[s] if is_open or s == seat else None for s in seats]),
        gone=_counts(state.gone, 0),
        swapped=tuple([_counts(state.swapped, s) if s == seat else None for s in seats]),
        swapped_counts=tuple([sum(state.swapped[s * N_COLOURS : (s + 1) * N_COLOURS]) for s in seats]),
        conflict=_conflict(state),
        union=LABELS.get(state.union),
        placed=LABELS.get(state.placed),
        swapping=state.swapping,
        ending=None if state.ending == NO_ENDING else ENDINGS[state.ending],
        derivations=tuple([scoring.derivation(state, s) if is_open or s == seat else None for s in seats]),
        outcome=scoring.outcome(state),
    )


def _or_none(seat: int) -> int | None:
    return None if seat == NO_SEAT else seat


def _leaders(state: State, seat: int) -> dict[str, str | None]:
    base = seat * N_COLOURS
    return {role: LABELS.get(square) for role, square in zip(ROLES, state.leaders[base : base + N_COLOURS], strict=True)}


def _counts(flat: list[int], row: int) -> dict[str, int]:
    base = row * N_COLOURS
    return {KINDS[kind]: count for kind, count in enumerate(flat[base : base + N_COLOURS]) if count}


def _points(state: State, seat: int) -> dict[str, int]:
    return {name: total_of(state, seat, colour) for colour, name in enumerate(COLOURS)}


def _conflict(state: State) -> Conflict | None:
    if state.conflict == NO_CONFLICT:
        return None
    added = state.added if state.phase == DEFENCE else None
    return Conflict(CONFLICTS[state.conflict] or "", ROLES[state.colour], state.attacker, state.defender, added)


def known_state(view: View) -> State:
    """Return a state with everything open in `view`.

    Other hands, swapped tiles and the bag have the right number of tiles, of any kind; hidden points and treasures are
    zero. Use it for the rules and for actions whose outcome does not depend on what is hidden.
    """
    state = first_state(view.seats, view.open_totals)
    state.phase = PHASES.index(view.phase)
    state.turn = view.turn
    state.active = NO_SEAT if view.active is None else view.active
    state.due = NO_SEAT if view.due is None else view.due
    state.actions_left = view.actions_left
    tiles = [0] * N_COLOURS
    for label, kind in view.tiles.items():
        tiles[KIND_OF[kind]] |= 1 << SQUARE_OF[label]
    state.tiles = tiles
    state.catastrophes = _board(view.catastrophes)
    state.treasures = _board(view.treasures)
    for monument, label, kind in view.built:
        square = SQUARE_OF[label]
        state.down |= SQUARE_SHAPE << square
        state.monuments_left &= ~(1 << MONUMENT_OF[monument])
        state.built += ((MONUMENT_OF[monument], square, KIND_OF[kind]),)
    for seat, leaders in enumerate(view.leaders):
        for role, place in leaders.items():
            if place is not None:
                index = ROLE_OF[role]
                state.leaders[seat * N_COLOURS + index] = SQUARE_OF[place]
                state.leader_bits[index] |= 1 << SQUARE_OF[place]
    state.hands = _known(view.hands, view.hand_counts)
    state.swapped = _known(view.swapped, view.swapped_counts)
    state.bag = [view.bag_count] + [0] * (N_COLOURS - 1)
    state.gone = [view.gone.get(kind, 0) for kind in KINDS]
    state.catastrophes_left = list(view.catastrophes_left)
    for seat, derivation in enumerate(view.derivations):
        for colour, (_, lines) in enumerate(derivation or ()):
            for line in lines:
                if line.key in SOURCES:
                    state.sources[(seat * N_COLOURS + colour) * N_SOURCES + SOURCES.index(line.key)] = line.points
    state.jokers = [jokers or 0 for jokers in view.jokers]
    if view.conflict is not None:
        state.conflict = CONFLICTS.index(view.conflict.kind)
        state.colour = ROLE_OF[view.conflict.role]
        state.attacker = view.conflict.attacker
        state.defender = view.conflict.defender
        state.added = view.conflict.added or 0
    state.union = NOWHERE if view.union is None else SQUARE_OF[view.union]
    state.placed = NOWHERE if view.placed is None else SQUARE_OF[view.placed]
    state.swapping = view.swapping
    state.ending = NO_ENDING if view.ending is None else ENDINGS.index(view.ending)
    find_kingdoms(state)
    return state


def _board(labels: tuple[str, ...]) -> int:
    board = 0
    for label in labels:
        board |= 1 << SQUARE_OF[label]
    return board


def _known(rows: tuple[dict[str, int] | None, ...], counts: tuple[int, ...]) -> list[int]:
    flat: list[int] = []
    for row, count in zip(rows, counts, strict=True):
        flat += [count] + [0] * (N_COLOURS - 1) if row is None else [row.get(kind, 0) for kind in KINDS]
    return flat


def legal_for_view(view: View) -> list[Action]:
    """Return the legal actions of the viewing seat; [] if it is not due."""
    if view.seat is None or view.seat != view.due or view.phase == "drawing":
        return []
    return legality.legal_actions(known_state(view), view.seat)


def unseen(view: View) -> list[int]:
    """Return how many tiles of each kind the viewer cannot see: in the bag, in other hands, swapped away."""
    counts = [total - view.gone.get(kind, 0) for kind, total in zip(KINDS, COUNTS, strict=True)]
    for kind in view.tiles.values():
        counts[KIND_OF[kind]] -= 1
    for _, _, kind in view.built:
        counts[KIND_OF[kind]] -= SQUARE_SHAPE.bit_count()
    for row in (*view.hands, *view.swapped):
        if row is not None:
            for kind, count in row.items():
                counts[KIND_OF[kind]] -= count
    return counts


def most_to_add(view: View, seat: int, kind: int) -> int:
    """Return how many tiles of `kind` a seat can add to a conflict at most, as far as the viewer can tell."""
    hand = view.hands[seat]
    return min(view.hand_counts[seat], unseen(view)[kind]) if hand is None else hand.get(KINDS[kind], 0)


def sample_state(view: View, rng: Rng) -> State:
    """Return a full state that `view_for` would show as `view`: the unseen tiles are dealt at random, hidden totals guessed."""
    state = known_state(view)
    pool = [kind for kind, count in enumerate(unseen(view)) for _ in range(count)]
    below = rng.below
    for seat in range(view.seats):
        base = seat * N_COLOURS
        for flat, rows, counts in ((state.hands, view.hands, view.hand_counts), (state.swapped, view.swapped, view.swapped_counts)):
            if rows[seat] is None:
                flat[base] = 0
                for _ in range(counts[seat]):
                    at = below(len(pool), "view")
                    flat[base + pool[at]] += 1
                    pool[at] = pool[-1]
                    pool.pop()
    state.bag = [pool.count(kind) for kind in range(N_COLOURS)]
    _guess_totals(view, state, rng)
    return state


def _guess_totals(view: View, state: State, rng: Rng) -> None:
    """Set hidden points to what turns bring on average, and deal out the treasures that hidden seats have taken."""
    hidden = [seat for seat, points in enumerate(view.points) if points is None]
    if not hidden:
        return
    usual = view.turn * 2 // (view.seats * N_COLOURS)  # a turn brings about two points
    for seat in hidden:
        for colour in range(N_COLOURS):
            state.sources[(seat * N_COLOURS + colour) * N_SOURCES + FROM_TILES] = rng.below(2 * usual + 1, "view")
    for _ in range(START_TEMPLES.bit_count() - len(view.treasures) - sum(state.jokers)):
        state.jokers[hidden[rng.below(len(hidden), "view")]] += 1
