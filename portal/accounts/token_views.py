"""The page of one's API tokens: what there is, a new one, and revoking."""

from __future__ import annotations

from typing import Any, Final, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.accounts.models import TOKEN_NAME_CHARS, ApiToken, User
from portal.accounts.own_tokens import make_token, revoke_token, tokens_of
from portal.accounts.refusals import BadExpiry, BadTokenName, NoScopes, NoSuchToken
from portal.accounts.token_api import MADE_PER_HOUR
from portal.common import fields
from portal.common.limits import count_use
from portal.common.refusals import Refusal
from portal.common.scopes import SCOPES

DAYS: Final = (
    ("30", gettext_lazy("30 days")),
    ("90", gettext_lazy("90 days")),
    ("365", gettext_lazy("One year")),
    ("", gettext_lazy("Until I revoke it")),
)
MAX_DIGITS: Final = 18


class NewTokenForm(forms.Form):
    """What a token is for, and how long it works; `FOR_BOTS` says what one of a bot may do."""

    name = forms.CharField(
        label=gettext_lazy("What is it for?"),
        max_length=TOKEN_NAME_CHARS,
        widget=forms.TextInput(attrs={"class": "input"}),
        error_messages=dict.fromkeys(("required", "max_length"), BadTokenName.sentence),
    )
    days = fields.radios(
        gettext_lazy("How long does it work?"),
        DAYS,
        initial="90",
        required=False,
        error_messages={"invalid_choice": BadExpiry.sentence},
    )


class TokenForm(NewTokenForm):
    """A token of a person, who says as well what it may do."""

    scopes = fields.boxes(
        gettext_lazy("What may it do?"),
        list(SCOPES.items()),
        initial=["read", "play"],
        error_messages=dict.fromkeys(("required", "invalid_choice", "invalid_list"), NoScopes.sentence),
    )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens_page(request: HttpRequest) -> HttpResponse:
    """List the reader's tokens. A POST revokes one (`revoke`), or makes one and shows it, this once."""
    user = cast(User, request.user)
    if user.is_guest:
        return redirect("account_signup")
    if request.method != "POST":
        return _page(request, user, TokenForm())
    if "revoke" in request.POST:
        return _revoke(request, user, request.POST["revoke"])
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, user, form, status=422)
    count_use("api-tokens", str(user.pk), limit=MADE_PER_HOUR, window_s=3600)
    chosen = form.cleaned_data
    try:
        made = make_token(user=user, name=chosen["name"], scopes=chosen["scopes"], days=int(chosen["days"]) if chosen["days"] else None)
    except Refusal as refusal:
        form.add_error(refusal.field or None, str(refusal))
        return _page(request, user, form, status=refusal.status)
    return _page(request, user, TokenForm(), token=made.text)


def _revoke(request: HttpRequest, user: User, raw: str) -> HttpResponse:
    try:
        revoke_listed(user, raw)
    except NoSuchToken as refusal:
        return _page(request, user, TokenForm(), error=str(refusal), status=refusal.status)
    messages.success(request, _("The token has been revoked."))
    return redirect("tokens")


def revoke_listed(user: User, raw: str) -> None:
    """Revoke the token that a form names; `NoSuchToken` if it isn't the user's."""
    if not (raw.isascii() and raw.isdigit() and len(raw) <= MAX_DIGITS):
        raise NoSuchToken
    revoke_token(user=user, token_id=int(raw))


def _page(request: HttpRequest, user: User, form: TokenForm, *, status: int = 200, **more: str) -> HttpResponse:
    rows = [row_of(row) for row in tokens_of(user).order_by("-created_at", "-pk")]
    return render(request, "accounts/tokens.html", {"form": form, "tokens": rows, **more}, status=status)


def row_of(row: ApiToken) -> dict[str, Any]:
    """Return what a page shows of a token."""
    return {
        "row": row,
        "name": row.name or (_("Signed in with name and password") if row.by_sign_in else _("From before tokens had names")),
        "may": [SCOPES[scope] for scope in row.scopes.split()],
        "is_over": row.expires_at is not None and row.expires_at <= timezone.now(),
    }
