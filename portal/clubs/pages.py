"""What all pages of a club share: the club behind the URL, its reader, the answer to a refusal, and caching."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import urlencode

from portal.accounts.models import User
from portal.clubs.refusals import NoSuchPerson
from portal.clubs.selectors import ClubPage, club_for
from portal.common import errors
from portal.common.limits import client_address, count_use
from portal.common.refusals import Refusal

P = ParamSpec("P")
ClubView = Callable[Concatenate[HttpRequest, ClubPage, P], HttpResponse]
MAX_PAGE_DIGITS = 6


def viewer_of(request: HttpRequest) -> User | None:
    """Return the person of the session, or None for a visitor."""
    return request.user if isinstance(request.user, User) else None


def of_club(view: ClubView[P]) -> Callable[..., HttpResponse]:
    """Wrap a view of one club: it gets a ClubPage in place of the slug.

    Answers 404 where the reader may not know of the club, and any other Refusal with its status and sentence. No proxy caches a page of a
    private club, nor a page for somebody who is signed in.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        page = None
        try:
            page = club_for(slug, viewer_of(request))
            response = view(request, page, *args, **kwargs)
        except Refusal as error:
            return refused(request, error, page)
        if page.club.is_private or page.user is not None:
            patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie"])
        return response

    return wrapped


def refused(request: HttpRequest, error: Refusal, page: ClubPage | None = None) -> HttpResponse:
    """Answer a refusal that belongs to no form with its status and sentence."""
    if error.status == 404:
        response = errors.page_not_found(request, error)
    elif error.status == 403:
        response = errors.permission_denied(request, error)
    else:
        response = render(request, "clubs/problem.html", {"section": "clubs", "reason": str(error), "page": page}, status=error.status)
    patch_cache_control(response, private=True, no_cache=True)
    return response


def done(request: HttpRequest, to: str, *args: Any, said: str = "", anchor: str = "", **kwargs: Any) -> HttpResponse:
    """Answer a successful form: 303 to the page `to`, which shows `said` once."""
    if said:
        messages.success(request, said)
    response = redirect(to, *args, **kwargs)
    response.status_code = 303
    if anchor:
        response["Location"] += f"#{anchor}"
    return response


def page_number(request: HttpRequest) -> int:
    """Return the number of the page that was asked for. Raises Http404 if it is not one."""
    raw = request.GET.get("page", "1")
    if not (raw.isascii() and raw.isdigit() and len(raw) <= MAX_PAGE_DIGITS and int(raw) >= 1):
        raise Http404
    return int(raw)


def club_context(page: ClubPage, tab: str, **more: Any) -> dict[str, Any]:
    """Return the context of a club's page: what the header and the tabs need, and the page's own values."""
    return {"section": "clubs", "page": page, "club": page.club, "role": page.role, "may": page.may, "tab": tab, **more}


def limited(what: str, *, limit: int, window_s: int = 3600) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Wrap a view whose POST a person may send `limit` times in a window; answers 429 above that."""

    def wrap(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def counted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST":
                user = viewer_of(request)
                count_use(what, str(user.pk) if user is not None else client_address(request), limit=limit, window_s=window_s)
            return view(request, *args, **kwargs)

        return counted

    return wrap


def person_of(pk: int) -> User:
    """Return the person with this id from a URL. Raises ClubNotFound."""
    found = User.objects.filter(pk=pk).first()
    if found is None:
        raise NoSuchPerson
    return found


def paging(number: int, has_next: bool, **kept: str) -> dict[str, str | int]:
    """Return the URLs of the previous and next page; `kept` are the other parameters to keep."""

    def address(page: int) -> str:
        wanted: dict[str, str | int] = {**kept, "page": page if page > 1 else ""}
        return "?" + urlencode({key: value for key, value in wanted.items() if value})

    return {
        "number": number,
        "previous_url": address(number - 1) if number > 1 else "",
        "next_url": address(number + 1) if has_next else "",
    }
