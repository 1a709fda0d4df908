"""Forms of seasons and leagues: they read what was typed or ticked; the services decide whether it is valid."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from itertools import chain, count
from typing import Any, Final, cast

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.registry import GAMES
from portal.clubs.forms import MESSAGE_CHARS, line
from portal.clubs.models import NAME_CHARS, Club, Membership, Season
from portal.common.fields import choice
from portal.contests.league_draw import Wish, end_of_day, forms_of
from portal.contests.models import League
from portal.contests.pairings import MOST_ENTRANTS
from portal.contests.refusals import NoSuchOptions, NotANumber
from portal.tables.forms import OptionField, OptionValue

WEEKS: Final = 13
LISTED_MEMBERS: Final = 60  # more are entered by name: a form has at most a hundred fields
YEARS: Final = range(2000, 2200)
_NUMBER: Final = r"\A\s*[0-9]{1,6}\s*\Z"


def day(label: Any, **more: Any) -> forms.DateField:
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"class": "input", "type": "date", "required": True})
    return forms.DateField(label=label, input_formats=("%Y-%m-%d",), widget=widget, **more)


def _checked(found: date) -> date:
    if found.year not in YEARS:
        raise forms.ValidationError(_("Enter a date in this century."))
    return found


class SeasonForm(forms.Form):
    """A season by its days in the reader's time zone: from the start of the first to the end of the last.

    Fields that can no longer be changed are left out; an unchanged day is not passed to the service.
    """

    name = line(pgettext_lazy("of a club or season", "Name"), NAME_CHARS, required=True)
    game = choice(gettext_lazy("Games that count"), ())
    starts_at = day(gettext_lazy("First day"))
    ends_at = day(gettext_lazy("Last day"))

    def __init__(self, data: Mapping[str, Any] | None = None, *, season: Season | None = None) -> None:
        today = timezone.localdate()
        self.season = season
        if season is None:
            initial: dict[str, Any] = {"starts_at": today, "ends_at": today + timedelta(weeks=WEEKS)}
        else:
            first, last = timezone.localtime(season.starts_at).date(), timezone.localtime(season.ends_at).date()
            initial = {"name": season.name, "game": season.game, "starts_at": first, "ends_at": last}
        super().__init__(data, initial=initial)
        games = [(entry.key, _(entry.game.meta.title)) for entry in GAMES.values()]
        cast(forms.ChoiceField, self.fields["game"]).choices = [("", _("All games")), *games]
        if season is not None and season.starts_at <= timezone.now():
            del self.fields["game"], self.fields["starts_at"]
        if season is not None and season.ends_at <= timezone.now():
            del self.fields["ends_at"]

    def clean_starts_at(self) -> datetime | None:
        found = _checked(self.cleaned_data["starts_at"])
        if self.season is not None and found == self.initial["starts_at"]:
            return None
        if found == timezone.localdate():
            return timezone.now() if self.season is not None else None
        return timezone.make_aware(datetime.combine(found, time()))

    def clean_ends_at(self) -> datetime | None:
        found = _checked(self.cleaned_data["ends_at"])
        return None if self.season is not None and found == self.initial["ends_at"] else end_of_day(found)


class DeadlineForm(forms.Form):
    """A new deadline for a pairing."""

    deadline = day(gettext_lazy("New deadline: the end of this day"))
    reason = line(gettext_lazy("Reason, for the club's log (optional)"), MESSAGE_CHARS)

    def __init__(self, data: Mapping[str, Any] | None = None, *, season: Season, initial: Mapping[str, Any] | None = None) -> None:
        self.season = season
        super().__init__(data, initial=dict(initial or {}))

    def clean_deadline(self) -> datetime:
        """Return the end of the day; on the last day of the season the season's own end."""
        found = end_of_day(_checked(self.cleaned_data["deadline"]))
        ends_at = self.season.ends_at
        return min(found, ends_at) if timezone.localtime(ends_at).date() == timezone.localtime(found).date() else found


class ReasonForm(forms.Form):
    reason = line(gettext_lazy("Reason, for the club's log"), MESSAGE_CHARS, required=True)


# The form of a league is in its address, so it can be bookmarked, shared and drawn again


