"""How fast an engine is, with the speed of a plain loop in the same process for comparison.

Times are processor time of this process, so a busy machine distorts them less. No test asserts on them, because they depend
on the machine; the ratio to `calibration_per_s` travels better.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from games.core.contract import CHANCE, AnyGame, Rng
from games.core.rng import SeededRng

REPEATS: Final = 5
SLICE_S: Final = 0.4  # how long one repeat of a measurement runs
PATIENCE: Final = 6  # out of ten: how often a seat takes the first legal action on the way to a sampled position, to make games long
TIMED: Final = 5  # the slow figures of a game
WANTED: Final = 200  # mid-game positions that the figures are measured on


def calibration() -> float:
    """Return rounds per second of a fixed loop of list, dict and integer work (one repeat)."""
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


def positions(game: AnyGame, seats: int, seed: int = 1) -> list[tuple[Any, int, Any]]:
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


def _web_path(game: AnyGame) -> Callable[[Any, int, Any], object]:
    """Return a function that treats one posted action as the service does, without its database: text, check, apply, events, JSON."""

    def one(state: Any, actor: int, action: Any) -> object:
        new, events = game.apply(state, actor, game.parse_action(str(action)))
        json.dumps(game.state_to_json(new), separators=(",", ":"))
        json.dumps([[event.key, dict(event.params)] for event in events])
        return game.view_for(new, actor)

    return one


def _playout_by_apply(game: AnyGame, state: Any, rng: Rng) -> int:
    """Play a position to its end as tables do, and return the number of moves by seats."""
    moves = 0
    while actors := game.actors(state):
        action = game.sample_chance(state, rng) if actors[0] == CHANCE else game.sample_action(state, actors[0], rng)
        state, _ = game.apply(state, actors[0], action)
        moves += actors[0] >= 0
    return moves


def _playouts(game: AnyGame, seats: int) -> tuple[float, float]:
    """Return moves and playouts per second on the fast path, the best of the repeats."""
    best = (0.0, 0.0)
    play = game.playout_moves or partial(_playout_by_apply, game)
    for repeat in range(REPEATS):
        rng = SeededRng(f"playout {repeat}")
        moves, games, start = 0, 0, time.process_time()
        end = start + SLICE_S
        while time.process_time() < end:
            moves += play(game.setup(seats, {}), rng)
            games += 1
        took = time.process_time() - start
        best = max(best, (moves / took, games / took))
    return best


def measure(game: AnyGame, seats: int, measured: Callable[[], object] = lambda: None) -> dict[str, float]:
    """Return the engine figures of a game: rates per second, times in microseconds unless the name says otherwise, the best of the repeats.

    Moves are applied actions of seats; chance outcomes and scoring are played and timed, but not counted. `measured` is called
    before each of the TIMED figures, for a progress bar.
    """
    sample = positions(game, seats)

    def each(call: Callable[[Any, int, Any], object]) -> float:
        measured()
        return _each(call, sample)

    measured()
    moves_per_s, playouts_per_s = _playouts(game, seats)
    measured()
    return {
        "calibration_per_s": max(calibration() for _ in range(REPEATS)),
        "moves_per_s": moves_per_s,
        "playouts_per_s": playouts_per_s,
        "legal_us": 1e6 * each(lambda state, actor, _: game.legal_actions(state, actor)),
        "copy_us": 1e6 * each(lambda state, _a, _b: state.copy()),
        "state_json_bytes": max(len(json.dumps(game.state_to_json(state), separators=(",", ":"))) for state, _, _ in sample),
        "web_path_ms": 1e3 * each(_web_path(game)),
    }
