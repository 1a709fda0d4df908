"""How far a seat may undo: back to the last chance outcome, scoring, other seat's action or revealed secret."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.contract import Event

Line = Sequence[tuple[int, Sequence[Event]]]  # (actor, events) of every applied action, oldest first


def undo_depth(line: Line, seat: int) -> int:
    """Return how many actions at the end of `line` the seat may undo, one by one.

    >>> undo_depth([(1, []), (0, []), (0, [])], 0)
    2
    >>> undo_depth([(0, []), (-1, [])], 0)
    0
    """
    depth = 0
    for actor, events in reversed(line):
        if actor != seat or any(event.reveals for event in events):
            break
        depth += 1
    return depth


def can_undo(line: Line, seat: int) -> bool:
    """Return whether the seat may undo the last action of `line`."""
    return undo_depth(line[-1:], seat) > 0
