"""Position files with something wrong in them: what `manage.py fuzz --positions` feeds to a game.

The promise: whatever loads, plays and loads again. A file is refused with a PositionError of one line that names the field, and with
no other exception. An accepted position survives its JSON unchanged and has legal actions for everybody due, and so do the positions that follow.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.core.contract import CHANCE, AnyGame, PositionError
from games.core.fuzz import Fault
from games.core.records import POSITION_FORMAT, RECORD_FORMAT, read_json, start_of_position
from games.core.rng import SeededRng

PLIES: Final = 4  # how many plies an accepted position is played on
ACTIONS: Final = 4  # actions of a seat tried at the first ply; one each after that
LINES: Final = 4  # random games that supply positions to change
STOPS: Final = 24  # positions kept from one game
EACH: Final = 500  # position files made from the same games
MOST_CHANGES: Final = 4  # to one position

_FIELD: Final = re.compile(r"[a-z_]+[^\n]{0,80}?: \S[^\n]*")
_LIMIT: Final = re.compile(r"([^:]+): expected a whole number from \S+ to (\d+), found")
_ODD: Final[tuple[Any, ...]] = (None, True, False, 0, 1, -1, 1.5, 10**9, "", "x", "0", [], {}, [[]], [None], {"x": 1})

Path = tuple[Any, ...]


class BrokenError(AssertionError):
    """A promise is broken. `actions` are the [actor, text] lines played from the position so far."""

    def __init__(self, what: str, actions: Sequence[Sequence[Any]] = ()) -> None:
        super().__init__(what)
        self.actions = actions


@dataclass(slots=True)
class Corpus:
    """Positions of random games, as JSON, and the values found at each path (without indexes and names)."""

    positions: list[dict[str, Any]] = field(default_factory=list)
    values: dict[Path, list[Any]] = field(default_factory=lambda: defaultdict(list))
    _seen: set[tuple[Path, str]] = field(default_factory=set)

    def add(self, data: dict[str, Any]) -> None:
        self.positions.append(data)
        for path, value in _parts(data):
            place = _place(path)
            sign = (place, json.dumps(value, sort_keys=True))
            if sign not in self._seen:
                self._seen.add(sign)
                self.values[place].append(value)


def _parts(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every value inside `value` with the keys and indexes that lead to it."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in pairs:
        yield (*path, key), part
        yield from _parts(part, (*path, key))


def _place(path: Path) -> Path:
    """Return a path without its indexes, so that one seat's value can be given to another."""
    return tuple(0 if isinstance(key, int) else key for key in path)


_corpora: Final[dict[tuple[str, int], tuple[int, Corpus]]] = {}  # the latest for each game and player count


def corpus_of(game: AnyGame, seats: int, number: int) -> Corpus:
    """Return positions of random games that the files around `number` are made from; they are the same in every run."""
    group = number // EACH
    found = _corpora.get((game.meta.key, seats))
    if found is not None and found[0] == group:
        return found[1]
    corpus = Corpus()
    _corpora[game.meta.key, seats] = group, corpus
    for line_number in range(LINES):
        rng = SeededRng(f"positions/{game.meta.key}/{seats}/{group}/{line_number}")
        state = game.setup(seats, {spec.key: spec.choices[rng.below(len(spec.choices), "option")] for spec in game.meta.options})
        line = [state]
        while actors := game.actors(state):
            actor = actors[rng.below(len(actors), "actor")]
            state, _ = game.apply(
                state, actor, game.sample_chance(state, rng) if actor == CHANCE else game.sample_action(state, actor, rng)
            )
            line.append(state)
        kept = {0, len(line) - 1, len(line) - 2, *(rng.below(len(line), "stop") for _ in range(STOPS))}
        for at in sorted(kept):
            corpus.add(json.loads(json.dumps(game.state_to_json(line[at]))))
    return corpus


# Changing


def made_up(game: AnyGame, seats: int, number: int, rng: SeededRng) -> dict[str, Any]:
    """Return a position of a game that may be wrong in any way."""
    corpus = corpus_of(game, seats, number)
    if rng.below(2, "composed"):
        data = composed(corpus, rng)
        return data if rng.below(4, "changed") else changed(data, corpus, rng)
    return changed(corpus.positions[rng.below(len(corpus.positions), "position")], corpus, rng)


