"""What entrants are told when the next round of a league begins."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from portal.contests import leagues
from portal.notices.models import Kind, Notice
from tests.portal.seasons.builders import start

pytestmark = pytest.mark.django_db
DUEL = {"form": "once", "members": ["alice", "bob", "dora"]}
DAYS = 10


@pytest.fixture
def league(club, olga, season):
    """Alice, Bob and Dora meet once each, in three rounds of ten days; in each, one of them rests."""
    return start(club, olga, season, days=DAYS, **DUEL)


def told():
    """Return who was told of a game that waits, by the game."""
    found = {}
    for notice in Notice.objects.filter(kind=Kind.SEASON, key="pairing").select_related("user"):
        found.setdefault(notice.facts["pairing"], []).append(notice.user.username)
    return found


def tend_at(club, league, at):
    with time_machine.travel(at, tick=False):
        leagues.tend(club_id=club.pk, league_id=league.pk)


def test_each_round_is_told_once_to_those_who_play_in_it_when_it_begins(club, league):
    by_round = {pairing.round: pairing for pairing in league.pairings.prefetch_related("seats__entrant")}
    now = timezone.now()
    tend_at(club, league, now + timedelta(days=1))
    assert list(told()) == [by_round[1].pk]
    for hours in (1, 2, 30):
        tend_at(club, league, by_round[1].deadline + timedelta(hours=hours))
    assert set(told()) == {by_round[1].pk, by_round[2].pk}
    players = sorted(seat.entrant.name for seat in by_round[2].seats.all())
    assert sorted(told()[by_round[2].pk]) == players
    tend_at(club, league, by_round[2].deadline + timedelta(days=3))
    assert by_round[3].pk not in told(), "too late to say that it begins"


def test_a_round_with_its_deadline_near_is_told_by_that(club, olga, season):
    league = start(club, olga, season, days=1, **DUEL)
    first = league.pairings.get(round=1)
    tend_at(club, league, first.deadline + timedelta(hours=1))
    second = league.pairings.get(round=2)
    assert second.pk not in told()
    keys = Notice.objects.filter(kind=Kind.SEASON, facts__pairing=second.pk).values_list("key", flat=True)
    assert list(keys) == ["deadline", "deadline"]


def test_a_game_that_was_played_ahead_waits_for_nobody(club, league, alice, bob, dora):
    second = league.pairings.get(round=2)
    player = second.seats.select_related("entrant__user").first().entrant.user
    leagues.play(club=club, user=player, league_id=league.pk, pairing_id=second.pk)
    tend_at(club, league, league.pairings.get(round=1).deadline + timedelta(hours=1))
    assert second.pk not in told()
