"""Clocks on pages and in the API: the form of a new table, the players' rows, the bar, lists, and coming back."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
import time_machine
from django.urls import reverse

from portal.tables import tasks
from portal.tables.loading import load
from portal.tables.models import Table
from portal.tables.pace import Pace

from .conftest import DAYS, LIVE
from .test_clocks import play

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as machine:
        yield machine


def page_of(client, user, loaded, **headers):
    client.force_login(user)
    return client.get(reverse("table", args=[loaded.table.pk]), headers=headers).content.decode()


def test_the_form_opens_a_table_at_the_chosen_pace(client, alice):
    client.force_login(alice)
    html = client.get(reverse("table-new"), {"game": "ra"}).content.decode()
    live = re.findall(r'<option value="(\d+\+\d+)"( selected)?', html)
    assert len(live) == 3 and [chosen for _, chosen in live] == ["", " selected", ""]
    chosen = {"game": "ra", "seats": "3", "pace": "live", "live": live[0][0], "out": "lost"}
    assert client.post(reverse("table-new"), chosen).status_code == 302
    bank, add = map(int, live[0][0].split("+"))
    assert Table.objects.get().pace == {"kind": "live", "bank_s": bank, "add_s": add, "out": "lost"}
    client.post(reverse("table-new"), {"game": "ra", "seats": "3", "pace": "days", "days": "5", "weekends": "on", "live": live[0][0]})
    assert Table.objects.latest("pk").pace == {"kind": "days", "days": 5, "weekends": True, "out": "bot"}
    client.post(reverse("table-new"), {"game": "ra", "seats": "3"})
    assert Table.objects.latest("pk").pace == {}


@pytest.mark.parametrize(
    "bad", [{"pace": "fast"}, {"pace": "live", "live": "9"}, {"pace": "live", "live": "1+1"}, {"pace": "days", "days": "400"}]
)
def test_a_form_with_an_impossible_pace_says_so(client, alice, bad):
    client.force_login(alice)
    answer = client.post(reverse("table-new"), {"game": "ra", "seats": "3", **bad})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert not Table.objects.exists()


def test_the_table_shows_the_clocks(client, opened, clock):
    loaded = opened(LIVE)
    due = loaded.table.due[0]
    html = page_of(client, loaded.seats[due].user, loaded)
    assert "10 min + 15 s a turn" in html
    assert html.count('datetime="2026-11-27T13:10:15+01:00"') == 2  # the bar and the player's row
    assert ">10:00<" in re.sub(r"\s+", "", html)  # the opponent's
    assert "clock.js" in html


def test_a_table_without_clocks_shows_none(client, opened, alice, clock):
    html = page_of(client, alice, opened(Pace()))
    assert "clock.js" not in html and "data-clock" not in html


def test_a_move_by_correspondence_shows_when_it_must_be_made(client, opened, clock):
    loaded = opened(DAYS)
    html = page_of(client, loaded.seats[loaded.table.due[0]].user, loaded)
    assert "3 days a move" in html
    assert re.search(r'data-clock="days">\s*until Mon 13:00', html)


def test_who_ran_out_of_time_takes_the_seat_back_with_one_click(client, opened, clock):
    loaded = opened(LIVE)
    due = loaded.table.due[0]
    person = loaded.seats[due].user
    clock.shift(700)
    tasks.ring(loaded.table.pk)
    html = page_of(client, person, loaded)
    assert "Take my seat back" in html
    client.force_login(person)
    assert "Come back" in client.get(reverse("lobby")).content.decode()
    client.post(reverse("table-come-back", args=[loaded.table.pk]))
    assert load(loaded.table.pk).seats[due].user == person
    other = loaded.seats[1 - due].user
    assert "Take my seat back" not in page_of(client, other, loaded)


def test_a_stranger_and_a_visitor_are_not_let_in(client, opened, charlie, clock):
    loaded = opened(LIVE)
    clock.shift(700)
    tasks.ring(loaded.table.pk)
    address = reverse("table-come-back", args=[loaded.table.pk])
    assert client.post(address).status_code == 403
    client.force_login(charlie)
    assert client.post(address).status_code == 403
    assert load(loaded.table.pk).seats[loaded.table.due[0]].is_away


def test_the_lobby_has_first_what_runs_out_first(client, opened, alice, bob, clock):
    later, sooner = opened(DAYS), opened(LIVE)
    for loaded in (later, sooner):
        while loaded.seats[loaded.table.due[0]].user != alice:
            loaded = play(loaded, "pass")
    client.force_login(alice)
    html = client.get(reverse("lobby")).content.decode()
    first, second = (html.index(reverse("table", args=[loaded.table.pk])) for loaded in (sooner, later))
    assert first < second
    assert "You have until 13:1" in html


def test_the_api_knows_the_clocks(client, opened, alice, clock):
    client.force_login(alice)
    answer = client.post(
        reverse("api-tables"),
        {"game": "ra", "seats": 3, "bots": ["apprentice", "apprentice"], "pace": {"kind": "live", "bank_s": 300, "add_s": 10}},
        content_type="application/json",
    )
    assert answer.status_code == 201
    table = answer.json()
    assert table["pace"]["bank_s"] == 300
    assert table["seats"][0]["clock_ms"] in (300_000, 310_000)
    assert [seat["clock_ms"] for seat in table["seats"][1:]] == [None, None]
    bad = client.post(reverse("api-tables"), {"game": "ra", "seats": 3, "pace": {"kind": "live"}}, content_type="application/json")
    assert bad.status_code == 400
    assert bad.json()["error"]["code"] == "bad_setting"
