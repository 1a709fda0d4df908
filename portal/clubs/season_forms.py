"""Forms of seasons and leagues: they read what was typed or ticked; whether it is possible the services say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from itertools import chain, count
from typing import Any, Final, cast

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.registry import GAMES, Entry
from portal.clubs.errors import BadValue
from portal.clubs.forms import MESSAGE_CHARS, choice, line
from portal.clubs.league_draw import Wish, end_of_day, forms_of
from portal.clubs.models import NAME_CHARS, Club, League, Membership, Season
from portal.clubs.pairings import MOST_ENTRANTS
from portal.tables.site_views import OptionField

WEEKS: Final = 13
LISTED_MEMBERS: Final = 60  # more are entered by name: a form has at most a hundred fields
YEARS: Final = range(2000, 2200)


def day(label: Any, **more: Any) -> forms.DateField:
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"class": "input", "type": "date", "required": True})
    return forms.DateField(label=label, input_formats=("%Y-%m-%d",), widget=widget, **more)


def _checked(found: date) -> date:
    if found.year not in YEARS:
        raise forms.ValidationError(_("Enter a date of this century."))
    return found


class SeasonForm(forms.Form):
    """A season by its days, as they are in the reader's time zone: from the begin of the first to the end of the last.

    Fields that can no longer be changed are left out; so is a day that stays the same, from what the service gets.
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
        games = [(entry.key, entry.game.meta.title) for entry in GAMES.values()]
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
    """Another last day for a pairing."""

    deadline = day(gettext_lazy("New deadline: the end of this day"))
    reason = line(gettext_lazy("Reason, for the club's log (if you like)"), MESSAGE_CHARS)

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


# The form of a league stands in an address: what it says can be kept, sent on and drawn again


@dataclass(slots=True)
class LeagueForm:
    """The form of a new league as it is shown; texts stay as they were typed."""

    entry: Entry
    games: list[Entry]  # that count in the season
    form: str
    fields: list[OptionField]
    members: list[tuple[str, bool]]  # name, ticked
    others: str  # further names
    has_others: bool  # the club has more members than are listed
    bots: list[tuple[str, str]]  # level, how many
    name: str
    rounds: str
    days: str
    seed: str
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def forms(self) -> list[tuple[str, int]]:
        return forms_of(self.entry.key)

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """Return everything that the form says as names and values, for an address or for a form that repeats it."""
        pairs = [("game", self.entry.key), ("form", self.form), ("name", self.name), ("rounds", self.rounds), ("days", self.days)]
        pairs += [("who", name) for name, is_ticked in self.members if is_ticked]
        pairs += [("others", self.others)] if self.others.strip() else []
        pairs += [(f"bot-{level}", count) for level, count in self.bots if count not in ("", "0")]
        for option in self.fields:
            if not option.is_switch or option.value:
                pairs.append((f"option-{option.spec.key}", "on" if option.is_switch else str(option.value)))
        return [*pairs, ("seed", self.seed)]

    def wish(self) -> Wish:
        """Return what the form says. Raises BadValue where a number is none."""
        ticked = [name for name, is_ticked in self.members if is_ticked]
        more = [name.strip() for name in self.others.replace("\n", ",").split(",")]
        return Wish(
            name=self.name,
            game=self.entry.key,
            form=self.form,
            members=[*ticked, *(name for name in more if name)],
            bots={level: _number(count or "0", "bots") for level, count in self.bots},
            rounds=_number(self.rounds, "rounds") if self.rounds.strip() else None,
            days=_number(self.days, "days"),
            options={option.spec.key: option.value for option in self.fields},
            seed=self.seed,
        )


def read_league_form(club: Club, season: Season, data: QueryDict, seed: str) -> LeagueForm:
    """Return the form of a league: with the usual choices, or as `data` says it. Names that are no member's are kept in `others`."""
    games = [entry for entry in GAMES.values() if season.game in ("", entry.key)]
    entry = next((one for one in games if one.key == data.get("game")), games[0])
    meta = entry.game.meta
    is_sent = "form" in data
    names = list(
        Membership.objects.filter(club=club, user__is_active=True)
        .order_by("user__username")
        .values_list("user__username", flat=True)[: LISTED_MEMBERS + 1]
    )
    has_others = len(names) > LISTED_MEMBERS
    listed = names[:LISTED_MEMBERS]
    wanted = data.getlist("who") if is_sent else listed if len(names) <= MOST_ENTRANTS else []
    chosen = set(wanted)
    strangers = [name for name in dict.fromkeys(wanted) if name not in listed]
    others = ", ".join(filter(None, [data.get("others", ""), *strangers]))
    fields = []
    errors = {}
    for spec in meta.options:
        option = OptionField(spec, spec.default)
        raw = data.get(f"option-{spec.key}")
        if is_sent and (raw is not None or option.is_switch):
            try:
                option.value = option.read(raw)
            except ValueError:
                errors["options"] = _("Choose options that this game has.")
        fields.append(option)
    taken = set(season.leagues.values_list("name", flat=True))
    usual = _("%(game)s league") % {"game": meta.title}
    free = next(name for name in chain([usual], (f"{usual} {number}" for number in count(2))) if name not in taken)
    return LeagueForm(
        entry=entry,
        games=games,
        form=data.get("form") or forms_of(entry.key)[0][0],
        fields=fields,
        members=[(name, name in chosen) for name in listed],
        others=others[: 40 * 160],
        has_others=has_others or bool(others),
        bots=[(level, data.get(f"bot-{level}", "0" if is_sent else "")) for level in meta.bot_levels],
        name=data.get("name", free if not is_sent else ""),
        rounds=data.get("rounds", ""),
        days=data.get("days", "7"),
        seed=data.get("seed") or seed,
        errors=errors,
    )


def _number(raw: str, of: str) -> int:
    text = raw.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise BadValue(_("That is no number."), of)
    return int(text)


def form_words(form: str, seats: int) -> str:
    """Return a form of leagues in words."""
    if form == "once":
        return _("Tables of two: each meets each once")
    if form == "twice":
        return _("Tables of two: each meets each twice")
    return _("Rounds at tables of %(seats)d") % {"seats": seats}


def league_words(league: League) -> str:
    """Return the form of a league in words."""
    if league.form == League.Form.ROUND_ROBIN:
        return _("Round robin at tables of two")
    return form_words(league.form, league.seats)
