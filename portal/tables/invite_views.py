"""Inviting people to a table, and the page of an invitation: for a person by name, and behind the code of a link or of a mail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.models import User
from portal.accounts.pseudonyms import marked, name_of
from portal.accounts.views import next_address
from portal.common import errors
from portal.common.limits import Guesses, count_use
from portal.common.refusals import Refusal, TooMany
from portal.tables import inviting, refusals, rematching
from portal.tables.access import load_for, may_see
from portal.tables.invited import own_invitation
from portal.tables.inviting_page import invitation_context
from portal.tables.loading import Loaded, load
from portal.tables.lobby_views import JOINS_PER_HOUR, TABLES_PER_HOUR, arriving, viewer_of
from portal.tables.models import Invitation, Table
from portal.tables.naming import names_like
from portal.tables.qr import qr_svg

FORMS_PER_HOUR: Final = 100
NAMES_PER_MINUTE: Final = 120
LINKS: Final = Guesses("table-link", limit=30, window_s=3600)
View = Callable[..., HttpResponse]


def private(view: View) -> View:
    """Wrap a view whose address or answer is a secret: nothing keeps it, and no other site is told the address."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except refusals.InvitationNotFound as error:
            response = errors.page_not_found(request, error)
        patch_cache_control(response, private=True, no_store=True)
        response["Referrer-Policy"] = "same-origin"  # not stricter: the form of this page is checked by its origin
        return response

    return wrapped


@require_POST
def invite(request: HttpRequest, pk: int) -> HttpResponse:
    """Invite somebody to the reader's table: by name, or by email if there is an @ in what was typed."""
    user = _signed_in(request)
    count_use("invite", str(user.pk), limit=FORMS_PER_HOUR, window_s=3600, refusal=refusals.TooManyInvitations)
    try:
        invitation = inviting.invite_somebody(table_id=pk, user=user, who=request.POST.get("who", ""))
    except refusals.TableNotFound:
        raise Http404 from None
    except refusals.TableRefusal as error:
        messages.error(request, str(error))
    else:
        name = invitation.email or (name_of(invitation.user) if invitation.user is not None else "")
        messages.success(request, gettext("%(name)s is invited.") % {"name": name})
    return _to_table(pk)


@require_safe
@private
def names(request: HttpRequest) -> HttpResponse:
    """Give as JSON the names that start with ?start=, and those of bot accounts with their mark; only to people of this site, guests included, and not without end."""
    user = _signed_in(request)
    count_use("names", str(user.pk), limit=NAMES_PER_MINUTE, window_s=60)
    found = names_like(user, request.GET.get("start", ""))
    return JsonResponse({"names": [one.name for one in found], "marked": {one.name: marked(one.name) for one in found if one.is_bot}})


