"""The last lines of the log, which every page reads with the table: a fixed number, and a chained turn back to its start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from games.core.contract import Game

RECENT_LINES: Final = 20

Line = dict[str, Any]  # q: record, n: version, a: actor, b: by, t: time, e: events


def kept(lines: Sequence[Line], game: Game) -> list[Line]:
    """Return the lines that stay with the table, newest last.

    Where turns are shown as chains, this includes the older lines of the last turn with steps. Undone ones are dropped from those, so that
    endless trying and undoing does not make the row long.
    """
    older, newest = lines[:-RECENT_LINES], lines[-RECENT_LINES:]
    if not older or not game.meta.turn_starts:
        return list(newest)
    begin = _beginning(lines, game)
    return [*_standing(older[begin:], game), *newest]


def _beginning(lines: Sequence[Line], game: Game) -> int:
    """Return where the last turn with steps starts; 0 if the lines start within it."""
    has_steps = False
    for at in range(len(lines) - 1, -1, -1):
        has_steps = has_steps or _is_step(lines[at], game)
        if has_steps and not game.meta.turn_starts.isdisjoint(_keys(lines[at])):
            return at
    return 0


def _standing(lines: Iterable[Line], game: Game) -> list[Line]:
    """Return the lines without undone actions and without the undos."""
    standing: list[Line] = []
    for line in lines:
        if line["b"] == "undo":
            back = line["e"][0]["p"].get("kept")
            if back is not None:
                standing = [other for other in standing if other["q"] <= back or not _is_step(other, game)]
                continue
            last = next((at for at in range(len(standing) - 1, -1, -1) if _is_step(standing[at], game)), None)
            if last is not None:  # an older release undid one action at a time, and didn't say which
                del standing[last]
        else:
            standing.append(line)
    return standing


def _is_step(line: Line, game: Game) -> bool:
    return line["b"] != "undo" and any(f"step.{key}" in game.phrases for key in _keys(line))


def _keys(line: Line) -> list[str]:
    return [event["k"] for event in line["e"]]
