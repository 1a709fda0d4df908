"""The figures in the rule book of Babel match the engine."""

from __future__ import annotations

import re

import pytest

from games.babel import components as babel
from tests.rules_docs.test_content import MACRO, paragraphs, rows

LANGUAGES = ("ru", "en", "hu")
POWER_OF = {people: f"power_{power}" for power, people in babel.POWER_PEOPLE.items()}


def noun_ids(cell: str) -> list[str]:
    return [match.partition(":")[2] for match in MACRO.findall(cell) if ":" in match]


def numbers_in(text: str) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", MACRO.sub("", text))]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.rule("babel#components-1", "babel#components-6")
def test_the_table_of_people_cards_is_what_the_engine_plays_with(lang: str) -> None:
    told = [[*noun_ids(row[0]), int(row[1]), *noun_ids(row[2]), *noun_ids(row[3])] for row in rows("babel", lang, "components-6")]
    assert told == [[people, babel.PEOPLE_EACH, f"land_{people}", POWER_OF[index]] for index, people in enumerate(babel.PEOPLES)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.rule("babel#components-2", "babel#components-7")
def test_the_table_of_temple_cards_is_what_the_engine_plays_with(lang: str) -> None:
    told = [(*noun_ids(row[0]), int(row[1])) for row in rows("babel", lang, "components-7")]
    assert told == [(f"temple_{level}", babel.LEVELS[level]) for level in range(1, babel.TOP_LEVEL + 1)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.rule("babel#powers-6")
def test_the_table_of_powers_names_each_people_with_its_power(lang: str) -> None:
    told = [noun_ids(row[0]) + noun_ids(row[1]) for row in rows("babel", lang, "powers-6")]
    assert told == [*([people, POWER_OF[index]] for index, people in enumerate(babel.PEOPLES)), ["power_halve"]]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.rule("babel#end-1", "babel#end-3", "babel#end-4")
def test_the_table_of_wins_has_the_limits_of_the_engine(lang: str) -> None:
    ahead, at_once, few = babel.WIN_AHEAD, babel.WIN_AT_ONCE, babel.TOO_FEW
    told = [[numbers_in(cell) for cell in row[:2]] for row in rows("babel", lang, "end-10")]
    assert told == [[[ahead - 1], []], [[ahead, at_once - 1], [few]], [[ahead, at_once - 1], [few + 1]], [[at_once], []]]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.rule("babel#score-2")
def test_no_score_is_higher_than_that_of_five_full_temples(lang: str) -> None:
    told = numbers_in(paragraphs("babel", lang)["score-2"][1])
    assert told == [babel.LANDS * babel.TOP_LEVEL, babel.TOP_LEVEL]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.rule("babel#halving-1")
def test_the_halves_told_are_rounded_as_the_engine_rounds_them(lang: str) -> None:
    five, left_of_five, seven, left_of_seven = numbers_in(paragraphs("babel", lang)["halving-1"][1])
    assert [left_of_five, left_of_seven] == [five - five // 2, seven - seven // 2]
