"""A small net that learns one number from named features: training by numpy alone, files, and fast answers.

Weights are kept as `<name>.npz` (float32) with `<name>.json` beside it, which names the features and tells how they were made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

FORMAT: Final = 1
CLIP: Final = 8.0  # a feature counts at most this many deviations from its mean, so that nothing unheard of makes an answer absurd


class WeightsError(ValueError):
    """Weights are missing, damaged or of another make: one line that says which file and why."""


@dataclass(frozen=True, eq=False)
class Net:
    """Layers of tanh units over standardised features, and one linear output in the target's own unit.

    `layers` are (weights of shape (inputs, outputs), biases of shape (outputs,)); `about` tells how they were made.
    """

    names: tuple[str, ...]
    mean: Floats
    scale: Floats
    layers: tuple[tuple[Floats, Floats], ...]
    offset: float
    unit: float
    about: Mapping[str, Any] = field(default_factory=dict)

    def value(self, x: Sequence[float]) -> float:
        """Return the answer for one position, from its features in the order of `names`."""
        return float(self._answers(np.asarray(x, dtype=np.float32)))

    def values(self, rows: Sequence[Sequence[float]] | Floats) -> Floats:
        """Return the answers for several positions, one row each."""
        answers: Floats = self._answers(np.asarray(rows, dtype=np.float32).reshape(-1, len(self.names)))
        return answers

    def _answers(self, x: Floats) -> Any:
        h = (x - self.mean) / self.scale
        np.clip(h, -CLIP, CLIP, out=h)
        last = len(self.layers) - 1
        for at, (weights, biases) in enumerate(self.layers):
            h = h @ weights + biases
            if at != last:
                np.tanh(h, out=h)
        return h[..., 0] * self.unit + self.offset

    def slopes(self, x: Sequence[float]) -> Floats:
        """Return how much the answer grows with each feature at one position, in the target's unit for one unit of the feature."""
        h = (np.asarray(x, dtype=np.float32) - self.mean) / self.scale
        inside = np.abs(h) <= CLIP
        np.clip(h, -CLIP, CLIP, out=h)
        outputs = []
        for weights, biases in self.layers[:-1]:
            h = np.tanh(h @ weights + biases)
            outputs.append(h)
        back = self.layers[-1][0][:, 0]
        for (weights, _), output in zip(self.layers[-2::-1], outputs[::-1], strict=True):
            back = weights @ (back * (1 - output * output))
        slopes: Floats = np.where(inside, back / self.scale, np.float32(0)) * np.float32(self.unit)
        return slopes


# Training


@dataclass(frozen=True, eq=False)
class Data:
    """Positions to learn from: features (n, names), targets (n,), and the game that each position is from (n,)."""

    x: Floats
    y: Floats
    games: Ints

    def __len__(self) -> int:
        return len(self.y)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a net is trained. Every `hold_out`-th game is kept for measuring; training stops after `patience` rounds without gain.

    `members` nets are trained and answer together. `trust` is how much of a target comes from the next part of the game, if it has parts
    (`averaged`).
    """

    hidden: tuple[int, ...] = (64, 32)
    batch: int = 512
    rate: float = 2e-3
    decay: float = 1e-4
    rounds: int = 40
    patience: int = 4
    hold_out: int = 10
    members: int = 1
    trust: float = 0.75


@dataclass(frozen=True, slots=True)
class Learned:
    """What came of training: root mean squared errors on held-out games, in the target's unit."""

    net: Net
    untrained: float
    error: float
    spread: float  # the error of always answering the mean
    rounds: int
    positions: int
    games: int

    def report(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "positions": self.positions,
            "rounds": self.rounds,
            "error_untrained": round(self.untrained, 4),
            "error_of_the_mean": round(self.spread, 4),
            "error": round(self.error, 4),
        }


