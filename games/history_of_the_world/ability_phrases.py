"""What abilities of empires and improvements do, in a sentence each, by effect and parameters (history_of_the_world#abilities-2, #cards-1).

The sentences follow the parameters of the data files, so that a value corrected there is said as it is.
"""

from __future__ import annotations

from typing import Any, Final

from games.core.contract import Phrase
from games.core.phrases import N_
from games.history_of_the_world.components import EventCard, Realm

RULE: Final = "history_of_the_world#"

ABILITIES: Final[dict[str, str]] = {  # key "ability.<effect>", with a condition behind a dot
    "monument_ratio": N_("A monument for each resource icon of your active armies, not for two."),
    "monument_ratio.many": N_("A monument for every {n} resource icons of your active armies."),
    "fort_per_icon": N_("After the conquest up to {n:count fort} for each resource icon of your active armies."),
    "reroll_attack": N_("In each battle you may roll {n:count attack_die} again."),
    "reroll_attack.fleet": N_("In each battle by fleet you may roll {n:count attack_die} again."),
    "reroll_attack.land": N_("In each battle that is not by fleet you may roll {n:count attack_die} again."),
    "build_forts": N_("After the conquest up to {n:count fort} with your active armies."),
    "ignore_defence": N_("Defenders get nothing against you from: {kinds:nouns}."),
    "ignore_defence.sea": N_("Defenders get no reroll against your fleets."),
    "ignore_defence.terrain": N_("Mountains and forests give defenders no bonus against you."),
    "ignore_defence.fort": N_("Forts give defenders no second die against you."),
    "tie_saves_attacker": N_("Up to {n} times in the turn your army goes back onto the card after a tie."),
    "gain_siege_tokens": N_("You found the empire with {n:count siege_token} more."),
    "extra_monument": N_("{n:count monument} more in this turn, placed as usual."),
    "point_on_capital_ruin": N_("{n:count point} more for each capital that you ruin by a battle."),
    "fort_at_capital": N_("The capital is founded with a fort."),
    "battle_bonus": N_("{n:signed} to your highest die in each battle."),
    "battle_bonus.no_terrain": N_("{n:signed} to your highest die against provinces without mountains and forests."),
    "battle_bonus.fleet": N_("{n:signed} to your highest die in battles by fleet."),
    "battle_bonus.land": N_("{n:signed} to your highest die in battles that are not by fleet."),
    "battle_bonus.region": N_("{n:signed} to your highest die in battles of one region: {region:noun}."),
    "optional_ruin": N_("After a battle you may spare the structures and the fort."),
    "build_cities": N_("After the conquest up to {n:count city} with your active armies where no structure stands."),
    "chain_raid": N_("After a battle won you may take the army back onto the card and attack on from there."),
    "win_ties": N_("Tied battles are won by you."),
    "double_start": N_("{n:count start_province}, each with an army and a capital."),
    "fort_on_fleet_conquest": N_("Up to {n} times in the turn you may build a fort where you have just conquered by fleet."),
    "point_on_ruin": N_("{n:count point} for each structure that you ruin by a battle, {m} times in the turn at most."),
    "gain_army_on_win": N_("The first battles won, {m} at most, bring you {n:count army} each."),
    "siege_bonus": N_("Your siege bonus is greater by {n}."),
}

