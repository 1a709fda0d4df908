"""The lobby and "new table"."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.registry import GAMES, Entry
from portal.accounts import services as accounts
from portal.accounts.models import User
from portal.accounts.names import MAX_NAME_CHARS
from portal.accounts.refusals import TooManyGuests
from portal.clubs.models import Club
from portal.common import errors
from portal.common.limits import client_address, count_use
from portal.common.refusals import Refusal
from portal.tables import inviting, selectors, services
from portal.tables.access import told_to
from portal.tables.forms import FREE_SEATS, LINK, QUICK_LEVEL, LobbyForm, TableForm, default_seats
from portal.tables.invited import waiting_for
from portal.tables.lists import table_rows
from portal.tables.models import Table
from portal.tables.pace import Kind
from portal.tables.refusals import BadSetting, TableRefusal, TooManyInvitations, TooManyJoins, TooManyTables
from portal.tables.seating import MAX_WORD_CHARS

LOBBY_ROWS = 30
MINE_ROWS = 50
TABLES_PER_HOUR = 30
JOINS_PER_HOUR = 60


def viewer_of(request: HttpRequest) -> User | None:
    """Return the person of the session, or None for a visitor."""
    return request.user if isinstance(request.user, User) else None


def person_of(request: HttpRequest) -> User:
    """Return the person of the session; a visitor becomes a guest. Raises TooManyGuests."""
    user = viewer_of(request)
    if user is None:
        user = _new_guest(request)
        _sign_in(request, user)
    return user


@contextmanager
def arriving(request: HttpRequest) -> Iterator[User]:
    """Give the person of the session. A visitor becomes a guest, unless what is done inside is refused: then they stay a visitor.

    So a refusal must leave the block before it is caught. Raises TooManyGuests.
    """
    user = viewer_of(request)
    if user is not None:
        yield user
        return
    with transaction.atomic():
        user = _new_guest(request)
        yield user
    _sign_in(request, user)


def _new_guest(request: HttpRequest) -> User:
    return accounts.create_guest(address=client_address(request), language=translation.get_language() or "")


def _sign_in(request: HttpRequest, guest: User) -> None:
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    request.session.set_expiry(settings.SESSION_COOKIE_AGE)


def joinable(user: User | None) -> QuerySet[Table]:
    """Return the open tables of others."""
    tables = selectors.open_tables(user)
    return tables.exclude(seats__user=user) if user is not None else tables


@require_POST
def play_now(request: HttpRequest, game: str) -> HttpResponse:
    """Open a table against bots and go there; a visitor becomes a guest on the way."""
    if game not in GAMES:
        raise Http404
    user = person_of(request)
    count_use("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600, refusal=TooManyTables)
    seats = default_seats(GAMES[game])
    loaded = services.create_table(owner=user, game_key=game, seats=seats, bots=[QUICK_LEVEL] * (seats - 1))
    return redirect("table", loaded.table.pk)


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Open tables, the reader's tables, and the way to a new one."""
    user = viewer_of(request)
    found = _open_tables(request, user)
    mine = table_rows(selectors.my_tables(user)[:MINE_ROWS], user) if user is not None else []
    return render(
        request,
        "tables/lobby.html",
        found
        | {
            "section": "play",
            "mine": mine,
            "due": [row for row in mine if row.is_due],
            "invitations": waiting_for(user),
            "games": list(GAMES.values()),
            "free_seats": [str(n) for n in FREE_SEATS],
            "paces": Kind.choices,
            "languages": settings.LANGUAGES,
        },
    )


@never_cache
@require_safe
def open_tables(request: HttpRequest) -> HttpResponse:
    """The list of open tables alone, for a lobby that is open: it asks again every few seconds."""
    return render(request, "tables/_open.html", _open_tables(request, viewer_of(request)))


def _open_tables(request: HttpRequest, user: User | None) -> dict[str, Any]:
    """Return what the list of open tables shows. Raises Http404 for a page that is not there."""
    raw = request.GET.get("page", "1")
    if not (raw.isascii() and raw.isdigit() and len(raw) <= 6 and int(raw) >= 1):
        raise Http404
    page = int(raw)
    first = (page - 1) * LOBBY_ROWS
    form = LobbyForm(request.GET)
    found = table_rows(form.chosen(joinable(user), user)[first : first + LOBBY_ROWS + 1], user)
    if not found and page > 1:
        raise Http404
    return {
        "open": found[:LOBBY_ROWS],
        "form": form,
        "query": request.GET.urlencode(),
        "kept_query": _kept_query(request),
        "page": page,
        "has_next": len(found) > LOBBY_ROWS,
    }


def _kept_query(request: HttpRequest) -> str:
    """Return what the list is filtered by, for the addresses of its other pages."""
    query = request.GET.copy()
    query.pop("page", None)
    return f"&{query.urlencode()}" if query else ""


@require_POST
def lobby_join(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a seat at an open table; a visitor becomes a guest on the way."""
    try:
        with arriving(request) as user:
            count_use("join", str(user.pk), limit=JOINS_PER_HOUR, window_s=3600, refusal=TooManyJoins)
            services.join_table(table_id=pk, user=user)
    except TableRefusal as refusal:
        error = told_to(viewer_of(request), pk, refusal)
        if error.status == 404:
            return errors.page_not_found(request, error)
        messages.error(request, str(error))
        return redirect("lobby")
    return redirect("table", pk)


def clubs_of(user: User | None) -> list[Club]:
    """Return the clubs where somebody may open a table, by name."""
    if user is None:
        return []
    return list(Club.objects.filter(memberships__user=user, closed_at=None).only("slug", "name").order_by("name"))


def _chosen_game(key: str) -> Entry:
    if key not in GAMES:
        raise Http404
    return GAMES[key]


@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    """Open a table: game, seats, bots, options, with whom, a word for the sealed draw. The defaults are what the person chose last."""
    posted = request.POST if request.method == "POST" else None
    source = posted if posted is not None else request.GET
    user = viewer_of(request)
    invite = source.get("invite", "").strip()[:MAX_NAME_CHARS]
    before = selectors.last_opened(user, source.get("game", "")) if posted is None else None
    entry = _chosen_game(source.get("game") or (before.game if before is not None else next(iter(GAMES))))
    friends = source.get("who") == LINK
    form = TableForm(
        posted, entry=entry, clubs=clubs_of(user), club=request.GET.get("club", ""), before=before, invite=invite, friends=friends
    )
    error = ""
    if form.is_bound:
        answer = _open_table(request, entry, form) if form.is_valid() else BadSetting()
        if isinstance(answer, HttpResponse):
            return answer
        error = str(answer)
    context = {
        "section": "play",
        "game": entry,
        "games": list(GAMES.values()),
        "meta": entry.game.meta,
        "word_length": MAX_WORD_CHARS,
        "time_zone": timezone.get_current_timezone_name(),
        "error": error,
        "invite": invite,
        "friends": friends,
        **form.shown(),
    }
    return render(request, "tables/new.html", context, status=422 if form.is_bound else 200)


def _open_table(request: HttpRequest, entry: Entry, form: TableForm) -> HttpResponse | Refusal:
    """Open the table and go there, or say why the settings don't fit together."""
    try:
        with arriving(request) as user, transaction.atomic():
            count_use("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600, refusal=TooManyTables)
            loaded = services.create_table(owner=user, game_key=entry.key, **form.settings())
            for who in form.invited():
                inviting.invite_somebody(table_id=loaded.table.pk, user=user, who=who)
    except (TooManyInvitations, TooManyTables, TooManyGuests):
        raise
    except Refusal as refusal:
        return refusal
    return redirect("table", loaded.table.pk)
