"""What one game is in an archive: a line of JSON that is a record (`games.core.records`) with a few more fields, and the columns of the same in Parquet."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from games.core.records import RECORD_FORMAT
from games.core.sealed import SCHEME

Row = dict[str, Any]  # a line of JSON
PERSON, GUEST, BOT, DELETED = KINDS = ("person", "guest", "bot", "deleted")
DELETED_NAME: Final = "deleted player"


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, the name of its Arrow type (see `columns.TYPES`), what it says, and where that is in a line of JSON."""

    name: str
    type: str
    says: str
    path: str

    def of(self, row: Mapping[str, Any]) -> Any:
        """Return the value of a line. Raises KeyError if it is missing."""
        value: Any = row
        for part in self.path.split("."):
            value = value[part]
        return value


COLUMNS: Final = (
    Column("table", "int64", "Number of the table on its site; of self-play, of the game.", "table"),
    Column("game", "string", "Key of the game, such as `ra`.", "game"),
    Column("rules_version", "int32", "Version of the game's rules that it was played by.", "rules_version"),
    Column("options", "json", "Options of the table, as a JSON object.", "options"),
    Column("seats", "int32", "Number of players.", "seats"),
    Column("players", "list<string>", "By seat: the name; of a deleted account `deleted player`.", "players"),
    Column("kinds", "list<string>", "By seat: `person`, `guest`, `bot` or `deleted`.", "kinds"),
    Column("levels", "list<string>", "By seat: the level of a bot; empty for people and their bot accounts.", "levels"),
    Column("left", "list<bool>", "By seat: whether a person left and the bot took over.", "left"),
    Column("is_rated", "bool", "Whether it was played for ratings.", "is_rated"),
    Column("started_at", "time", "When the game started, UTC; null for self-play.", "started_at"),
    Column("finished_at", "time", "When it ended, UTC; null for self-play.", "finished_at"),
    Column("actors", "list<int32>", "Who made each action: a seat from 0, or -1 for chance, -2 for the scorer.", "actions"),
    Column("actions", "list<string>", "Each action as text, without those that were undone.", "actions"),
    Column("places", "list<int32>", "By seat: the place from 1; ties share the better one.", "result.places"),
    Column("scores", "list<int32>", "By seat: the score.", "result.scores"),
    Column("reason", "string", "Why the game ended.", "result.reason"),
    Column("commitment", "string", "SHA-256 of the secret, published before the game, in hex.", "chance.commitment"),
    Column("secret", "string", "Secret of the sealed draws, 32 bytes in hex.", "chance.secret"),
    Column("words", "list<string>", "By seat: the word added to the secret.", "chance.words"),
)


def to_line(row: Row) -> bytes:
    """Return a row as a line of JSON, with its newline."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def to_values(row: Row) -> dict[str, Any]:
    """Return the values of a row by column, as Arrow takes them. Raises KeyError, TypeError or ValueError for what is no row."""
    values: dict[str, Any] = {}
    for column in COLUMNS:
        value = column.of(row)
        if column.name == "actors":
            value = [actor for actor, _ in value]
        elif column.name == "actions":
            value = [text for _, text in value]
        elif column.type == "json":
            value = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        elif column.type == "time":
            value = None if value is None else datetime.fromisoformat(value)
        values[column.name] = value
    return values


def from_values(values: Mapping[str, Any]) -> Row:
    """Return the row of a line of Parquet: equal to the line of JSON of the same game."""
    moment = {name: None if values[name] is None else values[name].isoformat() for name in ("started_at", "finished_at")}
    return row(
        **{column.name: values[column.name] for column in COLUMNS if column.type not in ("json", "time")} | moment,
        options=json.loads(values["options"]),
    )


def row(
    *,
    table: int,
    game: str,
    rules_version: int,
    options: Mapping[str, Any],
    seats: int,
    players: list[str],
    kinds: list[str],
    levels: list[str],
    left: list[bool],
    is_rated: bool,
    started_at: str | None,
    finished_at: str | None,
    actors: list[int],
    actions: list[str],
    places: list[int],
    scores: list[int],
    reason: str,
    commitment: str,
    secret: str,
    words: list[str],
) -> Row:
    """Return a row. Lists are by seat, `actors` and `actions` in the order of play; times are ISO texts in UTC, the secret is in hex."""
    return {
        "format": RECORD_FORMAT,
        "game": game,
        "rules_version": rules_version,
        "options": dict(options),
        "seats": seats,
        "table": table,
        "players": players,
        "kinds": kinds,
        "levels": levels,
        "left": left,
        "is_rated": is_rated,
        "started_at": started_at,
        "finished_at": finished_at,
        "position": None,
        "actions": [[actor, text] for actor, text in zip(actors, actions, strict=True)],
        "result": {"places": places, "scores": scores, "reason": reason},
        "chance": {"scheme": SCHEME, "commitment": commitment, "secret": secret, "words": words},
    }
