"""Making and cancelling matches.

Paired deals (every rotation over the same draws) are only played where nobody gains by remembering the draws: all bot accounts are the
maker's, the levels have no memory, and nothing is rated. In all other matches each game has its own deal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.core.contract import PositionError
from games.core.ladder import whole_deals
from games.core.options import full_options
from games.registry import GAMES
from portal.accounts.models import User
from portal.bots.models import BotAccount
from portal.bots.refusals import BotIsFull
from portal.bots.services import bot_named, why_not
from portal.matches import refusals
from portal.matches.models import MOST_AT_ONCE, MOST_GAMES, Match, Player
from portal.tables.faults import Said
from portal.tables.pace import Kind, Out, Pace, checked
from portal.tables.refusals import BadFile, NoSuchGame
from portal.tables.seating import check_level

MADE_PER_HOUR: Final = 30  # by one person
MOST_OPEN: Final = 10  # running and waiting ones of one person
SILENT, RULES, CLOSED, NO_ROOM, REFUSED = "silent", "rules", "closed", "no_room", "refused"
REASONS: Final = {
    SILENT: _("%(name)s ran out of time in three games in a row."),
    RULES: _("%(name)s no longer plays such games with the person who started this."),
    CLOSED: _("%(name)s has been closed."),
    NO_ROOM: _("%(name)s no longer plays enough games at the same time."),
    REFUSED: _("Its games can no longer be opened."),
}


def make_match(
    *,
    owner: User,
    game: str,
    bots: Sequence[str],
    levels: Sequence[str] = (),
    games: int,
    pace: Pace,
    options: Mapping[str, Any] | None = None,
    at_once: int = 4,
    is_rated: bool = False,
) -> Match:
    """Make a match of these bot accounts and levels; it starts at the feeder's next round. `games` is rounded up to whole rotations.

    Raises NeedsAccountForMatches, BotsStartNoMatches, BadValue for a wrong value, BotNotFound, the ChallengeRefused of the first bot whose
    rules don't allow it, TooManyMatches.
    """
    if owner.is_guest:
        raise refusals.NeedsAccountForMatches
    if owner.is_bot:
        raise refusals.BotsStartNoMatches
    if game not in GAMES:
        raise NoSuchGame
    rules = GAMES[game].game
    if not 1 <= games <= MOST_GAMES:
        raise refusals.BadGameCount(most=MOST_GAMES)
    if not 1 <= at_once <= MOST_AT_ONCE:
        raise refusals.BadAtOnceInMatch(most=MOST_AT_ONCE)
    if not bots:
        raise refusals.NoBotAccount
    seats = len(bots) + len(levels)
    if seats not in rules.meta.seats:
        raise refusals.BadPlayerCount(game=gettext(rules.meta.title), counts=", ".join(map(str, rules.meta.seats)))
    for level in levels:
        check_level(rules, level)
    try:
        all_options = full_options(rules.meta, options or {})
    except PositionError as error:
        raise BadFile(fault=Said(error)) from None
    kept = _pace(pace)
    accounts = [bot_named(name) for name in bots]
    if len({bot.pk for bot in accounts}) < len(accounts):
        raise refusals.SameBotTwice
    for bot in accounts:
        refusal = why_not(bot, by=owner, game=game, pace=kept.kind, seats=seats, rated=is_rated)
        if refusal is not None and not isinstance(refusal, BotIsFull):  # it will have room later
            raise refusal
    is_paired = not is_rated and at_once >= seats and all(bot.owner_id == owner.pk and bot.at_once >= seats for bot in accounts)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # two at once would make one too many
        running = Match.objects.filter(owner=owner, ended_at=None).count()
        if running >= MOST_OPEN:
            raise refusals.TooManyMatches(running=running)
        match = Match.objects.create(
            owner=owner,
            game=game,
            options=all_options,
            pace=kept.to_json(),
            seats=seats,
            games=whole_deals(games, seats),
            at_once=at_once,
            is_rated=is_rated,
            is_paired=is_paired,
        )
        players = [Player(match=match, user=bot.user, name=bot.user.username) for bot in accounts]
        players += [Player(match=match, bot_level=level) for level in levels]
        for index, player in enumerate(players):
            player.index = index
        Player.objects.bulk_create(players)
    return match


def _pace(pace: Pace) -> Pace:
    """Return the pace of a match: whoever runs out of time is out for good, so that no game waits for a program that is gone."""
    found = checked(replace(pace, out=Out.LOST))
    if found.kind == Kind.LIVE or (found.kind == Kind.DAYS and found.days == 1):
        return found
    raise refusals.BadMatchPace


def cancel(match_id: int, *, by: User) -> Match:
    """Open no more games of a match. Those that run are played to their end, and count. Raises MatchNotFound, NotYourMatch, MatchIsOver."""
    with transaction.atomic():
        match = Match.objects.select_for_update(of=("self",), no_key=True).filter(pk=match_id).first()
        if match is None:
            raise refusals.MatchNotFound
        if match.owner_id != by.pk and not BotAccount.objects.filter(owner=by, user__in=match.players.values("user")).exists():
            raise refusals.NotYourMatch
        if match.state not in (Match.State.QUEUED, Match.State.RUNNING):
            raise refusals.MatchIsOver
        match.state = Match.State.CANCELLED
        if not match.rows.filter(ended_at=None).exists():
            match.ended_at = timezone.now()
        match.save(update_fields=["state", "ended_at"])
    return match


def forget_name(*, user_id: int, old: str, new: str, **_signal: object) -> None:
    """Write the pseudonym of somebody who is gone into the matches, which go on without whoever started them: the feeder ends those that run."""
    Match.objects.filter(owner=user_id).update(owner=None)
    Player.objects.filter(Q(user=user_id) | Q(user=None), name=old).update(name=new)
    Match.objects.filter(reason_name=old).update(reason_name=new)
