"""Measure each level of bots against the one below it: no database, no server."""

from __future__ import annotations

import json
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core import ladder, simulate
from games.registry import GAMES, game
from portal.common.progress import Bar
from portal.tables.management import engine_options


class Command(BaseCommand):
    help = textwrap.dedent(
        f"""\
        Measure each bot level against the one below: one bot of the level among bots of the level below, at every player count,
        with the seats rotated.
        "times fair" is the win rate times the seats: 1 would be no better than the others. The goal is {ladder.GOAL_ALONE:.0%} of the wins
        with two seats and {ladder.GOAL_SHARE} times the fair share with more.

          manage.py ladder
          manage.py ladder --game ra --seats 4 --games 1000 --json
        """
    )
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own name and type)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", help=f"only this game: {', '.join(GAMES)} (default: all)")
        parser.add_argument("--seats", type=int, help="only this player count (default: all that the game allows)")
        engine_options.add_games(parser, 400)
        engine_options.add_seed(parser)
        engine_options.add_jobs(parser)
        parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        keys = list(GAMES) if options["game"] is None else [engine_options.find_game(options["game"]).key]
        report: dict[str, Any] = {"seed": options["seed"], "games": {}}
        for key in keys:
            rules = game(key)
            seats = engine_options.seat_counts(rules, options["seats"])
            rows = report["games"][key] = []
            if not options["json"]:
                self.stdout.write(f"{rules.meta.title}: {options['games']} games a line, seed {options['seed']}")
                self.stdout.write(
                    f"{'one':12s} {'among':12s} {'seats':>5s} {'rate':>7s}  {'95 % interval':15s} {'times fair':>10s} {'goal':>6s}  {'mean score':s}"
                )
            try:
                with Bar("games", ladder.rung_count(rules, seats) * options["games"]) as bar:
                    for rung in ladder.rungs(game, key, seats, options["games"], options["seed"], options["jobs"], bar.at):
                        rows.append(rung.report())
                        if not options["json"]:
                            self._tell(rows[-1])
            except simulate.BotError as error:
                raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(report))

    def _tell(self, row: dict[str, Any]) -> None:
        low, high = row["ci95"]
        interval = f"{100 * low:.1f} .. {100 * high:.1f} %"
        self.stdout.write(
            f"{row['better']:12s} {row['than']:12s} {row['seats']:5d} {100 * row['win_rate']:6.1f}%  {interval:15s}"
            f" {row['times_fair_share']:10.2f} {100 * row['goal']:5.0f}%  {row['mean_score']:.1f} to {row['other_mean_score']:.1f}"
        )
