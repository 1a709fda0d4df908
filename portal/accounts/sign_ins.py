"""The browsers in which people are signed in.

Each session remembers its row and when that was last written, so a request asks the database nothing; once an hour it writes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any, Final, cast

from allauth.account.signals import password_changed, password_reset, password_set
from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from portal.accounts.browsers import name_of
from portal.accounts.models import SignIn, User

EVERY: Final = timedelta(hours=1)
_NOTED: Final = "sign_in"  # in the session: [its key when noted, moment]; a new key comes with a new password


class NoteSignIns:
    """Keeps the list of a person's browsers up to date."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and not request.user.is_guest:
            _note(request, request.user)
        return self.get_response(request)


def of(user: User, current: str | None) -> list[SignIn]:
    """Return the browsers in which a person is signed in: the one with the session `current` first, then by last use."""
    oldest = timezone.now() - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    found = list(SignIn.objects.filter(user=user, seen_at__gt=oldest).order_by("-seen_at", "-pk"))
    return sorted(found, key=lambda one: one.key != current)


def end(user: User, pk: int) -> bool:
    """Sign a person out in one browser; says whether there was one. Of other people nothing is touched."""
    return _end(SignIn.objects.filter(user=user, pk=pk)) > 0


def end_all(user: User, *, but: str | None = None) -> int:
    """Sign a person out everywhere except in the session `but`; return in how many browsers."""
    return _end(SignIn.objects.filter(user=user).exclude(key=but or ""))


# Parts


def _note(request: HttpRequest, user: User) -> None:
    key, now = request.session.session_key, int(time.time())
    known = request.session.get(_NOTED)
    if key is None or (known is not None and known[0] == key and now - known[1] < EVERY.total_seconds()):
        return
    if known is not None and known[0] != key:
        SignIn.objects.filter(user=user, key=known[0]).delete()
    browser = name_of(request.headers.get("User-Agent", ""))
    SignIn.objects.update_or_create(key=key, defaults={"user": user, "browser": browser, "seen_at": timezone.now()})
    request.session[_NOTED] = [key, now]


def _end(rows: Any) -> int:
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    keys = list(rows.values_list("key", flat=True))
    for key in keys:
        store.delete(key)
    rows.delete()
    return len(keys)


@receiver(user_logged_in, dispatch_uid="sign-ins")
def _signed_in(*, request: HttpRequest | None, user: User, **_signal: object) -> None:
    if request is not None and not user.is_guest:
        _note(request, user)


@receiver(user_logged_out, dispatch_uid="sign-ins")
def _signed_out(*, request: HttpRequest | None, **_signal: object) -> None:
    if request is not None and getattr(request, "session", None) is not None and request.session.session_key:
        SignIn.objects.filter(key=request.session.session_key).delete()


@receiver((password_changed, password_set, password_reset), dispatch_uid="sign-ins")
def _other_password(*, request: HttpRequest, user: Any, **_signal: object) -> None:
    """A new password already ends what the old one opened; this takes the sessions off the list."""
    end_all(cast(User, user), but=request.session.session_key)
