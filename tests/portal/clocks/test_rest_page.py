"""Quiet hours and vacations: what can be entered, and what the page says of it."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
import time_machine
from django.urls import reverse

from portal.accounts import rest
from portal.accounts.models import User, Vacation
from portal.accounts.refusals import BadQuietHours, BadVacation, TooMuchVacation
from portal.tables import clocks
from portal.tables.loading import load

from .conftest import DAYS

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
TODAY = date(2026, 11, 27)
DAY = timedelta(days=1)


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as machine:
        yield machine


@pytest.fixture
def page(alice, client, clock):
    client.force_login(alice)
    return client


@pytest.mark.parametrize(
    ("begin", "end"), [(time(22), None), (None, time(7)), (time(7), time(7)), (time(7), time(19, 1)), (time(20), time(9))]
)
def test_quiet_hours_are_two_times_at_most_twelve_hours_apart(alice, begin, end):
    with pytest.raises(BadQuietHours):
        rest.set_quiet_hours(alice, begin, end)
    alice.refresh_from_db()
    assert alice.quiet_from is None


def test_quiet_hours_may_be_taken_away_again(alice):
    rest.set_quiet_hours(alice, time(22), time(7))
    rest.set_quiet_hours(alice, None, None)
    alice.refresh_from_db()
    assert (alice.quiet_from, alice.quiet_to) == (None, None)


def test_a_vacation_is_whole_days_where_the_person_lives(alice, clock):
    found = rest.add_vacation(alice, TODAY + DAY, TODAY + 2 * DAY)
    assert (found.since, found.until) == (datetime(2026, 11, 27, 23, tzinfo=UTC), datetime(2026, 11, 29, 23, tzinfo=UTC))
    assert rest.add_vacation(alice, TODAY, TODAY).since == NOON  # from now on


@pytest.mark.parametrize(("first", "last"), [(-1, 3), (3, 2), (1, 400), (4, 6), (6, 9)])
def test_a_vacation_that_is_past_reversed_far_or_taken_is_refused(alice, clock, first, last):
    rest.add_vacation(alice, TODAY + 5 * DAY, TODAY + 7 * DAY)
    with pytest.raises(BadVacation):
        rest.add_vacation(alice, TODAY + first * DAY, TODAY + last * DAY)
    assert Vacation.objects.count() == 1


def test_six_weeks_a_year_and_no_more(alice, clock):
    rest.add_vacation(alice, TODAY + DAY, TODAY + 30 * DAY)
    with pytest.raises(TooMuchVacation):
        rest.add_vacation(alice, TODAY + 100 * DAY, TODAY + 112 * DAY)
    rest.add_vacation(alice, TODAY + 100 * DAY, TODAY + 111 * DAY)


def test_a_vacation_moves_the_end_of_a_running_clock(opened, clock):
    loaded = opened(DAYS)
    due = loaded.table.due[0]
    person = loaded.seats[due].user
    found = rest.add_vacation(person, TODAY + DAY, TODAY + 2 * DAY)
    assert clocks.run_out_at(load(loaded.table.pk), due) == NOON + 5 * DAY
    clock.shift(12 * timedelta(hours=1))
    rest.end_vacation(person, found.pk)  # after an hour of it
    assert clocks.run_out_at(load(loaded.table.pk), due) == NOON + 3 * DAY + timedelta(hours=1)


def test_only_ones_own_vacation_can_be_ended(alice, bob, clock):
    found = rest.add_vacation(alice, TODAY + DAY, TODAY + 2 * DAY)
    rest.end_vacation(bob, found.pk)
    assert rest.vacations(alice) == [found]
    rest.end_vacation(alice, found.pk)
    assert rest.vacations(alice) == []


def test_the_page_takes_both(page, alice):
    assert page.post(reverse("rest"), {"quiet_from": "22:00", "quiet_to": "07:30"}).status_code == 302
    assert page.post(reverse("vacation"), {"first": "2026-12-01", "last": "2026-12-05"}).status_code == 302
    html = page.get(reverse("rest")).content.decode()
    assert 'value="22:00' in html and 'value="07:30' in html
    pk = Vacation.objects.get(user=alice).pk
    assert f'value="{pk}"' in html
    page.post(reverse("vacation"), {"end": str(pk)})
    assert not Vacation.objects.exists()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("rest", {"quiet_from": "25:00", "quiet_to": "07:00"}),
        ("rest", {"quiet_from": "06:00", "quiet_to": "23:00"}),
        ("vacation", {"first": "yesterday", "last": ""}),
        ("vacation", {"first": "2026-11-01", "last": "2026-12-01"}),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(page, alice, name, data):
    answer = page.post(reverse(name), data)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert not Vacation.objects.exists() and User.objects.get(pk=alice.pk).quiet_from is None


def test_a_visitor_is_sent_to_sign_in(client, db):
    assert client.get(reverse("rest")).status_code == 302
    assert client.post(reverse("vacation"), {"first": "2026-12-01", "last": "2026-12-05"})["Location"].startswith("/accounts/login/")


def test_the_page_names_the_last_day_and_not_the_midnight_after(page, alice):
    rest.add_vacation(alice, TODAY + DAY, TODAY + 2 * DAY)
    assert "28 November 2026 to 29 November 2026" in " ".join(page.get(reverse("rest")).content.decode().split())
