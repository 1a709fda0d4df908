"""Notices are written here, inside the transaction of what they tell: either both happened or neither.

Nothing is sent here. What leaves the site is worked out afterwards, by tasks, from the rows that stand then.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django.db.models import F, JSONField, Value
from django.db.models.expressions import CombinedExpression
from django.utils import timezone

from portal.accounts.models import User
from portal.common.later import later
from portal.common.prepared import prepared_cursor
from portal.notices.models import BOTS, Kind, Notice
from portal.notices.unread import recount_later

SEND: Final = "portal.notices.tasks.send_due"
# One statement for a move: the turns that are over (and that time was short), and those that have begun. A row of which nothing was sent is used again.
_TURNS: Final = """
WITH over AS (
    UPDATE notices_notice SET withdrawn_at = %s
    WHERE table_id = %s AND kind IN ('turn', 'time') AND withdrawn_at IS NULL AND user_id = ANY(%s)
)
INSERT INTO notices_notice (user_id, kind, key, facts, path, table_id, version, turns, is_unsent, made_at)
SELECT due.person, 'turn', %s, due.facts, %s, %s, %s, 1, true, %s FROM unnest(%s::bigint[], %s::jsonb[]) AS due (person, facts)
ON CONFLICT (user_id, table_id) WHERE kind = 'turn' AND is_unsent DO UPDATE SET
    key = excluded.key, facts = excluded.facts, path = excluded.path, version = excluded.version, made_at = excluded.made_at,
    turns = least(notices_notice.turns + 1, 30000), read_at = NULL, withdrawn_at = NULL, planned_at = NULL
"""


def who(person: User) -> dict[str, Any]:
    """Return the facts that name somebody."""
    return {"who": person.username} | bots([person])


def bots(people: Iterable[User]) -> dict[str, Any]:
    """Return the fact that says which of the people whom others name are bot accounts; nothing if none is."""
    found = [person.username for person in people if person.is_bot]
    return {BOTS: found} if found else {}


def tell(
    people: Collection[int],
    *,
    kind: Kind,
    key: str,
    path: str,
    facts: Mapping[str, Any] | None = None,
    table_id: int | None = None,
    version: int = 0,
) -> None:
    """Tell people (their ids) something other than a turn. `path` is that of the page it leads to; `facts` fill the sentence."""
    if not people:
        return
    now = timezone.now()
    Notice.objects.bulk_create(
        Notice(user_id=person, kind=kind, key=key, facts=dict(facts or {}), path=path, table_id=table_id, version=version, made_at=now)
        for person in sorted(people)
    )
    recount_later(*people)
    later(SEND)


def turns(*, table_id: int, version: int, path: str, due: Mapping[int, Mapping[str, Any]], over: Collection[int]) -> None:
    """Tell whose turn it has become at a table, with the facts for each person, and withdraw what others were told of theirs.

    Nobody is in both. The caller holds the table, so that no two moves of one table meet here.
    """
    if not due and not over:
        return
    now = timezone.now()
    people = sorted(due)
    facts = [json.dumps(due[person]) for person in people]
    with prepared_cursor() as cursor:
        cursor.execute(_TURNS, [now, table_id, sorted(over), "your_turn", path, table_id, version, now, people, facts])
    recount_later(*due, *over)


def withdraw(*, kind: Kind, people: Collection[int] | None = None, table_id: int | None = None, path: str = "", answer: str = "") -> None:
    """Withdraw what people (all, if none are given) were told of a table or a page and is no longer true.

    `answer` is kept with it: how they answered, where nothing else is left that would tell.
    """
    rows = Notice.objects.filter(kind=kind, withdrawn_at=None)
    if table_id is not None:
        rows = rows.filter(table_id=table_id)
    if path:
        rows = rows.filter(path=path)
    if people is not None:
        rows = rows.filter(user__in=people)
    told = list(rows.values_list("user_id", flat=True))
    if told:
        more = {"facts": CombinedExpression(F("facts"), "||", Value({"answer": answer}, JSONField()))} if answer else {}
        rows.update(withdrawn_at=timezone.now(), **more)
        recount_later(*told)
