"""Bot accounts are marked in lists of people and on the pages of two people; the API says `is_bot` beside each name."""

from __future__ import annotations

import re
import time

import pytest
import redis
from django.conf import settings
from django.core import mail
from django.urls import reverse

from portal.bots.challenging import challenge
from portal.friends import services as friends
from portal.live import spectators
from portal.live.breaker import Breaker
from portal.matches.models import Match, Player
from portal.ratings import services as ratings
from portal.studies import services as studies
from portal.studies import sharing
from portal.tables import inviting, naming, selectors, services, watchers
from portal.tables.loading import load
from portal.tables.replay import replay_of
from portal.talk.services import say
from tests.portal.ratings.games import finished
from tests.portal.tables.telling import play
from tests.portal.tables.test_replay import opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def read(browser):
    """The text of a page as somebody reads it, without markup."""

    def text(user, address, language="en"):
        answer = browser(user).get(address, headers={"accept-language": language})
        assert answer.status_code == 200, address
        return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())

    return text


def test_people_are_found_with_the_mark(bob, gilga, read, api, browser, django_assert_num_queries):
    assert "gilga (bot)" in read(bob, f"{reverse('find-people')}?q=gil")
    assert "gilga (бот)" in read(bob, f"{reverse('find-people')}?q=gil", "ru")
    assert api(bob, "get", "people/?q=gil").json() == {"results": [{"username": "gilga", "is_bot": True}]}
    assert api(bob, "get", "people/?q=ali").json() == {"results": [{"username": "alice", "is_bot": False}]}
    assert browser(bob).get(reverse("table-names"), {"start": "gil"}).json() == {"names": ["gilga"], "marked": {"gilga": "gilga (bot)"}}
    assert browser(bob).get(reverse("table-names"), {"start": "ali"}).json() == {"names": ["alice"], "marked": {}}
    with django_assert_num_queries(1):
        assert naming.names_like(bob, "gil") == [naming.Found("gilga", is_bot=True)]


def test_friends_and_requests(bob, gilga, read, api):
    friends.ask(user=gilga.user, person=bob)
    told = read(bob, reverse("friends"))
    assert "gilga (bot)" in told
    assert api(bob, "get", "friends/?list=asking").json()["results"][0]["is_bot"] is True
    assert "gilga (bot) asks to be friends with you." in read(bob, reverse("profile", args=["gilga"]))
    friends.accept(user=bob, person=gilga.user)
    assert "gilga (bot)" in read(bob, reverse("friends"))
    found = api(bob, "get", "friends/").json()["results"]
    assert [(one["username"], one["is_bot"]) for one in found] == [("gilga", True)]
    assert [(one["username"], one["is_bot"]) for one in api(gilga.user, "get", "friends/").json()["results"]] == [("bob", False)]


def test_buttons_name_a_bot_with_its_mark(bob, gilga, browser):
    friends.ask(user=bob, person=gilga.user)
    text = browser(bob).get(reverse("friends")).content.decode()
    assert "Withdraw request: gilga (bot)" in text
    assert f'formaction="{reverse("friend", args=["gilga"])}"' in text


def test_blocked_bots(bob, gilga, read, api, browser):
    answer = browser(bob).post(reverse("block", args=["gilga"]), {"do": "block"}, follow=True)
    assert "You have blocked gilga (bot)." in answer.content.decode()
    assert "Blocked gilga (bot)" in read(bob, reverse("blocks"))
    assert "Unblock gilga (bot)" in browser(bob).get(reverse("blocks")).content.decode()
    assert api(bob, "get", "blocks/").json()["results"][0]["is_bot"] is True


def test_pages_of_two_people_and_of_games(alice, gilga, read, django_assert_num_queries):
    finished(1, [("alice", 2), ("gilga", 1)])
    ratings.apply_pending()
    for address in (
        reverse("against", args=["alice"]),
        reverse("against", args=["gilga"]),
        reverse("against-player", args=["alice", "gilga"]),
        reverse("against-player", args=["gilga", "alice"]),
        reverse("player-game", args=["gilga", "ra"]),
        reverse("person-games", args=["gilga"]),
        reverse("profile", args=["gilga"]),
        reverse("bot-accounts"),
        reverse("challenge-bot", args=["gilga"]),
    ):
        told = read(alice, address)
        names = re.findall(r"\bgilga\b(?: \(bot\))?", told)
        assert names, address
        assert set(names) == {"gilga (bot)"}, (address, names)
    told = read(alice, reverse("against-player", args=["alice", "gilga"]))
    assert "alice and gilga (bot)" in told and "gilga (bot) ahead" in told and "alice (bot)" not in told


