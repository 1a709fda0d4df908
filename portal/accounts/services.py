"""What changes people: guests arrive, become accounts, and leave."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.accounts.deleting import delete_person
from portal.accounts.models import ApiToken, User
from portal.accounts.names import GUEST_PREFIX
from portal.accounts.refusals import TooManyGuests
from portal.accounts.tokens import digest_of, new_token
from portal.common.limits import count_use

GUESTS_PER_HOUR = 10
GUEST_DAYS = 90
SIGN_IN_TOKENS = 10  # of one person that work at the same time, for programs that sign in each time they start
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def create_guest(*, address: str, language: str = "", time_zone: str = "Europe/Budapest") -> User:
    """Return a new guest. Raises TooManyGuests above 10 an hour from one address."""
    count_use("guest", address, limit=GUESTS_PER_HOUR, window_s=3600, refusal=TooManyGuests)
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


def delete_guest(*, user: User) -> None:
    """Remove a guest for good (`delete_person`), whose name stays at games that count for others."""
    if not user.is_guest:
        raise ValueError("only guests are deleted this way")
    delete_person(user=user)


@transaction.atomic
def token_for_sign_in(*, user: User) -> str:
    """Return another API token, with all scopes, for a program that knows name and password. Of these the newest ten work, and those of the settings."""
    User.objects.select_for_update().get(pk=user.pk)
    token = new_token()
    ApiToken.objects.create(user=user, digest=digest_of(token), by_sign_in=True, used_at=timezone.now())
    of_sign_ins = ApiToken.objects.filter(user=user, by_sign_in=True).order_by("-pk")
    ApiToken.objects.filter(pk__in=list(of_sign_ins.values_list("pk", flat=True)[SIGN_IN_TOKENS:])).delete()
    return token


def remove_idle_guests() -> int:
    """Remove guests older than 90 days who have no finished game; return how many."""
    limit = timezone.now() - timedelta(days=GUEST_DAYS)
    idle = User.objects.filter(is_guest=True, date_joined__lt=limit).exclude(seats__table__status="finished")
    idle = idle.exclude(left_seats__table__status="finished")
    removed = 0
    for user in idle.iterator(chunk_size=200):
        delete_guest(user=user)
        removed += 1
    return removed
