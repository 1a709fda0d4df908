"""What all pages of a club share: the club behind the address, who reads it, how a refusal is answered, what may be kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control, patch_vary_headers

from portal.accounts.models import User
from portal.clubs.errors import ClubError
from portal.clubs.selectors import ClubPage, club_for
from portal.common import errors

P = ParamSpec("P")
ClubView = Callable[Concatenate[HttpRequest, ClubPage, P], HttpResponse]
MAX_PAGE_DIGITS = 6


def viewer_of(request: HttpRequest) -> User | None:
    """Return the person of the session, or None for a visitor."""
    return request.user if isinstance(request.user, User) else None


def of_club(view: ClubView[P]) -> Callable[..., HttpResponse]:
    """Wrap a view of one club: it gets a ClubPage in place of the slug.

    Answers 404 where the reader may not know of the club, and any other ClubError with its status and sentence. No proxy
    keeps a page of a private club, nor one for somebody who is signed in.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            page = club_for(slug, viewer_of(request))
            response = view(request, page, *args, **kwargs)
        except ClubError as error:
            return refused(request, error)
        if page.club.is_private or page.user is not None:
            patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie"])
        return response

    return wrapped


def refused(request: HttpRequest, error: ClubError) -> HttpResponse:
    """Answer a refusal that belongs to no form with its status and its sentence."""
    if error.status == 404:
        response = errors.page_not_found(request, error)
    elif error.status == 403:
        response = errors.permission_denied(request, error)
    else:
        response = render(request, "clubs/problem.html", {"section": "clubs", "reason": str(error)}, status=error.status)
    patch_cache_control(response, private=True, no_cache=True)
    return response


def done(request: HttpRequest, to: str, *args: Any, said: str = "", anchor: str = "", **kwargs: Any) -> HttpResponse:
    """Answer a form that was carried out: 303 to the page `to`, which says `said` once."""
    if said:
        messages.success(request, said)
    response = redirect(to, *args, **kwargs)
    response.status_code = 303
    if anchor:
        response["Location"] += f"#{anchor}"
    return response


def page_number(request: HttpRequest) -> int:
    """Return the number of the page that was asked for. Raises Http404 when that is none."""
    raw = request.GET.get("page", "1")
    if not (raw.isascii() and raw.isdigit() and len(raw) <= MAX_PAGE_DIGITS and int(raw) >= 1):
        raise Http404
    return int(raw)
