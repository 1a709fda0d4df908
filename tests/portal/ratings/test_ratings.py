"""Ratings are applied exactly once, in order, and can be recalculated bit for bit."""

from __future__ import annotations

import itertools
import json
from io import StringIO

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from portal.ratings import formula, services
from portal.ratings.models import Rating, RatingChange, RatingClock
from tests.portal.ratings.games import finished, person

pytestmark = pytest.mark.django_db


def ratings(key="people/ra"):
    return Rating.objects.filter(ladder__key=key)


def rating(name, key="people/ra"):
    return ratings(key).get(user=person(name))


def test_places_move_ratings_apart_and_ties_keep_them_together():
    finished(1, [("ann", 1), ("ben", 2), ("cat", 2)])
    services.apply_pending()
    ann, ben, cat = (rating(name) for name in ("ann", "ben", "cat"))
    assert ann.mu > formula.MU > ben.mu
    assert (ben.mu, ben.sigma) == (cat.mu, cat.sigma)
    assert ann.sigma < formula.SIGMA
    assert (ann.games, ann.wins, ben.wins) == (1, 1.0, 0.0)
    assert ann.order_value == pytest.approx(ann.mu - 2 * ann.sigma)


def test_a_shared_win_is_shared():
    finished(1, [("ann", 1), ("ben", 1), ("cat", 3)])
    services.apply_pending()
    assert sorted(ratings().values_list("wins", flat=True)) == [0.0, 0.5, 0.5]


def test_games_with_bots_are_kept_apart_and_rate_the_bots():
    finished(1, [("ann", 1), ("ben", 2)])
    finished(2, [("ann", 3), ("scribe", 1), ("scribe", 2)])
    services.apply_pending()
    assert set(ratings().values_list("user__username", flat=True)) == {"ann", "ben"}
    bots = ratings("bots/ra")
    assert set(bots.values_list("user__username", "bot_level")) == {("ann", ""), (None, "scribe")}
    assert bots.get(bot_level="scribe").games == 1
    assert rating("ann").mu > formula.MU > bots.get(user=person("ann")).mu


def test_a_result_is_applied_once_however_often_the_task_runs():
    finished(1, [("ann", 1), ("ben", 2)])
    assert [services.apply_pending() for _ in range(3)] == [1, 0, 0]
    assert RatingChange.objects.count() == 2
    assert RatingClock.objects.get().applied_up_to == 1


def test_results_are_applied_in_the_order_of_finish_numbers():
    finished(2, [("ann", 2), ("ben", 1)])
    finished(1, [("ann", 1), ("cat", 2)])
    services.apply_pending()
    first = RatingChange.objects.get(rating__user=person("ann"), table__finish_number=1)
    second = RatingChange.objects.get(rating__user=person("ann"), table__finish_number=2)
    assert (first.mu_before, first.sigma_before) == (formula.MU, formula.SIGMA)
    assert (second.mu_before, second.sigma_before) == (first.mu_after, first.sigma_after)


def test_who_leaves_is_last_and_the_bot_that_took_over_is_not_rated():
    finished(1, [("ann", 1), ("ben", 2), ("cat", 3)], left=[0])
    services.apply_pending()
    assert rating("ann").mu < formula.MU
    assert not Rating.objects.filter(user=None).exists()
    assert set(Rating.objects.values_list("ladder__key", flat=True)) == {"people/ra", "people/"}


def test_bots_of_one_level_among_themselves_change_nothing():
    finished(1, [("scribe", 1), ("scribe", 2)])
    assert services.apply_pending() == 1
    assert not Rating.objects.exists()


def test_a_rebuild_agrees_row_for_row_and_repairs_what_was_damaged():
    for number in range(1, 30):
        names = ["ann", "ben", "cat", "scribe"][: 2 + number % 3]
        finished(number, [(name, 1 + (index + number) % len(names)) for index, name in enumerate(names)])
    services.apply_pending()

    def rebuild(*args):
        out = StringIO()
        try:
            call_command("rebuild_standings", "--json", *args, stdout=out)
            code = 0
        except SystemExit as stop:
            code = stop.code
        return code, json.loads(out.getvalue())

    code, figures = rebuild("--check")
    assert (code, figures["games"], figures["differences"]) == (0, 29, [])
    before = list(
        Rating.objects.order_by("ladder__key", "user_id", "bot_level").values_list(
            "ladder__key", "user_id", "bot_level", "mu", "sigma", "games", "wins"
        )
    )
    changes = set(RatingChange.objects.values_list("table_id", "place", "mu_before", "mu_after", "sigma_after"))
    Rating.objects.filter(user=person("ann")).update(mu=40)
    code, figures = rebuild("--check")
    assert code == 1
    assert len(figures["differences"]) == 4  # both pools, the game and all games
    assert rebuild()[0] == 0
    after = list(
        Rating.objects.order_by("ladder__key", "user_id", "bot_level").values_list(
            "ladder__key", "user_id", "bot_level", "mu", "sigma", "games", "wins"
        )
    )
    assert after == before
    assert set(RatingChange.objects.values_list("table_id", "place", "mu_before", "mu_after", "sigma_after")) == changes
    assert RatingClock.objects.get().applied_up_to == 29
    assert services.apply_pending() == 0


def test_people_see_points_with_their_uncertainty():
    assert formula.shown(formula.MU, formula.SIGMA) == (1500, 667)


def test_a_bucket_holds_a_quarter_from_its_lower_edge_on():
    assert [formula.bucket_of(value) for value in (-0.26, -0.25, -0.01, 0.0, 0.24, 0.25, 1.0)] == [-2, -1, -1, 0, 0, 1, 4]


def test_a_shared_first_place_is_part_of_a_win():
    assert [formula.shared_win(place, [1, 1, 3]) for place in (1, 1, 3)] == [0.5, 0.5, 0]
    assert formula.shared_win(1, [2, 1]) == 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_who_was_equal_and_shares_a_place_stays_equal_to_the_last_bit(seats):
    """Otherwise they would not share their rank."""
    for ranks in itertools.product(range(seats), repeat=seats):
        places = [1 + sum(other < rank for other in ranks) for rank in ranks]
        after = formula.rated([(formula.MU, formula.SIGMA)] * seats, places)
        assert len(set(after)) == len(set(zip(places, after, strict=True))) == len(set(places))


STRENGTH = st.tuples(st.floats(-20, 70), st.floats(0.3, formula.SIGMA))


@given(st.lists(st.tuples(STRENGTH, st.integers(1, 6)), min_size=2, max_size=6))
def test_a_game_moves_ratings_as_the_library_says(seats):
    strengths = {index: strength for index, (strength, _) in enumerate(seats)}
    places = [1 + sum(other < rank for _, other in seats) for _, rank in seats]
    model = PlackettLuce(mu=formula.MU, sigma=formula.SIGMA, beta=formula.BETA)
    wanted = model.rate([[model.rating(mu=mu, sigma=sigma)] for mu, sigma in strengths.values()], ranks=[float(place) for place in places])
    found = formula.rated(list(strengths.values()), places)
    for index, team in enumerate(wanted):
        assert found[index] == pytest.approx((team[0].mu, team[0].sigma), abs=1e-11)
