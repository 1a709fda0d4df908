"""The question for the seat that is due, step by step (after_the_flood#act-2).

Prefixes: "" · build · build ur · relocate · relocate ur · relocate ur umma · place textile · place textile egypt · place textile egypt 2 ·
scribe · scribe available · scribe available egypt · trade · trade egypt · trade egypt gold textile · invade · destroy · reinforce ·
refound, each with an area · grow ur · grow ur tool oil. All other actions are one step. The text of an option is the prefix that
choosing it leads to. While a seat trades, the question is about areas at once.

Targets, the pieces of the board that act as the same control (each belongs to one option at most):
    area-ur, box-weaving, available    a place: where to, or where from
    good-wood                          one of the seat's own goods: spend it
    empire-guti                        an empire of the turn: found it
Exchanges, tools, workers and scribes can be gathered before they are played: `trade egypt gold textile then trade kassites lapis gold`
(`prompt_plan.py`).
If the question is about places, the impossible ones are in `Ask.closed`, with the reason.
"""

from __future__ import annotations

from games.after_the_flood.prompt_plan import planned
from games.after_the_flood.view import View, known_state
from games.core.contract import Ask


def ask(view: View, chosen: str = "") -> Ask | None:
    """Return the question for the viewing seat, given what it has chosen so far; None if it is not due."""
    if not view.is_due or view.seat is None:
        return None
    return planned(known_state(view), chosen)
