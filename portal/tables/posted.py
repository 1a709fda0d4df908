"""Moves by webhook: whoever has chosen that gets a table posted whenever it waits for them, as a stream would tell of it.

Nothing is written with a move. A task compares, every few seconds, the tables that wait with the versions that the receivers have taken. So a
turn that is over is never posted, several are one, and whatever dies is made up for by the next run. A version has one message; it is repeated
with the same `id` until the receiver has taken it.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Case, F, Q, When
from django.utils import timezone

from portal.live.programs import Opening
from portal.notices import hooks
from portal.notices.models import Hook, PostedMove
from portal.notices.posting import Failed
from portal.tables.feed import Reader, line_or_fault
from portal.tables.loading import load
from portal.tables.models import Seat, Table
from portal.tables.refusals import TableNotFound

SWEEP_S: Final = 5.0  # for one run of the task
PERSON_S: Final = 1.0  # whoever has used more of a run waits for the next one
IN_HAND: Final = timedelta(minutes=1)  # longer than an attempt takes: a worker that is killed meanwhile delays the message by that
RETRIES_S: Final = (10, 60, 300, 1500, 7200)  # after the last one, again and again, until the webhook has failed too often


def post_due() -> int:
    """Post the tables that wait for people with such a webhook; return how many were taken. Running twice at once does no harm.

    Everybody gets one message, then those with more the next one. A receiver that fails or is slow has to wait for the next run.
    """
    now = time.monotonic()
    end = now + SWEEP_S
    taken = 0
    queues: dict[int, deque[tuple[int, int]]] = defaultdict(deque)
    for person, table, version in _waiting():
        queues[person].append((table, version))
    used = dict.fromkeys(queues, 0.0)
    while queues:
        for person, queue in list(queues.items()):
            if now >= end:
                return taken
            table, version = queue.popleft()
            is_left_out = not queue
            try:
                taken += _claim(person, table, version, timezone.now()) and _post(person, table, version)
            except Failed:
                is_left_out = True
                _try_again(person, table, version)
            began, now = now, time.monotonic()
            used[person] += now - began
            if is_left_out or used[person] > PERSON_S:
                del queues[person]
    return taken


def _waiting() -> list[tuple[int, int, int]]:
    """Return person, table and version of what nobody has taken yet, what has waited longest first. Three statements at most.

    What has failed waits since it was due again.
    """
    people = list(Hook.objects.filter(takes_moves=True, off_at=None, user__is_active=True).values_list("user_id", flat=True))
    if not people:
        return []
    seats = Seat.objects.filter(user__in=people, table__status=Table.Status.PLAYING)
    now = timezone.now()
    due = {
        (person, table): (version, since or now)
        for person, table, seat, version, seats_due, since in seats.values_list(
            "user_id", "table_id", "index", "table__version", "table__due", "table__due_since"
        )
        if seat in seats_due
    }
    known = {(row.user_id, row.table_id): row for row in PostedMove.objects.filter(user__in=people, table_id__in={at for _, at in due})}
    found = []
    for (person, table), (version, since) in due.items():
        row = known.get((person, table))
        if row is None or row.version < version or (row.taken < version and row.due_at <= now):
            found.append((row.due_at if row is not None and row.version == version else since, person, table, version))
    return [(person, table, version) for _since, person, table, version in sorted(found)]


def _claim(person: int, table: int, version: int, now: datetime) -> bool:
    """Take a version in hand, unless another worker has it or has had it."""
    PostedMove.objects.bulk_create([PostedMove(user_id=person, table_id=table, version=0, due_at=now)], ignore_conflicts=True)
    free = Q(version__lt=version) | Q(version=version, taken__lt=version, due_at__lte=now)
    attempts = Case(When(version=version, then=F("attempts") + 1), default=1)
    return bool(
        PostedMove.objects.filter(free, user=person, table_id=table).update(version=version, attempts=attempts, due_at=now + IN_HAND)
    )


def _post(person: int, table: int, version: int) -> bool:
    """Post a version; False if there is nothing to post any longer. Raises Failed."""
    hook = Hook.objects.select_related("user").filter(user=person, takes_moves=True, off_at=None).first()
    if hook is None:
        return False
    try:
        loaded = load(table)
    except TableNotFound:
        return False
    if loaded.table.version != version:  # the next run sees whether it still waits
        return False
    mine = PostedMove.objects.filter(user=person, table_id=table)
    had = mine.values_list("taken", flat=True).first() or None
    reader = Reader(hook.user, hook.user.language or "en", lambda: True)
    line = line_or_fault(loaded, Opening(person, None, {}, reader), had)
    is_worth_it = line is not None and line.kind in ("your_move", "fault")
    if line is not None and is_worth_it:
        hooks.post_signed(hook, b'{"id":"move-%d-%d",' % (table, version) + line.body.strip()[1:])
    mine.filter(taken__lt=version).update(taken=version)
    return is_worth_it


def _try_again(person: int, table: int, version: int) -> None:
    row = PostedMove.objects.filter(user=person, table_id=table, version=version).first()
    if row is not None:
        wait = timedelta(seconds=RETRIES_S[min(row.attempts, len(RETRIES_S)) - 1])
        PostedMove.objects.filter(pk=row.pk, version=version).update(due_at=timezone.now() + wait)
