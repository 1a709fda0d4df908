"""The form of a new table, and what all forms that open tables share: seats, bots and a game's options.

They carry what was chosen; the services decide whether it fits together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.conf import settings
from django.db.models import QuerySet

from games.core.contract import OptionSpec
from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.clubs.models import Club
from portal.tables.appointment import read
from portal.tables.models import Table
from portal.tables.near import near
from portal.tables.pace import DAYS, USUAL_DAYS, Kind, Out, Pace, days_said, live_said, pace_of, presets
from portal.tables.seating import MAX_WORD_CHARS
from portal.tables.selectors import free_seats

QUICK_LEVEL: Final = "scribe"
OPEN: Final = "open"  # a seat for anybody
INVITE: Final = "invite"  # a seat for somebody who is named beside it
MAX_NAME_CHARS: Final = 254  # an email address may be as long
MAX_LEVEL_CHARS: Final = 20
ANYONE, LINK, CLUB = "anyone", "link", "club"  # with whom somebody plays
WHO: Final = (ANYONE, LINK, CLUB)
RATED, UNRATED = "rated", "unrated"
FREE_SEATS: Final = (2, 3, 4, 5)  # as many or more that somebody looks for; one is free at every table that is listed


def default_seats(entry: Entry) -> int:
    """Return the default player count: four, or the nearest below."""
    counts = entry.game.meta.seats
    return max((count for count in counts if count <= 4), default=counts[0])


@dataclass(slots=True)
class OptionField:
    """An option of the game with the value shown in a form."""

    spec: OptionSpec
    value: Any

    @property
    def is_switch(self) -> bool:
        return isinstance(self.spec.default, bool)

    @property
    def choices(self) -> list[tuple[str, bool]]:
        return [(str(choice), choice == self.value) for choice in self.spec.choices]

    def read(self, posted: Any) -> Any:
        """Return the chosen value. Raises ValueError when it is not one of the choices."""
        if self.is_switch:
            return posted == "on"
        for choice in self.spec.choices:
            if str(choice) == posted:
                return choice
        raise ValueError(self.spec.key)


class OptionValue(forms.Field):
    """The value of an option, as `OptionField` reads it."""

    widget = forms.TextInput

    def __init__(self, spec: OptionSpec) -> None:
        self.spec = spec
        super().__init__(required=False, initial=spec.default)

    def clean(self, value: Any) -> Any:
        try:
            return OptionField(self.spec, None).read(value)
        except ValueError:
            raise forms.ValidationError(self.spec.key) from None


class LobbyForm(forms.Form):
    """What somebody looks for among the open tables; everything may be left out."""

    game = forms.ChoiceField(required=False, choices=[(key, key) for key in GAMES])
    seats = forms.ChoiceField(required=False, choices=[(str(n), str(n)) for n in FREE_SEATS])
    rated = forms.ChoiceField(required=False, choices=[(key, key) for key in (RATED, UNRATED)])
    pace = forms.ChoiceField(required=False, choices=Kind.choices)
    language = forms.ChoiceField(required=False, choices=settings.LANGUAGES)
    people = forms.BooleanField(required=False)
    near = forms.BooleanField(required=False)

    def chosen(self, tables: QuerySet[Table], user: User | None) -> QuerySet[Table]:
        """Return those of the open tables that fit; a value that is none fits no table."""
        if not self.is_valid():
            return tables.none()
        wanted = self.cleaned_data
        if wanted["game"]:
            tables = tables.filter(game=wanted["game"])
        if wanted["rated"]:
            tables = tables.filter(is_rated=wanted["rated"] == RATED)
        if wanted["people"]:
            tables = tables.exclude(seats__bot_level__gt="")
        if wanted["pace"]:
            tables = tables.filter(pace={}) if wanted["pace"] == Kind.RELAXED else tables.filter(pace__kind=wanted["pace"])
        if wanted["language"]:
            tables = tables.filter(owner__language=wanted["language"])
        if wanted["near"]:
            tables = near(user, tables)
        if wanted["seats"]:
            tables = tables.filter(kept__lte=free_seats() - int(wanted["seats"]))
        return tables

    @property
    def is_used(self) -> bool:
        return any(self[name].value() for name in self.fields)


class OpeningForm(forms.Form):
    """A form that opens tables of one game; `free` is the value of a free seat."""

    free = ""
    first_seat = 0  # seats whose level is chosen
    seats = forms.IntegerField()
    unrated = forms.BooleanField(required=False)

    def __init__(self, data: Mapping[str, Any] | None = None, *, entry: Entry, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial={"seats": default_seats(entry), **(initial or {})})
        self.entry = entry
        meta = entry.game.meta
        for index in range(self.first_seat, meta.seats[-1]):
            self.fields[f"seat-{index}"] = forms.CharField(required=False, max_length=MAX_LEVEL_CHARS, empty_value=self.free)
        for spec in meta.options:
            self.fields[f"option-{spec.key}"] = OptionValue(spec)

    def clean_seats(self) -> int:
        seats: int = self.cleaned_data["seats"]
        if seats not in self.entry.game.meta.seats:
            raise forms.ValidationError(str(seats))
        return seats

    def levels(self) -> list[str]:
        """Return what was chosen for each seat at the table."""
        return [self.cleaned_data[f"seat-{index}"] for index in range(self.first_seat, self.cleaned_data["seats"])]

    def options(self) -> dict[str, Any]:
        return {spec.key: self.cleaned_data[f"option-{spec.key}"] for spec in self.entry.game.meta.options}

    def shown(self) -> dict[str, Any]:
        """Return the values that the template shows: what was sent, as far as it can be shown, else the defaults."""
        meta = self.entry.game.meta
        sent = str(self["seats"].value() or "")
        return {
            "seats": int(sent) if sent in map(str, meta.seats) else default_seats(self.entry),
            "levels": [(index, self[f"seat-{index}"].value() or self.free) for index in range(self.first_seat, meta.seats[-1])],
            "fields": [OptionField(spec, self._shown_option(spec)) for spec in meta.options],
            "unrated": bool(self["unrated"].value()),
        }

    def _shown_option(self, spec: OptionSpec) -> Any:
        usual = self.initial.get(f"option-{spec.key}", spec.default)
        return getattr(self, "cleaned_data", {}).get(f"option-{spec.key}", usual)


class TableForm(OpeningForm):
    """A new table, with its opener in the first seat."""

    free = OPEN
    first_seat = 1
    who = forms.ChoiceField(required=False, choices=[(key, key) for key in WHO])  # left out: as the club says
    club = forms.CharField(required=False)
    pace = forms.ChoiceField(required=False, choices=Kind.choices)
    live = forms.CharField(required=False, max_length=9)  # seconds on the clock and seconds added, with a plus between them
    days = forms.TypedChoiceField(required=False, coerce=int, empty_value=None, choices=[(days, days) for days in DAYS])
    weekends = forms.BooleanField(required=False)
    out = forms.ChoiceField(required=False, choices=Out.choices)
    word = forms.CharField(required=False, strip=False)
    fill = forms.CharField(required=False)
    starts = forms.CharField(required=False, max_length=32)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        entry: Entry,
        clubs: Sequence[Club],
        club: str = "",
        before: Table | None = None,
        invite: str = "",
        friends: bool = False,
    ) -> None:
        """`clubs`: those where the reader may open a table; `club`: the address of the default one; `before`: the table whose settings are the defaults;
        `invite`: the name of somebody for the first seat; `friends`: as few players as the game allows, who get the link.
        """
        self.clubs = {club.slug: club for club in clubs}
        initial = {"pace": Kind.RELAXED, "days": USUAL_DAYS, "out": Out.BOT} | ({} if before is None else self._of_table(before, entry))
        if invite:
            initial |= {f"seat-{self.first_seat}": INVITE, f"person-{self.first_seat}": invite}
        if friends:
            seats = {f"seat-{index}": OPEN for index in range(self.first_seat, entry.game.meta.seats[-1])}
            initial |= {"who": LINK, "seats": entry.game.meta.seats[0], **seats}
        super().__init__(data, entry=entry, initial=initial | ({"club": club, "who": CLUB} if club in self.clubs else {}))
        for index in range(self.first_seat, entry.game.meta.seats[-1]):
            self.fields[f"person-{index}"] = forms.CharField(required=False, max_length=MAX_NAME_CHARS)

    def _of_table(self, table: Table, entry: Entry) -> dict[str, Any]:
        """Return the values that open a table like another one; seats, bots and options only if it is of the same game."""
        club = next((slug for slug, club in self.clubs.items() if club.pk == table.club_id), "")
        values: dict[str, Any] = {"club": club, "unrated": not table.is_rated}
        values["who"] = CLUB if club else LINK if table.privacy == Table.Privacy.LINK else ANYONE
        pace = pace_of(table.pace)
        values |= {"pace": pace.kind, "days": pace.days or USUAL_DAYS, "weekends": pace.weekends, "out": pace.out}
        if table.game == entry.key:
            if pace.kind == Kind.LIVE:
                values["live"] = _live_text(pace.bank_s, pace.add_s)
            values["seats"] = table.seat_count
            others = [seat for seat in table.seats.all() if seat.user_id != table.owner_id and seat.left_user_id != table.owner_id]
            values |= {f"seat-{number}": seat.bot_level or OPEN for number, seat in enumerate(others, 1)}
            values |= {f"option-{key}": value for key, value in table.options.items()}
        return values

    def clean_club(self) -> Club | None:
        slug = self.cleaned_data["club"]
        if self.cleaned_data.get("who") in (ANYONE, LINK):
            return None  # the list of clubs is shown beside the other choices
        if slug and slug not in self.clubs:
            raise forms.ValidationError(slug)
        if not slug and self.cleaned_data.get("who") == CLUB:
            raise forms.ValidationError(CLUB)
        return self.clubs.get(slug)

    def clean_live(self) -> tuple[int, int]:
        """Return the seconds on the clock and those added each turn."""
        text = self.cleaned_data["live"] or _live_text(*presets(self.entry.game.meta)[1])
        bank, plus, add = text.partition("+")
        if not (plus and bank.isdecimal() and add.isdecimal()):
            raise forms.ValidationError(text)
        return int(bank), int(add)

    def chosen_pace(self) -> Pace:
        """Return what was chosen, not yet checked."""
        chosen = self.cleaned_data
        bank_s, add_s = chosen["live"]
        return Pace(
            chosen["pace"] or Kind.RELAXED, bank_s, add_s, chosen["days"] or USUAL_DAYS, chosen["weekends"], chosen["out"] or Out.BOT
        )

    def invited(self) -> list[str]:
        """Return the names and addresses of those who are to be invited."""
        return [self.cleaned_data[f"person-{index}"] for index, level in enumerate(self.levels(), self.first_seat) if level == INVITE]

    def settings(self) -> dict[str, Any]:
        """Return the arguments of `services.create_table`."""
        chosen = self.cleaned_data
        levels = self.levels()
        if chosen["fill"] == "bots":
            levels = [QUICK_LEVEL if level == OPEN else level for level in levels]
        return {
            "seats": chosen["seats"],
            "options": self.options(),
            "bots": [level for level in levels if level not in (OPEN, INVITE)],
            "word": chosen["word"],
            "club": chosen["club"],
            "privacy": Table.Privacy.LINK if chosen["who"] == LINK else Table.Privacy.PUBLIC,
            "is_rated": not chosen["unrated"],
            "pace": self.chosen_pace(),
            # Bots in the free seats are asked for at once.
            "starts_at": read(chosen["starts"]) if chosen["fill"] != "bots" else None,
        }

    def shown(self) -> dict[str, Any]:
        return super().shown() | {
            "clubs": list(self.clubs.values()),
            "club": self.clubs.get(self["club"].value() or ""),
            "who": self["who"].value() or (CLUB if self["club"].value() in self.clubs else ANYONE),
            "word": (self["word"].value() or "")[:MAX_WORD_CHARS],
            "pace": self._shown_pace(),
            "starts": self["starts"].value() or "",
            "levels": [
                (index, self[f"seat-{index}"].value() or self.free, self[f"person-{index}"].value() or "")
                for index in range(self.first_seat, self.entry.game.meta.seats[-1])
            ],
        }

    def _shown_pace(self) -> dict[str, Any]:
        """Return the kinds, the clocks that suit the game and the days, each as (value, text, whether it is chosen)."""
        clocks = presets(self.entry.game.meta)
        sent = str(self["live"].value() or _live_text(*clocks[1]))
        kind, days, out = (
            str(self[name].value() or usual) for name, usual in (("pace", Kind.RELAXED), ("days", USUAL_DAYS), ("out", Out.BOT))
        )
        return {
            "kinds": [(value, label, value == kind) for value, label in Kind.choices],
            "clocks": [(_live_text(*clock), live_said(*clock), _live_text(*clock) == sent) for clock in clocks],
            "days": [(str(number), days_said(number), str(number) == days) for number in DAYS],
            "weekends": bool(self["weekends"].value()),
            "outs": [(value, label, value == out) for value, label in Out.choices],
        }


def _live_text(bank_s: int, add_s: int) -> str:
    return f"{bank_s}+{add_s}"
