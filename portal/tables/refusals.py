"""Refusals of tables. The game itself explains what it forbids (`Refused`, `NotDue` with a cause)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.core.contract import IllegalAction
from portal.common.refusals import Refusal, TooMany


class TableRefusal(Refusal):
    """A request to a table that can't be carried out; `cause` is the game's own explanation."""

    cause: IllegalAction | None = None

    def __init__(self, *, cause: IllegalAction | None = None, **values: object) -> None:
        super().__init__(**values)  # type: ignore[arg-type]
        if cause is not None:
            self.cause = cause
            self.rule = cause.rule


class TableNotFound(TableRefusal):
    status = 404
    code = "table_not_found"
    sentence = _("This table doesn't exist, or it isn't open to you.")


class TableBusy(TableRefusal):
    """Another action holds the table for longer than this one may wait."""

    status = 503
    code = "table_busy"
    sentence = _("The table is busy with another action. Nothing was changed. Try again in a few seconds.")
    retry_after_s = 2


class NotYourSeat(TableRefusal):
    """The person has no seat here, or it is another seat's turn, or only the owner may."""

    status = 403
    code = "not_your_seat"
    sentence = _("Only players at this table can do that, and only from their own seat.")


class NotSignedIn(NotYourSeat):
    sentence = _("Sign in to play at this table.")


class NoSeatHere(NotYourSeat):
    sentence = _("You don't have a seat at this table.")


class NoSeatToReturnTo(NotYourSeat):
    sentence = _("No bot is keeping a seat for you at this table.")


class OwnerOnly(NotYourSeat):
    sentence = _("Only the table's owner can do that.")


class MembersOnly(TableRefusal):
    """The table belongs to a club, and only its members may do that."""

    status = 403
    code = "members_only"
    sentence = _("This table belongs to a club. Only its members can take a seat.")


class NotDue(TableRefusal):
    """The seat is not asked for anything now."""

    status = 409
    code = "not_due"
    sentence = _("It isn't your turn right now.")


class AnswerNow(NotDue):
    sentence = _("It's your turn. Answer now instead of in advance.")


class StaleTable(TableRefusal):
    """The table has moved on since the version of the request."""

    status = 409
    code = "stale"
    sentence = _("The game has moved on. Look at the new position, then choose again.")


class WrongStatus(TableRefusal):
    """The table is not open, not playing, or already finished."""

    status = 409
    code = "wrong_status"
    sentence = _("The game has moved on, so that is no longer possible.")


class TableFull(WrongStatus):
    sentence = _("All seats at this table are taken.")


class SeatsKept(WrongStatus):
    """Every free seat is kept for somebody who is invited."""

    code = "seats_kept"
    sentence = _("The free seats are kept for invited people.")


class AlreadyStarted(WrongStatus):
    sentence = _("The game has already started.")


class NotStarted(WrongStatus):
    sentence = _("The game hasn't started yet.")


class GameOver(WrongStatus):
    sentence = _("The game is over.")


class TableClosed(WrongStatus):
    sentence = _("This table is closed.")


class ClubClosed(WrongStatus):
    sentence = _("The club is closed, so nobody can take a seat at its tables.")


class SeatsOfSet(WrongStatus):
    sentence = _("Take a seat at a duplicate table from its set's page.")


class NotRevealed(WrongStatus):
    """The game, or another one of its duplicate set, is not over, so nobody may play its positions out (`study.py` knows the exception)."""

    code = "not_revealed"
    sentence = _("You can study a game once it is over and its secret is revealed, and your own practice games against bots at any time.")


class NotExplained(WrongStatus):
    """What a bot thought could tell what is hidden (`why.py`)."""

    code = "not_explained"
    sentence = _("A bot's move is explained once the game is over and its secret is revealed, and in your own practice games at any time.")


class NoReport(WrongStatus):
    """A report tells everything that was hidden."""

    code = "no_report"
    sentence = _("The report is available once the game is over and its secret is revealed.")


class NoHints(WrongStatus):
    """Hints and evaluations would be help from outside in a game with other people, or one that counts."""

    code = "no_hints"
    sentence = _("Hints are for your own practice games and studies, while they run.")


class NoRematch(WrongStatus):
    code = "no_rematch"
    sentence = _("You can ask for a rematch when the game is over, if it started from the usual set-up.")


class NothingToStudy(WrongStatus):
    sentence = _("The game is over in this position. Go back a few steps and study from there.")


class RecordNotReady(WrongStatus):
    sentence = _("The record is available once the game is over.")


