"""Rule pages: shelf, book, chapter, one paragraph, search. The language is in the address."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
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
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import registry
from rules_docs import content, entries, heads, pages, terms
from rules_docs.search import MAX_HITS, MAX_QUERY, Hit
from rules_docs.search import search as find
from rules_docs.teaching import teaching_of
from rules_docs.when import anchors, when_of
from voice import drawing
from voice.glossary import noun as glossary_noun

MAX_SUGGESTED: Final = 6  # hits in the list below the search of the header
LANGUAGE_NAMES: Final = dict(settings.LANGUAGES)
INSTEAD_OF: Final = "instead-of"  # in an address: the language that the reader asked for and the book lacks


@require_safe
def shelf(request: HttpRequest, lang: str) -> HttpResponse:
    """All rule books."""
    if lang not in LANGUAGE_NAMES:
        return missing(request, lang, _("There are no rule pages in “%(code)s”.") % {"code": lang})
    books = pages.shelf(lang)
    languages = switch("rules:shelf", interface(), lang)
    return page(request, "rules/shelf.html", {"books": books, "head": heads.of_shelf(books, lang), "lang": lang, "languages": languages})


@require_safe
def book(request: HttpRequest, lang: str, game: str) -> HttpResponse:
    """The contents of one rule book."""
    if (problem := not_offered(request, lang, game, "rules:book", {"game": game})) is not None:
        return problem
    chapters = pages.chapters_of(game, lang)
    if not chapters:
        return not_loaded(request, lang, game)
    if (unchanged := conditional(request, chapters[0].book.digest, chapters[0].book.changed_at)) is not None:
        return unchanged
    headings = pages.headings_of(game, lang)
    described = pages.describe(game, lang)
    context = {
        "book": described,
        "head": heads.of_book(described, [one.title for one in chapters], lang),
        "instead": _instead(request, game, lang),
        "chapters": [(chapter, headings.get(chapter.pk, [])) for chapter in chapters],
        "is_taught": teaching_of(game) is not None,
        "has_forms": bool(registry.game(game).grammar()),
        "lang": lang,
        "languages": switch("rules:book", content.book(game).languages, lang, game=game),
        "lacking": pages.lacking(content.book(game).languages),
    }
    return page(request, "rules/book.html", context, chapters[0].book.digest, chapters[0].book.changed_at)


@require_safe
def chapter(request: HttpRequest, lang: str, game: str, chapter: str) -> HttpResponse:
    """One chapter; `?with=hu` sets a second language beside it, `?example=name&step=2` opens an example at a step."""
    address = {"game": game, "chapter": chapter}
    if (problem := not_offered(request, lang, game, "rules:chapter", address)) is not None:
        return problem
    chapters = pages.chapters_of(game, lang)
    if not chapters:
        return not_loaded(request, lang, game)
    at = next((index for index, one in enumerate(chapters) if one.slug == chapter), None)
    if at is None:
        near = get_close_matches(chapter, [one.slug for one in chapters], 3, 0.5)
        links = [(_chapter_address(lang, game, one.slug), one.title) for one in chapters if one.slug in near or not near]
        return missing(request, lang, _("There is no chapter “%(name)s” in this book.") % {"name": chapter}, links, game)
    here = chapters[at]
    if (unchanged := conditional(request, here.book.digest, here.book.changed_at)) is not None:
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
    drawn = [line for line in lines if line.figure is not None]
    figures = {line.figure.id: line.figure for line in drawn if line.figure is not None}
    wanted = figures.get(request.headers.get("HX-Target", "")) if request.headers.get("HX-Request") else None
    entry = registry.entry(game)
    if wanted is not None:
        symbols = drawing.symbol_defs(entry.sprite, wanted.board)
        response = render(request, "rules/_example.html", {"figure": wanted, "symbols": symbols, "lang": lang})
        patch_vary_headers(response, ["HX-Request", "HX-Target"])
        return response
    shared = pages.share_drawings(drawn)
    boards = "".join(line.figure.board for line in drawn if line.figure is not None)
    described = pages.describe(game, lang)
    context = {
        "book": described,
        "head": heads.of_chapter(described, here, lines, lang),
        "instead": _instead(request, game, lang),
        "chapter": here,
        "chapters": chapters,
        "before": chapters[at - 1] if at else None,
        "after": chapters[at + 1] if at + 1 < len(chapters) else None,
        "lines": lines,
        "shown_at_work": anchors(game),
        "headings": [line.first for line in lines if line.first.kind == "heading"],
        "symbols": drawing.symbol_defs(entry.sprite, boards + shared) + shared,
        "lang": lang,
        "lang_name": LANGUAGE_NAMES[lang],
        "entry": entry,
        "second": second,
        "second_name": LANGUAGE_NAMES.get(second, ""),
        "languages": switch("rules:chapter", languages, lang, **address),
        "lacking": pages.lacking(languages),
        "pairs": [
            (f"{_chapter_address(lang, game, chapter)}?with={code}", name, code) for code, name in pages.named(languages) if code != lang
        ],
    }
    response = page(request, "rules/chapter.html", context, here.book.digest, here.book.changed_at)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


@require_safe
def paragraph(request: HttpRequest, lang: str, game: str, anchor: str) -> HttpResponse:
    """The permanent address of a paragraph: redirects to its place in the chapter; as a fragment, just the paragraph.

    Tables in every language of the site link here, so a book missing in a language is shown in another. A retired paragraph
    leads to the one that took its place.
    """
    if lang not in LANGUAGE_NAMES or not _is_known(game):
        problem = not_offered(request, lang, game, "rules:paragraph", {"game": game, "anchor": anchor})
        if problem is not None:
            return problem
    anchor = _standing(game, anchor)
    if anchor not in content.places(game):
        return _no_paragraph(request, lang, game, anchor)
    if "fragment" not in request.GET and not request.headers.get("HX-Request"):
        second = request.GET.get("with", "")
        offered = content.book(game).languages
        asked = f"?with={second}#" if second in offered else "#" if lang in offered else f"?{INSTEAD_OF}={lang}#"
        return HttpResponseRedirect(content.paragraph_address(game, anchor, lang).replace("#", asked))
    found = pages.drawer(game, anchor, lang)
    if found is None:
        return not_loaded(request, lang, game)
    etag, changed = _validators(request, found["digest"], found["changed_at"])
    response = get_conditional_response(request, etag=etag, last_modified=int(changed.timestamp()))
    if response is None:
        response = HttpResponse(found["html"])
    response.headers["ETag"], response.headers["Last-Modified"] = etag, http_date(changed.timestamp())
    patch_cache_control(response, public=True, max_age=300)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def when(request: HttpRequest, lang: str, game: str, anchor: str) -> HttpResponse:
    """When does this happen? Examples, tested situations and finished games that show a paragraph; as a fragment, for the drawer."""
    is_fragment = bool(request.headers.get("HX-Request"))
    if not is_fragment or lang not in LANGUAGE_NAMES or not _is_known(game):
        problem = not_offered(request, lang, game, "rules:when", {"game": game, "anchor": anchor})
        if problem is not None:
            return problem
    standing = _standing(game, anchor)
    if standing not in content.places(game):
        return _no_paragraph(request, lang, game, standing)
    if standing != anchor:
        return HttpResponseRedirect(reverse("rules:when", args=[lang, game, standing]))
    context = {
        "when": when_of(game, anchor, lang),
        "label": content.paragraph_label(game, anchor, lang),
        "address": reverse("rules:paragraph", args=[lang, game, anchor]),
    }
    if is_fragment:
        response = render(request, "rules/_when.html", context)
        patch_cache_control(response, private=True, max_age=60)
    else:
        found = pages.paragraph_of(game, anchor, lang)
        if found is None:
            return not_loaded(request, lang, game)
        described = pages.describe(game, lang)
        context |= {
            "paragraph": found,
            "book": described,
            "head": heads.of_when(described, found, lang),
            "instead": _instead(request, game, lang),
            "lang": lang,
            "languages": switch("rules:when", content.book(game).languages, lang, game=game, anchor=anchor),
        }
        response = page(request, "rules/when.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def aid(request: HttpRequest, lang: str, game: str) -> HttpResponse:
    """The player aid of a game: one page to print; as a fragment, what the drawer beside a board shows."""
    found = teaching_of(game) if _is_known(game) else None
    if found is None or lang not in settings.INTERFACE_LANGUAGES:
        return missing(request, lang, _("There is no player aid at this address."))
    context = {
        "sections": pages.aid_of(found, lang),
        "book": pages.describe(game, lang),
        "meta": registry.entry(game).game.meta,
        "entry": registry.entry(game),
        "lang": lang,
        "languages": switch("rules:aid", interface(), lang, game=game),
    }
    if request.headers.get("HX-Request"):
        with override(lang):
            response = render(request, "rules/_aid.html", context)
        patch_cache_control(response, private=True, max_age=300)
    else:
        response = page(request, "rules/aid.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def search(request: HttpRequest, lang: str) -> HttpResponse:
    """Paragraphs that answer `?q=`, best first; `?game=ra` only of one book, `?exact=1` without correcting words, `?fragment=1` a few for a list."""
    if lang not in LANGUAGE_NAMES:
        return missing(request, lang, _("There are no rule pages in “%(code)s”.") % {"code": lang})
    q = request.GET.get("q", "")[:MAX_QUERY]
    game = request.GET.get("game", "")
    game = game if _is_known(game) else ""
    is_fragment = "fragment" in request.GET
    result = find(q, lang, game, limit=MAX_SUGGESTED if is_fragment else MAX_HITS, exact="exact" in request.GET)
    here = f"{reverse('rules:search', args=[lang])}?q={quote(q, safe='')}"
    if is_fragment:
        few = [*result.hits, *result.elsewhere][:MAX_SUGGESTED]
        response = render(request, "rules/_found.html", {"hits": [_shown(hit) for hit in few], "all": here, "lang": lang})
        patch_cache_control(response, private=True, max_age=60)
        return response
    books = pages.shelf(lang)
    chosen = f"&game={game}" if game else ""
    context = {
        "q": q,
        "result": result,
        "hits": [_shown(hit) for hit in result.hits],
        "terms": [
            {
                **asdict(term),
                "book": content.book(term.game).title_in(lang),
                "address": reverse("rules:term", args=[content.book(term.game).shown_in(lang), term.game, term.id]),
            }
            for term in result.terms
        ],
        "aids": [(one.game, content.book(one.game).title_in(lang), pages.aid_row(one.game, one.row, lang)) for one in result.aids],
        "elsewhere": [_shown(hit) for hit in result.elsewhere],
        "filters": [(here, _("All games"), not game), *((f"{here}&game={one.game}", one.title, one.game == game) for one in books)],
        "game": game,
        "exact": f"{here}{chosen}&exact=1",
        "books": books,
        "lang": lang,
        "languages": [(f"{address}?q={quote(q, safe='')}{chosen}", *rest) for address, *rest in switch("rules:search", interface(), lang)],
    }
    return page(request, "rules/search.html", context)


@require_safe
def glossary(request: HttpRequest, lang: str) -> HttpResponse:
    """All nouns of all games in a language; `?game=ra` leads to the entries of one."""
    if lang not in LANGUAGE_NAMES:
        return missing(request, lang, _("There are no rule pages in “%(code)s”.") % {"code": lang})
    books = pages.shelf(lang)
    wanted = request.GET.get("game", "")
    if _is_known(wanted):
        return HttpResponseRedirect(reverse("rules:glossary_of", args=[content.book(wanted).shown_in(lang), wanted]))
    context = {
        "groups": [
            (one, [(entries.entry_anchor(one.game, noun_id), noun) for noun_id, noun in entries.nouns(one.game, lang)]) for one in books
        ],
        "lang": lang,
        "languages": switch("rules:glossary", interface(), lang),
    }
    return page(request, "rules/glossary.html", context)


@require_safe
def glossary_of(request: HttpRequest, lang: str, game: str) -> HttpResponse:
    """The entries of one game."""
    if (problem := not_offered(request, lang, game, "rules:glossary_of", {"game": game})) is not None:
        return problem
    chapters = pages.chapters_of(game, lang)
    if not chapters:
        return not_loaded(request, lang, game)
    row = chapters[0].book
    if (unchanged := conditional(request, row.digest, row.changed_at)) is not None:
        return unchanged
    described, shown = pages.describe(game, lang), entries.entries(game, lang)
    context = {
        "book": described,
        "head": heads.of_glossary(described, [entry.noun for entry in shown], lang),
        "entries": shown,
        "lang": lang,
        "languages": switch("rules:glossary_of", content.book(game).languages, lang, game=game),
    }
    return page(request, "rules/glossary_of.html", context, row.digest, row.changed_at)


@require_safe
def term(request: HttpRequest, lang: str, game: str, term: str) -> HttpResponse:
    """The permanent address of an entry: redirects to its place in the glossary; as a fragment, just the entry."""
    if lang not in LANGUAGE_NAMES or not _is_known(game):
        problem = not_offered(request, lang, game, "rules:term", {"game": game, "term": term})
        if problem is not None:
            return problem
    shown = content.book(game).shown_in(lang)
    defined = terms.definitions(game)
    if term not in defined:
        near = get_close_matches(term, defined, 4, 0.5)
        links = [(reverse("rules:term", args=[lang, game, one]), glossary_noun(game, one, lang)) for one in near]
        return missing(request, lang, _("The glossary has no entry “%(name)s”.") % {"name": term}, links, game)
    if "fragment" not in request.GET and not request.headers.get("HX-Request"):
        return HttpResponseRedirect(f"{reverse('rules:glossary_of', args=[shown, game])}#{entries.entry_anchor(game, term)}")
    entry = entries.entries(game, shown, term)[0]
    context = {"entry": entry, "lang": shown, "game": game, "LANGUAGE_CODE": get_language() or shown}
    response = render(request, "rules/_term.html", context)
    patch_cache_control(response, public=True, max_age=300)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _standing(game: str, anchor: str) -> str:
    """Return the paragraph that took the place of a retired one; any other anchor as it is."""
    return content.book(game).retired.get(anchor) or anchor


def _no_paragraph(request: HttpRequest, lang: str, game: str, anchor: str) -> HttpResponse:
    """Answer 404 for an anchor that the book no longer has, or never had, with similar ones."""
    if anchor in content.book(game).retired:
        message = _("Paragraph “%(anchor)s” was removed. Its rule is now elsewhere in the book.")
    else:
        message = _("There is no paragraph “%(anchor)s” in this book.")
    near = get_close_matches(anchor, content.places(game), 4, 0.5)
    links = [(content.paragraph_address(game, one, lang), content.paragraph_label(game, one, lang)) for one in near]
    return missing(request, lang, message % {"anchor": anchor}, links, game)


def _shown(hit: Hit) -> dict[str, Any]:
    """Return a hit with the title of its book, the name of its language and its address, for the templates."""
    address = reverse("rules:chapter", args=[hit.lang, hit.game, hit.chapter])
    shown = {name: getattr(hit, name) for name in hit.__slots__}
    named = {"book": content.book(hit.game).title_in(hit.lang), "lang_name": LANGUAGE_NAMES[hit.lang]}
    return {**shown, **named, "address": f"{address}#{hit.anchor}"}


# ---------------------------------------------------------------- answers


def page(
    request: HttpRequest, template: str, context: Mapping[str, Any], digest: str = "", changed: datetime | None = None
) -> HttpResponse:
    """Render a page. Only the reader's browser may cache it, and must revalidate it each time; a visitor's page has an ETag."""
    response = render(request, template, {"section": "rules", **context})
    keep(request, response, digest, changed)
    return response


def keep(request: HttpRequest, response: HttpResponse, digest: str = "", changed: datetime | None = None) -> None:
    """Say how the answer may be kept."""
    patch_cache_control(response, private=True, max_age=0, must_revalidate=True)
    if changed is not None and _is_plain_visitor(request):
        etag, newest = _validators(request, digest, changed)
        response.headers["ETag"], response.headers["Last-Modified"] = etag, http_date(newest.timestamp())


def conditional(request: HttpRequest, digest: str, changed: datetime) -> HttpResponse | None:
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


def not_offered(request: HttpRequest, lang: str, game: str, name: str, kwargs: Mapping[str, str]) -> HttpResponse | None:
    """Return what leads on where there is no such book or language; None when there is.

    A reader of the site's other languages gets the same page in one that the book has; the browser keeps the paragraph of the address.
    """
    if not _is_known(game):
        links = [(reverse("rules:book", args=[one.lang, one.game]), one.title) for one in pages.shelf(lang)]
        return missing(request, lang, _("There is no rule book for “%(game)s”.") % {"game": game}, links)
    languages = content.book(game).languages
    if lang in languages:
        return None
    if lang in LANGUAGE_NAMES:
        shown = content.book(game).shown_in(lang)
        return HttpResponseRedirect(f"{reverse(name, kwargs={'lang': shown, **kwargs})}?{INSTEAD_OF}={lang}")
    links = [(reverse(name, kwargs={"lang": code, **kwargs}), label) for code, label in pages.named(languages)]
    message = _("This book isn't available in the language “%(code)s”. Choose another language:")
    return missing(request, lang, message % {"code": lang}, links)


def not_loaded(request: HttpRequest, lang: str, game: str) -> HttpResponse:
    return missing(
        request, lang, _("The pages of this book haven't been loaded yet. The site operator can load them with “manage.py load_rules”.")
    )


def missing(request: HttpRequest, lang: str, message: str, links: Sequence[tuple[str, str]] = (), game: str = "") -> HttpResponse:
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


def _instead(request: HttpRequest, game: str, lang: str) -> tuple[str, str] | None:
    """Return the language that the reader asked for and the book lacks, and what to tell them in it."""
    wanted = request.GET.get(INSTEAD_OF, "")
    if wanted not in LANGUAGE_NAMES or wanted in content.book(game).languages:
        return None
    with override(wanted):
        return wanted, _("This page isn't available in this language yet. Shown instead: %(language)s.") % {
            "language": LANGUAGE_NAMES[lang]
        }


def interface() -> Sequence[str]:
    return tuple(settings.INTERFACE_LANGUAGES)


def switch(name: str, codes: Sequence[str], current: str, **kwargs: str) -> list[tuple[str, str, str, bool]]:
    """Return the language switch of a page: address, name, code, whether it is the current one."""
    return [(reverse(name, kwargs={"lang": code, **kwargs}), label, code, code == current) for code, label in pages.named(codes)]


def _chapter_address(lang: str, game: str, slug: str) -> str:
    return reverse("rules:chapter", args=[lang, game, slug])


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0
