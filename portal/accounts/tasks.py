"""Tasks of the queue `mail`, and the daily removal of guests who left long ago."""

from __future__ import annotations

from celery import shared_task

from portal.accounts import mail, services


@shared_task(soft_time_limit=60, time_limit=90)
def deliver_mail(mail_id: int) -> bool:
    """Send one mail; a repeated task finds it already sent."""
    return mail.deliver(mail_id)


@shared_task(soft_time_limit=150, time_limit=180)
def send_due_mail() -> int:
    """Send everything that is due: what the broker lost, and what failed before."""
    return mail.deliver_due()


@shared_task(soft_time_limit=300, time_limit=330)
def remove_idle_guests() -> int:
    """Remove guests of more than 90 days who never finished a game."""
    return services.remove_idle_guests()