class Sealed(WrongStatus):
    """The table is over, but another one of its duplicate set is not, so nobody gets secret and record."""

    code = "sealed"
    sentence = _("The record is available once every table in the duplicate set is over.")


class NoSuchStep(TableRefusal):
    """There is no such picture in the replay for this viewer."""

    status = 404
    code = "no_such_step"
    sentence = _("The replay has no such step. Go back to the first one.")


class NothingToReplay(NoSuchStep):
    sentence = _("This game hasn't started, so there is nothing to replay.")


class TooLongToReplay(TableRefusal):
    """Each step is found in all that was ever done at the table, so that is bounded."""

    status = 409
    code = "too_long_to_replay"
    sentence = _(
        "This game has more than %(most)d moves, counting those that were undone, which is too many for a replay by the API. Read its log in pages."
    )


class SeatHidden(NoSuchStep):
    sentence = _("You can look from other seats once the game is over and its secret is revealed.")


class BadStep(TableRefusal):
    """Step or seat can't be read as a number."""

    code = "bad_step"
    sentence = _("This address can't be read: the step and the seat must be whole numbers.")


class BadAction(TableRefusal):
    """The text is not an action of this game."""

    code = "bad_action"
    sentence = _("That isn't an action in this game, so nothing was done.")


class ActionMissing(BadAction):
    sentence = _("No action was sent. Choose an action first.")


class UnreadableAction(BadAction):
    """`hint` says what the game expected and where, `rule` is the paragraph about it."""

    sentence = _("That isn't an action in this game: %(hint)s. Nothing was done.")


class VersionMissing(BadAction):
    sentence = _("The version of the table is missing. Send it as a whole number in expected_version.")


class OrderDoesNotFit(BadAction):
    sentence = _("You can't give this answer in advance for this action.")


class OrderNotOffered(BadAction):
    sentence = _("You can't give that answer in advance now.")


class BadSetting(TableRefusal):
    """An invalid player count, option, bot level or word."""

    code = "bad_setting"
    sentence = _("This table can't be opened with these settings. Check the seats, the bots and your word.")


class NoSuchGame(BadSetting):
    sentence = _("This game doesn't exist.")


class BadSeatCount(BadSetting):
    sentence = _("%(game)s can't be played with that many players. Possible player counts: %(counts)s.")


class BadStart(BadSetting):
    field = "starts"
    sentence = _("A game can start in a minute at the earliest, and in %(days)d days at the latest. Choose another time, or none.")


class BadPace(BadSetting):
    sentence = _("This pace isn't possible. Choose one of the clocks on the form, or no clock.")


class TooManyBots(BadSetting):
    sentence = _("There are more bots than free seats.")


class SeatedTwice(BadSetting):
    sentence = _("Nobody can take two seats at the same table.")


class SameName(BadSetting):
    sentence = _("Two players at a table can't have the same name.")


class BadBotName(BadSetting):
    sentence = ngettext_lazy(
        "A bot's name can have at most %(limit)d printable character.",
        "A bot's name can have at most %(limit)d printable characters.",
        "limit",
    )


class NoBotThere(BadSetting):
    sentence = _("There is no bot in that seat.")


class NoSuchLevel(BadSetting):
    sentence = _("This bot level doesn't exist. Choose one of these: %(levels)s.")


class BadWord(BadSetting):
    sentence = ngettext_lazy(
        "The word can have at most %(limit)d printable character.", "The word can have at most %(limit)d printable characters.", "limit"
    )


class BadFile(BadSetting):
    """Options or a position that the game refuses; `fault` names the field."""

    sentence = _("These settings can't be used: %(fault)s.")


class NothingToUndo(TableRefusal):
    status = 409
    code = "nothing_to_undo"
    sentence = _("There's nothing left to undo: something has been drawn or rolled, or someone else has acted since.")


class NothingToRedo(TableRefusal):
    status = 409
    code = "nothing_to_redo"
    sentence = _("There's nothing left to redo: someone has acted since.")


class CannotAsk(WrongStatus):
    sentence = _("You can't ask that here, or not at this moment.")


class AlreadyAsking(WrongStatus):
    sentence = _("Another question is waiting for answers. Answer that first.")


class QuestionGone(WrongStatus):
    sentence = _("That question has been answered or withdrawn.")


class TooManyQuestions(TooMany):
    sentence = _("You've asked this table many times in the last hour.")


class Refused(TableRefusal):
    """The rules forbid the action: carries the engine's reason with its values and the paragraph."""

    status = 422
    code = "refused"
    sentence = _("The rules don't allow that.")