def changed(data: dict[str, Any], corpus: Corpus, rng: SeededRng) -> dict[str, Any]:
    """Return a copy of a position with one to four changes at any depth, some of its fields perhaps left out."""
    new: dict[str, Any] = json.loads(json.dumps(data))
    if rng.below(4, "part") == 0:
        keep = 1 + rng.below(len(new), "keep")
        while len(new) > keep:
            del new[list(new)[rng.below(len(new), "field")]]
    for _ in range(1 + rng.below(MOST_CHANGES, "changes")):
        parts = list(_parts(new))
        if not parts:
            break
        # The top-level fields are as likely as everything below them.
        tops = [part for part in parts if len(part[0]) == 1]
        pool = tops if rng.below(3, "depth") == 0 else parts
        path, value = pool[rng.below(len(pool), "place")]
        holder: Any = new
        for key in path[:-1]:
            holder = holder[key]
        _CHANGES[rng.below(len(_CHANGES), "change")](holder, path, value, corpus, rng)
    return new


def composed(corpus: Corpus, rng: SeededRng) -> dict[str, Any]:
    """Return a position file with a few fields, each taken whole from some position or pieced together from several."""
    names = sorted({place[0] for place in corpus.values})
    chosen = {"phase", *(names[rng.below(len(names), "field")] for _ in range(1 + rng.below(8, "fields")))}
    return {name: _compose((name,), corpus, rng) for name in names if name in chosen}


def _compose(place: Path, corpus: Corpus, rng: SeededRng) -> Any:
    value = _any_of(corpus.values[place], rng)
    if rng.below(3, "whole") == 0:
        return value
    if isinstance(value, list):
        return [_compose((*place, 0), corpus, rng) for _ in value]
    if isinstance(value, dict):
        below = [other[-1] for other in corpus.values if len(other) == len(place) + 1 and other[:-1] == place]
        return {name: _compose((*place, name), corpus, rng) for name in below if rng.below(3, "name") == 0}
    return value


def _any_of(values: Sequence[Any], rng: SeededRng) -> Any:
    return json.loads(json.dumps(values[rng.below(len(values), "value")]))


def _drop(holder: Any, path: Path, value: Any, corpus: Corpus, rng: SeededRng) -> None:
    del holder[path[-1]]


def _swap(holder: Any, path: Path, value: Any, corpus: Corpus, rng: SeededRng) -> None:
    keys = list(holder) if isinstance(holder, dict) else range(len(holder))
    other = keys[rng.below(len(keys), "other")]
    holder[path[-1]], holder[other] = holder[other], value


def _retype(holder: Any, path: Path, value: Any, corpus: Corpus, rng: SeededRng) -> None:
    holder[path[-1]] = _any_of(_ODD, rng)


def _nudge(holder: Any, path: Path, value: Any, corpus: Corpus, rng: SeededRng) -> None:
    """Change a number slightly, or its sign or size; change one letter of a text; reverse a list."""
    if type(value) is int:
        holder[path[-1]] = (value + 1, value - 1, -value, value * 10, value + 90)[rng.below(5, "nudge")]
    elif isinstance(value, bool):
        holder[path[-1]] = not value
    elif isinstance(value, str) and value:
        at = rng.below(len(value), "letter")
        holder[path[-1]] = (value[:at] + value[at + 1 :], value + value[at], value[::-1])[rng.below(3, "nudge")]
    elif isinstance(value, list):
        value.reverse()


def _other(holder: Any, path: Path, value: Any, corpus: Corpus, rng: SeededRng) -> None:
    """Replace a value by what another position has at this place."""
    values = corpus.values.get(_place(path))
    if values:
        holder[path[-1]] = _any_of(values, rng)


def _double(holder: Any, path: Path, value: Any, corpus: Corpus, rng: SeededRng) -> None:
    """Duplicate a value, or add another one next to it."""
    if isinstance(holder, list):
        holder.insert(path[-1], json.loads(json.dumps(value)))
        return
    names = [place[-1] for place in corpus.values if place[:-1] == _place(path[:-1]) and isinstance(place[-1], str)]
    if names:
        name = names[rng.below(len(names), "name")]
        holder[name] = _any_of(corpus.values[(*_place(path[:-1]), name)], rng)


_CHANGES: Final = (_drop, _swap, _retype, _nudge, _other, _other, _double)


# Checking


