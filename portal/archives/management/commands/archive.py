"""`manage.py archive`: write the archives of finished public games that are due."""

from __future__ import annotations

import re
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from datetime import date
from typing import Any

from django.core.management.base import CommandError

from archives.manifest import ArchiveError
from games.registry import GAMES, game
from portal.archives import making
from portal.archives.models import Archive
from portal.common.polite import PoliteCommand
from portal.common.progress import Bar


class Command(PoliteCommand):
    help = textwrap.dedent(
        """\
        Write the archives of finished public games, one for each game and month that is over, and the figures from them. What has been
        written and hasn't changed since stays; a month is written again when a name in it has gone, or a table is no longer public.
        Interrupted, it goes on where it was. The portal does this every night; docs/archives.md has the format.

          manage.py archive                              what is due
          manage.py archive --month 2026-10 --game ra    only this
          manage.py archive --check                      read everything back, and play every game again
        """
    )
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--month", default="", metavar="YYYY-MM", help="only this month")
        parser.add_argument("--game", default="", help=f"only this game: {', '.join(GAMES)}")
        parser.add_argument("--again", action="store_true", help="write what has not changed, too")
        parser.add_argument("--check", action="store_true", help="write nothing: verify what is there")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["game"] and options["game"] not in GAMES:
            raise CommandError(f"--game: there are {', '.join(GAMES)}")
        month = _month(options["month"]) if options["month"] else None
        games = [options["game"]] if options["game"] else None
        if options["check"]:
            self._check(games, month)
            return
        try:
            made = making.make(games=games, month=month, again=options["again"])
        except making.Running:
            self.stdout.write("another process writes archives now; it looks again before it ends")
            return
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from None
        for name, rows in made.written.items():
            self.stdout.write(f"{name}: {rows:,} games")
        for name in made.removed:
            self.stdout.write(f"{name}: removed, because none of its games is public")
        if made.figures:
            self.stdout.write(f"figures: {', '.join(made.figures)}")

    def _check(self, games: list[str] | None, month: date | None) -> None:
        from archives.reading import Archive as Reader

        rows = Archive.objects.all() if games is None else Archive.objects.filter(game__in=games)
        for row in rows if month is None else rows.filter(month=month):
            name = making.name_of(row.game, row.month)
            try:
                with Bar(f"games of {name}", row.rows) as bar:
                    done = Reader(making.folder_of(row.game) / f"{name}.json").verify(game, at=bar.at)
            except ArchiveError as error:
                raise CommandError(str(error)) from None
            self.stdout.write(f"{name}: {done:,} games are in order")


def _month(text: str) -> date:
    found = re.fullmatch(r"([0-9]{4})-([0-9]{2})", text)
    if found is None or not 1 <= int(found[2]) <= 12 or not int(found[1]):
        raise CommandError("--month: as 2026-10")
    month = date(int(found[1]), int(found[2]), 1)
    if month >= making.this_month():
        raise CommandError(f"--month: {text} isn't over yet")
    return month
