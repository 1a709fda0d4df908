"""The clocks of a table: whose runs, what is taken off and added, and what happens when one has run out."""

from __future__ import annotations

import json
from datetime import UTC, datetime, time, timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.accounts import rest
from portal.accounts.models import Vacation
from portal.live.programs import Opening
from portal.notices.models import Kind as Topic
from portal.notices.models import Notice
from portal.tables import clocks, handing, refusals, selectors, services, standstill, tasks
from portal.tables.feed import Reader, line_of
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Heartbeat, Standstill, Table
from portal.tables.pace import Kind, Out, Pace

from .conftest import DAYS, LIVE

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as machine:
        yield machine


def seats_of(loaded):
    """Return the seat that is due and the opponent."""
    due = loaded.table.due[0]
    return due, 1 - due


def play(loaded, text=None):
    """Play an action of whoever is due: the first that is legal."""
    due = loaded.table.due[0]
    action = text or str(loaded.game.legal_actions(loaded.state, due)[0])
    return services.submit_action(
        table_id=loaded.table.pk, user=loaded.seats[due].user, action=action, expected_version=loaded.table.version
    )


def left_s(loaded):
    return [round(ms / 1000) for ms in load(loaded.table.pk).table.clocks["left"]]


def test_a_table_without_a_clock_costs_nothing(opened, clock):
    loaded = opened(Pace())
    assert (loaded.table.pace, loaded.table.clocks, loaded.table.alarm_at) == ({}, {}, None)
    with CaptureQueriesContext(connection) as without:
        play(loaded)
    loaded = opened(LIVE)
    with CaptureQueriesContext(connection) as live:
        play(loaded)
    loaded = opened(DAYS)
    with CaptureQueriesContext(connection) as days:
        play(loaded)
    assert (len(live) - len(without), len(days) - len(without)) == (1, 2)


def test_only_the_clock_of_who_must_decide_runs(opened, clock):
    loaded = opened(LIVE)
    due, other = seats_of(loaded)
    assert (left_s(loaded)[due], left_s(loaded)[other]) == (615, 600)
    clock.shift(100)
    while loaded.table.due[0] == due:
        loaded = play(loaded, "pass")
    assert (left_s(loaded)[due], left_s(loaded)[other]) == (515, 615)
    clock.shift(40)
    while loaded.table.due[0] == other:
        loaded = play(loaded, "pass")
    assert (left_s(loaded)[due], left_s(loaded)[other]) == (530, 575)


def test_an_undone_move_wins_no_time(opened, clock):
    loaded = opened(LIVE)
    due, other = seats_of(loaded)
    clock.shift(10)
    loaded = play(loaded, next(str(a) for a in loaded.game.legal_actions(loaded.state, due) if str(a) != "pass"))
    before = left_s(loaded)
    for _ in range(3):
        loaded = services.undo_action(table_id=loaded.table.pk, user=loaded.seats[due].user, expected_version=loaded.table.version)
        loaded = services.redo_action(table_id=loaded.table.pk, user=loaded.seats[due].user, expected_version=loaded.table.version)
    assert left_s(loaded) == before
    clock.shift(30)
    services.undo_action(table_id=loaded.table.pk, user=loaded.seats[due].user, expected_version=loaded.table.version)
    assert (left_s(loaded)[due], left_s(loaded)[other]) == (before[due] - 30, before[other])


def test_an_undo_of_the_end_of_a_turn_takes_back_what_it_gave(opened, clock):
    loaded = opened(LIVE)
    due, _ = seats_of(loaded)
    start = left_s(loaded)
    for _ in range(3):
        while loaded.table.due[0] == due:
            loaded = play(loaded, "pass")  # nothing is drawn for it
        assert left_s(loaded) == [615, 615]
        while loaded.table.due[0] != due:
            loaded = services.undo_action(table_id=loaded.table.pk, user=loaded.seats[due].user, expected_version=loaded.table.version)
        assert left_s(loaded) == start


def test_bots_and_scoring_cost_nobody_time(opened, clock):
    loaded = opened(LIVE, game="ra", seats=3, bots=["apprentice"])
    for _ in range(60):
        table = load(loaded.table.pk).table
        if table.waits_for != Table.Waits.PERSON:
            before = table.clocks["left"]
            clock.shift(50)
            for seat in table.due:
                (tasks.play_bot if table.waits_for == Table.Waits.BOT else tasks.score)(
                    *((table.pk, table.version, seat)[: 3 if seat >= 0 else 2])
                )
            after = load(loaded.table.pk).table.clocks["left"]
            assert all(late >= early for early, late in zip(before, after, strict=True))
            break
        play(load(loaded.table.pk))
    else:
        pytest.fail("no bot was asked")


