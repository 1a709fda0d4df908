"""The operations of the API: what each sends when it is in order, and who may do it. Reading is one too: it changes nothing for anybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tests.portal.permissions.verbs import ALL, OWNER, PLAYERS, SIGNED_IN, Maker, Verb, _move, _moved, _undone, _version

NOBODY: Final[frozenset[str]] = frozenset()
UNSIGNED: Final = {"visitor": 401}  # before anything else is looked at
JOINS: Final = SIGNED_IN - PLAYERS
PASSWORD: Final = "correct horse"


def _read(name: str, at: str = "", **more: Any) -> Verb:
    """Reading what everybody may read who sees the place."""
    return Verb(name, NOBODY, at=at, method="GET", **{"idle": ALL, **more})


def _do(method: str, name: str, by: frozenset[str], sent: Mapping[str, Any] | Maker | None = None, at: str = "", **more: Any) -> Verb:
    """A change, for which one has to be signed in."""
    more["answers"] = UNSIGNED | more.get("answers", {})
    return Verb(name, by, sent or {}, at, method=method, hidden=UNSIGNED, **more)


AT_TABLES: Final = (
    *(_read(name, at) for name in ("api-table", "api-log") for at in ("open", "playing", "ended")),
    _read("api-stream", "playing"),
    _read("api-stream", "ended", idle=NOBODY, refused=409),
    _read("api-record", "ended"),
    _read("api-record", "playing", idle=NOBODY, refused=409),
    # Seats
    _do("POST", "api-join", JOINS, at="open", idle=PLAYERS),
    _do("POST", "api-leave", PLAYERS, at="open"),
    _do("POST", "api-leave", PLAYERS, at="playing"),
    _do("POST", "api-come-back", OWNER, at="kept", idle=frozenset({"opponent"})),
    _do("POST", "api-start", OWNER, at="open"),
    # Moves
    _do("POST", "api-act", OWNER, _move, "playing", answers={"opponent": 409}),
    _do("POST", "api-undo", OWNER, _version, "playing", answers={"opponent": 409}, before=_moved),
    _do("POST", "api-redo", OWNER, _version, "playing", answers={"opponent": 409}, before=_undone),
    _do("PUT", "api-order", NOBODY, {"order": "nonsense"}, "playing", answers={"player": 409, "opponent": 400}),
    _do("DELETE", "api-order", NOBODY, at="playing", idle=PLAYERS),
)

ELSEWHERE: Final = (
    _read("api-games"),
    _read("api-tables"),
    Verb("api-token", ALL, {"username": "bob", "password": PASSWORD}, method="POST"),
    _do("POST", "api-tables", SIGNED_IN, {"game": "ra", "seats": 2}),
)
