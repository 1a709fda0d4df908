"""The overview of a game: one board for five screens, and the style sheet that fades what a screen does not mean.

Everybody sees the same, so it is drawn once per process and language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from zlib import crc32

from django.utils import translation
from django.utils.safestring import SafeString

from games.registry import Entry
from portal.tables.how import draw
from portal.tables.speaker import rule_link
from rules_docs.teaching import teaching_of

CHIP = (
    "position:absolute;inset:-0.4rem -0.4rem auto auto;z-index:2;padding:0.1rem 0.45rem;border-radius:99px;background:var(--ink);"
    "color:var(--surface);font:700 var(--fs-sm)/1.3 var(--sans)"
)


@dataclass(frozen=True, slots=True)
class Shown:
    """One screen in words, with its paragraphs."""

    number: int
    key: str
    title: str
    text: str
    rules: Sequence[dict[str, str]]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The overview of a game in one language."""

    board: SafeString
    players: SafeString
    screens: Sequence[Shown]
    seats: int


@cache
def overview_of(entry: Entry, lang: str) -> Drawn | None:
    """Return the overview of a game in a language; None for a game that is not taught."""
    found = teaching_of(entry.key)
    if found is None:
        return None
    told = found.overview
    with translation.override(lang):
        board, players = draw(entry, found.names[lang][: told.seats], lang, told.state, seat=told.seat)
    screens = [
        Shown(number, screen.key, screen.title[lang], screen.text[lang], [rule_link(rule, lang) for rule in screen.rules])
        for number, screen in enumerate(told.screens, 1)
    ]
    return Drawn(board, players, screens, told.seats)


@cache
def style_of(key: str) -> str | None:
    """Return the style sheet of a game's overview; None for a game that is not taught.

    On each screen the parts fade that it neither means nor contains something that it means.
    """
    found = teaching_of(key)
    if found is None:
        return None
    rules = []
    parts = ", ".join(found.overview.parts)
    for number, screen in enumerate(found.overview.screens, 1):
        here = f".learn:has(#screen-{number}:checked)"
        if screen.shows and parts:
            meant = ", ".join(screen.shows)
            rules.append(f"{here} :is({parts}):not({meant}, :has({meant})) {{ opacity: 0.28; }}")
        for at, told in screen.points:
            rules += [f"{here} :is({at}) {{ position: relative; }}", f'{here} :is({at})::after {{ content: "{told}"; {CHIP} }}']
    return "\n".join(rules) + "\n"


@cache
def style_version(key: str) -> str:
    """Return what changes with the style sheet: part of its address."""
    return f"{crc32((style_of(key) or '').encode()):08x}"
