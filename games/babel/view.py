"""What a seat may know (babel#hidden-1, #hidden-2, #hidden-3), and full states that fit it.

The opponent's hand and the order of the decks are hidden. Which cards are unseen altogether follows from those that are seen;
a destroyed temple is on the temple deck in an order that everybody knows (destroy-2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.babel import legality, scoring
from games.babel.actions import Action
from games.babel.components import LANDS, LEVELS, PEOPLE_EACH, PEOPLE_OF, PEOPLES
from games.babel.state import (
    ENDINGS,
    HALVING,
    NO_ENDING,
    PHASES,
    QUARRY,
    State,
    deck_count,
    first_state,
    hand_count,
)
from games.core.contract import NO_SEAT, Outcome, Rng

BOTH: Final = (0, 1)


@dataclass(frozen=True, slots=True)
class View:
    """A position as one seat knows it (`seat` None: a spectator). Tuples are indexed by seat."""

    seat: int | None
    start_hands: str
    phase: str  # action, halving, start, drawing, revealing, scoring, end
    turn: int
    active: int | None  # whose turn it is
    due: int | None  # the seat that is asked or drawn for
    migrated: bool
    reserved: tuple[bool, ...]  # the first level 1 is kept for its owner
    pawns: tuple[str | None, ...]  # the people of the land; None is the quarry
    columns: tuple[dict[str, tuple[str, ...]], ...]  # land -> people cards from the inside out; lands without cards are left out
    temples: tuple[dict[str, tuple[int, ...]], ...]  # land -> levels from below; lands without a temple are left out
    scores: tuple[int, ...]
    stocks: tuple[tuple[int, ...], ...]  # levels, the playable one last
    hand: dict[str, int] | None  # the seat's own
    hand_counts: tuple[int, ...]
    discards: dict[str, int]
    people_deck_count: int
    deck_count: int  # temple cards still to be turned up
    deck_top: tuple[int, ...]  # those of them that everybody knows, the next one first
    ending: str | None  # lead, twenty, deck
    derivations: tuple[scoring.Derivation, ...]
    outcome: Outcome | None


def view_for(state: State, seat: int | None) -> View:
    """Return what `seat` may know of the position; None is a spectator."""
    return View(
        seat=seat,
        start_hands=state.start_hands,
        phase=PHASES[state.phase],
        turn=state.turn,
        active=_or_none(state.active),
        due=_or_none(state.due),
        migrated=state.migrated,
        reserved=tuple(state.reserved),
        pawns=tuple([None if pawn == QUARRY else PEOPLES[pawn] for pawn in state.pawns]),
        columns=tuple([_columns(state, s) for s in BOTH]),
        temples=tuple([_temples(state, s) for s in BOTH]),
        scores=tuple(state.scores),
        stocks=tuple([tuple(stock) for stock in state.stocks]),
        hand=None if seat is None else _counts(state.hands[seat * LANDS : seat * LANDS + LANDS]),
        hand_counts=tuple([hand_count(state, s) for s in BOTH]),
        discards=_counts(state.discards),
        people_deck_count=sum(state.people_deck),
        deck_count=deck_count(state),
        deck_top=tuple(state.deck_top[::-1]),
        ending=None if state.ending == NO_ENDING else ENDINGS[state.ending],
        derivations=tuple([scoring.derivation(state, s) for s in BOTH]),
        outcome=scoring.outcome(state),
    )


def _or_none(seat: int) -> int | None:
    return None if seat == NO_SEAT else seat


def _columns(state: State, seat: int) -> dict[str, tuple[str, ...]]:
    base = seat * LANDS
    return {
        PEOPLES[land]: tuple([PEOPLES[people] for people in column])
        for land, column in enumerate(state.columns[base : base + LANDS])
        if column
    }


def _temples(state: State, seat: int) -> dict[str, tuple[int, ...]]:
    base = seat * LANDS
    return {PEOPLES[land]: tuple(temple) for land, temple in enumerate(state.temples[base : base + LANDS]) if temple}


def _counts(row: list[int]) -> dict[str, int]:
    return {PEOPLES[people]: count for people, count in enumerate(row) if count}


def known_state(view: View) -> State:
    """Return a state with everything open in `view`.

    Cards that the viewer cannot see are all Assyrians, in the right number. Use it for the rules and for actions whose
    outcome does not depend on what is hidden.
    """
    state = first_state(view.start_hands)
    state.phase = PHASES.index(view.phase)
    state.turn = view.turn
    state.active = NO_SEAT if view.active is None else view.active
    state.due = NO_SEAT if view.due is None else view.due
    state.migrated = view.migrated
    state.reserved = list(view.reserved)
    state.pawns = [QUARRY if pawn is None else PEOPLE_OF[pawn] for pawn in view.pawns]
    state.deck = list(LEVELS)
    for seat in BOTH:
        base = seat * LANDS
        for land, column in view.columns[seat].items():
            state.columns[base + PEOPLE_OF[land]] = bytes([PEOPLE_OF[people] for people in column])
        for land, temple in view.temples[seat].items():
            state.temples[base + PEOPLE_OF[land]] = bytes(temple)
            _take(state.deck, temple)
        state.stocks[seat] = bytes(view.stocks[seat])
        _take(state.deck, view.stocks[seat])
        if seat == view.seat and view.hand is not None:
            state.hands[base : base + LANDS] = [view.hand.get(people, 0) for people in PEOPLES]
        else:
            state.hands[base] = view.hand_counts[seat]
    state.scores = list(view.scores)
    state.discards = [view.discards.get(people, 0) for people in PEOPLES]
    state.people_deck = [view.people_deck_count] + [0] * (LANDS - 1)
    state.deck_top = bytes(view.deck_top[::-1])
    _take(state.deck, view.deck_top)
    state.ending = NO_ENDING if view.ending is None else ENDINGS.index(view.ending)
    return state


def _take(deck: list[int], levels: tuple[int, ...]) -> None:
    for level in levels:
        deck[level] -= 1


def legal_for_view(view: View) -> list[Action]:
    """Return the legal actions of the viewing seat; [] if it is not due."""
    if view.seat is None or view.seat != view.due or PHASES.index(view.phase) > HALVING:
        return []
    return legality.legal_actions(known_state(view), view.seat)


def unseen(view: View) -> list[int]:
    """Return how many cards of each people the viewer cannot see, in the deck and in hands."""
    counts = [PEOPLE_EACH - view.discards.get(people, 0) - (view.hand or {}).get(people, 0) for people in PEOPLES]
    for columns in view.columns:
        for column in columns.values():
            for people in column:
                counts[PEOPLE_OF[people]] -= 1
    return counts


def sample_state(view: View, rng: Rng) -> State:
    """Return a full state that `view_for` would show as `view`: the unseen people cards are dealt at random to deck and hands.

    Only the order of the temple deck is unknown, and a state keeps no order.
    """
    state = known_state(view)
    pool = [people for people, count in enumerate(unseen(view)) for _ in range(count)]
    below = rng.below
    for seat in BOTH:
        if seat == view.seat:
            continue
        base = seat * LANDS
        state.hands[base] = 0
        for _ in range(view.hand_counts[seat]):
            at = below(len(pool), "view")
            state.hands[base + pool[at]] += 1
            pool[at] = pool[-1]
            pool.pop()
    state.people_deck = [pool.count(people) for people in range(LANDS)]
    return state
