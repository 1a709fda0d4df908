"""What becomes of friendships and requests when somebody blocks a person, or goes for good."""

from __future__ import annotations

from django.db.models import Q

from portal.accounts.models import User
from portal.friends.models import Friendship
from portal.friends.selectors import between
from portal.friends.services import end_row, unhear


def part(*, user: User, person: User, **_signal: object) -> None:
    """End what there is between two people of whom `user` has just blocked `person`, to whom their own request seems to wait."""
    for row in between(user, person).select_for_update():
        if row.state == Friendship.State.FRIENDS or row.asker_id == user.pk:
            end_row(row)
        elif row.state == Friendship.State.WAITING:
            unhear(row)


def leave(*, user: User, **_signal: object) -> bool:
    """Delete the friendships and requests of somebody who goes for good, with what others were told of them. Says that no row has to stay."""
    for row in Friendship.objects.filter(Q(asker=user) | Q(asked=user)):
        end_row(row)
    return False
