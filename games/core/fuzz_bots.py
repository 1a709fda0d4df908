"""Bots before positions from nowhere: what `manage.py fuzz --positions --bots` asks them.

The promise: whatever position loads, every level answers for whoever is due with one of the legal actions. How long that took is told, not judged.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from games.core.contract import CHANCE, AnyGame, GameFinder, PositionError
from games.core.fuzz import Fault
from games.core.fuzz_positions import file_of, made_up, record_of
from games.core.records import read_json, start_of_position
from games.core.rng import SeededRng

PLIES: Final = 6  # how many plies each accepted position is played on
_BATCH: Final = 20

Budgets = Mapping[str, float | None]  # what each level is given to think, in seconds


@dataclass(slots=True)
class Answered:
    """What bots answered; times are seconds of the processor."""

    files: Counter[str] = field(default_factory=Counter)  # accepted, refused
    answers: Counter[str] = field(default_factory=Counter)  # by level
    seconds: Counter[str] = field(default_factory=Counter)  # all answers of a level
    slowest: dict[str, tuple[float, int]] = field(default_factory=dict)  # by level: of one answer, with the number of its file
    fault: Fault | None = None

    def add(self, other: Answered) -> None:
        self.files += other.files
        self.answers += other.answers
        for level, spent in other.seconds.items():
            self.seconds[level] += spent
        for level, found in other.slowest.items():
            self.slowest[level] = max(found, self.slowest.get(level, (-1.0, 0)))
        self.fault = self.fault or other.fault

    def note(self, level: str, took: float, number: int) -> None:
        self.answers[level] += 1
        self.seconds[level] += took  # type: ignore[assignment]
        self.slowest[level] = max((took, number), self.slowest.get(level, (-1.0, 0)))


def ask(key: str, game: AnyGame, seats: int, seed: int, number: int, budgets: Budgets) -> Answered:
    """Make position file `number`, ask each level for everyone who is due, and play on with one of the answers."""
    found, line = Answered(), []
    rng = SeededRng(f"fuzz positions/{key}/{seats}/{seed}/{number}")  # the same file as without bots
    file = file_of(game, made_up(game, seats, number, rng), seats)
    try:
        _, state = start_of_position(read_json(json.dumps(file)), lambda _: game)
    except PositionError:
        found.files["refused"] += 1
        return found
    found.files["accepted"] += 1
    try:
        for _ in range(PLIES):
            actors = game.actors(state)
            if not actors:
                break
            for seat in actors:
                if seat >= 0:
                    action = _answers(game, state, seat, budgets, found, number)[rng.below(len(budgets), "level")]
                else:
                    action = game.sample_chance(state, rng) if seat == CHANCE else game.legal_actions(state, seat)[0]
            line.append([seat, str(action)])
            state, _ = game.apply(state, seat, action)
    except Exception as error:
        what = str(error) if isinstance(error, _WrongError) else f"{type(error).__name__}: {error}"
        found.fault = Fault(seed, number, seats, len(line), what, record_of(game, file, line), "position")
    return found


class _WrongError(AssertionError):
    """A bot failed or gave an answer that is not allowed."""


def _answers(game: AnyGame, state: Any, seat: int, budgets: Budgets, found: Answered, number: int) -> list[Any]:
    legal, view, actions = game.legal_actions(state, seat), game.view_for(state, seat), []
    for level, budget_s in budgets.items():
        began = time.process_time()
        try:
            action = game.choose_action(view, level, SeededRng(number), budget_s).action
        except Exception as error:
            raise _WrongError(f"seat {seat}, {level}: raised {type(error).__name__}: {error}") from error
        found.note(level, time.process_time() - began, number)
        if action not in legal:
            raise _WrongError(f"seat {seat}, {level}: {str(action)[:60]!r} is not allowed")
        actions.append(action)
    return actions


def _ask_batch(find: GameFinder, key: str, seats: Sequence[int], seed: int, budgets: Budgets, numbers: range) -> Answered:
    game, found = find(key), Answered()
    for number in numbers:
        found.add(ask(key, game, seats[number % len(seats)], seed, number, budgets))
        if found.fault is not None:
            break
    return found


def run(
    find: GameFinder,
    key: str,
    seats: Sequence[int],
    seed: int,
    numbers: range,
    budgets: Budgets,
    jobs: int = 1,
    at: Callable[[int], None] | None = None,
) -> Answered:
    """Ask bots at all positions of `numbers`, cycling through the player counts, up to the first fault."""
    total = Answered()
    for part in _parts(partial(_ask_batch, find, key, seats, seed, budgets), numbers, jobs):
        total.add(part)
        if at is not None:
            at(total.files.total())
        if total.fault is not None:
            break
    return total


def _parts(work: Callable[[range], Answered], numbers: range, jobs: int) -> Iterator[Answered]:
    parts = [numbers[at : at + _BATCH] for at in range(0, len(numbers), _BATCH)]
    if jobs <= 1 or len(parts) <= 1:
        yield from map(work, parts)
        return
    with ProcessPoolExecutor(min(jobs, len(parts))) as pool:
        running = [pool.submit(work, part) for part in parts]
        try:
            for batch in running:
                yield batch.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
