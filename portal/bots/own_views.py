"""The pages of one's own bots: making one, changing, pausing and closing it, and its tokens."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.accounts.models import User
from portal.accounts.own_tokens import FOR_BOTS, make_token, tokens_of
from portal.accounts.refusals import NoSuchToken
from portal.accounts.token_api import MADE_PER_HOUR
from portal.accounts.token_views import NewTokenForm, revoke_listed, row_of
from portal.bots import services
from portal.bots.forms import BotForm, RulesForm
from portal.bots.models import BotAccount
from portal.bots.refusals import BotNotFound
from portal.bots.selectors import bots_of, shown_to
from portal.common import errors
from portal.common.limits import count_use
from portal.common.refusals import Refusal, TooMany


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_bots(request: HttpRequest) -> HttpResponse:
    """List the reader's bots. A POST makes one and leads to its page."""
    user = cast(User, request.user)
    if user.is_guest:
        return redirect("account_signup")
    form = BotForm(request.POST if request.method == "POST" else None)
    if form.is_bound:
        try:
            if form.is_valid():
                return redirect("my-bot", services.make_bot(owner=user, **form.cleaned_data).user.username)
        except TooMany:
            raise
        except Refusal as refusal:
            form.refuse(refusal)
            return _list(request, user, form, refusal.status)
    return _list(request, user, form, 422 if form.is_bound else 200)


def _list(request: HttpRequest, user: User, form: BotForm, status: int) -> HttpResponse:
    bots = list(bots_of(user))
    rows = list(zip(bots, shown_to(user, bots), strict=True))
    context = {"form": form, "rows": rows, "most": services.MOST_BOTS, "may_make": len(bots) < services.MOST_BOTS}
    return render(request, "bots/mine.html", context, status=status)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_bot(request: HttpRequest, username: str) -> HttpResponse:
    """Show a bot of the reader's own. A POST changes, pauses, resumes or closes it, or makes or revokes a token of it (`do`)."""
    user = cast(User, request.user)
    if user.is_guest:
        return redirect("account_signup")
    try:
        bot = services.own_bot(user, username)
    except BotNotFound as refusal:
        return errors.page_not_found(request, refusal)
    if request.method != "POST":
        return _page(request, bot)
    if "revoke" in request.POST:
        return _revoke(request, bot, request.POST["revoke"])
    do = _DOES.get(request.POST.get("do", "change"))
    return _page(request, bot, status=422, error=_("That can't be done.")) if do is None else do(request, bot)


def _change(request: HttpRequest, bot: BotAccount) -> HttpResponse:
    form = RulesForm(request.POST, bot=bot)
    if not form.is_valid():
        return _page(request, bot, rules=form, status=422)
    try:
        services.change_bot(bot, **form.cleaned_data)
    except Refusal as refusal:
        form.refuse(refusal)
        return _page(request, bot, rules=form, status=refusal.status)
    messages.success(request, _("The bot has been changed."))
    return redirect("my-bot", bot.user.username)


def _pause(request: HttpRequest, bot: BotAccount) -> HttpResponse:
    services.change_bot(bot, paused=True)
    return redirect("my-bot", bot.user.username)


def _resume(request: HttpRequest, bot: BotAccount) -> HttpResponse:
    services.change_bot(bot, paused=False)
    return redirect("my-bot", bot.user.username)


def _close(request: HttpRequest, bot: BotAccount) -> HttpResponse:
    if not request.POST.get("sure"):
        return _page(request, bot, status=422, unsure=True)
    services.close_bot(bot)
    messages.success(request, _("The bot has been closed."))
    return redirect("my-bots")


def _token(request: HttpRequest, bot: BotAccount) -> HttpResponse:
    form = NewTokenForm(request.POST)
    if not form.is_valid():
        return _page(request, bot, token_form=form, status=422)
    count_use("api-tokens", str(bot.owner_id), limit=MADE_PER_HOUR, window_s=3600)  # together with those of the owner
    chosen = form.cleaned_data
    try:
        made = make_token(user=bot.user, name=chosen["name"], scopes=FOR_BOTS, days=int(chosen["days"]) if chosen["days"] else None)
    except Refusal as refusal:
        form.add_error(refusal.field or None, str(refusal))
        return _page(request, bot, token_form=form, status=refusal.status)
    return _page(request, bot, token=made.text)


def _revoke(request: HttpRequest, bot: BotAccount, raw: str) -> HttpResponse:
    try:
        revoke_listed(bot.user, raw)
    except NoSuchToken as refusal:
        return _page(request, bot, error=str(refusal), status=refusal.status)
    messages.success(request, _("The token has been revoked."))
    return redirect("my-bot", bot.user.username)


_DOES: dict[str, Any] = {"change": _change, "pause": _pause, "resume": _resume, "close": _close, "token": _token}


def _page(
    request: HttpRequest,
    bot: BotAccount,
    *,
    rules: RulesForm | None = None,
    token_form: NewTokenForm | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    context = {
        "bot": bot,
        "form": rules or RulesForm(bot=bot),
        "token_form": token_form or NewTokenForm(),
        "tokens": [row_of(row) for row in tokens_of(bot.user).order_by("-created_at", "-pk")],
        **more,
    }
    return render(request, "bots/own.html", context, status=status)
