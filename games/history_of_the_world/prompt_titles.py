"""What is asked, and what helps with the answer (history_of_the_world#turn-2)."""

from __future__ import annotations

from typing import Final

from games.core.contract import Phrase
from games.history_of_the_world import battles, draft, reach, turns
from games.history_of_the_world import prompt_phrases as phrases
from games.history_of_the_world.components import EMPIRES, EVENTS, GUARDS, PROVINCES
from games.history_of_the_world.prompt_facts import kingdom_held, phrase, points_now
from games.history_of_the_world.state import (
    AFTER,
    BRINGING,
    COLLISION,
    CONQUEST,
    DRAFT,
    EFFECT,
    EVENT_PILE,
    FINISH,
    MONUMENT,
    PASSING,
    POSTING,
    PREPARE,
    REROLLING,
    RUINING,
    SIEGE,
    STARTING,
    WON,
    State,
)


def title_of(state: State, seat: int, node: str) -> Phrase:
    """Return what is asked."""
    if node:
        return _title_below(state, node)
    phase = state.phase
    if phase == DRAFT:
        pile = draft.pile_of(state, seat)
        if not pile:
            return phrase(phrases.ASK_LOOK, "draft-3")
        return phrase(phrases.ASK_EVENT if pile == EVENT_PILE else phrases.ASK_EMPIRE, "draft-1")
    if phase == PASSING:
        text = phrases.ASK_PASSING if seat in draft.lacking(state) else phrases.ASK_MUST_GIVE
        return phrase(text, "draft-8", card=drawn_card(state))
    if phase == PREPARE:
        text = phrases.ASK_PREPARE_KINGDOM if kingdom_held(state, seat) else phrases.ASK_PREPARE
        return phrase(text, "turn-2", empire=EMPIRES[state.empires[seat]].name)
    if phase == CONQUEST:
        if not state.card_armies:
            return phrase(phrases.ASK_NO_ARMIES, "events-1")
        if not any(reach.targets(state)):
            return phrase(phrases.ASK_CONQUEST, "conquest-3", n=state.card_armies)
        return phrase(phrases.ASK_CONQUER, "conquest-1", n=state.card_armies)
    if phase == REROLLING:
        attack, defence = battles.strengths(state)
        return phrase(phrases.ASK_REROLL, "battle-6", province=PROVINCES[state.target], n=attack, m=defence)
    if phase == EFFECT:
        event = EVENTS[state.effect_card]
        return phrase(_EFFECT_TITLES.get(event.effect, phrases.ASK_TARGET), "events-1", card=event.name)
    if phase == COLLISION:
        return phrase(phrases.ASK_COLLISION, "score-6", n=state.scores[seat])
    text, anchor = _TITLES[phase]
    return phrase(text, anchor, province=PROVINCES[state.target])


_EFFECT_TITLES: Final = {
    "add_zone": phrases.ASK_ZONE,
    "build_forts": phrases.ASK_EFFECT_FORT,
    "build_cities": phrases.ASK_EFFECT_CITY,
}
_TITLES: Final = {
    BRINGING: (phrases.ASK_BRING, "found-5"),
    STARTING: (phrases.ASK_START, "found-6"),
    SIEGE: (phrases.ASK_SIEGE, "battle-4"),
    WON: (phrases.ASK_WON, "abilities-2"),
    RUINING: (phrases.ASK_RUIN, "ruin-1"),
    POSTING: (phrases.ASK_POST, "abilities-2"),
    AFTER: (phrases.ASK_AFTER, "forts-3"),
    MONUMENT: (phrases.ASK_MONUMENT, "monuments-2"),
    FINISH: (phrases.ASK_FINISH, "events-1"),
}


def _title_below(state: State, node: str) -> Phrase:
    words = node.split(" ")
    if words[0] == "conquer":
        return phrase(phrases.ASK_WAY, "reach-4", province=words[1])
    text, anchor = _TITLES_BELOW[words[0]]
    return phrase(text, anchor)


_TITLES_BELOW: Final = {
    "fort": (phrases.ASK_FORT, "forts-2"),
    "city": (phrases.ASK_CITY, "forts-3"),
    "guard": (phrases.ASK_GUARD, "battle-7"),
}


def drawn_card(state: State) -> str:
    """Return the card drawn in the classic draft (draft-8)."""
    return (EVENTS if state.step < state.seats else EMPIRES)[state.chosen].name


def hint_of(state: State, seat: int, node: str) -> Phrase | None:
    """Return what helps with the answer."""
    if node == "guard":
        return phrase(phrases.HINT_GUARD, "battle-7", guard=GUARDS[state.guards[seat]])
    if node:
        return None
    phase = state.phase
    if phase == DRAFT and draft.pile_of(state, seat):
        pile = state.pile_events if draft.pile_of(state, seat) == EVENT_PILE else state.pile_empires
        return phrase(phrases.HINT_DRAFT, "draft-2", n=len(pile))
    if phase == PASSING:
        return phrase(phrases.HINT_PASSING, "draft-8", seats=list(draft.lacking(state)))
    if phase == PREPARE and kingdom_held(state, seat):
        return phrase(phrases.HINT_KINGDOM, "kingdom-1", card=EVENTS[turns.kingdom_in_hand(state, seat)].name)
    if phase == CONQUEST:
        return phrase(phrases.HINT_CARD, "conquest-3", tokens=state.tokens, points=points_now(state, seat))
    if phase == REROLLING:
        return phrase(phrases.HINT_REROLLS, "battle-6", n=state.attack_rerolls, m=state.defence_rerolls)
    if phase == SIEGE:
        return phrase(phrases.HINT_SIEGE, "siege-4", n=state.card_armies, tokens=state.tokens)
    if phase == EFFECT:
        return phrase(phrases.HINT_EFFECT, "events-1", n=state.effect_left)
    if phase == MONUMENT:
        return phrase(phrases.HINT_MONUMENTS, "monuments-2", n=state.monuments_left)
    return None
