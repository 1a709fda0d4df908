"""The table page: turns requests into service calls and answers with one region.

Without script every answer is a page or a redirect; an HTMX request gets only the region `#table`. Refused and stale
requests answer 422 and 409 with the region as it is now and a notice that says why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.models import LogDetail, User
from portal.common import maintenance
from portal.tables import handing, inviting, passing, refusals, selectors, services, voting
from portal.tables.access import circle_of, load_for, may_see
from portal.tables.choices import choices_of
from portal.tables.coach import wait_for
from portal.tables.loading import Loaded
from portal.tables.newcomers import may_want_to_learn
from portal.tables.page import TEMPLATE, log_line, site_stamp, sprite_symbols, table_context
from portal.tables.reel import reel_of, since_last_turn
from portal.tables.replay import replay_of
from portal.tables.replay_page import address
from portal.tables.result import result_context, running_head
from portal.tables.selectors import TablePage
from portal.tables.sent import chosen_of, sent_by
from portal.tables.speaker import Speaker, opened_rule
from portal.tables.why import why_address


@require_safe
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a table; with ?a=... a partial choice, which nobody else sees."""
    loaded = _loaded(request, pk)
    page = selectors.page_of(loaded, _user(request), chosen=chosen_of(request))
    response = _answer(request, loaded, page, chosen=chosen_of(request))
    if page.my_seat is not None and page.log.missed and not _is_region(request) and not maintenance.is_on():
        passing.mark_seen(table_id=pk, seat=page.my_seat, version=page.version)
    return response


