"""Points and places of History of the World (history_of_the_world#score, #end)."""

from __future__ import annotations

from typing import Final

from games.core.contract import Outcome, ScoreLine
from games.history_of_the_world.components import EVENTS, REGION_MASKS, REGIONS, TILES
from games.history_of_the_world.state import END, State, TurnRecord, icons_in

RULE: Final = "history_of_the_world#"
Derivation = tuple[tuple[str, tuple[ScoreLine, ...]], ...]
LEVELS: Final = ("presence", "dominance", "control")
CAPITAL_POINTS: Final = 2  # score-3; cities and monuments are worth a point each


def level_in(state: State, seat: int, region: int) -> int:
    """Return a seat's level in a region: 0 none, 1 presence, 2 dominance, 3 control (score-1)."""
    mask = REGION_MASKS[region]
    own = (state.armies[seat] & mask).bit_count()
    if not own:
        return 0
    rivals = max((state.armies[other] & mask).bit_count() for other in range(state.seats) if other != seat)
    if own >= 3 and not rivals:
        return 3
    return 2 if own >= 2 and own > rivals else 1


def record_of(state: State, seat: int, icons: int = 0, plunder: int = 0) -> TurnRecord:
    """Return what the current map would score for a seat in this epoch (score-1 .. score-4)."""
    own = state.armies[seat]
    levels = "".join([str(level_in(state, seat, region)) if own & mask else "0" for region, mask in enumerate(REGION_MASKS)])
    counts = [(own & mask).bit_count() for mask in (state.capitals, state.cities, state.monuments)]
    return (state.epoch, levels, *counts, icons, plunder, 0)  # type: ignore[return-value]


def icon_points(state: State) -> int:
    """Return the points of improvements that count resource icons (events-1)."""
    points = 0
    for event in state.turn_events:
        if EVENTS[event].effect == "points_for_icons":
            params = EVENTS[event].params
            points += min(params["max"], icons_in(state.active_armies) // params["per"])
    return points


def turn_record(state: State) -> TurnRecord:
    """Return the points of the active seat's turn: the map, improvements that score, ruins that have already moved the marker."""
    return record_of(state, state.active, icon_points(state), state.plunder)


def points_of(record: TurnRecord) -> int:
    """Return the points of one turn."""
    epoch, levels, capitals, cities, monuments, icons, plunder, shift = record
    points = CAPITAL_POINTS * capitals + cities + monuments + icons + plunder + shift
    for tile, level in zip(TILES[epoch], levels, strict=True):
        if tile is not None and level != "0":
            points += tile[int(level) - 1]
    return points


def lines_of(record: TurnRecord) -> tuple[ScoreLine, ...]:
    """Return the points of one turn line by line."""
    epoch, levels, capitals, cities, monuments, icons, plunder, shift = record
    lines = [
        ScoreLine(LEVELS[int(level) - 1], tile[int(level) - 1], RULE + "score-1", {region: 1})
        for region, tile, level in zip(REGIONS, TILES[epoch], levels, strict=True)
        if tile is not None and level != "0"
    ]
    for key, piece, count, each in (
        ("capitals", "capital", capitals, CAPITAL_POINTS),
        ("cities", "city", cities, 1),
        ("monuments", "monument", monuments, 1),
    ):
        if count:
            lines.append(ScoreLine(key, count * each, RULE + "score-3", {piece: count}))
    for key, points, anchor in (("icons", icons, "events-1"), ("plunder", plunder, "ruin-4"), ("shift", shift, "score-6")):
        if points:
            lines.append(ScoreLine(key, points, RULE + anchor))
    return tuple(lines)


def derivation(state: State, seat: int) -> Derivation:
    """Return a seat's points epoch by epoch; the first round is the starting space of its marker (setup-1)."""
    if not state.starts[seat]:
        return ()
    start = ("start", (ScoreLine("start", state.starts[seat], RULE + "setup-1"),))
    return (start, *((f"epoch_{record[0]}", lines_of(record)) for record in state.records[seat]))


def outcome(state: State) -> Outcome | None:
    """Return places, points and derivations at the end, otherwise None. No two seats have the same points (end-1)."""
    if state.phase != END:
        return None
    places = tuple(1 + sum(other > score for other in state.scores) for score in state.scores)
    return Outcome(places, tuple(state.scores), "points", tuple(derivation(state, seat) for seat in range(state.seats)))
