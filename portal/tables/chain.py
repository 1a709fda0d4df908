"""The steps of a turn in a few words each, so that a long one can be read as a chain."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django.utils.translation import gettext

from portal.tables.selectors import LogLine, TablePage
from portal.tables.speaker import Speaker


def chain_of(page: TablePage, speaker: Speaker) -> dict[str, Any] | None:
    """Return the steps of the turn so far, or of the previous turn; None if the game reports no steps or there are none.

    Undone actions are not steps. A turn in which the game started (a position of the rule book) is `cut`.
    """
    game = page.entry.game
    turns: list[_Turn] = [_Turn(None)]
    for _, lines in groupby(reversed(page.log.told), key=lambda line: line.seq):
        for line in lines:
            if line.by == "undo":
                turns[-1].take_back(line.event.params.get("kept"))
            elif line.event.key in game.meta.turn_starts:
                turns.append(_Turn(line.event.params.get("seat")))
            elif f"step.{line.event.key}" in game.phrases:
                turns[-1].steps.append(line)
    turn = next((turn for turn in reversed(turns) if turn.steps), None)
    if turn is None:
        return None
    seat = turn.seat if turn.seat is not None else turn.steps[0].actor
    return {
        "title": _title(seat, speaker, is_over=turn is not turns[-1] or page.outcome is not None),
        "number": seat + 1,
        "is_cut": turn.seat is None,
        "steps": [
            {"text": speaker.key(f"step.{line.event.key}", **line.event.params), "is_other": line.actor != seat} for line in turn.steps
        ],
    }


class _Turn:
    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.steps: list[LogLine] = []

    def take_back(self, kept: int | None) -> None:
        """Drop the steps after the record `kept`; those of the last action if an older release didn't write which."""
        if self.steps:
            kept = self.steps[-1].seq - 1 if kept is None else kept
            self.steps = [step for step in self.steps if step.seq <= kept]


def _title(seat: int, speaker: Speaker, *, is_over: bool) -> str:
    if seat == speaker.me:
        return gettext("Your last turn") if is_over else gettext("Your turn so far")
    text = gettext("%(name)s's last turn") if is_over else gettext("%(name)s's turn so far")
    return text % {"name": speaker.names[seat]}
