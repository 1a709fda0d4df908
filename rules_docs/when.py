"""When does this happen? What shows a paragraph at work: worked examples, situations that tests hold, and positions of finished games.

The positions come from the app that has the games, which registers here, so that the rule books need not import it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.urls import reverse

from rules_docs import content, examples
from rules_docs.held import held


@dataclass(frozen=True, slots=True)
class Position:
    """A step of a finished game that everybody may see."""

    address: str
    text: str  # what happened there, in the reader's language
    who: str  # the players
    at: datetime  # when the game ended


Finder = Callable[[str, str, str], Sequence[Position]]  # game, anchor, language; newest first

FINDERS: Final[list[Finder]] = []


@dataclass(frozen=True, slots=True)
class When:
    """What shows one paragraph at work."""

    examples: Sequence[tuple[str, str]]  # address and title
    tests: Sequence[str]  # English sentences
    positions: Sequence[Position]

    def __bool__(self) -> bool:
        return bool(self.examples or self.tests or self.positions)


def when_of(game: str, anchor: str, lang: str) -> When:
    """Return what shows a paragraph at work."""
    shown = held(game).get(anchor)
    return When(
        [(_address(game, name, step, lang), _title(game, name, lang)) for name, step in shown.examples] if shown else [],
        shown.tests if shown else (),
        [position for find in FINDERS for position in find(game, anchor, lang)],
    )


def anchors(game: str) -> Collection[str]:
    """Return the paragraphs of which there is something to show whatever was played."""
    return held(game).keys()


def _address(game: str, name: str, step: int, lang: str) -> str:
    """Return where an example is in its chapter, opened at a step."""
    chapter = content.places(game)[examples.example(game, name).anchor].chapter
    query = f"?example={name}&step={step}" if step else ""
    return f"{reverse('rules:chapter', args=[content.book(game).shown_in(lang), game, chapter])}{query}#{content.example_anchor(name)}"


def _title(game: str, name: str, lang: str) -> str:
    title = examples.example(game, name).title
    return title.get(lang) or title[content.FALLBACK]
