"""Pairings: round robins, and rounds at tables of any size."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.contests.pairings import (
    MOST_ENTRANTS,
    MOST_ROUNDS,
    default_rounds,
    fair_rounds,
    resting,
    round_robin,
    rounds_of_tables,
)

seeds = st.text(max_size=8)
entrants_at_two = st.integers(2, MOST_ENTRANTS)


@st.composite
def leagues(draw):
    seats = draw(st.integers(2, 6))
    entrants = draw(st.integers(seats, MOST_ENTRANTS))
    return entrants, seats, draw(st.integers(1, 20))


def meetings(rounds):
    return Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


def check(rounds, entrants, seats):
    """Everybody plays exactly once per round or rests; rests, games and seats are equal within one."""
    rests, games, places = Counter(), Counter(), Counter()
    for tables in rounds:
        playing = [entrant for table in tables for entrant in table]
        out = resting(tables, entrants)
        assert sorted(playing + out) == list(range(entrants))
        assert all(len(table) == seats for table in tables)
        assert len(out) == entrants % seats
        rests.update(out)
        games.update(playing)
        places.update((entrant, seat) for table in tables for seat, entrant in enumerate(table))
    for counts in (rests, games, *({seat: places[entrant, seat] for seat in range(seats)} for entrant in range(entrants))):
        of_all = [counts[key] for key in (range(entrants) if counts is rests or counts is games else range(seats))]
        assert max(of_all) - min(of_all) <= 1


@settings(max_examples=30, deadline=None)
@given(entrants_at_two, st.booleans(), seeds)
def test_in_a_round_robin_each_meets_each_once_or_twice_with_balanced_seats(entrants, twice, seed):
    rounds = round_robin(entrants, twice=twice, seed=seed)
    check(rounds, entrants, 2)
    legs = 2 if twice else 1
    assert len(rounds) == legs * (entrants - 1 + entrants % 2)
    assert meetings(rounds) == {frozenset(pair): legs for pair in combinations(range(entrants), 2)}
    if twice:
        seated = Counter(table for tables in rounds for table in tables)
        assert set(seated.values()) == {1}, "the second meeting changes the seats"


@settings(max_examples=30, deadline=None)
@given(leagues(), seeds)
def test_rounds_of_tables_are_whole_and_even(league, seed):
    entrants, seats, count = league
    rounds = rounds_of_tables(entrants, seats, count, seed=seed)
    assert len(rounds) == count
    check(rounds, entrants, seats)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 6).flatmap(lambda seats: st.tuples(st.integers(seats, MOST_ENTRANTS), st.just(seats))), seeds)
def test_after_a_fair_number_of_rounds_everybody_has_played_equally_often(league, seed):
    entrants, seats = league
    number = fair_rounds(entrants, seats)[0]
    games = Counter(entrant for tables in rounds_of_tables(entrants, seats, number, seed=seed) for table in tables for entrant in table)
    assert len(set(games.values())) == 1
    assert len(games) == entrants


@settings(max_examples=10, deadline=None)
@given(leagues(), seeds)
def test_the_same_seed_gives_the_same_draw(league, seed):
    assert rounds_of_tables(*league, seed=seed) == rounds_of_tables(*league, seed=seed)
    assert round_robin(league[0], seed=seed) == round_robin(league[0], seed=seed)


def test_another_seed_gives_another_draw():
    assert len({str(rounds_of_tables(8, 4, 4, seed=seed)) for seed in range(6)}) == 6
    assert len({str(round_robin(8, seed=seed)) for seed in range(6)}) == 6


@pytest.mark.parametrize(("entrants", "seats", "rounds", "fewest", "most"), [(9, 3, 4, 1, 1), (16, 4, 5, 1, 1), (7, 4, 7, 2, 2)])
def test_known_designs_are_found(entrants, seats, rounds, fewest, most):
    """Nine at tables of three, sixteen at four: everybody meets everybody once; seven at four, three resting: twice."""
    met = meetings(rounds_of_tables(entrants, seats, rounds, seed=1))
    counts = [met[frozenset(pair)] for pair in combinations(range(entrants), 2)]
    assert (min(counts), max(counts)) == (fewest, most)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("entrants", [13, 20, 32])
def test_meetings_are_far_more_even_than_by_lot(entrants, seats):
    rounds = default_rounds(entrants, seats)
    met = meetings(rounds_of_tables(entrants, seats, rounds, seed=3))
    counts = [met[frozenset(pair)] for pair in combinations(range(entrants), 2)]
    mean = sum(counts) / len(counts)
    variance = sum((count - mean) ** 2 for count in counts) / len(counts)
    assert variance < 0.5 * mean, "by lot it is nearly the mean"


def test_two_at_a_table_meet_again_only_after_everybody_has_met():
    assert set(meetings(rounds_of_tables(8, 2, 7)).values()) == {1}
    assert set(meetings(rounds_of_tables(9, 2, 5)).values()) == {1}
    assert set(meetings(rounds_of_tables(6, 2, 10)).values()) == {2}


@pytest.mark.parametrize(
    ("entrants", "seats", "first", "default"),
    [
        (8, 4, [1, 2, 3], 3),
        (6, 4, [3, 6, 9], 3),
        (7, 4, [7, 14, 21], 7),
        (5, 3, [5, 10, 15], 5),
        (4, 4, [1, 2, 3], 1),
        (10, 4, [5, 10, 15], 5),
    ],
)
def test_fair_numbers_of_rounds(entrants, seats, first, default):
    assert fair_rounds(entrants, seats)[:3] == first
    assert default_rounds(entrants, seats) == default


def test_there_is_a_fair_number_for_every_size():
    for seats in range(2, 7):
        for entrants in range(seats, MOST_ENTRANTS + 1):
            numbers = fair_rounds(entrants, seats)
            assert default_rounds(entrants, seats) in numbers
            assert all(number * (entrants % seats) % entrants == 0 and number <= MOST_ROUNDS for number in numbers)


@pytest.mark.parametrize(("entrants", "seats"), [(1, 2), (2, 3), (MOST_ENTRANTS + 1, 2), (500, 4), (4, 1), (0, 0)])
def test_impossible_sizes_are_refused(entrants, seats):
    with pytest.raises(ValueError, match="entrants"):
        rounds_of_tables(entrants, seats, 3)
    with pytest.raises(ValueError, match="entrants"):
        fair_rounds(entrants, seats)


@pytest.mark.parametrize("rounds", [0, -1, MOST_ROUNDS + 1])
def test_impossible_numbers_of_rounds_are_refused(rounds):
    with pytest.raises(ValueError, match="rounds"):
        rounds_of_tables(6, 3, rounds)
