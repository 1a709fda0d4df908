"""A short way in for people of tests: what `Client.force_login` leaves behind, for a third of its statements."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.http import HttpRequest
from django.test import Client

_thorough = Client.force_login


def let_in(client: Client, user: Any, backend: str | None = None) -> None:
    """Sign `user` in as `force_login` does, without the date of the last sign-in, the counters of wrong passwords and a second key.

    What a sign-in does besides is shown by the tests that fill in the form.
    """
    from portal.clubs.waiting import recount_at_sign_in  # models are not there before

    if settings.SESSION_COOKIE_NAME in client.cookies or backend is not None:
        _thorough(client, user, backend)
        return
    request: Any = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore()
    request.session[SESSION_KEY] = user._meta.pk.value_to_string(user)
    request.session[BACKEND_SESSION_KEY] = client._get_backend()  # type: ignore[attr-defined]
    request.session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    request.session.save()
    recount_at_sign_in(user=user)
    client._set_login_cookies(request)  # type: ignore[attr-defined]
