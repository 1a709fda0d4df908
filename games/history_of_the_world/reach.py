"""Where the active armies can go: over land and fords, through barren land, over seas and oceans (history_of_the_world#conquest-1, #reach)."""

from __future__ import annotations

from functools import lru_cache

from games.history_of_the_world.components import BARREN, BORDERS, COVERED, LAND, LINKS, WATER, ZONES
from games.history_of_the_world.state import State, all_armies, provinces_in


@lru_cache(maxsize=4096)
def chains(zones: int) -> tuple[tuple[int, bool], ...]:
    """Return the chains that discs on some zones form: (provinces that they join, whether a fleet is needed) (reach-1 .. reach-3).

    Chains of caravans alone come first; a chain that includes water needs a fleet.
    """
    covered = zones
    for zone in provinces_in(zones):
        covered |= COVERED[zone]
    found = [(_coasts(group), False) for group in _groups(covered & BARREN)]
    found += [(_coasts(group), True) for group in _groups(covered) if group & WATER]
    return tuple(found)


def _groups(zones: int) -> list[int]:
    """Return the connected parts of some zones."""
    groups = []
    while zones:
        group, edge = 0, zones & -zones
        while edge:
            group |= edge
            nearby = 0
            for zone in provinces_in(edge):
                nearby |= LINKS[zone]
            edge = nearby & zones & ~group
        groups.append(group)
        zones &= ~group
    return groups


def _coasts(group: int) -> int:
    coasts = 0
    for zone in provinces_in(group):
        coasts |= BORDERS[zone]
    return coasts


@lru_cache(maxsize=32768)
def neighbours(provinces: int) -> int:
    """Return all provinces that share a border or a ford with any of these (conquest-1)."""
    found = 0
    for province in provinces_in(provinces):
        found |= LAND[province]
    return found


@lru_cache(maxsize=32768)
def reach(armies: int, zones: int) -> tuple[int, int]:
    """Return where armies can go by land or caravan, and where by fleet, without their own provinces."""
    land, fleet = neighbours(armies), 0
    for coasts, is_fleet in chains(zones):
        if coasts & armies:
            if is_fleet:
                fleet |= coasts
            else:
                land |= coasts
    return land & ~armies, fleet & ~armies


def targets(state: State) -> tuple[int, int]:
    """Return where the active seat can conquer by land or caravan, and where by fleet; a raid continues to defended neighbours."""
    land, fleet = reach(state.active_armies, state.zones)
    if state.raid_base >= 0:
        land |= neighbours(1 << state.raid_base) & all_armies(state) & ~state.armies[state.active] & ~state.active_armies
    return land, fleet


def zones_of(mask: int) -> list[str]:
    """Return the names of some zones."""
    return [name for index, name in enumerate(ZONES) if mask >> index & 1]