def fresh(names: Sequence[str], data: Data, settings: Settings, seed: int) -> Net:
    """Return an untrained net that standardises features and target as `data` asks for."""
    rng = np.random.default_rng(seed)
    sizes = [len(names), *settings.hidden, 1]
    layers = []
    for at, (inputs, outputs) in enumerate(pairwise(sizes)):
        reach = (0.1 if at == len(sizes) - 2 else 1.0) * np.sqrt(1 / inputs)
        layers.append((rng.normal(0, reach, (inputs, outputs)).astype(np.float32), np.zeros(outputs, dtype=np.float32)))
    scale = data.x.std(axis=0, dtype=np.float64)
    scale[scale < 1e-6] = 1.0
    return Net(
        names=tuple(names),
        mean=data.x.mean(axis=0, dtype=np.float64).astype(np.float32),
        scale=scale.astype(np.float32),
        layers=tuple(layers),
        offset=float(data.y.mean(dtype=np.float64)),
        unit=float(data.y.std(dtype=np.float64)) or 1.0,
    )


def error_of(net: Net, data: Data) -> float:
    """Return the root mean squared error of a net."""
    parts = [net.values(data.x[at : at + 8192]) - data.y[at : at + 8192] for at in range(0, len(data), 8192)]
    return float(np.sqrt(np.mean(np.square(np.concatenate(parts), dtype=np.float64))))


def split(data: Data, hold_out: int) -> tuple[Data, Data]:
    """Return the positions to learn from and those of every `hold_out`-th game. Raises ValueError if either would be empty."""
    held = np.isin(data.games, np.unique(data.games)[hold_out - 1 :: hold_out])
    parts = [Data(data.x[rows], data.y[rows], data.games[rows]) for rows in (~held, held)]
    if not len(parts[0]) or not len(parts[1]):
        raise ValueError(f"{len(np.unique(data.games))} games are too few to learn from: at least {hold_out} are needed")
    return parts[0], parts[1]


def train(
    names: Sequence[str],
    data: Data,
    seed: int,
    settings: Settings | None = None,
    at: Callable[[int], None] | None = None,
) -> Learned:
    """Return a net trained by Adam on the squared error, as it was when it did best on held-out games.

    The same data, seed and settings give the same net. `at(n)` is called after every round. Raises ValueError for too few games.
    """
    settings = settings or Settings()
    learned_from, held = split(data, settings.hold_out)
    net = fresh(names, learned_from, settings, seed)
    untrained = error_of(net, held)
    spread = float(np.sqrt(np.mean(np.square(held.y - np.float32(net.offset), dtype=np.float64))))
    x = np.clip((learned_from.x - net.mean) / net.scale, -CLIP, CLIP)
    y = (learned_from.y - np.float32(net.offset)) / np.float32(net.unit)
    weights = [array.copy() for layer in net.layers for array in layer]
    adam = _Adam(weights)
    rng = np.random.default_rng((seed, 1))
    best, best_error, best_round, made = net, untrained, 0, 0
    for made in range(1, settings.rounds + 1):
        rate = settings.rate * 0.5 ** (4 * (made - 1) / settings.rounds)
        order = rng.permutation(len(y))
        for first in range(0, len(order), settings.batch):
            rows = order[first : first + settings.batch]
            adam.step(_gradients(weights, x[rows], y[rows]), rate, settings.decay)
        layers = tuple([(weights[i].copy(), weights[i + 1].copy()) for i in range(0, len(weights), 2)])
        now = Net(net.names, net.mean, net.scale, layers, net.offset, net.unit)
        error = error_of(now, held)
        if error < best_error:
            best, best_error, best_round = now, error, made
        if at is not None:
            at(made)
        if made - best_round >= settings.patience:
            break
    return Learned(best, untrained, best_error, spread, made, len(data), len(np.unique(data.games)))


