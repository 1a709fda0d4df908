"""Positions as JSON: written compactly, read with every fault named, completed if partial (babel#setup, #components).

Fields of a state (a position file may leave out all but what it is about):
    rules_version  1
    seats          2
    options        {"start_hands": "5/5"}
    phase          action | halving | start | drawing | revealing | scoring | end
    turn           turns started; 0 while the first hands are drawn
    active         the seat whose turn it is; null before chance has picked the starting seat
    due            the seat that is asked, draws or turns up cards; null in the other phases
    migrated       whether the active seat has migrated this turn
    reserved       per seat: whether its first level 1 is still kept for it
    pawns          per seat the people of its land, or null in the quarry
    columns        per seat {land: cards from the inside out, as initials: "SSSSAPP"}
    temples        per seat {land: [levels from below]}
    stocks         per seat [levels, the playable one last]
    hands          per seat {people: count}; a position file may give only the number of cards, which are then dealt
    people_deck    {people: count}
    discards       {people: count}
    deck           [cards of level 1, 2, .. 6] in the temple deck in an unknown order
    deck_top       [levels] known to be on top of them, the next one first
    ending         how the game ended: lead | twenty | deck; null until then
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from games.babel.components import (
    LANDS,
    LEVELS,
    PEOPLE_EACH,
    PEOPLE_OF,
    PEOPLES,
    SEATS,
    START_HANDS,
    TEMPLE_CARDS,
    TOO_FEW,
    TOP_LEVEL,
    WIN_AHEAD,
    WIN_AT_ONCE,
)
from games.babel.meta import RULES_VERSION
from games.babel.state import (
    ACTION,
    BY_DECK,
    BY_LEAD,
    BY_TWENTY,
    DRAWING,
    ENDINGS,
    HALVING,
    NO_ENDING,
    PHASES,
    QUARRY,
    REVEALING,
    SCORING,
    START,
    State,
    deck_count,
    first_hand,
    first_state,
    hand_count,
    height,
)
from games.core import jsonio
from games.core.contract import NO_SEAT, Rng
from games.core.phrases import N_

FIELDS: Final = (
    "rules_version", "seats", "options", "phase", "turn", "active", "due", "migrated", "reserved", "pawns", "columns", "temples",
    "stocks", "hands", "people_deck", "discards", "deck", "deck_top", "ending",
)  # fmt: skip
INITIALS: Final = "".join([people[0].upper() for people in PEOPLES])
BOTH: Final = (0, 1)
MAX_TURN: Final = 9999  # in a position file; a game that continues from it is read up to the next limit
ENDLESS: Final = 10**9
LATER_TURN: Final = 3  # the first turn without an opening duty, for position files that name no turn


def state_to_json(state: State) -> dict[str, Any]:
    """Return the position as plain JSON values."""
    return {
        "rules_version": RULES_VERSION,
        "seats": SEATS[0],
        "options": {"start_hands": state.start_hands},
        "phase": PHASES[state.phase],
        "turn": state.turn,
        "active": _or_none(state.active),
        "due": _or_none(state.due),
        "migrated": state.migrated,
        "reserved": state.reserved[:],
        "pawns": [None if pawn == QUARRY else PEOPLES[pawn] for pawn in state.pawns],
        "columns": [
            {PEOPLES[land]: _initials(state.columns[seat * LANDS + land]) for land in range(LANDS) if state.columns[seat * LANDS + land]}
            for seat in BOTH
        ],
        "temples": [
            {PEOPLES[land]: list(state.temples[seat * LANDS + land]) for land in range(LANDS) if state.temples[seat * LANDS + land]}
            for seat in BOTH
        ],
        "stocks": [list(stock) for stock in state.stocks],
        "hands": [_counts(state.hands[seat * LANDS : seat * LANDS + LANDS]) for seat in BOTH],
        "people_deck": _counts(state.people_deck),
        "discards": _counts(state.discards),
        "deck": state.deck[1:],
        "deck_top": list(state.deck_top[::-1]),
        "ending": None if state.ending == NO_ENDING else ENDINGS[state.ending],
    }


def _or_none(seat: int) -> int | None:
    return None if seat == NO_SEAT else seat


def _initials(column: bytes) -> str:
    return "".join([INITIALS[people] for people in column])


def _counts(row: list[int]) -> dict[str, int]:
    return {PEOPLES[people]: count for people, count in enumerate(row) if count}


def state_from_json(data: Mapping[str, Any]) -> State:
    """Return the state of a full position. Raises PositionError, one line that names the field."""
    jsonio.fields(data, "", FIELDS, FIELDS)
    return _read(data)


def complete(partial: Mapping[str, Any], rng: Rng) -> State:
    """Return a full state from a partial one. Raises PositionError for an impossible position.

    Defaults: seat 0 acts in a turn after the first ones; each stock is one level 1; columns, temples and hands are empty; a
    pawn is in the first land where its seat has cards, or else in the quarry; all other cards are in the decks.
    """
    data = dict(jsonio.fields(partial, "", FIELDS))
    data.setdefault("rules_version", RULES_VERSION)
    data.setdefault("seats", SEATS[0])
    options = data.get("options", {})
    data["options"] = {"start_hands": "5/5", **options} if isinstance(options, Mapping) else options
    phase = data.setdefault("phase", "action")
    jsonio.integer(data.setdefault("turn", 0 if phase == "start" else LATER_TURN), "turn", 0, MAX_TURN)
    active = data.setdefault("active", None if phase == "start" else 0)
    if "due" not in data:
        is_asked = phase in ("action", "drawing", "revealing")
        data["due"] = active if is_asked else {0: 1, 1: 0}.get(active) if phase == "halving" and active in BOTH else None
    data.setdefault("migrated", False)
    for name in ("columns", "temples", "hands"):
        data.setdefault(name, [{}, {}])
    data.setdefault("stocks", [[1], [1]])
    data.setdefault("deck_top", [])
    data.setdefault("ending", None)
    if "pawns" not in data:
        data["pawns"] = [_pawn_of(data, seat) for seat in BOTH]
    if "reserved" not in data:
        data["reserved"] = [_waits(data, seat) for seat in BOTH]
    _complete_people(data, rng)
    if "deck" not in data:
        data["deck"] = [0] * TOP_LEVEL
        data["deck"] = _rest_of_temples(_read(data, is_checked=False))
    return _read(data)


def _pawn_of(data: Mapping[str, Any], seat: int) -> str | None:
    """Return the first land where a seat has cards, or else the quarry."""
    for name in ("columns", "temples"):
        rows = jsonio.items(data[name], name, len(BOTH))
        lands = jsonio.fields(rows[seat], f"{name}[{seat}]", PEOPLES)
        for land in PEOPLES:
            if lands.get(land):
                return land
    return None


def _waits(data: Mapping[str, Any], seat: int) -> bool:
    """Return whether a seat's first level 1 can still be kept for it."""
    if data["turn"] not in (0, 1, 2) or jsonio.items(data["stocks"], "stocks", len(BOTH))[seat] != [1]:
        return False
    return bool(data["turn"] <= _first_turn(data["turn"], data["active"], seat))


