"""What a stream tells, as typed values. `raw` has the whole line for what they leave out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["your_move", "state", "over", "gone", "fault", "alive"]


@dataclass(frozen=True)
class Event:
    """Something that has happened at a table: `actor` is a seat, -1 for chance, -2 for the scorer."""

    seq: int
    version: int
    actor: int
    key: str
    params: Mapping[str, Any]
    text: str

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Event:
        """Return an event from its JSON."""
        return cls(raw["seq"], raw["version"], raw["actor"], raw["key"], raw["params"], raw["text"])


@dataclass(frozen=True)
class Position:
    """A line of a stream: a table as you may see it. Of `alive`, and of `gone`, only `kind` and `table` mean something; of `fault`, also `version`.

    `can_come_back`: a bot keeps your seat since you ran out of time.
    """

    kind: Kind
    table: int | None
    version: int = 0
    game: str = ""
    status: str = ""
    my_seat: int | None = None
    view: Mapping[str, Any] | None = None
    question: str | None = None
    legal: tuple[str, ...] = ()
    outcome: Mapping[str, Any] | None = None
    events: tuple[Event, ...] = ()
    can_come_back: bool = False
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_my_move(self) -> bool:
        """Whether the table waits for you."""
        return bool(self.legal)

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Position:
        """Return a line of a stream. Also takes the answer of `tables/{id}/`, which has the table in `id` and no type."""
        kind: Kind = raw.get("type") or ("over" if raw["status"] in ("finished", "abandoned") else "your_move" if raw["legal"] else "state")
        return cls(
            kind,
            raw.get("table", raw.get("id")),
            raw.get("version", 0),
            raw.get("game", ""),
            raw.get("status", ""),
            raw.get("my_seat"),
            raw.get("view"),
            raw.get("question"),
            tuple(raw.get("legal", ())),
            raw.get("outcome"),
            tuple(Event.of(event) for event in raw.get("events", ())),
            raw.get("can_come_back", False),
            raw,
        )
