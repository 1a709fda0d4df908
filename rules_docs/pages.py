"""Content of the rule pages, read from the rows that `load_rules` wrote: chapters, rows of paragraphs, drawn examples."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, override

from games import registry
from rules_docs import content, examples, inline
from rules_docs.models import Chapter, Paragraph
from rules_docs.teaching import Row, Teaching
from rules_docs.when import anchors
from voice import drawing, parts

COMPARED: Final = 8  # boards, to tell a map from its pieces
# Placeholders in stored HTML: for the address of the game's sprite file, and for that of its glossary.
SPRITE_MARK: Final = "sprite:"
TERM_MARK: Final = 'href="term:'
# What pages are made of besides their text, which the rows hold: folder -> patterns of its files.
LOOK: Final = {
    "templates": ("**/*.html",),
    "static": ("**/*.[csj]*",),  # styles, scripts, drawings
    "locale": ("**/*.mo",),
    "games": ("**/*.py",),
    "voice": ("**/*.py", "**/*.toml"),
    "portal": ("**/templatetags/*.py",),
    "rules_docs": ("*.py", "content/*/*.toml", "content/*/held.json", "content/*/examples/*.json"),
}


@dataclass(frozen=True, slots=True)
class FigureStep:
    """One step of an example as the page lists it."""

    number: int
    text: str
    address: str
    is_current: bool
    is_refused: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """A worked example at one of its steps, drawn."""

    id: str
    name: str
    title: str
    intro: str
    board: SafeString
    steps: Sequence[FigureStep]
    step: int
    told: str  # the text of that step
    back: str  # addresses; "" where there is no such step
    forward: str
    practice: str  # address that opens a practice table; "" when the site has none or nobody has to decide
    edit: str  # address of the editor with the position; "" when the site has none


@dataclass(slots=True)
class Line:
    """One heading, paragraph or example of a chapter, with its counterpart in a second language."""

    first: Paragraph
    second: Paragraph | None
    figure: Figure | None = None


@dataclass(slots=True)
class Book:
    """A book on the shelf."""

    game: str
    title: str
    edition: str
    lang: str
    languages: Sequence[tuple[str, str]]  # code and name
    designers: str
    plate: str  # the template of the large picture of the game


def shelf(lang: str) -> list[Book]:
    """Return all rule books; one that is not offered in `lang` is returned in English or in its source language."""
    return [describe(key, lang) for key in content.book_keys()]


def describe(game: str, lang: str) -> Book:
    """Return title, edition and languages of a book as a reader of `lang` sees them; `Book.lang` is the text they can read."""
    book = content.book(game)
    shown = book.shown_in(lang)
    entry = registry.entry(game)
    return Book(
        game=game,
        title=book.title_in(lang),
        edition=book.edition_in(lang),
        lang=shown,
        languages=named(book.languages),
        designers=", ".join(entry.game.meta.designers),
        plate=entry.plate_template,
    )


def named(codes: Sequence[str]) -> list[tuple[str, str]]:
    """Return languages with their own names, in the order of the site's list."""
    return [(code, name) for code, name in settings.LANGUAGES if code in codes]


def lacking(codes: Sequence[str]) -> list[tuple[str, str]]:
    """Return the languages of the site that a book lacks."""
    return [(code, dict(settings.LANGUAGES)[code]) for code in settings.INTERFACE_LANGUAGES if code not in codes]


def chapters_of(game: str, lang: str) -> list[Chapter]:
    """Return the chapters of a book in a language with its book row; [] when it is not loaded. One query."""
    return list(Chapter.objects.filter(book_id=game, lang=lang).select_related("book"))


def headings_of(game: str, lang: str) -> dict[int, list[Paragraph]]:
    """Return the headings of a book by chapter. One query."""
    found: dict[int, list[Paragraph]] = {}
    for heading in Paragraph.objects.filter(game=game, lang=lang, kind="heading").defer("text"):
        found.setdefault(heading.chapter_id, []).append(heading)
    return found


def lines_of(game: str, slug: str, lang: str, second: str = "") -> list[Line]:
    """Return a chapter line by line, with a second language beside it if one is named. One query."""
    rows = Paragraph.objects.filter(game=game, chapter__slug=slug, lang__in=[lang, second] if second else [lang]).defer("text")
    beside: dict[str, Paragraph] = {}
    own: list[Paragraph] = []
    for row in rows:
        row.html = with_addresses(row.html, game, row.lang)
        if row.lang == lang:
            own.append(row)
        else:
            beside[row.anchor] = row
    return [Line(row, beside.get(row.anchor)) for row in own]


