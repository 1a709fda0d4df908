"""The figures in the rule book of History of the World match the data files, and reconstructed values are marked."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games import registry
from rules_docs import content, examples
from tests.rules_docs.test_content import MACRO, links, paragraphs, rows
from voice import drawing, glossary

GAME = "history_of_the_world"
LANGUAGES = ("hu", "en", "ru")
PRINTED = ("hu", "en")  # the languages in which the data files tell what is on the cards
DATA = Path(__file__).resolve().parents[2] / "games" / GAME / "data"
CORRECTED = {"hu": "> **A forrás javítása.**", "en": "> **Correction of the source.**", "ru": "> **Поправка к источнику.**"}
RECONSTRUCTED = {"hu": "Rekonstruált", "en": "Reconstructed", "ru": "Восстановленн"}
ABOUT = {"hu": "kb. ", "en": "c. ", "ru": "ок. "}  # before years that are not exact
CITY_SITE = {
    "hu": "aktív sereged építmény nélküli tartományában",
    "en": "in a province with your active army and no structure",
    "ru": "в провинции без построек, где стоит ваше активное войско",
}
NOT_BY_FLEET = {"hu": "nem flottával vívott csatában", "en": "battle not fought by fleet", "ru": "при нападении не флотом"}
EPOCHS = ("I", "II", "III", "IV", "V")
# Rows of the table of odds: terrain bonus, siege bonus, defender's dice.
CHANCES = ((0, 0, 1), (1, 0, 1), (0, 0, 2), (1, 0, 2), (0, 1, 1), (1, 1, 1), (0, 3, 1))
MARK = re.compile(r"\s?(\(°\)|°|†)$")

in_all = pytest.mark.parametrize("lang", LANGUAGES)
as_printed = pytest.mark.parametrize("lang", PRINTED)


@cache
def data(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    return found


BOARD = data("board")
PROVINCES, ZONES, REGIONS = ({row["id"]: row for row in BOARD[kind]} for kind in ("provinces", "zones", "regions"))
EMPIRES = data("empires")["empires"]
EVENTS = data("events")["events"]
KINGDOMS = [card for card in EVENTS if card["kind"] == "kingdom"]
IMPROVEMENTS = [card for card in EVENTS if card["kind"] == "improvement"]
TILES = data("region_tiles")["tiles"]
CHECKS = {check["id"]: check for check in data("checks")["checks"]}


def mark_of(provenance: str) -> str:
    """Return the mark for a value of this provenance in a table."""
    if provenance.startswith("seed"):
        return "(°)" if "reconstructed" in provenance else ""
    return {"source": "†", "reconstructed": "°"}[provenance.partition(":")[0]]


def split(cell: str) -> tuple[str, str]:
    """Return a cell without its mark, and the mark."""
    match = MARK.search(cell)
    return (cell[: match.start()], match[1]) if match else (cell, "")


def terms(cell: str) -> list[str]:
    return [macro.removeprefix("term:").removeprefix("tile:") for macro in MACRO.findall(cell)]


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", MACRO.sub("", text))]


def named(row: dict[str, Any], value: object, field: str) -> tuple[object, str]:
    return value, mark_of(row["provenance"][field])


def told(cell: str) -> tuple[list[str], str]:
    return terms(cell), split(cell)[1]


def count(cell: str) -> tuple[int, str]:
    text, mark = split(cell)
    return int(text), mark


def printed(row: dict[str, Any], field: str, lang: str) -> object:
    """Return what a card says, or in a language that the data files do not have, only its figures."""
    return row[f"{field}_{lang}"] if lang in PRINTED else numbers(row[f"{field}_{PRINTED[0]}"])


def as_data_tell(cell: tuple[str, str], lang: str) -> tuple[object, str]:
    """Return a cell with its mark as `printed` has it."""
    text, mark = cell
    return text if lang in PRINTED else numbers(text), mark


# ---------------------------------------------------------------- the data files


@pytest.mark.rule("history_of_the_world#overview-4")
def test_every_value_says_whether_it_is_stated_or_reconstructed() -> None:
    def provenances(value: Any) -> list[str]:
        if isinstance(value, list):
            return [text for item in value for text in provenances(item)]
        if not isinstance(value, dict):
            return []
        own = value.get("provenance", [])
        return [*([own] if isinstance(own, str) else own.values() if isinstance(own, dict) else []), *provenances([*value.values()])]

    words = set(BOARD["provenance_marks"])
    for name in ("board", "empires", "events", "region_tiles", "checks"):
        found = provenances(data(name))
        assert found
        assert data(name)["provenance_marks"].keys() == words
        assert {text for text in found if re.match(r"\w+", text)[0] not in words} <= {"see the zones"}  # type: ignore[index]
    assert all(row["provenance"] for row in (*PROVINCES.values(), *ZONES.values(), *REGIONS.values(), *EMPIRES, *EVENTS, *TILES))


def test_the_data_files_name_no_addresses() -> None:
    for file in DATA.glob("*.json"):
        assert not re.search(r"https?:|www\.|\.(com|hu|org|net|txt)\b|\b[0-9a-f]{12,}\b", file.read_text("utf-8")), file.name


@as_printed
def test_names_are_those_of_the_data_files(lang: str) -> None:
    for row in (*PROVINCES.values(), *ZONES.values(), *REGIONS.values(), *EMPIRES, *EVENTS):
        assert glossary.noun(GAME, row["id"], lang) == row[f"name_{lang}"]
    for empire in EMPIRES:
        title = empire[f"effect_text_{lang}"].partition(":")[0]
        assert not title or glossary.noun(GAME, f"ability_{empire['id']}", lang) == title


@pytest.mark.parametrize("lang", ["en", "hu", "ru"])
def test_every_id_has_a_noun(lang: str) -> None:
    ids = {row["id"] for row in (*PROVINCES.values(), *ZONES.values(), *REGIONS.values(), *EMPIRES, *EVENTS)}
    pieces = {
        "army",
        "capital",
        "city",
        "monument",
        "fort",
        "siege_token",
        "disc",
        "fleet",
        "caravan",
        "resource_icon",
        "region_tile",
        "catapult",
    }
    guards = {"losing", "tied", "never", "ask"}
    assert ids | pieces | guards <= glossary.noun_ids(GAME, lang)


# ---------------------------------------------------------------- what is in the box


@in_all
@pytest.mark.rule(
    "history_of_the_world#overview-4", "history_of_the_world#overview-6", "history_of_the_world#empires-6", "history_of_the_world#cards-7"
)
def test_the_front_says_how_much_is_known(lang: str) -> None:
    text = paragraphs(GAME, lang)["overview-4"][1]
    known = sum(all(e["provenance"][f] == "seed" for f in ("name", "start", "armies", "zones")) for e in EMPIRES)
    unknown = sum(card["provenance"]["name"] != "seed" for card in EVENTS)
    assert sorted(numbers(text)) == sorted((known, len(TILES), len(EVENTS), unknown))
    for anchor in ("overview-4", "empires-6", "cards-7", "map-17"):
        assert paragraphs(GAME, lang)[anchor][1].startswith(f"**{RECONSTRUCTED[lang]}")
    for anchor in ("overview-6", "tiles-5", "empires-7", "cards-7", "map-20"):
        assert "°" in paragraphs(GAME, lang)[anchor][1]


@in_all
@pytest.mark.rule("history_of_the_world#components-1", "history_of_the_world#components-2", "history_of_the_world#components-7")
def test_the_pieces_are_those_of_the_data(lang: str) -> None:
    box = BOARD["components"]
    found = {terms(piece)[0]: numbers(cell) for piece, cell in rows(GAME, lang, "components-7")}
    assert found == {
        "army": [box["armies_total"], box["army_colours"], box["armies_per_player"]],
        "score_marker": [box["score_markers"]],
        "capital": [box["capital_city"]],
        "monument": [box["monuments"]],
        "fort": [box["forts"]],
        "siege_token": [box["siege_tokens"]],
        "disc": [box["fleet_caravan_discs"]],
        "empire_card": [len(EMPIRES)],
        "event_card": [len(EVENTS)],
        "region_tile": [len(TILES)],
        "die": [box["dice"]],
        "catapult": [box["catapult"]],
    }
    assert box["armies_total"] == box["army_colours"] * box["armies_per_player"]
    stock = [box["capital_city"], box["monuments"], box["forts"]]
    assert numbers(paragraphs(GAME, lang)["components-2"][1]) == stock == numbers(paragraphs(GAME, lang)["limits-1"][1])
    assert numbers(paragraphs(GAME, lang)["components-1"][1])[0] == box["armies_per_player"]
    assert numbers(paragraphs(GAME, lang)["limits-2"][1]) == [box["armies_per_player"]]


@in_all
@pytest.mark.rule("history_of_the_world#components-3", "history_of_the_world#components-5", "history_of_the_world#components-6")
def test_cards_places_terrain_and_icons_are_counted_right(lang: str) -> None:
    book = {anchor: numbers(text) for anchor, (_, text) in paragraphs(GAME, lang).items()}
    assert book["components-3"] == [len(EMPIRES), len(EVENTS)]
    for epoch in range(1, 6):
        cards = [[card for card in kind if card["epoch"] == epoch] for kind in (EMPIRES, KINGDOMS, IMPROVEMENTS)]
        assert [len(kind) for kind in cards] == [8, 3, 5]
    kinds = [sum(zone["kind"] == kind for zone in ZONES.values()) for kind in ("sea", "ocean", "barren")]
    assert book["components-5"] == [len(REGIONS), len(PROVINCES), *kinds]
    terrain = [sum(province["terrain"] == kind for province in PROVINCES.values()) for kind in ("mountain", "forest")]
    assert book["components-6"] == [*terrain, sum(province["resource_icons"] for province in PROVINCES.values())]


@in_all
@pytest.mark.rule("history_of_the_world#epoch-1", "history_of_the_world#epoch-5")
def test_the_epochs_have_the_years_of_the_data(lang: str) -> None:
    expected = [(e["name"], printed(e, "years", lang), mark_of(e["provenance"])) for e in data("empires")["epochs"]]
    assert [(number, *as_data_tell(split(years), lang)) for number, years in rows(GAME, lang, "epoch-5")] == expected
    assert tuple(number for number, _, _ in expected) == EPOCHS


@in_all
@pytest.mark.rule(
    "history_of_the_world#tiles-2",
    "history_of_the_world#tiles-3",
    "history_of_the_world#tiles-4",
    "history_of_the_world#tiles-5",
    "history_of_the_world#components-4",
)
def test_the_tiles_have_values_and_stay_as_in_the_data(lang: str) -> None:
    table = {terms(region)[0]: cells for region, *cells in rows(GAME, lang, "tiles-2")}
    assert list(table) == list(REGIONS)
    for region, cells in table.items():
        expected = ["–"] * len(EPOCHS)
        for tile in (tile for tile in TILES if tile["region"] == region):
            first, values = tile["epoch"] - 1, tile["provenance"]["values"]
            expected[first : first + tile["duration"]] = ["·"] * tile["duration"]
            expected[first] = f"{tile['presence']}/{tile['dominance']}/{tile['control']}{mark_of(values)}"
        assert cells == expected
    stated = {tile["id"]: tile for tile in TILES if tile["provenance"]["values"].startswith("seed")}
    assert set(stated) == {"north_africa_1", "middle_east_1"}
    values = [stated["north_africa_1"]["presence"], stated["middle_east_1"]["dominance"]]
    assert numbers(paragraphs(GAME, lang)["tiles-5"][1]) == values


# ---------------------------------------------------------------- cards


@in_all
@pytest.mark.parametrize("epoch", range(1, 6))
@pytest.mark.rule(
    "history_of_the_world#turn-1",
    "history_of_the_world#empires-1",
    "history_of_the_world#found-3",
    "history_of_the_world#empires-2",
    "history_of_the_world#empires-3",
    "history_of_the_world#empires-4",
    "history_of_the_world#empires-5",
    "history_of_the_world#empires-7",
)
def test_the_empires_of_an_epoch_are_those_of_the_data(lang: str, epoch: int) -> None:
    expected = [
        (
            named(e, e["order"], "order"),
            named(e, [e["id"]], "name"),
            named(e, e["armies"], "armies"),
            named(e, e["start"], "start"),
            named(e, [*e["fleets"], *e["caravans"]], "zones"),
            named(e, ["marauder" if e["marauder"] else "capital"], "marauder"),
        )
        for e in sorted((e for e in EMPIRES if e["epoch"] == epoch), key=lambda e: e["order"])
    ]
    found = [
        (count(order), told(name), count(armies), told(start), told(discs), told(kind))
        for order, name, armies, start, discs, kind in rows(GAME, lang, f"empires-{epoch}")
    ]
    assert found == expected
    assert [order for (order, _), *_ in expected] == list(range(1, 9))


@pytest.mark.rule("history_of_the_world#abilities-3")
def test_a_marauder_is_an_empire_without_a_capital_and_there_are_eight() -> None:
    assert all(e["marauder"] != e["capital"] for e in EMPIRES)
    assert sum(e["marauder"] for e in EMPIRES) == 8


@in_all
@pytest.mark.rule("history_of_the_world#abilities-2")
def test_the_abilities_are_told_as_on_the_cards(lang: str) -> None:
    found = {terms(empire)[0]: split(text) for empire, text in rows(GAME, lang, "abilities-2")}
    if lang in PRINTED:
        assert found == {e["id"]: named(e, e[f"effect_text_{lang}"] or "–", "ability") for e in EMPIRES}
        assert all((e["effect"] == "none") == (not e[f"effect_text_{lang}"]) for e in EMPIRES)
    assert {empire: mark for empire, (_, mark) in found.items()} == {e["id"]: mark_of(e["provenance"]["ability"]) for e in EMPIRES}
    titles = {e["id"]: "–" if e["effect"] == "none" else glossary.noun(GAME, f"ability_{e['id']}", lang) for e in EMPIRES}
    assert {empire: text.partition(":")[0] for empire, (text, _) in found.items()} == titles


@in_all
@pytest.mark.rule("history_of_the_world#abilities-2", "history_of_the_world#cards-4")
def test_cities_are_built_where_the_engine_builds_them(lang: str) -> None:
    """The Franks and the Renaissance build only at active armies without a structure, and the book says so of both."""
    builders = {row["id"] for row in (*EMPIRES, *EVENTS) if row.get("effect") == "build_cities"}
    lines = {terms(name)[0]: text for anchor in ("abilities-2", "cards-4") for name, text in rows(GAME, lang, anchor)}
    assert builders == {name for name, text in lines.items() if CITY_SITE[lang] in text}


@in_all
@pytest.mark.rule("history_of_the_world#abilities-2")
def test_who_fights_without_a_fleet_is_told_by_the_fleet(lang: str) -> None:
    """A caravan is no way over land, so what the engine calls land is told as a battle that is not by fleet."""
    by_land = {e["id"] for e in EMPIRES if e.get("effect_params", {}).get("only") == "land"}
    assert by_land == {terms(empire)[0] for empire, text in rows(GAME, lang, "abilities-2") if NOT_BY_FLEET[lang] in text}


@in_all
@pytest.mark.rule("history_of_the_world#empires-9", "history_of_the_world#empires-10")
def test_the_leaders_are_those_of_the_data(lang: str) -> None:
    found = {terms(empire)[0]: as_data_tell(split(leader), lang) for empire, leader in rows(GAME, lang, "empires-10")}
    assert found == {e["id"]: named(e, printed(e, "leader", lang), "leader") for e in EMPIRES}
    assert sum(not mark for _, mark in found.values()) == 6, "the cards of which the rule book shows the leader"
    about = {terms(empire)[0] for empire, leader in rows(GAME, lang, "empires-10") if ABOUT[lang] in leader}
    assert about == {e["id"] for e in EMPIRES if ABOUT["hu"] in e["leader_hu"]}


@pytest.mark.rule("history_of_the_world#empires-8")
def test_zhou_and_shang_are_two_cards_and_each_language_has_its_own_name() -> None:
    (zhou,) = (e for e in EMPIRES if e["id"] == "zhou")
    (shang,) = (k for k in KINGDOMS if k["id"] == "k_shang")
    assert (zhou["name_hu"], zhou["name_en"]) == ("Sang-dinasztia", "Zhou Dynasty")
    assert (shang["name_hu"], shang["name_en"]) == ("Sang", "Shang")
    assert (zhou["start"], shang["start"]) == (["yangtze"], ["yellow_river"])


@in_all
@pytest.mark.rule("history_of_the_world#cards-6", "history_of_the_world#kingdom-3", "history_of_the_world#cards-8")
def test_the_kingdoms_are_those_of_the_data(lang: str) -> None:
    expected = [
        (
            EPOCHS[k["epoch"] - 1],
            named(k, [k["id"]], "name"),
            named(k, k["start"], "start"),
            named(k, k["armies"], "armies"),
            named(k, [k["building"]], "building"),
            named(k, [*k["fleets"], *k["caravans"]], "zones"),
        )
        for k in KINGDOMS
    ]
    found = [
        (epoch, told(name), told(start), count(armies), told(building), told(discs))
        for epoch, name, start, armies, building, discs in rows(GAME, lang, "cards-6")
    ]
    assert found == expected


@in_all
@pytest.mark.parametrize("epoch", range(1, 6))
@pytest.mark.rule(
    "history_of_the_world#cards-1",
    "history_of_the_world#events-2",
    "history_of_the_world#cards-2",
    "history_of_the_world#cards-3",
    "history_of_the_world#cards-5",
    "history_of_the_world#cards-9",
)
def test_the_improvements_are_told_as_on_the_cards(lang: str, epoch: int) -> None:
    found = [(told(name), as_data_tell(split(text), lang)) for name, text in rows(GAME, lang, f"cards-{epoch}")]
    cards = [card for card in IMPROVEMENTS if card["epoch"] == epoch]
    assert found == [(named(c, [c["id"]], "name"), named(c, printed(c, "effect_text", lang), "effect")) for c in cards]
    assert all(card["keep_for_later"] for card in cards)


# ---------------------------------------------------------------- the map


@in_all
@pytest.mark.rule("history_of_the_world#map-1")
def test_the_regions_are_those_of_the_data(lang: str) -> None:
    found = [(told(name), count(size), split(first)) for name, size, first in rows(GAME, lang, "map-1")]
    expected = []
    for region in REGIONS.values():
        tile = min((tile for tile in TILES if tile["region"] == region["id"]), key=lambda tile: tile["epoch"])
        size = named(region, len(region["provinces"]), "members")
        expected.append((named(region, [region["id"]], "name"), size, named(tile, EPOCHS[tile["epoch"] - 1], "region_epoch")))
    assert found == expected


@in_all
@pytest.mark.rule(
    "history_of_the_world#map-2",
    "history_of_the_world#conquest-4",
    "history_of_the_world#map-3",
    "history_of_the_world#map-4",
    "history_of_the_world#map-5",
    "history_of_the_world#map-6",
    "history_of_the_world#map-7",
    "history_of_the_world#map-8",
    "history_of_the_world#map-9",
    "history_of_the_world#map-10",
    "history_of_the_world#map-11",
    "history_of_the_world#map-12",
    "history_of_the_world#map-13",
    "history_of_the_world#map-14",
    "history_of_the_world#map-17",
)
def test_the_provinces_have_terrain_icons_and_borders_of_the_data(lang: str) -> None:
    for number, region in enumerate(REGIONS.values(), 2):
        expected = []
        for province in (PROVINCES[name] for name in region["provinces"]):
            signs = [sign for sign in (province["terrain"],) if sign != "none"] + ["resource_icon"] * province["resource_icons"]
            expected.append((named(province, [province["id"]], "name"), signs, province["land"], province["fords"], province["zones"]))
        found = [(told(name), *map(terms, cells)) for name, *cells in rows(GAME, lang, f"map-{number}")]
        assert found == expected
    stated = sum(province["provenance"]["name"] == "seed" for province in PROVINCES.values())
    assert numbers(paragraphs(GAME, lang)["map-17"][1]) == [stated]


@in_all
@pytest.mark.rule(
    "history_of_the_world#map-15", "history_of_the_world#map-16", "history_of_the_world#reach-5", "history_of_the_world#map-21"
)
def test_the_waters_and_barren_lands_are_those_of_the_data(lang: str) -> None:
    found = {}
    for anchor, kinds in (("map-15", {"sea", "ocean"}), ("map-16", {"barren"})):
        for name, kind, borders, touches in rows(GAME, lang, anchor):
            found[terms(name)[0]] = (split(name)[1], terms(kind), told(borders), told(touches))
            assert set(terms(kind)) <= kinds
    expected = {}
    for zone in ZONES.values():
        lists = []
        for field in ("borders", "links"):
            provenance = zone["provenance"][field]
            whole = provenance.startswith("reconstructed")
            lists.append((zone[field], "°" if whole else "(°)" if "reconstructed" in provenance else ""))
        expected[zone["id"]] = (mark_of(zone["provenance"]["name"]), [zone["kind"]], *lists)
    assert found == expected
    assert "siberia" not in ZONES["northern_lakes"]["links"]


def within_reach(start: str, discs: list[str]) -> set[str]:
    """Return the provinces that discs open from a province: an ocean covers its seas, touching zones form a chain."""
    held = set(discs) | {z for disc in discs if ZONES[disc]["kind"] == "ocean" for z in ZONES[disc]["links"] if ZONES[z]["kind"] == "sea"}
    chain = held & set(PROVINCES[start]["zones"])
    while more := {link for zone in chain for link in ZONES[zone]["links"]} & held - chain:
        chain |= more
    return {province for zone in chain for province in ZONES[zone]["borders"]} - {start}


@in_all
@pytest.mark.parametrize(
    ("anchor", "check"), [("reach-6", "north_sea_fleet"), ("reach-7", "himalaya_caravan"), ("reach-8", "indian_ocean_fleet")]
)
@pytest.mark.rule("history_of_the_world#reach-1", "history_of_the_world#reach-2", "history_of_the_world#reach-3")
def test_the_examples_of_reach_are_what_the_map_gives(lang: str, anchor: str, check: str) -> None:
    start, *reached = terms(paragraphs(GAME, lang)[anchor][1])
    example = CHECKS[check]
    assert start == example["start"]
    assert sorted(reached) == sorted(example["exactly"])
    assert set(reached) == within_reach(start, [*example["fleets"], *example["caravans"]])


# ---------------------------------------------------------------- battles and points


@in_all
@pytest.mark.rule(
    "history_of_the_world#battle-1",
    "history_of_the_world#defence-1",
    "history_of_the_world#defence-3",
    "history_of_the_world#battle-10",
    "history_of_the_world#battle-11",
)
def test_the_chances_are_those_of_the_dice(lang: str) -> None:
    found = [[int(chance) for chance in chances] for _, *chances in rows(GAME, lang, "battle-11")]
    expected = []
    for terrain, siege, dice in CHANCES:
        signs = [0, 0, 0]
        for rolled in product(range(1, 7), repeat=2 + dice):
            attack, defence = max(rolled[:2]) + siege, max(rolled[2:]) + terrain
            signs[(attack <= defence) + (attack < defence)] += 1
        expected.append([round(100 * sign / sum(signs)) for sign in signs])
    assert found == expected


@in_all
@pytest.mark.rule("history_of_the_world#siege-1", "history_of_the_world#siege-2")
def test_the_catapult_has_three_spaces(lang: str) -> None:
    book = paragraphs(GAME, lang)
    assert numbers(book["siege-1"][1]) == [1, 2, 3]
    assert set(numbers(book["siege-2"][1])) == {3}


@in_all
@pytest.mark.rule(
    "history_of_the_world#score-1",
    "history_of_the_world#score-3",
    "history_of_the_world#assyrians-8",
    "history_of_the_world#assyrians-7",
    "history_of_the_world#assyrians-9",
    "history_of_the_world#corrections-3",
)
def test_the_turn_of_the_assyrians_is_added_up_right(lang: str) -> None:
    points = CHECKS["assyrian_turn"]["points"]
    *parts, (_, total) = rows(GAME, lang, "assyrians-8")
    assert [int(part) for _, part in parts] == [points["north_africa"], points["middle_east"], points["structures"]]
    assert int(total) == sum(int(part) for _, part in parts) == points["total_by_sum"]
    assert sum(numbers(parts[-1][0])) == points["structures"]
    values = {tile["id"]: tile for tile in TILES}
    assert points["north_africa"] == values["north_africa_1"]["presence"]
    assert points["middle_east"] == values["middle_east_1"]["dominance"]
    for anchor in ("assyrians-9", "corrections-3"):
        assert {points["total_printed"], points["total_by_sum"]} <= set(numbers(paragraphs(GAME, lang)[anchor][1]))


# ---------------------------------------------------------------- worked examples


def asked(state: Any) -> set[tuple[str, str]]:
    """Return the provinces that can be conquered, each with its way."""
    texts = [str(action).split() for action in registry.game(GAME).legal_actions(state, 0)]
    return {(text[1], text[2]) for text in texts if text[0] == "conquer"}


@pytest.mark.rule("history_of_the_world#reach-6", "history_of_the_world#reach-7", "history_of_the_world#reach-8")
@pytest.mark.parametrize(("name", "check"), [
    ("reach-north-sea", "north_sea_fleet"), ("reach-himalayas", "himalaya_caravan"), ("reach-indian-ocean", "indian_ocean_fleet"),
])  # fmt: skip
def test_the_examples_of_reach_ask_for_the_provinces_of_the_source(name: str, check: str) -> None:
    wanted = CHECKS[check]
    state = examples.played(GAME, name)[0].state
    position = registry.game(GAME).state_to_json(state)
    zones = [*wanted["fleets"], *wanted["caravans"]]
    assert (position["active_armies"], position["turn"]["zones"]) == ([wanted["start"]], zones)
    neighbours = {*PROVINCES[wanted["start"]]["land"], *PROVINCES[wanted["start"]]["fords"]}
    assert {province for province, way in asked(state) if way == "land"} == neighbours | (
        set(wanted["exactly"]) if wanted["caravans"] else set()
    )
    assert {province for province, way in asked(state) if way == "fleet"} == (set(wanted["exactly"]) if wanted["fleets"] else set())


@pytest.mark.rule("history_of_the_world#assyrians-8")
def test_the_worked_turn_ends_as_the_source_says() -> None:
    wanted = CHECKS["assyrian_turn"]
    frames = examples.played(GAME, "assyrian-turn")
    counted = registry.game(GAME).state_to_json(frames[-2].state)
    assert (counted["empires"][0], counted["forts"]) == (wanted["empire"], wanted["forts_chosen"])
    assert wanted["monument_in"] in counted["monuments"]
    scored = next(event for event in frames[-1].events if event.key == "scored")
    points = wanted["points"]
    assert scored.params["points"] == points["total_by_sum"] == points["north_africa"] + points["middle_east"] + points["structures"]


@pytest.mark.parametrize(("name", "lang"), list(zip(examples.example_names(GAME), cycle(LANGUAGES), strict=False)))
def test_every_step_is_drawn_with_its_players_and_nothing_to_press(name: str, lang: str) -> None:
    """Each example in one language, in turn: a map is dear to draw, and only names and words differ."""
    entry = registry.entry(GAME)
    names = examples.example(GAME, name).names_in(lang)
    for frame in examples.played(GAME, name):
        view = entry.game.view_for(frame.state, None)
        board = drawing.render_board(entry, view, lang, names=names, static_only=True, with_symbols=False)
        assert not re.search(r"<a |<form|<button", board)
        assert [seat_name for seat_name in names if seat_name not in board] == []


# ---------------------------------------------------------------- corrections and interpretations


@in_all
@pytest.mark.rule("history_of_the_world#draft-7", "history_of_the_world#corrections-1", "history_of_the_world#corrections-2")
def test_every_correction_of_the_source_is_marked_and_listed(lang: str) -> None:
    book = paragraphs(GAME, lang)
    marked = {anchor for anchor, (_, text) in book.items() if text.startswith(CORRECTED[lang])}
    listed = {link for chapter, text in book.values() if chapter == "corrections" for link in links(text)}
    assert marked == {"draft-7", "assyrians-9"}
    assert marked <= listed


@in_all
def test_a_reading_bears_the_number_of_its_anchor(lang: str) -> None:
    readings = {anchor: text for anchor, (chapter, text) in paragraphs(GAME, lang).items() if chapter == "readings"}
    numbered = {anchor: match[1] for anchor, text in readings.items() if (match := re.match(r"\*\*R(\w+)\.\*\*", text))}
    assert numbered.pop("readings-44") == "35a"
    assert list(numbered) == [f"readings-{number}" for number in numbered.values()]
    assert set(readings) - set(numbered) == {"readings-0", "readings-44", "readings-45"}


@in_all
@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize("chapter", ["overview", "battles"])
def test_a_link_names_the_number_that_stands_beside_the_paragraph(client: Client, chapter: str, lang: str) -> None:
    """Numbers run in reading order and anchors are permanent, so the fifth paragraph may be overview-4."""
    page = client.get(f"/{lang}/rules/{GAME}/{chapter}/").content.decode()
    anchors = [anchor for anchor, place in content.places(GAME).items() if place.chapter == chapter]
    for number, anchor in enumerate(anchors, 1):
        assert content.paragraph_label(GAME, anchor, lang).endswith(f"\N{NO-BREAK SPACE}{number}")
        assert re.search(rf'href="#{anchor}"[^>]*>{number}</a>', page), anchor
