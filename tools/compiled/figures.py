"""Both forms of the engines side by side: equal games from equal seeds, and how much sooner the compiled form plays them.

Each form plays in processes of its own (`python -m tools.compiled.figures WHAT GAME N`), because a module is imported in one form only.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from typing import Any

from games.core.compiled import FOLDER, PLAIN, ROOT, SWITCH, is_compiled
from games.core.contract import CHANCE, AnyGame
from games.core.rng import SeededRng
from games.core.simulate import Match, play_game
from games.registry import game

FORMS = ("plain", "compiled")
GAMES_EQUAL = 20
GAMES_TIMED = 4
REPEATS = 3
SLICE_S = 0.5


def environment(form: str) -> dict[str, str]:
    return {**os.environ, SWITCH: PLAIN if form == PLAIN else ""}


def trace(rules: AnyGame, seats: int, seed: int, level: str | None) -> str:
    """Return the hash of a game: each action, what happened and the position after it. Bots of `level` play it, or the fast path (None)."""
    rng = SeededRng(f"equal {seats} {seed}")
    written = hashlib.sha256()
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
        written.update(repr([actor, str(action), reasons, told, rules.state_to_json(state)]).encode())
    return written.hexdigest()


def traces(key: str, games: int) -> str:
    """Return one hash of `games` random games and one game of each level, over the numbers of seats."""
    rules = game(key)
    counts = rules.meta.seats
    found = [trace(rules, counts[seed % len(counts)], seed, None) for seed in range(games)]
    levels = [level for level in rules.meta.bot_levels if level != "master"]
    found += [trace(rules, counts[at % len(counts)], at, level) for at, level in enumerate(levels)]
    return hashlib.sha256(" ".join(found).encode()).hexdigest()


def times(key: str, games: int) -> dict[str, float]:
    """Return moves a second on the fast path, and processor seconds a game of scribes."""
    rules = game(key)
    seats = min(rules.meta.seats, key=lambda count: abs(count - 3))
    assert rules.playout_moves is not None
    moves, seed, start = 0, 0, time.process_time()
    while time.process_time() < start + SLICE_S:
        moves += rules.playout_moves(rules.setup(seats, {}), SeededRng(f"timed {seed}"))
        seed += 1
    rate = moves / (time.process_time() - start)
    match = Match(key, seats, ("scribe",) * seats, 1)
    start = time.process_time()
    for number in range(games):
        play_game(rules, match, number)
    return {"moves_per_s": rate, "game_s": (time.process_time() - start) / games}


def ask(form: str, what: str, key: str, games: int, is_strict: bool = True) -> Any:
    """Return what a process in one form answers. Exits with its last line if it fails and, if strict, if the game isn't compiled."""
    argv = [sys.executable, "-m", "tools.compiled.figures", what, key, str(games)]
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
        plain, compiled = (ask(form, "traces", key, games) for form in FORMS)
        differ |= plain != compiled
        print(
            f"  {game(key).meta.title:<24}{'equal' if plain == compiled else 'NOT EQUAL'}, {games} random games and one of each level",
            flush=True,
        )
    if differ:
        sys.exit(1)


def measure(keys: list[str], games: int) -> None:
    """Print the best of REPEATS of both forms, which take turns."""
    print(f"  {'':<24}{'moves/s':>10}{'compiled':>10}{'gain':>6}{'s a game':>11}{'compiled':>10}{'gain':>6}")
    for key in keys:
        if not (FOLDER / key).is_dir():
            continue
        found: dict[str, list[dict[str, float]]] = {form: [] for form in FORMS}
        for _ in range(REPEATS):
            for form in FORMS:
                found[form].append(ask(form, "times", key, games))
        rate = {form: max(one["moves_per_s"] for one in found[form]) for form in FORMS}
        game_s = {form: min(one["game_s"] for one in found[form]) for form in FORMS}
        plain, compiled = FORMS
        print(
            f"  {game(key).meta.title:<24}{rate[plain]:>10.0f}{rate[compiled]:>10.0f}{rate[compiled] / rate[plain]:>6.2f}"
            f"{game_s[plain]:>11.3f}{game_s[compiled]:>10.3f}{game_s[plain] / game_s[compiled]:>6.2f}",
            flush=True,
        )


if __name__ == "__main__":
    what, key, games = sys.argv[1], sys.argv[2], int(sys.argv[3])
    answer = {"traces": traces, "times": times}[what](key, games)
    print(json.dumps({"compiled": is_compiled(key), "found": answer}))
