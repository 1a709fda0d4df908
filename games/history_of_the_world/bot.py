"""The bots of History of the World: what each level answers, from its seat's view alone, and why.

random      any legal action; for measurements only
apprentice  one step at a time, by the points of this turn
journeyman  plans a whole turn, but chooses cards by what is printed on them and does not ask what will last
scribe      plans its conquests with `search`, judges the map for this epoch and later ones with `evaluation`, cards with `drafting`
master      a scribe that judges the ends of its plans and of epochs sketched with `sketch` by a value learned from games, and plays
            the best empires and some answers on with `playouts`

No level looks at a clock. Reasons are (key, worth, paragraph); the sentence for a key is in the game's phrases under
"bot." + key, with the value as `points` and `n`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from games.core.contract import Choice, Rng
from games.core.learner import net_for
from games.history_of_the_world import legality
from games.history_of_the_world.actions import Action, OnProvince, Play, Take, Zone
from games.history_of_the_world.apprentice import Apprentice
from games.history_of_the_world.components import PROVINCES, ZONES
from games.history_of_the_world.journeyman import Journeyman
from games.history_of_the_world.learner import LEARNER
from games.history_of_the_world.master import TURNS, TURNS_PER_S, Master
from games.history_of_the_world.scribe import Scribe
from games.history_of_the_world.search import STEPS_LOOKED_AT
from games.history_of_the_world.state import REROLLING, SIEGE, State
from games.history_of_the_world.view import View, known_state, sample_state

LEVELS: Final = ("random", "apprentice", "journeyman", "scribe", "master")
STEPS_PER_S: Final = 20_000  # provinces that a slow machine tries in a second; converts a budget into a number of them


def choose_action(view: View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the answer of a bot of `level` for the viewing seat, with the terms it weighed, best first.

    Raises ValueError for an unknown level, or if the seat is not due. A budget limits how many provinces the scribe tries, and how
    many turns the master sketches and plays on; no clock is read.
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
    steps = STEPS_LOOKED_AT if budget_s is None else min(STEPS_LOOKED_AT, int(budget_s * STEPS_PER_S))
    bot: Apprentice | Scribe
    if level == "apprentice":
        bot = Apprentice(state, view.seat, rng)
    elif level == "journeyman":
        bot = Journeyman(state, view.seat, rng, steps)
    elif level == "master" and (net := net_for(LEARNER, view.seats)) is not None:
        count = TURNS if budget_s is None else min(TURNS, int(budget_s * TURNS_PER_S))
        bot = Master(state, view.seat, rng, net, steps, count=count, deal=partial(sample_state, view), budget_s=budget_s)
    else:
        bot = Scribe(state, view.seat, rng, steps)
    choice = bot.choose(legal)
    return replace(choice, marks=marks_of(state, choice.action))


def marks_of(state: State, action: Action) -> tuple[str, ...]:
    """Return the targets of the scene that an action is about: a province, a zone, a card, or else the province that is attacked."""
    if isinstance(action, OnProvince):
        return (f"province-{PROVINCES[action.province]}",)
    if isinstance(action, Zone):
        return (f"zone-{ZONES[action.zone]}",)
    if isinstance(action, Take | Play):
        return (f"card-{str(action).split(' ')[1]}",)
    return (f"province-{PROVINCES[state.target]}",) if state.phase in (SIEGE, REROLLING) else ()
