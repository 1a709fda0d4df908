"""What cannot be: faults of a position that each field alone does not show (history_of_the_world#components, #draft, #turn)."""

from __future__ import annotations

from games.core import jsonio
from games.history_of_the_world import draft
from games.history_of_the_world.components import EMPIRES, EVENTS, PROVINCES
from games.history_of_the_world.state import (
    COLLISION,
    DEALING,
    DRAFT,
    DRAWING,
    EFFECT,
    END,
    FORGOABLE,
    NO_CARD,
    NOBODY,
    NOTHING_WAITS,
    NOWHERE,
    PASSING,
    POSTING,
    PREPARE,
    REROLL,
    REROLLING,
    ROLLING,
    RUINING,
    SCORING,
    SIEGE,
    START,
    WON,
    State,
    all_armies,
    city_pieces,
    fort_pieces,
    monument_pieces,
    owner_of,
    provinces_in,
    supply,
)

BATTLES = (REROLLING, SIEGE, ROLLING, REROLL)


def check_position(state: State) -> None:
    """Raise PositionError, one line that names the field, for a position that cannot be."""
    _check_map(state)
    _check_cards(state)
    _check_turn(state)
    _check_battle(state)


def _check_map(state: State) -> None:
    seen = 0
    for seat, armies in enumerate(state.armies):
        if armies & seen:
            jsonio.fail(f"armies[{seat}]", f"{PROVINCES[provinces_in(armies & seen)[0]]} holds one army only")
        seen |= armies
    if state.capitals & state.cities:
        jsonio.fail("cities", "a province has a capital or a city, not both")
    for name, left in (("cities", city_pieces(state)), ("monuments", monument_pieces(state)), ("forts", fort_pieces(state))):
        if left < 0:
            jsonio.fail(name, "more pieces than the game has")
    own = state.armies[state.active] if state.active != NOBODY else 0
    if state.active_armies & ~own:
        jsonio.fail("active_armies", "are armies of the active seat")


def _check_cards(state: State) -> None:
    events = [card for hand in state.hands for card in hand] + list(state.played) + list(state.pile_events)
    if state.chosen != NO_CARD and state.step < state.seats:
        events.append(state.chosen)
    if len(set(events)) != len(events):
        jsonio.fail("hands", "an event is in two places")
    if any(EVENTS[card].epoch > state.epoch for card in events):
        jsonio.fail("hands", "an event of a later epoch")
    taken = [card for card in state.empires if card != NO_CARD] + list(state.pile_empires)
    if len(set(taken)) != len(taken):
        jsonio.fail("empires", "an empire is in two places")
    if any(EMPIRES[card].epoch != state.epoch for card in taken):
        jsonio.fail("empires", "an empire of another epoch")
    if state.turn_events and any(card not in state.played for card in state.turn_events):
        jsonio.fail("turn.events", "improvements of this turn have been played")
    if sorted(state.ranks) != list(range(state.seats)):
        jsonio.fail("ranks", "name each seat once")


def _check_turn(state: State) -> None:
    phase = state.phase
    if (phase == START) != (state.epoch == 0):
        jsonio.fail("epoch", "is 0 in the phase start, and only there")
    has_turn = PREPARE <= phase <= REROLL or phase == SCORING
    if has_turn != (state.active != NOBODY):
        jsonio.fail("active", "is a seat in its turn, and null otherwise")
    if phase == START:
        if any(state.starts) or any(state.armies):
            jsonio.fail("starts", "markers and armies come after the start")
        return
    if sorted(state.starts) != list(range(1, state.seats + 1)):
        jsonio.fail("starts", "markers begin on 1, 2, 3 .. once each")
    if phase in (DRAFT, PASSING, DRAWING) and not (state.pile_events or state.pile_empires or state.chosen != NO_CARD):
        jsonio.fail("draft", "the piles are empty")
    if phase == DRAFT and (state.step >= state.seats or not draft.drafters(state)):
        jsonio.fail("draft.step", "nobody has to choose")
    if phase in (PASSING, DRAWING) and state.step >= 2 * state.seats:
        jsonio.fail("draft.step", "all cards are given out")
    if (phase == PASSING) != (state.chosen != NO_CARD):
        jsonio.fail("draft.card", "is the card that has been drawn")
    if phase == DEALING and any(card != NO_CARD for card in state.empires):
        jsonio.fail("empires", "are chosen after the cards are dealt")
    if has_turn:
        if any(card == NO_CARD for card in state.empires):
            jsonio.fail("empires", "everybody has an empire when turns begin")
        if state.called < EMPIRES[state.empires[state.active]].order:
            jsonio.fail("called", "the active empire has been called")
        if supply(state, state.active) < 0:
            jsonio.fail("turn.card", "more armies than the player has")
    if (state.effect_card != NO_CARD) != (phase == EFFECT):
        jsonio.fail("turn.effect", "is the improvement that asks for something")
    if state.is_forgone and (not has_turn or EMPIRES[state.empires[state.active]].effect not in FORGOABLE):
        jsonio.fail("turn.forgone", "the ability of this empire is not one to do without")
    if state.kingdom == NO_CARD and state.waiting != NOTHING_WAITS:
        jsonio.fail("turn.waiting", "is what waits for the empire while a kingdom acts")
    if state.kingdom != NO_CARD and EVENTS[state.kingdom].realm is None:
        jsonio.fail("turn.kingdom", "is no kingdom")
    is_shared = len(set(state.scores)) != len(state.scores)
    if is_shared != (phase == COLLISION) and phase != END:
        jsonio.fail("records", "markers share a space only while a collision is resolved")


def _check_battle(state: State) -> None:
    phase = state.phase
    if phase in (*BATTLES, WON, RUINING, POSTING) and state.target == NOWHERE:
        jsonio.fail("battle.target", "names the province that is fought for")
    if phase in BATTLES:
        if owner_of(state, state.target) in (NOBODY, state.active):
            jsonio.fail("battle.target", "no enemy army is there")
        if not state.is_invading:
            jsonio.fail("battle.invading", "an army has moved in")
        needs_dice = phase in (REROLLING, SIEGE, REROLL)
        if needs_dice and not state.dice:
            jsonio.fail("battle.dice", "have been rolled")
    if phase in (WON, RUINING) and all_armies(state) >> state.target & 1:
        jsonio.fail("battle.target", "the defender is gone")
    if phase == REROLLING and state.due == NOBODY:
        jsonio.fail("battle.due", "is the seat that may roll again, counted from 1")
