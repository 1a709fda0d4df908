"""Forms of the clubs. They carry what was typed; whether it is possible the services say, and `carried_out` shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.registry import GAMES
from portal.clubs.errors import BadValue, WrongMoment
from portal.clubs.models import NAME_CHARS, TEXT_CHARS, TITLE_CHARS, Club

MESSAGE_CHARS = 300
JOINING = (
    (Club.Joining.OPEN, _("Open: whoever wants to joins at once")),
    (Club.Joining.REQUEST, _("On request: an officer says yes or no")),
    (Club.Joining.INVITATION, _("By invitation or by the link alone")),
)


def line(label: Any, limit: int, *, required: bool = False, **more: Any) -> forms.CharField:
    """Return a field of one line; its length is refused by the service, so that a long text comes back with a sentence."""
    attrs = {"class": "input", "maxlength": limit, "autocomplete": "off"}
    field = forms.CharField(label=label, required=False, strip=False, widget=forms.TextInput(attrs=attrs), **more)
    if required:
        field.widget.attrs["required"] = True
    return field


def text(label: Any, *, rows: int = 5, **more: Any) -> forms.CharField:
    attrs = {"class": "textarea", "maxlength": TEXT_CHARS, "rows": rows}
    return forms.CharField(label=label, required=False, strip=False, widget=forms.Textarea(attrs=attrs), **more)


def switch(label: Any, **more: Any) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, widget=forms.CheckboxInput(attrs={"class": "check__box"}), **more)


def choice(label: Any, choices: Any, **more: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, choices=choices, widget=forms.Select(attrs={"class": "select"}), **more)


class TextsForm(forms.Form):
    """What the club says about itself."""

    about_en = text(_("About the club, in English"))
    about_hu = text(_("About the club, in Hungarian"))
    about_ru = text(_("About the club, in Russian"))


class SettingsForm(forms.Form):
    """What the owner alone sets."""

    name = line(pgettext_lazy("of a club or season", "Name"), NAME_CHARS, required=True)
    joining = choice(_("How one joins"), JOINING)
    is_private = switch(
        _("Private"), help_text=_("Only members see the club, its tables, games and ladders. People come by invitation or by the link.")
    )


class FoundingForm(SettingsForm, TextsForm):
    """A new club."""

    field_order = ("name", "joining", "is_private", "about_en", "about_hu", "about_ru")


class AskForm(forms.Form):
    message = line(_("A few words to the officers (if you like)"), MESSAGE_CHARS)


class InviteForm(forms.Form):
    username = line(_("Name of the person"), 150, required=True)


class BanForm(forms.Form):
    username = line(_("Name of the person"), 150, required=True)
    reason = line(_("Reason, for the officers"), MESSAGE_CHARS)


class HandOverForm(forms.Form):
    username = line(_("Name of the new owner, who has to be a member"), 150, required=True)


class CloseForm(forms.Form):
    name = line(_("Write the name of the club to close it"), NAME_CHARS, required=True)


class AnnouncementForm(forms.Form):
    title = line(_("Title"), TITLE_CHARS, required=True)
    text = text(_("Text"), rows=4)
    is_pinned = switch(_("Pin it above the others"))


class EveningForm(forms.Form):
    """A club evening; the time is that of the reader's time zone."""

    title = line(_("Title"), TITLE_CHARS, required=True)
    starts_at = forms.DateTimeField(
        label=_("Begins at"),
        input_formats=("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"),
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"class": "input", "type": "datetime-local"}),
    )
    game = choice(_("Game"), ())
    text = text(_("Text"), rows=3)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = [(entry.key, entry.game.meta.title) for entry in GAMES.values()]
        cast(forms.ChoiceField, self.fields["game"]).choices = [("", _("Any game")), *games]


def carried_out(form: forms.Form, service: Callable[..., object]) -> int:
    """Call the service with what the form holds and return 0; else put the refusal into the form and return its status.

    Refusals that no other text would change (NotAllowed, ClubNotFound) go on to the page.
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
