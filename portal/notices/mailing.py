"""Notices by mail. All that is due for a person goes out in one mail, through the queue of mail, and is looked at once more right before it leaves.

The mail and the mark on its deliveries are one transaction, so each is handed over once. Until the server has accepted it, a move
or a look at the page can still withdraw it.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from email.utils import parseaddr

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from portal.accounts import mail as queue
from portal.accounts.models import OutgoingMail, User
from portal.notices.models import Channel, Delivery, Kind, Notice, Reach
from portal.notices.reach import address_of, after_quiet, zone_of
from portal.notices.sentences import sentence
from portal.notices.stopping import stop_token

MOST_LINES = 50  # of one mail; the inbox has the rest


def send_due() -> int:
    """Hand over the mail of everybody for whom something is due; return how many mails that were."""
    due = Delivery.objects.filter(channel=Channel.MAIL, status=Delivery.Status.WAITING, due_at__lte=timezone.now())
    people = list(due.order_by("user").values_list("user", flat=True).distinct())
    return sum(_mail_to(person) for person in people)


@transaction.atomic
def _mail_to(person: int) -> bool:
    """Hand over what is due for a person, in one mail; return whether there was any. Another worker leaves the rows alone meanwhile."""
    now = timezone.now()
    waiting = Delivery.objects.filter(user=person, channel=Channel.MAIL, status=Delivery.Status.WAITING, due_at__lte=now)
    rows = list(waiting.select_for_update(skip_locked=True, of=("self",)).select_related("notice", "user").order_by("notice__made_at"))
    if not rows:
        return False
    user, reach = rows[0].user, Reach.objects.filter(user=person).first()
    rows = _still_live(rows)
    rows = [row for row in rows if not _is_held(row, user, reach)]
    address = address_of(user)
    if not address or (reach is not None and reach.mail_off_at is not None):
        _drop(rows, "off")
        return False
    if not rows:
        return False
    kept = queue.keep(_message(user, address, rows))
    Delivery.objects.filter(pk__in=[row.pk for row in rows]).update(status=Delivery.Status.HANDED, mail=kept)
    # From here on another turn at the table is another notice.
    Notice.objects.filter(pk__in=[row.notice_id for row in rows]).update(is_unsent=False)
    return True


def _still_live(rows: Sequence[Delivery]) -> list[Delivery]:
    """Return those that still say what is so; the others are dropped."""
    for row in rows:
        if not row.is_live:
            _drop([row], row.why_stale)
    return [row for row in rows if row.is_live]


def _is_held(row: Delivery, user: User, reach: Reach | None) -> bool:
    """Put off what would come in quiet hours, which may have changed since it was planned."""
    free = after_quiet(reach, user, Kind(row.notice.kind), now := timezone.now())
    if free > now:
        Delivery.objects.filter(pk=row.pk).update(due_at=free, is_held=True)
    return free > now


def _drop(rows: Sequence[Delivery], why: str) -> None:
    keys = [row.pk for row in rows]
    Delivery.objects.filter(pk__in=keys).update(status=Delivery.Status.DROPPED, why=why, done_at=timezone.now(), mail=None)


def _message(user: User, address: str, rows: Sequence[Delivery]) -> EmailMultiAlternatives:
    """Return the mail, in the reader's language and time zone."""
    with translation.override(user.language or "en"), timezone.override(zone_of(user)):
        lines = [
            {"text": sentence(row.notice), "url": settings.BASE_URL + reverse("notice", args=[row.notice_id])} for row in rows[:MOST_LINES]
        ]
        subject = lines[0]["text"].rstrip(".") if len(rows) == 1 else _("%(n)s notices") % {"n": len(rows)}
        kinds = {row.notice.kind for row in rows}
        stop = settings.BASE_URL + reverse("notices-stop", args=[stop_token(user, kinds.pop() if len(kinds) == 1 else "")])
        context = {
            "name": user.username,
            "lines": lines,
            "more": len(rows) - len(lines),
            "inbox": settings.BASE_URL + reverse("notices"),
            "settings": settings.BASE_URL + reverse("notices-settings"),
            "stop": stop,
            "language": translation.get_language(),
        }
        message = EmailMultiAlternatives(
            f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{' '.join(subject.split())}",
            render_to_string("notices/mail.txt", context),
            to=[address],
            headers={
                "Message-ID": f"<{uuid.uuid4()}@{parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition('@')[2] or 'localhost'}>",
                "List-Unsubscribe": f"<{stop}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                "Auto-Submitted": "auto-generated",
            },
        )
        message.attach_alternative(render_to_string("notices/mail.html", context), "text/html")
    return message


# What the queue of mail says


@transaction.atomic
def is_wanted(*, mail: OutgoingMail, **_signal: object) -> bool | None:
    """Say whether a mail about to leave is still right; None if it has no notices. If only some of them are, they go out in another one."""
    rows = list(Delivery.objects.filter(mail=mail).select_for_update(of=("self",)).select_related("notice"))
    if not rows or all(row.is_live for row in rows):
        return None
    left = _still_live(rows)
    Delivery.objects.filter(pk__in=[row.pk for row in left]).update(status=Delivery.Status.WAITING, mail=None, due_at=timezone.now())
    return False


def mark_sent(*, mail: OutgoingMail, **_signal: object) -> None:
    """Note that a mail has left the site."""
    Delivery.objects.filter(mail=mail).exclude(status=Delivery.Status.SENT).update(status=Delivery.Status.SENT, done_at=timezone.now())


@transaction.atomic
def switch_off(*, mail: OutgoingMail, error: Exception, **_signal: object) -> bool:
    """Send nothing more to an address that its server will never accept, and say so in the inbox. Returns False if the mail had no notices."""
    rows = list(Delivery.objects.filter(mail=mail).select_related("user"))
    if not rows:
        return False
    now = timezone.now()
    why = f"{type(error).__name__}: {error}"[:300]
    Reach.objects.update_or_create(user=rows[0].user, defaults={"mail_off_at": now, "mail_error": why})
    Delivery.objects.filter(mail=mail).update(status=Delivery.Status.FAILED, why="refused", done_at=now, mail=None)
    mail.delete()
    return True
