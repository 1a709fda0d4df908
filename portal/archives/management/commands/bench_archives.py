"""Measure archives of many games in a database of their own: memory, time, and whether everything agrees."""

from __future__ import annotations

import json
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.registry import GAMES
from portal.archives import bench
from portal.archives.bench import Run
from portal.common.progress import Bar


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Fill a database made for this with synthetic finished games, write their archives, read them back from both files, play every
        game again, and compare the figures with those that SQL gives over the tables. The database is made beside the portal's and
        dropped at the end; the portal's own data are not touched. Wants a running portal.

          write     `manage.py archive`, a process of its own, with a hundredth of the games and with all of them
          check     `manage.py archive --check`

          manage.py bench_archives
          manage.py bench_archives --games 5000 --game ra --json
        """
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=100_000, metavar="N", help="synthetic games (default a hundred thousand)")
        parser.add_argument("--game", default="babel", help=f"which game: {', '.join(GAMES)}")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["game"] not in GAMES:
            raise CommandError(f"--game: there are {', '.join(GAMES)}")
        if not 100 <= options["games"] <= 10_000_000:
            raise CommandError("--games: a number from 100 to 10,000,000")
        try:
            found = bench.measure(options["game"], options["games"], self.stderr.write, Bar)
        except RuntimeError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps({key: asdict(value) if isinstance(value, Run) else value for key, value in found.items()}))
        else:
            self._tell(found)
        if found["differences"]:
            raise CommandError(f"{len(found['differences'])} figures differ: {'; '.join(found['differences'][:5])}")

    def _tell(self, found: dict[str, Any]) -> None:
        out = self.stdout.write
        out(f"{found['rows']:,} games of {found['game']} with {found['records']:,} records")
        for name, of, run in (
            ("write", found["few_games"], found["few"]),
            ("write", found["rows"], found["write"]),
            ("check", found["rows"], found["check"]),
        ):
            out(f"  {name} {of:9,} games  {run.seconds:8.1f} s  {run.peak_mb:8.1f} MB at most")
        out(f"  files: {found['bytes']['jsonl.zst']:,} bytes as JSON, {found['bytes']['parquet']:,} as Parquet")
        out(f"  {found['compared']:,} figures compared with the tables, {len(found['differences'])} differ")
