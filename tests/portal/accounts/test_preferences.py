"""Preferences at the table: kept for the person, refused with a sentence, in the settings too; a visitor's stay in the browser."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.registry import GAMES
from portal.accounts.models import User
from portal.tables import services
from portal.tables.models import Table
from tests.portal.accounts.test_settings import WANTED
from tests.portal.tables.driver import play_on

pytestmark = pytest.mark.django_db
ADDRESS = "/preferences/"
ALL = {
    "pace": "steps",
    "sound": "on",
    "volume": "30",
    "log_detail": "all",
    "confirm": "never",
    "colours": "safe",
    "pieces": "bold",
    "board_size": "large",
}
USUAL = {
    "pace": "calm",
    "sound": False,
    "volume": 60,
    "log_detail": "short",
    "confirm": "matters",
    "colours": "standard",
    "pieces": "fine",
    "board_size": "usual",
}


def kept(user: User) -> dict[str, object]:
    user.refresh_from_db()
    return {name: getattr(user, name) for name in ALL}


def test_everything_is_kept_for_the_person(client, alice, bob):
    client.force_login(alice)
    assert kept(alice) == USUAL
    assert client.post(ADDRESS, ALL).status_code == 204
    assert kept(alice) == ALL | {"sound": True, "volume": 30}
    assert kept(bob) == USUAL


@pytest.mark.parametrize("name", ALL)
def test_one_choice_changes_nothing_else(client, alice, name):
    client.force_login(alice)
    assert client.post(ADDRESS, {name: ALL[name]}).status_code == 204
    changed = kept(alice)
    assert changed[name] != USUAL[name]
    assert {other: value for other, value in changed.items() if other != name} == {key: USUAL[key] for key in USUAL if key != name}


def test_what_is_kept_is_on_the_page_in_every_browser(client, alice):
    client.force_login(alice)
    client.post(ADDRESS, ALL)
    other = Client()
    other.force_login(alice)
    table = services.create_table(owner=alice, game_key="ra", seats=2, bots=["scribe"]).table
    page = other.get(reverse("table", args=[table.pk])).content.decode()
    assert '<html lang="en" data-colours="safe" data-pieces="bold" data-board_size="large">' in page
    opener = re.search(r'<a [^>]*id="open-preferences"[^>]*>', page)
    assert opener is not None
    assert 'data-pace="-1"' in opener[0]
    assert 'data-volume="30"' in opener[0]
    panel = other.get(ADDRESS).content.decode()
    assert re.findall(r'name="(\w+)" value="(\w+)"\s+checked', panel) == [
        ("pace", "steps"),
        ("confirm", "never"),
        ("sound", "on"),
        ("colours", "safe"),
        ("pieces", "bold"),
        ("board_size", "large"),
        ("log_detail", "all"),
    ]


def test_sounds_are_off_until_they_are_switched_on(client, alice, duel):
    client.force_login(alice)
    assert "data-volume" not in client.get(reverse("table", args=[duel.pk])).content.decode()


@pytest.mark.parametrize(
    ("bad", "label"),
    [
        ({"pace": "fast"}, "Show other players' moves"),
        ({"pace": ""}, "Show other players' moves"),
        ({"sound": "loud"}, "Sounds"),
        ({"volume": "101"}, "Volume"),
        ({"volume": "-1"}, "Volume"),
        ({"volume": "9" * 500}, "Volume"),
        ({"volume": "half"}, "Volume"),
        ({"colours": "pink\x00"}, "Piece colours"),
        ({"log_detail": "none"}, "Log"),
        ({"confirm": "sometimes"}, "Ask before I move"),
        ({"pace": "quick", "colours": "pink"}, "Piece colours"),
    ],
)
def test_an_unknown_value_is_refused_with_a_sentence_and_changes_nothing(client, alice, bad, label):
    client.force_login(alice)
    refused = client.post(ADDRESS, bad)
    assert refused.status_code == 422
    assert refused.content.decode() == f"“{label}” can't have this value. Choose one of the options offered."
    assert refused["Content-Type"] == "text/plain; charset=utf-8"
    assert kept(alice) == USUAL


@pytest.mark.parametrize("unknown", [{}, {"is_staff": "on"}, {"username": "root", "is_superuser": "1"}])
def test_what_is_no_preference_is_refused(client, alice, unknown):
    client.force_login(alice)
    refused = client.post(ADDRESS, unknown)
    assert (refused.status_code, refused.content.decode()) == (422, "Nothing was changed: none of these preferences exists.")
    assert client.post(ADDRESS, unknown | {"pace": "quick"}).status_code == 204
    alice.refresh_from_db()
    assert (alice.pace, alice.username, alice.is_staff, alice.is_superuser) == ("quick", "alice", False, False)


def test_a_form_of_another_site_changes_nothing(alice):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    assert strict.post(ADDRESS, ALL).status_code == 403
    assert kept(alice) == USUAL


def test_a_guest_keeps_preferences_and_takes_them_into_an_account(client):
    client.post(reverse("play-now", args=["ra"]))
    assert client.post(ADDRESS, {"pace": "quick"}).status_code == 204
    guest = User.objects.get()
    assert (guest.is_guest, guest.pace) == (True, "quick")


def test_a_visitor_gets_a_panel_and_keeps_nothing_here(client, duel):
    panel = client.get(ADDRESS).content.decode()
    assert 'name="pace"' in panel
    assert 'name="confirm"' not in panel
    assert 'name="log_detail"' not in panel
    assert "Saved in this browser." in panel
    assert client.post(ADDRESS, ALL).status_code == 403
    page = client.get(reverse("table", args=[duel.pk])).content.decode()
    assert "data-pace" not in page
    assert "js/visitor" in page


def test_a_choice_costs_two_statements(client, alice, django_assert_num_queries):
    client.force_login(alice)
    client.get(ADDRESS)
    with django_assert_num_queries(1):  # the person
        client.get(ADDRESS)
    with django_assert_num_queries(2):
        client.post(ADDRESS, ALL)


def test_the_settings_have_them_too(client, alice):
    client.force_login(alice)
    page = client.get(reverse("settings")).content.decode()
    assert all(f'name="{name}"' in page for name in ALL)
    client.post(reverse("settings"), WANTED | ALL)
    assert kept(alice) == ALL | {"sound": True, "volume": 30}
    for name, bad in {"pace": "fast", "colours": "pink", "log_detail": "x", "volume": "400"}.items():
        assert client.post(reverse("settings"), WANTED | ALL | {name: bad}).status_code == 422
    client.post(reverse("settings"), WANTED | {"pace": "", "volume": ""})  # empty or missing: as before; a box without a tick is off
    assert kept(alice) == ALL | {"sound": False, "volume": 30, "confirm": WANTED["confirm"]}


def test_every_event_in_the_log_or_only_those_that_tell_something(client, alice, bob, duel):
    quiet = GAMES["ra"].game.meta.quiet
    assert "draws" in quiet
    play_on(duel.pk, until=lambda loaded: loaded.table.version > 25)
    client.force_login(alice)
    for address in (reverse("table", args=[duel.pk]), reverse("table-log", args=[duel.pk])):
        for detail, is_told in (("short", False), ("all", True)):
            User.objects.filter(pk=alice.pk).update(log_detail=detail)
            page = client.get(address).content.decode()
            assert ("draws a tile." in page) is is_told
            assert "drew a tile" in page or "drew Ra tile" in page


def test_the_sounds_of_a_game_are_of_events_that_it_has():
    for entry in GAMES.values():
        meta = entry.game.meta
        assert meta.sounds
        assert set(meta.sounds) <= set(entry.game.phrases)


def test_lists_count_the_tables_that_wait_in_their_title(client, alice, bob, duel):
    duel = play_on(duel.pk, until=lambda now: now.table.due == [0]).table
    assert Table.objects.get(pk=duel.pk).due == [0]
    client.force_login(alice)
    for route, title in (("home", "(1) Ziggurat"), ("lobby", "(1) Play · Ziggurat")):
        page = client.get(reverse(route)).content.decode()
        assert f"<title>{title}</title>" in page
        assert "data-due" in page
        assert "js/badge" in page
    client.force_login(bob)
    for route, title in (("home", "Ziggurat"), ("lobby", "Play · Ziggurat")):
        page = client.get(reverse(route)).content.decode()
        assert f"<title>{title}</title>" in page
        assert "data-due" not in page
