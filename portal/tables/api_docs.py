"""The description of the API: the OpenAPI schema, a page made from it, and a page to try it out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny

from portal.live.problems import CONTENT_TYPE
from portal.tables.api_problems import PROBLEMS

CHOICE = re.compile(r"^\* `(.*)` - (.+)$", re.MULTILINE)  # as the schema lists them
METHODS = ("get", "post", "put", "patch", "delete")
TAGS = ("people", "friends", "notices", "tables", "invitations", "play", "chat", "books")


class Schema(SpectacularAPIView):
    """The schema of the one version there is: `?version=` would go into the file name, and from there into a header, as it was sent."""

    permission_classes = (AllowAny,)
    throttle_classes = ()

    def _get_version_parameter(self, request: HttpRequest) -> None:
        return None


class TryOut(SpectacularSwaggerSplitView):
    """Swagger UI with its script at an address of its own: the page has no inline script or style."""

    permission_classes = (AllowAny,)
    throttle_classes = ()
    template_name = "tables/api_try.html"


@dataclass(slots=True)
class Value:
    """A parameter, or a field of a body."""

    name: str
    kind: str
    is_required: bool
    text: str


@dataclass(slots=True)
class Operation:
    """One operation of the API as the page shows it."""

    id: str
    method: str
    path: str
    title: str
    text: str
    values: list[Value] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)
    answer: str = ""
    scope: str = ""


@dataclass(slots=True)
class Part:
    """A named object in the answers."""

    name: str
    text: str
    values: list[Value]


@cache
def described() -> tuple[list[Operation], list[Part]]:
    """Return operations and objects from the schema."""
    schema = SchemaGenerator().get_schema(public=True)
    objects = schema["components"]["schemas"]
    operations = []
    for path, methods in sorted(schema["paths"].items(), key=lambda item: (TAGS.index(_tag(item[1])), item[0])):
        operations += [_operation(path, method, methods[method], objects) for method in METHODS if method in methods]
    parts = [
        Part(name, "", _choices(data)) if "enum" in data else Part(name, data.get("description", ""), _fields(data))
        for name, data in sorted(objects.items())
        if any(data.get("enum", ())) or (name.endswith("Answer") and data.get("properties"))
    ]
    return operations, parts


def _operation(path: str, method: str, data: dict[str, Any], objects: dict[str, Any]) -> Operation:
    values = [
        Value(item["name"], _kind(item["schema"]), bool(item.get("required")), item.get("description", ""))
        for item in data.get("parameters", ())
        if item["in"] == "query"
    ]
    body = data.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    if "$ref" in body:
        values += _fields(objects[_last(body["$ref"])])
    good = next((code for code in data["responses"] if code.startswith("2")), "200")
    answer = data["responses"][good].get("content", {}).get("application/json", {}).get("schema", {})
    return Operation(
        id=data["operationId"],
        method=method.upper(),
        path=path,
        title=data.get("summary", ""),
        text=data.get("description", ""),
        values=values,
        statuses=sorted(data["responses"]),
        answer=_kind(answer),
        scope=data.get("x-scope", ""),
    )


def _fields(data: dict[str, Any]) -> list[Value]:
    required = set(data.get("required", ()))
    return [
        Value(name, _kind(schema), name in required, schema.get("description", "")) for name, schema in data.get("properties", {}).items()
    ]


def _choices(data: dict[str, Any]) -> list[Value]:
    """Return the values of an enum with their meaning."""
    return [Value(value, "", False, meaning) for value, meaning in CHOICE.findall(data.get("description", ""))]


def _tag(methods: dict[str, Any]) -> str:
    """Return the group of an address; addresses without one come last."""
    tag = next((data["tags"][0] for method, data in methods.items() if method in METHODS), "")
    return tag if tag in TAGS else TAGS[-1]


def _last(reference: str) -> str:
    return reference.rsplit("/", 1)[-1]


def _kind(schema: dict[str, Any]) -> str:
    """Return the type of a value in one or two words."""
    if "$ref" in schema:
        return _last(schema["$ref"])
    for key in ("allOf", "oneOf", "anyOf"):
        if key in schema:
            return " | ".join(_kind(part) for part in schema[key])
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    if "enum" in schema:
        return " | ".join(str(choice) for choice in schema["enum"])
    name = schema.get("format") or schema.get("type") or "any"
    return f"{name} or null" if schema.get("nullable") else str(name)


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The API on one page, readable without script."""
    operations, parts = described()
    return render(
        request, "tables/api_docs.html", {"operations": operations, "parts": parts, "problems": PROBLEMS, "problem_type": CONTENT_TYPE}
    )
