"""Room for everybody's matches, and workers that never wait for each other or for somebody who goes."""

import pytest
from django.db import connection

from portal.bots.services import change_bot
from portal.matches import feeding
from portal.matches.feeding import feed, step
from portal.matches.models import Match
from portal.tables.pace import Pace

DAYS = Pace("days", days=1)


def running(*matches):
    return [match.rows.filter(ended_at=None).count() for match in matches]


@pytest.fixture
def other():
    """Another connection to the database."""
    found = connection.copy()
    found.set_autocommit(False)
    yield found
    found.rollback()
    found.close()


@pytest.fixture
def limits(monkeypatch):
    def limit(**values):
        for name, value in values.items():
            monkeypatch.setattr(feeding, name, value)

    return limit


# Shares


@pytest.mark.django_db
def test_a_person_has_a_share_of_the_room_and_the_next_one_the_same(match_of, bob, gilga, enkidu, shamash, limits):
    limits(GAMES_AT_ONCE=8, GAMES_A_PERSON=5, LEAST_A_PERSON=2)
    for bot in (gilga, enkidu, shamash):
        change_bot(bot, at_once=20)
    values = {"levels": ["apprentice"], "games": 20, "at_once": 10, "is_rated": True}
    first, second = match_of("gilga", **values), match_of("enkidu", **values)
    assert feed() == 5
    assert running(first, second) == [5, 0]
    third = match_of("shamash", owner=bob, **values)
    assert feed() == 3, "the site is full before a share of four"
    first.rows.filter(number__lt=2).update(ended_at=first.made_at)
    assert feed() == 2
    assert running(first, second, third) == [4, 0, 4]


@pytest.mark.django_db
def test_matches_by_days_leave_room_for_live_ones(match_of, bob, gilga, enkidu, shamash, limits):
    limits(GAMES_AT_ONCE=9, GAMES_BY_DAYS=5, GAMES_A_PERSON=6, BY_DAYS_A_PERSON=3, LEAST_A_PERSON=1)
    for bot in (gilga, enkidu, shamash):
        change_bot(bot, at_once=20)
    values = {"levels": ["apprentice"], "games": 20, "at_once": 10, "is_rated": True}
    by_days = match_of("gilga", pace=DAYS, **values)
    assert feed() == 3
    live, of_bob = match_of("enkidu", **values), match_of("shamash", owner=bob, pace=DAYS, **values)
    feed()
    assert running(by_days, live, of_bob) == [3, 1, 2]


@pytest.mark.django_db
def test_a_deal_with_the_most_seats_fits_into_the_smallest_share(limits):
    assert feeding.share(feeding.GAMES_BY_DAYS, 10**6, most=feeding.BY_DAYS_A_PERSON) == 6


# Locks


@pytest.mark.django_db
def test_while_one_worker_opens_games_another_opens_none(match_of, gilga, other):
    match = match_of("gilga", levels=["apprentice"])
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, 0)", [feeding._OPENING])
    assert feed() == 0
    match.refresh_from_db()
    assert (match.state, match.ended_at) == ("running", None)
    other.rollback()
    assert feed() == 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", ["accounts_user", "bots_botaccount"])
def test_a_step_waits_neither_for_its_owner_nor_for_a_bot(match_of, alice, gilga, other, table):
    match = match_of("gilga", levels=["apprentice"])
    with other.cursor() as cursor:
        cursor.execute(f"SELECT id FROM {table} WHERE id = %s FOR NO KEY UPDATE", [alice.pk if table == "accounts_user" else gilga.pk])
    assert step(match.pk) == 0, "it raises OperationalError if it waits"
    assert Match.objects.values_list("state", "reason", "ended_at").get() == ("queued" if table == "accounts_user" else "running", "", None)
    other.rollback()
    assert step(match.pk) == 4
