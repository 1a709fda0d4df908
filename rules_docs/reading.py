"""Books as values for programs: chapters, paragraphs, examples, entries of the glossary and player aids, without any page around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.urls import reverse

from games import registry
from rules_docs import content, entries, examples, inline, pages, terms
from rules_docs.examples import ExampleError
from rules_docs.models import Book, Paragraph
from rules_docs.teaching import is_taught, teaching_of
from voice import glossary

_TERM: Final = re.compile(r'href="term:([^"/]+)/"')
_LINK: Final = re.compile(r'href="/[a-z]{2}/rules/([a-z0-9_]+)/[a-z0-9-]+/#([a-z0-9-]+)"')


class NotWritten(LookupError):
    """There is no such book, chapter, paragraph, example, entry or aid, or the book isn't loaded."""


@dataclass(frozen=True, slots=True)
class BookRead:
    """A book. `lang` is the language of its text for this reader; `version` changes with any text of it."""

    game: str
    title: str
    edition: str
    designers: Sequence[str]
    lang: str
    languages: Sequence[str]
    version: str
    changed_at: datetime
    has_aid: bool
    path: str


@dataclass(frozen=True, slots=True)
class ChapterRead:
    """A chapter, without its text."""

    id: str
    number: int
    title: str
    kind: str  # one of content.KINDS
    state: str  # one of content.STATES
    source: str
    is_untranslated: bool
    is_outdated: bool
    paragraphs: Sequence[str]  # ids of its pieces, in order
    path: str


@dataclass(frozen=True, slots=True)
class ParagraphRead:
    """One piece of a chapter: `id` is its anchor, the same in all languages."""

    id: str
    game: str
    chapter: str
    number: int | None
    kind: str
    level: int  # of a heading, else 0
    section: str
    text: str
    html: str
    lang: str
    terms: Sequence[str]  # ids of the nouns that it names
    links: Sequence[str]  # "ra#auction-3", the paragraphs that it refers to
    example: str | None
    path: str


@dataclass(frozen=True, slots=True)
class StepRead:
    """A step of a worked example. `refused` is the paragraph that forbids it."""

    actor: int
    action: str
    text: str
    refused: str | None
    path: str  # of the page that draws the position after it


@dataclass(frozen=True, slots=True)
class ExampleRead:
    """A worked example with its position file."""

    id: str
    game: str
    paragraph: str
    title: str
    intro: str
    names: Sequence[str]
    position: Any
    steps: Sequence[StepRead]
    path: str  # of the page that draws the position before the first step


@dataclass(frozen=True, slots=True)
class NounRead:
    """A noun of the glossary, in this language and the others."""

    id: str
    game: str
    noun: str
    others: Sequence[tuple[str, str]]  # language, noun


@dataclass(frozen=True, slots=True)
class EntryRead:
    """An entry of the glossary: the paragraphs, or rows of a table, that define a noun, and the paragraphs that name it."""

    noun: NounRead
    told: Sequence[tuple[str, str]]  # paragraph, HTML
    uses: Sequence[str]
    path: str


@dataclass(frozen=True, slots=True)
class AidRowRead:
    """A line of a player aid."""

    text: str
    html: str
    worth: str
    rules: Sequence[str]


@dataclass(frozen=True, slots=True)
class AidSectionRead:
    """A part of a player aid."""

    key: str
    title: str
    rows: Sequence[AidRowRead]


def _book(game: str) -> content.Book:
    if game not in content.book_keys():
        raise NotWritten(game)
    return content.book(game)


def books(lang: str) -> list[BookRead]:
    """Return all books that are loaded, in the order of their keys. One query."""
    rows = {row.game: row for row in Book.objects.all()}
    return [_book_read(rows[game], lang) for game in content.book_keys() if game in rows]


def book(game: str, lang: str) -> tuple[BookRead, list[ChapterRead]]:
    """Return a book and its chapters. Two queries. Raises NotWritten."""
    shown = _book(game).shown_in(lang)
    rows = pages.chapters_of(game, shown)
    if not rows:
        raise NotWritten(game)
    anchors: dict[int, list[str]] = {}
    for chapter, anchor in Paragraph.objects.filter(game=game, lang=shown).order_by("position").values_list("chapter_id", "anchor"):
        anchors.setdefault(chapter, []).append(anchor)
    found = [
        ChapterRead(
            id=row.slug,
            number=row.number,
            title=row.title,
            kind=row.kind,
            state=row.state,
            source=row.source,
            is_untranslated=row.is_missing,
            is_outdated=row.is_outdated,
            paragraphs=anchors.get(row.pk, []),
            path=reverse("rules:chapter", args=[shown, game, row.slug]),
        )
        for row in rows
    ]
    return _book_read(rows[0].book, lang), found


def _book_read(row: Book, lang: str) -> BookRead:
    described = pages.describe(row.game, lang)
    return BookRead(
        game=row.game,
        title=described.title,
        edition=described.edition,
        designers=registry.entry(row.game).game.meta.designers,
        lang=described.lang,
        languages=[code for code, _name in described.languages],
        version=row.digest[:16],
        changed_at=row.changed_at,
        has_aid=is_taught(row.game),
        path=content.book_address(row.game, lang),
    )


