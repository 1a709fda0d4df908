"""What `make chaos` must find: each fault is planted in what a run has written down."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.registry import GAMES
from tools.chaos import checks
from tools.chaos.__main__ import main, report
from tools.chaos.client import Answer
from tools.chaos.driver import outcome_of, plans
from tools.chaos.faults import BY_NAME
from tools.chaos.journal import Attempt, Hold, Journal, Look, Record, heard_again, recovered
from tools.chaos.run import Outcome, Result, line_of

TABLE = 7
# Seat 0 draws, a bot answers, seat 0 sends a bid three times before it is told anything, and then undoes something.
ATTEMPTS = [
    Attempt(TABLE, 1, 0, "draw", "player", "accepted", 200, 10.0, 10.1, counted=2),
    Attempt(TABLE, 3, 0, "bid 5", "player", "unknown", 0, 12.0, 12.1),
    Attempt(TABLE, 3, 0, "bid 5", "player", "unknown", 503, 12.5, 12.6),
    Attempt(TABLE, 3, 0, "bid 5", "player", "refused", 409, 13.0, 13.1),
    Attempt(TABLE, 4, 0, "", "undo", "accepted", 200, 14.0, 14.1, counted=5),
    Attempt(TABLE, 5, 0, "ra", "player", "unknown", 0, 15.0, 15.1),
]
RECORDS = [
    Record(TABLE, 1, 1, -1, "deal", "chance", 9.0),
    Record(TABLE, 2, 2, 0, "draw", "player", 10.0),
    Record(TABLE, 3, 2, -1, "tile 4", "chance", 10.0),
    Record(TABLE, 4, 3, 1, "draw", "bot", 11.0),
    Record(TABLE, 5, 4, 0, "bid 5", "player", 12.0),
    Record(TABLE, 6, 5, 0, "undo 3", "undo", 14.0),
]


def without(seq):
    return [record for record in RECORDS if record.seq != seq]


def changed(seq, **fields):
    return [replace(record, **fields) if record.seq == seq else record for record in RECORDS]


def test_a_run_without_breaches_has_none():
    assert checks.lost(ATTEMPTS, RECORDS) == []
    assert checks.doubled(ATTEMPTS, RECORDS) == []
    assert checks.broken_lines(RECORDS) == []
    assert checks.forgotten(RECORDS[:4], RECORDS) == []
    assert checks.silent(checks.silences(RECORDS, [], {TABLE: 20.0})) == []


@pytest.mark.parametrize(
    "records",
    [without(2), changed(2, text="ra"), changed(2, actor=1), changed(2, version=3), changed(2, by="bot"), changed(2, table=8), without(6)],
)
def test_a_lost_action_is_found(records):
    assert len(checks.lost(ATTEMPTS, records)) == 1


@pytest.mark.parametrize(
    "more",
    [
        Record(TABLE, 7, 2, 0, "draw", "player", 14.5),  # twice in one version
        Record(TABLE, 7, 6, 0, "draw", "player", 14.5),  # once more in a later one
        Record(TABLE, 7, 6, 0, "bid 5", "player", 14.5),  # sent three times, but only one of them may count
        Record(TABLE, 7, 6, 0, "undo 2", "undo", 14.5),
        Record(TABLE, 7, 3, 2, "pass", "bot", 14.5),  # two bots in one version
        Record(TABLE, 7, 6, 1, "ra", "player", 14.5),  # sent, but for another seat
    ],
)
def test_a_doubled_action_is_found(more):
    assert checks.doubled(ATTEMPTS, [*RECORDS, more])


def test_an_action_that_was_refused_is_found_if_it_counts():
    attempts = [replace(attempt, outcome="refused") if attempt.outcome == "unknown" else attempt for attempt in ATTEMPTS]
    assert checks.lost(attempts, RECORDS) == []
    assert len(checks.doubled(attempts, RECORDS)) == 1


def test_a_request_that_was_accepted_twice_is_found():
    again = replace(ATTEMPTS[0], counted=4)
    assert len(checks.doubled([*ATTEMPTS, again], RECORDS)) == 1


def test_an_answer_that_never_came_may_count_or_not():
    assert checks.doubled(ATTEMPTS, [*RECORDS, Record(TABLE, 7, 6, 0, "ra", "player", 15.0)]) == []


def test_a_gap_and_a_step_back_are_found():
    assert checks.broken_lines(without(3))
    assert checks.broken_lines([*RECORDS, replace(RECORDS[5])])
    assert checks.broken_lines(changed(6, version=3))


def test_a_record_that_is_gone_is_found():
    assert len(checks.forgotten(RECORDS, without(4))) == 1
    assert len(checks.forgotten(RECORDS, changed(4, text="pass"))) == 1


def test_a_silent_table_is_found():
    late = changed(6, at=44.0)
    assert [line.split(" from ")[0] for line in checks.silent(checks.silences(late, [], {}))] == [f"silent: table {TABLE} for 32.0 s"]
    assert checks.silent(checks.silences(RECORDS, [], {TABLE: 50.0}))
    assert checks.silent(checks.silences(RECORDS, [], {8: 50.0})) == []


def test_time_in_which_a_fault_was_kept_up_is_no_silence():
    late = changed(6, at=44.0)
    assert checks.silences(late, [Hold(10.0, 20.0)], {})[TABLE] == (24.0, 12.0)
    assert checks.silences(late, [Hold(15.0, 20.0, table=TABLE)], {})[TABLE][0] == 27.0
    assert checks.silences(late, [Hold(15.0, 20.0, table=8)], {})[TABLE][0] == 32.0


def test_recovery_counts_to_the_first_success_after_the_last_failure():
    looks = [Look(9.0, 9.1, False), Look(10.5, 10.6, True), Look(11.0, 13.0, False), Look(13.1, 13.5, True), Look(14.0, 14.1, True)]
    assert recovered(looks, 10.0) == 3.5
    assert recovered(looks[:3], 10.0) is None
    assert recovered(looks[3:], 10.0) == 0.0
    assert recovered([], 10.0) is None
    assert heard_again(looks, 10.0) == 3.5
    assert heard_again(looks[3:], 10.0) == 3.5


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (Answer(200, {}, b"{}"), "accepted"),
        (Answer(409, {}, b"{}"), "refused"),
        (Answer(422, {}, b"{}"), "refused"),
        (Answer(429, {}, b"{}"), "busy"),
        (Answer(503, {}, b'{"error": {"code": "table_busy"}}'), "busy"),
        (Answer(503, {"x-table-version": "4"}, b"<main>"), "busy"),
        (Answer(503, {}, b'{"error": {"code": "away"}}'), "unknown"),
        (Answer(502, {}, b""), "unknown"),
    ],
)
def test_what_an_answer_says_about_an_action(answer, outcome):
    assert outcome_of(answer) == outcome


def test_a_busy_table_is_no_failure_of_the_site():
    journal = Journal()
    journal.attempt(Attempt(TABLE, 1, 0, "draw", "player", "busy", 503, 1.0, 1.1))
    journal.attempt(Attempt(TABLE, 1, 0, "draw", "player", "unknown", 0, 2.0, 2.1))
    assert [look.worked for look in journal.actions(0.0)] == [False]


def test_every_game_is_played_by_people_alone_with_bots_and_by_bots_alone():
    made = plans(40, seed=3)
    assert {plan.game for plan in made} == set(GAMES)
    assert all(plan.seats in GAMES[plan.game].game.meta.seats and plan.people <= plan.seats for plan in made)
    assert {0, 1, 2} <= {plan.people for plan in made}
    assert any(plan.people == plan.seats for plan in made)
    assert {plan.by_page for plan in made} == {True, False}
    assert made == plans(40, seed=3) != plans(40, seed=4)


def test_the_exit_code_tells_a_late_part_and_a_finding(capsys):
    fault = BY_NAME["web-kill"]
    good, late = Outcome(fault, 1.0, 2.0, 3.0, 0.0, 9.0), Outcome(fault, 1.0, 2.0, 3.0, 0.0, 10.5)
    assert report(Result([good])) == 0
    assert report(Result([late])) == 1
    assert report(Result([Outcome(fault, None, 0.0, 0.0, 0.0, 0.0)])) == 1
    assert report(Result([good], ["lost: table 7"])) == 1
    assert report(Result([good]), ["left over: process 1"]) == 1
    assert "lost: table 7" in capsys.readouterr().out
    assert line_of(good).endswith("| yes |")
    assert line_of(late).endswith("| NO  |")


def test_the_help_names_every_fault_and_an_unknown_one_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out
    assert all(name in told for name in BY_NAME)
    with pytest.raises(SystemExit) as ended:
        main(["--only", "web-kill,earthquake"])
    assert ended.value.code == 2
    assert "earthquake" in capsys.readouterr().err
