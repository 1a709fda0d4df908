"""Forms of the clubs. They carry what was typed; the services decide whether it is valid, and `carried_out` shows the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.registry import GAMES
from portal.clubs.models import NAME_CHARS, TEXT_CHARS, TITLE_CHARS, Club
from portal.common.fields import choice, switch
from portal.common.refusals import BadValue, WrongMoment

MESSAGE_CHARS = 300
JOINING = (
    (Club.Joining.OPEN, _("Open: anyone can join at once")),
    (Club.Joining.REQUEST, _("On request: an officer accepts or declines")),
    (Club.Joining.INVITATION, _("By invitation or link only")),
)


def line(label: Any, limit: int, *, required: bool = False, **more: Any) -> forms.CharField:
    """Return a one-line field; the service checks its length, so that a long text comes back with a sentence."""
    attrs = {"class": "input", "maxlength": limit, "autocomplete": "off"}
    field = forms.CharField(label=label, required=False, strip=False, widget=forms.TextInput(attrs=attrs), **more)
    if required:
        field.widget.attrs["required"] = True
    return field


def text(label: Any, *, rows: int = 5, **more: Any) -> forms.CharField:
    attrs = {"class": "textarea", "maxlength": TEXT_CHARS, "rows": rows}
    return forms.CharField(label=label, required=False, strip=False, widget=forms.Textarea(attrs=attrs), **more)


class TextsForm(forms.Form):
    """What the club says about itself."""

    about_en = text(_("About the club, in English"))
    about_hu = text(_("About the club, in Hungarian"))
    about_ru = text(_("About the club, in Russian"))


class SettingsForm(forms.Form):
    """Settings that only the owner changes."""

    name = line(pgettext_lazy("of a club or season", "Name"), NAME_CHARS, required=True)
    joining = choice(_("How people join"), JOINING)
    is_private = switch(
        _("Private"), help_text=_("Only members see the club, its tables, games and leaderboards. People join by invitation or link.")
    )


class FoundingForm(SettingsForm, TextsForm):
    """A new club."""

    field_order = ("name", "joining", "is_private", "about_en", "about_hu", "about_ru")


class AskForm(forms.Form):
    message = line(_("Message to the officers (optional)"), MESSAGE_CHARS)


class InviteForm(forms.Form):
    username = line(_("Player name"), 150, required=True)


class BanForm(forms.Form):
    username = line(_("Player name"), 150, required=True)
    reason = line(_("Reason (officers only)"), MESSAGE_CHARS)


class HandOverForm(forms.Form):
    username = line(_("Name of the new owner (must be a member)"), 150, required=True)


class CloseForm(forms.Form):
    name = line(_("Enter the club's name to close it"), NAME_CHARS, required=True)


class AnnouncementForm(forms.Form):
    title = line(_("Title"), TITLE_CHARS, required=True)
    text = text(_("Text"), rows=4)
    is_pinned = switch(_("Pin to the top"))


class EveningForm(forms.Form):
    """A club night; the time is in the reader's time zone."""

    title = line(_("Title"), TITLE_CHARS, required=True)
    starts_at = forms.DateTimeField(
        label=_("Starts at"),
        input_formats=("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"),
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"class": "input", "type": "datetime-local"}),
    )
    game = choice(_("Game"), ())
    text = text(_("Text"), rows=3)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = [(entry.key, _(entry.game.meta.title)) for entry in GAMES.values()]
        cast(forms.ChoiceField, self.fields["game"]).choices = [("", _("Any game")), *games]


def carried_out(form: forms.Form, service: Callable[..., object]) -> int:
    """Call the service with the form's values and return 0; if it refuses, put the refusal into the form and return its status.

    Refusals that no other input could avoid (NotAllowed, ClubNotFound) propagate to the page.
    """
    if not form.is_valid():
        return 422
    try:
        service(**form.cleaned_data)
    except (BadValue, WrongMoment) as error:
        field = getattr(error, "field", "")
        form.add_error(field if field in form.fields else None, str(error))
        return error.status
    return 0
