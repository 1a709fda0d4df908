"""The end of a game: distributing treasures, comparing colours, places (tigris_euphrates#scoring)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.contract import Outcome, ScoreLine
from games.tigris_euphrates.components import COLOURS, KINDS, N_COLOURS
from games.tigris_euphrates.state import END, ENDINGS, N_SOURCES, SOURCES, State, total_of

Derivation = tuple[tuple[str, tuple[ScoreLine, ...]], ...]

RULES: Final = {
    "tiles": "tigris_euphrates#tiles-6",
    "revolts": "tigris_euphrates#revolts-4",
    "wars": "tigris_euphrates#wars-7",
    "monuments": "tigris_euphrates#monuments-10",
}


def spread_treasures(totals: Sequence[int], treasures: int) -> tuple[int, ...]:
    """Return how many treasures go to each colour: each goes to the lowest colour, or the first of equal ones (scoring-5).

    This is the best distribution, because the lowest colours decide, in ascending order.

    >>> spread_treasures([5, 9, 6, 7], 3)
    (2, 0, 1, 0)
    """
    given = [0] * len(totals)
    for _ in range(treasures):
        sums = [total + more for total, more in zip(totals, given, strict=True)]
        given[sums.index(min(sums))] += 1
    return tuple(given)


def final_colours(state: State, seat: int) -> tuple[int, ...]:
    """Return the points of a seat by colour, treasures included."""
    totals = [total_of(state, seat, colour) for colour in range(N_COLOURS)]
    given = spread_treasures(totals, state.jokers[seat])
    return tuple(total + more for total, more in zip(totals, given, strict=True))


def derivation(state: State, seat: int) -> Derivation:
    """Return where the points of a seat come from, colour by colour. Treasures are distributed as they would be now."""
    totals = [total_of(state, seat, colour) for colour in range(N_COLOURS)]
    given = spread_treasures(totals, state.jokers[seat])
    rounds = []
    for colour, name in enumerate(COLOURS):
        at = (seat * N_COLOURS + colour) * N_SOURCES
        lines = [
            ScoreLine(source, points, RULES[source])
            for source, points in zip(SOURCES, state.sources[at : at + N_SOURCES], strict=True)
            if points
        ]
        if given[colour]:
            lines.append(ScoreLine("treasures", given[colour], "tigris_euphrates#scoring-1", {"treasure": given[colour]}))
        if not lines:
            lines.append(ScoreLine("nothing", 0, "tigris_euphrates#scoring-2", {KINDS[colour]: 0}))
        rounds.append((name, tuple(lines)))
    return tuple(rounds)


def places_of(vectors: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the seats' places by their colours, comparing the lowest first, then the next (scoring-2 .. scoring-4).

    >>> places_of([(11, 12, 13, 14), (10, 10, 12, 15), (10, 10, 11, 16), (9, 22, 15, 14)])
    (1, 2, 3, 4)
    >>> places_of([(3, 4, 5, 6), (6, 5, 4, 3), (1, 9, 9, 9)])
    (1, 1, 3)
    """
    keys = [tuple(sorted(vector)) for vector in vectors]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def outcome(state: State) -> Outcome | None:
    """Return places, weakest colours and derivations at the end, otherwise None."""
    if state.phase != END:
        return None
    seats = range(state.seats)
    vectors = [final_colours(state, seat) for seat in seats]
    return Outcome(
        places_of(vectors),
        tuple(min(vector) for vector in vectors),
        ENDINGS[state.ending],
        tuple(derivation(state, seat) for seat in seats),
        total="least",
    )
