"""Disasters (ra#disasters) and gods (ra#gods)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.engine.ra.builders import act, data_of, due, four, keys, legal, play, position, refusal

CASES = json.loads((Path(__file__).parent / "data" / "auction_cases.json").read_text())["disaster_cases"]
FULL = "nile nile nile nile gold gold civ_art civ_art"
MEMBERS = {"civilization": ["civ_art", "civ_agriculture", "civ_religion", "civ_astronomy", "civ_writing"], "monument": ["mon_palace"]}


def win(track: str, tiles: str = "", **fields):
    """Return the position after seat 0 has won the track with sun 2, before anything else."""
    return play(four(track, tiles={0: tiles}, **fields), "call", "pass", "pass", "pass", "bid 2")


@pytest.mark.rule("ra#disasters-1", "ra#disasters-2", "ra#disasters-5")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['won']} on {case['owned']}")
def test_disaster_case(case):
    owned = []
    for family, count in case["owned"].items():
        kinds = MEMBERS.get(family, [family])
        owned += [f"{kinds[at % len(kinds)]} {1 if len(kinds) > 1 else count}" for at in range(count if len(kinds) > 1 else min(count, 1))]
    state = win(" ".join(case["won"]), ", ".join(owned))
    if "choice" in case:
        assert due(state) == 0
        choices = legal(state)
        assert len(choices) == 5  # which one of five remains
        state = play(state, choices[0])
    after = Counter(data_of(state)["tiles"][0])
    for family, count in case["after"].items():
        assert sum(after[kind] for kind in MEMBERS.get(family, [family])) == count


@pytest.mark.rule("ra#disasters-1")
def test_tiles_just_won_pay_as_well_as_tiles_owned_before():
    after = data_of(win("pharaoh funeral", "pharaoh"))
    assert after["tiles"][0] == {}
    after = data_of(win("pharaoh pharaoh pharaoh funeral"))
    assert after["tiles"][0] == {"pharaoh": 1}


@pytest.mark.rule("ra#disasters-2")
def test_a_player_with_nothing_of_the_family_loses_nothing():
    state, events = act(play(four("funeral gold"), "call", "pass", "pass", "pass"), "bid 2")
    assert data_of(state)["tiles"][0] == {"gold": 1}
    assert "lost_nothing" in keys(events)


@pytest.mark.rule("ra#disasters-2")
def test_with_no_more_tiles_than_due_all_are_lost_at_once():
    state = win("unrest earthquake", "civ_art, civ_writing, mon_palace")
    assert data_of(state)["tiles"][0] == {}
    assert due(state) == 1


@pytest.mark.rule("ra#disasters-3")
def test_several_disasters_of_a_kind_add_up():
    assert data_of(win("funeral funeral", "pharaoh 5"))["tiles"][0] == {"pharaoh": 1}
    state = win("unrest unrest unrest unrest", "civ_art 4, civ_writing 5")
    assert data_of(state)["discard"] == [8, 0]
    assert data_of(play(state, "discard " + " ".join(["civ_art"] * 4 + ["civ_writing"] * 4)))["tiles"][0] == {"civ_writing": 1}


@pytest.mark.rule("ra#disasters-4")
def test_the_winner_of_the_tiles_chooses_which_two_go():
    state = play(four("unrest civ_art", due=1, tiles={3: "civ_art, civ_religion, civ_writing"}), "call", "bid 11", "pass", "pass", "pass")
    assert data_of(state)["tiles"][2] == {}  # seat 2 won, owns one civilization tile and lost it
    state = play(four("unrest civ_art", due=1, tiles={3: "civ_art, civ_religion, civ_writing"}), "call", "pass", "bid 10", "pass", "pass")
    assert due(state) == 3
    assert legal(state) == [
        "discard civ_art civ_art",
        "discard civ_art civ_religion",
        "discard civ_art civ_writing",
        "discard civ_religion civ_writing",
    ]
    state, events = act(state, "discard civ_art civ_writing")
    assert data_of(state)["tiles"][3] == {"civ_art": 1, "civ_religion": 1}
    assert keys(events) == ["discarded"]
    assert due(state) == 2


@pytest.mark.rule("ra#disasters-4")
def test_other_things_wait_until_the_disaster_is_paid():
    state = win("unrest", "civ_art 3")
    for text in ("draw", "call", "pass", "bid 13"):
        assert refusal(state, text) == ("refused.discard_first", "ra#disasters-4")
    assert refusal(state, "draw", actor=1) == ("refused.not_your_turn", "ra#disasters-4")


@pytest.mark.rule("ra#disasters-2", "ra#disasters-6")
def test_a_wrong_discard_is_refused():
    state = win("unrest", "civ_art 2, civ_writing, pharaoh")
    assert refusal(state, "discard civ_art") == ("refused.wrong_number", "ra#disasters-2")
    assert refusal(state, "discard civ_art civ_art civ_writing") == ("refused.wrong_number", "ra#disasters-2")
    assert refusal(state, "discard pharaoh civ_art") == ("refused.wrong_family", "ra#disasters-6")
    assert refusal(state, "discard civ_writing civ_writing") == ("refused.not_owned", "ra#disasters-2")
    assert refusal(four("nile", tiles={0: "civ_art 2"}), "discard civ_art civ_art") == ("refused.nothing_to_discard", "ra#disasters-2")


@pytest.mark.rule("ra#disasters-4")
def test_equal_tiles_leave_one_way_to_pay():
    assert legal(win("earthquake", "mon_temple 3")) == ["discard mon_temple mon_temple"]


@pytest.mark.rule("ra#disasters-9", "ra#readings-5")
def test_the_order_of_the_tiles_won_makes_no_difference():
    owned = "civ_art 3, mon_palace 3, pharaoh 3, flood, nile 2"
    for track in ("unrest earthquake funeral drought", "drought funeral earthquake unrest"):
        state = play(win(track, owned), "discard civ_art civ_art", "discard mon_palace mon_palace")
        assert data_of(state)["tiles"][0] == {"pharaoh": 1, "nile": 1, "civ_art": 1, "mon_palace": 1}


@pytest.mark.rule("ra#disasters-3", "ra#disasters-6")
def test_unrest_and_earthquake_are_paid_one_after_the_other():
    state = win("unrest earthquake funeral drought", "civ_art 3, mon_palace 2, mon_temple, pharaoh 2, flood, nile 2")
    assert data_of(state)["tiles"][0] == {"nile": 1, "civ_art": 3, "mon_palace": 2, "mon_temple": 1}
    assert legal(state) == ["discard civ_art civ_art"]
    state = play(state, "discard civ_art civ_art")
    assert due(state) == 0
    assert legal(state) == ["discard mon_palace mon_palace", "discard mon_palace mon_temple"]
    state = play(state, "discard mon_palace mon_temple")
    assert data_of(state)["tiles"][0] == {"nile": 1, "civ_art": 1, "mon_palace": 1}
    assert due(state) == 1


@pytest.mark.rule("ra#disasters-5")
@pytest.mark.parametrize(
    ("owned", "after"),
    [("flood 3, nile 2", {"nile": 2, "flood": 1}), ("flood, nile 3", {"nile": 2}), ("nile 3", {"nile": 1}), ("nile", {})],
)
def test_drought_takes_floods_first_and_then_niles(owned, after):
    state = win("drought", owned)
    assert data_of(state)["tiles"][0] == after
    assert due(state) == 1


@pytest.mark.rule("ra#disasters-3", "ra#disasters-5")
def test_two_droughts_take_four_river_tiles_floods_first():
    assert data_of(win("drought drought", "flood 3, nile 4"))["tiles"][0] == {"nile": 3}


@pytest.mark.rule("ra#disasters-7")
def test_the_disaster_leaves_the_game_with_the_tiles_it_cost():
    after = data_of(win("funeral gold", "pharaoh 2"))
    assert after["tiles"][0] == {"gold": 1}
    assert after["track"] == []
    assert after["bag"].get("funeral", 0) == 1


# Gods


@pytest.mark.rule("ra#gods-1")
def test_a_god_is_put_away_for_one_tile_and_the_turn_is_over():
    state, events = act(four("nile gold", tiles={0: "god 2"}), "god gold")
    after = data_of(state)
    assert after["tiles"][0] == {"god": 1, "gold": 1}
    assert after["track"] == ["nile"]
    assert due(state) == 1
    assert keys(events) == ["used_gods"]


@pytest.mark.rule("ra#gods-1")
def test_without_a_god_nothing_is_taken():
    assert refusal(four("nile"), "god nile") == ("refused.no_god", "ra#gods-1")
    assert refusal(four("nile", tiles={0: "god"}), "god gold") == ("refused.not_on_track", "ra#gods-1")
    assert refusal(four("nile", tiles={0: "god 3"}), "god nile nile") == ("refused.not_on_track", "ra#gods-1")


@pytest.mark.rule("ra#gods-2")
def test_a_god_takes_no_god_and_no_ra_tile():
    state = four("god nile", tiles={0: "god"}, ra_track=2)
    assert legal(state) == ["draw", "call", "god nile"]
    assert refusal(state, "god god") == ("refused.god_takes_no_god", "ra#gods-2")
    assert refusal(state, "god ra") == ("refused.god_takes_no_god", "ra#gods-2")
    assert legal(four("god", tiles={0: "god"})) == ["draw", "call"]


@pytest.mark.rule("ra#gods-3")
def test_several_gods_in_one_turn_take_as_many_tiles():
    state = four("nile gold nile", tiles={0: "god 2"})
    assert legal(state) == ["draw", "call", "god nile", "god gold", "god nile nile", "god nile gold"]
    assert refusal(state, "god nile nile gold") == ("refused.too_few_gods", "ra#gods-3")
    after = data_of(play(state, "god nile nile"))
    assert after["tiles"][0] == {"nile": 2}
    assert after["track"] == [None, "gold"]


@pytest.mark.rule("ra#gods-4", "ra#draw-1")
def test_the_gap_that_a_god_leaves_is_filled_by_the_next_tile():
    state = play(four("nile gold civ_art", tiles={0: "god"}), "god gold")
    assert data_of(state)["track"] == ["nile", None, "civ_art"]
    state = play(state, "draw", "tile pharaoh", "draw", "tile flood")
    assert data_of(state)["track"] == ["nile", "pharaoh", "civ_art", "flood"]


@pytest.mark.rule("ra#gods-5", "ra#ra-2")
def test_on_a_full_track_a_god_may_be_used_and_the_next_player_is_free():
    state = four(FULL, tiles={0: "god"})
    assert legal(state) == ["call", "god nile", "god civ_art", "god gold"]
    state = play(state, "god gold")
    assert legal(state) == ["draw", "call"]
    assert data_of(play(state, "call"))["auction"]["cause"] == "voluntary"


@pytest.mark.rule("ra#gods-7", "ra#readings-2")
def test_a_disaster_taken_with_a_god_strikes_at_once():
    state, events = act(four("funeral nile", tiles={0: "god, pharaoh 3"}), "god funeral")
    assert data_of(state)["tiles"][0] == {"pharaoh": 1}
    assert keys(events) == ["used_gods", "lost_tiles"]
    assert due(state) == 1


@pytest.mark.rule("ra#gods-7", "ra#disasters-4")
def test_a_disaster_taken_with_a_god_leaves_the_choice_to_its_taker():
    state = play(four("unrest nile", due=2, tiles={2: "god, civ_art 2, civ_writing"}), "god unrest")
    assert due(state) == 2
    assert legal(state) == ["discard civ_art civ_art", "discard civ_art civ_writing"]
    state = play(state, "discard civ_art civ_writing")
    assert data_of(state)["tiles"][2] == {"civ_art": 1}
    assert due(state) == 3
    assert data_of(state)["track"] == [None, "nile"]


@pytest.mark.rule("ra#gods-3", "ra#gods-7")
def test_two_disasters_taken_with_two_gods_are_both_paid_before_the_next_turn():
    state = play(four("unrest earthquake nile", tiles={0: "god 2, civ_art 3, mon_palace 3, mon_temple"}), "god unrest earthquake")
    assert (due(state), data_of(state)["discard"]) == (0, [2, 2])
    state = play(state, "discard civ_art civ_art")
    assert due(state) == 0
    state = play(state, "discard mon_palace mon_temple")
    assert due(state) == 1
    assert data_of(state)["tiles"][0] == {"civ_art": 1, "mon_palace": 2}
    assert data_of(state)["track"] == [None, None, "nile"]


@pytest.mark.rule("ra#epochs-1", "ra#gods-6")
def test_gods_of_a_player_without_suns_are_not_used_but_score():
    state = position("""
        track: nile
        ra: 8
        0> 13 6 2
        1  (12) (7) (3) | god 2, civ_art
        2  11 8 4       | civ_art
        3  10 9 5       | civ_art
    """)
    assert due(play(state, "draw", "tile gold")) == 2
    state = play(state, "draw", "tile ra", "score")
    assert data_of(state)["fame"] == [5, 14, 10, 10]
