"""The pictures of all games: whole files of SVG with everything that is on a board, nothing else, and nothing that is hidden."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from games.core.rng import SeededRng
from games.registry import GAMES
from portal.positions import looks, pictures
from tests.engine.played import every_game, every_table, plies, random_games

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Alice", "<script>alert('Bob')</script>", "Őrült & Árvíztűrő", 'Щука "Жанна"', "Eve", "Frank")
KNOWN = {
    "svg",
    "g",
    "defs",
    "symbol",
    "use",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "tspan",
    "pattern",
}
KNOWN |= {"title", "desc", "clipPath"}


def drawn(key, state, seat=None, lang="en", theme="", names=NAMES):
    game = GAMES[key].game
    view = game.view_for(state, seat)
    return pictures.svg_of(GAMES[key], view, names, lang=lang, theme=theme, note="Table 17, step 4")


def some_states(key, seats, every):
    ends = [line[-1].after for line in random_games(key, seats)]
    return [ply.before for ply in list(plies(key, seats))[::every]] + ends


def board_of(svg):
    """Return the board's own part of a picture."""
    board = ElementTree.fromstring(svg).find(f"{SVG}svg")
    assert board is not None
    return board


def uses(svg):
    return Counter(use.get("href") for use in board_of(svg).iter(f"{SVG}use"))


def tigris_euphrates(view, found):
    assert found == found | {f"#te-tile-{kind}": sum(kind == it for it in view.tiles.values()) for kind in set(view.tiles.values())}
    assert found["#te-catastrophe"] == len(view.catastrophes)
    assert found["#te-treasure"] == len(view.treasures)
    leaders = sum(square is not None for court in view.leaders for square in court.values())
    assert sum(count for href, count in found.items() if re.match(r"#te-(king|priest|farmer|trader)-", href)) == leaders
    assert sum(count for href, count in found.items() if href.startswith("#te-monument-")) == len(view.built)


def ra(view, found):
    assert found["#ra-ra"] == view.ra_count
    assert found["#ra-sun"] == 1 + sum(map(len, view.suns_up))
    assert found["#ra-sun-down"] == sum(map(len, view.suns_down))
    others = sum(count for href, count in found.items() if href not in ("#ra-ra", "#ra-sun", "#ra-sun-down", "#ra-figure"))
    assert others == sum(kind is not None for kind in view.track)


def babel(view, found):
    cards = Counter(f"#ba-card-{people}" for columns in view.columns for column in columns.values() for people in column)
    assert {href: count for href, count in found.items() if href.startswith("#ba-card-")} == cards
    temples = Counter(f"#ba-temple-{levels[-1]}" for temples in view.temples for levels in temples.values())
    temples["#ba-temple-0"] = 10 - sum(temples.values())
    assert {href: count for href, count in found.items() if href.startswith("#ba-temple-")} == {k: n for k, n in temples.items() if n}
    assert sum(found[f"#ba-pawn-{pawn}"] for pawn in "ab") == sum(pawn is not None for pawn in view.pawns)


def after_the_flood(view, found):
    """A mark of the owner is on every city and on every shield."""
    areas = set(import_module("games.after_the_flood.components").AREAS)
    for seat in range(3):
        assert found[f"#zg-seat-{seat + 1}"] == len(view.cities[seat]) + len(areas & {area for area, n in view.armies[seat].items() if n})


def history_of_the_world(view, found):
    extra = view.active if view.battle.target is not None and view.battle.is_invading else None
    for seat in range(view.seats):
        on_map = found[f"#hw-shape-{seat + 1}"]
        assert on_map - len(view.armies[seat]) in ((0, 1) if seat == extra else (0,))
    for kind, field in (("capital", view.capitals), ("city", view.cities), ("monument", view.monuments), ("fort", view.forts)):
        assert found[f"#hw-shape-{kind}"] == len(field)


