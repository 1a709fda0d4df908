"""Whole games of bots against bots: win rates with their interval, mean scores, reasons the games ended.

A bot sees its view and nothing else, and looks at no clock. Game number g of a seed is the same however many processes share the work.
Thinking time is processor time, so other work on the machine counts for little.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from games.core.contract import CHANCE, SCORER, ActionFormatError, AnyGame, GameFinder, IllegalAction, Rng
from games.core.rng import SeededRng

RANDOM: Final = "random"  # picks uniformly among the legal actions; for measurements only, never in the lobby
ONLY: Final = "only"  # the reason that every bot gives for the only possible move
MOVE_LIMIT: Final = 100_000  # moves by seats; far above the longest game
_BATCH: Final = 5  # games that a process takes at a time


class SettingError(ValueError):
    """The games cannot be set up as requested: one line that says why."""


class BotError(RuntimeError):
    """A bot raised an exception or gave an illegal answer: one line with seed, game and move."""


@dataclass(frozen=True, slots=True)
class Match:
    """What is played: `bots[i]` sits in seat (i + g) modulo `seats` in game number g.

    If `paired`, as many games in a row as there are seats share a deal: the same chance, as far as they draw alike, for each bot in each seat.
    """

    game: str
    seats: int
    bots: tuple[str, ...]
    seed: int
    options: Mapping[str, Any] = field(default_factory=dict)
    paired: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game; tuples are indexed by bot, in the order of `Match.bots`."""

    number: int
    wins: tuple[float, ...]  # 1 for an outright win, a share for a tie
    scores: tuple[int, ...]
    reason: str
    rounds: tuple[str, ...]  # how each round ended, if the game tells (its `round_ending`)
    moves: int  # by seats
    bot_s: tuple[float, ...]  # each bot's thinking time, seconds
    bot_moves: tuple[int, ...]
    slowest_s: tuple[float, ...]
    weighed_us: tuple[int, ...] = ()  # bot 0: microseconds for each move at which it had something to choose


class DealtRng:
    """Chance with a stream for each label, so that more draws of one kind (dice) do not change those of another (the bag)."""

    __slots__ = ("_name", "_streams")

    def __init__(self, name: str) -> None:
        self._name = name
        self._streams: dict[str, SeededRng] = {}

    def below(self, n: int, label: str) -> int:
        """Return a uniform integer in 0..n-1."""
        stream = self._streams.get(label)
        if stream is None:
            stream = self._streams[label] = SeededRng(f"{self._name}/{label}")
        return stream.below(n, label)


def levels(game: AnyGame) -> tuple[str, ...]:
    """Return the bot names allowed in a match."""
    return (RANDOM, *game.meta.bot_levels)


def check(game: AnyGame, match: Match) -> None:
    """Raise SettingError unless the match can be played."""
    title, possible = game.meta.title, game.meta.seats
    if match.seats not in possible:
        raise SettingError(f"--seats {match.seats}: {title} has {', '.join(map(str, possible))} seats")
    for bot in match.bots:
        if bot not in levels(game):
            raise SettingError(f"--bots: {bot!r} is no bot of {title}; there are {', '.join(levels(game))}")
    if len(match.bots) != match.seats:
        raise SettingError(f"--bots: {match.seats} seats need {match.seats} bots, {len(match.bots)} given")


def play_game(game: AnyGame, match: Match, number: int) -> Played:
    """Play game `number` of a match to its end. Raises BotError.

    Chance and each bot have their own generators, so a bot that draws more numbers does not change the deal.
    """
    seats = match.seats
    bot_in = [(seat - number) % seats for seat in range(seats)]
    name = f"{match.game}/{seats}/{match.seed}/{number}"
    chance = _chance(match, number)
    rngs = [SeededRng(f"{name}/bot {bot}") for bot in range(seats)]
    state = _setup(game, match)
    spent = [0.0] * seats
    slowest = [0.0] * seats
    made = [0] * seats
    weighed: list[int] = []
    rounds: list[str] = []
    moves = 0
    while actors := game.actors(state):
        actor = actors[0]
        if actor == CHANCE:
            state, _ = game.apply(state, actor, game.sample_chance(state, chance))
            continue
        if actor == SCORER:
            if (ending := game.round_ending(state)) is not None:
                rounds.append(ending)
            state, _ = game.apply(state, actor, game.legal_actions(state, actor)[0])
            continue
        bot = bot_in[actor]
        where = f"seed {match.seed}, game {number}, move {moves} (seat {actor}, {match.bots[bot]})"
        state, took, is_free = _bot_move(game, state, actor, match.bots[bot], rngs[bot], where)
        spent[bot] += took
        made[bot] += 1
        slowest[bot] = max(slowest[bot], took)
        if bot == 0 and is_free:
            weighed.append(round(1e6 * took))
        moves += 1
        if moves > MOVE_LIMIT:
            raise BotError(f"{where}: the game does not end")
    outcome = game.outcome(state)
    if outcome is None:
        raise BotError(f"seed {match.seed}, game {number}, move {moves}: nobody is due and the game has no outcome")
    winners = [seat for seat in range(seats) if outcome.places[seat] == 1]
    seat_of = [(bot + number) % seats for bot in range(seats)]
    return Played(
        number=number,
        wins=tuple([1 / len(winners) if seat in winners else 0.0 for seat in seat_of]),
        scores=tuple([outcome.scores[seat] for seat in seat_of]),
        reason=outcome.reason,
        rounds=tuple(rounds),
        moves=moves,
        bot_s=tuple(spent),
        bot_moves=tuple(made),
        slowest_s=tuple(slowest),
        weighed_us=tuple(weighed),
    )


