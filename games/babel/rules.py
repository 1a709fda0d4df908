"""The game as the contract requires it: who is due, applying actions, what they do, chance, and the fast path for random play.

`apply` is check, copy, step. A step changes a state in place, trusts its caller, and tells what happened if `events` is a list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement
from typing import Any, Final

from games.babel import legality, scoring
from games.babel.actions import (
    END,
    MIGRATIONS,
    MOVES,
    OWN,
    SCORE,
    SETTLES,
    STARTS,
    Action,
    Build,
    Discard,
    Draw,
    End,
    Migrate,
    Move,
    Power,
    Reveal,
    Score,
    Settle,
    Start,
    parse_action,
)
from games.babel.components import (
    DRAW,
    LANDS,
    MIGRANTS,
    PEOPLES,
    POWER_PEOPLE,
    REVEAL,
    TOO_FEW,
    TOP_LEVEL,
    WIN_AHEAD,
    WIN_AT_ONCE,
)
from games.babel.legality import RULE
from games.babel.meta import META
from games.babel.state import (
    ACTION,
    BY_DECK,
    BY_LEAD,
    BY_TWENTY,
    DRAWING,
    ENDINGS,
    HALVING,
    QUARRY,
    REVEALING,
    RUNS_IN,
    SCORING,
    START,
    State,
    deck_count,
    first_state,
    hand_count,
    height,
)
from games.babel.state import END as GAME_OVER
from games.core.contract import CHANCE, NO_SEAT, SCORER, Event, Rng
from games.core.forms import Forms
from games.core.options import checked

Events = list[Event] | None  # None on the fast path, which tells nothing
_NOBODY: Final = ()

# One object for each common chance outcome, so that the fast path creates none.
_DRAWS: Final[dict[tuple[int, ...], Draw]] = {peoples: Draw(peoples) for peoples in combinations_with_replacement(range(LANDS), DRAW)}
_REVEALS: Final[dict[tuple[int, ...], Reveal]] = {
    levels: Reveal(levels) for count in range(1, REVEAL + 1) for levels in combinations_with_replacement(range(TOP_LEVEL, 0, -1), count)
}


def setup(seats: int, options: Mapping[str, Any]) -> State:
    """Return the first position: CHANCE picks who starts (setup-6). Raises SetupError."""
    return first_state(checked(META, seats, options)["start_hands"])


def actors(state: State) -> tuple[int, ...]:
    """Return who is due: one seat, CHANCE, SCORER, or nobody at the end."""
    phase = state.phase
    if phase <= HALVING:
        return (state.due,)
    if phase <= REVEALING:
        return (CHANCE,)
    return (SCORER,) if phase == SCORING else _NOBODY


def legal_actions(state: State, actor: int) -> list[Action]:
    """Return every legal action of a due seat or the scorer, in a fixed order; [] for any other actor."""
    return legality.legal_actions(state, actor)


FORMS: Final = Forms(parse_action, "babel#turn-1")


def apply(state: State, actor: int, action: Action) -> tuple[State, list[Event]]:
    """Return the position after `action` and what happened. Raises IllegalAction; never changes `state`."""
    action = FORMS[action]
    legality.check(state, actor, action)
    new = state.copy()
    events: list[Event] = []
    step(new, action, events)
    return new, events


# Chance


def sample_chance(state: State, rng: Rng) -> Action:
    """Return the chance outcome that is due: the starting player, people cards for `due`, or temple cards."""
    if state.phase == START:
        return STARTS[rng.below(2, "setup")]
    if state.phase == DRAWING:
        return _sample_draw(state, rng)
    return _sample_reveal(state, rng)


def _sample_reveal(state: State, rng: Rng) -> Action:
    known = state.deck_top
    levels = list(known[-REVEAL:]) if known else []
    deck = state.deck[:]
    left = sum(deck)
    while len(levels) < REVEAL and left:  # as many as `legality.reveal_count`, which costs random play 2 %
        at = rng.below(left, "deck:temples")
        level = 1
        while at >= deck[level]:
            at -= deck[level]
            level += 1
        deck[level] -= 1
        left -= 1
        levels.append(level)
    levels.sort(reverse=True)
    return _REVEALS[tuple(levels)]


def _sample_draw(state: State, rng: Rng) -> Action:
    count = legality.draw_count(state)
    pile = state.people_deck
    left = sum(pile)
    drawn: list[int] = []
    if count > left:  # the deck, then the discard pile shuffled: people-2
        drawn = [people for people in range(LANDS) for _ in range(pile[people])]
        count -= left
        pile = state.discards
        left = sum(pile)
    pile = pile[:]
    below = rng.below
    for _ in range(count):
        at = below(left, "deck:people")
        people = 0
        while at >= pile[people]:
            at -= pile[people]
            people += 1
        pile[people] -= 1
        left -= 1
        drawn.append(people)
    drawn.sort()
    key = tuple(drawn)
    return _DRAWS.get(key) or Draw(key)


# Steps


def step(state: State, action: Action, events: Events) -> None:
    """Carry out a legal action in place."""
    STEPS[type(action)](state, action, events)


def _start(state: State, action: Start, events: Events) -> None:
    state.active = action.seat
    state.due = action.seat
    state.phase = DRAWING
    if events is not None:
        events.append(Event("started", {"seat": action.seat}, RULE + "setup-6", reveals=True))


def _draw(state: State, action: Draw, events: Events) -> None:
    """Give cards to the due seat; the discard pile becomes the deck when the deck runs out (people-1, people-2)."""
    seat = state.due
    base = seat * LANDS
    deck = state.people_deck
    if len(action.peoples) > sum(deck):
        for people in range(LANDS):
            deck[people] += state.discards[people]
            state.discards[people] = 0
        if events is not None:
            events.append(Event("reshuffled", {}, RULE + "people-2"))
    for people in action.peoples:
        deck[people] -= 1
        state.hands[base + people] += 1
    if events is not None:
        names = [PEOPLES[people] for people in action.peoples]
        if not names:
            events.append(Event("drew_nothing", {"seat": seat}, RULE + "people-3", reveals=True))
        else:
            anchor = "people-1" if state.turn else "setup-4"
            events.append(Event("drew", {"seat": seat, "n": len(names)}, RULE + anchor, secret={seat: {"cards": names}}, reveals=True))
    if state.turn:
        state.phase = ACTION
    elif seat == state.active:
        state.due = 1 - seat
    else:
        _begin_turn(state, state.active)


def _begin_turn(state: State, seat: int) -> None:
    state.turn += 1
    state.active = seat
    state.due = seat
    state.migrated = False
    state.phase = DRAWING


def _move(state: State, action: Move, events: Events) -> None:
    seat = state.active
    land = action.land
    state.hands[seat * LANDS + land] -= 1
    state.discards[land] += 1
    state.pawns[seat] = land
    if events is not None:
        events.append(Event("moved", {"seat": seat, "people": PEOPLES[land], "land": f"land_{PEOPLES[land]}"}, RULE + "move-1"))


def _settle(state: State, action: Settle, events: Events) -> None:
    seat = state.active
    people = action.people
    at = seat * LANDS + state.pawns[seat]
    state.hands[seat * LANDS + people] -= 1
    state.columns[at] += bytes((people,))
    if events is not None:
        params = {"seat": seat, "people": PEOPLES[people], "land": _land(state, seat), "n": len(state.columns[at])}
        events.append(Event("settled", params, RULE + "settle-1"))


def _land(state: State, seat: int) -> str:
    return f"land_{PEOPLES[state.pawns[seat]]}"


def _scores(state: State, seat: int) -> dict[str, int]:
    """Return both scores as an event reports them after they change."""
    return {"score": state.scores[seat], "rival": state.scores[1 - seat]}


def _take_from_stock(state: State, seat: int, stock: int) -> int:
    """Take the top card of a stock and return its level."""
    owner = seat if stock == OWN else 1 - seat
    cards = state.stocks[owner]
    if len(cards) == 1:  # the lowest card was the first level 1, if one was still kept for its owner
        state.reserved[owner] = False
    state.stocks[owner] = cards[:-1]
    return cards[-1]


def _raise_temple(state: State, seat: int, level: int) -> None:
    """Place a level on the temple in the pawn's land and count it."""
    at = seat * LANDS + state.pawns[seat]
    temple = state.temples[at]
    state.scores[seat] += level - (temple[-1] if temple else 0)
    state.temples[at] = temple + bytes((level,))


