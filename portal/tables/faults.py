"""What is wrong with a position or a record, in the reader's language."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import get_language

from games.core.contract import PositionError
from voice.wording import say_fault


def said(error: PositionError) -> str:
    """Return a fault in the active language; the field keeps the name that it has in the file."""
    return say_fault(error, get_language() or settings.LANGUAGE_CODE)


def language_of(error: PositionError) -> str:
    """Return the language in which `said` says a fault: English for one without a sentence, or without a translation."""
    line = said(error)
    return settings.LANGUAGE_CODE if line == str(error) else get_language() or settings.LANGUAGE_CODE


class Said:
    """A fault that is said in the language in which it is read."""

    def __init__(self, error: PositionError) -> None:
        self.error = error

    def __str__(self) -> str:
        return said(self.error)
