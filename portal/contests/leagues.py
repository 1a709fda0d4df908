"""Leagues of a season: how they are drawn, started, played, tended and ended.

Every change to a league locks its row. A void pairing has no result, whatever is played at its table afterwards.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Count, DateTimeField, F, Q, QuerySet, Value
from django.db.models.functions import Least
from django.utils import timezone

from portal.accounts.models import User
from portal.clubs.journal import note
from portal.clubs.models import Club, Membership, Season
from portal.clubs.permissions import Verb, require
from portal.clubs.services import lock
from portal.clubs.texts import clean_line
from portal.common.later import later
from portal.common.refusals import Refusal
from portal.contests import refusals
from portal.contests.league_draw import Draw, Wish, drawn
from portal.contests.league_table import Line, table_of
from portal.contests.models import Entrant, Honour, League, Pairing, PairingSeat
from portal.contests.telling import tell_deadlines, tell_paired, tell_round
from portal.tables import services as tables
from portal.tables.models import Table
from portal.tables.refusals import TableRefusal

log = logging.getLogger(__name__)

MOST_LEAGUES: Final = 12  # of a season
BOT_TABLES: Final = 4  # games of only bots that a club runs at a time, since all clubs share the workers
HONOURED: Final = 3  # places

# Draw and start


def draw(*, club: Club, actor: User | None, season_id: int, wish: Wish) -> Draw:
    """Return the league that a wish would give, drawn with its seed; the same wish gives the same draw. Changes nothing.

    Raises BadValue, WrongMoment.
    """
    require(Verb.SEASONS, club, actor)
    return drawn(_season_for_leagues(Season.objects.all(), club, season_id), wish)


@transaction.atomic
def start_league(*, club: Club, actor: User | None, season_id: int, wish: Wish) -> League:
    """Create the league of a wish with all its pairings. Raises BadValue, WrongMoment."""
    club = lock(club)
    require(Verb.SEASONS, club, actor)
    season = _season_for_leagues(Season.objects.select_for_update(no_key=True), club, season_id)
    draft = drawn(season, wish)
    league = League.objects.create(
        season=season,
        name=draft.name,
        game=draft.game,
        form=draft.form,
        seats=draft.seats,
        options=draft.options,
        rounds=len(draft.rounds),
        days_a_round=wish.days,
    )
    entrants = Entrant.objects.bulk_create(
        Entrant(league=league, number=number, user=one.user, bot_level=one.bot_level, name=one.name)
        for number, one in enumerate(draft.entrants)
    )
    pairings = Pairing.objects.bulk_create(
        Pairing(league=league, round=number, number=at, deadline=deadline)
        for number, (found, deadline) in enumerate(zip(draft.rounds, draft.deadlines, strict=True), start=1)
        for at in range(1, len(found) + 1)
    )
    seated = [table for found in draft.rounds for table in found]
    PairingSeat.objects.bulk_create(
        PairingSeat(pairing=pairing, entrant=entrants[number], seat=seat)
        for pairing, table in zip(pairings, seated, strict=True)
        for seat, number in enumerate(table)
    )
    for pairing in pairings:
        if pairing.round == 1:
            tell_paired(club, league, pairing, _seats(pairing))
    note(club, "league_started", actor, name=league.name, season=season.name)
    later("portal.clubs.tasks.tend_leagues")
    return league


def _season_for_leagues(seasons: QuerySet[Season], club: Club, season_id: int) -> Season:
    season = seasons.filter(club=club, pk=season_id).first()
    if season is None:
        raise refusals.NoSuchSeason
    if season.frozen_at is not None or season.ends_at <= timezone.now():
        raise refusals.SeasonOverForLeagues
    if season.leagues.count() >= MOST_LEAGUES:
        raise refusals.TooManyLeagues(count=MOST_LEAGUES)
    return season


# Playing


@transaction.atomic
def play(*, club: Club, user: User | None, league_id: int, pairing_id: int) -> int:
    """Open the table of a pairing with everybody in their seat, and return its number; an existing one is returned as it is.

    Raises NotAllowed to anyone but its entrants, WrongMoment outside the season and when the pairing is void or late.
    """
    club = lock(club)
    league = _locked(club, league_id)
    pairing = _pairing(league, pairing_id)
    seats = _seats(pairing)
    if user is None or not user.pk or not any(seat.entrant.user_id == user.pk for seat in seats):
        raise refusals.PairedOnly
    if pairing.table_id is not None:
        return pairing.table_id
    require(Verb.OPEN_TABLE, club, user)
    now = timezone.now()
    if pairing.void_at is not None:
        raise refusals.PairingVoid
    if league.ended_at is not None or league.season.ends_at <= now:
        raise refusals.LeagueOver
    if league.season.starts_at > now:
        raise refusals.SeasonNotStarted
    if pairing.deadline <= now:
        raise refusals.DeadlinePassed
    people = [seat.entrant.user_id for seat in seats if not seat.entrant.bot_level]
    if Membership.objects.filter(club=club, user__in=people, user__is_active=True).count() < len(people):
        raise refusals.EntrantLeftClub
    return _open(club, league, pairing, seats)


def _open(club: Club, league: League, pairing: Pairing, seats: Sequence[PairingSeat]) -> int:
    sitters = [seat.entrant.user or tables.Bot(seat.entrant.bot_level, seat.entrant.name) for seat in seats]
    owner = next((sitter for sitter in sitters if isinstance(sitter, User)), None)
    try:
        opened = tables.open_table(game_key=league.game, sitters=sitters, options=league.options, owner=owner, club=club, may_play=True)
    except TableRefusal as error:
        raise refusals.TableNotOpened(why=str(error)) from None
    pairing.table = opened.table
    pairing.save(update_fields=["table"])
    return opened.table.pk


# Officers


def move_with_season(season: Season, moved: timedelta) -> None:
    """Move all deadlines of a season's leagues along with its start, but none beyond its end. The caller has locked club and season."""
    of_season = Pairing.objects.filter(league__season=season, league__ended_at=None)
    of_season.update(deadline=Least(F("deadline") + moved, Value(season.ends_at), output_field=DateTimeField()))


