"""A replay: all steps of a game that still count, from the first position on, as one seat (or a spectator) could see them.

It is the reel at any place of the game: the same pictures, sentences, dice and points (see `reel.py`), with what a slider needs besides.
Once the game is over and its secret is revealed, everybody may look from any seat; until then everybody sees what their own page has shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from games.core.contract import SCORER
from portal.tables import refusals
from portal.tables.loading import Loaded
from portal.tables.past import Entry, line_of, state_at
from portal.tables.reel import Follower, lines_of, picture_of, step_of
from portal.tables.selectors import LogLine, TablePage
from portal.tables.speaker import Speaker
from portal.tables.why import why_address

STEPS_AT_ONCE: Final = 24
SPECTATORS: Final = "0"  # the seats are numbered from 1 in addresses
TURN, SCORING, CONFLICT = "turn", "scoring", "conflict"


@dataclass(frozen=True, slots=True)
class Step:
    """One event that is told, and which picture goes with it: the position after the first `shown` entries of the line."""

    entry: int
    line: LogLine
    shown: int


@dataclass
class Replay:
    """The steps of a table for one view. Step 0 is the first position; step n is `steps[n - 1]`."""

    loaded: Loaded
    page: TablePage  # as from `seat`
    seat: int | None
    may_choose: bool  # another seat
    line: Sequence[Entry]
    lines: Sequence[Sequence[LogLine]]  # of each entry, as from `seat`
    steps: Sequence[Step]

    @property
    def count(self) -> int:
        return len(self.steps)

    def entries_at(self, step: int) -> int:
        """Return how many entries of the line the picture of a step has behind it."""
        return self.steps[step - 1].shown if step else 0

    def state(self, step: int) -> Any:
        return state_at(self.loaded, self.line, self.entries_at(step))

    def state_after_entries(self, count: int) -> Any:
        """Return the state after so many entries of the line."""
        return state_at(self.loaded, self.line, count)

    def picture(self, step: int, speaker: Speaker, parts: Follower, marks: Sequence[str] = ()) -> dict[str, Any]:
        """Return board and players of a step as markup; `marks` are marked instead of what the step names."""
        shown = self.entries_at(step)
        return picture_of(self.loaded, self.page, speaker, parts, self.state(step), self.lines[shown - 1] if shown else (), marks)

    def told(self, step: int, speaker: Speaker) -> dict[str, Any]:
        """Return what is said of a step that is not the first."""
        line = self.steps[step - 1].line
        return step_of(line, speaker) | {"why": self.why(line)}

    def why(self, line: LogLine) -> str | None:
        """Return where the move behind a line is explained, as from the same seat."""
        address = why_address(self.page, line.actor, line.by, line.seq)
        return f"{address}?seat={asked(self)}" if address and asked(self) else address

    @cached_property
    def marks(self) -> list[tuple[int, str]]:
        """Return the steps at which turns start, points are scored and conflicts begin; several marks of a step stand side by side."""
        meta = self.loaded.game.meta
        found = []
        actor = None
        for number, step in enumerate(self.steps, 1):
            line = step.line
            if meta.turn_marks:
                is_turn = line.event.key in meta.turn_marks
            else:
                is_turn = line.actor >= 0 and line.actor != actor
                actor = line.actor if line.actor >= 0 else actor
            if is_turn:
                found.append((number, TURN))
            if self.is_first_of_scoring(number):
                found.append((number, SCORING))
            if line.event.key in meta.conflicts:
                found.append((number, CONFLICT))
        return found

    def is_first_of_scoring(self, step: int) -> bool:
        """Say whether points begin to be counted at a step."""
        here = self.steps[step - 1]
        return here.line.actor == SCORER and (step == 1 or self.steps[step - 2].entry != here.entry)

    @property
    def before_the_end(self) -> int:
        """Return the last step before the board is emptied for the final scoring; the last step of all if the game is not over."""
        last = self.count
        if self.page.outcome is None:
            return last
        while last and self.steps[last - 1].line.actor == SCORER:
            last -= 1
        clearings = self.loaded.game.meta.clearings
        emptied = next((step.entry for step in reversed(self.steps) if step.line.event.key in clearings), None)
        while last and emptied is not None and self.steps[last - 1].entry >= emptied:
            last -= 1
        return last

    def scored(self) -> dict[int, list[int]]:
        """Return for each seat the steps at which it scored a round."""
        keys = self.loaded.game.meta.round_scores
        found: dict[int, list[int]] = {seat: [] for seat in range(self.page.seat_count)}
        for number, step in enumerate(self.steps, 1):
            event = step.line.event
            if event.key in keys:
                found[event.params["seat"]].append(number)
        return found

    def scored_rounds(self) -> dict[tuple[int, str], int]:
        """Return the step that scored each seat's round, by seat and round name; for rounds without an event of their own that of the last scoring."""
        outcome = self.page.outcome
        if outcome is None:
            return {}
        last = next((number for number in range(self.count, 0, -1) if self.is_first_of_scoring(number)), self.count)
        found: dict[tuple[int, str], int] = {}
        for seat, steps in self.scored().items():
            keys = [key for key, _ in outcome.derivation[seat] if key != "start"]
            found |= {(seat, key): step for key, step in zip(keys, [*steps, *[last] * len(keys)], strict=False)}
        return found

    def gained(self) -> dict[tuple[int, str], list[int]]:
        """Return for each seat and column of the result the steps that added to it, in games that score all through (`Meta.scored_in`)."""
        scored_in = self.loaded.game.meta.scored_in
        found: dict[tuple[int, str], list[int]] = {}
        for number, step in enumerate(self.steps if scored_in else (), 1):
            column = scored_in(step.line.event) if scored_in else None
            if column is not None:
                found.setdefault((step.line.event.params["seat"], column), []).append(number)
        return found

    def step_of_lines(self) -> dict[tuple[int, int], int]:
        """Return the step of each told event by its record and its place in it."""
        found: dict[tuple[int, int], int] = {}
        place = before = 0
        for number, step in enumerate(self.steps, 1):
            place = place + 1 if step.entry == before else 0
            before = step.entry
            found[step.line.seq, place] = number
        return found