@require_safe
@private
def qr(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the owner of an open table its link as a QR code."""
    user = viewer_of(request)
    try:
        table = load_for(pk, user).table
    except refusals.TableNotFound:
        raise Http404 from None
    if user is None or table.owner_id != user.pk or table.status != Table.Status.OPEN or not table.link_code:
        raise Http404
    return HttpResponse(qr_svg(inviting.link_to(table.link_code)), content_type="image/svg+xml")


@require_http_methods(["GET", "HEAD", "POST"])
@private
def invitation(request: HttpRequest, pk: int) -> HttpResponse:
    """The page of an invitation by name, for the invited person alone."""
    return _page(request, inviting.invitation_for(pk, viewer_of(request)))


@require_http_methods(["GET", "HEAD", "POST"])
@private
def by_code(request: HttpRequest, code: str) -> HttpResponse:
    """The page behind a table's link, or behind the link of a mailed invitation."""
    LINKS.check(request)
    try:
        table = inviting.table_of_link(code)
    except refusals.InvitationNotFound:
        try:
            return _page(request, inviting.invitation_of_code(code), code)
        except refusals.InvitationNotFound:
            LINKS.count(request)
            raise
    return _page_of_link(request, load(table.pk), code)


@require_POST
def rematch(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a table like a finished one with the same people invited, or sit down at the one that another of them has opened."""
    user = _signed_in(request)
    count_use("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600, refusal=refusals.TooManyTables)
    try:
        return _to_table(rematching.rematch(table_id=pk, user=user).pk)
    except TooMany:
        raise
    except Refusal as error:
        if error.status == 404:
            raise Http404 from None
        return render(request, "tables/problem.html", {"message": str(error), "table_id": pk}, status=error.status)


# Parts


def _page(request: HttpRequest, found: Invitation, code: str = "") -> HttpResponse:
    """Show an invitation, or carry out its answer, also from the page `next`; a person who sits there already is led to the table."""
    loaded = load(found.table_id)
    user = viewer_of(request)
    if loaded.seat_of(user) is not None:
        return redirect("table", loaded.table.pk)
    if request.method != "POST":
        return _show(request, loaded, found)
    do, back = request.POST.get("do", ""), next_address(request, "")
    try:
        if do == "accept":
            with _answering(request) as person:
                inviting.accept(invitation_id=found.pk, user=person, terms=request.POST.get("terms", ""), code=code)
            if back:
                title = gettext(loaded.entry.game.meta.title)
                messages.success(request, gettext("You accepted the invitation to %(game)s.") % {"game": title})
            return _see_other(back) if back else _to_table(loaded.table.pk)
        if do == "decline":
            inviting.decline(invitation_id=found.pk, user=user, code=code)
            messages.success(request, gettext("You declined the invitation."))
            return _see_other(back or reverse("lobby"))
        if do == "counter":
            with _answering(request) as person:
                inviting.counter(invitation_id=found.pk, user=person, code=code, **_wanted(request))
            messages.success(request, gettext("Your answer was sent."))
            return _see_other(request.path)
        raise refusals.InvitationNotAnswered
    except refusals.TableRefusal as error:
        return _refused(request, load(found.table_id), Invitation.objects.get(pk=found.pk), error)


def _page_of_link(request: HttpRequest, loaded: Loaded, code: str) -> HttpResponse:
    user = viewer_of(request)
    if loaded.seat_of(user) is not None or (loaded.table.status != Table.Status.OPEN and may_see(loaded, user)):
        return redirect("table", loaded.table.pk)
    if (own := own_invitation(loaded, user)) is not None:
        return redirect("invitation", own)  # a seat is kept for them
    if request.method != "POST":
        return _show(request, loaded, None)
    try:
        do = request.POST.get("do")
        if do == "watch":
            with _answering(request) as person:
                inviting.watch_by_link(code=code, user=person)
        elif do == "counter":
            with _answering(request) as person:
                inviting.counter_by_link(code=code, user=person, **_wanted(request))
            messages.success(request, gettext("Your answer was sent."))
            return _see_other(request.path)  # which leads to their invitation
        else:
            with _answering(request) as person:
                inviting.join_by_link(code=code, user=person, terms=request.POST.get("terms", ""))
    except refusals.TableRefusal as error:
        return _refused(request, load(loaded.table.pk), None, error)
    return _to_table(loaded.table.pk)


def _wanted(request: HttpRequest) -> dict[str, Any]:
    """Return the settings that somebody asks for."""
    seats = request.POST.get("seats", "")
    return {
        "seats": int(seats) if seats.isdecimal() and len(seats) < 3 else 0,
        "is_rated": request.POST.get("rated") == "on",
        "message": request.POST.get("message", ""),
    }


def _show(request: HttpRequest, loaded: Loaded, found: Invitation | None, *, error: str = "", status: int = 200) -> HttpResponse:
    user = viewer_of(request)
    context = invitation_context(loaded, found, user) | {"section": "play", "error": error}
    return render(request, "tables/invitation.html", context, status=status)


def _refused(request: HttpRequest, loaded: Loaded, found: Invitation | None, error: refusals.TableRefusal) -> HttpResponse:
    """Show the page as it is now, with the reason; a table or an invitation that is gone answers like one that never was."""
    if error.status == 404:
        return errors.page_not_found(request, error)
    response = _show(request, loaded, found, error=str(error), status=error.status)
    if error.retry_after_s is not None:
        response["Retry-After"] = str(error.retry_after_s)
    return response


@contextmanager
def _answering(request: HttpRequest) -> Iterator[User]:
    """Give the person who takes a seat or asks for other settings (`arriving`). Raises TooManyGuests, TooManyJoins."""
    with arriving(request) as user:
        count_use("join", str(user.pk), limit=JOINS_PER_HOUR, window_s=3600, refusal=refusals.TooManyJoins)
        yield user


def _signed_in(request: HttpRequest) -> User:
    user = viewer_of(request)
    if user is None:
        raise Http404  # as for a table that is not theirs to change
    return user


def _to_table(pk: int) -> HttpResponse:
    return _see_other(reverse("table", args=[pk]))


def _see_other(url: str) -> HttpResponse:
    response = redirect(url)
    response.status_code = 303
    return response
