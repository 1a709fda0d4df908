"""manage.py rules_coverage: which tests cover which paragraph of a rule book."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from rules_docs import content, coverage


class Command(BaseCommand):
    help = "Lists every paragraph of the rule books with the tests marked with it, and the worked examples that show it."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="*", help="only these books; all when left out")
        parser.add_argument("--bare", action="store_true", help="only paragraphs that no test and no example shows")
        parser.add_argument("--json", action="store_true", help="print the list as JSON")

    def handle(self, *args: Any, game: list[str], bare: bool, **options: Any) -> None:
        known = content.book_keys()
        for key in game:
            if key not in known:
                raise CommandError(f"there is no rule book {key!r}; there are: {', '.join(known)}")
        marks = coverage.marks(Path(settings.BASE_DIR) / "tests")
        books = {key: coverage.of_book(key, marks) for key in game or known}
        if options["json"]:
            self.stdout.write(json.dumps(books, indent=1))
        else:
            for key, paragraphs in books.items():
                shown = {anchor: names for anchor, names in paragraphs.items() if not (bare and names)}
                for anchor, names in shown.items():
                    self.stdout.write(f"{key}#{anchor}: {', '.join(names) or '-'}")
                covered = sum(bool(names) for names in paragraphs.values())
                self.stdout.write(f"{key}: {covered} of {len(paragraphs)} paragraphs are shown by a test or an example")
        unknown = coverage.unknown(marks)
        if unknown:
            raise CommandError("tests name paragraphs that no book has: " + ", ".join(f"{rule} ({test})" for rule, test in unknown))
