"""Refusals of clubs."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.common.refusals import BadValue, NotAllowed, NotFound, TooMany, WrongMoment


class ClubNotFound(NotFound):
    """There is no such club, season, league or set, or the reader must not know of it."""

    code = "club_not_found"
    sentence = _("This club doesn't exist, or you can't see it.")


class TooManyClubs(TooMany):
    sentence = _("You have created several clubs in the last day. Find members for them first.")


class NoSuchAnnouncement(WrongMoment):
    sentence = _("This announcement no longer exists.")


class BadAnswer(BadValue):
    field = "answer"
    sentence = _("Answer yes, maybe or no.")


class NoSuchEvening(WrongMoment):
    sentence = _("This event isn't in the calendar.")


class EveningCalledOff(WrongMoment):
    sentence = _("This event has been cancelled.")


class EveningOver(WrongMoment):
    sentence = _("This event is over.")


class NoSuchGame(BadValue):
    field = "game"
    sentence = _("This game doesn't exist.")


class EveningTooFar(BadValue):
    field = "starts_at"
    sentence = _("Choose a date within the next two years.")


class BadCharacters(BadValue):
    sentence = _("The text contains characters that can't be displayed.")


class LeavingNotConfirmed(BadValue):
    sentence = _("Tick the box to confirm that you want to leave.")


class NotAsking(WrongMoment):
    sentence = _("You have no pending request to join this club.")


class ClosedForGood(WrongMoment):
    sentence = _("This club is closed. It can no longer change.")


class InvitationNotAnswered(BadValue):
    sentence = _("Accept or decline the invitation.")


class NoButtonPressed(BadValue):
    sentence = _("The form is incomplete. Go back and press one of its buttons.")


class OwnerCannotLeave(NotAllowed):
    sentence = _("The owner can't leave. Hand the club over first, or close it.")


class CannotRemoveYourself(NotAllowed):
    sentence = _("You can't remove yourself. Leave the club instead.")


class CannotBanYourself(NotAllowed):
    sentence = _("You can't ban yourself. Leave the club instead.")


class AlreadyBanned(WrongMoment):
    sentence = _("This person is already banned.")


class BanLifted(WrongMoment):
    sentence = _("This ban has already been lifted.")


class NobodyOfThatName(BadValue):
    sentence = _("Nobody has this name. Check the spelling.")


class NoSuchPerson(ClubNotFound):
    sentence = _("This person doesn't have an account.")


class RoleTooLow(NotAllowed):
    sentence = _("Your role in this club doesn't allow that.")


class MembersOnly(NotAllowed):
    sentence = _("Only members of the club can do that.")


class NotBelowYou(NotAllowed):
    sentence = _("You can only do that to someone with a lower role than yours.")


class TooManySimilarNames(BadValue):
    field = "name"
    sentence = _("There are too many clubs with similar names. Choose another name.")


class NameTaken(BadValue):
    field = "name"
    sentence = _("There is already a club with this name.")


class AccountNeeded(NotAllowed):
    sentence = _("You need an account to be in a club.")


class BotsInNoClub(NotAllowed):
    """Nor in what clubs hold: their tables, seasons, leagues and duplicate sets are for members."""

    sentence = _("Clubs, with their seasons, leagues and duplicate sets, are for people. A bot can't take part.")


class OwnerStays(NotAllowed):
    sentence = _("The owner's role can't change until the club is handed over.")


class AlreadyOwner(BadValue):
    field = "member"
    sentence = _("You already own this club.")


class AccountClosed(BadValue):
    field = "member"
    sentence = _("This account is closed.")


class NoSuchMember(BadValue):
    field = "member"
    sentence = _("This person isn't a member of this club.")


class DeadLink(ClubNotFound):
    sentence = _("This link doesn't lead to a club. Ask for a new one.")


class BadJoining(BadValue):
    field = "joining"
    sentence = _("Choose how people join the club.")


class WrongClubName(BadValue):
    field = "name"
    sentence = _("That isn't the club's name.")


class TooLong(BadValue):
    sentence = _("This is too long. The limit is %(limit)d characters.")


class TitleMissing(BadValue):
    sentence = _("Enter a title.")


class NameMissing(BadValue):
    sentence = _("Enter a name.")


class BadCharactersInName(BadValue):
    sentence = _("The name contains characters that can't be displayed on one line.")


class MixedAlphabets(BadValue):
    sentence = _("A word in the name mixes Latin and Cyrillic letters.")


class NoLetters(BadValue):
    sentence = _("A name needs at least one letter or digit.")


class NotText(BadValue):
    sentence = _("This must be text.")


class InvitationGone(WrongMoment):
    sentence = _("This invitation has already been answered or withdrawn.")


class NotOpenToEverybody(NotAllowed):
    sentence = _("This club is not open to everyone.")


class JoinAtOnce(WrongMoment):
    sentence = _("This club is open to everyone. You can join at once.")


class ByInvitationOnly(NotAllowed):
    sentence = _("This club takes new members by invitation.")


class AlreadyAsking(WrongMoment):
    sentence = _("You have already asked to join.")


class YouAreInvited(WrongMoment):
    sentence = _("You already have an invitation. Accept it to join.")


class TooManyAsking(WrongMoment):
    sentence = _("Too many people are asking to join right now. Try again later.")


class RequestGone(WrongMoment):
    sentence = _("This request has already been answered or withdrawn.")


class GuestInvited(BadValue):
    field = "username"
    sentence = _("Guests can't be invited. To be in a club, they need an account.")


class AlreadyMember(WrongMoment):
    sentence = _("This person is already a member.")


class PersonBanned(WrongMoment):
    sentence = _("This person is banned. Lift the ban first.")


class AlreadyInvited(WrongMoment):
    sentence = _("This person already has an invitation.")


class PersonIsAsking(WrongMoment):
    sentence = _("This person has asked to join. Answer the request.")


class TooManyInvitations(WrongMoment):
    sentence = _("Too many invitations are pending. Withdraw some of them first.")


class YouAreBanned(NotAllowed):
    sentence = _("This club has banned you. Only its officers can change that.")


class YouAreMember(WrongMoment):
    sentence = _("You are already a member.")
