"""Notices to a person's own web address: signed, to public addresses only, and with little patience.

The name is resolved once, every address that it has must be public, and the connection goes to the address that was looked at, so that a name
cannot change in between. No redirect is followed.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ipaddress
import json
import secrets
import socket
import ssl
import threading
import time
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone, translation

from portal.accounts.models import User
from portal.common.refusals import BadValue
from portal.notices import refusals
from portal.notices.models import Channel, Delivery, Hook, Kind, Notice, Reach
from portal.notices.reach import after_quiet, zone_of
from portal.notices.sentences import sentence

LIMIT_S: Final = 5.0  # for a whole exchange
SWEEP_S: Final = 20.0  # for all exchanges of one run of the task
ANSWER_BYTES: Final = 1024
IN_HAND: Final = timedelta(minutes=2)  # longer than a run of the task may take
RETRIES_S: Final = (60, 300, 1500, 7200)
MOST_FAILURES: Final = 10
_NAT64: Final = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"), ipaddress.ip_network("2002::/16"))


class HookFailed(Exception):
    """The receiver did not take it; the text says why."""


def save_hook(user: User, url: str) -> str:
    """Set or change a person's address, and return a new secret, which is shown once. Raises BadHook, HookNotPublic, HookNotFound."""
    parts = _checked(url)
    _addresses(parts)
    secret = secrets.token_urlsafe(32)
    Hook.objects.update_or_create(
        user=user, defaults={"url": url.strip(), "secret": secret, "failures": 0, "off_at": None, "said": "", "said_at": None}
    )
    return secret


def send_due() -> int:
    """Post what is due, those that never failed first; return how many were taken. A receiver that fails has to wait for the next run."""
    end = time.monotonic() + SWEEP_S
    due = Delivery.objects.filter(channel=Channel.HOOK, status=Delivery.Status.WAITING, due_at__lte=timezone.now())
    sent = 0
    failed: set[int] = set()
    for pk, person in list(due.order_by("attempts", "due_at").values_list("pk", "user")[:500]):
        if time.monotonic() >= end:
            break
        if person in failed:
            continue
        outcome = _deliver(pk)
        sent += outcome is True
        if outcome is False:
            failed.add(person)
    return sent


def _deliver(pk: int) -> bool | None:
    """Claim and post one delivery, with no transaction open meanwhile; None if it was not to be sent."""
    now = timezone.now()
    waiting = Delivery.objects.filter(pk=pk, status=Delivery.Status.WAITING, due_at__lte=now)
    if not waiting.update(due_at=now + IN_HAND, attempts=F("attempts") + 1):
        return None
    row = Delivery.objects.select_related("notice", "user").get(pk=pk)
    hook, reach = Hook.objects.filter(user=row.user_id).first(), Reach.objects.filter(user=row.user_id).first()
    if hook is None or hook.off_at is not None:
        _end(row, Delivery.Status.DROPPED, "off")
        return None
    if not row.is_live:
        _end(row, Delivery.Status.DROPPED, row.why_stale)
        return None
    free = after_quiet(reach, row.user, Kind(row.notice.kind), now)
    if free > now:
        Delivery.objects.filter(pk=pk).update(due_at=free, is_held=True, attempts=F("attempts") - 1)
        return None
    Notice.objects.filter(pk=row.notice_id).update(is_unsent=False)
    try:
        said = post(hook.url, hook.secret, body_of(row))
    except HookFailed as failure:
        _note_failure(row, hook, str(failure))
        return False
    _end(row, Delivery.Status.SENT, "")
    Hook.objects.filter(pk=hook.pk).update(failures=0, said=said, said_at=timezone.now())
    return True


def _end(row: Delivery, status: Delivery.Status, why: str) -> None:
    Delivery.objects.filter(pk=row.pk).update(status=status, why=why, done_at=timezone.now())


@transaction.atomic
def _note_failure(row: Delivery, hook: Hook, why: str) -> None:
    """Schedule another attempt, or none; switch the hook off if it has failed too often or says that it is gone."""
    now = timezone.now()
    Hook.objects.filter(pk=hook.pk).update(failures=F("failures") + 1, said=why[:300], said_at=now)
    if why == "410":
        Hook.objects.filter(pk=hook.pk).update(off_at=now)
    else:
        Hook.objects.filter(pk=hook.pk, failures__gte=MOST_FAILURES, off_at=None).update(off_at=now)
    if row.attempts <= len(RETRIES_S):
        wait = timedelta(seconds=RETRIES_S[row.attempts - 1])
        Delivery.objects.filter(pk=row.pk).update(due_at=now + wait, why=why[:300])
    else:
        _end(row, Delivery.Status.FAILED, why[:300])


def body_of(row: Delivery) -> bytes:
    """Return what is posted. `id` is the same in every attempt; `at` is the moment of this one, so that an old message can be told from a new one."""
    notice = row.notice
    with translation.override(row.user.language or "en"), timezone.override(zone_of(row.user)):
        text = sentence(notice)
    said: dict[str, Any] = {
        "id": str(row.uid),
        "at": timezone.now().isoformat(timespec="seconds"),
        "kind": notice.kind,
        "what": notice.key,
        "text": text,
        "url": settings.BASE_URL + notice.path,
        "table": notice.table_id,
    }
    return json.dumps(said, ensure_ascii=False).encode()


def signature(secret: str, body: bytes) -> str:
    """Return the value of the header that proves who sent a body."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def post(url: str, secret: str, body: bytes) -> str:
    """Post a signed body; return the status of the answer if it is a good one (2xx). Raises HookFailed."""
    try:
        parts = _checked(url)
        address = _addresses(parts)[0]
    except BadValue as refusal:
        with translation.override("en"):
            raise HookFailed(str(refusal)) from None
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {"Content-Type": "application/json", "User-Agent": "Ziggurat", "Ziggurat-Signature": signature(secret, body)}
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
        connection.request("POST", target, body, headers)
        answer = connection.getresponse()
        answer.read(ANSWER_BYTES)
        status = answer.status
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise HookFailed(type(error).__name__) from None
    finally:
        end.cancel()
        connection.close()
    if is_cut.is_set():
        raise HookFailed("TimeoutError")
    if not 200 <= status < 300:
        raise HookFailed(str(status))
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
        if any(ip in network for network in _NAT64):
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved
