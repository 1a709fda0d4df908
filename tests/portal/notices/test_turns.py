"""Who is told of a turn, and when it is withdrawn."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.accounts.models import User
from portal.notices.models import Kind, Notice
from portal.notices.sentences import sentence
from portal.tables import services
from portal.tables.loading import load
from portal.tables.models import Table
from tests.portal.tables.driver import POSITIONS, play_on

pytestmark = pytest.mark.django_db


def waiting():
    """The names of everyone with an unread turn."""
    rows = Notice.objects.filter(kind=Kind.TURN, withdrawn_at=None, read_at=None)
    return sorted(rows.values_list("user__username", flat=True))


def due_user(table_id):
    loaded = load(table_id)
    return loaded.seats[loaded.table.due[0]].user


def pass_turn(table_id):
    """Play until another person is due."""
    now = due_user(table_id)

    def is_another(loaded):
        due = loaded.table.due
        return bool(due) and due[0] >= 0 and loaded.seats[due[0]].user != now

    play_on(table_id, until=is_another)


def move(table_id, user=None):
    """Let whoever is due draw."""
    user = user or due_user(table_id)
    services.submit_action(table_id=table_id, user=user, action="draw", expected_version=Table.objects.get(pk=table_id).version)
    return user


def test_the_one_whose_turn_it_became_is_told_and_nobody_else(duel, alice, bob):
    mover = move(duel.pk)
    other = bob if mover == alice else alice
    assert waiting() == [other.username]
    notice = Notice.objects.get(withdrawn_at=None)
    assert (notice.user, notice.table_id, notice.version) == (other, duel.pk, Table.objects.get(pk=duel.pk).version)
    assert sentence(notice) == f"It's your turn in Ra with {mover.username}."
    assert notice.path == f"/tables/{duel.pk}/"


def test_a_turn_that_was_taken_is_withdrawn_and_several_turns_are_one_notice(duel):
    starter = due_user(duel.pk)
    for _ in range(4):
        pass_turn(duel.pk)
    assert waiting() == [starter.username]
    rows = dict(Notice.objects.filter(kind=Kind.TURN).values_list("user", "turns"))
    assert rows.pop(starter.pk) == 2 + (1 if starter.username == "alice" else 0), "the start asked, unless they started it themselves"
    assert list(rows.values()) == [2]


def test_a_new_turn_is_unread_again(duel, alice, bob):
    mover = move(duel.pk)
    Notice.objects.update(read_at="2026-01-01T00:00Z")
    move(duel.pk)
    move(duel.pk, mover)
    assert waiting() == [(bob if mover == alice else alice).username]


def test_after_something_was_sent_the_next_turn_is_a_notice_of_its_own(duel):
    pass_turn(duel.pk)
    asked = due_user(duel.pk)
    Notice.objects.update(is_unsent=False)
    pass_turn(duel.pk)
    pass_turn(duel.pk)
    mine = Notice.objects.filter(kind=Kind.TURN, user=asked)
    assert sorted((row.withdrawn_at is None, row.turns) for row in mine) == [(False, 1), (True, 1)]


def test_somebody_who_sits_with_bots_alone_is_told_nothing_and_pays_nothing(alice, fixed_secret):
    table = services.create_table(owner=alice, game_key="ra", seats=3, bots=["apprentice", "apprentice"]).table
    with CaptureQueriesContext(connection) as queries:
        play_on(table.pk)
    assert not any("notices_notice" in query["sql"] for query in queries)
    assert not Notice.objects.exists()


def test_a_study_played_by_hand_tells_nothing(alice):
    position = json.loads((POSITIONS / "after_the_flood/equip.json").read_text())
    sitters = [alice, None, None]
    table = services.open_table(game_key=position["game"], sitters=sitters, owner=alice, position=position, by_hand=True).table
    assert Table.objects.get(pk=table.pk).by_hand
    assert not Notice.objects.exists()


def test_an_undo_gives_the_turn_back_and_withdraws_what_it_told(alice, bob, fixed_secret):
    table = services.create_table(owner=alice, game_key="tigris_euphrates", seats=2).table
    services.join_table(table_id=table.pk, user=bob)

    def is_passed(loaded):
        return bool(loaded.table.line) and loaded.table.due[0] >= 0 and loaded.table.line[-1][1] not in loaded.table.due

    loaded = play_on(table.pk, seed=3, until=is_passed)
    mover = loaded.seats[loaded.table.line[-1][1]].user
    assert waiting() == [due_user(table.pk).username]
    services.undo_action(table_id=table.pk, user=mover, expected_version=loaded.table.version)
    assert due_user(table.pk) == mover
    assert waiting() == [], "whoever undoes it knows"


def test_the_start_tells_those_who_wait_and_asks_those_who_begin(alice, bob, charlie, fixed_secret):
    table = services.create_table(owner=alice, game_key="ra", seats=3).table
    services.join_table(table_id=table.pk, user=bob)
    assert not Notice.objects.exists()
    services.join_table(table_id=table.pk, user=charlie)
    due = due_user(table.pk)
    told = dict(Notice.objects.values_list("user__username", "key"))
    expected = {"alice": "started", "bob": "started", due.username: "your_turn"}
    expected.pop("charlie", None)  # took the last seat, and is looking
    assert told == expected


def test_the_end_tells_who_won_and_leaves_no_turn_open(duel, alice, bob):
    play_on(duel.pk)
    assert waiting() == []
    table = Table.objects.get(pk=duel.pk)
    assert table.status == "finished"
    ends = Notice.objects.filter(kind=Kind.GAME).exclude(key="started")
    assert set(ends.values_list("user", flat=True)) <= {alice.pk, bob.pk}
    assert ends.exists()
    names = {seat.user.username for seat in load(duel.pk).seats if seat.place == 1}
    for notice in ends:
        if notice.key == "lost":
            assert sentence(notice) == f"Your game of Ra is over. Winner: {', '.join(names)}."
        elif notice.key == "won":
            assert notice.user.username in names


def test_whoever_leaves_is_no_longer_asked_nor_is_the_last_person(duel, alice, bob):
    move(duel.pk)
    asked = User.objects.get(username=waiting()[0])
    other = bob if asked == alice else alice
    services.leave_table(table_id=duel.pk, user=other)
    assert waiting() == [], "only bots are left, who wait for nobody"


def test_what_fails_tells_nothing(duel, alice, bob):
    before = list(Notice.objects.values())
    loaded = load(duel.pk)
    wrong = bob if due_user(duel.pk) == alice else alice
    with pytest.raises(Exception):  # noqa: B017, PT011
        services.submit_action(table_id=duel.pk, user=wrong, action="draw", expected_version=loaded.table.version)
    assert list(Notice.objects.values()) == before
