"""What a match has shown: wins, places and scores of each player, with 95 % intervals by deals where deals are shared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.ladder import interval
from portal.matches.feeding import seat_of
from portal.matches.models import Game, Match


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A player in one seat."""

    seat: int  # from 0
    games: int
    wins: float


@dataclass(frozen=True, slots=True)
class Line:
    """A player over all games with a result. Rates are from 0 to 1; without games the interval is all of that and means are None."""

    player: int
    games: int
    wins: float  # a shared win counts in part
    low: float
    high: float
    mean_score: float | None
    mean_place: float | None
    by_seat: Sequence[SeatLine]

    @property
    def win_rate(self) -> float | None:
        return self.wins / self.games if self.games else None


def lines(match: Match, games: Sequence[Game]) -> list[Line]:
    """Return a line for each player, from the games of a match that have a result. A deal that lacks a game leaves the interval alone."""
    played = [game for game in games if game.places]
    shares = [_shares(game.places) for game in played]
    found = []
    for player in range(match.seats):
        wins = [share[player] for share in shares]
        seats = [seat_of(player, game.number, match.seats) for game in played]
        low, high = _interval(match, played, wins)
        found.append(
            Line(
                player=player,
                games=len(played),
                wins=sum(wins),
                low=low,
                high=high,
                mean_score=sum(game.scores[player] for game in played) / len(played) if played else None,
                mean_place=sum(game.places[player] for game in played) / len(played) if played else None,
                by_seat=[
                    SeatLine(seat, seats.count(seat), sum(win for win, at in zip(wins, seats, strict=True) if at == seat))
                    for seat in range(match.seats)
                ],
            )
        )
    return found


def _shares(places: Sequence[int]) -> list[float]:
    """Return each player's part of the win.

    >>> _shares([1, 3, 1])
    [0.5, 0.0, 0.5]
    """
    first = min(places)
    return [1 / places.count(first) if place == first else 0.0 for place in places]


def _interval(match: Match, played: Sequence[Game], wins: Sequence[float]) -> tuple[float, float]:
    """Return the interval of the ladder of levels, over the deals of which all games have a result; over single games if there are none."""
    if not played:
        return 0.0, 1.0
    deals: dict[int, list[float]] = {}
    for game, win in zip(played, wins, strict=True):
        deals.setdefault(game.number // match.seats if match.is_paired else game.number, []).append(win)
    whole = [deal for deal in deals.values() if len(deal) == (match.seats if match.is_paired else 1)]
    return interval(whole or [[win] for win in wins])
