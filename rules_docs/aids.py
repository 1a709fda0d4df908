"""Lines of the player aids that have every word of a question: a search shows them beside the paragraphs they sum up."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.conf import settings

from games import registry
from rules_docs import inline
from rules_docs.index import names
from rules_docs.stems import stems, words
from rules_docs.teaching import Row, is_taught, teaching_of

MAX_LINES: Final = 3


@dataclass(frozen=True, slots=True)
class AidHit:
    """A line of the player aid of a game."""

    game: str
    row: Row


def lines(asked: Sequence[Collection[str]], lang: str, game: str = "") -> list[AidHit]:
    """Return the shortest lines that have every word of a question; each of `asked` holds the stems that answer one of its words.

    A word that names the game alone finds nothing: every line would have it.
    """
    if lang not in settings.INTERFACE_LANGUAGES:
        return []
    found = [
        (len(row.text[lang]), order, AidHit(key, row))
        for order, (key, row, roots) in enumerate(_rows(lang))
        if game in ("", key) and all(not roots.isdisjoint(one) for one in asked) and any(names(key, lang).isdisjoint(one) for one in asked)
    ]
    return [hit for *_, hit in sorted(found, key=lambda one: one[:2])[:MAX_LINES]]


@cache
def _rows(lang: str) -> Sequence[tuple[str, Row, frozenset[str]]]:
    """Return every line of every aid with its stems, those of the game's name among them."""
    return tuple((game, row, names(game, lang) | _stems(game, row, lang)) for game, row in _all())


def _all() -> Iterator[tuple[str, Row]]:
    for game in registry.GAMES:
        teaching = teaching_of(game) if is_taught(game) else None
        for section in teaching.aid if teaching else ():
            yield from ((game, row) for row in section.rows)


def _stems(game: str, row: Row, lang: str) -> frozenset[str]:
    return frozenset(root for word in words(inline.spoken(game, row.text[lang], lang)) for root in stems(word, lang))


def forget() -> None:
    """Read all aids again at the next use (after their files changed)."""
    _rows.cache_clear()
