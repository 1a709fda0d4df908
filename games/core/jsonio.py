"""Reading JSON that may be wrong: each fault is a PositionError of one line that starts with the field's name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from games.core.contract import Phrase, PositionError
from games.core.phrases import N_

FIELD: Final = re.compile(r"\{(\w+)\}")
MORE_THAN_THERE_ARE: Final = N_("more {kind} than the {n} of the game")


def fail(where: str, what: str, **params: Any) -> NoReturn:
    """Raise the PositionError of a field."""
    raise fault(where, what, **params)


def fault(where: str, what: str, **params: Any) -> PositionError:
    """Return the PositionError of a field, "" for none. `what` is a message id (`N_`) whose fields, such as {n}, are in `params`, each a
    value or a Phrase; without any, it is said as it is, braces included.

    >>> str(fault("suns", "expected {n} suns", n=3))
    'suns: expected 3 suns'
    """
    line = filled(what, params)
    return PositionError(f"{where}: {line}" if where else line, where=where, what=Phrase(what, params))


def filled(what: str, params: Mapping[str, Any]) -> str:
    """Return a fault in English."""
    return FIELD.sub(lambda found: _plain(params[found[1]]), what) if params else what


def _plain(value: Any) -> str:
    return filled(value.text, value.params) if isinstance(value, Phrase) else str(value)


def integer(value: Any, where: str, low: int, high: int) -> int:
    """Return a whole number from low to high.

    >>> integer(3, "epoch", 1, 3)
    3
    """
    if type(value) is not int or not low <= value <= high:
        fail(where, N_("expected a whole number from {low} to {high}, found {found}"), low=low, high=high, found=shown(value))
    return value


def boolean(value: Any, where: str) -> bool:
    """Return true or false."""
    if type(value) is not bool:
        fail(where, N_("expected true or false, found {found}"), found=shown(value))
    return value


def one_of(value: Any, where: str, choices: Sequence[str]) -> int:
    """Return the index of a text in `choices`."""
    if not isinstance(value, str) or value not in choices:
        fail(where, N_("expected one of {choices}; found {found}"), choices=", ".join(choices), found=shown(value))
    return choices.index(value)


def items(value: Any, where: str, length: int | None = None) -> Sequence[Any]:
    """Return a list, of exactly `length` entries if given."""
    if not isinstance(value, (list, tuple)):
        fail(where, N_("expected a list, found {found}"), found=shown(value))
    if length is not None and len(value) != length:
        fail(where, N_("expected {n} entries, found {found}"), n=length, found=len(value))
    return value


def fields(value: Any, where: str, known: Sequence[str], required: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return an object that has only known fields and all the required ones."""
    if not isinstance(value, Mapping):
        fail(where or "state", N_("expected an object, found {found}"), found=shown(value))
    prefix = f"{where}." if where else ""
    for key in value:
        if key not in known:
            fail(f"{prefix}{str(key)[:40]}", N_("is not known"))
    for key in required:
        if key not in value:
            fail(f"{prefix}{key}", N_("is missing"))
    return value


def shown(value: Any) -> str:
    """Return a short form of a wrong value for a message."""
    text = repr(value) if not isinstance(value, str) else f"{value[:40]!r}"
    return text if len(text) <= 60 else text[:57] + "..."