def test_all_clocks_run_where_several_decide_at_once(alice, bob, charlie, clock, fixed_secret):
    loaded = services.create_table(owner=alice, game_key="history_of_the_world", seats=3, pace=LIVE)
    for person in (bob, charlie):
        loaded = services.join_table(table_id=loaded.table.pk, user=person)
    several = loaded.table.due
    assert len(several) > 1
    clock.shift(20)
    play(loaded)
    left = left_s(loaded)
    assert all(left[seat] == 595 for seat in several)


def test_a_move_by_correspondence_has_its_days_again(opened, clock):
    loaded = opened(DAYS)
    due, other = seats_of(loaded)
    assert load(loaded.table.pk).table.clocks["until"] == {str(due): (NOON + timedelta(days=3)).timestamp()}
    clock.shift(timedelta(days=2))
    while loaded.table.due[0] == due:
        loaded = play(loaded, "pass")
    assert clocks.run_out_at(loaded, other) == NOON + timedelta(days=5)
    while loaded.table.due[0] == other:
        loaded = play(loaded, "pass")
    assert clocks.run_out_at(loaded, due) == NOON + timedelta(days=5)


def test_quiet_hours_weekend_and_vacation_stop_a_clock_by_correspondence(opened, alice, bob, clock):
    for person in (alice, bob):
        person.quiet_from, person.quiet_to = time(22), time(7)
        person.save()
    Vacation.objects.create(user=alice, since=NOON + timedelta(days=4), until=NOON + timedelta(days=6))
    Vacation.objects.create(user=bob, since=NOON + timedelta(days=4), until=NOON + timedelta(days=6))
    loaded = opened(Pace(Kind.DAYS, days=2, weekends=True))  # on a Friday, 13:00 in Budapest
    ends = clocks.run_out_at(loaded, loaded.table.due[0])
    # Friday 9 h, Monday 15 h, Tuesday 6 h to 13:00, two days of vacation, Thursday 9 h, Friday 9 h: 48 h at 16:00
    assert ends == datetime(2026, 12, 4, 15, tzinfo=UTC)


def told():
    """Return who was told of their clock, and what is still true of it."""
    found = Notice.objects.filter(kind=Topic.TIME).order_by("pk").values_list("user", "key", "withdrawn_at")
    return [(user, key, withdrawn is None) for user, key, withdrawn in found]


def test_who_has_little_time_left_is_told_once(opened, clock):
    loaded = opened(LIVE)
    due, _ = seats_of(loaded)
    person = loaded.seats[due].user
    assert tasks.ringing() == []
    clock.shift(555)
    assert tasks.ringing() == [loaded.table.pk]
    version = load(loaded.table.pk).table.version
    tasks.ring(loaded.table.pk)
    tasks.ring(loaded.table.pk)
    assert told() == [(person.pk, "time_short", True)]
    assert tasks.ringing() == []
    assert load(loaded.table.pk).table.version == version
    while loaded.table.due[0] == due:
        loaded = play(loaded, "pass")
    assert told() == [(person.pk, "time_short", False)]


def test_a_bot_plays_for_who_ran_out_of_time_until_they_come_back(opened, clock):
    loaded = opened(LIVE)
    due, other = seats_of(loaded)
    person = loaded.seats[due].user
    clock.shift(616)
    tasks.ring(loaded.table.pk)
    loaded = load(loaded.table.pk)
    seat = loaded.seats[due]
    assert (seat.user, seat.left_user, seat.is_away, seat.bot_level) == (None, person, True, "apprentice")
    assert (loaded.table.status, loaded.table.waits_for, loaded.table.alarm_at) == ("playing", "bot", None)
    assert told() == [(person.pk, "timed_out", True)]
    page = selectors.page_of(loaded, person)
    assert page.my_seat is None and page.may.come_back
    assert not selectors.page_of(loaded, loaded.seats[other].user).may.come_back
    assert list(selectors.my_tables(person)) == [loaded.table]
    stream = Opening(person.pk, None, {}, Reader(person, "en", lambda: True))
    line = json.loads(line_of(loaded, stream, None).body)
    assert (line["type"], line["my_seat"], line["legal"], line["can_come_back"]) == ("state", None, [], True)
    with pytest.raises(refusals.NoSeatHere):
        services.submit_action(table_id=loaded.table.pk, user=person, action="pass", expected_version=loaded.table.version)

    loaded = handing.come_back(table_id=loaded.table.pk, user=person)
    seat = load(loaded.table.pk).seats[due]
    assert (seat.user, seat.left_user, seat.is_away, seat.bot_level, seat.bot_name) == (person, None, False, "", "")
    assert json.loads(line_of(loaded, stream, None).body)["can_come_back"] is False
    assert left_s(loaded)[due] == 75  # a minute, and the turn's time
    assert handing.come_back(table_id=loaded.table.pk, user=person).table.version == loaded.table.version  # once is enough
    assert [event["k"] for record in ActionRecord.objects.filter(by="leave").order_by("seq") for event in record.events] == [
        "table.timed_out",
        "table.returned",
    ]
    tasks.play_bot(loaded.table.pk, loaded.table.version - 1, due)  # the bot that was asked before finds somebody there
    play(load(loaded.table.pk), "pass")


