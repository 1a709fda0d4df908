"""Plans of conquest: a beam search over the provinces within reach, with battles at their average cost (history_of_the_world#conquest)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, NamedTuple

from games.history_of_the_world import reach
from games.history_of_the_world.actions import CONQUESTS, Conquer
from games.history_of_the_world.components import ICONS, ICONS_A_MONUMENT, LAND, REGION_MASKS, REGION_OF, SIEGE_MOST
from games.history_of_the_world.evaluation import Map, Outlook, icons_worth, map_of
from games.history_of_the_world.odds import Siege, siege_for
from games.history_of_the_world.state import GAINS, RUINS, TIES, State, effects, icons_in, provinces_in, realm_of

WIDTH: Final = 5  # plans followed at each depth
NARROW: Final = 2  # the same when many positions are compared
STEPS_LOOKED_AT: Final = 3_000  # provinces tried for one plan


class Node(NamedTuple):
    """A plan so far: the active armies, those next to them, armies and siege tokens left on average, its worth, how it starts."""

    active: int
    near: int  # provinces beside the active armies, by land
    armies: float
    tokens: float
    worth: float
    icons: int
    first: Conquer | None


Line = tuple[Conquer, float, int]  # a first step, what a plan that begins with it is worth, and where its active armies then are


@dataclass(frozen=True, slots=True)
class Plan:
    """The best plan found: what it is worth beyond the current map, how it starts, how it ends.

    `lines` are all first steps, best first: with what the best plan found is worth, and where its active armies then are. `ends` are
    whole plans in the same form, as many as were asked for.
    """

    worth: float
    first: Conquer | None
    end: Map
    lines: tuple[Line, ...]
    map_after: Callable[[int], Map]
    ends: tuple[Line, ...] = ()


class Planner:
    """Plans the rest of a conquest from a position of the active seat, whatever its phase.

    Everything that changes on the map during a plan is what its armies have taken. So the gain from a province depends only
    on which provinces of its region are taken already, and is worked out once for each such set.
    """

    def __init__(self, state: State, outlook: Outlook, steps: int = STEPS_LOOKED_AT) -> None:
        self.state = state
        self.outlook = outlook
        self.seat = state.active
        self.weights = outlook.weights
        self.start = map_of(state)
        self.costs: dict[tuple[int, bool], tuple[float, float]] = {}
        self.gains: dict[tuple[int, int], float] = {}
        self.sieges: dict[tuple[int, bool], Siege] = {}
        self.held = 0  # by rivals
        for seat, mask in enumerate(state.armies):
            if seat != self.seat:
                self.held |= mask
        realm = realm_of(state)
        self.plunder = int(realm.is_marauder)
        self.capital_plunder = sum(params["points"] for params in effects(state, "point_on_capital_ruin"))
        limits = effects(state, "point_on_ruin")
        self.ruin_plunder = int(limits[0]["points"]) if limits and state.uses[RUINS] < limits[0]["max_per_turn"] else 0
        self.is_sparing = bool(effects(state, "optional_ruin"))
        saving = effects(state, "tie_saves_attacker")
        self.is_saved = bool(saving) and state.uses[TIES] < saving[0]["max_per_turn"]
        gaining = effects(state, "gain_army_on_win")
        self.is_gaining = bool(gaining) and state.uses[GAINS] < gaining[0]["max_per_turn"]
        self.ratio = min([params["icons_per_monument"] for params in effects(state, "monument_ratio")], default=ICONS_A_MONUMENT)
        self.extra = sum(params["count"] for params in effects(state, "extra_monument"))
        self.steps = steps
        self.chains = reach.chains(state.zones)
        self.icon_worths: dict[int, float] = {}
        self.ahead: list[tuple[float, int]] = []  # provinces by what they promise: (worth, mask), best first
        self.spared = 0.0

    def siege(self, province: int, by_fleet: bool) -> Siege:
        """Return what the battles for a province promise."""
        found = self.sieges.get((province, by_fleet))
        if found is None:
            found = self.sieges[province, by_fleet] = siege_for(self.state, province, by_fleet)
        return found

    def plan(self, width: int = WIDTH, kept: int = 0) -> Plan:
        """Return the best plan found, or the one that does nothing if none gains; `kept` plans with different ends are kept beside it."""
        state, active = self.state, self.state.active_armies
        icons = icons_in(active)
        root = Node(active, reach.neighbours(active), float(state.card_armies), float(state.tokens), self.icons_worth(icons), icons, None)
        best_worth, best = root.worth + self.weights.left * root.armies, root
        lines: dict[Conquer, tuple[float, int]] = {}
        first = self.follow(root)
        gains = {self.place(node): max(0.0, node.worth - root.worth) for node in first}
        usual = sorted(gains.values())[-8:]
        self.spared = self.weights.spared * sum(usual) / len(usual) if usual else 0.0
        self.ahead = sorted([(gains[at] if at in gains else self.guess(at), 1 << at) for at in range(len(LAND))], reverse=True)
        nodes = sorted(first, key=self.rank, reverse=True)[:width]
        ends: dict[int, tuple[float, Node]] = {}
        while nodes:
            for node in nodes:
                worth = node.worth + self.weights.left * node.armies
                if kept and (node.active not in ends or worth > ends[node.active][0]):
                    ends[node.active] = worth, node
                if worth > best_worth + 1e-9:
                    best_worth, best = worth, node
                assert node.first is not None
                if node.first not in lines or worth > lines[node.first][0] + 1e-9:
                    lines[node.first] = worth, node.active
            found: list[Node] = []
            seen = set()
            for node in nodes:
                for after in self.follow(node):
                    if after.active not in seen:
                        seen.add(after.active)
                        found.append(after)
            nodes = sorted(found, key=self.rank, reverse=True)[:width]
        least = min([worth for worth, _ in lines.values()], default=0.0)
        for node in first:  # not followed: at least what the step alone brings
            if node.first is not None and node.first not in lines:
                lines[node.first] = min(least, node.worth), node.active
        ranked = sorted([(move, worth - root.worth, active) for move, (worth, active) in lines.items()], key=lambda line: -line[1])
        best_ends = sorted(ends.values(), key=itemgetter(0), reverse=True)[:kept]
        whole = tuple([(node.first, worth - root.worth, node.active) for worth, node in best_ends if node.first is not None])
        return Plan(best_worth - root.worth, best.first, self.map_after(best.active), tuple(ranked), self.map_after, whole)

    def icons(self, active: int) -> float:
        """Return what monuments for the icons of some active armies bring."""
        return self.icons_worth(icons_in(active))

    def icons_worth(self, icons: int) -> float:
        found = self.icon_worths.get(icons)
        if found is None:
            found = self.icon_worths[icons] = icons_worth(self.outlook, icons, self.ratio, self.extra)
        return found

    def place(self, node: Node) -> int:
        assert node.first is not None
        return node.first.province

    def rank(self, node: Node) -> float:
        """Return how promising a plan is: its worth, what its armies can still do, the best province that it opens up."""
        if node.armies < 1:
            return node.worth
        edge, ahead = node.near & ~node.active, 0.0
        for worth, bit in self.ahead:
            if edge & bit:
                ahead = max(0.0, worth)
                break
        return node.worth + self.spared * node.armies + self.weights.ahead * ahead

    def guess(self, province: int) -> float:
        """Return the rough gain of a province that the first step does not reach: its tile and what is there."""
        tile = self.outlook.tiles[REGION_OF[province]]
        state = self.state
        points = 2 * (state.capitals >> province & 1) + (state.cities >> province & 1) + (state.monuments >> province & 1)
        return float(tile[0] if tile else 0) + points + 0.5 * float(ICONS[province])

    def follow(self, node: Node) -> list[Node]:
        """Return the plans extended by one province."""
        if node.armies < 0.5:
            return []
        active = node.active
        if node.first is None:
            land, fleet = reach.targets(self.state)
        else:
            land, fleet = node.near, 0
            for coasts, is_fleet in self.chains:
                if coasts & active:
                    if is_fleet:
                        fleet |= coasts
                    else:
                        land |= coasts
            land, fleet = land & ~active, fleet & ~active
        found = []
        for province in provinces_in(land | fleet):
            self.steps -= 1
            if self.steps < 0:
                break
            found.append(self.taken(node, province, not land >> province & 1))
        return found

    def taken(self, node: Node, province: int, by_fleet: bool) -> Node:
        """Return the plan that takes another province, at its average cost."""
        bit = 1 << province
        first = node.first or CONQUESTS[by_fleet][province]
        active, near, icons = node.active | bit, node.near | LAND[province], node.icons
        gain = self.gain(node.active, province)
        if ICONS[province]:
            icons += ICONS[province]
            gain += self.icons_worth(icons) - self.icons_worth(node.icons)
        if not self.held & bit:
            return Node(active, near, node.armies - 1, node.tokens, node.worth + gain, icons, first)
        cost, pieces = self.cost(province, by_fleet)
        pieces = min(node.tokens, pieces)
        cost -= pieces
        if cost <= node.armies:
            return Node(active, near, node.armies - cost, node.tokens - pieces, node.worth + gain, icons, first)
        # too few armies on average: the last ones try, and the plan ends there
        chance = self.siege(province, by_fleet).taken(0, max(0, round(node.armies) - 1), round(node.tokens))
        return Node(active, near, 0.0, 0.0, node.worth + gain * chance, icons, first)

    def cost(self, province: int, by_fleet: bool) -> tuple[float, float]:
        """Return how many armies a rival's province costs on average, without siege tokens, and how many of them could be tokens."""
        found = self.costs.get((province, by_fleet))
        if found is None:
            siege = self.siege(province, by_fleet)
            cost = 1 + siege.armies[0]
            if self.is_saved:
                cost -= 0.7 * siege.odds[0][1]
            if self.is_gaining:
                cost -= 0.6 * siege.odds[0][0]
            found = self.costs[province, by_fleet] = cost, siege.pieces[0]
        return found

    def gain(self, active: int, province: int) -> float:
        """Return what a province brings on the map, with points for what is ruined, given what the active armies hold already."""
        active &= REGION_MASKS[REGION_OF[province]]
        found = self.gains.get((province, active))
        if found is None:
            before = self.map_after(active | self.state.active_armies)
            after, plunder = self.occupied(before, province)
            found = self.gains[province, active] = self.change(before, after, province) + self.outlook.now * plunder
        return found

    def plundered(self, active: int) -> float:
        """Return the points for what active armies have ruined beyond those that stand now."""
        if self.is_sparing:
            return 0.0
        taken = active & ~self.state.active_armies & self.held
        each = self.plunder + self.ruin_plunder
        found = each * (taken & (self.start.capitals | self.start.cities | self.start.monuments)).bit_count()
        return float(found + self.capital_plunder * (taken & self.start.capitals).bit_count())

    def map_after(self, active: int) -> Map:
        """Return the map after the active armies have taken some provinces, each with what stood there ruined one step."""
        armies, capitals, cities, monuments, forts, held = self.start
        new = active & ~held
        if not new:
            return self.start
        rows = [mask & ~new for mask in armies]
        rows[self.seat] = armies[self.seat] | new
        taken = 0 if self.is_sparing else new & self.held
        return Map(
            tuple(rows),
            capitals & ~taken,
            cities & ~(taken & ~capitals) | capitals & taken,
            monuments & ~(taken & ~capitals & ~cities),
            forts & ~taken,
            active,
        )

    def occupied(self, standing: Map, province: int) -> tuple[Map, float]:
        """Return the map after a province has been taken, and the points for what is ruined."""
        bit = 1 << province
        armies, capitals, cities, monuments, forts, active = standing
        rows = [mask & ~bit for mask in armies]
        rows[self.seat] |= bit
        plunder = 0.0
        if self.held & bit and not self.is_sparing:
            forts &= ~bit
            plunder = float(self.plunder + self.ruin_plunder)
            if capitals & bit:
                capitals, cities, plunder = capitals & ~bit, cities | bit, plunder + self.capital_plunder
            elif cities & bit:
                cities &= ~bit
            elif monuments & bit:
                monuments &= ~bit
            else:
                plunder = 0.0
        return Map(tuple(rows), capitals, cities, monuments, forts, active | bit), plunder

    def change(self, before: Map, after: Map, province: int) -> float:
        """Return what a change in one province is worth."""
        outlook, region = self.outlook, REGION_OF[province]
        new, old = outlook.region(region, after.armies, after.forts), outlook.region(region, before.armies, before.forts)
        gain = outlook.total(new) - outlook.total(old)
        if (before.capitals | before.cities | before.monuments) >> province & 1:
            gain += outlook.total(outlook.structures(after, province)) - outlook.total(outlook.structures(before, province))
        return gain


