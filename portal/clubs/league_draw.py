"""The draw of a league: what an officer wants, checked, and who would meet whom. Nothing here is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _

from games.core.contract import PositionError
from games.core.records import options_of
from games.registry import GAMES
from portal.accounts.models import User
from portal.clubs.errors import BadValue
from portal.clubs.models import Club, League, Membership, Season
from portal.clubs.pairings import MOST_ENTRANTS, MOST_ROUNDS, Round, default_rounds, fair_rounds, round_robin, rounds_of_tables
from portal.clubs.texts import clean_name

MOST_DAYS: Final = 60  # a round
MAX_SEED_CHARS: Final = 16
BOT_NAMES: Final = (
    "Nabu", "Ninsun", "Enki", "Inanna", "Utu", "Nisaba", "Enlil", "Nanna", "Ninurta", "Ishkur", "Dumuzi", "Gula", "Nergal", "Geshtinanna",
    "Ninlil", "Kubaba", "Adapa", "Etana", "Lugalbanda", "Enkidu", "Siduri", "Utnapishtim", "Humbaba", "Zababa", "Damkina", "Ninhursag",
    "Asalluhi", "Nusku", "Papsukkal", "Sarpanit", "Tashmetum", "Uttu",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """Who may become an entrant: a member, or a bot of a level under a name."""

    name: str
    user: User | None = None
    bot_level: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """What an officer wants of a league, as the form says it; `drawn` checks it."""

    name: str
    game: str
    form: str  # "once", "twice", or "rounds-<seats>"
    members: Sequence[str] = ()  # names
    bots: Mapping[str, int] = field(default_factory=dict)  # level -> how many
    rounds: int | None = None  # None: as few as are fair
    days: int = 7
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """A league as it would be: nothing of it is stored. Rounds hold numbers of `entrants`."""

    name: str
    game: str
    form: str
    seats: int
    options: dict[str, Any]
    entrants: list[Candidate]
    rounds: list[Round]
    deadlines: list[datetime]  # of the rounds
    fair: list[int]  # numbers of rounds that could be chosen; one for a round robin

    @property
    def is_cut(self) -> bool:
        """Whether the season ends before the last rounds have had their days."""
        return len(self.deadlines) > 1 and self.deadlines[-1] == self.deadlines[-2]

    @property
    def games_each(self) -> int:
        return sum(0 in table for tables in self.rounds for table in tables)

    @property
    def rests_each(self) -> int:
        return len(self.rounds) - self.games_each


def forms_of(game_key: str) -> list[tuple[str, int]]:
    """Return the forms that a league of a game can have, each with its seats; the usual one first."""
    seats = list(GAMES[game_key].game.meta.seats)
    robins = [("once", 2), ("twice", 2)] if 2 in seats else []
    tables_of = [(f"rounds-{count}", count) for count in seats]
    usual = max((count for count in seats if count <= 4), default=seats[0])
    if usual == 2:
        return robins + tables_of
    return sorted(tables_of, key=lambda pair: pair[1] != usual) + robins


def drawn(season: Season, wish: Wish) -> Draw:
    """Return the league of a wish as it would be in a season; the same wish gives the same draw. Raises BadValue."""
    name = clean_name(wish.name)
    if season.leagues.filter(name__iexact=name).exists():
        raise BadValue(_("The season has a league of this name already."), "name")
    if wish.game not in GAMES or season.game not in ("", wish.game):
        raise BadValue(_("Choose a game that counts in this season."), "game")
    seats = dict(forms_of(wish.game)).get(wish.form)
    if seats is None:
        raise BadValue(_("Choose one of the forms that this game has."), "form")
    if not 1 <= wish.days <= MOST_DAYS:
        raise BadValue(_("A round has 1 to %(count)d days.") % {"count": MOST_DAYS}, "days")
    try:
        options = options_of(GAMES[wish.game].game, wish.options)
    except PositionError:
        raise BadValue(_("Choose options that this game has."), "options") from None
    if not (wish.seed.isascii() and wish.seed.isalnum() and len(wish.seed) <= MAX_SEED_CHARS):
        raise BadValue(_("The number of the draw has up to %(count)d letters and digits.") % {"count": MAX_SEED_CHARS}, "seed")
    entrants = _entrants(season.club, wish)
    count = len(entrants)
    if count < max(2, seats):
        text = _("For this form the league needs at least %(count)d entrants, members and bots together.")
        raise BadValue(text % {"count": max(2, seats)}, "members")
    if wish.form in ("once", "twice"):
        rounds = round_robin(count, twice=wish.form == "twice", seed=wish.seed)
        fair = [len(rounds)]
    else:
        fair = fair_rounds(count, seats)
        chosen = wish.rounds if wish.rounds is not None else default_rounds(count, seats)
        if chosen not in fair:
            raise BadValue(_unfair(chosen, count, seats, fair), "rounds")
        rounds = rounds_of_tables(count, seats, chosen, seed=wish.seed)
    form = League.Form.ROUNDS if wish.form.startswith("rounds") else League.Form.ROUND_ROBIN
    return Draw(name, wish.game, form, seats, options, entrants, rounds, _deadlines(season, len(rounds), wish.days), fair)


def _unfair(chosen: int, count: int, seats: int, fair: Sequence[int]) -> str:
    if not 1 <= chosen <= MOST_ROUNDS:
        return _("A league has 1 to %(count)d rounds.") % {"count": MOST_ROUNDS}
    text = _(
        "With %(entrants)d entrants at tables of %(seats)d, everybody plays equally often only with these numbers of rounds: %(fair)s."
    )
    return text % {"entrants": count, "seats": seats, "fair": ", ".join(map(str, fair[:6]))}


def _entrants(club: Club, wish: Wish) -> list[Candidate]:
    names = list(dict.fromkeys(wish.members))
    levels = GAMES[wish.game].game.meta.bot_levels
    bots = [level for level in levels for _ in range(min(wish.bots.get(level, 0), MOST_ENTRANTS + 1))]
    if any(level not in levels or count < 0 for level, count in wish.bots.items()):
        raise BadValue(_("Choose bots of a level that this game has."), "bots")
    if len(names) + len(bots) > MOST_ENTRANTS:
        raise BadValue(_("A league has at most %(count)d entrants.") % {"count": MOST_ENTRANTS}, "members")
    if not names:
        raise BadValue(_("A league needs at least one member among its entrants."), "members")
    possible = [name for name in names if name.isprintable()]  # the database takes no NUL, not even to look for it
    found = {
        membership.user.username: membership.user
        for membership in Membership.objects.filter(club=club, user__username__in=possible, user__is_active=True).select_related("user")
    }
    strangers = [name for name in names if name not in found]
    if strangers:
        raise BadValue(_("Only members can take part. Not a member: %(names)s.") % {"names": _shown(strangers)}, "members")
    taken = {name.casefold() for name in names}
    free = (name for name in BOT_NAMES if name.casefold() not in taken)
    more = (f"Nabu {number}" for number in range(2, 100) if f"nabu {number}" not in taken)
    people = [Candidate(name, found[name]) for name in names]
    return people + [Candidate(next(free, None) or next(more), None, level) for level in bots]


def _shown(names: Sequence[str]) -> str:
    """Return names that somebody has typed as a sentence may hold them."""
    return "".join(c if c.isprintable() else "\ufffd" for c in ", ".join(names)[:200])


def _deadlines(season: Season, rounds: int, days: int) -> list[datetime]:
    """Return the ends of the rounds: the ends of days in the reader's time zone, none after the end of the season."""
    begin = timezone.localtime(max(timezone.now(), season.starts_at))
    return [min(end_of_day(begin.date() + timedelta(days=days * number)), season.ends_at) for number in range(1, rounds + 1)]


def end_of_day(day: date) -> datetime:
    """Return the last microsecond of a day in the time zone of the reader."""
    return timezone.make_aware(datetime.combine(day, time.max))