def _first_turn(turn: int, active: int, seat: int) -> int:
    """Return the number of a seat's first turn, given which seat's turn `turn` is."""
    return 2 - ((seat == active) == (turn % 2 == 1)) if turn else 1


def _complete_people(data: dict[str, Any], rng: Rng) -> None:
    """Deal hands given only by size, and put all other cards into the deck or on the discard pile."""
    hands = list(jsonio.items(data["hands"], "hands", len(BOTH)))
    counts = {seat: hand for seat, hand in enumerate(hands) if type(hand) is int}
    piles = [name for name in ("people_deck", "discards") if name not in data]
    if not counts and not piles:
        return
    known = data | {"hands": [{} if seat in counts else hand for seat, hand in enumerate(hands)], "deck": [0] * TOP_LEVEL}
    state = _read(known | {name: {} for name in piles}, is_checked=False)
    rest = [PEOPLE_EACH - count for count in _people(state)]
    for people, count in enumerate(rest):
        if count < 0:
            jsonio.fail("columns", jsonio.MORE_THAN_THERE_ARE, kind=PEOPLES[people], n=PEOPLE_EACH)
    for seat, wanted in counts.items():
        jsonio.integer(wanted, f"hands[{seat}]", 0, sum(rest))
        row = [0] * LANDS
        for _ in range(wanted):
            at = rng.below(sum(rest), "setup")
            people = 0
            while at >= rest[people]:
                at -= rest[people]
                people += 1
            row[people] += 1
            rest[people] -= 1
        hands[seat] = _counts(row)
    data["hands"] = hands
    for name in piles:
        data[name] = _counts(rest)
        rest = [0] * LANDS


