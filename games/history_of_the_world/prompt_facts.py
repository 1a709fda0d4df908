"""What the questions and previews of History of the World read off a position."""

from __future__ import annotations

from typing import Final

from games.core.contract import NO_SEAT, Event
from games.history_of_the_world import battles, reach, rules, scoring, turns
from games.history_of_the_world.actions import CONQUESTS, Action, Conquer, roll_of
from games.history_of_the_world.components import REGIONS
from games.history_of_the_world.odds import battle_for
from games.history_of_the_world.phrases import VOICE
from games.history_of_the_world.state import NO_CARD, POSTING, ROLLING, RUINING, WON, State, owner_of

phrase: Final = VOICE.phrase


def after(state: State, seat: int, action: Action) -> tuple[State, list[Event]]:
    """Return the position after a legal action of a seat, and what happens."""
    return rules.apply(state, seat, action)


def standing(state: State, province: int) -> list[str]:
    """Return a province's structures and its fort (ruin-1, ruin-2)."""
    masks = (("capital", state.capitals), ("city", state.cities), ("monument", state.monuments), ("fort", state.forts))
    return [name for name, mask in masks if mask >> province & 1]


def ruined_of(state: State, province: int) -> str | None:
    """Return the structure that one step of ruin hits (ruin-1)."""
    structures = [name for name in standing(state, province) if name != "fort"]
    return structures[0] if structures else None


def rival_of(state: State, province: int) -> int | None:
    """Return the enemy of the active seat whose army is in a province."""
    owner = owner_of(state, province)
    return None if owner in (NO_SEAT, state.active) else owner


def conquered(state: State, action: Conquer) -> State:
    """Return the position after starting a conquest, with an extra army so that it does not end conquest automatically."""
    new = state.copy()
    new.card_armies += 1
    battles.conquer(new, action, None)
    return new


def best_way(state: State, province: int) -> Conquer | None:
    """Return how the active seat gets to a province within reach; None if there are two ways and neither is better (reach-4).

    Land is better if the odds are no worse, unless the fleet builds a trading post.
    """
    land, fleet = reach.targets(state)
    by_land, by_fleet = CONQUESTS[False][province], CONQUESTS[True][province]
    if not (land & fleet) >> province & 1:
        return by_fleet if fleet >> province & 1 else by_land
    odds = [battle_for(conquered(state, action)) if rival_of(state, province) is not None else (1, 0, 0) for action in (by_land, by_fleet)]
    land_is_best, fleet_is_best = (won >= other and lost <= rest for (won, _, lost), (other, _, rest) in (odds, odds[::-1]))
    if _brings_post(state, province):
        return by_fleet if fleet_is_best else None
    if land_is_best:
        return by_land
    return by_fleet if fleet_is_best else None


def _brings_post(state: State, province: int) -> bool:
    """Return whether a conquest by fleet may build a trading post (abilities-2)."""
    fight = conquered(state, CONQUESTS[True][province])
    return (won(fight, is_posting=True) if rival_of(state, province) is not None else fight).phase == POSTING


def won(fight: State, is_posting: bool = False) -> State:
    """Return the position after a battle has been won, with what is there ruined and the province occupied, or a post to be built.

    The dice are set to the best and the worst values and the rules do the rest, so that all effects are included.
    """
    new = fight.copy()
    new.card_armies += 1
    new.phase = ROLLING
    battles.roll(new, roll_of((6, 6, *(1,) * battles.defence_dice(new))), None)
    new.attack_rerolls = new.defence_rerolls = 0
    if new.is_invading and not new.result:
        battles.pass_reroll(new, None)
    if new.phase == RUINING:
        battles.ruin_after_battle(new, None)
    if new.phase == WON:
        battles.occupy(new, None)
    if new.phase == POSTING and not is_posting:
        battles.post(new, False, None)
    return new


def outcome_of(state: State, action: Conquer) -> State:
    """Return the position after a successful conquest (conquest-2, battle-2)."""
    new = conquered(state, action)
    if new.phase == POSTING:
        battles.post(new, False, None)
    return won(new) if rival_of(state, action.province) is not None else new


def points_now(state: State, seat: int) -> int:
    """Return the points of the active seat's turn on the current map, ruins included (score-1 .. score-4)."""
    plunder = state.plunder + state.plunder_due
    return scoring.points_of(scoring.record_of(state, seat, scoring.icon_points(state), plunder))


def level_changes(before: State, new: State, seat: int) -> list[tuple[str, str]]:
    """Return the regions in which a seat's level changes, with the new level ("" for none) (score-1)."""
    names = ("", *scoring.LEVELS)
    found = []
    for region, name in enumerate(REGIONS):
        level = scoring.level_in(new, seat, region)
        if level != scoring.level_in(before, seat, region):
            found.append((name, names[level]))
    return found


def kingdom_held(state: State, seat: int) -> bool:
    """Return whether a seat holds a kingdom that can only be played now (kingdom-1)."""
    return turns.kingdom_in_hand(state, seat) != NO_CARD