def _build(state: State, action: Build, events: Events) -> None:
    seat = state.active
    before = state.scores[:]
    level = _take_from_stock(state, seat, action.stock)
    _raise_temple(state, seat, level)
    if events is not None:
        params = {"seat": seat, "other": 1 - seat, "n": level, "land": _land(state, seat)} | _scores(state, seat)
        if action.stock == OWN:
            events.append(Event("built", params, RULE + "build-1"))
        else:
            events.append(Event("built_from_other", params, RULE + "build-4"))
    _see_to_win(state, before, events)


def _migrate(state: State, action: Migrate, events: Events) -> None:
    seat = state.active
    columns = state.columns
    source, target = seat * LANDS + action.source, seat * LANDS + action.target
    moved = columns[source][-MIGRANTS:]
    columns[source] = columns[source][:-MIGRANTS]
    columns[target] += moved
    state.migrated = True
    if events is not None:
        params = {
            "seat": seat,
            "cards": [PEOPLES[people] for people in moved],
            "land": f"land_{PEOPLES[action.source]}",
            "target": f"land_{PEOPLES[action.target]}",
        }
        events.append(Event("migrated", params, RULE + "migration-1"))


def _use_power(state: State, action: Power, events: Events) -> None:
    """Discard a card of the run, then carry out the power (powers-1)."""
    seat = state.active
    at = seat * LANDS + state.pawns[seat]
    column = state.columns[at]
    verb = action.verb
    people = action.argument if verb == "halve" else POWER_PEOPLE[verb]
    for found, run, place in RUNS_IN[column]:
        if found == people and run == action.run:
            state.columns[at] = column[:place] + column[place + 1 :]
            break
    state.discards[people] += 1
    before = state.scores[:]
    _POWERS[verb](state, seat, action, events)
    if state.scores != before:
        _see_to_win(state, before, events)


