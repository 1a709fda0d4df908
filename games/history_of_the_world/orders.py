"""Answers in advance: the standing order of a defender is part of the game (`guard`), so there are none besides (history_of_the_world#battle-7)."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.contract import Option
from games.history_of_the_world.actions import Act
from games.history_of_the_world.view import View


def orders(view: View) -> Sequence[Option]:
    """Return the orders that the viewing seat could give now: none."""
    return ()


def answer_by_order(view: View, order: str) -> Act | None:
    """Return the action that an order gives: none."""
    return None


def order_stands(view: View, order: str) -> bool:
    """Return whether an order can still be used: never."""
    return False
