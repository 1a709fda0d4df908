"""Compare the generations of a game's master: no database, no server."""

from __future__ import annotations

import json
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.core import figures, hall, ladder, simulate
from games.registry import GAMES, game
from portal.common.progress import Bar
from portal.tables.management import engine_options


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Play the masters of a game against each other, each by the weights of another generation: one of the later among the earlier ones.
        Deals are paired as on the ladder: each is played once with the later one in every seat.

          manage.py hall ra --seats 4                            the weights that the site plays by, and all generations in var/training/ra
          manage.py hall ra --among kept,1 --games 1000          generation 1 among those kept
          manage.py hall ra --among scribe,0,1                   levels can take part
          manage.py hall ra --among kept,/tmp/trial              so can any folder with weights

        "times fair" is the win rate times the seats: above 1, the later one is better. If the whole interval is, keep it: copy its files
        to games/GAME/weights/ and commit them. Progress goes to stderr.
        """
    )
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own name and type)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        able = ", ".join(key for key in GAMES if game(key).learner is not None)
        parser.add_argument("game", help=f"the game: {able or 'none can learn yet'}")
        parser.add_argument("--among", metavar="A,B,..", help='who plays, the earlier first (default: "kept" and every generation)')
        parser.add_argument("--seats", type=int, help="only this player count (default: all that the game allows)")
        parser.add_argument("--out", type=Path, help="the folder of the generations (default var/training/GAME)")
        engine_options.add_games(parser, 200)
        engine_options.add_seed(parser)
        engine_options.add_jobs(parser)
        parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        rules = engine_options.find_game(options["game"]).game
        folder = options["out"] or Path(settings.BASE_DIR) / "var" / "training" / rules.meta.key
        names = options["among"].split(",") if options["among"] else [hall.KEPT, *hall.generations(folder)]
        if len(names) < 2 or len(set(names)) < len(names):
            raise CommandError(f"a hall needs two different masters, not {', '.join(names)}: train a generation, or name them with --among")
        rows = []
        counts = engine_options.seat_counts(rules, options["seats"])
        try:
            weights = {seats: hall.named(rules, names, folder, seats) for seats in counts}
        except hall.HallError as error:
            raise CommandError(str(error), returncode=2) from None
        if not options["json"]:
            self.stdout.write(
                f"{'one':14s} {'among':14s} {'seats':>5s} {'games':>6s} {'rate':>7s}  {'95 % interval':15s} {'times fair':>10s}"
            )
        for seats in counts:
            for edge in hall.pairs(names, seats):
                row = self._measured(rules.meta.key, edge, weights[seats], options)
                rows.append(ladder.report(row))
                if not options["json"]:
                    interval = f"{100 * row.low:.1f} .. {100 * row.high:.1f} %"
                    self.stdout.write(
                        f"{row.better:14s} {row.than:14s} {seats:5d} {row.games:6d} {100 * row.win_rate:6.1f}%  {interval:15s}"
                        f" {row.win_rate * seats:10.2f}"
                    )
        if options["json"]:
            self.stdout.write(json.dumps(rows))

    def _measured(self, key: str, edge: ladder.Edge, folders: dict[str, Path | None], options: dict[str, Any]) -> figures.EdgeFigures:
        games = ladder.whole_deals(options["games"], edge.seats)
        with Bar(f"{edge.better} among {edge.than}", games) as bar:
            try:
                lines = ladder.games_of(hall.finder(game, folders), edge.match(key, options["seed"]), games, options["jobs"], None, bar.at)
            except simulate.BotError as error:
                raise CommandError(str(error)) from None
        return ladder.edge_figures(edge, lines, figures.source("", options["seed"], ""))
