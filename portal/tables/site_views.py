"""Front page, lobby and "new table": the ways to a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.core.contract import OptionSpec
from games.registry import GAMES, Entry
from portal.accounts import services as accounts
from portal.accounts.models import User
from portal.clubs.errors import ClubError
from portal.clubs.models import Club
from portal.common import errors
from portal.common.limits import allow, client_address
from portal.ratings.models import Pool
from portal.ratings.selectors import leaderboard
from portal.tables import selectors, services
from portal.tables.errors import MembersOnly, TableError
from portal.tables.lists import finished_rows, table_rows
from portal.tables.models import Table
from portal.tables.seating import MAX_WORD_CHARS

QUICK_LEVEL = "scribe"
HOME_ROWS = 5
LOBBY_ROWS = 30
MINE_ROWS = 50
TABLES_PER_HOUR = 30
JOINS_PER_HOUR = 60
TOP = 3

TOO_MANY_GUESTS = gettext_noop("Too many guests came from your address in this hour. Sign up or sign in, or come back later.")
TOO_MANY_TABLES = gettext_noop("You have opened very many tables in this hour. Play some of them first.")


def viewer_of(request: HttpRequest) -> User | None:
    """Return the person of the session, or None for a visitor."""
    return request.user if isinstance(request.user, User) else None


def person_of(request: HttpRequest) -> User:
    """Return the person of the session; a visitor becomes a guest. Raises TooManyGuests."""
    user = viewer_of(request)
    if user is None:
        user = accounts.create_guest(address=client_address(request), language=translation.get_language() or "")
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        request.session.set_expiry(settings.SESSION_COOKIE_AGE)
    return user


def default_seats(entry: Entry) -> int:
    """Return the seat count that is offered first: four, or the nearest below."""
    counts = entry.game.meta.seats
    return max((count for count in counts if count <= 4), default=counts[0])


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The front page: play at once, go on playing, read, see what ended lately."""
    user = viewer_of(request)
    mine = table_rows(selectors.my_tables(user)[:MINE_ROWS], user) if user is not None else []
    plates = [(entry, entry.game.meta, default_seats(entry) - 1) for entry in GAMES.values()]
    first_game = next(iter(GAMES.values()))
    return render(
        request,
        "tables/home.html",
        {
            "plates": plates,
            "quick_level": QUICK_LEVEL,
            "mine": mine[:HOME_ROWS],
            "more_mine": len(mine) > HOME_ROWS,
            "due": [row for row in mine if row.is_due],
            "open": table_rows(_joinable(user)[:HOME_ROWS], user),
            "finished": finished_rows(selectors.recent_finished(viewer=user)[:HOME_ROWS], user),
            "top_game": first_game,
            "top": leaderboard(pool=Pool.PEOPLE, game=first_game.key).lines[:TOP],
        },
    )


def _joinable(user: User | None) -> QuerySet[Table]:
    """Return the open tables of others."""
    tables = selectors.open_tables(user)
    return tables.exclude(seats__user=user) if user is not None else tables


