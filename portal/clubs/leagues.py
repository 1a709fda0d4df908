"""Leagues of a season: drawn, started, played, tended, ended.

Whoever changes a league holds its row. A pairing that is void has no result, whatever is played at its table afterwards.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, DateTimeField, F, Q, QuerySet, Value
from django.db.models.functions import Least
from django.utils import timezone
from django.utils.translation import gettext as _

from games.core.contract import PositionError
from games.core.records import options_of
from games.registry import GAMES
from portal.accounts.models import User
from portal.clubs.errors import BadValue, ClubError, ClubNotFound, NotAllowed, WrongMoment
from portal.clubs.journal import note
from portal.clubs.league_table import Line, table_of
from portal.clubs.models import Club, Entrant, Honour, League, Membership, Pairing, PairingSeat, Season
from portal.clubs.pairings import MOST_ENTRANTS, MOST_ROUNDS, Round, default_rounds, fair_rounds, round_robin, rounds_of_tables
from portal.clubs.permissions import Verb, require
from portal.clubs.services import lock
from portal.clubs.texts import clean_line, clean_name
from portal.tables import services as tables
from portal.tables.errors import TableError
from portal.tables.models import Table

log = logging.getLogger(__name__)

MOST_LEAGUES: Final = 12  # of a season
MOST_DAYS: Final = 60  # a round
BOT_TABLES: Final = 4  # of bots alone that a league has running at a time
HONOURED: Final = 3  # places
MAX_SEED_CHARS: Final = 16
BOT_NAMES: Final = (
    "Nabu", "Ninsun", "Enki", "Inanna", "Utu", "Nisaba", "Enlil", "Nanna", "Ninurta", "Ishkur", "Dumuzi", "Gula", "Nergal", "Geshtinanna",
    "Ninlil", "Kubaba", "Adapa", "Etana", "Lugalbanda", "Enkidu", "Siduri", "Utnapishtim", "Humbaba", "Zababa", "Damkina", "Ninhursag",
    "Asalluhi", "Nusku", "Papsukkal", "Sarpanit", "Tashmetum", "Uttu",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """Who may become an entrant: a member, or a bot of a level under a name."""

    name: str
    user: User | None = None
    bot_level: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """What an officer wants of a league, as the form says it; `draw` checks it."""

    name: str
    game: str
    form: str  # "once", "twice", or "rounds-<seats>"
    members: Sequence[str] = ()  # names
    bots: Mapping[str, int] = field(default_factory=dict)  # level -> how many
    rounds: int | None = None  # None: as few as are fair
    days: int = 7
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """A league as it would be: nothing of it is stored. Rounds hold numbers of `entrants`."""

    name: str
    game: str
    form: str
    seats: int
    options: dict[str, Any]
    entrants: list[Candidate]
    rounds: list[Round]
    deadlines: list[datetime]  # of the rounds
    fair: list[int]  # numbers of rounds that could be chosen; one for a round robin

    @property
    def is_cut(self) -> bool:
        """Whether the season ends before the last rounds have had their days."""
        return len(self.deadlines) > 1 and self.deadlines[-1] == self.deadlines[-2]

    @property
    def games_each(self) -> int:
        return sum(0 in table for tables in self.rounds for table in tables)

    @property
    def rests_each(self) -> int:
        return len(self.rounds) - self.games_each


# Draw and start


def forms_of(game_key: str) -> list[tuple[str, int]]:
    """Return the forms that a league of a game can have, each with its seats; the usual one first."""
    seats = list(GAMES[game_key].game.meta.seats)
    robins = [("once", 2), ("twice", 2)] if 2 in seats else []
    tables_of = [(f"rounds-{count}", count) for count in seats]
    usual = max((count for count in seats if count <= 4), default=seats[0])
    if usual == 2:
        return robins + tables_of
    return sorted(tables_of, key=lambda pair: pair[1] != usual) + robins


def draw(*, club: Club, actor: User | None, season_id: int, wish: Wish) -> Draw:
    """Return what a league would be, drawn by the seed of the wish; the same wish gives the same draw. Changes nothing.

    Raises BadValue, WrongMoment.
    """
    require(Verb.SEASONS, club, actor)
    return _draw(_season_for_leagues(Season.objects.all(), club, season_id), wish)


@transaction.atomic
def start_league(*, club: Club, actor: User | None, season_id: int, wish: Wish) -> League:
    """Make the league of a wish with all its pairings. Raises BadValue, WrongMoment."""
    club = lock(club)
    require(Verb.SEASONS, club, actor)
    season = _season_for_leagues(Season.objects.select_for_update(no_key=True), club, season_id)
    drawn = _draw(season, wish)
    league = League.objects.create(
        season=season,
        name=drawn.name,
        game=drawn.game,
        form=drawn.form,
        seats=drawn.seats,
        options=drawn.options,
        rounds=len(drawn.rounds),
        days_a_round=wish.days,
    )
    entrants = Entrant.objects.bulk_create(
        Entrant(league=league, number=number, user=one.user, bot_level=one.bot_level, name=one.name)
        for number, one in enumerate(drawn.entrants)
    )
    pairings = Pairing.objects.bulk_create(
        Pairing(league=league, round=number, number=at, deadline=deadline)
        for number, (found, deadline) in enumerate(zip(drawn.rounds, drawn.deadlines, strict=True), start=1)
        for at in range(1, len(found) + 1)
    )
    seated = [table for found in drawn.rounds for table in found]
    PairingSeat.objects.bulk_create(
        PairingSeat(pairing=pairing, entrant=entrants[number], seat=seat)
        for pairing, table in zip(pairings, seated, strict=True)
        for seat, number in enumerate(table)
    )
    note(club, "league_started", actor, name=league.name, season=season.name)
    transaction.on_commit(_tend_soon, robust=True)
    return league


def _season_for_leagues(seasons: QuerySet[Season], club: Club, season_id: int) -> Season:
    season = seasons.filter(club=club, pk=season_id).first()
    if season is None:
        raise ClubNotFound(_("There is no such season."))
    if season.frozen_at is not None or season.ends_at <= timezone.now():
        raise WrongMoment(_("The season is over; no league can begin in it."))
    if season.leagues.count() >= MOST_LEAGUES:
        raise WrongMoment(_("A season has at most %(count)d leagues.") % {"count": MOST_LEAGUES})
    return season


def _draw(season: Season, wish: Wish) -> Draw:
    name = clean_name(wish.name)
    if season.leagues.filter(name__iexact=name).exists():
        raise BadValue(_("The season has a league of this name already."), "name")
    if wish.game not in GAMES or season.game not in ("", wish.game):
        raise BadValue(_("Choose a game that counts in this season."), "game")
    seats = dict(forms_of(wish.game)).get(wish.form)
    if seats is None:
        raise BadValue(_("Choose one of the forms that this game has."), "form")
    if not 1 <= wish.days <= MOST_DAYS:
        raise BadValue(_("A round has 1 to %(count)d days.") % {"count": MOST_DAYS}, "days")
    try:
        options = options_of(GAMES[wish.game].game, wish.options)
    except PositionError:
        raise BadValue(_("Choose options that this game has."), "options") from None
    if not (wish.seed.isascii() and wish.seed.isalnum() and len(wish.seed) <= MAX_SEED_CHARS):
        raise BadValue(_("The number of the draw has up to %(count)d letters and digits.") % {"count": MAX_SEED_CHARS}, "seed")
    entrants = _entrants(season.club, wish)
    count = len(entrants)
    if count < max(2, seats):
        text = _("For this form the league needs at least %(count)d entrants, members and bots together.")
        raise BadValue(text % {"count": max(2, seats)}, "members")
    if wish.form in ("once", "twice"):
        rounds = round_robin(count, twice=wish.form == "twice", seed=wish.seed)
        fair = [len(rounds)]
    else:
        fair = fair_rounds(count, seats)
        chosen = wish.rounds if wish.rounds is not None else default_rounds(count, seats)
        if chosen not in fair:
            raise BadValue(_unfair(chosen, count, seats, fair), "rounds")
        rounds = rounds_of_tables(count, seats, chosen, seed=wish.seed)
    form = League.Form.ROUNDS if wish.form.startswith("rounds") else League.Form.ROUND_ROBIN
    return Draw(name, wish.game, form, seats, options, entrants, rounds, _deadlines(season, len(rounds), wish.days), fair)


def _unfair(chosen: int, count: int, seats: int, fair: Sequence[int]) -> str:
    if not 1 <= chosen <= MOST_ROUNDS:
        return _("A league has 1 to %(count)d rounds.") % {"count": MOST_ROUNDS}
    text = _(
        "With %(entrants)d entrants at tables of %(seats)d, everybody plays equally often only with these numbers of rounds: %(fair)s."
    )
    return text % {"entrants": count, "seats": seats, "fair": ", ".join(map(str, fair[:6]))}


def _entrants(club: Club, wish: Wish) -> list[Candidate]:
    names = list(dict.fromkeys(wish.members))
    levels = GAMES[wish.game].game.meta.bot_levels
    bots = [level for level in levels for _ in range(min(wish.bots.get(level, 0), MOST_ENTRANTS + 1))]
    if any(level not in levels or count < 0 for level, count in wish.bots.items()):
        raise BadValue(_("Choose bots of a level that this game has."), "bots")
    if len(names) + len(bots) > MOST_ENTRANTS:
        raise BadValue(_("A league has at most %(count)d entrants.") % {"count": MOST_ENTRANTS}, "members")
    if not names:
        raise BadValue(_("A league needs at least one member among its entrants."), "members")
    found = {
        membership.user.username: membership.user
        for membership in Membership.objects.filter(club=club, user__username__in=names, user__is_active=True).select_related("user")
    }
    strangers = [name for name in names if name not in found]
    if strangers:
        raise BadValue(_("Only members can take part. Not a member: %(names)s.") % {"names": ", ".join(strangers)[:200]}, "members")
    taken = {name.casefold() for name in names}
    free = (name for name in BOT_NAMES if name.casefold() not in taken)
    more = (f"Nabu {number}" for number in range(2, 100) if f"nabu {number}" not in taken)
    people = [Candidate(name, found[name]) for name in names]
    return people + [Candidate(next(free, None) or next(more), None, level) for level in bots]


def _deadlines(season: Season, rounds: int, days: int) -> list[datetime]:
    """Return the ends of the rounds: the last second of a day in the reader's time zone, none after the end of the season."""
    begin = timezone.localtime(max(timezone.now(), season.starts_at))
    return [min(end_of_day(begin.date() + timedelta(days=days * number)), season.ends_at) for number in range(1, rounds + 1)]


