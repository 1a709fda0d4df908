"""The report of a finished game: the place that each player could expect all through it, and what the best level would have done instead.

It is worked out in slices by workers (`thinking.py`), only when the game is over and revealed, and only when somebody wants it. The cost is bounded
by numbers: `POSITIONS` times `PLAYOUTS` games that the quickest level plays on from the positions as they were, and `DECISIONS` choices of the best
level, each from the view that the player had. Every draw comes from the seal and the number of the step, so a slice that is done twice comes out
the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.core.prospects import places_from, prospects
from games.core.rng import SeededRng
from portal.tables.hint import quick_level
from portal.tables.loading import Loaded
from portal.tables.past import Entry, line_of, state_at
from portal.tables.play import BY_HAND
from portal.tables.slices import Slice
from portal.tables.why import ONLY, told_of

POSITIONS: Final = 16
PLAYOUTS: Final = 12
DECISIONS: Final = 60  # of all people together
TURNING_POINTS: Final = 3
BEST: Final = 3


def go_on(loaded: Loaded, so_far: Mapping[str, Any] | None, level: str, slice_s: float) -> dict[str, Any]:
    """Work on a report for a slice of `slice_s` seconds and return what there is of it; `done` of `of` steps are done."""
    line = line_of(loaded)
    work = dict(so_far) if so_far else _begin(loaded, line)
    mine = Slice(slice_s)
    while work["done"] < work["of"]:
        number = work["done"]
        playouts = len(work["at"]) * PLAYOUTS
        if number < playouts:
            at = number // PLAYOUTS
            work["places"][at] += _played_on(loaded, line, work["at"][at], number)
        else:
            work["choices"].append(_choice(loaded, line, work["own"][number - playouts], level))
        work["done"] += 1
        if mine.is_over:
            break
    return work


def told(work: Mapping[str, Any]) -> dict[str, Any]:
    """Return the report as it is kept: `chart` [[entries, [place, low, high] of each seat], ...], `choices` and `playouts`."""
    chart = [
        [at, [[one.place, one.low, one.high] for one in prospects(places)]] for at, places in zip(work["at"], work["places"], strict=True)
    ]
    return {"chart": chart, "choices": [choice for choice in work["choices"] if choice is not None], "playouts": PLAYOUTS}


def turning_points(answer: Mapping[str, Any], seat: int) -> list[dict[str, Any]]:
    """Return a seat's choices that cost it most, in the order of the game: by their worth if the level said it, else by the place lost then."""
    other = [choice for choice in answer["choices"] if choice["seat"] == seat and not choice["is_same"]]
    by_worth = any(choice["loss"] is not None for choice in other)
    costly = sorted(other, key=lambda choice: -((choice["loss"] or 0.0) if by_worth else lost_at(answer["chart"], choice["at"], seat)))
    return sorted(costly[:TURNING_POINTS], key=lambda choice: choice["at"])


def lost_at(chart: Sequence[Any], at: int, seat: int) -> float:
    """Return how much worse a seat's expected place is at the next position of the chart than at the last one before a choice."""
    before = next((row[1][seat][0] for row in reversed(chart) if row[0] <= at), None)
    after = next((row[1][seat][0] for row in chart if row[0] > at), None)
    return after - before if before is not None and after is not None else 0.0


def summary(answer: Mapping[str, Any], seat: int) -> tuple[int, int, int | None]:
    """Return of a seat's choices how many were looked at, were the level's, and were among its best (None: the level doesn't say)."""
    own = [choice for choice in answer["choices"] if choice["seat"] == seat]
    ranked = [choice for choice in own if choice["rank"] is not None or choice["is_ranked"]]
    among = sum(choice["is_same"] or (choice["rank"] is not None and choice["rank"] <= BEST) for choice in own)
    return len(own), sum(choice["is_same"] for choice in own), among if ranked else None


def _begin(loaded: Loaded, line: Sequence[Entry]) -> dict[str, Any]:
    decided = [number for number, entry in enumerate(line) if entry.actor >= 0]
    own = [number for number in decided if line[number].by in BY_HAND]
    at, chosen = _few(decided, POSITIONS), _few(own, DECISIONS)
    return {
        "at": at,
        "own": chosen,
        "places": [[] for _ in at],
        "choices": [],
        "done": 0,
        "of": len(at) * PLAYOUTS + len(chosen),
    }


def _few(numbers: Sequence[int], most: int) -> list[int]:
    """Return at most so many of the numbers, evenly from the first to the last; if only one, the last.

    >>> _few(range(10, 20), 4), _few([3, 5], 4), _few([], 4)
    ([10, 13, 16, 19], [3, 5], [])
    >>> _few(range(10, 20), 1), _few([3], 1), _few([], 1), _few([3, 5], 0)
    ([19], [3], [], [])
    """
    if len(numbers) <= most:
        return list(numbers)
    if most == 1:
        return [numbers[-1]]
    return [numbers[round(number * (len(numbers) - 1) / (most - 1))] for number in range(most)]


def _played_on(loaded: Loaded, line: Sequence[Entry], at: int, number: int) -> list[list[int]]:
    state = state_at(loaded, line, at)
    rng = SeededRng(f"{loaded.table.commitment} report {number}")
    return places_from(loaded.game, lambda _rng: state, quick_level(loaded.game), rng, 1)


def _choice(loaded: Loaded, line: Sequence[Entry], at: int, level: str) -> dict[str, Any] | None:
    """Return what a level would have chosen in place of entry `at`; None if there was nothing to choose."""
    entry, game = line[at], loaded.game
    view = game.view_for(state_at(loaded, line, at), entry.actor)
    choice = game.choose_action(view, level, SeededRng(f"{loaded.table.commitment} {at}"))
    if choice.reasons and choice.reasons[0][0] == ONLY:
        return None
    worths = {str(action): (place, worth) for place, (action, worth) in enumerate(choice.ranked, 1)}
    place, worth = worths.get(entry.text, (None, None))
    return {
        "at": at,
        "seat": entry.actor,
        "action": str(choice.action),
        "is_same": str(choice.action) == entry.text,
        "is_ranked": len(worths) > 1,
        "rank": place,
        "loss": None if worth is None else round(choice.ranked[0][1] - worth, 3),
        **told_of(choice),
    }
