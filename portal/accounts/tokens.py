"""API tokens: a program sends one with each request. The database holds only their digests, so a copy of it gives nobody access."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from django.utils.translation import gettext as _
from rest_framework import authentication, exceptions
from rest_framework.request import Request

from portal.accounts.middleware import speak_to
from portal.accounts.models import ApiToken, User
from portal.common.limits import Guesses

TOKEN_BYTES: Final = 20  # 160 random bits: nothing slower than one SHA-256 is needed to keep them
GUESSES: Final = Guesses("api-token", limit=60, window_s=60)


def digest_of(token: str) -> str:
    """Return what the database holds of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """Return a token that nobody has: 40 hexadecimal digits."""
    return secrets.token_hex(TOKEN_BYTES)


class TokenAuthentication(authentication.TokenAuthentication):
    """`Authorization: Token …`; anything that cannot be a token is refused before any lookup."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return person and token, or None without the header. Raises AuthenticationFailed, and TooManyGuesses for an address that guesses."""
        if not authentication.get_authorization_header(request).lower().startswith(b"token"):
            return None
        GUESSES.check(request._request)
        try:
            found: tuple[User, ApiToken] | None = super().authenticate(request)
        except exceptions.AuthenticationFailed:
            GUESSES.count(request._request)
            raise
        if found is not None:
            speak_to(request._request, found[0])  # nobody has a session here, so nothing has spoken to them yet
        return found

    def authenticate_credentials(self, key: str) -> tuple[User, ApiToken]:
        found = ApiToken.objects.select_related("user").filter(digest=digest_of(key)).first() if _could_be(key) else None
        if found is None or not found.user.is_active:
            raise exceptions.AuthenticationFailed(_("This token doesn't exist. Create one in the settings."))
        return found.user, found


def _could_be(key: str) -> bool:
    return key.isascii() and key.isalnum()