@every_table
def test_everything_on_the_board_is_in_the_picture_once(key, seats):
    check = globals()[key]
    for state in some_states(key, seats, 40):
        check(GAMES[key].game.view_for(state, None), uses(drawn(key, state)))


@every_table
def test_a_picture_needs_nothing_else_and_does_nothing(key, seats):
    """Well-formed, no scripts, no styles, no addresses; everything that it uses is in it, once."""
    for number, state in enumerate(some_states(key, seats, 97)):
        svg = drawn(key, state, lang=("en", "hu", "ru")[number % 3], theme=("", "dark")[number % 2])
        root = ElementTree.fromstring(svg)
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= KNOWN
        attributes = [item for element in root.iter() for item in element.attrib.items()]
        assert not [name for name, _ in attributes if name.startswith("on") or name in ("style", "class")]
        assert all(value.startswith("#") for name, value in attributes if name.endswith("href"))
        ids = [value for name, value in attributes if name == "id"]
        assert len(ids) == len(set(ids))
        meant = {value[1:] for name, value in attributes if name.endswith("href")} | set(re.findall(r"url\(#([^)]+)\)", svg))
        assert meant <= set(ids)
        assert "var(" not in svg and "light-dark" not in svg and "url(h" not in svg and "<script" not in svg


@every_table
def test_nothing_hidden_is_in_a_picture(key, seats):
    """Two positions that differ in what a seat may not know have the same picture, byte for byte."""
    vary = import_module(f"tests.engine.{key}.secrets").vary
    rng = SeededRng(f"pictures {key} {seats}")
    changed = 0
    for state in [ply.before for ply in list(plies(key, seats))[::61]]:  # at the end nothing is hidden
        for seat in (None, 0, seats - 1):
            other = vary(state, seat, rng)
            changed += other != state
            assert drawn(key, state, seat) == drawn(key, other, seat)
    assert changed or key == "after_the_flood", "which hides nothing"


@every_game
def test_names_are_text_and_nobody_is_left_out(key):
    seats = GAMES[key].game.meta.seats[-1]
    svg = drawn(key, some_states(key, seats, 50)[1])
    told = ElementTree.fromstring(svg).findtext(f"{SVG}desc")
    for name in NAMES[:seats]:
        assert name in told
    assert "&lt;script&gt;" in svg
    strange = drawn(key, some_states(key, seats, 50)[1], names=["\x00\x1b\u202e\ud800abc"] * 6)
    ElementTree.fromstring(strange)
    assert "abc" in strange and "\u202e" not in strange


LONG = (
    "Nebuchadnezzar the Second",
    "alice_wonderland-1985",
    "Екатерина Александровна",
    "Őrült Árvíztűrő Tükör",
    "Hammurabi.of@Babylon",
    "Щ" * 20,
)