def end_of_day(day: Any) -> datetime:
    """Return the last second of a day in the time zone of the reader."""
    return timezone.make_aware(datetime.combine(day, time(23, 59, 59)))


# Playing


@transaction.atomic
def play(*, club: Club, user: User | None, league_id: int, pairing_id: int) -> int:
    """Open the table of one's pairing with everybody in their seat, and return its number; an open one is returned as it is.

    Raises NotAllowed to all but its entrants, WrongMoment outside the season and when the pairing is void or late.
    """
    club = lock(club)
    league = _locked(club, league_id)
    pairing = _pairing(league, pairing_id)
    seats = _seats(pairing)
    if user is None or not user.pk or not any(seat.entrant.user_id == user.pk for seat in seats):
        raise NotAllowed(_("Only those who are paired may open this table."))
    if pairing.table_id is not None:
        return pairing.table_id
    require(Verb.OPEN_TABLE, club, user)
    now = timezone.now()
    if pairing.void_at is not None:
        raise WrongMoment(_("This pairing is void; it is not played any more."))
    if league.ended_at is not None or league.season.ends_at <= now:
        raise WrongMoment(_("The league is over."))
    if league.season.starts_at > now:
        raise WrongMoment(_("The season has not begun yet."))
    if pairing.deadline <= now:
        raise WrongMoment(_("The deadline of this pairing has passed. Ask an officer to move it."))
    people = [seat.entrant.user_id for seat in seats if not seat.entrant.bot_level]
    if Membership.objects.filter(club=club, user__in=people, user__is_active=True).count() < len(people):
        raise WrongMoment(_("Somebody of this pairing has left the club; it cannot be played."))
    return _open(club, league, pairing, seats)


