"""Points and places of After the Flood (after_the_flood#points, #growth, #end)."""

from __future__ import annotations

from typing import Final

from games.after_the_flood.components import (
    AREA_POINTS,
    AREAS,
    END_POINTS,
    GOODS,
    GROWTH_POINTS,
    GROWTH_WOOD,
    NIPPUR,
    NIPPUR_POINTS,
    PLACES,
    SEATS,
    SPOTS,
    SUMER_MASK,
    WOOD,
)
from games.after_the_flood.state import END, State, TurnPoints
from games.core.contract import Outcome, ScoreLine

RULE: Final = "after_the_flood#"
Derivation = tuple[tuple[str, tuple[ScoreLine, ...]], ...]


def turn_points(state: State, seat: int) -> TurnPoints:
    """Return what earns a seat points this turn on the current map (points-1, points-2, growth-2)."""
    own = state.armies[seat]
    nippur = (own & SUMER_MASK).bit_count() if state.cities[seat] >> NIPPUR & 1 else 0
    grown = tuple((area, goods) for grower, area, goods in state.growths if grower == seat)
    return own.bit_count(), nippur, grown


def points_of(record: TurnPoints) -> int:
    """Return a seat's points for one turn."""
    areas, nippur, grown = record
    return AREA_POINTS * areas + NIPPUR_POINTS * nippur + sum(GROWTH_POINTS[len(goods)] for _, goods in grown)


def majorities(state: State) -> list[tuple[int, int, int]]:
    """Return the places that score at the end as (place, seat with strictly the most workers, points) (end-2, end-3)."""
    found = []
    for place, points in END_POINTS.items():
        counts = [state.workers[seat * SPOTS + place] for seat in range(SEATS)]
        most = max(counts)
        if most and counts.count(most) == 1:
            found.append((place, counts.index(most), points))
    return found


def derivation(state: State, seat: int) -> Derivation:
    """Return a seat's points turn by turn, including the majorities once the game is over."""
    rounds = []
    for turn in range(len(state.records) // SEATS):
        areas, nippur, grown = state.records[turn * SEATS + seat]
        lines = []
        if areas:
            lines.append(ScoreLine("areas", AREA_POINTS * areas, RULE + "points-1", {"army": areas}))
        if nippur:
            lines.append(ScoreLine("nippur", NIPPUR_POINTS * nippur, RULE + "points-2", {"army": nippur}))
        for area, goods in grown:
            pieces = {AREAS[area]: 1, GOODS[WOOD]: GROWTH_WOOD} | {GOODS[good]: 1 for good in goods}
            lines.append(ScoreLine("growth", GROWTH_POINTS[len(goods)], RULE + "growth-2", pieces))
        rounds.append((f"turn_{turn + 1}", tuple(lines)))
    if state.phase == END:
        won = [(place, points) for place, winner, points in majorities(state) if winner == seat]
        rounds.append(("closing", tuple(ScoreLine("majority", points, RULE + "end-2", {PLACES[place]: 1}) for place, points in won)))
    return tuple(rounds)


def outcome(state: State) -> Outcome | None:
    """Return places, points and derivations at the end, otherwise None.

    Most points win; the order of play set after the last turn breaks ties (end-1, end-4).
    """
    if state.phase != END:
        return None
    ranked = sorted(range(SEATS), key=lambda seat: (-state.scores[seat], state.order.index(seat)))
    places = tuple(ranked.index(seat) + 1 for seat in range(SEATS))
    tied = state.scores[ranked[0]] == state.scores[ranked[1]]
    return Outcome(places, tuple(state.scores), "order" if tied else "points", tuple(derivation(state, seat) for seat in range(SEATS)))
