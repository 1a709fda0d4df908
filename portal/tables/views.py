"""The table page: requests into service calls, and one region as the answer.

Without script every answer is a page or a redirect; an HTMX request gets the region `#table` alone. Refused and stale
requests answer 422 and 409 with the region as it is now and a notice that says why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.models import User
from portal.tables import errors, selectors, services
from portal.tables.access import circle_of, may_see
from portal.tables.loading import Loaded
from portal.tables.page import TEMPLATE, log_line, sprite_symbols, table_context
from portal.tables.selectors import TablePage
from portal.tables.speaker import Speaker, opened_rule

MAX_CHOSEN_CHARS = services.MAX_ACTION_CHARS  # what is chosen piece by piece becomes the text of an action


@require_safe
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a table; with ?a=... a choice in the making, which nobody else sees."""
    page = _page(request, pk)
    response = _answer(request, page, chosen=_chosen(request))
    if page.my_seat is not None and page.missed and not _is_region(request):
        services.mark_seen(table_id=pk, seat=page.my_seat, version=page.version)
    return response


@require_safe
def region(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the region of the page, or 204 when the reader has this version already (?v=41).

    With ?stream=1 the address of the event stream comes with it: the one that the page was given expires.
    """
    page = _page(request, pk)
    if request.GET.get("v") == str(page.version):
        response = _finish(HttpResponse(status=204), page)
    else:
        response = _region(request, page, chosen=_chosen(request))
        response["HX-Push-Url"] = "false"
    if request.GET.get("stream") == "1" and page.stream_url is not None:
        response["X-Stream"] = page.stream_url
    return response


@require_safe
def log(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the whole log."""
    page = _page(request, pk)
    speaker = Speaker(page.entry.key, _lang(request), page.names, page.my_seat)
    quiet = page.entry.game.meta.quiet
    lines = [log_line(line, speaker) for line in selectors.full_log(pk, _user(request)) if line.event.key not in quiet]
    title = gettext("%(game)s, table %(id)s") % {"game": page.entry.game.meta.title, "id": page.id}
    context = {"page": page, "lines": lines, "table_title": title, "section": "play"}
    return _finish(render(request, "tables/log.html", context), page)


@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a whole action for the seat of the person who is signed in."""

    def call(user: User | None) -> Loaded:
        return services.submit_action(
            table_id=pk,
            user=user,
            action=request.POST.get("action", ""),
            expected_version=_version(request),
            then=request.POST.get("then", ""),
        )

    return _do(request, pk, call, chosen=request.POST.get("action", ""))


@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Take one's own last action back."""
    return _do(request, pk, lambda user: services.undo_action(table_id=pk, user=_known(user), expected_version=_version(request)))


@require_http_methods(["GET", "HEAD", "POST"])
def redo(request: HttpRequest, pk: int) -> HttpResponse:
    """Do again what one took back last."""
    return _do(request, pk, lambda user: services.redo_action(table_id=pk, user=_known(user), expected_version=_version(request)))


@require_http_methods(["GET", "HEAD", "POST"])
def order(request: HttpRequest, pk: int) -> HttpResponse:
    """Give an answer in advance; an empty one withdraws it."""
    text = request.POST.get("order", "")

    def call(user: User | None) -> Loaded:
        if text:
            return services.set_order(table_id=pk, user=_known(user), order=text)
        return services.clear_order(table_id=pk, user=_known(user))

    return _do(request, pk, call)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a free seat; who is not signed in is asked to first."""
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(reverse("table", args=[pk]))
    return _do(request, pk, lambda user: services.join_table(table_id=pk, user=_known(user), word=request.POST.get("word", "")))


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave a table: before the start the seat is free again, later a bot takes it."""
    return _do(request, pk, lambda user: services.leave_table(table_id=pk, user=_known(user)))


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, pk: int) -> HttpResponse:
    """Start a table, bots in the free seats."""
    return _do(request, pk, lambda user: services.start_table(table_id=pk, user=_known(user)))


