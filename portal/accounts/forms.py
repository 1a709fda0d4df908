"""Forms of sign-in, sign-up and the settings."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, Final, cast
from zoneinfo import available_timezones

from allauth.account.forms import ChangePasswordForm, LoginForm, ResetPasswordKeyForm, SetPasswordForm, SignupForm
from django import forms
from django.conf import settings
from django.contrib.auth import password_validation
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import Confirm, User
from portal.accounts.refusals import UnknownChoice
from portal.common.refusals import BadValue

SELECTED: Final = SafeString(" selected")
PASSWORD_HINT: Final = _("Use at least 8 characters and avoid common passwords.")


def _tidy(form: forms.Form) -> None:
    """Labels are above the fields, so no field needs its name as a placeholder."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)


class SignInForm(LoginForm):  # type: ignore[misc]
    """Name or email address, and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _tidy(self)
        self.fields["login"].label = _("Name or email address")
        self.fields["login"].max_length = 254
        self.fields["login"].widget.attrs.update({"autocomplete": "username", "maxlength": 254})
        self.fields["password"].label = _("Password")
        self.fields["password"].help_text = ""
        self.fields["remember"].label = _("Keep me signed in on this device")
        self.fields["remember"].initial = True


class SignUpForm(SignupForm):  # type: ignore[misc]
    """A name, a password, and an optional email address for resetting the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _tidy(self)
        self.fields["username"].label = _("Name")
        self.fields["username"].help_text = _("Other players see this name. Use letters, digits, full stops, hyphens or underscores.")
        self.fields["email"].label = _("Email address (optional)")
        self.fields["email"].help_text = _("Only used if you forget your password. Nobody else sees it.")
        self.fields["password1"].label = _("Password")
        self.fields["password1"].help_text = PASSWORD_HINT


class NewPassword:
    """What the forms for a new password say of it, in place of a list of what every validator says."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        fields["password1"].help_text = PASSWORD_HINT


class ChangeForm(NewPassword, ChangePasswordForm):  # type: ignore[misc]
    """The old password, and a new one twice."""


class SetForm(NewPassword, SetPasswordForm):  # type: ignore[misc]
    """A password for an account that has none."""


class ResetForm(NewPassword, ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password, from the link of a letter."""


class ClaimForm(SignUpForm):
    """The same for a guest: the row stays, so nothing is created."""

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        self.guest = user
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        if cleaned.get("password1") and not self.errors:
            candidate = User(username=cleaned.get("username", ""), email=cleaned.get("email", ""))
            try:
                password_validation.validate_password(cleaned["password1"], candidate)
            except forms.ValidationError as error:
                self.add_error("password1", error)
        return cleaned

    def save(self, request: HttpRequest) -> User:
        raise TypeError("services.claim_guest saves this form: it creates nobody")


# What the panel at the table offers besides `confirm`, which has its own words in the settings.
TABLE_SIDE: Final = {
    "pace": _("Show other players' moves"),
    "sound": _("Sounds"),
    "volume": _("Volume"),
    "colours": _("Piece colours"),
    "pieces": _("Pieces"),
    "board_size": _("Board size on wide screens"),
    "log_detail": _("Log"),
}


class PreferencesForm(forms.ModelForm):
    """What a person can change at the table. Only the fields that are sent change."""

    sound = forms.TypedChoiceField(label=TABLE_SIDE["sound"], choices=(("on", ""), ("off", "")), coerce=lambda value: value == "on")

    class Meta:
        model = User
        fields = ("confirm", *TABLE_SIDE)
        labels: ClassVar = {"confirm": _("Ask before I move"), **TABLE_SIDE}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.is_bound:
            for name in set(self.fields) - set(self.data):
                del self.fields[name]

    def refusal(self) -> BadValue:
        """Return why the form is not valid: the first field that has a value it can't have."""
        name = next(iter(self.errors))
        return UnknownChoice(field=name, label=self.fields[name].label)


@cache
def _zones() -> tuple[tuple[str, str], ...]:
    """Return the time zones that one may choose; the standard library opens each of its 600 files to see what it is."""
    zones = sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "posix/", "right/")))
    return (("UTC", "UTC"), *((zone, zone.replace("_", " ")) for zone in zones))


class ZoneSelect(forms.Select):
    """A list of hundreds of plain options, written as Django writes them, without a template for each."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        wanted = set(self.format_value(value))
        options = format_html_join(
            "",
            '\n  <option value="{}"{}>{}</option>\n',
            ((zone, SELECTED if zone in wanted else "", label) for zone, label in self.choices),
        )
        own = [(key, value) for key, value in self.build_attrs(self.attrs, attrs).items() if value is not False]
        written = [format_html(" {}" if value is True else ' {}="{}"', key, value) for key, value in own]
        return format_html('<select name="{}"{}>{}\n</select>', name, SafeString("".join(written)), options)


class SettingsForm(forms.ModelForm):
    """Language, appearance and confirmation settings."""

    language = forms.ChoiceField(label=_("Language"))
    time_zone = forms.ChoiceField(label=_("Time zone"), widget=ZoneSelect(attrs={"class": "select"}))
    theme = forms.ChoiceField(
        label=_("Appearance"),
        required=False,
        widget=forms.RadioSelect,
        choices=(("", _("Same as my device")), ("light", _("Day")), ("dark", _("Night"))),
    )

    confirm = forms.ChoiceField(label=_("Ask before I move"), widget=forms.RadioSelect, choices=Confirm.choices)

    class Meta:
        model = User
        fields = ("language", "time_zone", "theme", "confirm", "hotkeys", "list_first", *TABLE_SIDE)
        labels: ClassVar = {
            **TABLE_SIDE,
            "hotkeys": _("Keyboard shortcuts (/ to search; b, a, l, r, ? at the table)"),
            "list_first": _("Show the list of places above the board"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in TABLE_SIDE:
            self.fields[name].required = False
        names = dict(settings.LANGUAGES)
        cast(forms.ChoiceField, self.fields["language"]).choices = [(code, names[code]) for code in settings.INTERFACE_LANGUAGES]
        cast(forms.ChoiceField, self.fields["time_zone"]).choices = _zones()

    def clean(self) -> dict[str, Any]:
        """Keep what an empty field of the table's preferences would change."""
        cleaned = super().clean() or {}
        return cleaned | {name: getattr(self.instance, name) for name in TABLE_SIDE if cleaned.get(name) in ("", None) and name in cleaned}
