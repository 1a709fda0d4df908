"""What the tests of each game's refusals share: one table for each position and seat, asked for one refusal after the other.

A case is a position, the seat that asks, an action, the status, the paragraph (None: not looked at) and a part of the sentence.
"""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from .test_bad_input import assert_refused, everything, signed_in

CODES = {400: "bad_action", 409: "not_due", 422: "refused"}
HTMX = {"HX-Request": "true"}


def by_position(cases):
    """Run a test once for each position and seat, with all that is asked there as `asked`."""
    groups = {}
    for position, seat, *asked in cases:
        groups.setdefault((repr(position), seat), (position, seat, []))[2].append(asked)
    ids = [f"{seat} {asked[0][0][:30]}, {len(asked)} in all" for _, seat, asked in groups.values()]
    return pytest.mark.parametrize(("position", "seat", "asked"), groups.values(), ids=ids)


def sentence(html):
    """Return text and address of the notice on a page."""
    notice = re.search(r'id="notice"[^>]*>.*?</div>', html, re.DOTALL)
    assert notice, html[:300]
    link = re.search(r'class="rule-link" href="([^"]+)"', notice[0])
    return unescape(re.sub(r"<[^>]+>", " ", notice[0])).strip().replace("\xa0", " "), link[1] if link else None


def assert_each_refused(table, user, asked):
    """Page and API refuse each action with sentence and paragraph, and nothing changes: first without script, then as a script asks."""
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
    """What nobody could be about to choose opens the page with the question, without anything to confirm, and changes nothing."""
    client = signed_in(user)
    client.get(f"/tables/{table.pk}/")  # a page notes that its reader has seen it
    before = everything()
    for chosen in texts:
        page = client.get(f"/tables/{table.pk}/", {"a": chosen})
        assert page.status_code == 200, chosen
        assert 'id="confirm"' not in page.content.decode(), chosen
        assert everything() == before, chosen