def with_addresses(html: str, game: str, lang: str) -> SafeString:
    """Return stored HTML with the pictures of pieces pointing at the sprite file, and nouns at the glossary."""
    if SPRITE_MARK in html:
        html = html.replace(SPRITE_MARK, f"{static(registry.entry(game).sprite)}#")
    if TERM_MARK in html:
        html = html.replace(TERM_MARK, f'href="{reverse("rules:glossary_of", args=[lang, game])}')
    return mark_safe(html)


def paragraph_of(game: str, anchor: str, lang: str) -> Paragraph | None:
    """Return a paragraph, with its chapter and book, in the language in which a reader of `lang` gets it; None when there is none. One query."""
    shown = content.book(game).shown_in(lang)
    found = (
        Paragraph.objects.filter(game=game, lang=shown, anchor=anchor, number__isnull=False)
        .defer("text")
        .select_related("chapter__book")
        .first()
    )
    if found is not None:
        found.html = with_addresses(found.html, game, shown)
    return found


def drawer(game: str, anchor: str, lang: str) -> dict[str, Any] | None:
    """Return label, address and HTML of one paragraph for the drawer beside a board; None when there is none. One query."""
    try:
        book = content.book(game)
    except KeyError:
        return None
    found = paragraph_of(game, anchor, lang)
    if found is None:
        return None
    shown = found.lang
    context = {
        "paragraph": found,
        "book_lang": shown,
        "address": content.paragraph_address(game, anchor, shown),
        "others": [(code, name) for code, name in named(book.languages) if code != shown],
        "game": game,
        "is_shown_at_work": anchor in anchors(game),
        "LANGUAGE_CODE": get_language() or shown,
    }
    return {
        "label": content.paragraph_label(game, anchor, shown),
        "url": context["address"],
        "html": render_to_string("rules/_drawer.html", context),
        "digest": found.chapter.book.digest,
        "changed_at": found.chapter.book.changed_at,
    }


# ---------------------------------------------------------------- worked examples


def figure(game: str, name: str, lang: str, step: int, address: str) -> Figure:
    """Return an example at a step (0: before the first), clamped to its steps. `address` is the page it is on."""
    shown = examples.example(game, name)
    step = max(0, min(step, len(shown.steps)))
    anchor = content.example_anchor(name)
    joint = "&" if "?" in address else "?"

    def at(number: int) -> str:
        return f"{address}{joint}example={name}&step={number}"

    captions = _captions(game, name, lang)
    return Figure(
        id=anchor,
        name=name,
        title=shown.title.get(lang) or next(iter(shown.title.values())),
        intro=shown.intro.get(lang, ""),
        board=_board(game, name, lang, step),
        steps=[FigureStep(number, text, at(number), number == step, is_refused) for number, (text, is_refused) in enumerate(captions, 1)],
        step=step,
        told=captions[step - 1][0] if step else "",
        back=at(step - 1) if step else "",
        forward=at(step + 1) if step < len(shown.steps) else "",
        practice=_practice_address(game, name) if any(step.actor >= 0 for step in shown.steps) else "",
        edit=_editor_address(game, name),
    )


@lru_cache(maxsize=512)
def _board(game: str, name: str, lang: str, step: int) -> SafeString:
    """Return the part of the board that matters, without what stands beside the map and stays as it is."""
    board = _whole_board(game, name, lang, step)
    last = len(examples.played(game, name)) - 1
    ends = [set(parts.asides(_whole_board(game, name, lang, end))) for end in (0, last)] if last else [set[str]()]
    return parts.show(parts.without(board, set.intersection(*ends)), _part(game, name))


@lru_cache(maxsize=64)
def _whole_board(game: str, name: str, lang: str, step: int) -> SafeString:
    entry = registry.entry(game)
    shown = examples.example(game, name)
    state = examples.played(game, name)[step].state
    own = {seat: entry.game.view_for(state, seat) for seat in shown.hands}
    view, names = entry.game.view_for(state, None), shown.names_in(lang)
    seats = examples.seats_told_of(game, name)
    return drawing.render_board(entry, view, lang, names=names, own=own, seats=seats, static_only=True, with_symbols=False)


