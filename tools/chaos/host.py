"""The portal under test: its database, its Valkey, its processes."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator, Sequence
from typing import Any

import psycopg

from tests.running import RunningPortal
from tools.chaos import parts
from tools.chaos.journal import Record
from tools.chaos.probes import Pulses

_RECORDS = """
SELECT table_id, seq, version, actor, text, by, extract(epoch FROM at)::float8 FROM tables_actionrecord WHERE table_id = ANY(%s)
"""
_FIRST_ANSWER = """
SELECT extract(epoch FROM min(answer.at))::float8 FROM tables_actionrecord answer
JOIN tables_actionrecord question ON question.table_id = answer.table_id AND question.version = answer.version - 1
WHERE answer.by IN ('bot', 'substitute') AND answer.at > to_timestamp(%s) AND question.at > to_timestamp(%s)
"""


class Host:
    """A running portal that parts are taken from. Whatever asks its database raises psycopg.Error while that is away."""

    def __init__(self, portal: RunningPortal) -> None:
        self.portal = portal
        self.pulses = Pulses(portal.state.redis_url())

    def connect(self) -> psycopg.Connection[tuple[Any, ...]]:
        return psycopg.connect(self.portal.state.database_url(), autocommit=True, connect_timeout=3, application_name="chaos")

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self.connect() as connection:
            return connection.execute(sql, values).fetchall()

    def records(self, tables: Sequence[int]) -> list[Record]:
        return [Record(*row) for row in self.rows(_RECORDS, list(tables))]

    def first_answer(self, since: float) -> float | None:
        """Return when a bot first answered a question that was put after `since`."""
        answered = self.rows(_FIRST_ANSWER, since, since)[0][0]
        return None if answered is None else float(answered)

    def versions(self, tables: Sequence[int]) -> dict[int, int]:
        return dict(self.rows("SELECT id, version FROM tables_table WHERE id = ANY(%s)", list(tables)))

    def waiting(self) -> dict[int, int]:
        """Return the tables that wait for a bot or for scoring, each with its version."""
        return dict(self.rows("SELECT id, version FROM tables_table WHERE status = 'playing' AND waits_for IN ('bot', 'scorer')"))

    def finished(self, tables: Sequence[int]) -> list[int]:
        return [
            row[0] for row in self.rows("SELECT id FROM tables_table WHERE id = ANY(%s) AND status = 'finished' ORDER BY id", list(tables))
        ]

    def pids(self, part: str) -> list[int]:
        return parts.pids(self.portal, part)

    def kill(self, found: Sequence[int]) -> None:
        """SIGKILL these processes. Raises LookupError if there are none: then nothing would be tried."""
        if not found:
            raise LookupError("no process to kill")
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    @contextlib.contextmanager
    def frozen(self, found: Sequence[int]) -> Iterator[None]:
        """SIGSTOP these processes, and wake those that are still there afterwards."""
        if not found:
            raise LookupError("no process to freeze")
        with contextlib.ExitStack() as stack:
            for pid in found:
                with contextlib.suppress(ProcessLookupError):  # a session of the database that has just ended
                    os.kill(pid, signal.SIGSTOP)
                    stack.callback(_wake, pid)
            yield


def _wake(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)
