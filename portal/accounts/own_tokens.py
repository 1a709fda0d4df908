"""The API tokens that people make for programs of their own: each with a name, scopes and an expiry, and each revoked by itself."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.accounts.models import TOKEN_NAME_CHARS, ApiToken, User
from portal.accounts.refusals import BadExpiry, BadTokenName, NeedsAccount, NoScopes, NoSuchToken, ScopesForBots, TooManyTokens
from portal.accounts.tokens import digest_of, new_token
from portal.common import scopes as known
from portal.common.refusals import ScopeMissing
from portal.common.texts import tidy

MOST_TOKENS: Final = 20  # of one person, besides those of sign-ins
MOST_DAYS: Final = 365
FOR_BOTS: Final = frozenset({"read", "play"})  # what the token of a bot account may do at most


class Made(NamedTuple):
    """A new token; `text` is nowhere kept."""

    row: ApiToken
    text: str


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the tokens of a person; those that have expired are among them until they are cleared away."""
    return ApiToken.objects.filter(user=user)


@transaction.atomic
def make_token(
    *, user: User, name: str = "A program", scopes: Collection[str] = known.ALL, days: int | None = None, by: ApiToken | None = None
) -> Made:
    """Make a token that works for `days`, or until it is revoked.

    `by` is the token that asks for it: the new one can do no more than that, and works no longer. Raises NeedsAccount for a guest,
    BadTokenName, NoScopes, BadExpiry, ScopesForBots, ScopeMissing, and TooManyTokens for somebody who has 20.
    """
    if user.is_guest:
        raise NeedsAccount
    name = tidy(name)
    if not 1 <= len(name) <= TOKEN_NAME_CHARS:
        raise BadTokenName
    if not (wanted := known.written(scopes)):
        raise NoScopes
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise BadExpiry
    expires_at = None if days is None else timezone.now() + timedelta(days=days)
    if user.is_bot and not set(wanted.split()) <= FOR_BOTS:
        raise ScopesForBots
    if by is not None:
        for scope in wanted.split():
            if scope not in by.scopes.split():
                raise ScopeMissing(scope=scope)
        expires_at = min((moment for moment in (expires_at, by.expires_at) if moment is not None), default=None)
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two at once would make one too many
    if tokens_of(user).filter(by_sign_in=False).count() >= MOST_TOKENS:
        raise TooManyTokens
    text = new_token()
    return Made(ApiToken.objects.create(user=user, digest=digest_of(text), name=name, scopes=wanted, expires_at=expires_at), text)


def revoke_token(*, user: User, token_id: int) -> None:
    """Revoke a token: it works no longer from now on. Raises NoSuchToken, for those of other people too."""
    removed, _rows = tokens_of(user).filter(pk=token_id).delete()
    if not removed:
        raise NoSuchToken
