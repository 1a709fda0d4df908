"""A rematch: another table like a finished one, with the same bots, to which the same people are invited."""

from __future__ import annotations

from contextlib import suppress

from django.db import transaction

from portal.accounts.blocks import who_block
from portal.accounts.models import User
from portal.clubs.models import Membership
from portal.tables import invited, inviting, refusals, services
from portal.tables.access import load_for
from portal.tables.loading import Loaded, load
from portal.tables.models import Table
from portal.tables.pace import pace_of
from portal.tables.services import Bot, Sitter


def rematch(*, table_id: int, user: User) -> Table:
    """Return the table of the rematch: `user` sits there, and the other people of the finished game are invited.

    Whoever asks first opens it; the others take their seats there, unless its settings have changed since: then they have to agree on its
    page. Of several at the same moment, one opens it, because the finished table is locked. People whose seat a bot took over are not invited, nor
    those who take no invitations, nor bots whose rules forbid it.

    Raises TableNotFound, NoSeatHere, NoRematch, TooManyInvitations, and whatever opening and joining a table raises.
    """
    with transaction.atomic():
        old = load_for(table_id, user, lock=True)
        old.require_seat(user)
        if old.table.status != Table.Status.FINISHED or old.table.position is not None:
            raise refusals.NoRematch
        there = Table.objects.filter(rematch_of=old.table, status=Table.Status.OPEN).order_by("-pk").first()
        return _open(old, user) if there is None else _sit_down(old, there, user)


def _open(old: Loaded, user: User) -> Table:
    table = old.table
    people = [seat.user for seat in old.seats if seat.user is not None and seat.user_id != user.pk and seat.user.is_active]
    if table.club_id is not None:
        members = set(Membership.objects.filter(club=table.club_id, user__in=people).values_list("user_id", flat=True))
        people = [person for person in people if person.pk in members]
    deaf = who_block(user, [person.pk for person in people])
    people = [person for person in people if person.takes_invitations and person.pk not in deaf]
    inviting.check_day(user, len(people))
    sitters: list[Sitter] = [
        Bot(seat.bot_level, seat.bot_name) if seat.bot_level else user if seat.user_id == user.pk else None for seat in old.seats
    ]
    loaded = services.open_table(
        game_key=table.game,
        sitters=sitters,
        options=table.options,
        owner=user,
        club=table.club,
        is_rated=table.is_rated,
        privacy=table.privacy,
        pace=pace_of(table.pace),
        rematch_of=table,
    )
    for person in sorted(people, key=lambda one: one.is_bot):  # bots last: one that sits down changes what is stored of the table
        with suppress(refusals.ChallengeRefused):
            inviting.add_person(loaded, invited.open_invitations(loaded.table), by=user, person=person)
    return Table.objects.get(pk=loaded.table.pk) if any(person.is_bot for person in people) else loaded.table


def _sit_down(old: Loaded, there: Table, user: User) -> Table:
    new = load(there.pk, lock=True)
    if new.seat_of(user) is None and inviting.terms_of(new.table) == inviting.terms_of(old.table):
        services.join_table(table_id=new.table.pk, user=user)
    return new.table
