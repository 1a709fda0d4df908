"""Worked examples: a position, the actions played from it, and the expected outcome; page and test use the same file.

This package's README describes the format. Every fault is an ExampleError that names file and field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from games import registry
from games.core.contract import ActionFormatError, Event, IllegalAction, PositionError
from games.core.records import start_of_position
from rules_docs import content
from voice import wording

LETTERS: Final = "ABCDEF"
EXPECTED: Final = (
    "state",
    "due",
    "legal",
    "legal_has",
    "legal_lacks",
    "illegal",
    "events",
    "outcome",
)


class ExampleError(ValueError):
    """An example cannot be read or played, or its outcome differs: one line with file and field."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action of an example. If it is not allowed, `refused` names the paragraph that forbids it."""

    actor: int
    action: str
    note: Mapping[str, str]
    refused: str
    expect: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example as read from its file."""

    name: str
    game: str
    anchor: str
    title: Mapping[str, str]
    intro: Mapping[str, str]
    names: Mapping[str, Sequence[str]]
    hands: tuple[int, ...]  # seats whose hand is drawn
    position: Mapping[str, Any]
    steps: tuple[Step, ...]
    expect: Mapping[str, Any]

    def names_in(self, lang: str) -> list[str]:
        """Return the players by seat: those of the file, else A, B, C."""
        given = self.names.get(lang) or self.names.get("")
        return list(given) if given else list(LETTERS[: self.position["seats"]])


@dataclass(frozen=True, slots=True)
class Frame:
    """The position before the first step (`step` is None) or after one, and what happened in it."""

    state: Any
    step: Step | None
    events: tuple[Event, ...] = ()
    refusal: IllegalAction | None = None


# ---------------------------------------------------------------- files


def example_file(game: str, name: str, root: Path = content.ROOT) -> Path:
    """Return the path of an example's file."""
    return root / game / "examples" / f"{name}.json"


def example_names(game: str, root: Path = content.ROOT) -> list[str]:
    """Return the names of all examples of a game."""
    return sorted(file.stem for file in (root / game / "examples").glob("*.json"))


def read_file(file: Path, game: str) -> Example:
    """Return the example in a file. Raises ExampleError."""

    def fault(message: str) -> ExampleError:
        return ExampleError(f"{file.parent.parent.name}/examples/{file.name}: {message}")

    def want(data: Any, key: str, kind: type, where: str = "") -> Any:
        if not isinstance(data.get(key), kind) or isinstance(data.get(key), bool):
            raise fault(f"{where}{key}: expected {kind.__name__}")
        return data[key]

    try:
        data = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise fault(f"is no JSON ({error})") from None
    if not isinstance(data, dict):
        raise fault("expected a JSON object")
    position = want(data, "position", dict)
    if position.get("game") != game:
        raise fault(f"position.game: expected {game!r}")
    want(position, "seats", int, "position.")
    steps = []
    for at, item in enumerate(want(data, "steps", list)):
        where = f"steps[{at}]."
        if not isinstance(item, dict):
            raise fault(f"steps[{at}]: expected an object")
        steps.append(
            Step(
                want(item, "actor", int, where),
                want(item, "action", str, where),
                item.get("note") or {},
                item.get("refused", ""),
                _expectations(item.get("expect", {}), where, fault),
            )
        )
    names = data.get("names", {})
    return Example(
        name=file.stem,
        game=game,
        anchor=want(data, "anchor", str),
        title=want(data, "title", dict),
        intro=data.get("intro") or {},
        names={"": names} if isinstance(names, list) else names,
        hands=_hands(data.get("hands", []), position, fault),
        position=position,
        steps=tuple(steps),
        expect=_expectations(want(data, "expect", dict), "", fault),
    )


def _hands(data: Any, position: Mapping[str, Any], fault: Any) -> tuple[int, ...]:
    seats = range(position["seats"])
    if not isinstance(data, list) or any(seat not in seats or isinstance(seat, bool) for seat in data):
        raise fault(f"hands: expected a list of seats from 0 to {seats[-1]}")
    return tuple(data)


