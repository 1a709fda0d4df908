"""What a position of After the Flood is worth to a seat, in points: the scribe's evaluation.

There are five groups, each counting the seat less a share for its rivals: areas held and armies that can still take some; growth of
cities, now and later, with the goods for it; what workers bring (collecting, trade, majorities); homes of empires, now and next turn;
cities. A position is judged as open (the seat goes on acting) or closed (it passes now, so nothing more is traded or placed).

Rules: after_the_flood#points-1, #growth-2, #collect-4, #decline-1, #end-2, #found-3
"""

from __future__ import annotations

from math import exp
from typing import Final

from games.after_the_flood.components import (
    BABYLON,
    BABYLON_ARMIES,
    DECLINE_KEPT,
    DECLINE_TURNS,
    DILMUN,
    DILMUN_PLACE,
    END_POINTS,
    ERIDU,
    FIRST_OTHER,
    GROWTH_POINTS,
    IRRIGATION,
    KINDS,
    NIPPUR,
    SCRIBES,
    SEATS,
    SHURUPPAK,
    SIPPAR,
    SPOTS,
    SUMER_EMPIRE,
    SUMER_MASK,
    TOOL_MAKERS,
    TURNS,
    UR,
    URUK,
    USED_SCRIBES,
    USED_TOOL_MAKERS,
    WEAVING,
)
from games.after_the_flood.legality import OFFERED, REACH
from games.after_the_flood.plans import MARKETS, Purse
from games.after_the_flood.state import NO_EMPIRE, State, value_of
from games.after_the_flood.weights import DEFAULT, KEPT, LAST, Weights

GROUPS: Final = ("areas", "goods", "posts", "homes", "cities", "rivals")
GROUP_RULES: Final = tuple(f"after_the_flood#{rule}" for rule in ("points-1", "growth-2", "place-1", "found-3", "cities-1", "points-1"))
Terms = tuple[float, ...]
Held = tuple[float, float, float]

SPREAD: Final = 12  # difference in workers beyond which a majority is as good as decided
OFF_MAP: Final = sum(
    1 << area for _, area, _ in sum(OFFERED, ()) if area >= 0 and not any(REACH[1 << other] >> area & 1 for other in range(DILMUN))
)


