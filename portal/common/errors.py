"""Pages for what went wrong: what happened, what is safe, and what to do next. Clients of the API get JSON."""

from __future__ import annotations

import logging
import secrets
import sys
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

log = logging.getLogger(__name__)

RETRY_AFTER_S = 5


def _answer(request: HttpRequest, status: int, code: str, reason: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"error": {"code": code, "reason": reason, "rule": None, "rule_url": None}}, status=status)
    return render(request, f"{status}.html", {"reason": reason}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400, or 413 when the body was too big."""
    if isinstance(exception, RequestDataTooBig):
        return _answer(request, 413, "too_big", _("The request is larger than 64 kB."))
    return _answer(request, 400, "bad_request", _("The request cannot be read."))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 403, "forbidden", str(exception) or _("This page is not open to you."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 to a form without a valid token: mostly an old page or cookies that are switched off."""
    log.info("csrf: %s", reason)
    return _answer(request, 403, "csrf", _("The form was too old, or cookies are switched off. Load the page again and repeat it."))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 404, "not_found", _("There is nothing at this address."))


def too_many(request: HttpRequest, reason: str, retry_after_s: int = 3600) -> HttpResponse:
    """Answer 429 with the reason and the time to wait."""
    response = _answer(request, 429, "too_many", reason)
    response["Retry-After"] = str(retry_after_s)
    return response


def server_error(request: HttpRequest, *_args: Any) -> HttpResponse:
    """Answer 500 with a number for the host, or 503 while the database is away; the pages need neither database nor session."""
    if isinstance(sys.exc_info()[1], (OperationalError, InterfaceError)):
        return database_away(request)
    number = secrets.token_hex(4)
    log.error("fault %s at %s", number, request.path)
    if request.path.startswith("/api/"):
        return JsonResponse(
            {"error": {"code": "fault", "reason": f"A fault of the server, number {number}.", "rule": None, "rule_url": None}}, status=500
        )
    return HttpResponse(render_to_string("500.html", {"number": number}), status=500)


def database_away(request: HttpRequest) -> HttpResponse:
    """Answer 503: nothing was carried out, and a few seconds later the same request will be."""
    log.error("database away at %s: %s", request.path, type(sys.exc_info()[1]).__name__)
    response: HttpResponse
    if request.path.startswith("/api/"):
        reason = "The database is away for a moment. Nothing was changed; repeat the request."
        response = JsonResponse({"error": {"code": "away", "reason": reason, "rule": None, "rule_url": None}}, status=503)
    else:
        response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = str(RETRY_AFTER_S)
    response["Cache-Control"] = "no-store"
    return response
