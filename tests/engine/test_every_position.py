"""Whatever loads, plays and loads again, in every game of the registry; impossible positions are refused with the name of a field."""

from __future__ import annotations

import copy
import json
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest

from games.core import fuzz_positions
from games.core.contract import PositionError
from games.core.records import start_of_position
from games.core.rng import SeededRng
from games.registry import GAMES, game
from tests.engine.played import TABLES, random_games
from tests.engine.refused import refused

EXAMPLES = Path(__file__).parents[2] / "rules_docs" / "content"
FILES = 60  # made up for each table; `manage.py fuzz GAME --positions N` makes more

FLOOD = "after_the_flood"
WORLD = "history_of_the_world"
GUTI = {"phase": "garrisoning", "empires": ["guti", None, None], "ranking": [0], "armies_available": [8, 0, 0]}
SUMER = {"phase": "mustering", "empires": ["sumer", None, None]}
ROLLING = {"phase": "rolling", "empires": ["akkad", "guti", None], "ranking": [0, 1], "armies_available": [3, 0, 0]}
CLASSIC = {"options": {"draft": "classic"}}
CANNOT_BE = [
    (FLOOD, GUTI | {"doing": {"target": "akkad", "fight": "founding"}}, "doing.target"),
    (FLOOD, ROLLING | {"armies": [{}, {"kassites": 1}, {}], "doing": {"target": "kassites", "fight": "refounding"}}, "doing.target"),
    (FLOOD, SUMER | {"armies": [{"egypt": 2}, {}, {}], "armies_available": [3, 0, 0]}, "armies"),
    (FLOOD, SUMER | {"armies": [{"ur": 2}, {}, {}], "armies_available": [3, 0, 0]}, "armies"),
    (FLOOD, SUMER, "armies_available"),
    (FLOOD, {"goods": [{"grain": 100}, {}, {}]}, "goods[0].grain"),
    (WORLD, {"armies": 1.5}, "armies"),
    (WORLD, {"phase": "prepare", "empires": []}, "empires"),
    (WORLD, {"phase": "prepare", "empires": [["x"], [], []]}, "empires[0]"),
    (WORLD, {"phase": "monument"}, "turn.monuments"),
    (WORLD, {"phase": "bringing"}, "armies[0]"),
    (WORLD, {"phase": "end"}, "epoch"),
    (WORLD, {"phase": "draft", "draft": {"empires": ["sumerians", "egyptians", "minoans"], "events": ["i_walls"]}}, "draft.events"),
    (WORLD, {"phase": "draft", "draft": {"empires": ["sumerians"], "events": ["i_walls", "i_weaponry", "i_plague"]}}, "draft.empires"),
    (WORLD, CLASSIC | {"phase": "drawing", "draft": {"empires": ["sumerians"], "events": ["i_walls"]}}, "draft.events"),
    (WORLD, {"phase": "siege", "battle": {"target": "levant", "invading": True, "dice": [1, 2, 3]}}, "battle.target"),
    (WORLD, {"turn": {"tokens": 100}}, "turn.tokens"),
    ("babel", {"turn": 10_000}, "turn"),
    ("ra", {"fame": [1000, 0, 0, 0]}, "fame"),
    ("tigris_euphrates", {"points": [{"red": 1000}, {}, {}, {}]}, "points"),
]


@pytest.mark.parametrize(("key", "partial", "field"), CANNOT_BE, ids=[f"{key} {field}" for key, _, field in CANNOT_BE])
def test_what_cannot_be_is_refused_with_the_name_of_the_field(key, partial, field):
    with pytest.raises(PositionError) as refused:
        game(key).complete(partial, SeededRng(1))
    assert str(refused.value).startswith(f"{field}: ")


# A game gives in its `test_positions` the list SPOILT: functions that return a good position, each with what spoils it.
POSITIONS = {key: import_module(f"tests.engine.{key}.test_positions") for key in GAMES}
SPOILT = [(key, good, field, spoil) for key in GAMES for good, ways in POSITIONS[key].SPOILT for field, spoil in ways]
JUNK = (None, 1, "x", [], {}, [[]], [None] * 2, [None] * 4, True, -1, 1e9, {"a": 1}, ["x", "y"], [{}, {}], [[], []])


@pytest.mark.parametrize(
    ("key", "good", "field", "spoil"), SPOILT, ids=[f"{n} {key} {field}" for n, (key, _, field, _) in enumerate(SPOILT)]
)
def test_a_broken_position_is_refused_with_the_name_of_the_field(key, good, field, spoil):
    data = copy.deepcopy(good())
    spoil(data)
    assert refused(game(key), data) == field


@pytest.mark.parametrize("key", GAMES)
def test_a_good_position_is_read_and_names_every_field(key):
    for good, _ in POSITIONS[key].SPOILT:
        data = json.loads(json.dumps(good()))
        state = game(key).state_from_json(data)
        assert game(key).state_to_json(state) == data
        assert game(key).complete(data, SeededRng(1)) == state
        for field in data:
            assert refused(game(key), {name: value for name, value in data.items() if name != field}) == field


@pytest.mark.parametrize("key", GAMES)
def test_junk_in_any_field_is_a_position_error_or_a_position(key):
    rules, data = game(key), POSITIONS[key].good()
    for field, junk in product(data, JUNK):
        for base in (data, {}, *getattr(POSITIONS[key], "PARTS", ())):
            for read in (rules.state_from_json, lambda data: rules.complete(data, SeededRng(1))):
                try:
                    state = read(base | {field: junk})
                except PositionError:
                    continue
                assert rules.actors(state) or field == "phase"
                assert rules.state_from_json(rules.state_to_json(state)) == state


