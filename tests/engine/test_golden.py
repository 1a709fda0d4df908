"""Recorded games replay for ever: every action is still legal, and the result is still the same (tests/golden/README.md)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.core.contract import SCORER
from games.core.records import actions_of, replay, result_of, start_of_record, verify_record
from games.registry import GAMES, game

FOLDER = Path(__file__).parents[1] / "golden"
FILES = sorted(FOLDER.glob("*/*.json"))
WRITTEN = (
    "fame",
    "points",
    "jokers",
    "temples",
    "grown",
    "monuments",
)  # fields of a position that a file records after each scoring


def data_of(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_game_replays_to_the_recorded_result(path):
    data = data_of(path)
    assert data["game"] == path.parent.name
    assert verify_record(data, game).problems == ()
    rules, end = replay(data, game)
    assert data["result"] == result_of(rules, end)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_game_shows_what_it_was_chosen_for(path):
    data = data_of(path)
    rules, state = start_of_record(data, game)
    keys = set()
    written = {name: [] for name in WRITTEN if name in data}
    assert written
    for actor, text in actions_of(data):
        state, events = rules.apply(state, actor, rules.parse_action(text))
        keys |= {event.key for event in events}
        if actor == SCORER:
            position = rules.state_to_json(state)
            for name, values in written.items():
                values.append(position[name])
    assert set(data["shows"]) <= keys
    for name, values in written.items():
        assert values == data[name]
    if "fame" in data:
        assert data["fame"][-1] == data["result"]["scores"]


@pytest.mark.parametrize("key", GAMES)
def test_every_reason_of_the_end_has_a_golden_game(key):
    reasons = {data_of(path)["result"]["reason"] for path in FILES if path.parent.name == key}
    assert reasons == {name.removeprefix("end.") for name in game(key).phrases if name.startswith("end.")}


@pytest.mark.parametrize("key", GAMES)
def test_every_number_of_seats_has_a_golden_game(key):
    assert {data_of(path)["seats"] for path in FILES if path.parent.name == key} == set(game(key).meta.seats)
