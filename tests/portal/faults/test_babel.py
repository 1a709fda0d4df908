"""The longest answer of Babel can be sent by page and API."""

from __future__ import annotations

import pytest

from portal.tables.loading import load
from tests.engine.babel.builders import data_from

from .refusals import table_of
from .test_bad_input import signed_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("how", ["page", "api"])
def test_half_of_the_largest_hand_is_no_longer_than_what_may_be_sent(alice, bob, how):
    """All cards but a run are in one hand: without this answer the game could not continue."""
    hand = "A" * 12 + "H" * 12 + "S" * 12 + "P" * 12 + "M" * 9
    table = table_of("babel", (alice, bob), data_from(f"turn: 8\n0> medes |\n1 quarry | {hand}\nmedes: MMM . | . .\nphase: halving"))
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
