"""Play whole games of bots against bots and print who wins: no database, no server."""

from __future__ import annotations

import json
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core import simulate
from games.registry import game
from portal.common.progress import Bar
from portal.tables.management import engine_options


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Play whole games between bots and report wins with their 95 % interval (Wilson), mean scores and how the games ended.

        --bots names one bot for each seat, in the order of the report. The seats rotate: in game g, bot number i sits in
        seat i + g, so no bot gains from its place at the table. Ties share the win. Bots see only what their seat may see.
        The same seed gives the same games, whatever --jobs says. "random" picks any legal action and exists only for such figures.

          manage.py simulate ra --seats 4 --bots scribe,apprentice,apprentice,apprentice --games 400
          manage.py simulate ra --seats 2 --bots scribe,apprentice --games 100 --seed 7 --json

        If a bot fails or makes an illegal move, the command prints the seed, game and move and ends with exit code 1.
        """
    )
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own name and type)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        engine_options.add_game(parser)
        parser.add_argument("--seats", type=int, help="seats at the table (default: as many as there are bots)")
        parser.add_argument("--bots", required=True, help="bots by seat, separated by commas: scribe,apprentice,random")
        engine_options.add_games(parser, 400)
        engine_options.add_seed(parser)
        engine_options.add_jobs(parser)
        parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        entry = engine_options.find_game(options["game"])
        bots = tuple(options["bots"].split(","))
        seats = len(bots) if options["seats"] is None else options["seats"]
        match = simulate.Match(entry.key, seats, bots, options["seed"])
        try:
            with Bar("games", options["games"]) as bar:
                tally, seconds = simulate.run(game, match, options["games"], options["jobs"], bar.at)
        except simulate.SettingError as error:
            raise CommandError(str(error), returncode=2) from None
        except simulate.BotError as error:
            raise CommandError(str(error)) from None
        report = tally.report(seconds)
        if options["json"]:
            self.stdout.write(json.dumps(report))
        else:
            self._tell(tally, report)

    def _tell(self, tally: simulate.Tally, report: dict[str, Any]) -> None:
        out = self.stdout.write
        out(f"{game(report['game']).meta.title}, {report['seats']} seats, {report['games']} games, seed {tally.match.seed}")
        out("")
        out(f"{'bot':12s} {'wins':>8s} {'rate':>7s}  {'95 % interval':15s} {'mean score':>10s} {'ms a move':>10s} {'slowest':>8s}")
        for at, row in enumerate(report["bots"]):
            low, high = row["ci95"]
            each = 1000 * tally.bot_s[at] / max(1, tally.bot_moves[at])
            interval = f"{100 * low:.1f} .. {100 * high:.1f} %"
            out(
                f"{row['bot']:12s} {row['wins']:8g} {100 * row['win_rate']:6.1f}%  {interval:15s} {row['mean_score']:10.2f}"
                f" {each:10.2f} {1000 * tally.slowest_s[at]:8.1f}"
            )
        out("")
        out("end of the game: " + engine_options.counts(report["end_reasons"]))
        if tally.rounds:
            out("end of the rounds: " + engine_options.counts(tally.rounds))
        moves = tally.moves / max(1, tally.games)
        out(
            f"{moves:.0f} moves a game; {report['moves_per_s']} moves/s, {tally.games / report['seconds']:.1f} games/s, {report['seconds']} s"
        )
