"""Refusals of searches for a table."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.common.refusals import BadValue, NotAllowed, TooMany


class BadSearch(BadValue):
    sentence = _("Choose a game, a pace and a number of players from the lists.")


class AccountNeeded(NotAllowed):
    sentence = _("A game by correspondence takes weeks, so it needs an account. Sign up, or look for a live game.")


class TooManySearches(TooMany):
    sentence = _("You have started many searches in a short time.")
