"""What happens to studies when somebody leaves for good, blocks somebody, or leaves a club, and when a club closes."""

from __future__ import annotations

from django.db.models import Q

from portal.accounts.models import User
from portal.clubs.models import Club
from portal.studies.models import Guest, Move, Study


def forget(*, user: User, **_signal: object) -> bool:
    """Delete what somebody who goes for good has written in other people's studies; their own go with their row. Says that no row has to stay.

    Their moves there stay, without a name: other people's lines go on from them.
    """
    Move.objects.filter(commented_by=user).exclude(study__owner=user).update(comment="", commented_by=None)
    return False


def part(*, user: User, person: User, **_signal: object) -> None:
    """Let somebody who blocks a person see nothing that this person shares with them by name, and the other way round."""
    Guest.objects.filter(Q(study__owner=user, user=person) | Q(study__owner=person, user=user)).delete()


def leave_club(*, club: Club, user: User, **_signal: object) -> None:
    """Take what a former member shared with the club back."""
    _take_back(Q(club=club, owner=user))


def close_club(*, club: Club, **_signal: object) -> None:
    """Take what was shared with a club back."""
    _take_back(Q(club=club))


def _take_back(which: Q) -> None:
    Study.objects.filter(which, visibility=Study.Visibility.CLUB).update(visibility=Study.Visibility.ME, club=None)
