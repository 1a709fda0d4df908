"""Pages of applications: allowing one to act in one's name, which ones may, and one's own; and the addresses at which they get their tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST
from oauth2_provider import views as toolkit
from oauth2_provider.models import Application

from portal.accounts import oauth
from portal.accounts.models import User
from portal.accounts.refusals import NoSuchApp
from portal.accounts.views import for_accounts
from portal.common.limits import allow, client_address, seconds_left
from portal.common.refusals import Refusal, TooMany
from portal.common.scopes import SCOPES

TOKENS_A_MINUTE: Final = 60  # of one address: an application on a server renews for many people
REGISTERED_PER_HOUR: Final = 20
MAX_DIGITS: Final = 18


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
        if not allow("oauth-token", client_address(request), limit=TOKENS_A_MINUTE, window_s=60):
            return JsonResponse({"error": "slow_down"}, status=429, headers={"Retry-After": str(seconds_left(60))})
        if any("\x00" in value for values in request.POST.lists() for value in (values[0], *values[1])):
            return JsonResponse({"error": "invalid_request"}, status=400)
        answer = view(request)
        if answer.status_code == 400:
            answer["Content-Type"] = "application/json"  # the toolkit leaves that out for what is refused after the first checks
        return answer

    return limited


authorize = login_required(for_accounts(Authorize.as_view()))
token = _limited(toolkit.TokenView.as_view())
revoke_token = _limited(toolkit.RevokeTokenView.as_view())


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
    if not allow("oauth-apps", str(user.pk), limit=REGISTERED_PER_HOUR, window_s=3600):
        raise TooMany(retry_after_s=seconds_left(3600))
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
