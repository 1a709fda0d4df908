"""What empires' abilities and improvements do, one sentence each, by effect and parameters (history_of_the_world#abilities-2, #cards-1).

The sentences take their parameters from the data files, so that a value corrected there shows up here.
"""

from __future__ import annotations

from typing import Any, Final

from games.core.contract import Phrase
from games.core.phrases import N_
from games.history_of_the_world.components import EventCard, Realm

RULE: Final = "history_of_the_world#"

ABILITIES: Final[dict[str, str]] = {  # key "ability.<effect>", with any condition after another dot
    "monument_ratio": N_("One monument for each resource icon held by your active armies, instead of one for every two."),
    "monument_ratio.many": N_("One monument for every {n} resource icons held by your active armies."),
    "fort_per_icon": N_("After the conquest, build up to {n:count fort} for each resource icon held by your active armies."),
    "reroll_attack": N_("In each battle, you may reroll {n:count attack_die}."),
    "reroll_attack.fleet": N_("In each battle by fleet, you may reroll {n:count attack_die}."),
    "reroll_attack.land": N_("In each battle not fought by fleet, you may reroll {n:count attack_die}."),
    "build_forts": N_("After the conquest, build up to {n:count fort} in provinces with your active armies."),
    "ignore_defence": N_("Against you, defenders get no benefit from {kinds:nouns}."),
    "ignore_defence.sea": N_("Defenders get no reroll against your fleets."),
    "ignore_defence.terrain": N_("Mountains and forests give defenders no bonus against you."),
    "ignore_defence.fort": N_("Forts give defenders no second die against you."),
    "tie_saves_attacker": N_("Up to {n} times a turn, your army returns to the card after a tie."),
    "gain_siege_tokens": N_("You also gain {n:count siege_token} when you found the empire."),
    "extra_monument": N_("Also build {n:count monument} this turn, placed as usual."),
    "point_on_capital_ruin": N_("Also score {n:count point} for each capital you ruin in battle."),
    "fort_at_capital": N_("The capital is founded with a fort."),
    "battle_bonus": N_("{n:signed} to your highest die in each battle."),
    "battle_bonus.no_terrain": N_("{n:signed} to your highest die against provinces with no mountains or forests."),
    "battle_bonus.fleet": N_("{n:signed} to your highest die in battles by fleet."),
    "battle_bonus.land": N_("{n:signed} to your highest die in battles not fought by fleet."),
    "battle_bonus.region": N_("{n:signed} to your highest die in battles in this region: {region:noun}."),
    "optional_ruin": N_("After a battle, you may spare the structures and the fort."),
    "build_cities": N_("After the conquest, build up to {n:count city} in provinces with your active armies and no structure."),
    "chain_raid": N_("After winning a battle, you may return the army to the card and keep attacking from there."),
    "win_ties": N_("You win tied battles."),
    "double_start": N_("{n:count start_province}, each with an army and a capital."),
    "fort_on_fleet_conquest": N_("Up to {n} times a turn, you may build a fort where you have just conquered by fleet."),
    "point_on_ruin": N_("{n:count point} for each structure you ruin in battle, at most {m} times a turn."),
    "gain_army_on_win": N_("For each of the first {m} battles you win, you gain {n:count army}."),
    "siege_bonus": N_("Your siege bonus is {n} higher."),
}

IMPROVEMENTS: Final[dict[str, str]] = {  # key "improvement.<effect>", with any condition after another dot
    "battle_bonus": N_("This turn, {n:signed} to your highest die in each battle."),
    "reroll_attack": N_("This turn, you may reroll {n:count attack_die} in each battle."),
    "win_ties": N_("This turn, you win tied battles."),
    "ignore_defence.sea": N_("This turn, defenders get no reroll against your fleets."),
    "ignore_defence.terrain": N_("This turn, mountains and forests give defenders no bonus against you."),
    "ignore_defence.fort": N_("This turn, forts give defenders no second die against you."),
    "ignore_defence": N_("This turn, defenders get no benefit from {kinds:nouns} against you."),
    "remove_army": N_("Remove {n:count army} from provinces with no fort."),
    "build_forts": N_("Build up to {n:count fort} in provinces with your active armies."),
    "build_cities": N_("Build {n:count city} in provinces with your active armies and no structure."),
    "extra_monument": N_("This turn, also build {n:count monument}, placed as usual."),
    "monument_ratio": N_("This turn, one monument for each resource icon held by your active armies, instead of one for every two."),
    "monument_ratio.many": N_("This turn, one monument for every {n} resource icons held by your active armies."),
    "add_zone.barren": N_("Place a caravan in a barren land of your choice."),
    "add_zone.water": N_("Place a fleet in a sea or ocean of your choice."),
    "replace_army.adjacent_to_active": N_(
        "Next to your active armies, replace {n:count army} belonging to rivals with your own. Nothing is ruined."
    ),
    "replace_army.next_to_barren.ruin": N_(
        "Next to barren land, replace {n:count army} belonging to rivals with your own. A structure is ruined in each province."
    ),
    "replace_army.region_of_active": N_(
        "In a region with your active armies, replace {n:count army} belonging to rivals with your own. Nothing is ruined."
    ),
    "replace_army.one_region": N_("In one region, replace {n:count army} belonging to rivals with your own. Nothing is ruined."),
    "gain_siege_tokens": N_("You gain {n:count siege_token}."),
    "gain_armies": N_("You gain {n:count army} from your supply, and a siege token for each army you lack."),
    "ruin.fort": N_("In {n:count province}, ruin a structure and the fort without a battle."),
    "points_for_icons": N_("When the turn is scored, 1 point for every {n} resource icons held by your active armies, at most {m}."),
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
    """Return what an empire's ability does; None for an empire without one, and for kingdoms (abilities-2)."""
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
