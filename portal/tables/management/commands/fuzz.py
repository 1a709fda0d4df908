"""Play random games, or load positions that may be invalid, and check every promise of the engine: no database, no server."""

from __future__ import annotations

import json
import sys
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core import fuzz, fuzz_bots, fuzz_positions
from games.registry import Entry, game
from portal.common.progress import Bar
from portal.tables.choosing import BUDGETS_S
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

        With --bots as well, it asks bots instead: for everyone who is due in a position that is accepted, and at the next plies, each of
        the levels must answer with a legal action. Says how many answers there were and how long the slowest took, in processor time.

          manage.py fuzz ra --positions 3000 --bots all
          manage.py fuzz ra --positions 3000 --bots journeyman,master

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
        parser.add_argument("--bots", metavar="LEVELS", help="ask these levels (commas, or all) at the positions; needs --positions")
        parser.add_argument("--seats", type=int, help="only games with this many players (default: each player count in turn)")
        engine_options.add_seed(parser)
        parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first game or position (default 0)")
        engine_options.add_jobs(parser)
        parser.add_argument("--json", action="store_true", help="print what was found as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        entry = engine_options.find_game(options["game"])
        seats = engine_options.seat_counts(entry.game, options["seats"])
        if options["bots"]:
            self._ask_bots(entry, seats, options)
            return
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

    def _ask_bots(self, entry: Entry, seats: Sequence[int], options: dict[str, Any]) -> None:
        offered = entry.game.meta.bot_levels
        levels = list(offered) if options["bots"] == "all" else options["bots"].split(",")
        if wrong := [level for level in levels if level not in offered]:
            raise CommandError(f"--bots: {wrong[0]!r} is no level of {entry.game.meta.title}; there are {', '.join(offered)}", returncode=2)
        if options["positions"] is None:
            raise CommandError("--bots asks at positions, so it needs --positions", returncode=2)
        numbers = range(options["first"], options["first"] + options["positions"])
        budgets = {level: BUDGETS_S.get(level) for level in levels}
        with Bar("positions", len(numbers)) as bar:
            found = fuzz_bots.run(game, entry.key, seats, options["seed"], numbers, budgets, options["jobs"], bar.at)
        fault = found.fault
        report = {
            "game": entry.key,
            "positions": found.files.total(),
            "accepted": found.files["accepted"],
            "answers": dict(found.answers),
            "mean_ms": {level: round(1000 * found.seconds[level] / n, 2) for level, n in found.answers.items()},
            "slowest_ms": {level: round(1000 * took, 1) for level, (took, _) in found.slowest.items()},
            "slowest_position": {level: number for level, (_, number) in found.slowest.items()},
            "fault": None if fault is None else {"seed": fault.seed, "position": fault.number, "what": fault.what, "record": fault.record},
        }
        if options["json"]:
            self.stdout.write(json.dumps(report))
        else:
            self.stdout.write(f"{entry.game.meta.title}: {found.files.total()} positions, {found.files['accepted']} accepted")
            for level, (took, number) in found.slowest.items():
                mean = 1000 * found.seconds[level] / found.answers[level]
                self.stdout.write(
                    f"{level:12s} {found.answers[level]:6d} answers, {mean:.2f} ms each, {1000 * took:.1f} ms at most (position {number})"
                )
        if fault is not None:
            self.stderr.write(f"fault: {fault.line()}")
            sys.exit(1)
