"""Everything that is stored about finished games: ladders of clubs and seasons, sums of people, records, effects, calibration."""

from __future__ import annotations

import itertools
import secrets
from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from games.registry import GAMES
from portal.clubs.models import Club, Season
from portal.contests.league_table import game_points
from portal.contests.models import Entrant, League, Pairing, PairingSeat
from portal.ratings import books, formula, recount, services
from portal.ratings.models import Calibration, ClubRecord, Ladder, Meeting, RankBucket, Rating, RatingChange, RatingClock, SeatEffect, Tally
from tests.portal.ratings.games import NEW_YEAR, finished, person

pytestmark = pytest.mark.django_db


def club(name="Enlil"):
    return Club.objects.create(slug=name.lower(), name=name, link_code=secrets.token_hex(8))


def season(of, name="Spring", *, starts=0, ends=1000, after=0, **values):
    return Season.objects.create(
        club=of,
        name=name,
        starts_at=NEW_YEAR + timedelta(minutes=starts),
        ends_at=NEW_YEAR + timedelta(minutes=ends),
        after_number=after,
        **values,
    )


def agree():
    assert recount.check()[1] == []


def test_a_club_game_moves_the_ladders_of_site_club_and_season():
    enlil = club()
    spring = season(enlil)
    finished(1, [("ann", 1), ("ben", 2)], club=enlil)
    services.apply_pending()
    keys = set(Ladder.objects.values_list("key", flat=True))
    c, s = enlil.pk, spring.pk
    assert keys == {"people/ra", "people/", f"people/ra/club/{c}", f"people//club/{c}", f"people/ra/season/{s}", f"people//season/{s}"}
    assert Rating.objects.filter(user=person("ann"), games=1, wins=1).count() == 6
    assert RatingChange.objects.count() == 4  # the game's ladders of site and club
    agree()


def test_a_season_counts_from_its_start_to_its_end_and_not_after_it_is_frozen():
    enlil = club()
    only_babel = season(enlil, "Babel", game="babel")
    spring = season(enlil, starts=2, ends=5, after=1)
    frozen = season(enlil, "Frozen", ends=100, frozen_number=3)
    for number in range(1, 7):
        finished(number, [("ann", 1), ("ben", 2)], club=enlil)
    finished(7, [("ann", 1), ("ben", 2)], club=club("Nisaba"))
    services.apply_pending()

    def games(of):
        return Rating.objects.filter(ladder__key=f"people/ra/season/{of.pk}", user=person("ann")).values_list("games", flat=True).first()

    assert (games(spring), games(frozen), games(only_babel)) == (3, 3, None)  # minutes 2, 3, 4; numbers 1, 2, 3
    agree()


def test_a_season_counts_the_first_number_after_it_was_made():
    """Whatever the clocks say."""
    enlil = club()
    made_after_two = season(enlil, after=2)
    for number in range(1, 5):
        finished(number, [("ann", 1), ("ben", 2)], club=enlil)
    services.apply_pending()
    assert Rating.objects.get(ladder__key=f"people/ra/season/{made_after_two.pk}", user=person("ann")).games == 2
    agree()


def test_what_is_not_rated_changes_no_standing():
    finished(1, [("ann", 1), ("ben", 2)], is_rated=False)
    finished(2, [("ann", 1), ("ben", 2)], position={"format": "x"})
    finished(3, [("scribe", 1), ("scribe", 2)])
    assert services.apply_pending() == 3
    assert not any(model.objects.exists() for model in (Ladder, Rating, RatingChange, Tally, Meeting, SeatEffect, Calibration, ClubRecord))
    agree()


