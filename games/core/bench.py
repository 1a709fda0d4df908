"""How fast an engine is, with the speed of a plain loop in the same process to compare it with.

Times are processor time of this process, so that a busy machine disturbs them less. No test asserts on them: they belong
to a machine; the ratio to `calibration_per_s` travels better.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from games.core.contract import CHANCE, Game
from games.core.rng import SeededRng

REPEATS: Final = 5
SLICE_S: Final = 0.4  # how long one repeat of a figure runs
PATIENCE: Final = 6  # of ten: how often a seat of the sampled positions takes the first legal action, so that games grow long
WANTED: Final = 200  # positions in mid-game that the figures are taken from


def calibration() -> float:
    """Return rounds a second of a fixed loop of list, dict and integer work (one repeat)."""
    rounds, end = 0, time.process_time() + SLICE_S
    counts = dict.fromkeys(range(16), 0)
    numbers = list(range(64))
    start = time.process_time()
    while time.process_time() < end:
        for at in range(1000):
            value = numbers[at & 63]
            counts[value & 15] += at
            if value > 31:
                value -= 1
        rounds += 1000
    return rounds / (time.process_time() - start)


def positions(game: Game, seats: int, seed: int = 1) -> list[tuple[Any, int, Any]]:
    """Return positions of random games in which a seat is due, with the seat and an action it plays there."""
    found: list[tuple[Any, int, Any]] = []
    rng = SeededRng(f"bench {seats} {seed}")
    while len(found) < 4 * WANTED:
        state = game.setup(seats, {})
        while actors := game.actors(state):
            actor = actors[0]
            if actor == CHANCE:
                action = game.sample_chance(state, rng)
            else:
                action = game.sample_action(state, actor, rng)
                if rng.below(10, "bench") < PATIENCE:
                    action = game.legal_actions(state, actor)[0]
            if actor >= 0:
                found.append((state, actor, action))
            state, _ = game.apply(state, actor, action)
    step = len(found) // WANTED
    return found[step // 2 :: step][:WANTED]


def _each(call: Callable[[Any, int, Any], object], sample: Sequence[tuple[Any, int, Any]]) -> float:
    """Return the mean time of a call over the sample, in seconds: the best of the repeats."""
    best = float("inf")
    for _ in range(REPEATS):
        count, start = 0, time.process_time()
        end = start + SLICE_S
        while (now := time.process_time()) < end:
            for state, actor, action in sample:
                call(state, actor, action)
            count += len(sample)
        now = time.process_time()
        best = min(best, (now - start) / count)
    return best


def _web_path(game: Game) -> Callable[[Any, int, Any], object]:
    """Return what the service does with one posted action, without its database: text, check, apply, events, JSON."""

    def one(state: Any, actor: int, action: Any) -> object:
        new, events = game.apply(state, actor, game.parse_action(str(action)))
        json.dumps(game.state_to_json(new), separators=(",", ":"))
        json.dumps([[event.key, dict(event.params)] for event in events])
        return game.view_for(new, actor)

    return one


def _playouts(game: Game, seats: int) -> tuple[float, float]:
    """Return moves and playouts a second on the fast path, the best of the repeats."""
    best = (0.0, 0.0)
    for repeat in range(REPEATS):
        rng = SeededRng(f"playout {repeat}")
        moves, games, start = 0, 0, time.process_time()
        end = start + SLICE_S
        while time.process_time() < end:
            moves += game.playout_moves(game.setup(seats, {}), rng)
            games += 1
        took = time.process_time() - start
        best = max(best, (moves / took, games / took))
    return best


def measure(game: Game, seats: int) -> dict[str, float]:
    """Return the engine figures of a game: rates a second, times in microseconds or as named, the best of the repeats.

    Moves are applied actions of seats; chance outcomes and scoring are played and timed, but not counted.
    """
    sample = positions(game, seats)
    moves_per_s, playouts_per_s = _playouts(game, seats)
    sizes = [len(json.dumps(game.state_to_json(state), separators=(",", ":"))) for state, _, _ in sample]
    return {
        "calibration_per_s": max(calibration() for _ in range(REPEATS)),
        "moves_per_s": moves_per_s,
        "playouts_per_s": playouts_per_s,
        "legal_us": 1e6 * _each(lambda state, actor, _: game.legal_actions(state, actor), sample),
        "copy_us": 1e6 * _each(lambda state, _a, _b: state.copy(), sample),
        "state_json_bytes": max(sizes),
        "web_path_ms": 1e3 * _each(_web_path(game), sample),
    }
