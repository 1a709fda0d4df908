"""Choosing empires and events at the beginning of an epoch (history_of_the_world#draft)."""

from __future__ import annotations

from games.core.contract import Event, Rng
from games.history_of_the_world.actions import Act
from games.history_of_the_world.components import EMPIRES, EMPIRES_BY_EPOCH, EVENTS, EVENTS_BY_EPOCH
from games.history_of_the_world.state import DRAFT, DRAWING, EMPIRE_PILE, EVENT_PILE, NO_CARD, PASSING, State

RULE = "history_of_the_world#"
Events = list[Event] | None


def deal(state: State, action: Act, events: Events) -> None:
    """Keep as many empires and events as there are players; nobody knows which (setup-2)."""
    assert isinstance(action.at, tuple)
    state.pile_empires = action.at[: state.seats]
    state.pile_events = action.at[state.seats :]
    state.step = state.step_done = 0
    state.looking = 0
    state.phase = DRAWING if state.is_classic else DRAFT
    if events is not None:
        events.append(Event("dealt", {"n": state.seats, "epoch": state.epoch}, RULE + "setup-2"))


def sample_deal(state: State, rng: Rng) -> Act:
    """Return the cards of an epoch by chance."""
    cards: list[int] = []
    for pool in (sorted(EMPIRES_BY_EPOCH[state.epoch]), EVENTS_BY_EPOCH[state.epoch]):
        left = list(pool)
        chosen = [left.pop(rng.below(len(left), "deal")) for _ in range(state.seats)]
        cards += sorted(chosen)
    return Act("deal", tuple(cards))


def holder(state: State, pile: int) -> int:
    """Return the seat that holds a pile: events go from the most points to the fewest, empires the other way (draft-1)."""
    return state.ranks[state.step] if pile == EVENT_PILE else state.ranks[state.seats - 1 - state.step]


def drafters(state: State) -> tuple[int, ...]:
    """Return the seats that still have to choose before the piles move (draft-2)."""
    found = []
    if not state.step_done & EVENT_PILE:
        found.append(holder(state, EVENT_PILE))
    if not state.step_done & EMPIRE_PILE:
        found.append(holder(state, EMPIRE_PILE))
    return tuple(sorted(set(found)))


def pile_of(state: State, seat: int) -> int:
    """Return the pile that a due seat looks at; 0 while a seat with both has not decided (draft-3)."""
    has_events = holder(state, EVENT_PILE) == seat and not state.step_done & EVENT_PILE
    has_empires = holder(state, EMPIRE_PILE) == seat and not state.step_done & EMPIRE_PILE
    if has_events and has_empires:
        return state.looking
    return EVENT_PILE if has_events else EMPIRE_PILE if has_empires else 0


def look(state: State, action: Act, events: Events) -> None:
    """Decide which pile to look at first (draft-3)."""
    state.looking = EVENT_PILE if action.how == "events" else EMPIRE_PILE
    if events is not None:
        seat = holder(state, EVENT_PILE)
        events.append(Event(f"looked_at_{action.how}", {"seat": seat}, RULE + "draft-3", secret={}, reveals=True))


def take(state: State, actor: int, action: Act, events: Events) -> None:
    """Choose a card of a pile in secret; when both have chosen, the piles move on (draft-2, draft-5)."""
    is_event = action.how == "event"
    assert isinstance(action.at, int)
    if is_event:
        state.pile_events = tuple(card for card in state.pile_events if card != action.at)
        _give(state, actor, action)
        state.step_done |= EVENT_PILE
    else:
        state.pile_empires = tuple(card for card in state.pile_empires if card != action.at)
        _give(state, actor, action)
        state.step_done |= EMPIRE_PILE
    is_moving = state.step_done == EVENT_PILE | EMPIRE_PILE
    was_both = holder(state, EVENT_PILE) == holder(state, EMPIRE_PILE)
    if events is not None:
        name = (EVENTS if is_event else EMPIRES)[action.at].name
        key = "took_event" if is_event else "took_empire"
        secret = {actor: {"card": name}}
        events.append(Event(key, {"seat": actor}, RULE + "draft-5", secret=secret, reveals=is_moving or was_both))
    if is_moving:
        _move_piles(state, events)


def _give(state: State, seat: int, action: Act) -> None:
    assert isinstance(action.at, int)
    if action.how == "event":
        state.hands[seat] = tuple(sorted((*state.hands[seat], action.at)))
    else:
        state.empires[seat] = action.at


def _move_piles(state: State, events: Events) -> None:
    """Pass the piles on; the last card of each goes to the last seat by itself (draft-4)."""
    state.step += 1
    state.step_done = 0
    state.looking = 0
    if len(state.pile_events) == 1:
        for is_event, pile in ((True, EVENT_PILE), (False, EMPIRE_PILE)):
            seat = holder(state, pile)
            card = (state.pile_events if is_event else state.pile_empires)[0]
            _give(state, seat, Act("take", card, "event" if is_event else "empire"))
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


def sample_draw(state: State, rng: Rng) -> Act:
    """Return the top card of the pile by chance."""
    pile = state.pile_events or state.pile_empires
    return Act("draw", pile[rng.below(len(pile), "draft")], "event" if state.pile_events else "empire")


def draw(state: State, action: Act, events: Events) -> None:
    """Draw the top card; who can neither give nor keep otherwise keeps or gives it by itself."""
    assert isinstance(action.at, int)
    state.chosen = action.at
    if action.how == "event":
        state.pile_events = tuple(card for card in state.pile_events if card != action.at)
    else:
        state.pile_empires = tuple(card for card in state.pile_empires if card != action.at)
    seat = classic_seat(state)
    if events is not None:
        name = (EVENTS if action.how == "event" else EMPIRES)[action.at].name
        events.append(Event("drew_card", {"seat": seat}, RULE + "draft-8", secret={seat: {"card": name}}, reveals=True))
    state.phase = PASSING
    takers = lacking(state)
    if len(takers) == 1:
        _hand_over(state, takers[0], events)


def lacking(state: State) -> tuple[int, ...]:
    """Return the seats that have no card of the kind that is given out yet."""
    if state.step < state.seats:
        return tuple(seat for seat in range(state.seats) if not any(EVENTS[card].epoch == state.epoch for card in state.hands[seat]))
    return tuple(seat for seat in range(state.seats) if state.empires[seat] == NO_CARD)


def keep_or_give(state: State, action: Act, events: Events) -> None:
    """Keep the card, or lay it before somebody who has none of its kind."""
    _hand_over(state, action.at if isinstance(action.at, int) else classic_seat(state), events)


def _hand_over(state: State, seat: int, events: Events) -> None:
    giver = classic_seat(state)
    is_event = state.step < state.seats
    card = state.chosen
    _give(state, seat, Act("take", card, "event" if is_event else "empire"))
    state.chosen = NO_CARD
    if giver != seat:
        state.given |= 1 << seat if is_event else 256 << seat
    if events is not None:
        key = "kept_card" if giver == seat else "gave_card"
        events.append(Event(key, {"seat": giver, "other": seat}, RULE + "draft-8", reveals=True))
    state.step += 1
    state.phase = DRAWING
