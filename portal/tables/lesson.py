"""What a guided first game wants next: its table's records are the first actions of the lesson's script, whoever acts.

So the place in a lesson follows from the number of records alone. A table keeps the fingerprint of its script; if the script has changed
since, the lesson is lost: nothing more is played there, but the learner may play on freely from its position.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.core.asking import THEN
from portal.tables import refusals
from portal.tables.models import Table
from rules_docs.teaching import Lesson, Step, teaching_of


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table is in its lesson. `lesson` is None if the script has changed."""

    lesson: Lesson | None
    seq: int

    @property
    def is_over(self) -> bool:
        return self.lesson is None or self.seq >= len(self.lesson.script)

    @property
    def number(self) -> int:
        """The step, from 0."""
        return 0 if self.lesson is None else self.lesson.step_at(self.seq)

    @property
    def step(self) -> Step | None:
        return None if self.lesson is None or self.is_over else self.lesson.steps[self.number]

    @property
    def actor(self) -> int | None:
        """Whose action the script has next; None after its end."""
        return None if self.lesson is None or self.is_over else self.lesson.script[self.seq][0]

    @property
    def learner(self) -> tuple[int, ...]:
        return () if self.lesson is None else (self.lesson.seat,)

    def next_of(self, actor: int) -> str | None:
        """Return the action that an actor plays now; None if it is another's turn, or nobody's."""
        if self.lesson is None or self.is_over:
            return None
        due, text = self.lesson.script[self.seq]
        return text if due == actor else None

    def wanted_of(self, actor: int) -> list[str]:
        """Return what an actor may send now: its next action, and that with those that it plays at once after it, as a plan."""
        wanted: list[str] = []
        for due, text in self.lesson.script[self.seq :] if self.lesson is not None else ():
            if due != actor:
                break
            wanted.append(f"{wanted[-1]}{THEN}{text}" if wanted else text)
        return wanted


def place_of(table: Table) -> Place | None:
    """Return where a table is in its lesson; None for any other table."""
    if not table.lesson:
        return None
    found = teaching_of(table.game)
    fits = found is not None and found.lesson.fingerprint == table.lesson
    return Place(found.lesson if found is not None and fits else None, table.seq)


def require_scripted(table: Table, actor: int, action: Any) -> None:
    """Raise NotThisStep unless the action, which the rules allow, is what the table's lesson wants now; any other table may play it."""
    place = place_of(table)
    if place is None:
        return
    if place.lesson is None:
        raise refusals.LessonChanged
    if place.next_of(actor) != str(action):
        raise refusals.NotThisStep
