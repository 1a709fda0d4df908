"""The inbox, and the number of unread notices for the header of open pages."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.models import User
from portal.accounts.views import next_address
from portal.live import presence
from portal.notices import inbox, unread
from portal.notices.refusals import NoSuchNotice

MAX_DIGITS = 6  # of the number of a page
MAX_ID_DIGITS = 18


@login_required
@never_cache
@require_safe
def notices(request: HttpRequest) -> HttpResponse:
    """Everything that the reader was told, newest first; with ?show=unread what they haven't read, with ?show=failed what failed to reach them elsewhere."""
    user = cast(User, request.user)
    number = _number(request.GET.get("page", "1"), MAX_DIGITS)
    show = request.GET.get("show", "")
    if not number or show not in ("", "unread", "failed"):
        raise Http404
    found, has_next = inbox.lines(user, page=number, show=show)
    if not found and number > 1:
        raise Http404
    query = f"show={show}&" if show else ""
    context = {
        "lines": found,
        "show": show,
        "n_unread": unread.counted(user.pk),
        "number": number,
        "previous_url": f"?{query}page={number - 1}" if number > 1 else "",
        "next_url": f"?{query}page={number + 1}" if has_next else "",
    }
    return render(request, "notices/inbox.html", context)


@login_required
@never_cache
@require_safe
def panel(request: HttpRequest) -> HttpResponse:
    """The latest notices, for the panel that the bell opens; `next` is the page it is opened on."""
    user = cast(User, request.user)
    context = {"lines": inbox.latest(user), "n_unread": unread.counted(user.pk), "next": next_address(request, "notices")}
    return render(request, "notices/_panel.html", context)


@login_required
@never_cache
@require_safe
def open_notice(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark a notice as read and go to what it is about. Whether the reader may see that is asked there."""
    try:
        return redirect(inbox.opened(cast(User, request.user), pk))
    except NoSuchNotice:
        raise Http404 from None


@login_required
@require_POST
def read(request: HttpRequest) -> HttpResponse:
    """Mark a notice as read, or all of them, and go back to the list."""
    raw = request.POST.get("notice", "")
    chosen = _number(raw, MAX_ID_DIGITS)
    if raw and chosen is None:
        raise Http404
    inbox.read(cast(User, request.user), chosen)
    return redirect(next_address(request, "notices"))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unread_number(request: HttpRequest) -> HttpResponse:
    """Say how many notices the reader has not read. A page that shows a table posts its number: what is about it has been seen.

    Open pages ask every two minutes, which is how friends see that somebody is here, if that person shows it.
    """
    if not isinstance(request.user, User):
        return HttpResponse(status=204)
    table_id = _number(request.POST.get("table", ""), MAX_ID_DIGITS)
    if table_id is not None:
        inbox.read(request.user, table_id=table_id)
    if request.user.shows_presence:
        presence.seen(request.user.pk)
    return HttpResponse(str(unread.counted(request.user.pk)), content_type="text/plain")


def _number(raw: str, digits: int) -> int | None:
    """Return a positive number of at most so many digits; None if it isn't one."""
    return int(raw) or None if raw.isascii() and raw.isdigit() and len(raw) <= digits else None
