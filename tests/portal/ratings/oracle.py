"""An independent calculation of the standings, from docs/ratings.md and with the library's own `rate`: slow and plain."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from fractions import Fraction

from openskill.models import PlackettLuce

from tests.portal.ratings.games import BOTS, NEW_YEAR

MODEL = PlackettLuce(mu=25.0, sigma=25 / 3, beta=25 / 6)


@dataclass(frozen=True)
class Game:
    """A finished game as a test creates it; a seat is (name or bot level, place, score)."""

    number: int
    seats: tuple
    left: frozenset = frozenset()
    game: str = "ra"
    club: int | None = None
    kind: str = "rated"  # or unrated, practice

    @property
    def at(self):
        return NEW_YEAR + timedelta(minutes=self.number)

    @property
    def who(self):
        return [name for name, _, _ in self.seats]

    @property
    def places(self):
        """People who left are last; the others have their places among themselves."""
        stayed = [place for at, (_, place, _) in enumerate(self.seats) if at not in self.left]
        return [
            len(self.seats) if at in self.left else 1 + sum(other < place for other in stayed)
            for at, (_, place, _) in enumerate(self.seats)
        ]

    @property
    def pool(self):
        return "bots" if set(self.who) & set(BOTS) else "people"

    @property
    def counts(self):
        return self.kind == "rated" and len(self.left) < len(self.seats) and len(set(self.who)) > 1


@dataclass(frozen=True)
class Span:
    """A season."""

    key: int
    club: int
    starts: int  # minutes
    ends: int
    after: int = 0
    frozen: int | None = None
    game: str = ""

    def takes(self, game):
        in_time = self.starts <= game.number < self.ends and game.number > self.after
        return in_time and game.club == self.club and (self.frozen is None or game.number <= self.frozen) and self.game in ("", game.game)


@dataclass
class Row:
    mu: float = 25.0
    sigma: float = 25 / 3
    games: int = 0
    wins: Fraction = Fraction(0)
    places: int = 0
    seats: int = 0
    points: list = field(default_factory=list)  # after each game


@dataclass
class Oracle:
    """Everything that the standings keep, by plain keys."""

    ladders: dict = field(default_factory=lambda: defaultdict(dict))  # key -> who -> Row
    tallies: dict = field(default_factory=lambda: defaultdict(list))  # (who, pool, game, seats, seat) -> (place, win, score or None)
    meetings: dict = field(default_factory=lambda: defaultdict(list))  # (one, other, game), names in order -> sign of who was ahead
    records: dict = field(default_factory=dict)  # (club, game, seats, kind) -> (value, who, number)
    effects: dict = field(default_factory=lambda: defaultdict(list))  # (pool, game, seats, seat) -> (chance, win, place, score)
    predictions: dict = field(default_factory=lambda: defaultdict(list))  # (pool, game, kind) -> (predicted, real, variance)

    @classmethod
    def of(cls, games, spans=()):
        found = cls()
        for game in sorted(games, key=lambda one: one.number):
            if game.counts:
                found._count(game, [span for span in spans if span.takes(game)])
        return found

    def _count(self, game, spans):
        pool, places = game.pool, game.places
        front = sum(place == 1 for place in places)
        wins = [Fraction(1, front) if place == 1 else Fraction(0) for place in places]
        if not game.left:
            self._evidence(game, wins)
        keys = [f"{pool}/{game.game}", f"{pool}/"]
        if game.club is not None:
            keys += [f"{pool}/{game.game}/club/{game.club}", f"{pool}//club/{game.club}"]
        for span in spans:
            keys += [f"{pool}/{game.game}/season/{span.key}", f"{pool}//season/{span.key}"]
        for key in keys:
            self._rate(self.ladders[key], game, places, wins)
        for seat, (name, _, score) in enumerate(game.seats):
            if name not in BOTS:
                tally = places[seat], wins[seat], None if seat in game.left else score
                self.tallies[name, pool, game.game, len(places), seat].append(tally)
        for i, one in enumerate(game.who):
            for j, other in enumerate(game.who):
                if one < other and not {one, other} & set(BOTS):
                    self.meetings[one, other, game.game].append((places[i] > places[j]) - (places[i] < places[j]))

    def _rate(self, ladder, game, places, wins):
        rows = [ladder.setdefault(name, Row()) for name in game.who]
        teams = [[MODEL.rating(mu=row.mu, sigma=row.sigma)] for row in rows]
        after = MODEL.rate(teams, ranks=[float(place) for place in places])
        for name in dict.fromkeys(game.who):
            own = [seat for seat, one in enumerate(game.who) if one == name]
            row = ladder[name]
            row.mu = sum(after[seat][0].mu for seat in own) / len(own)
            row.sigma = sum(after[seat][0].sigma for seat in own) / len(own)
            row.games += 1
            row.wins += sum(wins[seat] for seat in own)
            row.places += min(places[seat] for seat in own)
            row.seats += len(places)
            row.points.append(1500 + 40 * (row.mu - 25))

    def _evidence(self, game, wins):
        """The predictions of the ratings on the site's ladder of the game, and the records of the club. Nobody has left."""
        pool, places, scores = game.pool, game.places, [score for _, _, score in game.seats]
        ladder = self.ladders[f"{pool}/{game.game}"]
        rows = [ladder.get(name, Row()) for name in game.who]
        c = math.sqrt(sum(row.sigma**2 + MODEL.beta**2 for row in rows))
        weights = [math.exp(row.mu / c) for row in rows]
        for i, weight in enumerate(weights):
            chance = weight / sum(weights)
            self.effects[pool, game.game, len(rows), i].append((chance, wins[i], places[i], scores[i]))
            self.predictions[pool, game.game, "win"].append((chance, float(wins[i]), chance * (1 - chance)))
            came = [1.0 if places[i] < place else 0.5 if places[i] == place else 0.0 for place in places]
            ahead = [weight / (weight + other) for other in weights]
            for j in range(i + 1, len(rows)):
                self.predictions[pool, game.game, "ahead"].append((ahead[j], came[j], ahead[j] * (1 - ahead[j])))
            others = [j for j in range(len(rows)) if j != i]
            expected = sum(1 - ahead[j] for j in others) / len(others)
            real = sum(1 - came[j] for j in others) / len(others)
            self.predictions[pool, game.game, "place"].append((expected, real, (real - expected) ** 2))
        if game.club is None:
            return
        people = [(score, -seat) for seat, (name, _, score) in enumerate(game.seats) if name not in BOTS]
        if people:
            score, seat = max(people)
            self._record(game, "highest", score, game.who[-seat], lambda new, old: new > old)
        if pool == "people":
            first, second = sorted(range(len(places)), key=lambda seat: (places[seat], seat))[:2]
            lead = max(0, scores[first] - scores[second])
            self._record(game, "closest", lead, game.who[first], lambda new, old: new < old)
            self._record(game, "widest", lead, game.who[first], lambda new, old: new > old)

    def _record(self, game, kind, value, who, better):
        key = game.club, game.game, len(game.seats), kind
        if key not in self.records or better(value, self.records[key][0]):
            self.records[key] = value, who, game.number