@cache
def _part(game: str, name: str) -> parts.Box | None:
    """Return the part of the map that an example is about, the same for all its steps and languages."""
    lang = content.book(game).source_language
    ends = [_whole_board(game, name, lang, step) for step in (0, len(examples.played(game, name)) - 1)]
    return parts.part_of(ends, _ground(game))


@cache
def _ground(game: str) -> frozenset[str]:
    """Return what is drawn on every map of a game, found by comparing some that have little in common."""
    lang, names = content.book(game).source_language, examples.example_names(game)
    return parts.ground_of(_whole_board(game, name, lang, 0) for name in names[:: -(-len(names) // COMPARED)])


def share_drawings(lines: Sequence[Line]) -> SafeString:
    """Draw what several figures of a page have only once; returns these drawings, which the page needs too."""
    drawn = [line for line in lines if line.figure is not None]
    boards, shared = parts.share([line.figure.board for line in drawn if line.figure is not None])
    for line, board in zip(drawn, boards, strict=True):
        line.figure = replace(line.figure, board=board) if line.figure is not None else None
    return shared


@lru_cache(maxsize=256)
def _captions(game: str, name: str, lang: str) -> tuple[tuple[str, bool], ...]:
    shown = examples.example(game, name)
    return tuple((examples.caption(shown, frame, lang), frame.refusal is not None) for frame in examples.played(game, name)[1:])


def _practice_address(game: str, name: str) -> str:
    try:
        return reverse("practice", kwargs={"game": game, "example": name})
    except NoReverseMatch:
        return ""


def _editor_address(game: str, name: str) -> str:
    try:
        return reverse("position-editor", kwargs={"game": game}, query={"example": name})
    except NoReverseMatch:
        return ""


# ---------------------------------------------------------------- player aids


@dataclass(frozen=True, slots=True)
class AidRow:
    """One line of a player aid: its sentence, what it is worth, and its paragraphs as (address, label)."""

    html: SafeString
    worth: str
    rules: Sequence[tuple[str, str]]


def aid_of(teaching: Teaching, lang: str) -> list[tuple[str, list[AidRow]]]:
    """Return the sections of a player aid as (title, rows)."""
    game = teaching.game
    with override(lang):
        titles = {"turn": gettext("Your turn"), "costs": gettext("Costs"), "points": gettext("Points"), "reminders": gettext("Reminders")}
    return [
        (
            titles[section.key],
            [aid_row(game, row, lang) for row in section.rows],
        )
        for section in teaching.aid
    ]


def aid_row(game: str, row: Row, lang: str) -> AidRow:
    """Return a line of a player aid as it is shown."""
    return AidRow(inline.rendered(game, row.text[lang], lang), row.worth, [_link_to(game, rule, lang) for rule in row.rules])


def _link_to(game: str, rule: str, lang: str) -> tuple[str, str]:
    anchor = rule.partition("#")[2]
    return reverse("rules:paragraph", args=[content.book(game).shown_in(lang), game, anchor]), content.paragraph_label(game, anchor, lang)


# ---------------------------------------------------------------- caching


@cache
def look_version() -> tuple[str, datetime]:
    """Return a digest and the latest change of what pages are made of besides their text.

    The same in all processes of one checkout, so that their ETags agree.
    """
    base = Path(settings.BASE_DIR)
    digest, newest = hashlib.sha256(), 0.0
    for file in look_files(base):
        stat = file.stat()
        digest.update(f"{file.relative_to(base)}:{stat.st_size}:{stat.st_mtime_ns}\n".encode())
        newest = max(newest, stat.st_mtime)
    return digest.hexdigest(), datetime.fromtimestamp(int(newest), UTC)


def look_files(base: Path) -> list[Path]:
    """Return the files of a checkout that pages are made of, besides the chapters."""
    return [file for folder, patterns in LOOK.items() for pattern in patterns for file in sorted((base / folder).glob(pattern))]


def forget() -> None:
    """Draw examples again at the next use (after their files changed)."""
    _board.cache_clear()
    _whole_board.cache_clear()
    _part.cache_clear()
    _ground.cache_clear()
    _captions.cache_clear()
    examples.forget()
