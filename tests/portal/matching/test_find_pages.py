"""The form in the lobby and the page of a search: what it says, where it leads, and that it names nobody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.matching import services
from portal.matching.models import Search
from portal.tables.models import Table

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def test_from_the_lobby_to_a_game_against_another_person(browser, alice, bob):
    first, second = browser(alice), browser(bob)
    assert "Find me a table" in first.get("/lobby/").content.decode()
    answer = first.post("/find/look/", {"game": "ra", "pace": "live", "seats": "2"})
    assert (answer.status_code, answer["Location"]) == (303, "/find/")
    page = first.get("/find/").content.decode()
    assert "Looking for less than a minute" in page
    assert "Leave this page open" in page
    lobby = second.get("/lobby/").content.decode()
    assert "Ra, live: 1" in " ".join(lobby.split())
    assert "alice" not in lobby
    second.post("/find/look/", {"game": "ra", "pace": "live", "seats": "2"})
    services.pair_all()
    table = Table.objects.get()
    answer = first.get("/find/", headers=HTMX)
    assert (answer.status_code, answer["HX-Redirect"]) == (204, f"/tables/{table.pk}/")
    answer = second.get("/find/")
    assert answer["Location"] == f"/tables/{table.pk}/"
    assert not Search.objects.exists()
    assert first.get("/find/")["Location"] == "/lobby/"


def test_a_visitor_becomes_a_guest_and_can_stop(db):
    client = Client()
    client.post("/find/look/", {"game": "babel", "pace": "live"})
    search = Search.objects.get()
    assert search.user.is_guest
    assert client.post("/find/stop/", {"game": "babel"})["Location"] == "/lobby/"
    assert not Search.objects.exists()


def test_bots_are_offered_after_a_while(browser, alice, bob):
    client = browser(alice)
    client.post("/find/look/", {"game": "ra", "pace": "live"})
    assert "bots instead" not in client.get("/find/").content.decode()
    Search.objects.update(made_at=timezone.now() - timedelta(minutes=2))
    page = client.get("/find/", headers=HTMX).content.decode()
    assert "Play against bots instead" in page
    assert "Looking for 2 minutes" in page
    assert "<html" not in page


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"game": "chess", "pace": "live"}, "Choose a game, a pace"),
        ({"game": "ra", "pace": "live", "seats": "99"}, "2, 3, 4, 5"),
        ({"game": "ra", "pace": "live", "seats": "x" * 5000}, "Choose a game, a pace"),
        ({}, "Choose a game, a pace"),
    ],
)
def test_bad_searches_lead_back_with_a_reason(browser, alice, sent, reason):
    client = browser(alice)
    answer = client.post("/find/look/", sent, follow=True)
    assert answer.redirect_chain[-1][0] == "/lobby/"
    assert reason in answer.content.decode()
    assert not Search.objects.exists()


def test_searches_are_limited(browser, alice, monkeypatch):
    monkeypatch.setattr("portal.matching.views.SEARCHES_PER_HOUR", 1)
    client = browser(alice)
    client.post("/find/look/", {"game": "ra", "pace": "live"})
    answer = client.post("/find/look/", {"game": "babel", "pace": "live"})
    assert answer.status_code == 429
    assert Search.objects.get().game == "ra"


def test_nobody_stops_the_search_of_others_and_visitors_have_none(browser, alice, bob):
    browser(alice).post("/find/look/", {"game": "ra", "pace": "live"})
    browser(bob).post("/find/stop/", {"game": "ra"})
    assert Client().post("/find/stop/", {"game": "ra"}).status_code == 404
    assert Client().get("/find/")["Location"] == "/lobby/"
    assert Search.objects.count() == 1


def test_the_page_asks_the_database_little(browser, alice, django_assert_max_num_queries):
    client = browser(alice)
    client.post("/find/look/", {"game": "ra", "pace": "live"})
    client.get("/find/")
    with django_assert_max_num_queries(4):
        client.get("/find/", headers=HTMX)


def test_an_account_takes_its_searches_along(browser, alice):
    browser(alice).post("/find/look/", {"game": "ra", "pace": "days"})
    User.objects.filter(pk=alice.pk).delete()
    assert not Search.objects.exists()
