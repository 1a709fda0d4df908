"""Whom a person wants to hear nothing from, and whether they take invitations at all.

To somebody who is blocked, everything looks as it does at a person who takes no invitations: nothing tells them that they are blocked.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import QuerySet

from portal.accounts import refusals
from portal.accounts.models import Block, User
from portal.accounts.signals import person_blocked

MOST: Final = 500  # people whom one person blocks


def block(*, user: User, person: User) -> None:
    """Let `user` hear nothing from `person` any longer. Twice is once. Raises BlocksSelf and TooManyBlocks."""
    if user.pk == person.pk:
        raise refusals.BlocksSelf
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        blocks = Block.objects.filter(user=user)
        if blocks.filter(blocked=person).exists():
            return
        if blocks.count() >= MOST:
            raise refusals.TooManyBlocks
        Block.objects.create(user=user, blocked=person)
        person_blocked.send(User, user=user, person=person)


def unblock(*, user: User, person_id: int) -> None:
    """Let `user` hear from a person again; if they don't block them, nothing happens."""
    Block.objects.filter(user=user, blocked=person_id).delete()


def blocked_by(user: User) -> QuerySet[Block]:
    """Return whom a person blocks, by name."""
    return Block.objects.filter(user=user).select_related("blocked").order_by("blocked__username")


def ids_blocked_by(user: User | None) -> QuerySet[Block, int]:
    """Return the ids of the people whom a person blocks, for use within a statement."""
    return Block.objects.filter(user=user.pk if user is not None else 0).values_list("blocked_id", flat=True)


def blocks(*, user: User, person: User) -> bool:
    """Say whether `user` blocks `person`."""
    return Block.objects.filter(user=user, blocked=person).exists()


def who_block(person: User, among: Collection[int]) -> set[int]:
    """Return those of some people who block `person`."""
    return set(Block.objects.filter(user__in=among, blocked=person).values_list("user_id", flat=True))


def hears_at(address: str, person: User) -> bool:
    """Say whether mail on behalf of `person` may go to an address: not if somebody blocks them who has shown that it is theirs."""
    owners = EmailAddress.objects.filter(email__iexact=address, verified=True).values("user")
    return not Block.objects.filter(blocked=person, user__in=owners).exists()


def may_invite(person: User, user: User) -> bool:
    """Say whether `person` may invite `user` to a game."""
    return user.takes_invitations and not blocks(user=user, person=person)
