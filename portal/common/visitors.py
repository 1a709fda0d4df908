"""Pages that all visitors get alike are rendered once a second, not once for each of them, and nobody waits for it while they are asked for.

A visitor has no session. What their page depends on is in the key: address, language, theme, dismissed announcements. The form tokens in it are the only thing of their
own: each visitor gets a token of theirs in the place of the one that the page was rendered with. Nothing of anyone who is signed in, or was, is
kept or given.
"""

from __future__ import annotations

import re
import struct
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import parse_http_date_safe

from portal.live import renewals

DISMISSED = "news"  # the cookie with the announcements that this browser no longer shows (`portal.site.news`)
HARMLESS_COOKIES = {settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME, "theme", DISMISSED}
THEMES = ("light", "dark")
LONGEST_ADDRESS = 200
RENEW_WITHIN_S = 2.0  # others get the old page while the new one is rendered
OLD_S = 1.0  # for so long after its time a page is still given, and rendered again behind the answer
_KEYS = re.compile(r"[1-9][0-9]{0,9}(-[1-9][0-9]{0,9}){0,9}")
_FORM_TOKEN = re.compile(rb'name="csrfmiddlewaretoken"[^>]*? value="([A-Za-z0-9]{64})"')
_LIKE_A_TOKEN = re.compile(rb"(?<![A-Za-z0-9])[A-Za-z0-9]{64}(?![A-Za-z0-9])")
_DIGEST = re.compile(rb"[0-9a-f]{64}")
_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
_GZIP_END = b"\x03\x00"  # an empty last block
_NO_TOKEN = bytes(range(128, 192))  # never in this order in UTF-8
_WINDOW = 32_768

Key = tuple[str, ...]


@dataclass
class Page:
    """A rendered page, cut where a form token was: the pieces as they are, and packed so that they can be joined with any token between them."""

    pieces: Sequence[bytes]
    packed_pieces: Sequence[bytes]  # raw deflate, each ends at a byte
    headers: dict[str, str]
    until: float
    size: int = field(init=False)
    too_old_at: float = field(init=False)

    def __post_init__(self) -> None:
        self.too_old_at = self.until + OLD_S
        self.size = sum(map(len, self.pieces)) + sum(map(len, self.packed_pieces))

    @classmethod
    def of(cls, body: bytes, headers: dict[str, str], until: float) -> Page | None:
        """Return the page, or None if it may hold a token in another place than a form."""
        tokens = set(_FORM_TOKEN.findall(body))
        if any(found not in tokens for found in _LIKE_A_TOKEN.findall(body) if not _DIGEST.fullmatch(found)):
            return None
        pieces = re.split(b"|".join(tokens), body) if tokens else [body]
        packed, before = [], b""
        for piece in pieces:
            # What comes before is the dictionary, with a token that no page has, so that nothing refers to its letters.
            packer = zlib.compressobj(6, zlib.DEFLATED, -15, zdict=before)
            packed.append(packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH))
            before = (before + piece + _NO_TOKEN)[-_WINDOW:]
        return cls(pieces, packed, headers, until)

    def plain(self, token: bytes) -> bytes:
        return token.join(self.pieces)

    def packed(self, token: bytes) -> bytes:
        """Return the page in gzip format. The token is not compressed, so the size tells nothing about it."""
        stored = struct.pack("<BHH", 0, len(token), len(token) ^ 0xFFFF) + token
        plain = self.plain(token)
        end = struct.pack("<LL", zlib.crc32(plain), len(plain) & 0xFFFFFFFF)
        return b"".join([_GZIP_HEAD, stored.join(self.packed_pieces), _GZIP_END, end])


