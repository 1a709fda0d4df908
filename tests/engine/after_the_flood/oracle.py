"""A slow, plain version of the rules: works out the legal actions from only the JSON of a position and the board data.

It uses nothing from the engine, so a fault would have to be made twice to go unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from tests.engine.after_the_flood.builders import data

BOARD = data("board")
AREAS = {area["id"]: area for area in BOARD["areas"]}
SUMER = [name for name, area in AREAS.items() if area["city_allowed"]]
OUTSIDE = [name for name, area in AREAS.items() if area["workers_allowed"]]
BOXES = ["irrigation", "weaving", "scribes", "tool_makers"]
GOODS = {row["id"]: row for row in BOARD["resources"]}
PRICES = {row["get"]: row["give_one_of"] for row in BOARD["tables"]["trade"]["rows"]}
LUXURIES = ["tool", "oil", "gold", "lapis"]
SEATS = (0, 1, 2)


def legal_texts(position: dict[str, Any]) -> set[str]:
    """Return the texts of all legal actions of the active seat."""
    return set(Oracle(position).texts())


class Oracle:
    """One position, from its active seat's side."""

    def __init__(self, position: dict[str, Any]) -> None:
        self.p = position
        self.me = position["active"]
        self.goods = position["goods"][self.me]
        self.workers = position["workers"][self.me]
        self.armies = position["armies"][self.me]
        self.cities = position["cities"][self.me]
        self.available = position["available"][self.me]
        self.free_armies = position["armies_available"][self.me]
        self.doing = position["doing"]
        self.empire = position["empires"][self.me]

    def texts(self) -> Iterator[str]:
        """Yield what is legal in this phase."""
        yield from getattr(self, self.p["phase"])()

    # facts

    def stock(self, good: str) -> int:
        return GOODS[good]["pieces"] - sum(seat.get(good, 0) for box in ("goods", "equipment", "bids") for seat in self.p[box])

    def army_of_others(self, area: str) -> bool:
        return any(area in self.p["armies"][seat] for seat in SEATS if seat != self.me)

    def usable_scribes(self) -> int:
        return self.doing.get("usable", self.workers.get("scribes", 0))

    def reserve_armies(self) -> int:
        return 20 - self.free_armies - sum(self.armies.values())

    # phases

    def paying(self) -> Iterator[str]:
        yield "pass"
        for good in self.goods:
            if self.could_act(goods=good):
                yield f"pay {good}"
        if self.available and self.could_act(worker=1):
            yield "pay worker"
        if self.free_armies and self.could_act(army=1):
            yield "pay army"

    def could_act(self, goods: str = "", worker: int = 0, army: int = 0) -> bool:
        after = dict(self.p) | {"doing": {**self.doing, "paid": True}}
        mine = {name: count - (name == goods) for name, count in self.goods.items()}
        after["goods"] = [
            {name: count for name, count in mine.items() if count} if seat == self.me else self.p["goods"][seat] for seat in SEATS
        ]
        after["available"] = [count - worker * (seat == self.me) for seat, count in enumerate(self.p["available"])]
        after["armies_available"] = [count - army * (seat == self.me) for seat, count in enumerate(self.p["armies_available"])]
        return any(True for _ in Oracle(after).action())

    def action(self) -> Iterator[str]:
        yield from self.building()
        yield from self.placing(done=False)
        yield from self.trading(done=False)
        yield from self.founding()
        yield from self.expanding(cost=0)
        if not self.doing.get("paid"):
            yield "pass"

    def building(self) -> Iterator[str]:
        taken = {area for cities in self.p["cities"] for area in cities}
        free = [area for area in SUMER if area not in taken and not self.army_of_others(area)]
        for area in free:
            if len(self.cities) < 4:
                yield f"build {area}"
            else:
                yield from (f"relocate {old} {area}" for old in self.cities)

    def placing(self, done: bool = True) -> Iterator[str]:
        if done:
            yield "done"
        scribes = self.workers.get("scribes", 0) + self.workers.get("used_scribes", 0)
        if not self.doing.get("placed"):
            for good in self.goods:
                for place in OUTSIDE + BOXES:
                    for count in range(1, min(self.available, GOODS[good]["value"]) + 1):
                        if place != "scribes" or scribes + count <= 2:
                            yield f"place {good} {place} {count}"
        if self.usable_scribes():
            workers = dict(self.workers)
            workers["scribes"] -= 1
            workers["used_scribes"] = workers.get("used_scribes", 0) + 1
            sources = [place for place, count in workers.items() if count] + (["available"] if self.available else [])
            for source in sources:
                for target in [*OUTSIDE, *BOXES, "available"]:
                    if source == target or (source == "used_scribes" and target == "scribes"):
                        continue
                    if target == "scribes" and scribes >= 2:
                        continue
                    yield f"scribe {source} {target}"

    def trading(self, done: bool = True) -> Iterator[str]:
        if done:
            yield "done"
        for area in OUTSIDE:
            if self.army_of_others(area):
                continue
            traders = self.armies[area] if area in self.armies else self.workers.get(area, 0)
            made, got = self.doing.get("traded", {}).get(area, [0, []])
            has_extra = "sippar" in self.cities and not self.doing.get("extra") and traders > 0
            for get in AREAS[area]["sells"]:
                if self.stock(get) > 0 and ((made < traders and get not in got) or has_extra):
                    yield from (f"trade {area} {get} {give}" for give in PRICES[get] if give in self.goods)
        is_left = self.stock("tool") > 0 or self.p["options"]["tool_stock"] == "unlimited"
        if "metal" in self.goods and self.workers.get("tool_makers") and is_left:
            yield "tool"

    def founding(self) -> Iterator[str]:
        for empire in BOARD["turns"][self.p["turn"] - 1]["empires"]:
            if self.empire is not None or empire["name"] in self.p["empires"]:
                continue
            there = [seat.get(empire["home"], 0) for seat in self.p["workers"]]
            if not empire["needs_workers"] or (there[self.me] and there[self.me] == max(there)):
                yield f"found {empire['name']}"

    def expanding(self, cost: int = 1) -> Iterator[str]:
        if cost:
            yield "done"
        left = self.free_armies - cost
        if self.empire is None or left < 1:
            return
        if not self.armies:
            yield from (f"refound {area}" for area in SUMER) if self.empire == "sumer" else ["refound"]
            return
        reached = {area for home in self.armies for area in AREAS[home]["two_way"] + AREAS[home]["one_way_to"]}
        yield from (f"invade {area}" for area in reached if area not in self.armies)
        yield from (f"reinforce {area}" for area, count in self.armies.items() if count == 1)
        for seat in SEATS:
            cities = self.p["cities"][seat]
            price = 3 if "shuruppak" in cities and len(cities) > 1 else 2
            if seat != self.me and left >= price:
                yield from (f"destroy {area}" for area in cities if area in self.armies)

    def mustering(self) -> Iterator[str]:
        if self.reserve_armies():
            yield from (f"recruit {good}" for good in self.goods if GOODS[good]["armies_per_unit"])
        yield from self.equipping()

    def equipping(self) -> Iterator[str]:
        yield "ready"
        yield from (f"equip {good}" for good in self.goods)

    def homing(self) -> Iterator[str]:
        yield from (f"home {area}" for area in SUMER)

    def garrisoning(self) -> Iterator[str]:
        yield from ("garrison 1", "garrison 2")[: self.free_armies]

    def attacking(self) -> Iterator[str]:
        yield from ("attack", "stop")

    def bidding(self) -> Iterator[str]:
        yield "done"
        yield from (f"bid {good}" for good in self.goods)

    def growing(self) -> Iterator[str]:
        yield "done"
        if self.goods.get("wood", 0) < 2:
            return
        held = [good for good in LUXURIES if good in self.goods]
        for area in self.cities:
            if area not in self.p["grown"]:
                for size in range(len(held) + 1):
                    yield from (" ".join(["grow", area, *chosen]) for chosen in combinations(held, size))
