"""Fame (ra#score .. ra#suns) and the end of the game (ra#end)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ra import scoring
from games.ra.components import CIV_FIRST, FAME_FLOOR, FLOOD, GOD, GOLD, MON_FIRST, N_KINDS, NILE, PHARAOH
from games.ra.state import SCORING, Scored, first_state, mask_of
from tests.engine.ra.builders import act, counts, data_of, game, play, position

VECTORS = json.loads((Path(__file__).parent / "data" / "scoring_vectors.json").read_text())
CATEGORY = {
    "god": ("gods",),
    "gold": ("gold",),
    "pharaoh": ("pharaohs_most", "pharaohs_fewest", "pharaohs_between", "pharaohs_equal"),
    "river": ("river", "river_dry"),
    "civ": ("civilization", "civilization_few", "civilization_none"),
    "mon": ("monument_kinds", "monument_same"),
    "sun": ("suns_most", "suns_fewest", "suns_between", "suns_equal"),
}


def row(player):
    """Return a player's counts by kind from the vectors."""
    tiles = bytearray(N_KINDS)
    for kind, name in ((GOD, "god"), (GOLD, "gold"), (PHARAOH, "pharaoh"), (NILE, "nile"), (FLOOD, "flood")):
        tiles[kind] = player[name]
    tiles[CIV_FIRST : CIV_FIRST + 5] = bytes(player["civ"])
    tiles[MON_FIRST : MON_FIRST + 8] = bytes(player["mon"])
    return bytes(tiles)


def scoring_state(players, final):
    state = first_state(len(players), False)
    state.phase, state.epoch = SCORING, 3 if final else 1
    state.tiles = bytearray(b"".join(row(player) for player in players))
    state.suns_up = [mask_of(player["suns"]) for player in players]
    return state


def all_vectors():
    rows = [pytest.param(v, id=v["name"]) for v in VECTORS["rule_book_examples"]]
    return rows + [pytest.param(v, id=f"vector {n}, {len(v['players'])} players") for n, v in enumerate(VECTORS["vectors"])]


@pytest.mark.rule("ra#score-1", "ra#score-4")
@pytest.mark.parametrize("vector", all_vectors())
def test_scoring_vector(vector):
    players = vector["players"]
    state = scoring_state(players, vector["final"])
    assert scoring.epoch_gains(state) == [expected["total"] for expected in vector["score"]]
    scored = Scored(state.epoch, (1000,) * len(players), tuple(row(p) for p in players))
    for seat, expected in enumerate(vector["score"]):
        lines = scoring.epoch_lines(scored, seat, state.suns_up)
        for category, line_keys in CATEGORY.items():
            assert sum(line.points for line in lines if line.key in line_keys) == expected[category], category


def fame_after(tiles, *, epoch=1, fame=(10, 10, 10), suns=None, ending="ra_track"):
    """Return fame after the scoring of an epoch with three seats."""
    state = position(
        seats=3,
        phase="scoring",
        epoch=epoch,
        tiles=[counts(text) for text in tiles],
        fame=list(fame),
        suns=suns or [[[13, 8, 5, 4], []], [[12, 9, 6, 3], []], [[11, 10, 7, 2], []]],
        ending=ending,
    )
    return play(state, "score")


def fame(*args, **kwargs):
    return data_of(fame_after(*args, **kwargs))["fame"]


CIV = "civ_art, civ_writing"  # two kinds: neither points nor a loss


@pytest.mark.rule("ra#gods-score-1", "ra#gods-6")
def test_an_unused_god_brings_2_and_leaves():
    state = fame_after([f"{CIV}, god 3", CIV, CIV])
    assert data_of(state)["fame"] == [16, 10, 10]
    assert data_of(state)["tiles"][0] == {}


@pytest.mark.rule("ra#gold-1")
def test_gold_brings_3_each_and_leaves():
    state = fame_after([f"{CIV}, gold 2", CIV, CIV])
    assert data_of(state)["fame"] == [16, 10, 10]
    assert data_of(state)["tiles"][0] == {}


