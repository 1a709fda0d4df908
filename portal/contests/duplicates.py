"""Duplicate sets: several tables of a club with the same sealed chance, compared when the last of them is over.

They share one secret and have no words, so equal actions meet equal draws. Until the set is revealed (`portal.tables.reveal`) only the
people at a table see it. Locks are taken in one order: the club, tables, then a membership or the set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import Q

from games.core import sealed
from games.registry import GAMES
from portal.accounts.models import User
from portal.clubs.journal import note
from portal.clubs.models import Club, DuplicateSet
from portal.clubs.permissions import Verb, require
from portal.clubs.refusals import ClubNotFound, NoSuchGame
from portal.clubs.services import lock
from portal.clubs.texts import clean_name
from portal.contests import refusals
from portal.tables import services as tables
from portal.tables.access import hold_membership
from portal.tables.loading import Loaded, load
from portal.tables.models import Seat, Table
from portal.tables.refusals import BadSetting, TableNotFound
from portal.tables.reveal import abandon

FEWEST_TABLES: Final = 2
MOST_TABLES: Final = 12


@transaction.atomic
def create_set(
    *,
    club: Club,
    actor: User | None,
    name: str,
    game: str,
    seats: int,
    n_tables: int,
    bots: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    is_rated: bool = True,
) -> DuplicateSet:
    """Open a set of equal tables. `bots`: the level of the bot in each seat, "" for a free one; the same at every table.

    Raises BadValue for an invalid name, game, player count, option, level or number of tables.
    """
    club = lock(club)
    require(Verb.DUPLICATES, club, actor)
    title = clean_name(name)
    if game not in GAMES:
        raise NoSuchGame
    if not FEWEST_TABLES <= n_tables <= MOST_TABLES:
        raise refusals.BadTableCount(low=FEWEST_TABLES, high=MOST_TABLES)
    if seats not in GAMES[game].game.meta.seats:
        raise refusals.ImpossibleTables
    levels = list(bots) or [""] * seats
    if all(levels):
        raise refusals.SeatForPerson
    if len(levels) != seats:
        raise refusals.ImpossibleTables
    sitters = [tables.Bot(level) if level else None for level in levels]
    secret = sealed.new_secret()
    found = DuplicateSet(
        club=club, name=title, game=game, seats=seats, secret=secret, commitment=sealed.commitment(secret), created_by=actor
    )
    try:
        with transaction.atomic():
            found.save()
            for _number in range(n_tables):
                loaded = tables.open_table(
                    game_key=game, sitters=sitters, options=options, club=club, may_play=True, duplicate=found, is_rated=is_rated
                )
            found.options = loaded.table.options
            found.save(update_fields=["options"])
    except BadSetting:
        raise refusals.ImpossibleTables from None
    note(club, "duplicates_made", actor, title=found.name, tables=n_tables)
    return found


@transaction.atomic
def take_seat(*, duplicate: DuplicateSet, table_id: int, user: User | None, seat: int) -> Loaded:
    """Take a free seat at one table of a set; the game starts when the last seat is taken.

    Raises NotAllowed to outsiders, ClubNotFound when the table is not in the set, WrongMoment when the seat is taken, the game has started,
    or the person sits, or has sat, at a table of the set.
    """
    loaded = _table_of(duplicate, table_id)
    if loaded.table.status == Table.Status.OPEN and user is not None and loaded.seat_of(user) == seat:
        return loaded
    club = duplicate.of_club
    require(Verb.SIT_DOWN, club, user)
    if loaded.table.status != Table.Status.OPEN:
        raise refusals.TableNoLongerOpen
    if not 0 <= seat < len(loaded.seats):
        raise refusals.NoSuchSeat
    if loaded.seat_of(user) is not None:  # before locking the membership: a removal gives such seats back and would wait for us
        raise refusals.SeatedInSet
    if user is None or not hold_membership(club.pk, user):
        raise ClubNotFound
    # Two requests of one person wait for each other here on the membership, so the second one sees the seat taken by the first.
    if has_seat(duplicate, user):
        raise refusals.SeatedInSet
    row = loaded.seats[seat]
    if row.user_id is not None or row.bot_level:
        raise refusals.SeatTaken
    tables.seat_person(loaded, row, user)
    return loaded


@transaction.atomic
def start_table(*, duplicate: DuplicateSet, table_id: int, actor: User | None) -> Loaded:
    """Start an open table with at least one person, with bots in the free seats. Officers only."""
    loaded = _table_of(duplicate, table_id)
    require(Verb.DUPLICATES, duplicate.of_club, actor)
    if loaded.table.status != Table.Status.OPEN:
        raise refusals.TableNoLongerOpen
    if all(seat.user_id is None for seat in loaded.seats):
        raise refusals.NobodySeated
    tables.fill_and_start(loaded, actor)
    return loaded


@transaction.atomic
def close_open_tables(*, duplicate: DuplicateSet, actor: User | None) -> int:
    """Close the tables that have not started; the set is revealed when all others are over. Returns how many were closed."""
    require(Verb.DUPLICATES, duplicate.of_club, actor)
    closed = abandon(Table.objects.filter(duplicate=duplicate, status=Table.Status.OPEN))
    if not closed:
        raise refusals.NoOpenTable
    note(duplicate.of_club, "duplicates_closed", actor, title=duplicate.name, tables=closed)
    return closed


@transaction.atomic
def end_set(*, duplicate: DuplicateSet, actor: User | None) -> int:
    """End a set now: open tables are closed, running ones stopped without a result, and the deal is revealed.

    Returns how many tables were ended.
    """
    require(Verb.DUPLICATES, duplicate.of_club, actor)
    ended = abandon(Table.objects.filter(duplicate=duplicate))
    if not ended:
        raise refusals.SetOver
    note(duplicate.of_club, "duplicates_ended", actor, title=duplicate.name, tables=ended)
    return ended


def has_seat(duplicate: DuplicateSet, user: User | None) -> bool:
    """Say whether a person sits at a table of the set, or has left one that was in play."""
    if user is None or not user.pk:
        return False
    return Seat.objects.filter(Q(user=user) | Q(left_user=user), table__duplicate=duplicate).exists()


def _table_of(duplicate: DuplicateSet, table_id: int) -> Loaded:
    """Return a table of the set, locked. Raises ClubNotFound."""
    try:
        loaded = load(table_id, lock=True)
    except TableNotFound:
        loaded = None
    if loaded is None or loaded.table.duplicate_id != duplicate.pk:
        raise refusals.NoSuchTableInSet
    return loaded
