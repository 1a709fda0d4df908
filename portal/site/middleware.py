"""Lets everybody see the status page while the database is away, when no other page can be shown; refuses changes during maintenance."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.common import maintenance
from portal.common.api import problem_response
from portal.common.models import Maintenance
from portal.common.templatetags.site import near
from portal.live.problems import is_of_api
from portal.site.news import lines_for

SAFE: Final = {"GET", "HEAD", "OPTIONS", "TRACE"}
# How a page is read, and by whom, can be changed during maintenance. What the admin's pages change, they only let staff change.
ALLOWED: Final = {
    *("account_login", "account_logout", "account_reauthenticate", "mfa_authenticate"),
    *("mfa_login_webauthn", "mfa_reauthenticate", "mfa_reauthenticate_webauthn"),
    *("set-language", "set-theme", "dismiss-news"),
}


class StatusForAll:
    """Takes a reader of the status page for a visitor if the database can't say who it is. The session itself stays."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    @cached_property
    def _address(self) -> str:
        return reverse("status")

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info == self._address:
            try:
                bool(request.user.is_authenticated)
            except Error:
                request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)  # else an empty session would end the one in the browser
                request.session = import_module(settings.SESSION_ENGINE).SessionStore()
                request.user = AnonymousUser()
        return self.get_response(request)


class RefuseInMaintenance:
    """Answers 503 to whatever could change something during maintenance: as a page, as a piece of a page, or as the API says it.

    Nothing of the request is carried out. What was carried out already when maintenance began, is done completely, because each change is a transaction.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_args: object) -> HttpResponse | None:
        match = request.resolver_match
        if request.method in SAFE or match is None or match.view_name in ALLOWED or match.app_name == "admin":
            return None
        row = maintenance.current()
        return None if row is None else _refused(request, row)


def _refused(request: HttpRequest, row: Maintenance) -> HttpResponse:
    if is_of_api(request.path):
        response: HttpResponse = problem_response(503, "maintenance", f"{refusal(row)} {_('Nothing was changed.')}")
    elif request.headers.get("HX-Request"):
        response = render(request, "site/_news.html", {"news": lines_for(request), "is_refusal": True}, status=503)
        response["HX-Retarget"], response["HX-Reswap"], response["HX-Push-Url"] = "#site-news", "innerHTML", "false"
    else:
        response = render(request, "maintenance.html", {"reason": refusal(row)}, status=503)
    response["Retry-After"] = str(maintenance.retry_after_s(row))
    response["Cache-Control"] = "no-store"
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django would call it an error of ours, for each
    return response


def refusal(row: Maintenance) -> str:
    """Say why nothing can be changed now, and for how long."""
    if row.expected_until is None or row.expected_until <= timezone.now():
        return _("The site is being worked on. You can read everything, but nothing can be changed for now.")
    said = _("The site is being worked on, probably until %(time)s. You can read everything, but nothing can be changed until then.")
    return said % {"time": near(row.expected_until)}
