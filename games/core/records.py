"""Position files and records: a finished game as a file, and how anyone can check it.

A position: {"format", "game", "rules_version", "options", "seats", "state", "fill"}; what `state` leaves out is filled in
by `Game.complete` with the seed `fill`. A record: set-up or position, then the effective actions with the chance
outcomes, the result, and the sealed chance with its reveal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final

from games.core import jsonio, sealed
from games.core.contract import CHANCE, ActionFormatError, AnyGame, GameFinder, IllegalAction, PositionError
from games.core.options import check_seats, full_options
from games.core.phrases import N_
from games.core.rng import SeededRng

POSITION_FORMAT: Final = "ziggurat-position/1"
RECORD_FORMAT: Final = "ziggurat-record/1"

MAX_DEPTH: Final = 12  # twice the depth of a record's deepest field


@dataclass(frozen=True, slots=True)
class Verdict:
    """What checking a record found. `problems` are one line each; `checked` counts what was compared."""

    game: str
    seats: int
    actions: int
    chance: int
    sealed: bool
    problems: Sequence[str] = field(default_factory=tuple)

    @property
    def is_good(self) -> bool:
        return not self.problems


def _want(data: Mapping[str, Any], name: str, kind: type | tuple[type, ...], *, where: str = "") -> Any:
    if name not in data:
        raise jsonio.fault(f"{where}{name}", N_("is missing"))
    value = data[name]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        wanted = kind.__name__ if isinstance(kind, type) else " or ".join(k.__name__ for k in kind)
        raise jsonio.fault(f"{where}{name}", N_("expected {wanted}, found {found}"), wanted=wanted, found=type(value).__name__)
    return value


def read_json(text: str | bytes) -> dict[str, Any]:
    """Return the object in a JSON text. Raises PositionError with line and column if it is not one."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise jsonio.fault("file", N_("is no JSON ({error})"), error=error) from None
    if not isinstance(data, dict):
        raise jsonio.fault("file", N_("expected a JSON object"))
    _refuse_odd(data)
    return data


def _refuse_odd(data: dict[str, Any]) -> None:
    """Refuse what JSON allows and no game uses: lone surrogates, NaN and infinities, excessive nesting."""
    heap: list[tuple[Any, str, int]] = [(data, "", 0)]
    while heap:
        value, where, depth = heap.pop()
        if depth > MAX_DEPTH:
            raise jsonio.fault(_plain(where), N_("is nested too deeply"))
        if isinstance(value, dict):
            heap += [(key, where or "file", depth) for key in value]
            heap += [(part, where or str(key)[:40], depth + 1) for key, part in value.items()]
        elif isinstance(value, list):
            heap += [(part, where, depth + 1) for part in value]
        elif isinstance(value, str) and not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise jsonio.fault(_plain(where), N_("holds half a character (a surrogate without its pair)")) from None
        elif isinstance(value, float) and not isfinite(value):
            raise jsonio.fault(_plain(where), N_("{found} is not a number"), found=value)


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _head(data: Mapping[str, Any], wanted: str, find: GameFinder) -> tuple[AnyGame, int, dict[str, Any]]:
    if _want(data, "format", str) != wanted:
        raise jsonio.fault("format", N_("expected {wanted}, found {found}"), wanted=repr(wanted), found=repr(str(data["format"])[:40]))
    key = _want(data, "game", str)
    try:
        game = find(key)
    except KeyError:
        raise jsonio.fault("game", N_("{found} is not known"), found=repr(key[:40])) from None
    if _want(data, "rules_version", int) > game.meta.rules_version or data["rules_version"] < 1:
        raise jsonio.fault(
            "rules_version", N_("{found} is not known (newest is {newest})"), found=data["rules_version"], newest=game.meta.rules_version
        )
    seats = _want(data, "seats", int)
    check_seats(game.meta, seats)
    return game, seats, dict(_want(data, "options", dict))


def start_of_position(data: Mapping[str, Any], find: GameFinder) -> tuple[AnyGame, Any]:
    """Return a position file's game and full state. Raises PositionError, one line that names the field."""
    game, seats, options = _head(data, POSITION_FORMAT, find)
    partial = dict(_want(data, "state", dict))
    fill = _want({"fill": data.get("fill", "")}, "fill", str)
    seed = int.from_bytes(hashlib.sha256(fill.encode()).digest()[:8], "big")
    given = {"seats": seats, "options": full_options(game.meta, options), "rules_version": data["rules_version"]}
    for name, value in given.items():
        if name in partial and partial[name] != value:
            raise jsonio.fault(f"state.{name}", N_("is not that of the position"))
    return game, game.complete(given | partial, SeededRng(seed))


