"""Other people's applications that act for somebody, by OAuth 2 with PKCE (django-oauth-toolkit): their owners register them, people allow and revoke them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken
from rest_framework import authentication, exceptions
from rest_framework.request import Request

from portal.accounts.middleware import speak_to
from portal.accounts.models import User
from portal.accounts.refusals import BadAppName, BadRedirect, NeedsAccount, NoSuchApp, TooManyApps
from portal.accounts.tokens import GUESSES, TokenExpired, digest_of
from portal.common.limits import count_use
from portal.common.scopes import SCOPES
from portal.common.texts import tidy

MOST_APPS: Final = 10  # that one person registers
REGISTERED_PER_HOUR: Final = 20
MOST_REDIRECTS: Final = 5
REDIRECT_CHARS: Final = 200
NAME_CHARS: Final = 60
LOOPBACK: Final = ("127.0.0.1", "localhost")  # of a program on the reader's own machine: nothing is sent over a network


@dataclass(frozen=True, slots=True)
class Acting:
    """An application that acts for somebody in a request."""

    application_id: int
    user_id: int
    scopes: str

    @property
    def counted_as(self) -> str:
        """Whose requests are counted together: those of an application for one person, whatever token they come with."""
        return f"{self.application_id}-of-{self.user_id}"


class BearerAuthentication(authentication.BaseAuthentication):
    """`Authorization: Bearer …`: the access token of an application."""

    def authenticate(self, request: Request) -> tuple[User, Acting] | None:
        """Return person and application, or None without the header. Raises AuthenticationFailed, and TooManyGuesses for an address that guesses."""
        kind, _space, key = authentication.get_authorization_header(request).partition(b" ")
        if kind.lower() != b"bearer":
            return None
        is_guess = not getattr(request._request, "is_check", False)  # a stream that is open has guessed right
        if is_guess:
            GUESSES.check(request._request)
        rows = AccessToken.objects.select_related("user").filter(token_checksum=digest_of(key.decode("latin-1").strip()))
        row = rows.exclude(application=None).first()
        if row is None or row.user is None or not row.user.is_active:
            if is_guess:
                GUESSES.count(request._request)
            raise exceptions.AuthenticationFailed(_("This token doesn't exist. It may have been revoked."))
        if row.is_expired():
            raise TokenExpired
        speak_to(request._request, row.user)
        return row.user, Acting(row.application_id, row.user_id, row.scope)

    def authenticate_header(self, _request: Request) -> str:
        return "Bearer"


class Registered(NamedTuple):
    """A new application. `secret` is nowhere kept in plain text; empty for a public one."""

    row: Any
    secret: str


class Allowed(NamedTuple):
    """An application that may act for somebody."""

    application: Any
    scopes: tuple[str, ...]
    since: Any


def apps_of(user: User) -> QuerySet[Any]:
    """Return the applications that a person has registered."""
    return Application.objects.filter(user=user).order_by("name", "pk")


def register(*, user: User, name: str, redirects: str, is_confidential: bool) -> Registered:
    """Register an application; `redirects` has addresses with spaces or line ends between them. A confidential one runs on a server and keeps a secret.

    Raises NeedsAccount for guests, TooMany above 20 an hour, BadAppName, BadRedirect, and TooManyApps for somebody who has ten.
    """
    if user.is_guest:
        raise NeedsAccount
    count_use("oauth-apps", str(user.pk), limit=REGISTERED_PER_HOUR, window_s=3600)
    row = Application(
        user=user,
        name=_name(name),
        redirect_uris=_addresses(redirects),
        client_type=Application.CLIENT_CONFIDENTIAL if is_confidential else Application.CLIENT_PUBLIC,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
    )
    secret = row.client_secret if is_confidential else ""
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two at once would make one too many
        if apps_of(user).count() >= MOST_APPS:
            raise TooManyApps
        row.save()
    return Registered(row, secret)


@transaction.atomic
def change(*, user: User, app_id: int, name: str | None = None, redirects: str | None = None) -> Any:
    """Change an application of one's own; what is None stays. Codes on their way to an address that it no longer has are worth nothing.

    Raises NoSuchApp, for those of other people too, BadAppName and BadRedirect.
    """
    row = Application.objects.select_for_update().filter(user=user, pk=app_id).first()
    if row is None:
        raise NoSuchApp
    values = []
    if name is not None:
        row.name = _name(name)
        values.append("name")
    if redirects is not None:
        row.redirect_uris = _addresses(redirects)
        values.append("redirect_uris")
        Grant.objects.filter(application=row).exclude(redirect_uri__in=row.redirect_uris.split()).delete()
    if values:
        row.save(update_fields=[*values, "updated"])
    return row


def remove(*, user: User, app_id: int) -> None:
    """Remove an application of one's own; its tokens go with it. Raises NoSuchApp, for those of other people too."""
    removed, _rows = Application.objects.filter(user=user, pk=app_id).delete()
    if not removed:
        raise NoSuchApp


def allowed_by(user: User) -> list[Allowed]:
    """Return the applications that may act for a person: those with a token that works, or that can still be renewed."""
    now = timezone.now()
    rows = list(AccessToken.objects.filter(user=user, expires__gt=now).exclude(application=None))
    rows += [
        one.access_token for one in RefreshToken.objects.filter(user=user, revoked=None).select_related("access_token") if one.access_token
    ]
    found: dict[int, set[str]] = {}
    for row in rows:
        found.setdefault(row.application_id, set()).update(row.scope.split())
    since = dict(RefreshToken.objects.filter(user=user, revoked=None).values_list("application").annotate(Max("created")))
    apps = Application.objects.filter(pk__in=found).select_related("user").order_by("name", "pk")
    return [Allowed(app, tuple(scope for scope in SCOPES if scope in found[app.pk]), since.get(app.pk)) for app in apps]


@transaction.atomic
def revoke(*, user: User, app_id: int) -> None:
    """End all that an application may do for a person, at once. Raises NoSuchApp if it may do nothing."""
    removed = 0
    for model in (Grant, RefreshToken, AccessToken):
        removed += model.objects.filter(user=user, application_id=app_id).delete()[0]
    if not removed:
        raise NoSuchApp


def _name(text: str) -> str:
    name = tidy(text)
    if not 1 <= len(name) <= NAME_CHARS:
        raise BadAppName
    return name


def _addresses(text: str) -> str:
    addresses = list(dict.fromkeys(text.split()))
    if not 1 <= len(addresses) <= MOST_REDIRECTS or not all(map(_is_fit, addresses)):
        raise BadRedirect
    return " ".join(addresses)


def _is_fit(address: str) -> bool:
    """Say whether people may be sent to an address with a code: by TLS, or on their own machine."""
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 (raises ValueError unless it is a number)
    except ValueError:
        return False
    is_plain = address.isascii() and address.isprintable() and len(address) <= REDIRECT_CHARS and not set(address) & set("#*\\'\"<>;,")
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    return is_plain and is_safe and bool(parts.hostname) and "@" not in parts.netloc