def test_sums_of_a_person_are_kept_by_seat_and_size():
    finished(1, [("ann", 1), ("ben", 2), ("cat", 3)], scores=[40, 30, 20])
    finished(2, [("ann", 2), ("ben", 1), ("cat", 2)], scores=[25, 30, 25])
    last = finished(3, [("ben", 1), ("ann", 2)], scores=[90, 50])
    services.apply_pending()
    three = Tally.objects.get(user=person("ann"), seats=3)
    assert (three.seat, three.games, three.wins, three.places[:3], three.score_sum, three.best_score) == (0, 2, 1.0, [1, 1, 0], 65, 40)
    two = Tally.objects.get(user=person("ann"), seats=2)
    assert (two.seat, two.places[:2], two.best_table_id) == (1, [0, 1], last.pk)
    low, high = sorted([person("ann").pk, person("ben").pk])
    meeting = Meeting.objects.get(low=low, high=high)
    ahead = (meeting.low_ahead, meeting.high_ahead) if low == person("ann").pk else (meeting.high_ahead, meeting.low_ahead)
    assert (meeting.games, ahead) == (3, (1, 2))
    assert Meeting.objects.get(low=min(person("ann").pk, person("cat").pk), high=max(person("ann").pk, person("cat").pk)).games == 2
    agree()


def test_a_best_score_stays_with_the_game_that_reached_it_first():
    best = finished(1, [("ann", 1), ("ben", 2)], scores=[40, 30])
    finished(2, [("ann", 1), ("ben", 2)], scores=[40, 20])
    finished(3, [("ann", 1), ("ben", 2)], scores=[39, 30])
    services.apply_pending()
    row = Tally.objects.get(user=person("ann"))
    assert (row.best_score, row.best_table_id) == (40, best.pk)


def test_each_prediction_lies_in_its_tenth():
    """From 0 to 1, both ends included."""
    kept = books.Books()
    for chance in (0.0, 0.05, 0.1, 0.55, 0.9, 0.95, 1.0):
        books._note(kept, "ra", "people", "win", chance, 1.0, 0.25)
    assert {key[3]: (row.cases, row.real, row.variance) for key, row in kept.calibrations.items()} == {
        0: (2, 2.0, 0.5),
        1: (1, 1.0, 0.25),
        5: (1, 1.0, 0.25),
        9: (3, 3.0, 0.75),
    }


def test_who_left_is_last_without_a_score_and_the_game_is_no_evidence():
    enlil = club()
    finished(1, [("ann", 1), ("ben", 2), ("cat", 3)], left=[0], scores=[99, 30, 20], club=enlil)
    services.apply_pending()
    tally = Tally.objects.get(user=person("ann"))
    assert (tally.places[:3], tally.left, tally.score_games, tally.best_score) == ([0, 0, 1], 1, 0, None)
    assert not SeatEffect.objects.exists() and not Calibration.objects.exists() and not ClubRecord.objects.exists()
    agree()


def test_records_of_a_club_stay_with_who_was_first():
    enlil = club()
    close = finished(1, [("ann", 1), ("ben", 2)], scores=[40, 30], club=enlil)
    first = finished(2, [("ann", 2), ("ben", 1)], scores=[20, 55], club=enlil)
    finished(3, [("ann", 1), ("ben", 2)], scores=[55, 45], club=enlil)
    finished(4, [("ann", 1), ("scribe", 2)], scores=[50, 50], club=enlil)
    services.apply_pending()
    records = {row.kind: row for row in ClubRecord.objects.filter(club=enlil, game="ra", seats=2)}
    assert (records["highest"].value, records["highest"].user, records["highest"].table_id) == (55, person("ben"), first.pk)
    assert (records["closest"].value, records["closest"].user, records["widest"].value) == (10, person("ann"), 35)
    assert (records["closest"].table_id, records["widest"].table_id) == (close.pk, first.pk)
    agree()