class LeagueForm(forms.Form):
    """The form of a new league: what its address or a request says, else the usual choices. Names of non-members are kept in `others`.

    Its fields are what can be wrong in itself; the service checks the rest. `typed` holds all values as they are shown again, and
    `faults` what is wrong, by part of the form.
    """

    rounds = forms.RegexField(r"\A\s*([0-9]{1,6}\s*)?\Z", required=False)
    days = forms.RegexField(_NUMBER)

    def __init__(self, data: QueryDict, *, club: Club, season: Season, seed: str) -> None:
        self.games = [entry for entry in GAMES.values() if season.game in ("", entry.key)]  # that count in the season
        self.entry = next((one for one in self.games if one.key == data.get("game")), self.games[0])
        self.faults: dict[str, str] = {}
        members = Membership.objects.filter(club=club, user__is_active=True).order_by("user__username")
        names = list(members.values_list("user__username", flat=True)[: LISTED_MEMBERS + 1])
        self.listed = names[:LISTED_MEMBERS]
        is_sent = "form" in data
        usual = {"days": "7"} if is_sent else {"days": "7", "name": self._free_name(season)}
        self.typed = typed = usual | {key: str(value) for key, value in data.dict().items()}
        typed["form"] = typed.get("form") or forms_of(self.entry.key)[0][0]
        typed["seed"] = typed.get("seed") or seed
        wanted = dict.fromkeys(data.getlist("who") if is_sent else self.listed if len(names) <= MOST_ENTRANTS else [])
        self.ticked = [name for name in self.listed if name in wanted]
        strangers = [name for name in wanted if name not in self.listed]
        typed["others"] = ", ".join(filter(None, [typed.get("others", ""), *strangers]))[: 40 * 160]
        self.has_others = len(names) > LISTED_MEMBERS or bool(typed["others"])
        super().__init__(typed)
        for spec in self.entry.game.meta.options:
            self.fields[f"option-{spec.key}"] = OptionValue(spec)
            if not (is_sent and isinstance(spec.default, bool)):
                typed.setdefault(f"option-{spec.key}", "on" if spec.default is True else str(spec.default))
        for level in self.entry.game.meta.bot_levels:
            self.fields[f"bot-{level}"] = forms.RegexField(_NUMBER, required=False)
            typed.setdefault(f"bot-{level}", "0" if is_sent else "")
        self.order_fields([name for name in self.fields if "-" in name])

    def _free_name(self, season: Season) -> str:
        taken = set(season.leagues.values_list("name", flat=True))
        usual = _("%(game)s league") % {"game": _(self.entry.game.meta.title)}
        return next(name for name in chain([usual], (f"{usual} {number}" for number in count(2))) if name not in taken)

    @property
    def members(self) -> list[tuple[str, bool]]:
        """Return the listed members, each with whether it is ticked."""
        return [(name, name in self.ticked) for name in self.listed]

    @property
    def bots(self) -> list[tuple[str, str]]:
        """Return the bot levels, each with how many."""
        return [(level, self.typed[f"bot-{level}"]) for level in self.entry.game.meta.bot_levels]

    @property
    def options(self) -> list[OptionField]:
        self.is_valid()
        return [OptionField(spec, self.cleaned_data.get(f"option-{spec.key}", spec.default)) for spec in self.entry.game.meta.options]

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """Return all the form's values as names and values, for an address or for a form that repeats it."""
        typed = self.typed
        pairs = [("game", self.entry.key), *((key, typed.get(key, "")) for key in ("form", "name", "rounds", "days"))]
        pairs += [("who", name) for name in self.ticked]
        pairs += [("others", typed["others"])] if typed["others"].strip() else []
        pairs += [(f"bot-{level}", count) for level, count in self.bots if count not in ("", "0")]
        for option in self.options:
            if not option.is_switch or option.value:
                pairs.append((f"option-{option.spec.key}", "on" if option.is_switch else str(option.value)))
        return [*pairs, ("seed", typed["seed"])]

    def wish(self) -> Wish:
        """Return the wish in the form. Raises NoSuchOptions or NotANumber."""
        for field in self.errors:
            raise NoSuchOptions if field.startswith("option-") else NotANumber(field="bots" if field.startswith("bot-") else field)
        chosen = self.cleaned_data
        more = [name.strip() for name in self.typed["others"].replace("\n", ",").split(",")]
        return Wish(
            name=self.typed.get("name", ""),
            game=self.entry.key,
            form=self.typed["form"],
            members=[*self.ticked, *(name for name in more if name)],
            bots={level: int(chosen[f"bot-{level}"] or 0) for level, _typed in self.bots},
            rounds=int(chosen["rounds"]) if chosen["rounds"].strip() else None,
            days=int(chosen["days"]),
            options={option.spec.key: option.value for option in self.options},
            seed=self.typed["seed"],
        )


def form_words(form: str, seats: int) -> str:
    """Return a form of leagues in words."""
    if form == "once":
        return _("Tables of two: each pair meets once")
    if form == "twice":
        return _("Tables of two: each pair meets twice")
    return _("Rounds at %(seats)d-player tables") % {"seats": seats}


def league_words(league: League) -> str:
    """Return the form of a league in words."""
    if league.form == League.Form.ROUND_ROBIN:
        return _("Round robin at tables of two")
    return form_words(league.form, league.seats)
