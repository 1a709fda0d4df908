"""Pages of the second factor: django-allauth's views, for accounts only, in our templates; and the sign-in to the admin, which must not go around it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from allauth.mfa.base import views as base_views
from allauth.mfa.recovery_codes import views as code_views
from allauth.mfa.totp import views as totp_views
from allauth.mfa.webauthn import views as passkey_views
from django.contrib import messages
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from portal.accounts import refusals, second_factor
from portal.accounts.models import User
from portal.accounts.views import for_accounts

View = Callable[..., HttpResponseBase]


def _private(view: View) -> View:
    """Wrap a page of somebody's own second factor: signed in, not a guest, never cached."""
    return login_required(never_cache(for_accounts(view)))


def _adding(view: View) -> View:
    """Wrap a page that adds a factor: not while the only address is unconfirmed."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if second_factor.has_open_address(cast(User, request.user)):
            messages.error(request, str(refusals.AddressOpen()))
            return redirect("mfa_index")
        return view(request, *args, **kwargs)

    return _private(checked)


def _at_sign_in(view: View) -> View:
    """Wrap a page that somebody sees between password and session; for it, a guest who signs in to an account is nobody yet."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and request.user.is_guest:
            request.user = AnonymousUser()
        return view(request, *args, **kwargs)

    return never_cache(checked)


class PasskeyAgain(passkey_views.ReauthenticateWebAuthnView):  # type: ignore[misc]
    """A passkey in place of the password, once more; what is wrong is said on the same page."""

    def form_invalid(self, form: Any) -> HttpResponse:
        for message in form.errors.get("credential", []):
            messages.error(self.request, message)
        return cast(HttpResponse, redirect(self.passthrough_next_url(self.request.path)))


@method_decorator(never_cache, name="dispatch")
class PasskeySignIn(passkey_views.LoginWebAuthnView):  # type: ignore[misc]
    """Sign-in with a passkey alone. Its script asks for the challenge first."""


class StaffSignIn(AdminAuthenticationForm):
    """Sign-in at the admin's own page, which asks for a password only: not for people with a second factor."""

    def confirm_login_allowed(self, user: Any) -> None:
        super().confirm_login_allowed(user)
        if second_factor.is_on(user):
            raise ValidationError(str(refusals.NeedsSecondFactor()))


index = _private(base_views.index)
challenge = _at_sign_in(base_views.authenticate)
again = _private(base_views.reauthenticate)
add_app = _adding(totp_views.activate_totp)
remove_app = _private(totp_views.deactivate_totp)
codes = _private(code_views.view_recovery_codes)
new_codes = _private(code_views.generate_recovery_codes)
download_codes = _private(code_views.download_recovery_codes)
add_passkey = _adding(passkey_views.add_webauthn)
rename_passkey = _private(passkey_views.edit_webauthn)
remove_passkey = _private(passkey_views.remove_webauthn)
passkey_again = _private(PasskeyAgain.as_view())
passkey_sign_in = PasskeySignIn.as_view()
