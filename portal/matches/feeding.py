"""The feeder: opens the games of matches as others end, and writes each result once.

Everything that it has to do is in the database: a step may be repeated, or break off, at any moment. A step locks its match, its owner, the
bots in it and the right to open games, but waits for none of them: whoever deletes an account holds the person's row, and then waits for the
match. What is locked is left for the next round.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError, connection, transaction
from django.db.models import Count, Q
from django.utils import timezone

from games.core import sealed
from portal.accounts.models import User
from portal.bots.models import BotAccount
from portal.bots.refusals import BotIsFull
from portal.bots.services import tables_of, why_not
from portal.clubs.models import DuplicateSet
from portal.common.refusals import Refusal
from portal.matches.models import Game, Match, Player
from portal.matches.services import CLOSED, NO_ROOM, REFUSED, RULES, SILENT
from portal.tables.models import Table
from portal.tables.pace import Kind, pace_of
from portal.tables.reveal import ENDED
from portal.tables.services import Bot, Sitter, open_table

log = logging.getLogger(__name__)

MATCHES_A_PERSON: Final = 3  # that run at the same time
GAMES_AT_ONCE: Final = 60  # of all matches together ...
GAMES_BY_DAYS: Final = 30  # ... and of these, of matches by days, which last for long
GAMES_A_PERSON: Final = 20  # of all matches of a person, while few have any ...
BY_DAYS_A_PERSON: Final = 10  # ... and of these, of matches by days
LEAST_A_PERSON: Final = 6  # however many have some: a deal with the most seats
LOST_IN_A_ROW: Final = 3
_OPENING: Final = 0x7A6A  # the first key of the advisory lock of whoever opens games; the second is 0
_GOING_ON: Final = (Match.State.QUEUED, Match.State.RUNNING)


def feed() -> int:
    """Do what is due in all matches; return how many games were opened. During the step of one worker another leaves that match alone.

    A match whose step fails holds up no other one. Raises SoftTimeLimitExceeded.
    """
    opened = 0
    for match_id in Match.objects.filter(ended_at=None).order_by("pk").values_list("pk", flat=True):
        try:
            opened += step(match_id)
        except OperationalError as error:  # the next round finds the same work
            log.info("match %s left for later: %s", match_id, type(error).__name__)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            log.exception("the step of match %s has failed", match_id)
    return opened


@transaction.atomic
def step(match_id: int) -> int:
    """Write the results of a match that may be known, open games as far as there is room, and end it; return how many were opened."""
    locked = Match.objects.select_for_update(of=("self",), no_key=True, skip_locked=True)
    match = locked.select_related("owner").filter(pk=match_id, ended_at=None).first()
    if match is None:
        return 0
    players = list(match.players.select_related("user"))
    _collect(match, players)
    if match.state in _GOING_ON and (match.owner is None or not match.owner.is_active):
        match.state = Match.State.CANCELLED
    if match.state == Match.State.QUEUED and _may_start(match):
        match.state = Match.State.RUNNING
    opened = _open(match, players) if match.state == Match.State.RUNNING else 0
    is_over = not opened and not match.rows.filter(ended_at=None).exists()
    if is_over and match.state == Match.State.RUNNING and match.rows.count() == match.games:
        match.state = Match.State.DONE
    if is_over and match.state not in _GOING_ON:
        match.ended_at = timezone.now()
    match.save(update_fields=["state", "reason", "reason_name", "ended_at"])
    return opened


def seat_of(player: int, number: int, seats: int) -> int:
    """Return the seat of a player in a game, all counted from 0: as in the ladder of the levels.

    >>> [seat_of(0, game, 3) for game in range(4)]
    [0, 1, 2, 0]
    """
    return (player + number) % seats


def _collect(match: Match, players: Sequence[Player]) -> None:
    """Write the results of games that are over. Those of a shared deal may be known when all of them are."""
    over = Q(table=None) | Q(table__status__in=ENDED) & (Q(table__duplicate=None) | Q(table__duplicate__revealed_at__isnull=False))
    found = list(match.rows.filter(over, ended_at=None).select_related("table").prefetch_related("table__seats"))
    for game in found:
        game.ended_at = timezone.now()
        table = game.table
        if table is None or table.status != Table.Status.FINISHED:  # broken off, or taken away: it has no result
            continue
        game.ended_at = table.finished_at
        rows = list(table.seats.all())
        seats = [rows[seat_of(player.index, game.number, match.seats)] for player in players]
        stayed = [seat.place for seat in rows if seat.left_user_id is None]
        # As in the ratings: a player who left is last, and the others have their places among themselves.
        game.left = [seat.left_user_id is not None for seat in seats]
        game.places = [
            match.seats if seat.left_user_id is not None else 1 + sum(place < seat.place for place in stayed)  # type: ignore[operator]
            for seat in seats
        ]
        game.scores = [seat.score or 0 for seat in seats]
    Game.objects.bulk_update(found, ["ended_at", "places", "scores", "left"])


def _may_start(match: Match) -> bool:
    """Say whether the owner of a waiting match has room for it. Earlier ones come first, because they are looked at first."""
    owner = match.owner_id
    if owner is None or not User.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=owner):
        return False
    return Match.objects.filter(owner=match.owner_id, ended_at=None, state=Match.State.RUNNING).count() < MATCHES_A_PERSON


def _open(match: Match, players: Sequence[Player]) -> int:
    """Open games as far as bots and site have room; a shared deal with all its games, so that it can't be revealed before them."""
    bots = _held([player.user_id for player in players if player.user_id is not None])
    if bots is None:
        return 0
    number = match.rows.count()
    room = min(match.at_once - match.rows.filter(ended_at=None).count(), match.games - number)
    for player in players:
        if player.bot_level:
            continue
        bot = bots.get(player.user_id or 0)
        if reason := _against(match, player, bot):
            match.state, match.reason, match.reason_name = Match.State.STOPPED, reason, player.name
            return 0
        assert bot is not None, "a bot that is gone is a reason"
        room = min(room, bot.at_once - tables_of(bot))
    each = match.seats if match.is_paired else 1
    if room < each or not _may_open_now():
        return 0
    room = min(room, _room_of_site(match))
    opened = 0
    while opened + each <= room:
        try:
            _open_deal(match, players, range(number + opened, number + opened + each))
        except Refusal as refusal:
            log.warning("match %s stopped: %s", match.pk, type(refusal).__name__)
            match.state, match.reason = Match.State.STOPPED, REFUSED
            break
        opened += each
    return opened


