"""What to look at in games of Babel: how they end, how long they are, and whether starting helps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from games.babel.scoring import outcome
from games.babel.state import BY_DECK, BY_LEAD, BY_TWENTY, State
from games.core.sense import Sense, Step

POWERS: Final = {
    "destroyed": "temples destroyed a game",
    "stole": "levels stolen a game",
    "expelled": "peoples expelled a game",
    "switched": "peoples brought over a game",
    "halved": "hands halved a game",
}


def count(steps: Sequence[Step[State]]) -> dict[str, list[float]]:
    """Return how the game ended, whether the seat that started has won (a half for a tie), its turns, and how often powers were used."""
    end = steps[-1].after
    result = outcome(end)
    assert result is not None
    starter = next(step.after.active for step in steps if step.after.turn)
    winners = [seat for seat, place in enumerate(result.places) if place == 1]
    happened = Counter(event.key for step in steps for event in step.events)
    return {
        "won by the seat that started": [(starter in winners) / len(winners)],
        "ended by 15 against fewer than 10": [end.ending == BY_LEAD],
        "ended by 20": [end.ending == BY_TWENTY],
        "ended by the deck": [end.ending == BY_DECK],
        "turns a game": [float(end.turn)],
        **{name: [float(happened[key])] for key, name in POWERS.items()},
    }


SENSE: Final = Sense(count, {})
