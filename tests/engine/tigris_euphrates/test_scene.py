"""The data for drawing the board: outlines, strengths, names of squares, both sides of a conflict, what is behind a screen."""

from __future__ import annotations

import re

import pytest

from games.core.contract import SCORER
from games.core.rng import SeededRng
from games.tigris_euphrates.components import KINDS, ROLES, SQUARE_OF, SYMBOLS
from games.tigris_euphrates.outline import outline
from games.tigris_euphrates.state import NOWHERE
from tests.engine.tigris_euphrates import lively
from tests.engine.tigris_euphrates.builders import drawn, game, play, position

SPRITE = set(SYMBOLS.values())


def scene(state, seat=0):
    return game.scene(game.view_for(state, seat))


def cell(drawing, label):
    return drawing["targets"][f"cell-{label}"]


# Outlines


def area(path):
    """Return the signed area within a path of steps to the right (h), down (v) and around corners (q)."""
    total = x = y = 0
    for command, numbers in re.findall(r"([Mhvqz])([-\d ]*)", path):
        values = [int(number) for number in numbers.split()]
        if command == "M":
            x, y = values
            continue
        steps = {"h": [(values[:1] or [0])[0], 0], "v": [0, (values[:1] or [0])[0]], "q": values[2:], "z": [0, 0]}
        dx, dy = steps[command]
        total += x * (y + dy) - (x + dx) * y
        x, y = x + dx, y + dy
    return total / 2


def test_an_outline_runs_around_exactly_its_squares():
    plain = {"cell": 10, "margin": 0, "inset": 0, "radius": 0}
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    assert area(outline([(0, 0)], **plain)) == 100
    assert area(outline(ring, **plain)) == 800
    assert outline(ring, **plain).count("M") == 2
    assert outline([(0, 0), (1, 1)], **plain).count("M") == 2  # a corner does not connect
    rng = SeededRng(3)
    for _ in range(200):
        squares = {(rng.below(7, "x"), rng.below(6, "y")) for _ in range(1 + rng.below(30, "n"))}
        assert area(outline(squares, **plain)) == 100 * len(squares)
        inside = area(outline(squares, cell=10, margin=4, inset=1, radius=0))
        assert inside < 100 * len(squares)


def test_an_outline_has_round_corners_inside_its_squares():
    assert outline([(1, 0)], cell=64, margin=40, inset=2, radius=10) == (
        "M116 42h40q10 0 10 10v40q0 10 -10 10h-40q-10 0 -10 -10v-40q0 -10 10 -10z"
    )


# Kingdoms and their strengths

# Two kingdoms that a tile on I3 or I4 would unite.
TWO = """
    T  S S  . T k1 .
    k0 T t0 . M p1 T
"""
TREASURES = "F3 K1"


@pytest.mark.rule("tigris_euphrates#kingdoms-2", "tigris_euphrates#revolts-3", "tigris_euphrates#wars-4")
def test_kingdoms_tell_their_leaders_strengths_and_treasures():
    drawing = scene(drawn("F3", TWO, treasures=TREASURES))
    one, two = drawing["kingdoms"]
    told = [(leader["role"], leader["square"], leader["number"], leader["revolt"], leader["war"]) for leader in one["leaders"]]
    assert told == [("king", "F4", 1, 2, 2), ("trader", "H4", 1, 1, 0)]
    assert one["treasures"] == 1
    assert [(leader["role"], leader["revolt"], leader["war"]) for leader in two["leaders"]] == [("king", 1, 0), ("priest", 1, 2)]
    assert two["treasures"] == 0
    assert [outlined["number"] for outlined in drawing["outlines"]] == [1, 2]
    numbers = {"F3": 1, "G4": 1, "H4": 1, "I3": None, "J3": 2, "L4": 2, "K1": None}
    assert {label: cell(drawing, label)["kingdom"] for label in numbers} == numbers


@pytest.mark.rule("tigris_euphrates#wars-4")
def test_while_a_war_is_settled_both_sides_stand_apart():
    state = drawn("F3", TWO, treasures=TREASURES, hands=["settlement 2, market 1", "settlement 3"])
    state = play(state, "tile settlement I3")
    drawing = scene(state)
    assert len(drawing["kingdoms"]) == 2
    assert cell(drawing, "I3")["kingdom"] is None  # the union tile is on neither side
    assert [mark["mark"] for mark in drawing["marks"]] == ["union", "rival", "rival"]
    conflict = drawing["conflict"]
    assert [(side["number"], side["is_attacker"], side["board"], side["total"], side["is_due"]) for side in conflict["sides"]] == [
        (1, True, 2, 2, True),
        (2, False, 0, 0, False),
    ]
    assert conflict["tile"] == "settlement"


