"""Invitations to clubs, as notices show them. An answered one is deleted, so its notice keeps the answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from django.urls import reverse

from portal.accounts.models import User
from portal.clubs.models import Invitation
from portal.notices.answering import Question, over
from portal.notices.models import Notice

_NUMBER: Final = re.compile(r".*#invitation-(\d{1,18})")


def asked(user: User, notices: Sequence[Notice]) -> Mapping[int, Question]:
    """Return what notices of invitations ask; one statement."""
    numbers = {notice.pk: int(found[1]) for notice in notices if (found := _NUMBER.fullmatch(notice.path))}
    waiting = set(Invitation.objects.filter(user=user, club__closed_at=None, pk__in=numbers.values()).values_list("pk", flat=True))

    def question(notice: Notice) -> Question:
        if (number := numbers.get(notice.pk, 0)) in waiting:
            return Question(action=reverse("club-invitation", args=[number]))
        return over(str(notice.facts.get("answer", "")))

    return {notice.pk: question(notice) for notice in notices}
