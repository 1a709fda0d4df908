"""Position files: missing values are filled in, impossible ones are refused with the name of the field."""

from __future__ import annotations

import json
from functools import partial

import pytest

from games.core.contract import PositionError
from games.core.rng import SeededRng
from tests.engine.babel.builders import data_of, due, first_turn, game, legal, play, position, standing_after_start
from tests.engine.refused import refused as refused_by

PICTURE = """
    turn: 8
    0  medes | AAHP
    1> persians | HMMSS
    medes: AAA 12 | PS 1
    persians: M . | MPP 123
    stocks: 4 2 | 3 5
"""


refused = partial(refused_by, game)


def good():
    return data_of(position(PICTURE, deck_top=[1, 2]))


def test_columns_are_initials_from_the_inside_out():
    assert good()["columns"] == [{"medes": "AAA", "persians": "M"}, {"medes": "PS", "persians": "MPP"}]
    assert good()["deck_top"] == [1, 2]
    assert good()["pawns"] == ["medes", "persians"]


BROKEN = [
    ("rules_version", lambda d: d.update(rules_version=2)),
    ("rules_version", lambda d: d.update(rules_version=True)),
    ("seats", lambda d: d.update(seats=3)),
    ("options", lambda d: d.update(options=[])),
    ("options.start_hands", lambda d: d.update(options={"start_hands": "4/5"})),
    ("options.open", lambda d: d["options"].update(open=1)),
    ("phase", lambda d: d.update(phase="building")),
    ("turn", lambda d: d.update(turn=-1)),
    ("turn", lambda d: d.update(turn=0)),
    ("active", lambda d: d.update(active=2)),
    ("active", lambda d: d.update(active=None)),
    ("due", lambda d: d.update(due=0)),
    ("due", lambda d: d.update(due=None)),
    ("due", lambda d: d.update(phase="halving")),
    ("due", lambda d: d.update(phase="scoring", ending="lead")),
    ("migrated", lambda d: d.update(migrated=1)),
    ("migrated", lambda d: d.update(phase="drawing", migrated=True)),
    ("reserved", lambda d: d.update(reserved=[False])),
    ("reserved[1]", lambda d: d.update(reserved=[False, 0])),
    ("reserved[0]", lambda d: d.update(reserved=[True, False])),
    ("pawns[0]", lambda d: d.update(pawns=["quarry", "persians"])),
    ("pawns[0]", lambda d: d.update(pawns=[None, "persians"])),
    ("columns[0].gods", lambda d: d["columns"][0].update(gods="A")),
    ("columns[0].medes", lambda d: d["columns"][0].update(medes="AXA")),
    ("columns[0].medes", lambda d: d["columns"][0].update(medes=["assyrians"])),
    ("columns", lambda d: d["columns"].pop()),
    ("temples[0].medes", lambda d: d["temples"][0].update(medes=[1, 1])),
    ("temples[0].medes", lambda d: d["temples"][0].update(medes=[2, 1])),
    ("temples[0].medes[1]", lambda d: d["temples"][0].update(medes=[1, 7])),
    ("temples[1].medes", lambda d: d["temples"][1].update(medes="12")),
    ("stocks[0][0]", lambda d: d["stocks"].__setitem__(0, [0, 2])),
    ("stocks[1]", lambda d: d["stocks"].__setitem__(1, [1] * 46)),
    ("hands[0].medes", lambda d: d["hands"][0].update(medes=13)),
    ("hands[0].medes", lambda d: d["hands"][0].update(medes=-1)),
    ("hands[1]", lambda d: d["hands"].__setitem__(1, 5)),
    ("people_deck", lambda d: d["people_deck"].update(medes=d["people_deck"]["medes"] + 1)),
    ("people_deck", lambda d: d["discards"].update(persians=1)),
    ("people_deck", lambda d: d["columns"][0].update(medes="AA")),
    ("deck", lambda d: d.update(deck=[1, 2, 3])),
    ("deck", lambda d: d["stocks"][0].append(6)),
    ("deck[1]", lambda d: d["deck"].__setitem__(1, 10)),
    ("deck", lambda d: d["deck"].__setitem__(0, d["deck"][0] - 1)),
    ("deck_top[0]", lambda d: d.update(deck_top=[0])),
    ("ending", lambda d: d.update(ending="lead")),
    ("ending", lambda d: d.update(ending="won")),
    ("ending", lambda d: d.update(phase="scoring", due=None)),
    ("ending", lambda d: d.update(phase="scoring", due=None, ending="twenty")),
    ("ending", lambda d: d.update(phase="end", due=None, ending="deck")),
    ("secret", lambda d: d.update(secret=1)),
]