def starting_order(game: AnyGame, match: Match, number: int) -> tuple[int, ...]:
    """Return the seats of game `number` of a match in the order that chance gave them at its start."""
    chance, state = _chance(match, number), _setup(game, match)
    while (actors := game.actors(state))[0] == CHANCE:
        state, _ = game.apply(state, CHANCE, game.sample_chance(state, chance))
    if game.starting_order is not None:
        return tuple(game.starting_order(state))
    return tuple([(actors[0] + place) % match.seats for place in range(match.seats)])


def _chance(match: Match, number: int) -> Rng:
    deal = f"{match.game}/{match.seats}/{match.seed}"
    return DealtRng(f"{deal}/deal {number // match.seats}") if match.paired else SeededRng(f"{deal}/{number}")


def _setup(game: AnyGame, match: Match) -> Any:
    return game.setup(match.seats, {spec.key: spec.default for spec in game.meta.options} | dict(match.options))


def _bot_move(game: AnyGame, state: Any, seat: int, level: str, rng: Rng, where: str) -> tuple[Any, float, bool]:
    """Return the position after a bot's answer, its thinking time in seconds of the processor, and whether it had anything to choose.

    Raises BotError, whose line starts with `where`.
    """
    view = game.view_for(state, seat)
    began = time.process_time()
    try:
        choice = game.choose_action(view, level, rng)
    except Exception as error:
        raise BotError(f"{where}: raised {type(error).__name__}: {error}") from error
    took = time.process_time() - began
    is_free = not choice.reasons or choice.reasons[0][0] != ONLY
    try:
        return game.apply(state, seat, choice.action)[0], took, is_free
    except (IllegalAction, ActionFormatError, TypeError, AttributeError) as error:
        raise BotError(f"{where}: {str(choice.action)[:60]!r} is not allowed: {error}") from error


def _play_batch(find: GameFinder, match: Match, numbers: Sequence[int]) -> list[Played]:
    game = find(match.game)
    return [play_game(game, match, number) for number in numbers]


def play(find: GameFinder, match: Match, games: int, jobs: int = 1, first: int = 0) -> Iterator[Played]:
    """Yield the games `first` .. `games` - 1 of a match in order of number, played by `jobs` processes.

    `find` returns a game by its key and must be importable by the other processes. Raises SettingError, BotError.
    """
    check(find(match.game), match)
    batches = [range(at, min(at + _BATCH, games)) for at in range(first, games, _BATCH)]
    if jobs <= 1 or len(batches) <= 1:
        for numbers in batches:
            for number in numbers:
                yield from _play_batch(find, match, [number])
        return
    with ProcessPoolExecutor(min(jobs, len(batches))) as pool:
        running = [pool.submit(_play_batch, find, match, numbers) for numbers in batches]
        try:
            for batch in running:
                yield from batch.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def wilson(wins: float, games: float, z: float = 1.959964) -> tuple[float, float]:
    """Return the Wilson 95 % interval of a win rate.

    >>> [round(x, 3) for x in wilson(50, 100)]
    [0.404, 0.596]
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if not games:
        return 0.0, 1.0
    rate = wins / games
    spread = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    middle = rate + z * z / (2 * games)
    scale = 1 + z * z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


@dataclass(slots=True)
class Tally:
    """The totals over the games played."""

    match: Match
    games: int = 0
    moves: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    rounds: Counter[str] = field(default_factory=Counter)
    wins: list[float] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    bot_s: list[float] = field(default_factory=list)
    bot_moves: list[int] = field(default_factory=list)
    slowest_s: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        n = self.match.seats
        self.wins, self.scores = [0.0] * n, [0] * n
        self.bot_s, self.bot_moves, self.slowest_s = [0.0] * n, [0] * n, [0.0] * n

    def add(self, played: Played) -> None:
        self.games += 1
        self.moves += played.moves
        self.reasons[played.reason] += 1
        self.rounds.update(played.rounds)
        for bot in range(self.match.seats):
            self.wins[bot] += played.wins[bot]
            self.scores[bot] += played.scores[bot]
            self.bot_s[bot] += played.bot_s[bot]
            self.bot_moves[bot] += played.bot_moves[bot]
            self.slowest_s[bot] = max(self.slowest_s[bot], played.slowest_s[bot])

    def report(self, seconds: float) -> dict[str, Any]:
        """Return the figures that --json prints."""
        bots = []
        for at, bot in enumerate(self.match.bots):
            low, high = wilson(self.wins[at], self.games)
            bots.append(
                {
                    "bot": bot,
                    "games": self.games,
                    "wins": round(self.wins[at], 3),
                    "win_rate": round(self.wins[at] / self.games, 4) if self.games else 0.0,
                    "ci95": [round(low, 4), round(high, 4)],
                    "mean_score": round(self.scores[at] / self.games, 2) if self.games else 0.0,
                }
            )
        return {
            "game": self.match.game,
            "seats": self.match.seats,
            "games": self.games,
            "seconds": round(seconds, 2),
            "moves_per_s": round(self.moves / seconds) if seconds else 0,
            "end_reasons": dict(sorted(self.reasons.items())),
            "bots": bots,
        }


def run(find: GameFinder, match: Match, games: int, jobs: int = 1, at: Callable[[int], None] | None = None) -> tuple[Tally, float]:
    """Play all games and return their tally and the seconds it took; `at(n)` is called after every finished game."""
    tally = Tally(match)
    began = time.perf_counter()
    for played in play(find, match, games, jobs):
        tally.add(played)
        if at is not None:
            at(tally.games)
    return tally, time.perf_counter() - began