@require_safe
def region(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the region of the page, or 204 when the reader has this version already (?v=41).

    With ?stream=1 it includes a new address of the event stream, because the page's old one expires.
    """
    loaded = _loaded(request, pk)
    page = selectors.page_of(loaded, _user(request), chosen=chosen_of(request))
    if request.GET.get("v") == str(page.version):
        response = _finish(HttpResponse(status=204), page)
    else:
        response = _region(request, loaded, page, chosen=chosen_of(request), reel=_reel(request, loaded, page))
        response["HX-Push-Url"] = "false"
    if request.GET.get("stream") == "1" and page.stream is not None:
        response["X-Stream"] = page.stream.url
    return response


@require_safe
def reel(request: HttpRequest, pk: int) -> HttpResponse:
    """Give as JSON what others have done since the reader's last move, step by step; nothing for a table where nobody has."""
    loaded = _loaded(request, pk)
    page = selectors.page_of(loaded, _user(request))
    since = since_last_turn(loaded, page.my_seat)
    told = reel_of(loaded, page, _speaker(request, page), since=since, have=request.headers.get("X-Have", ""))
    return _finish(JsonResponse(told or {}), page)


@require_safe
def choices(request: HttpRequest, pk: int) -> HttpResponse:
    """Give as JSON what the question leads to, for the page's script; 204 if the reader isn't asked, or no longer at ?v=41."""
    page = selectors.page_of(_loaded(request, pk), _user(request))
    is_wanted = request.GET.get("v", str(page.version)) == str(page.version)
    told = choices_of(page, _user(request), _speaker(request, page)) if is_wanted else None
    response = _finish(HttpResponse(status=204) if told is None else HttpResponse(told, content_type="application/json"), page)
    response["Cache-Control"] = "private, no-store"
    return response


@require_safe
def log(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the whole log; what still counts leads to its step of the replay."""
    loaded = _loaded(request, pk)
    page = selectors.page_of(loaded, _user(request))
    speaker = _speaker(request, page)
    user = _user(request)
    quiet = page.entry.game.meta.quiet
    shows_quiet = user is not None and user.log_detail == LogDetail.ALL
    replay = replay_of(loaded, page) if page.view is not None else None
    steps = replay.step_of_lines() if replay is not None else {}
    lines: list[dict[str, Any]] = []
    place, before = 0, None
    for line in reversed(selectors.full_log(pk, user)):
        is_quiet = line.event.key in quiet
        if is_quiet and not shows_quiet:
            continue
        step = None
        if not is_quiet:  # a quiet line is no step
            place = place + 1 if line.seq == before else 0
            before = line.seq
            step = steps.get((line.seq, place))
        why = why_address(page, line.actor, line.by, line.seq) if step and not place else None
        lines.append(log_line(line, speaker) | {"step_url": address(replay, step) if replay is not None and step else None, "why": why})
    title = gettext("%(game)s, table %(id)s") % {"game": gettext(page.entry.game.meta.title), "id": page.id}
    replay_url = address(replay, 0) if replay is not None else None
    context = {"page": page, "lines": lines[::-1], "table_title": title, "section": "play", "replay_url": replay_url}
    return _finish(render(request, "tables/log.html", context), page)


@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, pk: int) -> HttpResponse:
    """Play a complete action for the reader's seat, or those of a basket."""

    def call(user: User | None) -> Loaded:
        before, action, end = sent_by(request)
        return services.submit_action(
            table_id=pk,
            user=user,
            action=action,
            expected_version=_version(request),
            then=request.POST.get("then", ""),
            before=before,
            end=end,
        )

    return _do(request, pk, call, chosen=request.POST.get("action", ""))


@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo the reader's last action."""
    return _do(request, pk, lambda user: services.undo_action(table_id=pk, user=_known(user), expected_version=_version(request)))


@require_http_methods(["GET", "HEAD", "POST"])
def redo(request: HttpRequest, pk: int) -> HttpResponse:
    """Redo the reader's last undone action."""
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
    """Take a free seat; visitors are asked to sign in first."""
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(reverse("table", args=[pk]))
    return _do(request, pk, lambda user: services.join_table(table_id=pk, user=_known(user), word=request.POST.get("word", "")))


@require_http_methods(["GET", "HEAD", "POST"])
def come_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Return to the seat that a bot has kept since the reader ran out of time."""
    return _do(request, pk, lambda user: handing.come_back(table_id=pk, user=_known(user)))


@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask the other people at the table something; the button names it, and the seat that it is about if any."""
    what, _, about = request.POST.get("what", "").partition(" ")
    seat = int(about) if about.isdecimal() and len(about) < 3 else None
    return _do(request, pk, lambda user: voting.ask(table_id=pk, user=_known(user), what=what, about=seat))


@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer what somebody asks: `yes` or `no` names the question."""
    agrees = "yes" in request.POST
    at = request.POST.get("yes" if agrees else "no", "")
    number = int(at) if at.isdecimal() and len(at) < 16 else 0
    return _do(request, pk, lambda user: voting.answer(table_id=pk, user=_known(user), at=number, agrees=agrees))


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave a table: before the start the seat is free again, later a bot takes it."""
    return _do(request, pk, lambda user: services.leave_table(table_id=pk, user=_known(user)))


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, pk: int) -> HttpResponse:
    """Start a table with bots in the free seats."""
    return _do(request, pk, lambda user: services.start_table(table_id=pk, user=_known(user)))


@require_http_methods(["GET", "HEAD", "POST"])
def add_bot(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a bot into a free seat."""
    return _do(request, pk, lambda user: services.add_bot(table_id=pk, user=_known(user), level=request.POST.get("level", "")))


@require_http_methods(["GET", "HEAD", "POST"])
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an invitation back."""
    return _do(request, pk, lambda user: inviting.take_back(table_id=pk, user=_known(user), invitation_id=_invitation(request)))


@require_http_methods(["GET", "HEAD", "POST"])
def grant(request: HttpRequest, pk: int) -> HttpResponse:
    """Change the table to what an invited person asked for."""
    return _do(request, pk, lambda user: inviting.grant(table_id=pk, user=_known(user), invitation_id=_invitation(request)))


@require_http_methods(["GET", "HEAD", "POST"])
def insist(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave the table as it is, whatever an invited person asked for."""
    return _do(request, pk, lambda user: inviting.insist(table_id=pk, user=_known(user), invitation_id=_invitation(request)))


@require_http_methods(["GET", "HEAD", "POST"])
def renew_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the table a new link."""
    return _do(request, pk, lambda user: inviting.renew_link(table_id=pk, user=_known(user)))


@require_http_methods(["GET", "HEAD", "POST"])
def remove_bot(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a bot."""
    seat = request.POST.get("seat", "")
    number = int(seat) if seat.isdecimal() and len(seat) < 4 else -1
    return _do(request, pk, lambda user: services.remove_bot(table_id=pk, user=_known(user), seat=number))


# Parts


def _user(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _known(user: User | None) -> User:
    if user is None:
        raise refusals.NotSignedIn
    return user


def _lang(request: HttpRequest) -> str:
    return str(request.LANGUAGE_CODE)


def _version(request: HttpRequest) -> int:
    text = request.POST.get("expected_version", "")
    if not text.isdecimal() or len(text) > 9:
        raise refusals.VersionMissing
    return int(text)


def _invitation(request: HttpRequest) -> int:
    """Return the number of the invitation that a button names; 0, which no invitation has, if it is none."""
    text = request.POST.get("invitation", "")
    return int(text) if text.isdecimal() and len(text) < 18 else 0


def _is_region(request: HttpRequest) -> bool:
    htmx = request.htmx  # type: ignore[attr-defined]
    return bool(htmx) and not htmx.history_restore_request


def _loaded(request: HttpRequest, pk: int) -> Loaded:
    try:
        return load_for(pk, _user(request))
    except refusals.TableNotFound:
        raise Http404 from None


def _page(request: HttpRequest, pk: int) -> TablePage:
    return selectors.page_of(_loaded(request, pk), _user(request), chosen=chosen_of(request))


def _speaker(request: HttpRequest, page: TablePage) -> Speaker:
    return Speaker(page.entry.key, _lang(request), page.names, page.my_seat)


def _reel(request: HttpRequest, loaded: Loaded, page: TablePage) -> dict[str, Any] | None:
    """Return the steps since the version that the reader's page shows, if its script asks for them."""
    shown = request.headers.get("X-Reel", "")
    if not shown.isdecimal() or len(shown) > 9 or page.status != "playing":
        return None
    return reel_of(loaded, page, _speaker(request, page), since=int(shown), have=request.headers.get("X-Have", ""))


def _answer(request: HttpRequest, loaded: Loaded, page: TablePage, **parts: Any) -> HttpResponse:
    """Return the page, or only the region for HTMX."""
    if _is_region(request):
        return _region(request, loaded, page, **parts)
    context = _context(request, loaded, page, **parts) | {"symbols": sprite_symbols(page.entry)}
    if _user(request) is None:  # other sites that look at a link aren't signed in; a player's page stays small
        context.setdefault("head", running_head(page, _lang(request)))
    context["offers_lesson"] = may_want_to_learn(page, _user(request))
    return _finish(render(request, TEMPLATE, context, status=parts.get("status", 200)), page)


def _region(request: HttpRequest, loaded: Loaded, page: TablePage, **parts: Any) -> HttpResponse:
    context = _context(request, loaded, page, have=request.headers.get("X-Have", ""), is_away="X-Away" in request.headers, **parts)
    return _finish(render(request, f"{TEMPLATE}#region", context, status=parts.get("status", 200)), page)


def _context(request: HttpRequest, loaded: Loaded, page: TablePage, **parts: Any) -> dict[str, Any]:
    has_forms = page.my_seat is not None or page.may.join or page.may.come_back
    token = get_token(request) if has_forms and page.status in ("open", "playing") else ""
    parts.pop("status", None)
    result = None
    if page.outcome is not None:
        result = result_context(page, _speaker(request, page), replay_of(loaded, page))
        if page.my_seat is not None:
            result["again_token"] = get_token(request)
    return table_context(page, _user(request), _lang(request), token=token, result=result, **parts)


def _finish(response: HttpResponse, page: TablePage) -> HttpResponse:
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "HX-Request, Cookie, Accept-Language"
    response["X-Table-Version"] = str(page.version)
    response["X-Site"] = site_stamp()
    return response


def _do(request: HttpRequest, pk: int, call: Callable[[User | None], Loaded], *, chosen: str = "") -> HttpResponse:
    """Run a service for a POST and answer with the table as it is then; a GET of such an address leads to the table."""
    url = reverse("table", args=[pk])
    if request.method != "POST":
        return HttpResponseRedirect(url)
    user = _user(request)
    try:
        loaded = call(user)
    except refusals.TableNotFound:
        raise Http404 from None
    except refusals.TableRefusal as error:
        return _failed(request, pk, error, chosen)
    if not may_see(loaded, user):
        return _away(request, loaded, user)
    if loaded.table.lesson and loaded.table.status == "abandoned":
        return _gone(request, reverse("learn", args=[loaded.table.game]))
    if not _is_region(request):
        return HttpResponseRedirect(url, status=303)
    page = selectors.page_of(loaded, user)
    response = _region(request, loaded, page, reel=_reel(request, loaded, page))
    response["HX-Replace-Url"] = url
    return response


def _away(request: HttpRequest, loaded: Loaded, user: User | None) -> HttpResponse:
    """Redirect someone who left a table that only its players may see to the other tables of its set, or to the lobby."""
    circle = circle_of(loaded, user)
    url = reverse("lobby")
    if circle is not None and circle.set_id is not None and (circle.role is not None or not circle.is_private):
        url = reverse("club-duplicate", args=[circle.slug, circle.set_id])
    return _gone(request, url)


def _gone(request: HttpRequest, url: str) -> HttpResponse:
    """Lead somebody who left a table to another page."""
    if not _is_region(request):
        return HttpResponseRedirect(url, status=303)
    response = HttpResponse(status=204)
    response["HX-Redirect"] = url
    return response


def _failed(request: HttpRequest, pk: int, error: refusals.TableRefusal, chosen: str) -> HttpResponse:
    """Return the region as it is now with the reason; a refused choice stays and its paragraph is opened."""
    loaded = _loaded(request, pk)
    page = selectors.page_of(loaded, _user(request), chosen=chosen if isinstance(error, refusals.Refused) else "")
    speaker = _speaker(request, page)
    rule = None
    notice: dict[str, Any] = {"kind": "bad", "text": speaker.say(error.cause) if error.cause is not None else str(error), "rule": None}
    if error.rule is not None:
        notice["rule"] = speaker.rule(error.rule)
        rule = opened_rule(error.rule, _lang(request))
    elif isinstance(error, refusals.StaleTable):
        notice["kind"] = "warn"
    elif isinstance(error, refusals.NotThisStep):
        notice = wait_for(page, speaker) or notice
    response = _answer(request, loaded, page, notice=notice, rule=rule, status=error.status)
    if error.retry_after_s is not None:
        response["Retry-After"] = str(error.retry_after_s)
    response["HX-Replace-Url"] = reverse("table", args=[pk])
    return response
