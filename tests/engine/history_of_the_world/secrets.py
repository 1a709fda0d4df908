"""Changing only what a seat may not know: cards that have not been shown, and the standing orders of others."""

from __future__ import annotations

from games.core.contract import Rng
from games.history_of_the_world.components import GUARDS
from games.history_of_the_world.state import State
from games.history_of_the_world.view import sample_state, view_for

# A pile is revealed when it moves on, cards given in the classic draft when everybody has one, an empire when it is called, a kingdom when
# it is played or discarded, a standing order by what follows dice.
SHOWN_BY = frozenset(
    {
        *(
            "looked_at_events",
            "looked_at_empires",
            "took_event",
            "took_empire",
            "kept_card",
            "gave_card",
            "turn_began",
            "kingdom_played",
            "kingdom_unused",
        ),
        *("rolled", "rolled_again", "defender_rolled_again", "let_stand"),
    }
)


def vary(state: State, seat: int | None, rng: Rng) -> State:
    """Return a state that differs from `state` only in what `seat` may not know."""
    other = sample_state(view_for(state, seat), rng)
    for rival in range(other.seats):
        if rival != seat:
            other.guards[rival] = rng.below(len(GUARDS), "vary")
    return other
