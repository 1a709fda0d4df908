"""Ra's bots: what each level answers, from its seat's view alone, and why.

random      any legal action; for measurements only
apprentice  values tiles by rules of thumb; ignores the others' suns, the sun in the centre, later epochs and the odds
journeyman  weighs its own lots, suns and draws, and misjudges them a little; rivals, later epochs and gods hardly count
scribe      weighs lots, suns and rivals with `evaluation`, looks one draw ahead, and plays out every auction
master      plays out draws and auctions against rivals who bid as the scribe does, and weighs what follows by a learned value

No level looks at a clock. Reasons are (key, fame, paragraph); the sentence for a key is in the game's phrases under "bot." + key,
with the value as `points` and `n`.
"""

from __future__ import annotations

from typing import Final

from games.core.contract import Choice, Rng
from games.core.learner import net_for
from games.ra import legality
from games.ra.actions import Action
from games.ra.apprentice import Apprentice
from games.ra.journeyman import Journeyman
from games.ra.learner import LEARNER
from games.ra.master import Master
from games.ra.scribe import Scribe
from games.ra.view import View, known_state

LEVELS: Final = ("random", "apprentice", "journeyman", "scribe", "master")


def choose_action(view: View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the answer of a bot of `level` for the viewing seat, with the terms it weighed, best first.

    Raises ValueError for an unknown level, or if the seat is not due. No level needs `budget_s`: thought is bounded by numbers.
    """
    if level not in LEVELS:
        raise ValueError(f"no bot {level!r}; known: {', '.join(LEVELS)}")
    if view.seat is None or view.seat != view.due:
        raise ValueError("this seat is not due")
    state = known_state(view)
    legal = legality.legal_actions(state, view.seat)
    if not legal:
        raise ValueError("this seat is not due")
    if level == "random":
        return Choice(legal[rng.below(len(legal), "bot")])
    if len(legal) == 1:
        return Choice(legal[0], (("only", 0.0, None),))
    if level == "apprentice":
        return Apprentice(state, view.seat, rng).choose(legal)
    if level == "journeyman":
        return Journeyman(state, view.seat, rng).choose(legal, rng)
    if level == "master" and (net := net_for(LEARNER, view.seats)) is not None:
        return Master(state, view.seat, net, rng).choose(legal)
    return Scribe(state, view.seat).choose(legal, rng)
