"""Measure how fast the engines are: no database, no server."""

from __future__ import annotations

import json
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from itertools import count
from typing import Any

from django.core.management.base import BaseCommand

from games.core import bench
from games.registry import GAMES, game
from portal.common.progress import Bar
from portal.tables.management import engine_options

DIGITS = {"moves_per_s": 0, "playouts_per_s": 1, "legal_us": 2, "copy_us": 2, "state_json_bytes": 0, "web_path_ms": 4}


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Measure the engines on one core, in CPU time, best of several repeats, next to a calibration loop of plain Python in
        the same process. The ratio to that loop can be compared between machines; the figure itself cannot.

        moves_per_s, playouts_per_s   random games on the bots' fast path, whole games from the set-up
        legal_us, copy_us             the list of legal actions, and a copy of the state, in the middle of a game
        state_json_bytes              a position as compact JSON, the largest of the sample
        web_path_ms                   one posted move in the engine: read the text, check, apply, events, JSON, view

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
        parser.add_argument("--seats", type=int, help="seats at the table (default: the game's maximum)")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        keys = list(GAMES) if options["game"] is None else [engine_options.find_game(options["game"]).key]
        seats = {key: max(engine_options.seat_counts(game(key), options["seats"])) for key in keys}
        found: dict[str, dict[str, float]] = {}
        steps = count()
        with Bar("figures", bench.TIMED * len(keys)) as bar:
            for key in keys:
                found[key] = bench.measure(game(key), seats[key], lambda: bar.at(next(steps)))
            bar.at(bar.total)
        calibration = max(figures.pop("calibration_per_s") for figures in found.values())
        if options["json"]:
            games = {
                key: {name: round(value, DIGITS[name]) if DIGITS[name] else round(value) for name, value in figures.items()}
                for key, figures in found.items()
            }
            self.stdout.write(json.dumps({"calibration_per_s": round(calibration), "games": games}))
            return
        self.stdout.write(f"calibration loop: {calibration:,.0f} rounds/s; best of {bench.REPEATS} repeats, CPU time, one core")
        for key, figures in found.items():
            self._tell(f"{game(key).meta.title}, {seats[key]} seats", figures, calibration)

    def _tell(self, title: str, figures: dict[str, float], calibration: float) -> None:
        out = self.stdout.write
        legal, copy, web = figures["legal_us"], figures["copy_us"], figures["web_path_ms"]
        out(f"\n{title:27s} {'figure':>12s}  {'to the loop':>14s}")
        out(f"  random play, moves/s      {figures['moves_per_s']:12,.0f}  {figures['moves_per_s'] / calibration:14.4f}")
        out(f"  random play, games/s      {figures['playouts_per_s']:12,.0f}  {figures['playouts_per_s'] / calibration:14.6f}")
        out(f"  legal actions, us         {legal:12.2f}  {legal * calibration / 1e6:7.1f} rounds")
        out(f"  copy of the state, us     {copy:12.2f}  {copy * calibration / 1e6:7.1f} rounds")
        out(f"  web path, ms              {web:12.4f}  {web * calibration / 1e3:7.0f} rounds")
        out(f"  largest position, bytes   {figures['state_json_bytes']:12.0f}")