def _people(state: State) -> list[int]:
    """Return how many cards of each people there are in all places together."""
    counts = [deck + discarded for deck, discarded in zip(state.people_deck, state.discards, strict=True)]
    for at, count in enumerate(state.hands):
        counts[at % LANDS] += count
    for column in state.columns:
        for people in column:
            counts[people] += 1
    return counts


def _rest_of_temples(state: State) -> list[int]:
    rest = [there - seen for there, seen in zip(LEVELS, _levels(state), strict=True)]
    for level, count in enumerate(rest):
        if count < 0:
            jsonio.fail("stocks", N_("more cards of level {level} than the {n} of the game"), level=level, n=LEVELS[level])
    return rest[1:]


def _levels(state: State) -> list[int]:
    """Return how many temple cards of each level there are in all places together; [0] is 0."""
    counts = state.deck[:]
    for cards in (*state.temples, *state.stocks, state.deck_top):
        for level in cards:
            counts[level] += 1
    return counts


# Reading


def _read(data: Mapping[str, Any], *, is_checked: bool = True) -> State:
    if data["rules_version"] != RULES_VERSION or type(data["rules_version"]) is not int:
        jsonio.fail(
            "rules_version", N_("expected {wanted}, found {found}"), wanted=RULES_VERSION, found=jsonio.shown(data["rules_version"])
        )
    jsonio.integer(data["seats"], "seats", SEATS[0], SEATS[-1])
    options = jsonio.fields(data["options"], "options", ("start_hands",), ("start_hands",))
    jsonio.one_of(options["start_hands"], "options.start_hands", tuple(START_HANDS))
    state = first_state(options["start_hands"])
    state.phase = jsonio.one_of(data["phase"], "phase", PHASES)
    state.turn = jsonio.integer(data["turn"], "turn", 0, ENDLESS)
    state.active = _seat(data["active"], "active")
    state.due = _seat(data["due"], "due")
    state.migrated = jsonio.boolean(data["migrated"], "migrated")
    pairs = {name: jsonio.items(data[name], name, len(BOTH)) for name in ("reserved", "pawns", "columns", "temples", "stocks", "hands")}
    for seat in BOTH:
        base = seat * LANDS
        state.reserved[seat] = jsonio.boolean(pairs["reserved"][seat], f"reserved[{seat}]")
        pawn = pairs["pawns"][seat]
        state.pawns[seat] = QUARRY if pawn is None else jsonio.one_of(pawn, f"pawns[{seat}]", PEOPLES)
        for land, column in jsonio.fields(pairs["columns"][seat], f"columns[{seat}]", PEOPLES).items():
            state.columns[base + PEOPLE_OF[land]] = _column(column, f"columns[{seat}].{land}")
        for land, temple in jsonio.fields(pairs["temples"][seat], f"temples[{seat}]", PEOPLES).items():
            state.temples[base + PEOPLE_OF[land]] = _temple(temple, f"temples[{seat}].{land}")
        state.scores[seat] = sum(map(height, state.temples[base : base + LANDS]))
        state.stocks[seat] = _cards(pairs["stocks"][seat], f"stocks[{seat}]")
        state.hands[base : base + LANDS] = _row(pairs["hands"][seat], f"hands[{seat}]")
    state.people_deck = _row(data["people_deck"], "people_deck")
    state.discards = _row(data["discards"], "discards")
    deck = jsonio.items(data["deck"], "deck", TOP_LEVEL)
    state.deck = [0, *[jsonio.integer(count, f"deck[{at}]", 0, LEVELS[at + 1]) for at, count in enumerate(deck)]]
    state.deck_top = _cards(data["deck_top"], "deck_top")[::-1]
    state.ending = NO_ENDING if data["ending"] is None else jsonio.one_of(data["ending"], "ending", ENDINGS)
    if is_checked:
        _check_cards(state)
        _check_turn(state)
        _check_phase(state)
        _check_pawns(state)
        _check_first_levels(state)
        _check_scores(state)
    return state


