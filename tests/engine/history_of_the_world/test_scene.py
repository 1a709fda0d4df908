"""The data for drawing the board: every piece on the map and in words, regions with levels, cards, battles, and no secrets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.core.contract import CHANCE
from games.core.rng import SeededRng
from games.history_of_the_world import scene_regions
from games.history_of_the_world.components import EMPIRE_OF, EMPIRES, EVENTS, PROVINCES, REGIONS, TILES, ZONES, load
from games.history_of_the_world.map_shapes import DISCS, SLOTS
from games.history_of_the_world.scene_turn import empire_card, event_card
from tests.engine.history_of_the_world.builders import act, due, game, play, position

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "templates/games/history_of_the_world"
OUTLINES = (ROOT / "static/art/history_of_the_world_map.svg").read_text()
SPRITE = set(re.findall(r'id="([\w-]+)"', (ROOT / "static/art/history_of_the_world.svg").read_text()))
WIDTH, HEIGHT = 1600, 900
TURN = {
    "epoch": 2,
    "armies": ["zagros* tigris levant", "crete pindus balkans", "nile"],
    "empires": ["persians", "macedonians", "romans"],
    "capitals": "zagros crete",
    "cities": "nile",
    "monuments": "crete",
    "forts": "nile",
    "card": 4,
    "tokens": 2,
    "zones": "arabian_sea",
}


def scene(state, seat=0):
    return game.scene(game.view_for(state, seat))


def region(drawing, name):
    number = REGIONS.index(name) + 1
    return drawing[f"region-{number}"] | drawing[f"infos-{number}"]


def info(drawing, province):
    return next(item for part in drawing["regions"] for item in part["provinces"] if item["province"] == province)


# The map


def test_the_map_draws_and_names_every_province_and_zone_once():
    names = (FOLDER / "names.html").read_text()
    assert sorted(int(number) for number in re.findall(r'id="shape-(\d+)"', OUTLINES)) == list(range(1, len(PROVINCES) + 1))
    assert sorted(re.findall(r'noun "(\w+)"', names)) == sorted([*PROVINCES, *ZONES, *REGIONS])
    assert set(SLOTS) == set(PROVINCES)
    assert set(DISCS) == set(ZONES)


def test_the_ground_draws_every_outline_of_its_file():
    ground = (FOLDER / "ground.html").read_text()
    assert re.findall(r"outlines }}#([\w-]+)", ground) == re.findall(r'<g id="([\w-]+)"', OUTLINES)


def test_a_region_holds_the_shapes_of_its_own_provinces():
    for number, row in enumerate(load("board")["regions"], 1):
        part = OUTLINES.partition(f'<g id="region-{number}"')[2].partition("</g>")[0]
        assert {PROVINCES[int(shape) - 1] for shape in re.findall(r'id="shape-(\d+)"', part)} == set(row["provinces"])


@pytest.mark.rule("history_of_the_world#components-6", "history_of_the_world#defence-1")
def test_the_map_shows_terrain_and_a_ring_for_each_resource_icon():
    drawn = (FOLDER / "names.html").read_text().split("<foreignObject")[1:]
    names = {re.findall(r'noun "(\w+)"', name)[0]: name for name in drawn}
    for kind in ("mountain", "forest"):
        part = OUTLINES.partition(f'<g id="{kind}">')[2].partition("</g>")[0]
        rough = {row["id"] for row in load("board")["provinces"] if row["terrain"] == kind}
        assert {PROVINCES[int(shape) - 1] for shape in re.findall(r"#shape-(\d+)", part)} == rough
        assert {name for name, sign in names.items() if f"#hw-terrain-{kind}" in sign} == rough
    for row in load("board")["provinces"]:
        assert names[row["id"]].count("#hw-resource") == row["resource_icons"]


def test_pieces_of_the_map_lie_apart():
    spots = [point for slots in SLOTS.values() for point in slots.values()] + list(DISCS.values())
    assert all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in spots)
    for index, (x, y) in enumerate(spots):
        assert all((x - other_x) ** 2 + (y - other_y) ** 2 >= 13**2 for other_x, other_y in spots[:index])


def test_the_name_of_a_region_stands_where_no_army_does():
    boxes = re.findall(r'"hw-region-name" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"', (FOLDER / "names.html").read_text())
    assert len(boxes) == len(REGIONS)
    for left, top, width, height in (map(int, box) for box in boxes):
        x, y = left + width / 2, top + height / 2  # names are centred in their boxes, which are at least 50 units wide
        assert all(abs(x - slots["army"][0]) > 25 or abs(y - slots["army"][1]) > 13 for slots in SLOTS.values())


def test_every_shape_that_pieces_are_drawn_with_is_there():
    ground = (FOLDER / "ground.html").read_text()
    drawn = set(re.findall(r'id="hw-shape-(\w+)"', ground))
    assert drawn == {*"123456", "capital", "city", "monument", "fort"}


@pytest.mark.rule("history_of_the_world#deactivate-1")
def test_only_active_armies_stand():
    drawing = scene(position(**TURN))
    standing = {it["province"]: it["is_standing"] for seat in drawing["pieces"]["seats"] for it in seat["armies"]}
    assert {name for name, stands in standing.items() if stands} == {"zagros"}
    assert [len(seat["armies"]) for seat in drawing["pieces"]["seats"]] == [3, 3, 1]
    assert info(drawing, "zagros")["holder"]["army"] == "active_army"
    assert info(drawing, "tigris")["holder"]["army"] == "inactive_army"


def test_a_province_tells_all_that_is_in_it():
    drawing = scene(position(**TURN))
    crete, nile, gaul = info(drawing, "crete"), info(drawing, "nile"), info(drawing, "gaul")
    assert (crete["holder"]["number"], [item["kind"] for item in crete["built"]]) == (2, ["capital", "monument"])
    assert (nile["holder"]["number"], [item["kind"] for item in nile["built"]]) == (3, ["city", "fort"])
    assert (gaul["holder"], gaul["built"]) == (None, [])
    assert info(drawing, "anatolia")["fords"] == ["balkans"]
    assert (info(drawing, "zagros")["terrain"], info(drawing, "zagros")["symbol"]) == ("mountain", "hw-terrain-mountain")
    assert info(drawing, "nile")["icons"] == next(row["resource_icons"] for row in load("board")["provinces"] if row["id"] == "nile")


@pytest.mark.rule("history_of_the_world#reach-1")
def test_discs_lie_in_the_zones_of_the_active_empire():
    drawing = scene(position(**TURN | {"zones": "arabian_sea empty_quarter"}))
    assert [(disc["zone"], disc["kind"]) for disc in drawing["discs"]] == [("arabian_sea", "fleet"), ("empty_quarter", "caravan")]
    told = {item["zone"]: item["disc"] for item in drawing["zones"]}
    assert {zone: disc for zone, disc in told.items() if disc} == {"arabian_sea": "fleet", "empty_quarter": "caravan"}
    assert len(told) == len(ZONES)


# Regions


@pytest.mark.rule("history_of_the_world#score-1", "history_of_the_world#tiles-1")
def test_a_region_shows_its_tile_and_the_level_of_everybody():
    drawing = scene(position(**TURN))
    europe = region(drawing, "southern_europe")
    tile = TILES[2][REGIONS.index("southern_europe")]
    assert tile is not None
    assert [item["points"] for item in europe["tile"]] == list(tile)
    assert [(row["armies"], row["level"], row["points"]) for row in europe["rows"]] == [(0, 0, 0), (3, 3, tile[2]), (0, 0, 0)]
    assert [row["number"] for row in region(drawing, "north_africa")["present"]] == [3]
    shared = scene(position(**TURN | {"armies": ["zagros* crete", "pindus balkans", "nile"]}))
    assert [row["level"] for row in region(shared, "southern_europe")["rows"]] == [1, 2, 0]


def test_a_region_without_a_tile_gives_nothing():
    drawing = scene(position(**TURN | {"epoch": 1, "empires": ["sumerians", "minoans", "egyptians"], "armies": ["gaul*", "", ""]}))
    gaul = region(drawing, "northern_europe")
    assert gaul["tile"] is None
    assert [(row["level"], row["points"]) for row in gaul["rows"]] == [(1, 0), (0, 0), (0, 0)]


@pytest.mark.rule("history_of_the_world#score-1")
def test_a_region_tells_what_one_more_army_changes_and_what_the_next_level_takes():
    def told(seat=0, **fields):
        drawing = scene(position(**TURN | fields), seat)
        return [(step.text, step.params) for step in region(drawing, "southern_europe")["steps"]]

    presence, dominance, control = TILES[2][REGIONS.index("southern_europe")]
    assert told() == [(scene_regions.ONE_MORE, {"level": "presence", "points": presence})]
    assert told(seat=1) == []  # no higher level
    assert told(seat=None) == []
    held = ["crete zagros*", "pindus balkans", "nile"]
    assert told(armies=held) == [
        (scene_regions.ONE_MORE_SAME, {}),
        (scene_regions.IN_PLACE, {"level": "dominance", "points": dominance - presence, "seat": 1}),
        (scene_regions.FOR_DOMINANCE, {"level": "dominance", "n": 2}),
    ]
    assert told(seat=1, armies=held) == [
        (scene_regions.ONE_MORE_SAME, {}),
        (scene_regions.IN_PLACE, {"level": "control", "points": control - dominance, "seat": 0}),
        (scene_regions.FOR_CONTROL, {"level": "control", "n": 1, "m": 1}),
    ]
    full = ["zagros* crete balkans apennines", "pindus iberian_peninsula", "lusitania"]
    assert told(armies=full) == [(scene_regions.IN_PLACE_SAME, {}), (scene_regions.FOR_CONTROL, {"level": "control", "n": 0, "m": 3})]
    without = position(**TURN | {"epoch": 1, "empires": ["sumerians", "minoans", "egyptians"], "armies": ["gaul*", "", ""]})
    assert region(scene(without), "northern_europe")["steps"] == []


# Targets


def test_every_place_and_card_that_an_answer_may_point_at_is_a_target():
    state = position(**TURN | {"hands": ["i_plague", "", "i_weaponry"]})
    own = scene(state)["targets"]
    places = {f"province-{name}" for name in PROVINCES} | {f"zone-{name}" for name in ZONES}
    assert set(own) == places | {"card-i_plague"}
    assert all(own[name]["word"] == name.partition("-")[2] for name in own)
    assert set(scene(state, None)["targets"]) == places
    numbers = [target["number"] for name, target in own.items() if name in places]
    assert numbers == list(range(1, len(places) + 1))


# The epoch, cards, turn


@pytest.mark.rule("history_of_the_world#turn-1", "history_of_the_world#draft-5")
def test_the_strip_tells_owners_only_when_they_are_called():
    state = position(**TURN)
    strip = {seat: scene(state, seat)["order"]["items"] for seat in (0, 2, None)}
    assert [item["order"] for item in strip[0]] == list(range(1, 9))
    assert next(item for item in strip[0] if item["empire"] == "persians")["is_now"]
    seen = {seat: {item["empire"]: item["owner"]["number"] for item in items if item["owner"]} for seat, items in strip.items()}
    assert seen == {0: {"persians": 1}, 2: {"persians": 1, "romans": 3}, None: {"persians": 1}}
    assert [item["empire"] for item in strip[2] if item["is_own"]] == ["romans"]
    later = scene(position(**TURN | {"active": 2, "armies": ["", "", "nile*"]}), None)["order"]["items"]
    missing = [item["empire"] for item in later if item["is_called"] and not item["owner"]]
    assert missing == [EMPIRES[index].name for index in order_of(2) if EMPIRES[index].name not in TURN["empires"]]


def order_of(epoch):
    return sorted((index for index, empire in enumerate(EMPIRES) if empire.epoch == epoch), key=lambda index: EMPIRES[index].order)


@pytest.mark.rule("history_of_the_world#found-1", "history_of_the_world#siege-1")
def test_the_turn_shows_what_lies_on_the_card():
    turn = scene(position(**TURN))["turn"]
    assert (turn["number"], turn["card"]["card"], turn["armies"], turn["tokens"], turn["siege_bonus"]) == (1, "persians", 4, 2, 0)
    assert turn["card"]["realm"]["ability"].text
    assert [item["zone"] for item in turn["zones"]] == ["arabian_sea"]
    assert turn["projected"] == game.view_for(position(**TURN), 0).projected[0]


@pytest.mark.rule(
    "history_of_the_world#battle-1", "history_of_the_world#battle-5", "history_of_the_world#defence-3", "history_of_the_world#siege-1"
)
def test_a_battle_shows_dice_and_what_is_compared():
    state = position(**TURN | {"armies": ["levant* zagros*", "crete", "nile"], "zones": ""})
    assert scene(state)["fight"] is None
    state = play(state, "conquer nile land")
    fight = scene(state)["fight"]
    assert (fight["province"], fight["is_by_fleet"], [side["number"] for side in fight["sides"]]) == ("nile", False, [1, 3])
    assert [side["dice"] for side in fight["sides"]] == [[], []]
    assert (fight["x"], fight["y"]) not in [tuple(point) for slots in SLOTS.values() for point in slots.values()]
    assert [side["has_fort"] for side in fight["sides"]] == [False, True]
    state, _ = game.apply(state, CHANCE, game.parse_action("roll 2 1 5 3"))
    while not any(str(action).startswith("siege") for action in game.legal_actions(state, due(state))):
        state, _ = act(state, "pass")
    lost = scene(state, None)["fight"]
    assert [(side["dice"], side["strength"]) for side in lost["sides"]] == [([2, 1], 2), ([5, 3], 5)]
    besieged = scene(play(state, "siege token"))
    assert (besieged["fight"]["sides"][0]["bonus"], besieged["turn"]["siege_bonus"], besieged["turn"]["tokens"]) == (1, 1, 1)


@pytest.mark.rule("history_of_the_world#draft-1", "history_of_the_world#draft-5")
def test_the_draft_shows_a_pile_to_its_holder_only():
    state = drafted()
    shown = {seat: scene(state, seat)["draft"] for seat in (0, 1, 2, None)}
    holders = [seat for seat in (0, 1, 2) if shown[seat]["cards"]]
    assert holders == sorted(seat for seat in game.actors(state) if seat >= 0)
    assert shown[None]["cards"] == []
    for seat in holders:
        asked = game.ask(game.view_for(state, seat))
        assert {card["target"]["id"] for card in shown[seat]["cards"]} == {option.target for option in asked.options if option.target}
        assert len(shown[seat]["cards"]) == 3
    kinds = {card["kind"] for seat in holders for card in shown[seat]["cards"]}
    assert "empire" in kinds
    assert kinds & {"kingdom", "improvement"}


def drafted():
    rng, state = SeededRng(3), game.setup(3, {})
    while game.actors(state)[0] == CHANCE:
        state, _ = game.apply(state, CHANCE, game.sample_chance(state, rng))
    return state


@pytest.mark.rule("history_of_the_world#hidden-1", "history_of_the_world#hidden-2")
def test_events_are_shown_to_their_holder_and_counted_for_the_others():
    state = position(**TURN | {"hands": ["i_plague", "i_weaponry i_walls", ""]})
    own, watched = scene(state, 1), scene(state, None)
    assert [card["card"] for card in own["hand"]] == ["i_weaponry", "i_walls"]
    assert all(card["does"].text for card in own["hand"])
    assert watched["hand"] == []
    assert [player["cards"]["epochs"] for player in watched["players"]] == [["epoch_1"], ["epoch_1", "epoch_1"], []]
    assert [player["cards"]["numerals"] for player in watched["players"]] == [["I"], ["I", "I"], []]
    assert [player["cards"]["guard"] is not None for player in own["players"]] == [False, True, False]
    assert [player["cards"]["empire"] for player in own["players"]] == ["persians", "macedonians", None]
    assert [player["cards"]["is_secret"] for player in own["players"]] == [False, True, False]


@pytest.mark.parametrize(("name", "draw"), [("empires", empire_card), ("events", event_card)])
def test_a_card_says_where_its_fleets_and_its_caravans_go(name, draw):
    for row in load(name)[name]:
        realm = draw(row["id"])["realm"]
        for kind in ("fleets", "caravans") if realm is not None else ():
            assert sorted(realm[kind]) == sorted(row[kind]), row["id"]


def test_every_card_can_be_drawn():
    nouns = (ROOT / "voice/glossary/en.toml").read_text().partition("[history_of_the_world]")[2]
    for name in EMPIRE_OF:
        card = empire_card(name)
        assert (card["realm"]["ability"] is None) == (card["realm"]["ability_name"] is None)
        for noun in (name, card["realm"]["ability_name"], *card["realm"]["starts"], *card["realm"]["fleets"], *card["realm"]["caravans"]):
            assert noun is None or f"\n{noun} = " in nouns
    for event in EVENTS:
        card = event_card(event.name)
        assert (card["realm"] is None) == (card["kind"] == "improvement") == (card["does"] is not None)
        assert card["symbol"] in SPRITE


def test_the_ledger_orders_by_points_and_counts_what_is_left():
    ledger = scene(position(**TURN | {"starts": [1, 3, 2]}))["ledger"]
    assert [(line["number"], line["score"]) for line in ledger["scores"]] == [(2, 3), (3, 2), (1, 1)]
    assert {item["piece"]: item["count"] for item in ledger["stock"]} == {"city": 24 - 3, "monument": 20 - 1, "fort": 14 - 1}
    assert {line["number"]: line["supply"] for line in ledger["scores"]} == {1: 25 - 3 - 4, 2: 25 - 3, 3: 25 - 1}
