"""Mail goes through a table and the queue `mail`: a page never waits for a mail server, and nothing accepted is lost."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils import timezone

from portal.accounts.models import OutgoingMail

log = logging.getLogger(__name__)
KEEP_SENT = timedelta(days=30)
FIRST_RETRY_S, LAST_RETRY_S = 60, 6 * 3600


class QueuedMailBackend(BaseEmailBackend):
    """Keeps each message as a row and wakes the worker of the queue `mail` after the commit."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        rows = [_row_of(message) for message in email_messages if message.recipients()]
        OutgoingMail.objects.bulk_create(rows)
        for row in rows:
            transaction.on_commit(_waker(row.pk), robust=True)
        return len(rows)


def _waker(mail_id: int):  # type: ignore[no-untyped-def]
    def wake() -> None:
        from portal.accounts.tasks import deliver_mail

        try:
            deliver_mail.apply_async((mail_id,), retry=False)
        except Exception as error:  # the broker is away: the periodic task finds the row
            log.warning("mail %s waits for the broker: %s", mail_id, error)

    return wake


def _row_of(message: EmailMessage) -> OutgoingMail:
    """Return the row that keeps `message`. Attachments, copies and blind copies have no sender in this portal."""
    if message.attachments or message.cc or message.bcc:
        raise ValueError("the portal sends mail without attachments and copies")
    html = "".join(str(part) for part, kind in getattr(message, "alternatives", ()) if kind == "text/html")
    return OutgoingMail(
        sender=message.from_email,
        recipients=list(message.to),
        subject=str(message.subject),
        body=str(message.body),
        html=html,
        headers=dict(message.extra_headers),
        due_at=timezone.now(),
    )


def deliver(mail_id: int) -> bool:
    """Send one kept mail if it is still unsent and due. A failure sets the next try; returns whether it was sent now."""
    with transaction.atomic():
        row = (
            OutgoingMail.objects.select_for_update(skip_locked=True)
            .filter(pk=mail_id, sent_at__isnull=True, due_at__lte=timezone.now())
            .first()
        )
        if row is None:
            return False
        message = EmailMultiAlternatives(row.subject, row.body, row.sender, row.recipients, headers=row.headers)
        if row.html:
            message.attach_alternative(row.html, "text/html")
        message.connection = get_connection(settings.EMAIL_DELIVERY_BACKEND)
        row.attempts += 1
        try:
            message.send()
        except Exception as error:
            wait_s = min(FIRST_RETRY_S * 2 ** (row.attempts - 1), LAST_RETRY_S)
            row.error = f"{type(error).__name__}: {error}"[:300]
            row.due_at = timezone.now() + timedelta(seconds=wait_s)
            row.save(update_fields=["attempts", "error", "due_at"])
            log.warning("mail %s not sent, next try in %s s: %s", row.pk, wait_s, row.error)
            return False
        row.sent_at, row.error = timezone.now(), ""
        row.body = row.html = ""
        row.save(update_fields=["attempts", "error", "sent_at", "body", "html"])
        return True


def deliver_due(limit: int = 100) -> int:
    """Send what is due, oldest first, and forget what was sent long ago. Returns the number of mails sent."""
    OutgoingMail.objects.filter(sent_at__lt=timezone.now() - KEEP_SENT).delete()
    due = OutgoingMail.objects.filter(sent_at__isnull=True, due_at__lte=timezone.now()).order_by("due_at")
    return sum(deliver(mail_id) for mail_id in due.values_list("pk", flat=True)[:limit])