def fuzz_position(key: str, game: AnyGame, seats: int, seed: int, number: int) -> tuple[int, str, Fault | None]:
    """Make position file `number` and check it; return moves (none), accepted or refused, and the fault, if any."""
    rng = SeededRng(f"fuzz positions/{key}/{seats}/{seed}/{number}")
    file = file_of(game, made_up(game, seats, number, rng), seats)
    try:
        return 0, "accepted" if check_file(game, file, rng) else "refused", None
    except BrokenError as error:
        fault = Fault(seed, number, seats, len(error.actions), str(error), record_of(game, file, error.actions), "position")
        return 0, "", fault


def file_of(game: AnyGame, data: dict[str, Any], seats: int) -> dict[str, Any]:
    """Wrap a position, valid or not, in a position file."""
    options = data.get("options")
    return {
        "format": POSITION_FORMAT,
        "game": game.meta.key,
        "rules_version": game.meta.rules_version,
        "options": options if isinstance(options, dict) else {},
        "seats": data["seats"] if type(data.get("seats")) is int else seats,
        "state": data,
        "fill": "1",
    }


def record_of(game: AnyGame, file: dict[str, Any], actions: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Return a record that starts from a position file, for `manage.py replay`."""
    head = {name: file[name] for name in ("game", "rules_version", "options", "seats")}
    return {"format": RECORD_FORMAT, **head, "position": file, "actions": [list(line) for line in actions]}


def check_file(game: AnyGame, file: dict[str, Any], rng: SeededRng, plies: int = PLIES) -> bool:
    """Return whether a position file is accepted. Raises BrokenError if a promise is broken.

    If a number is refused as too high, `file` gets the highest allowed one and is checked again.
    """
    for _ in range(MOST_CHANGES):
        try:
            _, state = start_of_position(read_json(json.dumps(file)), lambda _: game)
        except PositionError as error:
            if not _FIELD.fullmatch(str(error)):
                raise BrokenError(f"the refusal names no field: {error}") from error
            if not _brought_to_limit(file["state"], str(error)):
                return False
        except Exception as error:
            raise BrokenError(f"refused by {type(error).__name__}: {error}") from error
        else:
            check_state(game, state, rng, plies)
            return True
    return False


def _brought_to_limit(data: dict[str, Any], refusal: str) -> bool:
    """If a refusal says that a number is too high, put in the highest possible one; return whether it did."""
    found = _LIMIT.match(refusal)
    if found is None:
        return False
    keys = [int(key) if key.isdigit() else key for key in re.findall(r"\w+", found[1])]
    holder: Any = data
    try:
        for key in keys[:-1]:
            holder = holder[key]
        value, high = holder[keys[-1]], int(found[2])
        if type(value) is not int or value <= high:
            return False
        holder[keys[-1]] = high
    except (KeyError, IndexError, TypeError):
        return False
    return True


def check_state(game: AnyGame, state: Any, rng: SeededRng, plies: int = PLIES, line: Sequence[Sequence[Any]] = ()) -> None:
    """Raise BrokenError unless a position loads again and can be played on, and so can the positions that follow."""
    try:
        _check_state(game, state, rng, plies, line)
    except BrokenError:
        raise
    except Exception as error:
        raise BrokenError(f"{type(error).__name__}: {error}", line) from error


def _check_state(game: AnyGame, state: Any, rng: SeededRng, plies: int, line: Sequence[Sequence[Any]]) -> None:
    data = game.state_to_json(state)
    try:
        again = game.state_from_json(json.loads(json.dumps(data)))
    except PositionError as error:
        raise BrokenError(f"does not load again: {error}", line) from error
    if again != state:
        raise BrokenError("loads as another position", line)
    actors = game.actors(state)
    if not actors and game.outcome(state) is None:
        raise BrokenError("nobody is due and there is no outcome", line)
    seats = data["seats"]
    viewer = (None, *range(seats))[rng.below(seats + 1, "viewer")]
    view = game.view_for(state, viewer)
    game.scene(view)
    game.ask(view)
    tries = 1 if line else ACTIONS
    for actor in actors:
        if actor == CHANCE:
            actions = [game.sample_chance(state, rng)]
        else:
            legal = game.legal_actions(state, actor)
            if not legal:
                raise BrokenError(f"seat {actor} is due and has no legal action", line)
            actions = legal if len(legal) <= tries else [legal[rng.below(len(legal), "pick")] for _ in range(tries)]
        for action in actions:
            here = (*line, [actor, str(action)])
            try:
                after, _ = game.apply(state, actor, action)
            except Exception as error:
                raise BrokenError(f"{type(error).__name__}: {error}", here) from error
            if plies:
                check_state(game, after, rng, plies - 1, here)