@every_game
def test_a_long_name_is_whole_in_its_card_and_beside_the_suns(key):
    seats = GAMES[key].game.meta.seats[-1]
    svg = drawn(key, some_states(key, seats, 50)[1], names=LONG[:seats])
    texts = [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    pairs = [*texts, *(first + second for first, second in pairwise(texts))]
    wanted = 2 if key == "ra" else 1
    for name in LONG[:seats]:
        assert sum(pair.replace(" ", "") == name.replace(" ", "") for pair in pairs) == wanted, (name, texts)
    assert not [text for text in texts if text.endswith("…")]


def test_the_order_of_play_is_in_the_picture_and_in_its_description():
    turns = set()
    for state in some_states("after_the_flood", 3, 60):
        view = GAMES["after_the_flood"].game.view_for(state, None)
        svg = ElementTree.fromstring(drawn("after_the_flood", state, names=("Ann", "Bob", "Cleo")))
        texts = [text.text for text in svg.findall(f"{SVG}text")]
        told = "Order of play: " + ", ".join(("Ann", "Bob", "Cleo")[seat] for seat in view.order)
        assert (told in svg.findtext(f"{SVG}desc")) == (view.turn > 0)
        if view.turn:
            at = texts.index("Order of play:")
            assert texts[at + 1 : at + 4] == [str(seat + 1) for seat in view.order]
            turns.add(view.order)
    assert len(turns) > 1


@every_game
def test_headings_have_the_serif_letters_of_the_pages(key):
    """A name with a number in it must be quoted, or the whole list of families is void."""
    svg = drawn(key, some_states(key, GAMES[key].game.meta.seats[0], 50)[1])
    families = {text.get("font-family") for text in ElementTree.fromstring(svg).iter(f"{SVG}text")}
    families.discard(None)
    assert any(family.startswith("Zig Serif,") for family in families)
    for family in families:
        for name in family.split(", "):
            assert re.fullmatch(r"'[^']+'|-?[A-Za-z_][\w-]*( -?[A-Za-z_][\w-]*)*", name), name


@every_game
def test_each_language_and_theme_has_its_own(key):
    state = some_states(key, GAMES[key].game.meta.seats[0], 50)[1]
    assert len({drawn(key, state, lang=lang, theme=theme) for lang in ("en", "hu", "ru") for theme in ("light", "dark")}) == 6
    assert drawn(key, state, theme="") == drawn(key, state, theme="light")


def test_colours_are_those_of_the_style_sheets():
    light, dark = looks.palette("ra", "light"), looks.palette("ra", "dark")
    assert (light["seat-1"], dark["seat-1"]) == ("#3368a8", "#5a93fa")
    assert (light["art-land"], dark["art-land"]) == ("#efdcae", "#54472f")
    assert (light["accent"], dark["accent"]) == ("#835400", "#ecb956"), "a game's own"
    assert looks.palette("babel", "light")["accent"] != light["accent"]


def test_classes_become_attributes_and_rules_for_some_screens_are_left_out():
    found = looks.styles("tigris_euphrates", "light")
    assert found["te-river"] == {"fill": "var(--art-river)", "stroke": "var(--art-ink)", "stroke-width": "2", "stroke-opacity": ".55"}
    assert found["te-coord"]["font-size"] == "15", "33px is for phones"
    assert looks.styles("after_the_flood", "dark")["af-sea"]["fill"] == "#16242c"


def test_a_game_without_pictures_has_none(monkeypatch):
    entry = GAMES["ra"]
    plain = type("Plain", (), {"key": "ra", "game": type("Rules", (), {"picture": None})})()
    assert pictures.svg_of(plain, object(), NAMES, lang="en") is None
    assert entry.game.picture is not None


@pytest.mark.parametrize(
    ("text", "room", "lines", "size"),
    [
        ("Ur", 200, ["Ur"], 26),
        ("Nebuchadnezzar II", 200, ["Nebuchadnezzar II"], 23),
        ("Nebuchadnezzar the Second", 200, ["Nebuchadnezzar the", "Second"], 18),
        ("alice_wonderland-1985-1986", 200, ["alice_wonderland-", "1985-1986"], 18),
        ("Aa Nebuchadnezzarofbabylonandur", 200, ["Aa Nebuchadnezzarofba", "bylonandur"], 18),
        ("x" * 45, 200, ["x" * 20, "x" * 18 + "…"], 18),
    ],
)
def test_a_text_gets_smaller_then_takes_two_lines_and_only_then_is_cut(text, room, lines, size):
    from games.core import svg

    assert svg.fitted(text, 26, room) == (lines, size)


@pytest.mark.parametrize("size", [30, 200])
def test_texts_are_cut_where_there_is_no_more_room(size):
    from games.core import svg

    text = svg.cut("Nebuchadnezzar the Second of Babylon" * 3, 25, size)
    assert text.endswith("…") and svg.width_of(text, 25) <= size
    assert svg.cut("Ur", 25, 100) == "Ur"
