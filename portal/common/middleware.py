"""Refuses meaningless addresses early, at the admin too, answers limits with 429, and keeps private pages out of shared caches."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.admin.options import TO_FIELD_VAR
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from portal.common.api import unnamed_problem
from portal.common.errors import too_many
from portal.common.refusals import TooMany


class ProblemsOfApi:
    """Gives every error under /api/ the one shape, whoever made it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return unnamed_problem(request, self.get_response(request))


class RefuseNul:
    """Answers 400 to an address with a NUL character: the database cannot store or search for one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_args: object) -> None:
        """Check here and not earlier, so that the answer is in the reader's language."""
        if "\x00" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
            raise BadRequest("NUL in the address")


class RefuseOddAdminQueries:
    """Answers 400 to what Django's admin would take for a fault of the server: an empty name of a field, and patterns as a search.

    The admin checks the name of a field, but takes an empty one for none; a pattern that PostgreSQL can't read is a fault in the
    database, and a costly one would keep it busy. None of its own links has either.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_args: object) -> None:
        if request.resolver_match is None or request.resolver_match.app_name != "admin":
            return
        for values in (request.GET, request.POST):
            if "" in values.getlist(TO_FIELD_VAR):
                raise BadRequest("no name of a field")
            if any({"regex", "iregex"} & set(name.split("__")) for name in values):
                raise BadRequest("a pattern as a search")


class RefuseTooMany:
    """Answers 429 where a view raises `TooMany`, so that no view has to catch it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return too_many(request, exception) if isinstance(exception, TooMany) else None


class KeepCookiesToReader:
    """Makes an answer that sets a cookie private, whatever its view says: a shared cache would give one reader's session to others.

    It is outside of all that sets cookies. Once an hour the note of where people are signed in writes the session with any answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.cookies and "public" in response.get("Cache-Control", ""):
            patch_cache_control(response, private=True)
        return response


class KeepToReader:
    """Keeps proxies from caching the pages of anyone signed in, unless the view sets its own caching.

    The front page, the lobby, profiles and lists show them the tables of their private clubs.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.has_header("Cache-Control") and request.user.is_authenticated:
            patch_cache_control(response, private=True, no_cache=True)
        return response