def test_spectators(alice, bob, charlie, gilga, read, api, monkeypatch, django_assert_num_queries):
    valkey = redis.Redis.from_url(settings.LIVE_REDIS_URL)
    valkey.flushdb()
    monkeypatch.setattr(spectators, "_breaker", Breaker(pause_s=1.0))
    table = services.create_table(owner=bob, game_key="ra", seats=2).table
    services.join_table(table_id=table.pk, user=alice)
    until = dict.fromkeys((f"n{gilga.user.pk}@a", f"n{charlie.pk}@a"), time.time() + 60)
    valkey.zadd(spectators.key_of(table.pk), until)
    told = api(alice, "get", f"tables/{table.pk}/spectators/").json()
    assert told == {"names": ["charlie", "gilga"], "bots": ["gilga"], "others": 0}
    assert "charlie gilga (bot)" in read(alice, reverse("table-talk-watching", args=[table.pk]))
    loaded = load(table.pk)
    with django_assert_num_queries(1):
        assert watchers.watchers_of(loaded, alice).marked == [("charlie", "charlie"), ("gilga", "gilga (bot)")]


def test_invitations_say_that_a_bot_invites(bob, gilga, read, api):
    table = services.create_table(owner=gilga.user, game_key="ra", seats=2).table
    invitation = inviting.invite(table_id=table.pk, user=gilga.user, name="bob")
    assert "gilga (bot) invites you to Ra" in read(bob, reverse("invitation", args=[invitation.pk]))
    row = api(bob, "get", "invitations/").json()["results"][0]
    assert (row["by"], row["is_bot"]) == ("gilga", True)
    told = api(bob, "get", f"invitations/{invitation.pk}/").json()
    assert (told["by"], told["is_bot"]) == ("gilga", True)
    inviting.invite_by_mail(
        table_id=services.create_table(owner=gilga.user, game_key="ra", seats=2).table.pk, user=gilga.user, email="x@example.org"
    )
    assert mail.outbox[-1].subject == "gilga (bot) invites you to a game of Ra"


def test_the_owner_of_a_table_sees_which_invited_people_are_bots(bob, gilga, api, read):
    table = services.create_table(owner=bob, game_key="ra", seats=3).table
    inviting.invite(table_id=table.pk, user=bob, name="gilga")
    inviting.invite(table_id=table.pk, user=bob, name="alice")
    found = api(bob, "get", f"tables/{table.pk}/invitations/").json()["results"]
    assert [(one["name"], one["is_bot"]) for one in found] == [("gilga", True), ("alice", False)]
    assert not re.search(r"\bgilga\b(?! \(bot\))", read(bob, reverse("table", args=[table.pk])))


def test_chat_lines_say_who_is_a_bot(bob, gilga, api, read):
    table = challenge(by=bob, bots=["gilga"], game="ra", seats=2).table
    say(table_id=table.pk, user=gilga.user, room="players", text="Hello")
    say(table_id=table.pk, user=bob, room="players", text="Hi")
    lines = api(bob, "get", f"tables/{table.pk}/chat/players/").json()["results"]
    assert {line["username"]: (line["name"], line["is_bot"]) for line in lines} == {"gilga": ("gilga (bot)", True), "bob": ("bob", False)}


def test_matches_mark_their_bots(bob, gilga, read):
    match = Match.objects.create(
        owner=bob, game="ra", pace={"kind": "days", "days": 1}, seats=2, games=2, at_once=2, state="stopped", reason="silent"
    )
    Player.objects.create(match=match, index=0, user=gilga.user, name="gilga")
    Player.objects.create(match=match, index=1, bot_level="scribe")
    Match.objects.update(reason_name="gilga")
    assert "gilga (bot) – Scribe" in read(None, reverse("match", args=[match.pk]))
    assert "gilga (bot) ran out of time in three games in a row." in read(None, reverse("match", args=[match.pk]))
    assert "gilga (bot) – scribe" in read(None, reverse("matches"))


def test_studies_of_bots(bob, gilga, read, api, fixed_secret):
    loaded = load(play(opened(bob, "babel")).table.pk)
    replay = replay_of(loaded, selectors.page_of(loaded, gilga.user))
    study = studies.start(replay=replay, step=6, user=gilga.user, title="Openings")
    sharing.set_up(study_id=study.pk, user=gilga.user, title="Openings", visibility="public")
    assert "gilga (bot)" in read(bob, reverse("study", args=[study.pk]))
    assert not re.search(r"\bgilga\b(?! \(bot\))", read(bob, reverse("study", args=[study.pk])))
    sharing.let_in(study_id=study.pk, user=gilga.user, name="bob", may_add=False)
    assert "gilga (bot)" in read(bob, reverse("studies"))
    told = api(bob, "get", f"studies/{study.pk}/").json()
    assert (told["owner"], told["is_bot"]) == ("gilga", True)
    assert api(gilga.user, "get", f"studies/{study.pk}/people/").json()["results"] == [
        {"username": "bob", "is_bot": False, "may_add": False}
    ]
