"""Random games that check every promise of an engine on the way; `manage.py fuzz` runs them.

Checked at each ply: the chosen action is legal and listed once, `apply` leaves its input alone, somebody is due until
the end, the game's own invariants hold. Checked at some plies: position and action survive their text, the fast path
offers only what is legal, and a seat sees the same whatever is hidden from it. Checked at the end: outcome, derivation, replay.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from games.core.contract import CHANCE, AnyGame, GameFinder, score_of
from games.core.records import RECORD_FORMAT, replay
from games.core.rng import SeededRng

MOVE_LIMIT: Final = 100_000
EVERY: Final = 16  # plies between two runs of the more expensive checks
EAGERNESS: Final = (0, 6, 9)  # out of ten: how often a seat takes the first legal action, by game; gives short and long games
_BATCH: Final = 20

Trial = Callable[[str, AnyGame, int, int, int], "tuple[int, str, Fault | None]"]  # like `fuzz_game`


class _BrokenError(AssertionError):
    """A promise is broken."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The first broken promise of a game, with what is needed to reproduce it."""

    seed: int
    number: int
    seats: int
    move: int
    what: str
    record: dict[str, Any]
    kind: str = "game"  # or "position"

    def line(self) -> str:
        return f"seed {self.seed}, {self.kind} {self.number} ({self.seats} seats), action {self.move}: {self.what}"


@dataclass(slots=True)
class Fuzzed:
    """What a run of random games found."""

    games: int = 0
    moves: int = 0
    by_seats: Counter[int] = field(default_factory=Counter)
    end_reasons: Counter[str] = field(default_factory=Counter)
    fault: Fault | None = None


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise _BrokenError(what)


def fuzz_game(key: str, game: AnyGame, seats: int, seed: int, number: int) -> tuple[int, str, Fault | None]:
    """Play random game `number` with all checks; return the seats' moves, the reason it ended, and the fault, if any."""
    rng = SeededRng(f"fuzz/{key}/{seats}/{seed}/{number}")
    options = {spec.key: spec.choices[rng.below(len(spec.choices), "option")] for spec in game.meta.options}
    line: list[list[Any]] = []
    moves = 0
    try:
        state = game.setup(seats, options)
        eager = EAGERNESS[number % len(EAGERNESS)]
        while actors := game.actors(state):
            actor = actors[rng.below(len(actors), "actor")]
            action = game.sample_chance(state, rng) if actor == CHANCE else _pick(game, state, actor, eager, rng)
            line.append([actor, str(action)])
            is_thorough = rng.below(EVERY, "check") == 0
            state = _step(game, state, actor, action, is_thorough)
            if is_thorough:
                _check_texts(game, state, action)
                _check_secrets(game, state, seats, rng)
            moves += actor >= 0
            _require(moves <= MOVE_LIMIT, "the game does not end")
        record = _record(key, game, options, seats, line)
        reason = _check_end(game, state, seats, record if number % EVERY == 0 else None)
    except Exception as error:
        what = str(error) if isinstance(error, _BrokenError) else f"{type(error).__name__}: {error}"
        return moves, "", Fault(seed, number, seats, len(line) - 1, what, _record(key, game, options, seats, line))
    return moves, reason, None


def _pick(game: AnyGame, state: Any, actor: int, eager: int, rng: SeededRng) -> Any:
    legal = game.legal_actions(state, actor)
    _require(bool(legal), f"seat {actor} is due and has no legal action")
    if actor >= 0 and rng.below(EVERY, "check") == 0:
        texts = [str(action) for action in legal]
        _require(len(set(texts)) == len(texts), "a legal action is listed twice")
        _require(str(game.sample_action(state, actor, rng)) in texts, "sample_action gave what is not legal")
    return legal[0] if rng.below(10, "pick") < eager else legal[rng.below(len(legal), "pick")]


def _step(game: AnyGame, state: Any, actor: int, action: Any, is_thorough: bool) -> Any:
    before = json.dumps(game.state_to_json(state)) if is_thorough else ""
    after, events = game.apply(state, actor, action)
    if is_thorough:
        _require(json.dumps(game.state_to_json(state)) == before, "apply changed its input")
        for event in events:
            _require(event.key in game.phrases, f"event {event.key!r} has no sentence")
    fault = game.check_invariants(after, state)
    _require(fault is None, str(fault))
    return after


