"""Conquest: occupying, battles with their dice, sieges, ruin (history_of_the_world#conquest, #battle, #defence, #siege, #ruin)."""

from __future__ import annotations

from typing import Any, Final

from games.core.contract import NO_SEAT, Event
from games.history_of_the_world.actions import Again, Conquer, Roll, Siege
from games.history_of_the_world.components import GUARDS, PROVINCES, REGION_OF, REGIONS, ROUGH, SIEGE_MOST
from games.history_of_the_world.state import (
    CONQUEST,
    GAINS,
    NOWHERE,
    POSTING,
    POSTS,
    REROLL,
    REROLLING,
    ROLLING,
    RUINING,
    RUINS,
    SIEGE,
    TIE,
    TIES,
    VICTORY,
    WON,
    State,
    effects,
    fort_pieces,
    owner_of,
    realm_of,
)
from games.history_of_the_world.turns import RULE, Events, build_fort, gather, go_on_conquering, see_to_collision

ATTACK_DICE: Final = 2


def conquer(state: State, action: Conquer, events: Events) -> None:
    """Move an army from the card into a province: empty, the seat's own, or an enemy's (conquest-2)."""
    seat = state.active
    province = action.province
    state.card_armies -= 1
    state.raid_base = NOWHERE
    state.target = province
    state.by_fleet = action.by_fleet
    owner = owner_of(state, province)
    if owner in (NO_SEAT, seat):
        occupy(state, events)
        return
    state.is_invading = True
    state.phase = ROLLING
    if events is not None:
        params = {"seat": seat, "other": owner, "province": PROVINCES[province]}
        events.append(Event("attacked_by_fleet" if state.by_fleet else "attacked", params, RULE + "battle-1"))


def occupy(state: State, events: Events) -> None:
    """Hold the province with an active army; an inactive one of the seat's goes home (conquest-2)."""
    seat = state.active
    bit = 1 << state.target
    state.is_invading = False
    state.armies[seat] |= bit
    state.active_armies |= bit
    if events is not None:
        events.append(Event("occupied", {"seat": seat, "province": PROVINCES[state.target]}, RULE + "conquest-2"))
    limits = effects(state, "fort_on_fleet_conquest")
    may_post = state.by_fleet and limits and state.uses[POSTS] < limits[0]["max_per_turn"]
    if may_post and not state.forts & bit and fort_pieces(state):
        state.phase = POSTING
    else:
        finish_conquest(state, events)


def post(state: State, is_built: bool, events: Events) -> None:
    """Build a trading post (a fort) in the province just conquered by fleet, or not."""
    if is_built:
        state.uses[POSTS] += 1
        build_fort(state, state.target, events)
    elif events is not None:
        events.append(Event("left_it", {"seat": state.active}, RULE + "abilities-2"))
    finish_conquest(state, events)


def finish_conquest(state: State, events: Events) -> None:
    """Move the marker for what was ruined, then go on (ruin-4)."""
    points = state.plunder_due
    if not points:
        go_on_conquering(state, events)
        return
    seat = state.active
    state.plunder_due = 0
    state.plunder += points
    state.scores[seat] += points
    if events is not None:
        events.append(Event("plundered", {"seat": seat, "points": points, "score": state.scores[seat]}, RULE + "ruin-4"))
    see_to_collision(state, CONQUEST, events)


# Dice


def defence_dice(state: State) -> int:
    """Return the number of the defender's dice: two with a fort (defence-3)."""
    return 2 if state.forts >> state.target & 1 and not _is_ignored(state, "fort") else 1


def dice_count(state: State) -> int:
    """Return how many dice are rolled in a battle: two of the attacker, then the defender's."""
    return ATTACK_DICE + defence_dice(state)


def _is_ignored(state: State, kind: str) -> bool:
    return any(kind in params["kinds"] for params in effects(state, "ignore_defence"))


def _applies(state: State, params: dict[str, Any]) -> bool:
    """Return whether an effect with a condition applies in this battle."""
    only = params.get("only")
    if only is None:
        return True
    if only == "fleet":
        return state.by_fleet
    if only == "land":
        return not state.by_fleet
    if only == "no_terrain":
        return not ROUGH >> state.target & 1
    return bool(only == f"region:{REGIONS[REGION_OF[state.target]]}")


def attack_bonus(state: State) -> int:
    """Return what is added to the attacker's highest die (siege-1, battle-5)."""
    bonus: int = sum(params["bonus"] for params in effects(state, "battle_bonus") if _applies(state, params))
    if state.catapult:
        bonus += min(state.catapult, SIEGE_MOST) + sum(params["bonus"] for params in effects(state, "siege_bonus"))
    return bonus


def defence_bonus(state: State) -> int:
    """Return what is added to the defender's highest die (defence-1)."""
    return int(ROUGH >> state.target & 1 and not _is_ignored(state, "terrain"))


