"""What changes bot accounts, and the rules by which they take challenges."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext, override

from games.registry import GAMES
from portal.accounts import refusals as account_refusals
from portal.accounts.deleting import delete_person
from portal.accounts.models import Block, User
from portal.accounts.names import new_name, person_named
from portal.bots import refusals
from portal.bots.models import MAX_ABOUT_CHARS, MOST_AT_ONCE, BotAccount, FromWhom
from portal.common.limits import count_use
from portal.common.refusals import Refusal
from portal.common.templatetags.site import LEVELS
from portal.common.texts import tidy
from portal.friends.models import Friendship
from portal.tables.models import Seat, Table
from portal.tables.pace import Kind
from portal.tables.seating import BOT_NAMES

MOST_BOTS: Final = 5  # of one person
MADE_PER_DAY: Final = 20
_NOT_LETTERS: Final = re.compile(r"[\W\d_]+")


def is_bot(user: object) -> bool:
    """Say whether somebody is a bot account. No statement: the mark is a column of the user."""
    return bool(getattr(user, "is_bot", False))


def make_bot(*, owner: User, username: str, **rules: Any) -> BotAccount:
    """Make a bot account; `rules` are fields of `BotAccount` (`checked`).

    Raises NeedsAccountForBots, BotsMakeNoBots, BadValue for the name or a rule, TooManyBotAccounts above 5, TooManyBotsMade.
    """
    if owner.is_guest:
        raise refusals.NeedsAccountForBots
    if owner.is_bot:
        raise refusals.BotsMakeNoBots
    values = checked(rules)
    name = name_of_bot(username)
    try:
        with transaction.atomic():
            User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # two at once would make one too many
            if BotAccount.objects.filter(owner=owner).count() >= MOST_BOTS:
                raise refusals.TooManyBotAccounts
            count_use("bots-made", str(owner.pk), limit=MADE_PER_DAY, window_s=86400, refusal=refusals.TooManyBotsMade)
            user = User(username=name, is_bot=True, language=owner.language, time_zone=owner.time_zone)
            user.set_unusable_password()
            user.save(force_insert=True)
            return BotAccount.objects.create(user=user, owner=owner, **values)
    except IntegrityError:  # somebody has taken the name at this moment
        raise account_refusals.NameTaken from None


def change_bot(bot: BotAccount, **rules: Any) -> BotAccount:
    """Change what a bot says of itself and which challenges it takes; what is left out stays. Raises BadValue."""
    values = checked(rules)
    for name, value in values.items():
        setattr(bot, name, value)
    if values:
        bot.save(update_fields=list(values))
    return bot


@transaction.atomic
def close_bot(bot: BotAccount) -> None:
    """Close a bot for good: its tokens stop working, levels take its seats, and its name is replaced at games that count for others."""
    list(
        BotAccount.objects.select_for_update(no_key=True).filter(pk=bot.pk)
    )  # a challenge that holds it has its table before its seats are left
    delete_person(user=bot.user)


def close_bots_of(*, user: User, **_signal: object) -> bool:
    """Close all bots of somebody who goes for good, or whose account is closed. Says that no row has to stay."""
    for bot in BotAccount.objects.filter(owner=user).select_related("user"):
        close_bot(bot)
    return False


def own_bot(owner: User, username: str) -> BotAccount:
    """Return a bot of somebody's own. Raises BotNotFound, for those of other people too."""
    found = BotAccount.objects.select_related("user", "owner").filter(owner=owner, user__in=_named(username)).first()
    if found is None:
        raise refusals.BotNotFound
    return found


def bot_named(username: str) -> BotAccount:
    """Return the bot of this name. Raises BotNotFound."""
    found = BotAccount.objects.select_related("user", "owner").filter(user__in=_named(username)).first()
    if found is None:
        raise refusals.BotNotFound
    return found


def _named(username: str) -> list[int]:
    person = person_named(username)
    return [person.pk] if person is not None and person.is_bot else []


def name_of_bot(text: str) -> str:
    """Return a name for a new bot, tidied: the rules of people's names, and it must not pass for a level. Raises BadValue."""
    name = new_name(text)
    if _letters(name) in _of_levels():
        raise refusals.LooksLikeLevel
    return name


def _letters(name: str) -> str:
    """Return what is left of a name without digits, dots and the word "bot".

    >>> _letters("Scribe-Bot.2")
    'scribe'
    """
    plain = _NOT_LETTERS.sub("", name).casefold()
    return plain.removesuffix("bot").removeprefix("bot") or plain


