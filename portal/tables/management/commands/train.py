"""Learn the value that a game's master plays by: no database, no server."""

from __future__ import annotations

import json
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.core import simulate, training
from games.registry import GAMES, game
from portal.common.progress import Bar
from portal.tables.management import engine_options


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Learn the value function of a game's master from games that bots play against themselves, and measure it in a match against
        the level below. It takes three steps: games (kept as files, a piece at a time), training on the positions in them, and the match.

          manage.py train ra --games 3000 --seed 1
          manage.py train ra --games 3000 --seed 1 --seats 3              only tables of three
          manage.py train ra --games 1000 --seed 2 --generation 1         learn from games of the master of generation 0
          manage.py train babel --games 200 --match 0                     a short try, without a match

        --games counts games for each player count. Everything is kept in --out (var/training/GAME/); if the command is interrupted,
        give it again and it goes on: finished pieces are not played twice. More games with the same seed add to those already played.
        The same game, games and seed give the same weights on the same machine.

        The weights (master.npz with master.json beside it) are in --out/GENERATION/ and are not used by the site.
        Look at the figures first; if they are better than before, copy both files to games/GAME/weights/ and commit them.

        Progress goes to stderr, the figures as JSON to stdout. "error" is the root mean squared error on games that were held out, in the
        unit of the game's target; below "error_of_the_mean" something was learned.
        """
    )
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own name and type)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        able = ", ".join(key for key in GAMES if game(key).learner is not None)
        parser.add_argument("game", help=f"the game: {able or 'none can learn yet'}")
        engine_options.add_games(parser, 3000)
        engine_options.add_seed(parser)
        engine_options.add_jobs(parser)
        parser.add_argument("--seats", type=int, help="only this player count (default: all that the game allows)")
        parser.add_argument("--generation", type=int, default=0, metavar="N", help="learn from games of the master of generation N - 1")
        parser.add_argument(
            "--match", type=int, default=100, metavar="K", help="games of the match for each player count (default 100; 0: none)"
        )
        parser.add_argument("--out", type=Path, help="where everything is kept (default var/training/GAME)")

    def handle(self, *args: Any, **options: Any) -> None:
        rules = engine_options.find_game(options["game"]).game
        if options["generation"] < 0 or options["match"] < 0:
            raise CommandError("--generation and --match are whole numbers from 0 on", returncode=2)
        run = training.Run(
            game=rules.meta.key,
            games=options["games"],
            seed=options["seed"],
            seats=engine_options.seat_counts(rules, options["seats"]),
            folder=options["out"] or Path(settings.BASE_DIR) / "var" / "training" / rules.meta.key,
            generation=options["generation"],
            match=options["match"],
            jobs=options["jobs"],
        )
        with Steps() as steps:
            try:
                report = training.make(game, run, steps.at)
            except (training.TrainingError, simulate.BotError) as error:
                raise CommandError(str(error)) from None
        self.stdout.write(json.dumps(report))


class Steps:
    """A progress bar for one step after another."""

    def __init__(self) -> None:
        self.bar: Bar | None = None

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *error: Any) -> None:
        if self.bar is not None:
            self.bar.__exit__(None, None, None)

    def at(self, step: str, done: int, total: int) -> None:
        if self.bar is None or self.bar.what != step:
            self.__exit__()
            self.bar = Bar(step, total).__enter__()
        self.bar.at(done)
