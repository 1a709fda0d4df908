"""What an action would do, told before it is confirmed. It is played on what the seat knows, so it is exact (tigris_euphrates#turn-4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from games.core.contract import NO_SEAT, Phrase
from games.tigris_euphrates import prompt_phrases as phrases
from games.tigris_euphrates.actions import (
    Action,
    Build,
    Catastrophe,
    Decline,
    Leader,
    Pass,
    Support,
    Swap,
    Tile,
    Treasure,
    War,
    Withdraw,
)
from games.tigris_euphrates.components import (
    ACTIONS_PER_TURN,
    BLACK,
    COLOURS,
    FEWEST_TREASURES,
    GREEN,
    HAND_SIZE,
    KINDS,
    LABELS,
    MONUMENT_COLOURS,
    MONUMENTS_WITH,
    N_COLOURS,
    RED,
    ROLES,
)
from games.tigris_euphrates.conflicts import leader_name
from games.tigris_euphrates.kingdoms import BESIDE, flood, kingdom_at
from games.tigris_euphrates.legality import kind_at, monument_squares, pending_wars, support_kind, treasure_squares
from games.tigris_euphrates.phrases import VOICE
from games.tigris_euphrates.state import (
    ACTION,
    ATTACK,
    BY_SWAP,
    DRAWING,
    FROM_MONUMENTS,
    FROM_REVOLTS,
    FROM_WARS,
    MONUMENT,
    N_SOURCES,
    NOWHERE,
    REVOLT,
    SCORING,
    TREASURE,
    State,
    hand_count,
    squares_of,
)
from games.tigris_euphrates.strengths import (
    conflict_strengths,
    leader_in,
    lost_supporters,
    owner_at,
    revolt_strength,
    war_sides,
    war_strength,
)
from games.tigris_euphrates.turns import step
from games.tigris_euphrates.view import View, most_to_add

phrase: Final = VOICE.phrase


def consequences(view: View, state: State, action: Action) -> list[Phrase]:
    """Return what a legal action of the due viewer would do, the main thing first. `state` is `known_state(view)`."""
    after = state.copy()
    step(after, action, None)
    told = _TELLERS[type(action)](view, state, after, action)
    told += _monument_income(state, after, view.seat)
    ending = _ending(after)
    if ending is not None:
        told.append(ending)
    return told


def _gained(state: State, after: State, seat: int, colour: int, source: int) -> int:
    at = (seat * N_COLOURS + colour) * N_SOURCES + source
    return after.sources[at] - state.sources[at]


# Tiles


def _tile(view: View, state: State, after: State, action: Tile) -> list[Phrase]:
    kind = action.kind
    kingdoms = [kingdom for kingdom in state.kingdoms if kingdom & BESIDE[action.square]]
    if len(kingdoms) == 2:
        told = _union(view, after)
    elif kingdoms:
        told = [_tile_point(view, state, kingdoms[0], kind)]
    else:
        told = [phrase(phrases.THEN_NO_POINT_OUTSIDE, "tiles-8")]
    if after.phase == MONUMENT:
        told.append(phrase(phrases.THEN_MAY_BUILD, "monuments-1"))
    else:
        told += _square_of_four(after, action)
    return told + _treasures(after, view.seat)


def _tile_point(view: View, state: State, kingdom: int, kind: int) -> Phrase:
    owner, by_king = leader_in(state, kind, kingdom), False
    if owner == NO_SEAT:
        owner, by_king = leader_in(state, BLACK, kingdom), True
    if owner == NO_SEAT:
        if kind == BLACK:
            return phrase(phrases.THEN_NO_POINT_NO_KING, "tiles-8")
        return phrase(phrases.THEN_NO_POINT_KINGDOM, "tiles-8", role=ROLES[kind])
    anchor = "tiles-7" if by_king else "tiles-6"
    if owner == view.seat:
        return phrase(phrases.THEN_POINT_ME_KING if by_king else phrases.THEN_POINT_ME, anchor, colour=COLOURS[kind])
    return phrase(phrases.THEN_POINT_KING if by_king else phrases.THEN_POINT, anchor, seat=owner, colour=COLOURS[kind])


def _union(view: View, after: State) -> list[Phrase]:
    """Tell of the wars that a union starts, with the strengths on the board (wars-1, wars-4)."""
    if after.union == NOWHERE:
        return [phrase(phrases.THEN_UNION, "tiles-9")]
    roles = pending_wars(after)
    told = [
        phrase(phrases.THEN_UNION_WARS, "wars-2") if len(roles) > 1 else phrase(phrases.THEN_UNION_WAR, "tiles-9"),
    ]
    return told + [warphrase(view, after, role) for role in roles]


def warphrase(view: View, state: State, role: int) -> Phrase:
    """Tell of a pending war: both strengths on the board, and what can be added, as far as the seat knows (wars-4, wars-5)."""
    attacker, defender = war_sides(state, role)
    n, m = (war_strength(state, role, state.leaders[seat * N_COLOURS + role]) for seat in (attacker, defender))
    if attacker == view.seat:
        held = state.hands[attacker * N_COLOURS + role]
        most = most_to_add(view, defender, role)
        return phrase(phrases.THEN_WAR_MINE, "wars-4", role=ROLES[role], seat=defender, n=n, m=m, held=held, most=most)
    return phrase(phrases.THEN_WAR_OTHERS, "wars-3", role=ROLES[role], seat=attacker, other=defender, n=n, m=m)


def _square_of_four(after: State, action: Tile) -> list[Phrase]:
    """Tell of four tiles of one colour that raise no question about a monument now."""
    bit = 1 << action.square
    if not after.tiles[action.kind] & bit:
        return []
    probe = after
    if after.placed == NOWHERE:
        probe = after.copy()
        probe.placed = action.square
    if not monument_squares(probe):
        return []
    if not after.monuments_left & MONUMENTS_WITH[action.kind]:
        return [phrase(phrases.THEN_NO_MONUMENT, "monuments-3")]
    return [phrase(phrases.THEN_MAY_BUILD_AFTER, "monuments-5")]


# Leaders


def _leader(view: View, state: State, after: State, action: Leader) -> list[Phrase]:
    seat, role, square = state.due, action.role, action.square
    kingdom = kingdom_at(after, square)
    if after.phase == ATTACK:
        other = after.defender
        told = [
            phrase(
                phrases.THEN_REVOLT,
                "revolts-3",
                seat=other,
                n=revolt_strength(after, square),
                m=revolt_strength(after, after.leaders[other * N_COLOURS + role]),
                held=after.hands[seat * N_COLOURS + RED],
                most=most_to_add(view, other, RED),
            )
        ]
    else:
        leaders = _leaders_in(after, kingdom & ~(1 << square))
        told = [phrase(phrases.THEN_JOIN, "leaders-4", leaders=leaders) if leaders else phrase(phrases.THEN_FOUND, "kingdoms-2")]
    told += _left_behind(state, after, state.leaders[seat * N_COLOURS + role])
    income = sum(role in MONUMENT_COLOURS[monument] for monument, corner, _ in after.built if kingdom >> corner & 1)
    if income and after.phase != ATTACK:
        told.append(phrase(phrases.THEN_INCOME_ROLE, "monuments-10", n=income))
    return told + _treasures(after, view.seat)


def _leaders_in(state: State, kingdom: int) -> list[str]:
    """Return the glossary ids of the leaders on the squares of `kingdom`, by role."""
    names = []
    for role, board in enumerate(state.leader_bits):
        names += [leader_name(owner_at(state, role, square), role) for square in squares_of(board & kingdom)]
    return names


def _falls_apart(squares: int, among: int) -> bool:
    """Return whether `squares` are no longer connected on a board where `among` connects."""
    left = squares & among
    return bool(left & ~flood(left & -left, among))


def _withdraw(view: View, state: State, after: State, action: Withdraw) -> list[Phrase]:
    square = state.leaders[state.due * N_COLOURS + action.role]
    return [phrase(phrases.THEN_WITHDRAW, "leaders-8"), *_left_behind(state, after, square)]


def _left_behind(state: State, after: State, square: int) -> list[Phrase]:
    """Tell what becomes of the kingdom that a leader on `square` has left (leaders-10)."""
    if square == NOWHERE:
        return []
    rest = kingdom_at(state, square) & ~(1 << square)
    if _falls_apart(rest, after.occupied):
        return [phrase(phrases.THEN_SPLIT, "leaders-10")]
    if not any(kingdom & rest for kingdom in after.kingdoms):
        return [phrase(phrases.THEN_LEADERLESS, "kingdoms-2")]
    return []


# Catastrophes, swaps, the end of a turn


def _catastrophe(view: View, state: State, after: State, action: Catastrophe) -> list[Phrase]:
    kind = kind_at(state, action.square)
    params = {"square": LABELS[action.square], "n": after.catastrophes_left[state.due]}
    if kind < 0:
        return [phrase(phrases.THEN_CATASTROPHE, "catastrophes-3", **params)]
    told = [phrase(phrases.THEN_CATASTROPHE_TILE, "catastrophes-3", tile=KINDS[kind], **params)]
    told += _stripped(view, state, after)
    if _falls_apart(kingdom_at(state, action.square) & ~(1 << action.square), after.occupied):
        told.append(phrase(phrases.THEN_KINGDOM_SPLIT, "catastrophes-4"))
    return told


def _stripped(view: View, state: State, after: State) -> list[Phrase]:
    """Tell which leaders lose their last temple (leaders-6)."""
    told = []
    for at, square in enumerate(state.leaders):
        if square != NOWHERE and after.leaders[at] == NOWHERE:
            seat, role = divmod(at, N_COLOURS)
            text = phrases.THEN_STRIPPED_ME if seat == view.seat else phrases.THEN_STRIPPED
            told.append(phrase(text, "leaders-6", seat=seat, leader=leader_name(seat, role)))
    return told


def _swap(view: View, state: State, after: State, action: Swap) -> list[Phrase]:
    return [phrase(phrases.THEN_SWAP, "swap-1", tiles=[KINDS[kind] for kind in action.kinds])]


def _pass(view: View, state: State, after: State, action: Pass) -> list[Phrase]:
    return [phrase(phrases.THEN_PASS_BOTH if state.actions_left == ACTIONS_PER_TURN else phrases.THEN_PASS, "turn-3")]


# Conflicts


def _war(view: View, state: State, after: State, action: War) -> list[Phrase]:
    return [warphrase(view, state, action.role)]


def _support(view: View, state: State, after: State, action: Support) -> list[Phrase]:
    return [_attack(view, state, action)] if state.phase == ATTACK else _defence(view, state, after, action)


def stakes(state: State) -> tuple[int, int]:
    """Return the points that attacker and defender would each score by winning the current conflict (revolts-4, wars-7)."""
    if state.conflict == REVOLT:
        return 1, 1
    lost = [
        lost_supporters(state, state.colour, state.leaders[seat * N_COLOURS + state.colour]).bit_count()
        for seat in (state.defender, state.attacker)
    ]
    return lost[0] + 1, lost[1] + 1


def _attack(view: View, state: State, action: Support) -> Phrase:
    board, m = conflict_strengths(state)
    n = board + action.count
    seat = state.defender
    most = most_to_add(view, seat, action.kind)
    if n <= m:
        return phrase(phrases.THEN_ATTACK_LOST, "conflicts-4", seat=seat, n=n, m=m)
    if n > m + most:
        return phrase(phrases.THEN_ATTACK_WON, "conflicts-4", seat=seat, n=n, m=m, most=most)
    return phrase(phrases.THEN_ATTACK_OPEN, "conflicts-4", seat=seat, n=n, m=m, most=most, need=n - m)


def _defence(view: View, state: State, after: State, action: Support) -> list[Phrase]:
    attack, board = conflict_strengths(state)
    attack += state.added
    defence = board + action.count
    me, other = state.defender, state.attacker
    has_won = defence >= attack
    colour = support_kind(state)
    source = FROM_REVOLTS if state.conflict == REVOLT else FROM_WARS
    points = _gained(state, after, me if has_won else other, colour, source)
    params = {"seat": other, "n": defence, "m": attack, "colour": COLOURS[colour], "points": points, "removed": points - 1}
    is_tie = attack == defence
    if state.conflict == REVOLT:
        texts = (phrases.THEN_WIN_REVOLT, phrases.THEN_WIN_REVOLT_TIE, phrases.THEN_LOSE_REVOLT)
    else:
        texts = (phrases.THEN_WIN_WAR, phrases.THEN_WIN_WAR_TIE, phrases.THEN_LOSE_WAR)
    text = texts[2] if not has_won else texts[1] if is_tie else texts[0]
    anchor = "conflicts-4" if is_tie else "revolts-4" if state.conflict == REVOLT else "wars-7" if has_won else "wars-6"
    told = [phrase(text, anchor, **params)]
    if state.union != NOWHERE:
        told += _other_wars(state, after)
    return told + _treasures(after, view.seat)


def _other_wars(state: State, after: State) -> list[Phrase]:
    """Tell which wars over the union tile remain, and which no longer take place (wars-9)."""
    still = pending_wars(after) if after.union != NOWHERE else []
    told = []
    for role in pending_wars(state):
        if role == state.colour:
            continue
        if role in still:
            told.append(phrase(phrases.THEN_WAR_NEXT, "wars-2", role=ROLES[role]))
        else:
            told.append(phrase(phrases.THEN_WAR_VOID, "wars-9", role=ROLES[role]))
    return told


# Monuments and treasures


def _build(view: View, state: State, after: State, action: Build) -> list[Phrase]:
    told = [phrase(phrases.THEN_BUILD, "monuments-6")]
    told += _stripped(view, state, after)
    kingdom = kingdom_at(after, action.square)
    for colour in MONUMENT_COLOURS[action.monument]:
        owner = leader_in(after, colour, kingdom)
        if owner == NO_SEAT:
            told.append(phrase(phrases.THEN_BUILD_FOR_NOBODY, "monuments-10", colour=COLOURS[colour]))
        elif owner == view.seat:
            told.append(phrase(phrases.THEN_BUILD_FOR_ME, "monuments-10", colour=COLOURS[colour]))
        else:
            told.append(phrase(phrases.THEN_BUILD_FOR, "monuments-10", seat=owner, colour=COLOURS[colour]))
    return told + _treasures(after, view.seat)


def _decline(view: View, state: State, after: State, action: Decline) -> list[Phrase]:
    is_one = len(monument_squares(state)) == 1
    told = [phrase(phrases.THEN_DECLINE if is_one else phrases.THEN_DECLINE_SQUARES, "monuments-4")]
    return told + _treasures(after, view.seat)


def _treasure(view: View, state: State, after: State, action: Treasure) -> list[Phrase]:
    told = [phrase(phrases.THEN_TREASURE, "treasures-6", square=LABELS[action.square])]
    ending = _few_treasures(after) if after.phase == ACTION else None
    return [*told, *_treasures(after, view.seat)] if ending is None else [*told, ending]


def treasures_to_take(state: State, seat: int) -> int:
    """Return how many treasures the seat's trader takes now (treasures-1)."""
    if not treasure_squares(state, seat):
        return 0
    trader = state.leaders[seat * N_COLOURS + GREEN]
    return (kingdom_at(state, trader) & state.treasures).bit_count() - 1


