"""The finished games of a person, filtered: those that the reader may see, and no others, whatever is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.registry import GAMES
from portal.accounts.models import User
from portal.accounts.names import person_named
from portal.people.refusals import NobodyOfThatName
from portal.ratings.statistics import games_of
from portal.tables.lists import FinishedRow, finished_rows
from portal.tables.models import Seat, Table

ON_A_PAGE: Final = 25
RATED: Final = ("", "rated", "unrated")
RESULTS: Final = ("", "won", "lost", "left")
NAMES: Final = ("game", "rated", "result", "opponent")


class NoSuchFilter(LookupError):
    """A filter has a value that no form offers."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What the reader wants to see; "" for all. `opponent` is a name."""

    game: str = ""
    rated: str = ""
    result: str = ""
    opponent: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Filters:
        """Return the filters of a query. Raises NoSuchFilter."""
        found = cls(**{name: query.get(name, "").strip() for name in NAMES})
        if (found.game and found.game not in GAMES) or found.rated not in RATED or found.result not in RESULTS:
            raise NoSuchFilter
        return found

    @property
    def used(self) -> dict[str, str]:
        return {name: value for name in NAMES if (value := getattr(self, name))}


def games_page(user: User, viewer: User | None, filters: Filters, page: int) -> tuple[list[FinishedRow], bool]:
    """Return a page of a person's finished games, newest first, and whether another follows.

    Two statements, and one for the name of an opponent. Raises NobodyOfThatName.
    """
    start = (page - 1) * ON_A_PAGE
    found = list(filtered(games_of(user, viewer), user, filters)[start : start + ON_A_PAGE + 1])
    return finished_rows(found[:ON_A_PAGE], user), len(found) > ON_A_PAGE


def filtered(tables: QuerySet[Table], user: User, filters: Filters) -> QuerySet[Table]:
    """Return those of a person's finished games that fit. Raises NobodyOfThatName."""
    if filters.game:
        tables = tables.filter(game=filters.game)
    if filters.rated:
        is_rated = Q(is_rated=True, position__isnull=True)
        tables = tables.filter(is_rated if filters.rated == "rated" else ~is_rated)
    if filters.result:
        seat = Seat.objects.filter(table=OuterRef("pk"))
        chosen = {"won": Q(user=user, place=1), "lost": Q(user=user, place__gt=1), "left": Q(left_user=user)}[filters.result]
        tables = tables.filter(Exists(seat.filter(chosen)))
    if filters.opponent:
        opponent = person_named(filters.opponent)
        if opponent is None:
            raise NobodyOfThatName
        tables = tables.filter(Exists(Seat.objects.filter(table=OuterRef("pk"), user=opponent)))
    return tables
