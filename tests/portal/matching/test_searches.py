"""Searches in the database: tables that are opened and found, who must be there, what ends, and who is kept apart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.accounts import blocks
from portal.accounts.services import create_guest
from portal.matching import refusals, services
from portal.matching.models import Search
from portal.matching.pairing import LIVE
from portal.matching.tasks import pair
from portal.tables import services as tables
from portal.tables.models import Seat, Table
from portal.tables.pace import Pace, pace_of
from portal.tables.refusals import BadSeatCount

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as machine:
        yield machine


def people_at(table_id):
    return {seat.user.username for seat in Seat.objects.filter(table=table_id).select_related("user")}


def test_two_who_look_for_the_same_sit_down_and_the_game_runs(looks, alice, bob):
    looks(alice)
    looks(bob)
    pair()
    mine, others = services.of(alice)[0], services.of(bob)[0]
    assert mine.table_id == others.table_id
    table = Table.objects.get(pk=mine.table_id)
    assert (table.status, table.seat_count, table.is_rated, table.privacy) == ("playing", 2, True, "public")
    assert pace_of(table.pace) == services.pace_for(services.GAMES["ra"], "live")
    assert table.clocks
    assert people_at(table.pk) == {"alice", "bob"}
    pair()  # a second run finds nobody
    assert Table.objects.count() == 1


def test_a_search_is_enqueued_once_and_a_new_one_takes_the_place_of_the_old(looks, alice, tasks):
    looks(alice)
    looks(alice, seats=3, is_rated=False)
    assert tasks == [services.PAIR] * 2
    assert [(search.seats, search.is_rated) for search in Search.objects.all()] == [(3, False)]


def test_a_live_game_begins_only_with_people_who_are_there(looks, alice, bob, clock):
    looks(alice)
    clock.shift(timedelta(seconds=LIVE.unseen_s))
    search = looks(bob)
    assert services.pair_all() == 0
    services.seen(Search.objects.get(user=alice))
    assert services.pair_all() == 1
    search.refresh_from_db()
    assert search.table_id


def test_presence_is_written_at_most_every_few_seconds(looks, alice, clock):
    search = looks(alice)
    clock.shift(services.SEEN_EACH - timedelta(seconds=1))
    with CaptureQueriesContext(connection) as queries:
        services.seen(search)
    assert len(queries) == 0
    clock.shift(timedelta(seconds=1))
    with CaptureQueriesContext(connection) as queries:
        services.seen(search)
    assert len(queries) == 1


def test_by_correspondence_nobody_has_to_wait_at_the_page(looks, alice, bob, clock):
    looks(alice, kind="days")
    clock.shift(timedelta(days=2))
    looks(bob, kind="days")
    assert services.pair_all() == 1
    assert pace_of(Table.objects.get().pace).days == 3


def test_guests_look_only_for_live_games(looks, alice):
    guest = create_guest(address="192.0.2.9", language="en")
    with pytest.raises(refusals.AccountNeeded):
        looks(guest, kind="days")
    looks(guest)
    assert [search.user for search in Search.objects.all()] == [guest]


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        ({"game": "chess"}, refusals.BadSearch),
        ({"kind": "relaxed"}, refusals.BadSearch),
        ({"kind": ""}, refusals.BadSearch),
        ({"seats": -1}, refusals.BadSearch),
        ({"seats": 6}, BadSeatCount),
    ],
)
def test_what_can_not_be_looked_for(looks, alice, wanted, error):
    with pytest.raises(error):
        looks(alice, **wanted)
    assert not Search.objects.exists()


def test_people_who_block_each_other_are_not_seated_together(looks, alice, bob, charlie):
    blocks.block(user=bob, person=alice)
    looks(alice)
    looks(bob)
    assert services.pair_all() == 0
    looks(charlie)
    assert services.pair_all() == 1
    assert "charlie" in people_at(Table.objects.get().pk)


def test_a_closed_account_is_seated_nowhere(looks, alice, bob):
    looks(alice)
    looks(bob)
    type(alice).objects.filter(pk=alice.pk).update(is_active=False)
    assert services.pair_all() == 0


def test_an_open_table_that_fits_is_taken_at_once(looks, alice, bob, charlie):
    pace = services.pace_for(services.GAMES["ra"], "live")
    loaded = tables.create_table(owner=alice, game_key="ra", seats=3, pace=pace)
    search = looks(bob, seats=0)
    assert search.table_id == loaded.table.pk
    assert Seat.objects.filter(table=loaded.table, user=bob).exists()
    assert looks(charlie, seats=2).table_id is None


def test_open_tables_that_do_not_fit_are_left_alone(looks, alice, bob, clock):
    pace = services.pace_for(services.GAMES["ra"], "live")
    for different in ({"pace": Pace()}, {"is_rated": False}, {"privacy": Table.Privacy.LINK}):
        tables.create_table(owner=alice, game_key="ra", seats=2, **({"pace": pace} | different))
    tables.create_table(owner=alice, game_key="babel", seats=2, pace=services.pace_for(services.GAMES["babel"], "live"))
    tables.create_table(owner=bob, game_key="ra", seats=2, pace=pace)
    assert looks(bob).table_id is None
    tables.create_table(owner=alice, game_key="ra", seats=2, pace=pace)
    clock.shift(services.OPEN_LIVE_FOR)
    assert looks(bob).table_id is None


def test_a_blocked_owner_of_an_open_table_is_not_met(looks, alice, bob):
    tables.create_table(owner=alice, game_key="ra", seats=2, pace=services.pace_for(services.GAMES["ra"], "live"))
    blocks.block(user=alice, person=bob)
    assert looks(bob).table_id is None


def test_somebody_who_waits_takes_a_seat_that_is_opened_later(looks, alice, bob):
    looks(bob)
    tables.create_table(owner=alice, game_key="ra", seats=2, pace=services.pace_for(services.GAMES["ra"], "live"))
    services.pair_all()
    assert services.of(bob)[0].table_id == Table.objects.get().pk
    assert Table.objects.get().status == "playing"


def test_a_live_game_ends_the_other_live_searches_of_its_people(looks, alice, bob):
    looks(alice)
    looks(alice, game="babel")
    looks(alice, game="tigris_euphrates", kind="days")
    looks(bob)
    services.pair_all()
    assert sorted(search.game for search in services.of(alice)) == ["ra", "tigris_euphrates"]


def test_searches_end_by_themselves(looks, alice, bob, clock):
    looks(alice)
    looks(bob, kind="days")
    clock.shift(timedelta(seconds=LIVE.lasts_s))
    assert services.of(alice) == []
    services.pair_all()
    assert [search.user for search in Search.objects.all()] == [bob]
    clock.shift(timedelta(days=7))
    services.pair_all()
    assert not Search.objects.exists()


def test_the_run_of_the_task_asks_little_while_nobody_looks(django_assert_num_queries):
    with django_assert_num_queries(2):
        services.pair_all()
