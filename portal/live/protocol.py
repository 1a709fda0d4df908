"""The types of ASGI, and what can be read from a request before Django sees it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_network
from typing import Any

from django.conf import settings
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def header(scope: Scope, wanted: bytes) -> str:
    """Return a header's value, or an empty text."""
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == wanted), "")


def address_of(forwarded: str, direct: str) -> str:
    """Return a client's address: `direct`, or behind PROXY_COUNT proxies the one in X-Forwarded-For that the outermost proxy saw."""
    hops = [part.strip() for part in forwarded.split(",") if part.strip()]
    count: int = settings.PROXY_COUNT
    return hops[-count][:64] if 0 < count <= len(hops) else direct


def network_of(address: str) -> str:
    """Return an address, of IPv6 only the first 64 bits: whoever has one such address usually has all of its network."""
    try:
        return address if "." in address else str(ip_network(f"{address}/64", strict=False))
    except ValueError:  # a zone, or nothing that a server would call an address
        return address


def network(scope: Scope) -> str:
    """Return the network whose places a request uses."""
    return network_of(address_of(header(scope, b"x-forwarded-for"), str((scope.get("client") or ("",))[0])))


def language(scope: Scope) -> str:
    """Return the reader's language: the one in the cookie, else the first in `Accept-Language` that the site speaks."""
    asked = [code for code, _ in parse_accept_lang_header(header(scope, b"accept-language"))]
    try:
        chosen = SimpleCookie(header(scope, b"cookie")).get(settings.LANGUAGE_COOKIE_NAME)
    except CookieError:
        chosen = None
    for code in [chosen.value, *asked] if chosen else asked:
        try:
            return get_supported_language_variant(code)
        except LookupError:
            continue
    return str(settings.LANGUAGE_CODE)
