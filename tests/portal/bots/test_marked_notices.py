"""Bot accounts are marked in what people are told of them: in the inbox, by mail and push, and in the log; in each reader's language."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from django.urls import reverse
from django.utils import translation

from portal.bots.challenging import challenge
from portal.bots.services import close_bot
from portal.friends import services as friends
from portal.notices.mailing import _message
from portal.notices.models import Notice
from portal.notices.push import body_of
from portal.notices.sentences import sentence
from portal.tables import inviting, services
from portal.tables.loading import load
from portal.tables.telling import tell_asked, tell_end, tell_turns
from portal.talk.services import say

pytestmark = pytest.mark.django_db


def told(user, language="en"):
    with translation.override(language):
        return [sentence(notice) for notice in Notice.objects.filter(user=user).order_by("pk")]


@pytest.fixture
def playing(bob, gilga):
    """Bob and Gilga at a table of Ra that has started."""
    return challenge(by=bob, bots=["gilga"], game="ra", seats=2)


def test_requests_invitations_and_mentions(alice, bob, gilga, playing):
    friends.ask(user=gilga.user, person=bob)
    friends.ask(user=alice, person=gilga.user)
    friends.accept(user=gilga.user, person=alice)
    opened = services.create_table(owner=gilga.user, game_key="ra", seats=2).table
    inviting.invite(table_id=opened.pk, user=gilga.user, name="bob")
    Notice.objects.filter(user=bob, kind="turn").delete()
    say(table_id=playing.table.pk, user=gilga.user, room="players", text="@bob your move")
    assert told(bob) == [
        "gilga (bot) asks to be friends with you.",
        "gilga (bot) invites you to a game of Ra.",
        "gilga (bot) mentioned you in the chat of Ra.",
    ]
    assert told(alice) == ["gilga (bot) accepted: you are friends now."]
    assert all("gilga (бот)" in text for text in [*told(bob, "ru"), *told(alice, "ru")])


def test_what_happens_at_tables(bob, gilga, playing):
    """The names are stored without their mark, so it doesn't matter in which language somebody else has moved."""
    Notice.objects.all().delete()
    loaded = load(playing.table.pk)
    with translation.override("ru"):
        tell_asked(loaded, 1, [0])
        for seat in loaded.seats:
            seat.place = 1 if seat.user == gilga.user else 2
        tell_end(loaded, None)
        loaded.seats[0].place = 1
        tell_end(loaded, None)
    assert told(bob) == [
        "gilga (bot) asks everyone to vote in Ra.",
        "Your game of Ra is over. Winner: gilga (bot).",
        "Your game of Ra is over. These players share first place: bob and gilga (bot).",
    ]
    assert told(gilga.user)[0] == "You won your game of Ra with bob."
    assert all("gilga (бот)" in text for text in told(bob, "ru"))


def test_turns_mail_and_push(bob, gilga, playing):
    Notice.objects.all().delete()
    loaded = load(playing.table.pk)
    loaded.table.due = [0]
    tell_turns(loaded, [], gilga.user)
    notice = Notice.objects.get(user=bob)
    assert sentence(notice) == "It's your turn in Ra with gilga (bot)."
    bob.language = "ru"
    row = SimpleNamespace(notice=notice, notice_id=notice.pk, user=bob)
    assert "gilga (бот)" in json.loads(body_of(row))["text"]
    mail = _message(bob, "bob@example.org", [row])
    assert "gilga (бот)" in mail.subject and "gilga (бот)" in mail.body and "gilga (бот)" in mail.alternatives[0].content


def test_a_bot_that_is_closed_is_named_in_no_notice_any_longer(bob, gilga, playing):
    loaded = load(playing.table.pk)
    for seat in loaded.seats:
        seat.place = 1 if seat.user == gilga.user else 2
    tell_end(loaded, None)
    loaded.table.status = "finished"
    loaded.table.save(update_fields=["status"])
    close_bot(gilga)
    gilga.user.refresh_from_db()
    pseudonym = gilga.user.username
    notice = Notice.objects.get(user=bob, key="lost")
    assert (notice.facts["names"], notice.facts["winners"], notice.facts["bots"]) == ([pseudonym], [pseudonym], [pseudonym])
    assert "gilga" not in json.dumps(list(Notice.objects.filter(user=bob).values_list("facts", flat=True)))
    assert sentence(notice).startswith("Your game of Ra is over. Winner: Deleted player ") and sentence(notice).endswith(" (bot).")


def test_the_log_marks_a_bot_that_has_left(bob, gilga, playing, browser):
    services.leave_table(table_id=playing.table.pk, user=gilga.user)
    address = reverse("table-log", args=[playing.table.pk])
    assert "gilga (bot) left the table, and a bot took over." in browser(bob).get(address).content.decode()
    with translation.override("ru"):
        assert "gilga (бот)" in browser(bob).get(address, headers={"accept-language": "ru"}).content.decode()
