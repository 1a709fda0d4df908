"""The game as the contract requires it: who is due, applying actions, chance, and the fast path for random play.

`apply` is check, copy, step. A step changes a state in place, trusts its caller, and tells what happened if `events` is a list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.core.contract import CHANCE, SCORER, Event, Rng
from games.core.forms import Forms
from games.core.options import checked
from games.history_of_the_world import battles, draft, improvements, legality, reach, refusals, turns
from games.history_of_the_world.actions import (
    AGAIN,
    CONQUESTS,
    FINISH,
    PASS,
    REROLL,
    SCORE,
    Ability,
    Action,
    Chance,
    City,
    Draw,
    Fort,
    Give,
    Guard,
    Monument,
    Order,
    Plain,
    Take,
    parse_action,
    roll_of,
)
from games.history_of_the_world.components import EMPIRES, GUARDS
from games.history_of_the_world.meta import META
from games.history_of_the_world.state import (
    AFTER,
    COLLISION,
    CONQUEST,
    DEALING,
    DRAFT,
    DRAWING,
    EFFECT,
    END,
    REROLLING,
    ROLLING,
    SCORING,
    START,
    State,
    first_state,
    provinces_in,
)
from games.history_of_the_world.state import REROLL as ROLLING_AGAIN
from games.history_of_the_world.turns import RULE, Events

legal_actions = legality.legal_actions


def setup(seats: int, options: Mapping[str, Any]) -> State:
    """Return the first position: CHANCE orders the score markers (setup-1). Raises SetupError."""
    return first_state(seats, checked(META, seats, options)["draft"] == "classic")


def actors(state: State) -> tuple[int, ...]:
    """Return who is due; two seats at once while the draft piles are looked through."""
    phase = state.phase
    if phase <= COLLISION:
        return legality.due_seats(state)
    if phase < SCORING:
        return (CHANCE,)
    return () if phase == END else (SCORER,)


FORMS: Final = Forms(parse_action, "history_of_the_world#turn-2")


def apply(state: State, actor: int, action: Action) -> tuple[State, list[Event]]:
    """Return the new state and what happened. Raises IllegalAction; never changes `state`."""
    action = FORMS[action]
    refusals.check(state, actor, action)
    new = state.copy()
    events: list[Event] = []
    step(new, actor, action, events)
    return new, events


def step(state: State, actor: int, action: Action, events: Events) -> None:
    """Change `state` in place by a legal action; `events` gets what happened, if it is a list."""
    _STEPS[action.verb](state, actor, action, events)


def sample_chance(state: State, rng: Rng) -> Chance:
    """Return a chance outcome: the markers, the cards of an epoch, a drawn card, dice."""
    below = rng.below
    phase = state.phase
    if phase == ROLLING:
        return roll_of(tuple(1 + below(6, "dice") for _ in range(battles.dice_count(state))))
    if phase == ROLLING_AGAIN:
        return AGAIN[1 + below(6, "dice")]
    if phase == DEALING:
        return draft.sample_deal(state, rng)
    if phase == DRAWING:
        return draft.sample_draw(state, rng)
    if phase == START:
        left = list(range(state.seats))
        return Order(tuple(left.pop(below(len(left), "setup")) for _ in range(state.seats)))
    raise ValueError("nothing is left to chance now")


# Steps: what an action does, by verb


def _take(state: State, actor: int, action: Take, events: Events) -> None:
    draft.take(state, actor, action, events)
    turns.see_to_draft(state, events)


def _keep_or_give(state: State, actor: int, action: Plain | Give, events: Events) -> None:
    draft.keep_or_give(state, action, events)
    turns.see_to_draft(state, events)


def _draw(state: State, actor: int, action: Draw, events: Events) -> None:
    draft.draw(state, action, events)
    turns.see_to_draft(state, events)


def _guard(state: State, actor: int, action: Guard, events: Events) -> None:
    """Change a standing order; nobody else is told (battle-7)."""
    state.guards[actor] = action.guard
    if events is not None:
        events.append(Event("guard_set", {"seat": actor}, RULE + "battle-7", secret={actor: {"guard": GUARDS[action.guard]}}))


def _ability(state: State, actor: int, action: Ability, events: Events) -> None:
    """Switch the empire's ability off or on (abilities-8)."""
    state.is_forgone = not action.is_used
    if events is not None:
        params = {"seat": actor, "empire": EMPIRES[state.empires[actor]].name}
        events.append(Event("ability_off" if state.is_forgone else "ability_on", params, RULE + "abilities-8"))


def _fort(state: State, actor: int, action: Fort, events: Events) -> None:
    if state.phase == EFFECT:
        improvements.hit(state, action, events)
        return
    turns.build_fort(state, action.province, events)
    if state.phase == AFTER:
        state.forts_left -= 1
        turns.go_on_after(state, events)
    else:
        state.card_armies -= 1
        base = state.raid_base
        turns.go_on_conquering(state, events)
        state.raid_base = base if state.phase == CONQUEST else state.raid_base


