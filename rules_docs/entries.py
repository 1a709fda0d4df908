"""Entries of the glossary as pages show them: noun, picture, definition, other languages, and where it is named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html_join, strip_tags
from django.utils.safestring import SafeString, mark_safe

from rules_docs import content, pages, terms
from rules_docs.models import Paragraph
from voice import drawing, glossary
from voice.collation import sort_key

_HEAD: Final = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
_ROW: Final = re.compile(r"<tr\b[^>]*>(.*?)</tr>", re.DOTALL)
_CELL: Final = re.compile(r"<td\b[^>]*>(.*?)</td>", re.DOTALL)
_TERM: Final = re.compile(r'href="term:([^"/]+)/"')
_NOTHING: Final = frozenset(("", "–", "–°", "°", "†", "(°)"))  # cells that tell nothing, with the marks of where a value is from


@dataclass(frozen=True, slots=True)
class Told:
    """One paragraph of a definition, or one row of a table."""

    html: SafeString
    is_block: bool  # a list or a table, not running text
    anchor: str
    label: str
    address: str


@dataclass(frozen=True, slots=True)
class Uses:
    """The paragraphs of one chapter that name a noun: number and address."""

    chapter: str
    places: Sequence[tuple[int, str]]

    @property
    def links(self) -> SafeString:
        return format_html_join(", ", '<a href="{}">{}</a>', ((address, number) for number, address in self.places))


@dataclass(frozen=True, slots=True)
class Entry:
    """A noun of one game in one language."""

    game: str
    id: str
    noun: str
    picture: SafeString
    others: Sequence[tuple[str, str]]  # code and noun
    told: Sequence[Told]
    uses: Sequence[Uses]

    @property
    def anchor(self) -> str:
        return entry_anchor(self.game, self.id)


def entry_anchor(game: str, noun_id: str) -> str:
    """Return the id of an entry in its page."""
    return f"{game}-{noun_id}"


def nouns(game: str, lang: str) -> list[tuple[str, str]]:
    """Return id and noun of everything that a book defines, in the alphabetical order of the language."""
    named = ((noun_id, glossary.noun(game, noun_id, lang)) for noun_id in terms.definitions(game))
    return sorted(named, key=lambda one: (sort_key(one[1], lang), one[0]))


def entries(game: str, lang: str, only: str = "") -> list[Entry]:
    """Return the entries of a book, or `only` one of them, in alphabetical order. One query.

    Within the page of all entries nouns lead to their place in it; in a single one to their own addresses.
    """
    defined = terms.definitions(game)
    shown = [one for one in nouns(game, lang) if not only or one[0] == only]
    anchors = {anchor for noun_id, _ in shown for anchor in defined[noun_id].anchors}
    rows = {row.anchor: row for row in Paragraph.objects.filter(game=game, lang=lang, anchor__in=anchors).defer("text")}
    return [_entry(game, noun_id, noun, lang, rows, inside=not only) for noun_id, noun in shown]


def _entry(game: str, noun_id: str, noun: str, lang: str, rows: dict[str, Paragraph], *, inside: bool) -> Entry:
    definition = terms.definitions(game)[noun_id]
    told = [_told(game, rows[anchor], noun_id, definition.row, lang, inside=inside) for anchor in definition.anchors if anchor in rows]
    named = (anchor for anchor in terms.mentions(game).get(noun_id, ()) if anchor not in definition.anchors)
    return Entry(game, noun_id, noun, picture(game, noun_id, lang), others(game, noun_id, lang), told, _uses(game, named, lang))


def picture(game: str, noun_id: str, lang: str) -> SafeString:
    """Return the small picture of a piece; nothing for what has none."""
    try:
        return drawing.piece(game, noun_id, lang, css="piece piece--inline", decorative=True)
    except KeyError:
        return mark_safe("")


def others(game: str, noun_id: str, lang: str) -> list[tuple[str, str]]:
    codes = [code for code in settings.INTERFACE_LANGUAGES if code != lang]
    return [(code, glossary.noun(game, noun_id, code)) for code in codes if noun_id in glossary.noun_ids(game, code)]


def _told(game: str, row: Paragraph, noun_id: str, of: str, lang: str, *, inside: bool) -> Told:
    line = _row_of(row.html, of, whole=of != noun_id) if row.kind == "table" else None
    html = row.html if line is None else line
    if inside:
        html = _TERM.sub(lambda match: f'href="#{entry_anchor(game, match[1])}"', html)
    return Told(
        html=pages.with_addresses(html, game, lang),
        is_block=row.kind != "text" and line is None,
        anchor=row.anchor,
        label=content.paragraph_label(game, row.anchor, lang),
        address=reverse("rules:paragraph", args=[lang, game, row.anchor]),  # which opens in a drawer
    )


def _row_of(table: str, noun_id: str, *, whole: bool) -> str | None:
    """Return the row of a table that has a noun, before all at its head: "Number: 25; Belongs to: pharaohs". None without one.

    The noun itself is left out, as the entry is headed by it, unless the `whole` row is wanted: that of another noun.
    """
    mark = content.term_mark(noun_id)
    rows = [_CELL.findall(row) for row in _ROW.findall(table)]
    rows = [cells for cells in rows if any(mark in cell for cell in cells)]
    if not rows:
        return None
    cells = next((cells for cells in rows if mark in cells[0]), rows[0])
    parts = []
    for head, cell in zip(_HEAD.findall(table), cells, strict=False):
        rest = re.sub(rf'<a\b[^>]*"{re.escape(mark)}"[^>]*>.*?</a>', "", cell, flags=re.DOTALL) if mark in cell and not whole else cell
        if strip_tags(rest).strip() not in _NOTHING:
            parts.append(f"{head}: {cell.strip()}" if head.strip() else cell.strip())
    return "; ".join(parts)


def _uses(game: str, anchors: Iterable[str], lang: str) -> list[Uses]:
    book, places = content.book(game), content.places(game)
    found = []
    for slug, group in groupby(anchors, key=lambda anchor: places[anchor].chapter):
        title = book.chapter(slug).title[book.shown_in(lang)]
        found.append(Uses(title, [(places[anchor].number, content.paragraph_address(game, anchor, lang)) for anchor in group]))
    return found
