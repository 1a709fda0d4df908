"""Reading JSON that may be wrong: each fault is a PositionError of one line that starts with the field's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from games.core.contract import PositionError


def fail(where: str, what: str) -> NoReturn:
    """Raise a PositionError for a field."""
    raise PositionError(f"{where}: {what}")


def integer(value: Any, where: str, low: int, high: int) -> int:
    """Return a whole number from low to high.

    >>> integer(3, "epoch", 1, 3)
    3
    """
    if type(value) is not int or not low <= value <= high:
        fail(where, f"expected a whole number from {low} to {high}, found {shown(value)}")
    return value


def boolean(value: Any, where: str) -> bool:
    """Return true or false."""
    if type(value) is not bool:
        fail(where, f"expected true or false, found {shown(value)}")
    return value


def one_of(value: Any, where: str, choices: Sequence[str]) -> int:
    """Return the index of a text in `choices`."""
    if not isinstance(value, str) or value not in choices:
        fail(where, f"expected one of {', '.join(choices)}; found {shown(value)}")
    return choices.index(value)


def items(value: Any, where: str, length: int | None = None) -> Sequence[Any]:
    """Return a list, of exactly `length` entries if given."""
    if not isinstance(value, (list, tuple)):
        fail(where, f"expected a list, found {shown(value)}")
    if length is not None and len(value) != length:
        fail(where, f"expected {length} entries, found {len(value)}")
    return value


def fields(value: Any, where: str, known: Sequence[str], required: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return an object that has only known fields and all the required ones."""
    if not isinstance(value, Mapping):
        fail(where or "state", f"expected an object, found {shown(value)}")
    prefix = f"{where}." if where else ""
    for key in value:
        if key not in known:
            fail(f"{prefix}{str(key)[:40]}", "is not known")
    for key in required:
        if key not in value:
            fail(f"{prefix}{key}", "is missing")
    return value


def shown(value: Any) -> str:
    """Return a short form of a wrong value for a message."""
    text = repr(value) if not isinstance(value, str) else f"{value[:40]!r}"
    return text if len(text) <= 60 else text[:57] + "..."
