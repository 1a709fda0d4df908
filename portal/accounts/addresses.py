"""Whoever gives another email address is told so at the old one: the person may not be the one who did it."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.signals import email_changed
from django.dispatch import receiver
from django.http import HttpRequest
from django.urls import reverse


@receiver(email_changed, dispatch_uid="old address")
def tell_old_address(
    *, request: HttpRequest, user: Any, from_email_address: EmailAddress | None, to_email_address: EmailAddress, **_signal: object
) -> None:
    """Send a mail to the address that was replaced, once the new one is confirmed."""
    if from_email_address is not None and from_email_address.email != to_email_address.email:
        get_adapter(request).send_mail(
            "account/email/address_changed",
            from_email_address.email,
            {"user": user, "settings_url": request.build_absolute_uri(reverse("settings"))},
        )
