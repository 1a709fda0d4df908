"""The bots of History of the World: what each level answers, from the view of its seat alone, and why.

random      any legal action; for measurements only
apprentice  one step at a time, by the points of this turn

No level looks at a clock. Reasons are (key, worth, paragraph); the sentence of a key stands in the phrases of the game
under "bot." + key, with the value as `points` and `n`.
"""

from __future__ import annotations

from typing import Final

from games.core.contract import Choice, Rng
from games.history_of_the_world import legality
from games.history_of_the_world.apprentice import Apprentice
from games.history_of_the_world.view import View, known_state

LEVELS: Final = ("random", "apprentice", "scribe")


def choose_action(view: View, level: str, rng: Rng, budget_s: float | None = None) -> Choice:
    """Return the answer of a bot of `level` for the viewing seat, with the terms it weighed, best first.

    Raises ValueError for an unknown level, and when the seat is not due.
    """
    if level not in LEVELS:
        raise ValueError(f"no bot {level!r}; known: {', '.join(LEVELS)}")
    if view.seat is None or not view.is_due:
        raise ValueError("this seat is not due")
    state = known_state(view)
    legal = legality.legal_actions(state, view.seat)
    if level == "random":
        return Choice(legal[rng.below(len(legal), "bot")])
    if len(legal) == 1:
        return Choice(legal[0], (("only", 0.0, None),))
    return Apprentice(state, view.seat, rng).choose(legal)
