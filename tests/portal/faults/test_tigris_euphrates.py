"""What cannot be done in Tigris & Euphrates, by page and API: refused with the paragraph that says so, and nothing changed."""

from __future__ import annotations

import pytest

from portal.tables import services
from portal.tables.loading import load
from tests.engine.tigris_euphrates.builders import data_from

from .refusals import assert_each_refused, by_position

pytestmark = pytest.mark.django_db

WAR = {
    "tiles": {"market": "G4 I4", "temple": "H4 J5"},
    "leaders": ["trader F4", "trader I5"],
    "hands": ["market 2, temple 4", "market 1, temple 5"],
    "phase": "attack",
    "conflict": {"kind": "war", "role": "trader"},
    "placed": "H4",
}
QUIET = {"leaders": ["king F4", "king B3"], "hands": ["temple 2, settlement 2, market 2", None]}


def table_of(alice, bob, fields):
    """Open a table for Alice, in seat 0, and Bob from a position."""
    data = data_from(**fields)
    file = {
        "format": "ziggurat-position/1",
        "game": "tigris_euphrates",
        "rules_version": 1,
        "options": {},
        "seats": data.pop("seats"),
        "state": data,
        "fill": "refusals",
    }
    table_id = services.create_table(owner=alice, game_key="tigris_euphrates", seats=2, position=file).table.pk
    return services.join_table(table_id=table_id, user=bob).table


# position, seat that asks, action, status, paragraph, a part of the sentence
CASES = [
    (QUIET, 0, "tile temple Q3", 400, "components-6", "no action of this game"),
    (QUIET, 0, "tile temple A12", 400, "components-6", "no action of this game"),
    (QUIET, 0, "tile temple E1", 422, "tiles-3", "E1 is river"),
    (QUIET, 0, "tile farm E1", 422, "tiles-1", "You have no such tile"),
    (QUIET, 0, "tile temple F3", 422, "tiles-1", "F3 is not empty"),
    (QUIET, 0, "leader emperor G3", 400, "components-3", "no action of this game"),
    (QUIET, 0, "withdraw priest", 422, "leaders-8", "That leader of yours is not on the board"),
    (QUIET, 0, "leader king F4", 422, "leaders-5", "The leader stands on F4 already"),
    (QUIET, 0, "leader priest D5", 422, "leaders-3", "No face-up temple lies beside D5"),
    (QUIET, 0, "leader priest E3", 422, "leaders-2", "E3 is river"),
    (QUIET, 0, "catastrophe F3", 422, "catastrophes-2", "A treasure lies on F3"),
    (QUIET, 0, "catastrophe F4", 422, "catastrophes-2", "A leader stands on F4"),
    (QUIET, 0, "swap temple temple temple", 422, "swap-1", "You do not have so many"),
    (QUIET, 0, "support 1 temple", 422, "conflicts-1", "There is no conflict now"),
    (QUIET, 0, "build black_red F4", 422, "monuments-1", "No monument can be built now"),
    (QUIET, 0, "build white_red F4", 400, "components-4", "no action of this game"),
    (QUIET, 0, "treasure F3", 422, "treasures-1", "There is no treasure to be taken now"),
    (QUIET, 0, "draw temple", 422, "setup-4", "Nobody may choose what chance decides"),
    (QUIET, 0, "score", 422, "scoring-2", "nothing to score now"),
    (QUIET, 1, "tile temple G3", 409, "turn-1", "The move is not yours now. Waiting for alice"),
    (WAR, 0, "support 1 temple", 422, "wars-5", "Only tiles of the leaders' colour can be added"),
    (WAR, 0, "support 3 market", 422, "conflicts-3", "You hold: 2"),
    (WAR, 0, "tile temple K5", 422, "conflicts-2", "say how many tiles you add"),
    (WAR, 1, "support 1 market", 409, "conflicts-3", "A conflict is being settled. Waiting for alice"),
]


@by_position(CASES)
def test_refused_by_page_and_api_with_the_paragraph(alice, bob, position, seat, asked):
    table = table_of(alice, bob, position)
    assert load(table.pk).table.due == [0]
    assert_each_refused(table, (alice, bob)[seat], asked)