def _seat(value: Any, where: str) -> int:
    return NO_SEAT if value is None else jsonio.integer(value, where, *BOTH)


def _column(value: Any, where: str) -> bytes:
    if not isinstance(value, str) or any(initial not in INITIALS for initial in value):
        jsonio.fail(where, N_("expected initials of peoples ({choices}), found {found}"), choices=INITIALS, found=jsonio.shown(value))
    return bytes([INITIALS.index(initial) for initial in value])


def _cards(value: Any, where: str) -> bytes:
    cards = jsonio.items(value, where)
    if len(cards) > TEMPLE_CARDS:
        jsonio.fail(where, N_("has more than the {n} temple cards of the game"), n=TEMPLE_CARDS)
    return bytes([jsonio.integer(level, f"{where}[{at}]", 1, TOP_LEVEL) for at, level in enumerate(cards)])


def _temple(value: Any, where: str) -> bytes:
    temple = _cards(value, where)
    if any(upper <= lower for lower, upper in pairwise(temple)):
        jsonio.fail(where, N_("each level of a temple is higher than the one below it"))
    return temple


def _row(value: Any, where: str) -> list[int]:
    counts = jsonio.fields(value, where, PEOPLES)
    return [jsonio.integer(counts.get(people, 0), f"{where}.{people}", 0, PEOPLE_EACH) for people in PEOPLES]


# Checking


def _check_cards(state: State) -> None:
    for people, count in enumerate(_people(state)):
        if count != PEOPLE_EACH:
            jsonio.fail(
                "people_deck",
                N_("the cards of {kind} in all places add up to {count}; the game has {n}"),
                kind=PEOPLES[people],
                count=count,
                n=PEOPLE_EACH,
            )
    for level, count in enumerate(_levels(state)):
        if count != LEVELS[level]:
            jsonio.fail(
                "deck",
                N_("the cards of level {level} in all places add up to {count}; the game has {n}"),
                level=level,
                count=count,
                n=LEVELS[level],
            )
    if not deck_count(state) and state.ending != BY_DECK:
        jsonio.fail("deck", N_("the last temple card has ended the game"))


def _check_turn(state: State) -> None:
    phase = state.phase
    if phase == START or (phase == DRAWING and not state.turn):
        if state.turn or (state.active == NO_SEAT) != (phase == START):
            jsonio.fail("active", N_("is null in the phase start, in turn 0, and a seat afterwards"))
        _check_start(state)
    elif state.active == NO_SEAT:
        jsonio.fail("active", N_("is null in the phase start only"))
    elif not state.turn:
        jsonio.fail("turn", N_("is 0 only while the first hands are drawn"))


