"""What happens to a loaded table when an action is applied: records, chance, forced plies, orders, the end.

Everything here works on a locked `Loaded` inside a transaction and saves nothing itself; `services` saves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.utils import timezone

from games.core.contract import CHANCE, SCORER, Event, IllegalAction
from games.core.sealed import SealedRng
from portal.tables import clocks
from portal.tables.lesson import place_of, require_scripted
from portal.tables.loading import Loaded, event_to_json, kind_due
from portal.tables.models import ActionRecord
from portal.tables.recent import kept
from portal.tables.telling import people_due

PLAYED_FIELDS: Final = (
    "version", "seq", "state", "due", "due_since", "waits_for", "decided_since", "recent", "line", "barrier", "undone", "nudges",
    "counters", "status", "outcome", "finish_number", "finished_at", "started_at", "clocks", "alarm_at", "vote",
)  # fmt: skip
BY_HAND = ("player", "redo")  # what a person does, and may undo


@dataclass(slots=True)
class Turn:
    """The transaction under way: the records it adds and the clock it writes."""

    loaded: Loaded
    now: datetime = field(default_factory=timezone.now)
    records: list[ActionRecord] = field(default_factory=list)
    ran: list[int] = field(init=False)  # seats whose clock ran until now
    due_before: frozenset[int] = field(init=False)  # the people whom the table waited for

    def __post_init__(self) -> None:
        clocks.charge(self.loaded, self.now)
        self.ran = clocks.runs(self.loaded)
        self.due_before = people_due(self.loaded)

    def act(self, actor: int, action: Any, by: str) -> None:
        """Apply one action and record it. Raises IllegalAction, or NotThisStep in a lesson, changing nothing."""
        table, game = self.loaded.table, self.loaded.game
        before = self.loaded.state
        after, events = game.apply(before, actor, action)
        require_scripted(table, actor, action)
        self.loaded.state = after
        self.note(actor, str(action), by, [event_to_json(event) for event in events])
        if by != "redo":
            table.undone = []
        if table.vote.get("what") == "take_back":
            table.vote = {}  # the game went on
        if by not in BY_HAND or any(event.reveals for event in events):
            # Chance, points, a bot, an order or a revealed secret: what came before can no longer be undone.
            table.line, table.barrier = [], None
        else:
            if not table.line or table.line[-1][1] != actor:
                table.line, table.barrier = [], game.state_to_json(before)
            table.line = [*table.line, [table.seq, actor, str(action), table.version]]

    def note(self, actor: int, text: str, by: str, events: list[dict[str, Any]]) -> None:
        """Append a record to the log and to the last lines."""
        table = self.loaded.table
        table.seq += 1
        record = ActionRecord(
            table_id=table.pk, seq=table.seq, version=table.version, actor=actor, text=text, by=by, events=events, at=self.now
        )
        self.records.append(record)
        line = {"q": table.seq, "n": table.version, "a": actor, "b": by, "t": int(self.now.timestamp()), "e": events}
        table.recent = kept([*table.recent, line], self.loaded.game)

    def run(self) -> None:
        """Let chance, standing orders and forced plies act until a person, a bot or the scorer must act."""
        loaded, game, table = self.loaded, self.loaded.game, self.loaded.table
        rng = SealedRng(bytes(table.secret), loaded.words, table.counters)
        while True:
            due = game.actors(loaded.state)
            if not due or due[0] == SCORER:
                break
            if due[0] == CHANCE:
                place = place_of(table)
                drawn = place.next_of(CHANCE) if place is not None else None
                self.act(CHANCE, game.parse_action(drawn) if drawn is not None else game.sample_chance(loaded.state, rng), "chance")
                continue
            if not any(self._by_itself(seat) for seat in due):
                break
        self._drop_orders()
        table.due = list(due)
        place = place_of(table)
        # In a lesson one seat acts after another, even where several decide at once; after its last step the learner goes on.
        acts = due if place is None else (place.actor,) if place.actor is not None else place.learner
        table.waits_for = kind_due(acts, loaded.seats)
        table.due_since = self.now
        table.nudges = 0

    def _by_itself(self, seat: int) -> bool:
        """Play whatever needs no decision: an answer given in advance, or the only legal action if the game allows that."""
        loaded, game = self.loaded, self.loaded.game
        row = loaded.seats[seat]
        if row.order:
            action = game.answer_by_order(game.view_for(loaded.state, seat), row.order)
            row.order = ""
            if action is not None:
                try:
                    self.act(seat, action, "order")
                except IllegalAction:  # the order no longer fits: the person decides
                    return False
                return True
        if game.meta.automatic:
            legal = game.legal_actions(loaded.state, seat)
            if len(legal) == 1 and str(legal[0]).split(" ", 1)[0] in game.meta.automatic:
                self.act(seat, legal[0], "auto")
                return True
        return False

    def _drop_orders(self) -> None:
        """Cancel orders whose situation has passed."""
        loaded, game = self.loaded, self.loaded.game
        for row in loaded.seats:
            if row.order and not game.order_stands(game.view_for(loaded.state, row.index), row.order):
                row.order = ""


def views_before(loaded: Loaded, actor: int) -> dict[int, Any] | None:
    """Return the views of the other due seats when several decide at the same time; else None (everything changed)."""
    if len(loaded.table.due) < 2 or actor < 0:
        return None
    return {seat: _sight(loaded, seat) for seat in range(len(loaded.seats)) if seat != actor}


def _sight(loaded: Loaded, seat: int) -> Any:
    view = loaded.game.view_for(loaded.state, seat)
    return view, [str(action) for action in loaded.game.legal_for_view(view)]


def mark_decided(loaded: Loaded, before: dict[int, Any] | None) -> None:
    """Record the seats whose view or decision changed with this version: only these become stale."""
    table = loaded.table
    since = list(table.decided_since) or [0] * len(loaded.seats)
    for seat in range(len(loaded.seats)):
        if before is None or seat not in before or before[seat] != _sight(loaded, seat):
            since[seat] = table.version
    table.decided_since = since


def last_group(line: Sequence[Sequence[Any]]) -> tuple[list[Any], list[Any]]:
    """Return the actions before those that were played together last, and these; at least one of a line that isn't empty.

    What is played together has one version. Entries of an older release name none, and each is a group of its own.

    >>> last_group([[7, 0, "tool", 4], [8, 0, "equip oil", 5], [9, 0, "ready", 5]])
    ([[7, 0, 'tool', 4]], [[8, 0, 'equip oil', 5], [9, 0, 'ready', 5]])
    >>> last_group([[7, 0, "tool"], [8, 0, "done"]])
    ([[7, 0, 'tool']], [[8, 0, 'done']])
    """
    at = len(line) - 1
    version = line[at][3:]
    while version and at and line[at - 1][3:] == version:
        at -= 1
    return list(line[:at]), list(line[at:])


def undo_event(seat: int, kept: int, count: int) -> Event:
    """The log line of an undo, up to which record all still counts; its sentence belongs to the site, not to a game."""
    if count == 1:
        return Event("table.undone", {"seat": seat, "kept": kept})
    return Event("table.undone_all", {"seat": seat, "kept": kept, "n": count})
