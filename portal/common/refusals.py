"""The one family of refusals: what cannot be done, why, and what to do instead, in the reader's language.

A refusal changes nothing. Each one is a class with its own sentence; pages and API say that sentence and answer with its status.
Each app has its refusals in `refusals.py`, grouped in kinds that callers catch (`NotFound`, `WrongMoment`, ...).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import TYPE_CHECKING, ClassVar

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Sentence = str | _StrPromise


class Refusal(Exception):
    """A request that can't be carried out.

    `status` is the HTTP status and `code` the word for programs; both are stable. `sentence` is lazy: it is translated when it is
    read, and filled with the values that the refusal was raised with. `rule` names a rule paragraph ("ra#auction-3"), `field` the
    field of a form that has to change, `retry_after_s` the seconds after which the same request may work.
    """

    status: ClassVar[int] = 400
    code: ClassVar[str] = "bad_request"
    sentence: ClassVar[Sentence] = _("That can't be done.")
    rule: str | None = None
    field: str = ""
    retry_after_s: int | None = None

    def __init__(self, *, field: str | None = None, rule: str | None = None, **values: object) -> None:
        super().__init__()
        self.values = values
        if field is not None:
            self.field = field
        if rule is not None:
            self.rule = rule

    def __str__(self) -> str:
        """Return the sentence in the active language."""
        return str(self.sentence % self.values if self.values else self.sentence)


class NotFound(Refusal):
    """There is no such thing, or the reader must not know of it: both get the same answer."""

    status = 404
    code = "not_found"
    sentence = _("There is nothing at this address.")


class NotAllowed(Refusal):
    """This person may not do that."""

    status = 403
    code = "not_allowed"
    sentence = _("You can't do that here.")


class ScopeMissing(NotAllowed):
    """A token, or an application that acts for somebody, wasn't given this right."""

    code = "scope_missing"
    sentence = _(
        "This needs the scope “%(scope)s”, which the token doesn't have. Create a token that has it in the settings, under API tokens."
    )


class WrongMoment(Refusal):
    """It was possible before, or will be later."""

    status = 409
    code = "wrong_moment"
    sentence = _("That isn't possible right now.")


class TooMany(Refusal):
    """One person or address has done this too often. Whoever knows how long that holds, says so: the sentence goes on with it."""

    status = 429
    code = "too_many"
    sentence = _("You have done that too often.")
    retry_after_s = 3600
    is_known = False  # the time to wait

    def __init__(self, *, retry_after_s: int | None = None) -> None:
        super().__init__()
        if retry_after_s is not None:
            self.retry_after_s, self.is_known = retry_after_s, True

    def __str__(self) -> str:
        """Return the sentence in the active language, and one that says how long to wait."""
        return f"{self.sentence} {waiting(self.retry_after_s or 0)}" if self.is_known else str(self.sentence)


def waiting(seconds: int) -> str:
    """Say after how many seconds, full minutes or full hours to try again, never too few."""
    if seconds < 60:
        return ngettext("Try again in %(count)d second.", "Try again in %(count)d seconds.", seconds) % {"count": seconds}
    if seconds <= 3540:
        minutes = ceil(seconds / 60)
        return ngettext("Try again in %(count)d minute.", "Try again in %(count)d minutes.", minutes) % {"count": minutes}
    hours = ceil(seconds / 3600)
    return ngettext("Try again in %(count)d hour.", "Try again in %(count)d hours.", hours) % {"count": hours}


class TooManyGuesses(TooMany):
    """One address was wrong too often about something secret: a password, a token, a link."""

    sentence = _("Too many wrong passwords, tokens or links from your address.")


class BadValue(Refusal):
    """An invalid name, text, date or number; `field` says which."""

    status = 422
    code = "bad_value"
    sentence = _("This value isn't allowed.")


def every_refusal(of: type[Refusal] = Refusal) -> Iterator[type[Refusal]]:
    """Yield a kind of refusal and all its subclasses whose modules have been imported."""
    yield of
    for kind in of.__subclasses__():
        yield from every_refusal(kind)