def chapter(game: str, slug: str, lang: str) -> list[ParagraphRead]:
    """Return the pieces of a chapter in order. One query. Raises NotWritten."""
    shown = _book(game).shown_in(lang)
    found = _read(Paragraph.objects.filter(game=game, lang=shown, chapter__slug=slug).select_related("chapter"))
    if not found:
        raise NotWritten(slug)
    return found


def paragraph(game: str, anchor: str, lang: str) -> ParagraphRead:
    """Return one piece of a book; for a retired paragraph, the one that took its place. One query. Raises NotWritten."""
    the_book = _book(game)
    standing = the_book.retired.get(anchor) or anchor
    rows = Paragraph.objects.filter(game=game, lang=the_book.shown_in(lang), anchor=standing).select_related("chapter")
    if found := _read(rows):
        return found[0]
    raise NotWritten(anchor)


def _read(rows: Iterable[Paragraph]) -> list[ParagraphRead]:
    return [
        ParagraphRead(
            id=row.anchor,
            game=row.game,
            chapter=row.chapter.slug,
            number=row.number,
            kind=row.kind,
            level=row.level,
            section=row.section,
            text=row.section if row.kind == "heading" else row.text,
            html=pages.with_addresses(row.html, row.game, row.lang),
            lang=row.text_lang,
            terms=list(dict.fromkeys(_TERM.findall(row.html))),
            links=list(dict.fromkeys(f"{game}#{anchor}" for game, anchor in _LINK.findall(row.html))),
            example=row.example or None,
            path=f"{reverse('rules:chapter', args=[row.lang, row.game, row.chapter.slug])}#{row.anchor}",
        )
        for row in rows
    ]


def example_titles(game: str, lang: str) -> list[tuple[str, str, str]]:
    """Return (id, title, paragraph) of all worked examples of a book, by id. No query. Raises NotWritten."""
    _book(game)
    return [(name, _title(game, name, lang), f"{game}#{examples.example(game, name).anchor}") for name in examples.example_names(game)]


def _title(game: str, name: str, lang: str) -> str:
    title = examples.example(game, name).title
    return title.get(lang) or title.get(content.FALLBACK) or next(iter(title.values()))


def example(game: str, name: str, lang: str) -> ExampleRead:
    """Return a worked example. No query. Raises NotWritten."""
    shown_in = _book(game).shown_in(lang)
    try:
        shown = examples.example(game, name)
    except ExampleError:
        raise NotWritten(name) from None
    chapter_address = content.paragraph_address(game, shown.anchor, lang).partition("#")[0]

    def drawn_at(step: int) -> str:
        return f"{chapter_address}?example={name}&step={step}#{content.example_anchor(name)}"

    steps = [
        StepRead(step.actor, step.action, examples.caption(shown, frame, shown_in), step.refused or None, drawn_at(at))
        for at, (step, frame) in enumerate(zip(shown.steps, examples.played(game, name)[1:], strict=True), 1)
    ]
    return ExampleRead(
        id=name,
        game=game,
        paragraph=f"{game}#{shown.anchor}",
        title=_title(game, name, shown_in),
        intro=shown.intro.get(shown_in, ""),
        names=shown.names_in(shown_in),
        position=shown.position,
        steps=steps,
        path=drawn_at(0),
    )


def nouns(game: str, lang: str) -> list[NounRead]:
    """Return the nouns that a book defines, in the alphabetical order of the language. No query. Raises NotWritten."""
    shown = _book(game).shown_in(lang)
    return [_noun(game, noun_id, shown) for noun_id, _noun_text in entries.nouns(game, shown)]


def _noun(game: str, noun_id: str, lang: str) -> NounRead:
    return NounRead(noun_id, game, glossary.noun(game, noun_id, lang), entries.others(game, noun_id, lang))


def entry(game: str, noun_id: str, lang: str) -> EntryRead:
    """Return an entry of the glossary. One query. Raises NotWritten."""
    shown = _book(game).shown_in(lang)
    if noun_id not in terms.definitions(game):
        raise NotWritten(noun_id)
    found = entries.entries(game, shown, noun_id)[0]
    defined = terms.definitions(game)[noun_id].anchors
    return EntryRead(
        noun=_noun(game, noun_id, shown),
        told=[(f"{game}#{told.anchor}", told.html) for told in found.told],
        uses=[f"{game}#{anchor}" for anchor in terms.mentions(game).get(noun_id, ()) if anchor not in defined],
        path=reverse("rules:term", args=[shown, game, noun_id]),
    )


def aid(game: str, lang: str) -> list[AidSectionRead]:
    """Return the player aid of a game. No query. Raises NotWritten."""
    taught = teaching_of(game) if game in registry.GAMES and is_taught(game) else None
    if taught is None:
        raise NotWritten(game)
    titles = [title for title, _rows in pages.aid_of(taught, lang)]
    return [
        AidSectionRead(
            key=section.key,
            title=title,
            rows=[
                AidRowRead(
                    inline.plain(game, row.text[lang], lang),
                    inline.rendered(game, row.text[lang], lang),
                    row.worth,
                    list(row.rules),
                )
                for row in section.rows
            ],
        )
        for title, section in zip(titles, taught.aid, strict=True)
    ]
