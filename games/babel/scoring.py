"""Points and places of Babel (babel#score, babel#end)."""

from __future__ import annotations

from typing import Final

from games.babel.components import LANDS, PEOPLES
from games.babel.state import BY_DECK, END, ENDINGS, State, hand_count, height
from games.core.contract import Outcome, ScoreLine

Derivation = tuple[tuple[str, tuple[ScoreLine, ...]], ...]
RULE: Final = "babel#score-1"


def derivation(state: State, seat: int) -> Derivation:
    """Return the points of a seat: the height of its temple in each land (score-1)."""
    lines = []
    for land in range(LANDS):
        level = height(state.temples[seat * LANDS + land])
        lines.append(ScoreLine(PEOPLES[land], level, RULE, {f"temple_{level}": 1}))
    return (("temples", tuple(lines)),)


def outcome(state: State) -> Outcome | None:
    """Return places, points and derivations at the end, otherwise None.

    Whoever reached the goal has won. At the end of the deck the higher score wins; if scores are equal, the larger hand wins;
    otherwise both share first place (end-1, end-3, end-5 .. end-7, end-11).
    """
    if state.phase != END:
        return None
    if state.ending == BY_DECK:
        keys = [(state.scores[seat], hand_count(state, seat)) for seat in (0, 1)]
        places = tuple(1 + (keys[1 - seat] > keys[seat]) for seat in (0, 1))
        reason = "deck" if keys[0][0] != keys[1][0] else "deck_hands" if keys[0] != keys[1] else "deck_drawn"
    else:
        places = tuple(1 if seat == state.active else 2 for seat in (0, 1))
        reason = ENDINGS[state.ending]
    return Outcome(places, tuple(state.scores), reason, tuple(derivation(state, seat) for seat in (0, 1)))
