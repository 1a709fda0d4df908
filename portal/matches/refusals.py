"""Refusals of matches."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.common.refusals import BadValue, NotAllowed, NotFound, TooMany, WrongMoment


class MatchNotFound(NotFound):
    sentence = _("There is no such match.")


class NeedsAccountForMatches(NotAllowed):
    sentence = _("You need an account to start matches.")


class BotsStartNoMatches(NotAllowed):
    sentence = _("A bot can't start a match. Its owner can.")


class NotYourMatch(NotAllowed):
    sentence = _("Only the person who started a match, or the owner of a bot in it, can cancel it.")


class BadGameCount(BadValue):
    field = "games"
    sentence = _("A match has 1 to %(most)d games. For more, start another match when this one is over.")


class BadAtOnceInMatch(BadValue):
    field = "at_once"
    sentence = _("A match plays 1 to %(most)d games at the same time.")


class NoBotAccount(BadValue):
    field = "bots"
    sentence = _("A match needs at least one bot account.")


class SameBotTwice(BadValue):
    field = "bots"
    sentence = _("A bot account can play in a match only once.")


class BadPlayerCount(BadValue):
    field = "bots"
    sentence = _("%(game)s is played by %(counts)s. Name that many bots and levels.")


class BadMatchPace(BadValue):
    field = "pace"
    sentence = _("Matches need a clock. Choose a live pace, or one day for each move.")


class TooManyMatches(WrongMoment):
    sentence = _("You have %(running)d matches running or waiting already. Cancel one, or wait until one is over.")


class MatchIsOver(WrongMoment):
    sentence = _("This match is over.")


class TooManyMatchesMade(TooMany):
    sentence = _("You have started many matches this hour.")
