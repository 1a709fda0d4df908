"""Choosing empires and events at the start of an epoch (history_of_the_world#draft)."""

from __future__ import annotations

from games.core.contract import Event, Rng
from games.history_of_the_world.actions import Deal, Draw, Give, Look, Plain, Take
from games.history_of_the_world.components import EMPIRES, EMPIRES_BY_EPOCH, EVENTS, EVENTS_BY_EPOCH
from games.history_of_the_world.state import DRAFT, DRAWING, EMPIRE_PILE, EVENT_PILE, NO_CARD, PASSING, State

RULE = "history_of_the_world#"
Events = list[Event] | None


def deal(state: State, action: Deal, events: Events) -> None:
    """Keep as many empires and as many events as there are players; nobody knows which (setup-2)."""
    state.pile_empires = action.empires
    state.pile_events = action.events
    state.step = state.step_done = 0
    state.looking = 0
    state.phase = DRAWING if state.is_classic else DRAFT
    if events is not None:
        events.append(Event("dealt", {"n": state.seats, "epoch": state.epoch}, RULE + "setup-2"))


def sample_deal(state: State, rng: Rng) -> Deal:
    """Return random cards for an epoch."""
    empires = _dealt(sorted(EMPIRES_BY_EPOCH[state.epoch]), state.seats, rng)
    return Deal(empires, _dealt(list(EVENTS_BY_EPOCH[state.epoch]), state.seats, rng))


def _dealt(left: list[int], count: int, rng: Rng) -> tuple[int, ...]:
    return tuple(sorted(left.pop(rng.below(len(left), "deal")) for _ in range(count)))


def holder(state: State, pile: int) -> int:
    """Return the seat that holds a pile: events go from the most points to the fewest, empires the other way (draft-1)."""
    return state.ranks[state.step] if pile == EVENT_PILE else state.ranks[state.seats - 1 - state.step]


def drafters(state: State) -> tuple[int, ...]:
    """Return the seats that must still choose before the piles move (draft-2)."""
    found = []
    if not state.step_done & EVENT_PILE:
        found.append(holder(state, EVENT_PILE))
    if not state.step_done & EMPIRE_PILE:
        found.append(holder(state, EMPIRE_PILE))
    return tuple(sorted(set(found)))


def pile_of(state: State, seat: int) -> int:
    """Return the pile that a due seat looks at; 0 while a seat with both piles has not decided (draft-3)."""
    has_events = holder(state, EVENT_PILE) == seat and not state.step_done & EVENT_PILE
    has_empires = holder(state, EMPIRE_PILE) == seat and not state.step_done & EMPIRE_PILE
    if has_events and has_empires:
        return state.looking
    return EVENT_PILE if has_events else EMPIRE_PILE if has_empires else 0


def look(state: State, action: Look, events: Events) -> None:
    """Decide which pile to look at first (draft-3)."""
    state.looking = EVENT_PILE if action.pile == "events" else EMPIRE_PILE
    if events is not None:
        seat = holder(state, EVENT_PILE)
        events.append(Event(f"looked_at_{action.pile}", {"seat": seat}, RULE + "draft-3", secret={}, reveals=True))


def take(state: State, actor: int, action: Take, events: Events) -> None:
    """Choose a card from a pile in secret; when both holders have chosen, the piles move on (draft-2, draft-5)."""
    is_event = action.is_event
    _take_out(state, action)
    _give(state, actor, action.card, is_event)
    state.step_done |= EVENT_PILE if is_event else EMPIRE_PILE
    is_moving = state.step_done == EVENT_PILE | EMPIRE_PILE
    was_both = holder(state, EVENT_PILE) == holder(state, EMPIRE_PILE)
    if events is not None:
        name = (EVENTS if is_event else EMPIRES)[action.card].name
        key = "took_event" if is_event else "took_empire"
        secret = {actor: {"card": name}}
        events.append(Event(key, {"seat": actor}, RULE + "draft-5", secret=secret, reveals=is_moving or was_both))
    if is_moving:
        _move_piles(state, events)


