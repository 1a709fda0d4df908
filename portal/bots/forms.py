"""The forms of bot accounts. They carry what was chosen; the services decide whether it fits together."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.registry import GAMES
from portal.accounts.names import MAX_NAME_CHARS
from portal.accounts.refusals import BadName
from portal.bots.models import MOST_AT_ONCE, BotAccount, FromWhom
from portal.bots.refusals import BadAtOnce, BadFromWhom
from portal.common import fields
from portal.common.refusals import Refusal
from portal.tables.pace import Kind

_CHOICES: Final = ("required", "invalid_choice", "invalid_list")


class RulesForm(forms.Form):
    """What a bot says of itself, and which challenges it takes."""

    about = forms.CharField(
        label=gettext_lazy("About the bot"), required=False, widget=forms.Textarea(attrs={"class": "textarea", "rows": 3})
    )
    games = fields.boxes(
        gettext_lazy("Games it plays"),
        error_messages=dict.fromkeys(_CHOICES, gettext_lazy("Choose at least one of these games.")),
    )
    paces = fields.boxes(
        gettext_lazy("Paces it plays at"),
        Kind.choices,
        error_messages=dict.fromkeys(_CHOICES, gettext_lazy("Choose at least one of these paces.")),
    )
    at_once = fields.number(gettext_lazy("Games at the same time"), 1, MOST_AT_ONCE)
    from_whom = fields.radios(
        gettext_lazy("Whose challenges does it take?"),
        FromWhom.choices,
        error_messages=dict.fromkeys(_CHOICES, BadFromWhom.sentence),
    )
    rated = fields.switch(gettext_lazy("It plays rated games, too"))

    def __init__(self, data: Any = None, *, bot: BotAccount | None = None) -> None:
        shown = bot if bot is not None else BotAccount()
        initial = {name: getattr(shown, name) for name in ("about", "at_once", "from_whom", "rated")}
        super().__init__(data, initial=initial | {"games": shown.games or list(GAMES), "paces": shown.paces or list(Kind.values)})
        choices = [(key, _(entry.game.meta.title)) for key, entry in GAMES.items()]
        self.fields["games"].choices = choices  # type: ignore[attr-defined]
        self.fields["at_once"].error_messages = dict.fromkeys(("required", "invalid"), str(BadAtOnce(most=MOST_AT_ONCE)))

    def refuse(self, refusal: Refusal) -> None:
        """Show a refusal at its field, or above the form."""
        self.add_error(refusal.field if refusal.field in self.fields else None, str(refusal))


class BotForm(RulesForm):
    """A new bot."""

    username = fields.names(
        gettext_lazy("Name"),
        max_length=MAX_NAME_CHARS,
        error_messages=dict.fromkeys(("required", "max_length"), BadName.sentence),
    )
