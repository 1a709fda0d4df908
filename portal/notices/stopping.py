"""Links that stop mail with one click, without signing in. They are signed, and can do nothing else."""

from __future__ import annotations

from django.core import signing
from django.db import transaction

from portal.accounts.models import User
from portal.notices.models import CHOSEN, Channel, Kind, Reach
from portal.notices.reach import channels_of
from portal.notices.refusals import DeadLink

SALT = "portal.notices.stop"


def stop_token(user: User, kind: str) -> str:
    """Return the token of a link that stops mail about a kind; about everything if it is empty."""
    return signing.dumps([user.pk, kind], salt=SALT)


def read_stop_token(token: str) -> tuple[int, Kind | None]:
    """Return the person and the kind (None: all). Raises DeadLink."""
    try:
        person, kind = signing.loads(token, salt=SALT)
        return int(person), Kind(kind) if kind else None
    except (signing.BadSignature, ValueError, TypeError):
        raise DeadLink from None


@transaction.atomic
def stop_mail(person: int, kind: Kind | None) -> None:
    """Send a person no more mail about a kind, or about anything. Somebody who is gone gets none anyway."""
    user = User.objects.filter(pk=person).first()
    if user is None:
        return
    reach, _ = Reach.objects.select_for_update().get_or_create(user=user)
    for each in CHOSEN:
        left = channels_of(reach, each) - ({Channel.MAIL} if kind in (None, Kind.TEST, each) else set())
        reach.choices[each] = sorted(left)
    reach.save(update_fields=["choices"])
