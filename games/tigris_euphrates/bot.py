"""The bots of Tigris & Euphrates: what each level answers, from its seat's view alone, and why.

random      any legal action; for measurements only
apprentice  one action at a time: points now, the weakest colours first; sees strengths on the board, guesses at hands
journeyman  weighs positions with most terms of `evaluation`, one action at a time; takes every hidden hand for a usual one
scribe      weighs positions with `evaluation`, looks ahead over both actions of its turn, and takes the odds into account
master      the scribe's search, with a learned value at the ends of its turn

No level looks at a clock unless it is given a time budget, so the same view and generator give the same answer. Reasons are
(key, worth, paragraph); the sentence for a key is in the game's phrases under "bot." + key, with the value as `points`
and `n`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from games.core.contract import Choice, Rng
from games.core.learner import net_for
from games.tigris_euphrates import legality
from games.tigris_euphrates.actions import Action
from games.tigris_euphrates.apprentice import Apprentice
from games.tigris_euphrates.journeyman import Journeyman
from games.tigris_euphrates.learner import LEARNER
from games.tigris_euphrates.master import Master
from games.tigris_euphrates.reasons import marks
from games.tigris_euphrates.scribe import Scribe
from games.tigris_euphrates.view import View, known_state

LEVELS: Final = ("random", "apprentice", "journeyman", "scribe", "master")


def choose_action(view: View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the answer of a bot of `level` for the viewing seat, with the terms it weighed, best first.

    `budget_s` is for scribe and master, which answer with the best found by then. Raises ValueError for an unknown level, or if
    the seat is not due.
    """
    if level not in LEVELS:
        raise ValueError(f"no bot {level!r}; known: {', '.join(LEVELS)}")
    if view.seat is None or view.seat != view.due or view.phase == "drawing":
        raise ValueError("this seat is not due")
    state = known_state(view)
    legal = legality.legal_actions(state, view.seat)
    if level == "random":
        return Choice(legal[rng.below(len(legal), "bot")])
    if len(legal) == 1:
        return Choice(legal[0], (("only", 0.0, None),))
    if level == "apprentice":
        choice = Apprentice(view, state, rng).choose(legal)
    elif level == "journeyman":
        choice = Journeyman(view, state, rng).choose(legal)
    elif level == "master" and (net := net_for(LEARNER, view.seats)) is not None:
        choice = Master(view, state, net, rng, budget_s).choose(legal)
    else:
        choice = Scribe(view, state, rng, budget_s=budget_s).choose(legal)
    return replace(choice, marks=marks(state, choice.action))
