"""Reading without a connection: the service worker that keeps rule pages on a device, and the page that lists what is kept there."""

from __future__ import annotations

import hashlib
from itertools import groupby
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from rules_docs import pages, views
from rules_docs.models import Chapter


def _script() -> bytes:
    return Path(str(finders.find("js/sw.js"))).read_bytes()


@require_safe
@cache_control(no_cache=True)
@condition(etag_func=lambda _request: f'"{hashlib.sha256(_script()).hexdigest()[:32]}"')
def worker(_request: HttpRequest) -> HttpResponse:
    """The service worker, at the root, because a worker may only be registered for pages below its own address."""
    return HttpResponse(_script(), content_type="text/javascript; charset=utf-8")


@require_safe
def offline(request: HttpRequest, lang: str) -> HttpResponse:
    """All pages of the books that have been loaded in a language; the page's script shows those that the device keeps.

    The service worker keeps it too and shows it for an address that isn't kept.
    """
    if lang not in views.LANGUAGE_NAMES:
        return views.missing(request, lang, _("There are no rule pages in “%(code)s”.") % {"code": lang})
    chapters = Chapter.objects.filter(lang=lang).order_by("book_id", "number")
    books = {game: list(own) for game, own in groupby(chapters, lambda chapter: chapter.book_id)}
    context = {
        "books": [(book, books[book.game]) for book in pages.shelf(lang) if book.game in books],
        "lang": lang,
        "languages": views.switch("rules:offline", views.interface(), lang),
    }
    return views.page(request, "rules/offline.html", context)
