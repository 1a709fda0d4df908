"""Seasons: made, changed and taken back by officers, frozen for good by the scoring worker.

Begin and end move only while they lie in the future, and only while nobody writes standings: so a recount of all games
counts for each season the same games as the worker did when they ended.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.registry import GAMES
from portal.accounts.models import User
from portal.clubs.errors import BadValue, ClubNotFound, WrongMoment
from portal.clubs.journal import note
from portal.clubs.leagues import end_with_season, move_with_season
from portal.clubs.models import Club, Honour, Season
from portal.clubs.permissions import Verb, require
from portal.clubs.services import lock
from portal.clubs.texts import clean_name
from portal.ratings.books import ALL_GAMES
from portal.ratings.formula import shown
from portal.ratings.models import Ladder, Rating
from portal.ratings.services import standings_locked
from portal.tables.models import FinishCounter

log = logging.getLogger(__name__)

LONGEST: Final = timedelta(days=366)
FURTHEST: Final = timedelta(days=366)  # a season begins at most so far ahead
MOST_OPEN: Final = 6  # of a club, not frozen: each of its games is counted in every one of them
HONOURED: Final = 3  # places
GRACE: Final = timedelta(seconds=30)  # "now" in a form that waited for the standings is still now
BOT: Final = "bot:"  # begins the name of a bot level in an honour; no account has such a name


@transaction.atomic
def make_season(
    *, club: Club, actor: User | None, name: str, ends_at: datetime, starts_at: datetime | None = None, game: str = ""
) -> Season:
    """Make a season that begins at `starts_at` (None: now). Only games that end after this moment can count.

    Raises BadValue, WrongMoment when the club has MOST_OPEN seasons that are not frozen.
    """
    club = lock(club)
    require(Verb.SEASONS, club, actor)
    if Season.objects.filter(club=club, frozen_at=None).count() >= MOST_OPEN:
        raise WrongMoment(_("A club has at most %(count)d seasons at a time. Wait until one is over.") % {"count": MOST_OPEN})
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
    """Change a season that is not frozen. What is None stays; a begin or end that has passed, and the game of a running season, stay too.

    The deadlines of its leagues move with its begin, and none lies after its end. A game of another kind is refused while
    there are leagues. Raises BadValue, WrongMoment.
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
                raise WrongMoment(_("The season has begun: which games count in it stays as it is."))
            season.game = _checked_game(game)
            if game and season.leagues.exclude(game=game).exists():
                raise BadValue(_("The season has a league of another game."), "game")
        if starts_at is not None and starts_at != season.starts_at:
            if season.starts_at <= now:
                raise WrongMoment(_("The season has begun: its begin stays as it is."))
            _check_start(starts_at, now, grace=GRACE)
            season.starts_at = max(starts_at, now)
        if ends_at is not None and ends_at != season.ends_at:
            if season.ends_at <= now:
                raise WrongMoment(_("The season is over: its end stays as it is."))
            season.ends_at = ends_at
        if starts_at is not None or ends_at is not None:
            _check_end(season, now)
            move_with_season(season, season.starts_at - began_at)
        season.save(update_fields=["name", "game", "starts_at", "ends_at"])
        note(club, "season_edited", actor, name=season.name)
    return season


def end_season(*, club: Club, actor: User | None, season_id: int) -> Season:
    """End a running season now; the scoring worker freezes it at once. Raises WrongMoment before its begin and after its end."""
    require(Verb.SEASONS, club, actor)
    with standings_locked():
        club = lock(club)
        require(Verb.SEASONS, club, actor)
        season = _open_season(club, season_id)
        now = timezone.now()
        if season.starts_at >= now:
            raise WrongMoment(_("The season has not begun yet. Move its begin and end instead."))
        if season.ends_at <= now:
            raise WrongMoment(_("The season is over."))
        season.ends_at = now
        season.save(update_fields=["ends_at"])
        note(club, "season_ended", actor, name=season.name)
        transaction.on_commit(_freeze_soon, robust=True)
    return season


def delete_season(*, club: Club, actor: User | None, season_id: int) -> None:
    """Take back a season that has not begun, with the leagues drawn in it: no game has counted and no table was opened.

    Raises WrongMoment once it has begun.
    """
    require(Verb.SEASONS, club, actor)
    with standings_locked():
        club = lock(club)
        require(Verb.SEASONS, club, actor)
        season = Season.objects.select_for_update().filter(club=club, pk=season_id).first()
        if season is None:
            raise ClubNotFound(_("There is no such season."))
        if season.starts_at <= timezone.now():
            raise WrongMoment(_("The season has begun: it can be ended, but not deleted."))
        season.delete()
        note(club, "season_deleted", actor, name=season.name)


# Freezing


def freeze_due() -> int:
    """Freeze every season whose end has come; return how many. Twice, late or at the same time elsewhere does no harm."""
    due = Season.objects.filter(frozen_at=None, ends_at__lte=timezone.now()).order_by("ends_at", "id").values_list("pk", flat=True)
    return sum(freeze(season_id) for season_id in list(due))


def freeze(season_id: int) -> bool:
    """Freeze a season whose end has come: all that follows is in one transaction, so it happens whole or not at all.

    The results up to now are in its ladders, no later one counts any more, and its leagues end. Says whether it did.
    """
    with standings_locked() as clock:
        # Not the key: who ends a league of the season holds that league, and writes honours that point to the season.
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
    """Yield the first places of each ladder of the season; equal ratings share a place. Closed accounts are in none."""
    for ladder in Ladder.objects.filter(season=season).order_by("pool", "game"):
        if season.game and ladder.game == ALL_GAMES:
            continue  # the same games as the ladder of its game
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
        raise ClubNotFound(_("There is no such season."))
    if season.frozen_at is not None:
        raise WrongMoment(_("The season is frozen; nothing changes in it any more."))
    return season


def _free_name(club: Club, name: str, own: int | None = None) -> str:
    clean = clean_name(name)
    if Season.objects.filter(club=club, name__iexact=clean).exclude(pk=own or 0).exists():
        raise BadValue(_("The club has a season of this name already."), "name")
    return clean


def _checked_game(game: str) -> str:
    if game and game not in GAMES:
        raise BadValue(_("There is no such game."), "game")
    return game


def _check_start(starts_at: datetime, now: datetime, *, grace: timedelta = timedelta()) -> None:
    if timezone.is_naive(starts_at):
        raise BadValue(_("That is no date."), "starts_at")
    if starts_at < now - grace:
        raise BadValue(_("A season cannot begin in the past."), "starts_at")
    if starts_at > now + FURTHEST:
        raise BadValue(_("A season begins within a year from now."), "starts_at")


def _check_end(season: Season, now: datetime) -> None:
    if timezone.is_naive(season.ends_at):
        raise BadValue(_("That is no date."), "ends_at")
    if season.ends_at <= season.starts_at:
        raise BadValue(_("A season ends after it begins."), "ends_at")
    if season.ends_at <= now:
        raise BadValue(_("The end of a season has to lie in the future."), "ends_at")
    if season.ends_at > season.starts_at + LONGEST:
        raise BadValue(_("A season lasts a year at most."), "ends_at")


def _freeze_soon() -> None:
    from portal.clubs.tasks import freeze_due as task

    try:
        task.apply_async(retry=False)
    except Exception as error:  # the broker may be away in many ways; the beat comes every half minute
        log.warning("not enqueued: freeze_due: %s", error)
