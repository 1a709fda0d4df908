"""What each noun of the glossary means: the paragraphs that define it (`terms.toml`), and those that name it.

No database here. Every fault is a ContentError that names the file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from rules_docs import content
from rules_docs.content import ContentError
from voice import glossary

FILE: Final = "terms.toml"
_NOUN: Final = re.compile(r"\[\[(?:tile|term):([^\[\]]+)\]\]")
_KEYS: Final = frozenset(("anchors", "ids", "row", "prefix"))


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a noun is defined: paragraphs, the first one before all, and whose row it has where one of them is a table."""

    anchors: tuple[str, ...]
    row: str


@cache
def definitions(game: str, root: Path = content.ROOT) -> Mapping[str, Definition]:
    """Return the definition of every noun that a book defines, {} without `terms.toml`. Raises ContentError, KeyError."""
    file = root / game / FILE
    if not file.is_file():
        return {}
    try:
        data = tomllib.loads(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ContentError(file, 1, str(error)) from None
    anchors, nouns = content.places(game, root), glossary.noun_ids(game, content.FALLBACK)
    found: dict[str, Definition] = {}
    for group in data.get("groups", ()):
        where = group.get("anchors", ())
        ids = group.get("ids", ())
        row, prefix = group.get("row", ""), group.get("prefix", "")
        if strange := set(group) - _KEYS:
            raise ContentError(file, 1, f"a group has {', '.join(sorted(strange))}, which means nothing")
        if not where or not ids:
            raise ContentError(file, 1, f"a group lacks anchors or ids: {', '.join((*where, *ids))}")
        for anchor in where:
            if anchor not in anchors:
                raise ContentError(file, 1, f"{anchor!r} is no paragraph of the book")
        for noun_id in ids:
            if noun_id not in nouns:
                raise ContentError(file, 1, f"the glossary has no noun {noun_id!r}")
            if noun_id in found:
                raise ContentError(file, 1, f"{noun_id!r} is defined twice")
            if not noun_id.startswith(prefix):
                raise ContentError(file, 1, f"{noun_id!r} does not start with {prefix!r}")
            found[noun_id] = Definition(tuple(where), row or noun_id.removeprefix(prefix))
    return found


def text(game: str, root: Path = content.ROOT) -> str:
    """Return the file of definitions as it is, "" without one."""
    file = root / game / FILE
    return file.read_text("utf-8") if file.is_file() else ""


@cache
def mentions(game: str, root: Path = content.ROOT) -> Mapping[str, Sequence[str]]:
    """Return the paragraphs that name each noun by its id, in reading order. The same in all languages, read from the source's."""
    book = content.book(game, root)
    found: dict[str, list[str]] = {}
    for chapter in book.chapters:
        waiting: dict[str, None] = {}
        for text in book.file(chapter, book.source_language).read_text("utf-8").splitlines():
            waiting |= dict.fromkeys(_NOUN.findall(text))
            if anchor := content.anchor_at(text):
                for noun_id in waiting:
                    found.setdefault(noun_id, []).append(anchor)
                waiting = {}
    return found


def forget() -> None:
    """Read everything again at the next use (after files changed)."""
    definitions.cache_clear()
    mentions.cache_clear()
