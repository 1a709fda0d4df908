"""What ends a match before its last game besides its people: closed accounts, and games that can't be opened."""

import logging

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from portal.bots.refusals import BotNotTaking
from portal.bots.services import why_not
from portal.clubs.models import DuplicateSet
from portal.matches import feeding
from portal.matches.feeding import feed
from portal.matches.models import Game, Match
from portal.matches.selectors import match_page
from portal.site.moderating import deactivate, reactivate
from portal.tables.models import Table
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db


def state_of(match):
    found = Match.objects.get(pk=match.pk)
    return found.state, found.reason, found.ended_at is not None


# Closed accounts


def test_a_match_of_a_closed_account_opens_no_more_games(match_of, alice, gilga):
    running, waiting = match_of("gilga", levels=["apprentice"], games=8), match_of("gilga", levels=["apprentice"])
    assert feed() == 4
    deactivate(alice)
    for game in list(Game.objects.filter(match=running)):
        end(game.table_id)
    assert feed() == 0
    assert state_of(running) == state_of(waiting) == ("cancelled", "", True)
    assert [bool(game.places) for game in running.rows.all()] == [True] * 4, "games that ran count"


@pytest.mark.parametrize("closed", ["the bot", "its owner"])
def test_a_closed_bot_of_somebody_else_stops_the_match(match_of, bob, gilga, shamash, closed):
    match = match_of("gilga", "shamash")
    deactivate(shamash.user if closed == "the bot" else bob)
    assert feed() == 0
    assert state_of(match) == ("stopped", "closed", True)
    assert str(match_page(match.pk).reason) == "shamash (bot) has been closed."


def test_a_closed_bot_takes_no_challenge_not_even_from_its_owner(alice, bob, gilga):
    asked = {"game": "ra", "pace": "live", "seats": 2}
    deactivate(gilga.user)
    gilga.refresh_from_db()
    assert {type(why_not(gilga, by=by, **asked)) for by in (alice, bob)} == {BotNotTaking}
    reactivate(gilga.user)
    deactivate(alice)
    type(gilga.user).objects.filter(pk=gilga.user_id).update(is_active=True)
    gilga.refresh_from_db()
    assert type(why_not(gilga, by=bob, **asked)) is BotNotTaking
    reactivate(alice)
    gilga.refresh_from_db()
    assert why_not(gilga, by=bob, **asked) is None


# Games that can't be opened


def test_a_match_that_fails_holds_up_no_other_one(match_of, gilga, enkidu, caplog):
    broken, other = match_of("gilga", levels=["apprentice"]), match_of("enkidu", levels=["apprentice"])
    Match.objects.filter(pk=broken.pk).update(pace={"sundial": 1})
    with caplog.at_level(logging.ERROR):
        assert feed() == 4
    assert {game.match_id for game in Game.objects.all()} == {other.pk}
    assert state_of(broken) == ("queued", "", False), "its step has changed nothing"
    assert [str(broken.pk) in record.getMessage() for record in caplog.records if record.name == feeding.log.name] == [True]


def test_the_time_limit_of_the_task_ends_the_round(match_of, gilga, monkeypatch):
    match_of("gilga", levels=["apprentice"])

    def slow(_match_id):
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(feeding, "step", slow)
    with pytest.raises(SoftTimeLimitExceeded):
        feed()


@pytest.mark.parametrize("is_rated", [False, True])
def test_a_match_whose_tables_are_refused_is_stopped_with_a_reason(match_of, gilga, enkidu, is_rated):
    refused, other = match_of("gilga", levels=["apprentice"], is_rated=is_rated), match_of("enkidu", levels=["apprentice"])
    Match.objects.filter(pk=refused.pk).update(options={"stars": 1})
    assert feed() == 4
    assert state_of(refused) == ("stopped", "refused", True)
    assert match_page(refused.pk).reason == "Its games can no longer be opened."
    assert Table.objects.count() == other.rows.count() == 4
    assert DuplicateSet.objects.count() == 2, "both of the other match"