@pytest.mark.rule("ra#pharaohs-1")
def test_most_pharaohs_bring_5_and_fewest_cost_2():
    assert fame([f"{CIV}, pharaoh 3", f"{CIV}, pharaoh 1", CIV]) == [15, 10, 8]


@pytest.mark.rule("ra#pharaohs-2")
@pytest.mark.parametrize(
    ("numbers", "gains"),
    [((4, 3, 3), (5, -2, -2)), ((4, 4, 3), (5, 5, -2)), ((2, 2, 2), (0, 0, 0)), ((0, 0, 0), (0, 0, 0)), ((1, 0, 0), (5, -2, -2))],
)
def test_all_tied_players_get_the_points_unless_everybody_is_equal(numbers, gains):
    assert fame([f"{CIV}, pharaoh {n}" for n in numbers]) == [10 + gain for gain in gains]


@pytest.mark.rule("ra#pharaohs-3", "ra#niles-3", "ra#monuments-1", "ra#civilization-4")
def test_pharaohs_niles_and_monuments_stay_and_the_rest_leaves():
    everything = "god, pharaoh 2, nile 3, flood 2, civ_art 2, civ_writing, gold, mon_palace 2, mon_temple"
    state = fame_after([everything, CIV, CIV])
    assert data_of(state)["tiles"] == [{"pharaoh": 2, "nile": 3, "mon_palace": 2, "mon_temple": 1}, {}, {}]


@pytest.mark.rule("ra#niles-1", "ra#niles-2")
@pytest.mark.parametrize(("river", "gain"), [("nile 4", 0), ("nile 4, flood", 5), ("flood 2", 2), ("nile 1, flood 3", 4)])
def test_niles_and_floods_bring_1_each_if_there_is_a_flood(river, gain):
    assert fame([f"{CIV}, {river}", CIV, CIV]) == [10 + gain, 10, 10]


@pytest.mark.rule("ra#civilization-1", "ra#civilization-2", "ra#civilization-3")
@pytest.mark.parametrize(
    ("tiles", "gain"),
    [
        ("", -5),
        ("civ_art", 0),
        ("civ_art 3", 0),
        ("civ_art, civ_writing", 0),
        ("civ_astronomy 3, civ_agriculture 2, civ_writing 2", 5),
        ("civ_art 2, civ_agriculture 2, civ_religion 2", 5),
        ("civ_art, civ_agriculture, civ_religion, civ_writing", 10),
        ("civ_art 3, civ_agriculture, civ_religion, civ_astronomy, civ_writing", 15),
    ],
)
def test_different_civilization_tiles_score_by_their_number(tiles, gain):
    assert fame([tiles, CIV, CIV]) == [10 + gain, 10, 10]


@pytest.mark.rule("ra#monuments-1")
@pytest.mark.parametrize(("epoch", "gain"), [(1, 0), (2, 0), (3, 12)])
def test_monuments_score_after_the_third_epoch_only(epoch, gain):
    assert fame([f"{CIV}, mon_palace 4, mon_temple", CIV, CIV], epoch=epoch)[0] - 10 == gain


@pytest.mark.rule("ra#monuments-2")
@pytest.mark.parametrize(("kinds", "gain"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 10), (8, 15)])
def test_different_monuments_score_by_their_number(kinds, gain):
    names = ["fortress", "obelisk", "palace", "pyramid", "sphinx", "statues", "step_pyramid", "temple"]
    assert scoring.monument_points([1] * kinds + [0] * (8 - kinds)) == (gain, 0)
    assert fame([", ".join([CIV, *("mon_" + name for name in names[:kinds])]), CIV, CIV], epoch=3)[0] == 10 + gain


@pytest.mark.rule("ra#monuments-3", "ra#monuments-4")
@pytest.mark.parametrize(("count", "gain"), [(1, 1), (2, 1), (3, 6), (4, 11), (5, 16)])
def test_equal_monuments_score_on_top_of_different_ones(count, gain):
    assert fame([f"{CIV}, mon_sphinx {count}", CIV, CIV], epoch=3)[0] == 10 + gain


