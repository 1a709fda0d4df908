"""The stored standings match an independent calculation, written from the public rules: ladders, sums, records, evidence, ranks."""

from __future__ import annotations

import secrets
from collections import Counter
from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.accounts.models import User
from portal.clubs.models import Club, Season
from portal.ratings import recount, services
from portal.ratings.models import Calibration, ClubRecord, Meeting, Rating, SeatEffect, Tally
from portal.ratings.selectors import Filters, all_lines, leaderboard
from tests.portal.ratings.games import BOTS, NEW_YEAR, finished, person
from tests.portal.ratings.oracle import Game, Oracle, Span

pytestmark = pytest.mark.django_db
NAMES = ("ann", "ben", "cat", "dan", *BOTS)
near = lambda value: pytest.approx(float(value), abs=1e-8)  # noqa: E731


@st.composite
def histories(draw):
    """Games of all kinds, in no club or one of two: (name, place, score) by seat, seats left, game, club, whether it is rated."""
    found = []
    for _ in range(draw(st.integers(1, 10))):
        size = draw(st.integers(2, 5))
        people = draw(st.permutations(NAMES[:4]))
        bots = draw(st.lists(st.sampled_from(BOTS), max_size=size)) if draw(st.booleans()) else []
        who = draw(st.permutations([*people[: size - len(bots)], *bots]))
        if len(who) < 2:
            continue
        ranks = draw(st.lists(st.integers(1, len(who)), min_size=len(who), max_size=len(who)))
        scores = draw(st.lists(st.integers(-5, 60), min_size=len(who), max_size=len(who)))
        seats = tuple((name, 1 + sum(other < rank for other in ranks), score) for name, rank, score in zip(who, ranks, scores, strict=True))
        leavers = [at for at, name in enumerate(who) if name not in BOTS]
        left = draw(st.sets(st.sampled_from(leavers))) if leavers and draw(st.integers(0, 2)) == 0 else set()
        kind = draw(st.sampled_from(["rated", "rated", "rated", "rated", "unrated", "practice"]))
        found.append((seats, frozenset(left), draw(st.sampled_from(["ra", "ra", "babel"])), draw(st.sampled_from([None, 0, 0, 1])), kind))
    return found


@st.composite
def windows(draw):
    """Up to three seasons of the first club, in minutes and numbers of games."""
    found = []
    for _ in range(draw(st.integers(0, 3))):
        starts = draw(st.integers(0, 8))
        frozen = draw(st.none() | st.integers(1, 10))
        found.append((starts, starts + draw(st.integers(1, 8)), draw(st.integers(0, 4)), frozen, draw(st.sampled_from(["", "", "babel"]))))
    return found


def stored(games, spans):
    """Store clubs, seasons and games; return the games and seasons as the independent calculation reads them."""
    clubs = [Club.objects.create(slug=name, name=name, link_code=secrets.token_hex(8)) for name in ("enlil", "nisaba")]
    kept = []
    for at, (starts, ends, after, frozen, game) in enumerate(spans):
        row = Season.objects.create(
            club=clubs[0],
            name=f"s{at}",
            game=game,
            starts_at=NEW_YEAR + timedelta(minutes=starts),
            ends_at=NEW_YEAR + timedelta(minutes=ends),
            after_number=after,
            frozen_number=frozen,
        )
        kept.append(Span(row.pk, clubs[0].pk, starts, ends, after, frozen, game))
    played = []
    for number, (seats, left, game, club, kind) in enumerate(games, start=1):
        values = {"rated": {}, "unrated": {"is_rated": False}, "practice": {"position": {"format": "x"}}}[kind]
        home = None if club is None else clubs[club]
        pairs, scores = [(name, place) for name, place, _ in seats], [score for _, _, score in seats]
        finished(number, pairs, left=left, scores=scores, game=game, club=home, **values)
        played.append(Game(number, seats, left, game, home.pk if home is not None else None, kind))
    return played, kept


