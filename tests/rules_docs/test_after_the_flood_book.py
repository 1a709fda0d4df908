"""The figures in the rule book of After the Flood match the engine, and every correction of its source is listed."""

from __future__ import annotations

import re

import pytest

from games.after_the_flood import components as flood
from rules_docs import content, examples
from tests.engine.after_the_flood.test_examples import RULES
from tests.rules_docs.test_content import MACRO, body, links, paragraphs, rows
from voice import glossary

GAME = "after_the_flood"
LANGUAGES = ("hu", "en", "ru")
CORRECTED = {"hu": "> **A forrás javítása.**", "en": "> **Correction of the source.**", "ru": "> **Поправка к источнику.**"}
WITH_RULE = ("eridu", "uruk", "shuruppak", "ur", "nippur", "sippar", "babylon")
CITY_RULES = {area: [f"cities-{number}"] for number, area in enumerate(WITH_RULE, 1)}  # the paragraph of its rule

pytestmark = pytest.mark.parametrize("lang", LANGUAGES)


def noun_ids(cell: str) -> list[str]:
    """Return the ids of the pieces and places named in a cell, by picture or by word."""
    return [match.split(":")[1] for match in MACRO.findall(cell) if match.startswith(("term:", "tile:"))]


def numbers_in(text: str) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", MACRO.sub("", text))]


def number_in(cell: str) -> int:
    return int(cell) if cell != "–" else 0


def table(lang: str, anchor: str) -> dict[str, list[str]]:
    """Return the rows of a table by the id of the piece or place in the first column."""
    return {noun_ids(first)[0]: rest for first, *rest in rows(GAME, lang, anchor)}


def invaded_from(area: str) -> set[str]:
    return {flood.AREAS[start] for start in range(len(flood.AREAS)) if flood.NEIGHBOURS[start] >> flood.AREA_OF[area] & 1}


def invades(area: str) -> set[str]:
    return {other for index, other in enumerate(flood.AREAS) if flood.NEIGHBOURS[flood.AREA_OF[area]] >> index & 1}


@pytest.mark.rule("after_the_flood#components-1")
def test_every_player_has_the_pieces_of_the_engine(lang: str) -> None:
    told = {piece: int(cells[0]) for piece, cells in table(lang, "components-1").items()}
    assert told == {"city": flood.CITIES, "growth_marker": flood.CITIES, "worker": flood.WORKERS, "army": flood.ARMIES}


@pytest.mark.rule(
    "after_the_flood#components-2", "after_the_flood#setup-3", "after_the_flood#components-10", "after_the_flood#corrections-11"
)
def test_the_table_of_goods_is_what_the_engine_plays_with(lang: str) -> None:
    told = table(lang, "components-2")
    assert tuple(told) == flood.GOODS
    for index, (value, pieces, _, first, left) in enumerate(told.values()):
        assert (int(value), int(pieces), int(first)) == (flood.VALUES[index], flood.PIECES[index], flood.FIRST_GOODS[index])
        assert int(left) == flood.PIECES[index] - flood.SEATS * flood.FIRST_GOODS[index]


@pytest.mark.rule("after_the_flood#components-2", "after_the_flood#components-11")
def test_discs_are_the_luxuries(lang: str) -> None:
    shapes = [cells[2] for cells in table(lang, "components-2").values()]
    disc = shapes[flood.TOOL]
    assert tuple(index for index, shape in enumerate(shapes) if shape == disc) == flood.LUXURIES


@pytest.mark.rule("after_the_flood#components-3", "after_the_flood#expand-2", "after_the_flood#components-6", "after_the_flood#cities-8")
def test_the_areas_of_sumer_have_the_neighbours_of_the_engine(lang: str) -> None:
    told = table(lang, "components-6")
    assert tuple(told) == flood.SUMER
    for area, (neighbours, arrow, rule) in told.items():
        assert set(noun_ids(neighbours)) == invades(area)
        assert set(noun_ids(arrow)) == invaded_from(area) - invades(area)
        assert links(rule) == CITY_RULES.get(area, [])


@pytest.mark.rule("after_the_flood#components-3", "after_the_flood#expand-4", "after_the_flood#components-7")
def test_the_other_areas_have_neighbours_goods_points_and_empires_of_the_engine(lang: str) -> None:
    told = table(lang, "components-7")
    assert tuple(told) == flood.OTHERS
    for place, (area, (neighbours, goods, points, empire)) in enumerate(told.items()):
        assert set(noun_ids(neighbours)) == invades(area)
        assert [flood.GOOD_OF[good] for good in noun_ids(goods)] == list(flood.SOLD[place])
        assert number_in(points) == flood.END_POINTS.get(place, 0)
        started = [
            n for turn, empires in enumerate(flood.EMPIRES, 1) for name, _, armies in empires if name == area for n in (turn, armies)
        ]
        assert numbers_in(empire) == started


@pytest.mark.rule("after_the_flood#expand-2", "after_the_flood#components-8")
def test_areas_told_to_be_no_neighbours_are_none(lang: str) -> None:
    text = paragraphs(GAME, lang)["components-8"][1]
    nouns = {glossary.noun(GAME, area, lang).casefold(): area for area in flood.AREAS}
    named = [nouns[word] for word in re.findall(r"\w+", text.casefold()) if word in nouns]
    pairs = list(zip(named[::2], named[1::2], strict=True))
    assert len(pairs) == len(set(pairs)) == 7
    assert [pair for pair in pairs if pair[1] in invades(pair[0])] == []


