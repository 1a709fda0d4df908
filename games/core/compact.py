"""The plumbing of a game's State: slots, copy and equality, written from the annotations of its fields."""

from __future__ import annotations

import typing
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, Self, TypeVar, cast

_UNCHANGEABLE = (int, bool, float, str, bytes, NoneType)


class Compact:
    """The base of a class made by `compact`."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # changed in place

    def copy(self) -> Self:
        """Return a copy that shares nothing mutable."""
        raise NotImplementedError  # `compact` writes it

    def __eq__(self, other: object) -> bool:
        raise NotImplementedError  # `compact` writes it


C = TypeVar("C", bound=Compact)


def compact(*, derived: tuple[str, ...] = (), unordered: tuple[str, ...] = ()) -> Callable[[type[C]], type[C]]:
    """Return a decorator that gives a class slots for its annotated fields, `copy`, and equality of all fields.

    A copy shares numbers, strings, bytes and tuples of them; bytearrays and lists of such values are sliced. Any other kind of
    field raises a TypeError. Equality leaves out `derived` fields, and the order of the `unordered` lists. The source of
    both methods is generated once, at import, because a copy is made for every move a bot looks at.
    """

    def decorate(cls: type[C]) -> type[C]:
        kinds = typing.get_type_hints(cls)
        namespace = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
        made = cast(type[C], type(cls.__name__, cls.__bases__, namespace | {"__slots__": tuple(kinds)}))
        copies = [f"    new.{name} = self.{name}{_slice(f'{cls.__qualname__}.{name}', kind)}" for name, kind in kinds.items()]
        pairs = [
            f"sorted(self.{name}) == sorted(other.{name})" if name in unordered else f"self.{name} == other.{name}"
            for name in kinds
            if name not in derived
        ]
        source = [
            "def copy(self):",
            "    new = _new(_cls)",
            *copies,
            "    return new",
            "def __eq__(self, other):",
            "    if not isinstance(other, _cls):",
            "        return NotImplemented",
            f"    return {' and '.join(pairs)}",
        ]
        written: dict[str, Any] = {"_cls": made, "_new": object.__new__}
        exec("\n".join(source), written)  # noqa: S102  # as dataclasses do: names of our own fields
        for name in ("copy", "__eq__"):
            function = written[name]
            function.__module__, function.__qualname__ = cls.__module__, f"{cls.__qualname__}.{name}"
            function.__doc__ = getattr(Compact, name).__doc__
            setattr(made, name, function)
        return made

    return decorate


def _slice(field: str, kind: Any) -> str:
    """Return the code that copies a field's value: empty if it can be shared."""
    if _is_unchangeable(kind):
        return ""
    if kind is bytearray or (typing.get_origin(kind) is list and all(map(_is_unchangeable, typing.get_args(kind)))):
        return "[:]"
    raise TypeError(f"{field}: no way to copy {kind}")


def _is_unchangeable(kind: Any) -> bool:
    if kind in _UNCHANGEABLE:
        return True
    if typing.get_origin(kind) in (tuple, UnionType):
        return all(part is Ellipsis or _is_unchangeable(part) for part in typing.get_args(kind))
    is_named = isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")
    return is_named and all(map(_is_unchangeable, typing.get_type_hints(kind).values()))