def asked(replay: Replay) -> str:
    """Return the seat as it is in addresses; while nobody may choose, an address says nothing of it, so that it serves others too."""
    if not replay.may_choose:
        return ""
    return SPECTATORS if replay.seat is None else str(replay.seat + 1)


def seat_of(page: TablePage, asked: str) -> tuple[int | None, bool]:
    """Return the seat from which a reader sees the replay, and whether they may choose. Raises BadStep, NoSuchStep and SeatHidden."""
    may_choose = page.seal.secret is not None
    if not asked:
        return page.my_seat, may_choose
    number = whole(asked)
    if number > page.seat_count:
        raise refusals.NoSuchStep
    seat = number - 1 if number else None
    if seat != page.my_seat and not may_choose:
        raise refusals.SeatHidden
    return seat, may_choose


def whole(text: str) -> int:
    """Return a number of an address. Raises BadStep."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise refusals.BadStep
    return int(text)


def replay_of(loaded: Loaded, page: TablePage, *, seat: str = "") -> Replay:
    """Return the replay of a table for the reader of `page`. One statement. Raises NothingToReplay and what `seat_of` raises."""
    if page.view is None:
        raise refusals.NothingToReplay
    chosen, may_choose = seat_of(page, seat)
    seen = replace(page, my_seat=chosen)
    line = line_of(loaded)
    lines = [lines_of(entry, seen) for entry in line]
    return Replay(loaded, seen, chosen, may_choose, line, lines, list(_steps(line, lines)))


def _steps(line: Sequence[Entry], lines: Sequence[Sequence[LogLine]]) -> Iterator[Step]:
    """Yield the steps. Points are told with the pieces that earn them, everything else with what it has changed, as in the reel."""
    shown = 0
    for number, (entry, told) in enumerate(zip(line, lines, strict=True), 1):
        for place, event in enumerate(told):
            if place == (len(told) - 1 if entry.actor == SCORER else 0):
                shown = number
            yield Step(number, event, shown)


def steps_of(replay: Replay, speaker: Speaker, first: int, have: str = "") -> dict[str, Any]:
    """Return some steps from `first` on, as the page's script reads them: like a reel that starts at the step before."""
    parts = Follower(have)
    last = min(replay.count, first + STEPS_AT_ONCE - 1)
    base = replay.picture(first - 1, speaker, parts)
    shown = replay.entries_at(first - 1)
    steps = []
    for number in range(first, last + 1):
        step = replay.told(number, speaker)
        if replay.entries_at(number) != shown:
            shown = replay.entries_at(number)
            step |= replay.picture(number, speaker, parts)
        steps.append(step)
    return {"first": first, "count": replay.count, "base": base, "steps": steps}
