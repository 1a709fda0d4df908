"""The page about bots: every level and player count, figures from the game's file, and an honest word where there are none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import reverse

from games.core import figures
from games.core.ladder import edges
from games.registry import GAMES
from portal.ratings.bots import LEFT, RIGHT, bots_page
from tests.portal.sixth.conftest import NIM, nim

__all__ = ["nim"]

SOURCE = figures.Source(
    "manage.py ladder --game ra --games 400 --seed 1 --save", "2026-01-02", 2, "a processor, CPython 3.11", 1, "0123456789"
)
EDGE = figures.EdgeFigures("scribe", "journeyman", 3, 402, 300.5, 0.701, 0.788, 57.3, 31.2, 9000, 0.41, 1.26, 9.5, SOURCE)
ORDER = figures.OrderFigures("scribe", 3, 1000, (250.0, 350.0, 400.0), (0.22, 0.32, 0.37), (0.28, 0.38, 0.43), (40.1, 50.2, 60.3), SOURCE)


@pytest.fixture
def measured(monkeypatch, tmp_path):
    """Figures of games in folders of their own: none until a test saves some."""
    for key in GAMES:
        (tmp_path / key).mkdir()
    monkeypatch.setattr(type(GAMES["ra"]), "folder", property(lambda entry: tmp_path / entry.key))
    return tmp_path / "ra"


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("lang", ["en", "hu", "ru"])
def test_the_page_of_every_game_can_be_read_in_every_language(client, db, key, lang):
    client.cookies["django_language"] = lang
    page = client.get(reverse("bots", args=[key])).content.decode()
    shown = bots_page(GAMES[key])
    assert page.count("<figure") == len(shown.measured_ladder) + len(shown.balance)
    assert "{" not in page.split("<main")[1].split("</main>")[0].replace("{%", "{")


def test_what_is_not_measured_is_said_so(client, db, measured):
    page = client.get(reverse("bots", args=["ra"])).content.decode()
    assert page.count("Not measured yet.") == 2
    assert "<figure" not in page, "empty bars say nothing"
    assert "Where these figures come from" not in page


def test_figures_of_the_file_are_drawn_and_told(client, db, measured):
    figures.save(measured, EDGE)
    page = client.get(reverse("bots", args=["ra"])).content.decode()
    for told in ("74.8%", "70.1 to 78.8%", 'table__cell--wide">402</td>', "57.3 – 31.2", "0.41 ms", "1.3 ms"):
        assert told in page, told
    assert "Measured on 2 January 2026 on a machine with 2 cores: a processor, CPython 3.11" in " ".join(page.split())
    assert SOURCE.command in page
    rungs = edges(GAMES["ra"].game, (3,))
    assert page.count("not measured yet") == 2 * (len(rungs) - 1), "in the drawing and in the table"
    assert "Not measured yet with this many players: 2, 4, 5." in page
    figures.save(measured, replace(EDGE, wins=201.0, low=0.45, high=0.55))  # a later measurement shows without a restart
    figures.save(measured, ORDER)
    page = client.get(reverse("bots", args=["ra"])).content.decode()
    assert "74.8%" not in page and "50.0%" in page
    for told in ("Starts third: 40.0% (37.0 to 43.0), mean score 60.3", "Scribe, 3 players", "1000 games"):
        assert told in " ".join(page.split()), told
    assert (page.count("more than a fair share"), page.count("less than a fair share")) == (1, 1), "the second's interval contains a third"
    assert "The player with the highest one starts" in page


def test_drawings_keep_figures_in_their_frame(measured, db):
    figures.save(measured, replace(EDGE, wins=402.0, low=0.99, high=1.0))
    drawn = next(drawn for drawn in bots_page(GAMES["ra"]).ladder if drawn.seats == 3)
    for bar in drawn.bars:
        assert 0 < bar.text_y < bar.bar_y < bar.middle < drawn.bottom < drawn.height
    full = next(bar for bar in drawn.bars if bar.found)
    assert (full.x, full.high, full.width) == (RIGHT, RIGHT, RIGHT - LEFT)
    assert LEFT < full.low < full.high
    assert drawn.fair == pytest.approx(LEFT + (RIGHT - LEFT) / 3, abs=0.1)


def test_levels_that_a_game_lacks_are_named_and_not_described(client, db, measured, monkeypatch):
    meta = GAMES["ra"].game.meta
    monkeypatch.setitem(vars(GAMES["ra"].game), "meta", replace(meta, bot_levels=("apprentice", "scribe")))
    page = client.get(reverse("bots", args=["ra"])).content.decode()
    assert (
        page.count("This game doesn't have a bot of this level yet.".replace("'", "&#x27;"))
        + page.count("This game doesn't have a bot of this level yet.")
        == 2
    )
    assert "learned from thousands" not in page
    assert "Works out what a whole position is worth" in page


def test_a_new_game_has_its_page_without_a_change_to_the_site(client, nim, monkeypatch):
    page = client.get(reverse("bots", args=["nim"])).content.decode()
    assert "Bots in Nim" in page and "Not measured yet." in page
    assert NIM.folder.name == "nim"


def test_readers_find_the_page(client, db):
    assert client.get(reverse("all-bots")).headers["Location"] == reverse("bots", args=["ra"])
    for address in (reverse("table-new") + "?game=babel", reverse("how", args=["babel"])):
        page = client.get(address).content.decode()
        assert f'href="{reverse("bots", args=["babel"])}"' in page
    assert f'href="{reverse("all-bots")}"' in client.get(reverse("home")).content.decode()


def test_unknown_games_have_no_page(client, db):
    assert client.get("/games/chess/bots/").status_code == 404
