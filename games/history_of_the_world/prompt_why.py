"""Why something is not possible now: questions a player might ask, and closed places on the board (history_of_the_world#turn-2)."""

from __future__ import annotations

from games.core.asking import WhyNot, answered
from games.core.contract import Phrase
from games.history_of_the_world import draft, reach, refusals, turns
from games.history_of_the_world import prompt_phrases as phrases
from games.history_of_the_world.actions import KEEP, PLAYS, SIEGES, Action
from games.history_of_the_world.components import EVENTS, PROVINCES
from games.history_of_the_world.phrases import VOICE
from games.history_of_the_world.prompt_choices import province_target
from games.history_of_the_world.prompt_facts import kingdom_held, phrase
from games.history_of_the_world.state import (
    AFTER,
    CONQUEST,
    FINISH,
    MONUMENT,
    NO_CARD,
    PASSING,
    PREPARE,
    SIEGE,
    State,
    fort_pieces,
    provinces_in,
)


def because_of(state: State, seat: int, action: Action) -> Phrase | None:
    """Return why a due seat may not do `action`; None if it may."""
    return VOICE.why(refusals.check, state, seat, action)


def why_not(state: State, seat: int) -> list[WhyNot]:
    """Return what the player might look for in the first question of a phase, and why it is not there."""
    phase = state.phase
    found: list[WhyNot] = []
    if phase == CONQUEST:
        found += _why_no_conquest(state)
    if phase in (PREPARE, CONQUEST, AFTER, FINISH):
        found += _why_no_cards(state, seat)
    if phase == PASSING and seat not in draft.lacking(state):
        found += answered(phrase(phrases.WHY_KEEP), because_of(state, seat, KEEP))
    if phase == SIEGE:
        found += answered(phrase(phrases.WHY_SIEGE_ARMY), because_of(state, seat, SIEGES["army"]))
        found += answered(phrase(phrases.WHY_SIEGE_TOKEN), because_of(state, seat, SIEGES["token"]))
    return found


def _why_no_conquest(state: State) -> list[WhyNot]:
    if not state.card_armies:
        return [(phrase(phrases.WHY_CONQUER), VOICE.refused("no_army_on_card", "conquest-3"))]
    found: list[WhyNot] = []
    if not any(reach.targets(state)):
        found.append((phrase(phrases.WHY_CONQUER), phrase(phrases.BECAUSE_NO_REACH, "conquest-1")))
    if not turns.fort_sites(state):
        is_full = not fort_pieces(state)
        answer = VOICE.refused("no_fort_left", "limits-1") if is_full else phrase(phrases.BECAUSE_ALL_FORTS, "forts-2")
        found.append((phrase(phrases.WHY_FORT), answer))
    return found


def _why_no_cards(state: State, seat: int) -> list[WhyNot]:
    improvements = [card for card in state.hands[seat] if EVENTS[card].realm is None]
    if state.kingdom != NO_CARD:
        return [(phrase(phrases.WHY_IMPROVEMENTS), VOICE.refused("kingdom_acts", "kingdom-4"))] if improvements else []
    found: list[WhyNot] = []
    if state.phase != PREPARE and kingdom_held(state, seat):
        name = EVENTS[turns.kingdom_in_hand(state, seat)].name
        found.append((phrase(phrases.WHY_KINGDOM, card=name), VOICE.refused("kingdom_not_improvement", "kingdom-1", card=name)))
    for card in improvements:
        found += answered(phrase(phrases.WHY_CARD, card=EVENTS[card].name), because_of(state, seat, PLAYS[card]))
    return found


# Places of the board


def closed_of(state: State, seat: int, node: str, targets: list[str | None]) -> dict[str, Phrase]:
    """Return why provinces not among `targets` are not possible in a question about places."""
    found: dict[str, Phrase] = {}
    if not node and state.phase == CONQUEST:
        for province in range(len(PROVINCES)):
            is_held = state.active_armies >> province & 1
            reason, anchor = ("held_already", "conquest-2") if is_held else ("out_of_reach", "conquest-1")
            found[province_target(province)] = VOICE.refused(reason, anchor, province=PROVINCES[province])
    elif node == "fort":
        for province in range(len(PROVINCES)):
            is_active = state.active_armies >> province & 1
            reason = "fort_there" if is_active else "no_active_army"
            found[province_target(province)] = VOICE.refused(reason, "forts-2", province=PROVINCES[province])
    elif state.phase == MONUMENT:
        for province in provinces_in(state.armies[seat]):
            found[province_target(province)] = VOICE.refused("no_monument_site", "monuments-2", province=PROVINCES[province])
    return {target: why for target, why in found.items() if target not in targets}
