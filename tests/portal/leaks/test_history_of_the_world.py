"""History of the World: draft choices, events in hands, standing orders and future cards are in no byte of any answer to others."""

from __future__ import annotations

import pytest

from portal.tables import services
from portal.tables.loading import load
from portal.tables.models import ActionRecord
from tests.portal.tables.driver import play_on

from .eyes import Eyes
from .secrets import compare

pytestmark = pytest.mark.django_db

GAME = "history_of_the_world"
SEATS = {"alice": 0, "bob": 1, "charlie": 2, "visitor": None}
NAMES = ("alice", "bob", "charlie")


@pytest.fixture
def viewers(alice, bob, charlie):
    return {"alice": Eyes(alice, GAME), "bob": Eyes(bob, GAME), "charlie": Eyes(charlie, GAME), "visitor": Eyes(None, GAME)}


@pytest.fixture
def table(alice, bob, charlie, fixed_secret):
    table_id = services.create_table(owner=alice, game_key=GAME, seats=3).table.pk
    for user in (bob, charlie):
        services.join_table(table_id=table_id, user=user)
    return load(table_id).table


def act(table_id, seat, text):
    loaded = load(table_id)
    return services.submit_action(table_id=table_id, user=loaded.seats[seat].user, action=text, expected_version=loaded.table.version)


def phase(loaded):
    return loaded.game.state_to_json(loaded.state)["phase"]


def choose(table_id, verb="take"):
    """Let the first due seat take the first card of its pile."""
    loaded = load(table_id)
    seat = loaded.table.due[0]
    texts = [str(action) for action in loaded.game.legal_actions(loaded.state, seat)]
    return act(table_id, seat, next(text for text in texts if text.startswith(verb)))


def test_a_choice_of_the_draft_and_the_other_pile_are_seen_by_nobody_else(table, viewers):
    assert phase(load(table.pk)) == "draft"
    compare(table.pk, viewers, ("alice",), SEATS, at_table=True)
    choose(table.pk)
    rows = ActionRecord.objects.filter(table_id=table.pk, text__startswith="take")
    assert rows.count() == 1
    compare(table.pk, viewers, ("bob", "visitor"), SEATS)


def test_empires_and_events_chosen_are_secret_until_they_are_used(table, viewers):
    while phase(load(table.pk)) == "draft":
        loaded = load(table.pk)
        choose(table.pk, "take" if loaded.game.view_for(loaded.state, loaded.table.due[0]).pile_kind else "look")
    act(table.pk, load(table.pk).table.due[0], "guard ask")
    compare(table.pk, viewers, NAMES, SEATS, at_table=True)


def test_in_a_later_epoch_kept_events_and_standing_orders_stay_hidden(table, viewers):
    def later(loaded):
        data = loaded.game.state_to_json(loaded.state)
        return data["epoch"] >= 3 and data["phase"] == "conquest" and sum(map(len, data["hands"])) >= 2

    play_on(table.pk, until=later)
    compare(table.pk, viewers, ("charlie", "visitor"), SEATS, at_table=True)
