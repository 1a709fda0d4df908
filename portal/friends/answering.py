"""Requests to be friends, as notices show them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from django.urls import reverse

from portal.accounts.models import User
from portal.friends.models import Friendship
from portal.notices.answering import Question, over
from portal.notices.models import Notice

_NUMBER: Final = re.compile(r".*#friend-(\d{1,18})")
HOW: Final[Mapping[str, str]] = {Friendship.State.FRIENDS: "accepted", Friendship.State.UNHEARD: "declined"}


def asked(user: User, notices: Sequence[Notice]) -> Mapping[int, Question]:
    """Return what notices of requests ask; one statement."""
    numbers = {notice.pk: int(found[1]) for notice in notices if (found := _NUMBER.fullmatch(notice.path))}
    rows = Friendship.objects.filter(asked=user, pk__in=numbers.values(), asker__is_active=True).select_related("asker").in_bulk()

    def question(notice: Notice) -> Question:
        row = rows.get(numbers.get(notice.pk, 0))
        if row is not None and row.state == Friendship.State.WAITING:
            return Question(action=reverse("friend", args=[row.asker.username]))
        return over(HOW.get(row.state, "") if row is not None else "")

    return {notice.pk: question(notice) for notice in notices}
