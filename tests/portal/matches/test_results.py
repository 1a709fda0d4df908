"""What a match says of its players: shared wins, places, seats, and the intervals of the ladder of levels."""

from datetime import UTC, datetime

import pytest

from games.core.ladder import interval
from games.core.simulate import wilson
from portal.matches.models import Game, Match
from portal.matches.results import lines

AT = datetime(2026, 11, 28, tzinfo=UTC)


def games(*places, scores=(30, 20)):
    return [
        Game(number=number, places=list(here), scores=list(scores), left=[False] * len(here), ended_at=AT)
        for number, here in enumerate(places)
    ]


def test_nothing_is_known_before_the_first_game():
    found = lines(Match(seats=2, is_paired=True), [Game(number=0, places=[], ended_at=AT)])
    assert [(line.games, line.wins, line.win_rate, line.low, line.high, line.mean_score) for line in found] == [
        (0, 0, None, 0, 1, None)
    ] * 2


def test_ties_share_the_win_and_seats_rotate():
    first, second = lines(Match(seats=2, is_paired=False), games((1, 2), (1, 1), (2, 1)))
    assert (first.games, first.wins, second.wins) == (3, 1.5, 1.5)
    assert (first.mean_place, second.mean_place) == (4 / 3, 4 / 3)
    assert (first.mean_score, second.mean_score) == (30, 20)
    assert [(at.seat, at.games, at.wins) for at in first.by_seat] == [(0, 2, 1), (1, 1, 0.5)]
    assert [(at.seat, at.games, at.wins) for at in second.by_seat] == [(0, 1, 0.5), (1, 2, 1)]


@pytest.mark.parametrize("is_paired", [False, True])
def test_intervals_are_those_of_the_ladder_by_deals(is_paired):
    played = games(*[(1, 2), (2, 1)] * 20, *[(1, 2), (1, 2)] * 10)
    first, _ = lines(Match(seats=2, is_paired=is_paired), played)
    deals = [[1.0, 0.0]] * 20 + [[1.0, 1.0]] * 10
    alone = [[win] for deal in deals for win in deal]
    assert (first.low, first.high) == interval(deals if is_paired else alone)
    assert (first.low, first.high) != interval(alone if is_paired else deals)
    assert first.wins == 40


def test_a_deal_without_all_its_results_is_left_out_of_the_interval():
    played = games((1, 2), (2, 1), (1, 2))
    first, _ = lines(Match(seats=2, is_paired=True), played)
    assert (first.games, first.wins) == (3, 2)
    assert (first.low, first.high) == interval([[1.0, 0.0]])
    (only,) = games((1, 2))
    first, _ = lines(Match(seats=2, is_paired=True), [only])
    assert (first.low, first.high) == pytest.approx(wilson(1, 1))
