"""What to look at in games of Tigris & Euphrates: how strong the weakest colour gets, which one it is, and how eventful games are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from games.core.sense import Goal, Sense, Step
from games.tigris_euphrates.components import COLOURS, N_COLOURS
from games.tigris_euphrates.scoring import final_colours, outcome
from games.tigris_euphrates.state import State, total_of

EVENTS: Final = {
    "war_won": "wars a game",
    "revolt_won": "revolts a game",
    "catastrophe_placed": "catastrophes a game",
    "built": "monuments a game",
    "treasure_taken": "treasures taken a game",
}


def count(steps: Sequence[Step[State]]) -> dict[str, list[float]]:
    """Return the winners' weakest colours, which colours are weakest before treasures (shared if several are), and how often things happened."""
    end = steps[-1].after
    result = outcome(end)
    assert result is not None
    winners = [seat for seat, place in enumerate(result.places) if place == 1]
    counts: dict[str, list[float]] = {
        "weakest colour of the winner": [float(min(final_colours(end, seat))) for seat in winners],
        "weakest colour of a seat": [float(min(final_colours(end, seat))) for seat in range(end.seats)],
    }
    for colour, name in enumerate(COLOURS):
        counts[f"{name} is a seat's weakest colour"] = [_weakest(end, seat, colour) for seat in range(end.seats)]
    happened = Counter(event.key for step in steps for event in step.events)
    counts |= {name: [float(happened[key])] for key, name in EVENTS.items()}
    counts["turns a seat"] = [end.turn / end.seats]
    return counts


def _weakest(end: State, seat: int, colour: int) -> float:
    totals = [total_of(end, seat, each) for each in range(N_COLOURS)]
    least = min(totals)
    return (totals[colour] == least) / totals.count(least)


SENSE: Final = Sense(count, {"weakest colour of the winner": Goal(at_least=9.5)})
