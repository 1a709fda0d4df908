"""What the questions and previews of After the Flood read off a position."""

from __future__ import annotations

from typing import Final

from games.after_the_flood import empires, rules
from games.after_the_flood.actions import (
    Action,
    Trade,
)
from games.after_the_flood.components import (
    RATINGS,
    SCRIBES,
    SEATS,
    SOLD,
    SPOTS,
    TOOL_MAKERS,
    USED_SCRIBES,
    USED_TOOL_MAKERS,
)
from games.after_the_flood.phrases import VOICE
from games.after_the_flood.prompt_odds import hit_chance, percent
from games.after_the_flood.state import (
    State,
    army_count,
    army_owner,
    trader_count,
    value_of,
)
from games.core.contract import NO_SEAT

phrase: Final = VOICE.phrase
UNUSED_OF: Final = {SCRIBES: USED_SCRIBES, TOOL_MAKERS: USED_TOOL_MAKERS}


def after(state: State, action: Action) -> State:
    """Return a copy on which a legal action has been taken."""
    new = state.copy()
    rules.STEPS[type(action)](new, action, None)
    return new


def others_of(seat: int) -> tuple[int, int]:
    """Return the two other seats."""
    first, second = (other for other in range(SEATS) if other != seat)
    return first, second


def workers_at(state: State, seat: int, place: int) -> int:
    """Return the workers of a seat in a place; in a box with two sides, those on both."""
    at = seat * SPOTS
    count = state.workers[at + place]
    return count + (state.workers[at + UNUSED_OF[place]] if place in UNUSED_OF else 0)


def standing(state: State, seat: int, place: int) -> dict[str, int]:
    """Return the fields of a sentence that tells how many workers everybody has in a place."""
    first, second = others_of(seat)
    return {
        "n": workers_at(state, seat, place),
        "seat": first,
        "m": workers_at(state, first, place),
        "other": second,
        "k": workers_at(state, second, place),
    }


def rating_of(state: State, value: int) -> str:
    """Return the glossary id of the rating that a new empire would get with a value (equip-2)."""
    above = sum(1 for other in state.ranking if value_of(state.equipment, other) >= value)
    return f"rating_{RATINGS[above]}"


def exchanges_left(state: State, seat: int, place: int) -> int:
    """Return how many exchanges a seat can still make in an area in this action, without Sippar's (trade-2).

    Each takes a trader and a good not yet obtained there.
    """
    used = state.traded[place]
    return min(trader_count(state, seat, place) - (used & 7), len(SOLD[place]) - (used >> 3).bit_count())


def is_extra(state: State, action: Trade) -> bool:
    """Return whether an exchange is Sippar's extra one (trade-7)."""
    slot = SOLD[action.place].index(action.get)
    return exchanges_left(state, state.active, action.place) < 1 or bool(state.traded[action.place] >> (3 + slot) & 1)


def fight_at(state: State, area: int) -> dict[str, int]:
    """Return the fields of a sentence about an attack on an area that an enemy holds."""
    owner = army_owner(state, area)
    new = state.copy()
    new.target = area
    need = empires.needed(new)
    return {"seat": owner, "n": army_count(state, area), "need": need, "percent": percent(hit_chance(need))}


def is_held(state: State, area: int) -> bool:
    """Return whether somebody else's army is in an area."""
    return army_owner(state, area) not in (NO_SEAT, state.active)