def _of_levels() -> set[str]:
    names = {*LEVELS, *BOT_NAMES, "bot"}
    for language, _title in settings.LANGUAGES:
        with override(language):
            names |= {gettext(level) for level in LEVELS.values()}
    return {_letters(name) for name in names}


def checked(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return rules as they are stored. Raises BadValue for a wrong one, TypeError for a field that there isn't."""
    if unknown := rules.keys() - _CHECKS.keys():
        raise TypeError(f"no rules of a bot: {', '.join(sorted(unknown))}")
    return {name: _CHECKS[name](value) for name, value in rules.items()}


def _about(value: str) -> str:
    text = tidy(value, keeps_lines=True)
    if len(text) > MAX_ABOUT_CHARS:
        raise refusals.BadBotAbout(limit=MAX_ABOUT_CHARS)
    return text


def _games(value: Collection[str]) -> list[str]:
    if not set(value) <= GAMES.keys():
        raise refusals.BadBotGames
    return [] if set(value) == GAMES.keys() else [key for key in GAMES if key in value]


def _paces(value: Collection[str]) -> list[str]:
    if not set(value) <= set(Kind.values):
        raise refusals.BadBotPaces
    return [] if set(value) == set(Kind.values) else [kind for kind in Kind.values if kind in value]


def _at_once(value: int) -> int:
    if not 1 <= value <= MOST_AT_ONCE:
        raise refusals.BadAtOnce(most=MOST_AT_ONCE)
    return value


def _from_whom(value: str) -> str:
    if value not in FromWhom.values:
        raise refusals.BadFromWhom
    return value


_CHECKS: Final[dict[str, Any]] = {
    "about": _about,
    "games": _games,
    "paces": _paces,
    "at_once": _at_once,
    "from_whom": _from_whom,
    "rated": bool,
    "paused": bool,
}


# The rules of challenges


def why_not(bot: BotAccount, *, by: User, game: str, pace: str, seats: int, rated: bool = False) -> Refusal | None:
    """Return why a bot doesn't take a challenge, or None if it does. At most four statements.

    `by` challenges: a person, or a bot, which stands for its owner. `pace` is a kind of pace. Somebody whom the owner blocks gets the answer
    of a bot that is paused. Paused bots still play with their owner, who may want to try them. A bot whose account, or whose owner's, is closed
    plays with nobody.
    """
    name, entry = bot.user.username, GAMES.get(game)
    if not bot.user.is_active or not bot.owner.is_active:
        return refusals.BotNotTaking(name=name)
    person_id = _stands_for(by)
    is_own = person_id == bot.owner_id
    if not is_own:
        if bot.paused or bot.from_whom == FromWhom.NOBODY or _is_blocked(bot, {by.pk, person_id}):
            return refusals.BotNotTaking(name=name)
        if bot.from_whom == FromWhom.FRIENDS and not _are_friends(bot.owner_id, person_id):
            return refusals.BotOnlyForFriends(name=name)
    if entry is None or (bot.games and game not in bot.games):
        return refusals.BotDoesNotPlay(name=name, game=gettext(entry.game.meta.title) if entry else game)
    if seats not in entry.game.meta.seats:
        return refusals.BotSeatCount(game=gettext(entry.game.meta.title), counts=", ".join(map(str, entry.game.meta.seats)))
    if bot.paces and pace not in bot.paces:
        return refusals.BotNotAtPace(name=name)
    if rated and not bot.rated:
        return refusals.BotUnrated(name=name)
    if tables_of(bot) >= bot.at_once:
        return refusals.BotIsFull(name=name)
    return None


def tables_of(bot: BotAccount) -> int:
    """Return at how many open and running tables a bot sits."""
    return Seat.objects.filter(user=bot.user_id, table__status__in=(Table.Status.OPEN, Table.Status.PLAYING)).count()


def _stands_for(by: User) -> int:
    """Return the id of the person who challenges: of a bot, its owner."""
    found = BotAccount.objects.filter(user=by).values_list("owner", flat=True).first() if by.is_bot else None
    return by.pk if found is None else found


def _are_friends(one: int, other: int) -> bool:
    pair = Q(asker=one, asked=other) | Q(asker=other, asked=one)
    return Friendship.objects.filter(pair, state=Friendship.State.FRIENDS).exists()


def _is_blocked(bot: BotAccount, people: set[int]) -> bool:
    return Block.objects.filter(user__in=(bot.owner_id, bot.user_id), blocked__in=people).exists()