def _held(ids: Sequence[int]) -> dict[int, BotAccount] | None:
    """Lock these people's bot accounts and return those that there are, by person; None if somebody else has locked one."""
    rows = BotAccount.objects.filter(user__in=ids)
    locked = rows.select_for_update(of=("self",), no_key=True, skip_locked=True).select_related("user", "owner").order_by("pk")
    found = {bot.user_id: bot for bot in locked}
    return found if rows.count() <= len(found) else None


def _may_open_now() -> bool:
    """Say that nobody else opens games until this transaction ends; otherwise two workers would fill the same room. False if somebody does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, 0)", [_OPENING])
        return bool(cursor.fetchone()[0])


def _against(match: Match, player: Player, bot: BotAccount | None) -> str:
    """Return why a match can't go on with a bot account, or nothing."""
    if bot is None or match.owner is None or not bot.user.is_active:
        return CLOSED
    rows = match.rows.filter(ended_at__isnull=False).exclude(places=[]).order_by("-number")[:LOST_IN_A_ROW]
    lost = [game.left[player.index] for game in rows]
    if len(lost) == LOST_IN_A_ROW and all(lost):
        return SILENT
    rated, pace = match.is_rated, pace_of(match.pace).kind
    refusal = why_not(bot, by=match.owner, game=match.game, pace=pace, seats=match.seats, rated=rated)
    if refusal is not None and not isinstance(refusal, BotIsFull):
        return RULES
    return NO_ROOM if match.is_paired and bot.at_once < match.seats else ""


def _room_of_site(match: Match) -> int:
    """Return how many games the site has room for, in a match of this person and pace. Two statements."""
    own, slow = Q(match__owner=match.owner_id), Q(match__pace__kind=Kind.DAYS)
    counts = {name: Count("pk", filter=only) for name, only in {"running": Q(), "own": own, "slow": slow, "own_slow": own & slow}.items()}
    found = Game.objects.filter(ended_at=None).aggregate(**counts)
    people = Match.objects.filter(ended_at=None, state__in=_GOING_ON).aggregate(people=Count("owner", distinct=True))["people"]
    room = min(GAMES_AT_ONCE - found["running"], share(GAMES_AT_ONCE, people, most=GAMES_A_PERSON) - found["own"])
    if pace_of(match.pace).kind == Kind.DAYS:
        room = min(room, GAMES_BY_DAYS - found["slow"], share(GAMES_BY_DAYS, people, most=BY_DAYS_A_PERSON) - found["own_slow"])
    return room


def share(games: int, people: int, *, most: int) -> int:
    """Return how many of these games each of so many people may play at the same time.

    >>> [share(60, people, most=20) for people in (1, 3, 5, 10, 50)]
    [20, 20, 12, 6, 6]
    """
    return max(LEAST_A_PERSON, min(most, games // people))


@transaction.atomic
def _open_deal(match: Match, players: Sequence[Player], numbers: range) -> None:
    """Open these games: with one deal if there are several. Opens none of them if it raises the Refusal of a table."""
    duplicate = None
    if match.is_paired:
        secret = sealed.new_secret()
        duplicate = DuplicateSet.objects.create(
            name="", game=match.game, seats=match.seats, options=match.options, secret=secret, commitment=sealed.commitment(secret)
        )
    for number in numbers:
        sitters: list[Sitter] = [None] * match.seats
        for player in players:
            sitters[seat_of(player.index, number, match.seats)] = player.user if player.user is not None else Bot(player.bot_level)
        loaded = open_table(
            game_key=match.game,
            sitters=sitters,
            options=match.options,
            pace=pace_of(match.pace),
            is_rated=match.is_rated,
            duplicate=duplicate,
            may_play=True,
            in_match=True,
        )
        Game.objects.create(match=match, number=number, table=loaded.table)