def _expectations(data: Any, where: str, fault: Any) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise fault(f"{where}expect: expected an object")
    for key in data:
        if key not in EXPECTED:
            raise fault(f"{where}expect.{key}: is not one of {', '.join(EXPECTED)}")
    return data


def check_file(file: Path, game: str) -> None:
    """Check the form of an example's file. Raises ExampleError."""
    read_file(file, game)


@cache
def example(game: str, name: str) -> Example:
    """Return an example of a game's rule book. Raises ExampleError."""
    if name not in example_names(game):  # anybody may ask for any name, and a file system doesn't take all of them
        raise ExampleError(f"{game} has no example {name!r}")
    return read_file(example_file(game, name), game)


# ---------------------------------------------------------------- play


def frames(shown: Example) -> list[Frame]:
    """Play an example with the engine. Raises ExampleError if a step is refused, or one that should be refused is not."""
    try:
        game, state = start_of_position(shown.position, registry.game)
    except PositionError as error:
        raise ExampleError(f"{shown.name}: position: {error}") from None
    out = [Frame(state, None)]
    for at, step in enumerate(shown.steps):
        where = f"{shown.name}: steps[{at}] ({step.action})"
        try:
            action = game.parse_action(step.action)
            after, events = game.apply(state, step.actor, action)
        except ActionFormatError as error:
            raise ExampleError(f"{where}: {error}") from None
        except IllegalAction as refusal:
            if step.refused != refusal.rule:
                raise ExampleError(f"{where}: was refused by {refusal.rule} ({refusal.reason})") from None
            out.append(Frame(state, step, refusal=refusal))
            continue
        if step.refused:
            raise ExampleError(f"{where}: should be refused by {step.refused}")
        state = after
        out.append(Frame(state, step, tuple(events)))
    return out


@cache
def played(game: str, name: str) -> tuple[Frame, ...]:
    """Return the frames of an example of a rule book; played once per process."""
    return tuple(frames(example(game, name)))


def caption(shown: Example, frame: Frame, lang: str) -> str:
    """Return the text of a step: its own note, else the sentences of its events or of its refusal."""
    if frame.step is None:
        return shown.intro.get(lang, "")
    if note := frame.step.note.get(lang):
        return note
    names = shown.names_in(lang)
    if frame.refusal is not None:
        return wording.say(frame.refusal, lang, names=names, game=shown.game)
    return " ".join(wording.say(event, lang, names=names, game=shown.game) for event in frame.events)


@cache
def seats_told_of(game: str, name: str) -> frozenset[int]:
    """Return the seats that an example is about: those who act, whose hand is drawn, who are named, and whose area changes."""
    shown, engine = example(game, name), registry.game(game)
    told = {step.actor for step in shown.steps if step.actor >= 0} | set(shown.hands)
    for lang in {"en", *shown.intro}:
        text = " ".join([shown.intro.get(lang, ""), *(step.note.get(lang, "") for step in shown.steps)])
        told |= {seat for seat, who in enumerate(shown.names_in(lang)) if re.search(rf"\b{re.escape(who)}", text)}
    areas = [engine.scene(engine.view_for(frame.state, None))["players"] for frame in played(game, name)]
    told |= {seat for seat, first in enumerate(areas[0]) if any(later[seat] != first for later in areas)}
    return frozenset(told) or frozenset(range(len(areas[0])))


# ---------------------------------------------------------------- expectations


def problems(shown: Example) -> list[str]:
    """Return how an example differs from what it expects, one line each; [] when nothing differs."""
    out: list[str] = []
    all_frames = frames(shown)
    for at, (step, frame) in enumerate(zip(shown.steps, all_frames[1:], strict=True)):
        out += _differences(shown, step.expect, frame.state, frame.events, f"steps[{at}].expect")
    every_event = tuple(event for frame in all_frames for event in frame.events)
    return out + _differences(shown, shown.expect, all_frames[-1].state, every_event, "expect")