@pytest.mark.parametrize("key", ["ra", "babel"])
def test_a_position_fits_into_the_promised_size(key):
    states = [ply.after for line in random_games(key, game(key).meta.seats[-1]) for ply in line]
    assert 700 < max(len(json.dumps(game(key).state_to_json(state), separators=(",", ":"))) for state in states) <= 1500


AT_THE_LIMIT = [
    ("babel", {"turn": 9999, "stocks": [[1], [2]]}),
    ("ra", {"fame": [999, 999, 999, 999], "auction": {"no": 9999}, "phase": "scoring"}),
    ("tigris_euphrates", {"turn": 9999, "points": [{"red": 999, "blue": 999}, {}, {}, {}]}),
    (FLOOD, {"phase": "start", "goods": [{"grain": 99, "textile": 99}, {}, {}]}),
    (WORLD, {"turn": {"tokens": 99, "plunder": 99, "shift": 999}, "phase": "prepare", "hands": [["i_siegecraft"], [], []], "epoch": 3}),
]


@pytest.mark.parametrize(("key", "partial"), AT_THE_LIMIT, ids=[key for key, _ in AT_THE_LIMIT])
def test_a_game_can_go_beyond_the_highest_numbers_of_a_file(key, partial):
    state = game(key).complete(partial, SeededRng(1))
    for seed in range(2):
        fuzz_positions.check_state(game(key), state, SeededRng(seed), 20)


@pytest.mark.parametrize(("key", "seats"), TABLES)
def test_whatever_loads_plays_and_loads_again(key, seats):
    accepted = 0
    for number in range(FILES):
        _, what, fault = fuzz_positions.fuzz_position(key, game(key), seats, 1, number)
        assert fault is None, f"{fault.line()}\n{json.dumps(fault.record)}"
        accepted += what == "accepted"
    assert 1 < accepted < FILES // 2  # enough of both


@pytest.mark.parametrize("key", GAMES)
def test_worked_examples_with_something_wrong_are_refused_or_play_and_load_again(key):
    files = [json.loads(path.read_text(encoding="utf-8"))["position"] for path in sorted(EXAMPLES.glob(f"{key}/examples/*.json"))]
    assert files
    for number, file in enumerate(files * 5):
        rng = SeededRng(f"examples {key} {number}")
        corpus = fuzz_positions.corpus_of(game(key), file["seats"], 0)
        state = file["state"] if number < len(files) else fuzz_positions.changed(file["state"], corpus, rng)
        is_accepted = fuzz_positions.check_file(game(key), file | {"state": state}, rng)
        assert is_accepted or number >= len(files)


# The check itself


def test_a_made_up_file_is_the_same_every_time_and_is_not_always_a_position():
    files = [[fuzz_positions.made_up(game("babel"), 2, n, SeededRng(n)) for n in range(50)] for _ in range(2)]
    assert files[0] == files[1]
    assert len({json.dumps(file, sort_keys=True) for file in files[0]}) > 45


BROKEN = {
    "loads as another position": ("state_from_json", lambda good: lambda data: good(dict(data) | {"fame": [7] * data["seats"]})),
    "does not load again: fame": ("state_to_json", lambda good: lambda state: good(state) | {"fame": [-1] * state.seats}),
    "has no legal action": ("legal_actions", lambda good: lambda state, actor: []),
    "there is no outcome": ("actors", lambda good: lambda state: ()),
    "ZeroDivisionError": ("apply", lambda good: lambda state, actor, action: 1 / 0),
    "refused by KeyError": ("complete", lambda good: lambda data, rng: {}["fame"]),
    "the refusal names no field": ("complete", lambda good: lambda data, rng: _refuse("wrong")),
}


def _refuse(text):
    raise PositionError(text)


@pytest.mark.parametrize("what", BROKEN)
def test_the_check_notices_every_broken_promise(monkeypatch, what):
    rules = game("ra")
    file = fuzz_positions.file_of(rules, {"track": ["pharaoh"], "seats": 4}, 4)
    fuzz_positions.check_file(rules, file, SeededRng(1))
    part, wrong = BROKEN[what]
    monkeypatch.setitem(vars(rules), part, wrong(getattr(rules, part)))
    with pytest.raises(fuzz_positions.BrokenError, match=what):
        fuzz_positions.check_file(rules, file, SeededRng(1))


def test_a_refused_number_is_tried_again_at_its_limit():
    file = fuzz_positions.file_of(game("ra"), {"seats": 4, "ra_track": 400}, 4)
    assert not fuzz_positions.check_file(game("ra"), file, SeededRng(1))  # a full Ra track has ended the epoch
    assert file["state"]["ra_track"] == 9
    file = fuzz_positions.file_of(game("ra"), {"seats": 4, "auction": {"no": 10**9}}, 4)
    assert fuzz_positions.check_file(game("ra"), file, SeededRng(1))


def test_a_fault_is_kept_as_a_record_that_begins_with_the_position(monkeypatch):
    rules = game("ra")
    sound = rules.state_from_json
    monkeypatch.setitem(vars(rules), "state_from_json", lambda data: _refuse("track: is full") if len(data["track"]) > 1 else sound(data))
    faults = [fuzz_positions.fuzz_position("ra", rules, 3, 1, number)[2] for number in range(60)]
    fault = next(fault for fault in faults if fault is not None and fault.move > 0)
    assert fault.line().startswith("seed 1, position ")
    assert "track: is full" in fault.line()
    monkeypatch.undo()
    assert len(fault.record["actions"]) == fault.move
    start_of_position(fault.record["position"], game)