def _take_out(state: State, action: Take | Draw) -> None:
    """Remove a card from its pile."""
    if action.is_event:
        state.pile_events = tuple(card for card in state.pile_events if card != action.card)
    else:
        state.pile_empires = tuple(card for card in state.pile_empires if card != action.card)


def _give(state: State, seat: int, card: int, is_event: bool) -> None:
    if is_event:
        state.hands[seat] = tuple(sorted((*state.hands[seat], card)))
    else:
        state.empires[seat] = card


def _move_piles(state: State, events: Events) -> None:
    """Pass the piles on; the last card of each goes to the last seat automatically (draft-4)."""
    state.step += 1
    state.step_done = 0
    state.looking = 0
    if len(state.pile_events) == 1:
        for is_event, pile in ((True, EVENT_PILE), (False, EMPIRE_PILE)):
            seat = holder(state, pile)
            card = (state.pile_events if is_event else state.pile_empires)[0]
            _give(state, seat, card, is_event)
            if events is not None:
                name = (EVENTS if is_event else EMPIRES)[card].name
                key = "took_event" if is_event else "took_empire"
                events.append(Event(key, {"seat": seat}, RULE + "draft-4", secret={seat: {"card": name}}, reveals=True))
        state.pile_events = state.pile_empires = ()


def is_over(state: State) -> bool:
    """Return whether everybody has an empire and the piles are empty."""
    return not state.pile_events and not state.pile_empires and state.chosen == NO_CARD and all(card != NO_CARD for card in state.empires)


# The classic draft: events first, then empires (draft-8)


def is_event_round(state: State) -> bool:
    """Return whether events are still being given out."""
    return bool(state.pile_events) or (state.chosen != NO_CARD and len(state.pile_empires) == state.seats)


def classic_seat(state: State) -> int:
    """Return the seat that draws now: events from the most points to the fewest, empires the other way."""
    at = state.step % state.seats
    return state.ranks[at] if state.step < state.seats else state.ranks[state.seats - 1 - at]


def pile_to_draw(state: State) -> tuple[tuple[int, ...], bool]:
    """Return the cards that are still given out, and whether they are events."""
    return state.pile_events or state.pile_empires, bool(state.pile_events)


def sample_draw(state: State, rng: Rng) -> Draw:
    """Return a random top card of the pile."""
    pile, is_event = pile_to_draw(state)
    return Draw(pile[rng.below(len(pile), "draft")], is_event)


def draw(state: State, action: Draw, events: Events) -> None:
    """Draw the top card; if only one seat can get it, it goes there automatically."""
    state.chosen = action.card
    _take_out(state, action)
    seat = classic_seat(state)
    if events is not None:
        name = (EVENTS if action.is_event else EMPIRES)[action.card].name
        events.append(Event("drew_card", {"seat": seat}, RULE + "draft-8", secret={seat: {"card": name}}, reveals=True))
    state.phase = PASSING
    takers = lacking(state)
    if len(takers) == 1:
        _hand_over(state, takers[0], events)


def lacking(state: State) -> tuple[int, ...]:
    """Return the seats that have no card yet of the kind being given out."""
    if state.step < state.seats:
        return lacking_events(state)
    return tuple(seat for seat in range(state.seats) if state.empires[seat] == NO_CARD)


def lacking_events(state: State) -> tuple[int, ...]:
    """Return the seats that hold no event of this epoch."""
    return tuple(seat for seat in range(state.seats) if not any(EVENTS[card].epoch == state.epoch for card in state.hands[seat]))


def keep_or_give(state: State, action: Plain | Give, events: Events) -> None:
    """Keep the card, or give it to somebody who has none of its kind."""
    _hand_over(state, action.seat if isinstance(action, Give) else classic_seat(state), events)


def _hand_over(state: State, seat: int, events: Events) -> None:
    giver = classic_seat(state)
    is_event = state.step < state.seats
    card = state.chosen
    _give(state, seat, card, is_event)
    state.chosen = NO_CARD
    if giver != seat:
        state.given |= 1 << seat if is_event else 256 << seat
    if events is not None:
        key = "kept_card" if giver == seat else "gave_card"
        events.append(Event(key, {"seat": giver, "other": seat}, RULE + "draft-8", reveals=True))
    state.step += 1
    state.phase = DRAWING
