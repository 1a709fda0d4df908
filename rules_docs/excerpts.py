"""What a hit shows of its paragraph: words around the marked ones, rows of a table under their header, the title of an example."""

from __future__ import annotations

import html as html_escapes
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.utils.safestring import SafeString, mark_safe

from rules_docs import content
from rules_docs.lexicon import Roots
from rules_docs.stems import WORD, fold, stems

SHOWN_WHOLE: Final = 300  # longest paragraph shown whole, in characters
SHOWN: Final = 240
MAX_ROWS: Final = 3
_ROW: Final = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
_CELL: Final = re.compile(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", re.DOTALL)
_TAG: Final = re.compile(r"<[^>]+>")

Cells = Sequence[SafeString]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`text` is safe HTML with the words marked; a table also has its header and the rows that were found."""

    text: SafeString
    head: Cells = ()
    rows: Sequence[Cells] = ()


def excerpt(kind: str, text: str, html: str, roots: AbstractSet[str], lang: str) -> Excerpt:
    """Return what a hit shows of a paragraph; words with one of the stems are marked."""
    if kind == "table":
        head, rows = _table(html)
        told = [(len({found for cell in row for found in _found(cell, roots, lang)}), -at, row) for at, row in enumerate(rows)]
        best = sorted((-at, row) for count, at, row in sorted(told, reverse=True)[:MAX_ROWS] if count) or [(0, row) for row in rows[:1]]
        return Excerpt(
            mark_safe(""),
            tuple(_marked(cell, roots, lang) for cell in head),
            tuple(tuple(_marked(cell, roots, lang) for cell in row) for _, row in best),
        )
    if kind == "example":
        text = text.partition("\n")[0]
    return Excerpt(_marked(_part(text, roots, lang), roots, lang))


def _table(html: str) -> tuple[list[str], list[list[str]]]:
    rows = [[_plain(cell) for cell in _CELL.findall(row)] for row in _ROW.findall(html)]
    return (rows[0], rows[1:]) if rows else ([], [])


def _plain(html: str) -> str:
    return " ".join(html_escapes.unescape(_TAG.sub(" ", content.IN_WORDS.sub("", html))).split())


def _found(text: str, roots: AbstractSet[str], lang: str) -> set[str]:
    return {root for word in WORD.findall(text) for root in _stems(word, lang) if root in roots}


def _has(word: str, roots: AbstractSet[str], lang: str) -> bool:
    return not roots.isdisjoint(_stems(word, lang))


@lru_cache(maxsize=20_000)
def _stems(word: str, lang: str) -> Roots:
    return stems(fold(word), lang)


def _part(text: str, roots: AbstractSet[str], lang: str) -> str:
    """Return the text, or of a long one the part with the most of the words."""
    if len(text) <= SHOWN_WHOLE:
        return text
    at = [match.start() for match in WORD.finditer(text) if _has(match[0], roots, lang)]
    best = max(at, key=lambda start: (sum(start <= other < start + SHOWN - 40 for other in at), -start), default=0)
    start = text.rfind(" ", 0, max(best - 30, 0)) + 1 if best > 60 else 0
    end = text.find(" ", start + SHOWN)
    end = len(text) if end < 0 else end
    return ("… " if start else "") + text[start:end] + (" …" if end < len(text) else "")


def _marked(text: str, roots: AbstractSet[str], lang: str) -> SafeString:
    parts, at = [], 0
    for match in WORD.finditer(text):
        if _has(match[0], roots, lang):
            parts += [html_escapes.escape(text[at : match.start()]), f"<mark>{html_escapes.escape(match[0])}</mark>"]
            at = match.end()
    return mark_safe("".join([*parts, html_escapes.escape(text[at:])]))
