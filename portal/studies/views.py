"""The page of a study: it works without script, and its script (`studies.js`) asks for the region alone, as a request of HTMX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.models import User
from portal.common.refusals import Refusal
from portal.studies import refusals, services, tasks
from portal.studies.access import Codes, Opened, open_study
from portal.studies.models import Study
from portal.studies.page import TEMPLATE, Place, node_url, stream_url, study_context
from portal.tables.page import sprite_symbols
from portal.tables.refusals import BadAction
from portal.tables.sent import chosen_of, sent_by
from portal.tables.speaker import Speaker

MAX_ID: Final = 2**63 - 1
MAX_NUMBER: Final = 2**31 - 1
LINKS: Final = "study_links"  # in a session: the links that its person has followed


@require_safe
def study(request: HttpRequest, pk: int, number: int = 0, seat: int | None = None) -> HttpResponse:
    """Show a study after a move, as a seat sees it; ?a= is the partial choice of an action.

    For the script ?v=7 answers 204 if that version is shown, and ?stream=1 gives the next address of the events. When the owner goes to a move, others
    can follow; a page that only catches up (?v=) goes nowhere.
    """
    opened, user = opened_for(request, pk), reader(request)
    if "v" in request.GET and request.GET["v"] == str(opened.study.version):
        response = HttpResponse(status=204)
    else:
        place = Place(number, seat, chosen_of(request))
        if opened.is_owner and "v" not in request.GET and request.method == "GET" and opened.study.shown != number and user is not None:
            services.look(study_id=pk, user=user, number=number)
            opened.study.refresh_from_db(fields=["shown", "version"])
        response = shown(request, opened, place)
    if request.GET.get("stream") == "1":
        response["X-Stream"] = stream_url(opened.study, user)
    return private(response)


@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Play what the form names for a seat: an action, a plan of several, or a basket."""

    def call(user: User | None, codes: Codes) -> int:
        try:
            before, action, end = sent_by(request)
        except BadAction:
            raise refusals.NotPossible from None
        return services.play(study_id=pk, user=user, codes=codes, after=number, seat=_seat(request), actions=[*before, action], end=end)

    return do(request, pk, number, call)


@require_http_methods(["GET", "HEAD", "POST"])
def bot(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Let a bot move for a seat."""
    level = request.POST.get("level", "")

    def call(user: User | None, codes: Codes) -> int:
        services.ask_bot(study_id=pk, user=user, codes=codes, after=number, seat=_seat(request), level=level)
        return number

    return do(request, pk, number, call)


@require_http_methods(["GET", "HEAD", "POST"])
def comment(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Write what is said of a move, and its mark."""
    text, mark = request.POST.get("comment", ""), request.POST.get("mark", "")

    def call(user: User | None, codes: Codes) -> int:
        services.comment(study_id=pk, user=user, codes=codes, number=number, text=text, mark=mark)
        return number

    return do(request, pk, number, call, typed=text)


@require_http_methods(["GET", "HEAD", "POST"])
def line(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Delete a move with what follows (`do=delete`), make its line the main one (`promote`), or draw again (`draw`)."""

    def call(user: User | None, codes: Codes) -> int:
        wanted = request.POST.get("do", "")
        if wanted == "delete":
            return services.delete(study_id=pk, user=user, codes=codes, number=number)
        if wanted == "draw":
            return services.draw_again(study_id=pk, user=user, codes=codes, number=number)
        if wanted == "promote":
            services.promote(study_id=pk, user=user, codes=codes, number=number)
            return number
        raise Refusal

    return do(request, pk, number, call)


# Parts


def reader(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def codes_of(request: HttpRequest) -> Codes:
    """Return the links that the reader has followed."""
    codes: Codes = request.session.get(LINKS, {})
    return codes


def opened_for(request: HttpRequest, pk: int) -> Opened:
    """Return the study; 404 for one that the reader may not see."""
    if pk > MAX_ID:
        raise Http404
    try:
        return open_study(pk, reader(request), codes_of(request))
    except refusals.StudyNotFound:
        raise Http404 from None


def private(response: HttpResponse) -> HttpResponse:
    """Keep an answer to its reader: what each may see differs, and can end."""
    response["Cache-Control"] = "private, no-store"
    response["Vary"] = "HX-Request, Cookie, Accept-Language"
    return response


def shown(request: HttpRequest, opened: Opened, place: Place, *, fault: Refusal | None = None, typed: str = "") -> HttpResponse:
    """Return the page, or only its region for the script; `fault` says what was refused, `typed` is a comment that was."""
    user, language = reader(request), str(request.LANGUAGE_CODE)
    is_script = bool(request.htmx)  # type: ignore[attr-defined]
    try:
        context = study_context(opened, user, language, place)
    except refusals.NoSuchMove:
        if fault is None and not is_script:
            raise Http404 from None
        context = study_context(opened, user, language, Place())  # deleted while the page showed it, or before somebody went back to it
    for wish in context["thinking"]:
        tasks.ask_again(wish)
    context |= {"error": _told(fault, opened, language) if fault is not None else "", "typed": typed, "reader": user}
    if not is_script:
        context["symbols"] = sprite_symbols(opened.entry)
    response = render(request, f"{TEMPLATE}#region" if is_script else TEMPLATE, context, status=fault.status if fault is not None else 200)
    if fault is not None and fault.retry_after_s is not None:
        response["Retry-After"] = str(fault.retry_after_s)
    return private(response)


def do(request: HttpRequest, pk: int, number: int, call: Callable[[User | None, Codes], int], *, typed: str = "") -> HttpResponse:
    """Run a service for a POST and lead to the move that it names; a refusal shows the study with the reason."""
    study = Study(pk=min(pk, MAX_ID))
    url = node_url(study, number)
    if request.method != "POST":
        return HttpResponseRedirect(url)
    opened, user = opened_for(request, pk), reader(request)
    if user is None:
        return redirect_to_login(url)
    try:
        at = call(user, codes_of(request))
    except refusals.StudyNotFound:
        raise Http404 from None
    except Refusal as fault:
        return shown(request, opened_for(request, pk), Place(number), fault=fault, typed=typed)
    if bool(request.htmx):  # type: ignore[attr-defined]
        opened = opened_for(request, pk)
        return shown(request, opened, Place(at))
    return private(HttpResponseRedirect(node_url(study, at), status=303))


def _told(fault: Refusal, opened: Opened, language: str) -> str:
    """Return the reason of a refusal: the game's own, if it has one."""
    cause = getattr(fault, "cause", None)
    return Speaker(opened.study.game, language, opened.names, None).say(cause) if cause is not None else str(fault)


def _seat(request: HttpRequest) -> int:
    """Return the seat that a form names by its number; -1, which never decides, if it is none."""
    text: Any = request.POST.get("seat", "")
    return int(text) - 1 if text.isdecimal() and text.isascii() and len(text) < 3 else -1
