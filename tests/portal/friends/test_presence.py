"""That somebody is here: only friends see it, only if both show it, and which table it is only if they may see that table."""

from __future__ import annotations

import re

import pytest
import redis
from django.conf import settings

from portal.accounts import blocks
from portal.accounts.deleting import delete_person
from portal.accounts.models import User
from portal.friends import services
from portal.live import presence
from portal.live.breaker import Breaker
from portal.live.tokens import read_token
from portal.tables import services as tables
from portal.tables.models import Table
from tests.portal.friends.test_asking import befriend

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def valkey(monkeypatch):
    client = redis.Redis.from_url(settings.LIVE_REDIS_URL)
    client.flushdb()
    monkeypatch.setattr(presence, "_breaker", Breaker(pause_s=1.0))
    return client


@pytest.fixture
def both(alice, bob):
    """Friends who show it."""
    befriend(alice, bob)
    for one in (alice, bob):
        one.shows_presence = True
        one.save()


def is_at(valkey, person: User, *tables: int) -> None:
    valkey.set(presence.stream_key(person.pk), ",".join(map(str, tables)), ex=60)


def seen(client) -> tuple[list[str], list[int]]:
    """What the page says of friends: badges, and tables that it leads to."""
    found = re.search(r'id="friends">.*?</section>', client.get("/friends/").content.decode(), re.DOTALL)
    section = found[0] if found else ""
    badges = [badge.strip() for badge in re.findall(r'badge--good">([^<]+)<', section)]
    return badges, [int(number) for number in re.findall(r'href="/tables/(\d+)/"', section)]


def test_friends_see_it_if_both_show_it(browser, valkey, both, alice, bob):
    alices = browser(alice)
    assert seen(alices) == ([], [])
    presence.seen(bob.pk)
    assert seen(alices) == (["Here now"], [])
    for hides in (alice, bob):
        User.objects.filter(pk=hides.pk).update(shows_presence=False)
        assert seen(alices) == ([], [])
        User.objects.filter(pk=hides.pk).update(shows_presence=True)
    services.end(user=bob, person=alice)
    assert seen(alices) == ([], [])


def test_strangers_asked_blocked_and_deleted_people_see_nothing(browser, valkey, both, alice, bob, charlie):
    User.objects.update(shows_presence=True)
    presence.seen(bob.pk)
    charlies = browser(charlie)
    for change in (
        lambda: None,
        lambda: services.ask(user=charlie, person=bob),
        lambda: blocks.block(user=bob, person=charlie),
        lambda: blocks.unblock(user=bob, person_id=charlie.pk),
    ):
        change()
        assert "Here now" not in charlies.get("/friends/").content.decode()
        for page in ("/people/bob/", "/people/?q=bo", "/"):
            assert "Here now" not in charlies.get(page).content.decode()
    assert seen(browser(alice)) == (["Here now"], [])
    blocks.block(user=bob, person=alice)
    assert seen(browser(alice)) == ([], [])
    delete_person(user=bob)
    assert "Here now" not in browser(alice).get("/friends/").content.decode()


def test_which_table_is_told_to_those_who_may_see_it(browser, valkey, both, alice, bob, charlie):
    pk = tables.create_table(owner=bob, game_key="ra", seats=2, bots=["apprentice"]).table.pk
    is_at(valkey, bob, pk)
    assert seen(browser(alice)) == (["At a table"], [pk])
    Table.objects.filter(pk=pk).update(privacy=Table.Privacy.LINK)
    assert seen(browser(alice)) == (["At a table"], [])
    assert f"/tables/{pk}" not in browser(alice).get("/friends/").content.decode()


def test_what_somebody_watches_is_nobodys_business(browser, valkey, both, alice, bob, charlie):
    pk = tables.create_table(owner=charlie, game_key="ra", seats=2, bots=["apprentice"]).table.pk
    is_at(valkey, bob, pk)
    assert seen(browser(alice)) == (["Here now"], [])
    is_at(valkey, bob)  # a study
    assert seen(browser(alice)) == (["Here now"], [])
    own = tables.create_table(owner=bob, game_key="ra", seats=2, bots=["apprentice"]).table.pk
    is_at(valkey, bob, pk, own)
    assert seen(browser(alice)) == (["At a table"], [own])
    Table.objects.filter(pk=own).update(status=Table.Status.FINISHED)
    assert seen(browser(alice)) == (["Here now"], [])


def test_it_is_off_until_somebody_turns_it_on(browser, valkey, alice):
    assert not alice.shows_presence
    alices = browser(alice)
    for address, form in (("/friends/presence/", {}), ("/settings/people/", {"takes_invitations": "on"})):
        alices.post(address, form | {"shows_presence": "on"})
        alice.refresh_from_db()
        assert alice.shows_presence
        alices.post(address, form)
        alice.refresh_from_db()
        assert not alice.shows_presence
        assert alice.takes_invitations


def test_open_pages_note_it_only_for_those_who_show_it(browser, valkey, alice, bob):
    User.objects.filter(pk=alice.pk).update(shows_presence=True)
    for user in (alice, bob, None):
        client = browser(user)
        client.get("/")
        assert valkey.keys("here:*") == ([] if user == alice else [presence.page_key(alice.pk).encode()])
        client.get("/notices/unread/")
    assert valkey.keys("here:*") == [presence.page_key(alice.pk).encode()]
    assert 0 < valkey.ttl(presence.page_key(alice.pk)) <= presence.PAGE_KEPT_S


def test_streams_of_tables_and_studies_say_whether_their_reader_shows_it(browser, valkey, alice, duel):
    def is_shown() -> bool:
        token = re.search(r"token=([\w:-]+)", browser(alice).get(f"/tables/{duel.pk}/").content.decode())[1]
        return read_token(token, duel.pk).is_shown

    assert not is_shown()
    User.objects.filter(pk=alice.pk).update(shows_presence=True)
    assert is_shown()


def test_without_valkey_nobody_is_here(monkeypatch, browser, both, alice) -> None:
    def away() -> redis.Redis:
        return redis.Redis.from_url("redis://127.0.0.1:1/0", socket_connect_timeout=0.1)

    monkeypatch.setattr(presence, "_client", away)
    presence.seen(1)
    assert presence.where_are([1]) == {}
    assert browser(alice).get("/friends/").status_code == 200
