"""Nouns of the games (pieces, places, people), by id and language: one translation for boards, logs and pages alike.

`glossary/<lang>.toml` has one section per game. A plain string serves for every number; a table gives the forms after
1 (`one`), after 2-4 where the language has it (`few`), and after any other number (`many`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from babel import Locale
from babel.lists import format_list

FOLDER = Path(__file__).resolve().parent / "glossary"
FALLBACK = "en"
LIST_LOCALES = {"en": "en_GB"}  # no comma before "and"


@cache
def sections(lang: str) -> dict[str, dict[str, str | dict[str, str]]]:
    """Return all entries of a language, {game: {id: noun or forms}}; {} for a language without a glossary."""
    file = FOLDER / f"{lang}.toml"
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def noun_ids(game: str, lang: str) -> frozenset[str]:
    """Return the ids that a game's glossary names in a language."""
    return frozenset(sections(lang).get(game, {}))


def _entry(game: str, noun_id: str, lang: str) -> tuple[str | dict[str, str], str]:
    for candidate in (lang, FALLBACK):
        found = sections(candidate).get(game, {}).get(noun_id)
        if found is not None:
            return found, candidate
    raise KeyError(f"the glossary of {game} has no noun {noun_id!r}")


def noun(game: str, noun_id: str, lang: str, count: int | None = None) -> str:
    """Return the noun of an id, in the form that follows the number `count` (the bare noun without one).

    A noun that a language lacks is given in English; an id that no glossary has raises KeyError.
    """
    entry, found_in = _entry(game, noun_id, lang)
    if isinstance(entry, str):
        return entry
    if count is None:
        return entry["one"]
    category = _plural(found_in)(abs(count))
    return entry.get(category) or entry.get("many") or entry["one"]


def counted(game: str, noun_id: str, lang: str, count: int) -> str:
    """Return a number with its noun, `3 pharaohs`."""
    return f"{count}\u00a0{noun(game, noun_id, lang, count)}"


def nouns(game: str, ids: Iterable[str] | Mapping[str, int], lang: str) -> str:
    """Return a list of nouns joined with "and": equal ones are counted together, in the order of first appearance.

    >>> nouns("ra", ["pharaoh", "nile", "pharaoh"], "en")
    '2\\xa0pharaohs and Nile'
    """
    counts: dict[str, int] = {}
    for item, n in ids.items() if isinstance(ids, Mapping) else ((item, 1) for item in ids):
        counts[item] = counts.get(item, 0) + n
    parts = [noun(game, item, lang) if n == 1 else counted(game, item, lang, n) for item, n in counts.items() if n]
    return and_list(parts, lang)


def and_list(parts: list[str], lang: str) -> str:
    """Return the parts joined in the language's way: `a, b and c`."""
    return format_list(parts, locale=LIST_LOCALES.get(lang, lang)) if parts else ""


@cache
def _plural(lang: str):  # type: ignore[no-untyped-def]
    return Locale(lang).plural_form
