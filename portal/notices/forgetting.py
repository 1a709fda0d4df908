"""Notices to others name people: a pseudonym takes the place of somebody who is gone."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Q

from portal.notices.models import BOTS, Notice

NAMED: Final = ("who", "names", "winners", BOTS)  # the facts of notices that name people


def forget_name(*, old: str, new: str, **_signal: object) -> None:
    """Rewrite what others were told of a person."""
    named = Notice.objects.filter(Q(facts__who=old) | Q(facts__names__contains=[old]))
    for pk, facts in list(named.values_list("pk", "facts")):
        Notice.objects.filter(pk=pk).update(facts=facts | {key: _renamed(facts[key], old, new) for key in NAMED if key in facts})


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, list):
        return [_renamed(one, old, new) for one in value]
    return new if value == old else value
