"""What happens at tables when a guest leaves for good, a member leaves a club, or a club closes."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from portal.accounts.models import User
from portal.clubs.models import Club, Membership
from portal.tables import inviting, services
from portal.tables.models import Seat, Table
from portal.tables.refusals import TableBusy, TableRefusal
from portal.tables.reveal import abandon


def leave_all(*, user: User, **_signal: object) -> bool:
    """Remove a guest from all tables: seats at open ones become free, bots take over in play.

    Says whether the guest's row has to stay, because games that are finished or that a bot continues count for the others.
    """
    inviting.forget(user=user)
    for seat in Seat.objects.filter(user=user, table__status__in=("open", "playing")):
        services.leave_table(table_id=seat.table_id, user=user)
    return Seat.objects.filter(Q(user=user) | Q(left_user=user), table__status__in=("playing", "finished")).exists()


def give_back_seats(*, club: Club, user: User, **_signal: object) -> None:
    """Free the seats of a former member at the club's open tables; running games are played out."""
    _give_back(club, user)
    # Somebody who sat down at this very moment was still a member then.
    transaction.on_commit(lambda: _give_back(club, user), robust=True)


def _give_back(club: Club, user: User) -> None:
    if Membership.objects.filter(club=club, user=user).exists():
        return  # already a member again
    open_tables = Table.objects.filter(club=club, status=Table.Status.OPEN, seats__user=user)
    for table_id in list(open_tables.order_by("pk").values_list("pk", flat=True)):
        try:
            services.leave_table(table_id=table_id, user=user, before_start=True)
        except TableBusy:
            raise  # nobody leaves a club and keeps a seat
        except TableRefusal:
            pass  # it started or ended while we waited for it


def close_tables(*, club: Club, **_signal: object) -> None:
    """Close the open tables of a club that is closing; running games are played out."""
    abandon(Table.objects.filter(club=club, status=Table.Status.OPEN))
