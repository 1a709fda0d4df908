"""Answers to requests that don't get as far as Django, in the reader's language."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.html import escape
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from portal.live.problems import CONTENT_TYPE, is_of_api, problem
from portal.live.protocol import Scope, Send, header, language
from portal.metrics.definitions import TURNED_AWAY

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True)
class TurnedAway:
    """Status, the word for programs, title and sentence of an answer, and after how many seconds the same request may work."""

    status: int
    code: str
    title: _StrPromise
    reason: _StrPromise
    retry_after_s: int | None = None

    async def answer(self, scope: Scope, send: Send) -> None:
        """Answer as JSON to programs, as a page to people."""
        TURNED_AWAY.labels(self.code).inc()
        with override(language(scope)):
            kind, text = self._json() if self._is_for_a_program(scope) else self._page(language(scope))
        headers = [
            (b"content-type", kind),
            (b"content-length", b"%d" % len(text)),
            (b"cache-control", b"no-store"),
            (b"x-content-type-options", b"nosniff"),
            (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
            (b"connection", b"close"),
        ]
        if self.retry_after_s is not None:
            headers.append((b"retry-after", b"%d" % self.retry_after_s))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": text if scope["method"] != "HEAD" else b""})

    @staticmethod
    def _is_for_a_program(scope: Scope) -> bool:
        return is_of_api(scope["path"]) or "json" in header(scope, b"accept")

    def _json(self) -> tuple[bytes, bytes]:
        told = problem(self.status, self.code, str(self.reason))
        return CONTENT_TYPE.encode(), json.dumps(told, ensure_ascii=False).encode()

    def _page(self, lang: str) -> tuple[bytes, bytes]:
        title = escape(self.title)
        text = (
            f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>{title}</title>'
            f'<h1>{title}</h1><p>{escape(self.reason)}</p><p><a href="/">{escape(_("Front page"))}</a></p></html>'
        )
        return b"text/html; charset=utf-8", text.encode()


TOO_BIG = TurnedAway(
    413, "too_big", _("Too large"), _("The request is larger than 64 kB. No page on this site sends that much. Nothing was changed.")
)
TOO_BIG_PICTURE = TurnedAway(
    413, "too_big", _("Too large"), _("The picture is larger than 5 MB. Go back and choose a smaller one. Nothing was changed.")
)
TOO_SLOW = TurnedAway(408, "too_slow", _("Too slow"), _("The request did not arrive in time. Nothing was changed. Please send it again."))
TOO_MANY_TOKENS = TurnedAway(
    429,
    "too_many",
    _("Please slow down"),
    _("Too many wrong passwords, tokens or links from your address. Wait a while, then try again."),
    retry_after_s=60,
)
NO_PLACE = TurnedAway(
    503,
    "no_place",
    _("Too many requests at once"),
    _(
        "The server is already handling as many requests as it can, either from you or in total. Nothing was changed. Try again in a moment."
    ),
    retry_after_s=3,
)
NO_STREAM = TurnedAway(
    503,
    "no_stream",
    _("Too many open tables"),
    _("The server is already updating as many tables as it can, either for you or in total. Close some, or reload the page now and then."),
    retry_after_s=15,
)
NO_PROGRAM = TurnedAway(
    503,
    "no_stream",
    _("Too many streams"),
    _("The server already holds as many streams as it can, either for your address or in total. Connect again in a moment."),
    retry_after_s=15,
)
TOO_MANY_STREAMS = TurnedAway(
    429,
    "too_many_streams",
    _("Too many streams"),
    _("You have too many streams open. One stream covers all your tables, so close the others."),
    retry_after_s=15,
)
