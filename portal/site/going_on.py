"""What is on in a club besides its tables, for its home page: running seasons, the reader's league games, sets with free seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, Prefetch
from django.utils import timezone

from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.accounts.pseudonyms import shown
from portal.clubs.models import Club, DuplicateSet
from portal.contests.models import League, Pairing, PairingSeat
from portal.contests.season_selectors import SeasonRow
from portal.tables.models import Seat, Table

SHOWN: Final = 3  # of each kind


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A league game that the reader has to play, or is playing."""

    pairing: Pairing
    entry: Entry
    opponents: list[str]  # names


@dataclass(frozen=True, slots=True)
class OpenSet:
    """A duplicate set with free seats at its tables."""

    id: int
    name: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class GoingOn:
    """What is on."""

    seasons: list[SeasonRow]
    games: list[OwnGame]  # those that are due first
    more_games: bool
    sets: list[OpenSet]

    def __bool__(self) -> bool:
        return bool(self.seasons or self.games or self.sets)


def going_on(club: Club, viewer: User | None) -> GoingOn:
    """Return what is on in a club; three statements, or five for somebody with an account."""
    now = timezone.now()
    leagues = Prefetch("leagues", League.objects.filter(ended_at=None).order_by("id"))
    seasons = club.seasons.filter(starts_at__lte=now, ends_at__gt=now).order_by("ends_at", "id").prefetch_related(leagues)[:SHOWN]
    rows = [SeasonRow(season, GAMES.get(season.game), list(season.leagues.all()), [], now) for season in seasons]
    free = Seat.objects.filter(table__duplicate=OuterRef("pk"), table__status=Table.Status.OPEN, user=None, bot_level="")
    sets = DuplicateSet.objects.filter(Exists(free), club=club, revealed_at=None).order_by("-created_at", "-id")
    games = _own_games(club, viewer) if viewer is not None and viewer.pk and club.closed_at is None else []
    return GoingOn(
        seasons=rows,
        games=games[:SHOWN],
        more_games=len(games) > SHOWN,
        sets=[OpenSet(pk, name, GAMES[game]) for pk, name, game in sets.values_list("pk", "name", "game")[:SHOWN]],
    )


def _own_games(club: Club, viewer: User) -> list[OwnGame]:
    now = timezone.now()
    seats = PairingSeat.objects.select_related("entrant").order_by("seat")
    found = (
        Pairing.objects.filter(
            league__season__club=club,
            league__season__starts_at__lte=now,
            league__season__ends_at__gt=now,
            league__ended_at=None,
            void_at=None,
            seats__entrant__user=viewer,
            seats__entrant__withdrawn_at=None,
            seats__place=None,
        )
        .exclude(table=None, deadline__lte=now)
        .exclude(table__status__in=(Table.Status.FINISHED, Table.Status.ABANDONED))
        .select_related("league")
        .prefetch_related(Prefetch("seats", seats))
        .order_by("deadline", "pk")
    )
    return [
        OwnGame(
            pairing,
            GAMES[pairing.league.game],
            [shown(seat.entrant.name) for seat in pairing.seats.all() if seat.entrant.user_id != viewer.pk],
        )
        for pairing in found[: SHOWN + 1]
    ]
