"""The form that starts a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.registry import GAMES
from portal.accounts.names import MAX_NAME_CHARS
from portal.bots.refusals import BotNotFound
from portal.common import fields
from portal.common.refusals import Refusal
from portal.common.templatetags.site import level_name
from portal.matches.models import MOST_AT_ONCE, MOST_GAMES
from portal.matches.refusals import BadAtOnceInMatch, BadGameCount, NoBotAccount
from portal.tables.pace import Kind, Pace, days_said, live_said
from portal.tables.refusals import ChallengeRefused

MOST_PLAYERS: Final = max(entry.game.meta.seats[-1] for entry in GAMES.values())
LIVE: Final = ((300, 5), (900, 10), (1800, 20))  # seconds on the clock, and added each turn


def paces() -> dict[str, tuple[str, Pace]]:
    """Return the paces that the form offers: their words in the form, their names, and themselves."""
    found = {f"live-{bank}-{add}": (live_said(bank, add), Pace(Kind.LIVE, bank_s=bank, add_s=add)) for bank, add in LIVE}
    return found | {"day": (days_said(1), Pace(Kind.DAYS, days=1))}


class MatchForm(forms.Form):
    """What is played by which bots, how often and how fast. `make_match` decides whether it fits together."""

    game = fields.choice(gettext_lazy("Game"), required=True)
    bots = fields.names(
        gettext_lazy("Bot accounts"),
        max_length=MOST_PLAYERS * (MAX_NAME_CHARS + 2),
        error_messages={"required": NoBotAccount.sentence},
        help_text=gettext_lazy("Names with commas between them. Your own always play; others if their rules allow it."),
    )
    level = fields.choice(gettext_lazy("The site's bots"), required=True)
    count = fields.choice(gettext_lazy("How many of them"), [(str(n), str(n)) for n in range(MOST_PLAYERS)], required=True, initial="1")
    games = fields.number(gettext_lazy("Number of games"), 1, MOST_GAMES, initial=100)
    pace = fields.choice(gettext_lazy("Pace"), required=True)
    at_once = fields.number(gettext_lazy("Games at the same time"), 1, MOST_AT_ONCE, initial=4)
    rated = fields.switch(gettext_lazy("Rated"))

    def __init__(self, data: Any = None, *, own: Sequence[str] = ()) -> None:
        super().__init__(data, initial={"bots": ", ".join(own[:1])})
        self.paces = paces()
        levels = dict.fromkeys(level for entry in GAMES.values() for level in entry.game.meta.bot_levels)
        self._offer("game", [(key, _(entry.game.meta.title)) for key, entry in GAMES.items()])
        self._offer("level", [(level, _("Bot: %(level)s") % {"level": level_name(level)}) for level in levels])
        self._offer("pace", [(word, name) for word, (name, _pace) in self.paces.items()])
        for field, refusal in (("games", BadGameCount(most=MOST_GAMES)), ("at_once", BadAtOnceInMatch(most=MOST_AT_ONCE))):
            self.fields[field].error_messages = dict.fromkeys(("required", "invalid"), str(refusal))

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def chosen(self) -> dict[str, Any]:
        """Return the arguments of `make_match`."""
        values = self.cleaned_data
        return {
            "game": values["game"],
            "bots": list(filter(None, (name.strip() for name in values["bots"].split(",")))),
            "levels": [values["level"]] * int(values["count"]),
            "games": values["games"],
            "pace": self.paces[values["pace"]][1],
            "at_once": values["at_once"],
            "is_rated": values["rated"],
        }

    def refuse(self, refusal: Refusal) -> None:
        """Show a refusal at its field, or above the form; that of a bot beside the names."""
        field = "bots" if isinstance(refusal, BotNotFound | ChallengeRefused) else refusal.field
        self.add_error(field if field in self.fields else None, str(refusal))
