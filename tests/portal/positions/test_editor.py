"""The editor of positions: what it shows, what it refuses, and what can be done with a position."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.urls import reverse

from games.core.records import read_json, start_of_position
from games.registry import GAMES, game
from portal.positions.codes import code_of, position_of
from portal.tables.models import Table
from portal.tables.replay import replay_of
from portal.tables.selectors import page_of
from rules_docs.examples import example, example_names, read_file
from tests.portal.positions.seen import board_of, fault_of, left_of, link_of, text_of

pytestmark = pytest.mark.django_db
PUT = {
    "ra": ("pharaoh", "auction_track"),
    "tigris_euphrates": ("farm", "A4"),
    "babel": ("card_medes", "1.land_hittites"),
    "after_the_flood": ("2.worker", "egypt"),
    "history_of_the_world": ("1.army", "indus"),
}


def at(key: str) -> str:
    return reverse("position-editor", args=[key])


@pytest.mark.parametrize("key", GAMES)
def test_it_begins_with_the_first_position_and_takes_every_example_of_the_rules(client, key):
    page = client.get(at(key))
    assert page.status_code == 200
    assert read_json(text_of(page))["state"] == {}
    for name in example_names(key)[::9]:
        shown = client.get(at(key), {"example": name})
        assert shown.status_code == 200
        assert read_json(text_of(shown)) == example(key, name).position


@pytest.mark.parametrize("key", GAMES)
def test_taking_every_field_into_the_text_changes_nothing_of_the_position(client, key):
    first = page = client.get(at(key))
    text = text_of(page)
    assert len(left_of(first)) > 10
    for name in left_of(first):
        page = client.post(at(key), {"text": text, "do": f"take {name}"})
        text = text_of(page)
    assert left_of(page) == []
    assert board_of(page) == board_of(first) != ""
    rules, before = start_of_position(read_json(text_of(first)), game)
    assert rules.state_to_json(start_of_position(read_json(text), game)[1]) == rules.state_to_json(before)


def test_a_link_leads_back_to_the_position(client):
    page = client.get(at("ra"), {"example": "civilization"})
    home, _, rest = link_of(page).partition("/positions/")
    assert home.startswith("http")
    again = client.get(f"/positions/{rest}")
    assert text_of(again) == text_of(page)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "file: is no JSON"),
        ("{", "file: is no JSON"),
        ("[]", "file: expected a JSON object"),
        ("{}", "game: expected 'ra'"),
        ('{"game": "babel", "seats": 2, "state": {}}', "game: expected 'ra'"),
        ('{"game": "ra", "state": {}}', "seats: is missing"),
        ('{"game": "ra", "seats": 9, "state": {}}', "seats: 9 is not possible"),
        ('{"game": "ra", "seats": 3, "state": {"suns": 5}}', "suns"),
        ('{"game": "ra", "seats": 3, "state": {"colour": 5}}', "colour"),
        ('{"game": "ra", "seats": 3, "state": {"fame": [1, 2, "x"]}}', "fame"),
        ('{"game": "ra", "seats": 3, "options": {"x": 1}, "state": {}}', "options"),
        (" " * 30_000, "file: has 30000 characters"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_opened(client, text, fault):
    for wish in ("", "play", "file"):
        page = client.post(at("ra"), {"text": text, "do": wish, "as": "1", "level": "scribe"})
        assert fault in fault_of(page)
        assert text_of(page) == text.strip(), "what was written is still there"
        assert board_of(page) == ""
    assert Table.objects.count() == 0


def test_the_part_below_the_text_comes_alone_when_the_page_asks_for_it(client):
    page = client.get(at("babel"))
    part = client.post(at("babel"), {"text": text_of(page)}, headers={"HX-Request": "true"})
    assert part.content.lstrip().startswith(b'<div class="editor__outcome" id="outcome">')
    assert b"<textarea" not in part.content
    wrong = client.post(at("babel"), {"text": "{"}, headers={"HX-Request": "true"})
    assert wrong.status_code == 422 and b"is no JSON" in wrong.content


def test_only_the_hand_of_whoever_looks_is_drawn(client):
    """Hands of Babel are on the board; the editor draws it as one seat sees it, and without any for everyone."""
    text = json.dumps(example("babel", "expelling").position)
    boards = [board_of(client.post(at("babel"), {"text": text, "seat": seat})) for seat in ("0", "1", "2")]
    assert len(set(boards)) == 3
    assert all(boards)


def test_a_worked_example_can_be_kept_as_a_file_that_the_rule_books_read(client, tmp_path):
    page = client.get(at("ra"), {"example": "civilization"})
    saved = client.post(at("ra"), {"text": text_of(page), "do": "file"})
    assert saved["Content-Disposition"] == 'attachment; filename="ra-example.json"'
    folder = tmp_path / "ra" / "examples"
    folder.mkdir(parents=True)
    file = folder / "new.json"
    file.write_bytes(saved.content)
    assert read_file(file, "ra").position == example("ra", "civilization").position


def test_a_visitor_plays_from_a_position_as_a_guest(client):
    page = client.get(at("babel"), {"example": "expelling"})
    answer = client.post(at("babel"), {"text": text_of(page), "do": "play", "as": "2", "level": "apprentice"})
    table = Table.objects.get()
    assert answer.url == reverse("table", args=[table.pk])
    assert table.position == example("babel", "expelling").position
    assert not table.is_rated
    assert [(seat.index, bool(seat.user_id), seat.bot_level) for seat in table.seats.order_by("index")] == [
        (0, False, "apprentice"),
        (1, True, ""),
    ]
    by_hand = client.post(at("babel"), {"text": text_of(page), "do": "play", "as": "1", "level": "hand"})
    assert by_hand.status_code == 302


@pytest.mark.parametrize("given", [{"as": "3"}, {"as": "0"}, {"as": "x"}, {"as": "1", "level": "emperor"}, {}])
def test_a_seat_or_level_that_is_not_there_opens_nothing(client, given):
    text = text_of(client.get(at("babel")))
    page = client.post(at("babel"), {"text": text, "do": "play", **given})
    assert fault_of(page)
    assert Table.objects.count() == 0
    assert "sessionid" not in client.cookies, "nobody became a guest"


def test_a_finished_game_can_be_taken_as_it_was(client, ended):
    page = client.get(at("babel"), {"table": ended.table.pk, "step": 9})
    replay = replay_of(ended, page_of(ended, None))
    assert read_json(text_of(page))["state"] == ended.game.state_to_json(replay.state(9))
    assert client.get(at("ra"), {"table": ended.table.pk, "step": 9}).status_code == 404, "that is a game of Babel"
    assert client.get(at("babel"), {"table": 10**9, "step": 9}).status_code == 404


def test_a_running_game_is_not_told(client, browser, running, alice):
    for looks in (client, browser(alice)):
        page = looks.get(at("babel"), {"table": running.table.pk, "step": 3})
        assert board_of(page) == text_of(page) == ""
        assert fault_of(page).startswith("You can study a game once it is over")
        assert page["Cache-Control"].startswith("max-age=0, no-cache, no-store")


def test_codes_of_links_that_were_cut_say_so(client):
    code = code_of(example("ra", "civilization").position)
    assert position_of(code)
    page = client.get(at("ra"), {"p": code[:-5]})
    assert "link: is cut short or changed" in fault_of(page)
    assert client.get(at("ra"), {"example": "nothing-like-it"}).status_code == 404
    assert client.get(at("chess")).status_code == 404


def test_the_first_editor_is_that_of_the_first_game(client):
    assert client.get("/positions/").url == at(next(iter(GAMES)))


def test_the_page_offers_its_frame_as_text(client):
    page = client.get(at("ra"), {"example": "civilization"})
    assert re.search(r'value="&lt;iframe src=&quot;http', page.content.decode())


def names_in(page, list_id):
    found = re.search(rf'<select[^>]*id="{list_id}".*?</select>', page.content.decode(), re.DOTALL)
    return re.findall(r'<option value="([^"]*)"', found[0])


@pytest.mark.parametrize("key", GAMES)
def test_a_piece_is_put_and_taken_away_in_the_text(client, key):
    first = client.get(at(key))
    text = text_of(first)
    piece, place = PUT[key]
    assert piece in names_in(first, "piece")
    assert place in names_in(first, "place")
    put = client.post(at(key), {"text": text, "do": "put", "piece": piece, "place": place})
    assert put.status_code == 200
    assert read_json(text_of(put))["state"] != {}
    assert board_of(put) != board_of(first)
    assert f'<option value="{place}" selected' in re.sub(r' data-spot="[^"]*"', "", " ".join(put.content.decode().split()))
    gone = client.post(at(key), {"text": text_of(put), "do": "remove", "piece": piece, "place": place})
    assert board_of(gone) == board_of(first)


@pytest.mark.parametrize(
    ("piece", "place", "said"),
    [
        ("earthquake", "ra_track", "This piece doesn’t go there: Earthquake, Ra track."),
        ("sun_16", "1.tile", "This piece doesn’t go there: Sun 16, Tile (Player B)."),
        ("throne", "ra_track", "piece: 'throne' is none of the game"),
        ("nile", "", "place: '' is none of the game"),
        ("nile", "9.tile", "place: '9.tile' is none of the game"),
    ],
)
def test_a_piece_that_cannot_be_put_changes_nothing_and_says_why(client, piece, place, said):
    first = client.get(at("ra"))
    page = client.post(at("ra"), {"text": text_of(first), "do": "put", "piece": piece, "place": place})
    assert page.status_code == 422
    assert said.replace("’", "'") in html.unescape(page.content.decode())
    assert "Nothing has changed." in page.content.decode()
    assert text_of(page) == text_of(first)
    assert board_of(page) == board_of(first)


def test_what_is_taken_away_must_be_there_and_the_game_has_only_so_many(client):
    text = text_of(client.get(at("ra")))
    page = client.post(at("ra"), {"text": text, "do": "remove", "piece": "gold", "place": "auction_track"})
    assert "There is nothing to take away: Gold, Auction track." in html.unescape(page.content.decode())
    for _ in range(5):
        text = text_of(client.post(at("ra"), {"text": text, "do": "put", "piece": "gold", "place": "0.tile"}))
    page = client.post(at("ra"), {"text": text, "do": "put", "piece": "gold", "place": "1.tile"})
    assert page.status_code == 422
    assert text_of(page) == text


def test_beside_the_page_the_text_goes_along_with_the_board(client):
    text = text_of(client.get(at("tigris_euphrates")))
    sent = {"text": text, "do": "put", "piece": "farm", "place": "A4"}
    part = client.post(at("tigris_euphrates"), sent, headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert 'hx-swap-oob="true"' in part.content.decode()
    assert read_json(text_of(part))["state"]["tiles"]["farm"] == "A4"
    shown = client.post(at("tigris_euphrates"), {"text": text}, headers={"HX-Request": "true"})
    assert "hx-swap-oob" not in shown.content.decode()  # the reader is writing in it


@pytest.mark.parametrize("key", GAMES)
def test_the_places_of_the_board_lead_to_the_list_of_places(client, key):
    page = client.get(at(key)).content.decode()
    spots = set(re.findall(r'data-spot="([^"]*)"', page))
    assert bool(spots) == GAMES[key].has_window
    tags = re.findall(r"<a\b[^>]*>", page)
    linked = {spot for tag in tags if 'href="#place"' in tag for spot in re.findall(r' id="([^"]*)"', tag)}
    assert spots <= linked
