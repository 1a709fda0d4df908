"""Another game is a package, a template, a style, a sprite and a registry line: every page and command takes it as it is."""

from __future__ import annotations

import json
import re

import pytest
from django.core.management import call_command
from django.urls import reverse

from games.core.records import verify_record
from games.registry import GAMES, game
from portal.ratings.services import apply_pending
from portal.tables import services, tasks
from portal.tables.loading import load
from portal.tables.models import Table
from tests.portal.tables.driver import play_on

pytestmark = pytest.mark.usefixtures("nim")


@pytest.fixture
def bench(alice, bob):
    """A table of Nim with Alice and Bob."""
    loaded = services.create_table(owner=alice, game_key="nim", seats=2)
    return services.join_table(table_id=loaded.table.pk, user=bob).table


def test_the_front_page_starts_it_against_a_bot_at_one_click(client):
    page = client.get(reverse("home")).content.decode()
    assert "css/games/nim.css" in page
    assert 'Play now<span class="sr-only"> Nim</span>' in page
    offer = page.partition('<li class="offer" data-game="nim">')[2].partition("</li>")[0]
    assert "plate__art" in offer  # it has no recorded turn, and neither length nor weight
    assert "data-board" not in offer
    assert reverse("how", args=["nim"]) not in page
    assert client.get(reverse("how", args=["nim"])).status_code == 404
    answer = client.post(reverse("play-now", args=["nim"]))
    table = Table.objects.get()
    assert (answer.url, table.game, table.status) == (reverse("table", args=[table.pk]), "nim", "playing")


def test_a_new_table_knows_its_seats_options_and_levels(client, alice):
    client.force_login(alice)
    form = client.get(reverse("table-new"), {"game": "nim"}).content.decode()
    assert re.findall(r'name="seats" value="(\d)"', form) == ["2"]
    assert '<select class="select" name="option-pile">' in form
    client.post(reverse("table-new"), {"game": "nim", "seats": "2", "seat-1": "open", "option-pile": "long"})
    table = Table.objects.get()
    assert (table.options, table.status) == ({"pile": "long"}, "open")
    page = client.get(reverse("table", args=[table.pk])).content.decode()
    assert "Pile: long" in page
    assert 'href="#"' not in page
    assert "Nim" in client.get(reverse("lobby")).content.decode()


def test_it_is_played_by_forms_to_the_end_and_shows_where_the_points_came_from(client, alice, bob, bench):
    address = reverse("table", args=[bench.pk])
    for _ in range(20):
        table = Table.objects.get(pk=bench.pk)
        if table.waits_for == "scorer":
            tasks.score(table.pk, table.version)
            break
        client.force_login((alice, bob)[table.due[0]])
        page = client.get(address).content.decode()
        assert 'id="heap" data-target' in page
        chosen = client.get(address, {"a": "take 2"}).content.decode()
        action = re.search(r'id="confirm"[^>]*name="action" value="([^"]+)"', chosen)
        answer = client.post(f"{address}act/", {"action": action[1], "expected_version": table.version})
        assert answer.status_code == 303
    page = client.get(address).content.decode()
    assert "won with 1 point" in page
    assert "the last stone" in page
    assert "No stone is left." in page


def test_a_refusal_says_its_reason_without_a_rule_book(client, alice, bob, bench):
    client.force_login((alice, bob)[bench.due[0]])
    answer = client.post(reverse("table-act", args=[bench.pk]), {"action": "take 40", "expected_version": bench.version})
    assert answer.status_code == 422
    assert "stones left." in answer.content.decode()


def test_the_api_gives_view_and_legal_actions(client, alice, bob, bench):
    client.force_login((alice, bob)[bench.due[0]])
    table = client.get(f"/api/v1/tables/{bench.pk}/").json()
    assert table["legal"] == ["take 1", "take 2"]
    assert table["view"]["state"]["pile"] >= 5
    assert {"key": "nim", "title": "Nim"}.items() <= next(one for one in client.get("/api/v1/games/").json() if one["key"] == "nim").items()


def test_the_record_is_given_and_verified(client, bench, tmp_path, capsys):
    play_on(bench.pk)
    record = client.get(reverse("table-record", args=[bench.pk])).json()
    assert verify_record(record, game).is_good
    record["actions"][0][1] = "pile 99"
    assert not verify_record(record, game).is_good
    page = client.get(reverse("verify"), {"table": bench.pk})
    assert (page.status_code, b"notice--bad" in page.content) == (200, False)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(client.get(reverse("table-record", args=[bench.pk])).json()))
    call_command("replay", str(file), "--json")
    assert json.loads(capsys.readouterr().out)["reason"] == "empty"


def test_bots_play_it_and_the_winner_stands_on_its_own_leaderboard(client, alice):
    table = services.create_table(owner=alice, game_key="nim", seats=2, bots=["scribe"]).table
    play_on(table.pk)
    assert load(table.pk).table.status == "finished"
    assert apply_pending() == 1
    board = client.get(reverse("leaderboard", args=["nim"]), {"pool": "bots"}).content.decode()
    assert "alice" in board
    assert f'href="{reverse("leaderboard", args=["ra"])}"' in board
    assert "alice" not in client.get(reverse("leaderboard", args=["ra"]), {"pool": "bots"}).content.decode().partition("<main")[2]
    client.force_login(alice)
    assert "Nim" in client.get(reverse("profile", args=["alice"])).content.decode().partition("<main")[2]


def test_what_was_drawn_for_one_table_is_not_shown_at_another(client, alice, bob, monkeypatch):
    """Two tables in the same position: the names are part of the key of a cached piece of markup."""
    monkeypatch.setattr("games.core.sealed.new_secret", lambda: bytes(32))
    pages = []
    for owner in (alice, bob):
        table = services.create_table(owner=owner, game_key="nim", seats=2, bots=["scribe"]).table
        pages.append(client.get(reverse("table", args=[table.pk])).content.decode().partition("<main")[2])
    assert [re.findall(r'title="(\w+)">(\d) stones', page) for page in pages] == [[("alice", "5")], [("bob", "5")]]


def test_its_pages_load_its_styles_and_those_of_no_other_game(client, bench, alice):
    client.force_login(alice)
    for address in (reverse("table", args=[bench.pk]), reverse("table-log", args=[bench.pk])):
        assert re.findall(r'href="[^"]*css/games/(\w+)\.css"', client.get(address).content.decode()) == ["nim"]
    assert len(re.findall(r"css/games/\w+\.css", client.get(reverse("lobby")).content.decode())) == len(GAMES)