class NotThisStep(TableRefusal):
    """A move that the rules allow, but not what this step of a guided first game is about."""

    status = 422
    code = "not_this_step"
    sentence = _("That is allowed, but this step of the lesson is about another move.")


class LessonChanged(WrongStatus):
    """The lesson was rewritten after this table had started."""

    code = "lesson_changed"
    sentence = _("The site has a new version of this lesson. Continue as a free game from here, or leave and start the lesson again.")


class NoLesson(WrongStatus):
    code = "no_lesson"
    sentence = _("There is no lesson here to continue from.")


class NoUndoInLessons(NothingToUndo):
    sentence = _("Moves can't be undone in a lesson. Continue as a free game when it is over.")


class TooManyReports(TooMany):
    sentence = _("You have asked for many reports this hour.")


class TooManyTables(TooMany):
    sentence = _("You opened too many tables this hour. Play at some of them first.")


class TooManyGames(TooMany):
    """Somebody sits at as many running tables with bots as one person may."""

    sentence = _("You are in too many games with bots at once. Finish or leave one of them first.")
    retry_after_s = 300


class TooManyJoins(TooMany):
    sentence = _("You joined too many tables this hour. Play at some of them first.")


class InvitationNotFound(TableRefusal):
    """There is no such invitation or link, or it is somebody else's."""

    status = 404
    code = "invitation_not_found"
    sentence = _("This invitation doesn't exist. Ask for a new link.")


class InvitationOver(WrongStatus):
    sentence = _("This invitation is no longer open.")


class InvitationNotAnswered(BadAction):
    sentence = _("Choose “Accept” or “Decline”.")


class TermsChanged(WrongStatus):
    """Somebody agreed to settings that the table no longer has."""

    code = "terms_changed"
    sentence = _("The table's settings have changed. Look at them again, then answer.")


class OthersAgreed(WrongStatus):
    sentence = _("Others at this table have agreed to its settings, so you can't change them. Keep them, or open another table.")


class TooFewSeats(WrongStatus):
    sentence = _("The people who sit here or are invited wouldn't fit. Withdraw an invitation or remove a bot first.")


class NoSeatToKeep(WrongStatus):
    sentence = _("Every free seat is already kept for somebody. Withdraw an invitation first.")


class BadInvitation(TableRefusal):
    """Somebody who can't be invited."""

    status = 422
    code = "bad_invitation"
    field = "who"
    sentence = _("This person can't be invited.")


class NobodyOfThatName(BadInvitation):
    sentence = _("There is nobody of the name “%(name)s” here. Check the spelling, or invite them by link.")


class BotsAreChallenged(TableRefusal):
    """A bot account would take a seat that nobody has offered to it."""

    status = 403
    code = "bots_are_challenged"
    sentence = _("A bot can't join tables by itself. It plays where it is invited or challenged, and at tables that it opens.")


class ChallengeRefused(TableRefusal):
    """The rules of a bot account don't allow this game; the subclasses say which rule."""

    status = 409
    code = "challenge_refused"
    sentence = _("This bot doesn't take the challenge.")


class TakesNoInvitations(BadInvitation):
    """They take none at all, or none of this person's: the answer is the same."""

    sentence = _("%(name)s isn't taking invitations at the moment.")


class NoSuchAddress(BadInvitation):
    sentence = _("That isn't an email address. Check the spelling.")


class SitsAlready(BadInvitation):
    sentence = _("%(name)s already has a seat at this table.")


class AlreadyInvited(BadInvitation):
    sentence = _("%(name)s is already invited.")


class NotInTheClub(BadInvitation):
    sentence = _("%(name)s isn't a member of the club, so they can't take a seat here.")


class GuestsSendNoMail(BadInvitation):
    status, code = 403, "not_allowed"
    sentence = _("Guests can't send mail. Create an account, or send the link yourself.")


class NoMailFromClubs(BadInvitation):
    sentence = _("Only members can take a seat at a club's table. Invite them by name.")


class NoLinkForClubs(BadInvitation):
    sentence = _("Only members can take a seat at a club's table, so it has no link.")


class BadMessage(BadInvitation):
    field = "message"
    sentence = ngettext_lazy(
        "The message can have at most %(limit)d printable character.",
        "The message can have at most %(limit)d printable characters.",
        "limit",
    )


class NothingAsked(BadInvitation):
    sentence = _("Choose something else than the present settings, or write a message.")


class TooManyInvitations(TooMany):
    sentence = _("You have sent many invitations. You can send the table's link yourself.")
