"""Position files: missing values are filled in, impossible ones are refused with the name of the field."""

from __future__ import annotations

from functools import partial

import pytest

from games.core.rng import SeededRng
from tests.engine.ra.builders import data_of, due, four, game, play
from tests.engine.refused import refused as refused_by

refused = partial(refused_by, game)


def good():
    return data_of(play(four("nile gold", tiles={1: "god, pharaoh 2"}, ra_track=3), "call", "bid 7"))


BROKEN = [
    ("rules_version", lambda d: d.update(rules_version=2)),
    ("seats", lambda d: d.update(seats=6)),
    ("seats", lambda d: d.update(seats=True)),
    ("options", lambda d: d.update(options=[])),
    ("options.open_fame", lambda d: d.update(options={"open_fame": 1})),
    ("options.gods", lambda d: d["options"].update(gods=1)),
    ("phase", lambda d: d.update(phase="bidding")),
    ("phase", lambda d: d.update(phase=["turn"])),
    ("epoch", lambda d: d.update(epoch=0)),
    ("due", lambda d: d.update(due=4)),
    ("due", lambda d: d.update(due=None)),
    ("auction.no", lambda d: d["auction"].update(no=-1)),
    ("auction.cause", lambda d: d["auction"].update(cause="full")),
    ("auction.cause", lambda d: (d.update(ra_track=0), d["auction"].update(cause="ra_tile"))),
    ("auction.ra_player", lambda d: d["auction"].update(ra_player=None)),
    ("auction.bids", lambda d: d["auction"].update(bids=[None])),
    ("auction.bids[1]", lambda d: d["auction"].update(bids=[None, 99, None, None])),
    ("auction.bids[1]", lambda d: d["auction"].update(bids=[None, 13, None, None])),
    ("auction.bids[1]", lambda d: d["auction"].update(bids=[None, None, None, None])),
    ("auction.bids[3]", lambda d: d["auction"].update(bids=[None, 7, None, 10])),
    ("auction.hidden", lambda d: d["auction"].update(hidden=1)),
    ("discard", lambda d: d.update(discard=[2, 0])),
    ("discard[0]", lambda d: d.update(discard=[9, 0])),
    ("track[0]", lambda d: d.update(track=["ra"])),
    ("track[1]", lambda d: d.update(track=["nile", "water"])),
    ("track", lambda d: d.update(track=["nile", None])),
    ("track", lambda d: d.update(track=["nile"] * 9)),
    ("ra_track", lambda d: d.update(ra_track=10)),
    ("ra_track", lambda d: (d.update(ra_track=9), d["bag"].update(ra=21))),
    ("bag", lambda d: d["bag"].update(pharaoh=25)),
    ("bag.nile", lambda d: d["bag"].update(nile=26)),
    ("bag.water", lambda d: d["bag"].update(water=1)),
    ("centre", lambda d: d.update(centre=17)),
    ("suns", lambda d: d.update(centre=2)),
    ("suns", lambda d: d["suns"].pop()),
    ("suns[0]", lambda d: d["suns"].__setitem__(0, [[13, 6], []])),
    ("suns[0][0]", lambda d: d["suns"].__setitem__(0, [[16, 6, 2], []])),
    ("suns[2]", lambda d: d["suns"].__setitem__(2, [[11, 8, 4]])),
    ("tiles", lambda d: d.update(tiles=[{}])),
    ("tiles[0].ra", lambda d: d["tiles"][0].update(ra=1)),
    ("tiles[0].funeral", lambda d: d["tiles"][0].update(funeral=1)),
    ("tiles[0].god", lambda d: d["tiles"][0].update(god=9)),
    ("fame[2]", lambda d: d["fame"].__setitem__(2, -1)),
    ("fame[2]", lambda d: d["fame"].__setitem__(2, "9")),
    ("ending", lambda d: d.update(ending="suns")),
    ("history", lambda d: d.update(history=[[1, [10] * 4, "///"]])),
    ("secret", lambda d: d.update(secret=1)),
]


SPOILT = [(good, BROKEN)]


HISTORY = "///"


@pytest.mark.parametrize(
    ("field", "history"),
    [
        ("history[0][0]", [[2, [10] * 4, HISTORY]]),
        ("history[0]", [[1, [10] * 4]]),
        ("history[0][1]", [[1, [10] * 3, HISTORY]]),
        ("history[0][2]", [[1, [10] * 4, "10///"]]),
        ("history[0][2]", [[1, [10] * 4, "1///" + "1" * 19]]),
        ("history[0][2]", [[1, [10] * 4, "A///"]]),
        ("history[0][2]", [[1, [10] * 4, "/".join(["9" * 18] * 4)]]),
        ("history[0][2]", [[1, [10] * 4, "//"]]),
        ("history[0][2]", [[1, [10] * 4, ["", "", "", ""]]]),
        ("history", 7),
    ],
)
def test_a_broken_history_is_refused(field, history):
    assert refused({"epoch": 2, "history": history}, complete=True) == field


def test_a_disaster_without_a_choice_is_no_position():
    data = data_of(four("", tiles={0: "civ_art 2"})) | {"phase": "discard", "discard": [2, 0]}
    assert refused(data) == "discard[0]"


def test_an_empty_part_is_a_four_player_game_in_its_first_turn():
    state = game.complete({}, SeededRng(4))
    data = data_of(state)
    assert (data["seats"], data["phase"], data["epoch"], data["fame"]) == (4, "turn", 1, [10] * 4)
    assert 13 in data["suns"][due(state)][0]
    assert sum(data["bag"].values()) == 180
    assert data_of(game.complete({}, SeededRng(4))) == data


def test_the_bag_holds_what_lies_nowhere_else():
    data = data_of(four("nile gold", tiles={0: "pharaoh 3"}, ra_track=4))
    assert (data["bag"]["nile"], data["bag"]["gold"], data["bag"]["pharaoh"], data["bag"]["ra"]) == (24, 4, 22, 26)


def test_the_centre_is_the_sun_that_is_missing():
    suns = [[[13, 6], [1]], [[12, 7, 3], []], [[11, 8, 4], []], [[10, 9, 5], []]]
    assert data_of(game.complete({"suns": suns}, SeededRng(1)))["centre"] == 2
    assert refused({"suns": [[[13, 6], []], *suns[1:]]}, complete=True) == "centre"


def test_parts_that_cannot_be_are_refused():
    assert refused({"tiles": [{"pharaoh": 20}, {"pharaoh": 10}, {}, {}]}, complete=True) == "tiles"
    assert refused({"seats": 3, "fame": [1, 2, 3, 4]}, complete=True) == "fame"
    assert refused({"track": "nile"}, complete=True) == "track"
    assert refused({"auction": 3}, complete=True) == "auction"
    assert refused({"phase": "auction"}, complete=True) == "due"
    assert refused([], complete=True) == "state"
    assert refused({"suns": {"0": 1}}, complete=True) == "suns"
    assert refused({"phase": "drawing", "bag": {}}, complete=True) == "phase"
