"""What programs get of a game: views as plain values, and JSON Schemas of views and events, made from the game's own classes and sentences.

A view is a dataclass. A field whose metadata say `NOT_SHOWN` is for bots alone: it is in no answer, and in no schema.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import msgspec

from games.core.contract import AnyGame

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_ROOT: Final = Path(__file__).resolve().parent.parent.parent
SHOWN: Final = "shown"
NOT_SHOWN: Final = {SHOWN: False}  # metadata of a field
_COMMENTED: Final = re.compile(r"^    (\w+): [^#\n]*?#\s*(.+)$", re.MULTILINE)
_FIELD: Final = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_SEATS: Final = {"type": "array", "items": {"type": "integer"}}
_IDS: Final = {
    "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "object", "additionalProperties": {"type": "integer"}}],
    "description": "Glossary ids: a list, or each with its number.",
}
# What a field of a sentence holds, by its type (see `Phrase`).
_KINDS: Final[Mapping[str, dict[str, Any]]] = {
    "name": {"type": "integer", "description": "A seat."},
    "names": {**_SEATS, "description": "Seats."},
    "noun": {"type": "string", "description": "A glossary id."},
    "nouns": _IDS,
    "signed": {"type": "number"},
}


def shown(view: Any) -> dict[str, Any]:
    """Return a view as values that JSON has, without what is for bots alone."""
    hidden = _hidden(type(view))
    return {name: value for name, value in msgspec.to_builtins(view, str_keys=True).items() if name not in hidden}


def seen(game: AnyGame, values: Mapping[str, Any]) -> Any:
    """Return the view that `shown` gave as values: what a program needs to ask a game's bots about what it sees.

    What is for bots alone is empty. Raises msgspec.ValidationError for values that are no view of the game.
    """
    return msgspec.convert(values, _kind(game))


def _kind(game: AnyGame) -> type:
    options = tuple((spec.key, spec.default) for spec in game.meta.options)
    return _view_class(game.meta.key, game.setup, game.view_for, game.meta.seats[0], options)


def _hidden(kind: Any) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind) if not field.metadata.get(SHOWN, True))


@cache
def _view_class(game_key: str, setup: Any, view_for: Any, seats: int, options: tuple[tuple[str, Any], ...]) -> type:
    return type(view_for(setup(seats, dict(options)), None))


def view_schema(game: AnyGame) -> dict[str, Any]:
    """Return the JSON Schema of a game's views, as `shown` gives them: from the annotations of their classes, and the comments beside these."""
    kind = _kind(game)
    schema = msgspec.json.schema(kind)
    parts: dict[str, Any] = schema["$defs"]
    for name, part in parts.items():
        if "properties" in part:
            part["additionalProperties"] = False
            _explain(part["properties"], next((one for one in _classes(kind) if one.__name__ == name), None))
    own = parts[kind.__name__]
    for name in _hidden(kind):
        own["properties"].pop(name)
        own["required"] = [one for one in own["required"] if one != name]
    own["required"] = list(own["properties"])  # an answer has every field, those with a default as well
    return {"$schema": DRAFT, "title": f"View of {game.meta.title}", **schema}


def _explain(properties: dict[str, Any], kind: type | None) -> None:
    """Describe properties by the comments of their class."""
    if kind is None:
        return
    for name, said in _COMMENTED.findall(_source(kind)):
        if name in properties:
            properties[name]["description"] = said


def _source(kind: type) -> str:
    """Return the text of a class, which `inspect` can't find if it is compiled."""
    place = _ROOT / (kind.__module__.replace(".", "/") + ".py")
    text = (place if place.exists() else Path(inspect.getfile(kind))).read_text(encoding="utf-8")  # a game of somebody else isn't compiled
    found = next(node for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name == kind.__name__)
    return "\n".join(text.split("\n")[found.lineno - 1 : found.end_lineno])


def _classes(kind: Any, seen: set[Any] | None = None) -> Iterator[type]:
    """Yield the dataclasses that a class is made of, itself first."""
    seen = set() if seen is None else seen
    if kind in seen:
        return
    seen.add(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        yield kind
        for hint in get_type_hints(kind).values():
            yield from _classes(hint, seen)
    for inner in get_args(kind):
        if not isinstance(inner, (str, int)) and inner is not Ellipsis:
            yield from _classes(inner, seen)


def event_schema(game: AnyGame) -> dict[str, Any]:
    """Return the JSON Schema of a game's events as logs have them: for each key, the values that its sentence needs. There may be others."""
    texts: dict[str, list[str]] = {}
    for key, text in game.phrases.items():
        name, _dot, variant = key.partition(".")
        if not variant:
            texts.setdefault(name, []).insert(0, text)
        elif variant == "me" and name in game.phrases:
            texts.setdefault(name, []).append(text)
    return {
        "$schema": DRAFT,
        "title": f"Event of {game.meta.title}",
        "type": "object",
        "required": ["key", "params"],
        "properties": {"key": {"enum": sorted(texts)}, "params": {"type": "object"}},
        "allOf": [
            {"if": {"properties": {"key": {"const": key}}}, "then": {"properties": {"params": _params(of[0], of)}}}
            for key, of in sorted(texts.items())
        ],
    }


def _params(needed: str, texts: list[str]) -> dict[str, Any]:
    """Return the schema of what fills the sentences of an event; each reader's needs the fields of the first."""
    properties: dict[str, Any] = {}
    for text in texts:
        for name, spec in _FIELD.findall(text):
            if spec:
                properties[name] = {"type": "integer"} if spec.startswith("count ") else _KINDS[spec]
            else:
                properties.setdefault(name, {})
    return {"type": "object", "properties": properties, "required": sorted({name for name, _spec in _FIELD.findall(needed)})}
