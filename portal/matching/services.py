"""Looking for a table: a person says what they would like to play, and is seated with others who said the same.

To start a search is to agree to be seated. A live game begins at once, so only those take part whose page is open; a game by
correspondence finds its people wherever they are, and tells them.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy

from games.registry import GAMES, Entry
from portal.accounts.models import Block, User
from portal.common.later import later
from portal.matching import refusals
from portal.matching.models import Search
from portal.matching.pairing import DAYS, LIVE, Seeker, Tempo, fit, groups
from portal.ratings.books import ladder_key
from portal.ratings.formula import MU, points
from portal.ratings.models import Pool, Rating
from portal.tables.forms import default_seats
from portal.tables.models import Table
from portal.tables.pace import USUAL_DAYS, Kind, Pace, presets
from portal.tables.refusals import BadSeatCount, BotsAreChallenged, TableRefusal
from portal.tables.services import join_table, open_table

PAIR: Final = "portal.matching.tasks.pair"
TEMPOS: Final[dict[str, Tempo]] = {Kind.LIVE: LIVE, Kind.DAYS: DAYS}
SEEN_EACH: Final = timedelta(seconds=10)  # no write more often, though the page asks more often
FOUND_KEPT: Final = timedelta(minutes=15)  # for a page that asks late
OPEN_LIVE_FOR: Final = timedelta(minutes=10)  # at an older table in the lobby, probably nobody waits
OPEN_ROWS: Final = 10


def pace_for(entry: Entry, kind: str) -> Pace:
    """Return the pace of the tables that are found: one for each kind, so that people meet."""
    if kind == Kind.LIVE:
        bank_s, add_s = presets(entry.game.meta)[1]
        return Pace(Kind.LIVE, bank_s=bank_s, add_s=add_s)
    return Pace(Kind.DAYS, days=USUAL_DAYS)


def look(*, user: User, game: str, kind: str, seats: int = 0, is_rated: bool = True) -> Search:
    """Start to look for a table, or go on with what is chosen now. A table that is open already is taken at once.

    Raises BadSearch and BadSeatCount, AccountNeeded to a guest who would play by correspondence, and BotsAreChallenged to a bot.
    """
    entry = GAMES.get(game)
    if entry is None or kind not in TEMPOS or seats < 0:
        raise refusals.BadSearch
    if seats and seats not in entry.game.meta.seats:
        raise BadSeatCount(game=gettext_lazy(entry.game.meta.title), counts=", ".join(map(str, entry.game.meta.seats)))
    if kind == Kind.DAYS and user.is_guest:
        raise refusals.AccountNeeded
    if user.is_bot:
        raise BotsAreChallenged
    now = timezone.now()
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        Search.objects.filter(user=user, game=game).delete()
        search = Search.objects.create(
            user=user, game=game, kind=kind, seats=seats, is_rated=is_rated, points=points_of(user, game), made_at=now, seen_at=now
        )
    if not _sit_down(search):
        later(PAIR)
    return search


def stop(*, user: User, game: str) -> None:
    """Look no longer. A table that was found stays."""
    Search.objects.filter(user=user, game=game).delete()


def seen(search: Search) -> None:
    """Note that the person of a search is there."""
    now = timezone.now()
    if search.table_id is None and now - search.seen_at >= SEEN_EACH:
        Search.objects.filter(pk=search.pk).update(seen_at=now)


def of(user: User | None) -> list[Search]:
    """Return what a person looks for, and what was found lately."""
    if user is None or not user.pk:
        return []
    return [search for search in Search.objects.filter(user=user).order_by("made_at") if search.table_id or not is_over(search)]


def is_over(search: Search) -> bool:
    """Say whether a search has ended by itself."""
    return timezone.now() - search.made_at >= timedelta(seconds=TEMPOS[search.kind].lasts_s)


def there(now: datetime) -> QuerySet[Search]:
    """Return the searches that can be answered: not over, and of a live game only those whose page is open."""
    lasting = Q()
    for kind, tempo in TEMPOS.items():
        one = Q(kind=kind, made_at__gt=now - timedelta(seconds=tempo.lasts_s))
        if tempo.unseen_s:
            one &= Q(seen_at__gt=now - timedelta(seconds=tempo.unseen_s))
        lasting |= one
    return Search.objects.filter(lasting, table=None, user__is_active=True)


def pair_all() -> int:
    """Seat everybody for whom there are others, and forget what is over; return how many tables were opened."""
    now = timezone.now()
    over = Q(found_at__lte=now - FOUND_KEPT)
    for kind, tempo in TEMPOS.items():
        over |= Q(kind=kind, table=None, made_at__lte=now - timedelta(seconds=tempo.lasts_s))
    Search.objects.filter(over).delete()
    pools = list(there(now).order_by().values_list("game", "kind").distinct())
    return sum(_pair(game, kind) for game, kind in pools if game in GAMES)


def _pair(game: str, kind: str) -> int:
    """Seat the people who look for one game at one pace."""
    entry, tempo, now = GAMES[game], TEMPOS[kind], timezone.now()
    with transaction.atomic():
        waiting = there(now).filter(game=game, kind=kind).select_related("user").order_by("made_at")
        # Another worker, or the person themselves, may hold some: these are left for the next time.
        searches = {search.pk: search for search in waiting.select_for_update(of=("self",), skip_locked=True)}
        if not searches:
            return 0
        seekers = [seeker_of(search, now) for search in searches.values()]
        found = groups(
            seekers, counts=entry.game.meta.seats, usual=default_seats(entry), tempo=tempo, apart=_apart(list(searches.values()))
        )
        for group in found:
            _seat([searches[seeker.key] for seeker in group], entry, kind)
    seated = {seeker.key for group in found for seeker in group}
    for search in searches.values():
        if search.pk not in seated:
            _sit_down(search)
    return len(found)


def _seat(searches: Sequence[Search], entry: Entry, kind: str) -> None:
    """Open a table for people whose searches are locked; it is full, so the game starts. Their seats are drawn."""
    people = [search.user for search in searches]
    secrets.SystemRandom().shuffle(people)
    loaded = open_table(
        game_key=entry.key,
        sitters=people,
        owner=searches[0].user,
        is_rated=searches[0].is_rated,
        pace=pace_for(entry, kind),
    )
    _found(Search.objects.filter(pk__in=[search.pk for search in searches]), loaded.table)
    if kind == Kind.LIVE:  # nobody can play two live games at once
        Search.objects.filter(user__in=people, kind=Kind.LIVE, table=None).delete()


def _sit_down(search: Search) -> bool:
    """Take a seat at a table of the lobby that fits; return whether there was one."""
    entry, now = GAMES[search.game], timezone.now()
    own = seeker_of(search, now)
    for table in _open_tables(search, entry, now):
        sitters = [seat.user for seat in table.seats.all() if seat.user is not None]
        others = [Seeker(0, points_of(one, search.game), 0, table.is_rated, own.waited_s) for one in sitters]
        if not sitters or not all(fit(own, other, TEMPOS[search.kind]) for other in others) or _is_apart(search.user, sitters):
            continue
        with transaction.atomic():
            held = Search.objects.select_for_update(skip_locked=True).filter(pk=search.pk, table=None).first()
            if held is None:
                return True  # found elsewhere, or stopped
            try:
                with transaction.atomic():
                    join_table(table_id=table.pk, user=search.user)
            except TableRefusal:  # somebody was quicker, or its seats are kept
                continue
            _found(Search.objects.filter(pk=search.pk), table)
            if search.kind == Kind.LIVE:
                Search.objects.filter(user=search.user, kind=Kind.LIVE, table=None).delete()
            search.table_id = table.pk
        return True
    return False


def _open_tables(search: Search, entry: Entry, now: datetime) -> list[Table]:
    """Return tables of the lobby where somebody would find what they look for, those first that begin soonest."""
    pace = pace_for(entry, search.kind).to_json()
    tables = Table.objects.filter(
        status=Table.Status.OPEN,
        game=search.game,
        privacy=Table.Privacy.PUBLIC,
        club=None,
        duplicate=None,
        is_rated=search.is_rated,
        pace=pace,
    ).exclude(seats__user=search.user)
    if search.seats:
        tables = tables.filter(seat_count=search.seats)
    if search.kind == Kind.LIVE:
        tables = tables.filter(created_at__gt=now - OPEN_LIVE_FOR)
    return list(tables.defer("state", "recent", "line", "barrier").prefetch_related("seats__user").order_by("created_at")[:OPEN_ROWS])


def _found(searches: QuerySet[Search], table: Table) -> None:
    searches.update(table=table, found_at=timezone.now())


def seeker_of(search: Search, now: datetime) -> Seeker:
    return Seeker(search.pk, search.points, search.seats, search.is_rated, (now - search.made_at).total_seconds())


def points_of(user: User, game: str) -> int:
    """Return somebody's rating in a game among people, as it is shown; a newcomer's if they have none."""
    mu = Rating.objects.filter(ladder__key=ladder_key(Pool.PEOPLE, game), user=user).values_list("mu", flat=True).first()
    return points(MU if mu is None else mu)


def _apart(searches: Sequence[Search]) -> set[frozenset[int]]:
    """Return the pairs of searches of people of whom one blocks the other."""
    by_user = {search.user_id: search.pk for search in searches}
    pairs = Block.objects.filter(user__in=by_user, blocked__in=by_user).values_list("user_id", "blocked_id")
    return {frozenset((by_user[one], by_user[other])) for one, other in pairs}


def _is_apart(user: User, others: Sequence[User]) -> bool:
    ids = [other.pk for other in others]
    return Block.objects.filter(Q(user=user, blocked__in=ids) | Q(user__in=ids, blocked=user)).exists()


@dataclass(frozen=True, slots=True)
class Lookers:
    """How many people look for a game at one pace."""

    entry: Entry
    kind: Kind
    count: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many people look for a table now, without names, and whether the reader does."""

    lookers: list[Lookers]
    is_looking: bool


def waiting(user: User | None) -> Waiting:
    """Return who looks for a table; one statement."""
    rows = list(there(timezone.now()).order_by().values_list("game", "kind", "user_id"))
    counts = Counter((game, kind) for game, kind, _ in rows if game in GAMES)
    lookers = [Lookers(GAMES[game], Kind(kind), counts[game, kind]) for game in GAMES for kind in TEMPOS if counts[game, kind]]
    return Waiting(lookers, user is not None and any(row[2] == user.pk for row in rows))
