"""Challenges: a table is opened with a bot at it, if the bot's rules allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from portal.accounts.models import User
from portal.bots import refusals
from portal.bots.models import BotAccount
from portal.bots.services import bot_named, why_not
from portal.common.limits import count_use
from portal.common.refusals import Refusal
from portal.tables.loading import Loaded
from portal.tables.models import Table
from portal.tables.pace import RELAXED, Pace, pace_of
from portal.tables.refusals import TooManyTables
from portal.tables.services import Bot, Sitter, open_table

TABLES_PER_HOUR: Final = 30  # as many as a person can open by hand; they are counted together


def challenge(
    *,
    by: User,
    bots: Sequence[str],
    game: str,
    seats: int,
    pace: Pace = RELAXED,
    options: Mapping[str, Any] | None = None,
    levels: Sequence[str] = (),
    is_rated: bool = True,
) -> Loaded:
    """Open a table with `by` in seat 0, then the named bot accounts, bots of these levels in the last seats, and the rest free.

    A full table starts at once. Whoever challenges may be a bot itself. Raises BotNotFound, the ChallengeRefused of the first bot that
    doesn't want to play, TooManyTables, ChallengesItself, and what `open_table` raises.
    """
    named = [bot_named(name) for name in bots]
    if any(bot.user_id == by.pk for bot in named):
        raise refusals.ChallengesItself
    if 1 + len(named) + len(levels) > seats:
        raise refusals.TooManySeated
    count_use("table", str(by.pk), limit=TABLES_PER_HOUR, window_s=3600, refusal=TooManyTables)
    with transaction.atomic():
        held = {bot.pk: bot for bot in _held(named)}
        if any(bot.pk not in held for bot in named):  # closed since it was found
            raise refusals.BotNotFound
        for bot in held.values():
            refusal = why_not(bot, by=by, game=game, pace=pace.kind, seats=seats, rated=is_rated)
            if refusal is not None:
                raise refusal
        free = seats - 1 - len(named) - len(levels)
        sitters: list[Sitter] = [by, *(held[bot.pk].user for bot in named), *[None] * free, *map(Bot, levels)]
        return open_table(game_key=game, sitters=sitters, owner=by, options=options, pace=pace, is_rated=is_rated)


def why_not_invited(bot_user: User, by: User, table: Table) -> Refusal | None:
    """Return why a bot doesn't come to a table to which somebody invites it."""
    for bot in _held(BotAccount.objects.filter(user=bot_user)):
        return why_not(bot, by=by, game=table.game, pace=pace_of(table.pace).kind, seats=table.seat_count, rated=table.is_rated)
    return refusals.BotNotFound()


def _held(bots: Any) -> list[BotAccount]:
    """Lock bots until the end of the transaction: two challenges at once would seat one game too many."""
    keys = [bot.pk for bot in bots]
    return list(
        BotAccount.objects.select_for_update(of=("self",), no_key=True).select_related("user", "owner").filter(pk__in=keys).order_by("pk")
    )