def _check_start(state: State) -> None:
    first = first_state(state.start_hands)
    for name in ("pawns", "columns", "temples", "stocks", "discards", "deck_top", "migrated"):
        if getattr(state, name) != getattr(first, name):
            jsonio.fail(name, N_("is as at the start while the first hands are drawn"))
    if state.phase == DRAWING and state.due == NO_SEAT:
        jsonio.fail("due", N_("is the seat that draws"))
    for seat in BOTH:
        has_drawn = state.phase == DRAWING and seat == state.active != state.due
        expected = first_hand(state, seat) if has_drawn else 0
        if hand_count(state, seat) != expected:
            jsonio.fail(f"hands[{seat}]", N_("expected {n} cards while the first hands are drawn"), n=expected)


def _check_phase(state: State) -> None:
    phase = state.phase
    if phase in (ACTION, REVEALING) or (phase == DRAWING and state.turn):
        if state.due != state.active:
            jsonio.fail("due", N_("is the active seat in this phase"))
    elif phase == HALVING:
        if state.due != 1 - state.active:
            jsonio.fail("due", N_("is the seat that is not active: it discards half of its hand"))
        if hand_count(state, state.due) < 2:
            jsonio.fail(f"hands[{state.due}]", N_("has fewer than two cards: there is no half to discard"))
        if state.pawns[state.active] == QUARRY:
            jsonio.fail(f"pawns[{state.active}]", N_("is in the quarry, where no power can be used"))
    elif phase != DRAWING and state.due != NO_SEAT:
        jsonio.fail("due", N_("is null in this phase"))
    if (state.ending != NO_ENDING) != (phase >= SCORING):
        jsonio.fail("ending", N_("is null until the game has ended, then lead, twenty or deck"))
    if state.migrated and phase == DRAWING:
        jsonio.fail("migrated", N_("is false before the actions of a turn"))


def _check_pawns(state: State) -> None:
    for seat in BOTH:
        base = seat * LANDS
        if state.pawns[seat] == QUARRY and (any(state.columns[base : base + LANDS]) or any(state.temples[base : base + LANDS])):
            jsonio.fail(f"pawns[{seat}]", N_("never returns to the quarry: a seat with cards in a land has left it"))
        if state.turn and state.turn < _first_turn(state.turn, state.active, seat) and state.pawns[seat] != QUARRY:
            jsonio.fail(f"pawns[{seat}]", N_("is in the quarry until the first turn of the seat"))


def _check_first_levels(state: State) -> None:
    for seat in BOTH:
        waits = state.reserved[seat]
        first = _first_turn(state.turn, state.active, seat)
        if waits and (state.turn > first or state.stocks[seat] != b"\x01"):
            jsonio.fail(
                f"reserved[{seat}]",
                N_("is true until the seat's first turn at the latest, while the level 1 is the only card in its stock"),
            )
        if not waits and state.turn < first:
            jsonio.fail(f"reserved[{seat}]", N_("the first level 1 waits for its owner until its first turn"))
        if not waits and state.turn == first and state.stocks[seat]:
            jsonio.fail(f"stocks[{seat}]", N_("is empty in the seat's first turn once its level 1 is built"))


def _check_scores(state: State) -> None:
    for seat in BOTH:
        own, other = state.scores[seat], state.scores[1 - seat]
        reached = BY_LEAD if own >= WIN_AHEAD and other <= TOO_FEW else BY_TWENTY if own >= WIN_AT_ONCE else NO_ENDING
        expected = state.ending if seat == state.active and state.ending in (BY_LEAD, BY_TWENTY) else NO_ENDING
        if reached != expected:
            what = N_("seat {seat} has won already: {own} against {other}")
            if reached == NO_ENDING:
                what = N_("seat {seat} has not won: {own} against {other}")
            jsonio.fail("temples" if expected == NO_ENDING else "ending", what, seat=seat, own=own, other=other)
    if state.ending == BY_DECK and deck_count(state):
        jsonio.fail("ending", N_("the temple deck is not empty"))
