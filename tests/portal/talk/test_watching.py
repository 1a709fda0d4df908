"""Who is said to watch a table, and to whom."""

from __future__ import annotations

import re
import time

import pytest
import redis
from django.conf import settings

from portal.accounts import blocks
from portal.accounts.models import User
from portal.live import spectators
from portal.live.breaker import Breaker
from portal.live.spectators import key_of
from portal.live.tokens import read_token
from portal.tables import services
from portal.tables.loading import load
from portal.tables.models import Table
from portal.tables.watchers import Watchers, watchers_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def valkey(monkeypatch):
    client = redis.Redis.from_url(settings.LIVE_REDIS_URL)
    client.flushdb()
    monkeypatch.setattr(spectators, "_breaker", Breaker(pause_s=1.0))
    return client


@pytest.fixture
def watched(valkey, duel, charlie, olga):
    """A table with two spectators, of whom one shows no name, and a visitor."""
    User.objects.filter(pk=olga.pk).update(shows_watching=False)
    valkey.zadd(key_of(duel.pk), dict.fromkeys((f"n{charlie.pk}@a", f"u{olga.pk}@a", "v0@a"), time.time() + 60))
    return duel


def test_people_see_names_and_visitors_the_number(watched, browser, alice, charlie):
    for user, names in ((alice, ["charlie"]), (charlie, ["charlie"]), (None, [])):
        client = browser(user)
        for address in (f"/tables/{watched.pk}/talk/", f"/tables/{watched.pk}/talk/watching/"):
            page = client.get(address).content.decode()
            found = re.search(r'id="talk-watching".*?</details>', page, re.DOTALL)[0]
            assert re.findall(r"<bdi>([^<]+)<", found) == names
            assert re.search(r"Watching:\s*<b[^>]*>3<", found)
            assert ("2 without a name" in found) == (user is not None)
            assert "hidden" not in found.partition(">")[0]
            assert "olga" not in page


def test_programs_read_the_same(watched, browser, alice, charlie):
    for user, told in ((alice, {"names": ["charlie"], "bots": [], "others": 2}), (None, {"names": [], "bots": [], "others": 3})):
        assert browser(user).get(f"/api/v1/tables/{watched.pk}/spectators/").json() == told
    Table.objects.filter(pk=watched.pk).update(privacy=Table.Privacy.LINK)
    assert browser(charlie).get(f"/api/v1/tables/{watched.pk}/spectators/").status_code == 404


def test_nobody_watches_is_said_by_nothing(duel, browser, alice):
    page = browser(alice).get(f"/tables/{duel.pk}/talk/").content.decode()
    assert re.search(r'id="talk-watching" hidden', " ".join(page.split()))


def test_the_list_costs_a_statement_and_only_if_there_are_names(watched, alice, charlie, valkey, django_assert_num_queries):
    loaded = load(watched.pk)
    with django_assert_num_queries(1):
        assert watchers_of(loaded, alice) == Watchers(("charlie",), 2)
    valkey.zrem(key_of(watched.pk), f"n{charlie.pk}@a")
    with django_assert_num_queries(0):
        assert watchers_of(loaded, alice) == Watchers((), 2)


@pytest.mark.parametrize("blocker", ["alice", "charlie"])
def test_neither_of_two_people_learns_that_the_other_watches_if_one_blocks_the_other(watched, alice, bob, charlie, blocker):
    user, person = (alice, charlie) if blocker == "alice" else (charlie, alice)
    blocks.block(user=user, person=person)
    assert watchers_of(load(watched.pk), alice) == Watchers((), 3)
    assert watchers_of(load(watched.pk), bob) == Watchers(("charlie",), 2)


def test_nobody_learns_names_from_afar(watched, valkey, zoe, olga):
    """Only people at the table, and those who watch themselves."""
    assert watchers_of(load(watched.pk), zoe) == Watchers((), 3)
    assert watchers_of(load(watched.pk), olga) == Watchers(("charlie",), 2)
    valkey.zadd(key_of(watched.pk), {f"n{zoe.pk}@a": time.time() + 60})
    assert watchers_of(load(watched.pk), zoe) == Watchers(("charlie", "zoe"), 2)


def test_somebody_without_a_name_who_sits_down_isnt_counted(watched, valkey, alice, bob):
    valkey.zadd(key_of(watched.pk), {f"u{bob.pk}@a": time.time() + 60})
    assert watchers_of(load(watched.pk), alice) == Watchers(("charlie",), 2)


def test_somebody_who_has_changed_their_mind_or_sat_down_or_left_isnt_named(watched, valkey, alice, bob, charlie, zoe):
    valkey.zadd(key_of(watched.pk), dict.fromkeys((f"n{bob.pk}@a", f"n{zoe.pk}@a"), time.time() + 60))
    assert watchers_of(load(watched.pk), alice) == Watchers(("charlie", "zoe"), 2)  # bob plays
    User.objects.filter(pk=charlie.pk).update(shows_watching=False)
    User.objects.filter(pk=zoe.pk).update(is_active=False)
    assert watchers_of(load(watched.pk), alice) == Watchers((), 4)


def test_a_table_that_is_over_has_no_spectators(watched, alice):
    Table.objects.filter(pk=watched.pk).update(status=Table.Status.FINISHED)
    assert watchers_of(load(watched.pk), alice) == Watchers()


def test_a_list_is_for_those_who_may_see_the_table(watched, browser, charlie, alice):
    Table.objects.filter(pk=watched.pk).update(privacy=Table.Privacy.LINK)
    address = f"/tables/{watched.pk}/talk/watching/"
    for user, status in ((None, 404), (charlie, 404), (alice, 200)):
        answer = browser(user).get(address)
        assert answer.status_code == status
        if status == 200:
            assert answer["Cache-Control"] == "private, no-store"


def test_the_streams_token_says_who_watches_and_with_the_name_if_they_like(duel, browser, alice, charlie):
    def said(user) -> tuple[bool, bool]:
        page = browser(user).get(f"/tables/{duel.pk}/").content.decode()
        found = read_token(re.search(r"token=([\w:-]+)", page)[1], duel.pk)
        return found.watches, found.is_named

    assert (said(alice)[0], said(charlie), said(None)) == (False, (True, True), (True, False))
    User.objects.filter(pk=charlie.pk).update(shows_watching=False)
    assert said(charlie) == (True, False)


def test_the_name_is_shown_until_somebody_turns_it_off(browser, alice):
    assert alice.shows_watching
    client = browser(alice)
    for form, shown in (({"takes_invitations": "on"}, False), ({"shows_watching": "on"}, True)):
        client.post("/settings/people/", form)
        alice.refresh_from_db()
        assert alice.shows_watching == shown
        assert ("checked" in re.search(r'name="shows_watching"[^>]*', client.get("/settings/people/").content.decode())[0]) == shown


def test_who_sits_down_at_an_open_table_is_no_spectator(valkey, alice, charlie):
    pk = services.create_table(owner=alice, game_key="ra", seats=3).table.pk
    valkey.zadd(key_of(pk), {f"n{charlie.pk}@a": time.time() + 60})
    assert watchers_of(load(pk), alice) == Watchers(("charlie",), 0)
    services.join_table(table_id=pk, user=charlie)
    assert watchers_of(load(pk), alice) == Watchers()