def _open(club: Club, league: League, pairing: Pairing, seats: Sequence[PairingSeat]) -> int:
    who: list[User | str] = [seat.entrant.user or seat.entrant.bot_level for seat in seats]
    names = ["" if seat.entrant.user_id is not None else seat.entrant.name for seat in seats]
    try:
        opened = tables.create_seated_table(game_key=league.game, who=who, options=league.options, club=club, names=names)
    except TableError as error:
        raise WrongMoment(str(error)) from None
    pairing.table = opened.table
    pairing.save(update_fields=["table"])
    return opened.table.pk


# Officers


def move_with_season(season: Season, moved: timedelta) -> None:
    """Move all deadlines of a season's leagues with its begin, and none beyond its end. The caller holds club and season."""
    of_season = Pairing.objects.filter(league__season=season, league__ended_at=None)
    of_season.update(deadline=Least(F("deadline") + moved, Value(season.ends_at), output_field=DateTimeField()))


@transaction.atomic
def move_deadline(*, club: Club, actor: User | None, league_id: int, pairing_id: int, deadline: datetime, reason: str = "") -> Pairing:
    """Give a pairing that is not begun another deadline in the season; a void one is on again, unless somebody has withdrawn.

    Raises BadValue, WrongMoment.
    """
    club = lock(club)
    require(Verb.SEASONS, club, actor)
    league = _running(club, league_id)
    pairing = _pairing(league, pairing_id)
    reason = clean_line(reason, field="reason")
    if pairing.table_id is not None and pairing.void_at is None:
        raise WrongMoment(_("The game of this pairing has begun; it needs no deadline."))
    if pairing.table_id is not None:
        raise WrongMoment(_("The game of this pairing was declared void."))
    if any(seat.entrant.withdrawn_at is not None for seat in _seats(pairing)):
        raise WrongMoment(_("Somebody of this pairing has withdrawn; it cannot be played."))
    if timezone.is_naive(deadline) or deadline <= timezone.now():
        raise BadValue(_("A deadline has to lie in the future."), "deadline")
    if deadline > league.season.ends_at:
        raise BadValue(_("A deadline lies before the end of the season."), "deadline")
    pairing.deadline, pairing.void_at = deadline, None
    pairing.save(update_fields=["deadline", "void_at"])
    note(
        club, "league_deadline", actor, name=league.name, pairing=f"{pairing.round}.{pairing.number}",
        deadline=deadline.date().isoformat(), reason=reason,
    )  # fmt: skip
    return pairing


