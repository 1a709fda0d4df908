"""A second History of the World, slow and plain, to compare the engine with. It imports nothing from it.

Written from the rule book, using only the JSON of a position and the data files: names in sets, walks from zone to zone, one card at a
time.

    oracle = Oracle(3)
    oracle.see(before, actor, text, after, keys)  # after each action; `keys` of the events; AssertionError if the two disagree
    oracle.scores, conquests(position)            # to compare with
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import games.history_of_the_world

DATA = Path(games.history_of_the_world.__file__).parent / "data"
Json = dict[str, Any]


def _load(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


BOARD = _load("board")
PROVINCES = {row["id"]: row for row in BOARD["provinces"]}
REGIONS = [(row["id"], set(row["provinces"])) for row in BOARD["regions"]]
ZONES = {row["id"]: row for row in BOARD["zones"]}
EMPIRES = {row["id"]: row for row in _load("empires")["empires"]}
EVENTS = {row["id"]: row for row in _load("events")["events"]}
TILES = _load("region_tiles")["tiles"]
PIECES = {"monuments": 20, "forts": 14}
IN_BATTLE = ("rolling", "reroll", "rerolling")


def effects(p: Json, name: str) -> list[Json]:
    """Return the effects of one kind from the active empire's ability and this turn's improvements; none while a kingdom acts."""
    if p["turn"].get("kingdom"):
        return []
    cards = [EVENTS[card] for card in p["turn"].get("events", ())]
    if not p["turn"].get("forgone"):
        cards.append(EMPIRES[p["empires"][p["active"]]])
    return [card["effect_params"] for card in cards if card["effect"] == name]


def owner(p: Json, province: str) -> int | None:
    """Return whose army is in a province."""
    return next((seat for seat, held in enumerate(p["armies"]) if province in held), None)


# Points


def tile_of(region: str, epoch: int) -> Json | None:
    """Return the newest tile of a region so far, if there is one."""
    come = [tile for tile in TILES if tile["region"] == region and tile["epoch"] <= epoch]
    return max(come, key=lambda tile: tile["epoch"]) if come else None


def region_points(p: Json, seat: int, region: str, provinces: set[str]) -> int:
    """Return the points for a seat's armies in a region."""
    tile = tile_of(region, p["epoch"])
    counts = [len(provinces & set(held)) for held in p["armies"]]
    others = counts[:seat] + counts[seat + 1 :]
    if tile is None or counts[seat] == 0:
        return 0
    if counts[seat] >= 3 and sum(others) == 0:
        return int(tile["control"])
    if counts[seat] >= 2 and all(counts[seat] > other for other in others):
        return int(tile["dominance"])
    return int(tile["presence"])


