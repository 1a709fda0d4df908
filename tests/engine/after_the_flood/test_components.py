"""The box against the board data: areas, neighbours, goods, tables, empires (after_the_flood#components)."""

from __future__ import annotations

import pytest

from games.after_the_flood import components as box
from tests.engine.after_the_flood.builders import data

BOARD = data("board")
TABLES = BOARD["tables"]


@pytest.mark.rule("after_the_flood#components-3", "after_the_flood#cities-9")
def test_areas_neighbours_goods_and_end_points_are_those_of_the_board():
    assert {area["id"] for area in BOARD["areas"]} == set(box.AREAS)
    for area in BOARD["areas"]:
        index = box.AREA_OF[area["id"]]
        found = {name for name in box.AREAS if box.NEIGHBOURS[index] >> box.AREA_OF[name] & 1}
        assert found == set(area["two_way"]) | set(area["one_way_to"]), area["id"]
        assert (area["id"] in box.SUMER) == area["city_allowed"] == (not area["workers_allowed"])
        is_entered = any(mask >> index & 1 for mask in box.NEIGHBOURS)
        assert is_entered == area["invadable"], area["id"]
        if area["workers_allowed"]:
            place = box.PLACE_OF[area["id"]]
            assert [box.GOODS[good] for good in box.SOLD[place]] == area["sells"]
            assert box.END_POINTS.get(place, 0) == area["end_vp"]


@pytest.mark.rule("after_the_flood#components-2", "after_the_flood#setup-3", "after_the_flood#found-6", "after_the_flood#corrections-11")
def test_goods_have_their_values_pieces_and_first_counts():
    for good, row in enumerate(BOARD["resources"]):
        assert row["id"] == box.GOODS[good]
        assert (row["value"], row["pieces"]) == (box.VALUES[good], box.PIECES[good])
        assert row["start_per_player"] == box.FIRST_GOODS[good]
        assert row["armies_per_unit"] == box.RECRUITS.get(good, 0)
        assert row["luxury"] == (good in box.LUXURIES)
        assert row["stock_after_setup"] == box.PIECES[good] - 3 * box.FIRST_GOODS[good]
    assert sum(box.PIECES) == 94


@pytest.mark.rule("after_the_flood#components-4", "after_the_flood#components-5", "after_the_flood#growth-2", "after_the_flood#trade-3")
def test_tables_and_boxes_are_those_of_the_board():
    prices = {row["get"]: set(row["give_one_of"]) for row in TABLES["trade"]["rows"]}
    assert {box.GOODS[get]: {box.GOODS[give] for give in gives} for get, gives in box.PRICES.items()} == prices
    assert tuple(row["vp"] for row in TABLES["city_growth"]["rows"]) == box.GROWTH_POINTS
    for row in TABLES["production"]["rows"]:
        ranks = [rank - 1 for rank in row["positions"]]
        if set(ranks) == {0}:
            assert row["grain"] == [box.GRAIN_ALL_EQUAL] * 3
        else:
            assert row["grain"] == [box.GRAIN_BY_RANK[rank] for rank in ranks]
        assert row["textile"] == [box.TEXTILES_BY_RANK[rank] for rank in ranks]
    for row in BOARD["worker_boxes"]:
        assert box.END_POINTS.get(box.PLACE_OF[row["id"]], 0) == row["end_vp"]
    assert sum(box.END_POINTS.values()) == 37


@pytest.mark.rule(
    "after_the_flood#found-1",
    "after_the_flood#decline-1",
    "after_the_flood#found-16",
    "after_the_flood#found-14",
    "after_the_flood#corrections-4",
)
def test_the_empires_of_each_turn_are_those_of_the_table():
    for row, empires, year in zip(BOARD["turns"], box.EMPIRES, box.YEARS, strict=True):
        found = [(name, None if home == box.SUMER_EMPIRE else box.AREAS[home], armies) for name, home, armies in empires]
        assert found == [(empire["name"], empire["home"], empire["armies"]) for empire in row["empires"]]
        assert row["decline"] == (row["turn"] in box.DECLINE_TURNS)
        assert row["date_label"] == f"{year} BC"
    assert [sum(armies for _, _, armies in empires) for empires in box.EMPIRES] == [21, 20, 18, 30, 28]


@pytest.mark.rule("after_the_flood#components-1")
def test_the_numbers_of_the_rules_are_those_of_the_board():
    combat, empire, destruction = TABLES["combat"], TABLES["empire_vp"], TABLES["city_destruction"]
    assert (combat["superior_attacker_needs"], combat["inferior_attacker_needs"]) == (box.NEED_SUPERIOR, box.NEED_INFERIOR)
    assert combat["max_armies_per_area_per_player"] == box.ARMY_LIMIT
    assert (empire["per_area"], empire["nippur_bonus_per_sumer_area"]) == (box.AREA_POINTS, box.NIPPUR_POINTS)
    assert (destruction["armies"], destruction["with_shuruppak"]) == (box.DESTROY_COST, box.DESTROY_COST + box.SHURUPPAK_EXTRA)
    assert destruction["shuruppak_needs_cities_on_board"] == box.SHURUPPAK_CITIES
    assert TABLES["decline"]["production_boxes_leader_keeps"] == box.DECLINE_KEPT
    assert tuple(TABLES["decline"]["turns"]) == box.DECLINE_TURNS
    assert TABLES["workers"]["per_player"] == box.WORKERS
    assert TABLES["workers"]["income_per_turn"] == box.WORKERS_A_TURN
    assert TABLES["workers"]["start_available"] == box.WORKERS_AT_START
    assert TABLES["armies"]["per_player"] == box.ARMIES
    assert TABLES["armies"]["babylon_bonus"] == box.BABYLON_ARMIES
    assert TABLES["cities"]["per_player"] == box.CITIES
