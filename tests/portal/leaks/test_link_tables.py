"""Tables that are open by link only: for strangers they do not exist, byte for byte, before, in and after play."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.urls import reverse

from portal.live.tokens import CLUB_LIFETIME_S
from portal.ratings.services import apply_pending
from portal.tables import inviting, selectors, services
from portal.tables.models import Invitation, Table
from tests.portal.clubs.conftest import person
from tests.portal.friends.test_asking import befriend
from tests.portal.tables.driver import play_on
from tests.portal.tables.ending import end

from .eyes import Eyes, differences, masked
from .test_clubs import MISSING, same, steps

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_limits_from_before():
    cache.clear()


@pytest.fixture
def dora(db):
    return person("dora")


@pytest.fixture
def waiting(alice, fixed_secret) -> Table:
    """Alice waits for an opponent at a table of Ra that is open by link only."""
    return services.create_table(owner=alice, game_key="ra", seats=2, privacy="link").table


@pytest.fixture
def hidden(waiting, bob) -> int:
    inviting.join_by_link(code=waiting.link_code, user=bob, terms="2 rated")
    return waiting.pk


@pytest.mark.parametrize("who", ["charlie", "visitor"])
def test_a_stranger_gets_the_same_as_if_it_were_not_there(hidden, charlie, who):
    """Pages, fragments, log, record, verification, API, streams, refused requests; front page, lobby, profiles, leaderboard."""
    eyes = Eyes(charlie if who == "charlie" else None)
    before = eyes.see(hidden)
    for name, (status, _headers, _body) in before.items():
        if f"/{hidden}/" in name:
            assert status == 404, name
    steps(hidden, 25, seed=3)
    assert differences(before, eyes.see(hidden)) == []
    end(hidden)
    assert differences(before, eyes.see(hidden)) == []  # before the ratings count it


def test_no_list_mentions_it_when_it_is_over_and_counted(hidden, alice, charlie):
    end(hidden)
    apply_pending()
    for client in (Eyes(charlie).client, Eyes().client):
        for address in (
            "/",
            "/lobby/",
            "/people/alice/",
            "/people/alice/ra/",
            "/people/alice/against/bob/",
            "/leaderboards/ra/",
            "/api/v1/tables/?list=finished",
        ):
            assert f"/tables/{hidden}/" not in client.get(address).content.decode(), address
    assert list(selectors.recent_finished(viewer=charlie)) == list(selectors.recent_finished()) == []
    assert f"/tables/{hidden}/" in Eyes(alice).client.get("/people/alice/").content.decode()


def test_a_friend_of_the_players_learns_nothing_of_it_either(hidden, alice, bob, charlie):
    for player in (alice, bob):
        befriend(player, charlie)
    eyes = Eyes(charlie)

    def page() -> bytes:
        return masked(eyes.client.get("/friends/").content)

    before = page()
    assert b">alice<" in before and b">bob<" in before
    steps(hidden, 25, seed=3)
    assert page() == before
    end(hidden)
    apply_pending()
    assert page() == before
    assert f"/tables/{hidden}/" not in before.decode()


def test_every_request_finds_the_same_as_at_a_table_that_is_not_there(waiting, charlie, alice):
    inviting.invite(table_id=waiting.pk, user=alice, name="charlie")
    inviting.decline(invitation_id=Invitation.objects.get().pk, user=charlie)
    posts = ("act", "undo", "redo", "order", "leave", "start", "add-bot", "remove-bot", "invite", "take-back", "grant", "insist", "link")
    eyes = Eyes(charlie)
    for client in (eyes.client, Eyes().client):
        for path in ("", "region/", "log/", "record/", "replay/", "report/", "qr/", "study/"):
            there, missing = (client.get(f"/tables/{number}/{path}") for number in (waiting.pk, MISSING))
            assert there.status_code == 404, path
            assert same(there, missing, waiting.pk), path
        for verb in posts:
            there, missing = (
                client.post(f"/tables/{number}/{verb}/", {"who": "bob", "expected_version": "1"}) for number in (waiting.pk, MISSING)
            )
            assert there.status_code == 404, verb
            assert same(there, missing, waiting.pk), verb
        assert same(client.post(f"/lobby/{waiting.pk}/join/"), client.post(f"/lobby/{MISSING}/join/"), waiting.pk)
    assert Table.objects.get().seats.filter(user=None).count() == 1


def test_the_api_finds_the_same_as_at_a_table_that_is_not_there(waiting, charlie, alice):
    invitation = inviting.invite(table_id=waiting.pk, user=alice, name="charlie")
    inviting.decline(invitation_id=invitation.pk, user=charlie)
    reads = (
        "",
        "log/",
        "stream/",
        "record/",
        "replay/",
        "replay/1/",
        "votes/",
        "chat/",
        "chat/players/",
        "chat/watchers/",
        "note/",
        "invitations/",
    )
    posts = {
        "bots/": {"level": "scribe"},
        "rematch/": {},
        "votes/": {"what": "call_off"},
        "votes/1/": {"agrees": True},
        "link/": {},
        "invitations/": {"who": "bob"},
        f"invitations/{invitation.pk}/answer/": {"agrees": True},
        "chat/players/": {"text": "Hello"},
        "chat/watchers/": {"text": "Hello"},
        "chat/read/": {"line": 1},
        "chat/lines/1/report/": {"reason": "rude"},
    }
    eyes = Eyes(charlie)

    def both(method, path, body=None):
        ask = getattr(eyes.client, method)
        sent = {"data": body, "content_type": "application/json"} if body is not None else {}
        there, missing = (ask(f"/api/v1/tables/{number}/{path}", headers=eyes.bearer, **sent) for number in (waiting.pk, MISSING))
        assert (there.status_code, there.content) == (404, missing.content), path

    for path in reads:
        both("get", path)
    for path, body in posts.items():
        both("post", path, body)
    both("put", "chat/", {"is_muted": True})
    both("put", "note/", {"note": "Mine."})
    both("delete", "bots/1/", {})
    both("delete", f"invitations/{invitation.pk}/", {})


def test_an_open_one_is_in_no_lobby(waiting, alice, charlie):
    for user in (charlie, None):
        assert list(selectors.open_tables(user)) == []
        eyes = Eyes(user)
        assert f"/tables/{waiting.pk}/" not in eyes.client.get("/lobby/").content.decode()
        assert eyes.client.get("/api/v1/tables/").json()["count"] == 0
    assert "only by link" in Eyes(alice).client.get("/lobby/").content.decode()


def test_invited_people_see_it_until_they_decline(waiting, alice, charlie):
    page = reverse("table", args=[waiting.pk])
    client = Eyes(charlie).client
    assert client.get(page).status_code == 404
    invitation = inviting.invite(table_id=waiting.pk, user=alice, name="charlie")
    assert client.get(page).status_code == 200
    inviting.decline(invitation_id=invitation.pk, user=charlie)
    assert client.get(page).status_code == 404


def test_an_invitation_that_was_withdrawn_shows_nothing_any_longer(waiting, alice, charlie):
    invitation = inviting.invite(table_id=waiting.pk, user=alice, name="charlie")
    inviting.take_back(table_id=waiting.pk, user=alice, invitation_id=invitation.pk)
    assert Eyes(charlie).client.get(reverse("table", args=[waiting.pk])).status_code == 404


def test_who_has_the_link_may_watch_until_it_is_replaced(waiting, alice, dora):
    page, link = reverse("table", args=[waiting.pk]), reverse("invitation-by-code", args=[waiting.link_code])
    client = Eyes(dora).client
    assert 'value="watch"' in client.get(link).content.decode()
    assert client.get(page).status_code == 404, "the link alone opens nothing"
    assert client.post(link, {"do": "watch"}).url == page
    assert client.get(page).status_code == 200
    inviting.renew_link(table_id=waiting.pk, user=alice)
    assert client.get(page).status_code == 404
    assert client.get(link).status_code == 404


def test_spectators_by_link_see_what_spectators_may_see(hidden, dora):
    inviting.watch_by_link(code=Table.objects.get(pk=hidden).link_code, user=dora)
    seen = selectors.table_page(hidden, dora)
    assert (seen.my_seat, seen.turn.ask) == (None, None)
    assert seen.stream is not None and seen.stream.lifetime_s == CLUB_LIFETIME_S


def test_a_study_of_it_is_as_hidden(hidden, alice, charlie):
    play_on(hidden)
    client = Eyes(alice).client
    address = reverse("table-study", args=[hidden])
    answer = client.post(address, {"step": "3", "seat": "1", "level": "scribe"})
    opened = Table.objects.exclude(pk=hidden).get()
    assert answer.url == reverse("table", args=[opened.pk])
    assert Eyes(charlie).client.get(answer.url).status_code == 404
    assert Eyes().client.get(answer.url).status_code == 404


def test_a_public_table_changes_so_the_comparison_would_find_it(alice, bob, charlie, fixed_secret):
    table = services.create_table(owner=alice, game_key="ra", seats=2).table
    inviting.join_by_link(code=table.link_code, user=bob, terms="2 rated")
    client = Eyes(charlie).client
    before = client.get(reverse("table", args=[table.pk])).content
    steps(table.pk, 5, seed=3)
    assert masked(client.get(reverse("table", args=[table.pk])).content) != masked(before)
