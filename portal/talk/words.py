"""What may be said: one line of plain text, or a phrase of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from portal.common.texts import JOINERS, tidy
from portal.talk import refusals
from portal.talk.models import MAX_LINE_CHARS, MAX_NOTE_CHARS

PHRASES: Final[Mapping[str, str]] = {
    "hello": gettext_noop("Hello!"),
    "good_luck": gettext_noop("Good luck!"),
    "well_played": gettext_noop("Well played!"),
    "thanks": gettext_noop("Thanks!"),
    "one_moment": gettext_noop("One moment, please."),
}


def line_of(raw: str) -> str:
    """Return a text as it is said. Raises NothingSaid and LineTooLong."""
    text = tidy(raw)
    if not text.strip(JOINERS):
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
