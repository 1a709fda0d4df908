"""Refusals of the rule books and games in the API."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.common.refusals import NotFound


class NothingWritten(NotFound):
    """The book isn't loaded, or it has no such part."""

    code = "not_written"
    sentence = _("The rule books have nothing at this address. Look at the list of the book's chapters.")


class NoSuchGame(NotFound):
    code = "no_such_game"
    sentence = _("This game doesn't exist.")
