"""What tests of refusals share: tables that are opened from positions, and how page and API refuse."""

from __future__ import annotations

import json
import re
from html import unescape

from portal.tables import services

from .test_bad_input import assert_refused, everything, signed_in

CODES = {400: "bad_action", 409: "not_due", 422: "refused"}
HTMX = {"HX-Request": "true"}


def table_of(key, people, state):
    """Open a table of a game from a position for some people, in the order of seats."""
    state, (owner, *others) = dict(state), people
    options, seats = state.pop("options", {}), state.pop("seats", len(people))
    file = {"format": "ziggurat-position/1", "game": key, "rules_version": 1, "options": options, "seats": seats, "fill": "refusals"}
    table = services.create_table(owner=owner, game_key=key, seats=seats, options=options, position=file | {"state": state}).table
    for user in others:
        table = services.join_table(table_id=table.pk, user=user).table
    return table


def sentence(html):
    """Return text and address of the notice on a page."""
    notice = re.search(r'id="notice"[^>]*>.*?</div>', html, re.DOTALL)
    assert notice, html[:300]
    link = re.search(r'class="rule-link" href="([^"]+)"', notice[0])
    return unescape(re.sub(r"<[^>]+>", " ", notice[0])).strip().replace("\xa0", " "), link[1] if link else None


def assert_each_refused(table, user, asked):
    """Page and API refuse each action with sentence and paragraph, and nothing changes: first without script, then with it."""
    client, before = signed_in(user), everything()
    for number, (action, status, anchor, said) in enumerate(asked):
        data = {"action": action, "expected_version": table.version}
        rule = None if anchor is None else f"/en/rules/{table.game}/p/{anchor}/"

        response = client.post(f"/tables/{table.pk}/act/", data, headers=HTMX if number else {})
        assert_refused(response, status)
        text, link = sentence(response.content.decode())
        assert said in text, (action, text)
        assert rule is None or link == rule, (action, link)

        response = client.post(f"/api/v1/tables/{table.pk}/actions/", json.dumps(data), content_type="application/json")
        assert_refused(response, status)
        error = response.json()["error"]
        assert error["code"] == CODES[status], (action, error)
        if rule is not None:
            assert (error["rule"], error["rule_url"]) == (f"{table.game}#{anchor}", rule), (action, error)
            assert status == 400 or said in error["reason"].replace("\xa0", " "), (action, error)
        assert everything() == before, action


def assert_choices_show_the_question(table, user, texts):
    """An impossible partial choice opens the page with the question, nothing to confirm, and changes nothing."""
    client = signed_in(user)
    client.get(f"/tables/{table.pk}/")  # a page records that its reader has seen it
    before = everything()
    for chosen in texts:
        page = client.get(f"/tables/{table.pk}/", {"a": chosen})
        assert page.status_code == 200, chosen
        assert 'id="confirm"' not in page.content.decode(), chosen
        assert everything() == before, chosen
