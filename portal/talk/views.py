"""The chat of a table: a page of its own, which works without script, and the pieces of it that the script at the table asks for.

A request of the script is one of HTMX; what it may not do is answered with the reason as plain text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.models import User
from portal.common.refusals import Refusal
from portal.tables.access import load_for
from portal.tables.loading import Loaded
from portal.tables.refusals import TableNotFound
from portal.tables.watchers import watchers_of
from portal.talk import page, selectors, services
from portal.talk.models import Room
from portal.talk.rooms import rooms_for

MAX_ID_DIGITS = 18


@require_safe
def talk(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what is said at a table; with ?room=players&before=17 what was said earlier in a room."""
    return shown(request, loaded_for(request, pk))


@require_safe
def lines(request: HttpRequest, pk: int) -> HttpResponse:
    """Give what was said in a room after the reader's newest line (?room=players&since=17), or 204."""
    loaded, user = loaded_for(request, pk), reader(request)
    room = request.GET.get("room", "")
    since = number(request.GET.get("since", "0"))
    if room not in rooms_for(loaded, user).read or since is None:
        raise Http404
    found, _earlier = selectors.lines_of(loaded, user, Room(room), since=since)
    if not found:
        return private(HttpResponse(status=204))
    if user is not None:
        services.mark_read(loaded, user, found[-1].pk)
    return private(render(request, f"{page.TEMPLATE}#lines", {"lines": page.told(found, user), "id": pk}))


@require_safe
def unread(request: HttpRequest, pk: int) -> HttpResponse:
    """Say how many lines the reader has not read; 204 for visitors."""
    loaded, user = loaded_for(request, pk), reader(request)
    if user is None:
        return private(HttpResponse(status=204))
    return private(HttpResponse(str(selectors.unread_at(loaded, user)), content_type="text/plain"))


@require_safe
def watching(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the list of spectators as the panel shows it."""
    context = {"id": pk, "watching": watchers_of(loaded_for(request, pk), reader(request))}
    return private(render(request, f"{page.TEMPLATE}#watching", context))


@require_http_methods(["GET", "HEAD", "POST"])
def say(request: HttpRequest, pk: int) -> HttpResponse:
    """Say something in a room."""

    def call(user: User | None) -> None:
        services.say(
            table_id=pk,
            user=user,
            room=request.POST.get("room", ""),
            text=request.POST.get("text", ""),
            phrase=request.POST.get("phrase", ""),
        )

    return _do(request, pk, call, typed={"room": request.POST.get("room", ""), "text": request.POST.get("text", "")})


@require_http_methods(["GET", "HEAD", "POST"])
def mute(request: HttpRequest, pk: int) -> HttpResponse:
    """Mute the chat of a table, or let the reader hear it again (`do=unmute`)."""
    is_muted = request.POST.get("do") != "unmute"
    return _do(request, pk, lambda user: services.mute(table_id=pk, user=_known(user), is_muted=is_muted))


@require_http_methods(["GET", "HEAD", "POST"])
def note(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep the reader's notes to themselves."""
    text = request.POST.get("note", "")
    return _do(request, pk, lambda user: services.keep_note(table_id=pk, user=_known(user), text=text), typed={"note": text})


# Parts


def reader(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _known(user: User | None) -> User:
    assert user is not None, "`_do` asks visitors to sign in first"
    return user


def loaded_for(request: HttpRequest, pk: int) -> Loaded:
    """Return the table; 404 for one that the reader may not see."""
    try:
        return load_for(pk, reader(request))
    except TableNotFound:
        raise Http404 from None


def number(raw: str) -> int | None:
    """Return a number that the database can hold; None if it isn't one."""
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= MAX_ID_DIGITS else None


def is_script(request: HttpRequest) -> bool:
    return bool(request.htmx)  # type: ignore[attr-defined]


def private(response: HttpResponse) -> HttpResponse:
    """Keep an answer to its reader: what each may read differs, and what was said may be hidden later."""
    response["Cache-Control"] = "private, no-store"
    response["Vary"] = "HX-Request, Cookie, Accept-Language"
    return response


def shown(request: HttpRequest, loaded: Loaded, *, fault: Refusal | None = None, typed: dict[str, str] | None = None) -> HttpResponse:
    """Return the page, or only the panel for the script at the table. What is shown is read."""
    user = reader(request)
    room, before = request.GET.get("room", ""), number(request.GET.get("before", ""))
    context: dict[str, Any] = page.talk_context(loaded, user, room=room, before=before, typed=typed or {})
    newest = context["newest"]
    if user is not None and before is None and newest > context["listener"].seen and request.method == "GET":
        services.mark_read(loaded, user, newest)
    context["error"] = str(fault) if fault is not None else ""
    template = f"{page.TEMPLATE}#panel" if is_script(request) else page.TEMPLATE
    response = private(render(request, template, context, status=fault.status if fault is not None else 200))
    if fault is not None and fault.retry_after_s is not None:
        response["Retry-After"] = str(fault.retry_after_s)
    return response


def _do(request: HttpRequest, pk: int, call: Callable[[User | None], object], *, typed: dict[str, str] | None = None) -> HttpResponse:
    """Run a service for a POST and lead back to the chat; a refusal shows it with the reason and what was typed."""
    url = reverse("table-talk", args=[pk])
    if request.method != "POST":
        return HttpResponseRedirect(url)
    loaded, user = loaded_for(request, pk), reader(request)
    if user is None:
        if is_script(request):
            return private(HttpResponse(_("Sign in to write in the chat."), status=403, content_type="text/plain; charset=utf-8"))
        return redirect_to_login(url)
    try:
        call(user)
    except TableNotFound:
        raise Http404 from None
    except Refusal as refusal:
        if is_script(request):
            return private(HttpResponse(str(refusal), status=refusal.status, content_type="text/plain; charset=utf-8"))
        return shown(request, loaded, fault=refusal, typed=typed)
    return private(HttpResponse(status=204)) if is_script(request) else private(HttpResponseRedirect(url, status=303))
