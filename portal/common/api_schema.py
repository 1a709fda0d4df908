"""What the schema says besides fields: scopes, and what is deprecated; and how it may change without anybody's program breaking."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils import translation
from drf_spectacular.contrib.django_oauth_toolkit import DjangoOAuthToolkitScheme
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from portal.common.scopes import needed

KEPT_IN: Final = Path(settings.BASE_DIR, "docs/api-schema.json")
POLICY: Final = "docs/api.md, “What stays”, says how something may leave: deprecate it, and wait until its day"
_METHODS: Final = ("get", "post", "put", "patch", "delete")
_WORDS: Final = {"description", "title", "example", "deprecated", "x-sunset"}  # may change: no program reads them


class Described(AutoSchema):
    """The schema of a view: the needed scope is `x-scope`, none where nobody has to sign in by token; the day on which it may go `x-sunset`."""

    def get_extensions(self) -> dict[str, Any]:
        found = {"x-scope": needed(self.view, self.method)} if hasattr(self.view, "reads") and self.view.get_authenticators() else {}
        leaving = self._leaving()
        return found if leaving is None else found | {"x-sunset": leaving.marks["x-sunset"]}

    def is_deprecated(self) -> bool:
        return self._leaving() is not None

    def _leaving(self) -> Any:
        return getattr(self.view, "leaving", {}).get(self.method)

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> dict[str, Any]:
        schema: dict[str, Any] = super()._map_basic_serializer(serializer, direction)
        for name, how in getattr(serializer, "leaving", {}).items():
            field = schema["properties"][name]
            schema["properties"][name] = ({"allOf": [field]} if "$ref" in field else field) | how.marks
        return schema


class BearerScheme(DjangoOAuthToolkitScheme):
    """OAuth 2 in the schema, with the scope of each operation."""

    target_class = "portal.accounts.oauth.BearerAuthentication"
    name = "oauth2"

    def get_security_requirement(self, auto_schema: Any) -> dict[str, list[str]]:
        return {self.name: [needed(auto_schema.view, auto_schema.method)]}


def schema_now() -> str:
    """Return the schema of this code as it is kept: JSON in English, sorted."""
    with translation.override("en"):
        found = SchemaGenerator().get_schema(public=True)
    return json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def broken(before: dict[str, Any], now: dict[str, Any], today: date) -> list[str]:
    """Return what of a schema is gone, or isn't what it was, so that programs written for it may fail; what was announced and is due may go."""
    old, new = dict(_facts(before)), dict(_facts(now))
    found = []
    for name, fact in old.items():
        if fact.sunset is not None and fact.sunset <= today:
            continue
        if name not in new:
            found.append(f"{name} is gone")
        elif new[name].signature != fact.signature:
            found.append(f"{name} has changed: {fact.signature} became {new[name].signature}")
    asked = _asked(now)
    components = {name.partition(".")[0] for name in old}
    for name in new.keys() - old.keys():
        owner = name.partition(".")[0]
        if owner in asked and owner in components and new[name].is_required:
            found.append(f"{name} is new, and required: programs don't send it")
    return sorted(found)


@dataclass(frozen=True, slots=True)
class _Fact:
    """Something that programs rely on, with the day on which it may go."""

    signature: str
    sunset: date | None = None
    is_required: bool = False


def _facts(schema: dict[str, Any]) -> Iterator[tuple[str, _Fact]]:
    for path, methods in schema["paths"].items():
        for method in _METHODS:
            if method in methods:
                yield from _of_operation(f"{method.upper()} {path}", methods[method])
    for name, data in schema["components"]["schemas"].items():
        yield name, _Fact(str(data.get("type", "")))
        for value in data.get("enum", ()):
            yield f"{name}.{value!r}", _Fact("a value")
        required = set(data.get("required", ()))
        for key, field in data.get("properties", {}).items():
            signature = _bare(field) | ({"required": True} if key in required else {})
            yield f"{name}.{key}", _Fact(json.dumps(signature, sort_keys=True), _sunset(field), key in required)


def _of_operation(name: str, data: dict[str, Any]) -> Iterator[tuple[str, _Fact]]:
    good = {status: _bare(answer.get("content", {})) for status, answer in data["responses"].items() if status.startswith("2")}
    signature = {"id": data["operationId"], "scope": data.get("x-scope"), "body": _bare(data.get("requestBody", {})), "answers": good}
    sunset = _sunset(data)
    yield name, _Fact(json.dumps(signature, sort_keys=True), sunset)
    for one in data.get("parameters", ()):
        told = {"required": one.get("required", False), "schema": _bare(one["schema"])}
        yield f"{name} ({one['in']} {one['name']})", _Fact(json.dumps(told, sort_keys=True), _sunset(one) or sunset)


def _bare(data: Any) -> Any:
    """Return a part of the schema without its words; an enum of its own has its values apart, so that more of them are no change."""
    if isinstance(data, dict):
        return {key: _bare(value) for key, value in data.items() if key not in _WORDS}
    return [_bare(value) for value in data] if isinstance(data, list) else data


def _sunset(data: dict[str, Any]) -> date | None:
    return date.fromisoformat(data["x-sunset"]) if data.get("deprecated") and "x-sunset" in data else None


def _asked(schema: dict[str, Any]) -> set[str]:
    """Return the names of the objects in bodies of requests."""
    parts, open_ = (
        schema["components"]["schemas"],
        [methods[m].get("requestBody") for methods in schema["paths"].values() for m in methods if m in _METHODS],
    )
    found: set[str] = set()
    while open_:
        for name in _references(open_.pop()):
            if name not in found:
                found.add(name)
                open_.append(parts[name])
    return found


def _references(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        if "$ref" in data:
            yield data["$ref"].rsplit("/", 1)[-1]
        for value in data.values():
            yield from _references(value)
    elif isinstance(data, list):
        for value in data:
            yield from _references(value)
