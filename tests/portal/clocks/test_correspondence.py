"""A game by correspondence from the form to the result, by the pages alone, over weeks that the test lets pass."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from portal.notices.models import Kind as Topic
from portal.notices.models import Notice
from portal.tables import tasks
from portal.tables.loading import load
from portal.tables.models import Table

pytestmark = pytest.mark.django_db

FRIDAY = datetime(2026, 11, 27, 12, tzinfo=UTC)  # 13:00 in Budapest, where both live
ENDS = re.compile(r'<time class="clock is-running" datetime="([^"]+)"')


@pytest.fixture
def clock():
    with time_machine.travel(FRIDAY, tick=False) as machine:
        yield machine


def clock_on_page(client, number):
    found = ENDS.search(client.get(reverse("table", args=[number])).content.decode())
    assert found, "no clock runs"
    return datetime.fromisoformat(found[1]).astimezone(UTC)


def act(clients, number):
    """Let whoever is due press what the page offers first, or draw if it does; return their seat."""
    loaded = load(number)
    due = loaded.table.due[0]
    legal = [str(action) for action in loaded.game.legal_actions(loaded.state, due)]
    action = next((text for text in ("call", "draw") if text in legal), legal[0])
    answer = clients[loaded.seats[due].user].post(
        reverse("table-act", args=[number]), {"action": action, "expected_version": loaded.table.version}
    )
    assert answer.status_code == 303
    return due


def test_a_game_over_weeks_with_weekend_and_vacation(alice, bob, clock):
    clients = {alice: Client(), bob: Client()}
    for person, client in clients.items():
        client.force_login(person)
    form = {"game": "ra", "seats": "2", "who": "link", "seat-1": "open", "pace": "days", "days": "2", "weekends": "on", "out": "bot"}
    opened = clients[alice].post(reverse("table-new"), form)
    assert opened.status_code in (302, 303)
    table = Table.objects.get()
    number = table.pk
    invitation = reverse("invitation-by-code", args=[table.link_code])
    asked = clients[bob].get(invitation).content.decode()
    assert "2 days a move, not on weekends" in asked
    terms = re.search(r'name="terms" value="([^"]*)"', asked)
    assert terms
    clients[bob].post(invitation, {"do": "accept", "terms": terms[1]})
    table.refresh_from_db()
    assert table.status == "playing"

    # Two days from Friday 13:00, weekends off: Tuesday 13:00.
    assert clock_on_page(clients[alice], number) == datetime(2026, 12, 1, 12, tzinfo=UTC)
    clock.move_to(datetime(2026, 11, 29, 20, tzinfo=UTC))  # Sunday night: only Friday's 11 hours have passed
    loaded = load(number)
    due = loaded.seats[loaded.table.due[0]].user
    other = bob if due == alice else alice
    assert tasks.ringing() == []

    # On Monday whoever is due goes on vacation for a week: nothing runs, and nobody is told that time is short.
    clock.move_to(datetime(2026, 11, 30, 8, tzinfo=UTC))
    before = clock_on_page(clients[due], number)
    gone = clients[due].post(reverse("vacation"), {"first": "2026-11-30", "last": "2026-12-06"})
    assert gone.status_code == 302
    back = datetime(2026, 12, 6, 23, tzinfo=UTC)  # Monday 0:00
    assert clock_on_page(clients[other], number) == back + (before - datetime(2026, 11, 30, 8, tzinfo=UTC))
    clock.move_to(datetime(2026, 12, 6, 22, tzinfo=UTC))
    assert tasks.ringing() == []
    assert load(number).seats[loaded.table.due[0]].user == due

    # They come back and move in time; the game goes on, a few hours for each move, to its end.
    clock.move_to(datetime(2026, 12, 7, 9, tzinfo=UTC))
    while Table.objects.get(pk=number).status == "playing":
        act(clients, number)
        clock.shift(timedelta(hours=3))
        for table_id in tasks.ringing():
            tasks.ring(table_id)
        tasks.score(number, Table.objects.get(pk=number).version)
    table.refresh_from_db()
    assert table.status == "finished"
    assert not table.seats.filter(is_away=True).exists()
    assert "The game is over" in clients[bob].get(reverse("table", args=[number])).content.decode()
    assert not Notice.objects.filter(kind=Topic.TURN, withdrawn_at=None, read_at=None).exists(), "no turn is still told of"
    ended = Notice.objects.filter(kind=Topic.GAME, key__in=["won", "lost", "shared"])
    assert ended.count() >= 1
