"""Programs that play: they follow all their tables with one stream, connect again after a break, and answer each version at most once."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import aclosing, closing
from typing import Final

from ziggurat_client.client import AsyncClient, Client
from ziggurat_client.problems import Lost, Problem
from ziggurat_client.records import Position

FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0
TRIES: Final = 8  # of one answer; each has the version it was chosen at, so the portal plays it once at most
RETURNS: Final = 3  # to a seat at one table that was lost on time; a bot that is always late is of no use there


class _Memory:
    """What a bot has heard and answered, and how long it waits before it tries again."""

    def __init__(self) -> None:
        self.since: dict[int, int] = {}
        self.answered: dict[int, int] = {}
        self.returns: Counter[int] = Counter()
        self.back_at: dict[int, int] = {}  # the versions of the returns: older lines say nothing of that
        self.pause_s = 0.0

    def note(self, position: Position) -> bool:
        """Take in a line; say whether it asks for an answer that hasn't been given."""
        self.pause_s = 0.0
        table = position.table
        if table is None:
            return False
        if position.kind in ("over", "gone"):
            self.since.pop(table, None)
            self.answered.pop(table, None)
            self.returns.pop(table, None)
            self.back_at.pop(table, None)
            return False
        self.since[table] = position.version
        if position.kind != "your_move" or self.answered.get(table, -1) == position.version:
            return False
        self.answered[table] = position.version
        return True

    def may_return(self, position: Position) -> bool:
        """Say whether to ask for the seat that was lost on time, and count that."""
        table = position.table
        if table is None or not position.can_come_back or position.kind == "over" or self.returns[table] >= RETURNS:
            return False
        if position.version < self.back_at.get(table, 0):
            return False
        self.returns[table] += 1
        return True

    def forget(self, table: int, version: int) -> None:
        """Ask the portal to tell of a version again: the answer to it didn't arrive."""
        if self.since.get(table) == version:
            del self.since[table]
        if self.answered.get(table) == version:
            del self.answered[table]

    def longer(self, at_least_s: float | None = None) -> float:
        """Return how long to wait, twice as long as the last time without a word of the portal."""
        self.pause_s = min(LONGEST_PAUSE_S, self.pause_s * 2 or FIRST_PAUSE_S)
        return max(self.pause_s, at_least_s or 0.0)


def _is_final(problem: Problem) -> bool:
    """Say whether no later request can work: the token isn't valid, or the table isn't there."""
    return not problem.may_pass and problem.status != 409


