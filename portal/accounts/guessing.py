"""What somebody may try to guess, and how often one address may be wrong (docs/operations.md has the whole list)."""

from __future__ import annotations

from typing import Any, Final

from allauth.account import views as allauth_views
from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase

from portal.accounts import refusals
from portal.common import errors
from portal.common.limits import Guesses

PASSWORDS: Final = Guesses("password", limit=30, window_s=900)  # of all names together; axes counts those of one name
CODES: Final = Guesses("code", limit=20, window_s=900)  # of an app, and recovery codes
CODES_OF_ONE: Final = Guesses("code-of-one", limit=10, window_s=900)  # of one person, from all addresses
MAILED_LINKS: Final = Guesses("mailed-link", limit=20, window_s=3600)


class PasswordGuesses:
    """Stands before all other backends, so it guards each place that takes a password: sign-in page, API, admin. Signs nobody in itself."""

    def authenticate(self, request: HttpRequest | None, **_credentials: Any) -> None:
        """Say nothing about who it is. Raises TooManyGuesses."""
        if request is not None:
            PASSWORDS.check(request)


@receiver(user_login_failed)
def _password_was_wrong(request: HttpRequest | None = None, **_more: Any) -> None:
    if request is not None:
        PASSWORDS.count(request)


class ResetPassword(allauth_views.PasswordResetFromKeyView):  # type: ignore[misc]
    """The page behind the link of a mail that resets a password."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        MAILED_LINKS.check(request)
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        if getattr(self, "reset_user", self) is None:  # the page found no such link
            MAILED_LINKS.count(request)
        return answer


class ConfirmAddress(allauth_views.ConfirmEmailView):  # type: ignore[misc]
    """The page behind the link of a mail that confirms an address."""

    def get_object(self, queryset: Any = None) -> Any:
        MAILED_LINKS.check(self.request)
        try:
            return super().get_object(queryset)
        except Http404:
            MAILED_LINKS.count(self.request)
            raise


def too_many_attempts(request: HttpRequest) -> HttpResponse:
    """Answer a form whose limit allauth counts: after a minute there is room for sure."""
    return errors.too_many(request, refusals.TooManyAttempts(retry_after_s=60))