def turn_points(p: Json) -> int:
    """Return the points at the end of the active seat's turn; points for ruins were scored before."""
    seat = p["active"]
    held = p["armies"][seat]
    points = sum(region_points(p, seat, region, provinces) for region, provinces in REGIONS)
    points += sum(2 * (name in p["capitals"]) + (name in p["cities"]) + (name in p["monuments"]) for name in held)
    icons = sum(PROVINCES[name]["resource_icons"] for name in p["active_armies"])
    for params in effects(p, "points_for_icons"):
        points += min(icons // params["per"], params["max"])
    return points


# Where armies can go


def conquests(p: Json) -> set[str]:
    """Return the texts of all conquests and forts that the card of the active seat allows."""
    if not p["turn"].get("card"):
        return set()
    mine = set(p["active_armies"])
    by_land = {other for name in mine for other in (*PROVINCES[name]["land"], *PROVINCES[name]["fords"])}
    by_fleet: set[str] = set()
    discs = set(p["turn"].get("zones", ()))
    for name in list(discs):
        if ZONES[name]["kind"] == "ocean":
            discs |= {zone for zone in ZONES[name]["links"] if ZONES[zone]["kind"] == "sea"}
    edge = [(zone, is_water(zone)) for zone in discs if mine & set(ZONES[zone]["borders"])]
    seen = set(edge)
    while edge:
        zone, has_fleet = edge.pop()
        (by_fleet if has_fleet else by_land).update(ZONES[zone]["borders"])
        for other in set(ZONES[zone]["links"]) & discs:
            step = (other, has_fleet or is_water(other))
            if step not in seen:
                seen.add(step)
                edge.append(step)
    if base := p["turn"].get("raid"):
        beside = {*PROVINCES[base]["land"], *PROVINCES[base]["fords"]}
        by_land |= {name for name in beside if owner(p, name) not in (None, p["active"])}
    texts = {f"conquer {name} land" for name in by_land - mine} | {f"conquer {name} fleet" for name in by_fleet - mine}
    if len(p["forts"]) < PIECES["forts"]:
        texts |= {f"fort {name}" for name in mine - set(p["forts"])}
    return texts


def is_water(zone: str) -> bool:
    """Return whether a zone takes a fleet."""
    return ZONES[zone]["kind"] in ("sea", "ocean")


def monument_places(p: Json) -> set[str]:
    """Return where the next monument may go."""
    free = [name for name in p["active_armies"] if name not in p["monuments"]]
    classes = (
        {name for name in free if name in p["capitals"]},
        {name for name in free if name in p["cities"]},
        {name for name in free if PROVINCES[name]["resource_icons"]},
    )
    return next((places for places in classes if places), set()) if len(p["monuments"]) < PIECES["monuments"] else set()


# Battles


def strengths(p: Json, dice: list[int]) -> tuple[int, int]:
    """Return the values to compare."""
    battle, province = p["battle"], PROVINCES[p["battle"]["target"]]
    is_rough = province["terrain"] != "none"
    attack, defence = max(dice[:2]), max(dice[2:])
    for params in effects(p, "battle_bonus"):
        only = params.get("only")
        if only is None or (only == "no_terrain" and not is_rough) or only == f"region:{province['region']}":
            attack += params["bonus"]
    if battle.get("catapult"):
        attack += min(3, battle["catapult"]) + sum(params["bonus"] for params in effects(p, "siege_bonus"))
    if is_rough and not any("terrain" in params["kinds"] for params in effects(p, "ignore_defence")):
        defence += 1
    return attack, defence


def has_sea_reroll(p: Json) -> bool:
    """Return whether the defender may roll a die again."""
    return bool(p["battle"].get("fleet")) and not any("sea" in params["kinds"] for params in effects(p, "ignore_defence"))


class Oracle:
    """One game, followed from its start: points, whose turn it is, outcomes of battles."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.scores = [0] * seats
        self.due = 0  # points for ruins not yet moved on the track
        self.ruins = 0  # structures ruined this turn
        self.ranks: list[int] = []
        self.taken = [0, 0]  # events and empires in this epoch's draft
        self.called: list[int] = []  # seats that have started their turn in this epoch

    def see(self, before: Json, actor: int, text: str, after: Json, keys: list[str]) -> None:
        """Follow one action."""
        verb, *words = text.split()
        if verb == "order":
            for space, seat in enumerate(words, 1):
                self.scores[int(seat)] = space
        if verb == "deal":
            self.ranks = sorted(range(self.seats), key=lambda seat: self.scores[seat], reverse=True)
            self.taken, self.called = [0, 0], []
        if verb == "take":
            assert actor in self.drafters()
            self.taken[words[0] in EMPIRES] += 1
        if verb in ("roll", "again", "pass") and after["phase"] not in IN_BATTLE:
            self.see_battle(before, verb, words, after, keys)
        if verb == "score":
            self.scores[before["active"]] += turn_points(before)
        if verb in ("up", "down"):
            self.move(before["active"], 1 if verb == "up" else -1)
        self.see_marker(before, verb, after)
        self.see_turn(before, after)
        if after["phase"] == "monument":
            assert len(monument_places(after)) > 1

    # Markers

    def move(self, seat: int, way: int) -> None:
        """Move the marker point by point until its space is free."""
        while self.scores.count(self.scores[seat]) > 1:
            self.scores[seat] += way
        assert self.scores[seat] >= 1

    def see_marker(self, before: Json, verb: str, after: Json) -> None:
        """Score the points for ruins once the army has moved in; a shared space needs a question, unless the only way is up."""
        if self.due and after["phase"] not in ("won", "ruining"):
            self.scores[before["active"]] += self.due
            self.due = 0
        seat = before["active"]
        is_shared = len(set(self.scores)) < self.seats and after["epoch"] > 0
        assert is_shared <= (seat is not None)
        if is_shared and after["phase"] != "collision":
            below = set(range(1, self.scores[seat])) - set(self.scores)
            assert not below, "there was a free space below"
            self.move(seat, 1)
        assert (after["phase"] == "collision") <= is_shared

    # Turns

    def see_turn(self, before: Json, after: Json) -> None:
        """Empires come in the order of their cards, each seat once."""
        seat = after["active"]
        if seat is None or seat == before["active"]:
            return
        self.ruins = 0
        waiting = [other for other in range(self.seats) if other not in self.called]
        assert seat == min(waiting, key=lambda other: EMPIRES[after["empires"][other]]["order"])
        self.called.append(seat)

    def drafters(self) -> set[int]:
        """Return who chooses now: events go down the ranking, empires up, and both piles move together."""
        events, empires = self.taken
        step = min(events, empires)
        found = set()
        if events == step:
            found.add(self.ranks[step])
        if empires == step:
            found.add(self.ranks[-1 - step])
        return found

    # Battles

    def see_battle(self, before: Json, verb: str, words: list[str], after: Json, keys: list[str]) -> None:
        """Compare the last dice of a battle, and check what became of the province."""
        battle, seat = before["battle"], before["active"]
        name = battle["target"]
        rival = owner(before, name)
        assert rival is not None
        dice = list(battle.get("dice", ()))
        rerolls = battle.get("defence_rerolls", 0)
        if verb == "roll":
            dice = [int(die) for die in words]
            rerolls = int(has_sea_reroll(before))
        if verb == "again":
            own = slice(2, None) if battle.get("attacker") else slice(0, 2)
            side = sorted(dice[own])
            side[0] = int(words[0])
            dice[own] = side
            rerolls -= bool(battle.get("attacker"))
        attack, defence = strengths(before, dice)
        is_won = attack > defence or (attack == defence and bool(effects(before, "win_ties")))
        is_tied = attack == defence and not is_won
        guard = before["guards"][rival]
        if rerolls:
            assert not (is_won and guard in ("losing", "tied")), "the defender would have rolled again"
            assert not (is_tied and guard == "tied"), "the defender would have rolled again"
        if "kingdom_ended" in keys:  # the empire may have been founded already, perhaps right here
            return
        if not (is_won or is_tied):
            assert name in after["armies"][rival]
            has_more = before["turn"].get("card", 0) + before["turn"].get("tokens", 0)
            assert (after["phase"] == "siege") == bool(has_more)
            return
        assert name not in after["armies"][rival]
        if after["phase"] not in ("won", "ruining"):
            assert (name in after["armies"][seat]) == is_won
        if after["phase"] == "ruining":
            return
        ruined = next((kind for kind in ("capitals", "cities", "monuments") if name in before[kind]), None)
        assert (name in after["capitals"]) is False
        assert (name in after["cities"]) == (ruined == "capitals")
        assert name not in after["forts"] or "fort_built" in keys
        if ruined is not None:
            self.due += self.plunder(before, ruined)
            self.ruins += 1

    def plunder(self, p: Json, ruined: str) -> int:
        """Return the points for a structure ruined in a battle."""
        points = 0
        if not p["turn"].get("kingdom"):
            points += bool(EMPIRES[p["empires"][p["active"]]]["marauder"])
        if ruined == "capitals":
            points += sum(params["points"] for params in effects(p, "point_on_capital_ruin"))
        return points + sum(params["points"] for params in effects(p, "point_on_ruin") if self.ruins < params["max_per_turn"])
