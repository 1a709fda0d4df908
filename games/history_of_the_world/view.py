"""What a seat sees (history_of_the_world#hidden-1, #hidden-2): the map and the turn are open, cards not yet shown are not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.core.contract import Outcome, Rng
from games.history_of_the_world import battles, draft, legality, position, scoring
from games.history_of_the_world.actions import Act
from games.history_of_the_world.components import EMPIRE_OF, EMPIRES, EMPIRES_BY_EPOCH, EVENT_OF, EVENTS, EVENTS_BY_EPOCH, GUARDS
from games.history_of_the_world.scoring import Derivation
from games.history_of_the_world.state import (
    EMPIRE_PILE,
    EVENT_PILE,
    NO_CARD,
    State,
    city_pieces,
    fort_pieces,
    monument_pieces,
    supply,
)

HIDDEN = ("draft", "empires", "hands", "guards")


@dataclass(frozen=True, slots=True)
class View:
    """A position as one seat sees it; lists are indexed by seat."""

    seat: int | None
    position: Mapping[str, Any]  # as position.state_to_json gives it, without the fields of HIDDEN
    due: tuple[int, ...]  # the seats that are asked
    scores: tuple[int, ...]
    supplies: tuple[int, ...]
    stock: Mapping[str, int]  # capitals and cities, monuments, forts that are left
    # cards
    step: int
    step_done: int
    pile_counts: tuple[int, int]  # events and empires still in the piles
    is_card_drawn: bool  # classic draft
    has_empire: tuple[bool, ...]
    empires: tuple[str | None, ...]  # those that have been called, and one's own
    hand: tuple[str, ...]  # one's own events, as far as one may know them
    hand_epochs: tuple[tuple[int, ...], ...]  # the epoch on the back of each event that a seat holds
    given: int  # classic draft: bits of seats whose cards came from somebody else
    pile: tuple[str, ...]  # the cards that the viewer looks at in the draft
    pile_kind: int  # EVENT_PILE, EMPIRE_PILE or 0
    looking: int  # what the seat in the middle looks at first, for itself
    card: str | None  # classic: the card that the viewer has drawn
    guard: str | None  # one's own standing order
    # points
    projected: tuple[int, ...]  # points that the map as it stands would give in this epoch
    records: tuple[tuple[Any, ...], ...]
    strengths: tuple[int, int] | None  # of the battle, once dice lie
    derivations: tuple[Derivation, ...]
    outcome: Outcome | None

    @property
    def phase(self) -> str:
        phase: str = self.position["phase"]
        return phase

    @property
    def is_due(self) -> bool:
        """Whether the viewing seat is asked."""
        return self.seat is not None and self.seat in self.due


def is_called(state: State, seat: int) -> bool:
    """Return whether the empire of a seat has been called, so that all know it (draft-5)."""
    empire = state.empires[seat]
    return empire != NO_CARD and EMPIRES[empire].order <= state.called


def view_for(state: State, seat: int | None) -> View:
    """Return what `seat` may know of the position; None is a spectator."""
    data = position.state_to_json(state)
    for name in HIDDEN:
        data.pop(name)
    all_seats = range(state.seats)
    is_over = scoring.outcome(state) is not None
    pile_kind = draft.pile_of(state, seat) if seat is not None and data["phase"] == "draft" and seat in draft.drafters(state) else 0
    pile = [EVENTS[card].name for card in state.pile_events] if pile_kind == EVENT_PILE else []
    if pile_kind == EMPIRE_PILE:
        pile = [EMPIRES[card].name for card in state.pile_empires]
    is_drawer = seat is not None and state.chosen != NO_CARD and draft.classic_seat(state) == seat
    chosen = (EVENTS if state.step < state.seats else EMPIRES)[state.chosen].name if is_drawer else None
    counted = state.epoch > 0 and not is_over
    return View(
        seat=seat,
        position=data,
        due=legality.due_seats(state),
        scores=tuple(state.scores),
        supplies=tuple([supply(state, s) for s in all_seats]),
        stock={"city": city_pieces(state), "monument": monument_pieces(state), "fort": fort_pieces(state)},
        step=state.step,
        step_done=state.step_done,
        pile_counts=(len(state.pile_events), len(state.pile_empires)),
        is_card_drawn=state.chosen != NO_CARD,
        has_empire=tuple([empire != NO_CARD for empire in state.empires]),
        empires=tuple([_empire(state, s, seat) for s in all_seats]),
        hand=() if seat is None else tuple([EVENTS[card].name for card in state.hands[seat] if not _is_given(state, seat, card)]),
        hand_epochs=tuple([tuple(sorted(EVENTS[card].epoch for card in hand)) for hand in state.hands]),
        given=state.given,
        pile=tuple(pile),
        pile_kind=pile_kind,
        looking=state.looking if pile_kind else 0,
        card=chosen,
        guard=None if seat is None else GUARDS[state.guards[seat]],
        projected=tuple([scoring.points_of(scoring.record_of(state, s)) if counted else 0 for s in all_seats]),
        records=tuple(state.records),
        strengths=battles.strengths(state) if state.dice and state.target >= 0 and state.is_invading else None,
        derivations=tuple([scoring.derivation(state, s) for s in all_seats]),
        outcome=scoring.outcome(state),
    )


def _is_given(state: State, seat: int, card: int) -> bool:
    """Return whether an event was laid before a seat that may not look at it yet: not everybody has one (draft-10)."""
    return bool(state.given >> seat & 1) and EVENTS[card].epoch == state.epoch and state.step < state.seats


def _empire(state: State, seat: int, viewer: int | None) -> str | None:
    empire = state.empires[seat]
    if empire == NO_CARD:
        return None
    is_own = seat == viewer and not state.given >> (8 + seat) & 1
    return EMPIRES[empire].name if is_own or is_called(state, seat) else None


class _First:
    """Takes the first of everything: for what the view leaves open and no question asks."""

    def below(self, n: int, label: str) -> int:
        return 0


def known_state(view: View) -> State:
    """Return a state with all that the view shows; what it does not is filled with whatever fits."""
    return sample_state(view, _First())


def legal_for_view(view: View) -> list[Act]:
    """Return the legal actions of the viewing seat; [] when it is not due."""
    if not view.is_due or view.seat is None:
        return []
    return legality.legal_actions(known_state(view), view.seat)


def sample_state(view: View, rng: Rng) -> State:
    """Return a full state that `view_for` would show as `view`: unseen cards are dealt evenly to hands and piles."""
    data = dict(view.position)
    seats, epoch = data["seats"], data["epoch"]
    empires = list(view.empires)
    free = _Pool([card for card in EMPIRES_BY_EPOCH[epoch] if not _is_known_empire(view, card)], rng)
    for seat in range(seats):
        if view.has_empire[seat] and empires[seat] is None:
            empires[seat] = EMPIRES[free.take()].name
    hands: list[list[str]] = [[] for _ in range(seats)]
    pools = {at: _Pool(_unseen_events(view, at), rng) for at in range(1, epoch + 1)}
    drawn = None
    for seat in range(seats):
        known = list(view.hand) if seat == view.seat else []
        hands[seat] = known
        rest = list(view.hand_epochs[seat])
        for name in known:
            rest.remove(EVENTS[EVENT_OF[name]].epoch)
        hands[seat] = [*known, *[EVENTS[pools[at].take(at < epoch)].name for at in rest]]
    if view.is_card_drawn:
        is_event = view.step < seats
        drawn = view.card or (EVENTS[pools[epoch].take()].name if is_event else EMPIRES[free.take()].name)
    events = (
        list(view.pile)
        if view.pile_kind == EVENT_PILE
        else sorted_cards(EVENT_OF, [pools[epoch].take() for _ in range(view.pile_counts[0])])
    )
    piled = list(view.pile) if view.pile_kind == EMPIRE_PILE else sorted_cards(EMPIRE_OF, [free.take() for _ in range(view.pile_counts[1])])
    data["empires"] = empires
    data["hands"] = hands
    data["guards"] = [view.guard if seat == view.seat else GUARDS[0] for seat in range(seats)]
    data["draft"] = {
        "step": view.step,
        "done": view.step_done,
        "looking": view.looking,
        "empires": piled,
        "events": events,
        "given": view.given,
    }
    if drawn is not None:
        data["draft"]["card"] = drawn
    return position.state_from_json(data)


def sorted_cards(known: Mapping[str, int], cards: list[int]) -> list[str]:
    """Return the names of some cards in the order of the data."""
    names = list(known)
    return [names[card] for card in sorted(cards)]


def _is_known_empire(view: View, card: int) -> bool:
    """Return whether the viewer knows where an empire is: with a seat, in the pile it looks at, or called and not taken."""
    name = EMPIRES[card].name
    return name in view.empires or name in view.pile or name == view.card or EMPIRES[card].order <= view.position["called"]


def _unseen_events(view: View, epoch: int) -> list[int]:
    played = set(view.position["played"])
    return [
        card
        for card in EVENTS_BY_EPOCH[epoch]
        if EVENTS[card].name not in played
        and EVENTS[card].name not in view.hand
        and EVENTS[card].name not in view.pile
        and EVENTS[card].name != view.card
    ]


class _Pool:
    """Cards that the viewer cannot place, taken evenly."""

    def __init__(self, cards: list[int], rng: Rng) -> None:
        self.cards, self.rng = cards, rng

    def take(self, kept: bool = False) -> int:
        """Take a card; of an earlier epoch only improvements can still be held (events-2)."""
        fits = [card for card in self.cards if EVENTS[card].realm is None] if kept else self.cards
        card = fits[self.rng.below(len(fits), "view")]
        self.cards.remove(card)
        return card
