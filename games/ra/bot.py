"""Ra's bots: what each level answers, from its seat's view alone, and why.

random      any legal action; for measurements only
apprentice  values tiles by rules of thumb; ignores the others' suns, the sun in the centre, later epochs and the odds
journeyman  weighs its own lots, suns and draws, and misjudges them a little; rivals, later epochs and gods hardly count
scribe      weighs lots, suns and rivals with `evaluation`, looks one draw ahead, and plays out every auction
master      plays out draws and auctions against rivals who bid as the scribe does, plays on from its best actions over the next
            two to four auctions, and weighs what follows by a learned value

No level looks at a clock; a time budget limits the master's playouts. Reasons are (key, fame, paragraph); the sentence for a key is in the
game's phrases under "bot." + key, with the value as `points` and `n`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from games.core.contract import Choice, Rng
from games.core.learner import net_for
from games.ra import legality
from games.ra.actions import DRAW, Action, Bid, Discard, UseGods
from games.ra.apprentice import Apprentice
from games.ra.journeyman import Journeyman
from games.ra.learner import LEARNER
from games.ra.master import PLAYOUTS, PLAYOUTS_PER_S, Master
from games.ra.scribe import Scribe
from games.ra.state import AUCTION, NO_TILE, State
from games.ra.view import View, known_state

LEVELS: Final = ("random", "apprentice", "journeyman", "scribe", "master")


def choose_action(view: View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the answer of a bot of `level` for the viewing seat, with the terms it weighed, best first.

    Raises ValueError for an unknown level, or if the seat is not due. `budget_s` limits the playouts of a master, by a number.
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
        choice = Apprentice(state, view.seat, rng).choose(legal)
    elif level == "journeyman":
        choice = Journeyman(state, view.seat, rng).choose(legal, rng)
    elif level == "master" and (net := net_for(LEARNER, view.seats)) is not None:
        most = PLAYOUTS[view.seats]
        playouts = most if budget_s is None else min(most, int(budget_s * PLAYOUTS_PER_S))
        choice = Master(state, view.seat, net, rng, playouts).choose(legal)
    else:
        choice = Scribe(state, view.seat).choose(legal, rng)
    return replace(choice, marks=marks_of(state, choice.action))


def marks_of(state: State, action: Action) -> tuple[str, ...]:
    """Return the targets of the scene that an action is about: tiles of the lot, the sun bid or to be beaten, the Ra track before a draw."""
    if isinstance(action, Discard):
        return ()
    lot = [(place, kind) for place, kind in enumerate(state.track) if kind != NO_TILE]
    if isinstance(action, UseGods):
        left = list(action.tiles)
        taken = []
        for place, kind in lot:
            if kind in left:
                left.remove(kind)
                taken.append(f"track-{place}")
        return tuple(taken)
    suns = [(state.due, action.sun)] if isinstance(action, Bid) else [(state.best_seat, state.best_bid)] if state.phase == AUCTION else []
    pieces = ["sky"] if action == DRAW else [f"sun-{seat}-{sun}" for seat, sun in suns if sun]
    return (*pieces, *[f"track-{place}" for place, _ in lot])
