"""The settings of notices, and the link in each mail that stops mail."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from portal.accounts.models import User
from portal.common.later import later
from portal.common.limits import Guesses, count_use
from portal.common.refusals import Refusal
from portal.notices import choosing, hooks, push
from portal.notices.device_views import DEVICE
from portal.notices.models import Channel, Device, Hook, Reach
from portal.notices.outbox import SEND
from portal.notices.reach import address_of
from portal.notices.refusals import DeadLink, NoWebhook, TooManyTests
from portal.notices.stopping import read_stop_token, stop_mail

LINKS = Guesses("notice-links", 20, 3600)
CHANGES_PER_HOUR = 30  # of a webhook's address: each one is looked up


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def notice_settings(request: HttpRequest) -> HttpResponse:
    """Which notices reach the reader, where, and when."""
    user = cast(User, request.user)
    if request.method != "POST":
        return _page(request, user)
    try:
        choosing.choose(user, request.POST.dict())
    except Refusal as refusal:
        return _page(request, user, fault=refusal, status=refusal.status)
    messages.success(request, _("Saved."))
    return redirect("notices-settings")


@login_required
@never_cache
@require_POST
def hook(request: HttpRequest) -> HttpResponse:
    """Set the address that notices are posted to, and show its new secret, this once; turn it on again; let moves be posted to it, or no longer; or remove it."""
    user = cast(User, request.user)
    do = request.POST.get("do", "")
    if do == "remove":
        hooks.remove_hook(user)
        messages.success(request, _("The webhook has been removed."))
    elif do == "on":
        _change(user, is_on=True)
        messages.success(request, _("The webhook is on again."))
    elif do in ("moves", "no_moves"):
        _change(user, takes_moves=do == "moves")
        messages.success(request, _("Saved."))
    else:
        count_use("notice-hook", str(user.pk), limit=CHANGES_PER_HOUR, window_s=3600, refusal=TooManyTests)
        try:
            secret = hooks.save_hook(user, request.POST.get("url", ""))
        except Refusal as refusal:
            return _page(request, user, fault=refusal, typed=request.POST.get("url", ""), status=refusal.status)
        return _page(request, user, secret=secret)
    return redirect("notices-settings")


@login_required
@require_POST
def test(request: HttpRequest) -> HttpResponse:
    """Send a test by one channel."""
    channel = request.POST.get("channel", "")
    if channel not in Channel.values:
        raise Http404
    choosing.ask_for_test(cast(User, request.user), Channel(channel))
    later(SEND)
    messages.success(request, _("The test is on its way. Your notices tell what becomes of it."))
    return redirect("notices-settings")


@login_required
@require_POST
def mail_again(request: HttpRequest) -> HttpResponse:
    """Send mail again, after the address was refused."""
    choosing.mail_again(cast(User, request.user))
    messages.success(request, _("Email is on again."))
    return redirect("notices-settings")


@csrf_exempt  # the link is what allows it: mail programs send this request without a page
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop mail with one click, signed in or not. A look at the address changes nothing: programs that check mail follow links."""
    LINKS.check(request)
    try:
        person, kind = read_stop_token(token)
    except DeadLink as refusal:
        LINKS.count(request)
        return render(request, "notices/stop.html", {"fault": refusal}, status=refusal.status)
    if request.method == "POST":
        stop_mail(person, None if request.POST.get("what") == "all" else kind)
    return render(request, "notices/stop.html", {"kind": kind, "is_done": request.method == "POST"})


def _change(user: User, **values: bool) -> None:
    with suppress(NoWebhook):  # removed in another window meanwhile: the page shows that
        hooks.change_hook(user, **values)


def _page(request: HttpRequest, user: User, *, status: int = 200, fault: Refusal | None = None, **more: Any) -> HttpResponse:
    reach = Reach.objects.filter(user=user).first()
    context = {
        "rows": choosing.rows_of(reach),
        "channels": list(Channel),
        "reach": reach or Reach(),
        "address": address_of(user),
        "hook": Hook.objects.filter(user=user).first(),
        "devices": list(Device.objects.filter(user=user).order_by("pk")),
        "push_key": push.public_key(),
        "this_device": request.session.get(DEVICE),
        "fault": fault,
        **more,
    }
    return render(request, "notices/settings.html", context, status=status)
