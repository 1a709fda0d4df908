"""Alice owns Gilga and Enkidu, Bob owns Shamash; Charlie has no bots."""

import pytest

from portal.bots.services import make_bot
from portal.matches.feeding import feed
from portal.matches.models import Match
from portal.matches.services import make_match
from portal.tables.pace import Pace
from tests.portal.bots.conftest import api, fresh, gilga, token_of
from tests.portal.tables.conftest import alice, bob, charlie
from tests.portal.tables.ending import end

__all__ = ["alice", "api", "bob", "charlie", "enkidu", "fresh", "gilga", "match_of", "play_all", "shamash", "token_of"]

LIVE = Pace("live", bank_s=300, add_s=5)


@pytest.fixture
def enkidu(alice):
    return make_bot(owner=alice, username="enkidu")


@pytest.fixture
def shamash(bob):
    return make_bot(owner=bob, username="shamash")


@pytest.fixture
def match_of(alice):
    def make(*bots, owner=alice, **values):
        return make_match(**{"owner": owner, "game": "ra", "bots": bots, "games": 4, "pace": LIVE, **values})

    return make


@pytest.fixture
def play_all():
    """Feed and end what runs until the match is over; return it with the numbers of games that were opened at a time."""

    def play(match, seed=1):
        opened = []
        while True:
            feed()
            running = list(match.rows.filter(ended_at=None).order_by("number"))
            if not running:
                return Match.objects.get(pk=match.pk), opened
            opened.append([game.number for game in running])
            for game in running:
                end(game.table_id, seed=seed + game.number)

    return play
