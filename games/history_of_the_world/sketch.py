"""Sketches of an epoch: whole turns as single plans, with the luck of the dice as a few armies more or less.

A sketch tells what an empire would bring if everybody plays like a scribe: what is lost before the seat's own turn, what is taken
after it, and what the others get from the cards that it leaves them. A turn takes a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from games.core.contract import NO_SEAT, Rng
from games.history_of_the_world import scoring, turns
from games.history_of_the_world.apprentice import realm_worth
from games.history_of_the_world.components import CARDS_AN_EPOCH, EMPIRES, EMPIRES_BY_EPOCH, EVENTS, EVENTS_BY_EPOCH
from games.history_of_the_world.evaluation import Map, Outlook, map_of
from games.history_of_the_world.search import Planner
from games.history_of_the_world.state import CONQUEST, NO_CARD, State, begin_turn_of, provinces_in

LUCK: Final = (-2, -1, -1, 0, 0, 0, 1, 1, 2)  # armies that the dice cost or spare in a turn
TASTE: Final = 3.0  # by how much the others' judgement of an empire may differ from its card's worth
STEPS: Final = 600  # provinces tried for a turn
Turn = tuple[Map, int]  # the map after a turn, and its points


class Sketcher:
    """Plays out the rest of an epoch again and again, each turn from each map only once."""

    def __init__(self, state: State, seat: int, judge: Callable[[State], float]) -> None:
        self.state = state
        self.seat = seat
        self.judge = judge  # of the end of an epoch: how far ahead the seat is
        self.turns: dict[tuple[int, int, int, Map], Turn] = {}

    def leads(self, cards: Sequence[int], count: int, rng: Rng) -> list[float]:
        """Return how far ahead the seat would be with each of some empires of its pile: the mean over sketches with the same luck."""
        totals = [0.0] * len(cards)
        order = EMPIRES_BY_EPOCH[self.state.epoch]
        for _ in range(count):
            luck = {empire: LUCK[rng.below(len(LUCK), "luck")] for empire in order}
            tastes = {empire: TASTE * rng.below(1000, "taste") / 1000 for empire in order}
            for at, card in enumerate(cards):
                totals[at] += self.judge(self.epoch(self.holders(card, tastes), luck))
        return [total / count for total in totals]

    def holders(self, card: int, tastes: Mapping[int, float]) -> dict[int, int]:
        """Return who gets which empire if the seat takes one of its pile: the others choose by the cards, each with a taste."""
        state = self.state
        left = [empire for empire in state.pile_empires if empire != card]
        hidden = [empire for empire in EMPIRES_BY_EPOCH[state.epoch] if empire not in state.pile_empires]
        found = {card: self.seat}
        for step in range(state.seats):
            other = state.ranks[state.seats - 1 - step]
            pile = hidden if step < state.step else left
            if other != self.seat and pile:
                liked = max(pile, key=lambda empire: realm_worth(EMPIRES[empire]) + tastes[empire])
                pile.remove(liked)
                found[liked] = other
        return found

    def epoch(self, holders: Mapping[int, int], luck: Mapping[int, int]) -> State:
        """Return the position at the end of the epoch if these seats act with these empires."""
        state = self.state.copy()
        for empire in EMPIRES_BY_EPOCH[state.epoch]:
            if empire in holders:
                seat = holders[empire]
                key = (seat, empire, luck[empire], map_of(state))
                turn = self.turns.get(key)
                if turn is None:
                    turn = self.turns[key] = turn_of(state, seat, empire, luck[empire])
                put(state, turn[0])
                state.scores[seat] += turn[1]
        state.called = CARDS_AN_EPOCH
        for empire, seat in holders.items():
            state.empires[seat] = empire
        state.hands = [tuple([card for card in hand if EVENTS[card].realm is None]) for hand in state.hands]
        return state


def put(state: State, standing: Map) -> None:
    """Put the pieces of a map into a position."""
    state.armies = list(standing.armies)
    state.capitals, state.cities, state.monuments, state.forts, state.active_armies = standing[1:]


def turn_of(state: State, seat: int, empire: int, luck: int) -> Turn:
    """Return a turn: the founding, one plan to its end, monuments, points."""
    new = state.copy()
    new.called = EMPIRES[empire].order
    begin_turn_of(new, seat)
    new.empires[seat] = empire
    new.kingdom = NO_CARD
    new.hands[seat] = (EVENTS_BY_EPOCH[1][-1],)  # any card, so that the rules stop after the founding
    turns.found(new, None)
    if new.phase == CONQUEST:
        new.card_armies = max(0, new.card_armies + luck)
        put(new, Planner(new, Outlook(new, seat), STEPS).plan(1).end)
    for _ in range(turns.monument_count(new)):
        if sites := turns.monument_sites(new):
            new.monuments |= 1 << provinces_in(sites)[0]
    points = scoring.points_of(scoring.record_of(new, seat))
    begin_turn_of(new, NO_SEAT)
    return map_of(new), points
