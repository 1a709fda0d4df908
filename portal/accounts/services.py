"""What changes people: guests come, become accounts, and go."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from rest_framework.authtoken.models import Token

from portal.accounts.models import User
from portal.common.limits import allow

GUEST_PREFIX = "guest-"  # no account may take a name that begins so
GUESTS_PER_HOUR = 10
GUEST_DAYS = 90
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class TooManyGuests(Exception):
    """This address has made as many guests as it may in an hour."""


def create_guest(*, address: str, language: str = "", time_zone: str = "Europe/Budapest") -> User:
    """Return a new guest. Raises TooManyGuests above 10 an hour from one address."""
    if not allow("guest", address, limit=GUESTS_PER_HOUR, window_s=3600):
        raise TooManyGuests
    while True:
        user = User(
            username=GUEST_PREFIX + "".join(secrets.choice(_LETTERS) for _ in range(5)),
            is_guest=True,
            language=language,
            time_zone=time_zone,
        )
        user.set_unusable_password()
        try:
            with transaction.atomic():
                user.save(force_insert=True)
            return user
        except IntegrityError:  # the name is taken: draw another
            continue


@transaction.atomic
def claim_guest(*, user: User, username: str, password: str, email: str = "") -> User:
    """Turn a guest into an account: the row stays, so its games and ratings stay with it."""
    user.username, user.email, user.is_guest = username, email, False
    user.set_password(password)
    user.save(update_fields=["username", "email", "is_guest", "password"])
    return user


@transaction.atomic
def delete_guest(*, user: User) -> None:
    """Remove a guest for good. Bots take over its seats at tables in play; open tables get the seat back.

    A guest with finished games, also such that a bot ended or still plays on, keeps an empty, closed row: the ratings of the
    others are reckoned against it.
    """
    from portal.tables import services as tables
    from portal.tables.models import Seat

    if not user.is_guest:
        raise ValueError("only guests are deleted this way")
    for seat in Seat.objects.filter(user=user, table__status__in=("open", "playing")):
        tables.leave_table(table_id=seat.table_id, user=user)
    counts = Seat.objects.filter(Q(user=user) | Q(left_user=user), table__status__in=("playing", "finished")).exists()
    Token.objects.filter(user=user).delete()
    if counts:
        user.is_active = False
        user.save(update_fields=["is_active"])
    else:
        user.delete()


def renew_token(*, user: User) -> str:
    """Return a new API token; the old one ends at once."""
    with transaction.atomic():
        Token.objects.filter(user=user).delete()
        return str(Token.objects.create(user=user).key)


def remove_token(*, user: User) -> None:
    """End the API token, if there is one."""
    Token.objects.filter(user=user).delete()


def remove_idle_guests() -> int:
    """Remove guests older than 90 days who have no finished game. Returns how many."""
    limit = timezone.now() - timedelta(days=GUEST_DAYS)
    idle = User.objects.filter(is_guest=True, date_joined__lt=limit).exclude(seats__table__status="finished")
    idle = idle.exclude(left_seats__table__status="finished")
    removed = 0
    for user in idle.iterator(chunk_size=200):
        delete_guest(user=user)
        removed += 1
    return removed