@transaction.atomic
def move_deadline(*, club: Club, actor: User | None, league_id: int, pairing_id: int, deadline: datetime, reason: str = "") -> Pairing:
    """Give a pairing that has not started another deadline within the season; a void one is revived, unless somebody has withdrawn.

    Raises BadValue, WrongMoment.
    """
    club = lock(club)
    require(Verb.SEASONS, club, actor)
    league = _running(club, league_id)
    pairing = _pairing(league, pairing_id)
    reason = clean_line(reason, field="reason")
    if pairing.table_id is not None and pairing.void_at is None:
        raise refusals.NoDeadlineNeeded
    if pairing.table_id is not None:
        raise refusals.GameDeclaredVoid
    if any(seat.entrant.withdrawn_at is not None for seat in _seats(pairing)):
        raise refusals.EntrantWithdrew
    if timezone.is_naive(deadline) or deadline <= timezone.now():
        raise refusals.DeadlineInPast
    if deadline > league.season.ends_at:
        raise refusals.DeadlineAfterSeason
    if deadline <= league.season.starts_at:
        raise refusals.DeadlineBeforeSeason
    pairing.deadline, pairing.void_at = deadline, None
    pairing.save(update_fields=["deadline", "void_at"])
    note(
        club, "league_deadline", actor, name=league.name, pairing=f"{pairing.round}.{pairing.number}",
        deadline=deadline.date().isoformat(), reason=reason,
    )  # fmt: skip
    return pairing


@transaction.atomic
def void_pairing(*, club: Club, actor: User | None, league_id: int, pairing_id: int, reason: str) -> Pairing:
    """Declare a pairing without a result void: nobody gets points. Raises BadValue without a reason, WrongMoment."""
    club = lock(club)
    require(Verb.SEASONS, club, actor)
    league = _running(club, league_id)
    pairing = _pairing(league, pairing_id)
    reason = _reason(reason)
    if pairing.void_at is not None:
        raise refusals.PairingAlreadyVoid
    if _is_played(pairing):
        raise refusals.PairingPlayed
    pairing.void_at = timezone.now()
    pairing.save(update_fields=["void_at"])
    note(club, "league_voided", actor, name=league.name, pairing=f"{pairing.round}.{pairing.number}", reason=reason)
    _end_if_over(league)
    return pairing


@transaction.atomic
def withdraw(*, club: Club, actor: User | None, league_id: int, entrant_id: int, reason: str) -> Entrant:
    """Withdraw an entrant: games already played count, games not started are void. Raises BadValue, WrongMoment."""
    club = lock(club)
    require(Verb.SEASONS, club, actor)
    league = _running(club, league_id)
    entrant = league.entrants.filter(pk=entrant_id).first()
    if entrant is None:
        raise refusals.NoSuchEntrant
    reason = _reason(reason)
    if entrant.withdrawn_at is not None:
        raise refusals.AlreadyWithdrawn
    _withdraw(club, league, entrant, actor, reason)
    _end_if_over(league)
    return entrant


def _withdraw(club: Club, league: League, entrant: Entrant, actor: User | None, reason: str) -> None:
    entrant.withdrawn_at = timezone.now()
    entrant.save(update_fields=["withdrawn_at"])
    not_begun = league.pairings.filter(seats__entrant=entrant, table=None, void_at=None).values("pk")
    Pairing.objects.filter(pk__in=list(not_begun.values_list("pk", flat=True))).update(void_at=entrant.withdrawn_at)
    verb = "league_withdrawn" if actor is not None else "league_left"
    note(club, verb, actor, entrant.user, name=league.name, entrant=entrant.name, reason=reason)


def _reason(text: str) -> str:
    reason = clean_line(text, field="reason")
    if not reason:
        raise refusals.ReasonMissing
    return reason


# Tending