def compare(oracle):
    """Every row against the independent calculation, and no other rows."""
    users = dict(User.objects.values_list("pk", "username"))
    rows = {(row.ladder.key, row.bot_level or users[row.user_id]): row for row in Rating.objects.select_related("ladder")}
    assert set(rows) == {(key, who) for key, ladder in oracle.ladders.items() for who in ladder}
    for (key, who), row in rows.items():
        wanted = oracle.ladders[key][who]
        assert (row.mu, row.sigma, row.order_value) == (near(wanted.mu), near(wanted.sigma), near(wanted.mu - 2 * wanted.sigma))
        assert (row.games, row.wins) == (wanted.games, near(wanted.wins))
        assert (row.place_sum, row.seat_sum) == (wanted.places, wanted.seats)
        assert row.trend == [pytest.approx(points, abs=0.5 + 1e-6) for points in wanted.points[-10:]]
    tallies = {(users[row.user_id], row.pool, row.game, row.seats, row.seat): row for row in Tally.objects.all()}
    assert set(tallies) == set(oracle.tallies)
    for key, row in tallies.items():
        games = oracle.tallies[key]
        scores = [score for _, _, score in games if score is not None]
        assert (row.games, row.left, row.wins) == (len(games), len(games) - len(scores), near(sum(win for _, win, _ in games)))
        places = Counter(place for place, _, _ in games)
        assert row.places == [places[place] for place in range(1, len(row.places) + 1)]
        assert (row.score_games, row.score_sum, row.best_score) == (len(scores), sum(scores), max(scores, default=None))
    meetings = {}
    for row in Meeting.objects.all():
        low, high = users[row.low_id], users[row.high_id]
        ahead = (row.low_ahead, row.high_ahead) if low < high else (row.high_ahead, row.low_ahead)
        meetings[min(low, high), max(low, high), row.game] = (row.games, *ahead)
    assert meetings == {key: (len(met), met.count(-1), met.count(1)) for key, met in oracle.meetings.items()}
    records = {
        (row.club_id, row.game, row.seats, row.kind): (row.value, users[row.user_id], row.table.finish_number)
        for row in ClubRecord.objects.select_related("table")
    }
    assert records == oracle.records
    effects = {(row.pool, row.game, row.seats, row.seat): row for row in SeatEffect.objects.all()}
    assert set(effects) == set(oracle.effects)
    for key, row in effects.items():
        games = oracle.effects[key]
        assert (row.games, row.wins, row.expected) == (len(games), near(sum(g[1] for g in games)), near(sum(g[0] for g in games)))
        assert row.variance == near(sum(chance * (1 - chance) for chance, *_ in games))
        assert (row.place_sum, row.score_sum) == (sum(g[2] for g in games), sum(g[3] for g in games))
    sums = {}
    for row in Calibration.objects.all():
        assert row.tenth <= 10 * row.predicted / row.cases <= row.tenth + 1 + 1e-9, "each prediction lies in its tenth"
        old = sums.get((row.pool, row.game, row.kind), (0, 0.0, 0.0, 0.0))
        new = row.cases, row.predicted, row.real, row.variance
        sums[row.pool, row.game, row.kind] = tuple(a + b for a, b in zip(old, new, strict=True))
    assert set(sums) == set(oracle.predictions)
    for key, (cases, *found) in sums.items():
        noted = oracle.predictions[key]
        assert (cases, *found) == (len(noted), *(near(sum(one[at] for one in noted)) for at in range(3)))


def compare_ranks(oracle):
    """A rank is one more than the number of strictly better ratings, in the list and for the viewer's row."""
    for key in ("people/ra", "bots/ra"):
        pool, game = key.split("/")
        ladder = oracle.ladders.get(key, {})
        worth = {who: row.mu - 2 * row.sigma for who, row in ladder.items()}
        ranks = {who: 1 + sum(other > value + 1e-9 for other in worth.values()) for who, value in worth.items()}
        lines = list(all_lines(pool=pool, game=game, filters=Filters("guests")))
        assert {line.username or line.bot_level: line.rank for line in lines} == ranks
        for line in lines:
            row = ladder[line.username or line.bot_level]
            assert line.wins_percent == pytest.approx(100 * float(row.wins) / row.games, abs=0.5 + 1e-6)
            assert line.mean_place == (None if line.bot_level else near(row.places / row.games))
            assert line.is_provisional == (round(80 * row.sigma) > 500)
        for who in set(worth) - set(BOTS):
            assert leaderboard(pool=pool, game=game, viewer=person(who)).mine.rank == ranks[who]


@settings(max_examples=40, deadline=None)
@given(histories(), windows())
def test_standings_are_what_the_rules_say(games, spans):
    """Applied when they end, compared and recalculated: each time the result of the rules."""
    with transaction.atomic():
        oracle = Oracle.of(*stored(games, spans))
        services.apply_pending()
        compare(oracle)
        compare_ranks(oracle)
        assert recount.check()[1] == []
        recount.rebuild()
        compare(oracle)
        transaction.set_rollback(True)
