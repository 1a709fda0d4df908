"""Bots as others see them: whose they are, what they accept, and whether they take challenges from the reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from games.registry import GAMES, Entry
from portal.accounts.models import Block, User
from portal.bots.models import BotAccount, FromWhom
from portal.friends.selectors import friend_ids
from portal.tables.pace import Kind


@dataclass(frozen=True, slots=True)
class ShownBot:
    """A bot as one reader sees it."""

    username: str
    owner: str
    about: str
    games: list[Entry]
    paces: list[Kind]
    at_once: int
    from_whom: FromWhom
    rated: bool
    is_mine: bool
    is_taking: bool  # challenges from the reader: not paused, and for people like them
    made_at: datetime


def open_bots() -> QuerySet[BotAccount]:
    """Return the bots that aren't closed, with their users and owners."""
    return BotAccount.objects.filter(user__is_active=True).select_related("user", "owner")


def bots_playing(game: str) -> QuerySet[BotAccount]:
    """Return the bots that accept a game."""
    return open_bots().filter(games__contains=[game]) | open_bots().filter(games=[])


def bots_of(owner: User) -> QuerySet[BotAccount]:
    """Return somebody's own bots, by name."""
    return BotAccount.objects.filter(owner=owner).select_related("user", "owner").order_by("user__username")


def shown_to(viewer: User | None, bots: Sequence[BotAccount]) -> list[ShownBot]:
    """Return bots as somebody sees them. Three statements at most, however many they are.

    To people whom an owner blocks, a bot looks as if it took no challenges, as one that is paused does to everybody.
    """
    person = viewer.pk if viewer is not None else None
    if viewer is not None and viewer.is_bot:
        person = BotAccount.objects.filter(user=viewer).values_list("owner", flat=True).first()
    others = {bot.owner_id for bot in bots} - {person}
    deaf: set[int] = set()
    friends: set[int] = set()
    if viewer is not None and person is not None and others:
        deaf = set(Block.objects.filter(user__in=others, blocked__in={viewer.pk, person}).values_list("user", flat=True))
        if any(bot.from_whom == FromWhom.FRIENDS for bot in bots):
            friends = set(friend_ids(User(pk=person)))
    return [_shown(bot, person, bot.owner_id in deaf, bot.owner_id in friends) for bot in bots]


def _shown(bot: BotAccount, person: int | None, is_deaf: bool, is_friend: bool) -> ShownBot:
    is_mine = bot.owner_id == person
    takes = {FromWhom.EVERYONE: True, FromWhom.FRIENDS: is_friend, FromWhom.NOBODY: False}[FromWhom(bot.from_whom)]
    return ShownBot(
        username=bot.user.username,
        owner=bot.owner.username,
        about=bot.about,
        games=[GAMES[key] for key in bot.games or GAMES if key in GAMES],
        paces=[Kind(kind) for kind in bot.paces or Kind.values],
        at_once=bot.at_once,
        from_whom=FromWhom(bot.from_whom),
        rated=bot.rated,
        is_mine=is_mine,
        is_taking=is_mine or (takes and not bot.paused and not is_deaf),
        made_at=bot.made_at,
    )