def test_effects_and_calibration_compare_with_what_the_ratings_predicted():
    finished(1, [("ann", 1), ("ben", 2), ("cat", 2)], scores=[40, 30, 30])
    services.apply_pending()
    first = SeatEffect.objects.get(seat=0)
    assert (first.games, first.wins, first.place_sum, first.score_sum) == (1, 1.0, 1, 40)
    assert first.expected == pytest.approx(1 / 3)
    assert first.variance == pytest.approx(2 / 9)
    kinds = {row.kind: row for row in Calibration.objects.all()}
    assert (kinds["win"].tenth, kinds["win"].cases, kinds["win"].real) == (3, 3, 1.0)
    assert (kinds["ahead"].tenth, kinds["ahead"].cases, kinds["ahead"].real) == (5, 3, 2.5)  # ann twice, and half of a tie
    assert (kinds["place"].cases, kinds["place"].real) == (3, 0 + 0.75 + 0.75)
    agree()


def test_predictions_follow_the_strengths():
    strong, weak = (30.0, 2.0), (20.0, 2.0)
    assert sum(formula.chances([strong, weak, weak])) == pytest.approx(1)
    assert formula.chances([strong, weak])[0] > 0.8
    assert sum(formula.expected_places([strong, weak, weak])) == pytest.approx(6)
    assert formula.expected_places([weak, weak]) == [1.5, 1.5]


def test_points_of_a_league_are_written_with_the_result():
    league = League.objects.create(season=season(club()), name="L", game="ra", form="rounds", seats=3, rounds=1)
    entrants = [Entrant.objects.create(league=league, number=n, name=f"e{n}") for n in range(3)]
    table = finished(1, [("ann", 1), ("ben", 1), ("cat", 3)], scores=[40, 40, 12])
    pairing = Pairing.objects.create(league=league, round=1, number=1, deadline=NEW_YEAR, table=table)
    PairingSeat.objects.bulk_create(PairingSeat(pairing=pairing, entrant=entrant, seat=n) for n, entrant in enumerate(entrants))
    services.apply_pending()
    assert list(PairingSeat.objects.values_list("place", "points", "score")) == [(1, 1.5, 40), (1, 1.5, 40), (3, 0.0, 12)]
    agree()
    PairingSeat.objects.filter(seat=2).update(points=5)
    assert len(recount.check()[1]) == 1
    recount.rebuild()
    agree()


@given(st.lists(st.integers(1, 4), min_size=1, max_size=8))
def test_the_points_of_a_table_always_add_up(ranks):
    places = [1 + sum(other < rank for other in ranks) for rank in ranks]
    points = game_points(places)
    assert sum(points) == pytest.approx(len(ranks) * (len(ranks) - 1) / 2)
    assert all((a >= b) == (p <= q) for a, p in zip(points, places, strict=True) for b, q in zip(points, places, strict=True))


def test_buckets_count_every_rating_of_a_ladder():
    for number in range(1, 40):
        names = [f"p{(number * k) % 11}" for k in (1, 2, 3)]
        finished(number, [(name, place) for place, name in enumerate(dict.fromkeys(names), start=1)])
    services.apply_pending()
    for ladder in Ladder.objects.all():
        rows = [formula.bucket_of(row.order_value) for row in ladder.ratings.all()]
        kept = {bucket.bucket: bucket.ratings for bucket in RankBucket.objects.filter(ladder=ladder, ratings__gt=0)}
        assert kept == {bucket: rows.count(bucket) for bucket in rows}
        assert ladder.players == len(rows)


def test_a_recount_of_one_ladder_mends_that_one_alone():
    for number in range(1, 12):
        finished(number, [("ann", 1 + number % 2), ("ben", 2 - number % 2)], game="ra" if number % 3 else "babel")
    services.apply_pending()
    Rating.objects.update(mu=3)
    RatingChange.objects.filter(rating__ladder__key="people/ra").delete()
    recount.rebuild(only="people/ra")
    wrong = recount.check()[1]
    assert wrong and not any("'people/ra'" in line for line in wrong)
    recount.rebuild()
    agree()


