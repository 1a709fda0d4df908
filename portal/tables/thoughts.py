"""What workers think about positions, kept in the database: why a bot moved, hints, evaluations, reports.

A page never thinks. It reads the answer, or asks for it and shows that it is being worked out; whoever looks again after a lost task
asks again. Whoever asks has checked that the reader may have the answer: its row says from which seat's view it is made (`seat`), so one
reader's answer can't be another's. Nothing else reads these rows.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.utils import timezone

from portal.common.later import LATER, enqueue
from portal.common.limits import count_use
from portal.tables.models import Thought

THINK: Final = "portal.tables.tasks.think"
WHY: Final = "why"
HINT: Final = "hint"
VALUE: Final = "value"
REPORT: Final = "report"
BEHIND: Final = 9  # the priority of what comes after everything else
EVERYTHING: Final = -1  # in place of a seat: all views of a game that is over and revealed
ASK_AGAIN_S: Final = 15  # a task that nobody has done by then is enqueued again
ASKED_PER_HOUR: Final = 600  # new questions of one person or address


def thought_of(table_id: int, kind: str, seq: int, seat: int, level: str = "", *, who: str, priority: int = LATER) -> Thought:
    """Return the answer to a question, or the question if it is still open (`answer` is None), which workers then have.

    One statement if there is an answer; at most three. Raises TooMany if `who` asks too much.
    """
    there = found(table_id, kind, seq, seat, level, priority=priority)
    if there is not None:
        return there
    count_use("think", who, limit=ASKED_PER_HOUR, window_s=3600)
    key: dict[str, Any] = {"table_id": table_id, "kind": kind, "seq": seq, "seat": seat, "level": level}
    asked, is_new = Thought.objects.get_or_create(**key, defaults={"asked_at": timezone.now()})
    if is_new:
        enqueue(THINK, asked.pk, priority=priority)
    return asked


def found(table_id: int, kind: str, seq: int, seat: int, level: str = "", *, priority: int = LATER) -> Thought | None:
    """Return a question that has been asked, with its answer if there is one; None if nobody has asked. One statement.

    If nobody has worked on it for long, it is enqueued again, with a second one.
    """
    there = Thought.objects.filter(table_id=table_id, kind=kind, seq=seq, seat=seat, level=level).first()
    now = timezone.now()
    if (
        there is not None
        and there.answer is None
        and there.asked_at < now - timedelta(seconds=ASK_AGAIN_S)
        and Thought.objects.filter(pk=there.pk, asked_at=there.asked_at).update(asked_at=now)  # one of those who look asks again
    ):
        enqueue(THINK, there.pk, priority=priority)
    return there


def go_on(thought: Thought, work: dict[str, Any], priority: int = LATER) -> None:
    """Keep what has been worked out so far, and let a worker go on behind everything that has been asked meanwhile."""
    if Thought.objects.filter(pk=thought.pk, answer__isnull=True).update(work=work, asked_at=timezone.now()):
        enqueue(THINK, thought.pk, priority=priority)


def give(thought: Thought, answer: dict[str, Any]) -> None:
    """Keep the answer, unless there is one already."""
    Thought.objects.filter(pk=thought.pk, answer__isnull=True).update(answer=answer, work=None)
