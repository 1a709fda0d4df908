"""`/sitemap.xml`: what search engines should find, each page in every language with the addresses of the others.

That is the shelf, and of each book its contents, chapters, glossary, and the whole of it on one page. The glossary of all games, the
player aids and the pages "When does this happen?" say nothing that isn't there. Pages about the site have one address for all languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from xml.etree import ElementTree

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from rules_docs import content, heads
from rules_docs.models import Book

SPACES = {"": "http://www.sitemaps.org/schemas/sitemap/0.9", "xhtml": "http://www.w3.org/1999/xhtml"}

ABOUT_THE_SITE = ("about", "help", "privacy", "terms", "contact")  # names of routes


@require_safe
@cache_control(max_age=3600, public=True)
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the pages of the books that are loaded."""
    loaded = dict(Book.objects.values_list("game", "changed_at"))
    root = ElementTree.Element("urlset", {f"xmlns:{name}" if name else "xmlns": space for name, space in SPACES.items()})
    for name in ABOUT_THE_SITE:
        entry = ElementTree.SubElement(root, "url")
        ElementTree.SubElement(entry, "loc").text = heads.absolute(reverse(name))
    for name, languages, kwargs, changed in _pages(loaded):
        addresses = {lang: heads.absolute(reverse(name, kwargs={"lang": lang, **kwargs})) for lang in languages}
        for address in addresses.values():
            entry = ElementTree.SubElement(root, "url")
            ElementTree.SubElement(entry, "loc").text = address
            if changed is not None:
                ElementTree.SubElement(entry, "lastmod").text = changed.date().isoformat()
            for lang, other in addresses.items():
                ElementTree.SubElement(entry, "xhtml:link", {"rel": "alternate", "hreflang": lang, "href": other})
    return HttpResponse(ElementTree.tostring(root, "utf-8", xml_declaration=True), content_type="application/xml")


def _pages(loaded: Mapping[str, datetime]) -> Iterator[tuple[str, Sequence[str], dict[str, str], datetime | None]]:
    """Yield route, languages, its other arguments, and the last change of each page."""
    yield "rules:shelf", settings.INTERFACE_LANGUAGES, {}, None
    for game in content.book_keys():
        if game not in loaded:
            continue
        book = content.book(game)
        yield "rules:book", book.languages, {"game": game}, loaded[game]
        yield "rules:glossary_of", book.languages, {"game": game}, loaded[game]
        yield "rules:whole", book.languages, {"game": game}, loaded[game]
        for chapter in book.chapters:
            yield "rules:chapter", book.languages, {"game": game, "chapter": chapter.slug}, loaded[game]
