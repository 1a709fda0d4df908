"""What a rule page tells search engines and sites that show a link to it: its languages, what it is about, a picture."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from rules_docs import content
from rules_docs.models import Chapter, Paragraph
from rules_docs.pages import Book, Line

LENGTH: Final = 160  # of a description; search engines show no more
SITE: Final = "site"  # the picture of pages that are of no game
PICTURE_SIZE: Final = (1200, 630)
LOCALES: Final = {"en": "en_GB", "hu": "hu_HU", "ru": "ru_RU"}  # as other sites want them
_TAG: Final = re.compile(r"<[^>]+>")


@dataclass(frozen=True, slots=True)
class Head:
    """The facts of a page; all addresses are absolute."""

    address: str
    locale: str
    alternates: Sequence[tuple[str, str]]  # language, address; "x-default" is for readers of no language of ours
    title: str
    description: str
    picture: str
    size: tuple[int, int] | None = PICTURE_SIZE  # of the picture in px; None if that isn't known before it is drawn


def of_shelf(books: Sequence[Book], lang: str) -> Head:
    names = ", ".join(book.title for book in books)
    description = _("Rule books with worked examples you can read and play through: %(games)s.") % {"games": names}
    return _head("rules:shelf", settings.INTERFACE_LANGUAGES, lang, {}, _("Rule books"), description, SITE)


def of_book(book: Book, chapters: Sequence[str], lang: str) -> Head:
    title = _("%(game)s: the rules") % {"game": book.title}
    return _head("rules:book", content.book(book.game).languages, lang, {"game": book.game}, title, ", ".join(chapters), book.game)


def of_glossary(book: Book, nouns: Sequence[str], lang: str) -> Head:
    title = _("%(game)s: glossary") % {"game": book.title}
    return _head("rules:glossary_of", content.book(book.game).languages, lang, {"game": book.game}, title, ", ".join(nouns), book.game)


def of_whole(book: Book, lang: str) -> Head:
    title = _("%(game)s: the whole rule book") % {"game": book.title}
    description = _("The complete rules of %(game)s, with worked examples, on one page to read, search or print as a booklet.") % {
        "game": book.title
    }
    return _head("rules:whole", content.book(book.game).languages, lang, {"game": book.game}, title, description, book.game)


def of_chapter(book: Book, chapter: Chapter, lines: Sequence[Line], lang: str) -> Head:
    first = next((line.first.html for line in lines if line.first.kind == "text"), chapter.title)
    title = f"{book.title}: {chapter.title}"
    kwargs = {"game": book.game, "chapter": chapter.slug}
    return _head("rules:chapter", content.book(book.game).languages, lang, kwargs, title, html.unescape(_TAG.sub("", first)), book.game)


def of_when(book: Book, paragraph: Paragraph, lang: str) -> Head:
    title = _("%(paragraph)s: when does this happen?") % {"paragraph": content.paragraph_label(book.game, paragraph.anchor, lang)}
    kwargs = {"game": book.game, "anchor": paragraph.anchor}
    text = html.unescape(_TAG.sub("", paragraph.html))
    return _head("rules:when", content.book(book.game).languages, lang, kwargs, f"{book.title}: {title}", text, book.game)


def of_page(path: str, lang: str, title: str, description: str, picture: str) -> Head:
    """Return the facts of a page of the portal, which has one address for all languages."""
    return Head(absolute(path), LOCALES.get(lang, lang), (), title, Truncator(description).chars(LENGTH, truncate="…"), picture_of(picture))


def picture_of(name: str) -> str:
    """Return the address of a game's picture, 1200 x 630 px; that of the site's for a game of which none has been made."""
    return absolute(static(preview_path(name)))


def _head(name: str, languages: Sequence[str], lang: str, kwargs: dict[str, str], title: str, description: str, picture: str) -> Head:
    def address(code: str) -> str:
        return absolute(reverse(name, kwargs={"lang": code, **kwargs}))

    default = content.FALLBACK if content.FALLBACK in languages else languages[0]
    return Head(
        address(lang),
        LOCALES.get(lang, lang),
        [*((code, address(code)) for code in languages), ("x-default", address(default))],
        title,
        Truncator(description).chars(LENGTH, truncate="…"),
        picture_of(picture),
    )


def preview_path(name: str) -> str:
    """Return the path of a picture; that of the site for a game of which none has been made."""
    own = f"art/previews/{name}.png"
    return own if finders.find(own) else f"art/previews/{SITE}.png"


def absolute(path: str) -> str:
    """Return the address on this site as other sites have to write it."""
    return f"{settings.BASE_URL.rstrip('/')}{path}"
