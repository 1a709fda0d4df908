"""Position files as text: written for people to edit, and packed into addresses."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_noop

from games.core.jsonio import fault, shown
from games.core.records import POSITION_FORMAT, read_json

MOST_TEXT: Final = 20_000  # characters of a position file; the largest that a game writes has some 6,000
MOST_CODE: Final = 6_000  # characters of an address; most browsers and servers take 8,000
FIELDS: Final = ("format", "game", "rules_version", "options", "seats", "state", "fill")  # in the order in which a file has them
_BROKEN: Final = gettext_noop("is cut short or changed; copy the whole of it")


def written(position: Mapping[str, Any]) -> str:
    """Return a position file as text: a line for each of its fields, and for each field of its state."""
    return _object({key: _object(value, 2) if key == "state" else _line(value) for key, value in position.items()})


def read(text: str) -> dict[str, Any]:
    """Return the position file in a text; what every file has alike may be left out. Raises PositionError, one line that names the field."""
    if len(text) > MOST_TEXT:
        raise fault("file", gettext_noop("has {n} characters; at most {most} are possible"), n=len(text), most=MOST_TEXT)
    given = {"format": POSITION_FORMAT, "rules_version": 1, "options": {}} | read_json(text)
    if "state" in given and not isinstance(given["state"], dict):  # what is read is written again, with a line for each field of its state
        raise fault("state", gettext_noop("expected an object, found {found}"), found=shown(given["state"]))
    return {name: given[name] for name in [*(name for name in FIELDS if name in given), *(name for name in given if name not in FIELDS)]}


def code_of(position: Mapping[str, Any]) -> str:
    """Return a position as the part of an address that `position_of` reads."""
    packed = zlib.compress(_line(position).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def position_of(code: str) -> dict[str, Any]:
    """Return the position file in an address. Raises PositionError."""
    if not code.isascii() or len(code) > MOST_CODE:
        raise fault("link", _BROKEN)
    try:
        packed = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(packed, 4 * MOST_TEXT)
        if not unpacking.eof:
            raise fault("link", _BROKEN)
        return read(text.decode())
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise fault("link", _BROKEN) from None


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _object(fields: Mapping[str, Any], indent: int = 0) -> str:
    """Return an object with a line for each field; at the outer level the values are written already."""
    if not fields:
        return "{}"
    space = " " * indent
    lines = [f"{space}  {_line(key)}: {_line(value) if indent else value}" for key, value in fields.items()]
    return "{\n" + ",\n".join(lines) + f"\n{space}}}"
