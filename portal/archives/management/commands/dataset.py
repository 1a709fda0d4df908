"""`manage.py dataset`: games that bots play against each other, as an archive. No database, no server."""

from __future__ import annotations

import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from archives import dataset
from archives.manifest import ArchiveError
from archives.selfplay import STRAYS_AMONG, Plan
from games.registry import game
from portal.common.progress import Bar
from portal.tables.management import engine_options


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Let bots play against each other on all cores, and write the games as an archive (docs/archives.md): Parquet, JSON lines and a
        manifest. The same seed gives the same games, whatever --jobs says. Interrupted, the next call goes on where it was; a data
        set that is there is not made again.

          manage.py dataset ra --games 10000
          manage.py dataset babel --games 500 --levels scribe,journeyman --strays 20 --seed 7 --out /mnt/games

        --levels names the bots by seat; they move on by one seat from game to game. --strays 20 has 20 moves in a thousand made at
        random, so that there are positions that good bots avoid.
        """
    )
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own name and type)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        engine_options.add_game(parser)
        engine_options.add_games(parser, 1000)
        parser.add_argument("--seats", type=int, help="number of players (default: as many as --levels, else the fewest)")
        parser.add_argument("--levels", default="scribe", help="one bot level for all seats, or one for each, separated by commas")
        parser.add_argument("--strays", type=int, default=0, metavar="N", help=f"random moves among {STRAYS_AMONG}")
        parser.add_argument("--out", default="", metavar="FOLDER", help="where to write it (default: datasets/ in the state folder)")
        engine_options.add_seed(parser)
        engine_options.add_jobs(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        rules = engine_options.find_game(options["game"]).game
        levels = tuple(options["levels"].split(","))
        fewest = len(levels) if len(levels) > 1 else rules.meta.seats[0]
        [seats] = engine_options.seat_counts(rules, fewest if options["seats"] is None else options["seats"])
        if len(levels) == 1:
            levels *= seats
        if len(levels) != seats:
            raise CommandError(f"--levels: name one level, or one for each of {seats} seats", returncode=2)
        if unknown := sorted(set(levels) - set(rules.meta.bot_levels)):
            raise CommandError(f"--levels: {', '.join(unknown)}; there are {', '.join(rules.meta.bot_levels)}", returncode=2)
        if not 0 <= options["strays"] <= STRAYS_AMONG:
            raise CommandError(f"--strays: a number from 0 to {STRAYS_AMONG}", returncode=2)
        plan = Plan(rules.meta.key, levels, options["seed"], options["strays"])
        folder = Path(options["out"]) if options["out"] else settings.STATE_DIR / "datasets"
        try:
            with Bar("games", options["games"]) as bar:
                manifest = dataset.make(game, folder, plan, options["games"], options["jobs"], bar.at)
        except ArchiveError as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from None
        self.stdout.write(f"{folder / manifest.name}.json: {manifest.rows:,} games, {sum(file.bytes for file in manifest.files):,} bytes")
