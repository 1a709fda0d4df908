"""Position files of History of the World: missing values are filled in, impossible ones are refused with the name of the field."""

from __future__ import annotations

from functools import partial

from games.core.contract import CHANCE
from games.core.rng import SeededRng
from tests.engine.history_of_the_world.builders import data_of, game, play, position
from tests.engine.refused import refused as refused_by

refused = partial(refused_by, game)


def good():
    return data_of(
        position(
            epoch=2, empires=["persians", "romans", "celts"], called=1, armies=["persian_plateau* zagros*", "crete mesopotamia", "wei"], card=4,
            capitals="persian_plateau", cities="crete", forts="zagros", hands=["i_plague", "i_weaponry k_aksum", ""], events=["i_leader"],
            records=[[[1, "3000000000000", 1, 0, 0, 0, 0, 0]], [[1, "0100000000000", 0, 1, 0, 0, 0, 0]], [[1, "0" * 13, 0, 0, 0, 0, 0, 0]]],
            guards=["losing", "ask", "never"],
        )
    )  # fmt: skip


def test_a_good_position_is_read_and_its_points_follow():
    state = game.state_from_json(good())
    assert data_of(state) == good()
    assert game.complete(good(), SeededRng(1)) == state
    assert state.scores == [1 + 9 + 2, 2 + 2 + 1, 3]


def test_in_a_battle_the_position_keeps_everything():
    fleet = position(
        empires=["minoans", "hittites", "greeks"],
        armies=["crete*", "levant", ""],
        card=3,
        zones=["mediterranean_sea"],
        guards=["losing", "ask", "losing"],
    )
    for texts in (
        ["conquer levant fleet"],
        ["conquer levant fleet", "roll 5 1 3"],
        ["conquer levant fleet", "roll 1 1 5", "pass", "siege army"],
    ):
        state = play(fleet, *texts)
        assert game.state_from_json(data_of(state)) == state


BROKEN = [
    ("rules_version", lambda d: d.update(rules_version=2)),
    ("seats", lambda d: d.update(seats=2)),
    ("options.draft", lambda d: d["options"].update(draft="none")),
    ("options.open", lambda d: d["options"].update(open=1)),
    ("phase", lambda d: d.update(phase="building")),
    ("epoch", lambda d: d.update(epoch=6)),
    ("hands", lambda d: d.update(epoch=0)),
    ("active", lambda d: d.update(active=3)),
    ("active_armies", lambda d: d.update(active=None)),
    ("starts", lambda d: d.update(starts=[1, 1, 3])),
    ("starts", lambda d: d.update(starts=[1, 2])),
    ("records[0]", lambda d: d["records"][0].append([1, "3", 0, 0, 0, 0, 0, 0])),
    ("records[0]", lambda d: d["records"][0].append([1, 0])),
    ("records", lambda d: d["records"].__setitem__(1, [[1, "0100000000000", 0, 2, 0, 0, 6, 0]])),
    ("ranks", lambda d: d.update(ranks=[0, 0, 1])),
    ("draft.step", lambda d: d.update(draft={"step": 99})),
    ("draft.card", lambda d: d.update(draft={"card": "i_siegecraft"})),
    ("called", lambda d: d.update(called=0)),
    ("empires[0]", lambda d: d["empires"].__setitem__(0, "atlantis")),
    ("empires", lambda d: d["empires"].__setitem__(0, "sumerians")),
    ("empires", lambda d: d["empires"].__setitem__(0, "romans")),
    ("empires", lambda d: d["empires"].__setitem__(2, None)),
    ("hands[0][0]", lambda d: d["hands"].__setitem__(0, ["plague"])),
    ("hands", lambda d: d["hands"].__setitem__(2, ["i_plague"])),
    ("hands", lambda d: d["hands"].__setitem__(2, ["i_artillery"])),
    ("guards[0]", lambda d: d["guards"].__setitem__(0, "always")),
    ("armies[0][0]", lambda d: d["armies"].__setitem__(0, ["rome"])),
    ("armies[2]", lambda d: d["armies"].__setitem__(2, ["crete"])),
    ("active_armies", lambda d: d.update(active_armies=["wei"])),
    ("cities", lambda d: d["cities"].append("persian_plateau")),
    ("turn.events", lambda d: d.update(played=[])),
    ("turn.card", lambda d: d["turn"].update(card=24)),
    ("turn.zones", lambda d: d["turn"].update(zones=["red_sea"])),
    ("turn.effect", lambda d: d.update(phase="effect")),
    ("turn.back", lambda d: d["turn"].update(back="somewhere")),
    ("turn.kingdom", lambda d: d["turn"].update(kingdom="i_leader")),
    ("battle.target", lambda d: d.update(phase="rolling")),
    ("battle.target", lambda d: d.update(phase="rolling", battle={"target": "brazil", "invading": True})),
    ("battle.invading", lambda d: d.update(phase="rolling", battle={"target": "mesopotamia"})),
    ("battle.dice", lambda d: d.update(phase="siege", battle={"target": "mesopotamia", "invading": True})),
    ("battle.dice", lambda d: d.update(phase="siege", battle={"target": "mesopotamia", "invading": True, "dice": [1, 2]})),
    ("secret", lambda d: d.update(secret=1)),
]


SPOILT = [(good, BROKEN)]


def test_an_empty_file_is_a_conquest_of_the_first_empire_and_start_waits_for_chance():
    assert data_of(position())["phase"] == "conquest"
    assert data_of(position())["empires"] == ["sumerians", "egyptians", "minoans"]
    assert game.actors(position(phase="start")) == (CHANCE,)
