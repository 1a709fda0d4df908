"""`manage.py dataset`: what it writes, and what it refuses."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from archives.reading import Archive
from games.registry import game


def test_the_command_writes_an_archive_of_self_play(tmp_path):
    for _ in range(2):
        out = StringIO()
        call_command("dataset", "ra", games=3, seats=3, levels="apprentice", jobs=1, out=str(tmp_path), stdout=out)
        path, _, rest = out.getvalue().partition(": ")
        assert rest.startswith("3 games, ")
        archive = Archive(tmp_path / path.rpartition("/")[2])
        assert archive.verify(game) == 3
        assert {row["seats"] for row in archive.rows()} == {3}
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(
    "wrong",
    [{"levels": "random"}, {"levels": "apprentice,apprentice", "seats": 3}, {"seats": 9}, {"strays": 1001}, {"strays": -1}],
    ids=str,
)
def test_what_cannot_be_played_is_refused(wrong, tmp_path):
    with pytest.raises(CommandError):
        call_command("dataset", "ra", games=1, out=str(tmp_path), **wrong)
    with pytest.raises(CommandError, match="is no game"):
        call_command("dataset", "chess")
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_to_is_told(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(CommandError, match="file"):
        call_command("dataset", "ra", games=1, levels="apprentice", jobs=1, out=str(tmp_path / "file" / "below"))