def _differences(
    shown: Example,
    expect: Mapping[str, Any],
    state: Any,
    events: Sequence[Event],
    where: str,
) -> list[str]:
    game = registry.game(shown.game)
    out: list[str] = []
    actors = game.actors(state)
    legal = [str(action) for action in game.legal_actions(state, actors[0])] if actors and actors[0] >= 0 else []
    for key, wanted in expect.items():
        at = f"{where}.{key}"
        match key:
            case "state":
                out += subset(wanted, plain(game.state_to_json(state)), at)
            case "due":
                out += subset(wanted, list(actors), at)
            case "legal":
                out += subset(wanted, legal, at)
            case "legal_has":
                out += [f"{at}: {text!r} is not legal (legal: {', '.join(legal)})" for text in wanted if text not in legal]
            case "legal_lacks":
                out += [f"{at}: {text!r} is legal" for text in wanted if text in legal]
            case "illegal":
                out += [line for text, rule in wanted.items() for line in _is_refused(game, state, actors[0], text, rule, at)]
            case "events":
                out += _events_differ(wanted, events, at)
            case "outcome":
                out += subset(wanted, plain(game.outcome(state)), at)
    return out


def _is_refused(game: Any, state: Any, actor: int, text: str, rule: str, at: str) -> list[str]:
    try:
        game.apply(state, actor, game.parse_action(text))
    except IllegalAction as refusal:
        return [] if refusal.rule == rule else [f"{at}: {text!r} was refused by {refusal.rule}, not {rule}"]
    return [f"{at}: {text!r} was not refused"]


def _events_differ(wanted: Sequence[Any], events: Sequence[Event], at: str) -> list[str]:
    """Each wanted event must occur, in this order; `params` and `secret` are compared as far as they are given."""
    left = list(events)
    out: list[str] = []
    for number, item in enumerate(wanted):
        item = {"key": item} if isinstance(item, str) else item
        while left and (left[0].key != item["key"] or subset(item, plain(left[0]), "")):
            del left[0]
        if not left:
            near = [line for event in events if event.key == item["key"] for line in subset(item, plain(event), f"{at}[{number}]")]
            return [
                *out,
                *(near or [f"{at}[{number}]: no event {item['key']!r} (happened: {', '.join(e.key for e in events)})"]),
            ]
        del left[0]
    return out


def plain(value: Any) -> Any:
    """Return a value as a JSON round trip would: dataclasses as objects, keys as text."""
    if is_dataclass(value) and not isinstance(value, type):
        value = {name: getattr(value, name) for name in value.__slots__} if hasattr(value, "__slots__") else asdict(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def subset(wanted: Any, found: Any, at: str) -> list[str]:
    """Return where `found` differs from `wanted`. In an object only the named keys count, in a list given as {"0": …} the named indices.

    >>> subset({"fame": {"1": 12}}, {"fame": [10, 12], "epoch": 1}, "state")
    []
    >>> subset({"fame": [10, 11]}, {"fame": [10, 12]}, "state")
    ['state.fame[1]: expected 11, found 12']
    """
    if isinstance(wanted, Mapping):
        if isinstance(found, list):
            found = {str(index): item for index, item in enumerate(found)}
        if not isinstance(found, Mapping):
            return [f"{at}: expected {json.dumps(wanted)}, found {json.dumps(found)}"]
        return [
            line
            for key, value in wanted.items()
            for line in (subset(value, found[key], f"{at}.{key}") if key in found else [f"{at}.{key}: is missing"])
        ]
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        return [line for index, value in enumerate(wanted) for line in subset(value, found[index], f"{at}[{index}]")]
    return [] if wanted == found else [f"{at}: expected {json.dumps(wanted)}, found {json.dumps(found)}"]


def forget() -> None:
    """Read and play all examples again at the next use (after their files changed)."""
    example.cache_clear()
    played.cache_clear()
    seats_told_of.cache_clear()
