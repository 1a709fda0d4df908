"""Show the record of a game step by step in the terminal: no database, no server."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core.contract import CHANCE, SCORER, PositionError
from games.core.records import read_json, replay, result_of, start_of_record
from games.registry import game


class Command(BaseCommand):
    help = "Replay a record action by action and print who did what, then the result. With --at, stop and print the position."
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own name and type)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a record (.json)")
        parser.add_argument("--at", type=int, metavar="N", help="print the position before action N (from 0) as JSON and stop")
        parser.add_argument("--json", action="store_true", help="print only the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        names = {CHANCE: "chance", SCORER: "scorer"}
        found: list[dict[str, Any]] = []

        def visit(at: int, actor: int, text: str, state: Any) -> None:
            if options["at"] is not None:
                if at == options["at"]:
                    found.append(rules.state_to_json(state))
            elif not options["json"]:
                self.stdout.write(f"{at:5d}  {names.get(actor, f'seat {actor + 1}'):8s} {text}")

        try:
            data = read_json(Path(options["file"]).read_bytes())
            rules, _ = start_of_record(data, game)
            rules, state = replay(data, game, visit)
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}", returncode=2) from None
        except PositionError as error:
            raise CommandError(f"{options['file']}: {error}", returncode=2) from None
        if options["at"] is not None:
            if not found:
                raise CommandError(f"--at {options['at']}: the record has no such action", returncode=2)
            self.stdout.write(json.dumps(found[0]))
            return
        result = result_of(rules, state)
        self.stdout.write(json.dumps(result) if options["json"] else f"result: {json.dumps(result) if result else 'not over'}")
