"""What people are told of friends: that somebody asks, and that somebody has accepted. Nothing else."""

from __future__ import annotations

from django.urls import reverse

from portal.accounts.models import User
from portal.friends.models import Friendship
from portal.notices import outbox
from portal.notices.models import Kind


def path_of(row: Friendship) -> str:
    """Return the place of a friendship on the page of friends."""
    return f"{reverse('friends')}#friend-{row.pk}"


def tell_asked(row: Friendship, asker: User) -> None:
    """Tell the asked person."""
    outbox.tell([row.asked_id], kind=Kind.FRIEND, key="asked", facts=outbox.who(asker), path=path_of(row))


def tell_accepted(row: Friendship) -> None:
    """Tell the person who asked."""
    outbox.tell([row.asker_id], kind=Kind.FRIEND, key="accepted", facts=outbox.who(row.asked), path=path_of(row))


def withdraw(row: Friendship) -> None:
    """Withdraw what either was told: it was answered, or is no longer so."""
    outbox.withdraw(kind=Kind.FRIEND, people=[row.asker_id, row.asked_id], path=path_of(row))
