"""Setting up, the order of turns, drawing and calling (ra#setup, ra#turn, ra#draw, ra#ra)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from games.core.contract import CHANCE
from games.core.rng import SeededRng
from games.ra import components
from tests.engine.ra.builders import act, data_of, due, four, game, keys, legal, play, position, refusal


@pytest.mark.rule("ra#components-2", "ra#setup-2")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_180_tiles_are_ready(seats):
    assert sum(data_of(game.setup(seats, {}))["bag"].values()) == 180


@pytest.mark.rule("ra#setup-4", "ra#setup-6")
def test_everybody_starts_with_10_fame_and_sun_1_is_in_the_centre():
    start = data_of(game.setup(4, {}))
    assert start["fame"] == [10, 10, 10, 10]
    assert start["centre"] == 1


@pytest.mark.rule("ra#setup-5")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_sun_sets_are_dealt_by_chance_and_each_deal_comes_up(seats):
    start = game.setup(seats, {})
    assert due(start) == CHANCE
    rng = SeededRng(3)
    dealt = {str(game.sample_chance(start, rng)) for _ in range(2000)}
    assert dealt == {"deal " + " ".join(map(str, order)) for order in permutations(range(seats))}


@pytest.mark.rule("ra#setup-5")
def test_a_deal_gives_each_seat_the_set_that_it_names():
    after = data_of(play(game.setup(4, {}), "deal 2 0 3 1"))
    assert after["suns"] == [[[4, 8, 11], []], [[2, 6, 13], []], [[5, 9, 10], []], [[3, 7, 12], []]]


@pytest.mark.rule("ra#setup-7", "ra#setup-8", "ra#two-2")
@pytest.mark.parametrize(("seats", "highest"), [(2, 9), (3, 13), (4, 13), (5, 16)])
def test_suns_of_no_set_stay_in_the_box_and_nobody_has_the_figure_yet(seats, highest):
    dealt = data_of(play(game.setup(seats, {}), "deal " + " ".join(map(str, range(seats)))))
    in_play = [sun for up, down in dealt["suns"] for sun in (*up, *down)] + [dealt["centre"]]
    assert sorted(in_play) == list(range(1, highest + 1))
    assert dealt["auction"]["ra_player"] is None


@pytest.mark.rule("ra#overview-6", "ra#two-1", "ra#readings-9")
def test_three_to_five_play_and_two_by_the_rules_of_a_later_edition():
    assert (game.meta.seats, game.meta.minutes) == ((2, 3, 4, 5), (45, 45))
    assert game.meta.seats_note.rule == "ra#two-1"
    for seats in game.meta.seats:
        assert data_of(game.setup(seats, {}))["seats"] == seats


@pytest.mark.rule("ra#readings-11")
def test_what_leaves_no_choice_needs_no_answer():
    assert game.meta.automatic == {"pass", "discard"}  # the only legal action is played, when it is one of these
    assert legal(play(four("nile"), "call", "bid 12")) == ["pass"]


@pytest.mark.rule("ra#turn-1")
@pytest.mark.parametrize(
    ("seats", "deal", "first"), [(4, "deal 2 0 3 1", 1), (3, "deal 1 2 0", 2), (5, "deal 4 3 2 1 0", 4), (2, "deal 1 0", 1)]
)
def test_the_owner_of_the_highest_sun_starts_the_first_epoch(seats, deal, first):
    state, events = act(game.setup(seats, {}), deal)
    assert due(state) == first
    assert events[-1].key == "epoch_began"
    assert events[-1].params["seat"] == first


@pytest.mark.rule("ra#turn-1")
def test_turns_go_clockwise():
    state = four(due=2)
    order = []
    for _ in range(5):
        order.append(due(state))
        state = play(state, "draw", "tile pharaoh")
    assert order == [2, 3, 0, 1, 2]


@pytest.mark.rule("ra#turn-2", "ra#gods-1")
def test_a_turn_is_to_draw_or_to_call_or_to_use_gods():
    assert legal(four("nile")) == ["draw", "call"]
    assert legal(four("nile", tiles={0: "god"})) == ["draw", "call", "god nile"]


@pytest.mark.rule("ra#turn-3")
def test_a_turn_cannot_be_passed():
    assert refusal(four("nile"), "pass") == ("refused.turn_pass", "ra#turn-3")


@pytest.mark.rule("ra#turn-1")
def test_nobody_acts_out_of_turn():
    assert refusal(four("nile"), "draw", actor=2) == ("refused.not_your_turn", "ra#turn-1")
    assert refusal(four("nile"), "tile ra", actor=0) == ("refused.not_by_hand", "ra#draw-1")
    assert refusal(game.setup(4, {}), "deal 0 1 2 3", actor=0) == ("refused.not_by_hand", "ra#setup-5")
    assert refusal(play(four("nile"), "draw"), "draw", actor=0) == ("refused.chance_first", "ra#draw-1")


@pytest.mark.rule("ra#draw-1")
def test_a_tile_drawn_goes_on_the_first_empty_auction_space():
    state, events = act(play(four("nile gold"), "draw"), "tile civ_art")
    assert data_of(state)["track"] == ["nile", "gold", "civ_art"]
    assert due(state) == 1
    assert [(e.key, e.params["tile"]) for e in events] == [("drew", "civ_art")]


@pytest.mark.rule("ra#draw-1", "ra#components-2")
def test_a_kind_that_has_run_out_is_not_drawn():
    state = play(four(bag={"ra": 2}), "draw")
    assert refusal(state, "tile nile") == ("refused.tile_not_left", "ra#components-2")


@pytest.mark.rule("ra#draw-1")
def test_every_tile_in_the_bag_is_equally_likely():
    state = play(four(bag={"ra": 1, "nile": 3, "gold": 2}), "draw")
    rng = SeededRng(11)
    found = Counter(str(game.sample_chance(state, rng)) for _ in range(6000))
    for tile, share in (("tile ra", 1000), ("tile nile", 3000), ("tile gold", 2000)):
        assert abs(found[tile] - share) < 5 * share**0.5
    assert found.total() == 6000
    assert len(found) == 3


@pytest.mark.rule("ra#draw-1")
def test_with_an_empty_bag_only_the_call_is_left():
    state = four("nile", bag={})
    assert legal(state) == ["call"]
    assert refusal(state, "draw") == ("refused.bag_empty", "ra#draw-1")


@pytest.mark.rule("ra#draw-2")
def test_a_ra_tile_goes_on_the_ra_track_and_starts_an_auction():
    state, events = act(play(four("nile", due=2, ra_track=3), "draw"), "tile ra")
    after = data_of(state)
    assert after["ra_track"] == 4
    assert after["track"] == ["nile"]
    assert (after["phase"], after["auction"]["ra_player"], after["auction"]["cause"]) == ("auction", 2, "ra_tile")
    assert due(state) == 3
    assert keys(events) == ["drew_ra"]


@pytest.mark.rule("ra#draw-3", "ra#epochs-3", "ra#two-3", "ra#components-1")
@pytest.mark.parametrize(("seats", "length"), [(2, 6), (3, 8), (4, 9), (5, 10)])
def test_the_ra_track_is_shorter_with_fewer_players(seats, length):
    state = position(seats=seats, ra_track=length - 2)
    state = play(state, "draw", "tile ra")
    assert data_of(state)["phase"] == "auction"
    state = position(seats=seats, ra_track=length - 1)
    assert data_of(play(state, "draw", "tile ra"))["phase"] == "scoring"


@pytest.mark.rule("ra#draw-4", "ra#ra-2", "ra#readings-10")
def test_on_a_full_auction_track_ra_must_be_called():
    state = four("nile nile nile nile gold gold civ_art civ_art")
    assert legal(state) == ["call"]
    assert refusal(state, "draw") == ("refused.track_full", "ra#draw-4")


@pytest.mark.rule("ra#draw-4")
def test_a_gap_on_the_auction_track_is_room_for_a_tile():
    state = four("nile . nile nile gold gold civ_art civ_art")
    assert legal(state) == ["draw", "call"]
    assert data_of(play(state, "draw", "tile pharaoh"))["track"][1] == "pharaoh"


@pytest.mark.rule("ra#ra-1", "ra#auction-1")
@pytest.mark.parametrize("track", ["", "nile", "nile gold gold"])
def test_ra_may_be_called_on_any_turn(track):
    state = play(four(track, due=1), "call")
    assert data_of(state)["auction"] == {"no": 1, "ra_player": 1, "cause": "voluntary", "bids": []}
    assert due(state) == 2


@pytest.mark.rule("ra#ra-2")
def test_a_call_on_a_full_track_is_a_forced_one():
    state, events = act(four("nile nile nile nile gold gold civ_art civ_art"), "call")
    assert data_of(state)["auction"]["cause"] == "full"
    assert [(e.key, e.rule) for e in events] == [("called_full", "ra#ra-2")]
    assert keys(act(four("god god god god god god god god", tiles={}), "call")[1]) == ["called_full"]
    assert keys(act(four("god god god god god god god nile", tiles={0: "god"}), "call")[1]) == ["called"]


@pytest.mark.rule("ra#ra-2", "ra#gods-1")
def test_a_player_who_keeps_a_god_on_a_full_track_did_not_have_to_call():
    state, events = act(four("nile nile nile nile gold gold civ_art civ_art", tiles={0: "god"}), "call")
    assert data_of(state)["auction"]["cause"] == "full"
    assert [(e.key, e.rule, e.params["n"]) for e in events] == [("called", "ra#ra-2", 8)]


@pytest.mark.rule("ra#ra-3", "ra#auction-2")
def test_with_an_empty_track_the_auction_is_for_the_centre_sun_alone():
    state = play(four(due=3), "call", "pass", "bid 12", "pass")
    assert due(state) == 3
    state, events = act(state, "pass")
    after = data_of(state)
    assert after["suns"][1] == [[3, 7], [1]]
    assert after["centre"] == 12
    assert after["tiles"] == [{}, {}, {}, {}]
    assert keys(events) == ["passed", "won_sun"]


@pytest.mark.rule("ra#components-2", "ra#components-3", "ra#components-5", "ra#setup-5", "ra#two-2", "ra#components-7")
def test_the_box_holds_what_the_rule_book_says():
    count = dict(components.TILES)
    assert sum(count.values()) == 180
    assert (count["ra"], count["god"], count["pharaoh"], count["funeral"]) == (30, 8, 25, 2)
    assert (count["nile"], count["flood"], count["drought"], count["unrest"]) == (25, 12, 2, 4)
    assert (count["gold"], count["earthquake"]) == (5, 2)
    assert [n for kind, n in components.TILES if kind.startswith("civ_")] == [5] * 5
    assert [n for kind, n in components.TILES if kind.startswith("mon_")] == [5] * 8
    assert [sum(s) for s in components.SUN_SETS[2]] == [22, 22]
    assert sorted(sum(s) for s in components.SUN_SETS[3]) == [28, 30, 32]
    assert sorted(sum(s) for s in components.SUN_SETS[4]) == [21, 22, 23, 24]
    assert sorted(sum(s) for s in components.SUN_SETS[5]) == [25, 26, 27, 28, 29]
