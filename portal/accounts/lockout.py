"""Sign-in is blocked for a while after several wrong passwords: whose attempts are counted, and the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from portal.common.api import problem_response
from portal.live.problems import is_of_api


def username(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """Return the name or address being tried, normalised."""
    given = credentials or {}
    name = given.get("username") or given.get("email") or request.POST.get("login") or request.POST.get("username") or ""
    return str(name).strip().lower()[:255].replace("\x00", "")


def response(request: HttpRequest, *_more: Any) -> HttpResponse:
    """Answer 429 with the time to wait: a page, or JSON for clients of the API."""
    seconds = int(settings.AXES_COOLOFF_TIME.total_seconds())
    reason = _("Too many wrong passwords. Sign-in with this name is blocked for %(minutes)d minutes.") % {"minutes": seconds // 60}
    answer: HttpResponse
    if is_of_api(request.path):
        answer = problem_response(429, "locked_out", reason)
    else:
        answer = render(request, "account/locked.html", {"reason": reason}, status=429)
    answer["Retry-After"] = str(seconds)
    return answer
