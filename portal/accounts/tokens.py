"""API tokens: a program sends one with each request. The database holds only their digests, so a copy of it gives nobody access."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import authentication, exceptions
from rest_framework.request import Request

from portal.accounts.middleware import speak_to
from portal.accounts.models import ApiToken, User
from portal.common.limits import Guesses

TOKEN_BYTES: Final = 20  # 160 random bits: nothing slower than one SHA-256 is needed to keep them
EVERY: Final = timedelta(hours=1)  # how often the last use of a token is written
GUESSES: Final = Guesses("api-token", limit=60, window_s=60)


def digest_of(token: str) -> str:
    """Return what the database holds of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """Return a token that nobody has: 40 hexadecimal digits."""
    return secrets.token_hex(TOKEN_BYTES)


class TokenExpired(exceptions.AuthenticationFailed):
    """The token was right until it expired, so it is nobody's guess."""

    default_detail = gettext_lazy("This token has expired. Create another one in the settings.")
    default_code = "token_expired"


class TokenAuthentication(authentication.TokenAuthentication):
    """`Authorization: Token …`; anything that cannot be a token is refused before any lookup."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return person and token, or None without the header. Raises AuthenticationFailed, and TooManyGuesses for an address that guesses."""
        if not authentication.get_authorization_header(request).lower().startswith(b"token"):
            return None
        is_guess = not getattr(request._request, "is_check", False)  # a stream that is open has guessed right
        if is_guess:
            GUESSES.check(request._request)
        try:
            found: tuple[User, ApiToken] | None = super().authenticate(request)
        except TokenExpired:
            raise
        except exceptions.AuthenticationFailed:
            if is_guess:
                GUESSES.count(request._request)
            raise
        if found is not None:
            speak_to(request._request, found[0])  # nobody has a session here, so nothing has spoken to them yet
        return found

    def authenticate_credentials(self, key: str) -> tuple[User, ApiToken]:
        found = ApiToken.objects.select_related("user").filter(digest=digest_of(key)).first() if _could_be(key) else None
        if found is None or not found.user.is_active:
            raise exceptions.AuthenticationFailed(_("This token doesn't exist. Create one in the settings."))
        now = timezone.now()
        if found.expires_at is not None and found.expires_at <= now:
            raise TokenExpired
        if found.used_at is None or found.used_at <= now - EVERY:
            ApiToken.objects.filter(pk=found.pk).update(used_at=now)
        return found.user, found


def _could_be(key: str) -> bool:
    return key.isascii() and key.isalnum()
