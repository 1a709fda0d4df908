"""Check the record of a finished game: no database, no server."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core.contract import PositionError
from games.core.records import read_json, verify_record
from games.registry import game


class Command(BaseCommand):
    help = (
        "Check a record: every action was allowed, every draw comes from the sealed stream whose commitment was "
        "published before the game, and the result is right. Exit code 1 if the record is not correct, 2 if the file is not a record."
    )
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own name and type)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the record (.json) from the table page")
        parser.add_argument("--json", action="store_true", help="print the verdict as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            verdict = verify_record(read_json(Path(options["file"]).read_bytes()), game)
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}", returncode=2) from None
        except PositionError as error:
            raise CommandError(f"{options['file']}: {error}", returncode=2) from None
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    {
                        "good": verdict.is_good,
                        "game": verdict.game,
                        "seats": verdict.seats,
                        "actions": verdict.actions,
                        "chance": verdict.chance,
                        "sealed": verdict.sealed,
                        "problems": list(verdict.problems),
                    }
                )
            )
        elif verdict.is_good:
            seal = "every draw comes from the sealed stream" if verdict.sealed else "the record holds no sealed chance"
            self.stdout.write(f"The record holds: {verdict.actions} actions, {verdict.chance} of them chance; {seal}.")
        else:
            self.stdout.write("The record does not hold:")
            for line in verdict.problems:
                self.stdout.write(f"  {line}")
        if not verdict.is_good:
            raise SystemExit(1)
