"""The seats of a table before it starts: free or taken, the names of bots, the words of people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.utils import timezone

from portal.tables import refusals
from portal.tables.loading import Loaded
from portal.tables.models import Seat

BOT_NAMES: Final = ("Nabu", "Ninsun", "Enki", "Inanna", "Utu", "Nisaba")
MAX_WORD_CHARS: Final = 60


def check_level(rules: Any, level: str) -> None:
    """Raise BadSetting for a level that the game's bots do not have."""
    if level not in rules.meta.bot_levels:
        raise refusals.NoSuchLevel(levels=", ".join(rules.meta.bot_levels))


def checked_word(word: Any) -> str:
    """Return the word of a person for the sealed draw. Raises BadSetting."""
    if not isinstance(word, str) or len(word) > MAX_WORD_CHARS or not (word.isprintable() or not word):
        raise refusals.BadWord(limit=MAX_WORD_CHARS)
    return word.strip()


def is_free(seat: Seat) -> bool:
    return seat.user_id is None and not seat.bot_level


def is_full(loaded: Loaded) -> bool:
    return loaded.table.by_hand or not any(is_free(seat) for seat in loaded.seats)


def is_ready(loaded: Loaded) -> bool:
    """Say whether a table starts by itself: all seats are taken, and the time that was agreed has come."""
    at = loaded.table.starts_at
    return is_full(loaded) and (at is None or at <= timezone.now())


def name_bots(seats: Sequence[Seat]) -> None:
    """Give every bot, and every seat that its table's person plays by hand, a name that is free at this table."""
    taken = {seat.bot_name for seat in seats} | {seat.user.username for seat in seats if seat.user is not None}
    free = iter([name for name in BOT_NAMES if name not in taken] + [f"Nabu {n}" for n in range(2, 9)])
    for seat in seats:
        if (seat.bot_level or (seat.table.by_hand and seat.user_id is None)) and not seat.bot_name:
            seat.bot_name = next(free)