class Shelf:
    """The pages that are kept: the newest ones, up to a number of bytes. Threads share it."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._pages: OrderedDict[Key, Page] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def take(self, key: Key, now: float, *, renews: bool) -> tuple[Page | None, bool]:
        """Return the page, or None if there is none to give, and whether the caller has to render it again.

        A page whose time has just gone by is given to one who `renews` it afterwards; else that one has to render it first.
        """
        with self._lock:
            page = self._pages.get(key)
            if page is None:
                return None, True
            is_old = now >= page.until
            if is_old:
                page.until = now + RENEW_WITHIN_S
                if not renews or now >= page.too_old_at:
                    return None, True
            self._pages.move_to_end(key)
            return page, is_old

    def put(self, key: Key, page: Page) -> None:
        with self._lock:
            self._drop(key)
            self._pages[key] = page
            self._bytes += page.size
            while self._bytes > self._most_bytes:
                self._drop(next(iter(self._pages)))

    def drop(self, key: Key) -> None:
        with self._lock:
            self._drop(key)

    def clear(self) -> None:
        with self._lock:
            self._pages.clear()
            self._bytes = 0

    def _drop(self, key: Key) -> None:
        page = self._pages.pop(key, None)
        self._bytes -= page.size if page else 0


shelf = Shelf(settings.VISITOR_PAGES_BYTES)


class KeepForVisitors:
    """Innermost of the middleware: keeps pages of the views in `VISITOR_PAGES` (route name -> seconds) and gives them to visitors."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        wanted: tuple[Key, float] | None = getattr(request, "_kept_as", None)
        if wanted is not None:
            _keep(*wanted, response)
        return response

    def process_view(self, request: HttpRequest, *_args: Any) -> HttpResponse | None:
        """Answer with the kept page, if there is one."""
        match = request.resolver_match
        seconds = settings.VISITOR_PAGES.get(match.view_name) if match else None
        if not seconds or not _is_alike(request):
            return None
        key = _key(request)
        if not request.META.get(renewals.IS_ONE):
            page, is_due = shelf.take(key, time.monotonic(), renews=bool(request.META.get(renewals.POSSIBLE)))
            if page is not None:
                if is_due:
                    request.META[renewals.WANTED] = True
                return _answer(request, page)
        request._kept_as = (key, seconds)  # type: ignore[attr-defined]
        return None


def _is_alike(request: HttpRequest) -> bool:
    """Whether every visitor who asks like this gets the same page."""
    asked = request.headers
    return (
        request.method == "GET"
        and HARMLESS_COOKIES.issuperset(request.COOKIES)
        and "HX-Request" not in asked
        and "Authorization" not in asked
        and "Range" not in asked
        and len(request.get_full_path()) <= LONGEST_ADDRESS
    )


def _key(request: HttpRequest) -> Key:
    theme = request.COOKIES.get("theme", "")
    return (
        request.scheme or "",
        request.get_host(),
        request.get_full_path(),
        translation.get_language() or "",
        theme if theme in THEMES else "",
        "-".join(dismissed(request)),
    )


def dismissed(request: HttpRequest) -> list[str]:
    """Return the keys of the announcements that the reader has dismissed; none if the cookie holds anything else."""
    held = request.COOKIES.get(DISMISSED, "")
    return held.split("-") if _KEYS.fullmatch(held) else []


def _keep(key: Key, seconds: float, response: HttpResponse) -> None:
    if response.status_code == 304:  # the asker has it; what is kept is still good
        return
    is_page = response.status_code == 200 and not response.streaming and response.headers.get("Content-Type", "").startswith("text/html")
    if not is_page or response.cookies or "no-store" in response.headers.get("Cache-Control", ""):
        shelf.drop(key)
        return
    page = Page.of(response.content, dict(response.headers), time.monotonic() + seconds)
    if page is not None:
        shelf.put(key, page)


def _answer(request: HttpRequest, page: Page) -> HttpResponse:
    etag = page.headers.get("ETag")
    if etag:
        changed = parse_http_date_safe(page.headers.get("Last-Modified", ""))
        unchanged = get_conditional_response(request, etag=etag, last_modified=changed)
        if unchanged is not None:
            return unchanged
    token = get_token(request).encode() if len(page.pieces) > 1 else b""
    response = HttpResponse(headers=page.headers)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response.content = page.packed(token)
        response.headers["Content-Encoding"] = "gzip"
        if etag and etag.startswith('"'):
            response.headers["ETag"] = f"W/{etag}"
        patch_vary_headers(response, ["Accept-Encoding"])
    else:
        response.content = page.plain(token)
    if token:
        patch_vary_headers(response, ["Cookie"])
    return response
