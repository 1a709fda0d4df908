"""The end of the game: assigning treasures, the weakest colour, places (tigris_euphrates#scoring)."""

from __future__ import annotations

from itertools import product

import pytest

from games.core.contract import SCORER, score_of
from games.core.rng import SeededRng
from games.tigris_euphrates.scoring import final_colours, places_of, spread_treasures
from tests.engine.tigris_euphrates.builders import act, data_of, drawn, event, game, legal, play, points, position
from tests.engine.tigris_euphrates.oracle import ways_to_share

COLOURS = ("black", "red", "blue", "green")


def at_the_end(rows, jokers, treasures="B2 P2", **fields):
    """Return a position before the scoring; `rows` are black, red, blue, green by seat."""
    named = [dict(zip(COLOURS, row, strict=True)) for row in rows]
    return position(len(rows), phase="scoring", ending="treasures", points=named, jokers=jokers, treasures=treasures, **fields)


# Treasures


@pytest.mark.rule("tigris_euphrates#scoring-1", "tigris_euphrates#treasures-6")
@pytest.mark.parametrize(
    ("totals", "treasures", "given"),
    [
        ((5, 9, 6, 7), 3, (2, 0, 1, 0)),
        ((0, 0, 0, 0), 4, (1, 1, 1, 1)),
        ((3, 3, 3, 3), 1, (1, 0, 0, 0)),
        ((1, 9, 9, 9), 5, (5, 0, 0, 0)),
        ((10, 0, 10, 0), 3, (0, 2, 0, 1)),
        ((4, 8, 6, 5), 0, (0, 0, 0, 0)),
    ],
)
def test_treasures_go_to_the_lowest_colours(totals, treasures, given):
    assert spread_treasures(totals, treasures) == given


@pytest.mark.rule("tigris_euphrates#scoring-5", "tigris_euphrates#scoring-1", "tigris_euphrates#readings-13")
def test_no_other_way_to_spread_the_treasures_gives_a_better_place():
    """Against all ways to assign them: colours compared from the weakest up."""
    for totals in product(range(4), repeat=4):
        for treasures in range(6):
            best = max(sorted(map(sum, zip(totals, way, strict=True))) for way in ways_to_share(treasures, 4))
            given = spread_treasures(totals, treasures)
            assert sum(given) == treasures
            assert sorted(map(sum, zip(totals, given, strict=True))) == best


# Places


@pytest.mark.rule("tigris_euphrates#scoring-2", "tigris_euphrates#scoring-3", "tigris_euphrates#scoring-1")
def test_the_example_of_four_players():
    """Weakest colours 11, 10, 10 and 9; the third weakest decides between lion (12) and bull (11); the most points come last."""
    rows = [(22, 6, 15, 14), (9, 10, 11, 14), (12, 11, 9, 10), (12, 9, 10, 13)]
    state = at_the_end(rows, [3, 1, 3, 1])
    assert [sorted(final_colours(state, seat)) for seat in range(4)] == [
        [9, 14, 15, 22],
        [10, 10, 11, 14],
        [11, 11, 11, 12],
        [10, 10, 12, 13],
    ]
    outcome = game.outcome(play(state, "score"))
    assert outcome.places == (4, 3, 1, 2)
    assert outcome.scores == (9, 10, 11, 10)
    assert outcome.total == "least"


@pytest.mark.rule("tigris_euphrates#scoring-2", "tigris_euphrates#overview-2")
def test_the_strongest_weakest_colour_wins_and_not_the_most_points():
    assert places_of([(2, 30, 30, 30), (3, 3, 3, 3)]) == (2, 1)


@pytest.mark.rule("tigris_euphrates#scoring-3")
@pytest.mark.parametrize(
    ("one", "other"),
    [((5, 7, 5, 5), (5, 6, 5, 5)), ((5, 5, 6, 5), (9, 5, 5, 5)), ((4, 6, 9, 9), (5, 4, 30, 30)), ((1, 2, 3, 5), (4, 3, 2, 1))],
)
def test_at_a_tie_the_next_weakest_colour_decides_and_so_on(one, other):
    better = sorted(one) > sorted(other)
    assert places_of([one, other]) == ((1, 2) if better else (2, 1))


@pytest.mark.rule("tigris_euphrates#scoring-4", "tigris_euphrates#readings-13")
def test_players_equal_in_all_colours_whichever_they_are_share_the_place():
    state = at_the_end([(3, 4, 5, 6), (6, 5, 4, 3), (9, 9, 9, 2), (1, 30, 30, 30)], [0, 0, 4, 4])
    outcome = game.outcome(play(state, "score"))
    assert outcome.scores == (3, 3, 6, 5)
    assert outcome.places == (3, 3, 1, 2)


