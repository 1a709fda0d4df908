"""What a seat's goods can still become: the best growth of its cities through trade, by the scribe's estimate.

A city needs two wood and as many of the four luxuries as possible. What is missing comes by a route: a spare piece, exchanged
once or several times where the seat has a trader, or turned into a tool. Exchanges may be spread over any number of actions, so a route
needs a trader in each of its markets, not one for each exchange.

Rules: after_the_flood#trade-1, #trade-3, #tools-1, #growth-1, #growth-2
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import Final

from games.after_the_flood.components import (
    FIRST_OTHER,
    GOLD,
    GRAIN,
    GROWTH_POINTS,
    GROWTH_WOOD,
    KINDS,
    LAPIS,
    LUXURIES,
    METAL,
    OIL,
    PLACE_OF,
    SOLD,
    SPOTS,
    TEXTILE,
    TOOL,
    TOOL_MAKERS,
    WOOD,
)
from games.after_the_flood.state import State

MARKETS: Final = tuple((place, 1 << (place + FIRST_OTHER), sum(1 << good for good in goods)) for place, goods in enumerate(SOLD) if goods)
DILMUN_GOODS: Final = 1 << WOOD | 1 << METAL | 1 << OIL | 1 << GOLD
KASSITES_BIT: Final = 1 << (PLACE_OF["kassites"] + FIRST_OTHER)
LAPIS_BIT: Final = 1 << LAPIS

# Routes by the good they lead to: (first good, goods that a market must sell, tool makers, goods in between).
_W, _M, _O, _G, _L = (1 << good for good in (WOOD, METAL, OIL, GOLD, LAPIS))
Route = tuple[int, int, int, tuple[int, ...]]
ROUTES: Final[dict[int, tuple[Route, ...]]] = {
    WOOD: ((GRAIN, _W, 0, ()), (TEXTILE, _W, 0, ()), (TOOL, _W, 0, ())),
    TOOL: ((METAL, 0, 1, ()), (GRAIN, _M, 1, (METAL,)), (TEXTILE, _M, 1, (METAL,))),
    OIL: ((TEXTILE, _O, 0, ()), (TOOL, _O, 0, ()), (METAL, _O, 1, (TOOL,)), (GRAIN, _M | _O, 1, (METAL, TOOL))),
    GOLD: ((TEXTILE, _G, 0, ()), (TOOL, _G, 0, ()), (OIL, _G, 0, ()), (METAL, _G, 1, (TOOL,)), (GRAIN, _M | _G, 1, (METAL, TOOL))),
    LAPIS: (
        *((TOOL, _L, 0, ()), (OIL, _L, 0, ()), (GOLD, _L, 0, ())),
        *((TEXTILE, _O | _L, 0, (OIL,)), (TEXTILE, _G | _L, 0, (GOLD,))),
        *((METAL, _L, 1, (TOOL,)), (GRAIN, _M | _L, 1, (METAL, TOOL))),
    ),
}


ENOUGH: Final = (5, 4, 2, 4, 2, 2, 2, 2)  # number of pieces of a good beyond which another is worth less
SURPLUS: Final = 0.35  # share of the price
MOST: Final = 99
NOTHING: Final = (0,) * KINDS


@cache
def _marginal(prices: tuple[float, ...]) -> tuple[list[list[float]], list[list[float]]]:
    """Return by good and number of pieces what the last of them is worth, and what all are worth."""
    rows = [
        [0.0, *[price if count < enough else price * SURPLUS for count in range(MOST)]]
        for price, enough in zip(prices, ENOUGH, strict=True)
    ]
    return rows, [list(accumulate(row)) for row in rows]


class Purse:
    """Prices of goods kept, of a step on a route, and of cities that can still grow; and the best growth at these prices."""

    def __init__(self, prices: tuple[float, ...], step: float, placing: float, slots: tuple[float, ...]) -> None:
        self.prices = prices
        self.marginal, self.sums = _marginal(prices)
        self.step = step  # an exchange that is still to be made
        self.placing = placing  # a trader or tool maker who is still to be placed
        self.slots = slots  # by number of cities not yet grown: their worth for later turns
        self._usable: dict[tuple[int, bool], list[list[tuple[float, Route]]]] = {}
        self._known: dict[tuple[object, ...], float] = {}

    def best(self, state: State, seat: int, is_open: bool) -> float:
        """Return the worth of a seat's goods and cities: points of growth, goods left over, cities left for later turns."""
        goods = bytes(state.goods[seat * KINDS : seat * KINDS + KINDS])
        slots = (state.cities[seat] & ~state.grown).bit_count()
        if not is_open:
            return self.reckon(goods, NOTHING, 0, 0, slots)
        mask = markets(state, seat)
        makers = min(3, state.workers[seat * SPOTS + TOOL_MAKERS])
        hands = min(3, state.workers_available[seat]) if any(goods) else 0
        enemies = (state.armies[0] | state.armies[1] | state.armies[2]) & ~state.armies[seat]
        is_closed = bool(enemies & KASSITES_BIT)
        key = (goods, tuple(state.stock), mask, makers, hands, slots, is_closed)
        worth = self._known.get(key)
        if worth is None:
            stock = tuple([min(3, max(0, left)) if good not in (GRAIN, TEXTILE) else 3 for good, left in enumerate(state.stock)])
            worth = self._known[key] = self._best(goods, stock, mask, makers, hands, slots, is_closed)
        return worth

    def _best(self, goods: bytes, stock: tuple[int, ...], mask: int, makers: int, hands: int, slots: int, is_closed: bool) -> float:
        best = self.reckon(goods, stock, mask, makers, slots)
        if not slots or not hands:
            return best
        more = [(0, 0, 0)]
        if ~mask & DILMUN_GOODS:
            more += [(count + 1, bits | DILMUN_GOODS, made) for count, bits, made in more]
        if not mask & LAPIS_BIT and not is_closed:
            more += [(count + 1, bits | LAPIS_BIT, made) for count, bits, made in more]
        if not makers:
            more += [(count + 1, bits, 1) for count, bits, made in more]
        for count, bits, made in more[1:]:
            if count <= hands:
                best = max(best, self.reckon(goods, stock, mask | bits, makers + made, slots) - count * self.placing)
        return best

    def usable(self, mask: int, is_made: bool) -> list[list[tuple[float, Route]]]:
        """Return the routes open with these markets, by the good they lead to, cheapest first."""
        found = self._usable.get((mask, is_made))
        if found is None:
            found = [[] for _ in range(KINDS)]
            for target, routes in ROUTES.items():
                for route in routes:
                    start, needed, made, between = route
                    if needed & ~mask or (made and not is_made):
                        continue
                    found[target].append((self.prices[start] + self.step * (1 + len(between)), route))
                found[target].sort()
            self._usable[mask, is_made] = found
        return found

    def reckon(self, goods: bytes, stock: tuple[int, ...], mask: int, makers: int, slots: int) -> float:
        """Return the worth of goods and cities with these markets and tool makers, growing one city after another."""
        held, left = list(goods), list(stock)
        total = 0.0
        while slots:
            grown = self._grow(held, left, mask, makers)
            if grown is None or grown[0] + self.slots[slots - 1] <= self.slots[slots]:
                break
            gain, makers = grown
            total += gain
            slots -= 1
        return total + self.slots[slots] + self.kept(goods)

    def kept(self, goods: bytes | bytearray) -> float:
        """Return the worth of goods kept unchanged."""
        return sum([row[count] for row, count in zip(self.sums, goods, strict=True)])

    def _grow(self, held: list[int], stock: list[int], mask: int, makers: int) -> tuple[float, int] | None:
        """Grow the next city as far as it pays: change the goods, return the points less the worth of goods spent; None without wood."""
        marginal, routes = self.marginal, self.usable(mask, makers > 0)
        step = self.step
        spare = held[:]
        spent = 0.0
        taken: list[tuple[int, int]] = []  # (first good, tool makers)
        own: list[int] = []
        for good in LUXURIES:
            if spare[good]:
                spare[good] -= 1
                own.append(good)
        for _ in range(GROWTH_WOOD):
            if spare[WOOD]:
                spent += marginal[WOOD][spare[WOOD]]
                spare[WOOD] -= 1
                taken.append((WOOD, 0))
                continue
            for _, (start, _, made, _) in routes[WOOD]:
                if spare[start] and stock[WOOD]:
                    spent += marginal[start][spare[start]] + step
                    spare[start] -= 1
                    taken.append((start, made))
                    break
            else:
                return None
        ways: list[tuple[float, int, int]] = [(marginal[good][held[good]], good, 0) for good in own]  # (cost, first good, tool makers)
        makers_left = makers
        missing = [good for good in LUXURIES if good not in own]
        while missing:
            found: tuple[float, int, int, int] | None = None
            for good in missing:
                if not stock[good]:
                    continue
                for _, (start, _, made, between) in routes[good]:
                    if spare[start] and made <= makers_left and all(stock[middle] for middle in between):
                        cost = marginal[start][spare[start]] + step * (1 + len(between))
                        if found is None or cost < found[0]:
                            found = (cost, start, made, good)
                        break
            if found is None:
                break
            cost, start, made, good = found
            missing.remove(good)
            spare[start] -= 1
            makers_left -= made
            ways.append((cost, start, made))
        ways.sort()
        best, count, paid = GROWTH_POINTS[0] + 0.0, 0, 0.0
        for number, (cost, _, _) in enumerate(ways, 1):
            paid += cost
            if GROWTH_POINTS[number] - paid > best:
                best, count = GROWTH_POINTS[number] - paid, number
        for _, start, made in ways[:count]:
            taken.append((start, made))
        for start, made in taken:
            held[start] -= 1
            makers -= made
        return best - spent, makers


def markets(state: State, seat: int) -> int:
    """Return the mask of goods that a seat can buy where it has traders (trade-1, trade-5)."""
    mine = state.armies[seat]
    enemies = (state.armies[0] | state.armies[1] | state.armies[2]) & ~mine
    workers, at = state.workers, seat * SPOTS
    mask = 0
    for place, bit, goods in MARKETS:
        if mine & bit or (workers[at + place] and not enemies & bit):
            mask |= goods
    return mask
