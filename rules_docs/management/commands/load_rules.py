"""manage.py load_rules: put the rule books into the database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rules_docs import content, loader, sources
from rules_docs.content import ContentError
from rules_docs.examples import ExampleError
from rules_docs.teaching import TeachError


class Command(BaseCommand):
    help = "Reads rules_docs/content/ and replaces the rule pages in the database. Running it again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "game",
            nargs="*",
            help="only these books (keys of games); all when left out",
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="read, compare with the lists of sources and report; write nothing; needs no database",
        )
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, game: list[str], check: bool, **options: Any) -> None:
        known = content.book_keys()
        for key in game:
            if key not in known:
                raise CommandError(f"there is no rule book {key!r}; there are: {', '.join(known)}")
        reports, faults = [], []
        for key in game or known:
            if not options["json"] and options["verbosity"] > 1:
                self.stderr.write(f"{key}: reading")
            try:
                report = loader.load(key, check=check)
            except (ContentError, ExampleError, TeachError) as error:
                raise CommandError(str(error)) from None
            reports.append(report)
            faults += sources.problems(key) if check else []
            if not options["json"] and options["verbosity"] > 0:
                self.stdout.write(loader.describe(report, check=check))
                for lang, anchors in report.missing.items():
                    self.stdout.write(f"  {lang} shows the source text for: {', '.join(anchors)}")
        if options["json"]:
            self.stdout.write(json.dumps([asdict(report) for report in reports], indent=1))
        if faults:
            raise CommandError("\n".join(faults))
