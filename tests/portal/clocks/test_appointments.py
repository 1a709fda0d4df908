"""Tables that start at an agreed time: not before, then at once; the reminder; what can't be agreed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse

from portal.notices.models import Notice
from portal.tables import refusals, services
from portal.tables.appointment import LATEST, REMINDED
from portal.tables.models import Table
from portal.tables.pace import Pace
from portal.tables.tasks import ring, ringing

from .conftest import LIVE

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
EIGHT = NOON + timedelta(hours=8)


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as machine:
        yield machine


@pytest.fixture
def agreed(alice, bob, clock):
    """Ra for Alice and Bob at eight."""
    table = services.create_table(owner=alice, game_key="ra", seats=2, starts_at=EIGHT, pace=LIVE).table
    services.join_table(table_id=table.pk, user=bob)
    return table


def ring_all():
    for table_id in ringing():
        ring(table_id)


def status_of(table):
    table.refresh_from_db()
    return table.status


def told(user):
    return list(Notice.objects.filter(user=user, withdrawn_at=None).values_list("key", flat=True))


def test_a_full_table_waits_for_its_time_and_then_starts(agreed, alice, bob, clock):
    assert status_of(agreed) == "open"
    clock.move_to(EIGHT - REMINDED - timedelta(seconds=1))
    assert ringing() == []
    clock.move_to(EIGHT - REMINDED)
    ring_all()
    ring_all()
    assert told(alice) == told(bob) == ["soon"]
    clock.move_to(EIGHT - timedelta(seconds=1))
    ring_all()
    assert status_of(agreed) == "open"
    clock.move_to(EIGHT)
    ring_all()
    assert status_of(agreed) == "playing"
    assert agreed.started_at == EIGHT
    assert agreed.clocks["at"] == EIGHT.timestamp()
    ring(agreed.pk)
    assert status_of(agreed) == "playing"


def test_a_seat_that_is_free_at_the_time_is_waited_for(alice, bob, clock):
    table = services.create_table(owner=alice, game_key="ra", seats=2, starts_at=EIGHT).table
    clock.move_to(EIGHT)
    ring_all()
    ring_all()
    assert (status_of(table), ringing()) == ("open", [])
    services.join_table(table_id=table.pk, user=bob)
    assert status_of(table) == "playing"


def test_bots_wait_too_and_the_owner_may_start_sooner(alice, clock):
    table = services.create_table(owner=alice, game_key="ra", seats=2, bots=["scribe"], starts_at=EIGHT).table
    assert status_of(table) == "open"
    services.start_table(table_id=table.pk, user=alice)
    assert status_of(table) == "playing"
    assert table.alarm_at is None


def test_a_table_that_was_closed_meanwhile_is_left_alone(agreed, alice, clock):
    services.leave_table(table_id=agreed.pk, user=alice)
    clock.move_to(EIGHT)
    ring_all()
    assert (status_of(agreed), ringing()) == ("abandoned", [])


@pytest.mark.parametrize("at", [NOON, NOON - timedelta(days=1), NOON + LATEST + timedelta(seconds=1)])
def test_a_time_that_has_passed_or_is_far_away_is_refused(alice, clock, at):
    with pytest.raises(refusals.BadStart):
        services.create_table(owner=alice, game_key="ra", seats=2, starts_at=at)
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("sent", "at"),
    [("2026-11-27T21:00", EIGHT), ("2026-11-28T00:30", datetime(2026, 11, 27, 23, 30, tzinfo=UTC)), ("", None)],
)
def test_the_form_reads_the_time_in_the_readers_zone(client, alice, clock, sent, at):
    client.force_login(alice)  # in Budapest
    answer = client.post(reverse("table-new"), {"game": "ra", "seats": "3", "who": "anyone", "starts": sent})
    assert answer.status_code == 302
    assert Table.objects.get().starts_at == at
    if at is not None:
        page = client.get(answer["Location"]).content.decode()
        assert "The game starts at the time above" in page
        assert f"{sent[-5:]}" in page
        assert "Starts" in client.get(reverse("lobby")).content.decode()


@pytest.mark.parametrize("sent", ["soon", "2026-13-01T10:00", "2026-11-27T12:59", "0001-01-01T00:00", "9999-12-31T23:59"])
def test_the_form_says_what_is_wrong_and_keeps_what_was_chosen(client, alice, clock, sent):
    client.force_login(alice)
    answer = client.post(reverse("table-new"), {"game": "ra", "seats": "3", "who": "anyone", "starts": sent})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "in 28 days at the latest" in page
    assert f'value="{sent}"' in page
    assert not Table.objects.exists()


def test_bots_that_are_asked_for_at_once_do_not_wait(client, alice, clock):
    client.force_login(alice)
    client.post(reverse("table-new"), {"game": "ra", "seats": "2", "who": "anyone", "starts": "2026-11-27T21:00", "fill": "bots"})
    assert Table.objects.get().status == "playing"


def test_a_relaxed_table_can_have_a_time(alice, bob, clock):
    table = services.create_table(owner=alice, game_key="ra", seats=2, starts_at=EIGHT, pace=Pace()).table
    services.join_table(table_id=table.pk, user=bob)
    clock.move_to(EIGHT)
    ring_all()
    assert status_of(table) == "playing"
