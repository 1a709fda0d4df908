"""The columns as pyarrow knows them. Importing this loads pyarrow (some 85 MB), so servers don't."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from archives.rows import COLUMNS, Row, to_values

TYPES: Final[Mapping[str, Callable[[], Any]]] = {
    "int64": pa.int64,
    "int32": pa.int32,
    "string": pa.string,
    "json": pa.string,
    "bool": pa.bool_,
    "time": lambda: pa.timestamp("us", tz="UTC"),
    "list<string>": lambda: pa.list_(pa.string()),
    "list<bool>": lambda: pa.list_(pa.bool_()),
    "list<int32>": lambda: pa.list_(pa.int32()),
}
SCHEMA: Final = pa.schema([pa.field(column.name, TYPES[column.type]()) for column in COLUMNS])


def batch_of(rows: Sequence[Row]) -> pa.RecordBatch:
    """Return rows as a batch. Raises KeyError, TypeError, ValueError or pyarrow's ArrowInvalid for what is no row."""
    return pa.RecordBatch.from_pylist([to_values(row) for row in rows], schema=SCHEMA)
