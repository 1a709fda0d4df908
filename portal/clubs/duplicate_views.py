"""Pages of duplicate sets: the list, a new one, and one set with its tables and, after the reveal, the comparison."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.registry import GAMES
from portal.clubs import duplicate_selectors, duplicates
from portal.clubs.errors import BadValue, ClubError, WrongMoment
from portal.clubs.models import DuplicateSet
from portal.clubs.pages import club_context, done, limited, of_club, page_number
from portal.clubs.permissions import Verb, require
from portal.clubs.selectors import ClubPage
from portal.tables.site_views import JOINS_PER_HOUR, OptionField, default_seats

SETS_PER_HOUR = 10
TYPICAL_TABLES = 2


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
    """Open a set: game, seats, bots, options and how many tables."""
    require(Verb.DUPLICATES, page.club, page.user)
    posted = request.POST if request.method == "POST" else None
    source = posted if posted is not None else request.GET
    key = source.get("game") or next(iter(GAMES))
    if key not in GAMES:
        raise Http404
    meta = GAMES[key].game.meta
    fields = [OptionField(spec, spec.default) for spec in meta.options]
    form: dict[str, Any] = {
        "name": "",
        "seats": default_seats(GAMES[key]),
        "n_tables": TYPICAL_TABLES,
        "levels": [""] * meta.seats[-1],
        "unrated": False,
    }
    error, wrong, status = "", "", 200
    if posted is not None:
        try:
            _read(form, fields, posted)
            made = duplicates.create_set(
                club=page.club,
                actor=page.user,
                name=form["name"],
                game=key,
                seats=form["seats"],
                n_tables=form["n_tables"],
                bots=form["levels"][: form["seats"]],
                options={field.spec.key: field.value for field in fields},
                is_rated=not form["unrated"],
            )
        except BadValue as refusal:
            error, wrong, status = str(refusal), refusal.field, refusal.status
        except ValueError:
            error, status = _("These tables cannot be opened so. Look at seats, bots and options once more."), 422
        else:
            return done(request, "club-duplicate", page.club.slug, made.pk, said=_("The tables are open. Members can sit down."))
    if form["seats"] not in meta.seats:
        form["seats"] = default_seats(GAMES[key])
    context = club_context(
        page,
        "duplicates",
        form=form | {"levels": list(enumerate(form["levels"]))},
        fields=fields,
        game=GAMES[key],
        games=list(GAMES.values()),
        meta=meta,
        numbers=range(duplicates.FEWEST_TABLES, duplicates.MOST_TABLES + 1),
        error=error,
        wrong=wrong,
    )
    return render(request, "clubs/duplicates/new.html", context, status=status)


def _read(form: dict[str, Any], fields: list[OptionField], posted: Any) -> None:
    """Read what was posted into the form. Raises ValueError where it is no number or none of the choices."""
    form["name"] = posted.get("name", "")
    form["unrated"] = posted.get("unrated") == "on"
    form["levels"] = [posted.get(f"seat-{index}", "")[:20] for index in range(len(form["levels"]))]
    form["seats"] = int(posted.get("seats", "")[:3])
    form["n_tables"] = int(posted.get("n_tables", "")[:3])
    for field in fields:
        field.value = field.read(posted.get(f"option-{field.spec.key}"))


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
    """Close the tables that have not begun."""
    found = duplicate_selectors.set_of(page.club, pk)
    try:
        duplicates.close_open_tables(duplicate=found, actor=page.user)
    except WrongMoment as error:
        return _set_page(request, page, found, error)
    return done(request, "club-duplicate", page.club.slug, pk, said=_("The open tables are closed."))


@require_POST
@of_club
def end(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """End the set with all its tables."""
    found = duplicate_selectors.set_of(page.club, pk)
    try:
        duplicates.end_set(duplicate=found, actor=page.user)
    except WrongMoment as error:
        return _set_page(request, page, found, error)
    return done(request, "club-duplicate", page.club.slug, pk, said=_("The set is over."))


def _set_page(request: HttpRequest, page: ClubPage, found: DuplicateSet, error: ClubError | None = None) -> HttpResponse:
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
    """Return a number of the form, -1 where it is none."""
    raw = request.POST.get(key, "")
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= 18 else -1
