"""What a position of Babel is worth to a seat that has ended its actions, in points, from what the seat can see.

The worth is a sum of terms: the scores and how far each side is from winning, the levels that each side can build next,
settlers, the attacks that each side may make on its next turn (by the odds of unseen cards), and hands. The opponent moves next.

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
    REVEAL,
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
DECIDED: Final = 500.0  # the last temple cards would be turned up now, and the leader would win
MOST: Final = 26  # the largest hand that the tables of odds cover


@dataclass(frozen=True, slots=True)
class Weights:
    """What the evaluation cannot compute."""

    near: float = 4.0  # how much it is worth to be near the goal
    rival_near: float = 10.0
    lead: float = 1.0  # a point of lead, worth more towards the end of the deck
    ready: float = 0.5  # a level that can be built next turn if it turns up
    rival_ready: float = 0.9
    settler: float = 0.4  # a settler that the next level needs
    spare: float = 0.3  # one beyond that
    rival_settler: float = 0.4
    attack: float = 0.4  # a point that an attack next turn may win
    threat: float = 0.6  # a point that the opponent may win
    skip: float = 0.4
    disturb: float = 0.12
    card: float = 0.6
    kind: float = 0.2  # a people in hand: a land within reach
    pair: float = 0.05
    triple: float = 0.2
    rival_card: float = 0.6


DEFAULT: Final = Weights()


def _at_least(total: int, good: int, drawn: int, wanted: int) -> float:
    """Return the chance of at least `wanted` good cards among `drawn` out of `total`."""
    if wanted <= 0:
        return 1.0
    drawn = min(drawn, total)
    if wanted > min(good, drawn):
        return 0.0
    less = sum([comb(good, n) * comb(total - good, drawn - n) for n in range(wanted)])
    return 1.0 - less / comb(total, drawn)


class _Rows(dict[bytes, tuple[int, int, int]]):
    """Of a column: the peoples of its runs as bits, and the people and length (three at most) of the equal cards at its outer end."""

    _MOST: Final = 50_000

    def __missing__(self, column: bytes) -> tuple[int, int, int]:
        runs = length = 0
        for people, _, _ in RUNS_IN[column]:
            runs |= 1 << people
        for people in reversed(column):
            if people != column[-1] or length == RUN:
                break
            length += 1
        if len(self) >= self._MOST:
            self.clear()
        found = self[column] = (runs, column[-1] if column else LANDS, length)
        return found


ROWS: Final = _Rows()
# What was found out about a land: by its two columns and temples and whether the pawn is there, how ready the next level is, what the
# settlers are worth, and the most that a power may bring.
Known = dict[tuple[bytes, bytes, int, bytes, bool], tuple[float, float, float]]
IN_REACH: Final = (0.1, 0.3, 0.7, 1.0)  # a level, by how many of its settlers are missing: three or more, two, one, none


class Outlook:
    """Judges positions for one seat at one moment; what the seat cannot see is estimated once."""

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
        self._own: dict[tuple[tuple[int, ...], tuple[int, ...]], list[Known]] = {}
        self._other: dict[tuple[int, tuple[int, ...]], list[Known]] = {}
        self._outer: dict[tuple[bytes, ...], tuple[int, ...]] = {}
        self._stocks: dict[tuple[bytes, bytes, bytes], tuple[list[float], list[float]]] = {}
        self._hands: dict[tuple[int, ...], float] = {}
        self.late = (1 - min(1.0, deck_count(state) / (TEMPLE_CARDS - 2))) ** 2
        self.turns_left = (deck_count(state) + 1) // 2

    def odds(self, cards: int) -> list[list[float]]:
        """Return, by people and number, the chance that the opponent holds so many after drawing three cards."""
        found = self._odds.get(cards)
        if found is None:
            drawn = min(cards, MOST) + DRAW
            found = self._odds[cards] = [
                [_at_least(self.total, self.hidden[people], drawn, n) for n in range(RUN + 2)] for people in range(LANDS)
            ]
        return found

    # whole positions

    def value(self, state: State) -> float:
        """Return what it is worth to end the turn here."""
        if state.phase == SCORING:
            return WIN
        worth = sum(self.terms(state))
        if deck_count(state) <= REVEAL:  # ending the turn ends the game: end-5, end-7
            seat, rival = self.seat, self.rival
            own, other = (state.scores[seat], hand_count(state, seat)), (state.scores[rival], hand_count(state, rival))
            worth += DECIDED * ((own > other) - (own < other))
        return worth

    def terms(self, state: State) -> list[float]:
        """Return the worth group by group.

        Of attacks and threats the largest counts in full and the others a third, because a pawn is in only one land.
        """
        w = self.weights
        base, facing = self.base, self.facing
        columns, temples = state.columns, state.temples
        hand = tuple(state.hands[base : base + LANDS])
        held = sum(state.hands[facing : facing + LANDS])
        pawn = state.pawns[self.seat]
        own_outer = self.outer(tuple(columns[base : base + LANDS]))
        rival_outer = self.outer(tuple(columns[facing : facing + LANDS]))
        own_lands = self._own.get((hand, own_outer))
        if own_lands is None:
            own_lands = self._own[hand, own_outer] = [{} for _ in range(LANDS)]
        other_lands = self._other.get((held, rival_outer))
        if other_lands is None:
            other_lands = self._other[held, rival_outer] = [{} for _ in range(LANDS)]
        mine, his = self.stocks(state)
        levels = settlers = attack = most_attack = threat = most_threat = 0.0
        for land in range(LANDS):
            column, other_column = columns[base + land], columns[facing + land]
            temple, other_temple = temples[base + land], temples[facing + land]
            key = (column, temple, len(other_column), other_temple, pawn == land)
            found = own_lands[land].get(key)
            if found is None:
                found = own_lands[land][key] = self._own_land(land, *key, hand, own_outer)
            ready, worth, most = found
            if ready:
                levels += w.ready * ready * mine[temple[-1] + 1 if temple else 1]
            settlers += worth
            attack += most
            if most > most_attack:
                most_attack = most
            facing_key = (other_column, other_temple, len(column), temple, False)
            found = other_lands[land].get(facing_key)
            if found is None:
                found = other_lands[land][facing_key] = self._other_land(
                    land, other_column, other_temple, len(column), temple, held, rival_outer
                )
            ready, worth, most = found
            if ready:
                levels -= w.rival_ready * ready * his[other_temple[-1] + 1 if other_temple else 1]
            settlers -= worth
            threat += most
            if most > most_threat:
                most_threat = most
        own, other = state.scores[self.seat], state.scores[self.rival]
        points = own - other + w.lead * self.late * (own - other)
        points += w.near * 1.0 / (1 + distance(own, other)) - w.rival_near / (1 + distance(other, own))
        cards = self._hands.get(hand)
        if cards is None:
            cards = self._hands[hand] = self.hand(hand)
        return [
            points,
            levels,
            settlers,
            w.attack * (2 * most_attack + attack) / 3,
            -w.threat * (2 * most_threat + threat) / 3,
            cards,
            -w.rival_card * (held if held < 8 else 4 + held / 2),
        ]

    def hand(self, hand: tuple[int, ...]) -> float:
        """Return what the seat's own hand is worth."""
        w = self.weights
        count = sum(hand)
        worth = w.card * (count if count < 9 else 6 + count / 3)
        for held in hand:
            if held:
                worth += w.kind + w.pair * (held >= 2) + w.triple * (held >= RUN)
        return worth

    def outer(self, columns: tuple[bytes, ...]) -> tuple[int, ...]:
        """Return, by people, the longest row at the outer end of a column, where it could migrate."""
        found = self._outer.get(columns)
        if found is None:
            longest = [0] * (LANDS + 1)
            for column in columns:
                if len(column) >= RUN:
                    _, people, length = ROWS[column]
                    longest[people] = max(longest[people], length)
            found = self._outer[columns] = tuple(longest)
        return found

    # one land

    def _own_land(
        self, land: int, column: bytes, temple: bytes, m: int, other: bytes, here: bool, hand: tuple[int, ...], outer: tuple[int, ...]
    ) -> tuple[float, float, float]:
        """Return how ready the next level is, what the seat's settlers are worth, and the most that a power may bring next turn."""
        w = self.weights
        n = len(column)
        height = temple[-1] if temple else 0
        rival = other[-1] if other else 0
        useful = min(n, height + 2, TOP_LEVEL)
        worth = w.settler * useful + w.spare * (n - useful)
        ready = 0.0
        if height < TOP_LEVEL:
            reach = 1.0 if here else 0.9 if hand[land] else 0.5
            ready = reach * IN_REACH[max(0, min(3, n - height + 2))]
        gains = [0.0] * LANDS
        if rival:
            gains[ASSYRIANS] = rival
            if rival > height and n + 1 >= rival:
                gains[HITTITES] = rival - height + rival - (other[-2] if len(other) > 1 else 0)
        gains[MEDES] = gains[SUMERIANS] = w.disturb * m
        if n > height + 1 and height + 1 < TOP_LEVEL:
            gains[PERSIANS] = w.skip
        runs, tail, length = ROWS[column]
        attack = 0.0
        for people, gain in enumerate(gains):
            if gain > attack:
                need = 0 if runs >> people & 1 else RUN - max(length if tail == people else 0, outer[people])
                missing = need - hand[people]
                chance = self.draws[people][missing] if missing > 0 else 1.0
                if not here:
                    spare = hand[land] - (need if people == land else 0)
                    if spare < 1:
                        chance *= self.draws[land][min(RUN, 1 - spare)]
                attack = max(attack, chance * gain)
        return ready, worth, attack

    def _other_land(
        self, land: int, column: bytes, temple: bytes, m: int, other: bytes, held: int, outer: tuple[int, ...]
    ) -> tuple[float, float, float]:
        """Return the same for the opponent, of whose hand only the size is known, by the odds of unseen cards."""
        w = self.weights
        n = len(column)
        height = temple[-1] if temple else 0
        rival = other[-1] if other else 0
        useful = min(n, height + 2, TOP_LEVEL)
        worth = w.rival_settler * useful + w.spare * (n - useful)
        odds = self.odds(held)
        here = self.rival_pawn == land
        ready = 0.0
        if height < TOP_LEVEL:
            ready = (1.0 if here else odds[land][1]) * IN_REACH[max(0, min(3, n - height + 2))]
        gains = [0.0] * LANDS
        if rival:
            gains[ASSYRIANS] = rival
            if rival > height and n + 1 >= rival:
                gains[HITTITES] = rival - height + rival - (other[-2] if len(other) > 1 else 0)
        gains[MEDES] = gains[SUMERIANS] = w.disturb * m
        runs, tail, length = ROWS[column]
        threat = 0.0
        for people, gain in enumerate(gains):
            if gain > threat:
                need = 0 if runs >> people & 1 else RUN - max(length if tail == people else 0, outer[people])
                if here:
                    chance = odds[people][need]
                elif people == land:
                    chance = odds[people][need + 1]
                elif need < held + DRAW:
                    chance = odds[people][need] * odds[land][1]
                else:
                    continue
                threat = max(threat, chance * gain)
        return ready, worth, threat

    # stocks

    def stocks(self, state: State) -> tuple[list[float], list[float]]:
        """Return, by level, the chances that the seat and its opponent can take it next turn."""
        own, other = state.stocks[self.seat], state.stocks[self.rival]
        key = (own, other, state.deck_top)
        found = self._stocks.get(key)
        if found is None:
            found = self._stocks[key] = self._chances(state, own, other)
        return found

    def _chances(self, state: State, own: bytes, other: bytes) -> tuple[list[float], list[float]]:
        known = state.deck_top
        first = self.lower_of_two(state, known[-2:])
        second = self.lower_of_two(state, known[-4:-2])
        mine = [0.7 * a + b for a, b in zip(first, second, strict=True)]
        his = first[:]
        for at, level in enumerate(reversed(other[-3:])):
            his[level] += 0.5**at
            mine[level] += 0.2
        for level in own[-2:]:
            mine[level] += 0.2
            his[level] += 0.2
        return [min(1.0, p) for p in mine], [min(1.0, p) for p in his]

    def lower_of_two(self, state: State, known: bytes) -> list[float]:
        """Return, by level, the chance that it is the lower of two cards turned up, some of which may be known."""
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
    """Return how many points a side is from winning: short of 20, or short of 15 with the opponent held to 9."""
    return min(WIN_AT_ONCE - own, max(0, WIN_AHEAD - own) + max(0, other - TOO_FEW))
