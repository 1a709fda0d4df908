"""The table of a league against an independent calculation: the sentences of docs/seasons.md, word for word, in fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from portal.contests import leagues, season_selectors
from portal.contests.league_table import table_of
from tests.portal.seasons.builders import finish, start

HALF = Fraction(1, 2)


def duel(own, other):
    """What a place gains against another: a point ahead, half a point level."""
    return Fraction(1) if own < other else HALF if own == other else Fraction(0)


class Oracle:
    """`games`: lists of (entrant, place)."""

    def __init__(self, entrants, games):
        self.entrants, self.games = list(entrants), games

    def of(self, entrant):
        return [
            (place, [(one, other) for one, other in game if one != entrant]) for game in self.games for one, place in game if one == entrant
        ]

    def points(self, entrant):
        return sum((duel(own, other) for own, others in self.of(entrant) for _, other in others), Fraction(0))

    def wins(self, entrant):
        """One win for a first place, or a share of one if it is shared."""
        return sum((Fraction(1, 1 + sum(other == 1 for _, other in others)) for own, others in self.of(entrant) if own == 1), Fraction(0))

    def against(self, entrant, whom):
        return sum((duel(own, other) for own, others in self.of(entrant) for one, other in others if one in whom), Fraction(0))

    def opponents(self, entrant):
        return sum((self.points(one) for _, others in self.of(entrant) for one, _ in others), Fraction(0))

    def level_ones(self, entrant):
        own = self.points(entrant), self.wins(entrant)
        return [one for one in self.entrants if one != entrant and (self.points(one), self.wins(one)) == own]

    def worth(self, entrant):
        """The criteria for places, in order."""
        return self.points(entrant), self.wins(entrant), self.against(entrant, self.level_ones(entrant)), self.opponents(entrant)

    def table(self):
        """(entrant, rank, games, points, wins, direct, opponents), best first; level ones in the given order."""
        worth = {entrant: self.worth(entrant) for entrant in self.entrants}
        order = sorted(self.entrants, key=lambda entrant: [-value for value in worth[entrant]])
        found = []
        for entrant in order:
            points, wins, direct, opponents = worth[entrant]
            rank = 1 + sum(other > worth[entrant] for other in worth.values())
            level = float(direct) if self.level_ones(entrant) else None
            found.append((entrant, rank, len(self.of(entrant)), float(points), float(wins), level, float(opponents)))
        return found


def as_found(lines):
    return [
        (line.entrant, line.rank, line.games, line.points, round(line.wins, 9), line.direct, round(line.opponents, 9)) for line in lines
    ]


def as_wanted(rows):
    return [
        (entrant, rank, games, points, round(wins, 9), direct, round(sums, 9)) for entrant, rank, games, points, wins, direct, sums in rows
    ]


def played(seed):
    """A league: its entrants, not all of whom need have played, and games at tables of various sizes with ties and people who left."""
    rng = random.Random(seed)
    entrants = rng.sample(range(9), rng.randint(2, 6))
    most = rng.choice([2, 3, 5])
    games = []
    for _ in range(rng.randint(0, 3 * len(entrants))):
        size = rng.randint(2, min(most, len(entrants)))
        ranks = [rng.randint(1, 2 * size) for _ in range(size)]
        gone = set(rng.sample(range(size), rng.randint(1, size - 1))) if rng.random() < 0.1 else set()
        stayed = [rank for at, rank in enumerate(ranks) if at not in gone]
        places = [size if at in gone else 1 + sum(other < rank for other in stayed) for at, rank in enumerate(ranks)]
        games.append(list(zip(rng.sample(entrants, size), places, strict=True)))
    return entrants, games


LEAGUES = st.integers(0, 2**32).map(played)


@settings(max_examples=300, deadline=None)
@given(LEAGUES)
# Three level in points and wins, one of them ahead among the three: the other two are level there too, and the opponents' points decide
# between them, not their own game.
@example(
    (
        [0, 1, 2, 3, 4, 5],
        [[(0, 1), (1, 2)], [(1, 1), (2, 2)], [(0, 1), (2, 2)], [(3, 1), (0, 2)], [(1, 1), (4, 2)], [(2, 1), (5, 2)], [(2, 1), (3, 2)]],
    )
)
@example(([0, 1, 2], [[(0, 1), (1, 1), (2, 1)]] * 3))
@example(([1, 0], []))
def test_the_table_is_what_the_page_says(league):
    entrants, games = league
    assert as_found(table_of(entrants, games)) == as_wanted(Oracle(entrants, games).table())


@settings(max_examples=60, deadline=None)
@given(LEAGUES)
def test_who_met_whom_is_what_the_games_say(league):
    entrants, games = league
    oracle = Oracle(entrants, games)
    for line in table_of(entrants, games):
        for other in entrants:
            if other != line.entrant:
                assert line.against.get(other, 0) == oracle.against(line.entrant, [other])
                assert line.met.get(other, 0) == sum(one == other for _, others in oracle.of(line.entrant) for one, _ in others)


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [1, 2])
def test_page_and_service_show_the_same_table(club, olga, season, seed):
    """From stored results: some pairings are played, with ties, some are void, before or after their game, some are not played yet."""
    rng = random.Random(seed)
    league = start(club, olga, season, form="rounds-3", bots={"scribe": 2}, rounds=10)
    games = []
    for at, pairing in enumerate(league.pairings.prefetch_related("seats__entrant__user")):
        seats = list(pairing.seats.all())
        somebody = next(seat.entrant.user for seat in seats if seat.entrant.user is not None)
        if at == 4:
            continue
        void = rng.random() < 0.3
        if void and rng.random() < 0.5:
            leagues.void_pairing(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, reason="ill")
            continue
        table = leagues.play(club=club, user=somebody, league_id=league.pk, pairing_id=pairing.pk)
        if void:
            leagues.void_pairing(club=club, actor=olga, league_id=league.pk, pairing_id=pairing.pk, reason="ill")
        places = rng.choice([[1, 2, 3], [3, 1, 2], [1, 1, 3], [1, 2, 2], [2, 1, 3]])
        finish(table, places)
        if not void:
            games.append([(seat.entrant_id, place) for seat, place in zip(seats, places, strict=True)])
    assert len(games) >= 2
    wanted = as_wanted(Oracle(league.entrants.order_by("number").values_list("pk", flat=True), games).table())
    assert as_found(leagues.standings(league)) == wanted
    view = season_selectors.league_of(club, league.pk, olga)
    assert as_found(one.line for one in view.table) == wanted
    assert [one.entrant.pk for one in view.table] == [row[0] for row in wanted]
    assert (view.played, view.to_play) == (len(games), 1)