class Outlook:
    """The evaluation for one seat; what stays the same throughout a decision is worked out once."""

    def __init__(self, state: State, seat: int, weights: Weights = DEFAULT) -> None:
        self.seat = seat
        self.rivals = tuple([other for other in range(SEATS) if other != seat])
        self.weights = w = weights
        self.turn = state.turn
        self.left = left = TURNS - state.turn
        self.declines = sum(1 for turn in DECLINE_TURNS if turn > state.turn)
        self.is_decline_next = state.turn + 1 in DECLINE_TURNS
        kept = tuple([w.kept * price for price in KEPT[min(left, 2)]])
        slots = [0.0]
        for count in range(1, 5):
            worth = w.slot if count <= min(left, w.slots) else w.slot_more if count <= left + 1 else w.slot_spare
            slots.append(slots[-1] + (worth if left else 0.0))
        step = self.payment(state, kept) if state.passed else w.step
        placing = w.placing + (2 * step if state.passed else 0.0)  # to place and to trade are two actions
        self.closed_purse = Purse(kept, step, placing, tuple(slots))
        self.open_purse = Purse(kept if left else LAST, step, placing, tuple(slots))
        self.slots = slots
        scale = 0.35 + 0.55 * left if left else 0.75
        self.odds = [1 / (1 + exp(-(gap - 0.5) / scale)) for gap in range(-SPREAD, SPREAD + 1)]
        self.sure = [float(gap > 0) for gap in range(-SPREAD, SPREAD + 1)]
        self.next_homes = [(home - FIRST_OTHER, armies) for _, home, armies in OFFERED[state.turn + 1] if home >= 0] if left else []
        self.offered = OFFERED[state.turn]
        self._posted: dict[tuple[bytes, int, int], float] = {}
        self._held: dict[tuple[object, ...], Held] = {}
        self._homed: dict[tuple[object, ...], float] = {}
        self.useful = frozenset([*END_POINTS, SCRIBES, TOOL_MAKERS])

    def payment(self, state: State, prices: tuple[float, ...]) -> float:
        """Return what an action costs now that another player has passed: the least that the seat can pay with (pass-3)."""
        seat, w = self.seat, self.weights
        costs = [price for price, count in zip(prices, state.goods[seat * KINDS : seat * KINDS + KINDS], strict=True) if count]
        if state.workers_available[seat]:
            costs.append(w.hand)
        if state.armies_available[seat]:
            costs.append(w.army_spare)
        return max(w.step_paid, min(costs, default=w.step_paid))

    def value(self, state: State, is_open: bool = True) -> float:
        return sum(self.terms(state, is_open))

    def terms(self, state: State, is_open: bool = True) -> Terms:
        """Return the groups of GROUPS."""
        seat = self.seat
        if state.passed >> seat & 1:
            is_open = False
        purse = self.open_purse if is_open else self.closed_purse
        areas, cities, rivals = self.held(state, is_open)
        return (
            areas,
            purse.best(state, seat, is_open) + self.grown_now(state),
            self.posted(state, is_open),
            self.homes(state, is_open),
            cities,
            rivals,
        )

    def held(self, state: State, is_open: bool) -> Held:
        """Return the groups that follow from armies and cities, worked out once for the same map: areas, cities, rivals."""
        armies, cities, ready = state.armies, state.cities, state.armies_available
        key = (
            *(is_open, state.passed, state.doubles, state.grown, state.ranking),
            *(armies[0], armies[1], armies[2], cities[0], cities[1], cities[2], ready[0], ready[1], ready[2]),
            *(tuple(state.empires), bytes(state.equipment)),
        )
        found = self._held.get(key)
        if found is None:
            seat = self.seat
            areas = state.scores[seat] + self.areas(state, seat, is_open)
            rivals = -self.weights.rivals * sum([self.rival(state, rival) for rival in self.rivals])
            found = self._held[key] = (areas, self.cities(state, seat, is_open), rivals)
        return found

    def worth_without_growing(self, state: State) -> float:
        """Return the worth of ending this turn's growth: goods and cities as kept for later."""
        seat = self.seat
        terms = self.terms(state, is_open=False)
        goods = state.goods[seat * KINDS : seat * KINDS + KINDS]
        kept = self.closed_purse.kept(goods)
        slots = (state.cities[seat] & ~state.grown).bit_count()
        return sum(terms) - self.closed_purse.best(state, seat, is_open=False) + kept + self.slots[slots]

    def grown_now(self, state: State) -> float:
        return float(sum([GROWTH_POINTS[len(goods)] for grower, _, goods in state.growths if grower == self.seat]))

    # areas and armies

    def areas(self, state: State, seat: int, is_open: bool) -> float:
        own = state.armies[seat]
        worth = 0.0
        if own:
            exposed = (own & ~OFF_MAP).bit_count()
            gain = 2.0 + (state.cities[seat] >> NIPPUR & 1) * (own & SUMER_MASK).bit_count() / own.bit_count()
            lost = 0.0
            if exposed:
                lost = min(0.6, self.threat(state, seat)) * exposed
                lost *= 1 - 0.35 * (own & state.doubles).bit_count() / own.bit_count()
            worth += gain * (own.bit_count() - lost)
        if is_open and state.armies_available[seat] and state.empires[seat] != NO_EMPIRE:
            worth += self.armies(state, seat, state.armies_available[seat], state.ranking)
        return worth

    def threat(self, state: State, seat: int) -> float:
        """Return the share of exposed areas that rivals may take before the turn ends."""
        threat = 0.0
        ranking = state.ranking
        for rival in range(SEATS):
            if rival == seat or state.passed >> rival & 1:
                continue
            if state.empires[rival] == NO_EMPIRE:
                if any(empire not in state.empires for empire, _, _ in self.offered):
                    threat += self.weights.threat * (5.0 - 0.3 * min(6, value_of(state.equipment, seat)))
            else:
                count = state.armies_available[rival]
                if count:
                    is_better = seat not in ranking or (rival in ranking and ranking.index(rival) < ranking.index(seat))
                    threat += self.weights.threat * count * (1.3 if is_better else 0.7)
        return threat

    def armies(self, state: State, seat: int, count: int, ranking: tuple[int, ...]) -> float:
        """Return what so many armies can still achieve: free areas, then rivals' areas, then little."""
        w = self.weights
        armies = state.armies
        taken = (armies[0] | armies[1] | armies[2]).bit_count()
        others = 1
        better = worse = 0
        for rival in range(SEATS):
            if rival == seat:
                continue
            if not state.passed >> rival & 1 and (state.armies_available[rival] > 1 or state.empires[rival] == NO_EMPIRE):
                others += 1
            held = (armies[rival] & ~OFF_MAP).bit_count()
            if seat in ranking and rival in ranking and ranking.index(seat) > ranking.index(rival):
                worse += held
            else:
                better += held
        free = max(0, 17 - taken) / others
        worth = 0.0
        repeat = 0.25 if state.passed else 0.0
        left = float(count)
        for room, price in ((free, w.army), (better * 0.8, w.army_better), (worse * 0.8, w.army_worse)):
            used = min(room, left)
            worth += used * (price - repeat)
            left -= used
            if left <= 0:
                return worth
        return worth + w.army_spare * left

    # workers

    def posted(self, state: State, is_open: bool) -> float:
        """Return `workers`, worked out once for the same workers."""
        key = (bytes(state.workers), state.workers_available[self.seat] if is_open else -1, state.passed)
        worth = self._posted.get(key)
        if worth is None:
            worth = self._posted[key] = self.workers(state, is_open)
        return worth

    def workers(self, state: State, is_open: bool) -> float:
        """Return the worth of collecting, majorities, markets and helpers in the turns to come, and of workers still free."""
        w, seat, left = self.weights, self.seat, self.left
        workers = state.workers
        at = seat * SPOTS
        worth = 0.0
        others_acting = any(not state.passed >> rival & 1 for rival in self.rivals)
        odds = self.odds if left or others_acting or is_open else self.sure
        declines = self.declines
        first, second = self.rivals
        one, two = first * SPOTS, second * SPOTS
        for place, points in END_POINTS.items():
            mine, a, b = workers[at + place], workers[one + place], workers[two + place]
            if declines:
                if place == DILMUN_PLACE:
                    continue
                if place < DILMUN_PLACE:
                    mine, a, b = max(0, mine - declines), max(0, a - declines), max(0, b - declines)
                else:
                    cut = max(0, max(mine, a, b) - DECLINE_KEPT)
                    mine, a, b = max(0, mine - cut), max(0, a - cut), max(0, b - cut)
            if not (mine or a or b):
                continue
            # majorities are contested: what one seat gets, the others do not
            p_one = odds[max(-SPREAD, min(SPREAD, mine - a)) + SPREAD]
            p_two = odds[max(-SPREAD, min(SPREAD, mine - b)) + SPREAD]
            if mine:
                worth += points * p_one * p_two
            if a or b:
                q_one = (1 - p_one) * odds[max(-SPREAD, min(SPREAD, a - b)) + SPREAD] if a else 0.0
                q_two = (1 - p_two) * odds[max(-SPREAD, min(SPREAD, b - a)) + SPREAD] if b else 0.0
                worth -= w.rivals * points * (q_one + q_two)
        if left:
            worth += w.grain * self.harvest(state, IRRIGATION, 3.0, 1.5) + w.textile * self.harvest(state, WEAVING, 1.0, 1.0)
            decline = 1 if self.is_decline_next else 0
            known = 0
            for place, _, goods in MARKETS:
                if workers[at + place] > (0 if not decline else 99 if place == DILMUN_PLACE else 1):
                    worth += 0.25 * w.market * (goods & ~known).bit_count()
                    known |= goods
            worth += 0.75 * w.market * known.bit_count()
            makers = workers[at + TOOL_MAKERS] + workers[at + USED_TOOL_MAKERS] - decline
            scribes = workers[at + SCRIBES] + workers[at + USED_SCRIBES] - decline
            turns = min(left, 2)
            if makers > 0:
                worth += w.maker * turns * (1.0 if makers == 1 else 1.4)
            if scribes > 0:
                worth += w.scribe * turns * (scribes if scribes < 2 else 1.8)
        if is_open:
            worth += w.hand * state.workers_available[seat] + 0.3 * workers[at + SCRIBES]
        return worth

    def harvest(self, state: State, box: int, least: float, more: float) -> float:
        """Return what a box yields until the end: certain next turn, less and less certain afterwards."""
        workers = state.workers
        mine = workers[self.seat * SPOTS + box]
        if not mine:
            return 0.0
        share = 0.0
        for rival in self.rivals:
            gap = mine - workers[rival * SPOTS + box]
            is_fixed = bool(state.passed >> rival & 1)
            if is_fixed:
                share += float(gap > 0) + 0.6 * (gap == 0)
            else:
                share += (0.08, 0.2, 0.5, 0.8, 0.93, 1.0)[max(-2, min(3, gap)) + 2]
        now = least + more * share
        later = least + more * (0.5 * share + 0.5)
        return now + 0.7 * later * (self.left - 1)

    # homes and cities

    def homes(self, state: State, is_open: bool) -> float:
        """Return `homing`, worked out once for the same workers and armies."""
        is_founding = is_open and state.empires[self.seat] == NO_EMPIRE
        key: tuple[object, ...] = (bytes(state.workers),)
        if is_founding:
            armies = state.armies
            key = (*key, state.workers_available[self.seat], tuple(state.empires), state.passed, tuple(state.armies_available))
            key = (*key, tuple(armies), state.cities[self.seat])
        worth = self._homed.get(key)
        if worth is None:
            worth = self._homed[key] = self.homing(state, is_founding)
        return worth

    def homing(self, state: State, is_founding: bool) -> float:
        """Return the worth of an empire that can still be founded this turn, and of the homes of the next turn."""
        w, seat = self.weights, self.seat
        workers = state.workers
        worth = 0.0
        extra = BABYLON_ARMIES * (state.cities[seat] >> BABYLON & 1)
        if is_founding:
            best = 0.0
            is_raced = any(not state.passed >> rival & 1 and state.empires[rival] == NO_EMPIRE for rival in self.rivals)
            for empire, home, count in self.offered:
                if empire in state.empires:
                    continue
                share = w.founding_raced if is_raced else w.founding
                if home == SUMER_EMPIRE:
                    share = w.founding  # others seldom hurry for so few armies
                else:
                    place = home - FIRST_OTHER
                    mine = workers[seat * SPOTS + place]
                    most = max([workers[rival * SPOTS + place] for rival in self.rivals])
                    if mine < most or not mine:
                        need = most - mine + (most == 0)
                        share = w.founding_later * max(0.0, 1 - 0.12 * need) if state.workers_available[seat] > need else 0.0
                    elif mine == most:
                        share *= 0.85
                if share:
                    best = max(best, share * self.armies(state, seat, count + extra, ()))
            worth += best
        for place, count in self.next_homes:
            mine, others = workers[seat * SPOTS + place], [workers[rival * SPOTS + place] for rival in self.rivals]
            if self.is_decline_next:
                mine, others = mine - 1, [other - 1 for other in others]
            if mine > 0:
                most = max(others)
                worth += (w.next_home if mine > most else w.next_tie if mine == most else 0.0) * min(10, count)
        return worth

    def cities(self, state: State, seat: int, is_open: bool) -> float:
        """Return what the rules of a seat's cities still bring."""
        cities = state.cities[seat]
        left, w = self.left, self.weights
        worth = w.city * cities.bit_count() if left > 1 else 0.0
        if cities >> UR & 1:
            worth += w.textile * left
        if cities >> BABYLON & 1:
            worth += 2.2 * left
        if cities >> NIPPUR & 1:
            worth += 1.6 * left
        if cities >> SIPPAR & 1:
            worth += 0.3 * left
        if cities >> SHURUPPAK & 1:
            worth += 0.3 * left
        if cities >> URUK & 1 or cities >> ERIDU & 1:
            worth += 0.05
        return worth

    def rival(self, state: State, rival: int) -> float:
        """Return the worth of what a rival has and the seat's own actions can change."""
        cities = (state.cities[rival] & ~state.grown).bit_count()
        worth = state.scores[rival] + self.areas(state, rival, True) + self.slots[cities] + 2.0 * cities
        return worth + 0.5 * self.cities(state, rival, True)
