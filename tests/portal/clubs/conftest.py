"""A club of Alice's: Olga is an officer, Bob a member, Charlie a stranger, Zoe is banned."""

from __future__ import annotations

import pytest

from portal.accounts.models import User
from portal.clubs import members, services, ways_in
from portal.clubs.models import Club
from tests.portal.tables.conftest import alice, bob, charlie, fixed_secret

__all__ = ["alice", "bob", "charlie", "fixed_secret"]


def person(name: str, **fields: object) -> User:
    return User.objects.create_user(name, f"{name}@example.org", "correct horse", **fields)


@pytest.fixture
def olga(db):
    return person("olga")


@pytest.fixture
def zoe(db):
    return person("zoe")


@pytest.fixture
def guest(db):
    return User.objects.create(username="guest-abcde", is_guest=True)


@pytest.fixture
def club(alice, olga, bob, zoe):
    """Public, on request."""
    found = services.create_club(owner=alice, name="Enlil", about_en="Thursdays at eight.", about_hu="Csütörtökön nyolckor.")
    for user in (olga, bob):
        ways_in.join_by_link(code=found.link_code, user=user)
    services.set_officer(club=found, actor=alice, member=olga, is_officer=True)
    members.ban(club=found, actor=olga, person=zoe, reason="Left every game.")
    return Club.objects.get(pk=found.pk)


@pytest.fixture
def private(club, alice):
    return services.change_settings(club=club, actor=alice, name=club.name, is_private=True, joining="open")