def strengths(state: State) -> tuple[int, int]:
    """Return the values to compare: highest die plus bonus of attacker and defender (battle-1, battle-5)."""
    return max(state.dice[:2]) + attack_bonus(state), max(state.dice[2:]) + defence_bonus(state)


def rerolls(state: State) -> tuple[int, int]:
    """Return how many rerolls attacker and defender have in this battle (battle-6, defence-2)."""
    attack = sum(params["dice"] for params in effects(state, "reroll_attack") if _applies(state, params))
    return attack, int(state.by_fleet and not _is_ignored(state, "sea"))


def roll(state: State, action: Roll, events: Events) -> None:
    """Roll for the battle and grant the rerolls (battle-1, defence-2)."""
    state.dice = action.dice
    state.attack_rerolls, state.defence_rerolls = rerolls(state)
    state.passes = 0
    state.rerolling_attacker = True
    _tell_dice(state, "rolled", events)
    _next_reroll(state, events)


def _tell_dice(state: State, key: str, events: Events) -> None:
    if events is not None:
        attack, defence = strengths(state)
        params = {
            "seat": state.active,
            "other": owner_of(state, state.target),
            "province": PROVINCES[state.target],
            "dice": " ".join(map(str, state.dice[:2])),
            "defence": " ".join(map(str, state.dice[2:])),
            "n": attack,
            "m": defence,
        }
        events.append(Event(key, params, RULE + "battle-1", reveals=True))


def _next_reroll(state: State, events: Events) -> None:
    """Ask the next side that may reroll; defenders answer by their standing orders (battle-6, battle-7)."""
    while (state.attack_rerolls or state.defence_rerolls) and state.passes < 2:
        if state.rerolling_attacker:
            if state.attack_rerolls:
                state.phase = REROLLING
                state.due = state.active
                return
        elif state.defence_rerolls:
            owner = owner_of(state, state.target)
            guard = GUARDS[state.guards[owner]]
            if guard == "ask":
                state.phase = REROLLING
                state.due = owner
                return
            attack, defence = strengths(state)
            is_losing = attack > defence or (attack == defence and bool(effects(state, "win_ties")))
            if (is_losing and guard != "never") or (attack == defence and guard == "tied"):
                state.phase = REROLL
                state.due = NO_SEAT
                return
        state.passes += 1
        state.rerolling_attacker = not state.rerolling_attacker
    state.due = NO_SEAT
    _resolve(state, events)


def reroll(state: State, events: Events) -> None:
    """Reroll the seat's lower die (battle-6)."""
    if events is not None:
        events.append(Event("rolls_again", {"seat": state.due, "province": PROVINCES[state.target]}, RULE + "battle-6", reveals=True))
    state.phase = REROLL
    state.due = NO_SEAT


def pass_reroll(state: State, events: Events) -> None:
    """Leave the dice as they are for now; the other side may still reroll (battle-6)."""
    if events is not None:
        events.append(Event("let_stand", {"seat": state.due, "province": PROVINCES[state.target]}, RULE + "battle-6", reveals=True))
    state.passes += 1
    state.rerolling_attacker = not state.rerolling_attacker
    _next_reroll(state, events)


def again(state: State, action: Again, events: Events) -> None:
    """Replace the lower die of the side that rerolls (battle-6)."""
    mine = list(state.dice[:2] if state.rerolling_attacker else state.dice[2:])
    mine[mine.index(min(mine))] = action.die
    if state.rerolling_attacker:
        state.dice = (*mine, *state.dice[2:])
        state.attack_rerolls -= 1
    else:
        state.dice = (*state.dice[:2], *mine)
        state.defence_rerolls -= 1
    _tell_dice(state, "rolled_again" if state.rerolling_attacker else "defender_rolled_again", events)
    state.passes = 0
    state.rerolling_attacker = not state.rerolling_attacker
    _next_reroll(state, events)


def _resolve(state: State, events: Events) -> None:
    """Compare: won, tied or lost (battle-2 .. battle-4)."""
    attack, defence = strengths(state)
    owner = owner_of(state, state.target)
    params = {"seat": state.active, "other": owner, "province": PROVINCES[state.target]}
    if attack > defence or (attack == defence and effects(state, "win_ties")):
        state.result = VICTORY
        if events is not None:
            events.append(Event("won" if attack > defence else "won_tie", params, RULE + "battle-2"))
        state.catapult = state.catapult_armies = 0  # the siege is over, and its armies are in the supply again
        _gain_for_win(state, events)
        _clear_province(state, owner, events)
    elif attack == defence:
        state.result = TIE
        state.is_invading = False
        limits = effects(state, "tie_saves_attacker")
        is_saved = bool(limits) and state.uses[TIES] < limits[0]["max_per_turn"]
        if is_saved:
            state.uses[TIES] += 1
            state.card_armies += 1
        if events is not None:
            events.append(Event("tied_saved" if is_saved else "tied", params, RULE + "battle-3"))
        _clear_province(state, owner, events)
    else:
        if events is not None:
            events.append(Event("lost", params, RULE + "battle-4"))
        if state.card_armies or state.tokens:
            state.phase = SIEGE
        else:
            retreat(state, events)


