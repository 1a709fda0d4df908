"""Play random games and check every promise of the engine on the way: no database, no server."""

from __future__ import annotations

import json
import sys
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import BaseCommand

from games.core import fuzz
from games.registry import game
from portal.common.progress import Bar
from portal.tables.management import engine_options


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Play random games, the seat counts in turn, short ones and long ones, with every option, and check on the way:
        legal actions, the game's own invariants, apply leaves its input alone, positions and actions survive their text,
        what is hidden changes nothing for a seat, the derivation adds up, the record replays.

          manage.py fuzz ra --games 10000
          manage.py fuzz ra --seats 2 --seed 7
          manage.py fuzz ra --seed 7 --first 421 --games 1     the same game again

        The first fault ends the run: its seed, game and action, then the record of the game up to it, which
        `manage.py replay FILE` can play. Exit code 1 then.
        """
    )
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own name and type)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        engine_options.add_game(parser)
        engine_options.add_games(parser, 1000)
        parser.add_argument("--seats", type=int, help="only tables of so many seats (default: all seat counts in turn)")
        engine_options.add_seed(parser)
        parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first game (default 0)")
        engine_options.add_jobs(parser)
        parser.add_argument("--json", action="store_true", help="print what was found as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        entry = engine_options.find_game(options["game"])
        seats = engine_options.seat_counts(entry.game, options["seats"])
        numbers = range(options["first"], options["first"] + options["games"])
        with Bar("games", len(numbers)) as bar:
            found, seconds = fuzz.run(game, entry.key, seats, options["seed"], numbers, options["jobs"], bar.at)
        fault = found.fault
        if options["json"]:
            report = {
                "game": entry.key,
                "games": found.games,
                "moves": found.moves,
                "seconds": round(seconds, 2),
                "seats": {str(n): count for n, count in sorted(found.by_seats.items())},
                "end_reasons": dict(sorted(found.end_reasons.items())),
                "fault": None
                if fault is None
                else {
                    "seed": fault.seed,
                    "game": fault.number,
                    "seats": fault.seats,
                    "action": fault.move,
                    "what": fault.what,
                    "record": fault.record,
                },
            }
            self.stdout.write(json.dumps(report))
        elif fault is None:
            by_seats = ", ".join(f"{count} with {n}" for n, count in sorted(found.by_seats.items()))
            self.stdout.write(f"{entry.game.meta.title}: {found.games} games ({by_seats} seats), {found.moves} moves, no fault")
            self.stdout.write("end of the game: " + engine_options.counts(found.end_reasons))
            self.stdout.write(f"{found.games / seconds:.1f} games/s, {seconds:.1f} s")
        else:
            self.stdout.write(json.dumps(fault.record))
        if fault is not None:
            self.stderr.write(f"fault: {fault.line()}")
            again = f"manage.py fuzz {entry.key} --seed {fault.seed} --first {fault.number} --games 1"
            self.stderr.write(f"again: {again}" + (f" --seats {options['seats']}" if options["seats"] is not None else ""))
            sys.exit(1)
