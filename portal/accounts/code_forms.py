"""Forms of the second factor: guesses are limited, and what a browser sends in place of a passkey's answer is refused, not followed."""

from __future__ import annotations

from typing import Any, Final

from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.utils.translation import gettext_lazy as _

from portal.accounts import second_factor
from portal.accounts.guessing import CODES, CODES_OF_ONE
from portal.accounts.refusals import BadPasskey

# What the parsers of a passkey's answer raise for one that no browser made.
_GARBAGE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
NAME_LENGTH: Final = 40


class _Code:
    """Checks one code against the app's key and the recovery codes. Raises TooManyGuesses, after which even the right code is refused."""

    user: Any
    cleaned_data: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: forms.Field = self.fields["code"]  # type: ignore[attr-defined]
        field.label, field.max_length = _("Code"), 40  # type: ignore[attr-defined]
        field.widget.attrs.pop("placeholder", None)

    def clean_code(self) -> str:
        person = str(self.user.pk)
        CODES.check(context.request)
        CODES_OF_ONE.check(context.request, of=person)
        code = str(self.cleaned_data["code"])
        for authenticator in Authenticator.objects.filter(user=self.user).exclude(type=Authenticator.Type.WEBAUTHN):
            if second_factor.accepts(authenticator, code):
                self.authenticator = authenticator
                return code
        CODES.count(context.request)
        CODES_OF_ONE.count(context.request, of=person)
        raise second_factor.SecondFactorAdapter().validation_error("incorrect_code")


class CodeForm(_Code, AuthenticateForm):  # type: ignore[misc]
    """The code at sign-in."""


class CodeAgainForm(_Code, ReauthenticateForm):  # type: ignore[misc]
    """A code in place of the password, before something about the account changes."""


class FirstCodeForm(ActivateTOTPForm):  # type: ignore[misc]
    """The first code of an app: it shows that the app has the key. Whoever fills this in can read the key, so there is nothing to guess."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label, self.fields["code"].max_length = _("Code that the app shows"), 40
        self.fields["code"].widget.attrs.pop("placeholder", None)


class _Answer:
    """Reads the answer of a passkey to a challenge."""

    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()  # type: ignore[misc]
        except _GARBAGE:
            raise forms.ValidationError(str(BadPasskey())) from None


class PasskeyForm(_Answer, AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey as the second factor."""


class PasskeySignInForm(_Answer, LoginWebAuthnForm):  # type: ignore[misc]
    """A passkey in place of name and password."""


class PasskeyAgainForm(_Answer, ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey in place of the password, before something about the account changes."""


class NewPasskeyForm(AddWebAuthnForm):  # type: ignore[misc]
    """A passkey and what its owner calls it."""

    name = forms.CharField(
        label=_("Name"), required=False, max_length=NAME_LENGTH, help_text=_("So that you can tell your passkeys apart.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].label = _("Sign in with it alone, without a password")

    def clean(self) -> dict[str, Any]:
        if "\\u0000" in self.data.get("credential", ""):  # JSON can write a NUL, but the database can't store one
            raise forms.ValidationError(str(BadPasskey()))
        try:
            cleaned: dict[str, Any] = super().clean()
        except _GARBAGE:
            raise forms.ValidationError(str(BadPasskey())) from None
        return cleaned


class PasskeyNameForm(EditWebAuthnForm):  # type: ignore[misc]
    """Another name for a passkey."""

    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH)
