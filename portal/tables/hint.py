"""Hints in practice games and studies: what the best level would do in the reader's place, told in three steps.

A hint is chosen from the view of the reader's seat, so it can tell nothing that the seat doesn't know. Only the player of a practice game gets
one: nobody else sits there and nothing counts. The three steps are said from the question that the reader is asked (`Game.ask`), in the reader's
language; kept is the choice alone.
"""

from __future__ import annotations

from typing import Any, Final

from games.core.contract import AnyGame, Option
from games.core.rng import SeededRng
from portal.tables.loading import Loaded
from portal.tables.models import Table
from portal.tables.past import state_after
from portal.tables.question import shown_of
from portal.tables.selectors import TablePage
from portal.tables.why import is_own_practice, told_of

STEPS: Final = 3
BEST: Final = 3  # moves whose places are shown at first, the right one among them
NOT_DUE = "not_due"
_DEEPEST: Final = 12  # choices that make one action


def is_practice(loaded: Loaded) -> bool:
    """Whether a table is a running practice game: it counts for nothing, and at most one person sits there."""
    table = loaded.table
    people = {seat.user_id for seat in loaded.seats} - {None}
    counts = (table.is_rated and table.position is None) or table.duplicate_id is not None
    return table.status == Table.Status.PLAYING and not counts and not table.lesson and len(people) <= 1


def may_think_aloud(page: TablePage) -> bool:
    """Whether the reader of `page` may have evaluations here, and hints when their seat is due."""
    return page.lesson is None and is_own_practice(page)


def best_level(game: AnyGame) -> str:
    return game.meta.bot_levels[-1]


def quick_level(game: AnyGame) -> str:
    """Return the level that plays positions on."""
    return game.meta.bot_levels[0]


def hint_of(loaded: Loaded, seq: int, seat: int, level: str) -> dict[str, Any]:
    """Work out what a level would do for `seat` in the position after record `seq`."""
    game, state = loaded.game, state_after(loaded, seq)
    if seat not in game.actors(state):
        return {"no": NOT_DUE}
    choice = game.choose_action(game.view_for(state, seat), level, SeededRng(f"{loaded.table.commitment} {seq}"))
    return told_of(choice) | {"action": str(choice.action), "best": [str(action) for action, _ in choice.ranked[:BEST]]}


def path_to(game: AnyGame, view: Any, action: str) -> list[Option]:
    """Return the options that lead to an action one after the other, as the seat of `view` is asked."""
    path: list[Option] = []
    chosen = ""
    while len(path) < _DEEPEST:
        asked = game.ask(view, chosen)
        if asked is None:
            break
        shown = shown_of(asked)
        fits = [option for option in shown.options if option.text != chosen and f"{action} ".startswith(f"{option.text} ")]
        if action in (asked.action, shown.action) or not fits:
            break
        path.append(max(fits, key=lambda option: len(option.text)))
        chosen = path[-1].text
    return path
