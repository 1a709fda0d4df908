"""Count in whole games of bots whether they make sense: no database, no server."""

from __future__ import annotations

import json
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.core import figures, sense
from games.core.selfplay import SelfPlay
from games.registry import GAMES, game
from portal.common.progress import Bar
from portal.tables.management import engine_options


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Play whole games with the same bot level in every seat, and count what an experienced player would look at: suns that were not
        used, how strong the weakest colour gets, who wins from which place. Each line is the mean of all the numbers counted, with the
        95 % interval of that mean, and the goal if there is one. Shares are means of zeros and ones.

          manage.py sense ra --seats 3 --games 200
          manage.py sense after_the_flood --level scribe --games 100 --json

        Finished games are kept in the state folder, so the same command goes on where it was stopped, as long as the bots' code and
        weights are the same. The same seed gives the same games, whatever --jobs says.
        """
    )
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own name and type)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        engine_options.add_game(parser)
        parser.add_argument("--level", help="the bot in every seat (default: the best that the game offers)")
        parser.add_argument("--seats", type=int, help="only this player count (default: all that the game allows)")
        engine_options.add_games(parser, 200)
        engine_options.add_seed(parser)
        engine_options.add_jobs(parser)
        parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        entry = engine_options.find_game(options["game"])
        rules = entry.game
        level = options["level"] or rules.meta.bot_levels[-1]
        if level not in rules.meta.bot_levels:
            raise CommandError(
                f"--level: {level!r} is no bot of {rules.meta.title}; there are {', '.join(rules.meta.bot_levels)}", returncode=2
            )
        folder = settings.STATE_DIR / "sense" / entry.key / figures.bots_mark(GAMES[entry.key].folder)
        tables = []
        for seats in engine_options.seat_counts(rules, options["seats"]):
            play = SelfPlay(entry.key, seats, options["seed"], level, level, 0.0)
            with Bar(f"games with {seats} seats", options["games"]) as bar:
                found = sense.run(game, play, folder, options["games"], options["jobs"], bar.at)
            tables.append({"seats": seats, "measures": [each.report() for each in found]})
            if not options["json"]:
                self._tell(
                    f"{rules.meta.title}, {seats} seats, {options['games']} games, {level} in every seat, seed {options['seed']}", found
                )
        if options["json"]:
            report = {"game": entry.key, "level": level, "games": options["games"], "seed": options["seed"], "tables": tables}
            self.stdout.write(json.dumps(report, allow_nan=False))

    def _tell(self, head: str, found: list[sense.Found]) -> None:
        self.stdout.write(head)
        for each in found:
            goal = "" if each.goal is None else f"  goal: {each.goal}, {'met' if each.goal.is_met(each.mean) else 'not met'}"
            self.stdout.write(f"  {each.name:52s} {each.mean:9.3f}  {each.low:.3f} .. {each.high:.3f}  ({each.numbers}){goal}")
        self.stdout.write("")