class Bot:
    """Plays at all tables of a person. Write `choose`; override `on_over` and `on_problem` if you want to know more.

    Returns to a seat that was lost on time, RETURNS times at a table.
    `sleep` is for tests.
    """

    def __init__(self, client: Client, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.client = client
        self._sleep = sleep
        self._memory = _Memory()
        self._stopped = False

    def choose(self, position: Position) -> str:
        """Return one of `position.legal`."""
        raise NotImplementedError

    def on_over(self, position: Position) -> None:
        """Called when a game is over."""

    def on_problem(self, position: Position, problem: Problem) -> None:
        """Called when the portal refuses an answer for good, other than because the table has moved on."""

    def stop(self) -> None:
        """Let `run` return after the line that it is at."""
        self._stopped = True

    def run(self) -> None:
        """Play until `stop` is called. Raises Problem if the portal refuses the stream for good, such as a token that isn't valid."""
        self._stopped = False
        while not self._stopped:
            try:
                with closing(self.client.stream(since=self._memory.since)) as lines:
                    for position in lines:
                        self._take(position)
                        if self._stopped:
                            return
                        if position.kind == "gone" and position.table is None:
                            break  # the next opening says why
                pause_s = self._memory.longer()
            except Lost:
                pause_s = self._memory.longer()
            except Problem as problem:
                if _is_final(problem):
                    raise
                pause_s = self._memory.longer(problem.retry_after_s)
            self._sleep(pause_s)

    def _take(self, position: Position) -> None:
        if position.kind == "over":
            self.on_over(position)
        if self._memory.note(position):
            self._answer(position)
        elif self._memory.may_return(position):
            self._come_back(position)

    def _come_back(self, position: Position) -> None:
        assert position.table is not None
        try:
            self._memory.back_at[position.table] = self.client.come_back(position.table).version
        except Lost:  # the next line, or the stream that is opened next, says whether it worked
            self._memory.forget(position.table, position.version)
            raise
        except Problem as problem:
            self.on_problem(position, problem)

    def _answer(self, position: Position) -> None:
        assert position.table is not None
        action = self.choose(position)
        pause_s = 0.0
        for _ in range(TRIES):
            try:
                self.client.act(position.table, action, position.version)
                return None
            except Lost:
                pause_s = min(LONGEST_PAUSE_S, pause_s * 2 or FIRST_PAUSE_S)
            except Problem as problem:
                if problem.status == 409:  # it has moved on, perhaps by this answer, and the stream says how
                    return None
                if not problem.may_pass:
                    return self.on_problem(position, problem)
                pause_s = max(problem.retry_after_s or 0.0, min(LONGEST_PAUSE_S, pause_s * 2 or FIRST_PAUSE_S))
            self._sleep(pause_s)
        self._memory.forget(position.table, position.version)
        raise Lost(f"table {position.table} took no answer at version {position.version}")


class AsyncBot:
    """The same for asyncio; tables are answered one after another."""

    def __init__(self, client: AsyncClient) -> None:
        self.client = client
        self._memory = _Memory()
        self._stopped = False

    async def choose(self, position: Position) -> str:
        """Return one of `position.legal`."""
        raise NotImplementedError

    async def on_over(self, position: Position) -> None:
        """Called when a game is over."""

    async def on_problem(self, position: Position, problem: Problem) -> None:
        """Called when the portal refuses an answer for good, other than because the table has moved on."""

    def stop(self) -> None:
        """Let `run` return after the line that it is at."""
        self._stopped = True

    async def run(self) -> None:
        """Play until `stop` is called. Raises Problem if the portal refuses the stream for good, such as a token that isn't valid."""
        self._stopped = False
        while not self._stopped:
            try:
                async with aclosing(self.client.stream(since=self._memory.since)) as lines:
                    async for position in lines:
                        await self._take(position)
                        if self._stopped:
                            return
                        if position.kind == "gone" and position.table is None:
                            break  # the next opening says why
                pause_s = self._memory.longer()
            except Lost:
                pause_s = self._memory.longer()
            except Problem as problem:
                if _is_final(problem):
                    raise
                pause_s = self._memory.longer(problem.retry_after_s)
            await asyncio.sleep(pause_s)

    async def _take(self, position: Position) -> None:
        if position.kind == "over":
            await self.on_over(position)
        if self._memory.note(position):
            await self._answer(position)
        elif self._memory.may_return(position):
            await self._come_back(position)

    async def _come_back(self, position: Position) -> None:
        assert position.table is not None
        try:
            self._memory.back_at[position.table] = (await self.client.come_back(position.table)).version
        except Lost:  # the next line, or the stream that is opened next, says whether it worked
            self._memory.forget(position.table, position.version)
            raise
        except Problem as problem:
            await self.on_problem(position, problem)

    async def _answer(self, position: Position) -> None:
        assert position.table is not None
        action = await self.choose(position)
        pause_s = 0.0
        for _ in range(TRIES):
            try:
                await self.client.act(position.table, action, position.version)
                return None
            except Lost:
                pause_s = min(LONGEST_PAUSE_S, pause_s * 2 or FIRST_PAUSE_S)
            except Problem as problem:
                if problem.status == 409:  # it has moved on, perhaps by this answer, and the stream says how
                    return None
                if not problem.may_pass:
                    return await self.on_problem(position, problem)
                pause_s = max(problem.retry_after_s or 0.0, min(LONGEST_PAUSE_S, pause_s * 2 or FIRST_PAUSE_S))
            await asyncio.sleep(pause_s)
        self._memory.forget(position.table, position.version)
        raise Lost(f"table {position.table} took no answer at version {position.version}")