def _treasures(after: State, me: int | None) -> list[Phrase]:
    """Tell whose traders then take treasures, and whether this ends the game (treasures-1, treasures-5, end-1)."""
    if after.phase != TREASURE:
        return []
    told = []
    left = after.treasures.bit_count()
    for step_on in range(after.seats):
        seat = (after.active + step_on) % after.seats
        count = treasures_to_take(after, seat)
        if count:
            left -= count
            text = phrases.THEN_TREASURES_ME if seat == me else phrases.THEN_TREASURES
            told.append(phrase(text, "treasures-1", seat=seat, n=count))
    if left < FEWEST_TREASURES:
        told.append(phrase(phrases.THEN_END_TREASURES, "end-1", n=left))
    return told


# The end of the turn, and of the game


def _monument_income(state: State, after: State, me: int | None) -> list[Phrase]:
    """Tell what monuments bring the active seat at the end of the turn, if the action ends it (monuments-10)."""
    seat = state.active
    text = phrases.THEN_INCOME_ME if seat == me else phrases.THEN_INCOME
    told = []
    for colour in range(N_COLOURS):
        points = _gained(state, after, seat, colour, FROM_MONUMENTS)
        if points:
            told.append(phrase(text, "monuments-10", seat=seat, points=points, colour=COLOURS[colour]))
    return told


