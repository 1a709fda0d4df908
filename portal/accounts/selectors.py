"""What a profile page may read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from portal.accounts.models import User
from portal.ratings.selectors import PlayerRating, ratings_of
from portal.tables.lists import FinishedRow, finished_rows
from portal.tables.models import Seat
from portal.tables.selectors import recent_finished

LAST_GAMES = 10


@dataclass(frozen=True, slots=True)
class ProfilePage:
    """A player as anybody may see them."""

    username: str
    is_guest: bool
    is_me: bool
    since: datetime
    games_played: int
    wins: int
    ratings: list[PlayerRating]
    last_games: list[FinishedRow]


def profile_page(username: str, *, viewer: object) -> ProfilePage | None:
    """Return the page of a player; None when there is nobody of that name, or the account is closed."""
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        return None
    places = list(Seat.objects.filter(user=user, table__status="finished").values_list("place", flat=True))
    return ProfilePage(
        username=user.username,
        is_guest=user.is_guest,
        is_me=isinstance(viewer, User) and viewer.pk == user.pk,
        since=user.date_joined,
        games_played=len(places),
        wins=places.count(1),
        ratings=ratings_of(user),
        last_games=finished_rows(recent_finished(user=user)[:LAST_GAMES], user),
    )
