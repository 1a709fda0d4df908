"""How people go for good. Their finished games stay for the others, under a pseudonym; everything else that is theirs is deleted."""

from __future__ import annotations

import secrets
from typing import Any, Final, cast

from axes.models import AccessAttempt
from django.db import models, transaction
from django.utils import timezone

from portal.accounts import sign_ins
from portal.accounts.models import OutgoingMail, User
from portal.accounts.pseudonyms import DELETED_PREFIX
from portal.accounts.signals import person_forgotten, person_leaving

# Labels of models whose rows would go with a person's, but count for others: they stay, as the games do. Their apps add them.
KEPT: Final[set[str]] = set()
_BLANK: Final = (
    "first_name", "last_name", "email", "language", "time_zone", "quiet_from", "quiet_to", "theme", "confirm", "hotkeys", "list_first",
    "pace", "sound", "volume", "colours", "pieces", "board_size", "log_detail", "takes_invitations", "shows_presence", "shows_watching", "last_login", "is_staff",
    "is_superuser",
)  # fmt: skip


@transaction.atomic
def delete_person(*, user: User) -> None:
    """Delete an account or a guest. Bots take over the seats in play; seats at open tables become free, and clubs are left.

    Somebody with finished games, including those that a bot ended or still plays, keeps an empty, closed row under a pseudonym, because
    the others' ratings are calculated against it; a second call deletes the row once no such game is left. Raises what a receiver of
    `person_leaving` does, such as StillOwner, and then changes nothing.
    """
    found = User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()
    if found is None:
        return
    old, address = found.username, found.email
    sign_ins.end_all(found)
    has_to_stay = [stays for _, stays in person_leaving.send(User, user=found)]
    new = old if found.is_guest or not found.is_active else _pseudonym(found)  # the name of a guest is a pseudonym
    AccessAttempt.objects.filter(username__in=[old.lower(), address.lower() or old.lower()]).delete()
    if address:
        OutgoingMail.objects.filter(recipients__contains=[address]).delete()
    if not any(has_to_stay):
        found.delete()
    elif found.is_active:
        _empty(found, new)
    if new != old:
        person_forgotten.send(User, user_id=user.pk, old=old, new=new)


def _pseudonym(user: User) -> str:
    name = f"{DELETED_PREFIX}{user.pk}"
    while User.objects.filter(username__iexact=name).exists():  # somebody may have taken it before such names were reserved
        name = f"{DELETED_PREFIX}{secrets.randbelow(10**9)}"
    return name


def _empty(user: User, name: str) -> None:
    """Close the row, and delete what belongs to the person alone."""
    for row in _owned():
        row.related_model._base_manager.filter(**{row.field.name: user.pk}).delete()
    blank = User()
    for field in _BLANK:
        setattr(user, field, blank.__dict__[field])
    user.username, user.is_active = name, False
    if not user.is_guest:
        user.date_joined = timezone.now()
    user.set_unusable_password()  # so no session or link that resets the password is good any longer
    user.save()


def _owned() -> list[Any]:
    """Return the relations to rows that would be deleted with a person's, apart from `KEPT`: a new model is among them by itself."""
    return [
        row
        for row in cast(list[Any], User._meta.get_fields(include_hidden=True))
        if getattr(row, "on_delete", None) is models.CASCADE and row.related_model._meta.label not in KEPT
    ]
