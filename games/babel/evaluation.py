"""What a position of Babel is worth to a seat that has ended its actions, in points, from what the seat can see.

The worth is a sum of terms: the scores and how far each side is from winning, levels that each side can build next, settlers,
attacks that each side may make in its next turn, by the odds of unseen cards, and hands. The other side moves next.

Rules: babel#score-1, #end-1, #build-2, #settle-1, #powers-1, #destroy-1, #steal-1, #hidden-1
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Final

from games.babel.components import (
    ASSYRIANS,
    DRAW,
    HITTITES,
    LANDS,
    LEVELS,
    MEDES,
    PERSIANS,
    RUN,
    SUMERIANS,
    TEMPLE_CARDS,
    TOO_FEW,
    TOP_LEVEL,
    WIN_AHEAD,
    WIN_AT_ONCE,
)
from games.babel.state import RUNS_IN, SCORING, State, deck_count, hand_count
from games.babel.view import View, unseen

GROUPS: Final = ("points", "levels", "settlers", "attacks", "threats", "hand", "rival_hand")
GROUP_RULES: Final = (
    "babel#score-1",
    "babel#build-2",
    "babel#settle-1",
    "babel#powers-1",
    "babel#destroy-1",
    "babel#people-1",
    "babel#halving-1",
)
POINTS, READY, SETTLERS, ATTACKS, THREATS, HAND, RIVAL_HAND = range(len(GROUPS))

WIN: Final = 1000.0
MOST: Final = 26  # cards of a hand told apart by the tables of odds


@dataclass(frozen=True, slots=True)
class Weights:
    """What the evaluation cannot compute."""

    near: float = 6.0  # how much being near the goal is worth
    rival_near: float = 8.0
    lead: float = 0.5  # a point of lead, more towards the end of the deck
    ready: float = 0.5  # a level that can be built next turn if it turns up
    rival_ready: float = 0.6
    settler: float = 0.25  # a settler that a next level needs
    spare: float = 0.08  # one beyond that
    rival_settler: float = 0.25
    attack: float = 0.35  # a point that an attack next turn may win
    threat: float = 0.5  # a point that the other may win
    skip: float = 0.4
    disturb: float = 0.12
    card: float = 0.45
    kind: float = 0.15  # a people in the hand: a land that can be reached
    pair: float = 0.05
    triple: float = 0.2
    rival_card: float = 0.4


DEFAULT: Final = Weights()


def _at_least(total: int, good: int, drawn: int, wanted: int) -> float:
    """Return the chance of `wanted` good cards or more among `drawn` of `total`."""
    if wanted <= 0:
        return 1.0
    drawn = min(drawn, total)
    if wanted > min(good, drawn):
        return 0.0
    less = sum([comb(good, n) * comb(total - good, drawn - n) for n in range(wanted)])
    return 1.0 - less / comb(total, drawn)


class _Trails(dict[bytes, tuple[int, int]]):
    """People and length, no more than three, of the equal cards at the outer end of a column."""

    def __missing__(self, column: bytes) -> tuple[int, int]:
        length = 0
        if column:
            for people in reversed(column):
                if people != column[-1] or length == RUN:
                    break
                length += 1
        if len(self) > 50_000:
            self.clear()
        found = self[column] = (column[-1] if column else -1, length)
        return found


TRAILS: Final = _Trails()


class Outlook:
    """Judges positions for one seat at one moment; what the seat cannot see is reckoned once."""

    def __init__(self, view: View, state: State, seat: int, weights: Weights = DEFAULT) -> None:
        self.seat = seat
        self.base = seat * LANDS
        self.rival = 1 - seat
        self.facing = self.rival * LANDS
        self.weights = weights
        self.rival_pawn = state.pawns[self.rival]
        hidden = unseen(view)
        total = sum(hidden)
        self.total = total
        self.hidden = hidden
        self.draws = [[_at_least(total, hidden[people], DRAW, n) for n in range(RUN + 2)] for people in range(LANDS)]
        self._odds: dict[int, list[list[float]]] = {}
        self._lands: dict[tuple[object, ...], tuple[float, ...]] = {}
        self._stocks: dict[tuple[bytes, bytes, bytes], tuple[list[float], list[float]]] = {}
        self._hands: dict[tuple[int, ...], float] = {}
        self.late = (1 - min(1.0, deck_count(state) / (TEMPLE_CARDS - 2))) ** 2
        self.turns_left = (deck_count(state) + 1) // 2

    def odds(self, cards: int) -> list[list[float]]:
        """Return by people and number the chance that the other holds so many, three more cards drawn."""
        found = self._odds.get(cards)
        if found is None:
            drawn = min(cards, MOST) + DRAW
            found = self._odds[cards] = [
                [_at_least(self.total, self.hidden[people], drawn, n) for n in range(RUN + 2)] for people in range(LANDS)
            ]
        return found

    # whole positions

    def value(self, state: State) -> float:
        """Return the worth of ending the actions here."""
        if state.phase == SCORING:
            return WIN
        return sum(self.terms(state))

    def terms(self, state: State) -> list[float]:
        """Return the worth group by group."""
        w = self.weights
        base, facing = self.base, self.facing
        columns, temples = state.columns, state.temples
        hand = tuple(state.hands[base : base + LANDS])
        held = hand_count(state, self.rival)
        odds = self.odds(held)
        pawn = state.pawns[self.seat]
        own_trails = self._trails(columns[base : base + LANDS])
        rival_trails = self._trails(columns[facing : facing + LANDS])
        mine, his = self.stocks(state)
        levels = settlers = 0.0
        attacks: list[float] = []
        threats: list[float] = []
        for land in range(LANDS):
            key = (
                land,
                columns[base + land],
                temples[base + land],
                columns[facing + land],
                temples[facing + land],
                pawn == land,
                hand,
                own_trails,
                rival_trails,
                held,
            )
            found = self._lands.get(key)
            if found is None:
                found = self._lands[key] = self._land(state, land, pawn == land, hand, own_trails, rival_trails, held, odds)
            own_next, own_ready, rival_next, rival_ready, worth, attack, threat = found
            if own_next <= TOP_LEVEL:
                levels += w.ready * own_ready * mine[int(own_next)]
            if rival_next <= TOP_LEVEL:
                levels -= w.rival_ready * rival_ready * his[int(rival_next)]
            settlers += worth
            if attack:
                attacks.append(attack)
            if threat:
                threats.append(threat)
        own, other = state.scores[self.seat], state.scores[self.rival]
        points = own - other + w.lead * self.late * (own - other)
        points += w.near * 1.0 / (1 + distance(own, other)) - w.rival_near / (1 + distance(other, own))
        worth = self._hands.get(hand)
        if worth is None:
            worth = self._hands[hand] = self.hand(hand)
        return [
            points,
            levels,
            settlers,
            w.attack * _most(attacks),
            -w.threat * _most(threats),
            worth,
            -w.rival_card * (held if held < 8 else 4 + held / 2),
        ]

    def hand(self, hand: tuple[int, ...]) -> float:
        """Return what the own hand is worth."""
        w = self.weights
        count = sum(hand)
        worth = w.card * (count if count < 9 else 6 + count / 3)
        for held in hand:
            if held:
                worth += w.kind + w.pair * (held >= 2) + w.triple * (held >= RUN)
        return worth

    def _trails(self, columns: list[bytes]) -> tuple[int, ...]:
        """Return by people the longest row at an outer end, as it could migrate."""
        longest = [0] * LANDS
        for column in columns:
            if len(column) >= RUN:
                people, length = TRAILS[column]
                if length > longest[people]:
                    longest[people] = length
        return tuple(longest)

    # one land

    def _land(
        self,
        state: State,
        land: int,
        here: bool,
        hand: tuple[int, ...],
        own_trails: tuple[int, ...],
        rival_trails: tuple[int, ...],
        held: int,
        odds: list[list[float]],
    ) -> tuple[float, ...]:
        w = self.weights
        column, facing = state.columns[self.base + land], state.columns[self.facing + land]
        temple, other = state.temples[self.base + land], state.temples[self.facing + land]
        height = temple[-1] if temple else 0
        rival = other[-1] if other else 0
        n, m = len(column), len(facing)
        # levels that can be built next
        reach = 1.0 if here else 0.9 if hand[land] else 0.5
        own_ready = reach * (1.0 if n > height else 0.7 if n == height else 0.3 if n == height - 1 else 0.1)
        reach = 1.0 if self.rival_pawn == land else odds[land][1]
        rival_ready = reach * (1.0 if m > rival else 0.7 if m == rival else 0.3 if m == rival - 1 else 0.1)
        # settlers
        useful = min(n, height + 2, TOP_LEVEL)
        rival_useful = min(m, rival + 2, TOP_LEVEL)
        worth = w.settler * useful + w.spare * (n - useful) - w.rival_settler * rival_useful - w.spare * (m - rival_useful)
        # attacks
        attack = threat = 0.0
        runs = {people for people, _, _ in RUNS_IN[column]}
        tail, length = TRAILS[column]
        if rival:
            attack = self._own_chance(ASSYRIANS, land, here, hand, runs, tail, length, own_trails) * rival
            if rival > height and n + 1 >= rival:
                chance = self._own_chance(HITTITES, land, here, hand, runs, tail, length, own_trails)
                attack = max(attack, chance * (rival - height + rival - (other[-2] if len(other) > 1 else 0)))
        if n > height + 1:
            attack = max(attack, w.skip * self._own_chance(PERSIANS, land, here, hand, runs, tail, length, own_trails))
        if m:
            for people in (MEDES, SUMERIANS):
                attack = max(attack, w.disturb * m * self._own_chance(people, land, here, hand, runs, tail, length, own_trails))
        runs = {people for people, _, _ in RUNS_IN[facing]}
        tail, length = TRAILS[facing]
        there = self.rival_pawn == land
        if height:
            threat = self._rival_chance(ASSYRIANS, land, there, held, odds, runs, tail, length, rival_trails) * height
            if height > rival and m + 1 >= height:
                chance = self._rival_chance(HITTITES, land, there, held, odds, runs, tail, length, rival_trails)
                threat = max(threat, chance * (height - rival + height - (temple[-2] if len(temple) > 1 else 0)))
        if n:
            for people in (MEDES, SUMERIANS):
                threat = max(threat, w.disturb * n * self._rival_chance(people, land, there, held, odds, runs, tail, length, rival_trails))
        return (height + 1, own_ready, rival + 1, rival_ready, worth, attack, threat)

    def _own_chance(
        self,
        people: int,
        land: int,
        here: bool,
        hand: tuple[int, ...],
        runs: set[int],
        tail: int,
        length: int,
        trails: tuple[int, ...],
    ) -> float:
        """Return the chance of a run of a people here next turn."""
        need = 0 if people in runs else RUN - max(length if tail == people else 0, trails[people])
        missing = max(0, need - hand[people])
        chance = self.draws[people][missing]
        if not here:
            spare = hand[land] - (need if people == land else 0)
            if spare < 1:
                chance *= self.draws[land][min(RUN, 1 - spare)]
        return chance

    def _rival_chance(
        self,
        people: int,
        land: int,
        there: bool,
        held: int,
        odds: list[list[float]],
        runs: set[int],
        tail: int,
        length: int,
        trails: tuple[int, ...],
    ) -> float:
        """Return the chance that the other has a run of a people here in its next turn."""
        need = 0 if people in runs else RUN - max(length if tail == people else 0, trails[people])
        if there:
            return odds[people][need]
        if people == land:
            return odds[people][need + 1]
        if need + 1 > held + DRAW:
            return 0.0
        return odds[people][need] * odds[land][1]

    # stocks

    def stocks(self, state: State) -> tuple[list[float], list[float]]:
        """Return by level how likely it can be taken next turn, by the seat itself and by the other."""
        own, other = state.stocks[self.seat], state.stocks[self.rival]
        key = (own, other, state.deck_top)
        found = self._stocks.get(key)
        if found is None:
            found = self._stocks[key] = self._chances(state, own, other)
        return found

    def _chances(self, state: State, own: bytes, other: bytes) -> tuple[list[float], list[float]]:
        known = state.deck_top
        first = self._turned_up(state, known[-2:])
        second = self._turned_up(state, known[-4:-2])
        mine = [0.7 * a + b for a, b in zip(first, second, strict=True)]
        his = first[:]
        for at, level in enumerate(reversed(other[-3:])):
            his[level] += 0.5**at
            mine[level] += 0.2
        for level in own[-2:]:
            mine[level] += 0.2
            his[level] += 0.2
        return [min(1.0, p) for p in mine], [min(1.0, p) for p in his]

    def _turned_up(self, state: State, known: bytes) -> list[float]:
        """Return by level the chance that it is the lower one of two cards turned up, some of which may be known."""
        chances = [0.0] * (TOP_LEVEL + 1)
        if len(known) == 2:
            chances[min(known)] = 1.0
            return chances
        deck = state.deck
        total = sum(deck)
        if not total:
            if known:
                chances[known[0]] = 1.0
            return chances
        above = total
        for level in range(1, len(LEVELS)):
            left = above - deck[level]
            if total == 1 or known:
                chances[level] = deck[level] / total
            else:
                chances[level] = (above * (above - 1) - left * (left - 1)) / (total * (total - 1))
            above = left
        if known:
            higher = sum(chances[known[0] + 1 :])
            for level in range(known[0] + 1, TOP_LEVEL + 1):
                chances[level] = 0.0
            chances[known[0]] += higher
        return chances


def distance(own: int, other: int) -> float:
    """Return how many points a side is away from winning: to 20, or to 15 and the other to 9."""
    return min(WIN_AT_ONCE - own, max(0, WIN_AHEAD - own) + max(0, other - TOO_FEW))


def _most(worths: list[float]) -> float:
    """Return the largest, and a third of the others: a pawn stands in one land only."""
    if not worths:
        return 0.0
    return (2 * max(worths) + sum(worths)) / 3
