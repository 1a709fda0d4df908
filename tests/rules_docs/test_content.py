"""The rule books as texts: languages in step, anchors, links, nouns, examples, and figures that match the engines."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from games import registry
from games.after_the_flood import components as flood
from games.babel import components as babel
from games.history_of_the_world import components as world
from games.ra import components as ra
from games.tigris_euphrates import components as tigris
from rules_docs import content, examples
from voice import drawing, glossary

BASE = Path(__file__).resolve().parents[2]
BOOKS = content.written_keys()
PLAYED = content.book_keys()  # their games can be played: pieces are drawn, examples run
ANCHOR = re.compile(r"\{#([^}]*)\}\s*$")
MACRO = re.compile(r"\[\[([^\[\]]+)\]\]")
CITATION = re.compile(r"\b([a-z][a-z_]*)#([a-z]+(?:-[a-z]+)*-\d+)\b")
MARKED_AS_READING = {"en": "**Our interpretation.**", "hu": "**Értelmezésünk.**", "ru": "**Наша трактовка.**"}

# The anchors that engine, tests and pages rely on, section by section: they keep their meaning for ever.
PROMISED = {
    "ra": {
        "overview": 4,
        "components": 5,
        "setup": 8,
        "turn": 3,
        "draw": 4,
        "ra": 3,
        "auction": 12,
        "tiles": 3,
        "disasters": 7,
        "gods": 7,
        "epochs": 6,
        "score": 3,
        "gods-score": 1,
        "pharaohs": 3,
        "niles": 3,
        "civilization": 4,
        "gold": 1,
        "monuments": 4,
        "suns": 3,
        "end": 2,
        "two": 4,
        "hidden": 2,
    },
    "tigris_euphrates": {
        "overview": 3,
        "components": 6,
        "setup": 6,
        "kingdoms": 5,
        "turn": 6,
        "leaders": 10,
        "tiles": 11,
        "catastrophes": 6,
        "swap": 5,
        "conflicts": 6,
        "revolts": 5,
        "wars": 13,
        "monuments": 14,
        "treasures": 7,
        "end": 5,
        "scoring": 5,
        "hidden": 5,
    },
    "babel": {
        "overview": 3,
        "components": 5,
        "setup": 6,
        "turn": 5,
        "start": 3,
        "people": 3,
        "move": 4,
        "settle": 3,
        "build": 5,
        "migration": 5,
        "powers": 6,
        "destroy": 3,
        "steal": 4,
        "expel": 2,
        "switch": 2,
        "skip": 3,
        "halving": 3,
        "temples": 2,
        "score": 2,
        "end": 9,
        "hidden": 3,
        "readings": 1,
    },
    "after_the_flood": {
        "overview": 3,
        "components": 5,
        "setup": 4,
        "turn": 2,
        "collect": 8,
        "decline": 6,
        "act": 3,
        "build": 4,
        "place": 4,
        "scribes": 6,
        "trade": 8,
        "tools": 3,
        "found": 10,
        "equip": 3,
        "expand": 8,
        "combat": 6,
        "destroy": 3,
        "pass": 6,
        "order": 3,
        "points": 3,
        "growth": 5,
        "turnend": 3,
        "end": 4,
        "cities": 9,
        "hidden": 1,
        "forgotten": 14,
        "readings": 1,
    },
    "history_of_the_world": {
        "overview": 4,
        "components": 6,
        "setup": 3,
        "epoch": 4,
        "tiles": 3,
        "draft": 8,
        "turn": 2,
        "kingdom": 4,
        "events": 7,
        "found": 6,
        "conquest": 4,
        "reach": 5,
        "battle": 7,
        "defence": 4,
        "siege": 6,
        "retreat": 1,
        "ruin": 4,
        "forts": 3,
        "monuments": 4,
        "abilities": 3,
        "deactivate": 1,
        "score": 7,
        "limits": 2,
        "end": 1,
        "hidden": 2,
        "empires": 5,
        "cards": 6,
        "map": 16,
        "corrections": 5,
    },
}


def languages() -> list[tuple[str, str]]:
    return [(game, lang) for game in BOOKS for lang in content.book(game).languages]


def chapters() -> list[tuple[str, str, str]]:
    return [(game, lang, chapter.slug) for game, lang in languages() for chapter in content.book(game).chapters]


def body(game: str, lang: str, slug: str) -> str:
    book = content.book(game)
    chapter = book.chapter(slug)
    assert chapter is not None
    return book.file(chapter, lang).read_text("utf-8").split("---\n", 2)[2]


@cache
def paragraphs(game: str, lang: str) -> dict[str, tuple[str, str]]:
    """Return the source text of every anchored block of a book, {anchor: (chapter, text)}, in reading order."""
    found: dict[str, tuple[str, str]] = {}
    for chapter in content.book(game).chapters:
        lines: list[str] = []
        for line in body(game, lang, chapter.slug).splitlines():
            match = ANCHOR.search(line)
            if match is None:
                lines = [] if not line.strip() or line.startswith(("#", "::")) else [*lines, line]
                continue
            assert match[1] not in found, f"{match[1]} stands twice in {lang}"
            found[match[1]] = (chapter.slug, "\n".join([*lines, line[: match.start()]]))
            lines = []
    return found


def embeds(game: str, lang: str) -> list[str]:
    return [
        name
        for chapter in content.book(game).chapters
        for name in re.findall(r"^::example (\S+)$", body(game, lang, chapter.slug), re.MULTILINE)
    ]


# ---------------------------------------------------------------- structure


@pytest.mark.parametrize(("game", "lang", "slug"), chapters())
def test_every_chapter_is_written_in_every_language_and_can_be_read(game: str, lang: str, slug: str) -> None:
    book = content.book(game)
    info = book.chapter(slug)
    assert info is not None
    chapter = content.read_chapter(book, info, lang)  # refuses missing anchors, dead links, unknown pieces, missing front matter
    assert chapter.title == info.title[lang]
    assert chapter.state == "reviewed"
    assert chapter.source
    assert chapter.source_revision == book.source_revision
    assert any(block.anchor for block in chapter.blocks)


@pytest.mark.parametrize("game", BOOKS)
def test_no_file_lies_beside_the_book(game: str) -> None:
    book = content.book(game)
    for lang in book.languages:
        expected = {book.file(chapter, lang).name for chapter in book.chapters}
        assert {file.name for file in (book.folder / lang).iterdir()} == expected


@pytest.mark.parametrize("game", BOOKS)
def test_anchors_stand_in_the_same_order_in_all_languages(game: str) -> None:
    first, *others = content.book(game).languages
    expected = [(anchor, slug) for anchor, (slug, _) in paragraphs(game, first).items()]
    assert expected
    for lang in others:
        assert [(anchor, slug) for anchor, (slug, _) in paragraphs(game, lang).items()] == expected


@pytest.mark.parametrize("game", BOOKS)
def test_no_anchor_is_used_again_after_it_was_retired(game: str) -> None:
    book = content.book(game)
    assert not set(book.retired) & set(paragraphs(game, book.source_language))


@pytest.mark.parametrize("game", sorted(PROMISED))
def test_promised_anchors_exist(game: str) -> None:
    promised = {f"{section}-{n}" for section, count in PROMISED[game].items() for n in range(1, count + 1)}
    assert promised <= set(paragraphs(game, content.book(game).source_language))


@pytest.mark.parametrize("game", BOOKS)
def test_every_paragraph_cited_in_code_tests_and_templates_exists(game: str) -> None:
    known = set(paragraphs(game, content.book(game).source_language))
    cited: dict[str, str] = {}
    for folder in ("games", "portal", "rules_docs", "voice", "templates", "tests"):
        for file in (BASE / folder).rglob("*"):
            if file.suffix in (".py", ".html", ".md", ".json"):
                cited.update({anchor: str(file) for key, anchor in CITATION.findall(file.read_text("utf-8")) if key == game})
    assert cited
    assert {anchor: file for anchor, file in cited.items() if anchor not in known} == {}


# ---------------------------------------------------------------- languages in step


def links(text: str) -> list[str]:
    return sorted(match.partition("|")[0] for match in MACRO.findall(text))


def numbers(text: str) -> list[str]:
    plain = re.sub(r"^\|.*?\|", "", MACRO.sub("", text), flags=re.MULTILINE) if text.startswith("|") else MACRO.sub("", text)
    return sorted(re.findall(r"[−]?\d+", plain))


@pytest.mark.parametrize("game", BOOKS)
def test_translations_carry_the_same_links_numbers_and_marks(game: str) -> None:
    first, *others = content.book(game).languages
    for lang in others:
        for anchor, (_, text) in paragraphs(game, lang).items():
            source = paragraphs(game, first)[anchor][1]
            assert links(text) == links(source), anchor
            assert numbers(text) == numbers(source), anchor
            assert (MARKED_AS_READING[lang] in text) == (MARKED_AS_READING[first] in source), anchor


@pytest.mark.rule("ra#overview-9", "tigris_euphrates#overview-7", "babel#overview-7")
@pytest.mark.parametrize(("game", "lang"), languages())
def test_readings_are_listed_in_a_chapter_of_their_own(game: str, lang: str) -> None:
    listed = {link for slug, text in paragraphs(game, lang).values() if slug == "readings" for link in links(text)}
    marked = {anchor for anchor, (_, text) in paragraphs(game, lang).items() if text.startswith("> " + MARKED_AS_READING[lang])}
    assert marked
    assert marked <= listed


@pytest.mark.parametrize(("game", "lang"), languages())
def test_no_paragraph_is_said_twice(game: str, lang: str) -> None:
    texts = [text for _, text in paragraphs(game, lang).values()]
    assert len(texts) == len(set(texts))


MAKERS = {
    "ra": ("overview-7", ("Reiner Knizia", "Ravensburger", "alea")),
    "tigris_euphrates": ("overview-3", ("Reiner Knizia", "Hans im Glück")),
    "babel": ("overview-3", ("Uwe Rosenberg", "Hagen Dorgathen", "Kosmos")),
    "after_the_flood": ("overview-3", ("Martin Wallace", "Warfrog")),
    "history_of_the_world": ("overview-3", ("Steve Kendall", "Phil Kendall", "Gary Dicken", "Z-Man Games")),
}
UNOFFICIAL = {"en": "unofficial", "hu": "nem hivatalos", "ru": "неофициальный"}


@pytest.mark.rule("ra#overview-7", "tigris_euphrates#overview-3", "babel#overview-3")
@pytest.mark.parametrize("game", BOOKS)
def test_the_text_says_that_it_is_unofficial_and_names_its_makers(game: str) -> None:
    anchor, makers = MAKERS[game]
    for lang in content.book(game).languages:
        text = paragraphs(game, lang)[anchor][1]
        for needed in (UNOFFICIAL[lang], *makers):
            assert needed in text


# ---------------------------------------------------------------- glossary

GLOSSARIES = ("en", "hu", "ru")
FORMS = {"en": {"one", "many"}, "ru": {"one", "few", "many"}}


@pytest.mark.parametrize("game", BOOKS)
def test_every_glossary_has_every_noun(game: str) -> None:
    expected = glossary.noun_ids(game, "en")
    for lang in GLOSSARIES:
        assert glossary.noun_ids(game, lang) == expected


PIECES = {
    "ra": ra.KINDS,
    "tigris_euphrates": (
        *tigris.KINDS,
        *tigris.ROLES,
        *tigris.DYNASTIES,
        *(f"{role}_{dynasty}" for role in tigris.ROLES for dynasty in tigris.DYNASTIES),
        *(monument for monument, _, _ in tigris.MONUMENTS),
        "catastrophe",
        "union_tile",
        "treasure",
    ),
    "babel": (
        *babel.PEOPLES,
        *(f"card_{people}" for people in babel.PEOPLES),
        *(f"temple_{level}" for level in range(babel.TOP_LEVEL + 1)),
        *(f"power_{power}" for power in (*babel.POWER_PEOPLE, "halve")),
        "card_back",
        "temple_back",
        "quarry",
        "pawn_1",
        "pawn_2",
    ),
    "after_the_flood": (
        *flood.GOODS,
        *(box for box in flood.BOXES if not box.startswith("used_")),  # the used side belongs to the same box
        "worker",
        "army",
        "city",
        "growth_marker",
    ),
    "history_of_the_world": (
        *("army", "fallen_army", "capital", "city", "monument", "fort", "fleet", "caravan", "siege_token", "catapult"),
        *sorted(set(world.TERRAIN) - {"none"}),
        *("resource_icon", "region_tile", "marauder", "kingdom", "improvement"),
    ),
}


@pytest.mark.parametrize("game", PLAYED)
@pytest.mark.parametrize("lang", GLOSSARIES)
def test_every_piece_has_a_noun_and_a_picture(game: str, lang: str) -> None:
    symbols = registry.entry(game).symbols
    assert set(PIECES[game]) <= set(symbols) <= glossary.noun_ids(game, lang)
    sprite = drawing.sprite(registry.entry(game).sprite)
    for piece in symbols:
        assert drawing.symbol_id(game, piece) in sprite


@pytest.mark.parametrize("game", BOOKS)
@pytest.mark.parametrize("lang", GLOSSARIES)
def test_no_two_things_have_the_same_noun(game: str, lang: str) -> None:
    nouns = [glossary.noun(game, noun_id, lang).casefold() for noun_id in glossary.noun_ids(game, lang)]
    assert sorted({noun for noun in nouns if nouns.count(noun) > 1}) == []


@pytest.mark.parametrize("lang", GLOSSARIES)
def test_noun_forms_are_those_of_the_language(lang: str) -> None:
    for game, section in glossary.sections(lang).items():
        for noun_id, entry in section.items():
            forms = set() if isinstance(entry, str) else set(entry)
            assert forms in (set(), FORMS.get(lang, set())), f"{game} {noun_id}"
            assert all(form and form == form.strip() for form in ([entry] if isinstance(entry, str) else entry.values()))


# ---------------------------------------------------------------- examples


@pytest.mark.parametrize("game", PLAYED)
def test_every_example_is_embedded_once_and_every_embed_exists(game: str) -> None:
    book = content.book(game)
    files = sorted(file.stem for file in (book.folder / "examples").glob("*.json"))
    assert files
    for lang in book.languages:
        assert sorted(embeds(game, lang)) == files


@pytest.mark.parametrize("game", BOOKS)
def test_examples_speak_every_language_of_the_book(game: str) -> None:
    book = content.book(game)
    for file in (book.folder / "examples").glob("*.json"):
        example = json.loads(file.read_text("utf-8"))
        assert example["expect"], file.name
        for words in (example["title"], example["intro"], *(step["note"] for step in example["steps"])):
            assert set(words) == set(book.languages), file.name
            assert all(words.values()), file.name


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in PLAYED for name in examples.example_names(game)])
def test_an_example_comes_out_as_the_text_says(game: str, name: str) -> None:
    assert examples.problems(examples.example(game, name)) == []


@pytest.mark.parametrize("game", BOOKS)
def test_an_example_stands_in_the_chapter_of_the_paragraph_that_it_shows(game: str) -> None:
    book = content.book(game)
    known = paragraphs(game, book.source_language)
    for chapter in book.chapters:
        for name in re.findall(r"^::example (\S+)$", body(game, book.source_language, chapter.slug), re.MULTILINE):
            example = json.loads((book.folder / "examples" / f"{name}.json").read_text("utf-8"))
            assert known[example["anchor"]][0] == chapter.slug, name


# ---------------------------------------------------------------- figures of Ra


def rows(game: str, lang: str, anchor: str) -> list[list[str]]:
    lines = paragraphs(game, lang)[anchor][1].splitlines()
    return [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines if line.startswith("|")][2:]


@pytest.mark.parametrize("lang", content.book("ra").languages)
@pytest.mark.rule("ra#components-2", "ra#components-6")
def test_the_table_of_tiles_is_what_the_engine_plays_with(lang: str) -> None:
    told = [(MACRO.fullmatch(row[0])[1].removeprefix("tile:"), int(row[1])) for row in rows("ra", lang, "components-6")]  # type: ignore[index]
    assert told == list(ra.TILES)


@pytest.mark.parametrize("lang", content.book("ra").languages)
@pytest.mark.rule("ra#overview-3")
def test_the_table_of_ages_has_a_row_for_each_epoch_and_they_follow_each_other(lang: str) -> None:
    told = [
        (int(row[0].rstrip(".")), MACRO.findall(row[1]), [int(year) for year in row[2].split("–")])
        for row in rows("ra", lang, "overview-3")
    ]
    assert [(number, names) for number, names, _ in told] == [(n, [f"term:epoch_{n}"]) for n in range(1, ra.EPOCH_COUNT + 1)]
    years = [year for _, _, both in told for year in both]
    assert years == sorted(years, reverse=True)


@pytest.mark.parametrize("lang", content.book("ra").languages)
@pytest.mark.rule("ra#gods-8")
def test_there_are_as_many_named_gods_as_god_tiles(lang: str) -> None:
    names = [glossary.noun("ra", noun, lang) for noun in glossary.noun_ids("ra", lang) if noun.startswith("god_")]
    assert len(names) == dict(ra.TILES)["god"]
    assert [name for name in names if name not in paragraphs("ra", lang)["gods-8"][1]] == []


@pytest.mark.parametrize("lang", content.book("ra").languages)
@pytest.mark.rule("ra#setup-5", "ra#setup-9")
def test_the_table_of_suns_is_what_the_engine_deals(lang: str) -> None:
    for column, seats in ((1, 3), (2, 4), (3, 5)):
        told = [tuple(int(sun) for sun in row[column].split(", ")) for row in rows("ra", lang, "setup-9") if row[column] != "–"]
        assert told == list(ra.SUN_SETS[seats])


@pytest.mark.parametrize("lang", content.book("ra").languages)
@pytest.mark.rule("ra#score-1")
def test_the_table_of_points_is_what_the_engine_pays(lang: str) -> None:
    points = [[int(n.replace("−", "-")) for n in re.findall(r"−?\d+", row[1])] for row in rows("ra", lang, "score-5")]
    kinds = ra.MONUMENT_KINDS_FAME
    assert points == [
        [ra.GOD_FAME],
        [ra.PHARAOHS_MOST],
        [ra.PHARAOHS_FEWEST],
        [1],
        [ra.CIVILIZATION_FAME[0]],
        list(ra.CIVILIZATION_FAME[3:]),
        [ra.GOLD_FAME],
        [kinds[1], kinds[6]],
        list(kinds[7:]),
        list(ra.MONUMENT_SAME_FAME[3:]),
        [ra.SUNS_MOST],
        [ra.SUNS_FEWEST],
    ]


# ---------------------------------------------------------------- figures of Tigris & Euphrates


@pytest.mark.parametrize("lang", ["hu", "en", "ru"])
@pytest.mark.rule("tigris_euphrates#components-1")
def test_the_table_of_tiles_and_leaders_is_what_the_engine_plays_with(lang: str) -> None:
    told = [
        (MACRO.fullmatch(tile)[1], colour, int(count), MACRO.fullmatch(leader)[1])  # type: ignore[index]
        for tile, colour, count, leader in rows("tigris_euphrates", lang, "components-1")
    ]
    colours = [glossary.noun("tigris_euphrates", colour, lang) for colour in tigris.COLOURS]
    pieces = zip(tigris.KINDS, colours, tigris.COUNTS, tigris.ROLES, strict=True)
    assert told == [(f"tile:{kind}", colour, count, f"tile:{role}") for kind, colour, count, role in pieces]


@pytest.mark.parametrize("lang", ["hu", "en", "ru"])
@pytest.mark.rule("tigris_euphrates#components-4")
def test_the_monuments_told_are_those_of_the_engine(lang: str) -> None:
    told = MACRO.findall(paragraphs("tigris_euphrates", lang)["components-4"][1])
    assert told == [f"tile:{monument}" for monument, _, _ in tigris.MONUMENTS]


def squares_told(text: str) -> set[str]:
    return set(re.findall(r"\b[A-P]\d+\b", text))


def squares_of(board: int) -> set[str]:
    return {label for label, square in tigris.SQUARE_OF.items() if board >> square & 1}


@pytest.mark.parametrize("lang", ["hu", "en", "ru"])
@pytest.mark.rule("tigris_euphrates#setup-1", "tigris_euphrates#components-6")
def test_the_board_told_is_that_of_the_engine(lang: str) -> None:
    told = paragraphs("tigris_euphrates", lang)
    temples, corners = re.split(r"(?<=K11)\.", told["setup-1"][1], maxsplit=1)
    assert squares_told(temples) == squares_of(tigris.START_TEMPLES)
    assert squares_told(corners) == squares_of(tigris.CORNERS)
    size = [tigris.HEIGHT, tigris.WIDTH, len(tigris.SQUARES), tigris.RIVER.bit_count(), tigris.LAND.bit_count()]
    assert [int(n) for n in re.findall(r"\b\d+\b", told["components-6"][1])][: len(size)] == size
    assert {"A1", "P11"} <= squares_told(told["components-6"][1]) <= set(tigris.SQUARE_OF)


@pytest.mark.parametrize("lang", ["hu", "en", "ru"])
@pytest.mark.rule("tigris_euphrates#setup-2")
def test_the_bag_told_is_that_of_the_engine(lang: str) -> None:
    settlement, temple, farm, market = tigris.COUNTS
    temple -= tigris.START_TEMPLES.bit_count()
    in_bag = [settlement + temple + farm + market, temple, farm, market, settlement]
    assert [int(n) for n in numbers_in_order(paragraphs("tigris_euphrates", lang)["setup-2"][1])] == in_bag


def numbers_in_order(text: str) -> list[str]:
    return re.findall(r"\d+", MACRO.sub("", text))
