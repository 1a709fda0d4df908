"""Pages of accounts: sign-in for guests too, settings, and the choice of language and theme."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from allauth.account import views as allauth_views
from allauth.account.decorators import reauthentication_required
from allauth.account.internal import flows
from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from portal.accounts import refusals, second_factor, services
from portal.accounts.forms import ClaimForm, PreferencesForm, SettingsForm
from portal.accounts.models import User
from portal.accounts.refusals import NothingToKeep
from portal.accounts.rest import changing
from portal.common import errors
from portal.common.limits import client_network, count_use

COOKIE_AGE_S = 365 * 24 * 3600
THEMES = ("", "light", "dark")
CLAIMS_A_MINUTE = 10  # attempts of one guest to become an account
CLAIMS_FROM_ONE_ADDRESS = 60  # a school has one address


def next_address(request: HttpRequest, default: str) -> str:
    """Return the address to go to: the one asked for if it is on this site, else `default`.

    What is no address is left out: a redirect would look for a view of that name.
    """
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    if "/" in wanted and url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        return wanted
    return default


def _is_guest(request: HttpRequest) -> bool:
    return request.user.is_authenticated and request.user.is_guest


class SignIn(allauth_views.LoginView):  # type: ignore[misc]
    """Sign-in; a guest may sign in to an account of their own as well."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not _is_guest(request):
            return redirect(next_address(request, reverse("home")))
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer


class SignUp(allauth_views.SignupView):  # type: ignore[misc]
    """Sign-up; a guest keeps their row with all their games."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if _is_guest(request):
            return claim(request)
        if request.user.is_authenticated:
            return redirect(next_address(request, reverse("home")))
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer


def for_accounts(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap a page about credentials: a guest gets some only by becoming an account."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return redirect("account_signup") if _is_guest(request) else view(request, *args, **kwargs)

    return checked


sign_in = SignIn.as_view()
change_password = for_accounts(allauth_views.password_change)
set_password = for_accounts(allauth_views.password_set)
change_email = for_accounts(login_required(reauthentication_required(allow_get=True)(allauth_views.email)))
sign_up = SignUp.as_view()


@never_cache
@sensitive_post_parameters("password1")
def claim(request: HttpRequest) -> HttpResponse:
    """Turn the guest of this session into an account."""
    user = cast(User, request.user)
    if request.method == "POST":
        count_use("claim", str(user.pk), limit=CLAIMS_A_MINUTE, window_s=60, refusal=refusals.TooManyAttempts)
        count_use("claim-address", client_network(request), limit=CLAIMS_FROM_ONE_ADDRESS, window_s=60, refusal=refusals.TooManyAttempts)
    form = ClaimForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data.get("email") or ""
        if form.account_already_exists:
            form.add_error("email", str(refusals.AddressTaken()))
        else:
            with transaction.atomic():
                services.claim_guest(
                    user=user, username=form.cleaned_data["username"], password=form.cleaned_data["password1"], email=email
                )
                if email:
                    setup_user_email(request, user, [EmailAddress(email=email)])
                    flows.email_verification.send_verification_email_to_address(request, EmailAddress.objects.get(user=user), signup=True)
            update_session_auth_hash(request, user)
            messages.success(request, _("Your account is ready. All your games are in it."))
            return redirect(next_address(request, reverse("home")))
    return render(request, "account/signup.html", {"form": form, "claiming": True, "redirect_field_value": next_address(request, "")})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out. A guest is asked to confirm, because nobody can sign in as that guest again."""
    if not request.user.is_authenticated:
        return redirect("home")
    if request.method == "POST" and (not _is_guest(request) or request.POST.get("sure") == "yes"):
        logout(request)
        messages.success(request, _("You have signed out."))
        return redirect("home")
    return render(request, "account/logout.html")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest) -> HttpResponse:
    """Language, appearance and confirmation; and what leads to the rest."""
    user = cast(User, request.user)
    form = _settings_form(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        with changing(user):  # the time zone may be another one
            form.save()
        translation.activate(user.language)
        messages.success(request, _("Saved."))
        response = redirect("settings")
        _set_language_cookie(response, user.language)
        return response
    return _settings_page(request, user, form, status=422 if form.is_bound else 200)


def _settings_form(user: User, data: QueryDict | None = None) -> SettingsForm:
    return SettingsForm(data, instance=user, initial={"language": user.language or translation.get_language()})


def _settings_page(request: HttpRequest, user: User, form: SettingsForm, *, status: int = 200) -> HttpResponse:
    side = [form[name] for name in ("pace", "colours", "pieces", "board_size", "log_detail")]
    given = {"form": form, "side": side, "has_second_factor": second_factor.is_on(user)}
    return render(request, "accounts/settings.html", given, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Give the panel of preferences at the table; keep what its script sends, and answer 204, or 422 with a sentence.

    What visitors choose stays in their browser.
    """
    user = request.user if isinstance(request.user, User) else None
    if request.method != "POST":
        shown = PreferencesForm(instance=user or User())
        return render(request, "accounts/preferences.html", {"form": shown, "is_kept": user is not None})
    if user is None:
        return errors.permission_denied(request, PermissionError(_("Sign in to save your preferences.")))
    form = PreferencesForm(request.POST, instance=user)
    refusal = NothingToKeep() if not form.fields else None if form.is_valid() else form.refusal()
    if refusal is not None:
        return HttpResponse(str(refusal), status=refusal.status, content_type="text/plain; charset=utf-8")
    user.save(update_fields=list(form.fields))
    return HttpResponse(status=204)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete_guest(request: HttpRequest) -> HttpResponse:
    """Remove the guest of this session, after a page that says what will be lost."""
    user = cast(User, request.user)
    if not user.is_guest:
        return errors.permission_denied(request, PermissionError(_("Only guests can be removed here.")))
    if request.method == "POST":
        services.delete_guest(user=user)
        logout(request)
        messages.success(request, _("The guest has been removed."))
        return redirect("home")
    return render(request, "accounts/delete_guest.html")


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Store the language in the profile and a cookie, and go back to the same page in it."""
    language = request.POST.get("language", "")
    if language not in settings.INTERFACE_LANGUAGES:
        return errors.bad_request(request, ValueError(language))
    if request.user.is_authenticated and request.user.language != language:
        User.objects.filter(pk=request.user.pk).update(language=language)
    response = redirect(_in_language(next_address(request, reverse("home")), language))
    _set_language_cookie(response, language)
    return response


def _in_language(address: str, language: str) -> str:
    """Return `address` with the language of its first part, if it has one, replaced."""
    head, _slash, rest = address.lstrip("/").partition("/")
    return f"/{language}/{rest}" if address.startswith("/") and head in dict(settings.LANGUAGES) else address


def _set_language_cookie(response: HttpResponse, language: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME, language, max_age=COOKIE_AGE_S, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Store day, night or "as the device" in the profile and a cookie."""
    theme = request.POST.get("theme", "")
    if theme not in THEMES:
        return errors.bad_request(request, ValueError(theme))
    if request.user.is_authenticated and request.user.theme != theme:
        User.objects.filter(pk=request.user.pk).update(theme=theme)
    response = redirect(next_address(request, reverse("home")))
    if theme:
        response.set_cookie("theme", theme, max_age=COOKIE_AGE_S, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
    else:
        response.delete_cookie("theme")
    return response
