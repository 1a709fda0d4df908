"""Boards and pieces: only the symbols used, each once; pictures with accessible names."""

from __future__ import annotations

import re

import pytest

from games import registry
from rules_docs import examples
from voice import drawing

SPRITE = "art/ra.svg"


def test_symbols_come_once_each_and_only_those_asked_for() -> None:
    markup = drawing.symbols(SPRITE, ["ra-pharaoh", "ra-nile", "ra-pharaoh", "zg-seat-1", "no-such-symbol"])
    assert re.findall(r'<symbol id="([^"]+)"', markup) == ["ra-pharaoh", "ra-nile", "zg-seat-1"]


def test_a_symbol_brings_the_symbols_that_it_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    sprite = {
        "x-card": '<symbol id="x-card"><use href="#x-emblem"/></symbol>',
        "x-emblem": '<symbol id="x-emblem"><use href="#x-card"/></symbol>',
        "x-other": '<symbol id="x-other"></symbol>',
    }
    monkeypatch.setattr(drawing, "sprite", lambda path: sprite)
    assert re.findall(r'<symbol id="([^"]+)"', drawing.symbols("x.svg", ["x-card"])) == ["x-card", "x-emblem"]


def test_markup_without_pictures_needs_no_symbols() -> None:
    assert drawing.symbol_defs(SPRITE, "<p>text</p>") == ""


def test_a_missing_sprite_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"art/chess\.svg"):
        drawing.sprite("art/chess.svg")


@pytest.mark.parametrize("lang", ["hu", "en"])
def test_a_drawn_board_holds_exactly_the_symbols_it_uses(lang: str) -> None:
    entry = registry.entry("ra")
    shown = examples.example("ra", "auction")
    view = entry.game.view_for(examples.played("ra", "auction")[0].state, None)
    board = drawing.render_board(entry, view, lang, names=shown.names_in(lang), static_only=True)
    used = set(drawing.used_symbols(board))
    assert {"ra-pharaoh", "ra-nile", "ra-flood", "ra-civ-writing"} <= used
    assert "ra-earthquake" not in used
    assert sorted(re.findall(r'<symbol id="([^"]+)"', board)) == sorted(used)
    for name in shown.names_in(lang):
        assert name in board


@pytest.mark.parametrize("lang", ["hu", "en"])
def test_a_picture_of_a_board_has_no_links_ids_or_decimal_commas(lang: str) -> None:
    entry = registry.entry("ra")
    for name in examples.example_names("ra"):
        for frame in examples.played("ra", name):
            view = entry.game.view_for(frame.state, None)
            names = examples.example("ra", name).names_in(lang)
            board = drawing.render_board(entry, view, lang, names=names, static_only=True, with_symbols=False)
            assert "<a " not in board
            assert " id=" not in board
            assert "<form" not in board
            assert " style=" not in board
            assert not re.search(r'\b(?:x|y|cx|cy|width|height|d)="[^"]*\d,\d', board)


def test_a_small_picture_says_its_name_or_keeps_silent_beside_it() -> None:
    named = drawing.piece("ra", "pharaoh", "hu")
    assert 'aria-label="fáraó"' in named
    assert "art/ra.svg#ra-pharaoh" in named
    silent = drawing.piece("ra", "pharaoh", "hu", decorative=True)
    assert 'aria-hidden="true"' in silent
    assert "fáraó" not in silent


def test_a_piece_without_a_picture_is_named() -> None:
    with pytest.raises(KeyError, match="no picture of 'spaceship'"):
        drawing.symbol_id("ra", "spaceship")
