"""What may be said: one line of plain text, or a phrase of ours."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from portal.talk import refusals
from portal.talk.models import MAX_LINE_CHARS, MAX_NOTE_CHARS

PHRASES: Final[Mapping[str, str]] = {
    "hello": gettext_noop("Hello!"),
    "good_luck": gettext_noop("Good luck!"),
    "well_played": gettext_noop("Well played!"),
    "thanks": gettext_noop("Thanks!"),
    "one_moment": gettext_noop("One moment, please."),
}
_JOINERS: Final = "\u200c\u200d"  # letters of some scripts, and emoji, are joined or kept apart by them
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
        if marks <= _MOST_MARKS and (kind[0] != "C" or char in _JOINERS):
            kept.append(char)
    return "".join(kept)


def line_of(raw: str) -> str:
    """Return a text as it is said. Raises NothingSaid and LineTooLong."""
    text = tidy(raw)
    if not text.strip(_JOINERS):
        raise refusals.NothingSaid
    if len(text) > MAX_LINE_CHARS:
        raise refusals.LineTooLong(limit=MAX_LINE_CHARS, count=len(text))
    return text


def note_of(raw: str) -> str:
    """Return notes as they are kept. Raises NoteTooLong."""
    text = tidy(raw, keeps_lines=True)
    if len(text) > MAX_NOTE_CHARS:
        raise refusals.NoteTooLong(limit=MAX_NOTE_CHARS, count=len(text))
    return text


def said(text: str, phrase: str) -> str:
    """Return what a line says, in the active language. A phrase of a later release says nothing."""
    return _(PHRASES[phrase]) if phrase in PHRASES else text
