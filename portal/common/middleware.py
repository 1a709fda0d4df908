"""Refuses what no page can mean, before anything looks at it; keeps what somebody got from all others."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control


class RefuseNul:
    """Answers 400 to an address with a NUL character: the database cannot store or look for one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_args: object) -> None:
        """Look here and not earlier, so that the answer is said in the reader's language."""
        if "\x00" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
            raise BadRequest("NUL in the address")


class KeepToReader:
    """Lets nobody on the way keep a page of somebody who is signed in, where the view has not said what may be kept.

    Front page, lobby, profiles and lists show them the tables of their private clubs.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.has_header("Cache-Control") and request.user.is_authenticated:
            patch_cache_control(response, private=True, no_cache=True)
        return response