def tend_all() -> int:
    """Tend every league that is not over; return how many changed. A failure in one league does not affect the others."""
    ids = League.objects.filter(ended_at=None, season__frozen_at=None, season__starts_at__lte=timezone.now()).order_by("pk")
    changed = 0
    for league_id, club_id in list(ids.values_list("pk", "season__club_id")):
        try:
            changed += tend(club_id=club_id, league_id=league_id)
        except Refusal as error:
            log.warning("league %s: %s", league_id, error)
    return changed


@transaction.atomic
def tend(*, club_id: int, league_id: int) -> bool:
    """Do what is due in a league, and say whether anything was.

    People who are no longer members are withdrawn; pairings not started by their deadline are void; games of only bots are opened, a few at
    a time; a league with no games left is ended.
    """
    club = lock(club_id)
    league = _locked(club, league_id)
    now = timezone.now()
    if league.ended_at is not None or league.season.ends_at <= now:
        return False  # the freeze handles a season that is over: it knows which games ended in time
    members = Membership.objects.filter(club=club, user__is_active=True).values("user")
    people = league.entrants.filter(withdrawn_at=None, bot_level="").select_related("user")
    gone = list(people.exclude(user__in=members))
    for entrant in gone:
        _withdraw(club, league, entrant, None, "")
    late = league.pairings.filter(table=None, void_at=None, deadline__lte=now).update(void_at=now)
    opened = 0
    if club.closed_at is None:
        opened = _open_bot_tables(club, league)
        tell_round(club, league, now)
        tell_deadlines(club, league, now)
    return _end_if_over(league) or bool(gone or late or opened)


def _open_bot_tables(club: Club, league: League) -> int:
    of_club = Pairing.objects.filter(league__season__club=club, void_at=None)
    of_bots = of_club.alias(people=Count("seats", filter=Q(seats__entrant__bot_level=""))).filter(people=0)
    running = of_bots.filter(table__status=Table.Status.PLAYING).count()
    waiting = list(of_bots.filter(league=league, table=None).order_by("round", "number")[: max(0, BOT_TABLES - running)])
    for pairing in waiting:
        _open(club, league, pairing, _seats(pairing))
    return len(waiting)


def _end_if_over(league: League) -> bool:
    if _open_pairings(league).exists():
        return False
    _end(league, timezone.now())
    return True


def _open_pairings(league: League) -> QuerySet[Pairing]:
    """Return the pairings that can still get a result."""
    return league.pairings.filter(void_at=None, seats__place=None).distinct()


def end_with_season(season: Season, now: datetime) -> None:
    """End the leagues of a season that is being frozen: pairings without a game that ended within the season are void."""
    for league in League.objects.select_for_update().filter(season=season, ended_at=None).order_by("pk"):
        in_time = Q(table__finished_at__lt=season.ends_at, table__finish_number__lte=season.frozen_number)
        league.pairings.filter(void_at=None).exclude(in_time).update(void_at=now)
        _end(league, now)


def _end(league: League, now: datetime) -> None:
    league.ended_at = now
    league.save(update_fields=["ended_at"])
    entrants = {entrant.pk: entrant for entrant in league.entrants.select_related("user")}
    Honour.objects.bulk_create(
        Honour(
            season_id=league.season_id,
            league=league,
            game=league.game,
            rank=line.rank,
            user=entrants[line.entrant].user,
            name=entrants[line.entrant].name,
            value=f"{round(line.points, 2):g}",
            games=line.games,
        )
        for line in standings(league)
        if line.rank <= HONOURED and line.games and not _is_closed(entrants[line.entrant].user)
    )


def _is_closed(user: User | None) -> bool:
    return user is not None and not user.is_active


def standings(league: League) -> list[Line]:
    """Return the table of a league from its results; void pairings have none. Two statements."""
    games: dict[int, list[tuple[int, int]]] = {}
    rows = PairingSeat.objects.filter(pairing__league=league, pairing__void_at=None, place__isnull=False).order_by("pairing_id", "seat")
    for pairing, entrant, place in rows.values_list("pairing_id", "entrant_id", "place"):
        games.setdefault(pairing, []).append((entrant, place or 0))
    return table_of(league.entrants.order_by("number").values_list("pk", flat=True), games.values())


# Parts


def _locked(club: Club, league_id: int) -> League:
    leagues = League.objects.select_for_update(of=("self",)).select_related("season")
    league = leagues.filter(season__club=club, pk=league_id).first()
    if league is None:
        raise refusals.NoSuchLeague
    return league


def _running(club: Club, league_id: int) -> League:
    league = _locked(club, league_id)
    if league.ended_at is not None or league.season.frozen_at is not None or league.season.ends_at <= timezone.now():
        raise refusals.LeagueOver
    return league


def _pairing(league: League, pairing_id: int) -> Pairing:
    pairing = league.pairings.select_related("table").filter(pk=pairing_id).first()
    if pairing is None:
        raise refusals.NoSuchPairing
    return pairing


def _seats(pairing: Pairing) -> list[PairingSeat]:
    return list(pairing.seats.select_related("entrant__user").order_by("seat"))


def _is_played(pairing: Pairing) -> bool:
    return pairing.table is not None and pairing.table.status == Table.Status.FINISHED
