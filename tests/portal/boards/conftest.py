"""Alice owns a private club, Bob is a member, Charlie is a stranger; finished games without playing them."""

from __future__ import annotations

import pytest

from portal.clubs.models import Club, DuplicateSet, Membership
from portal.ratings import services
from tests.portal.ratings.games import finished
from tests.portal.tables.conftest import alice, bob, charlie

__all__ = ["alice", "bob", "charlie"]


@pytest.fixture
def play():
    """Finish games in order and bring the standings up to date."""
    numbers = iter(range(1, 10_000))

    def play(*seats, apply=True, **values):
        """One game; a seat is (name or bot level, place)."""
        table = finished(next(numbers), list(seats), **values)
        if apply:
            services.apply_pending()
        return table

    return play


@pytest.fixture
def club(alice, bob):
    """A private club of Alice and Bob."""
    club = Club.objects.create(slug="enlil", name="Enlil", is_private=True, link_code="link", member_count=2)
    Membership.objects.create(club=club, user=alice, role="owner")
    Membership.objects.create(club=club, user=bob, role="member")
    return club


@pytest.fixture
def sealed(club, alice):
    """An unrevealed duplicate set of the club."""
    return DuplicateSet.objects.create(club=club, name="Set", game="ra", seats=2, secret=b"1" * 32, commitment="1" * 64, created_by=alice)
