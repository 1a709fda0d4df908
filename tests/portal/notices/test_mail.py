"""Notices by mail, against a mail server: once, in one mail for a person, and not when it is no longer so."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from portal.accounts import mail, rest
from portal.accounts import tasks as mail_tasks
from portal.accounts.models import OutgoingMail
from portal.notices import choosing, mailing, outbox, tasks
from portal.notices.models import Channel, Delivery, Kind, Notice, Reach
from portal.notices.reach import after_quiet, due_at
from portal.tables import services
from portal.tables.pace import Kind as Kinds
from portal.tables.pace import Pace

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def invite(user, game="ra"):
    outbox.tell([user.pk], kind=Kind.INVITATION, key="invited", path="/tables/", facts={"who": "bob", "game": game})


def turn(user, table_id=7, version=3):
    outbox.turns(table_id=table_id, version=version, path=f"/tables/{table_id}/", due={user.pk: {"game": "ra", "names": ["bob"]}}, over=[])


def work():
    """Do what the workers of the queue do."""
    tasks.send_due()
    mail_tasks.send_due_mail()


def fate():
    return list(Delivery.objects.order_by("pk").values_list("status", "why"))


def test_an_invitation_is_mailed_at_once_and_once(confirmed, mails, clock):
    invite(confirmed)
    for _ in range(3):
        work()
    (one,) = mails.mails
    assert one["To"] == "alice@example.org"
    assert one["Subject"] == "Ziggurat: bob invites you to a game of Ra"
    plain, html = (part.get_payload(decode=True).decode() for part in one.get_payload())
    assert f"/notices/{Notice.objects.get().pk}/" in plain
    assert "<li><a href=" in html
    assert fate() == [("sent", "")]


def test_it_is_in_the_readers_language(confirmed, mails, clock):
    confirmed.language = "hu"
    confirmed.save()
    invite(confirmed)
    work()
    text = mails.mails[0].get_payload()[0].get_payload(decode=True).decode()
    assert "bob játszani hív: Ra." in text
    assert "Hello" not in text


def test_without_a_confirmed_address_nothing_is_sent(alice, guest, mails, clock):
    for person in (alice, guest):
        invite(person)
    work()
    assert not mails.mails
    assert not Delivery.objects.exists()


def test_a_turn_waits_ten_minutes_and_is_not_mailed_if_it_was_taken(confirmed, mails, clock):
    turn(confirmed)
    clock.shift(timedelta(minutes=1))
    work()
    assert not mails.mails
    outbox.turns(table_id=7, version=4, path="/tables/7/", due={}, over=[confirmed.pk])
    clock.shift(timedelta(minutes=20))
    work()
    assert not mails.mails
    assert fate() == [("dropped", "moved")]


@pytest.mark.parametrize(("pace", "minutes"), [(Pace(), 10), (Pace(Kinds.LIVE, bank_s=600, add_s=15), 3), (Pace(Kinds.DAYS, days=3), 5)])
def test_the_mail_of_a_turn_waits_as_it_fits_the_pace(confirmed, bob, fixed_secret, mails, clock, pace, minutes):
    loaded = services.create_table(owner=bob, game_key="ra", seats=2, pace=pace)
    loaded = services.join_table(table_id=loaded.table.pk, user=confirmed)
    while loaded.seats[loaded.table.due[0]].user == bob:
        text = str(loaded.game.legal_actions(loaded.state, loaded.table.due[0])[0])
        loaded = services.submit_action(table_id=loaded.table.pk, user=bob, action=text, expected_version=loaded.table.version)
    clock.shift(timedelta(minutes=minutes, seconds=-1))
    work()
    assert not mails.mails
    clock.shift(timedelta(seconds=2))
    work()
    work()
    assert [one["Subject"] for one in mails.mails] == ["Ziggurat: It's your turn in Ra with bob"]


def test_a_turn_that_was_seen_is_not_mailed(confirmed, mails, clock):
    turn(confirmed)
    clock.shift(timedelta(minutes=1))
    work()
    Notice.objects.update(read_at=timezone.now())
    clock.shift(timedelta(minutes=20))
    work()
    assert not mails.mails
    assert fate() == [("dropped", "read")]


def test_a_turn_that_came_again_is_mailed_once_for_its_latest(confirmed, mails, clock):
    turn(confirmed)
    clock.shift(timedelta(minutes=9))
    work()
    outbox.turns(table_id=7, version=4, path="/tables/7/", due={}, over=[confirmed.pk])
    turn(confirmed, version=5)
    clock.shift(timedelta(minutes=2))
    work()
    assert not mails.mails, "ten minutes from the latest"
    clock.shift(timedelta(minutes=10))
    work()
    work()
    assert len(mails.mails) == 1
    assert sorted(fate()) == [("dropped", "moved"), ("sent", "")]


def test_what_is_due_at_once_is_one_mail(confirmed, mails, clock):
    for table_id in (7, 8, 9):
        turn(confirmed, table_id)
    clock.shift(timedelta(minutes=11))
    work()
    (one,) = mails.mails
    assert one["Subject"] == "Ziggurat: 3 notices"
    assert one.get_payload()[0].get_payload(decode=True).decode().count("your turn in Ra with bob.") == 3


def test_a_mail_that_waits_for_its_server_is_withdrawn_by_the_move(confirmed, mails, clock, settings):
    turn(confirmed)
    settings.EMAIL_DELIVERY_BACKEND = "tests.portal.accounts.test_mail.NoServer"
    clock.shift(timedelta(minutes=11))
    work()
    assert fate() == [("handed", "")]
    outbox.turns(table_id=7, version=4, path="/tables/7/", due={}, over=[confirmed.pk])
    settings.EMAIL_DELIVERY_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    clock.shift(timedelta(hours=1))
    work()
    assert not mails.mails
    assert fate() == [("dropped", "moved")]
    assert not OutgoingMail.objects.exists()


def test_if_part_of_a_mail_is_no_longer_so_the_rest_goes_out_in_another(confirmed, mails, clock, settings):
    turn(confirmed, 7)
    turn(confirmed, 8)
    settings.EMAIL_DELIVERY_BACKEND = "tests.portal.accounts.test_mail.NoServer"
    clock.shift(timedelta(minutes=11))
    work()
    outbox.turns(table_id=7, version=4, path="/tables/7/", due={}, over=[confirmed.pk])
    settings.EMAIL_DELIVERY_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    clock.shift(timedelta(hours=1))
    work()
    work()
    (one,) = mails.mails
    assert one["Subject"] == "Ziggurat: It's your turn in Ra with bob"


def test_an_address_that_is_refused_is_switched_off_with_the_reason(confirmed, mails, clock, browser):
    mails.refuses.add("alice@example.org")
    invite(confirmed)
    work()
    assert fate() == [("failed", "refused")]
    client = browser(confirmed)
    assert "the address was refused" in client.get("/notices/?show=failed").content.decode()
    page = client.get("/notices/settings/").content.decode()
    assert "the mail server refused your address" in page
    assert "no such mailbox" in page
    invite(confirmed)
    work()
    assert len(fate()) == 1, "nothing more is planned"
    mails.refuses.clear()
    client.post("/notices/settings/mail/")
    invite(confirmed)
    work()
    assert len(mails.mails) == 1


def test_quiet_hours_hold_mail_back_and_lack_of_time_breaks_through(confirmed, mails, clock, browser):
    rest.set_quiet_hours(confirmed, time(12, 30), time(15))  # it is one o'clock in Budapest
    invite(confirmed)
    outbox.tell([confirmed.pk], kind=Kind.TIME, key="time_short", path="/tables/7/", facts={"game": "ra"})
    work()
    assert [one["Subject"] for one in mails.mails] == ["Ziggurat: You are running out of time in Ra"]
    assert "held by quiet hours until" in browser(confirmed).get("/notices/").content.decode()
    clock.move_to(NOON + timedelta(hours=2, minutes=1))
    work()
    assert len(mails.mails) == 2


def test_a_digest_comes_once_at_six_in_the_evening(confirmed, mails, clock):
    choosing.choose(confirmed, {"invitation.mail": "on", "invitation.when": "digest"})
    invite(confirmed)
    clock.shift(timedelta(hours=2))
    invite(confirmed, "babel")
    work()
    assert not mails.mails
    clock.move_to(datetime(2026, 11, 27, 17, 1, tzinfo=UTC))
    work()
    work()
    (one,) = mails.mails
    assert one["Subject"] == "Ziggurat: 2 notices"


@pytest.mark.parametrize(
    ("zone", "at", "free"),
    [
        # the clocks go forward in Budapest on 29 March 2026, at two; half past two never comes
        ("Europe/Budapest", datetime(2026, 3, 29, 0, 30, tzinfo=UTC), datetime(2026, 3, 29, 5, 0, tzinfo=UTC)),
        ("Europe/Budapest", datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 6, 0, tzinfo=UTC)),
        ("America/New_York", datetime(2026, 3, 8, 6, 30, tzinfo=UTC), datetime(2026, 3, 8, 11, 0, tzinfo=UTC)),
        ("America/New_York", datetime(2026, 11, 1, 5, 30, tzinfo=UTC), datetime(2026, 11, 1, 12, 0, tzinfo=UTC)),
        ("Pacific/Auckland", datetime(2026, 4, 4, 13, 30, tzinfo=UTC), datetime(2026, 4, 4, 19, 0, tzinfo=UTC)),
        ("No/Such_Zone", datetime(2026, 4, 4, 2, 0, tzinfo=UTC), datetime(2026, 4, 4, 7, 0, tzinfo=UTC)),
    ],
)
def test_quiet_hours_end_by_the_persons_clock_even_when_clocks_change(alice, zone, at, free):
    alice.time_zone = zone
    alice.quiet_from, alice.quiet_to = time(22), time(7)
    assert after_quiet(None, alice, Kind.CLUB, at) == free
    assert after_quiet(None, alice, Kind.CLUB, free) == free


def test_a_digest_is_never_more_than_a_day_and_an_hour_away(alice):
    reach = Reach(user=alice, digests=["club"])
    for hours in range(0, 24 * 365, 7):
        made = NOON + timedelta(hours=hours)
        at = due_at(reach, alice, Kind.CLUB, Channel.MAIL, made)
        assert timedelta() < at - made <= timedelta(hours=25)


# One click


def test_mail_has_a_link_that_stops_it_without_signing_in(confirmed, mails, clock, client):
    invite(confirmed)
    work()
    one = mails.mails[0]
    assert one["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = "/" + re.search(r"<\w+://[^/]+/(.+)>", "".join(one["List-Unsubscribe"].split()))[1]
    assert Client(enforce_csrf_checks=True).get(path).status_code == 200
    invite(confirmed)
    work()
    assert len(mails.mails) == 2, "a look changes nothing"
    answer = Client(enforce_csrf_checks=True).post(path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    invite(confirmed)
    turn(confirmed)
    clock.shift(timedelta(minutes=11))
    work()
    assert [one["Subject"] for one in mails.mails[2:]] == ["Ziggurat: It's your turn in Ra with bob"], "the other kinds go on"
    Client().post(path, {"what": "all"})
    turn(confirmed, 8)
    clock.shift(timedelta(minutes=11))
    work()
    assert len(mails.mails) == 3


def test_a_broken_link_stops_nothing_and_wrong_ones_are_counted(confirmed, client):
    for _ in range(20):
        assert client.post("/notices/stop/WzEsIiJd:1abc:def/").status_code == 404
    assert client.post("/notices/stop/WzEsIiJd:1abc:def/").status_code == 429
    assert not Reach.objects.exists()


# Exactly once


class Dies(Exception):
    """The worker is killed at this point."""


@pytest.mark.parametrize("point", ["planning.plan", "mailing._message", "queue.keep"])
def test_a_worker_that_dies_anywhere_loses_nothing_and_doubles_nothing(confirmed, mails, clock, monkeypatch, point):
    invite(confirmed)
    if point != "planning.plan":
        place = mailing if point.startswith("mailing") else mailing.queue
        name = point.partition(".")[2]

        def die(*_args, **_values):
            raise Dies

        with monkeypatch.context() as patch:
            patch.setattr(place, name, die)
            with pytest.raises(Dies):
                tasks.send_due()
    else:
        with monkeypatch.context() as patch:
            patch.setattr("portal.notices.tasks.mailing.send_due", lambda: (_ for _ in ()).throw(Dies))
            with pytest.raises(Dies):
                tasks.send_due()
    for _ in range(3):
        clock.shift(timedelta(minutes=15))
        work()
    assert len(mails.mails) == 1
    assert fate() == [("sent", "")]


def test_a_worker_killed_after_the_server_took_the_mail_sends_the_same_mail_again(confirmed, mails, clock, monkeypatch):
    """No queue can rule it out; the Message-ID tells the receiver that both are one."""
    invite(confirmed)
    tasks.send_due()

    class Killed:
        @staticmethod
        def now():
            raise Dies

    kept = OutgoingMail.objects.get()
    with monkeypatch.context() as patch:
        patch.setattr(mail, "_take", lambda _pk: kept)
        patch.setattr(mail, "timezone", Killed)  # asked for the time of the mark, once the mail has gone
        with pytest.raises(Dies):
            mail_tasks.deliver_mail(kept.pk)
    assert len(mails.mails) == 1
    assert fate() == [("handed", "")]
    work()
    assert len(mails.mails) == 2
    assert len({one["Message-ID"] for one in mails.mails}) == 1
    assert fate() == [("sent", "")]
