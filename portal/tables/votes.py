"""Which question the people at a running table are deciding, and which ones somebody may ask; `voting.py` has the verbs.

One question at a time, kept in the table's row: `Table.vote` is {} or {"what", "seat": the one that asked, "agreed": [seats], "at": milliseconds since
1970, which tells one question from the next, "about": the seat that is to get time, or None, "kept": the record up to which all would still
count, or None}.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from portal.accounts.models import User
from portal.tables import clocks
from portal.tables.access import circle_of
from portal.tables.loading import Loaded
from portal.tables.models import Seat, Table
from portal.tables.pace import Kind, pace_of
from portal.tables.play import BY_HAND


class What(StrEnum):
    """What is asked."""

    TIME = "time"
    NO_CLOCKS = "no_clocks"
    SAVE = "save"  # the clocks stand still from now on
    RESUME = "resume"  # they run again
    CALL_OFF = "call_off"
    TAKE_BACK = "take_back"


@dataclass(frozen=True, slots=True)
class Question:
    """Something that a seat may ask the others now."""

    what: What
    about: int | None = None
    kept: int | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """The question that a table is about to decide."""

    what: What
    seat: int
    agreed: frozenset[int]
    at: int
    about: int | None
    missing: tuple[int, ...]  # the seats that have not answered


def vote_of(loaded: Loaded) -> Vote | None:
    """Return the question that waits for answers."""
    kept = loaded.table.vote
    if not kept or loaded.table.status != Table.Status.PLAYING:
        return None
    agreed = frozenset(kept["agreed"])
    missing = tuple(seat for seat in _asked(loaded, kept["about"]) if seat not in agreed)
    return Vote(What(kept["what"]), kept["seat"], agreed, kept["at"], kept["about"], missing)


def questions(loaded: Loaded, user: User | None) -> list[Question]:
    """Return what a person at a running table may ask the others. No statement, but one for the first look at a club's table.

    Nothing in a match of bots: games without clocks, or saved ones, could wait for ever and leave no room for those of others.
    """
    table = loaded.table
    me = loaded.seat_of(user)
    if me is None or table.status != Table.Status.PLAYING or not loaded.has_company or table.in_match:
        return []
    found = []
    if pace_of(table.pace).has_clock:
        found += [Question(What.TIME, seat.index) for seat in loaded.seats if _may_get_time(loaded, seat)]
        if pace_of(table.pace).kind == Kind.LIVE:
            found.append(Question(What.SAVE))
        found.append(Question(What.NO_CLOCKS))
    elif table.saved:
        found.append(Question(What.RESUME))
    kept = _taken_back_to(table, me)
    if kept is not None:
        found.append(Question(What.TAKE_BACK, kept=kept))
    circle = circle_of(loaded, user)
    if circle is None or (circle.set_id is None and circle.league_id is None):  # in a league and a set every game has to be played
        found.append(Question(What.CALL_OFF))
    return found


def _asked(loaded: Loaded, about: int | None) -> Iterator[int]:
    """Give the seats whose people have a say: all but whoever would get more time."""
    return (seat.index for seat in loaded.seats if seat.user_id is not None and seat.index != about)


def _may_get_time(loaded: Loaded, seat: Seat) -> bool:
    if seat.is_away:
        return seat.left_user is not None and seat.left_user.is_active
    return clocks.run_out_at(loaded, seat.index) is not None


def _taken_back_to(table: Table, me: int) -> int | None:
    """Return the record up to which all would still count if the seat's last action were undone; None if it can't be.

    Only what nobody has learned anything by: since then no chance was drawn, no points were scored and nothing hidden was shown. A seat's own
    undo needs nobody's leave.
    """
    if table.line and table.line[-1][1] == me:
        return None
    standing = _standing(table.recent)
    for at in range(len(standing) - 1, -1, -1):
        line = standing[at]
        if line["a"] < 0 or any(event.get("v") for event in line["e"]):
            return None
        if line["a"] == me and line["b"] in BY_HAND:
            first = at
            while first and standing[first - 1]["a"] == me and standing[first - 1]["n"] == line["n"]:
                first -= 1
                if any(event.get("v") for event in standing[first]["e"]):
                    return None
            return int(standing[first]["q"]) - 1
    return None


def _standing(lines: Iterable[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the last lines of a log that are actions and still count."""
    found: list[Mapping[str, Any]] = []
    for line in lines:
        if line["b"] == "undo":
            kept = line["e"][0]["p"].get("kept")
            if kept is None:  # an older release did not say how far back
                return []
            while found and found[-1]["q"] > kept:
                found.pop()
        elif line["b"] != "leave":
            found.append(line)
    return found
