"""The golden games of Babel (tests/golden/babel): each way to win occurs, and is described as in the rule book."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.core.records import replay, result_of, verify_record
from tests.engine.babel.builders import data_of, game

FILES = sorted((Path(__file__).parents[2] / "golden" / "babel").glob("*.json"))
ENDS = {
    "lead_at_once": ["babel#end-1", "babel#end-1"],
    "lead_in_the_end_phase": ["babel#end-4", "babel#end-1"],
    "twenty": ["babel#end-3", "babel#end-3"],
    "three_and_five_cards": ["babel#end-3", "babel#end-3"],
    "deck": ["babel#end-5", "babel#end-5"],
    "deck_tie_by_hands": ["babel#end-5", "babel#end-7"],
    "deck_drawn": ["babel#end-5", "babel#end-11"],
    "no_people_card_left": ["babel#end-5", "babel#end-7"],
}


def find(key):
    assert key == "babel"
    return game


@pytest.mark.rule("babel#end-1", "babel#end-3", "babel#end-4", "babel#end-5", "babel#end-7")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_replays_and_shows_what_it_was_chosen_for(path):
    data = json.loads(path.read_text(encoding="utf-8"))
    assert verify_record(data, find).problems == ()
    _, end = replay(data, find)
    assert data["result"] == result_of(game, end)
    assert data["temples"] == [data_of(end)["temples"]]
    state, events = game.setup(2, data["options"]), []
    for actor, text in data["actions"]:
        state, more = game.apply(state, actor, game.parse_action(text))
        events += more
    assert set(data["shows"]) <= {event.key for event in events}
    assert [event.rule for event in events[-2:]] == ENDS[path.stem]


def test_every_reason_of_the_end_and_both_options_have_a_golden_game():
    assert {path.stem for path in FILES} == set(ENDS)
    found = [json.loads(path.read_text(encoding="utf-8")) for path in FILES]
    assert {data["result"]["reason"] for data in found} == {key[4:] for key in game.phrases if key.startswith("end.")}
    assert {data["options"]["start_hands"] for data in found} == {"5/5", "3/5"}
    assert {tuple(data["result"]["places"]) for data in found} == {(1, 2), (2, 1), (1, 1)}
    assert {data["actions"][0][1] for data in found} == {"start 0", "start 1"}
