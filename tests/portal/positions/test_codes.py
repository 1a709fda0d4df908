"""Position files in addresses and as text."""

from __future__ import annotations

import base64
import json
import zlib

import pytest

from games.core.contract import PositionError
from games.registry import GAMES
from portal.positions.codes import MOST_CODE, MOST_TEXT, code_of, position_of, read, written
from rules_docs.examples import example, example_names


@pytest.mark.parametrize("key", GAMES)
def test_every_position_of_the_rule_books_fits_into_an_address_and_comes_back(key):
    names = example_names(key)
    assert len(names) > 10
    for name in names:
        position = example(key, name).position
        assert position_of(code_of(position)) == read(written(position)) == position
        assert len(code_of(position)) < 1_000


def test_text_has_a_line_for_each_field():
    text = written({"format": "ziggurat-position/1", "state": {"a": [1, {"b": 2}], "c": "é"}, "seats": 2})
    assert text.splitlines() == [
        "{",
        '  "format": "ziggurat-position/1",',
        '  "state": {',
        '    "a": [1, {"b": 2}],',
        '    "c": "é"',
        "  },",
        '  "seats": 2',
        "}",
    ]


def packed(text: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")


@pytest.mark.parametrize("state", [5, [1], None])
def test_a_state_that_is_no_object_is_refused_wherever_a_code_leads(client, settings, db, state):
    settings.BASE_URL = "http://testserver"
    code = packed(json.dumps({"game": "ra", "seats": 2, "state": state}).encode())
    with pytest.raises(PositionError, match=r"^state: expected an object, found "):
        position_of(code)
    for address in ("/positions/ra/", "/embed/positions/ra/", "/pictures/positions/ra.svg", "/pictures/positions/ra.png"):
        answer = client.get(address, {"p": code})
        assert answer.status_code == 422, address
        assert "state: expected an object" in answer.content.decode(), address
    assert client.get("/oembed/", {"url": f"http://testserver/positions/ra/?p={code}"}).status_code == 404


@pytest.mark.parametrize(
    "code",
    [
        "",
        "A",
        "nothing at all",
        "é" * 8,
        "A" * (MOST_CODE + 1),
        packed(b'{"seats": 2}')[:-6],
        packed(b"\xff\xfe"),
        packed(b" " * (5 * MOST_TEXT)),  # a small code with a large text
        packed(b"[]"),
        packed(b"{"),
        packed(b"[" * 3_000),
        packed(json.dumps({"game": "ra", "state": {"a": "x" * MOST_TEXT}}).encode()),
    ],
)
def test_anything_else_in_an_address_is_refused(code):
    with pytest.raises(PositionError, match=r"^(link|file): "):
        position_of(code)
