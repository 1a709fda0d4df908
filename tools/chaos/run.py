"""One fault after another at a portal on which people play, what each cost, and what is wrong in the end."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import psycopg
import redis

from games.core.records import verify_record
from games.registry import game
from tests.running import RunningPortal
from tools.chaos import checks
from tools.chaos.client import NoAnswer, sign_up
from tools.chaos.disk import NoDisk, SmallDisk
from tools.chaos.driver import Pace, Players, plans
from tools.chaos.faults import Fault, Scene
from tools.chaos.host import Host
from tools.chaos.journal import Hold, Journal, Record, heard_again, recovered
from tools.chaos.probes import PageProbe, Probe, StreamProbe

GIVE_UP_S = 90.0  # a part that takes longer counts as lost, and the next fault comes anyway
STEADY_S = 2.0  # nothing fails for that long before a fault is over
PEOPLE_PER_TABLE = 0.3
WATCHED = 4  # tables whose event streams are read
ENDS_WITHIN_S = 180.0


@dataclass(frozen=True)
class Outcome:
    """Seconds until each thing worked again: 0 if it always did, None if it did not in time."""

    fault: Fault
    pages: float | None
    action: float | None
    bot: float | None
    live: float | None
    part: float | None

    @property
    def times(self) -> tuple[float | None, ...]:
        return self.pages, self.action, self.bot, self.live, self.part

    @property
    def slowest(self) -> float | None:
        return None if None in self.times else max(time for time in self.times if time is not None)

    def is_good(self, goal_s: float) -> bool:
        return self.slowest is not None and self.slowest <= goal_s


@dataclass
class Result:
    """What a run found. `findings` is empty if nothing was lost, doubled, silent or left over."""

    outcomes: list[Outcome] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)


class Chaos:
    """Plays `tables` tables at a running portal while `faults` happen. `say` gets a line for each step."""

    def __init__(
        self,
        portal: RunningPortal,
        faults: Sequence[Fault],
        *,
        tables: int,
        seed: int,
        pace: Pace | None = None,
        disk: SmallDisk | None = None,
        silent_after_s: float = checks.SILENT_AFTER_S,
        calm_s: float = 5.0,
        steady_s: float = STEADY_S,
        most_verified: int | None = None,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.host = Host(portal)
        self.faults = faults
        self.journal = Journal()
        people = sign_up(portal, max(3, round(tables * PEOPLE_PER_TABLE)))
        self.players = Players(people, self.journal, plans(tables, seed), seed, pace or Pace())
        self.scene = Scene(self.host, self.players, random.Random(seed), disk)
        watched = [StreamProbe(self.journal, people[0], self.players.with_people, first) for first in range(WATCHED)]
        self._probes: list[Probe] = [PageProbe(self.journal, portal.port), *watched]
        self._silent_after_s, self._calm_s, self._steady_s, self._most_verified = silent_after_s, calm_s, steady_s, most_verified
        self._say = say
        self._seen: set[Record] = set()
        self._holds: list[Hold] = []
        self._loads: list[float] = []
        self.result = Result()

    def run(self) -> Result:
        """Let all faults happen, then end the games and look at everything that must hold."""
        self.players.start()
        for probe in self._probes:
            probe.start()
        try:
            self._wait_for_tables()
            for fault in self.faults:
                time.sleep(self._calm_s)
                try:
                    outcome = self._suffer(fault)
                except (LookupError, NoAnswer, NoDisk, psycopg.Error) as error:
                    self.result.findings.append(f"not tried: {fault.name}: {error}")
                    continue
                self.result.outcomes.append(outcome)
                self._say(line_of(outcome))
        finally:
            for probe in self._probes:
                probe.stop()
            self.players.stop()
        stopped = time.time()
        self._say("Games end; looking at records and standings ...")
        self._end_games()
        self._check(stopped)
        return self.result

    def _wait_for_tables(self) -> None:
        end = time.time() + GIVE_UP_S
        while (len(self.players.in_play()) < 0.8 * len(self.players.plans) or not self.journal.accepted()) and time.time() < end:
            time.sleep(0.1)

    def _suffer(self, fault: Fault) -> Outcome:
        """Let a fault happen, and wait until everything works again."""
        scene = self.scene
        scene.touched = None
        self._seen.update(self.host.records(self.players.opened()))
        self._loads.append(os.getloadavg()[0])
        begin = time.time()
        with fault.act(scene), _Watch(fault, scene, begin) as part:
            time.sleep(fault.hold_s)
            end = part.end = time.time()
        if fault.stops != "nothing":
            self._holds.append(Hold(begin, end, scene.touched if fault.stops == "table" else None))
        since = end if fault.since == "end" else begin
        while True:
            outcome = self._measured(fault, since, part)
            if outcome.slowest is not None and time.time() > max(end, since + outcome.slowest) + self._steady_s:
                break
            if time.time() > end + GIVE_UP_S:
                break
            time.sleep(0.2)
        part.stopped.set()
        return outcome

    def _measured(self, fault: Fault, since: float, part: _Watch) -> Outcome:
        try:
            answered = self.host.first_answer(since)
        except psycopg.Error:
            answered = None
        return Outcome(
            fault,
            pages=recovered(self.journal.looks_of("pages"), since),
            action=recovered(self.journal.actions(since), since),
            bot=None if answered is None else answered - since,
            live=heard_again(self.journal.looks_of("live"), since),
            part=part.took,
        )

    def _end_games(self) -> None:
        """Wait until bots and scoring have nothing more to do."""
        end, moved = time.time() + ENDS_WITHIN_S, time.time()
        before: dict[int, int] = {}
        while time.time() < end:
            waiting = self.host.waiting()
            if not waiting:
                return
            if waiting != before:
                before, moved = waiting, time.time()
            elif time.time() > moved + self._silent_after_s:
                break
            time.sleep(0.5)
        self.result.findings += [f"silent: table {table} still waits at version {at}" for table, at in self.host.waiting().items()]

    def _check(self, stopped: float) -> None:
        tables = self.players.opened()
        records, finished = self.host.records(tables), self.host.finished(tables)
        longest = checks.silences(records, self._holds, dict.fromkeys(set(tables) - set(finished), stopped))
        self.result.findings += [
            *self.journal.broken,
            *checks.lost(self.journal.attempts, records),
            *checks.doubled(self.journal.attempts, records),
            *checks.broken_lines(records),
            *checks.forgotten(self._seen, records),
            *checks.silent(longest, self._silent_after_s),
            *self._tasks_left(),
            *self._standings(),
            *self._records(finished),
        ]
        attempts = self.journal.attempts
        self.result.figures |= {
            "tables": len(tables),
            "finished": len(finished),
            "actions sent": len(attempts),
            "accepted": self.journal.accepted(),
            "without an answer": sum(attempt.outcome == "unknown" for attempt in attempts),
            "records": len(records),
            "lowest load": round(min(self._loads, default=0.0), 1),
            "highest load": round(max(self._loads, default=0.0), 1),
            "longest silence in s": round(max((seconds for seconds, _ in longest.values()), default=0.0), 1),
        }

    def _tasks_left(self) -> list[str]:
        """Say which messages are still there; a periodic one may just have come."""
        end = time.time() + 20.0
        left: dict[str, int] = {}
        while time.time() < end:
            try:
                left = self.host.pulses.left()
            except (redis.RedisError, OSError):
                left = {"Valkey does not answer": 1}
            if not left:
                return []
            time.sleep(0.2)
        return [f"left over: {count} in {name}" for name, count in left.items()]

    def _standings(self) -> list[str]:
        argv = [sys.executable, "manage.py", "check_standings"]
        portal = self.host.portal
        told = subprocess.run(argv, cwd=portal.root, env=portal.environment, capture_output=True, text=True)
        return [f"standings: {line}" for line in (told.stdout + told.stderr).splitlines()] if told.returncode else []

    def _records(self, finished: Sequence[int]) -> list[str]:
        """Verify the records that the API gives of finished games."""
        found = []
        for table in finished[: self._most_verified]:
            try:
                answer = self.players.people[0].api("GET", f"tables/{table}/record/", timeout_s=30.0)
            except NoAnswer as error:
                found.append(f"no record of table {table}: {error}")
                continue
            if answer.status == 429:  # more records than a person may ask for
                time.sleep(60)
                answer = self.players.people[1].api("GET", f"tables/{table}/record/", timeout_s=30.0)
            verdict = verify_record(json.loads(answer.body), game)
            found += [f"record of table {table}: {problem}" for problem in verdict.problems]
        return found


class _Watch(threading.Thread):
    """Looks ten times a second whether the part itself works again; `took` is then set. `end` must be set when the fault ends."""

    def __init__(self, fault: Fault, scene: Scene, begin: float) -> None:
        super().__init__(name=f"watch-{fault.name}", daemon=True)
        self._fault, self._scene, self._begin = fault, scene, begin
        self.end: float | None = None
        self.took: float | None = 0.0 if fault.works is None else None
        self.stopped = threading.Event()

    def __enter__(self) -> _Watch:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """It goes on after the fault."""

    def run(self) -> None:
        works = self._fault.works
        while works is not None and not self.stopped.is_set():
            since = self._begin if self._fault.part_since == "begin" else self.end
            try:
                if since is not None and works(self._scene, since):
                    self.took = time.time() - since
                    return
            except psycopg.Error:
                pass
            self.stopped.wait(0.1)


def line_of(outcome: Outcome) -> str:
    """Return a row of the table of recovery times."""
    times = " | ".join("  -  " if seconds is None else f"{seconds:5.1f}" for seconds in outcome.times)
    goal = outcome.fault.goal_s
    return f"| {outcome.fault.says:<58} | {times} | {goal:4.0f} | {'yes' if outcome.is_good(goal) else 'NO':<3} |"


HEADING = (
    f"| {'what happens':<58} | pages | moves | bots  | live  | part  | goal | met |\n"
    f"| {'-' * 58} | ----: | ----: | ----: | ----: | ----: | ---: | --- |"
)
