"""Why an action is not allowed now: the reason and the paragraph of the rule book that says so."""

from __future__ import annotations

from typing import Any, Final, NoReturn

from games.core.contract import CHANCE, SCORER, IllegalAction
from games.history_of_the_world import draft, improvements, legality, reach
from games.history_of_the_world.actions import RULE, Action, Chance, Conquer, Deal, Draw, OnProvince, Order, Play, Roll, Siege, Take, Zone
from games.history_of_the_world.battles import dice_count
from games.history_of_the_world.components import EMPIRES, EMPIRES_BY_EPOCH, EVENTS, EVENTS_BY_EPOCH, PROVINCES, ZONES
from games.history_of_the_world.state import (
    AFTER,
    BRINGING,
    COLLISION,
    CONQUEST,
    DEALING,
    DRAFT,
    DRAWING,
    EFFECT,
    END,
    EVENT_PILE,
    MONUMENT,
    NO_CARD,
    PASSING,
    POSTING,
    PREPARE,
    REROLL,
    REROLLING,
    ROLLING,
    RUINING,
    SCORING,
    SIEGE,
    START,
    STARTING,
    WON,
    State,
    fort_pieces,
)
from games.history_of_the_world.state import FINISH as FINISHING

_CHANCE: Final = {"order": START, "deal": DEALING, "draw": DRAWING, "roll": ROLLING, "again": REROLL}
_WAITING: Final = {  # phase -> (reason for any other action, paragraph)
    DRAFT: ("draft_first", "draft-2"),
    PASSING: ("pass_on_first", "draft-8"),
    PREPARE: ("found_first", "found-1"),
    BRINGING: ("bring_first", "found-5"),
    STARTING: ("start_first", "found-6"),
    CONQUEST: ("conquest_now", "conquest-3"),
    REROLLING: ("reroll_first", "battle-6"),
    SIEGE: ("siege_first", "battle-4"),
    WON: ("occupy_first", "abilities-2"),
    RUINING: ("ruin_first", "ruin-1"),
    POSTING: ("post_first", "abilities-2"),
    EFFECT: ("effect_first", "events-1"),
    AFTER: ("after_first", "forts-3"),
    MONUMENT: ("monument_first", "monuments-1"),
    FINISHING: ("finish_first", "score-5"),
    COLLISION: ("collision_first", "score-6"),
    START: ("chance_first", "setup-1"),
    DEALING: ("chance_first", "setup-2"),
    DRAWING: ("chance_first", "draft-8"),
    ROLLING: ("chance_first", "battle-1"),
    REROLL: ("chance_first", "battle-6"),
    SCORING: ("scoring_first", "score-5"),
}


def refuse(reason: str, anchor: str, **params: Any) -> NoReturn:
    """Raise IllegalAction with a reason and its paragraph."""
    raise IllegalAction(f"refused.{reason}", RULE + anchor, **params)


def check(state: State, actor: int, action: Action) -> None:
    """Raise IllegalAction, with the paragraph that forbids it, unless `actor` may do `action` now."""
    phase = state.phase
    if phase == END:
        refuse("finished", "end-1")
    if isinstance(action, Chance):
        _check_chance(state, actor, action)
        return
    if action.verb == "score":
        if actor != SCORER or phase != SCORING:
            refuse("not_scoring", "score-5")
        return
    due = legality.due_seats(state)
    if actor not in due:
        if not due:
            refuse(*_WAITING[phase])
        refuse("not_your_turn", "turn-1", seat=due[0])
    if action in legality.legal_actions(state, actor):
        return
    _explain(state, actor, action)


def _check_chance(state: State, actor: int, action: Chance) -> None:
    if actor != CHANCE:
        refuse("not_by_hand", "battle-1")
    if state.phase != _CHANCE[action.verb]:
        refuse("no_chance_now", "turn-2")
    if isinstance(action, Order) and len(action.seats) != state.seats:
        refuse("chance_count", "setup-1", n=state.seats)
    if isinstance(action, Roll) and len(action.dice) != dice_count(state):
        refuse("chance_count", "defence-3", n=dice_count(state))
    if isinstance(action, Deal):
        empires, events = EMPIRES_BY_EPOCH[state.epoch], EVENTS_BY_EPOCH[state.epoch]
        if not len(action.empires) == len(action.events) == state.seats:
            refuse("chance_count", "setup-2", n=2 * state.seats)
        if not set(action.empires) <= set(empires) or not set(action.events) <= set(events):
            refuse("card_not_there", "setup-2", n=len(empires) + len(events))
    if isinstance(action, Draw):
        pile, is_event = draft.pile_to_draw(state)
        if action.is_event != is_event or action.card not in pile:
            refuse("card_not_there", "draft-8", n=len(pile))


