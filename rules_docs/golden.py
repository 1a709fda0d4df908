"""How good the search is: questions with the paragraphs that answer them, and the mean reciprocal rank of the first right one."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

from rules_docs.search import search

DEEPEST: Final = 10  # a right paragraph below this rank counts as not found


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a golden set. `right` are the paragraphs that answer it, "ra#auction-3"; `kind` its table in the file."""

    q: str
    kind: str
    right: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the search made of a question: `rank` of the first right paragraph, 0 for none; `first` is what came first."""

    question: Question
    rank: int
    first: str
    ms: float

    @property
    def worth(self) -> float:
        return 1 / self.rank if self.rank else 0.0


def read(file: Path) -> list[Question]:
    """Return the questions of a file, `tests/rules_docs/golden/<lang>.toml`: tables of kinds, {question: [paragraph, …]}."""
    tables = tomllib.loads(file.read_text("utf-8"))
    return [Question(q, kind, tuple(right)) for kind, table in tables.items() for q, right in table.items()]


def ask(questions: Sequence[Question], lang: str) -> list[Answer]:
    """Ask all questions in a language."""
    answers = []
    for question in questions:
        started = perf_counter()
        hits = search(question.q, lang).hits
        took = (perf_counter() - started) * 1000
        found = [f"{hit.game}#{hit.anchor}" for hit in hits[:DEEPEST]]
        rank = next((at for at, one in enumerate(found, 1) if one in question.right), 0)
        answers.append(Answer(question, rank, found[0] if found else "", took))
    return answers


def mean_reciprocal_rank(answers: Sequence[Answer]) -> float:
    """Return 1 when every question has a right paragraph first, 0.5 when it is always second, 0 when none is found."""
    return sum(answer.worth for answer in answers) / len(answers)
