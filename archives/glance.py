"""Reads of archives only what figures need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pyarrow.compute as pc
import pyarrow.parquet as pq

from archives.figures import DEPTH, WITHIN, Game

NEEDED: Final = ["table", "kinds", "left", "places", "scores", "reason", "actors", "actions"]


def games_of(files: Sequence[Path]) -> Iterator[Game]:
    """Yield the games of some Parquet files, a row group at a time in memory."""
    for path in files:
        with pq.ParquetFile(str(path)) as file:
            for number in range(file.num_row_groups):
                group = file.read_row_group(number, columns=NEEDED, use_threads=False)
                starts = pc.list_slice(group["actions"], 0, WITHIN).to_pylist()
                values = [group[name].to_pylist() for name in NEEDED[:-1]]
                for table, kinds, left, places, scores, reason, actors, texts in zip(*values, starts, strict=True):
                    opening = [(actor, text) for actor, text in zip(actors, texts, strict=False) if actor >= 0][:DEPTH]
                    length = sum(actor >= 0 for actor in actors)
                    yield Game(table, kinds, left, places, scores, reason, length, opening)
