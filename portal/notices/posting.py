"""Posts to addresses that people gave: to public ones only, and with little patience.

The name is resolved once, every address that it has must be public, and the connection goes to the address that was looked at, so that a name
cannot change in between. No redirect is followed.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils import translation

from portal.common.refusals import BadValue
from portal.notices import refusals

LIMIT_S: Final = 5.0  # for a whole exchange
ANSWER_BYTES: Final = 1024
_TRANSLATED: Final = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"), ipaddress.ip_network("2002::/16"))


class Failed(Exception):
    """The receiver did not take it; the text says why: the status of its answer, or the kind of error."""


def check(url: str) -> None:
    """Raises BadHook, HookNotPublic or HookNotFound for an address that nothing can be posted to."""
    _addresses(_checked(url))


def post(url: str, headers: Mapping[str, str], body: bytes) -> str:
    """Post a body; return the status of the answer if it is a good one (2xx). Raises Failed."""
    try:
        parts = _checked(url)
        address = _addresses(parts)[0]
    except BadValue as refusal:
        with translation.override("en"):
            raise Failed(str(refusal)) from None
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = http.client.HTTPConnection(host, port, timeout=LIMIT_S)
    is_cut = threading.Event()
    end = threading.Timer(LIMIT_S, _cut, [connection, is_cut])  # the time limit of a socket is for each piece, and a slow answer has many
    end.daemon = True
    end.start()
    try:
        connection.sock = socket.create_connection((address, port), timeout=LIMIT_S)
        if parts.scheme == "https":
            secured = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host, do_handshake_on_connect=False)
            connection.sock = secured
            secured.do_handshake()
        connection.request("POST", target, body, {"User-Agent": "Ziggurat", **headers})
        answer = connection.getresponse()
        answer.read(ANSWER_BYTES)
        status = answer.status
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Failed(type(error).__name__) from None
    finally:
        end.cancel()
        connection.close()
    if is_cut.is_set():
        raise Failed("TimeoutError")
    if not 200 <= status < 300:
        raise Failed(str(status))
    return str(status)


def _cut(connection: http.client.HTTPConnection, is_cut: threading.Event) -> None:
    """End an exchange from another thread: whoever waits for the socket gets an end of file, which may look like the end of an answer."""
    is_cut.set()
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)


def _checked(url: str) -> SplitResult:
    """Return the parts of an address. Raises BadHook."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        raise refusals.BadHook from None
    schemes = ("https", "http") if settings.HOOKS_TO_PRIVATE else ("https",)
    is_odd = port is not None and port < 1024 and port not in (80, 443)
    plain = url.strip().isascii() and url.strip().isprintable() and " " not in url.strip() and len(url) <= 500
    if parts.scheme not in schemes or not parts.hostname or "@" in parts.netloc or is_odd or not plain:
        raise refusals.BadHook
    return parts


def _addresses(parts: SplitResult) -> list[str]:
    """Return the addresses of a host. Raises HookNotFound, and HookNotPublic if one of them is not on the public internet."""
    try:
        found = socket.getaddrinfo(parts.hostname, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise refusals.HookNotFound from None
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not settings.HOOKS_TO_PRIVATE and not all(map(is_public, addresses)):
        raise refusals.HookNotPublic
    return addresses


def is_public(address: str) -> bool:
    """Return whether an address is on the public internet, and not by way of a translation into another network.

    >>> [is_public(one) for one in ("9.9.9.9", "10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fe80::1%eth0", "64:ff9b::a00:1")]
    [True, False, False, False, False, False, False, False]
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        if any(ip in network for network in _TRANSLATED):
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved
