"""manage.py check_rules: what is wrong, missing or out of date in the rule books, for those who write and translate them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rules_docs import checks, content


class Command(BaseCommand):
    help = (
        "Reads the rule books and says what to do, with file and line. Exit code 1 if a page is broken; what a language lacks is only told."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="*", help="only these books; all when left out")
        parser.add_argument("--lang", default="", help="of what is missing or out of date, tell only this language")
        parser.add_argument("--faults", action="store_true", help="tell only what is broken")

    def handle(self, *args: Any, game: list[str], lang: str, faults: bool, **options: Any) -> None:
        known = content.book_keys()
        for key in game:
            if key not in known:
                raise CommandError(f"there is no rule book {key!r}; there are: {', '.join(known)}")
        broken = 0
        for key in game or known:
            found = checks.check(key)
            broken += len(found.faults)
            for line in found.faults:
                self.stdout.write(line)
            if not faults:
                self._tell(found, lang)
        if broken:
            raise CommandError(f"{broken} faults: these pages can't be shown until they are mended")

    def _tell(self, found: checks.Findings, only: str) -> None:
        for lang, lines in sorted(found.open.items()):
            for line in lines if only in ("", lang) else ():
                self.stdout.write(line)
        drafts = ", ".join(f"{lang}: {count}" for lang, count in sorted(found.drafts.items()) if count and only in ("", lang))
        left = sum(len(lines) for lang, lines in found.open.items() if only in ("", lang))
        self.stdout.write(
            f"{found.game}: {left} things to translate or bring up to date"
            + (f"; drafts to be read by somebody else, {drafts}" if drafts else "")
        )
