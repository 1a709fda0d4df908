"""What people are told of invitations to tables."""

from __future__ import annotations

import pytest

from portal.accounts.models import User
from portal.notices.models import Kind, Notice
from portal.tables import inviting, services

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db):
    return [User.objects.create_user(name, f"{name}@example.org", "correct horse") for name in ("alice", "bob")]


@pytest.fixture
def invitation(people):
    alice, _ = people
    loaded = services.create_table(owner=alice, game_key="ra", seats=3)
    return inviting.invite(table_id=loaded.table.pk, user=alice, name="bob")


def told():
    found = Notice.objects.filter(kind=Kind.INVITATION).order_by("pk").select_related("user")
    return [(notice.user.username, notice.key, notice.facts["who"], notice.path, notice.withdrawn_at is None) for notice in found]


def test_the_invited_person_is_told_and_the_notice_leads_to_the_invitation(people, invitation):
    assert told() == [("bob", "invited", "alice", f"/invitations/{invitation.pk}/", True)]


def test_the_answer_is_told_to_the_one_who_invited(people, invitation):
    _, bob = people
    inviting.accept(invitation_id=invitation.pk, user=bob, terms=inviting.terms_of(invitation.table))
    assert told() == [
        ("bob", "invited", "alice", f"/invitations/{invitation.pk}/", False),
        ("alice", "accepted", "bob", f"/tables/{invitation.table_id}/", True),
    ]


def test_a_declined_invitation_is_told(people, invitation):
    _, bob = people
    inviting.decline(invitation_id=invitation.pk, user=bob)
    assert told()[1][:3] == ("alice", "declined", "bob")


def test_a_counter_offer_is_told(people, invitation):
    _, bob = people
    inviting.counter(invitation_id=invitation.pk, user=bob, seats=4, is_rated=True)
    assert [(name, key) for name, key, *_ in told()] == [("bob", "invited"), ("alice", "countered")]


def test_an_invitation_taken_back_is_no_longer_true(people, invitation):
    alice, _ = people
    inviting.take_back(table_id=invitation.table_id, user=alice, invitation_id=invitation.pk)
    assert [(name, key, is_true) for name, key, _, _, is_true in told()] == [("bob", "invited", False), ("bob", "taken_back", True)]


def test_an_address_without_an_account_is_told_nothing_here(people):
    alice, _ = people
    loaded = services.create_table(owner=alice, game_key="ra", seats=3)
    inviting.invite_by_mail(table_id=loaded.table.pk, user=alice, email="friend@example.org")
    assert told() == []
