"""Both forms of the engines side by side: equal games from equal seeds, and how much sooner the compiled form plays them.

Each form plays in processes of its own (`python -m tools.compiled.figures WHAT GAME NUMBERS`), because a module is imported in one form only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice, zip_longest
from typing import Any
from zlib import crc32

from games.core.compiled import FOLDER, PLAIN, ROOT, SWITCH, is_compiled
from games.core.contract import CHANCE, AnyGame
from games.core.rng import SeededRng
from games.core.simulate import Match, play_game
from games.registry import game

FORMS = ("plain", "compiled")
GAMES_EQUAL = 20
GAMES_TIMED = 4
TIMED = ("scribe", "master")
REPEATS = 3
SLICE_S = 0.5
PARTS = ("the actors", "the actions", "the reasons", "the events", "the positions")  # of a move, as compared
SHOWN = 120  # characters of each form where they differ


def environment(form: str) -> dict[str, str]:
    return {**os.environ, SWITCH: PLAIN if form == PLAIN else ""}


def moves(rules: AnyGame, seats: int, seed: int, level: str | None) -> Iterator[str]:
    """Yield each move of a game as text: the actor, the action, a bot's reasons, what happened and the position after it (PARTS).

    Bots of `level` play it, or the fast path (None).
    """
    rng = SeededRng(f"equal {seats} {seed}")
    state = rules.setup(seats, {})
    while actors := rules.actors(state):
        actor = actors[0]
        reasons: Any = ()
        if actor == CHANCE:
            action = rules.sample_chance(state, rng)
        elif actor < 0 or level is None:
            action = rules.sample_action(state, actor, rng)
        else:
            choice = rules.choose_action(rules.view_for(state, actor), level, rng)
            action, reasons = choice.action, [choice.reasons, [(str(one), worth) for one, worth in choice.ranked]]
        state, events = rules.apply(state, actor, action)
        told = [[event.key, dict(event.params), event.rule] for event in events]
        yield "\n".join(map(repr, [actor, str(action), reasons, told, rules.state_to_json(state)]))


def matches(rules: AnyGame, games: int) -> list[tuple[int, int, str | None]]:
    """Return seats, seed and level of `games` random games and one game of each level, over the numbers of seats."""
    counts = rules.meta.seats
    return [
        *((counts[seed % len(counts)], seed, None) for seed in range(games)),
        *((counts[at % len(counts)], at, level) for at, level in enumerate(rules.meta.bot_levels)),
    ]


def traces(key: str, games: int) -> list[list[int]]:
    """Return a checksum of each move of each of the `matches`."""
    rules = game(key)
    return [[crc32(move.encode()) for move in moves(rules, *match)] for match in matches(rules, games)]


def one_move(key: str, games: int, at: int, move: int) -> list[str]:
    """Return the parts of a move of one of the `matches`."""
    rules = game(key)
    return next(islice(moves(rules, *matches(rules, games)[at]), move, None), "").split("\n")


def difference(key: str, games: int, is_strict: bool = True) -> str | None:
    """Return where the games of both forms differ first, in three lines; None if they are equal."""
    plain, compiled = (ask(form, "traces", key, games, is_strict=is_strict) for form in FORMS)
    for at, rows in enumerate(zip(plain, compiled, strict=True)):
        if rows[0] == rows[1]:
            continue
        move = next(number for number, pair in enumerate(zip_longest(*rows)) if pair[0] != pair[1])
        texts = [ask(form, "one_move", key, games, at, move, is_strict=is_strict) for form in FORMS]
        seats, seed, level = matches(game(key), games)[at]
        part, *said = next((part, *pair) for part, *pair in zip_longest(PARTS, *texts, fillvalue="") if pair[0] != pair[1])
        from_, to = _around(*said)
        lines = [f"  {form:<9}{text[from_:to]}" for form, text in zip(FORMS, said, strict=True)]
        where = f"{level or 'random'} game {seed} of {seats} seats, move {move + 1}: {part} differ"
        return "\n".join([where, *lines])
    return None


def _around(one: str, other: str) -> tuple[int, int]:
    """Return from where to where to show two texts, so that the first difference is in sight."""
    first = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return max(0, first - SHOWN // 2), first + SHOWN // 2


def times(key: str, games: int) -> dict[str, float]:
    """Return moves a second on the fast path, and processor seconds a game of each of the levels in TIMED that the game has."""
    rules = game(key)
    seats = min(rules.meta.seats, key=lambda count: abs(count - 3))
    assert rules.playout_moves is not None
    moves, seed, start = 0, 0, time.process_time()
    while time.process_time() < start + SLICE_S:
        moves += rules.playout_moves(rules.setup(seats, {}), SeededRng(f"timed {seed}"))
        seed += 1
    found = {"moves": moves / (time.process_time() - start)}
    for level in TIMED:
        if level in rules.meta.bot_levels:
            match = Match(key, seats, (level,) * seats, 1)
            start = time.process_time()
            for number in range(games):
                play_game(rules, match, number)
            found[level] = (time.process_time() - start) / games
    return found


def ask(form: str, what: str, key: str, *numbers: int, is_strict: bool = True) -> Any:
    """Return what a process in one form answers. Exits with its last line if it fails and, if strict, if the game isn't compiled."""
    argv = [sys.executable, "-m", "tools.compiled.figures", what, key, *map(str, numbers)]
    done = subprocess.run(argv, cwd=ROOT, env=environment(form), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{key}, {form}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    answer = json.loads(done.stdout)
    if is_strict and answer["compiled"] != (form != PLAIN):
        sys.exit(f"{key} isn't compiled; make fast ARGS={key} does it.")
    return answer["found"]


def compare(keys: list[str], games: int) -> None:
    """Print whether the games of both forms are equal; exits with 1 if not."""
    differ = False
    for key in keys:
        if not (FOLDER / key).is_dir():
            print(f"  {game(key).meta.title:<24}not compiled")
            continue
        found = difference(key, games)
        differ |= found is not None
        said = f"equal, {games} random games and one of each level" if found is None else f"NOT EQUAL\n{found}"
        print(f"  {game(key).meta.title:<24}{said}", flush=True)
    if differ:
        sys.exit(1)


def measure(keys: list[str], games: int) -> None:
    """Print the best of REPEATS of both forms, which take turns: moves a second, and processor seconds a game of each level in TIMED."""
    print(f"  {'':<24}" + "".join(f"{title:>12}{'compiled':>10}{'gain':>6}" for title in ("moves/s", *(f"{level} s" for level in TIMED))))
    plain, compiled = FORMS
    for key in keys:
        if not (FOLDER / key).is_dir():
            continue
        found: dict[str, list[dict[str, float]]] = {form: [] for form in FORMS}
        for _ in range(REPEATS):
            for form in FORMS:
                found[form].append(ask(form, "times", key, games))
        rate = {form: max(one["moves"] for one in found[form]) for form in FORMS}
        line = f"{rate[plain]:>12.0f}{rate[compiled]:>10.0f}{rate[compiled] / rate[plain]:>6.2f}"
        for level in TIMED:
            if level not in found[plain][0]:
                line += f"{'-':>12}{'-':>10}{'-':>6}"
                continue
            game_s = {form: min(one[level] for one in found[form]) for form in FORMS}
            line += f"{game_s[plain]:>12.3f}{game_s[compiled]:>10.3f}{game_s[plain] / game_s[compiled]:>6.2f}"
        print(f"  {game(key).meta.title:<24}{line}", flush=True)


if __name__ == "__main__":
    what, key, *numbers = sys.argv[1:]
    answers: dict[str, Callable[..., Any]] = {"traces": traces, "one_move": one_move, "times": times}
    answer = answers[what](key, *map(int, numbers))
    print(json.dumps({"compiled": is_compiled(key), "found": answer}))
