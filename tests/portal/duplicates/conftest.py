"""The club of tests/portal/clubs (Alice owns, Olga is an officer, Bob a member, Charlie a stranger), with Dora as another member."""

from __future__ import annotations

import pytest

from portal.clubs import services, ways_in
from portal.clubs.models import Club
from portal.contests import duplicates
from tests.portal.clubs.conftest import person
from tests.portal.tables.conftest import alice, bob, charlie, duel, fixed_secret, table

__all__ = ["alice", "bob", "charlie", "duel", "fixed_secret", "table"]


@pytest.fixture
def olga(db):
    return person("olga")


@pytest.fixture
def dora(db):
    return person("dora")


@pytest.fixture
def club(alice, olga, bob, dora):
    """Private, so that only members are shown anything."""
    found = services.create_club(owner=alice, name="Enlil")
    services.change_settings(club=found, actor=alice, name="Enlil", is_private=True, joining="request")
    for user in (olga, bob, dora):
        ways_in.join_by_link(code=found.link_code, user=user)
    services.set_officer(club=found, actor=alice, member=olga, is_officer=True)
    return Club.objects.get(pk=found.pk)


@pytest.fixture
def public(club, alice):
    return services.change_settings(club=club, actor=alice, name=club.name, is_private=False, joining="open")


@pytest.fixture
def made(club, olga, fixed_secret):
    """Two tables of Ra for two: the second seat is an apprentice's."""
    return duplicates.create_set(club=club, actor=olga, name="Week 1", game="ra", seats=2, n_tables=2, bots=("", "apprentice"))


@pytest.fixture
def pair(club, olga, fixed_secret):
    """Two tables of Ra for two people."""
    return duplicates.create_set(club=club, actor=olga, name="Week 2", game="ra", seats=2, n_tables=2)
