"""Refusals of bot accounts: making one, and challenging one."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.common.refusals import BadValue, NotAllowed, NotFound, TooMany, WrongMoment
from portal.tables.refusals import ChallengeRefused


class BotNotFound(NotFound):
    sentence = _("There is no such bot, or it has been closed.")


class NeedsAccountForBots(NotAllowed):
    sentence = _("You need an account to make bots.")


class BotsMakeNoBots(NotAllowed):
    sentence = _("A bot can't make bots.")


class TooManyBotAccounts(WrongMoment):
    sentence = _("You have five bots already. Close one first.")


class LooksLikeLevel(BadValue):
    field = "username"
    sentence = _("This name looks like one of the site's own bots. Choose a different name.")


class BadBotAbout(BadValue):
    field = "about"
    sentence = _("Describe the bot in at most %(limit)d characters.")


class BadBotGames(BadValue):
    field = "games"
    sentence = _("Choose games that this site has.")


class BadBotPaces(BadValue):
    field = "paces"
    sentence = _("Choose paces that tables here can have.")


class BadAtOnce(BadValue):
    field = "at_once"
    sentence = _("A bot can play 1 to %(most)d games at the same time.")


class BadFromWhom(BadValue):
    field = "from_whom"
    sentence = _("Choose whose challenges the bot takes.")


class TooManyBotsMade(TooMany):
    sentence = _("You have made many bots today.")


class BotNotTaking(ChallengeRefused):
    """Paused, or not for this person: nobody learns that they are blocked."""

    code = "bot_not_taking"
    sentence = _("%(name)s isn't taking challenges from you right now.")


class BotOnlyForFriends(ChallengeRefused):
    code = "bot_only_for_friends"
    sentence = _("%(name)s only takes challenges from friends of its owner.")


class BotDoesNotPlay(ChallengeRefused):
    code = "bot_does_not_play"
    sentence = _("%(name)s doesn't play %(game)s.")


class BotNotAtPace(ChallengeRefused):
    code = "bot_not_at_pace"
    sentence = _("%(name)s doesn't play at this pace.")


class BotIsFull(ChallengeRefused):
    code = "bot_is_full"
    sentence = _("%(name)s is playing as many games as it can. Try again later.")


class BotSeatCount(ChallengeRefused):
    status = 422
    code = "bot_seat_count"
    field = "seats"
    sentence = _("%(game)s is played by %(counts)s.")


class BotUnrated(ChallengeRefused):
    code = "bot_unrated"
    sentence = _("%(name)s only plays unrated games.")


class ChallengesItself(BadValue):
    field = "bots"
    sentence = _("A bot can't challenge itself.")


class TooManySeated(BadValue):
    field = "seats"
    sentence = _("There are more bots than seats. Choose more seats or fewer bots.")
