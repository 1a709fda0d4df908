"""Games with bot accounts are rated in the pool of bots, and nobody's rating among people changes by them."""

import pytest

from portal.accounts.deleting import delete_person
from portal.accounts.models import User
from portal.ratings import recount, services
from portal.ratings.models import Rating, Tally
from portal.ratings.selectors import leaderboard
from portal.tables.models import Seat
from tests.portal.ratings.games import finished


@pytest.fixture
def games(alice, bob, gilga):
    """Three games: people alone, with a bot account, and with a bot account that left; all told to the standings."""
    finished(1, [("alice", 1), ("bob", 2)])
    finished(2, [("alice", 2), ("gilga", 1), ("scribe", 3)])
    finished(3, [("alice", 1), ("gilga", 2)], left=(1,))
    services.apply_pending()


def lines(pool):
    return {(line.username or line.bot_level): line.games for line in leaderboard(pool=pool, game="ra").lines}


@pytest.mark.usefixtures("games")
def test_people_and_bots_have_ladders_beside_each_other():
    assert lines("people") == {"alice": 1, "bob": 1}
    assert lines("bots") == {"alice": 2, "gilga": 2, "scribe": 1}


@pytest.mark.usefixtures("games")
def test_ratings_of_people_are_those_of_their_games_alone(alice):
    before = Rating.objects.get(user=alice, ladder__key="people/ra")
    finished(4, [("alice", 2), ("gilga", 1)])
    services.apply_pending()
    after = Rating.objects.get(user=alice, ladder__key="people/ra")
    assert (before.mu, before.sigma, before.games) == (after.mu, after.sigma, after.games)
    assert not Rating.objects.filter(user__is_bot=True, ladder__pool="people").exists()


@pytest.mark.usefixtures("games")
def test_a_recount_finds_the_same_rows():
    assert recount.check()[1] == []


@pytest.mark.usefixtures("games")
def test_a_bot_that_was_closed_leaves_its_games_in_their_pool(alice, gilga):
    delete_person(user=gilga.user)
    assert User.objects.get(pk=gilga.user_id).is_bot
    assert Seat.objects.filter(user=gilga.user_id).exists()
    assert recount.check()[1] == []
    assert not Tally.objects.filter(user=gilga.user_id, pool="people").exists()
