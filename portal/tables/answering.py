"""Invitations to tables, as notices show them: what somebody agrees to, or how they answered."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from games.registry import GAMES
from portal.accounts.models import User
from portal.notices.answering import Question, over
from portal.notices.models import Notice
from portal.tables.facts import facts_of
from portal.tables.invited import OPEN
from portal.tables.inviting import terms_of
from portal.tables.models import Invitation, Table
from portal.tables.pace import pace_of

_NUMBER: Final = re.compile(r"/invitations/(\d{1,18})/")
_READ: Final = (
    "user",
    "state",
    "expires_at",
    *(f"table__{name}" for name in ("game", "status", "seat_count", "is_rated", "options", "pace", "starts_at")),
)


def asked(user: User, notices: Sequence[Notice]) -> Mapping[int, Question]:
    """Return what notices of invitations ask; one statement. An invitation of somebody else is as good as none."""
    numbers = {notice.pk: int(found[1]) for notice in notices if (found := _NUMBER.fullmatch(notice.path))}
    rows = Invitation.objects.filter(user=user).select_related("table").only(*_READ).in_bulk(set(numbers.values()))
    return {notice.pk: _question(rows.get(numbers.get(notice.pk, 0))) for notice in notices}


def _question(invitation: Invitation | None) -> Question:
    if invitation is None:
        return over("")
    table = invitation.table
    if invitation.state in OPEN and (invitation.expires_at <= timezone.now() or table.status != Table.Status.OPEN):
        return over("")
    if invitation.state != Invitation.State.PENDING:
        return over(invitation.state)
    facts = facts_of(GAMES[table.game], table.seat_count, table.options, pace_of(table.pace), table.starts_at)
    facts.append(gettext("rated") if table.is_rated else gettext("unrated"))
    return Question(", ".join(facts), reverse("invitation", args=[invitation.pk]), {"terms": terms_of(table)})
