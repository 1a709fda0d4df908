"""Refusals of studies."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.core.contract import IllegalAction
from portal.common.refusals import BadValue, NotAllowed, NotFound, TooMany, WrongMoment


class StudyNotFound(NotFound):
    """There is no such study, or the reader may not see it, or not its table: the answer is the same."""

    code = "study_not_found"
    sentence = _("This study doesn't exist, or it isn't open to you.")


class NoSuchMove(NotFound):
    sentence = _("This move is no longer in the study.")


class SignInToStudy(NotAllowed):
    sentence = _("Sign in to change a study.")


class OnlyLook(NotAllowed):
    sentence = _("You can look at this study, but only its owner and the people they choose can add to it.")


class OwnerOnly(NotAllowed):
    sentence = _("Only the owner of this study can do that.")


class NotYourMove(NotAllowed):
    sentence = _("You can only delete moves that you added, if nobody else has added to them. Ask the study's owner.")


class NotYourComment(NotAllowed):
    sentence = _("Somebody else wrote this comment, so only they and the study's owner can change it.")


class GuestsShareNothing(NotAllowed):
    sentence = _("Guests can't share studies. Create an account first; your studies stay yours.")


class NotPossible(BadValue):
    """The game forbids it; `cause` is its own explanation."""

    code = "refused"
    sentence = _("That isn't possible in this position. Choose one of the moves that are offered.")

    def __init__(self, cause: IllegalAction | None = None) -> None:
        super().__init__(rule=cause.rule if cause is not None else None)
        self.cause = cause


class SeatNotDue(WrongMoment):
    sentence = _("This player doesn't move now. Reload the page and choose again.")


class NoDraws(WrongMoment):
    sentence = _("Nothing is drawn or rolled after this move, so it can't come out differently.")


class LineLost(WrongMoment):
    """The rules have changed since the line was played."""

    code = "line_lost"
    sentence = _("This line can't be played by today's rules. Go back to an earlier move.")


class UnknownLevel(BadValue):
    field = "level"
    sentence = _("There is no such bot. Choose one from the list.")


class UnknownMark(BadValue):
    field = "mark"
    sentence = _("There is no such mark. Choose one from the list.")


class UnknownVisibility(BadValue):
    field = "visibility"
    sentence = _("Choose who can see the study.")


class NotYourClub(BadValue):
    field = "club"
    sentence = _("Choose a club that you belong to.")


class TableTooPrivate(BadValue):
    """The table that a study is from is seen by fewer people."""

    field = "visibility"
    sentence = _("Not everyone can see the game that this study is from, so the study can't be open to everyone.")


class NoTitle(BadValue):
    field = "title"
    sentence = _("Give the study a title.")


class TitleTooLong(BadValue):
    field = "title"
    sentence = _("A title can have at most %(limit)d characters, and this one has %(count)d. Shorten it.")


class CommentTooLong(BadValue):
    field = "comment"
    sentence = _("A comment can have at most %(limit)d characters, and this one has %(count)d. Shorten it.")


class NobodyOfThatName(BadValue):
    field = "who"
    sentence = _("Nobody here has that name. Check the spelling.")


class NotReachable(BadValue):
    """They take no invitations at all, or none of this person's: the answer is the same."""

    field = "who"
    sentence = _("%(name)s isn't taking invitations at the moment.")


class IsOwner(BadValue):
    field = "who"
    sentence = _("This is your own study.")


class TooManyGuests(BadValue):
    field = "who"
    sentence = _("A study can be shared with at most %(limit)d people. Remove somebody first, or share it with a club.")


class StudyFull(WrongMoment):
    sentence = _("A study can have at most %(limit)d moves. Delete a line, or start another study.")


class TooManyDraws(WrongMoment):
    sentence = _("This move already has %(limit)d different draws. Delete one of them first.")


class TooManyStudies(WrongMoment):
    sentence = _("You can have at most %(limit)d studies. Delete one that you no longer need.")


class TooManyMoves(TooMany):
    sentence = _("You have changed studies very often in the last hour.")


class TooManyBots(TooMany):
    sentence = _("Bots have moved for you very often in the last hour. You can choose the moves yourself.")


class TooManyNewStudies(TooMany):
    sentence = _("You have started many studies in the last hour.")