IMPROVEMENTS: Final[dict[str, str]] = {  # key "improvement.<effect>", with a condition behind a dot
    "battle_bonus": N_("In this turn {n:signed} to your highest die in each battle."),
    "reroll_attack": N_("In this turn you may roll {n:count attack_die} again in each battle."),
    "win_ties": N_("In this turn tied battles are won by you."),
    "ignore_defence.sea": N_("In this turn defenders get no reroll against your fleets."),
    "ignore_defence.terrain": N_("In this turn mountains and forests give defenders no bonus against you."),
    "ignore_defence.fort": N_("In this turn forts give defenders no second die against you."),
    "ignore_defence": N_("In this turn defenders get nothing against you from: {kinds:nouns}."),
    "remove_army": N_("Take {n:count army} off the map, from provinces without a fort."),
    "build_forts": N_("Build up to {n:count fort} with your active armies."),
    "build_cities": N_("Build {n:count city} with your active armies where no structure stands."),
    "extra_monument": N_("In this turn {n:count monument} more, placed as usual."),
    "monument_ratio": N_("In this turn a monument for each resource icon of your active armies, not for two."),
    "monument_ratio.many": N_("In this turn a monument for every {n} resource icons of your active armies."),
    "add_zone.barren": N_("Put a caravan into a barren land of your choice."),
    "add_zone.water": N_("Put a fleet into a sea or an ocean of your choice."),
    "replace_army.adjacent_to_active": N_("Beside your active armies, replace enemies by your own: {n:count army}. Nothing is ruined."),
    "replace_army.next_to_barren.ruin": N_(
        "Beside barren land, replace enemies by your own: {n:count army}. A structure is ruined in each province."
    ),
    "replace_army.region_of_active": N_(
        "In a region of your active armies, replace enemies by your own: {n:count army}. Nothing is ruined."
    ),
    "replace_army.one_region": N_("In one region, replace enemies by your own: {n:count army}. Nothing is ruined."),
    "gain_siege_tokens": N_("You gain {n:count siege_token}."),
    "gain_armies": N_("You gain {n:count army} from the supply; for each that is missing a siege token."),
    "ruin.fort": N_("In {n:count province} ruin a structure and the fort, without a battle."),
    "points_for_icons": N_("When the turn is scored: a point for every {n} resource icons of your active armies, {m} at most."),
}

_COUNTS: Final = {  # effect -> the parameter that its sentence calls n
    "monument_ratio": "icons_per_monument",
    "fort_per_icon": "forts_per_icon",
    "reroll_attack": "dice",
    "battle_bonus": "bonus",
    "siege_bonus": "bonus",
    "tie_saves_attacker": "max_per_turn",
    "fort_on_fleet_conquest": "max_per_turn",
    "point_on_capital_ruin": "points",
    "point_on_ruin": "points",
    "gain_army_on_win": "armies",
    "double_start": "starts",
    "points_for_icons": "per",
}
_LIMITS: Final = {"point_on_ruin": "max_per_turn", "gain_army_on_win": "max_per_turn", "points_for_icons": "max"}  # what it calls m


def ability_of(realm: Realm) -> Phrase | None:
    """Return what the ability of an empire does; None for an empire without one, and for kingdoms (abilities-2)."""
    if realm.effect == "none":
        return None
    return _phrase(ABILITIES, realm.effect, realm.params, "abilities-2")


def improvement_of(event: EventCard) -> Phrase | None:
    """Return what an improvement does; None for a kingdom (events-1)."""
    if event.realm is not None:
        return None
    return _phrase(IMPROVEMENTS, event.effect, event.params, f"cards-{event.epoch}")


def _phrase(sentences: dict[str, str], effect: str, params: dict[str, Any], anchor: str) -> Phrase:
    said: dict[str, Any] = {"n": params.get(_COUNTS.get(effect, "count"), 1)}
    if effect in _LIMITS:
        said["m"] = params[_LIMITS[effect]]
    condition = str(params.get("only", ""))
    if effect == "ignore_defence":
        said["kinds"] = params["kinds"]
        condition = params["kinds"][0] if len(params["kinds"]) == 1 else ""
    elif effect == "add_zone":
        condition = "barren" if params["kinds"] == ["barren"] else "water"
    elif effect == "replace_army":
        condition = params["where"] + (".ruin" if params["ruin"] else "")
    elif effect == "ruin":
        condition = "fort" if params.get("also_fort") else "alone"
    elif effect == "monument_ratio":
        condition = "many" if said["n"] > 1 else ""
    elif condition.startswith("region:"):
        condition, said["region"] = condition.split(":")
    return Phrase(sentences[f"{effect}.{condition}" if condition else effect], said, RULE + anchor)