def test_a_recount_of_one_ladder_leaves_waiting_games_to_the_worker_and_one_of_all_takes_them():
    for number in range(1, 4):
        finished(number, [("ann", 1), ("ben", 2)])
    services.apply_pending()
    for number in range(4, 6):
        finished(number, [("ann", 1), ("ben", 2)])

    def games():
        return Rating.objects.get(ladder__key="people/ra", user=person("ann")).games, RatingClock.objects.get().applied_up_to

    recount.rebuild(only="people/ra")
    assert games() == (3, 3)
    assert services.apply_pending() == 2
    agree()
    finished(6, [("ann", 1), ("ben", 2)])
    recount.rebuild()
    assert games() == (6, 6)
    assert services.apply_pending() == 0
    agree()


@pytest.mark.parametrize("batch", [200, 7])
def test_the_trend_holds_the_last_ten_games_however_many_there_were(monkeypatch, batch):
    """Lines in memory forget games now and then; the stored rows do not depend on when."""
    monkeypatch.setattr(books, "MANY", 12)
    monkeypatch.setattr(services, "BATCH", batch)
    for number in range(1, 31):
        finished(number, [("ann", 1 + number % 2), ("ben", 2 - number % 2)])
    assert services.apply_pending() == 30
    row = Rating.objects.get(ladder__key="people/ra", user=person("ann"))
    last = reversed(row.changes.order_by("-number").values_list("mu_after", flat=True)[:10])
    assert row.trend == [formula.points(mu) for mu in last]
    agree()
    recount.rebuild()
    assert Rating.objects.get(ladder__key="people/ra", user=person("ann")).trend == row.trend


def test_the_standings_can_be_held_still():
    finished(1, [("ann", 1), ("ben", 2)])
    with services.standings_locked() as clock:
        assert clock.applied_up_to == 1
        finished(2, [("ann", 2), ("ben", 1)])
    assert RatingClock.objects.get().applied_up_to == 1
    assert services.apply_pending() == 1


def test_what_ends_before_the_lock_is_had_is_in_what_is_held_still(monkeypatch):
    """However many games there are: a freeze counts all that have ended."""
    monkeypatch.setattr(services, "apply_pending", lambda: 0)
    monkeypatch.setattr(services, "BATCH", 2)
    for number in range(1, 6):
        finished(number, [("ann", 1), ("ben", 2)])
    with services.standings_locked() as clock:
        assert clock.applied_up_to == 5
    assert Rating.objects.get(ladder__key="people/ra", user=person("ann")).games == 5


# Any order of finishing and of tasks

PEOPLE = ("ann", "ben", "cat", "dan", "scribe", "apprentice")


@st.composite
def histories(draw):
    """Lists of steps: a finished game, or an integer, the number of runs of the task in a row."""
    steps = []
    for _ in range(draw(st.integers(1, 9))):
        if draw(st.booleans()):
            seats = draw(st.lists(st.sampled_from(PEOPLE), min_size=2, max_size=5))
            people = [name for name in seats if name not in ("scribe", "apprentice")]
            if len(people) == len(set(people)):
                ranks = draw(st.lists(st.integers(1, len(seats)), min_size=len(seats), max_size=len(seats)))
                places = [1 + sum(other < rank for other in ranks) for rank in ranks]
                leaver = draw(st.none() | st.sampled_from([i for i, name in enumerate(seats) if name in people] or [None]))
                steps.append((list(zip(seats, places, strict=True)), leaver, draw(st.sampled_from(tuple(GAMES))), draw(st.integers(0, 2))))
        else:
            steps.append(draw(st.integers(1, 3)))
    return steps


