"""What cannot be done in Babel, by page and API: refused with the paragraph that says so, and nothing changed."""

from __future__ import annotations

import pytest

from portal.tables import services
from portal.tables.loading import load
from tests.engine.babel.builders import data_from

from .refusals import assert_each_refused, by_position
from .test_bad_input import signed_in

pytestmark = pytest.mark.django_db

TURN = """
    turn: 8
    0> medes | AAHP
    1  persians | HMMSS
    medes: AAAM 12 | PS 12
    persians: MMM . | MPP 123
    stocks: 4 2 | 3 5
"""
FIRST = """
    turn: 1
    0> quarry | MMP
    1  quarry | 5
"""
RUNS = """
    turn: 8
    0> medes | M
    1  persians | H
    medes: HHHSSSPPP 12 | . .
    stocks: 2 | 1
"""
HALVING = TURN + "\nphase: halving"

# position, seat that asks, action, status, paragraph, a part of the sentence
CASES = [
    (TURN, 0, "move egyptians", 400, None, "no action of this game"),
    (TURN, 0, "move quarry", 400, None, "no action of this game"),
    (TURN, 0, "settle", 400, None, "no action of this game"),
    (TURN, 0, "build third", 400, None, "no action of this game"),
    (TURN, 0, "migrate medes medes", 400, None, "no action of this game"),
    (TURN, 0, "destroy 1", 400, None, "no action of this game"),
    (TURN, 0, "halve assyrians 99", 400, None, "no action of this game"),
    (TURN, 0, "discard persians assyrians", 400, None, "no action of this game"),
    (TURN, 0, "discard" + " medes" * 61, 400, None, "no action of this game"),
    (TURN, 0, "DESTROY", 400, None, "no action of this game"),
    (TURN, 0, "move sumerians", 422, "move-1", "You do not hold that card"),
    (TURN, 0, "move medes", 422, "move-2", "Your pawn stands there already"),
    (TURN, 0, "settle medes", 422, "settle-1", "You do not hold that card"),
    (TURN, 0, "build own", 422, "build-2", "the next level of your temple here is 3"),
    (TURN, 0, "migrate hittites medes", 422, "migration-3", "Exactly three cards migrate"),
    (TURN, 0, "steal", 422, "powers-1", "no such run in Media"),
    (TURN, 0, "destroy 2", 422, "powers-1", "no such run in Media"),
    (TURN, 0, "expel persians", 422, "powers-1", "no such run in Media"),
    (TURN, 0, "discard assyrians assyrians", 422, "halving-2", "nothing to give up now"),
    (TURN, 0, "draw medes medes medes", 422, "people-1", "Nobody may choose what chance decides"),
    (TURN, 0, "reveal 2 1", 422, "people-1", "Nobody may choose what chance decides"),
    (TURN, 0, "score", 422, "score-1", "nothing to score now"),
    (TURN, 1, "move hittites", 409, "turn-1", "The move is not yours now. Waiting for alice"),
    (TURN, 1, "discard medes medes", 409, "turn-1", "The move is not yours now. Waiting for alice"),
    (FIRST, 0, "settle medes", 422, "move-3", "Your pawn is still in the quarry"),
    (FIRST, 0, "build own", 422, "move-3", "Your pawn is still in the quarry"),
    (FIRST, 0, "end", 422, "start-2", "In your first turn you have to build your level 1"),
    (RUNS, 0, "steal", 422, "steal-1", "The other has no temple here"),
    (RUNS, 0, "switch", 422, "switch-1", "The other has no cards here"),
    (RUNS, 0, "skip own", 422, "skip-1", "with one level skipped your temple here goes on with 4"),
    (RUNS, 0, "halve hittites", 422, "halving-3", "The other holds fewer than two cards"),
    (HALVING, 1, "discard medes", 422, "halving-1", "Cards to give up, no more and no fewer: 2"),
    (HALVING, 1, "discard medes medes sumerians", 422, "halving-1", "Cards to give up, no more and no fewer: 2"),
    (HALVING, 1, "discard hittites hittites", 422, "halving-2", "You do not hold that card"),
    (HALVING, 1, "end", 422, "halving-2", "First give up half of your hand"),
    (HALVING, 0, "end", 409, "halving-2", "Half a hand has to be given up first. Waiting for bob"),
    (HALVING, 0, "discard assyrians assyrians", 409, "halving-2", "Half a hand has to be given up first. Waiting for bob"),
]


def table_of(alice, bob, picture):
    """Open a table for Alice, in seat 0, and Bob from a position."""
    file = {"format": "ziggurat-position/1", "game": "babel", "rules_version": 1, "options": {}, "seats": 2, "fill": "refusals"}
    loaded = services.create_table(owner=alice, game_key="babel", seats=2, position=file | {"state": data_from(picture)})
    return services.join_table(table_id=loaded.table.pk, user=bob).table


@by_position(CASES)
def test_refused_by_page_and_api_with_the_paragraph(alice, bob, position, seat, asked):
    table = table_of(alice, bob, position)
    assert load(table.pk).table.due == [int(position == HALVING)]
    assert_each_refused(table, (alice, bob)[seat], asked)


@pytest.mark.parametrize("how", ["page", "api"])
def test_half_of_the_largest_hand_is_no_longer_than_what_may_be_sent(alice, bob, how):
    """All cards but a run lie in one hand: without this answer the game could not go on."""
    hand = "A" * 12 + "H" * 12 + "S" * 12 + "P" * 12 + "M" * 9
    table = table_of(alice, bob, f"turn: 8\n0> medes |\n1 quarry | {hand}\nmedes: MMM . | . .\nphase: halving")
    loaded = load(table.pk)
    text = max((str(action) for action in loaded.game.legal_actions(loaded.state, 1)), key=len)
    assert len(text) > 250
    client, data = signed_in(bob), {"action": text, "expected_version": table.version}
    if how == "page":
        assert f'name="action" value="{text}"' in client.get(f"/tables/{table.pk}/", {"a": text}).content.decode()
        response = client.post(f"/tables/{table.pk}/act/", data)
    else:
        response = client.post(f"/api/v1/tables/{table.pk}/actions/", data, content_type="application/json")
    assert response.status_code in (200, 302, 303), response.content[:300]
    assert load(table.pk).table.due == [0]
    assert load(table.pk).game.view_for(load(table.pk).state, None).hand_counts == (0, 29)
