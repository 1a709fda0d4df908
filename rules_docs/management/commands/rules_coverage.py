"""manage.py rules_coverage: which tests cover which paragraph of a rule book, or why none does."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from rules_docs import content, coverage, held


class Command(BaseCommand):
    help = "Lists every paragraph of the rule books with the tests marked with it and the worked examples that show it, or the reason why there are none."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="*", help="only these books; all when left out")
        parser.add_argument("--bare", action="store_true", help="only paragraphs that no test and no example shows, with their reasons")
        parser.add_argument("--matrix", action="store_true", help="write the figures of all chapters to docs/rules/coverage.md")
        parser.add_argument("--json", action="store_true", help="print the list as JSON")
        parser.add_argument("--held", action="store_true", help="write what the pages tell of it to held.json of each book")
        parser.add_argument("--check", action="store_true", help="with --held, only say which of these files are out of date")

    def handle(self, *args: Any, game: list[str], bare: bool, **options: Any) -> None:
        known = content.book_keys()
        for key in game:
            if key not in known:
                raise CommandError(f"there is no rule book {key!r}; there are: {', '.join(known)}")
        marks = coverage.marks(Path(settings.BASE_DIR) / "tests")
        if options["matrix"]:
            file = Path(settings.BASE_DIR) / "docs" / "rules" / "coverage.md"
            file.write_text(coverage.matrix(marks), "utf-8")
            self.stdout.write(f"{file.relative_to(settings.BASE_DIR)} written")
            return
        if options["held"]:
            self._held(game or known, marks, only_check=options["check"])
            return
        books = {key: coverage.of_book(key, marks) for key in game or known}
        if options["json"]:
            self.stdout.write(json.dumps(books, indent=1))
        else:
            for key, paragraphs in books.items():
                given = coverage.reasons(key)
                shown = {anchor: names for anchor, names in paragraphs.items() if not (bare and names)}
                for anchor, names in shown.items():
                    self.stdout.write(f"{key}#{anchor}: {', '.join(names) or given.get(anchor) or '-'}")
                covered = sum(bool(names) for names in paragraphs.values())
                nothing = len(coverage.without_reason(paragraphs, given))
                self.stdout.write(
                    f"{key}: {covered} of {len(paragraphs)} paragraphs are shown by a test or an example, "
                    f"{len(paragraphs) - covered - nothing} have a reason instead, {nothing} have neither"
                )
        unknown = coverage.unknown(marks)
        if unknown:
            raise CommandError("tests name paragraphs that no book has: " + ", ".join(f"{rule} ({test})" for rule, test in unknown))

    def _held(self, games: Sequence[str], marks: coverage.Marks, *, only_check: bool) -> None:
        """Write the files that differ from what tests and examples hold; or fail if there are any."""
        for key in games:
            file, text = held.file_of(key), held.made(key, marks)
            if file.is_file() and file.read_text("utf-8") == text:
                continue
            if only_check:
                raise CommandError(f"{content.short(file)} is out of date; run manage.py rules_coverage --held")
            file.write_text(text, "utf-8")
            self.stdout.write(f"{content.short(file)} written")
        held.held.cache_clear()
