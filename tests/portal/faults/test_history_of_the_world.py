"""A refusal in History of the World names no card of others."""

from __future__ import annotations

import json

import pytest

from .cases.history_of_the_world import CONQUEST
from .refusals import table_of
from .test_bad_input import signed_in

pytestmark = pytest.mark.django_db


def test_what_is_refused_names_no_card_of_others(alice, bob, charlie):
    table = table_of("history_of_the_world", (alice, bob, charlie), CONQUEST)
    client = signed_in(bob)
    for action in ("play i_plague", "target levant", "take i_plague", "conquer nile land"):
        for response in (
            client.post(f"/tables/{table.pk}/act/", {"action": action, "expected_version": table.version}),
            client.post(
                f"/api/v1/tables/{table.pk}/actions/",
                json.dumps({"action": action, "expected_version": table.version}),
                content_type="application/json",
            ),
        ):
            assert response.status_code == 409
            assert "Shang" not in response.content.decode()
