"""Seasons: officers create, change and delete them; the scoring worker freezes them for good.

Start and end move only while they are in the future, and only while nobody writes standings, so that a recount of all games counts the same
games for each season as the worker did when they ended.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from games.registry import GAMES
from portal.accounts.models import User
from portal.clubs.journal import note
from portal.clubs.models import Club, Season
from portal.clubs.permissions import Verb, require
from portal.clubs.refusals import NoSuchGame
from portal.clubs.services import lock
from portal.clubs.texts import clean_name
from portal.common.later import later
from portal.contests import refusals
from portal.contests.leagues import end_with_season, move_with_season
from portal.contests.models import Honour
from portal.ratings.books import ALL_GAMES
from portal.ratings.formula import shown
from portal.ratings.models import Ladder, Rating
from portal.ratings.services import standings_locked
from portal.tables.models import FinishCounter

log = logging.getLogger(__name__)

LONGEST: Final = timedelta(days=366)
FURTHEST: Final = timedelta(days=366)  # a season starts at most this far ahead
MOST_OPEN: Final = 6  # unfrozen seasons of a club, each of which counts each of its games
HONOURED: Final = 3  # places
GRACE: Final = timedelta(seconds=30)  # "now" in a form that waited for the standings is still now
BOT: Final = "bot:"  # prefix of a bot level's name in an honour; no account has such a name


@transaction.atomic
def make_season(
    *, club: Club, actor: User | None, name: str, ends_at: datetime, starts_at: datetime | None = None, game: str = ""
) -> Season:
    """Create a season that starts at `starts_at` (None: now). Only games that end after this moment can count.

    Raises BadValue, WrongMoment when the club has MOST_OPEN seasons that are not frozen.
    """
    club = lock(club)
    require(Verb.SEASONS, club, actor)
    if Season.objects.filter(club=club, frozen_at=None).count() >= MOST_OPEN:
        raise refusals.TooManySeasons(count=MOST_OPEN)
    now = timezone.now()
    season = Season(club=club, name=_free_name(club, name), game=_checked_game(game), starts_at=starts_at or now, ends_at=ends_at)
    if starts_at is not None:
        _check_start(starts_at, now)
    _check_end(season, now)
    FinishCounter.objects.get_or_create(pk=1)
    season.after_number = FinishCounter.objects.select_for_update().get(pk=1).last
    season.save()
    note(club, "season_made", actor, name=season.name)
    return season


def edit_season(
    *,
    club: Club,
    actor: User | None,
    season_id: int,
    name: str,
    ends_at: datetime | None = None,
    starts_at: datetime | None = None,
    game: str | None = None,
) -> Season:
    """Change a season that is not frozen. None keeps a value; a start or end that has passed and the game of a running season are kept too.

    The deadlines of its leagues move with its start, and none is after its end. Another game is refused while there are leagues. Raises
    BadValue, WrongMoment.
    """
    require(Verb.SEASONS, club, actor)  # before anybody waits for the standings
    with standings_locked():
        club = lock(club)
        require(Verb.SEASONS, club, actor)
        season = _open_season(club, season_id)
        now = timezone.now()
        began_at = season.starts_at
        season.name = _free_name(club, name, season.pk)
        if game is not None and game != season.game:
            if season.starts_at <= now:
                raise refusals.SeasonGameFixed
            season.game = _checked_game(game)
            if game and season.leagues.exclude(game=game).exists():
                raise refusals.SeasonHasOtherGame
        if starts_at is not None and starts_at != season.starts_at:
            if season.starts_at <= now:
                raise refusals.SeasonStartFixed
            _check_start(starts_at, now, grace=GRACE)
            season.starts_at = max(starts_at, now)
        if ends_at is not None and ends_at != season.ends_at:
            if season.ends_at <= now:
                raise refusals.SeasonEndFixed
            season.ends_at = ends_at
        if starts_at is not None or ends_at is not None:
            _check_end(season, now)
            move_with_season(season, season.starts_at - began_at)
        season.save(update_fields=["name", "game", "starts_at", "ends_at"])
        note(club, "season_edited", actor, name=season.name)
    return season


def end_season(*, club: Club, actor: User | None, season_id: int) -> Season:
    """End a running season now; the scoring worker freezes it at once. Raises WrongMoment before its start and after its end."""
    require(Verb.SEASONS, club, actor)
    with standings_locked():
        club = lock(club)
        require(Verb.SEASONS, club, actor)
        season = _open_season(club, season_id)
        now = timezone.now()
        if season.starts_at >= now:
            raise refusals.MoveSeasonInstead
        if season.ends_at <= now:
            raise refusals.SeasonOver
        season.ends_at = now
        season.save(update_fields=["ends_at"])
        note(club, "season_ended", actor, name=season.name)
        later("portal.clubs.tasks.freeze_due")
    return season


def delete_season(*, club: Club, actor: User | None, season_id: int) -> None:
    """Delete a season that has not started, with the leagues drawn in it: no game has counted and no table was opened.

    Raises WrongMoment once it has started.
    """
    require(Verb.SEASONS, club, actor)
    with standings_locked():
        club = lock(club)
        require(Verb.SEASONS, club, actor)
        season = Season.objects.select_for_update().filter(club=club, pk=season_id).first()
        if season is None:
            raise refusals.NoSuchSeason
        if season.starts_at <= timezone.now():
            raise refusals.SeasonStartedNotDeleted
        season.delete()
        note(club, "season_deleted", actor, name=season.name)


# Freezing


def freeze_due() -> int:
    """Freeze every season whose end has come; return how many. Running it twice, late or concurrently does no harm."""
    due = Season.objects.filter(frozen_at=None, ends_at__lte=timezone.now()).order_by("ends_at", "id").values_list("pk", flat=True)
    return sum(freeze(season_id) for season_id in list(due))


def freeze(season_id: int) -> bool:
    """Freeze a season whose end has come, in one transaction: all of it happens or nothing does.

    Its ladders have all results up to now, later ones no longer count, and its leagues end. Says whether it was frozen.
    """
    with standings_locked() as clock:
        # `no_key`: whoever ends a league of the season has locked that league and writes honours that refer to the season.
        season = Season.objects.select_for_update(no_key=True).filter(pk=season_id).first()
        now = timezone.now()
        if season is None or season.frozen_at is not None or season.ends_at > now:
            return False
        season.frozen_number = clock.applied_up_to
        season.frozen_at = now
        season.save(update_fields=["frozen_number", "frozen_at"])
        end_with_season(season, now)
        Honour.objects.bulk_create(_honours(season))
    log.info("season %s is frozen at finish number %s", season_id, season.frozen_number)
    return True


def _honours(season: Season) -> Iterable[Honour]:
    """Yield the first places of each ladder of the season; equal ratings share a place. Closed accounts are left out."""
    for ladder in Ladder.objects.filter(season=season).order_by("pool", "game"):
        if season.game and ladder.game == ALL_GAMES:
            continue  # it has the same games as the ladder of its game
        rows = ladder.ratings.filter(games__gt=0).select_related("user").order_by("-order_value", "id")
        first = list(rows[: HONOURED + 1])
        if len(first) > HONOURED and first[HONOURED].order_value == first[HONOURED - 1].order_value:
            first = list(rows.filter(order_value__gte=first[HONOURED].order_value))
        for rating in first:
            rank = 1 + sum(other.order_value > rating.order_value for other in first)
            if rank <= HONOURED and (rating.user is None or rating.user.is_active):
                yield _honour(season, ladder, rating, rank)


def _honour(season: Season, ladder: Ladder, rating: Rating, rank: int) -> Honour:
    points, plus_minus = shown(rating.mu, rating.sigma)
    return Honour(
        season=season,
        pool=ladder.pool,
        game=ladder.game,
        rank=rank,
        user=rating.user,
        name=rating.user.username if rating.user is not None else BOT + rating.bot_level,
        value=f"{points} ± {plus_minus}",
        games=rating.games,
    )


# Parts


def _open_season(club: Club, season_id: int) -> Season:
    season = Season.objects.select_for_update(no_key=True).filter(club=club, pk=season_id).first()
    if season is None:
        raise refusals.NoSuchSeason
    if season.frozen_at is not None:
        raise refusals.SeasonFrozen
    return season


def _free_name(club: Club, name: str, own: int | None = None) -> str:
    clean = clean_name(name)
    if Season.objects.filter(club=club, name__iexact=clean).exclude(pk=own or 0).exists():
        raise refusals.SeasonNameTaken
    return clean


def _checked_game(game: str) -> str:
    if game and game not in GAMES:
        raise NoSuchGame
    return game


def _check_start(starts_at: datetime, now: datetime, *, grace: timedelta = timedelta()) -> None:
    if timezone.is_naive(starts_at):
        raise refusals.NotADate(field="starts_at")
    if starts_at < now - grace:
        raise refusals.SeasonInPast
    if starts_at > now + FURTHEST:
        raise refusals.SeasonTooFar


def _check_end(season: Season, now: datetime) -> None:
    if timezone.is_naive(season.ends_at):
        raise refusals.NotADate(field="ends_at")
    if season.ends_at <= season.starts_at:
        raise refusals.SeasonEndsFirst
    if season.ends_at <= now:
        raise refusals.SeasonEndInPast
    if season.ends_at > season.starts_at + LONGEST:
        raise refusals.SeasonTooLong