def _destroy(state: State, seat: int, action: Power, events: Events) -> None:
    """Put the opponent's temple here face down on the deck, the highest level first (destroy-1, destroy-2)."""
    facing = (1 - seat) * LANDS + state.pawns[seat]
    temple = state.temples[facing]
    state.temples[facing] = b""
    state.scores[1 - seat] -= temple[-1]
    state.deck_top += temple[::-1]
    if events is not None:
        params = {"seat": seat, "other": 1 - seat, "land": _land(state, seat), "n": temple[-1], "levels": ", ".join(map(str, temple))}
        events.append(Event("destroyed", params | _scores(state, seat), RULE + "destroy-1"))


def _steal(state: State, seat: int, action: Power, events: Events) -> None:
    """Steal the top level of the opponent's temple here (steal-1), which drops to its next card below (steal-4)."""
    facing = (1 - seat) * LANDS + state.pawns[seat]
    temple = state.temples[facing]
    rest = temple[:-1]
    state.temples[facing] = rest
    state.scores[1 - seat] -= temple[-1] - height(rest)
    _raise_temple(state, seat, temple[-1])
    if events is not None:
        params = {"seat": seat, "other": 1 - seat, "n": temple[-1], "land": _land(state, seat)} | _scores(state, seat)
        events.append(Event("stole", params, RULE + "steal-1"))


def _expel(state: State, seat: int, action: Power, events: Events) -> None:
    """Discard all cards of a people from the opponent's column here (expel-1)."""
    facing = (1 - seat) * LANDS + state.pawns[seat]
    column = state.columns[facing]
    people = action.argument
    state.columns[facing] = column.replace(bytes((people,)), b"")
    count = len(column) - len(state.columns[facing])
    state.discards[people] += count
    if events is not None:
        params = {"seat": seat, "other": 1 - seat, "cards": [PEOPLES[people]] * count, "land": _land(state, seat)}
        events.append(Event("expelled", params, RULE + "expel-1"))


