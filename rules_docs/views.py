"""Rule pages: shelf, book, chapter, one paragraph, search. The language is in the address."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Final
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import http_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import registry
from rules_docs import content, pages
from rules_docs.search import search as find
from voice import drawing

LANGUAGE_NAMES: Final = dict(settings.LANGUAGES)


@require_safe
def shelf(request: HttpRequest, lang: str) -> HttpResponse:
    """All rule books."""
    if lang not in LANGUAGE_NAMES:
        return _missing(request, lang, _("There are no pages in the language “%(code)s”.") % {"code": lang})
    books = pages.shelf(lang)
    return _page(request, "rules/shelf.html", {"books": books, "lang": lang, "languages": _languages("rules:shelf", _interface(), lang)})


@require_safe
def book(request: HttpRequest, lang: str, game: str) -> HttpResponse:
    """The contents of one rule book."""
    if (problem := _not_offered(request, lang, game, "rules:book", {"game": game})) is not None:
        return problem
    chapters = pages.chapters_of(game, lang)
    if not chapters:
        return _not_loaded(request, lang, game)
    if (unchanged := _conditional(request, chapters[0].book.digest, chapters[0].book.changed_at)) is not None:
        return unchanged
    headings = pages.headings_of(game, lang)
    context = {
        "book": pages.describe(game, lang),
        "chapters": [(chapter, headings.get(chapter.pk, [])) for chapter in chapters],
        "lang": lang,
        "languages": _languages("rules:book", content.book(game).languages, lang, game=game),
    }
    return _page(request, "rules/book.html", context, chapters[0].book.digest, chapters[0].book.changed_at)


@require_safe
def chapter(request: HttpRequest, lang: str, game: str, chapter: str) -> HttpResponse:
    """One chapter; `?with=hu` sets a second language beside it, `?example=name&step=2` opens an example at a step."""
    address = {"game": game, "chapter": chapter}
    if (problem := _not_offered(request, lang, game, "rules:chapter", address)) is not None:
        return problem
    chapters = pages.chapters_of(game, lang)
    if not chapters:
        return _not_loaded(request, lang, game)
    at = next((index for index, one in enumerate(chapters) if one.slug == chapter), None)
    if at is None:
        near = get_close_matches(chapter, [one.slug for one in chapters], 3, 0.5)
        links = [(_chapter_address(lang, game, one.slug), one.title) for one in chapters if one.slug in near or not near]
        return _missing(request, lang, _("There is no chapter “%(name)s” in this book.") % {"name": chapter}, links, game)
    here = chapters[at]
    if (unchanged := _conditional(request, here.book.digest, here.book.changed_at)) is not None:
        return unchanged
    languages = content.book(game).languages
    second = request.GET.get("with", "")
    if second == lang or second not in languages:
        second = ""
    lines = pages.lines_of(game, chapter, lang, second)
    own = _chapter_address(lang, game, chapter) + (f"?with={second}" if second else "")
    opened, step = request.GET.get("example", ""), _number(request.GET.get("step", ""))
    for line in lines:
        if name := line.first.example:
            line.figure = pages.figure(game, name, lang, step if name == opened else 0, own)
    figures = {line.figure.id: line.figure for line in lines if line.figure is not None}
    wanted = figures.get(request.headers.get("HX-Target", "")) if request.headers.get("HX-Request") else None
    entry = registry.entry(game)
    if wanted is not None:
        symbols = drawing.symbol_defs(entry.sprite, wanted.board)
        response = render(request, "rules/_example.html", {"figure": wanted, "symbols": symbols, "lang": lang})
        patch_vary_headers(response, ["HX-Request", "HX-Target"])
        return response
    context = {
        "book": pages.describe(game, lang),
        "chapter": here,
        "chapters": chapters,
        "before": chapters[at - 1] if at else None,
        "after": chapters[at + 1] if at + 1 < len(chapters) else None,
        "lines": lines,
        "headings": [line.first for line in lines if line.first.kind == "heading"],
        "symbols": drawing.symbol_defs(entry.sprite, "".join(figure.board for figure in figures.values())),
        "lang": lang,
        "lang_name": LANGUAGE_NAMES[lang],
        "entry": entry,
        "second": second,
        "second_name": LANGUAGE_NAMES.get(second, ""),
        "languages": _languages("rules:chapter", languages, lang, **address),
        "pairs": [
            (f"{_chapter_address(lang, game, chapter)}?with={code}", LANGUAGE_NAMES[code], code) for code in languages if code != lang
        ],
    }
    response = _page(request, "rules/chapter.html", context, here.book.digest, here.book.changed_at)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


@require_safe
def paragraph(request: HttpRequest, lang: str, game: str, anchor: str) -> HttpResponse:
    """The permanent address of a paragraph: redirects to its place in the chapter; as a fragment, just the paragraph.

    Tables in every language of the site link here, so a book missing in a language is shown in another.
    """
    if lang not in LANGUAGE_NAMES or not _is_known(game):
        problem = _not_offered(request, lang, game, "rules:paragraph", {"game": game, "anchor": anchor})
        if problem is not None:
            return problem
    known = content.places(game)
    if anchor not in known:
        if anchor in content.book(game).retired:
            message = _("Paragraph “%(anchor)s” was removed. Its rule is now elsewhere in the book.")
        else:
            message = _("There is no paragraph “%(anchor)s” in this book.")
        near = get_close_matches(anchor, known, 4, 0.5)
        links = [(content.paragraph_address(game, one, lang), content.paragraph_label(game, one, lang)) for one in near]
        return _missing(request, lang, message % {"anchor": anchor}, links, game)
    if "fragment" not in request.GET and not request.headers.get("HX-Request"):
        second = request.GET.get("with", "")
        beside = f"?with={second}#" if second in content.book(game).languages else "#"
        return HttpResponseRedirect(content.paragraph_address(game, anchor, lang).replace("#", beside))
    found = pages.drawer(game, anchor, lang)
    if found is None:
        return _not_loaded(request, lang, game)
    etag, changed = _validators(request, found["digest"], found["changed_at"])
    response = get_conditional_response(request, etag=etag, last_modified=int(changed.timestamp()))
    if response is None:
        response = HttpResponse(found["html"])
    response.headers["ETag"], response.headers["Last-Modified"] = etag, http_date(changed.timestamp())
    patch_cache_control(response, public=True, max_age=300)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def search(request: HttpRequest, lang: str) -> HttpResponse:
    """Paragraphs that answer `?q=`, grouped by game."""
    if lang not in LANGUAGE_NAMES:
        return _missing(request, lang, _("There are no pages in the language “%(code)s”.") % {"code": lang})
    q = request.GET.get("q", "")
    result = find(q, lang)
    context = {
        "q": q,
        "result": result,
        "groups": [(pages.describe(group.game, lang), group.hits) for group in result.groups],
        "books": pages.shelf(lang),
        "lang": lang,
        "languages": [(f"{address}?q={quote(q)}", *rest) for address, *rest in _languages("rules:search", _interface(), lang)],
    }
    return _page(request, "rules/search.html", context)


# ---------------------------------------------------------------- answers


def _page(
    request: HttpRequest, template: str, context: Mapping[str, Any], digest: str = "", changed: datetime | None = None
) -> HttpResponse:
    """Render a page. Only the reader's browser may cache it, and must revalidate it each time; a visitor's page has an ETag."""
    response = render(request, template, {"section": "rules", **context})
    patch_cache_control(response, private=True, max_age=0, must_revalidate=True)
    if changed is not None and _is_plain_visitor(request):
        etag, newest = _validators(request, digest, changed)
        response.headers["ETag"], response.headers["Last-Modified"] = etag, http_date(newest.timestamp())
    return response


def _conditional(request: HttpRequest, digest: str, changed: datetime) -> HttpResponse | None:
    """Return 304 when the visitor's copy is still valid; None when the page must be rendered."""
    if not _is_plain_visitor(request) or request.headers.get("HX-Request"):
        return None
    etag, newest = _validators(request, digest, changed)
    response = get_conditional_response(request, etag=etag, last_modified=int(newest.timestamp()))
    return response if isinstance(response, HttpResponseNotModified) else None


