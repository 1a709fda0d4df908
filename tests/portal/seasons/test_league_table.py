"""The table of a league: points, tie-breaks in their order, shared places."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.contests.league_table import game_points, table_of

A, B, C, D, E, F, G = range(7)


def ranks(entrants, games):
    return [(line.rank, line.entrant) for line in table_of(entrants, games)]


def duel(winner, loser):
    return [(winner, 1), (loser, 2)]


def draw(one, other):
    return [(one, 1), (other, 1)]


def test_points_are_n_minus_the_place_and_ties_share():
    assert game_points([1, 2, 3, 4]) == [3, 2, 1, 0]
    assert game_points([2, 1]) == [0, 1]
    assert game_points([1, 1, 3]) == [1.5, 1.5, 0]
    assert game_points([1, 2, 2]) == [2, 0.5, 0.5]
    assert game_points([1, 1, 1]) == [1, 1, 1]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6))
def test_who_left_shares_the_last_place_and_the_points_add_up(places):
    """Whatever the places are: those of several who left need not be consecutive with the others'."""
    points = game_points(places)
    assert sum(points) == len(places) * (len(places) - 1) / 2
    assert min(points) >= 0


def test_most_points_lead_and_who_has_not_played_stands_last():
    assert ranks([A, B, C, D], [duel(A, B), duel(A, C), duel(B, C)]) == [(1, A), (2, B), (3, C), (4, D)]


def test_wins_come_first_among_equal_points():
    """One win and a last place, or twice second: both are two points at tables of three."""
    games = [[(A, 1), (C, 2), (D, 3)], [(C, 1), (D, 2), (A, 3)], [(E, 1), (B, 2), (F, 3)], [(F, 1), (B, 2), (E, 3)]]
    lines = {line.entrant: line for line in table_of([B, A, C, D, E, F], games)}
    assert (lines[A].points, lines[A].wins, lines[B].points, lines[B].wins) == (2, 1, 2, 0)
    assert lines[A].rank < lines[B].rank


def test_a_shared_first_place_is_part_of_a_win():
    lines = {line.entrant: line for line in table_of([A, B], [draw(A, B)])}
    assert (lines[A].wins, lines[A].points, lines[A].rank, lines[B].rank) == (0.5, 0.5, 1, 1)


def test_then_counts_what_they_gained_against_each_other():
    games = [duel(A, B), duel(B, C), duel(C, D), duel(A, D), duel(B, D), duel(C, A)]
    lines = {line.entrant: line for line in table_of([C, B, A, D], games)}
    assert {lines[one].points for one in (A, B, C)} == {2}
    assert {lines[one].direct for one in (A, B, C)} == {1}, "each beat one of the three"
    assert [lines[one].rank for one in (A, B, C, D)] == [1, 1, 1, 4]


def test_the_game_between_two_who_are_level_decides():
    games = [duel(A, B), duel(C, A), duel(B, D), duel(D, C), duel(C, E), duel(D, E)]
    lines = table_of([B, A, C, D, E], games)
    by = {line.entrant: line for line in lines}
    assert (by[A].points, by[B].points, by[A].direct, by[B].direct) == (1, 1, 1, 0)
    assert by[D].direct == 1 and by[C].direct == 0
    assert [line.entrant for line in lines] == [D, C, A, B, E]


def test_then_counts_what_the_opponents_have():
    """A and B won once each and did not meet; A's opponent has a point, B's has none."""
    games = [duel(A, C), duel(B, D), duel(C, E)]
    lines = {line.entrant: line for line in table_of([B, A, C, D, E], games)}
    assert (lines[A].opponents, lines[B].opponents) == (1, 0)
    assert lines[A].rank < lines[B].rank


def test_the_game_between_two_counts_more_than_their_opponents():
    """A beat B and lost to D, who has two points; B beat C, who has four."""
    games = [duel(A, B), duel(D, A), duel(D, E), duel(B, C), duel(C, D), duel(C, E), duel(C, F), duel(C, E)]
    lines = {line.entrant: line for line in table_of(range(6), games)}
    assert [(lines[one].points, lines[one].wins, lines[one].direct, lines[one].opponents) for one in (A, B)] == [(1, 1, 1, 3), (1, 1, 0, 5)]
    assert [lines[one].rank for one in (C, D, A, B, E, F)] == [1, 2, 3, 4, 5, 6]


