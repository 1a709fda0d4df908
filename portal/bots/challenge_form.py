"""The form that challenges a bot."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.registry import GAMES
from portal.accounts.names import MAX_NAME_CHARS
from portal.bots.models import BotAccount
from portal.bots.refusals import BotNotFound
from portal.common import fields
from portal.common.refusals import Refusal
from portal.common.templatetags.site import level_name
from portal.tables.pace import RELAXED, Kind, Pace, days_said, live_said

FREE: Final = "free"
MOST_SEATS: Final = max(entry.game.meta.seats[-1] for entry in GAMES.values())
LIVE: Final = ((300, 10), (900, 20), (1800, 30), (3600, 30))  # seconds on the clock, and added each turn
DAYS: Final = (1, 3, 7)


def paces_of(bot: BotAccount) -> dict[str, tuple[str, Pace]]:
    """Return the paces that a bot's form offers: their words in the form, their names, and themselves."""
    found = {"relaxed": (str(Kind.RELAXED.label), RELAXED)}
    found |= {f"live-{bank}-{add}": (live_said(bank, add), Pace(Kind.LIVE, bank_s=bank, add_s=add)) for bank, add in LIVE}
    found |= {f"days-{days}": (days_said(days), Pace(Kind.DAYS, days=days)) for days in DAYS}
    return {word: (name, pace) for word, (name, pace) in found.items() if not bot.paces or pace.kind in bot.paces}


class ChallengeForm(forms.Form):
    """What to play with a bot, how fast, and who else sits at the table. It offers what the bot accepts; `challenge` decides."""

    game = fields.choice(gettext_lazy("Game"), required=True)
    seats = fields.choice(gettext_lazy("Players"), [(str(n), str(n)) for n in range(2, MOST_SEATS + 1)], required=True, initial="2")
    pace = fields.choice(gettext_lazy("Pace"), required=True)
    bots = fields.names(
        gettext_lazy("Other bot accounts"),
        required=False,
        max_length=MOST_SEATS * (MAX_NAME_CHARS + 2),
        help_text=gettext_lazy("Optional: names with commas between them. They sit down after this one."),
    )
    others = fields.choice(gettext_lazy("Other seats"), required=True, initial=FREE)
    unrated = fields.switch(gettext_lazy("Unrated"))

    def __init__(self, data: Any = None, *, bot: BotAccount) -> None:
        super().__init__(data, initial={"unrated": not bot.rated})
        self.bot, self.paces = bot, paces_of(bot)
        games = {key: GAMES[key] for key in bot.games or GAMES if key in GAMES}
        levels = dict.fromkeys(level for entry in games.values() for level in entry.game.meta.bot_levels)
        self._offer("game", [(key, _(entry.game.meta.title)) for key, entry in games.items()])
        self._offer("pace", [(word, name) for word, (name, _pace) in self.paces.items()])
        named = [(level, _("Bot: %(level)s") % {"level": level_name(level)}) for level in levels]
        self._offer("others", [(FREE, _("Free seat")), *named])

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def chosen(self) -> dict[str, Any]:
        """Return the arguments of `challenge`."""
        values = self.cleaned_data
        seats, others = int(values["seats"]), values["others"]
        bots = [self.bot.user.username, *filter(None, (name.strip() for name in values["bots"].split(",")))]
        return {
            "bots": bots,
            "game": values["game"],
            "seats": seats,
            "pace": self.paces[values["pace"]][1],
            "levels": [] if others == FREE else [others] * (seats - 1 - len(bots)),
            "is_rated": not values["unrated"],
        }

    def refuse(self, refusal: Refusal) -> None:
        """Show a refusal at its field, or above the form. The bot itself is there, so one that isn't was named beside it."""
        field = "bots" if isinstance(refusal, BotNotFound) else refusal.field
        self.add_error(field if field in self.fields else None, str(refusal))
