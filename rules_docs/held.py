"""What holds each paragraph, as its page "When does this happen?" lists it: scenario tests as sentences, and the steps of worked examples.

A site may be deployed without its tests, so the list is a file of the book, `held.json`. `manage.py rules_coverage --held` writes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from rules_docs import content, examples
from rules_docs.coverage import Marks

FURTHER_EXAMPLES: Final = 3  # that show a paragraph in passing, besides those written for it
# Files of a game's tests that hold the program rather than a rule: bots, questions, drawings, files of positions.
NO_SCENARIOS: Final = re.compile(
    r"test_(?:bots|counts|examples|golden_games|invariants|oracle|plans|positions|previews|prompt\w*|properties|scene|words)\.py"
)
# Words of those who write the program, and tests that run over a list of cases.
NOT_FOR_READERS: Final = re.compile(r"\b(?:cases?|derivation|refus\w+|sampled?|scorer|texts|vectors?|view)\b")
_CAPITAL: Final = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_SMALL: Final = re.compile(r"\b[a-z]+\b")


@dataclass(frozen=True, slots=True)
class Held:
    """What holds one paragraph."""

    tests: Sequence[str] = ()  # English sentences
    examples: Sequence[tuple[str, int]] = field(default=())  # name and step; step 0 of those that were written for the paragraph


def file_of(game: str, root: Path = content.ROOT) -> Path:
    """Return the path of a book's file."""
    return root / game / "held.json"


@cache
def held(game: str, root: Path = content.ROOT) -> Mapping[str, Held]:
    """Return what holds the paragraphs of a book, by anchor; only those of which there is something. Empty for a book without the file."""
    try:
        data = json.loads(file_of(game, root).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    return {
        anchor: Held(tuple(one.get("tests", ())), tuple((name, step) for name, step in one.get("examples", ())))
        for anchor, one in data.items()
    }


def made(game: str, found: Marks) -> str:
    """Return what the file of a book should hold, a line for each paragraph in reading order."""
    shown, names = _shown(game), _proper(game)
    lines = []
    for anchor in content.places(game):
        one: dict[str, Any] = {}
        if tests := [sentence(name, names) for name in _scenarios(game, found.get(f"{game}#{anchor}", ()))]:
            one["tests"] = tests
        if anchor in shown:
            one["examples"] = shown[anchor]
        if one:
            lines.append(f" {json.dumps(anchor)}: {json.dumps(one, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


# ---------------------------------------------------------------- tests


def sentence(test: str, names: Mapping[str, str]) -> str:
    """Return the name of a test as a sentence; `names` gives proper names by their small letters.

    >>> sentence("test_on_another_player_s_turn_the_ra_track_fills", {"ra": "Ra"})
    "On another player's turn the Ra track fills."
    """
    words = test.removeprefix("test_").replace("_s_", "'s_").split("_")
    text = " ".join(names.get(word, word) for word in words)
    return f"{text[0].upper()}{text[1:]}."


def _scenarios(game: str, tests: Sequence[str]) -> Iterator[str]:
    """Yield the bare names of the tests among those of a paragraph that tell a situation of the game."""
    for test in tests:
        file, _, inside = test.partition("::")
        name = inside.rpartition(".")[2]
        if not file.startswith(f"engine/{game}/") or not name or NO_SCENARIOS.fullmatch(file.rpartition("/")[2]):
            continue
        if not NOT_FOR_READERS.search(name.replace("_", " ")):
            yield name


def _proper(game: str) -> dict[str, str]:
    """Return the words that the English book writes with a capital within sentences, and never with a small letter."""
    book = content.book(game)
    lang = book.shown_in("en")
    text = "\n".join(block.text for chapter in book.chapters for block in content.read_chapter(book, chapter, lang).blocks)
    small = set(_SMALL.findall(text))
    return {word.lower(): word for word in _CAPITAL.findall(text) if word.lower() not in small}


# ---------------------------------------------------------------- worked examples


def _shown(game: str) -> dict[str, list[tuple[str, int]]]:
    """Return the worked examples of each paragraph: those written for it, then a few with a step that cites it.

    Of these a step that the paragraph forbids comes first, then the shortest example.
    """
    own: dict[str, list[tuple[str, int]]] = {}
    further: dict[str, list[tuple[bool, int, str, int]]] = {}
    for name in examples.example_names(game):
        anchor = examples.example(game, name).anchor
        own.setdefault(anchor, []).append((name, 0))
        frames = examples.played(game, name)
        first: dict[str, tuple[bool, int]] = {}
        for step, frame in enumerate(frames):
            refused = [frame.refusal.rule] if frame.refusal is not None else []
            for rule in (*refused, *(event.rule for event in frame.events if event.rule)):
                of, _, cited = rule.partition("#")
                if of == game and cited != anchor:
                    first.setdefault(cited, (not refused, step))
        for cited, (is_allowed, step) in first.items():
            further.setdefault(cited, []).append((is_allowed, len(frames), name, step))
    return {
        anchor: own.get(anchor, []) + [(name, step) for *_, name, step in sorted(further.get(anchor, []))[:FURTHER_EXAMPLES]]
        for anchor in {**own, **further}
    }


def forget() -> None:
    """Read all files again at the next use."""
    held.cache_clear()