def _check_texts(game: AnyGame, state: Any, action: Any) -> None:
    _require(game.parse_action(str(action)) == action, f"action {str(action)!r} does not survive its text")
    data = game.state_to_json(state)
    _require(game.state_from_json(json.loads(json.dumps(data))) == state, "the position does not survive its JSON")


def _check_secrets(game: AnyGame, state: Any, seats: int, rng: SeededRng) -> None:
    """A position that the seat cannot tell from this one must offer the same board, question and actions."""
    seat = rng.below(seats, "viewer")
    view = game.view_for(state, seat)
    other = game.view_for(game.sample_state(view, rng), seat)
    _require(game.legal_for_view(other) == game.legal_for_view(view), f"what is hidden from seat {seat} changes its legal actions")
    _require(game.scene(other) == game.scene(view), f"what is hidden from seat {seat} changes its board")
    _require(game.ask(other) == game.ask(view), f"what is hidden from seat {seat} changes its question")
    if seat in game.actors(state):
        _require(game.legal_for_view(view) == game.legal_actions(state, seat), f"seat {seat} is shown other actions than are legal")


def _check_end(game: AnyGame, state: Any, seats: int, record: dict[str, Any] | None) -> str:
    outcome = game.outcome(state)
    if outcome is None:
        raise _BrokenError("nobody is due and there is no outcome")
    _require(len(outcome.places) == len(outcome.scores) == seats and min(outcome.places) == 1, "the places are not right")
    for seat in range(seats):
        total = score_of(outcome, seat)
        _require(total == outcome.scores[seat], f"the derivation of seat {seat} gives {total}, not {outcome.scores[seat]}")
    if record is not None:
        _, again = replay(record, lambda _: game)
        _require(again == state, "the record replays to another position")
    return outcome.reason


def _record(key: str, game: AnyGame, options: dict[str, Any], seats: int, line: list[list[Any]]) -> dict[str, Any]:
    version = game.meta.rules_version
    return {"format": RECORD_FORMAT, "game": key, "rules_version": version, "options": options, "seats": seats, "actions": line}


def _fuzz_batch(find: GameFinder, key: str, seats: Sequence[int], seed: int, numbers: range, trial: Trial) -> Fuzzed:
    game = find(key)
    found = Fuzzed()
    for number in numbers:
        n = seats[number % len(seats)]
        moves, reason, fault = trial(key, game, n, seed, number)
        found.games += 1
        found.moves += moves
        found.by_seats[n] += 1
        if fault is not None:
            found.fault = fault
            break
        found.end_reasons[reason] += 1
    return found


def _batches(find: GameFinder, key: str, seats: Sequence[int], seed: int, numbers: range, jobs: int, trial: Trial) -> Iterator[Fuzzed]:
    parts = [numbers[at : at + _BATCH] for at in range(0, len(numbers), _BATCH)]
    if jobs <= 1 or len(parts) <= 1:
        for part in parts:
            yield _fuzz_batch(find, key, seats, seed, part, trial)
        return
    with ProcessPoolExecutor(min(jobs, len(parts))) as pool:
        running = [pool.submit(_fuzz_batch, find, key, seats, seed, part, trial) for part in parts]
        try:
            for batch in running:
                yield batch.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def run(
    find: GameFinder,
    key: str,
    seats: Sequence[int],
    seed: int,
    numbers: range,
    jobs: int = 1,
    at: Callable[[int], None] | None = None,
    trial: Trial = fuzz_game,
) -> tuple[Fuzzed, float]:
    """Play the random games of `numbers`, cycling through the player counts, up to the first fault; return findings and seconds.

    `trial` may replace the game by something else (`fuzz_positions.fuzz_position`); other processes import it.
    """
    total = Fuzzed()
    began = time.perf_counter()
    for part in _batches(find, key, seats, seed, numbers, jobs, trial):
        total.games += part.games
        total.moves += part.moves
        total.by_seats += part.by_seats
        total.end_reasons += part.end_reasons
        if at is not None:
            at(total.games)
        if part.fault is not None:
            total.fault = part.fault
            break
    return total, time.perf_counter() - began