@pytest.mark.rule("ra#suns-1", "ra#suns-3")
@pytest.mark.parametrize(
    ("suns", "gains"),
    [
        (([13, 8, 5, 4], [12, 9, 6, 3], [11, 10, 7, 2]), (0, 0, 0)),  # 30 each
        (([13, 12, 5, 4], [8, 9, 6, 3], [11, 10, 7, 2]), (5, -5, 0)),
        (([13, 8, 5, 4], [12, 9, 7, 2], [11, 10, 6, 3]), (0, 0, 0)),
        (([13, 8, 6, 4], [12, 9, 7, 3], [11, 10, 5, 2]), (5, 5, -5)),
        (([13, 10, 7, 4], [12, 8, 5, 3], [11, 9, 6, 2]), (5, -5, -5)),
    ],
)
def test_the_highest_sum_of_suns_scores_and_the_lowest_costs(suns, gains):
    for side in (0, 1):
        pairs = [[s, []] if side == 0 else [[], s] for s in suns]
        assert fame([CIV, CIV, CIV], epoch=3, suns=pairs) == [10 + gain for gain in gains]


@pytest.mark.rule("ra#suns-1")
@pytest.mark.parametrize("epoch", [1, 2])
def test_suns_do_not_score_before_the_third_epoch_ends(epoch):
    suns = [[[13, 12, 11, 10], []], [[9, 8, 7, 6], []], [[5, 4, 3, 2], []]]
    assert fame([CIV, CIV, CIV], epoch=epoch, suns=suns) == [10, 10, 10]


@pytest.mark.rule("ra#suns-2")
def test_the_centre_sun_counts_for_nobody_and_face_down_suns_count():
    suns = [[[12, 8], [5, 4]], [[1, 9], [6, 3]], [[11, 10, 7, 2], []]]  # 29, 19, 30; 13 is in the centre
    assert fame([CIV, CIV, CIV], epoch=3, suns=suns) == [10, 5, 15]


@pytest.mark.rule("ra#score-2", "ra#score-3", "ra#readings-3")
def test_losses_count_against_gains_of_the_epoch_before_the_floor():
    # -5 for civilization, -2 for pharaohs, +6 for gold: net -1 from 0 stays 0; net +1 is paid
    assert fame(["gold 2", f"{CIV}, pharaoh 2", f"{CIV}, pharaoh"], fame=(0, 10, 10))[0] == 0
    assert fame(["gold 3", f"{CIV}, pharaoh 2", f"{CIV}, pharaoh"], fame=(0, 10, 10))[0] == 2


@pytest.mark.rule("ra#score-3", "ra#readings-3")
@pytest.mark.parametrize(("before", "after"), [(0, 0), (3, 0), (5, 0), (6, 1), (10, 5)])
def test_fame_does_not_go_below_the_floor(before, after):
    assert FAME_FLOOR == 0
    state = fame_after(["", "", ""], fame=(before, 10, 10))
    assert data_of(state)["fame"] == [after, 5, 5]


@pytest.mark.rule("ra#score-3")
def test_the_derivation_says_what_the_floor_gave():
    state = fame_after(["", CIV, CIV], fame=(3, 10, 10))
    lines = game.view_for(state, 0).derivations[0][-1][1]
    assert [(line.key, line.points, line.rule) for line in lines if line.points] == [
        ("civilization_none", -5, "ra#civilization-1"),
        ("floor", 2, "ra#score-3"),
    ]


@pytest.mark.rule("ra#score-1")
def test_a_derivation_names_points_paragraph_and_pieces():
    state = position(
        seats=3,
        phase="scoring",
        epoch=1,
        tiles=[
            counts("god, pharaoh 2, nile 3, civ_art 2, civ_writing, civ_religion, gold"),
            counts(f"{CIV}, pharaoh"),
            counts("nile, flood"),
        ],
    )
    (_, lines) = game.view_for(play(state, "score"), 0).derivations[0][1]
    assert [(line.key, line.points, line.rule, dict(line.pieces)) for line in lines] == [
        ("gods", 2, "ra#gods-score-1", {"god": 1}),
        ("pharaohs_most", 5, "ra#pharaohs-1", {"pharaoh": 2}),
        ("river_dry", 0, "ra#niles-2", {"nile": 3}),
        ("civilization", 5, "ra#civilization-2", {"civ_art": 2, "civ_religion": 1, "civ_writing": 1}),
        ("gold", 3, "ra#gold-1", {"gold": 1}),
    ]


