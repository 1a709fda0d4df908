"""When does this happen? What shows a paragraph at work, and where readers find it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from rules_docs import content, held, when
from rules_docs.held import sentence
from rules_docs.models import Paragraph

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rules")]
DRAWER = {"HX-Request": "true"}


def text(response: Any) -> str:
    return response.content.decode()


@pytest.fixture
def positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A finished game, as the app of the tables would tell of it."""

    def find(game: str, anchor: str, lang: str) -> list[when.Position]:
        told = when.Position(f"/tables/7/replay/?step=5#{lang}", "<Anna> bid 9.", "Anna & Ben", datetime(2026, 3, 4, 20, tzinfo=UTC))
        return [told] if (game, anchor) == ("ra", "auction-3") else []

    monkeypatch.setattr(when, "FINDERS", [find])


# ---------------------------------------------------------------- what holds a paragraph


def test_the_name_of_a_test_becomes_a_sentence() -> None:
    names = {"ra": "Ra", "nile": "Nile"}
    assert sentence("test_on_another_player_s_turn_the_ra_track_fills", names) == "On another player's turn the Ra track fills."
    assert sentence("test_180_tiles_are_ready", names) == "180 tiles are ready."
    assert sentence("test_players_see_only_their_own_hand", names) == "Players see only their own hand."


def test_scenarios_are_told_and_tests_of_the_program_are_not() -> None:
    marks = {
        "ra#auction-3": [
            "engine/ra/test_auction.py::test_a_bid_beats_the_ra_player",
            "engine/ra/test_auction.py::TestBids.test_a_second_bid",
            "engine/ra/test_auction.py::test_auction_case",
            "engine/ra/test_auction.py::test_a_derivation_names_the_bid",
            "engine/ra/test_bots.py::test_a_bot_bids",
            "engine/ra/test_prompt_and_orders.py::test_a_bid_is_asked_for",
            "engine/ra/test_auction.py",
            "rules_docs/test_content.py::test_the_table_is_right",
        ]
    }
    lines = held.made("ra", marks).splitlines()
    assert lines[0] == "{" and lines[-1] == "}"
    (line,) = [line for line in lines if '"auction-3"' in line]
    assert '"tests": ["A bid beats the Ra player.", "A second bid."]' in line


@pytest.mark.parametrize("game", content.book_keys())
def test_each_worked_example_is_in_the_chapter_to_which_the_page_leads(game: str) -> None:
    """And each step that is named has an event or a refusal of that paragraph, or is the start of an example written for it."""
    chapters = dict(Paragraph.objects.filter(game=game, lang="en").exclude(example="").values_list("example", "chapter__slug"))
    shown = held.held(game)
    assert any(step for one in shown.values() for _, step in one.examples)
    for anchor, one in shown.items():
        assert one.tests or one.examples, anchor
        for (address, title), (name, step) in zip(when.when_of(game, anchor, "en").examples, one.examples, strict=True):
            query = f"?example={name}&step={step}" if step else ""
            assert address == f"/en/rules/{game}/{chapters[name]}/{query}#{content.example_anchor(name)}"
            assert title
            frame = when.examples.played(game, name)[step]
            cited = [event.rule for event in frame.events] + ([frame.refusal.rule] if frame.refusal else [])
            assert f"{game}#{anchor}" in cited if step else when.examples.example(game, name).anchor == anchor


def test_the_files_are_written_and_checked_by_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ra" / "held.json"
    file.parent.mkdir()
    monkeypatch.setattr(held, "file_of", lambda game, root=content.ROOT: file)
    with pytest.raises(CommandError, match=r"held\.json is out of date; run manage\.py rules_coverage --held"):
        call_command("rules_coverage", "ra", "--held", "--check")
    assert not file.exists()
    call_command("rules_coverage", "ra", "--held", stdout=StringIO())
    assert file.read_text("utf-8") == (content.ROOT / "ra" / "held.json").read_text("utf-8")
    call_command("rules_coverage", "ra", "--held", "--check")


def test_a_book_without_the_file_has_nothing_to_show(tmp_path: Path) -> None:
    assert held.held("ra", tmp_path) == {}


# ---------------------------------------------------------------- pages


