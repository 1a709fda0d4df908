"""The data for drawing the board: every piece of a position on the map and in words, boxes with ranks, turns, dice, tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.after_the_flood.components import AREAS, BOXES, EMPIRES, GOODS, KINDS, PRICES, SEATS, SOLD, SUMER, SYMBOLS, VALUES
from games.after_the_flood.map_shapes import ROWS, WORKER, row
from games.after_the_flood.scene_turn import chance
from games.core.contract import CHANCE, SCORER
from tests.engine.after_the_flood.builders import act, data, game, play, position

FOLDER = Path(__file__).parents[3] / "templates/games/after_the_flood"
SPRITE = set(SYMBOLS.values())
FIGHT = {
    "turn": 3,
    "goods": ["grain 2", "textile", ""],
    "workers": ["irrigation 3 weaving scribes used_scribes amorites 2", "irrigation weaving 2 egypt 3 tool_makers", "guti 2 amorites"],
    "available": [3, 4, 5],
    "cities": ["ur", "babylon", ""],
    "grown": ["ur"],
    "armies": ["mittani 2 ur", "amorites 2", ""],
    "armies_available": [4, 3, 0],
    "empires": ["mittani", "egypt", None],
    "equipment": ["tool", "grain", ""],
    "ranking": [0, 1],
}


def scene(state, seat=0):
    return game.scene(game.view_for(state, seat))


def info(drawing, area):
    return drawing[f"info-{AREAS.index(area) + 1}"]


def holders(drawing, area):
    return {item["number"] - 1: item for item in info(drawing, area)["holders"]}


# The map


def test_the_map_draws_every_area_once_and_names_it():
    ground = (FOLDER / "ground.html").read_text()
    assert sorted(int(number) for number in re.findall(r'id="shape-(\d+)"', ground)) == list(range(1, len(AREAS) + 1))
    core = ground.partition('class="af-core"')[2].partition("</g>")[0]
    assert {int(number) for number in re.findall(r'id="shape-(\d+)"', core)} == {AREAS.index(area) + 1 for area in SUMER}
    names = (FOLDER / "names.html").read_text()
    assert sorted(re.findall(r'noun "(\w+)"', names)) == sorted(AREAS)
    assert set(ROWS) == set(AREAS)


@pytest.mark.rule("after_the_flood#trade-3", "after_the_flood#components-3")
def test_the_map_shows_a_disc_for_each_good_that_an_area_sells():
    drawn = re.findall(r'href="#(af-\w+)"', (FOLDER / "names.html").read_text())
    assert sorted(drawn) == sorted(SYMBOLS[GOODS[good]] for sold in SOLD for good in sold)


def test_pieces_of_an_area_lie_side_by_side():
    assert row((100, 50), [WORKER] * 3) == [(100 - WORKER, 50), (100, 50), (100 + WORKER, 50)]
    assert row((100, 50), []) == []
    drawing = scene(position(**FIGHT))
    spots = [(it["x"], it["y"]) for seat in drawing["pieces"] for kind in ("workers", "armies", "cities") for it in seat[kind]]
    assert len(set(spots)) == len(spots)
    for index, (x, y) in enumerate(spots):
        assert all(abs(x - other_x) + abs(y - other_y) >= WORKER - 4 for other_x, other_y in spots[:index])


@pytest.mark.rule("after_the_flood#growth-3")
def test_an_area_tells_all_that_stands_in_it():
    drawing = scene(position(**FIGHT))
    ur = holders(drawing, "ur")[0]
    assert (ur["has_city"], ur["is_grown"], ur["armies"], ur["workers"]) == (True, True, 1, 0)
    amorites = holders(drawing, "amorites")
    assert {seat: (item["workers"], item["armies"]) for seat, item in amorites.items()} == {0: (2, 0), 1: (0, 2), 2: (1, 0)}
    assert (holders(drawing, "babylon")[1]["has_city"], holders(drawing, "babylon")[1]["is_grown"]) == (True, False)
    assert holders(drawing, "nippur") == {}
    assert [item["good"] for item in info(drawing, "dilmun")["sells"]] == ["wood", "metal", "oil", "gold"]
    assert [info(drawing, area)["is_sumer"] for area in ("ur", "isin", "akkad", "dilmun")] == [True, False, False, False]


@pytest.mark.rule("after_the_flood#end-2", "after_the_flood#end-3")
def test_an_area_tells_who_would_have_its_points_at_the_end():
    drawing = scene(position(**FIGHT))
    assert (info(drawing, "egypt")["end"].params) == {"points": 4, "seat": 1}
    assert (info(drawing, "amorites")["end"].params) == {"points": 4, "seat": 0}
    assert info(drawing, "hittites")["end"].params == {"points": 3}
    assert info(drawing, "ur")["end"] is None
    assert info(drawing, "akkad")["end"] is None
    ends = [player["standing"]["majorities"] for player in drawing["players"]]
    assert ends == [4 + 3, 4 + 4, 2]  # Amorites and irrigation; Egypt and weaving; Guti


# Targets


def test_every_place_and_piece_that_an_answer_may_point_at_is_a_target():
    state = position(**FIGHT)
    own = scene(state)["targets"]
    places = {f"area-{area}" for area in AREAS} | {f"box-{box}" for box in BOXES}
    empires = {f"empire-{empire}" for empire, _, _ in EMPIRES[2]}
    assert places | empires | {"available"} | {f"good-{good}" for good in GOODS} <= set(own)
    watched = scene(state, None)["targets"]
    assert "available" not in watched
    assert not any(name.startswith("good-") for name in watched)
    assert [hit["id"] for hit in scene(state)["hits"]] == [f"area-{area}" for area in AREAS]
    assert all(own[name]["word"] == name.partition("-")[2] for name in places)


def test_only_the_own_goods_and_workers_can_be_pointed_at():
    players = scene(position(**FIGHT), 1)["players"]
    assert [all(item["target"] for item in player["goods"]) for player in players] == [False, True, False]
    assert [player["people"]["target"] is not None for player in players] == [False, True, False]


# Boxes


def cells(drawing, box, *names):
    table = next(item for item in drawing["boxes"] if item["box"] == box)
    return [tuple(line[name] for name in names) for line in table["rows"]]


@pytest.mark.rule("after_the_flood#collect-1", "after_the_flood#collect-2", "after_the_flood#collect-3", "after_the_flood#collect-5")
def test_boxes_show_workers_and_what_they_bring_next():
    drawing = scene(position(**FIGHT))
    assert cells(drawing, "irrigation", "count", "rank", "brings") == [(3, 1, 6), (1, 2, 4), (0, None, 0)]
    assert cells(drawing, "weaving", "count", "rank", "brings") == [(1, 2, 2 + 1), (2, 1, 3), (0, None, 0)]  # Ur
    assert cells(drawing, "scribes", "count", "used") == [(1, 1), (0, 0), (0, 0)]
    assert cells(drawing, "tool_makers", "count", "used") == [(0, 0), (1, 0), (0, 0)]


@pytest.mark.rule("after_the_flood#collect-4", "after_the_flood#collect-5")
@pytest.mark.parametrize(
    ("workers", "grain", "textiles"),
    [
        (["irrigation 2 weaving", "irrigation 2 weaving", "irrigation 2 weaving"], [5, 5, 5], [3, 3, 3]),
        (["irrigation 2 weaving 3", "irrigation 2 weaving 2", "irrigation weaving"], [6, 6, 4], [3, 2, 1]),
        (["irrigation 3", "irrigation 2", "irrigation 1"], [6, 4, 3], [0, 0, 0]),
        (["", "", ""], [0, 0, 0], [0, 0, 0]),
    ],
)
def test_what_a_box_brings_is_what_the_next_collection_gives(workers, grain, textiles):
    state = position(turn=1, workers=workers, phase="scoring", passed=[0, 1, 2], records=[])
    drawing = scene(state)
    assert [brings for (brings,) in cells(drawing, "irrigation", "brings")] == grain
    assert [brings for (brings,) in cells(drawing, "weaving", "brings")] == textiles
    before = [state.goods[seat * KINDS : seat * KINDS + KINDS] for seat in range(SEATS)]
    after, _ = game.apply(state, SCORER, game.parse_action("score"))
    assert after.turn == 2
    got = [(after.goods[seat * KINDS] - before[seat][0], after.goods[seat * KINDS + 3] - before[seat][3]) for seat in range(SEATS)]
    assert got == list(zip(grain, textiles, strict=True))


@pytest.mark.rule("after_the_flood#collect-5")
def test_ur_needs_a_weaver_where_the_table_says_so():
    fields = {"turn": 1, "cities": ["ur", "", ""]}
    assert cells(scene(position(**fields)), "weaving", "brings") == [(1,), (0,), (0,)]
    strict = position(**fields, options={"ur_textile": "weaver"})
    assert cells(scene(strict), "weaving", "brings") == [(0,), (0,), (0,)]


@pytest.mark.rule("after_the_flood#decline-1", "after_the_flood#decline-4")
def test_boxes_and_players_tell_of_the_decline_only_when_it_is_next():
    drawing = scene(position(**FIGHT))
    assert cells(drawing, "irrigation", "lost") == [(1,), (1,), (0,)]
    assert [player["homes"] is not None for player in drawing["players"]] == [True] * SEATS
    egypt = drawing["players"][1]["homes"]
    assert (egypt["turn"], egypt["names"]) == (4, ["egypt"])
    later = scene(position(turn=2, workers=FIGHT["workers"]))
    assert cells(later, "irrigation", "lost") == [(0,), (0,), (0,)]
    assert [player["homes"] for player in later["players"]] == [None] * SEATS


# Turns, dice, order


@pytest.mark.rule("after_the_flood#found-1", "after_the_flood#decline-1")
def test_the_turns_show_their_empires_and_who_founded_those_of_now():
    turns = scene(position(**FIGHT))["turns"]
    assert [[(item["empire"], item["armies"]) for item in turn["empires"]] for turn in turns] == [
        [(empire, armies) for empire, _, armies in offered] for offered in EMPIRES
    ]
    assert [turn["has_decline"] for turn in turns] == [False, True, False, True, False]
    assert [turn["is_now"] for turn in turns] == [False, False, True, False, False]
    assert [turn["is_past"] for turn in turns] == [True, True, False, False, False]
    founders = [item["founder"] and item["founder"]["number"] for item in turns[2]["empires"]]
    assert founders == [1, 2, None]
    assert not any(item["founder"] or item["target"] for turn in turns if not turn["is_now"] for item in turn["empires"])


@pytest.mark.rule("after_the_flood#combat-1")
def test_an_attack_shows_need_and_chance_until_it_is_over():
    state = position(**FIGHT)
    assert scene(state)["fight"] is None
    state = play(state, "invade amorites")
    fight = scene(state)["fight"]
    assert (fight["area"], fight["need"], fight["chance"]) == ("amorites", 5, 83)
    assert [(side["number"], side["armies"]) for side in fight["sides"]] == [(1, 4), (2, 2)]
    state, _ = game.apply(state, CHANCE, game.parse_action("roll 1 2"))
    assert scene(state)["fight"]["sides"][0]["armies"] == 3
    assert scene(play(state, "stop"))["fight"] is None
    weaker = play(position(**FIGHT | {"ranking": [1, 0]}), "invade amorites")
    assert (scene(weaker)["fight"]["need"], scene(weaker)["fight"]["chance"]) == (7, 58)
    assert (chance(2), chance(12)) == (1, 1 / 36)


@pytest.mark.rule("after_the_flood#combat-1", "after_the_flood#combat-2", "after_the_flood#combat-3")
def test_a_roll_is_found_by_the_words_of_its_event():
    attacked, _ = act(position(**FIGHT), "invade amorites")
    rolls = {target["word"]: target for target in scene(attacked)["targets"].values() if "dice" in target}
    assert len(rolls) == 36
    for first, second in ((1, 2), (2, 3), (3, 3), (3, 4), (6, 6)):
        _, events = game.apply(attacked, CHANCE, game.parse_action(f"roll {first} {second}"))
        roll = rolls[events[0].params["dice"]]
        assert (roll["dice"], roll["total"]) == ((first, second), first + second)
        assert roll["is_hit"] <= (events[0].key == "hit") <= (not roll["is_miss"])


@pytest.mark.rule("after_the_flood#equip-2", "after_the_flood#order-1", "after_the_flood#collect-8")
def test_the_ledger_shows_order_bids_equipment_and_stock():
    state = position(**FIGHT | {"order": [2, 0, 1], "active": 0, "phase": "paying", "passed": [2], "bids": ["", "", "gold metal"]})
    ledger = scene(state)["ledger"]
    assert [(who["number"], who["has_passed"], who["bid"]) for who in ledger["order"]] == [(3, True, 6), (1, False, 0), (2, False, 0)]
    assert [item["good"] for item in ledger["order"][0]["goods"]] == ["metal", "gold"]
    assert ledger["is_passing"]
    assert not scene(position(phase="scoring", passed=[0, 1, 2]))["ledger"]["is_passing"], "nobody acts any more"
    ranked = [(rating["letter"], rating["holder"] and rating["holder"]["number"], rating["value"]) for rating in ledger["ratings"]]
    assert ranked == [("A", 1, 3), ("B", 2, 1), ("C", None, 0)]
    stock = {item["good"]: (item["count"], item["is_endless"]) for item in ledger["stock"]}
    assert stock["gold"] == (6, False)
    assert (stock["grain"][1], stock["textile"][1], stock["tool"]) == (True, True, (11, False))


# Tables, players


def test_the_tables_at_hand_hold_what_the_board_prints():
    board = data("board")
    tables = scene(position(**FIGHT))["tables"]
    assert {item["good"]: item["value"] for item in tables["values"]} == dict(zip(GOODS, VALUES, strict=True))
    assert [[line["get"]["good"], *(item["good"] for item in line["give"])] for line in tables["ladder"]] == [
        [GOODS[get], *(GOODS[give] for give in gives)] for get, gives in PRICES.items()
    ]
    assert [line["points"] for line in tables["growth"]] == [4, 7, 10, 14, 20]
    assert {item["good"]: item["armies"] for item in tables["recruits"]} == {"grain": 1, "metal": 2, "tool": 3}
    assert sum(line["points"] for line in tables["ends"]) == 37
    assert {line["area"] for line in tables["cities"]} == set(SUMER) - {"umma", "lagash"}
    assert [point.rule for point in tables["forgotten"]] == [f"after_the_flood#forgotten-{number}" for number in range(1, 15)]
    assert board["game"]["turns"] == len(scene(position(**FIGHT))["turns"])


def test_players_show_goods_people_and_points():
    player = scene(position(**FIGHT))["players"][0]
    assert [(item["good"], item["count"]) for item in player["goods"]] == [(good, 2 if good == "grain" else 0) for good in GOODS]
    assert (player["people"]["available"], player["people"]["reserve"]) == (3, 25 - 3 - 8)
    assert (player["people"]["armies"], player["people"]["armies_reserve"]) == (4, 20 - 4 - 3)
    standing = player["standing"]
    assert (standing["empire"], standing["rating"], standing["equipment"], standing["projected"]) == ("mittani", "rating_a", 3, 4)