# The end


def final(fame_before, suns, ending="ra_track"):
    pairs = [[s, []] for s in suns]
    return game.outcome(fame_after([CIV, CIV, CIV], epoch=3, fame=fame_before, suns=pairs, ending=ending))


EQUAL_SUMS = ([13, 8, 5, 4], [12, 9, 6, 3], [11, 10, 7, 2])


@pytest.mark.rule("ra#end-1", "ra#overview-5")
def test_the_player_with_the_most_fame_wins():
    outcome = final((20, 31, 25), EQUAL_SUMS)
    assert (outcome.places, outcome.scores, outcome.reason) == ((3, 1, 2), (20, 31, 25), "ra_track")
    assert final((20, 31, 25), EQUAL_SUMS, "suns").reason == "suns"


@pytest.mark.rule("ra#end-2")
def test_the_highest_single_sun_decides_a_tie():
    outcome = final((20, 25, 25), EQUAL_SUMS)
    assert (outcome.places, outcome.reason) == ((3, 1, 2), "ra_track_tie")
    assert final((25, 25, 25), EQUAL_SUMS).places == (1, 2, 3)


@pytest.mark.rule("ra#end-2")
def test_only_suns_of_the_tied_players_are_compared_and_face_down_ones_count():
    state = fame_after([CIV, CIV, CIV], epoch=3, fame=(9, 25, 25), suns=[[[13, 8, 5, 4], []], [[9, 6, 3], [12]], [[11, 10, 7, 2], []]])
    assert game.outcome(state).places == (3, 1, 2)


@pytest.mark.rule("ra#end-3", "ra#readings-7")
def test_lower_places_are_decided_in_the_same_way():
    assert final((20, 30, 20), EQUAL_SUMS).places == (2, 1, 3)
    assert final((20, 30, 20), EQUAL_SUMS).reason == "ra_track"


@pytest.mark.rule("ra#end-2")
def test_the_last_event_says_who_won_and_why():
    state = position(
        seats=3, phase="scoring", epoch=3, tiles=[counts(CIV)] * 3, fame=[20, 25, 25], suns=[[s, []] for s in EQUAL_SUMS], ending="suns"
    )
    _, events = act(state, "score")
    assert (events[-1].key, events[-1].rule) == ("game_ended_tie", "ra#end-2")
    assert events[-1].params == {"seat": 1, "fame": 25, "sun": 12}


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2),
            st.integers(0, 5),
            st.integers(0, 5),
            st.integers(0, 3),
            st.integers(0, 1),
            st.lists(st.integers(0, 1), min_size=5, max_size=5),
            st.lists(st.integers(0, 1), min_size=8, max_size=8),
        ),
        min_size=2,
        max_size=5,
    ),
    st.booleans(),
    st.lists(st.integers(0, 30), min_size=5, max_size=5),
)
def test_the_lines_of_a_derivation_add_up_to_the_change_of_fame(rows, final_epoch, before):
    players = [
        {"god": g, "pharaoh": p, "nile": n, "flood": f, "gold": o, "civ": c, "mon": m, "suns": [2 + at, 8 + at]}
        for at, (g, p, n, f, o, c, m) in enumerate(rows)
    ]
    state = scoring_state(players, final_epoch)
    start = tuple(before[: len(rows)])
    scored = Scored(state.epoch, start, tuple(row(p) for p in players))
    for seat, gain in enumerate(scoring.epoch_gains(state)):
        lines = scoring.epoch_lines(scored, seat, state.suns_up)
        assert start[seat] + sum(line.points for line in lines) == max(0, start[seat] + gain)