def _switch(state: State, seat: int, action: Power, events: Events) -> None:
    """Bring over all cards of the outermost people in the opponent's column here (switch-1)."""
    land = state.pawns[seat]
    facing = (1 - seat) * LANDS + land
    column = state.columns[facing]
    people = column[-1]
    sign = bytes((people,))
    count = column.count(sign)
    state.columns[facing] = column.replace(sign, b"")
    state.columns[seat * LANDS + land] += sign * count
    if events is not None:
        params = {"seat": seat, "other": 1 - seat, "cards": [PEOPLES[people]] * count, "land": _land(state, seat)}
        events.append(Event("switched", params, RULE + "switch-1"))


def _skip(state: State, seat: int, action: Power, events: Events) -> None:
    """Build, skipping one level (skip-1)."""
    level = _take_from_stock(state, seat, action.argument)
    _raise_temple(state, seat, level)
    if events is not None:
        params = {"seat": seat, "other": 1 - seat, "n": level, "land": _land(state, seat)} | _scores(state, seat)
        events.append(Event("skipped" if action.argument == OWN else "skipped_from_other", params, RULE + "skip-1"))


def _halve(state: State, seat: int, action: Power, events: Events) -> None:
    """Let the other seat choose half of its hand (halving-1, halving-2)."""
    state.phase = HALVING
    state.due = 1 - seat
    if events is not None:
        people = f"people_{PEOPLES[action.argument]}"
        params = {"seat": seat, "other": 1 - seat, "n": legality.halving_count(state, 1 - seat), "people": people}
        events.append(Event("halved", params, RULE + "halving-1"))


_POWERS: Final[dict[str, Callable[[State, int, Power, Events], None]]] = {
    "destroy": _destroy,
    "steal": _steal,
    "expel": _expel,
    "switch": _switch,
    "skip": _skip,
    "halve": _halve,
}


def _discard(state: State, action: Discard, events: Events) -> None:
    seat = state.due
    base = seat * LANDS
    for people in action.peoples:
        state.hands[base + people] -= 1
        state.discards[people] += 1
    if events is not None:
        names = [PEOPLES[people] for people in action.peoples]
        events.append(Event("discarded", {"seat": seat, "cards": names}, RULE + "halving-2", reveals=True))
    state.phase = ACTION
    state.due = state.active


def _end(state: State, action: End, events: Events) -> None:
    state.phase = REVEALING
    if events is not None:
        events.append(Event("ended_turn", {"seat": state.active, "n": hand_count(state, state.active)}, RULE + "turn-4"))


def _reveal(state: State, action: Reveal, events: Events) -> None:
    """Place temple cards on the seat's own stock, the lower on top; the last card of the deck ends the game (temples-1, end-5)."""
    seat = state.active
    state.reserved[seat] = False  # from now on it is a card like any other: start-3
    levels = action.levels
    deck = state.deck
    for level in levels:
        deck[level] -= 1
    if state.deck_top:
        for level in state.deck_top[-len(levels) :]:
            deck[level] += 1  # it came from the known top
        state.deck_top = state.deck_top[: -len(levels)]
    state.stocks[seat] += bytes(levels)
    if events is not None:
        params = {"seat": seat, "levels": ", ".join(map(str, levels))}
        events.append(Event("revealed", params, RULE + "temples-1", reveals=True))
    if deck_count(state):
        _begin_turn(state, 1 - seat)
    else:
        _end_game(state, BY_DECK, events, "end-5")


def _see_to_win(state: State, before: list[int], events: Events) -> None:
    """End the game when the active seat has won; `before` holds the scores before its action (end-1, end-3, end-4, end-9)."""
    seat = state.active
    own = state.scores[seat]
    if own >= WIN_AHEAD:
        if state.scores[1 - seat] <= TOO_FEW:
            _end_game(state, BY_LEAD, events, "end-4" if before[1 - seat] > TOO_FEW else "end-1")
        elif own >= WIN_AT_ONCE:
            _end_game(state, BY_TWENTY, events, "end-3")
        elif before[seat] < WIN_AHEAD and events is not None:
            events.append(Event("last_phase", {"seat": seat, "other": 1 - seat} | _scores(state, seat), RULE + "end-2"))


