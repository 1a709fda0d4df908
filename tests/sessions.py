"""Quick sign-in for tests: the result of `Client.force_login` with a third of its statements."""

from __future__ import annotations

import secrets
import time
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.http import HttpRequest
from django.test import Client

_thorough = Client.force_login


def let_in(client: Client, user: Any, backend: str | None = None) -> None:
    """Sign `user` in like `force_login`, without the last sign-in date, the counters of wrong passwords, a line in the list of devices and a second key.

    The tests that fill in the form cover everything else a sign-in does.
    """
    from portal.accounts.sign_ins import _NOTED
    from portal.clubs.waiting import recount_at_sign_in  # models are not there before
    from portal.notices.unread import recount_at_sign_in as recount_notices

    if settings.SESSION_COOKIE_NAME in client.cookies or backend is not None:
        _thorough(client, user, backend)
        return
    request: Any = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(secrets.token_hex(16))
    request.session._session_cache = {}  # looked up, a key that isn't stored yet would be exchanged for another
    request.session[SESSION_KEY] = user._meta.pk.value_to_string(user)
    request.session[BACKEND_SESSION_KEY] = client._get_backend()  # type: ignore[attr-defined]
    request.session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    request.session[_NOTED] = [request.session.session_key, int(time.time())]
    request.session.save(must_create=True)
    recount_at_sign_in(user=user)
    recount_notices(user=user)
    client._set_login_cookies(request)  # type: ignore[attr-defined]
