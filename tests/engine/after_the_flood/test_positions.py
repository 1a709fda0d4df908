"""Position files of After the Flood: missing values are filled in, impossible ones are refused with the name of the field."""

from __future__ import annotations

from functools import partial

from games.core.contract import CHANCE
from games.core.rng import SeededRng
from tests.engine.after_the_flood.builders import data_of, game, play, position
from tests.engine.refused import refused as refused_by

refused = partial(refused_by, game)


def good():
    return data_of(
        position(
            turn=3, goods=["wood 2 gold", "metal", ""], workers=["egypt 2 scribes amorites", "irrigation", ""], cities=["ur umma", "uruk", ""],
            empires=["egypt", "mittani", None], ranking=[1, 0], armies=["egypt 2 amorites", "mittani", ""], armies_available=[2, 1, 0],
            equipment=["tool", "oil", ""], records=[[[3, 1, {"ur": ["tool", "oil"]}], [0, 0, {}], [2, 0, {}]], [[0, 0, {}]] * 3], grown=["ur"],
        )
    )  # fmt: skip


def test_a_good_position_is_read_and_its_points_follow():
    state = game.state_from_json(good())
    assert data_of(state) == good()
    assert game.complete(good(), SeededRng(1)) == state
    assert state.scores == [3 * 2 + 1 + 10, 0, 4]
    assert state.stock == [22, 10, 11, 15, 11, 6, 6, 7]
    assert state.reserve == [25 - 4 - 8, 25 - 1 - 8, 25 - 8]


def test_in_the_middle_of_an_action_the_position_keeps_what_was_done():
    state = play(
        position(goods=["grain 3 textile 2", "", ""], workers=["amorites 2", "", ""], cities=["sippar", "", ""]),
        "trade amorites wood grain",
    )
    state = play(state, "trade amorites wood grain")
    found = data_of(state)
    assert found["doing"] == {"traded": {"amorites": [1, ["wood"]]}, "extra": True}
    assert game.state_from_json(found) == state
    scribe = play(position(workers=["scribes", "", ""], goods=["grain", "", ""]), "place grain scribes 1")
    assert data_of(scribe)["doing"] == {"placed": True, "usable": 1}
    fight = play(
        position(
            turn=3, empires=["mittani", "egypt", None], ranking=[0, 1], armies=["mittani", "amorites", ""], armies_available=[3, 1, 0]
        ),
        "invade amorites",
    )
    assert data_of(fight)["doing"] == {"target": "amorites"}
    for state in (scribe, fight):
        assert game.state_from_json(data_of(state)) == state


BROKEN = [
    ("rules_version", lambda d: d.update(rules_version=2)),
    ("rules_version", lambda d: d.update(rules_version=True)),
    ("seats", lambda d: d.update(seats=2)),
    ("options", lambda d: d.update(options=[])),
    ("options.ur_textile", lambda d: d["options"].update(ur_textile="never")),
    ("options.open", lambda d: d["options"].update(open=1)),
    ("phase", lambda d: d.update(phase="building")),
    ("phase", lambda d: d.update(phase="paying")),
    ("phase", lambda d: d.update(phase="homing")),
    ("turn", lambda d: d.update(turn=0)),
    ("turn", lambda d: d.update(turn=6)),
    ("active", lambda d: d.update(active=None)),
    ("active", lambda d: d.update(active=3)),
    ("active", lambda d: d.update(phase="scoring")),
    ("order", lambda d: d.update(order=[0, 1])),
    ("order", lambda d: d.update(order=[0, 1, 1])),
    ("order[2]", lambda d: d.update(order=[0, 1, 3])),
    ("passed", lambda d: d.update(passed=[0])),
    ("passed", lambda d: d.update(phase="scoring", active=None)),
    ("goods[0].silver", lambda d: d["goods"][0].update(silver=1)),
    ("goods[0].wood", lambda d: d["goods"][0].update(wood=-1)),
    ("goods", lambda d: d["goods"][0].update(lapis=8)),
    ("goods", lambda d: d["goods"].pop()),
    ("workers[0].ur", lambda d: d["workers"][0].update(ur=1)),
    ("workers[0]", lambda d: d["workers"][0].update(guti=25)),
    ("workers[0]", lambda d: d["workers"][0].update(used_scribes=2)),
    ("available[1]", lambda d: d["available"].__setitem__(1, -1)),
    ("armies[0].dilmun", lambda d: d["armies"][0].update(dilmun=1)),
    ("armies[0].egypt", lambda d: d["armies"][0].update(egypt=3)),
    ("armies", lambda d: d["armies"][0].update(mittani=1)),
    ("armies[2]", lambda d: d["armies"][2].update(ur=1)),
    ("armies[0]", lambda d: d["armies"][0].update(akkad=1)),
    ("armies[1]", lambda d: d["armies_available"].__setitem__(1, 20)),
    ("cities[0][0]", lambda d: d["cities"].__setitem__(0, ["egypt"])),
    ("cities[0]", lambda d: d["cities"].__setitem__(0, ["ur", "ur"])),
    ("cities[0]", lambda d: d["cities"].__setitem__(0, ["ur", "umma", "sippar", "lagash", "eridu"])),
    ("cities", lambda d: d["cities"].__setitem__(2, ["ur"])),
    ("grown", lambda d: d.update(grown=["eridu"])),
    ("empires[2]", lambda d: d["empires"].__setitem__(2, "akkad")),
    ("empires[2]", lambda d: d["empires"].__setitem__(2, "rome")),
    ("empires", lambda d: (d["empires"].__setitem__(2, "egypt"), d.update(ranking=[1, 0, 2]))),
    ("ranking", lambda d: d.update(ranking=[1])),
    ("ranking", lambda d: d.update(ranking=[1, 0, 2])),
    ("records", lambda d: d["records"].pop()),
    ("records[0]", lambda d: d["records"][0].pop()),
    ("records[0][0][2].ur", lambda d: d["records"][0][0][2].update(ur=["oil", "tool"])),
    ("records[0][0][2].ur[0]", lambda d: d["records"][0][0][2].update(ur=["wood"])),
    ("growths", lambda d: d.update(growths=[[0, "ur", []]])),
    ("doing.traded.egypt", lambda d: d.update(doing={"traded": {"egypt": [1]}})),
    ("doing.traded.egypt[1]", lambda d: d.update(doing={"traded": {"egypt": [1, ["wood"]]}})),
    ("doing.usable", lambda d: d.update(doing={"usable": 2})),
    ("doing.target", lambda d: d.update(doing={"target": "mittani"})),
    ("doing.target", lambda d: d.update(phase="rolling", doing={"target": "ur"})),
    ("doing.target", lambda d: d.update(phase="rolling")),
    ("doing.fight", lambda d: d.update(phase="attacking", doing={"target": "mittani", "fight": "founding"})),
    ("doing.fight", lambda d: d.update(doing={"fight": "refounding"})),
    ("doing.fight", lambda d: d.update(phase="garrisoning", doing={"target": "ur"})),
    ("armies", lambda d: d.update(phase="garrisoning", doing={"target": "ur", "fight": "founding"})),
    ("secret", lambda d: d.update(secret=1)),
]


SPOILT = [(good, BROKEN)]


def test_an_empty_file_is_the_first_action_of_seat_0_and_start_waits_for_chance():
    assert data_of(position())["phase"] == "action"
    assert data_of(position())["available"] == [8, 8, 8]
    assert game.actors(position(phase="start")) == (CHANCE,)
    assert data_of(position(turn=4))["records"] == [[[0, 0, {}]] * 3] * 3
