"""Play random games, or load positions that may be invalid, and check every promise of the engine: no database, no server."""

from __future__ import annotations

import json
import sys
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import BaseCommand

from games.core import fuzz, fuzz_positions
from games.registry import game
from portal.common.progress import Bar
from portal.tables.management import engine_options


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Play random games, short and long, at each player count in turn and with every option, and check them on the way:
        the legal actions, the game's own invariants, that apply leaves its input alone, that positions and actions survive
        their text form, that hidden information changes nothing for a seat, that the breakdown adds up and the record replays.

          manage.py fuzz ra --games 10000
          manage.py fuzz ra --seats 2 --seed 7
          manage.py fuzz ra --seed 7 --first 421 --games 1     the same game again

        With --positions it makes position files instead, from positions of random games with fields left out, swapped,
        retyped, enlarged or taken from elsewhere, and checks that each is refused with the name of a field, or else that
        whoever is due can act and that the position loads again, now and after each of the next actions.

          manage.py fuzz ra --positions 20000
          manage.py fuzz ra --seed 7 --first 421 --positions 1     the same position again

        The first fault ends the run: its seed, its game or position, and the action, then the record up to it, which
        `manage.py replay FILE` can play. Exit code 1 then.
        """
    )
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own name and type)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        engine_options.add_game(parser)
        engine_options.add_games(parser, 1000)
        parser.add_argument("--positions", type=engine_options.positive, metavar="N", help="check N position files instead of games")
        parser.add_argument("--seats", type=int, help="only games with this many players (default: each player count in turn)")
        engine_options.add_seed(parser)
        parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first game or position (default 0)")
        engine_options.add_jobs(parser)
        parser.add_argument("--json", action="store_true", help="print what was found as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        entry = engine_options.find_game(options["game"])
        seats = engine_options.seat_counts(entry.game, options["seats"])
        kind = "games" if options["positions"] is None else "positions"
        trial = fuzz.fuzz_game if kind == "games" else fuzz_positions.fuzz_position
        numbers = range(options["first"], options["first"] + options[kind])
        with Bar(kind, len(numbers)) as bar:
            found, seconds = fuzz.run(game, entry.key, seats, options["seed"], numbers, options["jobs"], bar.at, trial)
        fault = found.fault
        if options["json"]:
            report = {
                "game": entry.key,
                kind: found.games,
                "moves": found.moves,
                "seconds": round(seconds, 2),
                "seats": {str(n): count for n, count in sorted(found.by_seats.items())},
                "end_reasons": dict(sorted(found.end_reasons.items())),
                "fault": None
                if fault is None
                else {
                    "seed": fault.seed,
                    fault.kind: fault.number,
                    "seats": fault.seats,
                    "action": fault.move,
                    "what": fault.what,
                    "record": fault.record,
                },
            }
            self.stdout.write(json.dumps(report))
        elif fault is None:
            by_seats = ", ".join(f"{count} with {n}" for n, count in sorted(found.by_seats.items()))
            self.stdout.write(f"{entry.game.meta.title}: {found.games} {kind} ({by_seats} seats), {found.moves} moves, no fault")
            self.stdout.write(f"{'end of the game' if kind == 'games' else 'files'}: " + engine_options.counts(found.end_reasons))
            self.stdout.write(f"{found.games / seconds:.1f} {kind}/s, {seconds:.1f} s")
        else:
            self.stdout.write(json.dumps(fault.record))
        if fault is not None:
            self.stderr.write(f"fault: {fault.line()}")
            again = f"manage.py fuzz {entry.key} --seed {fault.seed} --first {fault.number} --{kind} 1"
            self.stderr.write(f"again: {again}" + (f" --seats {options['seats']}" if options["seats"] is not None else ""))
            sys.exit(1)
