"""Invitations that a notice tells of, as they stand now: whoever reads the notice can answer there.

The parts of the site that invite people are above this one, so each registers who looks its invitations up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from portal.accounts.models import User
from portal.notices.models import Kind, Notice

ANSWERED: Final[Mapping[str, str]] = {  # how an invitation was answered, or how else it ended
    "accepted": gettext_noop("You accepted."),
    "declined": gettext_noop("You declined."),
    "countered": gettext_noop("You suggested other terms."),
    "": gettext_noop("It is no longer open."),
}


@dataclass(frozen=True, slots=True)
class Question:
    """What a notice asks. Without an `action` there is nothing to answer, and `said` tells what became of it."""

    said: str = ""  # also what somebody agrees to
    action: str = ""  # the address that takes the answer: `do` is "accept" or "decline"
    fields: Mapping[str, str] = field(default_factory=dict)  # what goes with it


Finder = Callable[[User, Sequence[Notice]], Mapping[int, Question]]
FINDERS: Final[dict[tuple[Kind, str], Finder]] = {}


def over(how: str) -> Question:
    """Return what is said of an invitation that can't be answered; `how` is a key of ANSWERED."""
    return Question(_(ANSWERED.get(how, ANSWERED[""])))


def questions_of(user: User, notices: Sequence[Notice]) -> Mapping[int, Question]:
    """Return what some notices of a person ask, by their keys; one statement for each kind of invitation among them."""
    found: dict[int, Question] = {}
    for (kind, key), finder in FINDERS.items():
        if those := [notice for notice in notices if (notice.kind, notice.key) == (kind, key)]:
            found |= finder(user, those)
    return found
