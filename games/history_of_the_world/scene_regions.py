"""What an extra army would change in a region, and what the next level there takes (history_of_the_world#score-1)."""

from __future__ import annotations

from typing import Final

from games.core.contract import Phrase
from games.core.phrases import N_
from games.history_of_the_world.components import REGION_MASKS, TILES
from games.history_of_the_world.scoring import LEVELS, level_in
from games.history_of_the_world.state import State

RULE: Final = "history_of_the_world#score-1"
ONE_MORE: Final = N_("With another of your armies here: {level:noun}, {points:signed}.")
ONE_MORE_SAME: Final = N_("With another of your armies here: no change in level.")
IN_PLACE: Final = N_("With one of {seat:name}'s armies replaced by yours: {level:noun}, {points:signed}.")
IN_PLACE_SAME: Final = N_("No province is free here, and replacing one rival army doesn't change your level.")
FOR_DOMINANCE: Final = N_("The next level ({level:noun}) needs two armies and more than any rival has. Armies still needed: {n}.")
FOR_CONTROL: Final = N_(
    "The next level ({level:noun}) needs three armies and no rival armies. Armies still needed: {n}; rival armies: {m}."
)


def steps(state: State, seat: int, region: int) -> list[Phrase]:
    """Return what an extra army of a seat changes in a region, given the others there, and what its next level takes.

    Empty for a region without a tile, and at the highest level.
    """
    tile, level = TILES[state.epoch][region], level_in(state, seat, region)
    if tile is None or level == len(LEVELS):
        return []
    mask = REGION_MASKS[region]
    standing = [(armies & mask).bit_count() for armies in state.armies]
    free = mask & ~_union(state.armies)
    with_one = level_in(_with(state, seat, free & -free), seat, region) if free else level
    found = []
    if with_one != level:
        found.append(_step(ONE_MORE, tile, level, with_one))
    elif free:
        found.append(Phrase(ONE_MORE_SAME, {}, RULE))
    best, rival = max(
        ((_taken(state, seat, other, region), -other) for other, n in enumerate(standing) if n and other != seat), default=(0, 0)
    )
    if best > with_one:
        found.append(_step(IN_PLACE, tile, level, best, seat=-rival))
    elif not free:
        found.append(Phrase(IN_PLACE_SAME, {}, RULE))
    own, rivals = standing[seat], [n for other, n in enumerate(standing) if other != seat]
    if level == 1 and with_one < 2:
        found.append(Phrase(FOR_DOMINANCE, {"level": LEVELS[1], "n": max(2, max(rivals) + 1) - own}, RULE))
    if level == 2 and with_one < 3:
        found.append(Phrase(FOR_CONTROL, {"level": LEVELS[2], "n": max(0, 3 - own), "m": sum(rivals)}, RULE))
    return found


def _step(text: str, tile: tuple[int, ...], level: int, new: int, **params: int) -> Phrase:
    before = tile[level - 1] if level else 0
    return Phrase(text, params | {"level": LEVELS[new - 1], "points": tile[new - 1] - before}, RULE)


def _union(masks: list[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _with(state: State, seat: int, province: int) -> State:
    new = state.copy()
    new.armies[seat] |= province
    return new


def _taken(state: State, seat: int, rival: int, region: int) -> int:
    """Return a seat's level after its army has replaced a rival's."""
    held = state.armies[rival] & REGION_MASKS[region]
    new = _with(state, seat, held & -held)
    new.armies[rival] &= ~(held & -held)
    return level_in(new, seat, region)