@pytest.mark.rule("tigris_euphrates#conflicts-3", "tigris_euphrates#conflicts-4")
def test_everybody_sees_what_was_added_and_at_most_can_be():
    state = drawn("F3", TWO, treasures=TREASURES, hands=["settlement 2, market 1", "settlement 3, temple 1"], seats=3)
    state = play(state, "tile settlement I3")
    for seat, most in ((0, [1, 4]), (1, [2, 3]), (2, [2, 4]), (None, [2, 4])):  # the viewer's hand exactly, the others' by number
        sides = scene(state, seat)["conflict"]["sides"]
        assert [side["most"] for side in sides] == most
    state = play(state, "support 1 settlement")
    for seat in (0, 1, 2, None):
        attacker, defender = scene(state, seat)["conflict"]["sides"]
        assert (attacker["added"], attacker["total"], attacker["most"]) == (1, 3, None)
        assert (defender["added"], defender["is_due"]) == (None, True)
        assert scene(state, seat)["conflict"]["tie"].params == {"seat": 1}
    assert scene(play(state, "support 0 settlement"))["conflict"] is None


@pytest.mark.rule("tigris_euphrates#revolts-3")
def test_a_revolt_counts_the_temples_beside_the_leaders():
    state = drawn("F3", "T k1 T\n. S T", treasures="", hands=["temple 2", "temple 1"])
    state = play(state, "leader king I4")
    conflict = scene(state)["conflict"]
    assert conflict["kind"] == "revolt"
    assert conflict["tile"] == "temple"
    assert [side["board"] for side in conflict["sides"]] == [1, 2]


def counted(view):
    """Return what each leader's number should be, from the named squares alone: its colour in its kingdom, or in its revolt the temples."""
    conflict = view.conflict
    leaders = {label: (role, seat) for seat, row in enumerate(view.leaders) for role, label in row.items() if label}
    pieces = {*view.tiles, *leaders, *view.down} - {view.union}
    found = {}
    for label, (role, seat) in leaders.items():
        if conflict and (conflict.kind, conflict.role) == ("revolt", role) and seat in (conflict.attacker, conflict.defender):
            found[label] = sum(view.tiles.get(other) == "temple" for other in around(label))
            continue
        region = [label]
        for at in region:
            region += [other for other in around(at) if other in pieces and other not in region]
        kind = dict(zip(ROLES, KINDS, strict=True))[role]
        found[label] = sum(view.tiles.get(other) == kind for other in region)
    return found


def around(label):
    column, row = ord(label[0]), int(label[1:])
    return [f"{chr(column + x)}{row + y}" for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]


def numbers(state):
    """Return the numbers drawn at leaders, by square, and which of them are those of a revolt."""
    drawing = scene(state, None)
    labels = {(target["x"], target["y"]): target["word"] for target in drawing["targets"].values() if "word" in target}
    drawn = {labels[item["x"], item["y"]]: item for item in drawing["strengths"]}
    assert len(drawn) == len(drawing["strengths"]) == len(drawing["leaders"])
    return {label: item["n"] for label, item in drawn.items()}, {label for label, item in drawn.items() if item["is_revolt"]}


@pytest.mark.rule("tigris_euphrates#wars-4", "tigris_euphrates#revolts-3")
def test_the_number_at_a_leader_is_its_strength():
    state = drawn("F3", TWO, treasures=TREASURES, hands=["settlement 2, market 1", "settlement 3"])
    assert numbers(state) == ({"F4": 2, "H4": 0, "K3": 0, "K4": 2}, set())
    united = play(state, "tile settlement I3")
    assert numbers(united) == ({"F4": 2, "H4": 0, "K3": 0, "K4": 2}, set()), "the union tile is on neither side"
    revolt = play(drawn("F3", "T k1 T\n. S T", treasures="", hands=["temple 2", "temple 1"]), "leader king I4")
    assert numbers(revolt) == ({"G3": 2, "I4": 1}, {"G3", "I4"})
    assert numbers(play(revolt, "support 2 temple", "support 0 temple"))[1] == set()


