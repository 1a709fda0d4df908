"""What members and entrants are told, and what is withdrawn when it is no longer so."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.accounts import blocks
from portal.clubs import calendar, ways_in
from portal.clubs.models import JoinRequest
from portal.clubs.waiting import heard_by
from portal.contests import leagues
from portal.notices.models import Notice
from portal.notices.sentences import sentence
from tests.portal.seasons.builders import make_season, start

pytestmark = pytest.mark.django_db


def told(user):
    return [sentence(notice) for notice in Notice.objects.filter(user=user, withdrawn_at=None).order_by("pk")]


def test_an_invitation_is_told_and_withdrawn_when_it_is_answered_or_taken_back(club, alice, charlie):
    invitation = ways_in.invite(club=club, actor=alice, person=charlie)
    assert told(charlie) == ["alice invites you to the club Enlil."]
    ways_in.withdraw_invitation(club=club, actor=alice, invitation_id=invitation.pk)
    assert told(charlie) == []
    invitation = ways_in.invite(club=club, actor=alice, person=charlie)
    ways_in.answer_invitation(invitation_id=invitation.pk, user=charlie, accepted=True)
    assert told(charlie) == []


@pytest.mark.parametrize(
    ("granted", "text"), [(True, "You are now a member of the club Enlil."), (False, "The club Enlil declined your request to join.")]
)
def test_the_answer_to_a_request_is_told(club, alice, charlie, granted, text):
    ways_in.ask(club=club, user=charlie)
    ways_in.decide(club=club, actor=alice, request_id=JoinRequest.objects.get().pk, granted=granted)
    assert told(charlie) == [text]


def test_a_club_night_is_told_to_the_other_members_alone(club, alice, bob, olga, charlie, zoe):
    starts = timezone.now() + timedelta(days=3)
    evening = calendar.create_evening(club=club, actor=olga, title="Thursday", starts_at=starts)
    assert told(bob)[0].startswith("Club night at Enlil: Thursday, ")
    assert [told(other) for other in (olga, charlie, zoe)] == [[], [], []]
    calendar.call_off(club=club, actor=olga, evening_id=evening.pk)
    assert told(alice)[1].startswith("The club night at Enlil was cancelled: Thursday, ")


def test_a_league_tells_its_first_games_and_each_deadline_once(club, alice, bob, olga):
    league = start(club, olga, make_season(club, olga), members=["alice", "bob", "olga"])
    for user in (alice, bob, olga):
        first, *more = told(user)
        assert first.startswith("A new game waits for you in Ra league: Ra with ")
        assert not more
    pairing = league.pairings.get(round=1, number=1)
    pairing.deadline = timezone.now() + timedelta(hours=5)
    pairing.save()
    for _ in range(3):
        leagues.tend(club_id=club.pk, league_id=league.pk)
    for user in (alice, bob, olga):
        assert len(told(user)) == 2
        assert told(user)[1].startswith("Your game in Ra league isn't finished: ")


def test_a_stranger_learns_nothing_of_a_private_club_by_its_notices(private, bob, olga, charlie, browser):
    calendar.create_evening(club=private, actor=olga, title="Secret", starts_at=timezone.now() + timedelta(days=3))
    notice = Notice.objects.get(user=bob)
    client = browser(charlie)
    assert client.get(f"/notices/{notice.pk}/").status_code == 404
    assert "Secret" not in client.get("/notices/").content.decode()


def test_somebody_who_is_blocked_is_not_heard_by_inviting_to_a_club(club, alice, olga, charlie, browser):
    blocks.block(user=charlie, person=alice)
    invitation = ways_in.invite(club=club, actor=alice, person=charlie)  # the officer learns nothing
    assert told(charlie) == [] and heard_by(charlie.pk).count() == 0
    assert "Enlil" in browser(charlie).get("/clubs/").content.decode(), "the club's invitation is there for whoever looks"
    assert heard_by(charlie.pk).count() == 0
    ways_in.withdraw_invitation(club=club, actor=alice, invitation_id=invitation.pk)
    ways_in.invite(club=club, actor=olga, person=charlie)
    assert told(charlie) == ["olga invites you to the club Enlil."] and heard_by(charlie.pk).count() == 1


def test_whoever_is_blocked_afterwards_is_no_longer_heard(club, alice, charlie):
    ways_in.invite(club=club, actor=alice, person=charlie)
    assert heard_by(charlie.pk).count() == 1
    blocks.block(user=charlie, person=alice)
    assert told(charlie) == [] and heard_by(charlie.pk).count() == 0