def _ending(after: State) -> Phrase | None:
    """Tell that the game ends with the action, or with the turn that it ends (end-1 .. end-4)."""
    bag = sum(after.bag)
    if after.swapping > bag or (after.phase == SCORING and after.ending == BY_SWAP):
        return phrase(phrases.THEN_END_SWAP, "end-4", n=bag)
    if after.phase not in (DRAWING, SCORING) or (after.swapping and after.actions_left > 1):
        return None
    bag -= after.swapping  # the last action, so the turn ends as soon as these are drawn
    if sum(HAND_SIZE - hand_count(after, seat) for seat in range(after.seats)) - after.swapping > bag:
        return phrase(phrases.THEN_END_BAG, "end-2", n=bag)
    return _few_treasures(after)


def _few_treasures(after: State) -> Phrase | None:
    left = after.treasures.bit_count()
    return phrase(phrases.THEN_END_TREASURES, "end-1", n=left) if left < FEWEST_TREASURES else None


_TELLERS: Final[dict[type, Callable[[View, State, State, Any], list[Phrase]]]] = {
    Tile: _tile,
    Leader: _leader,
    Withdraw: _withdraw,
    Catastrophe: _catastrophe,
    Swap: _swap,
    Pass: _pass,
    War: _war,
    Support: _support,
    Build: _build,
    Decline: _decline,
    Treasure: _treasure,
}