@pytest.mark.rule("tigris_euphrates#wars-4", "tigris_euphrates#revolts-3")
def test_the_numbers_at_leaders_are_those_of_the_board_throughout_games():
    seen = set()
    for seed in range(3):
        for state in positions_of(seed):
            drawn, revolts = numbers(state)
            assert drawn == counted(game.view_for(state, None))
            seen |= {"revolt"} if revolts else set()
            seen |= {"war"} if state.union != NOWHERE else set()
            seen |= {"monument"} if state.built else set()
    assert seen == {"revolt", "war", "monument"}


def positions_of(seed, most=400):
    """Return the positions of a lively game, up to `most`."""
    rng, state, found = SeededRng(seed), game.setup(3, {}), []
    while len(found) < most and (actors := game.actors(state)) and actors[0] != SCORER:
        state = game.apply(state, actors[0], lively.answer(state, actors[0], rng))[0]
        found.append(state)
    return found


# Squares


def test_every_square_has_a_name_that_says_what_lies_there():
    state = drawn("F3", TWO, treasures=TREASURES, catastrophes="A1")
    drawing = scene(state)
    names = {target["word"]: target["name"] for target in drawing["targets"].values() if "word" in target}
    assert set(names) == set(SQUARE_OF)
    assert names["A1"].params == {"square": "A1", "piece": "catastrophe"}
    assert names["B1"].text == "{square}, empty land"
    assert names["E1"].text == "{square}, empty river"
    assert names["F3"].text == "{square}, {piece:noun} with a treasure, kingdom {n}"
    assert names["K1"].text == "{square}, {piece:noun} with a treasure"
    assert names["F4"].params == {"square": "F4", "n": 1, "leader": "king", "seat": 0, "revolt": 2, "war": 2}
    assert [label for label in SQUARE_OF if not cell(drawing, label)["is_empty"]] == [
        label for label, name in names.items() if "empty" not in name.text
    ]


def test_a_monument_is_named_on_its_four_squares_and_drawn_once():
    state = drawn("E5", "T T k0\nT . .", treasures="", hands=["temple 2"])
    state = play(state, "tile temple F6", "build black_red E5")
    drawing = scene(state)
    assert [cell(drawing, label)["name"].params["piece"] for label in ("E5", "F5", "E6", "F6")] == ["black_red"] * 4
    assert [item["size"] for item in drawing["tiles"] if item["symbol"] == "te-monument-black-red"] == [124]
    assert [item["noun"] for item in drawing["supply"]["monuments"] if not item["is_left"]] == ["black_red"]
    assert drawing["supply"]["fewest"] == 3  # the game ends with fewer treasures
    assert drawing["kingdoms"] == []  # without a face-up temple the king was removed


# Players' areas


@pytest.mark.rule("tigris_euphrates#hidden-1", "tigris_euphrates#hidden-2", "tigris_euphrates#hidden-3")
def test_a_seat_sees_its_own_hand_and_totals_and_the_numbers_of_the_others():
    state = position(hands=["temple 2, farm 1", "market 4, settlement 1"], leaders=["", ""])
    mine, other = scene(state, 0)["players"]
    assert [(item["id"], item["count"]) for item in mine["hand"]] == [
        ("hand-settlement", 0),
        ("hand-temple", 2),
        ("hand-farm", 1),
        ("hand-market", 0),
    ]
    assert mine["totals"] is not None
    assert (other["hand"], other["hand_count"], other["totals"]) == ([], 5, None)
    assert all(player["totals"] is None and not player["hand"] for player in scene(state, None)["players"])
    shown = scene(position(hands=["temple 2", "market 4"], options={"open_totals": True}), 0)["players"][1]
    assert [item["count"] for item in shown["totals"]["colours"]] == [0, 0, 0, 0]


def test_leaders_in_hand_can_be_pointed_at_by_their_owner_alone():
    state = position(hands=["temple 2", "market 4"], leaders=["king J1", ""])
    assert {name for name in scene(state, 0)["targets"] if name.startswith("leader-")} == {
        "leader-priest",
        "leader-farmer",
        "leader-trader",
    }
    assert [leader["square"] for leader in scene(state, 0)["players"][0]["leaders"]] == ["J1", None, None, None]
    assert not [name for name in scene(state, None)["targets"] if not name.startswith("cell-")]
