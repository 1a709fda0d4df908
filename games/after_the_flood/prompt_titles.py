"""What is asked, and what helps with the answer (act-2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.after_the_flood import prompt_phrases as phrases
from games.after_the_flood.actions import (
    SPOT_NAMES,
    Action,
    Place,
)
from games.after_the_flood.components import (
    AREAS,
    AVAILABLE,
    DECLINE_TURNS,
    EMPIRE_NAMES,
    KINDS,
    NEIGHBOURS,
    WOOD,
)
from games.after_the_flood.prompt_facts import others_of, phrase, rating_of
from games.after_the_flood.state import (
    ACTION,
    ATTACKING,
    BIDDING,
    EQUIPPING,
    EXPANDING,
    GARRISONING,
    GROWING,
    HOMING,
    MUSTERING,
    PAYING,
    PLACING,
    TRADING,
    State,
    army_count,
    army_owner,
    value_of,
)
from games.after_the_flood.turns import decline_of
from games.core.asking import Step
from games.core.contract import Phrase


def title_of(state: State, node: str, steps: Sequence[Step[Action]]) -> Phrase:
    """Return what is asked."""
    words = node.split(" ")
    verb = words[0]
    if not node:
        return _first_title(state, steps)
    if verb == "place":
        if len(words) == 2:
            return phrase(phrases.ASK_PLACE, "place-1", good=words[1])
        return phrase(phrases.ASK_COUNT, "place-3", place=words[2])
    if verb == "scribe" and len(words) > 1:
        text = phrases.ASK_SCRIBE_PLACE if words[1] == SPOT_NAMES[AVAILABLE] else phrases.ASK_SCRIBE_MOVE
        return phrase(text, "scribes-3", place=words[1])
    if len(words) > 1:
        text, anchor = _TITLES_TO[verb]
        return phrase(text, anchor, area=words[1])
    text, anchor = _TITLES[verb]
    return phrase(text, anchor)


_TITLES: Final = {
    "build": (phrases.ASK_BUILD, "build-1"),
    "relocate": (phrases.ASK_RELOCATE, "build-3"),
    "scribe": (phrases.ASK_SCRIBE, "scribes-1"),
    "trade": (phrases.ASK_TRADE, "trade-1"),
    "invade": (phrases.ASK_INVADE, "expand-2"),
    "destroy": (phrases.ASK_DESTROY, "destroy-1"),
    "reinforce": (phrases.ASK_REINFORCE, "expand-5"),
    "refound": (phrases.ASK_REFOUND, "expand-8"),
}
_TITLES_TO: Final = {
    "relocate": (phrases.ASK_RELOCATE_TO, "build-3"),
    "trade": (phrases.ASK_EXCHANGE, "trade-2"),
    "grow": (phrases.ASK_GROW_WITH, "growth-1"),
}


def _first_title(state: State, steps: Sequence[Step[Action]]) -> Phrase:
    phase, seat = state.phase, state.active
    if phase == PAYING:
        return phrase(phrases.ASK_PAY if len(steps) > 1 else phrases.ASK_CANNOT_PAY, "pass-3" if len(steps) > 1 else "pass-5")
    if phase == ACTION:
        if state.is_paid:
            return phrase(phrases.ASK_PAID, "pass-6")
        return phrase(phrases.ASK_TURN, "act-1") if len(steps) > 1 else phrase(phrases.ASK_ONLY_PASS, "act-3")
    if phase in (MUSTERING, EQUIPPING):
        empire = EMPIRE_NAMES[state.empires[seat]]
        return phrase(phrases.ASK_MUSTER if phase == MUSTERING else phrases.ASK_EQUIP, "found-6", empire=empire)
    if phase == GARRISONING:
        return phrase(phrases.ASK_GARRISON, "found-8", area=AREAS[state.target])
    if phase == ATTACKING:
        return phrase(phrases.ASK_ATTACK, "combat-4", seat=army_owner(state, state.target), area=AREAS[state.target])
    text, anchor = _FIRST_TITLES[phase]
    return phrase(text, anchor)


_FIRST_TITLES: Final = {
    PLACING: (phrases.ASK_PLACING, "scribes-1"),
    TRADING: (phrases.ASK_TRADING, "trade-1"),
    HOMING: (phrases.ASK_HOME, "found-4"),
    EXPANDING: (phrases.ASK_EXPAND_AGAIN, "expand-6"),
    BIDDING: (phrases.ASK_BID, "pass-2"),
    GROWING: (phrases.ASK_GROW, "growth-1"),
}


def hint_of(state: State, node: str, steps: Sequence[Step[Action]]) -> Phrase | None:
    """Return what helps with the answer."""
    if node:
        return None
    phase, seat = state.phase, state.active
    workers, armies = state.workers_available[seat], state.armies_available[seat]
    if phase in (ACTION, PAYING):
        if state.turn + 1 in DECLINE_TURNS:
            lost = sum(decline_of(state, seat).values())
        else:
            lost = 0
        if lost:
            return phrase(phrases.HINT_DECLINE, "decline-1", n=workers, m=armies, k=lost)
        return phrase(phrases.HINT_AVAILABLE, "turnend-2", n=workers, m=armies)
    if phase == PLACING:
        if not any(isinstance(step.action, Place) for step in steps):
            return phrase(phrases.HINT_PLACING_SCRIBES, "scribes-1", n=state.usable)
        if state.usable:
            return phrase(phrases.HINT_PLACING_BOTH, "scribes-6", n=state.usable)
        return phrase(phrases.HINT_PLACING_GOOD, "place-1")
    if phase in (MUSTERING, EQUIPPING):
        value = value_of(state.equipment, seat)
        return phrase(phrases.HINT_ARMIES, "equip-2", n=armies, m=value, rating=rating_of(state, value))
    if phase == GARRISONING:
        if any(mask >> state.target & 1 for mask in NEIGHBOURS):
            return phrase(phrases.HINT_GARRISON, "found-8")
        return phrase(phrases.HINT_GARRISON_SAFE, "expand-4")
    if phase == ATTACKING:
        return phrase(phrases.HINT_ATTACK, "combat-3", n=army_count(state, state.target), m=armies)
    if phase == EXPANDING:
        return phrase(phrases.HINT_EXPAND, "expand-6", n=armies, m=state.armies[seat].bit_count())
    if phase == BIDDING:
        first, second = others_of(seat)
        bids = [value_of(state.bids, other) for other in (seat, first, second)]
        return phrase(phrases.HINT_BIDS, "order-1", n=bids[0], seat=first, m=bids[1], other=second, k=bids[2])
    if phase == GROWING:
        return phrase(phrases.HINT_GROW, "growth-4", n=state.goods[seat * KINDS + WOOD])
    return None