def _explain(state: State, seat: int, action: Action) -> NoReturn:
    verb, phase = action.verb, state.phase
    if verb == "guard":
        if phase in legality.GUARD_PHASES:
            refuse("guard_as_before", "battle-7")
        refuse("guard_not_now", "battle-7")
    if isinstance(action, Take) and phase == DRAFT:
        if not draft.pile_of(state, seat):
            refuse("look_first", "draft-3")
        is_events = draft.pile_of(state, seat) == EVENT_PILE
        refuse("other_pile" if action.is_event != is_events else "card_not_in_pile", "draft-1")
    if isinstance(action, Play):
        _explain_play(state, seat, action.card)
    if isinstance(action, OnProvince):
        _explain_province(state, seat, action)
    if verb == "kingdom" and phase == PREPARE:
        refuse("no_kingdom", "kingdom-1")
    if isinstance(action, Siege) and phase == SIEGE:
        refuse("no_army_on_card" if action.piece == "army" else "no_token", "siege-4")
    if isinstance(action, Zone) and phase == EFFECT:
        refuse("not_for_zone", "events-1", card=EVENTS[state.effect_card].name, zone=ZONES[action.zone])
    if phase == PASSING and verb in ("keep", "give"):
        refuse("has_card_already", "draft-8")
    refuse(*_WAITING[phase])


def _explain_province(state: State, seat: int, action: OnProvince) -> None:
    verb, phase, province = action.verb, state.phase, action.province
    if isinstance(action, Conquer) and phase == CONQUEST:
        _explain_conquest(state, province, action.by_fleet)
    if verb == "fort" and phase in (CONQUEST, AFTER, EFFECT):
        _explain_fort(state, province)
    if verb == "monument" and phase == MONUMENT:
        refuse("no_monument_site", "monuments-2", province=PROVINCES[province])
    if verb in ("target", "city") and phase == EFFECT:
        refuse("not_for_effect", "events-1", card=EVENTS[state.effect_card].name, province=PROVINCES[province])
    if verb == "bring" and phase == BRINGING:
        refuse("no_own_army", "found-5", province=PROVINCES[province])
    if verb == "start" and phase == STARTING:
        refuse("no_start", "found-6", province=PROVINCES[province], empire=EMPIRES[state.empires[seat]].name)


def _explain_play(state: State, seat: int, card: int) -> None:
    name = EVENTS[card].name
    if card not in state.hands[seat]:
        refuse("card_not_held", "events-2", card=name)
    if EVENTS[card].realm is not None:
        refuse("kingdom_not_improvement", "kingdom-1", card=name)
    if state.kingdom != NO_CARD:
        refuse("kingdom_acts", "kingdom-4")
    if not improvements.is_window(state):
        refuse("not_now", "events-1")
    found = improvements.why_not(state, card)
    if found is not None:
        refuse(found[0], found[1], card=name)


def _explain_conquest(state: State, province: int, by_fleet: bool) -> NoReturn:
    name = PROVINCES[province]
    if not state.card_armies:
        refuse("no_army_on_card", "conquest-3")
    if state.active_armies >> province & 1:
        refuse("held_already", "conquest-2", province=name)
    _, fleet = reach.targets(state)
    if by_fleet:
        refuse("no_fleet_there", "reach-1", province=name)
    refuse("only_by_fleet" if fleet >> province & 1 else "out_of_reach", "conquest-1", province=name)


def _explain_fort(state: State, province: int) -> NoReturn:
    name = PROVINCES[province]
    if not fort_pieces(state):
        refuse("no_fort_left", "limits-1")
    if not state.active_armies >> province & 1:
        refuse("no_active_army", "forts-2", province=name)
    if state.forts >> province & 1:
        refuse("fort_there", "forts-2", province=name)
    if state.phase == CONQUEST:
        refuse("no_army_on_card", "forts-1")
    refuse("no_fort_given", "forts-3")
