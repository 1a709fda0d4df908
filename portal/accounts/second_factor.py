"""Signing in with a second factor: codes of an app, recovery codes, and passkeys. django-allauth does it; this is what differs from its defaults.

An app's code counts once: the number of its half-minute is kept with the key, in the database. allauth keeps used codes in the cache, for
a shorter time than a code is accepted, and takes no code at all while the cache is down.
"""

from __future__ import annotations

import base64
import secrets
import time
from io import BytesIO
from typing import Any, Final, cast

import segno
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa import app_settings, signals
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from allauth.mfa.utils import decrypt
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.accounts.models import User

Type = Authenticator.Type
ASKED: Final = (Type.TOTP, Type.WEBAUTHN)  # with one of these, sign-in asks for a second factor; recovery codes alone never do
_SITE: Final = "Ziggurat"


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Our sentences; names instead of addresses in apps and browsers; keys encrypted in the database."""

    error_messages: Final = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy("That code isn't right, or it has been used already. Enter a new one."),
        "cannot_generate_recovery_codes": gettext_lazy("You don't need recovery codes before you have an app or a passkey."),
    }

    def _get_user_identifier(self, user: Any) -> str:
        return str(user.username)

    def _get_site_name(self) -> str:
        return _SITE

    def build_totp_svg(self, url: str) -> str:
        """Return a key as a QR code. Nothing caches it, unlike the links of tables."""
        out = BytesIO()
        segno.make_qr(url, error="m").save(out, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, svgns=True, xmldecl=False)
        return out.getvalue().decode()

    def generate_authenticator_name(self, user: Any, type: Authenticator.Type) -> str:  # noqa: A002 (its name there)
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return _("Passkey %(n)d") % {"n": count + 1}

    def encrypt(self, text: str) -> str:
        return _fernet().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a key; after SECRET_KEY was replaced, one that matches no code (docs/accounts.md says what helps then)."""
        try:
            return _fernet().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return cast(str, totp.generate_totp_secret())


def is_on(user: User) -> bool:
    """Say whether somebody's sign-in asks for a second factor."""
    return Authenticator.objects.filter(user=user, type__in=ASKED).exists()


def has_open_address(user: User) -> bool:
    """Say whether somebody gave an address and has confirmed none. Whose it is may be somebody else, who could never get the account back."""
    addresses = list(EmailAddress.objects.filter(user=user).values_list("verified", flat=True))
    return bool(addresses) and not any(addresses)


def accepts(authenticator: Authenticator, code: str) -> bool:
    """Say whether a code of an app or a recovery code is right, and use it up: it isn't right a second time."""
    if authenticator.type != Type.TOTP:
        return bool(authenticator.wrap().validate_code(code))
    with transaction.atomic():
        locked = Authenticator.objects.select_for_update().filter(pk=authenticator.pk).first()
        if locked is None:
            return False
        step = _step_of(decrypt(locked.data["secret"]), code)
        if step is None or step <= locked.data.get("last_step", 0):
            return False
        locked.data["last_step"] = step
        locked.save(update_fields=["data"])
    return True


# Parts


def _fernet() -> Fernet:
    key = HKDF(hashes.SHA256(), 32, salt=None, info=b"ziggurat second factor").derive(settings.SECRET_KEY.encode())
    return Fernet(base64.urlsafe_b64encode(key))


def _step_of(secret: str, code: str) -> int | None:
    """Return the half-minute that a code belongs to: this one or a neighbour, because clocks of phones differ."""
    digits = "".join(code.split())
    now, around = int(time.time()) // app_settings.TOTP_PERIOD, app_settings.TOTP_TOLERANCE
    for step in range(now - around, now + around + 1):
        if secrets.compare_digest(totp.format_hotp_value(totp.hotp_value(secret, step)).encode(), digits.encode()):
            return step
    return None


@receiver(signals.authenticator_added, dispatch_uid="second factor: mail")
def _added(*, request: HttpRequest, user: User, authenticator: Authenticator, **_signal: object) -> None:
    if authenticator.type in ASKED:  # recovery codes come with the first of these
        _tell(request, user, "added", authenticator)


@receiver(signals.authenticator_removed, dispatch_uid="second factor: mail")
def _removed(*, request: HttpRequest, user: User, authenticator: Authenticator, **_signal: object) -> None:
    if authenticator.type in ASKED:
        _tell(request, user, "removed", authenticator)


@receiver(signals.authenticator_reset, dispatch_uid="second factor: mail")
def _new_codes(*, request: HttpRequest, user: User, authenticator: Authenticator, **_signal: object) -> None:
    _tell(request, user, "codes", authenticator)


def _tell(request: HttpRequest, user: User, what: str, authenticator: Authenticator) -> None:
    """Mail the person, if they have confirmed an address: it may be somebody else who did it."""
    address = EmailAddress.objects.filter(user=user, primary=True, verified=True).first()
    if address is not None:
        given = {"user": user, "what": what, "type": authenticator.type, "settings_url": request.build_absolute_uri(reverse("settings"))}
        get_adapter(request).send_mail("account/email/second_factor_changed", address.email, given)
