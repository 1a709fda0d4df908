"""Which games are archived, with which names; what is written again, and what isn't; figures as in the tables."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Count
from django.test.utils import CaptureQueriesContext

from archives.manifest import JSONL, PARQUET
from archives.reading import Archive as Reader
from games.registry import game
from portal.accounts.deleting import delete_person
from portal.archives import making, renewing, source, tasks
from portal.archives.models import Archive, Figures, OpeningMove
from portal.clubs.models import Club
from portal.tables.models import ActionRecord, Seat, Table
from portal.tables.selectors import record_of
from tests.archives.conftest import rows_of
from tests.portal.archives.conftest import OCTOBER, finished, person, ra, three

pytestmark = pytest.mark.django_db
MONTH = date(2025, 10, 1)


def rows(name="ra-2025-10"):
    return list(Reader(making.folder_of(name.rpartition("-")[0][:-5]) / f"{name}.json").rows())


def test_a_line_is_the_record_of_the_table_with_more_fields():
    table = ra(person("Alice"), None, undone=True)
    making.make()
    [row] = rows()
    record = record_of(table.pk)
    record.pop("players")  # the record puts a bot's level behind its name
    record.pop("finished_at")
    assert {name: row[name] for name in record} == record
    assert (row["players"], row["kinds"], row["levels"], row["left"]) == (
        ["Alice", "Bot 1"],
        ["person", "bot"],
        ["", "apprentice"],
        [False] * 2,
    )
    assert (row["started_at"], row["finished_at"]) == ("2025-10-03T11:00:00+00:00", "2025-10-03T12:00:00+00:00")
    assert Reader(making.folder_of("ra") / "ra-2025-10.json").verify(game) == 1


def test_only_games_that_everybody_may_see_are_archived():
    alice, bob = person("Alice"), person("Bob")
    club = Club.objects.create(slug="open", name="Open", is_private=False, link_code="x")
    public = ra(alice, bob)
    for hidden in (
        {"club": club},
        {"privacy": "link"},
        {"position": {"state": {}}},
        {"by_hand": True},
        {"lesson": "x"},
        {"finish_number": None},
        {"status": "abandoned", "finish_number": None},
        {"status": "playing", "finish_number": None, "finished_at": None, "outcome": None},
    ):
        ra(alice, bob, **hidden)
    making.make()
    assert [row["table"] for row in rows()] == [public.pk]


def test_names_are_those_of_the_site_and_the_deleted_have_none():
    guest, alice, bob = person("Guest-Ox", is_guest=True), person("Alice"), person("Bob")
    three(guest, alice, bob)
    left = ra(person("Carol"), None)
    Seat.objects.filter(table=left, index=1).update(left_user=bob)
    delete_person(user=alice)
    making.make()
    first, second = rows()
    assert first["players"] == ["Guest-Ox", "deleted player", "Bob"]
    assert first["kinds"] == ["guest", "deleted", "person"]
    assert second["left"] == [False, True]
    files = Reader(making.folder_of("ra") / "ra-2025-10.json")
    text = "".join(map(json.dumps, files.rows(PARQUET)))
    assert "Alice" not in text
    assert "deleted-" not in text


def test_months_are_told_apart_in_utc_and_the_running_one_waits():
    ends = [datetime(2025, 10, 1, tzinfo=UTC), datetime(2025, 10, 31, 23, 59, 59, 999999, tzinfo=UTC), datetime(2025, 11, 1, tzinfo=UTC)]
    for at in ends:
        ra(at=at)
    ra(at=datetime.now(UTC))
    finished(rows_of("babel")[0], at=ends[2])
    made = making.make()
    assert made.written == {"ra-2025-10": 2, "ra-2025-11": 1, "babel-2025-11": 1}
    assert made.figures == ["babel", "ra"]
    assert {(row.game, row.month, row.rows) for row in Archive.objects.all()} == {
        ("ra", date(2025, 10, 1), 2), ("ra", date(2025, 11, 1), 1), ("babel", date(2025, 11, 1), 1)
    }  # fmt: skip
    assert source.following(date(2025, 12, 1)) == date(2026, 1, 1)


def test_nothing_is_written_twice_and_a_new_game_writes_its_month_only():
    ra(number=0)
    ra(number=1, at=OCTOBER + timedelta(days=31))
    making.make()
    kept = {path: path.stat().st_mtime_ns for path in making.folder_of("ra").iterdir()}
    again = making.make()
    assert not again.written | dict.fromkeys(again.figures + again.removed)
    ra(number=2)
    assert making.make().written == {"ra-2025-10": 2}
    now = {path: path.stat().st_mtime_ns for path in making.folder_of("ra").iterdir()}
    assert {path for path in kept if "2025-11" in path.name} == {path for path in kept if now.get(path) == kept[path]}
    assert sum(row.games for row in Figures.objects.filter(company="all")) == 3


def test_a_deleted_person_goes_from_the_archives(django_capture_on_commit_callbacks, monkeypatch):
    started = []
    monkeypatch.setattr("portal.archives.renewing.start", lambda: started.append(1))
    cache.delete(renewing.NAME_GONE)
    alice, bob = person("Alice"), person("Bob")
    ra(alice, bob)
    ra(bob, None, number=1, at=OCTOBER + timedelta(days=31))
    making.make()
    before = {file.name for file in making.folder_of("ra").iterdir()}
    with django_capture_on_commit_callbacks(execute=True):
        delete_person(user=alice)
    tasks.renew_names()
    assert started == [1]
    assert making.make().written == {"ra-2025-10": 1}
    assert rows()[0]["players"] == ["deleted player", "Bob"]
    assert len(before & {file.name for file in making.folder_of("ra").iterdir()}) == 4  # November's, and the name of October's manifest


def test_many_people_who_leave_are_one_run(django_capture_on_commit_callbacks, monkeypatch):
    started = []
    monkeypatch.setattr("portal.archives.renewing.start", lambda: started.append(1))
    cache.delete(renewing.NAME_GONE)
    tasks.renew_names()
    assert not started
    with django_capture_on_commit_callbacks(execute=True):
        for name in ("Alice", "Bob", "Charlie"):
            delete_person(user=person(name))
        tasks.renew_names()
        assert not started, "before the commit, the names are still there"
    monkeypatch.setattr(tasks.maintenance, "is_on", lambda: True)
    tasks.renew_names()
    assert not started
    monkeypatch.setattr(tasks.maintenance, "is_on", lambda: False)
    for _ in range(3):
        tasks.renew_names()
    assert started == [1]


def test_a_table_that_is_hidden_since_goes_too_and_an_empty_month_with_it():
    one, two = ra(), ra(number=1)
    making.make()
    Table.objects.filter(pk=one.pk).update(privacy="link")
    assert making.make().written == {"ra-2025-10": 1}
    assert [row["table"] for row in rows()] == [two.pk]
    Table.objects.filter(pk=two.pk).update(privacy="link")
    made = making.make()
    assert (made.removed, made.figures) == (["ra-2025-10"], ["ra"])
    assert not list(making.folder_of("ra").iterdir())
    assert not Archive.objects.exists()
    assert not Figures.objects.exists()
    assert not OpeningMove.objects.exists()


@pytest.mark.parametrize("damage", ["lost", "cut", "manifest"])
def test_lost_or_damaged_files_are_written_again(damage):
    ra()
    making.make()
    reader = Reader(making.folder_of("ra") / "ra-2025-10.json")
    path = reader.path(JSONL) if damage != "manifest" else making.folder_of("ra") / "ra-2025-10.json"
    if damage == "lost":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-10])
    assert making.make().written == {"ra-2025-10": 1}
    assert Reader(making.folder_of("ra") / "ra-2025-10.json").verify(game) == 1


def test_an_interrupted_run_goes_on_with_what_is_left(monkeypatch):
    for month in range(3):
        ra(number=month, at=OCTOBER + timedelta(days=31 * month))
    write = making._write

    def stopping(key, *rest):
        if key[1].month == 11:
            raise KeyboardInterrupt
        return write(key, *rest)

    monkeypatch.setattr(making, "_write", stopping)
    with pytest.raises(KeyboardInterrupt):
        making.make()
    monkeypatch.setattr(making, "_write", write)
    assert not Figures.objects.exists()
    made = making.make()
    assert list(made.written) == ["ra-2025-11", "ra-2025-12"]
    assert made.figures == ["ra"]


def test_two_runs_do_not_write_at_once(folder):
    ra()
    with making._alone(folder), pytest.raises(making.Running):
        making.make()
    out = StringIO()
    with making._alone(folder):
        call_command("archive", stdout=out)
    assert "another process" in out.getvalue()
    assert not Archive.objects.exists()


def test_reading_takes_the_same_statements_for_each_hundred_games(monkeypatch):
    monkeypatch.setattr(source, "AT_ONCE", 5)
    for number in range(11):
        ra(number=number % 3)
    held = []
    together = source._rows
    monkeypatch.setattr(source, "_rows", lambda tables: held.append(len(tables)) or together(tables))
    with CaptureQueriesContext(connection) as seen:
        assert len(list(source.rows_of("ra", MONTH))) == 11
    assert held == [5, 5, 1]
    selects = [query["sql"] for query in seen if "SELECT" in query["sql"]]
    assert len([sql for sql in selects if "tables_seat" in sql]) == 3
    assert len([sql for sql in selects if "tables_actionrecord" in sql]) == 3


def test_sources_are_one_statement(django_assert_num_queries):
    for number in range(3):
        ra(number=number, at=OCTOBER + timedelta(days=31 * number))
    with django_assert_num_queries(1):
        assert len(source.sources(date(2026, 1, 1))) == 3


def test_figures_are_those_of_the_tables():
    alice, bob = person("Alice"), person("Bob")
    for number in range(3):
        ra(alice, bob, number=number)
        ra(alice, None, number=number)
    three()
    making.make()
    found = {(row.seats, row.company): row for row in Figures.objects.all()}
    assert {group: row.games for group, row in found.items()} == {(2, "all"): 6, (2, "people"): 3, (3, "all"): 1}
    seats = Seat.objects.filter(table__seat_count=2)
    for index, sums in enumerate(found[2, "all"].totals["seats"]):
        own = list(seats.filter(index=index).values_list("place", "score"))
        assert sums["places"] == sum(place for place, _ in own)
        assert sums["scores"] == sum(score for _, score in own)
    acted = ActionRecord.objects.filter(table__seat_count=2, actor__gte=0).values("table").annotate(n=Count("pk"))
    lengths = Counter(row["n"] for row in acted)
    scores = Counter(seats.values_list("score", flat=True))
    reasons = Counter(table.outcome["reason"] for table in Table.objects.filter(seat_count=2))
    for name, counted in (("lengths", lengths), ("scores", scores), ("reasons", reasons)):
        assert found[2, "all"].totals[name] == [[value, count] for value, count in sorted(counted.items())]
    first = OpeningMove.objects.filter(game="ra", seats=2, company="all", after="")
    assert sum(move.games for move in first) == 6
    deep = OpeningMove.objects.filter(game="ra", seats=2, company="all").exclude(after="")
    assert all(move.after.endswith("\n") for move in deep)


def test_the_command_says_what_it_did_and_refuses_what_cannot_be():
    ra()
    out = StringIO()
    call_command("archive", stdout=out)
    assert out.getvalue().splitlines() == ["ra-2025-10: 1 games", "figures: ra"]
    out = StringIO()
    call_command("archive", month="2025-10", game="ra", again=True, stdout=out)
    assert "ra-2025-10: 1 games" in out.getvalue()
    out = StringIO()
    call_command("archive", check=True, stdout=out)
    assert out.getvalue() == "ra-2025-10: 1 games are in order\n"
    for wrong in ({"game": "chess"}, {"month": "2025-13"}, {"month": "October"}, {"month": f"{datetime.now(UTC):%Y-%m}"}):
        with pytest.raises(CommandError):
            call_command("archive", **wrong)
    Table.objects.update(outcome={"places": [1, 1], "scores": [0, 0], "reason": "suns"})
    call_command("archive", again=True, stdout=StringIO())
    with pytest.raises(CommandError, match="result"):
        call_command("archive", check=True, stdout=StringIO())