@require_POST
def play_now(request: HttpRequest, game: str) -> HttpResponse:
    """Open a table against bots and go there; a visitor becomes a guest on the way."""
    if game not in GAMES:
        raise Http404
    try:
        user = person_of(request)
    except accounts.TooManyGuests:
        return errors.too_many(request, _(TOO_MANY_GUESTS))
    if not allow("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600):
        return errors.too_many(request, _(TOO_MANY_TABLES))
    seats = default_seats(GAMES[game])
    loaded = services.create_table(owner=user, game_key=game, seats=seats, bots=[QUICK_LEVEL] * (seats - 1))
    return redirect("table", loaded.table.pk)


@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    """Open tables, one's own tables, and the way to a new one."""
    user = viewer_of(request)
    raw = request.GET.get("page", "1")
    if not (raw.isascii() and raw.isdigit() and len(raw) <= 6 and int(raw) >= 1):
        raise Http404
    page = int(raw)
    first = (page - 1) * LOBBY_ROWS
    found = table_rows(_joinable(user)[first : first + LOBBY_ROWS + 1], user)
    if not found and page > 1:
        raise Http404
    mine = table_rows(selectors.my_tables(user)[:MINE_ROWS], user) if user is not None else []
    return render(
        request,
        "tables/lobby.html",
        {"section": "play", "open": found[:LOBBY_ROWS], "mine": mine, "page": page, "has_next": len(found) > LOBBY_ROWS},
    )


@require_POST
def lobby_join(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a seat at an open table; a visitor becomes a guest on the way."""
    try:
        user = person_of(request)
    except accounts.TooManyGuests:
        return errors.too_many(request, _(TOO_MANY_GUESTS))
    if not allow("join", str(user.pk), limit=JOINS_PER_HOUR, window_s=3600):
        return errors.too_many(request, _("You have joined very many tables in this hour. Play some of them first."))
    try:
        services.join_table(table_id=pk, user=user)
    except MembersOnly:
        messages.error(request, _("This table belongs to a club; only members of the club sit down there."))
        return redirect("lobby")
    except TableError as error:
        if error.status == 404:
            return errors.page_not_found(request, error)
        messages.error(request, _("This table has no free seat any more."))
        return redirect("lobby")
    return redirect("table", pk)


@dataclass(slots=True)
class OptionField:
    """An option of the game with the value that the form shows."""

    spec: OptionSpec
    value: Any

    @property
    def is_switch(self) -> bool:
        return isinstance(self.spec.default, bool)

    @property
    def choices(self) -> list[tuple[str, bool]]:
        return [(str(choice), choice == self.value) for choice in self.spec.choices]

    def read(self, posted: Any) -> Any:
        """Return the chosen value. Raises ValueError when it is none of the choices."""
        if self.is_switch:
            return posted == "on"
        for choice in self.spec.choices:
            if str(choice) == posted:
                return choice
        raise ValueError(self.spec.key)


def clubs_of(user: User | None) -> list[Club]:
    """Return the clubs in which somebody may open a table, by name."""
    if user is None:
        return []
    return list(Club.objects.filter(memberships__user=user, closed_at=None).only("slug", "name").order_by("name"))


def _chosen_game(key: str) -> Entry:
    if key not in GAMES:
        raise Http404
    return GAMES[key]


@require_http_methods(["GET", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    """Open a table: game, seats, bots, options, a word for the sealed draw."""
    posted = request.POST if request.method == "POST" else None
    source = posted if posted is not None else request.GET
    entry = _chosen_game(source.get("game") or next(iter(GAMES)))
    meta = entry.game.meta
    fields = [OptionField(spec, spec.default) for spec in meta.options]
    seats = default_seats(entry)
    others = ["open"] * (meta.seats[-1] - 1)
    word, error, status = "", "", 200
    clubs = clubs_of(viewer_of(request))
    club_slug, unrated = source.get("club", ""), False
    club = next((club for club in clubs if club.slug == club_slug), None)
    if posted is not None:
        try:
            seats = int(posted.get("seats", "")[:3])
            if seats not in meta.seats:
                raise ValueError("seats")
            others = [posted.get(f"seat-{index}", "open") for index in range(1, meta.seats[-1])]
            for field in fields:
                field.value = field.read(posted.get(f"option-{field.spec.key}"))
            word, unrated = posted.get("word", ""), posted.get("unrated") == "on"
            if club_slug and club is None:
                raise ValueError("club")
            wanted = others[: seats - 1]
            if posted.get("fill") == "bots":
                wanted = [QUICK_LEVEL if level == "open" else level for level in wanted]
            answer = _open_table(
                request,
                entry,
                seats=seats,
                options={field.spec.key: field.value for field in fields},
                bots=[level for level in wanted if level != "open"],
                word=word,
                club=club,
                is_rated=not unrated,
            )
            if answer is not None:
                return answer
            error = _("This table cannot be opened so. Look at seats, bots and the word once more.")
        except ValueError:
            error = _("This table cannot be opened so. Look at seats, bots and the word once more.")
            seats = seats if seats in meta.seats else default_seats(entry)
        status = 422
    return render(
        request,
        "tables/new.html",
        {
            "section": "play",
            "game": entry,
            "games": list(GAMES.values()),
            "meta": meta,
            "seats": seats,
            "others": list(enumerate(others, start=1)),
            "levels": meta.bot_levels,
            "fields": fields,
            "clubs": clubs,
            "club": club,
            "unrated": unrated,
            "word": word[:MAX_WORD_CHARS],
            "word_length": MAX_WORD_CHARS,
            "error": error,
        },
        status=status,
    )


def _open_table(request: HttpRequest, entry: Entry, **settings: Any) -> HttpResponse | None:
    """Open the table and go there; None when the settings do not fit together."""
    try:
        user = person_of(request)
    except accounts.TooManyGuests:
        return errors.too_many(request, _(TOO_MANY_GUESTS))
    if not allow("table", str(user.pk), limit=TABLES_PER_HOUR, window_s=3600):
        return errors.too_many(request, _(TOO_MANY_TABLES))
    try:
        loaded = services.create_table(owner=user, game_key=entry.key, **settings)
    except (TableError, ClubError):
        return None
    return redirect("table", loaded.table.pk)


@cache_control(max_age=86400, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    """Let search engines read rules and lists, and keep them from forms and from tables in play."""
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in ("/accounts/", "/settings/", "/tables/", "/api/", "/admin/", "/events/")),
        "",
    ]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
