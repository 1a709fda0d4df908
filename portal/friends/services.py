"""Becoming friends, and no longer being friends. Both people are locked, in the same order everywhere, so that two who ask each other at the same moment become friends once.

Nobody is told that a request was declined, or that a friendship has ended; and nobody can tell whether they are blocked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.accounts.blocks import blocks
from portal.accounts.models import User
from portal.accounts.pseudonyms import name_of
from portal.common.limits import count_use
from portal.friends import refusals, telling
from portal.friends.models import Friendship
from portal.friends.selectors import TO_ASKER_WAITS, between

MOST: Final = 500  # friends of one person, and people whom they have asked
PER_DAY: Final = 50  # requests of one person, whatever becomes of them
QUIET: Final = timedelta(days=30)  # how long asking again isn't heard by somebody who declined
State = Friendship.State


def ask(*, user: User, person: User) -> Friendship:
    """Ask a person to be friends. Somebody who has asked `user` already is accepted; asking twice is asking once.

    Raises GuestsHaveNone, IsAGuest, AsksSelf, TooManyRequests, YouBlockThem and TooManyFriends. If the person blocks `user`, it looks as if the
    request waits.
    """
    _check_account(user)
    if person.pk == user.pk:
        raise refusals.AsksSelf
    if person.is_guest:
        raise refusals.IsAGuest(name=name_of(person))
    count_use("friend-request", str(user.pk), limit=PER_DAY, window_s=86_400, refusal=refusals.TooManyRequests)
    with _both(user, person):
        row = between(user, person).first()
        if row is not None and (row.state == State.FRIENDS or (row.asker_id == user.pk and row.state in TO_ASKER_WAITS)):
            return row
        if blocks(user=user, person=person):
            raise refusals.YouBlockThem(name=name_of(person))
        _check_room(user)
        if row is not None and row.asker_id == person.pk and row.state in TO_ASKER_WAITS:
            return _become_friends(row)
        return _ask(row, user, person)


def _ask(row: Friendship | None, user: User, person: User) -> Friendship:
    """Write a request, over what is left of an earlier one."""
    now = timezone.now()
    was_declined = row is not None and row.asker_id == user.pk and row.answered_at is not None and row.answered_at > now - QUIET
    if row is None:
        row = Friendship()
    row.asker, row.asked, row.made_at = user, person, now
    if was_declined:
        row.state = State.UNHEARD  # since the moment it was declined, so that it is heard again one day
    elif blocks(user=person, person=user):
        row.state, row.answered_at = State.UNHEARD, now
    else:
        row.state, row.answered_at = State.WAITING, None
    row.save()
    if row.state == State.WAITING:
        telling.tell_asked(row, user)
    return row


def accept(*, user: User, person: User) -> Friendship:
    """Accept what a person asks. Being friends already is not an error. Raises NoSuchRequest and TooManyFriends."""
    with _both(user, person):
        row = between(user, person).first()
        if row is not None and row.state == State.FRIENDS:
            return row
        if row is None or row.asker_id != person.pk or row.state != State.WAITING:
            raise refusals.NoSuchRequest
        _check_room(user)
        return _become_friends(row)


def _become_friends(row: Friendship) -> Friendship:
    row.state, row.answered_at = State.FRIENDS, timezone.now()
    row.save(update_fields=["state", "answered_at"])
    telling.withdraw(row)
    telling.tell_accepted(row)
    return row


def decline(*, user: User, person: User) -> None:
    """Decline what a person asks; they aren't told. Raises NoSuchRequest."""
    with _both(user, person):
        row = Friendship.objects.filter(asker=person, asked=user, state=State.WAITING).first()
        if row is None:
            raise refusals.NoSuchRequest
        unhear(row)


def unhear(row: Friendship) -> None:
    """Leave a request that waits without an answer for good. The caller has locked it."""
    row.state, row.answered_at = State.UNHEARD, timezone.now()
    row.save(update_fields=["state", "answered_at"])
    telling.withdraw(row)


def withdraw(*, user: User, person: User) -> None:
    """Withdraw what `user` has asked. Raises NoSuchRequest."""
    with _both(user, person):
        row = Friendship.objects.filter(asker=user, asked=person, state__in=TO_ASKER_WAITS).first()
        if row is None:
            raise refusals.NoSuchRequest
        if row.state == State.WAITING:
            end_row(row)
        else:
            row.state = State.DROPPED
            row.save(update_fields=["state"])


def end(*, user: User, person: User) -> None:
    """End a friendship; the other person isn't told. Raises NotFriends."""
    with _both(user, person):
        row = between(user, person).filter(state=State.FRIENDS).first()
        if row is None:
            raise refusals.NotFriends(name=name_of(person))
        end_row(row)


def end_row(row: Friendship) -> None:
    """Delete a friendship or a request, with what was told of it. The caller has locked it."""
    telling.withdraw(row)
    row.delete()


@contextmanager
def _both(one: User, other: User) -> Iterator[None]:
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk__in=[one.pk, other.pk]).order_by("pk").values_list("pk"))
        yield


def _check_account(user: User) -> None:
    if user.is_guest:
        raise refusals.GuestsHaveNone


def _check_room(user: User) -> None:
    """Raise TooManyFriends if another friend or request would be too many for a person, whom the caller has locked.

    Requests count, so that whoever asks has room for everybody who accepts.
    """
    own = Q(asker=user, state__in=(*TO_ASKER_WAITS, State.FRIENDS)) | Q(asked=user, state=State.FRIENDS)
    if Friendship.objects.filter(own).count() >= MOST:
        raise refusals.TooManyFriends(limit=MOST)
