"""Refusals of accounts: names, and too many attempts."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.common.refusals import BadValue, NotAllowed, NotFound, Refusal, TooMany, WrongMoment


class BadName(BadValue):
    field = "username"
    sentence = _("Use 2 to 24 letters, digits, full stops, hyphens or underscores. The name must start and end with a letter or digit.")


class MixedScripts(BadValue):
    field = "username"
    sentence = _("All letters in a name must come from the same alphabet. This name mixes several.")


class NameOfGuests(BadValue):
    field = "username"
    sentence = _("Names that start with “guest-” are reserved for guests.")


class NameOfDeleted(BadValue):
    field = "username"
    sentence = _("Names that start with “deleted-” are reserved for deleted accounts.")


class NameTaken(BadValue):
    field = "username"
    sentence = _("This name is taken.")


class AddressTaken(BadValue):
    field = "email"
    sentence = _("There is already an account with this email address.")


class WrongPassword(BadValue):
    field = "password"
    sentence = _("That isn't your password. Nothing was changed.")


class NeedsSecondFactor(NotAllowed):
    sentence = _("This account has a second factor. Sign in on the site itself, with your code or passkey.")


class WrongSignIn(Refusal):
    """To the API: which of the two is wrong is not said."""

    status = 401
    code = "wrong_password"
    sentence = _("Wrong name or password.")


class TokenNeedsSettings(NotAllowed):
    code = "second_factor"
    sentence = _("This account has a second factor, so a password is not enough for a token. Create one in the settings.")


class NeedsAccount(NotAllowed):
    sentence = _("You need an account to use an API token.")


class NoSuchToken(NotFound):
    sentence = _("You have no such token. It may have been revoked.")


class BadTokenName(BadValue):
    field = "name"
    sentence = _("Give the token a name of 1 to 60 characters, so that you know later what it is for.")


class NoScopes(BadValue):
    field = "scopes"
    sentence = _("Choose at least one thing that the token may do.")


class ScopesForBots(BadValue):
    field = "scopes"
    sentence = _("A bot's token can read and play, nothing else.")


class BadExpiry(BadValue):
    field = "days"
    sentence = _("A token can work for 1 to 365 days, or without an end.")


class NoTokensForApps(NotAllowed):
    sentence = _("An application can't create tokens: they would outlive the permission that you gave it.")


class NoAppsForApps(NotAllowed):
    sentence = _("An application can't register or change applications. Do that in the settings.")


class NoSuchApp(NotFound):
    sentence = _("There is no such application, or it can no longer act for you.")


class BadAppName(BadValue):
    field = "name"
    sentence = _("Give the application a name of 1 to 60 characters: people decide by it.")


class BadRedirect(BadValue):
    field = "redirects"
    sentence = _(
        "Give 1 to 5 addresses that start with https://, or with http://localhost for a program on people's own machines, without “#”."
    )


class TooManyApps(WrongMoment):
    sentence = _("You have as many applications as you can have. Remove one first.")


class TooManyTokens(WrongMoment):
    sentence = _("You can't have more tokens. Revoke one first.")


class AddressOpen(WrongMoment):
    sentence = _("Confirm your email address first: follow the link in the mail we sent you.")


class BadPasskey(BadValue):
    field = "credential"
    sentence = _("The passkey didn't answer as expected. Try again.")


class NotSignedIn(NotFound):
    sentence = _("You are no longer signed in there.")


class StillOwner(WrongMoment):
    sentence = _("You own a club. Hand it over or close it first, then delete your account.")


class UnknownChoice(BadValue):
    sentence = _("“%(label)s” can't have this value. Choose one of the options offered.")


class NothingToKeep(BadValue):
    sentence = _("Nothing was changed: none of these preferences exists.")


class BadQuietHours(BadValue):
    field = "quiet_from"
    sentence = _("Give both times, at most twelve hours apart, or leave both empty.")


class BadVacation(BadValue):
    field = "first"
    sentence = _("Choose a first and a last day from today on, at most a year ahead, that aren't part of another vacation.")


class TooMuchVacation(BadVacation):
    sentence = _("You can take at most %(days)d days of vacation in a year. Choose fewer days.")


class TooManyGuests(TooMany):
    """This address has created as many guests as it may in an hour."""

    sentence = _("Too many guests from your address this hour. You can sign up or sign in.")


class TooManyAttempts(TooMany):
    sentence = _("Too many attempts.")


class BlocksSelf(BadValue):
    sentence = _("You can't block yourself.")


class TooManyBlocks(BadValue):
    sentence = _("You have blocked too many people. Unblock somebody first.")