SPOILT = [(good, BROKEN)]
PARTS = [{"turn": 1}, {"phase": "halving"}]  # that junk is added to


# Scores


@pytest.mark.rule("babel#end-1", "babel#end-3")
@pytest.mark.parametrize(
    ("own", "other", "seat"),
    [((6, 6, 3), (5, 4), 0), ((5, 4), (6, 6, 3), 1), ((6, 6, 6, 2), (5, 5), 0), ((5, 5), (6, 6, 6, 2), 1)],
)
def test_a_game_that_somebody_has_won_already_does_not_go_on(own, other, seat):
    lands = ("assyrians", "hittites", "medes", "sumerians")
    data = {"temples": [{land: [level] for land, level in zip(lands, levels, strict=False)} for levels in (own, other)]}
    assert refused(data, complete=True) == "temples"
    with pytest.raises(PositionError, match=f"seat {seat} has won already"):
        game.complete(data, SeededRng(1))


def test_an_end_on_points_is_the_win_of_the_active_seat():
    won = {"temples": [{"medes": [6], "persians": [6], "assyrians": [3]}, {"medes": [5]}], "phase": "end", "ending": "lead"}
    assert game.outcome(game.complete(won, SeededRng(1))).places == (1, 2)
    assert refused(won | {"active": 1}, complete=True) in ("temples", "ending")
    assert refused(won | {"ending": "twenty"}, complete=True) == "ending"
    assert refused(won | {"ending": "deck"}, complete=True) in ("deck", "temples", "ending")


# The start and the first turns


def test_the_first_turn_has_its_duties_and_its_reserved_cards():
    data = data_of(first_turn(seat=1))
    assert (data["turn"], data["active"], data["reserved"]) == (1, 1, [True, True])
    assert refused(data | {"reserved": [False, True]}) == "reserved[0]"
    assert refused(data | {"pawns": ["medes", None]}) == "pawns[0]"
    assert refused(data | {"turn": 2, "active": 1}) == "reserved[0]"
    second = data_of(play(first_turn(seat=1, hand="MP"), "move medes", "settle persians", "build own", "end", "reveal 3 2"))
    assert (second["turn"], second["active"], second["reserved"]) == (2, 0, [True, False])
    assert data_of(game.state_from_json(second)) == second
    assert refused(second | {"reserved": [True, True]}) == "reserved[1]"
    assert refused(second | {"turn": 3, "active": 1, "due": 1}) == "reserved[0]"


@pytest.mark.parametrize("steps", range(4))
def test_positions_of_the_start_are_read_and_what_cannot_be_there_is_refused(steps):
    state = standing_after_start(steps)
    data = data_of(state)
    assert data_of(game.state_from_json(data)) == data
    if data["turn"]:
        return
    assert refused(data | {"migrated": True}) == "migrated"
    assert refused(data | {"stocks": [[1], []]}) in ("stocks", "deck")
    assert refused(data | {"pawns": ["medes", None]}) == "pawns"
    assert refused(data | {"hands": [{"medes": 2}, {"medes": 2}]}) in ("people_deck", "hands[0]", "hands[1]")
    moved = {**data["people_deck"], "medes": data["people_deck"]["medes"] - 1}
    assert refused(data | {"people_deck": moved, "discards": {"medes": 1}}) == "discards"
    if data["phase"] == "drawing":
        assert refused(data | {"active": None}) == "active"
        assert refused(data | {"due": None}) == "due"
        given = [dict(hand) for hand in data["hands"]]
        given[data["due"]]["medes"] = 1
        assert refused(data | {"people_deck": moved, "hands": given}) == f"hands[{data['due']}]"


