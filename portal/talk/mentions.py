"""Whom a line mentions: `@name` of somebody who sits at the table, or has talked there."""

from __future__ import annotations

import re
from typing import Final

from django.urls import reverse

from portal.accounts.blocks import who_block
from portal.accounts.models import User
from portal.notices import outbox
from portal.notices.models import Kind, Notice
from portal.tables.access import may_see
from portal.tables.loading import Loaded
from portal.talk.models import Line, Listener, Room
from portal.talk.rooms import rooms_for

MOST: Final = 6  # people whom one line can mention: a full table
_NAME: Final = re.compile(r"(?<![\w@.-])@(\w[\w.-]*)")


def names_in(text: str) -> list[str]:
    """Return the names that a text mentions, in capitals as names are compared, each without what ends a sentence.

    >>> names_in("@Bob, ask @al.ice... not me@example.org")
    ['BOB', 'AL.ICE']
    """
    found = [name.rstrip(".-_").upper() for name in _NAME.findall(text)]
    return list(dict.fromkeys(found))[:MOST]


def tell(loaded: Loaded, line: Line, by: User) -> None:
    """Tell the people whom a new line mentions, once until they have read it.

    Nobody is told who may not read the line, has muted the table or blocks the writer.
    """
    names = names_in(line.text)
    if not names:
        return
    people = {seat.user.pk: seat.user for seat in loaded.seats if seat.user is not None}
    people |= {seat.left_user.pk: seat.left_user for seat in loaded.seats if seat.is_away and seat.left_user is not None}
    talked = Line.objects.filter(table=loaded.table, writer__isnull=False).order_by().values("writer").distinct()
    people |= {person.pk: person for person in User.objects.filter(pk__in=talked, is_active=True)}
    meant = [person for person in people.values() if person.username.upper() in names and person.pk != by.pk]
    meant = [person for person in meant if may_see(loaded, person) and Room(line.room) in rooms_for(loaded, person).read]
    if not meant:
        return
    ids = {person.pk for person in meant}
    table = loaded.table
    deaf = who_block(by, ids) | set(Listener.objects.filter(table=table, user__in=ids, is_muted=True).values_list("user_id", flat=True))
    told = Notice.objects.filter(user__in=ids, table_id=table.pk, kind=Kind.MENTION, read_at=None, withdrawn_at=None)
    outbox.tell(
        ids - deaf - set(told.values_list("user_id", flat=True)),
        kind=Kind.MENTION,
        key="at_table",
        path=reverse("table-talk", args=[table.pk]),
        facts={"game": table.game, **outbox.who(by)},
        table_id=table.pk,
    )