def _gradients(weights: Sequence[Floats], x: Floats, y: Floats) -> list[Floats]:
    outputs = [x]
    last = len(weights) - 2
    for i in range(0, last, 2):
        outputs.append(np.tanh(outputs[-1] @ weights[i] + weights[i + 1]))
    miss = ((outputs[-1] @ weights[last] + weights[last + 1])[:, 0] - y)[:, None] * np.float32(1 / len(y))
    gradients: list[Floats] = []
    for i in range(last, -1, -2):
        below = outputs[i // 2]
        gradients[:0] = [below.T @ miss, miss.sum(axis=0)]
        if i:
            miss = (miss @ weights[i].T) * (1 - below * below)
    return gradients


class _Adam:
    """Adam (Kingma and Ba, 2015) with decoupled decay of weights, in place."""

    def __init__(self, weights: Sequence[Floats]) -> None:
        self.weights = weights
        self.first = [np.zeros_like(array) for array in weights]
        self.second = [np.zeros_like(array) for array in weights]
        self.steps = 0

    def step(self, gradients: Sequence[Floats], rate: float, decay: float) -> None:
        self.steps += 1
        fix = float(np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps))
        for array, gradient, first, second in zip(self.weights, gradients, self.first, self.second, strict=True):
            first += np.float32(0.1) * (gradient - first)
            second += np.float32(0.001) * (gradient * gradient - second)
            array -= np.float32(rate * fix) * first / (np.sqrt(second) + np.float32(1e-8))
            if array.ndim == 2:
                array *= np.float32(1 - rate * decay)


# Files


def save(net: Net, path: Path, about: Mapping[str, Any]) -> None:
    """Write `path` (.npz) and the JSON beside it; equal nets give equal bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = {"mean": net.mean, "scale": net.scale, "target": np.array([net.offset, net.unit], dtype=np.float64)}
    for at, (weights, biases) in enumerate(net.layers):
        arrays |= {f"w{at}": weights, f"b{at}": biases}
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    sizes = [len(net.names), *[len(biases) for _, biases in net.layers]]
    told = {"format": FORMAT, **about, "sizes": sizes, "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "features": list(net.names)}
    path.with_suffix(".json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def load(path: Path, names: Sequence[str]) -> Net:
    """Return the net kept at `path` (.npz). Raises WeightsError unless it is whole and has these features."""
    try:
        about = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        raw = path.read_bytes()
    except FileNotFoundError as error:
        raise WeightsError(f"{Path(error.filename).name} is missing") from None
    except (OSError, ValueError) as error:
        raise WeightsError(f"{path.with_suffix('.json').name} cannot be read: {error}") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise WeightsError(f"{path.with_suffix('.json').name} is not of format {FORMAT}")
    if about.get("features") != list(names):
        raise WeightsError(f"{path.name} was trained with other features; train it again")
    if about.get("sha256") != hashlib.sha256(raw).hexdigest():
        raise WeightsError(f"{path.name} is damaged: its digest differs from the one in {path.with_suffix('.json').name}")
    try:
        with np.load(path, allow_pickle=False) as kept:
            arrays = {key: kept[key] for key in kept.files}
        sizes = [int(size) for size in about["sizes"]]
        layers = tuple([(arrays[f"w{at}"], arrays[f"b{at}"]) for at in range(len(sizes) - 1)])
        mean, scale, (offset, unit) = arrays["mean"], arrays["scale"], arrays["target"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(f"{path.name} cannot be read: {error}") from None
    shapes = [(w.shape, b.shape) for w, b in layers]
    expected = [((i, o), (o,)) for i, o in pairwise(sizes)]
    if shapes != expected or sizes[0] != len(names) or sizes[-1] != 1 or {mean.shape, scale.shape} != {(sizes[0],)}:
        raise WeightsError(f"{path.name} has arrays of the wrong shape")
    if not all(np.isfinite(array).all() for array in arrays.values()) or not (scale > 0).all():
        raise WeightsError(f"{path.name} has numbers that are not finite")
    return Net(tuple(names), mean, scale, layers, float(offset), float(unit), about)


@lru_cache(maxsize=32)
def cached(path: Path, names: tuple[str, ...]) -> Net | WeightsError:
    """Return `load`'s net or error; each file is read once in a process."""
    try:
        return load(path, names)
    except WeightsError as error:
        return error
