"""What the portal asks of allauth beyond its defaults."""

from __future__ import annotations

import re
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.accounts.services import GUEST_PREFIX
from portal.common.limits import client_address

MAX_NAME = 24
_NAME = re.compile(r"[^\W_](?:[\w.-]*[^\W_])?")


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Names fit on a seat panel, nobody is called like a guest or a bot, and mail goes through the queue."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name = " ".join(username.split())
        if not 2 <= len(name) <= MAX_NAME or not _NAME.fullmatch(name):
            raise ValidationError(
                _("A name has 2 to 24 letters, digits, full stops, hyphens or underscores, and begins and ends with a letter or digit.")
            )
        if name.lower().startswith(GUEST_PREFIX):
            raise ValidationError(_("Names that begin with “guest-” are kept for guests."))
        taken = User.objects.filter(username__iexact=name)
        current = getattr(self.request, "user", None)
        if current is not None and current.is_authenticated and current.is_guest:
            taken = taken.exclude(pk=current.pk)
        if not shallow and taken.exists():
            raise ValidationError(_("This name is taken."))
        return name

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("settings")

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        return reverse("settings") if self.request.user.is_authenticated else reverse("account_login")