@settings(max_examples=25, deadline=None)
@given(histories())
def test_late_repeated_and_bunched_tasks_apply_each_game_once_in_the_order_of_its_number(steps):
    """Games may end while no task runs, and tasks may run many times: the standings always equal those of a recount."""
    with transaction.atomic():
        enlil = club()
        season(enlil)
        clubs = [None, None, enlil]
        number = 0
        for step in steps:
            if isinstance(step, int):
                for _ in range(step):
                    services.apply_pending()
                assert RatingClock.objects.get().applied_up_to == number
            else:
                seats, leaver, game, where = step
                number += 1
                finished(number, seats, left=() if leaver is None else (leaver,), game=game, club=clubs[where])
        services.apply_pending()
        seen = RatingChange.objects.filter(rating__ladder__club=None).values_list("number", "rating_id")
        assert len(set(seen)) == len(seen)
        for rating in Rating.objects.filter(ladder__club=None).exclude(ladder__game=""):
            line = list(rating.changes.order_by("number"))
            assert len(line) == rating.games
            assert all(a.mu_after == b.mu_before and a.sigma_after == b.sigma_before for a, b in itertools.pairwise(line))
            assert (line[-1].mu_after, line[-1].sigma_after) == (rating.mu, rating.sigma)
        agree()
        stored = set(Rating.objects.values_list("ladder__key", "user_id", "bot_level", "mu", "sigma", "games", "wins", "order_value"))
        recount.rebuild()
        assert (
            set(Rating.objects.values_list("ladder__key", "user_id", "bot_level", "mu", "sigma", "games", "wins", "order_value")) == stored
        )
        agree()
        transaction.set_rollback(True)


def test_a_check_names_every_change_that_is_not_what_the_games_give():
    for number in range(1, 4):
        finished(number, [("ann", 1), ("ben", 2)])
    services.apply_pending()
    RatingChange.objects.filter(number=1, place=1).update(mu_after=30.0)
    RatingChange.objects.filter(number=3, place=2).delete()
    lines = recount.check()[1]
    assert [line.split(":")[0].split()[0] for line in lines] == ["change", "change", "changes"]
    assert "by game 1: stored" in lines[0] and "by game 3: is missing" in lines[1]


DAMAGES = {
    "bucket people/ra": lambda: RankBucket.objects.filter(ladder__key="people/ra").order_by("pk")[:1][0].delete(),
    "ladder people/ra: stored 7 players, reckoned 2": lambda: Ladder.objects.filter(key="people/ra").update(players=7),
    "rating ('people/ra'": lambda: Rating.objects.filter(ladder__key="people/ra", wins=1).update(order_value=3),
    "tally (": lambda: Tally.objects.filter(seat=1).delete(),
    "meeting (": lambda: Meeting.objects.create(low=person("ann"), high=person("zoe"), game="ra"),
    "seat effect ('ra', 'people', 2, 0): stored wins 9.0": lambda: SeatEffect.objects.filter(seat=0).update(wins=9),
    "calibration ('ra', 'people', 'place'": lambda: Calibration.objects.filter(kind="place").update(real=7),
    "record (": lambda: ClubRecord.objects.filter(kind="widest").update(value=99),
}


@pytest.mark.parametrize("line", DAMAGES)
def test_a_check_finds_each_kind_of_damage_and_a_recount_mends_it(line):
    finished(1, [("ann", 1), ("ben", 2)], club=club())
    services.apply_pending()
    agree()
    DAMAGES[line]()
    found = recount.check()[1]
    assert len(found) == 1, found
    assert found[0].startswith(line)
    recount.rebuild()
    agree()


def test_a_win_goes_to_the_best_of_those_who_stayed():
    finished(1, [("ann", 1), ("ben", 2), ("cat", 3)], left=[0])
    finished(2, [("ann", 1), ("ben", 2), ("scribe", 3)], left=[0, 1])
    finished(3, [("ann", 1), ("ben", 2)], left=[0, 1])
    services.apply_pending()

    def row(name, key):
        found = Rating.objects.get(ladder__key=key, user=person(name) if name != "scribe" else None)
        return found.games, found.wins, found.place_sum

    assert [row(name, "people/ra") for name in ("ann", "ben", "cat")] == [(1, 0, 3), (1, 1, 1), (1, 0, 2)]
    assert [row(name, "bots/ra") for name in ("ann", "ben", "scribe")] == [(1, 0, 3), (1, 0, 3), (1, 1, 1)]
    agree()