def test_a_chapter_has_a_control_at_each_paragraph_of_which_there_is_something(client: Client) -> None:
    page = text(client.get("/en/rules/ra/auction/?with=hu"))
    own = [anchor for anchor, place in content.places("ra").items() if place.chapter == "auction"]
    shown = [anchor for anchor in own if anchor in held.held("ra")]
    controls = re.findall(r'<a class="paragraph__when" href="/en/rules/ra/when/([^/]+)/" data-drawer aria-label="([^"]+)"', page)
    assert [anchor for anchor, _ in controls] == shown != []
    assert controls[0][1] == "Paragraph 1: when does this happen?"
    assert len({label for _, label in controls}) == len(controls), "screen readers list links by their names"
    bare = text(client.get("/en/rules/ra/overview/"))
    assert "overview-1" not in held.held("ra")
    assert "/when/overview-1/" not in bare and "/when/overview-2/" in bare
    assert "/when/" not in text(client.get("/en/rules/ra/whole/"))


def test_the_page_shows_examples_games_and_tested_situations(
    client: Client, positions: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        response = client.get("/hu/rules/ra/when/auction-3/")
    page = unescape(text(response))
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "private, max-age=0, must-revalidate"
    assert page.count("<h1") == 1 and "Mikor fordul ez elő?</h1>" in page
    paragraph = Paragraph.objects.get(game="ra", lang="hu", anchor="auction-3")
    assert re.sub(r"<[^>]+>", "", paragraph.html)[:40] in page
    assert 'href="/hu/rules/ra/p/auction-3/"' in page
    for address, title in when.when_of("ra", "auction-3", "hu").examples:
        assert f'<a href="{address}">{title}</a>' in page
    assert '<a href="/tables/7/replay/?step=5#hu"><Anna> bid 9.</a>' in page and "Anna & Ben" in page
    assert '<time datetime="2026-03-04T' in page
    situations = page[page.index('<ul class="when__list" lang="en">') :]
    assert re.findall("<li>(.*?)</li>", situations) == list(held.held("ra")["auction-3"].tests)
    assert "csak angolul" in situations
    assert "in English only" not in text(client.get("/en/rules/ra/when/auction-3/"))
    assert "&lt;Anna&gt; bid 9." in text(response), "what people are called is no markup"


def test_a_drawer_gets_the_lists_alone(client: Client, positions: None, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        response = client.get("/en/rules/ra/when/auction-3/", headers=DRAWER)
    assert "HX-Request" in response.headers["Vary"]
    fragment = text(response)
    assert "<h1" not in fragment and "<html" not in fragment
    for head in ("Worked examples", "In finished games", "Tested situations"):
        assert f">{head}</h3>" in fragment
    paragraph = text(client.get("/en/rules/ra/p/auction-3/", headers=DRAWER))
    assert '<a href="/en/rules/ra/when/auction-3/" data-drawer>' in paragraph
    assert "/when/" not in text(client.get("/en/rules/ra/p/overview-1/", headers=DRAWER))


def test_a_paragraph_of_which_there_is_nothing_says_so(client: Client) -> None:
    assert "There is nothing to show for this paragraph yet." in text(client.get("/en/rules/ra/when/overview-1/"))


def test_addresses_of_no_paragraph_lead_on(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = content.book
    change = {"retired": {"auction-99": "auction-3", "auction-98": ""}, "languages": ("hu", "en")}

    def book(game: str, root: Path = content.ROOT) -> content.Book:
        return replace(whole(game, root), **change) if game == "ra" else whole(game, root)

    monkeypatch.setattr(content, "book", book)
    for headers in ({}, DRAWER):
        moved = client.get("/en/rules/ra/when/auction-99/", headers=headers)
        assert (moved.status_code, moved.headers["Location"]) == (302, "/en/rules/ra/when/auction-3/")
        for anchor in ("auction-98", "auction-333", "nothing"):
            missing = client.get(f"/en/rules/ra/when/{anchor}/", headers=headers)
            assert missing.status_code == 404 and anchor in text(missing)
        assert 'href="/en/rules/ra/auction/#auction-3"' in text(client.get("/en/rules/ra/when/auction-333/", headers=headers))
        assert client.get("/en/rules/chess/when/auction-3/", headers=headers).status_code == 404
        assert client.get("/xx/rules/ra/when/auction-3/", headers=headers).status_code == 404
    instead = client.get("/ru/rules/ra/when/auction-3/")
    assert (instead.status_code, instead.headers["Location"]) == (302, "/en/rules/ra/when/auction-3/?instead-of=ru")
    assert "На этом языке этой страницы ещё нет" in text(client.get(instead.headers["Location"]))
    assert "Проверенные ситуации" in text(client.get("/ru/rules/ra/when/auction-3/", headers=DRAWER)), "a table's drawer is in its language"


def test_a_book_that_is_not_loaded_says_so(client: Client) -> None:
    Paragraph.objects.filter(game="ra").delete()
    assert client.get("/en/rules/ra/when/auction-3/").status_code == 404