def _is_plain_visitor(request: HttpRequest) -> bool:
    """Whether the page can show nothing personal: no session, no message waiting."""
    return settings.SESSION_COOKIE_NAME not in request.COOKIES and "messages" not in request.COOKIES


def _validators(request: HttpRequest, digest: str, changed: datetime) -> tuple[str, datetime]:
    """Return ETag and last change: text of the book, look of the site, address, theme."""
    look, look_changed = pages.look_version()
    parts = (digest, look, request.get_full_path(), request.COOKIES.get("theme", ""))
    etag = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]
    return f'"{etag}"', max(changed, look_changed)


def _is_known(game: str) -> bool:
    return game in content.book_keys()


def _not_offered(request: HttpRequest, lang: str, game: str, name: str, kwargs: Mapping[str, str]) -> HttpResponse | None:
    """Return the page that says that there is no such book or language; None when there is."""
    if not _is_known(game):
        links = [(reverse("rules:book", args=[one.lang, one.game]), one.title) for one in pages.shelf(lang)]
        return _missing(request, lang, _("There is no rule book for “%(game)s”.") % {"game": game}, links)
    languages = content.book(game).languages
    if lang in languages:
        return None
    links = [(reverse(name, kwargs={"lang": code, **kwargs}), label) for code, label in pages.named(languages)]
    message = _("This book isn't available in the language “%(code)s”. Choose another language:")
    return _missing(request, lang, message % {"code": LANGUAGE_NAMES.get(lang, lang)}, links)


def _not_loaded(request: HttpRequest, lang: str, game: str) -> HttpResponse:
    return _missing(
        request, lang, _("The pages of this book haven't been loaded yet. The site operator can load them with “manage.py load_rules”.")
    )


def _missing(request: HttpRequest, lang: str, message: str, links: Sequence[tuple[str, str]] = (), game: str = "") -> HttpResponse:
    """Answer 404 with what is missing, nearby pages, and a search."""
    shown = lang if lang in LANGUAGE_NAMES else request.LANGUAGE_CODE
    context = {
        "section": "rules",
        "message": message,
        "links": links,
        "lang": shown,
        "book": pages.describe(game, shown) if game else None,
    }
    response = render(request, "rules/missing.html", context, status=404)
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _interface() -> Sequence[str]:
    return tuple(settings.INTERFACE_LANGUAGES)


def _languages(name: str, codes: Sequence[str], current: str, **kwargs: str) -> list[tuple[str, str, str, bool]]:
    """Return the language switch of a page: address, name, code, whether it is the current one."""
    return [(reverse(name, kwargs={"lang": code, **kwargs}), label, code, code == current) for code, label in pages.named(codes)]


def _chapter_address(lang: str, game: str, slug: str) -> str:
    return reverse("rules:chapter", args=[lang, game, slug])


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0
