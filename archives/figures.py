"""Figures of many games, in whole numbers that can be added up: what seats win, how long games are, scores, and how they open.

Memory doesn't grow with the number of games: sums are kept by seat, length and score, and openings level by level, in one pass over the
games for each level. Only the positions that came up most often are opened further, so a pass holds at most `OPENED` positions with
the moves that the game's rules know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from archives.rows import BOT

DEPTH: Final = 4  # moves of an opening
WITHIN: Final = 60  # of the first actions of a game, chance included, in which its opening is looked for
OPENED: Final = 60  # positions of a level that are opened further, for each number of players and kind of company
OPENED_FROM: Final = 5  # games
MOVES: Final = 12  # that are kept of a position, the most frequent ones
WIN: Final = 60  # a whole win; a shared one is a whole part of it for up to six winners
ALL, PEOPLE = COMPANY = ("all", "people")  # every game, or those that people played among themselves to the end
Group = tuple[int, str]  # number of players, and of COMPANY
Line = tuple[str, ...]  # the moves that led to a position, as text


class Game(NamedTuple):
    """What figures need of a game. Lists are by seat; `opening` is (seat, text) of its first moves."""

    table: int
    kinds: Sequence[str]
    left: Sequence[bool]
    places: Sequence[int]
    scores: Sequence[int]
    reason: str
    length: int  # actions of seats
    opening: Sequence[tuple[int, str]]

    @property
    def groups(self) -> list[Group]:
        seats = len(self.places)
        is_of_people = BOT not in self.kinds and not any(self.left)
        return [(seats, ALL), (seats, PEOPLE)] if is_of_people else [(seats, ALL)]

    @property
    def win(self) -> int:
        """What a winner gets, of WIN."""
        return WIN // self.places.count(1)


@dataclass(slots=True)
class Sums:
    """Of one seat, or of a move: games, wins in parts of WIN, and sums of places and of their squares."""

    games: int = 0
    wins: int = 0
    places: int = 0
    squares: int = 0

    def add(self, game: Game, seat: int) -> None:
        place = game.places[seat]
        self.games += 1
        self.wins += game.win if place == 1 else 0
        self.places += place
        self.squares += place * place


@dataclass(slots=True)
class SeatSums(Sums):
    """Of one seat: the scores as well."""

    scores: int = 0

    def add(self, game: Game, seat: int) -> None:
        Sums.add(self, game, seat)
        self.scores += game.scores[seat]


@dataclass(slots=True)
class MoveSums(Sums):
    """Of a move: its latest game as an example."""

    table: int = 0


@dataclass(slots=True)
class Totals:
    """Of all games of a group. `lengths` and `scores` tell how often each value came up; `winning` those of winners."""

    seats: list[SeatSums]
    games: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    winning: Counter[int] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, game: Game) -> None:
        self.games += 1
        self.lengths[game.length] += 1
        self.scores.update(game.scores)
        self.winning.update(score for score, place in zip(game.scores, game.places, strict=True) if place == 1)
        self.reasons[game.reason] += 1
        for seat, sums in enumerate(self.seats):
            sums.add(game, seat)


@dataclass(slots=True)
class Figures:
    """Totals by group, and by group the moves of openings, each by the line that ends with it."""

    totals: dict[Group, Totals] = field(default_factory=dict)
    moves: dict[Group, dict[Line, MoveSums]] = field(default_factory=dict)


def figures_of(games: Callable[[], Iterable[Game]]) -> Figures:
    """Return the figures of games; `games()` starts to read them again, always in the same order."""
    found = Figures()
    for game in games():
        for group in game.groups:
            if group not in found.totals:
                found.totals[group] = Totals([SeatSums() for _ in range(group[0])])
            found.totals[group].add(game)
    opened: dict[Group, set[Line]] = {group: {()} for group in found.totals}
    found.moves = {group: {} for group in found.totals}
    for depth in range(DEPTH):
        level = _level(games(), depth, opened)
        for group, moves in level.items():
            kept = _kept(moves)
            found.moves[group] |= kept
            often = sorted((line for line, sums in kept.items() if sums.games >= OPENED_FROM), key=lambda line: (-kept[line].games, line))
            opened[group] = set(often[:OPENED])
        if not any(opened.values()):
            break
    return found


def _level(games: Iterable[Game], depth: int, opened: dict[Group, set[Line]]) -> dict[Group, dict[Line, MoveSums]]:
    """Return the moves number `depth` (from 0) that follow the opened lines."""
    found: dict[Group, dict[Line, MoveSums]] = {group: {} for group in opened}
    for game in games:
        if len(game.opening) <= depth:
            continue
        line = tuple([text for _, text in game.opening[: depth + 1]])
        for group in game.groups:
            if line[:-1] in opened[group]:
                sums = found[group].setdefault(line, MoveSums())
                sums.add(game, game.opening[depth][0])
                sums.table = game.table
    return found


def _kept(moves: dict[Line, MoveSums]) -> dict[Line, MoveSums]:
    """Return the most frequent moves of each position."""
    after: Counter[Line] = Counter()
    kept: dict[Line, MoveSums] = {}
    for line in sorted(moves, key=lambda line: (-moves[line].games, line)):
        if after[line[:-1]] < MOVES:
            after[line[:-1]] += 1
            kept[line] = moves[line]
    return kept
