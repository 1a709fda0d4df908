"""The standings in memory: rows by key, and what one finished game does to them.

The live worker fills the books with the rows that some games touch; a recount starts with empty ones. Both apply games with the same
function in the same order, so their sums agree to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from portal.ratings.formula import MU, SIGMA, Strength, order_value, points, rated, shared_win, weights
from portal.ratings.models import MOST_SEATS, Calibration, ClubRecord, Meeting, Pool, SeatEffect, Tally
from portal.ratings.results import Result, Who

TREND: Final = 10  # games
MANY: Final = 50  # games after which a line forgets those older than the trend
ALL_GAMES: Final = ""
RatingKey = tuple[str, Who]  # ladder key, who
TallyKey = tuple[int, str, str, int, int]  # user, game, pool, seats, seat
MeetingKey = tuple[int, int, str]  # low, high, game
EffectKey = tuple[str, str, int, int]  # game, pool, seats, seat
CalibrationKey = tuple[str, str, str, int]  # game, pool, kind, tenth
RecordKey = tuple[int, str, int, str]  # club, game, seats, kind
Change = tuple[RatingKey, int, int, int, float, float, float, float]  # whose, table, number, place, mu, sigma before and after


@dataclass(slots=True)
class Line:
    """The fields of a `Rating` without the cost of a model, since each game touches a dozen of them."""

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0
    wins: float = 0.0
    place_sum: int = 0
    seat_sum: int = 0
    earlier: list[int] = field(default_factory=list)  # points after games before `mus`
    mus: list[float] = field(default_factory=list)  # after each of the last games
    last_table_id: int | None = None
    last_at: datetime | None = None
    pk: int | None = None

    @property
    def order_value(self) -> float:
        return order_value(self.mu, self.sigma)

    @property
    def trend(self) -> list[int]:
        return [*self.earlier, *map(points, self.mus[-TREND:])][-TREND:]


@dataclass(slots=True)
class Books:
    """Rows by key. `changes` collects what becomes `RatingChange`."""

    ratings: dict[RatingKey, Line] = field(default_factory=dict)
    tallies: dict[TallyKey, Tally] = field(default_factory=dict)
    meetings: dict[MeetingKey, Meeting] = field(default_factory=dict)
    effects: dict[EffectKey, SeatEffect] = field(default_factory=dict)
    calibrations: dict[CalibrationKey, Calibration] = field(default_factory=dict)
    records: dict[RecordKey, ClubRecord] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)

    def rating(self, key: RatingKey) -> Line:
        found = self.ratings.get(key)
        if found is None:
            found = self.ratings[key] = Line()
        return found

    def tally(self, key: TallyKey) -> Tally:
        found = self.tallies.get(key)
        if found is None:
            user, game, pool, seats, seat = key
            found = Tally(user_id=user, game=game, pool=pool, seats=seats, seat=seat, places=[0] * MOST_SEATS)
            self.tallies[key] = found
        return found

    def meeting(self, key: MeetingKey) -> Meeting:
        found = self.meetings.get(key)
        if found is None:
            found = self.meetings[key] = Meeting(low_id=key[0], high_id=key[1], game=key[2])
        return found

    def effect(self, key: EffectKey) -> SeatEffect:
        found = self.effects.get(key)
        if found is None:
            found = self.effects[key] = SeatEffect(game=key[0], pool=key[1], seats=key[2], seat=key[3])
        return found

    def calibration(self, key: CalibrationKey) -> Calibration:
        found = self.calibrations.get(key)
        if found is None:
            found = self.calibrations[key] = Calibration(game=key[0], pool=key[1], kind=key[2], tenth=key[3])
        return found


def ladder_key(pool: str, game: str, *, club_id: int | None = None, season_id: int | None = None) -> str:
    """Return the key of a ladder; game "" means all games, and a season's key needs no club."""
    if season_id is not None:
        return f"{pool}/{game}/season/{season_id}"
    return f"{pool}/{game}" if club_id is None else f"{pool}/{game}/club/{club_id}"


def ladder_keys(result: Result) -> list[tuple[str, bool]]:
    """Return the ladders that a game moves, the site's own first, each with whether it keeps its changes."""
    pool, game = result.pool, result.game
    keys = [(ladder_key(pool, game), True), (ladder_key(pool, ALL_GAMES), False)]
    if result.club_id is not None:
        club = result.club_id
        keys += [(ladder_key(pool, game, club_id=club), True), (ladder_key(pool, ALL_GAMES, club_id=club), False)]
    for season in result.season_ids:
        keys += [(ladder_key(pool, game, season_id=season), False), (ladder_key(pool, ALL_GAMES, season_id=season), False)]
    return keys


def apply(result: Result, books: Books) -> None:
    """Apply one rated game to all standings. Unrated games change nothing."""
    if not result.is_rated:
        return
    keys = ladder_keys(result)
    if not any(result.left):
        _predict(result, books, keys[0][0])
    for key, keeps in keys:
        rate(result, books, key, keeps_changes=keeps)
    _tallies(result, books)
    _meetings(result, books)
    _records(result, books)


