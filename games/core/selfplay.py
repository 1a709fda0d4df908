"""Games that bots play against themselves, kept as their actions, so that features and targets can change without playing again.

Game number g of a seed is the same whoever plays it and however often the work was interrupted: finished pieces of `CHUNK` games are
files of their own, written at once, and are not played again.
"""

from __future__ import annotations

import gzip
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from games.core.contract import CHANCE, SCORER, AnyGame, GameFinder
from games.core.rng import SeededRng

CHUNK: Final = 25  # games a file
STRAYS_AMONG: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """What is played: bots of `level` in every seat, each move with a chance of `strays` by a bot of `stray_level` instead.

    Strays show the learner what follows from moves that the level would not make.
    """

    game: str
    seats: int
    seed: int
    level: str
    stray_level: str
    strays: float

    @property
    def name(self) -> str:
        return f"{self.game}/{self.seats}/{self.seed}/{self.level}"


@dataclass(frozen=True, slots=True)
class Recorded:
    """One finished game: every actor with its action as text, in order."""

    number: int
    seats: int
    moves: tuple[tuple[int, str], ...]


def record_game(game: AnyGame, play: SelfPlay, number: int) -> Recorded:
    """Play game `number` to its end. Chance, strays and each seat have their own generators."""
    name = f"{play.name}/{number}"
    chance, straying = SeededRng(name), SeededRng(f"{name}/strays")
    rngs = [SeededRng(f"{name}/seat {seat}") for seat in range(play.seats)]
    limit = round(play.strays * STRAYS_AMONG)
    state = game.setup(play.seats, {spec.key: spec.default for spec in game.meta.options})
    moves: list[tuple[int, str]] = []
    while actors := game.actors(state):
        actor = actors[0]
        if actor == CHANCE:
            action = game.sample_chance(state, chance)
        elif actor == SCORER:
            action = game.legal_actions(state, actor)[0]
        else:
            level = play.stray_level if limit and straying.below(STRAYS_AMONG, "stray") < limit else play.level
            action = game.choose_action(game.view_for(state, actor), level, rngs[actor]).action
        moves.append((actor, str(action)))
        state, _ = game.apply(state, actor, action)
    return Recorded(number, play.seats, tuple(moves))


def replayed(game: AnyGame, recorded: Recorded) -> Iterator[Any]:
    """Yield every position of a recorded game, the last one included."""
    state = game.setup(recorded.seats, {spec.key: spec.default for spec in game.meta.options})
    yield state
    for actor, text in recorded.moves:
        state, _ = game.apply(state, actor, game.parse_action(text))
        yield state


# Files


def chunk_path(folder: Path, play: SelfPlay, chunk: int) -> Path:
    return folder / f"{play.level}-{play.seats}-{play.seed}" / f"{chunk:05d}.json.gz"


def write_chunk(path: Path, games: Sequence[Recorded]) -> None:
    """Write a chunk at once: an interrupted run leaves no half file under its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [{"number": each.number, "seats": each.seats, "moves": each.moves} for each in games]
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(gzip.compress(json.dumps(lines, separators=(",", ":")).encode(), 5, mtime=0))
    draft.replace(path)


def read_chunk(path: Path) -> list[Recorded]:
    """Return the games of a chunk. Raises OSError or ValueError if it cannot be read."""
    try:
        lines = json.loads(gzip.decompress(path.read_bytes()))
        return [Recorded(line["number"], line["seats"], tuple([(actor, text) for actor, text in line["moves"]])) for line in lines]
    except (EOFError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: {error}") from None


def seconds_path(path: Path) -> Path:
    """Return the file beside a chunk that tells how long it took, apart from it because a chunk is the same whoever plays it."""
    return path.with_name(path.name.split(".")[0] + ".seconds")


def seconds_of(paths: Sequence[Path]) -> float:
    """Return the processor time that the games of some chunks took; 0 for those that do not tell."""
    total = 0.0
    for path in paths:
        try:
            total += float(seconds_path(path).read_text(encoding="ascii"))
        except (OSError, ValueError):
            continue
    return total


def _is_whole(path: Path, games: int) -> bool:
    try:
        return len(read_chunk(path)) == games
    except (OSError, ValueError):
        return False


def _play_chunk(find: GameFinder, folder: Path, play: SelfPlay, chunk: int, games: int) -> int:
    game = find(play.game)
    first, path = chunk * CHUNK, chunk_path(folder, play, chunk)
    began = time.process_time()
    recorded = [record_game(game, play, number) for number in range(first, first + games)]
    path.parent.mkdir(parents=True, exist_ok=True)
    seconds_path(path).write_text(f"{time.process_time() - began:.1f}\n", encoding="ascii")
    write_chunk(path, recorded)
    return games


def generate(
    find: GameFinder, folder: Path, play: SelfPlay, games: int, jobs: int = 1, at: Callable[[int], None] | None = None
) -> list[Path]:
    """Return the files of the first `games` games, playing those that are not there; `at(n)` is told how many are ready."""
    sizes = [min(CHUNK, games - first) for first in range(0, games, CHUNK)]
    paths = [chunk_path(folder, play, chunk) for chunk in range(len(sizes))]
    missing = [chunk for chunk, size in enumerate(sizes) if not _is_whole(paths[chunk], size)]
    ready = games - sum(sizes[chunk] for chunk in missing)
    if at is not None:
        at(ready)
    if jobs <= 1 or len(missing) <= 1:
        for chunk in missing:
            ready += _play_chunk(find, folder, play, chunk, sizes[chunk])
            if at is not None:
                at(ready)
        return paths
    with ProcessPoolExecutor(min(jobs, len(missing))) as pool:
        running = [pool.submit(_play_chunk, find, folder, play, chunk, sizes[chunk]) for chunk in missing]
        try:
            for done in as_completed(running):
                ready += done.result()
                if at is not None:
                    at(ready)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return paths