@require_http_methods(["GET", "HEAD", "POST"])
def add_bot(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a bot into a free seat."""
    return _do(request, pk, lambda user: services.add_bot(table_id=pk, user=_known(user), level=request.POST.get("level", "")))


@require_http_methods(["GET", "HEAD", "POST"])
def remove_bot(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a bot away."""
    seat = request.POST.get("seat", "")
    number = int(seat) if seat.isdecimal() and len(seat) < 4 else -1
    return _do(request, pk, lambda user: services.remove_bot(table_id=pk, user=_known(user), seat=number))


# Parts


def _user(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _known(user: User | None) -> User:
    if user is None:
        raise errors.NotYourSeat("you are not signed in")
    return user


def _lang(request: HttpRequest) -> str:
    return str(request.LANGUAGE_CODE)


def _chosen(request: HttpRequest) -> str:
    """Return the choice in the making: ?a=, and the word that was typed after it (&w=)."""
    chosen = request.GET.get("a", "")
    for word in request.GET.get("w", "").split()[:1]:
        chosen = f"{chosen} {word}".lstrip()
    return chosen if len(chosen) <= MAX_CHOSEN_CHARS and chosen.isprintable() else ""


def _version(request: HttpRequest) -> int:
    text = request.POST.get("expected_version", "")
    if not text.isdecimal() or len(text) > 9:
        raise errors.BadAction("expected_version: a whole number is missing")
    return int(text)


def _is_region(request: HttpRequest) -> bool:
    htmx = request.htmx  # type: ignore[attr-defined]
    return bool(htmx) and not htmx.history_restore_request


def _page(request: HttpRequest, pk: int) -> TablePage:
    try:
        return selectors.table_page(pk, _user(request), chosen=_chosen(request))
    except errors.TableNotFound:
        raise Http404 from None


def _answer(request: HttpRequest, page: TablePage, **parts: Any) -> HttpResponse:
    """Return the page, or for HTMX the region alone."""
    if _is_region(request):
        return _region(request, page, **parts)
    context = _context(request, page, **parts) | {"symbols": sprite_symbols(page.entry)}
    return _finish(render(request, TEMPLATE, context, status=parts.get("status", 200)), page)


def _region(request: HttpRequest, page: TablePage, **parts: Any) -> HttpResponse:
    context = _context(request, page, have=request.headers.get("X-Have", ""), is_away="X-Away" in request.headers, **parts)
    return _finish(render(request, f"{TEMPLATE}#region", context, status=parts.get("status", 200)), page)


def _context(request: HttpRequest, page: TablePage, **parts: Any) -> dict[str, Any]:
    has_forms = page.my_seat is not None or page.can_join
    token = get_token(request) if has_forms and page.status in ("open", "playing") else ""
    parts.pop("status", None)
    return table_context(page, _user(request), _lang(request), token=token, **parts)


def _finish(response: HttpResponse, page: TablePage) -> HttpResponse:
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "HX-Request, Cookie, Accept-Language"
    response["X-Table-Version"] = str(page.version)
    return response


def _do(request: HttpRequest, pk: int, call: Callable[[User | None], Loaded], *, chosen: str = "") -> HttpResponse:
    """Run a service for a POST and answer with the table as it is then; a GET of such an address leads to the table."""
    url = reverse("table", args=[pk])
    if request.method != "POST":
        return HttpResponseRedirect(url)
    user = _user(request)
    try:
        loaded = call(user)
    except errors.TableNotFound:
        raise Http404 from None
    except errors.TableError as error:
        return _failed(request, pk, error, chosen)
    if not may_see(loaded, user):
        return _away(request, loaded, user)
    if not _is_region(request):
        return HttpResponseRedirect(url, status=303)
    response = _region(request, selectors.page_of(loaded, user))
    response["HX-Replace-Url"] = url
    return response


def _away(request: HttpRequest, loaded: Loaded, user: User | None) -> HttpResponse:
    """Lead who got up from a table that only its seats may see to the other tables of its set, or to the lobby."""
    circle = circle_of(loaded, user)
    url = reverse("lobby")
    if circle is not None and circle.set_id is not None and (circle.role is not None or not circle.is_private):
        url = reverse("club-duplicate", args=[circle.slug, circle.set_id])
    if not _is_region(request):
        return HttpResponseRedirect(url, status=303)
    response = HttpResponse(status=204)
    response["HX-Redirect"] = url
    return response


def _failed(request: HttpRequest, pk: int, error: errors.TableError, chosen: str) -> HttpResponse:
    """Return the region as it is now with the reason; a refused choice stays and its paragraph is opened."""
    try:
        page = selectors.table_page(pk, _user(request), chosen=chosen if isinstance(error, errors.Refused) else "")
    except errors.TableNotFound:
        raise Http404 from None
    speaker = Speaker(page.entry.key, _lang(request), page.names, page.my_seat)
    rule = None
    notice: dict[str, Any] = {"kind": "bad", "text": _reason(error, speaker), "rule": None}
    if error.rule is not None:
        notice["rule"] = speaker.rule(error.rule)
        rule = opened_rule(error.rule, _lang(request))
    elif isinstance(error, errors.StaleTable):
        notice["kind"] = "warn"
    response = _answer(request, page, notice=notice, rule=rule, status=error.status)
    response["HX-Replace-Url"] = reverse("table", args=[pk])
    return response


def _reason(error: errors.TableError, speaker: Speaker) -> str:
    if error.cause is not None:
        return speaker.say(error.cause)
    return {
        errors.StaleTable: gettext("The table has moved on; here is the new position."),
        errors.NotYourSeat: gettext("Only who sits at this table may do that, and only in the own seat."),
        errors.MembersOnly: gettext("This table belongs to a club; only members of the club sit down here."),
        errors.NotDue: gettext("It is not your turn just now."),
        errors.WrongStatus: gettext("The table is no longer in the state that this was meant for."),
        errors.NothingToRedo: gettext("There is nothing left to do again: somebody has acted since."),
        errors.NothingToUndo: gettext("There is nothing left to take back: chance fell, or somebody else has acted since."),
        errors.BadAction: gettext("That is no action of this game, so nothing was done."),
        errors.BadSetting: gettext("That is not possible at this table."),
    }.get(type(error), gettext("That could not be done."))
