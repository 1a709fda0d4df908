"""People who play: one thread for each table, by API or by page, with legal actions that the API itself lists."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from games.registry import GAMES
from tools.chaos.client import Answer, NoAnswer, NoPage, Person
from tools.chaos.journal import Attempt, Journal, Outcome

LEVEL = "apprentice"
SHORT_GAMES = ("ra", "babel")  # tables of bots only have to end while somebody waits for it
UNDO_SHARE = 0.03


@dataclass(frozen=True, slots=True)
class Plan:
    """What a table is like. `people` of its seats are played by the driver, the others by bots; none means that a person opens it and leaves."""

    game: str
    seats: int
    people: int
    by_page: bool


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between looks at a table, and for which a person thinks."""

    look_s: float = 1.2
    think_s: tuple[float, float] = (0.5, 2.5)
    reopen_s: float = 10.0


@dataclass
class Players:
    """All tables in play. `journal` receives every attempt; tables are opened again as they end."""

    people: Sequence[Person]
    journal: Journal
    plans: Sequence[Plan]
    seed: int
    pace: Pace = field(default_factory=Pace)
    threads: list[_Table] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        self.threads = [_Table(self, number, plan) for number, plan in enumerate(self.plans)]
        for thread in self.threads:
            thread.start()

    def in_play(self) -> list[int]:
        """Return the numbers of the tables in play now."""
        return [thread.table for thread in self.threads if thread.is_playing]

    def with_people(self) -> list[int]:
        """Return those of them at which people play: the others may wait for their turn."""
        return [thread.table for thread in self.threads if thread.is_playing and self.plans[thread.number].people]

    def opened(self) -> list[int]:
        """Return the numbers of all tables so far."""
        return sorted(number for thread in self.threads for number in thread.opened)

    def stop(self) -> None:
        """Let everybody finish the request under way."""
        self.stopped.set()
        for thread in self.threads:
            thread.join(60)


def plans(count: int, seed: int) -> list[Plan]:
    """Return a mixture for `count` tables: every game, one or two people with bots, people alone, bots alone."""
    rng = random.Random(seed)
    keys = sorted(GAMES)
    made = []
    for number in range(count):
        kind = number % 8
        game = SHORT_GAMES[number // 8 % 2] if kind == 7 else keys[number % len(keys)]
        seats = rng.choice(list(GAMES[game].game.meta.seats))
        people = 0 if kind == 7 else seats if kind == 3 and seats <= 3 else 1 + (kind in (1, 5))
        made.append(Plan(game, seats, min(people, seats), by_page=number % 3 == 2))
    return made


class _Table(threading.Thread):
    """Plays one table after another of the same plan."""

    def __init__(self, players: Players, number: int, plan: Plan) -> None:
        super().__init__(name=f"table-{number}", daemon=True)
        self.number = number
        self._players, self._plan = players, plan
        self._rng = random.Random(players.seed * 1000 + number)
        first = number % len(players.people)
        self._people = [players.people[(first + step) % len(players.people)] for step in range(max(1, plan.people))]
        self.table = 0
        self.is_playing = False
        self.opened: list[int] = []

    def run(self) -> None:
        while not self._stopped():
            if not self._open():
                self._pause(0.5)
                continue
            self.is_playing = True
            try:
                self._play()
            finally:
                self.is_playing = False
            self._pause(self._players.pace.reopen_s)

    def _stopped(self) -> bool:
        return self._players.stopped.is_set()

    def _pause(self, seconds: float) -> None:
        self._players.stopped.wait(seconds)

    def _open(self) -> bool:
        """Open a table and let everybody sit down; return whether it is in play. What fails half-way stays open and is forgotten."""
        plan = self._plan
        bots = [LEVEL] * (plan.seats - len(self._people))
        try:
            made = self._people[0].api("POST", "tables/", {"game": plan.game, "seats": plan.seats, "bots": bots})
            if made.status != 201:
                self._judge(made)
                return False
            table = int(made.json()["id"])
            joined = [person.api("POST", f"tables/{table}/join/", {}).status for person in self._people[1:]]
            if any(status != 200 for status in joined):
                return False
            if not plan.people and self._people[0].api("POST", f"tables/{table}/leave/", {}).status != 200:
                return False
        except NoAnswer:
            return False
        self.table = table
        self.opened.append(table)
        return True

    def _play(self) -> None:
        turn = 0
        while not self._stopped():
            person = self._people[turn % len(self._people)]
            seen = self._look(person)
            if seen is None:
                self._pause(0.3)
            elif seen["status"] not in ("open", "playing"):
                return
            elif self._plan.people and seen["my_seat"] in seen["due"] and seen["legal"]:
                self._pause(self._rng.uniform(*self._players.pace.think_s))
                self._act(person, seen)
            else:
                turn += 1
                if turn % len(self._people) == 0 or not self._plan.people:
                    self._pause(self._players.pace.look_s * self._rng.uniform(0.7, 1.3))

    def _look(self, person: Person) -> dict[str, Any] | None:
        """Return the table as the person sees it."""
        try:
            answer = person.api("GET", f"tables/{self.table}/")
            if answer.status == 200:
                return dict(answer.json())
        except NoAnswer:
            return None
        self._judge(answer)
        return None

    def _act(self, person: Person, seen: dict[str, Any]) -> None:
        """Send one action until the answer says whether it counts, as docs/operations.md promises that one may."""
        version, seat = int(seen["version"]), int(seen["my_seat"])
        undoes = bool(seen["can_undo"]) and self._rng.random() < UNDO_SHARE
        text = "" if undoes else str(self._rng.choice(seen["legal"]))
        while not self._stopped():
            outcome = self._send(person, version, seat, text)
            if outcome in ("accepted", "refused"):
                return
            self._pause(1.0 if outcome == "busy" else 0.3)

    def _send(self, person: Person, version: int, seat: int, text: str) -> Outcome:
        begin, table, counted = time.time(), self.table, 0
        try:
            if not text:
                answer = person.api("POST", f"tables/{table}/undo/", {"expected_version": version})
            elif self._plan.by_page:
                answer = person.act_on_page(table, text, version)
            else:
                answer = person.api("POST", f"tables/{table}/actions/", {"action": text, "expected_version": version})
            self._judge(answer)
            outcome, status = outcome_of(answer), answer.status
            if outcome == "accepted":
                by_page = bool(text) and self._plan.by_page
                counted = int(answer.headers["x-table-version"] if by_page else answer.json()["version"])
        except NoPage as error:
            outcome, status = "unknown", error.status
        except NoAnswer:
            outcome, status = "unknown", 0
        by = "player" if text else "undo"
        self._players.journal.attempt(Attempt(table, version, seat, text, by, outcome, status, begin, time.time(), counted))
        return outcome

    def _judge(self, answer: Answer) -> None:
        """Note an answer that is wrong whatever happens: a fault of the program, or an answer to a request that nobody could refuse."""
        if answer.status in (500, 400, 403, 404):
            self._players.journal.breach(f"table {self.table} answered {answer.status}: {answer.body[:200].decode(errors='replace')}")


def outcome_of(answer: Answer) -> Outcome:
    """Return what an answer to an action means: only 2xx says that it counts, and only 4xx that it does not."""
    if 200 <= answer.status < 300:
        return "accepted"
    if answer.status == 429:
        return "busy"
    if 400 <= answer.status < 500:
        return "refused"
    is_busy = answer.status == 503 and (b"table_busy" in answer.body or answer.headers.get("x-table-version") is not None)
    return "busy" if is_busy else "unknown"
