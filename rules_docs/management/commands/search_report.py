"""manage.py search_report: how good and how fast the search in the rule pages is."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from rules_docs import golden


class Command(BaseCommand):
    help = "Asks the golden questions and prints the mean reciprocal rank and the time of an answer for each file of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="*", type=Path, help="files of questions; those of the tests when left out")
        parser.add_argument("--missed", action="store_true", help="also list the questions whose first paragraph is not a right one")

    def handle(self, *args: Any, file: list[Path], missed: bool, **options: Any) -> None:
        files = file or sorted((Path(settings.BASE_DIR) / "tests" / "rules_docs" / "golden").glob("*.toml"))
        if not files:
            raise CommandError("there are no files of questions")
        for one in files:
            lang = one.name[:2]
            questions = golden.read(one)
            golden.ask(questions, lang)  # the first round warms database and caches
            answers = golden.ask(questions, lang)
            times = sorted(answer.ms for answer in answers)
            p50, p99 = times[len(times) // 2], times[min(len(times) * 99 // 100, len(times) - 1)]
            rank = golden.mean_reciprocal_rank(answers)
            self.stdout.write(f"{one.stem}: {len(answers)} questions, MRR {rank:.3f}, p50 {p50:.1f} ms, p99 {p99:.1f} ms")
            for answer in answers if missed else ():
                if answer.rank != 1:
                    place = f"rank {answer.rank}" if answer.rank else "not found"
                    self.stdout.write(f"  {answer.question.q}: {place}; first is {answer.first or '-'}")
