"""Pages of leagues: the form, the draw, the league itself, and what officers change."""

from __future__ import annotations

import secrets
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.clubs.forms import carried_out
from portal.clubs.pages import club_context, done, limited, of_club
from portal.clubs.permissions import Verb, require
from portal.clubs.selectors import ClubPage
from portal.common.refusals import BadValue
from portal.contests import leagues as services
from portal.contests import season_selectors as selectors
from portal.contests.league_draw import Draw, forms_of
from portal.contests.pairings import MOST_ENTRANTS, resting
from portal.contests.refusals import NoSuchEntrant, SeasonOverForLeagues
from portal.contests.season_forms import DeadlineForm, LeagueForm, ReasonForm, form_words, league_words
from portal.contests.season_selectors import LeagueView, PairingRow, SeasonRow
from portal.tables.lobby_views import TABLES_PER_HOUR

CHANGES_PER_HOUR = 240
LEAGUES_PER_HOUR = 30
FAIR_SHOWN = 8
PAIRINGS_SHOWN = 60


def new_seed() -> str:
    """Return a seed for a draw."""
    return secrets.token_hex(4)


@require_safe
@of_club
def league_new(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """The form of a new league, filled in with the usual values, or from its address."""
    require(Verb.SEASONS, page.club, page.user)
    row = selectors.season_of(page.club, pk)
    form = LeagueForm(request.GET, club=page.club, season=row.season, seed=new_seed())
    return _form_page(request, page, row, form)


@require_http_methods(["GET", "HEAD", "POST"])
@limited("league", limit=LEAGUES_PER_HOUR)
@of_club
def league_draw(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """The draw of a league before it starts: the same address shows the same draw and changes nothing. A POST starts it."""
    require(Verb.SEASONS, page.club, page.user)
    row = selectors.season_of(page.club, pk)
    data = request.POST if request.method == "POST" else request.GET
    if "form" not in data:
        return redirect("league-new", page.club.slug, pk)
    form = LeagueForm(data, club=page.club, season=row.season, seed=new_seed())
    try:
        if request.method == "POST":
            made = services.start_league(club=page.club, actor=page.user, season_id=pk, wish=form.wish())
            return done(request, "league", page.club.slug, made.pk, said=_("The league has started."))
        drawn = services.draw(club=page.club, actor=page.user, season_id=pk, wish=form.wish())
    except BadValue as error:
        form.faults[error.field] = str(error)
        return _form_page(request, page, row, form, status=422)
    return render(request, "clubs/seasons/draw.html", _draw_context(page, row, form, drawn))


def _form_page(request: HttpRequest, page: ClubPage, row: SeasonRow, form: LeagueForm, *, status: int = 200) -> HttpResponse:
    if row.state in ("over", "frozen"):
        raise SeasonOverForLeagues
    context = club_context(
        page,
        "seasons",
        row=row,
        form=form,
        forms=[(key, form_words(key, seats), key == form.typed["form"]) for key, seats in forms_of(form.entry.key)],
        most=MOST_ENTRANTS,
    )
    return render(request, "clubs/seasons/league_new.html", context, status=status)


def _draw_context(page: ClubPage, row: SeasonRow, form: LeagueForm, drawn: Draw) -> dict[str, Any]:
    here = reverse("league-draw", args=[page.club.slug, row.season.pk])

    def address(**changes: str) -> str:
        return f"{here}?{urlencode([pair for pair in form.hidden if pair[0] not in changes] + list(changes.items()))}"

    rounds = [
        (
            number,
            deadline,
            [[drawn.entrants[entrant] for entrant in table] for table in tables],
            [drawn.entrants[entrant].name for entrant in resting(tables, len(drawn.entrants))],
        )
        for number, (tables, deadline) in enumerate(zip(drawn.rounds, drawn.deadlines, strict=True), start=1)
    ]
    chosen = len(drawn.rounds)
    near = drawn.fair.index(chosen)
    shown = drawn.fair[max(0, near - 3) : max(0, near - 3) + FAIR_SHOWN]
    return club_context(
        page,
        "seasons",
        row=row,
        form=form,
        drawn=drawn,
        entry=form.entry,
        words=form_words(form.typed["form"], drawn.seats),
        rounds=rounds,
        games=sum(len(tables) for tables in drawn.rounds),
        fair=[(number, address(rounds=str(number)), number == chosen) for number in shown] if len(drawn.fair) > 1 else [],
        again_url=address(seed=new_seed()),
        change_url=f"{reverse('league-new', args=[page.club.slug, row.season.pk])}?{urlencode(form.hidden)}",
        post_url=here,
    )


@require_safe
@of_club
def league(request: HttpRequest, page: ClubPage, pk: int) -> HttpResponse:
    """A league: its table, the reader's games, its rounds and meetings. A large one shows only current rounds and the one asked for."""
    view = selectors.league_of(page.club, pk, page.user)
    asked = request.GET.get("round", "")
    if asked and asked not in [str(one.number) for one in view.rounds]:
        raise Http404
    is_small = sum(len(one.pairings) for one in view.rounds) <= PAIRINGS_SHOWN
    rounds = [(one, is_small or one.is_now or asked == str(one.number), asked == str(one.number)) for one in view.rounds]
    return render(request, "clubs/seasons/league.html", _league_context(page, view, rounds=rounds))


def _league_context(page: ClubPage, view: LeagueView, **more: Any) -> dict[str, Any]:
    return club_context(
        page, "seasons", view=view, league=view.league, season=view.season, words=league_words(view.league),
        changes=Verb.SEASONS in page.may and view.is_running,
        next_id=next((row.pairing.pk for row in view.mine if row.can_play), None), **more,
    )  # fmt: skip


@require_POST
@limited("table", limit=TABLES_PER_HOUR)
@of_club
def play(request: HttpRequest, page: ClubPage, pk: int, pairing: int) -> HttpResponse:
    """Open the table of the reader's pairing and go there."""
    table_id = services.play(club=page.club, user=page.user, league_id=pk, pairing_id=pairing)
    return done(request, "table", table_id)


@require_safe
@of_club
def pairing(request: HttpRequest, page: ClubPage, pk: int, pairing: int) -> HttpResponse:
    """What an officer may change in a pairing."""
    require(Verb.SEASONS, page.club, page.user)
    view = selectors.league_of(page.club, pk, page.user)
    row = selectors.pairing_in(view, pairing)
    return _pairing_page(request, page, view, row)


def _pairing_page(
    request: HttpRequest,
    page: ClubPage,
    view: LeagueView,
    row: PairingRow,
    *,
    deadline_form: DeadlineForm | None = None,
    void_form: ReasonForm | None = None,
    status: int = 200,
) -> HttpResponse:
    initial = {"deadline": timezone.localtime(row.pairing.deadline).date()}
    context = _league_context(
        page,
        view,
        row=row,
        deadline_form=deadline_form or DeadlineForm(season=view.season, initial=initial),
        void_form=void_form or ReasonForm(auto_id="void_%s"),
    )
    return render(request, "clubs/seasons/pairing.html", context, status=status)


@require_POST
@limited("league-change", limit=CHANGES_PER_HOUR)
@of_club
def deadline(request: HttpRequest, page: ClubPage, pk: int, pairing: int) -> HttpResponse:
    """Move the deadline of a pairing."""
    require(Verb.SEASONS, page.club, page.user)
    view = selectors.league_of(page.club, pk, page.user)
    form = DeadlineForm(request.POST, season=view.season)
    status = carried_out(form, partial(services.move_deadline, club=page.club, actor=page.user, league_id=pk, pairing_id=pairing))
    if status:
        return _pairing_page(request, page, view, selectors.pairing_in(view, pairing), deadline_form=form, status=status)
    return done(request, "league", page.club.slug, pk, said=_("The deadline has been moved."), anchor=f"pairing-{pairing}")


@require_POST
@limited("league-change", limit=CHANGES_PER_HOUR)
@of_club
def void(request: HttpRequest, page: ClubPage, pk: int, pairing: int) -> HttpResponse:
    """Declare a pairing void."""
    require(Verb.SEASONS, page.club, page.user)
    form = ReasonForm(request.POST, auto_id="void_%s")
    status = carried_out(form, partial(services.void_pairing, club=page.club, actor=page.user, league_id=pk, pairing_id=pairing))
    if status:
        view = selectors.league_of(page.club, pk, page.user)
        return _pairing_page(request, page, view, selectors.pairing_in(view, pairing), void_form=form, status=status)
    return done(request, "league", page.club.slug, pk, said=_("The pairing is void."), anchor=f"pairing-{pairing}")


@require_http_methods(["GET", "HEAD", "POST"])
@limited("league-change", limit=CHANGES_PER_HOUR)
@of_club
def entrant(request: HttpRequest, page: ClubPage, pk: int, entrant: int) -> HttpResponse:
    """Take an entrant out of a league."""
    require(Verb.SEASONS, page.club, page.user)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = carried_out(form, partial(services.withdraw, club=page.club, actor=page.user, league_id=pk, entrant_id=entrant))
        if not status:
            return done(request, "league", page.club.slug, pk, said=_("The entrant has been withdrawn."))
    view = selectors.league_of(page.club, pk, page.user)
    found = next((one for one in view.entrants if one.pk == entrant), None)
    if found is None:
        raise NoSuchEntrant
    return render(request, "clubs/seasons/entrant.html", _league_context(page, view, form=form, entrant=found), status=status)
