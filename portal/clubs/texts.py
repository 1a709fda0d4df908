"""Names and texts that people give: tidied, or refused with a sentence. One place for clubs, seasons, leagues and sets."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from django.utils.text import slugify

from portal.clubs import refusals
from portal.clubs.models import NAME_CHARS, TEXT_CHARS

MAX_MARKS: Final = 3  # accents on one letter; more would pile up over the lines above
_MIXED: Final = re.compile(r"[A-Za-z\u00c0-\u024f][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z\u00c0-\u024f]")  # looks like another name
_BIDI: Final = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LOOKS: Final = re.compile("[\ufe0e\ufe0f]")  # selects text or emoji style of a character: not part of a name
# Invisible letters and marks: names with and without them would look the same, and a name of nothing else would look empty.
_BLANK: Final = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]")
_CYRILLIC: Final = {
    "а": "a", "б": "b", "в": "v", "г": "g", "ґ": "g", "д": "d", "е": "e", "ё": "yo", "є": "ye", "ж": "zh", "з": "z", "и": "i", "і": "i",
    "ї": "yi", "й": "y", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ў": "u",
    "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu", "я": "ya",
}  # fmt: skip
_LATIN: Final = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
_TRANSLITERATION: Final = str.maketrans({**_CYRILLIC, **_LATIN})


def clean_name(text: object, *, field: str = "name", limit: int = NAME_CHARS) -> str:
    """Return a name: one line of 1 to `limit` printable characters with a letter or digit among them. Raises BadValue."""
    name = _LOOKS.sub("", _tidied(text, field, limit))
    name = re.sub(r" {2,}", " ", "".join(" " if unicodedata.category(c) == "Zs" else c for c in name)).strip(" ")
    if not name:
        raise (refusals.TitleMissing if field == "title" else refusals.NameMissing)(field=field)
    if not name.isprintable() or any(c in _BIDI for c in name) or _BLANK.search(name) or _has_tower(name):
        raise refusals.BadCharactersInName(field=field)
    if _MIXED.search(name):
        raise refusals.MixedAlphabets(field=field)
    if not any(c.isalnum() for c in name):
        raise refusals.NoLetters(field=field)
    return _within(name, field, limit)


def clean_text(text: object, *, field: str = "text", limit: int = TEXT_CHARS) -> str:
    """Return a text of at most `limit` characters, possibly empty; newlines are the only control characters. Raises BadValue."""
    tidied = _tidied(text, field, limit)
    if any((c != "\n" and unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")) or c in _BIDI for c in tidied) or _has_tower(tidied):
        raise refusals.BadCharacters(field=field)
    return _within(tidied, field, limit)


def clean_line(text: object, *, field: str = "message", limit: int = 300) -> str:
    """Return a text of one line, possibly empty: newlines become spaces. Raises BadValue."""
    return " ".join(clean_text(text, field=field, limit=limit).split())


def slug_of(name: str) -> str:
    """Return the address of a name: Latin letters, digits and hyphens, 70 at most; "club" when nothing is left.

    Accents are dropped ("Ősi Kő" is osi-ko) and Cyrillic is transliterated ("Казань" is kazan).
    """
    lowered = unicodedata.normalize("NFC", name).lower().translate(_TRANSLITERATION)
    return slugify(lowered)[:70].strip("-_") or "club"


def _tidied(text: object, field: str, limit: int) -> str:
    """Return the text without white space at its ends, newlines as `\\n`, letters composed; far too long ones are not processed."""
    if not isinstance(text, str):
        raise refusals.NotText(field=field)
    if len(text) > 8 * limit + 100:
        raise refusals.TooLong(field=field, limit=limit)
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n").strip(" \n\t\u00a0"))


def _within(text: str, field: str, limit: int) -> str:
    if len(text) > limit:
        raise refusals.TooLong(field=field, limit=limit)
    return text


def _has_tower(text: str) -> bool:
    """Say whether one letter has more combining marks than any language needs."""
    marks = 0
    for c in text:
        marks = marks + 1 if unicodedata.category(c) in ("Mn", "Me") else 0
        if marks > MAX_MARKS:
            return True
    return False
