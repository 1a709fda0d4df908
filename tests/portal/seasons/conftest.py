"""A club: Alice owns it, Olga is an officer, Bob and Dora are members, Charlie is a stranger."""

from __future__ import annotations

import pytest

from portal.clubs.models import Club, Membership
from tests.portal.ratings.games import person
from tests.portal.seasons.builders import make_season
from tests.portal.tables.conftest import alice, bob, charlie

__all__ = ["alice", "bob", "charlie", "club", "dora", "olga", "people", "season"]


@pytest.fixture
def olga(db):
    return person("olga")


@pytest.fixture
def dora(db):
    return person("dora")


@pytest.fixture
def club(alice, olga, bob, dora):
    club = Club.objects.create(slug="enlil", name="Enlil", link_code="x", member_count=4)
    for user, role in ((alice, "owner"), (olga, "officer"), (bob, "member"), (dora, "member")):
        Membership.objects.create(club=club, user=user, role=role)
    return club


@pytest.fixture
def people(alice, olga, bob, charlie):
    return {"owner": alice, "officer": olga, "member": bob, "stranger": charlie, "visitor": None}


@pytest.fixture
def season(club, olga):
    """A season of all games that has just started."""
    return make_season(club, olga)
