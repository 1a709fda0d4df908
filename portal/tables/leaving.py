"""What happens at tables when somebody leaves for good, a member leaves a club, or a club closes."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q

from portal.accounts.models import User
from portal.clubs.models import Club, Membership
from portal.tables import inviting, services
from portal.tables.models import ActionRecord, Seat, Table
from portal.tables.refusals import TableBusy, TableRefusal
from portal.tables.reveal import abandon


def leave_all(*, user: User, **_signal: object) -> bool:
    """Take a person away from all tables: seats at open ones become free, bots take over in play.

    Says whether the person's row has to stay, because games that are finished or that a bot continues count for the others.
    """
    inviting.forget(user=user)
    for seat in Seat.objects.filter(user=user, table__status__in=("open", "playing")):
        services.leave_table(table_id=seat.table_id, user=user)
    Seat.objects.filter(left_user=user, is_away=True).update(is_away=False)  # the bots that kept a seat for them play on
    return Seat.objects.filter(Q(user=user) | Q(left_user=user), table__status__in=("playing", "finished")).exists()


def forget_name(*, user_id: int, old: str, new: str, **_signal: object) -> None:
    """Write a pseudonym where the logs of tables name somebody who has left."""
    tables = Table.objects.filter(Q(seats__user=user_id) | Q(seats__left_user=user_id)).values("pk")
    for record in ActionRecord.objects.filter(table__in=tables, by="leave"):
        if _renamed(record.events, old, new):
            record.save(update_fields=["events"])
    for table in Table.objects.filter(pk__in=tables).only("recent").select_for_update(no_key=True):
        renamed = [_renamed(line["e"], old, new) for line in table.recent]  # all of them, not up to the first
        if any(renamed):
            table.save(update_fields=["recent"])


def _renamed(events: list[dict[str, Any]], old: str, new: str) -> bool:
    named = [event["p"] for event in events if event.get("p", {}).get("who") == old]
    for values in named:
        values["who"] = new
    return bool(named)


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
