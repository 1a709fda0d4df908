"""The settings of a table in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext, ngettext

from games.registry import Entry
from portal.common.templatetags.site import moment
from portal.tables.pace import RELAXED, Pace, said


def facts_of(
    entry: Entry, seat_count: int, options: Mapping[str, Any], pace: Pace = RELAXED, starts_at: datetime | None = None
) -> list[str]:
    """Return the settings of a table in words: the number of players, the pace, when it starts, and options other than the usual ones."""
    facts = [ngettext("%(n)s player", "%(n)s players", seat_count) % {"n": seat_count}]
    if pace.has_clock:
        facts.append(said(pace))
    if starts_at is not None:
        facts.append(gettext("starts %(at)s") % {"at": moment(starts_at)})
    for option in entry.game.meta.options:
        value = options.get(option.key, option.default)
        if value is True:
            facts.append(gettext(option.label))
        elif value is not False and value != option.default:
            facts.append(f"{gettext(option.label)}: {gettext(str(value))}")
    return facts