def rate(result: Result, books: Books, key: str, *, keeps_changes: bool) -> None:
    """Move the ratings of one ladder by one game. A competitor in several seats (two bots of one level) gets the mean of their changes."""
    who, places, seats = result.who, result.places, len(result.who)
    rows = [books.rating((key, one)) for one in who]
    after = rated([(row.mu, row.sigma) for row in rows], places)
    share = 1 / places.count(1)
    for row, place in zip(rows, places, strict=True):
        if place == 1:
            row.wins += share
    if len(set(who)) < seats:
        who, places, rows, after = _together(who, places, rows, after)
    table_id, number, at = result.table_id, result.number, result.finished_at
    for one, place, row, (mu, sigma) in zip(who, places, rows, after, strict=True):
        if keeps_changes:
            books.changes.append(((key, one), table_id, number, place, row.mu, row.sigma, mu, sigma))
        row.games += 1
        row.place_sum += place
        row.seat_sum += seats
        row.mu, row.sigma = mu, sigma
        row.mus.append(mu)
        if len(row.mus) > MANY:
            row.earlier, row.mus = [], row.mus[-TREND:]
        row.last_table_id, row.last_at = table_id, at


def _together(
    who: list[Who], places: list[int], rows: list[Line], after: list[Strength]
) -> tuple[list[Who], list[int], list[Line], list[Strength]]:
    """Return each competitor once, in the order of their first seats, with the best place and the mean strength."""
    each = list(dict.fromkeys(who))
    seats = [[seat for seat, one in enumerate(who) if one == competitor] for competitor in each]
    means = [(sum(after[i][0] for i in own) / len(own), sum(after[i][1] for i in own) / len(own)) for own in seats]
    return each, [min(places[i] for i in own) for own in seats], [rows[own[0]] for own in seats], means


def _tallies(result: Result, books: Books) -> None:
    seats, pool = len(result.who), result.pool
    for seat, (user, _) in enumerate(result.who):
        if user is None:
            continue
        row = books.tally((user, result.game, pool, seats, seat))
        place, score = result.places[seat], result.scores[seat]
        row.games += 1
        row.wins += shared_win(place, result.places)
        row.places[place - 1] += 1
        if result.left[seat]:
            row.left += 1
            continue
        row.score_games += 1
        row.score_sum += score
        if row.best_score is None or score > row.best_score:
            row.best_score, row.best_table_id = score, result.table_id


def _meetings(result: Result, books: Books) -> None:
    people = sorted((user, place) for (user, _), place in zip(result.who, result.places, strict=True) if user is not None)
    for i, (low, low_place) in enumerate(people):
        for high, high_place in people[i + 1 :]:
            row = books.meeting((low, high, result.game))
            row.games += 1
            row.low_ahead += low_place < high_place
            row.high_ahead += high_place < low_place
            row.last_at = result.finished_at


def _records(result: Result, books: Books) -> None:
    """Keep the club's records from games that everybody played to the end; leads count only among people."""
    if result.club_id is None or any(result.left):
        return
    club, game, seats = result.club_id, result.game, len(result.who)
    scores = [
        (score, -seat, user) for seat, ((user, _), score) in enumerate(zip(result.who, result.scores, strict=True)) if user is not None
    ]
    if scores:
        best, _, user = max(scores, key=lambda entry: entry[:2])
        _record(books, (club, game, seats, ClubRecord.Kind.HIGHEST), best, user, result, lambda new, old: new > old)
    if result.pool == Pool.PEOPLE:
        order = sorted(range(seats), key=lambda seat: (result.places[seat], seat))
        first, second = order[0], order[1]
        lead = max(0, result.scores[first] - result.scores[second])
        winner = result.who[first][0]
        _record(books, (club, game, seats, ClubRecord.Kind.CLOSEST), lead, winner, result, lambda new, old: new < old)
        _record(books, (club, game, seats, ClubRecord.Kind.WIDEST), lead, winner, result, lambda new, old: new > old)


def _record(books: Books, key: RecordKey, value: int, user: int | None, result: Result, better: Callable[[int, int], bool]) -> None:
    row = books.records.get(key)
    if row is None:
        row = books.records[key] = ClubRecord(club_id=key[0], game=key[1], seats=key[2], kind=key[3])
    elif not better(value, row.value):
        return
    row.value, row.user_id, row.table_id, row.at = value, user, result.table_id, result.finished_at


def _predict(result: Result, books: Books, key: str) -> None:
    """Note what the ratings predicted before the game, and the outcome. Call it before the game moves them."""
    pool, game, places, seats = result.pool, result.game, result.places, len(result.who)
    each = weights([(row.mu, row.sigma) for row in (books.rating((key, one)) for one in result.who)])
    total = sum(each)
    for i, (weight, place) in enumerate(zip(each, places, strict=True)):
        chance, won = weight / total, shared_win(place, places)
        effect = books.effect((game, pool, seats, i))
        effect.games += 1
        effect.wins += won
        effect.expected += chance
        effect.variance += chance * (1 - chance)
        effect.place_sum += place
        effect.score_sum += result.scores[i]
        _note(books, game, pool, Calibration.Kind.WIN, chance, won, chance * (1 - chance))
        others = 0.0
        behind = 0.0
        for j, other in enumerate(each):
            if j == i:
                continue
            ahead = weight / (weight + other)
            others += 1 - ahead
            came = 1.0 if place < places[j] else 0.5 if place == places[j] else 0.0
            behind += 1 - came
            if j > i:
                _note(books, game, pool, Calibration.Kind.AHEAD, ahead, came, ahead * (1 - ahead))
        predicted, real = others / (seats - 1), behind / (seats - 1)
        _note(books, game, pool, Calibration.Kind.PLACE, predicted, real, (real - predicted) ** 2)


def _note(books: Books, game: str, pool: str, kind: str, predicted: float, real: float, variance: float) -> None:
    row = books.calibration((game, pool, kind, min(9, int(predicted * 10))))
    row.cases += 1
    row.predicted += predicted
    row.real += real
    row.variance += variance
