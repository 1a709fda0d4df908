"""People are found by the start of a name, and all their games that the reader may see, with filters."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.registry import GAMES
from portal.accounts import blocks
from portal.accounts.deleting import delete_person
from portal.accounts.models import User
from portal.accounts.services import create_guest
from portal.people import finding_views
from portal.tables.models import Invitation, Table
from tests.portal.ratings.games import finished

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh():
    cache.clear()


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def found(client: Client, wanted: str) -> list[str]:
    page = client.get(reverse("find-people"), {"q": wanted}).content.decode()
    return re.findall(r'<a class="row__title" href="/people/([^/"]+)/"', page)


def games(client: Client, name: str = "alice", **query: object) -> list[int]:
    page = client.get(reverse("person-games", args=[name]), query).content.decode()
    return [int(number) for number in re.findall(r'class="row__title" href="/tables/(\d+)/', page)]


def test_people_met_come_first(alice, bob, charlie):
    for name in ("carla", "Carol", "zoe"):
        User.objects.create_user(name, password="x")
    finished(1, [("alice", 1), ("Carol", 2)])
    assert found(signed_in(alice), "CA") == ["Carol", "carla"]
    assert found(signed_in(alice), "c") == []
    assert found(signed_in(alice), "") == []


def test_blocked_and_deleted_people_and_strangers_who_are_guests_are_not_found(alice, bob, charlie):
    guest = create_guest(address="192.0.2.1")
    assert found(signed_in(alice), "guest-") == []
    assert found(signed_in(alice), "char") == ["charlie"]
    assert found(signed_in(charlie), "ali") == ["alice"]
    blocks.block(user=alice, person=charlie)
    assert found(signed_in(alice), "char") == []
    assert found(signed_in(charlie), "ali") == ["alice"]  # nothing tells somebody that they are blocked
    assert found(signed_in(guest), "bo") == ["bob"]
    delete_person(user=bob)
    assert found(signed_in(guest), "bo") == []
    assert found(signed_in(guest), "deleted-") == []


def test_visitors_are_asked_to_sign_in():
    assert Client().get(reverse("find-people"), {"q": "al"})["Location"].startswith(reverse("account_login"))


@pytest.mark.parametrize("limit", ["SEARCHES_PER_MINUTE", "FROM_ONE_ADDRESS"])
def test_searches_are_limited_by_person_and_by_address(alice, monkeypatch, limit):
    monkeypatch.setattr(finding_views, limit, 2)
    client = signed_in(alice)
    answers = [client.get(reverse("find-people"), {"q": "bo"}).status_code for _ in range(3)]
    assert answers == [200, 200, 429]
    assert client.get(reverse("find-people")).status_code == 200


@pytest.mark.parametrize("wanted", ["%", "__", "\\", "x" * 300, "\u202e\u202e", "'; --"])
def test_odd_searches_find_nobody(alice, bob, wanted):
    assert found(signed_in(alice), wanted) == []


@pytest.fixture
def played(alice, bob, charlie):
    return {
        "won": finished(1, [("alice", 1), ("bob", 2)]).pk,
        "lost": finished(2, [("alice", 2), ("charlie", 1)], game="babel", is_rated=False).pk,
        "left": finished(3, [("alice", 2), ("bob", 1)], left=(0,)).pk,
        "others": finished(4, [("bob", 1), ("charlie", 2)]).pk,
        "hidden": finished(5, [("alice", 1), ("bob", 2)], privacy=Table.Privacy.LINK).pk,
    }


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, "left lost won"),
        ({"game": "ra"}, "left won"),
        ({"game": "babel"}, "lost"),
        ({"rated": "rated"}, "left won"),
        ({"rated": "unrated"}, "lost"),
        ({"result": "won"}, "won"),
        ({"result": "lost"}, "lost"),
        ({"result": "left"}, "left"),
        ({"opponent": "BOB"}, "left won"),
        ({"opponent": "bob", "result": "won"}, "won"),
        ({"opponent": "charlie", "game": "ra"}, ""),
    ],
)
def test_games_are_filtered(played, query, expected):
    assert games(Client(), **query) == [played[name] for name in expected.split()]


def test_whoever_may_not_see_a_table_does_not_see_it_here(played, alice, charlie):
    assert played["hidden"] in games(signed_in(alice))
    for reader in (Client(), signed_in(charlie)):
        assert played["hidden"] not in games(reader)
        assert played["hidden"] not in games(reader, opponent="bob", result="won", game="ra", rated="rated")


def test_there_are_pages(alice, bob, django_assert_num_queries):
    tables = [finished(number, [("alice", 1), ("bob", 2)]).pk for number in range(1, 61)]
    first, second, third = (games(Client(), page=page, opponent="bob") for page in (1, 2, 3))
    assert first + second + third == tables[::-1]
    assert "opponent=bob&amp;page=2" in Client().get(reverse("person-games", args=["alice"]), {"opponent": "bob"}).content.decode()
    with django_assert_num_queries(3):  # the person, tables, seats
        games(Client())
    with django_assert_num_queries(4):
        games(Client(), opponent="bob")


@pytest.mark.parametrize(
    "query",
    [{"page": "0"}, {"page": "x"}, {"page": "²"}, {"page": "9" * 9}, {"page": "2"}, {"game": "chess"}, {"rated": "1"}, {"result": "x"}],
)
def test_what_no_form_offers_is_not_there(played, query):
    assert Client().get(reverse("person-games", args=["alice"]), query).status_code == 404


def test_an_unknown_opponent_is_said(played, bob):
    answer = Client().get(reverse("person-games", args=["alice"]), {"opponent": "nobody"})
    assert answer.status_code == 404
    assert "no player with this name" in answer.content.decode()
    delete_person(user=bob)
    assert "no player with this name" in Client().get(reverse("person-games", args=["alice"]), {"opponent": "bob"}).content.decode()


def test_a_deleted_person_has_no_page(played, alice):
    delete_person(user=alice)
    for name in ("alice", f"deleted-{alice.pk}"):
        assert Client().get(reverse("person-games", args=[name])).status_code == 404


def test_the_profile_leads_there_and_to_a_table_with_that_person(played, alice, bob):
    page = signed_in(bob).get(reverse("profile", args=["alice"])).content.decode()
    assert reverse("person-games", args=["alice"]) in page
    assert reverse("against-player", args=["alice", "bob"]) in page
    assert f"{reverse('table-new')}?invite=alice" in page
    own = signed_in(alice).get(reverse("profile", args=["alice"])).content.decode()
    assert "?invite=" not in own
    assert "?invite=" not in Client().get(reverse("profile", args=["alice"])).content.decode()
    blocks.block(user=bob, person=alice)
    assert "?invite=" not in signed_in(bob).get(reverse("profile", args=["alice"])).content.decode()


def opened(client: Client, invite: str):
    page = client.get(reverse("table-new"), {"game": "babel", "invite": invite}).content.decode()
    assert 'value="invite" selected' in page
    name = re.search(r'name="person-1" value="([^"]*)"', page)
    assert name is not None
    options = {f"option-{spec.key}": str(spec.default) for spec in GAMES["babel"].game.meta.options}
    form = {"game": "babel", "seats": "2", **options, "seat-1": "invite", "person-1": name[1]}
    return client.post(reverse("table-new"), form, follow=True)


def test_a_table_opened_for_somebody_invites_them(alice, bob):
    assert opened(signed_in(alice), "bob").redirect_chain
    assert Invitation.objects.get().user == bob


def test_for_somebody_who_takes_no_invitations_no_table_is_opened(alice, bob):
    blocks.block(user=bob, person=alice)
    answer = opened(signed_in(alice), "bob")
    assert answer.status_code == 422
    assert "taking invitations" in answer.content.decode()
    assert not Invitation.objects.exists()
    assert not Table.objects.exists()
