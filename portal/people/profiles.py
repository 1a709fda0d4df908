"""What a profile page may read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from portal.accounts.blocks import blocks
from portal.accounts.models import User
from portal.accounts.names import person_named
from portal.bots.selectors import ShownBot, open_bots, shown_to
from portal.friends.selectors import Tie, tie
from portal.people.selectors import Shown, shown_by
from portal.ratings.selectors import PlayerRating, ratings_of
from portal.ratings.statistics import GameTotal, games_of, totals_of
from portal.tables.lists import FinishedRow, finished_rows

LAST_GAMES = 10


@dataclass(frozen=True, slots=True)
class ProfilePage:
    """A player's public profile."""

    username: str
    shown: Shown
    is_guest: bool
    is_bot: bool
    bot: ShownBot | None  # what a bot account is and accepts
    is_me: bool
    is_blocked: bool  # by the viewer
    tie: Tie  # what the person is to the viewer
    since: datetime
    games_played: int  # rated ones
    wins: float  # shared ones in part
    ratings: list[PlayerRating]
    totals: list[GameTotal]
    last_games: list[FinishedRow]  # those that the viewer may see


def profile_page(username: str, *, viewer: object) -> ProfilePage | None:
    """Return a player's profile; None if there is nobody of that name or the account is closed. Six statements, and two more for a reader.

    Of a bot account four more at most.
    """
    user = person_named(username)
    if user is None:
        return None
    reader = viewer if isinstance(viewer, User) else None
    totals = totals_of(user)
    return ProfilePage(
        username=user.username,
        shown=shown_by(user.pk),
        is_guest=user.is_guest,
        is_bot=user.is_bot,
        bot=_bot(user, reader) if user.is_bot else None,
        is_me=reader is not None and reader.pk == user.pk,
        is_blocked=reader is not None and reader.pk != user.pk and blocks(user=reader, person=user),
        tie=tie(reader, user) if reader is not None and reader.pk != user.pk else Tie.NONE,
        since=user.date_joined,
        games_played=sum(total.games for total in totals),
        wins=sum(total.wins for total in totals),
        ratings=ratings_of(user),
        totals=totals,
        last_games=finished_rows(games_of(user, reader)[:LAST_GAMES], user),
    )


def _bot(user: User, reader: User | None) -> ShownBot | None:
    return next(iter(shown_to(reader, list(open_bots().filter(user=user)))), None)
