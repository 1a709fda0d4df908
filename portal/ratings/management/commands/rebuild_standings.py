"""Recalculate all standings from the finished games and write them."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.common.progress import Bar
from portal.ratings import recount
from portal.ratings.models import Ladder
from portal.ratings.services import last_finished


class Command(BaseCommand):
    help = (
        "Recalculate ratings, profiles, head-to-head figures, club records, league points, seat effects and calibration from the "
        "finished games, in the order in which they ended, and write them in one transaction. Readers see the old figures until then. "
        "With --ladder, only the ratings of one leaderboard. With --check, nothing is written (same as check_standings)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--ladder", default="", metavar="KEY", help="only this one: people/ra, bots/babel, people/ra/club/7, ...")
        parser.add_argument("--check", action="store_true", help="only compare; exit code 1 if anything differs")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        lines: list[str] = []
        if options["check"] and options["ladder"]:
            raise CommandError("--check compares everything; leave out --ladder")
        with Bar("games", last_finished()) as bar:
            if options["check"]:
                count, lines = recount.check(bar.at)
            else:
                try:
                    count = recount.rebuild(bar.at, only=options["ladder"])
                except Ladder.DoesNotExist:
                    known = ", ".join(Ladder.objects.order_by("key").values_list("key", flat=True)[:20]) or "none yet"
                    raise CommandError(f"there is no ladder {options['ladder']!r}; ladders: {known}") from None
        figures = {"games": count.games, "ratings": len(count.books.ratings), "differences": lines}
        if options["json"]:
            self.stdout.write(json.dumps(figures))
        else:
            verb = "compared" if options["check"] else "written"
            self.stdout.write(f"{figures['ratings']} ratings {verb} from {count.games} games; {len(lines)} differences")
            for line in lines[:200]:
                self.stdout.write(f"  {line}")
        if lines:
            raise SystemExit(1)