@pytest.mark.rule("tigris_euphrates#scoring-4", "tigris_euphrates#scoring-3")
def test_every_place_is_decided_in_the_same_way():
    assert places_of([(9, 9, 9, 9), (1, 2, 3, 4), (4, 3, 2, 1), (1, 2, 3, 5)]) == (1, 3, 3, 2)
    assert places_of([(7, 7, 7, 7)] * 4) == (1, 1, 1, 1)


# Where points come from


@pytest.mark.rule("tigris_euphrates#scoring-2", "tigris_euphrates#scoring-1")
def test_the_derivation_names_the_source_of_every_point_by_colour():
    rows = {"black": [1, 0, 2, 3], "red": [4, 2, 0, 1], "blue": [0, 0, 0, 0], "green": [5, 0, 0, 0]}
    state = position(2, phase="scoring", ending="treasures", points=[rows, {}], jokers=[3, 5], treasures="B2 P2")
    outcome = game.outcome(play(state, "score"))
    rounds = dict(outcome.derivation[0])
    assert list(rounds) == ["black", "red", "blue", "green"]
    assert [(line.key, line.points) for line in rounds["black"]] == [("tiles", 1), ("wars", 2), ("monuments", 3)]
    assert [(line.key, line.points) for line in rounds["red"]] == [("tiles", 4), ("revolts", 2), ("monuments", 1)]
    assert [(line.key, line.points) for line in rounds["blue"]] == [("treasures", 3)]
    assert [(line.key, line.points) for line in rounds["green"]] == [("tiles", 5)]
    assert outcome.scores[0] == score_of(outcome, 0) == 3
    assert outcome.scores[1] == score_of(outcome, 1) == 1


@pytest.mark.rule("tigris_euphrates#tiles-6", "tigris_euphrates#revolts-4", "tigris_euphrates#wars-7", "tigris_euphrates#monuments-10")
def test_points_of_tiles_revolts_wars_and_monuments_are_kept_apart():
    def sources(state):
        return data_of(state)["points"][0]

    tile = play(position(leaders=["king C2"], hands=["settlement"]), "tile settlement D2")
    assert sources(tile) == {"black": 1}
    revolt = play(position(leaders=["", "king C2"], hands=["temple", ""]), "leader king B3", "support 1 temple", "support 0 temple")
    assert sources(revolt) == {"red": [0, 1, 0, 0]}
    war = drawn("E5", "k0 T . T k1", hands=["market, settlement", ""])
    war = play(war, "tile market G5", "support 1 settlement", "support 0 settlement")
    assert sources(war) == {"black": [0, 0, 1, 0]}
    income = play(position(built=[["black_red", "G5", "temple"]], tiles={"temple": "I5"}, leaders=["king J5"]), "pass")
    assert sources(income) == {"black": [0, 0, 0, 1]}


@pytest.mark.rule("tigris_euphrates#scoring-2", "tigris_euphrates#scoring-5")
def test_the_scorer_ends_the_game_and_tells_who_has_won():
    state = at_the_end([(3, 4, 5, 6), (6, 5, 4, 4)], [4, 4])
    assert game.outcome(state) is None
    assert game.actors(state) == (SCORER,)
    assert legal(state) == ["score"]
    state, events = act(state, "score")
    assert event(events, "game_ended").params == {"seats": [1], "seat": 1, "points": 5}
    assert points(state, 0) == {"black": 3, "red": 4, "blue": 5, "green": 6}  # treasures are not added to the colours
    outcome = game.outcome(state)
    assert (outcome.places, outcome.scores, outcome.reason) == ((2, 1), (5, 5), "treasures")


@pytest.mark.rule("tigris_euphrates#scoring-2")
def test_a_player_without_points_in_a_colour_has_none_in_the_end():
    state = at_the_end([(0, 40, 40, 40), (1, 1, 1, 1)], [0, 8])
    outcome = game.outcome(play(state, "score"))
    assert (outcome.places, outcome.scores) == ((2, 1), (0, 3))
    (line,) = dict(outcome.derivation[0])["black"]
    assert (line.key, line.points) == ("nothing", 0)


@pytest.mark.rule("tigris_euphrates#scoring-1", "tigris_euphrates#components-5")
def test_scores_of_random_games_follow_from_totals_and_treasures():
    for seed in range(20):
        state = game.setup(2 + seed % 3, {})
        game.playout_moves(state, SeededRng(seed))
        outcome = game.outcome(state)
        for seat in range(state.seats):
            colours = [points(state, seat).get(colour, 0) for colour in COLOURS]
            best = max(sorted(map(sum, zip(colours, way, strict=True))) for way in ways_to_share(state.jokers[seat], 4))
            assert outcome.scores[seat] == best[0] == score_of(outcome, seat)