@pytest.mark.rule("after_the_flood#components-4", "after_the_flood#scribes-2", "after_the_flood#end-2", "after_the_flood#components-12")
def test_the_boxes_have_limits_and_points_of_the_engine(lang: str) -> None:
    told = table(lang, "components-12")
    assert set(told) | {"used_scribes", "used_tool_makers"} == set(flood.BOXES)
    for box, (_, limit, points) in told.items():
        assert numbers_in(limit) == [flood.SCRIBE_LIMIT] * (box == "scribes")
        assert number_in(points) == flood.END_POINTS.get(flood.PLACE_OF[box], 0)


@pytest.mark.rule("after_the_flood#collect-4")
def test_the_table_of_production_is_what_the_engine_gives(lang: str) -> None:
    told = [[numbers_in(cell) for cell in cells[1:]] for cells in rows(GAME, lang, "collect-4")]
    ranks = ((0, 0, 1), (0, 1, 1), (0, 1, 2))
    assert told[0] == [[flood.GRAIN_ALL_EQUAL] * flood.SEATS, [flood.TEXTILES_BY_RANK[0]] * flood.SEATS]
    assert told[1:] == [[[flood.GRAIN_BY_RANK[r] for r in row], [flood.TEXTILES_BY_RANK[r] for r in row]] for row in ranks]


@pytest.mark.rule("after_the_flood#decline-1")
def test_the_declines_are_in_the_turns_of_the_engine(lang: str) -> None:
    assert tuple(numbers_in(paragraphs(GAME, lang)["decline-1"][1])) == flood.DECLINE_TURNS
    declines = [cells[3] for cells in rows(GAME, lang, "found-1")]
    assert [turn for turn, told in enumerate(declines, 1) if told == declines[1]] == list(flood.DECLINE_TURNS)


@pytest.mark.rule("after_the_flood#trade-3", "after_the_flood#trade-11", "after_the_flood#corrections-3")
def test_the_table_of_trade_is_what_the_engine_allows(lang: str) -> None:
    told = {flood.GOOD_OF[get]: tuple(flood.GOOD_OF[give] for give in noun_ids(cells[0])) for get, cells in table(lang, "trade-3").items()}
    assert told == flood.PRICES


@pytest.mark.rule("after_the_flood#found-1", "after_the_flood#found-16")
def test_the_table_of_empires_is_what_the_engine_offers(lang: str) -> None:
    for turn, (number, year, empires, _) in enumerate(rows(GAME, lang, "found-1")):
        assert int(number) == turn + 1
        assert numbers_in(year) == [flood.YEARS[turn]]
        told = list(zip(noun_ids(empires), numbers_in(empires), strict=True))
        assert told == [(name, armies) for name, _, armies in flood.EMPIRES[turn]]


@pytest.mark.rule("after_the_flood#found-6", "after_the_flood#found-15")
def test_the_table_of_armies_bought_is_what_the_engine_gives(lang: str) -> None:
    told = {flood.GOOD_OF[good]: int(cells[0]) for good, cells in table(lang, "found-15").items()}
    assert told == flood.RECRUITS


@pytest.mark.rule("after_the_flood#combat-1")
def test_the_rolls_needed_and_their_odds_are_those_of_two_dice(lang: str) -> None:
    needs = numbers_in(paragraphs(GAME, lang)["combat-1"][1])
    assert needs == [flood.NEED_SUPERIOR, flood.NEED_INFERIOR]
    sums = [a + b for a in range(1, 7) for b in range(1, 7)]
    odds = [sum(roll >= need for roll in sums) for need in needs]
    assert sorted(numbers_in(paragraphs(GAME, lang)["combat-7"][1])) == sorted([len(sums), *odds])


@pytest.mark.rule("after_the_flood#growth-2")
def test_the_table_of_growth_is_what_the_engine_pays(lang: str) -> None:
    told = [(int(luxuries), int(points)) for luxuries, points in rows(GAME, lang, "growth-2")]
    assert told == list(enumerate(flood.GROWTH_POINTS))


@pytest.mark.rule("after_the_flood#decline-3", "after_the_flood#overview-5", "after_the_flood#corrections-1")
def test_every_correction_of_the_source_is_marked_and_listed(lang: str) -> None:
    book = paragraphs(GAME, lang)
    marked = {anchor for anchor, (_, text) in book.items() if text.startswith(CORRECTED[lang])}
    listed = {link for chapter, text in book.values() if chapter == "corrections" for link in links(text)}
    assert "decline-3" in marked
    assert marked <= listed


@pytest.mark.rule("after_the_flood#forgotten-15")
def test_the_card_of_forgotten_rules_has_fourteen_lines_each_with_its_paragraph(lang: str) -> None:
    card = [paragraphs(GAME, lang)[f"forgotten-{n}"][1] for n in range(1, 15)]
    assert all(len(links(line)) == 1 and len(line) < 200 for line in card)


def test_every_example_of_the_source_is_drawn_once_and_shows_its_paragraph(lang: str) -> None:
    words = {"1": "one", "2": "two", "3": "three", "4": "four"}
    wanted = {re.sub(r"\d", lambda digit: words[digit[0]], name): anchor for name, anchor in RULES.items()}
    drawn = [
        name
        for chapter in content.book(GAME).chapters
        for name in re.findall(r"^::example (\S+)$", body(GAME, lang, chapter.slug), re.MULTILINE)
    ]
    assert sorted(drawn) == sorted(wanted)
    assert {name: examples.example(GAME, name).anchor for name in drawn} == wanted


def test_every_id_of_the_engine_has_a_noun(lang: str) -> None:
    assert {*flood.AREAS, *flood.BOXES, *flood.GOODS, *flood.EMPIRE_NAMES, *(f"rating_{r}" for r in flood.RATINGS)} <= glossary.noun_ids(
        GAME, lang
    )
