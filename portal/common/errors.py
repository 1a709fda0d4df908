"""Error pages: what happened, what is safe, and what to do next. API clients get JSON."""

from __future__ import annotations

import logging
import secrets
import sys
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from portal.common.api import problem_response
from portal.common.logs import hosts_only, route_of
from portal.common.refusals import TooMany
from portal.live.problems import is_of_api

log = logging.getLogger(__name__)

RETRY_AFTER_S = 5


def _answer(request: HttpRequest, status: int, code: str, reason: str) -> HttpResponse:
    if is_of_api(request.path):
        return problem_response(status, code, reason)
    return render(request, f"{status}.html", {"reason": reason}, status=status)


def _language_of(request: HttpRequest) -> override:
    """Return the reader's language, or English if the fault came before it was known: what is active is then the last request's."""
    return override(get_language() if hasattr(request, "LANGUAGE_CODE") else "en")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400, or 413 when the body was too big."""
    if isinstance(exception, RequestDataTooBig):
        return _answer(request, 413, "too_big", _("The request is larger than 64 kB."))
    return _answer(request, 400, "bad_request", _("The request can't be read."))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 403, "forbidden", str(exception) or _("You can't see this page."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 to a form without a valid token: usually an old page, or cookies are switched off."""
    log.info("csrf: %s", hosts_only(reason))
    return _answer(request, 403, "csrf", _("The form was too old, or cookies are switched off. Reload the page and try again."))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 404, "not_found", _("There is nothing at this address."))


def too_many(request: HttpRequest, refusal: TooMany) -> HttpResponse:
    """Answer 429 with the reason and the time to wait."""
    response = _answer(request, refusal.status, refusal.code, str(refusal))
    response["Retry-After"] = str(refusal.retry_after_s)
    return response


def server_error(request: HttpRequest, *_args: Any) -> HttpResponse:
    """Answer 500 with a number to report, or 503 while the database is down; the pages need neither database nor session."""
    if isinstance(sys.exc_info()[1], (OperationalError, InterfaceError)):
        return database_away(request)
    number = secrets.token_hex(4)
    log.error("fault %s at %s", number, route_of(request))
    if is_of_api(request.path):
        with _language_of(request):
            reason = _("Something went wrong on the server. If it keeps happening, give the site operator this number: %(number)s.")
            return _answer(request, 500, "fault", reason % {"number": number})
    return HttpResponse(render_to_string("500.html", {"number": number}), status=500)


def database_away(request: HttpRequest) -> HttpResponse:
    """Answer 503: nothing was done, and the same request should work in a few seconds."""
    log.error("database away at %s: %s", route_of(request), type(sys.exc_info()[1]).__name__)
    if is_of_api(request.path):
        with _language_of(request):
            response = _answer(
                request, 503, "away", _("The database isn't available right now. Nothing was changed. Try again in a few seconds.")
            )
    else:
        response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = str(RETRY_AFTER_S)
    response["Cache-Control"] = "no-store"
    return response
