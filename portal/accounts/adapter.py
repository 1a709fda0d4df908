"""How the portal's sign-up and mail differ from allauth's defaults."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from allauth.account import app_settings as account_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse

from portal.accounts import names
from portal.common.limits import client_address
from portal.common.refusals import BadValue


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Names fit on a seat panel, nobody takes a guest's or a bot's name, and mail goes through the queue."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        current = getattr(self.request, "user", None)
        is_guest = current is not None and current.is_authenticated and current.is_guest
        try:
            return names.new_name(username, guest=current if is_guest else None, may_be_taken=shallow)
        except BadValue as refusal:
            raise ValidationError(str(refusal)) from None

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail whose links lead to BASE_URL, whatever host the request was addressed to."""
        home = urlsplit(settings.BASE_URL)
        links = {
            name: urlsplit(value)._replace(scheme=home.scheme, netloc=home.netloc).geturl()
            for name, value in context.items()
            if name.endswith("_url")
        }
        super().send_mail(template_prefix, email, {**context, **links, "current_site": SimpleNamespace(domain=home.netloc)})

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Say whether somebody has to show again who they are; a sign-in some minutes ago counts too."""
        now = time.time()
        seen = get_authentication_records(self.request, self.request.user)
        if any(now - record["at"] < account_settings.REAUTHENTICATION_TIMEOUT for record in seen):
            return False
        return bool(super().is_reauthentication_required(app=app, **kwargs))

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return how somebody can show it. Whoever has a second factor needs it: the password alone would be enough to remove it."""
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [way for way in ways if way["id"] != "reauthenticate"] or ways

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("settings")

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        return reverse("settings") if self.request.user.is_authenticated else reverse("account_login")
