"""What players are told of their tables when they are not there: that it is their turn, that their time is short, that a game has started or is over.

Nobody is told of a table at which they are the only person: bots answer within seconds, and nobody else waits. Nor is the person told whose own
request led to it, because they are looking at the page. A notice that is seen on the table's page is read, so little of a game that is
played at one sitting is ever sent anywhere.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.urls import reverse

from portal.accounts.models import User
from portal.notices import outbox
from portal.notices.models import Kind
from portal.tables.loading import Loaded
from portal.tables.models import Invitation, Seat, Table
from portal.tables.pace import pace_of


def people_due(loaded: Loaded) -> frozenset[int]:
    """Return the people whose decision a running table waits for."""
    table = loaded.table
    if table.status != Table.Status.PLAYING or not _is_told(loaded):
        return frozenset()
    seats = (loaded.seats[index] for index in table.due if index >= 0)
    return frozenset(seat.user_id for seat in seats if seat.user_id is not None)


def tell_turns(loaded: Loaded, before: Collection[int], by: User | None) -> None:
    """Tell those whose turn it has become since `before`, and withdraw it for those whose turn is over. Costs one statement if there are any."""
    if not _is_told(loaded):
        return
    due = people_due(loaded)
    fresh = [person for person in due if person not in before and (by is None or person != by.pk)]
    over = [person for person in before if person not in due]
    if fresh or over:
        table = loaded.table
        bots = outbox.bots(_seated(loaded))
        pace = {"pace": str(pace_of(table.pace).kind)} if table.pace else {}  # mail waits as it fits the pace
        facts = {person: {"game": table.game, "names": _others(loaded, person)} | pace | bots for person in fresh}
        outbox.turns(table_id=table.pk, version=table.version, path=_path(table), due=facts, over=over)


def tell_start(loaded: Loaded, by: User | None) -> None:
    """Tell the players that a game has started; to those who begin it, that it is their turn says as much."""
    if not _is_told(loaded):
        return
    due = people_due(loaded)
    _tell(loaded, "started", [person for person in _people(loaded) if person not in due and (by is None or person != by.pk)])


def tell_soon(loaded: Loaded, at: datetime) -> None:
    """Remind the players that a game starts soon."""
    if _is_told(loaded):
        _tell(loaded, "soon", _people(loaded), at=at.isoformat())


def tell_end(loaded: Loaded, by: User | None) -> None:
    """Tell the players how a game has ended."""
    if not _is_told(loaded):
        return
    first = [seat for seat in loaded.seats if seat.place == 1]
    for seat in loaded.seats:
        if seat.user_id is None or (by is not None and seat.user_id == by.pk):
            continue
        if len(first) > 1:
            _tell(loaded, "shared", [seat.user_id], winners=[_name(winner) for winner in first])
        elif seat in first:
            _tell(loaded, "won", [seat.user_id])
        else:
            _tell(loaded, "lost", [seat.user_id], winners=[_name(winner) for winner in first])


def tell_left(loaded: Loaded, person: User) -> None:
    """Withdraw the turn of somebody who has left a running game; if that leaves one person, theirs too."""
    outbox.withdraw(table_id=loaded.table.pk, kind=Kind.TURN, people=[person.pk] if _is_told(loaded) else None)


def tell_time_short(loaded: Loaded, seat: int) -> None:
    """Tell the person in a seat that their clock has little left; their move withdraws it."""
    person = loaded.seats[seat].user_id
    if person is not None:
        _tell(loaded, "time_short", [person], kind=Kind.TIME)


def tell_timed_out(loaded: Loaded, person: User, *, may_return: bool) -> None:
    """Tell somebody whose clock has run out that a bot plays for them, and withdraw that it is their turn."""
    table = loaded.table
    outbox.withdraw(table_id=table.pk, kind=Kind.TURN, people=[person.pk])
    outbox.withdraw(table_id=table.pk, kind=Kind.TIME, people=[person.pk])
    _tell(loaded, "timed_out" if may_return else "timed_out_for_good", [person.pk], kind=Kind.TIME)


def tell_asked(loaded: Loaded, seat: int, missing: Collection[int]) -> None:
    """Tell those who have not answered yet that somebody asks them something at the table."""
    people = [person for index in missing if (person := loaded.seats[index].user_id) is not None]
    _tell(loaded, "asked", people, who=_name(loaded.seats[seat]))


def tell_called_off(loaded: Loaded, by: User) -> None:
    """Tell the players that all of them have ended the game without a result, and withdraw their turns."""
    outbox.withdraw(table_id=loaded.table.pk, kind=Kind.TURN, people=None)
    _tell(loaded, "called_off", [person for person in _people(loaded) if person != by.pk])


def tell_ended_by_site(loaded: Loaded) -> None:
    """Tell the players that operators have ended a game without a result, and withdraw their turns."""
    outbox.withdraw(table_id=loaded.table.pk, kind=Kind.TURN, people=None)
    outbox.withdraw(table_id=loaded.table.pk, kind=Kind.TIME, people=None)
    _tell(loaded, "ended_by_site", _people(loaded))


def tell_invitation(*, invitation: Invitation, what: str, **_signal: object) -> None:
    """Tell the invited person of an invitation, and the one who invited them of its answer; what was told before is no longer true."""
    table, to_person = invitation.table, what in ("invited", "taken_back")
    person, other = (invitation.user, invitation.by) if to_person else (invitation.by, invitation.user)
    if invitation.user_id is not None and what != "countered":
        outbox.withdraw(table_id=table.pk, kind=Kind.INVITATION, people=[invitation.user_id])
    if person is None:
        return  # an address, or somebody who is no longer here
    path = reverse("invitation", args=[invitation.pk]) if to_person else _path(table)
    facts = {"game": table.game, **(outbox.who(other) if other is not None else {"who": invitation.email})}
    outbox.tell([person.pk], kind=Kind.INVITATION, key=what, facts=facts, path=path, table_id=table.pk, version=table.version)


def _tell(loaded: Loaded, key: str, people: Collection[int], *, kind: Kind = Kind.GAME, **more: Any) -> None:
    table, bots = loaded.table, outbox.bots(_seated(loaded))
    for person in people:
        facts = {"game": table.game, "names": _others(loaded, person), **more, **bots}
        outbox.tell([person], kind=kind, key=key, facts=facts, path=_path(table), table_id=table.pk, version=table.version)


def _is_told(loaded: Loaded) -> bool:
    """Return whether at least two people sit there. Studies and lessons have one."""
    return len(_people(loaded)) > 1


def _people(loaded: Loaded) -> list[int]:
    return [seat.user_id for seat in loaded.seats if seat.user_id is not None]


def _seated(loaded: Loaded) -> list[User]:
    return [seat.user for seat in loaded.seats if seat.user is not None]


def _others(loaded: Loaded, person: int) -> list[str]:
    return [_name(seat) for seat in loaded.seats if seat.user_id != person]


def _name(seat: Seat) -> str:
    """Return the name as it is stored: `sentences.py` marks bot accounts in the language of each reader."""
    return seat.user.username if seat.user is not None else seat.bot_name


def _path(table: Table) -> str:
    return reverse("table", args=[table.pk])
