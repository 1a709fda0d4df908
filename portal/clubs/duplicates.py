"""Duplicate sets: several tables of a club that are dealt the same sealed chance, compared when the last of them is over.

The secret is one, words there are none, so equal actions meet equal draws. Until the set is revealed (`portal.tables.reveal`)
nobody sees a table but those who sit at it. Locks are taken in one order: the club, tables, then a membership or the set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.core import sealed
from games.registry import GAMES
from portal.accounts.models import User
from portal.clubs.errors import BadValue, ClubNotFound, WrongMoment
from portal.clubs.journal import note
from portal.clubs.models import Club, DuplicateSet
from portal.clubs.permissions import Verb, require
from portal.clubs.services import lock
from portal.clubs.texts import clean_name
from portal.tables import services as tables
from portal.tables.access import hold_membership
from portal.tables.errors import BadSetting, TableNotFound
from portal.tables.loading import Loaded, load
from portal.tables.models import Seat, Table
from portal.tables.reveal import abandon

FEWEST_TABLES: Final = 2
MOST_TABLES: Final = 12
IMPOSSIBLE: Final = gettext_noop("These tables cannot be opened so. Look at seats, bots and options once more.")
TWICE: Final = gettext_noop("You have a seat at a table of this set already: nobody plays the same deal twice.")


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

    Raises BadValue for a name, game, seat count, option, level or number of tables that is not possible.
    """
    club = lock(club)
    require(Verb.DUPLICATES, club, actor)
    title = clean_name(name)
    if game not in GAMES:
        raise BadValue(_("There is no such game."), "game")
    if not FEWEST_TABLES <= n_tables <= MOST_TABLES:
        raise BadValue(
            _("A set has %(low)d to %(high)d tables.") % {"low": FEWEST_TABLES, "high": MOST_TABLES},
            "n_tables",
        )
    if seats not in GAMES[game].game.meta.seats:
        raise BadValue(_(IMPOSSIBLE), "seats")
    levels = list(bots) or [""] * seats
    if all(levels):
        raise BadValue(_("A seat has to be free for a person."), "bots")
    secret = sealed.new_secret()
    found = DuplicateSet(
        club=club, name=title, game=game, seats=seats, secret=secret, commitment=sealed.commitment(secret), created_by=actor
    )
    try:
        with transaction.atomic():
            found.save()
            for _number in range(n_tables):
                loaded = tables.create_dealt_table(
                    game_key=game,
                    seats=seats,
                    options=options,
                    bots=levels,
                    secret=secret,
                    club=club,
                    duplicate=found,
                    is_rated=is_rated,
                )
            found.options = loaded.table.options
            found.save(update_fields=["options"])
    except BadSetting:
        raise BadValue(_(IMPOSSIBLE), "seats") from None
    note(club, "duplicates_made", actor, title=found.name, tables=n_tables)
    return found


@transaction.atomic
def take_seat(*, duplicate: DuplicateSet, table_id: int, user: User | None, seat: int) -> Loaded:
    """Sit down in a free seat of one table of a set; the last one to sit down starts the game.

    Raises NotAllowed to outsiders, ClubNotFound when the table is none of the set, WrongMoment when the seat is taken, the
    game has begun, or the person sits, or has sat, at a table of the set.
    """
    loaded = _table_of(duplicate, table_id)
    if loaded.table.status == Table.Status.OPEN and user is not None and loaded.seat_of(user) == seat:
        return loaded
    club = duplicate.club
    require(Verb.SIT_DOWN, club, user)
    if loaded.table.status != Table.Status.OPEN:
        raise WrongMoment(_("This table is no longer open."))
    if not 0 <= seat < len(loaded.seats):
        raise BadValue(_("There is no such seat."), "seat")
    if loaded.seat_of(user) is not None:  # before the membership is held: who is removed gives such seats back and would wait for us
        raise WrongMoment(_(TWICE))
    if user is None or not hold_membership(club.pk, user):
        raise ClubNotFound(_("There is no such club, or it is not open to you."))
    # Who sits down at two tables at once has waited for the own membership: the second request sees the seat of the first.
    if has_seat(duplicate, user):
        raise WrongMoment(_(TWICE))
    row = loaded.seats[seat]
    if row.user_id is not None or row.bot_level:
        raise WrongMoment(_("This seat is taken."))
    tables.seat_person(loaded, row, user)
    return loaded


@transaction.atomic
def start_table(*, duplicate: DuplicateSet, table_id: int, actor: User | None) -> Loaded:
    """Start an open table at which somebody sits, with bots in the free seats. Officers only."""
    loaded = _table_of(duplicate, table_id)
    require(Verb.DUPLICATES, duplicate.club, actor)
    if loaded.table.status != Table.Status.OPEN:
        raise WrongMoment(_("This table is no longer open."))
    if all(seat.user_id is None for seat in loaded.seats):
        raise WrongMoment(_("Nobody sits at this table yet."))
    tables.fill_and_start(loaded)
    return loaded


@transaction.atomic
def close_open_tables(*, duplicate: DuplicateSet, actor: User | None) -> int:
    """Close the tables that have not begun; the set is revealed when all others are over. Returns how many were closed."""
    require(Verb.DUPLICATES, duplicate.club, actor)
    closed = abandon(Table.objects.filter(duplicate=duplicate, status=Table.Status.OPEN))
    if not closed:
        raise WrongMoment(_("No table of this set is open."))
    note(duplicate.club, "duplicates_closed", actor, title=duplicate.name, tables=closed)
    return closed


@transaction.atomic
def end_set(*, duplicate: DuplicateSet, actor: User | None) -> int:
    """End a set now: open tables are closed, running ones broken off without a result, and the deal is revealed.

    Returns how many tables were ended.
    """
    require(Verb.DUPLICATES, duplicate.club, actor)
    ended = abandon(Table.objects.filter(duplicate=duplicate))
    if not ended:
        raise WrongMoment(_("All tables of this set are over."))
    note(duplicate.club, "duplicates_ended", actor, title=duplicate.name, tables=ended)
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
        raise ClubNotFound(_("There is no such table in this set."))
    return loaded
