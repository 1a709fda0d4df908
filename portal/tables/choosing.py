"""How a bot of a table chooses: what it may spend, and the generator that makes the same choice come out again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.core.contract import AnyGame, Choice
from games.core.rng import SeededRng
from games.core.sealed import bot_seed, position_number
from portal.tables.models import Table

SUBSTITUTE_LEVEL: Final = "apprentice"
BUDGETS_S: Final = {"master": 0.8}  # the other levels need no limit


def choose(game: AnyGame, view: Any, level: str, rng: SeededRng) -> Choice[Any]:
    """Return the choice of a level with the budget of a table; with the same budget a move is explained.

    Raises ValueError if the game has no such level, or the view's seat isn't due.
    """
    return game.choose_action(view, level, rng, BUDGETS_S.get(level))


def rng_for(table: Table, version: int, position: Mapping[str, Any] | None, seat: int) -> SeededRng:
    """Return the generator of a bot's choice at a version of its table.

    At duplicate tables the position, as JSON, is used instead of the version, so that bots play alike in equal positions.
    """
    if table.duplicate_id is not None:
        assert position is not None, "a table that is being played has a position"
        version = position_number(position)
    return SeededRng(bot_seed(bytes(table.secret), version, seat))