@transaction.atomic
def void_pairing(*, club: Club, actor: User | None, league_id: int, pairing_id: int, reason: str) -> Pairing:
    """Declare a pairing void that has no result: nobody gets points. Raises BadValue without a reason, WrongMoment."""
    club = lock(club)
    require(Verb.SEASONS, club, actor)
    league = _running(club, league_id)
    pairing = _pairing(league, pairing_id)
    reason = _reason(reason)
    if pairing.void_at is not None:
        raise WrongMoment(_("This pairing is void already."))
    if _is_played(pairing):
        raise WrongMoment(_("This pairing has been played; its result stands."))
    pairing.void_at = timezone.now()
    pairing.save(update_fields=["void_at"])
    note(club, "league_voided", actor, name=league.name, pairing=f"{pairing.round}.{pairing.number}", reason=reason)
    _end_if_over(league)
    return pairing


@transaction.atomic
def withdraw(*, club: Club, actor: User | None, league_id: int, entrant_id: int, reason: str) -> Entrant:
    """Take an entrant out: what they have played stands, what has not begun is void. Raises BadValue, WrongMoment."""
    club = lock(club)
    require(Verb.SEASONS, club, actor)
    league = _running(club, league_id)
    entrant = league.entrants.filter(pk=entrant_id).first()
    if entrant is None:
        raise ClubNotFound(_("There is no such entrant."))
    reason = _reason(reason)
    if entrant.withdrawn_at is not None:
        raise WrongMoment(_("This entrant has withdrawn already."))
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
        raise BadValue(_("Give a reason; it is kept in the club's log."), "reason")
    return reason


