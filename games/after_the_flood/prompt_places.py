"""Places on the board that a question rules out, with the reason (build-2, place-4, trade-1, expand-2)."""

from __future__ import annotations

from games.after_the_flood import legality
from games.after_the_flood import prompt_phrases as phrases
from games.after_the_flood.actions import (
    BUILDS,
    DESTRUCTIONS,
    GROWTHS,
    INVASIONS,
    PLACINGS,
    REINFORCEMENTS,
    RELOCATIONS,
    SCRIBE_MOVES,
    SPOT_NAMES,
)
from games.after_the_flood.components import (
    AREA_OF,
    AREAS,
    AVAILABLE,
    BOXES,
    FIRST_OTHER,
    GOOD_OF,
    PLACE_OF,
    SCRIBES,
    SPOTS,
    SUMER,
    TARGETS,
    USED_SCRIBES,
    USED_TOOL_MAKERS,
)
from games.after_the_flood.prompt_facts import phrase
from games.after_the_flood.prompt_why import because_of, why_no_trade
from games.after_the_flood.state import GROWING, HOMING, TRADING, State, areas_of
from games.core.contract import Option, Phrase

_AREA_VERBS = ("build", "relocate", "trade", "invade", "destroy", "reinforce", "refound")


def area_target(area: int) -> str:
    """Return the target of an area."""
    return f"area-{AREAS[area]}"


def spot_target(spot: int) -> str:
    """Return the target of a place for workers, or of the available workers."""
    name = SPOT_NAMES[spot]
    return name if spot == AVAILABLE else f"box-{name}" if name in BOXES else f"area-{name}"


def is_beside_map(option: Option) -> bool:
    """Return whether an option is a box, or the available workers: on a phone these are out of sight, so they are always listed."""
    return option.target is not None and (option.target == SPOT_NAMES[AVAILABLE] or option.target.startswith("box-"))


def is_on_board(state: State, node: str, first: str) -> bool:
    """Return whether the options of a question are places on the board; `first` is the text of the first option."""
    if not node:
        return state.phase in (HOMING, GROWING) or (state.phase == TRADING and first.startswith("trade "))
    words = node.split(" ")
    if words[0] == "relocate":
        return True
    return (words[0] in _AREA_VERBS and len(words) == 1) or (words[0] == "place" and len(words) == 2) or words[0] == "scribe"


def closed_of(state: State, node: str, targets: list[str | None]) -> dict[str, Phrase]:
    """Return why the places not among `targets` are not possible in a question about places."""
    words = node.split(" ")
    if not node:
        found = _traders(state) if state.phase == TRADING else _growing(state)
    elif words[0] in ("build", "relocate"):
        found = _cities(state, words)
    elif words[0] == "place":
        found = _placing(state, GOOD_OF[words[1]])
    elif words[0] == "scribe":
        found = _scribe(state, words)
    elif words[0] == "trade":
        found = _traders(state)
    else:
        found = _expansions(state, words[0])
    return {target: why for target, why in found.items() if why is not None and target not in targets}


Reasons = dict[str, Phrase | None]


def _cities(state: State, words: list[str]) -> Reasons:
    not_sumer = phrase(phrases.CLOSED_NOT_SUMER, "build-1")
    found: Reasons = {area_target(area): not_sumer for area in range(FIRST_OTHER, len(AREAS))}
    for area in range(len(SUMER)):
        if words == ["relocate"]:
            target = next(iter(areas_of(legality.free_areas(state, state.active))))
            found[area_target(area)] = because_of(state, RELOCATIONS[area][target])
        elif words[0] == "relocate":
            found[area_target(area)] = because_of(state, RELOCATIONS[AREA_OF[words[1]]][area])
        else:
            found[area_target(area)] = because_of(state, BUILDS[area])
    return found


def _no_workers() -> Reasons:
    """Return the places where workers are never placed (place-2, place-4)."""
    no_workers, used = phrase(phrases.CLOSED_NO_WORKERS, "place-4"), phrase(phrases.CLOSED_USED_SIDE, "place-2")
    found: Reasons = {area_target(area): no_workers for area in range(len(SUMER))}
    return found | {spot_target(box): used for box in (USED_SCRIBES, USED_TOOL_MAKERS)}


def _placing(state: State, good: int) -> Reasons:
    return _no_workers() | {spot_target(place): because_of(state, PLACINGS[good][place][0]) for place in TARGETS}


def _scribe(state: State, words: list[str]) -> Reasons:
    found = _no_workers()
    if len(words) == 1:
        for spot in range(SPOTS + 1):
            target = next(target for target in TARGETS if target not in (spot, SCRIBES))
            found[spot_target(spot)] = because_of(state, SCRIBE_MOVES[spot][target])
        return found
    source = AVAILABLE if words[1] == SPOT_NAMES[AVAILABLE] else PLACE_OF[words[1]]
    for target in (*TARGETS, AVAILABLE):
        if source == USED_SCRIBES and target == SCRIBES:
            found[spot_target(target)] = phrase(phrases.CLOSED_SCRIBE_BACK, "scribes-7")
        else:
            found[spot_target(target)] = because_of(state, SCRIBE_MOVES[source][target])
    return found | {spot_target(source): phrase(phrases.CLOSED_SAME_PLACE, "scribes-3")}


def _traders(state: State) -> Reasons:
    found: Reasons = {area_target(area): phrase(phrases.CLOSED_SELLS_NOTHING, "trade-3") for area in range(len(AREAS))}
    return found | {area_target(place + FIRST_OTHER): why_no_trade(state, place) for place in legality.SELLERS}


def _growing(state: State) -> Reasons:
    own = areas_of(state.cities[state.active])
    return {area_target(area): because_of(state, GROWTHS[area][()]) for area in own}


def _expansions(state: State, verb: str) -> Reasons:
    if verb == "destroy":
        found: Reasons = {area_target(area): phrase(phrases.CLOSED_NOT_SUMER, "build-1") for area in range(FIRST_OTHER, len(AREAS))}
        return found | {area_target(area): because_of(state, DESTRUCTIONS[area]) for area in range(len(SUMER))}
    if verb == "refound":
        return {}
    actions = INVASIONS if verb == "invade" else REINFORCEMENTS
    return {area_target(area): because_of(state, actions[area]) for area in range(len(AREAS))}