def _city(state: State, actor: int, action: City, events: Events) -> None:
    if state.phase == EFFECT:
        improvements.hit(state, action, events)
        return
    turns.build_city(state, action.province, events)
    state.cities_left -= 1
    turns.go_on_after(state, events)


def _done(state: State, actor: int, action: Plain, events: Events) -> None:
    if events is not None:
        events.append(Event("left_it", {"seat": actor}, RULE + "turn-2"))
    if state.phase == EFFECT:
        improvements.end_effect(state, events)
    elif state.phase == AFTER:
        turns.begin_monuments(state, events)
    else:
        state.phase = SCORING


def _monument(state: State, actor: int, action: Monument, events: Events) -> None:
    turns.build_monument(state, action.province, events)
    turns.go_on_building(state, events)


_STEPS: Final[dict[str, Callable[[State, int, Any, Events], None]]] = {
    "order": lambda state, actor, action, events: turns.order_markers(state, action, events),
    "deal": lambda state, actor, action, events: draft.deal(state, action, events),
    "draw": _draw,
    "look": lambda state, actor, action, events: draft.look(state, action, events),
    "take": _take,
    "keep": _keep_or_give,
    "give": _keep_or_give,
    "guard": _guard,
    "ability": _ability,
    "kingdom": lambda state, actor, action, events: turns.play_kingdom(state, events),
    "found": lambda state, actor, action, events: turns.found(state, events),
    "play": lambda state, actor, action, events: improvements.play(state, action, events),
    "bring": lambda state, actor, action, events: turns.bring(state, action, events),
    "start": lambda state, actor, action, events: turns.choose_start(state, action, events),
    "conquer": lambda state, actor, action, events: battles.conquer(state, action, events),
    "fort": _fort,
    "city": _city,
    "end": lambda state, actor, action, events: turns.end_conquest(state, events),
    "roll": lambda state, actor, action, events: battles.roll(state, action, events),
    "again": lambda state, actor, action, events: battles.again(state, action, events),
    "reroll": lambda state, actor, action, events: battles.reroll(state, events),
    "pass": lambda state, actor, action, events: battles.pass_reroll(state, events),
    "siege": lambda state, actor, action, events: battles.besiege(state, action, events),
    "retreat": lambda state, actor, action, events: battles.retreat(state, events),
    "occupy": lambda state, actor, action, events: battles.occupy(state, events),
    "raid": lambda state, actor, action, events: battles.raid(state, events),
    "ruin": lambda state, actor, action, events: battles.ruin_after_battle(state, events),
    "spare": lambda state, actor, action, events: battles.ruin_after_battle(state, events, is_spared=True),
    "post": lambda state, actor, action, events: battles.post(state, True, events),
    "skip": lambda state, actor, action, events: battles.post(state, False, events),
    "target": lambda state, actor, action, events: improvements.hit(state, action, events),
    "zone": lambda state, actor, action, events: improvements.add_zone(state, action, events),
    "done": _done,
    "monument": _monument,
    "up": lambda state, actor, action, events: turns.move_marker(state, 1, events),
    "down": lambda state, actor, action, events: turns.move_marker(state, -1, events),
    "score": lambda state, actor, action, events: turns.score_turn(state, events),
}


# The fast path


def sample_action(state: State, actor: int, rng: Rng) -> Action:
    """Return a legal action of the due actor without building a long list; each one has a positive chance."""
    below = rng.below
    phase = state.phase
    if phase == SCORING:
        return SCORE
    if phase == CONQUEST:
        draw = below(32, "play")
        if draw and state.card_armies:
            land, fleet = reach.targets(state)
            by_fleet = fleet != 0 and (draw < 8 or not land)
            fits = fleet if by_fleet else land
            if draw < 30 and fits:
                provinces = provinces_in(fits)
                return CONQUESTS[by_fleet][provinces[below(len(provinces), "play")]]
        elif draw > 1 and not legality.plays(state, actor):
            return FINISH
    elif phase == REROLLING:
        return REROLL if below(2, "play") else PASS
    actions = legality.legal_actions(state, actor)
    if phase == DRAFT and below(8, "play"):
        actions = [action for action in actions if action.verb != "guard"]
    return actions[below(len(actions), "play")]


def playout_moves(state: State, rng: Rng) -> int:
    """Play `state` in place to its end by `sample_action` and the steps; return the number of moves by seats."""
    moves = 0
    while True:
        phase = state.phase
        if phase <= COLLISION:
            seats = legality.due_seats(state)
            step(state, seats[0], sample_action(state, seats[0], rng), None)
            moves += 1
        elif phase < SCORING:
            step(state, CHANCE, sample_chance(state, rng), None)
        elif phase == SCORING:
            turns.score_turn(state, None)
        else:
            return moves
