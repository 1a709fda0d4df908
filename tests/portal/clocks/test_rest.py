"""What time counts on a clock by correspondence: quiet hours, weekends and vacations, also when the clocks are put forward or back."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.tables.rest import LONGEST, Rest, counted, runs_out

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
NIGHT = (time(22), time(7))
ZONES = ["Europe/Budapest", "America/New_York", "Australia/Lord_Howe"]  # the last one moves by half an hour


def local(zone, *at):
    return datetime(*at, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def test_without_rest_all_time_counts():
    begin = datetime(2026, 11, 27, 12, tzinfo=UTC)
    rest = Rest(ZoneInfo("Europe/Budapest"))
    assert counted(begin, begin + 3 * DAY, rest) == 3 * DAY
    assert runs_out(begin, 3 * DAY, rest) == begin + 3 * DAY


def test_a_night_does_not_count():
    rest = Rest(ZoneInfo("Europe/Budapest"), NIGHT)
    evening = local("Europe/Budapest", 2026, 11, 27, 20)
    assert counted(evening, evening + 12 * HOUR, rest) == 3 * HOUR  # 20 to 22 and 7 to 8
    assert runs_out(evening, 3 * HOUR, rest) == local("Europe/Budapest", 2026, 11, 28, 8)


def test_quiet_hours_in_the_middle_of_the_day():
    rest = Rest(ZoneInfo("Europe/Budapest"), (time(9), time(17)))
    morning = local("Europe/Budapest", 2026, 11, 27, 8)
    assert counted(morning, morning + DAY, rest) == 16 * HOUR
    assert runs_out(morning, 2 * HOUR, rest) == local("Europe/Budapest", 2026, 11, 27, 18)


def test_a_clock_that_starts_in_the_night_waits_for_the_morning():
    rest = Rest(ZoneInfo("Europe/Budapest"), NIGHT)
    night = local("Europe/Budapest", 2026, 11, 27, 23, 30)
    assert runs_out(night, HOUR, rest) == local("Europe/Budapest", 2026, 11, 28, 8)
    assert counted(night, night + 2 * HOUR, rest) == timedelta()


def test_a_weekend_does_not_count_and_neither_do_its_nights_twice():
    rest = Rest(ZoneInfo("Europe/Budapest"), NIGHT, weekends=True)
    friday = local("Europe/Budapest", 2026, 11, 27, 21)
    assert runs_out(friday, 2 * HOUR, rest) == local("Europe/Budapest", 2026, 11, 30, 8)
    assert counted(friday, local("Europe/Budapest", 2026, 11, 30, 8), rest) == 2 * HOUR


def test_a_vacation_does_not_count():
    begin = datetime(2026, 11, 27, 12, tzinfo=UTC)
    rest = Rest(ZoneInfo("UTC"), spans=[(begin + DAY, begin + 11 * DAY), (begin + 5 * DAY, begin + 12 * DAY)])
    assert counted(begin, begin + 20 * DAY, rest) == 9 * DAY
    assert runs_out(begin, 2 * DAY, rest) == begin + 13 * DAY


def test_time_that_never_counts_ends_somewhere():
    begin = datetime(2026, 11, 27, 12, tzinfo=UTC)
    rest = Rest(ZoneInfo("UTC"), spans=[(begin, begin + 1000 * DAY)])
    assert runs_out(begin, HOUR, rest) == begin + LONGEST


# The days of two changes in each zone, at noon before; and how long the day until the next noon is.
CHANGES = [
    ("Europe/Budapest", (2026, 3, 28, 12), 23 * HOUR),
    ("Europe/Budapest", (2026, 10, 24, 12), 25 * HOUR),
    ("America/New_York", (2026, 3, 7, 12), 23 * HOUR),
    ("America/New_York", (2026, 10, 31, 12), 25 * HOUR),
    ("Australia/Lord_Howe", (2026, 4, 4, 12), 24.5 * HOUR),
    ("Australia/Lord_Howe", (2026, 10, 3, 12), 23.5 * HOUR),
]


@pytest.mark.parametrize(("zone", "noon", "length"), CHANGES)
def test_the_night_of_a_change_is_as_long_as_it_is(zone, noon, length):
    begin = local(zone, *noon)
    year, month, day, hour = noon
    end = (datetime(year, month, day, hour) + DAY).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    assert end - begin == length
    night = Rest(ZoneInfo(zone), NIGHT)
    assert counted(begin, end, night) == 15 * HOUR  # noon to 22, 7 to noon: the hour that was lost or won lay in the night
    assert runs_out(begin, 15 * HOUR, night) == end
    day_off = Rest(ZoneInfo(zone), (time(8), time(20)))
    assert counted(begin, end, day_off) == length - 12 * HOUR  # and here it lay in time that counts


@pytest.mark.parametrize(("zone", "noon", "length"), CHANGES)
def test_a_clock_without_rest_does_not_notice_a_change(zone, noon, length):
    begin = local(zone, *noon)
    assert runs_out(begin, DAY, Rest(ZoneInfo(zone))) == begin + DAY


def test_quiet_hours_that_begin_in_the_hour_that_is_left_out():
    rest = Rest(ZoneInfo("Europe/Budapest"), (time(2, 30), time(6)))
    begin = local("Europe/Budapest", 2026, 3, 29, 0)
    assert counted(begin, local("Europe/Budapest", 2026, 3, 29, 12), rest) == timedelta(hours=8, minutes=30)  # 11 hours; 3:30 to 6 is quiet


moments = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC))
hours = st.integers(0, 23)
rests = st.builds(
    lambda zone, start, length, weekends, at, days: Rest(
        ZoneInfo(zone), (time(start), time((start + length) % 24)) if length else None, weekends, [(at, at + timedelta(days=days))]
    ),
    st.sampled_from([*ZONES, "UTC", "Asia/Kathmandu"]),
    hours,
    st.integers(0, 10),
    st.booleans(),
    moments,
    st.integers(0, 30),
)


@given(rests, moments, st.timedeltas(timedelta(minutes=1), timedelta(days=20)))
def test_what_runs_out_has_counted(rest, begin, left):
    end = runs_out(begin, left, rest)
    assert counted(begin, end, rest) == left
    assert counted(begin, end - timedelta(seconds=1), rest) < left


@given(rests, moments, st.lists(st.timedeltas(timedelta(), timedelta(days=9)), min_size=3, max_size=3))
def test_time_is_the_same_in_parts(rest, begin, steps):
    total, at = timedelta(), begin
    for step in steps:
        total += counted(at, at + step, rest)
        at += step
    assert total == counted(begin, at, rest)
