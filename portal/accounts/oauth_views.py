"""Pages of applications: allowing one to act in one's name, which ones may, and one's own; and the addresses at which they get their tokens."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any, Final, cast
from urllib.parse import unquote_plus, urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from oauth2_provider import views as toolkit
from oauth2_provider.models import Application

from portal.accounts import oauth
from portal.accounts.models import User
from portal.accounts.refusals import NoSuchApp
from portal.accounts.views import for_accounts
from portal.common.limits import allow, client_network, seconds_left
from portal.common.refusals import Refusal
from portal.common.scopes import SCOPES

TOKENS_A_MINUTE: Final = 60  # of one address: an application on a server renews for many people
MAX_DIGITS: Final = 18
KNOWN_FOR_S: Final = 3600  # how long caches may keep the metadata
SIGNED_BY: Final = ("none", "client_secret_post", "client_secret_basic")  # how applications show who they are: public ones only say so


@method_decorator(never_cache, name="dispatch")
class Authorize(toolkit.AuthorizationView):  # type: ignore[misc]
    """Asks somebody whether an application may act for them, each time: `approval_prompt=auto` would let whoever uses its name in without a word."""

    template_name = "accounts/authorize.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        asked: Any = request.GET.copy()
        for name in ("approval_prompt", "prompt", "resource"):
            asked.pop(name, None)
        request.GET = asked
        answer: HttpResponseBase = super().get(request, *args, **kwargs)
        return answer

    def form_valid(self, form: Any) -> HttpResponseBase:
        if not Application.objects.filter(client_id=form.cleaned_data["client_id"]).exists():
            return self.form_invalid(form)
        answer: HttpResponseBase = super().form_valid(form)
        return answer

    def form_invalid(self, _form: Any) -> HttpResponseBase:
        return self.render_to_response({"error": True}, status=400)

    def render_to_response(self, context: dict[str, Any], **options: Any) -> HttpResponseBase:
        if "error" not in context:
            scopes = context["scopes"]
            parts = urlsplit(context["redirect_uri"])
            context |= {"sentences": [SCOPES[name] for name in SCOPES if name in scopes], "goes_to": parts.netloc}
        answer: HttpResponseBase = super().render_to_response(context, **options)
        if "error" not in context:  # browsers count the way on to the application as a part of sending the form
            answer._csp_update = {"form-action": [f"{parts.scheme}://{parts.netloc}"]}  # type: ignore[attr-defined]
        return answer


def _limited(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap what programs ask without a person: limited, never cached, and refused with a NUL, which no database takes."""

    @csrf_exempt
    @never_cache
    @require_POST
    def limited(request: HttpRequest) -> HttpResponseBase:
        if not allow("oauth-token", client_network(request), limit=TOKENS_A_MINUTE, window_s=60):
            return JsonResponse({"error": "slow_down"}, status=429, headers={"Retry-After": str(seconds_left(60))})
        if "\x00" in _basic(request) or any("\x00" in value for values in request.POST.lists() for value in (values[0], *values[1])):
            return JsonResponse({"error": "invalid_request"}, status=400)
        answer = view(request)
        if answer.status_code == 400:
            answer["Content-Type"] = "application/json"  # the toolkit leaves that out for what is refused after the first checks
        return answer

    return limited


def _basic(request: HttpRequest) -> str:
    """Return the name and the secret that the application gives in its headers, escapes resolved as the toolkit does; "" without any that it could read."""
    kind, _space, given = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "basic":
        return ""
    try:
        return unquote_plus(base64.b64decode(given).decode())
    except ValueError:
        return ""


authorize = login_required(for_accounts(Authorize.as_view()))
token = _limited(toolkit.TokenView.as_view())
revoke_token = _limited(toolkit.RevokeTokenView.as_view())


@require_safe
@cache_control(public=True, max_age=KNOWN_FOR_S)
def metadata(_request: HttpRequest) -> JsonResponse:
    """Tell programs where applications get their tokens and what they have to send (RFC 8414): the same for everybody, under the site's own address."""
    site = settings.BASE_URL
    toolkit_settings = settings.OAUTH2_PROVIDER
    return JsonResponse(
        {
            "issuer": toolkit_settings["OIDC_ISS_ENDPOINT"],  # as `iss` of each answer: RFC 9207 has programs compare them
            "authorization_endpoint": site + reverse("oauth-authorize"),
            "token_endpoint": site + reverse("oauth-token"),
            "revocation_endpoint": site + reverse("oauth-revoke"),
            "scopes_supported": list(SCOPES),
            "response_types_supported": toolkit_settings["OAUTH2_RESPONSE_TYPES_SUPPORTED"],
            "response_modes_supported": ["query"],
            "grant_types_supported": toolkit_settings["OAUTH2_GRANT_TYPES_SUPPORTED"],
            "token_endpoint_auth_methods_supported": SIGNED_BY,
            "revocation_endpoint_auth_methods_supported": SIGNED_BY,
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "service_documentation": site + "/api/docs/",
        }
    )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def apps_page(request: HttpRequest) -> HttpResponse:
    """List the applications that may act for the reader, and the reader's own. A POST revokes one (`revoke`), removes one of their own (`remove`), or registers one."""
    user = cast(User, request.user)
    if user.is_guest:
        return redirect("account_signup")
    if request.method != "POST":
        return _page(request, user)
    try:
        if "revoke" in request.POST:
            oauth.revoke(user=user, app_id=_number(request.POST["revoke"]))
            messages.success(request, _("The application can no longer act for you."))
        elif "remove" in request.POST:
            oauth.remove(user=user, app_id=_number(request.POST["remove"]))
            messages.success(request, _("The application has been removed."))
        else:
            return _register(request, user)
    except Refusal as refusal:
        return _page(request, user, error=str(refusal), typed=request.POST, status=refusal.status)
    return redirect("applications")


def _register(request: HttpRequest, user: User) -> HttpResponse:
    made = oauth.register(
        user=user,
        name=request.POST.get("name", ""),
        redirects=request.POST.get("redirects", ""),
        is_confidential="is_confidential" in request.POST,
    )
    return _page(request, user, made=made)


def _number(raw: str) -> int:
    if not (raw.isascii() and raw.isdigit() and len(raw) <= MAX_DIGITS):
        raise NoSuchApp
    return int(raw)


def _page(request: HttpRequest, user: User, *, status: int = 200, **more: Any) -> HttpResponse:
    allowed = [{"app": one.application, "since": one.since, "may": [SCOPES[name] for name in one.scopes]} for one in oauth.allowed_by(user)]
    return render(request, "accounts/applications.html", {"allowed": allowed, "own": oauth.apps_of(user), **more}, status=status)
