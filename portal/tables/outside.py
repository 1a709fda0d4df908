"""What other sites may show of the site: addresses that can be embedded, the markup of the frame, and how it is looked at there.

A frame is drawn for a visitor, whoever looks at it: a browser may send the cookies of somebody who is signed in here, and another site's page
is no place for what only they may see. Language and theme are in the address, so that one address is one page for everybody.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, Final
from urllib.parse import urlencode

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.utils.html import format_html
from django.views.decorators.clickjacking import xframe_options_exempt

from games.core.contract import AnyGame
from rules_docs import heads

WIDTH: Final = 800  # CSS px
HEIGHT: Final = 720
LEAST: Final = 300  # narrower or lower, nothing can be read
LONGEST_CODE: Final = 1_800  # of a position in a link: longer ones are cut by some programs
PREVIEW: Final = 1200  # width of a picture beside a link, in px
THEMES: Final = ("light", "dark")
SHOWN_S: Final = 60  # a table may become private; a name may change

View = Callable[..., HttpResponse]
Answer = Callable[..., HttpResponseBase]  # as the decorators of Django and django-csp have it


def for_other_sites(view: View) -> Answer:
    """Let every site show what a view gives in a frame, in the language ?lang= and the theme ?theme=, the same for everybody."""

    @xframe_options_exempt
    @csp_replace({"frame-ancestors": ["*"]})
    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        with translation.override(language_of(request)):
            request.LANGUAGE_CODE = language_of(request)
            response = view(request, *args, **values)
            response["Content-Language"] = language_of(request)
        if response.status_code == 200:
            response["Cache-Control"] = f"public, max-age={SHOWN_S}"
        return response

    return shown


def language_of(request: HttpRequest) -> str:
    asked = request.GET.get("lang", "")
    return asked if asked in settings.INTERFACE_LANGUAGES else "en"


def theme_of(request: HttpRequest) -> str:
    """Return the theme that the address asks for; "" is that of the reader's device."""
    asked = request.GET.get("theme", "")
    return asked if asked in THEMES else ""


def looks_of(request: HttpRequest) -> dict[str, str]:
    """Return language and theme as they are in addresses of a frame."""
    return {"lang": language_of(request)} | ({"theme": theme} if (theme := theme_of(request)) else {})


def table_frame(table_id: int, query: dict[str, str]) -> str:
    """Return the whole address of a table's frame."""
    return heads.absolute(f"{reverse('embed-table', args=[table_id])}?{urlencode(query)}")


def position_frame(game: str, code: str, query: dict[str, str]) -> str:
    """Return the whole address of a position's frame."""
    return heads.absolute(f"{reverse('embed-position', args=[game])}?{urlencode(query | {'p': code})}")


def table_picture(table_id: int, form: str, query: dict[str, str]) -> str:
    """Return the whole address of the picture of a step of a table; `form` is svg or png."""
    return heads.absolute(f"{reverse('picture-table', args=[table_id, form])}?{urlencode(query)}")


def position_picture(game: str, code: str, form: str, query: dict[str, str]) -> str:
    """Return the whole address of the picture of a position."""
    return heads.absolute(f"{reverse('picture-position', args=[game, form])}?{urlencode(query | {'p': code})}")


def step_preview(game: AnyGame, head: heads.Head, table_id: int, lang: str, step: int | None = None) -> heads.Head:
    """Return the facts of a page with the picture of a step (None: the last one) in place of the game's own, if the game has pictures."""
    if game.picture is None:
        return head
    query = {"lang": lang, "width": str(PREVIEW)} | ({} if step is None else {"step": str(step)})
    return replace(head, picture=table_picture(table_id, "png", query), size=None)


def frame(address: str, title: str, width: int = WIDTH, height: int = HEIGHT) -> str:
    """Return the markup that shows an address in another page, to be copied there; it gives way where that page is narrower."""
    markup = format_html(
        '<iframe src="{}" width="{}" height="{}" title="{}" style="border:0;max-width:100%" loading="lazy" allowfullscreen></iframe>',
        address,
        width,
        height,
        title,
    )
    return "".join(markup)  # no longer marked as safe: a page of this site shows it as text


def position_page(game: str, code: str) -> str:
    """Return the whole address of the editor with a position."""
    return heads.absolute(f"{reverse('position-editor', args=[game])}?{urlencode({'p': code})}")


def oembed_address(page: str) -> str:
    """Return where other sites ask how a page of this site is embedded; `page` is its whole address."""
    return heads.absolute(reverse("oembed", query={"format": "json", "url": page}))
