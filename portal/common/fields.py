"""Fields of forms that `templates/forms/control.html` draws: each has the class of its kind, and otherwise is Django's own."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

_WRONG: Final = {name: _("Choose one of these.") for name in ("required", "invalid_choice")}


def switch(label: Any, **more: Any) -> forms.BooleanField:
    """Return a box to tick."""
    return forms.BooleanField(label=label, required=False, widget=forms.CheckboxInput(attrs={"class": "check__box"}), **more)


def choice(label: Any, choices: Any = (), *, required: bool = False, **more: Any) -> forms.ChoiceField:
    """Return a list of which one is chosen."""
    widget = forms.Select(attrs={"class": "select"})
    return forms.ChoiceField(label=label, required=required, choices=choices, widget=widget, **{"error_messages": _WRONG} | more)


def radios(label: Any, choices: Any, *, required: bool = True, **more: Any) -> forms.ChoiceField:
    """Return a choice whose answers all show."""
    widget = forms.RadioSelect(attrs={"class": "choice__input"})
    return forms.ChoiceField(label=label, required=required, choices=choices, widget=widget, **{"error_messages": _WRONG} | more)


def boxes(label: Any, choices: Any = (), **more: Any) -> forms.MultipleChoiceField:
    """Return boxes of which at least one is ticked."""
    widget = forms.CheckboxSelectMultiple(attrs={"class": "check__box"})
    return forms.MultipleChoiceField(label=label, choices=choices, widget=widget, **more)


def number(label: Any, least: int, most: int, said: str = "", **more: Any) -> forms.IntegerField:
    """Return a whole number; what a browser lets through although it isn't one gets the sentence `said`."""
    widget = forms.NumberInput(attrs={"class": "input input--number", "min": least, "max": most})
    return forms.IntegerField(label=label, widget=widget, error_messages=dict.fromkeys(("required", "invalid"), said), **more)


def names(label: Any, **more: Any) -> forms.CharField:
    """Return a line for names of people, which no keyboard mends."""
    attrs = {"class": "input", "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
    return forms.CharField(label=label, widget=forms.TextInput(attrs=attrs), **more)
