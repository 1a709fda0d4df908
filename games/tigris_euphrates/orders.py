"""Answers in advance are not offered: what one would add to a conflict hangs on the other side's answer (tigris_euphrates#conflicts-3)."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.contract import Option
from games.tigris_euphrates.actions import Action
from games.tigris_euphrates.view import View


def orders(view: View) -> Sequence[Option]:
    """Return the orders that the viewing seat could give: none."""
    return ()


def order_stands(view: View, order: str) -> bool:
    """Return whether the order can still be used: never."""
    return False


def answer_by_order(view: View, order: str) -> Action | None:
    """Return the action that the order gives: none."""
    return None
