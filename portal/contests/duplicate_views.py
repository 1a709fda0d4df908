"""Pages of duplicate sets: the list, a new one, and one set with its tables and, after the reveal, the comparison."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.registry import GAMES
from portal.clubs.models import DuplicateSet
from portal.clubs.pages import club_context, done, limited, of_club, page_number
from portal.clubs.permissions import Verb, require
from portal.clubs.selectors import ClubPage
from portal.common.refusals import BadValue, Refusal, WrongMoment
from portal.contests import duplicate_selectors, duplicates
from portal.contests.duplicate_forms import SetForm
from portal.tables.lobby_views import JOINS_PER_HOUR

SETS_PER_HOUR = 10


@require_safe
@of_club
def sets(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """The sets of a club, newest first."""
    number = page_number(request)
    rows, has_next = duplicate_selectors.sets_of(page.club, page=number)
    if not rows and number > 1:
        raise Http404
    paging = {
        "number": number,
        "previous_url": f"?page={number - 1}" if number > 1 else "",
        "next_url": f"?page={number + 1}" if has_next else "",
    }
    return render(request, "clubs/duplicates/list.html", club_context(page, "duplicates", sets=rows, **paging))


@require_http_methods(["GET", "HEAD", "POST"])
@limited("duplicate-set", limit=SETS_PER_HOUR)
@of_club
def set_new(request: HttpRequest, page: ClubPage) -> HttpResponse:
    """Open a set: game, seats, bots, options and the number of tables."""
    require(Verb.DUPLICATES, page.club, page.user)
    posted = request.POST if request.method == "POST" else None
    source = posted if posted is not None else request.GET
    key = source.get("game") or next(iter(GAMES))
    if key not in GAMES:
        raise Http404
    form = SetForm(posted, entry=GAMES[key])
    refusal: BadValue | None = None
    if form.is_bound:
        try:
            made = duplicates.create_set(club=page.club, actor=page.user, **form.settings())
        except BadValue as found:
            refusal = found
        else:
            return done(
                request, "club-duplicate", page.club.slug, made.pk, said=_("The tables are open. Members can now take their seats.")
            )
    shown = form.shown()
    context = club_context(
        page,
        "duplicates",
        form=shown,
        fields=shown["fields"],
        game=GAMES[key],
        games=list(GAMES.values()),
        meta=GAMES[key].game.meta,
        numbers=range(duplicates.FEWEST_TABLES, duplicates.MOST_TABLES + 1),
        error=str(refusal) if refusal is not None else "",
        wrong=refusal.field if refusal is not None else "",
    )
    return render(request, "clubs/duplicates/new.html", context, status=refusal.status if refusal is not None else 200)


@require_safe
@of_club
def duplicate(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """One set: its tables, who sits there, and, when all are over, each seat side by side."""
    return _set_page(request, page, duplicate_selectors.set_of(page.club, pk))


@require_http_methods(["GET", "HEAD", "POST"])
@limited("join", limit=JOINS_PER_HOUR)
@of_club
def sit(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Take a seat at one of the tables and go there."""
    found = duplicate_selectors.set_of(page.club, pk)
    if request.method != "POST":
        return redirect("club-duplicate", page.club.slug, pk)
    try:
        loaded = duplicates.take_seat(duplicate=found, table_id=_number(request, "table"), user=page.user, seat=_number(request, "seat"))
    except (BadValue, WrongMoment) as error:
        return _set_page(request, page, found, error)
    return done(request, "table", loaded.table.pk)


@require_POST
@of_club
def start(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Start a table with bots in the free seats."""
    found = duplicate_selectors.set_of(page.club, pk)
    try:
        duplicates.start_table(duplicate=found, table_id=_number(request, "table"), actor=page.user)
    except WrongMoment as error:
        return _set_page(request, page, found, error)
    return done(request, "club-duplicate", page.club.slug, pk, said=_("The table has started."))


@require_POST
@of_club
def close(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """Close the tables that have not started."""
    found = duplicate_selectors.set_of(page.club, pk)
    try:
        duplicates.close_open_tables(duplicate=found, actor=page.user)
    except WrongMoment as error:
        return _set_page(request, page, found, error)
    return done(request, "club-duplicate", page.club.slug, pk, said=_("The open tables have been closed."))


@require_POST
@of_club
def end(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """End the set with all its tables."""
    found = duplicate_selectors.set_of(page.club, pk)
    try:
        duplicates.end_set(duplicate=found, actor=page.user)
    except WrongMoment as error:
        return _set_page(request, page, found, error)
    return done(request, "club-duplicate", page.club.slug, pk, said=_("This set is over."))


def _set_page(request: HttpRequest, page: ClubPage, found: DuplicateSet, error: Refusal | None = None) -> HttpResponse:
    shown = duplicate_selectors.set_page(found, page.user)
    context = club_context(
        page,
        "duplicates",
        set=shown,
        may_sit=Verb.SIT_DOWN in page.may and not shown.has_sat,
        runs=Verb.DUPLICATES in page.may,
        error=str(error) if error is not None else "",
    )
    return render(request, "clubs/duplicates/set.html", context, status=error.status if error is not None else 200)


def _number(request: HttpRequest, key: str) -> int:
    """Return a number of the form, or -1 if it is not one."""
    raw = request.POST.get(key, "")
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= 18 else -1
