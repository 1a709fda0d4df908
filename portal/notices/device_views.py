"""Browsers that take notices by web push, and what makes the site one that can be installed."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import condition, require_POST, require_safe

from portal.accounts.browsers import name_of
from portal.accounts.models import User
from portal.common.limits import count_use
from portal.common.refusals import Refusal
from portal.notices import push
from portal.notices.models import Device
from portal.notices.refusals import TooManyTests

DEVICE = "push-device"  # in the session: the browser that this session turned on
CHANGES_PER_HOUR = 30
MAX_ID_DIGITS = 18


@login_required
@never_cache
@require_POST
def device(request: HttpRequest) -> HttpResponse:
    """Turn on this browser, which its script sends (204, or a sentence), or remove one of the person's browsers."""
    user = cast(User, request.user)
    if request.POST.get("do") == "remove":
        raw = request.POST.get("device", "")
        if raw.isascii() and raw.isdigit() and len(raw) <= MAX_ID_DIGITS:
            Device.objects.filter(user=user, pk=int(raw)).delete()
        messages.success(request, _("This browser gets no more notices."))
        return redirect("notices-settings")
    count_use("notice-device", str(user.pk), limit=CHANGES_PER_HOUR, window_s=3600, refusal=TooManyTests)
    sent = {name: request.POST.get(name, "") for name in ("endpoint", "key", "auth")}
    try:
        found = push.save_device(user, **sent, name=name_of(request.headers.get("User-Agent", "")))
    except Refusal as refusal:
        return HttpResponse(str(refusal), status=refusal.status, content_type="text/plain; charset=utf-8")
    request.session[DEVICE] = found.pk
    return HttpResponse(status=204)


def forget_device(*, request: HttpRequest | None, user: User | None, **_signal: object) -> None:
    """Let a browser get no more notices of somebody who signs out there."""
    known = request.session.get(DEVICE) if request is not None and hasattr(request, "session") else None
    if known is not None and user is not None:
        Device.objects.filter(pk=known, user=user).delete()


def _worker() -> bytes:
    return Path(str(finders.find("js/push_worker.js"))).read_bytes()


@require_safe
@cache_control(no_cache=True)
@condition(etag_func=lambda _request: f'"{hashlib.sha256(_worker()).hexdigest()[:32]}"')
def worker(_request: HttpRequest) -> HttpResponse:
    """The service worker of web push; its address is its scope, so no request of a page passes through it."""
    return HttpResponse(_worker(), content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(max_age=3600)
def manifest(_request: HttpRequest) -> HttpResponse:
    """What a device needs to install the site."""
    icons = [
        {"src": static(f"art/{name}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for name, size, purpose in (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("icon-maskable-512", 512, "maskable"))
    ]
    said = {
        "name": "Ziggurat",
        "short_name": "Ziggurat",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f2f0eb",
        "theme_color": "#2c3a63",
        "icons": icons,
    }
    return JsonResponse(said, content_type="application/manifest+json")
