"""Refusals of seasons, leagues and duplicate sets."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.clubs.refusals import ClubNotFound
from portal.common.refusals import BadValue, NotAllowed, WrongMoment


class NoSuchSet(ClubNotFound):
    sentence = _("This set doesn't exist in this club.")


class BadTableCount(BadValue):
    field = "n_tables"
    sentence = _("A set has %(low)d to %(high)d tables.")


class ImpossibleTables(BadValue):
    field = "seats"
    sentence = _("The tables can't be opened with these settings. Check the seats, bots and options.")


class SeatForPerson(BadValue):
    field = "bots"
    sentence = _("Leave at least one seat free for a person.")


class TableNoLongerOpen(WrongMoment):
    sentence = _("This table is no longer open.")


class NoSuchSeat(BadValue):
    field = "seat"
    sentence = _("This seat doesn't exist.")


class SeatedInSet(WrongMoment):
    sentence = _("You already have a seat at a table in this set. Nobody can play the same deal twice.")


class SeatTaken(WrongMoment):
    sentence = _("This seat is taken.")


class NobodySeated(WrongMoment):
    sentence = _("Nobody is at this table yet.")


class NoOpenTable(WrongMoment):
    sentence = _("No tables in this set are open.")


class SetOver(WrongMoment):
    sentence = _("All tables in this set are over.")


class NoSuchTableInSet(ClubNotFound):
    sentence = _("This table isn't part of this set.")


class LeagueNameTaken(BadValue):
    field = "name"
    sentence = _("The season already has a league with this name.")


class GameNotInSeason(BadValue):
    field = "game"
    sentence = _("Choose a game that counts in this season.")


class NoSuchForm(BadValue):
    field = "form"
    sentence = _("Choose a format that this game offers.")


class BadRoundLength(BadValue):
    field = "days"
    sentence = _("A round lasts 1 to %(count)d days.")


class BadSeed(BadValue):
    field = "seed"
    sentence = _("The draw number can have up to %(count)d letters and digits.")


class TooFewEntrants(BadValue):
    field = "members"
    sentence = _("A league in this format needs at least %(count)d entrants, counting members and bots.")


class NoSuchBots(BadValue):
    field = "bots"
    sentence = _("Choose a bot level that this game offers.")


class TooManyEntrants(BadValue):
    field = "members"
    sentence = _("A league has at most %(count)d entrants.")


class NoMemberEntered(BadValue):
    field = "members"
    sentence = _("A league needs at least one member among its entrants.")


class NotMembers(BadValue):
    field = "members"
    sentence = _("Only members can take part. These are not members: %(names)s.")


class NoSuchOptions(BadValue):
    field = "options"
    sentence = _("Choose options that this game offers.")


class BadRoundCount(BadValue):
    field = "rounds"
    sentence = _("A league has 1 to %(count)d rounds.")


class UnfairRounds(BadValue):
    field = "rounds"
    sentence = _(
        "With %(entrants)d entrants at tables of %(seats)d, everyone plays equally often only if the number of rounds is one "
        "of these: %(fair)s."
    )


class SeasonOverForLeagues(WrongMoment):
    sentence = _("The season is over. No league can start in it.")


class NoSuchEntrant(ClubNotFound):
    sentence = _("This entrant isn't in the league.")


class NoSuchSeason(ClubNotFound):
    sentence = _("This season doesn't exist.")


class TooManyLeagues(WrongMoment):
    sentence = _("A season has at most %(count)d leagues.")


class PairedOnly(NotAllowed):
    sentence = _("Only players in this pairing can open this table.")


class TableNotOpened(WrongMoment):
    """The table service's refusal of a pairing's settings."""

    sentence = _("The table can't be opened. %(why)s")


class PairingVoid(WrongMoment):
    sentence = _("This pairing is void, so its game won't be played.")


class LeagueOver(WrongMoment):
    sentence = _("The league is over.")


class SeasonNotStarted(WrongMoment):
    sentence = _("The season has not started yet.")


class DeadlinePassed(WrongMoment):
    sentence = _("The deadline for this pairing has passed. Ask an officer to move it.")


class EntrantLeftClub(WrongMoment):
    sentence = _("A player in this pairing has left the club, so it can't be played.")


class NoDeadlineNeeded(WrongMoment):
    sentence = _("This pairing's game has started, so it needs no deadline.")


class GameDeclaredVoid(WrongMoment):
    sentence = _("This pairing's game was declared void.")


class EntrantWithdrew(WrongMoment):
    sentence = _("A player in this pairing has withdrawn, so it can't be played.")


class DeadlineInPast(BadValue):
    field = "deadline"
    sentence = _("The deadline must be in the future.")


class DeadlineAfterSeason(BadValue):
    field = "deadline"
    sentence = _("The deadline must be before the season ends.")


class DeadlineBeforeSeason(BadValue):
    field = "deadline"
    sentence = _("The deadline must be after the season starts.")


class PairingAlreadyVoid(WrongMoment):
    sentence = _("This pairing is already void.")


class PairingPlayed(WrongMoment):
    sentence = _("This pairing has been played. Its result stands.")


class AlreadyWithdrawn(WrongMoment):
    sentence = _("This entrant has already withdrawn.")


class ReasonMissing(BadValue):
    field = "reason"
    sentence = _("Give a reason. It goes into the club's log.")


class NoSuchLeague(ClubNotFound):
    sentence = _("This league doesn't exist.")


class NoSuchPairing(ClubNotFound):
    sentence = _("This pairing doesn't exist.")


class NotANumber(BadValue):
    sentence = _("This must be a number.")


class TooManySeasons(WrongMoment):
    sentence = _("A club can have at most %(count)d seasons at a time. Wait until one is over.")


class SeasonFrozen(WrongMoment):
    sentence = _("The season is final. It can no longer change.")


class SeasonNameTaken(BadValue):
    field = "name"
    sentence = _("The club already has a season with this name.")


class NotADate(BadValue):
    sentence = _("This must be a date.")


class SeasonInPast(BadValue):
    field = "starts_at"
    sentence = _("A season can't start in the past.")


class SeasonTooFar(BadValue):
    field = "starts_at"
    sentence = _("A season must start within a year from now.")


class SeasonEndsFirst(BadValue):
    field = "ends_at"
    sentence = _("A season must end after it starts.")


class SeasonEndInPast(BadValue):
    field = "ends_at"
    sentence = _("A season must end in the future.")


class SeasonTooLong(BadValue):
    field = "ends_at"
    sentence = _("A season can last a year at most.")


class MoveSeasonInstead(WrongMoment):
    sentence = _("The season has not started yet. Change its dates instead.")


class SeasonOver(WrongMoment):
    sentence = _("The season is over.")


class SeasonStartedNotDeleted(WrongMoment):
    sentence = _("The season has started. You can end it, but not delete it.")


class SeasonGameFixed(WrongMoment):
    sentence = _("The season has started. You can no longer change which games count.")


class SeasonHasOtherGame(BadValue):
    field = "game"
    sentence = _("The season has a league in another game.")


class SeasonStartFixed(WrongMoment):
    sentence = _("The season has started. You can no longer change its first day.")


class SeasonEndFixed(WrongMoment):
    sentence = _("The season is over. You can no longer change its last day.")