def start_of_record(data: Mapping[str, Any], find: GameFinder) -> tuple[AnyGame, Any]:
    """Return a record's game and first state: its position, or the set-up."""
    game, seats, options = _head(data, RECORD_FORMAT, find)
    if data.get("position") is not None:
        other, state = start_of_position(_want(data, "position", dict), find)
        if other is not game:
            raise jsonio.fault("position.game", N_("is another game than the record's"))
        for name, value in (("seats", seats), ("rules_version", data["rules_version"])):
            if data["position"][name] != value:
                raise jsonio.fault(f"position.{name}", N_("is not that of the record"))
        if full_options(game.meta, data["position"]["options"]) != full_options(game.meta, options):
            raise jsonio.fault("position.options", N_("are not those of the record"))
        return game, state
    return game, game.setup(seats, options)


def actions_of(data: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Return a record's actions as (actor, text). Raises PositionError naming the bad entry."""
    out: list[tuple[int, str]] = []
    for at, item in enumerate(_want(data, "actions", list)):
        good = isinstance(item, list) and len(item) == 2 and type(item[0]) is int and isinstance(item[1], str)
        if not good:
            raise jsonio.fault(f"actions[{at}]", N_("expected [actor, text]"))
        out.append((item[0], item[1]))
    return out


def result_of(game: AnyGame, state: Any) -> dict[str, Any] | None:
    """Return the result block of a record, or None before the end."""
    outcome = game.outcome(state)
    if outcome is None:
        return None
    return {"places": list(outcome.places), "scores": list(outcome.scores), "reason": outcome.reason}


def replay(data: Mapping[str, Any], find: GameFinder, visit: Callable[[int, int, str, Any], None] | None = None) -> tuple[AnyGame, Any]:
    """Play a record's actions from its start and return the game and the last state.

    `visit(index, actor, text, state_before)` is called before each action. Raises PositionError naming the impossible
    entry.
    """
    game, state = start_of_record(data, find)
    for at, (actor, text) in enumerate(actions_of(data)):
        if actor not in game.actors(state):
            due = list(game.actors(state))
            raise jsonio.fault(f"actions[{at}]", N_("{actor} is not due (due: {due})"), actor=actor, due=due)
        if visit is not None:
            visit(at, actor, text, state)
        try:
            state, _ = game.apply(state, actor, game.parse_action(text))
        except (IllegalAction, ActionFormatError) as error:
            raise jsonio.fault(f"actions[{at}]", N_("{found} is not possible ({error})"), found=repr(text[:40]), error=error) from None
    return game, state


def verify_record(data: Mapping[str, Any], find: GameFinder) -> Verdict:
    """Check a record: every action is allowed, every draw comes from the sealed stream, the result is right.

    Raises PositionError if the file cannot be read as a record at all.
    """
    game, seats, _ = _head(data, RECORD_FORMAT, find)
    moves = actions_of(data)
    problems: list[str] = []
    rng: sealed.SealedRng | None = None
    block = data.get("chance")
    if block is not None:
        block = _want(data, "chance", dict)
        if _want(block, "scheme", str, where="chance.") != sealed.SCHEME:
            raise jsonio.fault("chance.scheme", N_("expected {wanted}"), wanted=repr(sealed.SCHEME))
        try:
            secret = bytes.fromhex(_want(block, "secret", str, where="chance."))
        except ValueError:
            raise jsonio.fault("chance.secret", N_("is not hexadecimal")) from None
        words = _want(block, "words", list, where="chance.")
        if len(words) != seats or not all(isinstance(word, str) for word in words):
            raise jsonio.fault("chance.words", N_("expected {n} texts, one for each seat"), n=seats)
        if len(secret) != sealed.SECRET_BYTES or sealed.commitment(secret) != _want(block, "commitment", str, where="chance."):
            problems.append("chance.secret: does not fit the commitment published before the game")
        rng = sealed.SealedRng(secret, words)

    def visit(at: int, actor: int, text: str, state: Any) -> None:
        if actor == CHANCE and rng is not None:
            drawn = str(game.sample_chance(state, rng))
            if drawn != text:
                problems.append(f"actions[{at}]: the sealed stream gives {drawn!r}, the record says {text[:40]!r}")

    try:
        _, state = replay(data, find, visit)
    except PositionError as error:
        problems.append(str(error))
    else:
        result = result_of(game, state)
        if data.get("result") != result:
            problems.append(f"result: the game gives {json.dumps(result)}")
    n_chance = sum(actor == CHANCE for actor, _ in moves)
    return Verdict(data["game"], seats, len(moves), n_chance, rng is not None, tuple(problems))