# Tending


def tend_all() -> int:
    """Tend every league that is not over; return how many changed. A league that fails does not hold up the others."""
    ids = League.objects.filter(ended_at=None, season__frozen_at=None, season__starts_at__lte=timezone.now()).order_by("pk")
    changed = 0
    for league_id, club_id in list(ids.values_list("pk", "season__club_id")):
        try:
            changed += tend(club_id=club_id, league_id=league_id)
        except ClubError as error:
            log.warning("league %s: %s", league_id, error)
    return changed


@transaction.atomic
def tend(*, club_id: int, league_id: int) -> bool:
    """Do what is due in a league, and say whether anything was.

    Who is no member any more is withdrawn; what was not begun by its deadline is void; games of bots alone are opened, some at
    a time; a league without a game to come is ended.
    """
    club = lock(club_id)
    league = _locked(club, league_id)
    now = timezone.now()
    if league.ended_at is not None or league.season.frozen_at is not None:
        return False
    members = Membership.objects.filter(club=club, user__is_active=True).values("user")
    people = league.entrants.filter(withdrawn_at=None, bot_level="").select_related("user")
    gone = list(people.exclude(user__in=members))
    for entrant in gone:
        _withdraw(club, league, entrant, None, "")
    late = league.pairings.filter(table=None, void_at=None, deadline__lte=now).update(void_at=now)
    opened = 0
    if club.closed_at is None and league.season.ends_at > now:
        opened = _open_bot_tables(club, league)
    return _end_if_over(league) or bool(gone or late or opened)


def _open_bot_tables(club: Club, league: League) -> int:
    alone = league.pairings.alias(people=Count("seats", filter=Q(seats__entrant__bot_level=""))).filter(people=0, void_at=None)
    running = alone.filter(table__status=Table.Status.PLAYING).count()
    waiting = list(alone.filter(table=None).order_by("round", "number")[: max(0, BOT_TABLES - running)])
    for pairing in waiting:
        _open(club, league, pairing, _seats(pairing))
    return len(waiting)


def _end_if_over(league: League) -> bool:
    if _open_pairings(league).exists():
        return False
    _end(league, timezone.now())
    return True


def _open_pairings(league: League) -> QuerySet[Pairing]:
    """Return the pairings that may still get a result."""
    return league.pairings.filter(void_at=None, seats__place=None).distinct()


def end_with_season(season: Season, now: datetime) -> None:
    """End the leagues of a season that is being frozen: what has no result of a game that ended in the season is void."""
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
        if line.rank <= HONOURED and line.games
    )


def standings(league: League) -> list[Line]:
    """Return the table of a league from its results; void pairings give none. Two statements."""
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
        raise ClubNotFound(_("There is no such league."))
    return league


def _running(club: Club, league_id: int) -> League:
    league = _locked(club, league_id)
    if league.ended_at is not None or league.season.frozen_at is not None or league.season.ends_at <= timezone.now():
        raise WrongMoment(_("The league is over."))
    return league


def _pairing(league: League, pairing_id: int) -> Pairing:
    pairing = league.pairings.select_related("table").filter(pk=pairing_id).first()
    if pairing is None:
        raise ClubNotFound(_("There is no such pairing."))
    return pairing


def _seats(pairing: Pairing) -> list[PairingSeat]:
    return list(pairing.seats.select_related("entrant__user").order_by("seat"))


def _is_played(pairing: Pairing) -> bool:
    return pairing.table is not None and pairing.table.status == Table.Status.FINISHED


def _tend_soon() -> None:
    from portal.clubs.tasks import tend_leagues

    try:
        tend_leagues.apply_async(retry=False)
    except Exception as error:  # the broker may be away in many ways; the beat comes every half minute
        log.warning("not enqueued: tend_leagues: %s", error)