# Parts


def test_an_empty_part_is_a_turn_of_seat_0_after_the_first_ones():
    data = data_of(game.complete({}, SeededRng(4)))
    assert (data["phase"], data["turn"], data["active"], data["due"]) == ("action", 3, 0, 0)
    assert (data["pawns"], data["stocks"], data["reserved"]) == ([None, None], [[1], [1]], [False, False])
    assert data["people_deck"] == dict.fromkeys(("assyrians", "hittites", "medes", "sumerians", "persians"), 12)
    assert data["deck"] == [8, 9, 8, 7, 6, 5]
    assert legal(game.complete({}, SeededRng(4))) == ["end"]


def test_a_hand_given_as_a_number_is_dealt_from_what_lies_nowhere_else():
    part = {"hands": [{"medes": 12}, 29], "discards": {"persians": 12, "assyrians": 6}, "people_deck": {}}
    assert refused(part, complete=True) == "people_deck"  # one card would be nowhere
    dealt = {json.dumps(data_of(game.complete({"hands": [{"medes": 2}, 7]}, SeededRng(seed)))["hands"]) for seed in range(20)}
    assert len(dealt) > 15
    assert all(sum(json.loads(hands)[1].values()) == 7 for hands in dealt)
    again = [data_of(game.complete({"hands": [3, 7]}, SeededRng(5))) for _ in range(2)]
    assert again[0] == again[1]
    assert refused({"hands": [0, 61]}, complete=True) == "hands[1]"
    assert refused({"hands": [0, -1]}, complete=True) == "hands[1]"
    assert data_of(game.complete({"hands": [0, 60]}, SeededRng(5)))["people_deck"] == {}


def test_what_lies_nowhere_else_is_in_the_people_deck_or_on_the_discard_pile():
    assert data_of(game.complete({"hands": [{"medes": 2}, {}], "discards": {"medes": 4}}, SeededRng(1)))["people_deck"]["medes"] == 6
    assert data_of(game.complete({"hands": [{"medes": 2}, {}], "people_deck": {"medes": 4}}, SeededRng(1)))["discards"]["medes"] == 6


def test_a_pawn_left_out_stands_where_its_seat_has_cards():
    part = {"columns": [{"sumerians": "A", "medes": "AA"}, {}], "temples": [{}, {"persians": [1]}]}
    assert data_of(game.complete(part, SeededRng(1)))["pawns"] == ["medes", "persians"]


def test_in_a_halving_the_other_seat_is_due():
    part = {"phase": "halving", "active": 1, "columns": [{}, {"medes": "AAA"}], "hands": [4, {}]}
    assert due(game.complete(part, SeededRng(1))) == 0
    assert refused(part | {"hands": [1, {}]}, complete=True) == "hands[0]"
    assert refused(part | {"columns": [{}, {}]}, complete=True) == "pawns[1]"


def test_parts_that_cannot_be_are_refused():
    assert refused({"columns": [{"medes": "A" * 13}, {}]}, complete=True) == "columns"
    assert refused({"stocks": [[6] * 6, []]}, complete=True) == "stocks"
    assert refused({"columns": [{"medes": "A"}]}, complete=True) == "columns"
    assert refused({"hands": 3}, complete=True) == "hands"
    assert refused({"deck": [0] * 6}, complete=True) == "deck"
    assert refused({"phase": "start", "turn": 1}, complete=True) == "active"
    assert refused([], complete=True) == "state"
    assert refused({"turn": 1, "stocks": [[2], [1]]}, complete=True) == "stocks[0]"
