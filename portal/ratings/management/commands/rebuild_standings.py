"""Compute all ratings anew from the finished games."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from portal.common.progress import Bar
from portal.ratings import services
from portal.tables.models import Table


class Command(BaseCommand):
    help = (
        "Compute all ratings anew from the finished games, in the order in which they ended, and write them. "
        "With --check nothing is written: every stored rating is compared with the computed one, bit for bit."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only compare; exit code 1 if any rating differs")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        games = Table.objects.filter(finish_number__isnull=False).count()
        with Bar("games", games) as bar:
            if options["check"]:
                standings, _ = services.recompute(bar.at)
                ratings, lines = len(standings), services.differences(standings)
            else:
                ratings, lines = services.rebuild(bar.at), []
        figures = {"games": games, "ratings": ratings, "differences": lines}
        if options["json"]:
            self.stdout.write(json.dumps(figures))
        else:
            verb = "compared" if options["check"] else "written"
            self.stdout.write(f"{ratings} ratings {verb} from {games} games; {len(lines)} differences")
            for line in lines:
                self.stdout.write(f"  {line}")
        if lines:
            raise SystemExit(1)