def _end_game(state: State, ending: int, events: Events, anchor: str) -> None:
    state.ending = ending
    state.phase = SCORING
    state.due = NO_SEAT
    if events is not None:
        params = {"seat": state.active, "other": 1 - state.active} | _scores(state, state.active)
        events.append(Event(f"ended_by_{ENDINGS[ending]}", params, RULE + anchor))


_WON: Final = {"lead": "end-1", "twenty": "end-3", "deck": "end-5", "deck_hands": "end-7", "deck_drawn": "end-11"}  # by reason of the end


def _score(state: State, action: Score, events: Events) -> None:
    state.phase = GAME_OVER
    if events is not None:
        outcome = scoring.outcome(state)
        assert outcome is not None
        rule = RULE + _WON[outcome.reason]
        winner = outcome.places.index(1)
        params = {"seat": winner, "other": 1 - winner} | _scores(state, winner)
        if outcome.reason == "deck_drawn":
            events.append(Event("game_drawn", {"score": params["score"]}, rule, reveals=True))
        elif outcome.reason == "deck_hands":
            params |= {"n": hand_count(state, winner), "m": hand_count(state, 1 - winner)}
            events.append(Event("game_ended_by_hands", params, rule, reveals=True))
        else:
            events.append(Event("game_ended", params, rule, reveals=True))


STEPS: Final[dict[type, Callable[[State, Any, Events], None]]] = {
    Move: _move,
    Settle: _settle,
    Build: _build,
    Migrate: _migrate,
    Power: _use_power,
    End: _end,
    Discard: _discard,
    Start: _start,
    Draw: _draw,
    Reveal: _reveal,
    Score: _score,
}


# The fast path


def sample_action(state: State, actor: int, rng: Rng) -> Action:
    """Return a legal action of the due actor without building the list; each one has a positive chance."""
    if state.phase == ACTION:
        return _sample_turn(state, rng)
    if state.phase == HALVING:
        base = state.due * LANDS
        hand = [people for people in range(LANDS) for _ in range(state.hands[base + people])]
        due = legality.halving_count(state, state.due)
        for at in range(due):
            other = at + rng.below(len(hand) - at, "play")
            hand[at], hand[other] = hand[other], hand[at]
        return Discard(tuple(sorted(hand[:due])))
    if state.phase == SCORING:
        return SCORE
    raise ValueError(f"{actor} is not due")


def _sample_turn(state: State, rng: Rng) -> Action:
    """Return usually a settler or a move, otherwise building, migration, a power or the end; if one is not possible, the next is tried."""
    below = rng.below
    seat = state.due
    base = seat * LANDS
    pawn = state.pawns[seat]
    hands = state.hands
    draw = below(16, "play")
    if draw < 9:
        held = sum(hands[base : base + LANDS])
        if held:
            at = below(held, "play")
            people = 0
            while at >= hands[base + people]:
                at -= hands[base + people]
                people += 1
            if pawn == QUARRY or (draw < 4 and people != pawn):
                return MOVES[people]
            return SETTLES[people]
    if pawn != QUARRY:
        if draw < 12:
            built = legality.builds(state, seat)
            if built:
                return built[below(len(built), "play")]
        if draw < 14 and RUNS_IN[state.columns[base + pawn]]:
            found = legality.powers(state, seat)
            if found:
                return found[below(len(found), "play")]
    if draw < 15 and not state.migrated:
        source = below(LANDS, "play")
        if len(state.columns[base + source]) >= MIGRANTS:
            target = below(LANDS - 1, "play")
            return MIGRATIONS[source][target + (target >= source)]
    if state.turn > legality.FIRST_TURNS or not legality.owes_first_level(state, seat):
        return END
    actions = legality.legal_actions(state, seat)
    return actions[below(len(actions), "play")]


def playout_moves(state: State, rng: Rng) -> int:
    """Play `state` in place to its end by `sample_action` and the steps; return the number of moves by seats."""
    moves = 0
    while True:
        phase = state.phase
        if phase <= HALVING:
            action = _sample_turn(state, rng) if phase == ACTION else sample_action(state, state.due, rng)
            moves += 1
        elif phase <= REVEALING:
            action = sample_chance(state, rng)
        elif phase == SCORING:
            action = SCORE
        else:
            return moves
        STEPS[type(action)](state, action, None)