def worth_of(state: State, outlook: Outlook, width: int = NARROW) -> float:
    """Return what a position during conquest is worth: the map, the icons and the best plan from there."""
    planner = Planner(state, outlook)
    standing = map_of(state)
    return (
        outlook.value(standing)
        + planner.icons(standing.active)
        + planner.plan(width).worth
        + outlook.now * (state.plunder_due + state.plunder)
    )


class SiegeLine:
    """A current siege: what it is worth to go on with it, by the odds of every battle to come (siege-1)."""

    def __init__(self, state: State, outlook: Outlook) -> None:
        self.state = state
        self.outlook = outlook
        self.siege = siege_for(state, state.target, state.by_fleet)
        self.worths: dict[tuple[str, int, int], float] = {}
        planner = Planner(state, outlook)
        held, self.plunder = planner.occupied(map_of(state), state.target)
        rows = list(held.armies)
        rows[state.active] &= ~(1 << state.target)
        empty = held._replace(armies=tuple(rows), active=state.active_armies)
        self.maps = {"held": held, "empty": empty, "lost": map_of(state)}

    def worth(self, how: str, armies: int, tokens: int) -> float:
        """Return what the rest of the conquest is worth after the siege has ended in one of three ways."""
        key = (how, armies, tokens)
        found = self.worths.get(key)
        if found is None:
            new, standing = self.state.copy(), self.maps[how]
            new.armies = list(standing.armies)
            new.capitals, new.cities, new.monuments, new.forts = standing.capitals, standing.cities, standing.monuments, standing.forts
            new.active_armies, new.card_armies, new.tokens = standing.active, armies, tokens
            new.is_invading = False
            found = self.worths[key] = worth_of(new, self.outlook) + (self.outlook.now * self.plunder if how != "lost" else 0.0)
        return found

    def going_on(self, catapult: int, armies: int, tokens: int) -> float:
        """Return what it is worth to put another piece on the catapult, tokens first."""
        armies, tokens = (armies, tokens - 1) if tokens else (armies - 1, 0)
        won, tied, lost = self.siege.odds[min(catapult + 1, SIEGE_MOST)]
        worth = won * self.worth("held", armies, tokens) + tied * self.worth("empty", armies, tokens)
        after = self.worth("lost", armies, tokens)
        if (armies or tokens) and catapult < 2 * SIEGE_MOST:
            after = max(after, self.going_on(catapult + 1, armies, tokens))
        return worth + lost * after

    def retreat(self) -> float:
        """Return what it is worth to break off the siege."""
        return self.worth("lost", self.state.card_armies, self.state.tokens)
