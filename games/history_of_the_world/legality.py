"""What is allowed in History of the World: the lists of actions (history_of_the_world#turn-2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.core.contract import SCORER
from games.history_of_the_world import draft, improvements, reach, turns
from games.history_of_the_world.actions import (
    ABILITIES,
    CONQUESTS,
    DONE,
    DOWN,
    FINISH,
    FOUND,
    GIVES,
    GUARD_ACTS,
    KEEP,
    KINGDOM,
    LOOKS,
    OCCUPY,
    ON_PROVINCES,
    PASS,
    PLAYS,
    POST,
    RAID,
    REROLL,
    RETREAT,
    RUIN,
    SCORE,
    SIEGES,
    SKIP,
    SPARE,
    TAKE_EMPIRES,
    TAKE_EVENTS,
    UP,
    ZONE_ACTS,
    Action,
)
from games.history_of_the_world.components import EVENTS
from games.history_of_the_world.state import (
    AFTER,
    BRINGING,
    COLLISION,
    CONQUEST,
    DRAFT,
    EFFECT,
    EVENT_PILE,
    MONUMENT,
    NO_CARD,
    PASSING,
    POSTING,
    PREPARE,
    REROLLING,
    RUINING,
    SCORING,
    SIEGE,
    STARTING,
    WON,
    State,
    can_forgo,
    provinces_in,
    realm_of,
)
from games.history_of_the_world.state import FINISH as FINISHING

GUARD_PHASES: Final = (DRAFT, PREPARE, CONQUEST)  # when a standing order may be changed
_GUARDS: Final = tuple([guard for guard in GUARD_ACTS if guard != kept] for kept in GUARD_ACTS)  # what each may be changed to (battle-7)


def due_seats(state: State) -> tuple[int, ...]:
    """Return the seats that are asked."""
    phase = state.phase
    if phase == DRAFT:
        return draft.drafters(state)
    if phase == PASSING:
        return (draft.classic_seat(state),)
    if phase == REROLLING:
        return (state.due,)
    return (state.active,) if phase <= COLLISION else ()


def legal_actions(state: State, actor: int) -> list[Action]:
    """Return every legal action of a due seat or the scorer, in a fixed order; [] for any other actor."""
    phase = state.phase
    if phase == SCORING:
        return [SCORE] if actor == SCORER else []
    if actor < 0 or actor not in due_seats(state):
        return []
    found = _LISTS[phase](state, actor)
    if phase in GUARD_PHASES:
        found += _GUARDS[state.guards[actor]]
    return found


def _draft(state: State, seat: int) -> list[Action]:
    pile = draft.pile_of(state, seat)
    if not pile:
        return [*LOOKS.values()]
    return [TAKE_EVENTS[card] for card in state.pile_events] if pile == EVENT_PILE else [TAKE_EMPIRES[card] for card in state.pile_empires]


def _passing(state: State, seat: int) -> list[Action]:
    takers = draft.lacking(state)
    return [*([KEEP] if seat in takers else []), *[GIVES[other] for other in takers if other != seat]]


def plays(state: State, seat: int) -> list[Action]:
    """Return the improvements that the active seat can play now (events-1)."""
    if not improvements.is_window(state):
        return []
    return [PLAYS[card] for card in state.hands[seat] if EVENTS[card].realm is None and improvements.why_not(state, card) is None]


def _prepare(state: State, seat: int) -> list[Action]:
    kingdom = [KINGDOM] if turns.kingdom_in_hand(state, seat) != NO_CARD else []
    return [*kingdom, *plays(state, seat), FOUND]


def _on(verb: str, mask: int) -> list[Action]:
    acts = ON_PROVINCES[verb]
    return [acts[province] for province in provinces_in(mask)]


def _bringing(state: State, seat: int) -> list[Action]:
    return _on("bring", state.armies[seat])


def _starting(state: State, seat: int) -> list[Action]:
    return [ON_PROVINCES["start"][province] for province in realm_of(state).starts]


def _conquest(state: State, seat: int) -> list[Action]:
    found: list[Action] = []
    if state.card_armies:
        land, fleet = reach.targets(state)
        by_land, by_fleet = CONQUESTS
        found += [by_land[province] for province in provinces_in(land)] + [by_fleet[province] for province in provinces_in(fleet)]
        found += _on("fort", turns.fort_sites(state))
    return [*found, *plays(state, seat), FINISH, *_ability(state)]


def _ability(state: State) -> list[Action]:
    """Return the action that switches the empire's ability off or on (abilities-8)."""
    return [ABILITIES[state.is_forgone]] if can_forgo(state) else []


def _siege(state: State, seat: int) -> list[Action]:
    return [*([SIEGES["army"]] if state.card_armies else []), *([SIEGES["token"]] if state.tokens else []), RETREAT]


def _effect(state: State, seat: int) -> list[Action]:
    effect = EVENTS[state.effect_card].effect
    if effect == "add_zone":
        return [ZONE_ACTS[zone] for zone in provinces_in(improvements.free_zones(state, state.effect_card))]
    verb = {"build_forts": "fort", "build_cities": "city"}.get(effect, "target")
    return [*_on(verb, improvements.targets_now(state)), *([DONE] if effect == "build_forts" else [])]


def _after(state: State, seat: int) -> list[Action]:
    forts, cities = turns.granted_sites(state)
    return [*_on("fort", forts), *_on("city", cities), *plays(state, seat), DONE, *_ability(state)]


_LISTS: Final[dict[int, Callable[[State, int], list[Action]]]] = {
    DRAFT: _draft,
    PASSING: _passing,
    PREPARE: _prepare,
    BRINGING: _bringing,
    STARTING: _starting,
    CONQUEST: _conquest,
    REROLLING: lambda state, seat: [REROLL, PASS],
    SIEGE: _siege,
    WON: lambda state, seat: [OCCUPY, RAID],
    RUINING: lambda state, seat: [RUIN, SPARE],
    POSTING: lambda state, seat: [POST, SKIP],
    EFFECT: _effect,
    AFTER: _after,
    MONUMENT: lambda state, seat: _on("monument", turns.monument_sites(state)),
    FINISHING: lambda state, seat: [*plays(state, seat), DONE],
    COLLISION: lambda state, seat: [UP, DOWN],
}
