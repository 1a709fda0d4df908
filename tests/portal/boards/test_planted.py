"""An effect planted in thousands of generated games shows on the public pages."""

from __future__ import annotations

import html
import math
import random
import re
from collections import Counter

import pytest

from portal.ratings import services
from portal.ratings.books import Books, apply, ladder_key
from portal.ratings.formula import BETA, MU, bucket_of, order_value
from portal.ratings.models import Ladder, RankBucket, Rating
from portal.ratings.results import Result
from portal.ratings.statistics import Z
from tests.portal.boards.generator import NEW_YEAR, people, with_seat_effect, write

NUMBER = r"[+-]?\d+(?:\.\d+)?"


def rows_of(page: str) -> list[list[str]]:
    """Return the text of every row of the tables of a page."""
    rows = []
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", page, re.DOTALL):
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        rows.append([" ".join(html.unescape(re.sub(r"<[^>]+>", " ", cell)).split()) for cell in cells])
    return rows


def with_interval(cell: str) -> tuple[float, float, float]:
    value, low, high = re.fullmatch(rf"({NUMBER}) \(({NUMBER}) to ({NUMBER})\)", cell).groups()
    return float(value), float(low), float(high)


@pytest.fixture(autouse=True)
def _one_batch(monkeypatch):
    """The worker writes after every 200 games; once is enough here."""
    monkeypatch.setattr(services, "BATCH", 20_000)


@pytest.mark.django_db
def test_the_seat_page_finds_a_planted_advantage_and_no_other(client):
    planted = (8.0, -8.0, 0.0, 0.0)  # percentage points
    games = with_seat_effect(people(60), 10_000, [by / 100 for by in planted], seed=11)
    write(games)
    assert services.apply_pending() == 10_000
    page = client.get("/leaderboards/ra/seats/").content.decode()
    seats = [row for row in rows_of(page) if len(row) == 6 and row[0] in "1234"]
    assert len(seats) == 4
    for number, (row, effect) in enumerate(zip(seats, planted, strict=True)):
        difference, low, high = with_interval(row[3])
        assert low <= effect <= high, row
        assert high - low < 2
        assert (low <= 0 <= high) == (effect == 0)
        real_wins = sum(game[number][1] == 1 for game in games)
        assert float(row[1]) == real_wins
        assert difference == pytest.approx((real_wins - float(row[2])) / 100, abs=0.06)
        assert float(row[4]) == pytest.approx(sum(game[number][1] for game in games) / 10_000, abs=0.006)
        assert float(row[5]) == pytest.approx(sum(game[number][2] for game in games) / 10_000, abs=0.06)
    for number, more in ((1, "more"), (2, "less")):
        said = rf"Seat {number} wins ({NUMBER}) percentage points {more} often than the ratings expect \(({NUMBER}) to ({NUMBER})\)"
        told = re.search(said, page)
        by, low, high = map(float, told.groups())
        assert low <= 8 <= high
        assert low < by < high
    assert "Seat 3 wins" not in page
    assert "Seat 4 wins" not in page


def test_intervals_hold_zero_where_nothing_was_planted():
    """In many samples without an effect about one interval in twenty may miss zero, a few more while ratings are unsettled."""
    held = total = 0
    for seed in range(20):
        books = Books()
        for number, game in enumerate(with_seat_effect(list(range(1, 31)), 500, (0, 0, 0, 0), seed=seed), start=1):
            who = [(user, "") for user, _, _ in game]
            places = [place for _, place, _ in game]
            apply(Result(number, "ra", number, NEW_YEAR, None, True, who, [False] * 4, places, [0] * 4), books)
        for row in books.effects.values():
            half = Z * math.sqrt(row.variance)
            held += abs(row.wins - row.expected) <= half
            total += 1
    assert total == 80
    assert held >= 70


FAVOURITES = (0.55, 0.65, 0.75, 0.85)
PAIRS = 50  # of each chance: with a dozen games a pair the ratings hardly move


def rated_pairs():
    """Pairs of players with settled ratings; the first of each wins with the chance in FAVOURITES, if the ratings are right."""
    users = people(2 * len(FAVOURITES) * PAIRS)
    sigma = 0.01
    c = math.sqrt(2 * (sigma**2 + BETA**2))
    ladder = Ladder.objects.create(key=ladder_key("people", "ra"), pool="people", game="ra", players=len(users))
    pairs, ratings, buckets = [], [], Counter()
    for n, chance in enumerate(FAVOURITES * PAIRS):
        strong, weak = users[2 * n], users[2 * n + 1]
        gap = c * math.log(chance / (1 - chance))
        for user, mu in ((strong, MU + gap / 2), (weak, MU - gap / 2)):
            value = order_value(mu, sigma)
            ratings.append(Rating(ladder=ladder, user_id=user, mu=mu, sigma=sigma, order_value=value))
            buckets[bucket_of(value)] += 1
        pairs.append((strong, weak, chance))
    Rating.objects.bulk_create(ratings)
    RankBucket.objects.bulk_create([RankBucket(ladder=ladder, bucket=bucket, ratings=count) for bucket, count in buckets.items()])
    return pairs


def bands(page: str, kind: str) -> dict[int, tuple[float, float, float, float]]:
    """Return predicted, real, low, high of each band of a curve."""
    section = page.partition(f'id="curve-{kind}"')[2].partition("</section>")[0]
    found = {}
    for row in rows_of(section):
        if band := re.fullmatch(r"(\d+)-\d+", row[0]):
            found[int(band[1])] = (float(row[2]), *with_interval(row[3]))
    return found


@pytest.mark.django_db
@pytest.mark.parametrize("planted", [0.0, -10.0])
def test_the_calibration_page_finds_predictions_that_are_too_sure(client, planted):
    pairs = rated_pairs()
    rng = random.Random(3)
    games = []
    for strong, weak, chance in pairs * 12:
        winner, loser = (strong, weak) if rng.random() < chance + planted / 100 else (weak, strong)
        seats = [(winner, 1, 40), (loser, 2, 30)]
        rng.shuffle(seats)
        games.append(seats)
    write(games)
    assert services.apply_pending() == len(games) == 2400
    page = client.get("/leaderboards/ra/calibration/").content.decode()
    for kind in ("win", "ahead"):
        found = bands(page, kind)
        assert sorted(found) == [10, 20, 30, 40, 50, 60, 70, 80]
        inside = 0
        for band, (predicted, real, low, high) in found.items():
            assert predicted == pytest.approx(band + 5, abs=0.5)
            truth = predicted + (planted if band >= 50 else -planted)
            inside += low <= truth <= high
            if planted:
                assert not low <= predicted <= high
                assert abs(real - truth) < 5
        assert inside >= 7  # of eight intervals of 95 %
    error, by_chance = map(float, re.search(rf"error: ({NUMBER}) points\. With .* would show about ({NUMBER}) ", page).groups())
    assert error < 2 * by_chance if not planted else error == pytest.approx(10, abs=1.5)
