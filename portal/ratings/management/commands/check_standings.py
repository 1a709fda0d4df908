"""Say whether the stored standings match the finished games."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = (
        "Recalculate all standings from the finished games and compare them with the stored ones, row for row and bit for bit. "
        "Nothing is written. Exit code 1, and a line for each difference, if they do not agree; rebuild_standings mends them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("rebuild_standings", check=True, json=options["json"], stdout=self.stdout, stderr=self.stderr)
