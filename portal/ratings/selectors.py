"""What pages may read of ratings: rows written when games ended, none of it summed up here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from games.registry import GAMES, Entry
from portal.accounts.models import User
from portal.ratings.formula import shown
from portal.ratings.models import Rating

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a leaderboard. `place` starts at 1; `wins_percent` counts shared wins in part."""

    place: int
    username: str  # "" for a bot
    bot_level: str
    is_guest: bool
    is_me: bool
    points: int
    plus_minus: int
    games: int
    wins_percent: int
    last_at: datetime | None


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """One page of a leaderboard, and the viewer's own line when it lies elsewhere."""

    lines: list[Standing]
    page: int
    has_next: bool
    mine: Standing | None


def _standing(rating: Rating, place: int, viewer: User | None) -> Standing:
    points, plus_minus = shown(rating.mu, rating.sigma)
    return Standing(
        place=place,
        username=rating.user.username if rating.user is not None else "",
        bot_level=rating.bot_level,
        is_guest=rating.user is not None and rating.user.is_guest,
        is_me=viewer is not None and rating.user_id is not None and rating.user_id == viewer.pk,
        points=points,
        plus_minus=plus_minus,
        games=rating.games,
        wins_percent=round(100 * rating.wins / rating.games) if rating.games else 0,
        last_at=rating.last_at,
    )


def _listed(pool: str, game: str, show_guests: bool) -> QuerySet[Rating]:
    """Return the ratings of a list, best first. Closed accounts are in none; guests only where they are asked for."""
    rows = Rating.objects.filter(Q(user__isnull=True) | Q(user__is_active=True), pool=pool, game=game)
    if not show_guests:
        rows = rows.exclude(user__is_guest=True)
    return rows


def leaderboard(*, pool: str, game: str, page: int = 1, show_guests: bool = False, viewer: User | None = None) -> Leaderboard:
    """Return page `page` of a list, ordered by the strength that is at least there; at most three statements."""
    rows = _listed(pool, game, show_guests)
    first = (page - 1) * PAGE_SIZE
    found = list(rows.select_related("user").order_by("-order_value", "id")[first : first + PAGE_SIZE + 1])
    lines = [_standing(rating, first + offset + 1, viewer) for offset, rating in enumerate(found[:PAGE_SIZE])]
    mine = None
    if viewer is not None and viewer.pk and not any(line.is_me for line in lines):
        own = Rating.objects.select_related("user").filter(pool=pool, game=game, user=viewer).first()
        if own is not None:
            above = rows.filter(Q(order_value__gt=own.order_value) | Q(order_value=own.order_value, id__lt=own.pk)).count()
            mine = _standing(own, above + 1, viewer)
    return Leaderboard(lines, page, len(found) > PAGE_SIZE, mine)


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """One rating on a profile."""

    entry: Entry
    title: str
    pool: str
    points: int
    plus_minus: int
    games: int
    wins_percent: int


def ratings_of(user: User) -> list[PlayerRating]:
    """Return all ratings of a person, by game, the pool of people first."""
    found = []
    for rating in Rating.objects.filter(user=user, games__gt=0).order_by("game", "-pool"):
        points, plus_minus = shown(rating.mu, rating.sigma)
        entry = GAMES[rating.game]
        percent = round(100 * rating.wins / rating.games)
        found.append(PlayerRating(entry, entry.game.meta.title, rating.pool, points, plus_minus, rating.games, percent))
    return found
