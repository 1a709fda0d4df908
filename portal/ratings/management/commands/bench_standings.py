"""Measure leaderboards, finished games and recounts over a large number of games."""

from __future__ import annotations

import json
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.common.benches import Times, Unfit
from portal.common.progress import Bar
from portal.ratings import bench


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Measure the standings in a separate database, created next to the portal's and dropped at the end. This needs a running
        PostgreSQL and Valkey (a running portal's, or DATABASE_URL and REDIS_URL) and some 3 GB for a million games.

        read      a page of a leaderboard with the reader's own row, with 100 games behind it and with all of them
        finish    from the end of a game to its new ratings, through the broker and a scoring worker
        rebuild   one pool recalculated from all games (rebuild_standings --ladder people/ra); everything with --all

          manage.py bench_standings
          manage.py bench_standings --games 100000 --json
        """
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=1_000_000, metavar="N", help="finished games in the pool (default a million)")
        parser.add_argument("--all", action="store_true", help="also time recounting and comparing everything; takes a few more minutes")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        games = options["games"]
        if not 1000 <= games <= 10_000_000:
            raise CommandError("--games: a number from 1,000 to 10,000,000")
        try:
            found = bench.measure(games, self.stderr.write, Bar, everything=options["all"])
        except Unfit as error:
            raise CommandError(str(error)) from None
        few, many, finish = found["read_few_ms"], found["read_many_ms"], found["finish_ms"]
        if options["json"]:
            self.stdout.write(json.dumps({key: asdict(value) if isinstance(value, Times) else value for key, value in found.items()}))
            return
        out = self.stdout.write
        out(f"{games:,} finished games, {found['players']:,} rated people")
        out(f"  leaderboard, {bench.FEW} games       p50 {few.p50:7.2f} ms   p99 {few.p99:7.2f} ms")
        out(f"  leaderboard, all games       p50 {many.p50:7.2f} ms   p99 {many.p99:7.2f} ms   {many.p50 / few.p50:.2f} x")
        out(f"  end of a game to the board   p50 {finish.p50:7.1f} ms   p99 {finish.p99:7.1f} ms   most {finish.most:.1f} ms")
        out(f"  one pool reckoned anew       {found['rebuild_s']:11.1f} s")
        if options["all"]:
            out(f"  everything reckoned anew     {found['rebuild_all_s']:11.1f} s")
            out(f"  everything compared          {found['check_all_s']:11.1f} s   {found['differences']} differences")
