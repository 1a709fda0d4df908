"""A whole rule book: on one page, to print as a booklet, and as one file to download."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override
from django.views.decorators.http import require_safe

from games import registry
from rules_docs import content, heads, pages, views
from rules_docs.models import Chapter, Paragraph
from rules_docs.pages import Line
from voice import drawing

PAPERS: Final = ("a4", "a5")
STYLES: Final = ("css/tokens.css", "css/base.css", "css/components.css", "css/palette.css")
OWN_STYLES: Final = ("css/rules.css", "css/whole.css")
_NOTES: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
# A noun that leads to the glossary, which is not in the book.
_TERM: Final = re.compile(r'<a class="(term[\w -]*)" href="term:[^"]*">(.*?)</a>', re.DOTALL)
_FONTS: Final = re.compile(r"@font-face\s*\{[^}]*\}")  # the file has none: a device has letters of its own


@dataclass(frozen=True, slots=True)
class Whole:
    """A book in one language: its chapters line by line, and the drawings that the page needs once."""

    chapters: Sequence[tuple[Chapter, Sequence[Line]]]
    drawings: SafeString


@require_safe
def whole(request: HttpRequest, lang: str, game: str) -> HttpResponse:
    """All chapters on one page; `?paper=a5` sets the size it prints in."""
    found = _book(request, lang, game, "rules:whole")
    if isinstance(found, HttpResponse):
        return found
    context = _context(found, lang, game)
    wanted = request.GET.get("paper", "")
    context |= {
        "paper": wanted if wanted in PAPERS else PAPERS[0],
        "papers": [(paper, paper.upper()) for paper in PAPERS],
        "languages": views.switch("rules:whole", content.book(game).languages, lang, game=game),
        "head": heads.of_whole(context["book"], lang),
    }
    return views.page(request, "rules/whole.html", context, found[0].book.digest, found[0].book.changed_at)


@require_safe
def take(request: HttpRequest, lang: str, game: str) -> HttpResponse:
    """The book as one HTML file: styles and drawings inside, no script, links within it."""
    found = _book(request, lang, game, "rules:take")
    if isinstance(found, HttpResponse):
        return found
    context = _context(found, lang, game) | {
        "styles": _styles(registry.entry(game).css),
        "paper": PAPERS[0],
        "home": heads.absolute(reverse("rules:whole", args=[lang, game])),
    }
    with override(lang):
        text = render_to_string("rules/take.html", context)
    response = HttpResponse(_with_drawings(text))
    response.headers["Content-Disposition"] = f'attachment; filename="{game}-{lang}.html"'
    views.keep(request, response, found[0].book.digest, found[0].book.changed_at)
    return response


def _book(request: HttpRequest, lang: str, game: str, name: str) -> HttpResponse | list[Chapter]:
    """Return the chapters, or the answer when there are none to show or the reader has them already."""
    if (problem := views.not_offered(request, lang, game, name, {"game": game})) is not None:
        return problem
    chapters = pages.chapters_of(game, lang)
    if not chapters:
        return views.not_loaded(request, lang, game)
    unchanged = views.conditional(request, chapters[0].book.digest, chapters[0].book.changed_at)
    return chapters if unchanged is None else unchanged


def _context(chapters: Sequence[Chapter], lang: str, game: str) -> dict[str, Any]:
    return {
        "book": pages.describe(game, lang),
        "whole": _gather(chapters, lang, game),
        "entry": registry.entry(game),
        "lang": lang,
        "LANGUAGE_CODE": lang,
    }


def _gather(chapters: Sequence[Chapter], lang: str, game: str) -> Whole:
    """Return the book with links that stay in it. One query."""
    lines: dict[int, list[Line]] = {chapter.pk: [] for chapter in chapters}
    elsewhere = re.compile(rf'href="{re.escape(reverse("rules:book", args=[lang, game]))}[a-z0-9-]+/#')
    for row in Paragraph.objects.filter(game=game, lang=lang).defer("text").order_by("chapter__number", "position"):
        within = elsewhere.sub('href="#', row.html.replace(pages.SPRITE_MARK, "#"))
        row.html = mark_safe(_TERM.sub(r'<span class="\1">\2</span>', within))
        line = Line(row, None)
        if row.example:
            line.figure = pages.figure(game, row.example, lang, 0, "")
        lines[row.chapter_id].append(line)
    every = [line for chapter in chapters for line in lines[chapter.pk]]
    shared = pages.share_drawings(every)
    drawn = "".join([*(line.figure.board for line in every if line.figure is not None), *(line.first.html for line in every), shared])
    symbols = drawing.symbol_defs(registry.entry(game).sprite, drawn)
    return Whole([(chapter, lines[chapter.pk]) for chapter in chapters], mark_safe(symbols + shared))


def _with_drawings(text: str) -> str:
    """Return a page with the drawings that it takes from files of the site put into it."""
    base = re.escape(settings.STATIC_URL)
    taken = re.compile(rf'href="{base}(art/\w+)(?:\.[0-9a-f]+)?\.svg#')
    names = dict.fromkeys(taken.findall(text))
    files = "".join(_drawings_of(name) for name in names)
    text = taken.sub(lambda match: f'href="#{_prefix(match[1])}', text)
    return text.replace("<main", f'<svg class="svg-defs" aria-hidden="true">{files}</svg><main', 1) if names else text


def _prefix(name: str) -> str:
    return f"{name.rpartition('/')[2]}-"


@cache
def _drawings_of(name: str) -> str:
    """Return what is in a file of drawings, under names of its own."""
    inside = Path(str(finders.find(f"{name}.svg"))).read_text("utf-8").partition(">")[2].rpartition("</svg>")[0]
    return re.sub(r'(\sid="|href="#|url\(#)', rf"\g<1>{_prefix(name)}", inside)


@cache
def _styles(own: str) -> SafeString:
    """Return the styles of a book's pages as one text."""
    texts = [Path(str(finders.find(name))).read_text("utf-8") for name in (*STYLES, own, *OWN_STYLES)]
    return mark_safe(re.sub(r"\n\s*", "\n", _FONTS.sub("", _NOTES.sub("", "".join(texts)))))
