"""The rating records whether it is listed, whatever changes the account."""

from __future__ import annotations

import pytest
from django.db import connection

from portal.accounts.models import User
from portal.accounts.services import claim_guest
from portal.ratings import recount, selectors
from portal.ratings.models import Ladder, Rating
from portal.ratings.selectors import Filters, leaderboard

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    return Ladder.objects.create(key="people/ra", pool="people", game="ra")


def rating(ladder: Ladder, user: User | None, value: float = 20.0, level: str = "") -> Rating:
    return Rating.objects.create(ladder=ladder, user=user, bot_level=level, mu=value + 4, sigma=2, order_value=value, games=3)


def listed(*, players: str = "all") -> list[tuple[str, int]]:
    lines = leaderboard(pool="people", game="ra", filters=Filters(players)).lines
    return [(line.username or line.bot_level, line.rank) for line in lines]


def test_a_guest_is_listed_from_the_moment_on_that_they_have_an_account(ladder: Ladder) -> None:
    guest = User.objects.create(username="guest-1", is_guest=True)
    rating(ladder, guest, 30)
    rating(ladder, User.objects.create(username="ann"), 20)
    assert listed() == [("ann", 2)]
    assert listed(players="guests") == [("guest-1", 1), ("ann", 2)]
    claim_guest(user=guest, username="ben", email="", password="sun-and-pyramid-7")
    assert listed() == [("ben", 1), ("ann", 2)]


@pytest.mark.parametrize("by_statement", [True, False])
def test_a_closed_account_leaves_the_list_and_comes_back_when_it_is_opened(ladder: Ladder, by_statement: bool) -> None:
    ann, ben = User.objects.create(username="ann"), User.objects.create(username="ben")
    rating(ladder, ann, 30)
    rating(ladder, ben, 20)
    for is_active, found in ((False, [("ben", 2)]), (True, [("ann", 1), ("ben", 2)])):
        if by_statement:
            User.objects.filter(pk=ann.pk).update(is_active=is_active)
        else:
            ann.is_active = is_active
            ann.save()
        assert listed() == found
        assert listed(players="guests") == found


def test_a_rating_made_later_knows_the_account(ladder: Ladder) -> None:
    guest, closed = User.objects.create(username="guest-1", is_guest=True), User.objects.create(username="ann", is_active=False)
    Rating.objects.bulk_create(
        [
            Rating(ladder=ladder, user=user, bot_level=level, mu=25, sigma=2, order_value=21)
            for user, level in ((guest, ""), (closed, ""), (User.objects.create(username="ben"), ""), (None, "scribe"))
        ]
    )
    assert list(Rating.objects.order_by("pk").values_list("is_listed", flat=True)) == [False, False, True, True]
    assert listed() == [("ben", 1), ("scribe", 1)]


def test_a_flag_that_is_wrong_is_found_by_the_check(ladder: Ladder) -> None:
    row = rating(ladder, User.objects.create(username="ann"))
    assert not [line for line in recount.check()[1] if "is_listed" in line]
    Rating.objects.filter(pk=row.pk).update(is_listed=False)
    assert [line for line in recount.check()[1] if "is_listed" in line] == [
        f"rating ('people/ra', ({row.user_id}, '')): stored is_listed False, the account says otherwise"
    ]


PEOPLE = """
INSERT INTO accounts_user
SELECT (jsonb_populate_record(u, jsonb_build_object('id', u.id + n, 'username', 'p' || n))).*
FROM accounts_user u, generate_series(1, 5000) n WHERE u.id = %(first)s
"""
RATINGS = """
INSERT INTO ratings_rating (ladder_id, user_id, bot_level, mu, sigma, order_value, games, wins, place_sum, seat_sum, trend, is_listed)
SELECT %(ladder)s, id, '', 25, 2, 10 + random(), 1, 0, 0, 0, '{}', true FROM accounts_user
"""


@pytest.mark.django_db(transaction=True)
def test_a_page_is_read_by_the_index_however_long_the_ladder_is(ladder: Ladder) -> None:
    first = User.objects.create(username="ann")
    with connection.cursor() as cursor:
        cursor.execute(PEOPLE, {"first": first.pk})
        cursor.execute(RATINGS, {"ladder": ladder.pk})
        cursor.execute("VACUUM ANALYZE ratings_rating, accounts_user")
        sql = selectors._PAGE.format(where="r.is_listed", join="")
        for page in (1, 10):
            cursor.execute(f"EXPLAIN (COSTS OFF) {sql}", {"ladder": ladder.pk, "first": 50 * (page - 1), "limit": 51})
            plan = "\n".join(line for (line,) in cursor.fetchall())
            assert plan.count("Index Only Scan using rating_order") == 3, plan
            assert "Seq Scan" not in plan, plan


def test_who_is_called_provisional_is_left_out_of_the_established_and_nobody_else(ladder: Ladder) -> None:
    for number, sigma in enumerate((6.2, 6.25, 6.256, 6.257, 6.3)):
        user = User.objects.create(username=f"p{number}")
        Rating.objects.create(ladder=ladder, user=user, mu=25, sigma=sigma, order_value=25 - 2 * sigma, games=3)
    lines = leaderboard(pool="people", game="ra").lines
    certain = [line.username for line in lines if not line.is_provisional]
    assert certain == ["p0", "p1", "p2"]
    assert [line.username for line in leaderboard(pool="people", game="ra", filters=Filters("established")).lines] == certain


@pytest.mark.parametrize("viewed", [False, True])
def test_the_two_statements_of_a_page_are_planned_once_for_a_connection(ladder: Ladder, viewed: bool) -> None:
    people = [User.objects.create(username=name) for name in ("ann", "ben", "cat")]
    for user, value in zip(people, (20.2, 20.1, 20.0), strict=True):
        rating(ladder, user, value)
    pages = [leaderboard(pool="people", game="ra", page=1 + n % 2, viewer=people[n % 3] if viewed else None) for n in range(12)]
    assert [page.mine.rank if page.mine else None for page in pages] == [1 + n % 3 if viewed else None for n in range(12)]
    assert [len(page.lines) for page in pages] == [3, 0] * 6
    with connection.cursor() as cursor:
        cursor.execute("SELECT custom_plans, generic_plans > 5 FROM pg_prepared_statements WHERE statement LIKE %s", ["%ratings_rating%"])
        assert cursor.fetchall() == [(0, True), (0, True)]
