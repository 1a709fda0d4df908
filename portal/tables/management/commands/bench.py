"""Measure how fast the engines are: no database, no server."""

from __future__ import annotations

import json
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import BaseCommand

from games.core import bench
from games.registry import GAMES, game
from portal.common.progress import Bar
from portal.tables.management import engine_options


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Measure the engines on one core, in CPU time, best of some repeats, each beside a calibration loop of plain Python in the
        same process: the ratio to it can be compared between machines, the figure itself cannot.

        moves_per_s, playouts_per_s   random games on the bots' fast path, whole games from the set-up
        legal_us, copy_us             the list of legal actions, and a copy of the state, in the middle of a game
        state_json_bytes              a position as compact JSON, mean
        web_path_ms                   one posted move in the engine: read the text, check, apply, events, JSON

        Figures are for the largest table of each game unless --seats says otherwise.

          manage.py bench --game ra
          manage.py bench --json
        """
    )
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own name and type)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", help=f"only this game: {', '.join(GAMES)} (default: all)")
        parser.add_argument("--seats", type=int, help="seats at the table (default: the most of the game)")
        parser.add_argument("--repeats", type=engine_options.positive, default=bench.REPEATS, help=f"best of so many (default {bench.REPEATS})")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        keys = list(GAMES) if options["game"] is None else [engine_options.find_game(options["game"]).key]
        seats = {key: max(engine_options.seat_counts(game(key), options["seats"])) for key in keys}
        found: dict[str, bench.EngineFigures] = {}
        with Bar("measurements", 1 + 5 * len(keys)) as bar:
            calibration = bench.calibration_per_s(options["repeats"])
            bar.at(1)
            for at, key in enumerate(keys):
                found[key] = bench.measure(game(key), seats[key], options["repeats"], lambda n, base=1 + 5 * at: bar.at(base + n))
        if options["json"]:
            games = {key: figures.report() for key, figures in found.items()}
            self.stdout.write(json.dumps({"calibration_per_s": round(calibration), "games": games}))
            return
        self.stdout.write(f"calibration loop: {calibration:,.0f} steps/s; best of {options['repeats']}, CPU time, one core")
        for key, figures in found.items():
            title = game(key).meta.title
            ratio = figures.moves_per_s / calibration
            self.stdout.write(f"\n{title}, {figures.seats} seats")
            self.stdout.write(f"  random play      {figures.moves_per_s:,.0f} moves/s ({ratio:.4f} of the loop), {figures.playouts_per_s:,.0f} games/s")
            self.stdout.write(f"  legal actions    {figures.legal_us:.2f} us ({figures.legal_us * calibration / 1e6:.1f} steps of the loop)")
            self.stdout.write(f"  copy             {figures.copy_us:.2f} us ({figures.copy_us * calibration / 1e6:.1f} steps)")
            self.stdout.write(f"  position as JSON {figures.state_json_bytes} bytes, at most {figures.state_json_bytes_max}")
            self.stdout.write(f"  web path         {figures.web_path_ms:.4f} ms ({figures.web_path_ms * calibration / 1e3:.0f} steps)")