def _gain_for_win(state: State, events: Events) -> None:
    limits = effects(state, "gain_army_on_win")
    if limits and state.uses[GAINS] < limits[0]["max_per_turn"]:
        state.uses[GAINS] += 1
        armies, tokens = gather(state, limits[0]["armies"])
        if events is not None:
            events.append(Event("gained", {"seat": state.active, "n": armies, "tokens": tokens}, RULE + "abilities-1"))


def _clear_province(state: State, owner: int, events: Events) -> None:
    """Take the defender off the map and end the siege; then ruin, or ask whether to (ruin-1, siege-3)."""
    state.armies[owner] &= ~(1 << state.target)
    state.catapult = state.catapult_armies = 0
    if effects(state, "optional_ruin") and (state.capitals | state.cities | state.monuments | state.forts) >> state.target & 1:
        state.phase = RUINING
        return
    ruin_after_battle(state, events)


def ruin_after_battle(state: State, events: Events, is_spared: bool = False) -> None:
    """Ruin one step and remove the fort, unless spared; then occupy, continue the raid, or go on after a tie (ruin-1, ruin-2)."""
    if is_spared:
        if events is not None:
            events.append(Event("spared", {"seat": state.active, "province": PROVINCES[state.target]}, RULE + "abilities-1"))
    else:
        _count_plunder(state, ruin(state, state.target, events))
        remove_fort(state, state.target, events)
    if state.result == TIE:
        finish_conquest(state, events)
    elif effects(state, "chain_raid"):
        state.phase = WON
    else:
        occupy(state, events)


def ruin(state: State, province: int, events: Events) -> str:
    """Ruin one structure by one step: capital to city, city, monument. Return what was ruined, or nothing (ruin-1)."""
    bit = 1 << province
    what = ""
    if state.capitals & bit:
        state.capitals &= ~bit
        state.cities |= bit
        what = "capital"
    elif state.cities & bit:
        state.cities &= ~bit
        what = "city"
    elif state.monuments & bit:
        state.monuments &= ~bit
        what = "monument"
    if what and events is not None:
        events.append(Event("ruined", {"seat": state.active, "province": PROVINCES[province], "what": what}, RULE + "ruin-1"))
    return what


def remove_fort(state: State, province: int, events: Events) -> None:
    """Take the fort of a province off the map (ruin-2)."""
    if state.forts >> province & 1:
        state.forts &= ~(1 << province)
        if events is not None:
            events.append(Event("fort_removed", {"seat": state.active, "province": PROVINCES[province]}, RULE + "ruin-2"))


def _count_plunder(state: State, what: str) -> None:
    """Score the points for a structure ruined after a battle (ruin-4, abilities-2)."""
    if not what:
        return
    points = int(realm_of(state).is_marauder)
    if what == "capital":
        points += sum(params["points"] for params in effects(state, "point_on_capital_ruin"))
    for params in effects(state, "point_on_ruin"):
        if state.uses[RUINS] < params["max_per_turn"]:
            state.uses[RUINS] += 1
            points += params["points"]
    state.plunder_due += points


def raid(state: State, events: Events) -> None:
    """Leave the province empty and return the army to the card: the next battle may be next to it."""
    base = state.target
    state.is_invading = False
    state.card_armies += 1
    state.raid_base = base
    if events is not None:
        events.append(Event("raided", {"seat": state.active, "province": PROVINCES[base]}, RULE + "abilities-1"))
    finish_conquest(state, events)
    if state.phase == CONQUEST:
        state.raid_base = base


def besiege(state: State, action: Siege, events: Events) -> None:
    """Put an army or a siege token on the catapult and fight again (siege-1, siege-2, siege-6)."""
    state.catapult += 1
    if action.piece == "army":
        state.card_armies -= 1
        if state.catapult <= SIEGE_MOST:
            state.catapult_armies += 1
    else:
        state.tokens -= 1
    state.phase = ROLLING
    if events is not None:
        params = {"seat": state.active, "province": PROVINCES[state.target], "n": min(state.catapult, SIEGE_MOST)}
        events.append(Event("besieged", params, RULE + "siege-1"))


def retreat(state: State, events: Events) -> None:
    """Remove the army and what is on the catapult (retreat-1)."""
    state.is_invading = False
    if events is not None:
        events.append(Event("retreated", {"seat": state.active, "province": PROVINCES[state.target]}, RULE + "retreat-1"))
    finish_conquest(state, events)
