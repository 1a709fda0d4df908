"""`manage.py messages`: gather the messages, compile the catalogues, report what is missing."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from portal.common import catalogues


class Command(BaseCommand):
    help = "Gather the messages from code and templates into locale/<language>/LC_MESSAGES/django.po, or compile these files."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: CommandParser) -> None:
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument("--compile", action="store_true", help="only compile .po files that are newer than their .mo file")
        choice.add_argument("--check", action="store_true", help="change nothing; exit code 1 if a message lacks a translation")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["compile"]:
            for file in catalogues.compile_all():
                self.stderr.write(f"compiled {file.relative_to(settings.BASE_DIR)}")
            return
        found = catalogues.sentences()
        tell = catalogues.state if options["check"] else catalogues.update
        states = [tell(language, found) for language in catalogues.LANGUAGES]
        if not options["check"]:
            catalogues.compile_all()
        if options["json"]:
            self.stdout.write(
                json.dumps([{"language": s.language, "total": s.total, "missing": s.missing, "unused": s.unused} for s in states])
            )
        else:
            for s in states:
                self.stdout.write(f"{s.language}: {s.total - len(s.missing)} of {s.total} sentences")
                if options["check"] and s.language in settings.INTERFACE_LANGUAGES:
                    for text in s.missing:
                        self.stdout.write(f"  missing: {text}")
        if options["check"] and any(s.missing or s.unused for s in states if s.language in settings.INTERFACE_LANGUAGES):
            raise SystemExit(1)