def test_wins_count_more_than_the_games_between_those_who_are_level():
    """A, B and G have two points at tables of three. A has won once; B finished ahead of A and of G, without a win."""
    games = [[(A, 1), (C, 2), (D, 3)], [(E, 1), (B, 2), (A, 3)], [(F, 1), (B, 2), (G, 3)]]
    games += [[(E, 1), (G, 2), (D, 3)], [(F, 1), (G, 2), (D, 3)]]
    lines = table_of([G, B, A, C, D, E, F], games)
    by = {line.entrant: line for line in lines}
    assert [(by[one].points, by[one].wins, by[one].direct) for one in (A, B, G)] == [(2, 1, None), (2, 0, 1), (2, 0, 0)]
    assert [line.entrant for line in lines if line.points == 2] == [A, B, G]


def test_who_is_level_among_the_level_ones_goes_on_with_the_opponents():
    """A, B and C have two points. Among them A gained two, B and C one each; B beat C, but C's opponents have more."""
    games = [duel(A, B), duel(A, B), duel(B, C), duel(C, A), duel(B, D), duel(C, E), duel(E, F), duel(E, F), duel(E, F)]
    lines = table_of(range(6), games)
    by = {line.entrant: line for line in lines}
    assert [(by[one].points, by[one].direct, by[one].opponents) for one in (A, B, C)] == [(2, 2, 6), (2, 1, 6), (2, 1, 7)]
    assert [(line.rank, line.entrant) for line in lines] == [(1, E), (2, A), (3, C), (4, B), (5, F), (6, D)]


def test_parts_of_wins_are_the_same_in_any_order():
    """Two wins and a third of one, or the third first: the sums differ in the last bit, the places do not."""
    alone, shared = [(C, 2), (D, 3)], [(C, 1), (D, 1)]
    games = [[(A, 1), *alone], [(A, 1), *alone], [(A, 1), *shared], [(B, 1), *shared], [(B, 1), *alone], [(B, 1), *alone]]
    lines = {line.entrant: line for line in table_of([A, B, C, D], games)}
    assert lines[A].wins != lines[B].wins
    assert lines[A].rank == lines[B].rank


def test_level_in_everything_shares_the_place_and_the_next_one_is_left_out():
    assert ranks([A, B, C], [draw(A, B), duel(A, C), duel(B, C)]) == [(1, A), (1, B), (3, C)]


def test_thirds_of_a_win_add_up():
    games = [[(A, 1), (B, 1), (C, 1)]] * 3 + [[(D, 1), (E, 2), (F, 3)], [(E, 1), (D, 2), (F, 3)]]
    lines = {line.entrant: line for line in table_of(range(6), games)}
    assert lines[A].wins == pytest.approx(1.0)
    assert (lines[A].points, lines[D].points) == (3, 3)
    assert lines[A].rank == lines[B].rank == lines[C].rank
    assert lines[A].direct is not None and lines[D].direct is not None, "a sum of thirds is level with a whole win"


def test_the_cross_table_adds_up_to_the_points():
    games = [list(zip(order, [1, 2, 3], strict=True)) for order in permutations([A, B, C])]
    for line in table_of([A, B, C], games):
        assert sum(line.against.values()) == line.points == 6
        assert line.met == {other: 6 for other in (A, B, C) if other != line.entrant}


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.permutations(range(6)).flatmap(
            lambda who: st.tuples(st.just(who[:4]), st.sampled_from([[1, 2, 3, 4], [1, 1, 3, 4], [1, 2, 2, 2]]))
        ),
        max_size=12,
    )
)
def test_ranks_are_dense_and_independent_of_the_order_of_the_games(drawn):
    games = [list(zip(who, places, strict=True)) for who, places in drawn]
    lines = table_of(range(6), games)
    assert lines[0].rank == 1
    for at, line in enumerate(lines):
        assert line.rank in (at + 1, lines[at - 1].rank)
    assert sum(line.points for line in lines) == 6 * len(games)
    again = table_of(range(6), list(reversed(games)))
    assert [(line.rank, line.entrant) for line in again] == [(line.rank, line.entrant) for line in lines]
