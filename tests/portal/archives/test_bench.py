"""The measurement at small scale: everything agrees with the tables, and a planted difference is found. Memory doesn't follow the games."""

from __future__ import annotations

import weakref
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from archives import writing
from archives.reading import Archive as Reader
from games.registry import game
from portal.archives import bench, making, source
from portal.archives.models import Archive, Figures, OpeningMove
from portal.common.progress import Bar
from portal.tables.models import Seat, Table

pytestmark = pytest.mark.django_db
GAMES = 400


@pytest.fixture
def filled(monkeypatch):
    monkeypatch.setattr(bench, "PLAYED", 6)
    monkeypatch.setattr(bench, "PEOPLE", 20)
    bench._play("ra")
    bench._fill(7, GAMES, GAMES, Bar)


def test_hundreds_of_synthetic_games_are_read_back_and_agree_with_the_tables(filled):
    made = making.make()
    assert sum(made.written.values()) == GAMES == Table.objects.count()
    assert len(made.written) == 12
    for row in Archive.objects.all():
        assert (
            Reader(making.folder_of("ra") / f"{making.name_of('ra', row.month)}.json").verify(game, games=row.month.month == 1) == row.rows
        )
    compared, differences = bench.compare("ra")
    assert differences == []
    assert compared > 50
    assert {(row.company, row.games) for row in Figures.objects.all()} == {
        ("all", GAMES),
        ("people", Seat.objects.exclude(user=None).count() // 2),
    }


def test_a_figure_that_differs_is_found(filled):
    making.make()
    move = OpeningMove.objects.filter(company="people").first()
    OpeningMove.objects.filter(pk=move.pk).update(wins=move.wins + 1)
    Seat.objects.filter(pk=Seat.objects.filter(user=None, place=2).first().pk).update(score=99)
    _, differences = bench.compare("ra")
    assert [one for one in differences if "people" in one] == [f"('ra', 2, 'people'): {move.after!r} {move.move!r}"]
    assert [one.rpartition(" ")[2] for one in differences if "all" in one] == ["seats", "scores"]


def test_no_more_games_are_in_memory_however_many_there_are(filled, monkeypatch):
    """Rows are counted while they live: those read together, and those of a group that is written."""
    monkeypatch.setattr(source, "AT_ONCE", 10)
    monkeypatch.setattr(writing, "GROUP", 20)

    class Counted(dict):
        live = most = 0

        def __init__(self, *args, **more):
            super().__init__(*args, **more)
            Counted.live += 1
            Counted.most = max(Counted.most, Counted.live)
            weakref.finalize(self, self.gone)

        @staticmethod
        def gone():
            Counted.live -= 1

    row = source.rows.row
    monkeypatch.setattr(source.rows, "row", lambda **values: Counted(row(**values)))
    held = []
    for month in (1, 2):
        Table.objects.filter(finished_at__month=month + 2).update(finished_at=bench.START)  # the second time there are more
        Counted.most = 0
        making.make(again=True, month=bench.START.date())
        held.append(Counted.most)
        assert Counted.live == 0
    assert Archive.objects.get(month=bench.START.date()).rows > 80
    assert held[0] == held[1] <= 20 + 2 * 10


def test_the_command_refuses_what_it_cannot_measure():
    for wrong in ({"games": 99}, {"game": "chess"}):
        with pytest.raises(CommandError):
            call_command("bench_archives", stdout=StringIO(), **wrong)
