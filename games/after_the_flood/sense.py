"""What to look at in games of After the Flood: whether a place in the order of play decides, and whether goods are hoarded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.after_the_flood.components import KINDS, SEATS
from games.after_the_flood.scoring import outcome
from games.after_the_flood.state import SCORING, State
from games.core.contract import CHANCE
from games.core.sense import Goal, Sense, Step

PLACES: Final = ("first", "second", "third")
WON: Final = "won by the {} in the first order of play"


def count(steps: Sequence[Step[State]]) -> dict[str, list[float]]:
    """Return who won, by places in the first and in the last order of play, the goods kept at the end of each turn, and cities that grew."""
    end = steps[-1].after
    result = outcome(end)
    assert result is not None
    first = next(step.after.order for step in steps if step.actor == CHANCE)
    scored = [step.before for step in steps if step.before.phase == SCORING]
    last = next(step.before.order for step in steps if step.before.turn == end.turn)
    counts: dict[str, list[float]] = {WON.format(name): [result.places[first[place]] == 1] for place, name in enumerate(PLACES)}
    for place, name in enumerate(PLACES):
        counts[f"won by the {name} in the last order of play"] = [result.places[last[place]] == 1]
    for place, name in enumerate(PLACES):
        counts[f"points of the {name} in the first order of play"] = [float(end.scores[first[place]])]
    for state in scored:
        kept = [float(sum(state.goods[seat * KINDS : (seat + 1) * KINDS])) for seat in range(SEATS)]
        counts[f"goods kept after turn {state.turn}, a seat"] = kept
        counts[f"cities that grew in turn {state.turn}, a seat"] = [
            float(sum([grower == seat for grower, _, _ in state.growths])) for seat in range(SEATS)
        ]
    return counts


SENSE: Final = Sense(count, {WON.format(name): Goal(below=0.5) for name in PLACES})
