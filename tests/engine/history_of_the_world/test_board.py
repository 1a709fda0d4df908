"""The board and the cards against the checks of the data: reach, regions, counts, tiles (history_of_the_world#components, #reach, #tiles)."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from games.history_of_the_world import components as box
from games.history_of_the_world.reach import reach
from tests.engine.history_of_the_world.builders import data_of, game

FOLDER = Path(games.__file__).parent / "history_of_the_world"

CHECKS = {check["id"]: check for check in box.load("checks")["checks"]}


def names(mask):
    return {box.PROVINCES[index] for index in range(len(box.PROVINCES)) if mask >> index & 1}


@pytest.mark.rule(
    "history_of_the_world#reach-1", "history_of_the_world#reach-2", "history_of_the_world#reach-3", "history_of_the_world#corrections-5"
)
@pytest.mark.parametrize("check", [check for check in CHECKS.values() if check["kind"] == "reach"], ids=lambda check: check["id"])
def test_fleets_and_caravans_reach_exactly_what_the_examples_say(check):
    start = box.mask_of([check["start"]])
    plain, _ = reach(start, 0)
    land, fleet = reach(start, box.zone_mask([*check["fleets"], *check["caravans"]]))
    borders = 0
    for zone in [*check["fleets"], *check["caravans"]]:
        borders |= box.BORDERS[box.ZONE_OF[zone]]
    assert names(fleet if check["fleets"] else land & ~plain | land & borders) == set(check["exactly"])


@pytest.mark.rule("history_of_the_world#components-5", "history_of_the_world#components-3")
def test_map_and_box_have_the_numbers_of_the_rule_book():
    for check in CHECKS.values():
        if check["kind"] == "region":
            assert names(box.REGION_MASKS[box.REGIONS.index(check["region"])]) == set(check["exactly"])
    counts = CHECKS["counts"]
    assert (len(box.EMPIRES), len(box.EVENTS)) == (counts["empires"], counts["events"])
    assert all(len(cards) == counts["per_epoch"] for cards in (*box.EMPIRES_BY_EPOCH[1:], *box.EVENTS_BY_EPOCH[1:]))
    assert (
        counts["armies_per_player"], counts["capital_city"], counts["monuments"], counts["forts"],
    ) == (box.ARMIES, box.CITY_PIECES, box.MONUMENTS, box.FORTS)  # fmt: skip
    assert len(box.PROVINCES) == 64
    assert len(box.REGIONS) == 13
    assert len(box.ZONES) == 19
    for one in range(64):
        for two in range(64):
            assert box.LAND[one] >> two & 1 == box.LAND[two] >> one & 1
    for empires in box.EMPIRES_BY_EPOCH[1:]:
        assert [box.EMPIRES[empire].order for empire in empires] == list(range(1, 9))


@pytest.mark.rule("history_of_the_world#tiles-1", "history_of_the_world#tiles-2", "history_of_the_world#tiles-3")
def test_tiles_are_in_force_without_gaps_and_the_first_epoch_has_five():
    first = {box.REGIONS[region] for region, tile in enumerate(box.TILES[1]) if tile}
    assert first == set(CHECKS["epoch_one_tiles"]["regions"])
    for region in range(len(box.REGIONS)):
        valid = [bool(box.TILES[epoch][region]) for epoch in range(1, 6)]
        assert valid == sorted(valid), "a region that has a tile keeps one"
    assert all(box.TILES[5])


@pytest.mark.rule("history_of_the_world#reach-5")
def test_northern_lakes_and_siberia_are_not_linked():
    lakes, siberia = box.ZONE_OF["northern_lakes"], box.ZONE_OF["siberia"]
    assert not box.LINKS[lakes] >> siberia & 1
    land, fleet = reach(box.mask_of(["great_lakes"]), box.zone_mask(["northern_lakes", "siberia"]))
    assert "volga" not in names(land | fleet)


@pytest.mark.rule("history_of_the_world#reach-2")
def test_chains_run_over_oceans_and_their_seas():
    land, fleet = reach(box.mask_of(["lusitania"]), box.zone_mask(["atlantic_ocean", "indian_ocean", "pacific_asian"]))
    assert {"australia", "honshu", "brazil", "indus", "britannia"} <= names(fleet)
    assert names(land) == names(box.LAND[box.PROVINCE_OF["lusitania"]])


def test_every_start_and_effect_is_known():
    effects = {empire.effect for empire in box.EMPIRES} | {event.effect for event in box.EVENTS if event.realm is None}
    code = "".join([(FOLDER / f"{module}.py").read_text() for module in ("battles", "improvements", "scoring", "turns")])
    special = {"none", "chain_raid", "double_start", "optional_ruin"}
    assert {effect for effect in effects - special if f'"{effect}"' not in code} == set()
    assert box.EMPIRES[box.EMPIRE_OF["mesoamericans"]].starts == (box.PROVINCE_OF["andes"], box.PROVINCE_OF["sierra_madre"])
    assert data_of(game.setup(6, {}))["phase"] == "start"


@pytest.mark.rule("history_of_the_world#map-18")
def test_the_bay_of_bengal_is_closed_and_the_black_sea_is_part_of_the_mediterranean():
    _, fleet = reach(box.mask_of(["arabian_peninsula"]), box.zone_mask(["indian_ocean", "bay_of_bengal"]))
    assert "ghats" in names(fleet), "a shore of the ocean"
    assert not {"bengal", "irrawaddy", "malaya"} & names(fleet)
    _, fleet = reach(box.mask_of(["crete"]), box.zone_mask(["mediterranean_sea"]))
    assert {"caucasus", "eurasian_steppe"} <= names(fleet)
    _, fleet = reach(box.mask_of(["yangtze"]), box.zone_mask(["sea_of_japan"]))
    assert {"yellow_river", "chekiang", "manchuria", "kyushu"} <= names(fleet), "the East China and Yellow Seas"
    assert names(box.BORDERS[box.ZONE_OF["northern_lakes"]]) == {"great_lakes", "great_plains", "pacific_coast"}
    assert names(box.REGION_MASKS[box.REGIONS.index("australia")]) == {"australia"}


@pytest.mark.rule("history_of_the_world#map-20")
def test_the_map_has_what_the_worked_turn_tells():
    at = box.PROVINCE_OF
    assert {"zagros", "levant"} <= names(box.LAND[at["mesopotamia"]])
    assert "nile" in names(box.LAND[at["levant"]])
    assert [box.ICONS[at[name]] for name in ("zagros", "levant", "mesopotamia", "nile")] == [1, 1, 0, 0]
    assert [box.TERRAIN[at[name]] for name in ("levant", "nile")] == ["none", "none"]
