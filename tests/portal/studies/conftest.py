"""People, games and a study for the tests of studies: Alice owns it, Bob is chosen where a test says so, Charlie is a stranger."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from portal.accounts.models import User
from portal.studies import services
from portal.studies.models import Study
from portal.tables import selectors
from portal.tables.loading import load
from portal.tables.models import Table
from portal.tables.replay import replay_of
from tests.portal.clubs.conftest import club, guest, olga, private, zoe
from tests.portal.notices.conftest import browser
from tests.portal.tables.conftest import alice, bob, charlie, fixed_secret
from tests.portal.tables.telling import play
from tests.portal.tables.test_replay import opened

__all__ = ["alice", "bob", "browser", "charlie", "club", "fixed_secret", "guest", "olga", "private", "zoe"]


@pytest.fixture
def dora(db):
    return User.objects.create_user("dora", "dora@example.org", "correct horse")


@pytest.fixture
def game_key():
    return "babel"


@pytest.fixture
def ended(alice, fixed_secret, game_key):
    """A finished game at which Alice played."""
    return play(opened(alice, game_key))


@pytest.fixture
def running(alice, fixed_secret, game_key):
    """A practice game of Alice's against bots, under way."""
    table_id = opened(alice, game_key)
    Table.objects.filter(pk=table_id).update(is_rated=False)
    return play(table_id, records=14)


@pytest.fixture
def starts():
    """Start a study of somebody at a step of a table."""

    def start(user, table_id, step=6, title="A study"):
        loaded = load(table_id)
        return services.start(replay=replay_of(loaded, selectors.page_of(loaded, user)), step=step, user=user, title=title)

    return start


@pytest.fixture
def study(alice, running, starts):
    return starts(alice, running.table.pk)


@pytest.fixture
def legal():
    """The seat that decides after a move, and its legal actions."""

    def found(study, number=0):
        state, rules = state_at(study, number)
        seat = rules.actors(state)[0]
        return seat, [str(action) for action in rules.legal_actions(state, seat)]

    return found


def state_at(study, number=0):
    from games.registry import game
    from portal.studies import lines

    study = Study.objects.get(pk=study.pk)
    return lines.state_after(study, services.tree(study).path(number)), game(study.game)


@pytest.fixture
def plays(legal):
    """Play the n-th legal action after a move as somebody; returns the new number."""

    def play_one(user, study, after=0, nth=0):
        seat, actions = legal(study, after)
        return services.play(study_id=study.pk, user=user, codes={}, after=after, seat=seat, actions=[actions[nth]])

    return play_one


@pytest.fixture(autouse=True)
def no_limits():
    cache.clear()
