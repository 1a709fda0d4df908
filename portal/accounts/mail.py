"""Mail goes through a table and the queue `mail`, so that no page waits for a mail server and no accepted mail is lost."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F
from django.utils import timezone

from portal.accounts.models import OutgoingMail
from portal.accounts.signals import mail_leaving, mail_refused, mail_sent
from portal.common.later import later

log = logging.getLogger(__name__)
KEEP_SENT = timedelta(days=30)
FIRST_RETRY_S, LAST_RETRY_S = 60, 6 * 3600
IN_HAND = timedelta(minutes=4)  # longer than a task that sends may run


class QueuedMailBackend(BaseEmailBackend):
    """Keeps each message as a row and wakes the worker of the queue `mail` after the commit."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        return len([keep(message) for message in email_messages if message.recipients()])


def keep(message: EmailMessage) -> OutgoingMail:
    """Keep a message until it is delivered, and wake the worker after the commit."""
    row = _row_of(message)
    row.save(force_insert=True)
    later("portal.accounts.tasks.deliver_mail", row.pk)
    return row


def _row_of(message: EmailMessage) -> OutgoingMail:
    """Return the row that keeps `message`. Nothing in this portal sends attachments, copies or blind copies."""
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
    """Send one kept mail if it is still unsent and due. A failure schedules the next attempt; returns whether it was sent now.

    No transaction is open while talking to the mail server, so however slow it is, it locks no row.
    """
    row = _take(mail_id)
    if row is None:
        return False
    answers: list[tuple[Any, Any]] = mail_leaving.send(OutgoingMail, mail=row)
    if any(answer is False for _, answer in answers):
        row.delete()
        return False
    message = EmailMultiAlternatives(row.subject, row.body, row.sender, row.recipients, headers=row.headers)
    if row.html:
        message.attach_alternative(row.html, "text/html")
    message.connection = get_connection(settings.EMAIL_DELIVERY_BACKEND)
    try:
        message.send()
    except Exception as error:
        if not (_is_refusal(error) and any(dealt for _, dealt in mail_refused.send(OutgoingMail, mail=row, error=error))):
            _put_back(row, error)
        return False
    OutgoingMail.objects.filter(pk=row.pk).update(sent_at=timezone.now(), error="", body="", html="")
    mail_sent.send(OutgoingMail, mail=row)
    return True


def _is_refusal(error: Exception) -> bool:
    """Return whether the mail server said that it will never accept this recipient."""
    return isinstance(error, SMTPRecipientsRefused) and all(500 <= code < 600 for code, _ in error.recipients.values())


def _take(mail_id: int) -> OutgoingMail | None:
    """Claim a mail with one statement, so that no other worker sends it; None when there is none to claim.

    If this worker is killed, the mail is due again when the claim expires.
    """
    now = timezone.now()
    waiting = OutgoingMail.objects.filter(pk=mail_id, sent_at=None, due_at__lte=now)
    taken = waiting.update(due_at=now + IN_HAND, attempts=F("attempts") + 1)
    return OutgoingMail.objects.get(pk=mail_id) if taken else None


def _put_back(row: OutgoingMail, error: Exception) -> None:
    wait_s = min(FIRST_RETRY_S * 2 ** (row.attempts - 1), LAST_RETRY_S)
    row.error = f"{type(error).__name__}: {error}"[:300]
    row.due_at = timezone.now() + timedelta(seconds=wait_s)
    row.save(update_fields=["error", "due_at"])
    log.warning("mail %s not sent, next try in %s s: %s", row.pk, wait_s, row.error)


def deliver_due(limit: int = 100) -> int:
    """Send what is due, oldest first, and delete what was sent long ago. Returns the number of mails sent."""
    OutgoingMail.objects.filter(sent_at__lt=timezone.now() - KEEP_SENT).delete()
    due = OutgoingMail.objects.filter(sent_at__isnull=True, due_at__lte=timezone.now()).order_by("due_at")
    return sum(deliver(mail_id) for mail_id in due.values_list("pk", flat=True)[:limit])