def test_a_seat_can_be_lost_for_good(opened, clock):
    loaded = opened(Pace(Kind.LIVE, bank_s=300, add_s=5, out=Out.LOST))
    due, _ = seats_of(loaded)
    person = loaded.seats[due].user
    clock.shift(400)
    tasks.ring(loaded.table.pk)
    assert load(loaded.table.pk).seats[due].left_user == person
    with pytest.raises(refusals.NoSeatToReturnTo):
        handing.come_back(table_id=loaded.table.pk, user=person)


def test_a_stranger_cannot_take_a_seat_that_is_kept(opened, charlie, clock):
    loaded = opened(LIVE)
    clock.shift(616)
    tasks.ring(loaded.table.pk)
    with pytest.raises(refusals.NoSeatToReturnTo):
        handing.come_back(table_id=loaded.table.pk, user=charlie)


def test_a_move_before_the_alarm_is_seen_counts(opened, clock):
    loaded = opened(LIVE)
    due, _ = seats_of(loaded)
    clock.shift(616)
    play(loaded, "pass")
    tasks.ring(loaded.table.pk)
    assert load(loaded.table.pk).seats[due].user is not None


def test_a_clock_that_was_not_heard_rings_later(opened, clock):
    """A stopped worker delays what happens when time has run out, and nothing is lost."""
    loaded = opened(LIVE)
    clock.shift(timedelta(hours=5))
    assert tasks.ringing() == [loaded.table.pk]
    tasks.ring(loaded.table.pk)
    assert tasks.ringing() == []


def test_a_closed_table_asks_for_nothing(opened, alice, clock):
    loaded = opened(LIVE)
    Table.objects.filter(pk=loaded.table.pk).update(status="abandoned")
    clock.shift(1000)
    tasks.ring(loaded.table.pk)
    assert tasks.ringing() == []


def test_while_the_site_was_down_no_clock_ran(opened, clock):
    standstill.beat()
    loaded = opened(LIVE)
    due, _ = seats_of(loaded)
    clock.shift(20)
    assert not standstill.beat()
    clock.shift(timedelta(hours=2))
    assert standstill.beat()
    assert tasks.ringing() == []
    assert clocks.run_out_at(load(loaded.table.pk), due) == NOON + timedelta(hours=2, seconds=615)
    clock.shift(30)
    play(loaded, "pass")
    assert left_s(loaded)[due] == 565
    assert Heartbeat.objects.count() == 1


def test_operators_can_stop_all_clocks(opened, clock):
    loaded = opened(LIVE)
    due, _ = seats_of(loaded)
    clock.shift(100)
    standstill.stop_clocks()
    standstill.stop_clocks()
    assert Standstill.objects.count() == 1
    clock.shift(timedelta(hours=3))
    assert tasks.ringing() == []
    standstill.start_clocks()
    clock.shift(10)
    play(loaded, "pass")
    assert left_s(loaded)[due] == 505


def test_the_command_stops_and_starts_them(opened, clock):
    loaded = opened(LIVE)

    def said(*words):
        out = StringIO()
        call_command("clocks", *words, stdout=out)
        return out.getvalue()

    assert said() == "The clocks run; tables with a clock that somebody has to answer: 1.\n"
    assert "have stood still since 2026-11-27 12:00 UTC" in said("stop")
    clock.shift(timedelta(hours=1))
    assert "The clocks run;" in said("start")
    assert clocks.run_out_at(load(loaded.table.pk), loaded.table.due[0]) == NOON + timedelta(hours=1, seconds=615)


def test_new_quiet_hours_count_from_now_on(opened, alice, bob, clock):
    loaded = opened(DAYS)
    person = loaded.seats[loaded.table.due[0]].user
    clock.shift(timedelta(days=1))

    rest.set_quiet_hours(person, time(8), time(18))  # local: 7 to 17 UTC
    # a day is gone, although ten hours of it would have been quiet; two days are left, at 14 hours a day from Saturday, 18:00
    assert clocks.run_out_at(load(loaded.table.pk), loaded.table.due[0]) == datetime(2026, 12, 1, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    "pace",
    [
        Pace("fast"),
        Pace(Kind.LIVE, bank_s=5),
        Pace(Kind.LIVE, bank_s=600, add_s=-1),
        Pace(Kind.DAYS, days=400),
        Pace(Kind.DAYS),
        Pace(out="x"),
    ],
)
def test_an_impossible_pace_is_refused(alice, pace):
    with pytest.raises(refusals.BadPace):
        services.create_table(owner=alice, game_key="ra", seats=3, pace=pace)
    assert not Table.objects.exists()
