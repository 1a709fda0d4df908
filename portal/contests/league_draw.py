"""The draw of a league: an officer's wish, checked, and the resulting pairings. Nothing here is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django.utils import timezone

from games.core.contract import PositionError
from games.core.options import full_options
from games.registry import GAMES
from portal.accounts.models import User
from portal.accounts.names import people_named
from portal.clubs.models import Club, Membership, Season
from portal.clubs.texts import clean_name
from portal.common.refusals import BadValue
from portal.contests import refusals
from portal.contests.models import League
from portal.contests.pairings import MOST_ENTRANTS, MOST_ROUNDS, Round, default_rounds, fair_rounds, round_robin, rounds_of_tables

MOST_DAYS: Final = 60  # per round
MAX_SEED_CHARS: Final = 16
BOT_NAMES: Final = (
    "Nabu", "Ninsun", "Enki", "Inanna", "Utu", "Nisaba", "Enlil", "Nanna", "Ninurta", "Ishkur", "Dumuzi", "Gula", "Nergal", "Geshtinanna",
    "Ninlil", "Kubaba", "Adapa", "Etana", "Lugalbanda", "Enkidu", "Siduri", "Utnapishtim", "Humbaba", "Zababa", "Damkina", "Ninhursag",
    "Asalluhi", "Nusku", "Papsukkal", "Sarpanit", "Tashmetum", "Uttu",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible entrant: a member, or a bot of a level under a name."""

    name: str
    user: User | None = None
    bot_level: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """An officer's wish for a league, as the form has it; `drawn` checks it."""

    name: str
    game: str
    form: str  # "once", "twice", or "rounds-<seats>"
    members: Sequence[str] = ()  # names
    bots: Mapping[str, int] = field(default_factory=dict)  # level -> how many
    rounds: int | None = None  # None: the smallest fair number
    days: int = 7
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """A league as it would be, none of it stored. Rounds hold indices into `entrants`."""

    name: str
    game: str
    form: str
    seats: int
    options: dict[str, Any]
    entrants: list[Candidate]
    rounds: list[Round]
    deadlines: list[datetime]  # of the rounds
    fair: list[int]  # possible numbers of rounds; only one for a round robin

    @property
    def is_cut(self) -> bool:
        """Whether the season ends before the last rounds get all their days."""
        return len(self.deadlines) > 1 and self.deadlines[-1] == self.deadlines[-2]

    @property
    def games_each(self) -> int:
        return sum(0 in table for tables in self.rounds for table in tables)

    @property
    def rests_each(self) -> int:
        return len(self.rounds) - self.games_each


def forms_of(game_key: str) -> list[tuple[str, int]]:
    """Return the possible forms of a league of a game, each with its seats; the usual one first."""
    seats = list(GAMES[game_key].game.meta.seats)
    robins = [("once", 2), ("twice", 2)] if 2 in seats else []
    tables_of = [(f"rounds-{count}", count) for count in seats]
    usual = max((count for count in seats if count <= 4), default=seats[0])
    if usual == 2:
        return robins + tables_of
    return sorted(tables_of, key=lambda pair: pair[1] != usual) + robins


def drawn(season: Season, wish: Wish) -> Draw:
    """Return the league that a wish would give in a season; the same wish gives the same draw. Raises BadValue."""
    name = clean_name(wish.name)
    if season.leagues.filter(name__iexact=name).exists():
        raise refusals.LeagueNameTaken
    if wish.game not in GAMES or season.game not in ("", wish.game):
        raise refusals.GameNotInSeason
    seats = dict(forms_of(wish.game)).get(wish.form)
    if seats is None:
        raise refusals.NoSuchForm
    if not 1 <= wish.days <= MOST_DAYS:
        raise refusals.BadRoundLength(count=MOST_DAYS)
    try:
        options = full_options(GAMES[wish.game].game.meta, wish.options)
    except PositionError:
        raise refusals.NoSuchOptions from None
    if not (wish.seed.isascii() and wish.seed.isalnum() and len(wish.seed) <= MAX_SEED_CHARS):
        raise refusals.BadSeed(count=MAX_SEED_CHARS)
    entrants = _entrants(season.club, wish)
    count = len(entrants)
    if count < max(2, seats):
        raise refusals.TooFewEntrants(count=max(2, seats))
    if wish.form in ("once", "twice"):
        rounds = round_robin(count, twice=wish.form == "twice", seed=wish.seed)
        fair = [len(rounds)]
    else:
        fair = fair_rounds(count, seats)
        chosen = wish.rounds if wish.rounds is not None else default_rounds(count, seats)
        if chosen not in fair:
            raise _unfair(chosen, count, seats, fair)
        rounds = rounds_of_tables(count, seats, chosen, seed=wish.seed)
    form = League.Form.ROUNDS if wish.form.startswith("rounds") else League.Form.ROUND_ROBIN
    return Draw(name, wish.game, form, seats, options, entrants, rounds, _deadlines(season, len(rounds), wish.days), fair)


def _unfair(chosen: int, count: int, seats: int, fair: Sequence[int]) -> BadValue:
    if not 1 <= chosen <= MOST_ROUNDS:
        return refusals.BadRoundCount(count=MOST_ROUNDS)
    return refusals.UnfairRounds(entrants=count, seats=seats, fair=", ".join(map(str, fair[:6])))


def _entrants(club: Club, wish: Wish) -> list[Candidate]:
    names = list(dict.fromkeys(wish.members))
    levels = GAMES[wish.game].game.meta.bot_levels
    bots = [level for level in levels for _ in range(min(wish.bots.get(level, 0), MOST_ENTRANTS + 1))]
    if any(level not in levels or count < 0 for level, count in wish.bots.items()):
        raise refusals.NoSuchBots
    if len(names) + len(bots) > MOST_ENTRANTS:
        raise refusals.TooManyEntrants(count=MOST_ENTRANTS)
    if not names:
        raise refusals.NoMemberEntered
    meant = people_named(names)
    members = set(Membership.objects.filter(club=club, user__in=meant.values()).values_list("user_id", flat=True))
    found = {name: user for name, user in meant.items() if user.pk in members}
    strangers = [name for name in names if name not in found]
    if strangers:
        raise refusals.NotMembers(names=_shown(strangers))
    taken = {name.casefold() for name in names}
    free = (name for name in BOT_NAMES if name.casefold() not in taken)
    more = (f"Nabu {number}" for number in range(2, 100) if f"nabu {number}" not in taken)
    people = [Candidate(user.username, user) for user in dict.fromkeys(found[name] for name in names)]  # in whatever case they were typed
    return people + [Candidate(next(free, None) or next(more), None, level) for level in bots]


def _shown(names: Sequence[str]) -> str:
    """Return typed names in a form fit for a sentence."""
    return "".join(c if c.isprintable() else "\ufffd" for c in ", ".join(names)[:200])


def _deadlines(season: Season, rounds: int, days: int) -> list[datetime]:
    """Return the deadlines of the rounds: ends of days in the reader's time zone, none after the end of the season."""
    begin = timezone.localtime(max(timezone.now(), season.starts_at))
    return [min(end_of_day(begin.date() + timedelta(days=days * number)), season.ends_at) for number in range(1, rounds + 1)]


def end_of_day(day: date) -> datetime:
    """Return the last microsecond of a day in the reader's time zone."""
    return timezone.make_aware(datetime.combine(day, time.max))
