"""How fast an engine is, beside a loop that tells how fast the machine is: what `manage.py bench` prints.

Each figure is the best of some repeats in CPU time of this process. Playouts run on the bots' fast path (`playout_moves`,
that is `sample_action` and steps in place, without events); the web path is what one posted move costs in the engine.
"""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from games.core.contract import CHANCE, Game
from games.core.rng import SeededRng

REPEATS: Final = 5
CALIBRATION_STEPS: Final = 400_000
PLAYOUTS: Final = 120  # in a repeat
POSITIONS: Final = 200  # mid-game positions that the single calls are measured on


@dataclass(frozen=True, slots=True)
class EngineFigures:
    """The figures of one game with `seats` seats."""

    seats: int
    moves_per_s: float
    playouts_per_s: float
    legal_us: float
    copy_us: float
    state_json_bytes: int  # mean of the positions
    state_json_bytes_max: int
    web_path_ms: float

    def report(self) -> dict[str, Any]:
        return {
            "moves_per_s": round(self.moves_per_s),
            "playouts_per_s": round(self.playouts_per_s, 1),
            "legal_us": round(self.legal_us, 2),
            "copy_us": round(self.copy_us, 2),
            "state_json_bytes": self.state_json_bytes,
            "web_path_ms": round(self.web_path_ms, 4),
        }


def best_of(repeats: int, work: Callable[[], int]) -> float:
    """Return the most things a second that `work`, which returns their number, did in CPU time."""
    best = 0.0
    for _ in range(repeats):
        began = time.process_time()
        done = work()
        best = max(best, done / max(time.process_time() - began, 1e-9))
    return best


def calibration_per_s(repeats: int = REPEATS) -> float:
    """Return steps a second of a fixed little game in plain Python: lists, integers, one branch and one call a step."""

    def step(board: list[int], at: int) -> int:
        value = board[at] + 1
        board[at] = 0 if value == 7 else value
        return (at * 5 + value) % 61

    def work() -> int:
        board, at = [0] * 61, 0
        for _ in range(CALIBRATION_STEPS):
            at = step(board, at)
        return CALIBRATION_STEPS

    return best_of(repeats, work)


def mid_game(game: Game, seats: int, count: int) -> list[Any]:
    """Return positions of random games in which a seat is due, from the middle half of each game."""
    found: list[Any] = []
    number = 0
    while len(found) < count:
        rng = SeededRng(f"bench {number}")
        number += 1
        state, line = game.setup(seats, {}), []
        while actors := game.actors(state):
            actor = actors[0]
            if actor >= 0:
                line.append(state)
            action = game.sample_chance(state, rng) if actor == CHANCE else game.sample_action(state, actor, rng)
            state, _ = game.apply(state, actor, action)
        found += line[len(line) // 4 : 3 * len(line) // 4 : 5]
    return found[:count]


def measure(game: Game, seats: int, repeats: int = REPEATS, at: Callable[[int], None] | None = None) -> EngineFigures:
    """Return the figures of a game; `at(n)` hears of each of the five parts done."""
    tell = at if at is not None else lambda _: None
    states = mid_game(game, seats, POSITIONS)
    due = [game.actors(state)[0] for state in states]
    tell(1)

    games_done = [0]

    def playouts() -> int:
        moves = 0
        for number in range(PLAYOUTS):
            moves += game.playout_moves(game.setup(seats, {}), SeededRng(number))
        games_done[0] = moves
        return moves

    moves_per_s = best_of(repeats, playouts)
    moves_each = games_done[0] / PLAYOUTS
    tell(2)

    def legal() -> int:
        for state, seat in zip(states, due, strict=True):
            game.legal_actions(state, seat)
        return len(states)

    legal_us = 1e6 / best_of(repeats * 4, legal)
    duplicate: Callable[[Any], Any] = getattr(type(states[0]), "copy", copy.copy)

    def copies() -> int:
        for state in states:
            duplicate(state)
        return len(states)

    copy_us = 1e6 / best_of(repeats * 4, copies)
    tell(3)
    sizes = [len(json.dumps(game.state_to_json(state), separators=(",", ":"))) for state in states]
    tell(4)
    texts = [str(game.sample_action(state, seat, SeededRng(at))) for at, (state, seat) in enumerate(zip(states, due, strict=True))]

    def web() -> int:
        for state, seat, text in zip(states, due, texts, strict=True):
            after, _ = game.apply(state, seat, game.parse_action(text))
            json.dumps(game.state_to_json(after), separators=(",", ":"))
        return len(states)

    web_path_ms = 1e3 / best_of(repeats * 2, web)
    tell(5)
    return EngineFigures(
        seats=seats,
        moves_per_s=moves_per_s,
        playouts_per_s=moves_per_s / moves_each,
        legal_us=legal_us,
        copy_us=copy_us,
        state_json_bytes=round(sum(sizes) / len(sizes)),
        state_json_bytes_max=max(sizes),
        web_path_ms=web_path_ms,
    )
