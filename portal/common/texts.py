"""Plain text that people write for others to read."""

from __future__ import annotations

import unicodedata
from typing import Final

JOINERS: Final = "\u200c\u200d"  # letters of some scripts, and emoji, are joined or kept apart by them
_MOST_MARKS: Final = 3  # on one letter: no language needs more, and a pile of them covers other lines


def tidy(text: str, *, keeps_lines: bool = False) -> str:
    """Return a text without what can't be seen, turns the direction of what follows, or piles up.

    >>> tidy("a\u202eb  \x07c")
    'ab c'
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    tidied = [_tidy_line(line) for line in lines]
    return ("\n" if keeps_lines else " ").join(tidied).strip() if keeps_lines else " ".join(" ".join(tidied).split())


def _tidy_line(line: str) -> str:
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", " ".join(line.split())):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks <= _MOST_MARKS and (kind[0] != "C" or char in JOINERS):
            kept.append(char)
    return "".join(kept)
