"""Every page of figures takes the same number of statements for few and many games, and refuses nonsense."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from portal.accounts.models import User

pytestmark = pytest.mark.django_db

PAGES = {  # address: statements, including the one for the reader
    "/leaderboards/ra/": 3,
    "/leaderboards/all/": 3,
    "/leaderboards/ra/?pool=bots&players=guests&days=30&name=al": 3,
    "/leaderboards/ra/seats/": 2,
    "/leaderboards/ra/calibration/": 2,
    "/ratings/": 1,
    "/people/alice/": 7,
    "/people/bob/": 9,  # whether the reader blocks them, and whether they are friends
    "/people/alice/ra/": 8,
    "/people/alice/against/": 3,
    "/people/alice/against/bob/": 5,
    "/clubs/enlil/leaderboard/all/": 4,
    "/clubs/enlil/leaderboard/ra/": 4,
    "/clubs/enlil/records/": 4,
}


def statements(client, address) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


@pytest.mark.parametrize("address", PAGES)
def test_the_cost_is_the_same_with_many_games(client, alice, bob, club, play, address):
    client.force_login(alice)
    play(("alice", 1), ("bob", 2), club=club)
    play(("alice", 1), ("scribe", 2))
    client.get(address)
    assert statements(client, address) == PAGES[address]
    for number in range(12):
        play(("alice", 1 + number % 3), ("bob", 1 + (number + 1) % 3), (f"p{number}", 1 + (number + 2) % 3), club=club, apply=False)
    play(("alice", 1), ("bob", 2), ("scribe", 3))
    assert statements(client, address) == PAGES[address]


def test_a_mean_score_that_is_not_told_yet_is_explained(client, play):
    play(("alice", 1), ("bob", 2))
    html = client.get("/leaderboards/ra/seats/").content.decode()
    assert "Mean scores appear only once there are 20 games" in html
    assert html.count(">–</td>") == 2  # one for each seat


@pytest.mark.parametrize(
    "address",
    [
        "/leaderboards/chess/",
        "/leaderboards/ra/?players=x",
        "/leaderboards/ra/?days=31",
        "/leaderboards/ra/?name=%00",
        "/leaderboards/ra/?name=" + "x" * 61,
        "/leaderboards/ra/?page=101",
        "/leaderboards/chess/standings.csv",
        "/leaderboards/ra/standings.csv?pool=x",
        "/leaderboards/all/seats/",
        "/leaderboards/ra/seats/?pool=x",
        "/leaderboards/all/calibration/",
        "/people/nobody/ra/",
        "/people/alice/chess/",
        "/people/alice/ra/?pool=x",
        "/people/alice/ra/",  # no game yet
        "/people/nobody/against/",
        "/people/alice/against/nobody/",
        "/people/alice/against/alice/",
        "/people/alice/against/" + "x" * 300 + "/",
        "/people/alice/against/%00/",
        "/clubs/nothing/leaderboard/all/",
        "/clubs/nothing/records/",
    ],
)
def test_what_is_not_there(client, alice, bob, address):
    assert client.get(address).status_code in (400, 404)


@pytest.mark.parametrize(
    "address",
    [
        "/clubs/enlil/leaderboard/all/",
        "/clubs/enlil/leaderboard/ra/standings.csv",
        "/clubs/enlil/records/",
        "/clubs/enlil/leaderboard/chess/",
    ],
)
def test_boards_of_a_private_club_are_for_its_members(client, club, alice, bob, charlie, play, address):
    play(("alice", 1), ("bob", 2), club=club)
    assert client.get(address).status_code == 404
    client.force_login(charlie)
    assert client.get(address).status_code == 404
    client.force_login(bob)
    response = client.get(address)
    if "chess" not in address:
        assert response.status_code == 200
        assert "no-cache" in response["Cache-Control"]
        assert "private" in response["Cache-Control"]


@pytest.mark.parametrize(
    "address", ["/leaderboards/ra/seats/", "/leaderboards/ra/calibration/", "/clubs/enlil/records/", "/clubs/enlil/leaderboard/all/"]
)
def test_an_empty_page_says_what_belongs_there(client, alice, club, address):
    client.force_login(alice)
    assert 'class="empty"' in client.get(address).content.decode()


def test_the_form_leads_to_the_page_of_the_two(client, alice, bob):
    form = reverse("against", args=["alice"])
    response = client.get(form, {"name": " bob "})
    assert response.status_code == 303
    assert response["Location"] == "/people/alice/against/bob/"
    for name, reason in (("zed", "No player has this name. Check the spelling."), ("alice", "Choose another player")):
        refused = client.get(form, {"name": name})
        assert refused.status_code == 422
        assert reason in refused.content.decode()


def test_closed_accounts_have_no_pages(client, alice, bob, play):
    play(("alice", 1), ("bob", 2))
    User.objects.filter(username="bob").update(is_active=False)
    for address in ("/people/bob/", "/people/bob/ra/", "/people/bob/against/", "/people/alice/against/bob/"):
        assert client.get(address).status_code == 404
    assert "/people/bob/" not in client.get("/leaderboards/ra/").content.decode()


def test_a_name_with_signs_has_its_pages(client, play):
    play(("a+b@c.d-e", 1), ("ő", 2))
    board = client.get("/leaderboards/ra/").content.decode()
    assert 'href="/people/a+b@c.d-e/"' in board
    for name in ("a+b@c.d-e", "ő"):
        assert client.get(reverse("player-game", args=[name, "ra"])).status_code == 200
    assert client.get(reverse("against-player", args=["a+b@c.d-e", "ő"])).status_code == 200
