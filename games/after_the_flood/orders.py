"""Answers in advance: there are none in After the Flood. Nobody answers within another's action."""

from __future__ import annotations

from collections.abc import Sequence

from games.after_the_flood.actions import Action
from games.after_the_flood.view import View
from games.core.contract import Option


def orders(view: View) -> Sequence[Option]:
    """Return the orders that the viewing seat could give now: none."""
    return ()


def answer_by_order(view: View, order: str) -> Action | None:
    """Return the action that an order gives: none."""
    return None


def order_stands(view: View, order: str) -> bool:
    """Return whether an order can still be used: never."""
    return False
