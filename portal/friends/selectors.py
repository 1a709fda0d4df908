"""A person's friends and requests, as that person may know them. People whose accounts are closed are left out everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Case, F, Q, QuerySet, When

from portal.accounts.models import User
from portal.friends.models import Friendship

State = Friendship.State
TO_ASKER_WAITS = (State.WAITING, State.UNHEARD)


class Tie(StrEnum):
    """What another person is to somebody, as that somebody may know it."""

    NONE = ""
    FRIENDS = "friends"
    ASKED = "asked"  # by the reader, no answer yet
    ASKS = "asks"  # the other person waits for the reader's answer


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a list of friends or requests. `id` is that of the friendship; `since` is when they became friends, or one asked."""

    id: int
    user_id: int
    name: str
    is_bot: bool
    shows_presence: bool
    since: datetime


@dataclass(frozen=True, slots=True)
class Circle:
    """A person's friends, those who ask them, and those whom they have asked, by name."""

    friends: list[Person]
    asking: list[Person]
    asked: list[Person]


def between(one: User, other: User) -> QuerySet[Friendship]:
    """Return what there is between two people: one row at most."""
    return Friendship.objects.filter(Q(asker=one, asked=other) | Q(asker=other, asked=one))


def tie(user: User, other: User) -> Tie:
    """Return what `other` is to `user`, as `user` may know it. One statement."""
    row = between(user, other).first()
    return Tie.NONE if row is None else _tie(row, user)


def _tie(row: Friendship, user: User) -> Tie:
    if row.state == State.FRIENDS:
        return Tie.FRIENDS
    if row.asker_id == user.pk:
        return Tie.ASKED if row.state in TO_ASKER_WAITS else Tie.NONE
    return Tie.ASKS if row.state == State.WAITING else Tie.NONE


def circle_of(user: User) -> Circle:
    """Return a person's friends and requests, by name. One statement."""
    rows = Friendship.objects.filter(Q(asker=user) | Q(asked=user)).exclude(state=State.DROPPED).select_related("asker", "asked")
    by_tie: dict[Tie, list[Person]] = {one: [] for one in Tie}
    for row in rows:
        other = row.asked if row.asker_id == user.pk else row.asker
        if other.is_active:
            since = (row.answered_at if row.state == State.FRIENDS else None) or row.made_at
            by_tie[_tie(row, user)].append(Person(row.pk, other.pk, other.username, other.is_bot, other.shows_presence, since))
    return Circle(by_name(by_tie[Tie.FRIENDS]), by_name(by_tie[Tie.ASKS]), by_name(by_tie[Tie.ASKED]))


def by_name(people: Iterable[Person]) -> list[Person]:
    return sorted(people, key=lambda one: one.name.casefold())


def friend_ids(user: User) -> QuerySet[Friendship, int]:
    """Return the ids of a person's friends, for use within a statement."""
    other = Case(When(asker=user.pk, then=F("asked_id")), default=F("asker_id"))
    return Friendship.objects.filter(Q(asker=user) | Q(asked=user), state=State.FRIENDS).values_list(other, flat=True)
