"""Refusals of the chat."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.common.refusals import BadValue, NotAllowed, NotFound, TooMany


class NoChatHere(NotAllowed):
    sentence = _("There is no chat at this table: only one person plays here.")


class SignInToChat(NotAllowed):
    sentence = _("Sign in to write in the chat.")


class PlayersOnly(NotAllowed):
    sentence = _("Only players at this table can write in the players' chat. Write in the spectators' chat instead.")


class NotWhilePlaying(NotAllowed):
    sentence = _("The spectators' chat opens to players when the game is over. Write in the players' chat until then.")


class Silenced(NotAllowed):
    sentence = _("A moderator has stopped you from writing in the chat until %(until)s.")


class NothingSaid(BadValue):
    field = "text"
    sentence = _("Write something first.")


class LineTooLong(BadValue):
    field = "text"
    sentence = _("A message can have at most %(limit)d characters, and this one has %(count)d. Shorten it.")


class NoteTooLong(BadValue):
    field = "note"
    sentence = _("Your notes can have at most %(limit)d characters, and these have %(count)d. Shorten them.")


class UnknownPhrase(BadValue):
    sentence = _("There is no such quick message. Reload the page and choose another.")


class UnknownRoom(BadValue):
    sentence = _("There is no such chat. Reload the page and write there.")


class TooManyLines(TooMany):
    sentence = _("You have written a lot in a short time.")


class TooManyLinesToday(TooMany):
    sentence = _("You have written as much as one person can in a day.")


class NoSuchLine(NotFound):
    """It is at another table, in a room that the reader may not read, or nowhere: the answer is the same."""

    sentence = _("There is no such message.")


class OwnLine(NotAllowed):
    sentence = _("You wrote this message yourself, so you can't report it.")


class OwnThing(NotAllowed):
    sentence = _("This is yours, so you can't report it. You can change it yourself.")


class ChooseWhat(BadValue):
    field = "what"
    sentence = _("Choose what you want to report.")


class ChooseReason(BadValue):
    field = "reason"
    sentence = _("Choose what is wrong with it.")


class ReasonTooLong(BadValue):
    field = "words"
    sentence = _("Describe it in at most %(limit)d characters.")


class TooManyReports(TooMany):
    sentence = _("You have reported a lot today.")
