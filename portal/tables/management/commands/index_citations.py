"""manage.py index_citations: find the paragraphs that older games cited, for the page "When does this happen?" of the rule books."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from portal.common.progress import Bar
from portal.tables import citations
from portal.tables.models import Citation


class Command(BaseCommand):
    help = (
        "Read the public games that ended before the rule pages listed them, newest first. It can be stopped at any time, even with Ctrl-C, "
        "and goes on from there; pages and workers needn't wait for it. When all have been read, there is nothing to do."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=0, metavar="N", help="stop after so many games")
        parser.add_argument("--again", action="store_true", help="empty the index first, and read all games")

    def handle(self, *args: Any, games: int, again: bool, **options: Any) -> None:
        if again:
            citations.start_again()
        read, total = 0, citations.left()
        with Bar("finish numbers", total) as bar:
            while (not games or read < games) and citations.read_old():
                read += 1
                bar.at(total - citations.left())
            bar.at(total - citations.left())
        self.stdout.write(f"{read} games read, {citations.left()} finish numbers left; {Citation.objects.count()} citations in the index")
