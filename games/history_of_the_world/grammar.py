"""The forms of the actions of History of the World, from the same lists as the actions themselves (`actions.py`)."""

from __future__ import annotations

from typing import Final

from games.core.grammar import ActionForm, numbers, one, some
from games.core.phrases import N_
from games.history_of_the_world.actions import ABILITIES, GIVES, LOOKS, RULE, SIEGES
from games.history_of_the_world.components import EMPIRES, EVENTS, GUARDS, PROVINCES, ZONES

EMPIRE_CARDS: Final = tuple(empire.name for empire in EMPIRES)
EVENT_CARDS: Final = tuple(event.name for event in EVENTS)
CARD: Final = one("card", (*EMPIRE_CARDS, *EVENT_CARDS))
PROVINCE: Final = one("province", PROVINCES)
DIE: Final = numbers(1, 6)
MOST_SEATS: Final = len(GIVES)
FEWEST_SEATS: Final = 3

FORMS: Final = (
    # The draft
    ActionForm(
        "look", N_("Choose which of the two piles you look at first."), f"{RULE}draft-3", "look events", ((one("pile", tuple(LOOKS)),),)
    ),
    ActionForm("take", N_("Take a card from the pile."), f"{RULE}draft-1", "take i_plague", ((CARD,),)),
    ActionForm("keep", N_("Keep the card that you drew."), f"{RULE}draft-8", "keep"),
    ActionForm(
        "give",
        N_("Give the card that you drew to another player."),
        f"{RULE}draft-8",
        "give 2",
        ((one("seat", numbers(0, MOST_SEATS - 1)),),),
    ),
    # A turn
    ActionForm("kingdom", N_("Play your kingdom before your empire."), f"{RULE}kingdom-1", "kingdom"),
    ActionForm("found", N_("Found your empire."), f"{RULE}found-1", "found"),
    ActionForm("play", N_("Play an improvement."), f"{RULE}events-1", "play i_weaponry", ((one("card", EVENT_CARDS),),)),
    ActionForm(
        "guard", N_("Change your standing order for rerolls as a defender."), f"{RULE}battle-7", "guard ask", ((one("order", GUARDS),),)
    ),
    ActionForm(
        "bring",
        N_("Move one of your armies to the start, because your supply is empty."),
        f"{RULE}found-5",
        "bring australia",
        ((PROVINCE,),),
    ),
    ActionForm("start", N_("Choose one of two start provinces."), f"{RULE}found-6", "start andes", ((PROVINCE,),)),
    ActionForm(
        "conquer",
        N_("Move an army into a province, over land or by fleet."),
        f"{RULE}conquest-1",
        "conquer nile fleet",
        ((PROVINCE, one("way", ("land", "fleet"))),),
    ),
    ActionForm("fort", N_("Build a fort."), f"{RULE}forts-1", "fort nile", ((PROVINCE,),)),
    ActionForm(
        "ability",
        N_("Switch your empire's ability on or off."),
        f"{RULE}abilities-8",
        "ability off",
        ((one("use", [str(act).split(" ")[1] for act in ABILITIES]),),),
    ),
    ActionForm("end", N_("End the conquest."), f"{RULE}conquest-3", "end"),
    # Battles
    ActionForm("reroll", N_("Reroll your lower die."), f"{RULE}battle-6", "reroll"),
    ActionForm("pass", N_("Keep the dice as they are."), f"{RULE}battle-6", "pass"),
    ActionForm(
        "siege",
        N_("Attack again with an army or a siege token on the catapult."),
        f"{RULE}siege-1",
        "siege army",
        ((one("piece", tuple(SIEGES)),),),
    ),
    ActionForm("retreat", N_("Attack this province no more for now."), f"{RULE}retreat-1", "retreat"),
    ActionForm("occupy", N_("Occupy the province that you have won."), f"{RULE}abilities-2", "occupy"),
    ActionForm("raid", N_("Take the army back and go on raiding."), f"{RULE}abilities-9", "raid"),
    ActionForm("ruin", N_("Ruin what is in the province."), f"{RULE}ruin-1", "ruin"),
    ActionForm("spare", N_("Ruin nothing in the province."), f"{RULE}ruin-1", "spare"),
    ActionForm("post", N_("Build a fort where you landed by fleet."), f"{RULE}abilities-2", "post"),
    ActionForm("skip", N_("Build no fort where you landed by fleet."), f"{RULE}abilities-2", "skip"),
    # Improvements, building, the end of a turn
    ActionForm("target", N_("Choose a province for your improvement."), f"{RULE}events-1", "target nile", ((PROVINCE,),)),
    ActionForm("zone", N_("Place a disc in a sea, an ocean or a barren land."), f"{RULE}reach-1", "zone sahara", ((one("zone", ZONES),),)),
    ActionForm("city", N_("Build a city."), f"{RULE}forts-3", "city nile", ((PROVINCE,),)),
    ActionForm("monument", N_("Build a monument."), f"{RULE}monuments-2", "monument anatolia", ((PROVINCE,),)),
    ActionForm("done", N_("Build or play nothing more now."), f"{RULE}turn-2", "done"),
    ActionForm("up", N_("Move your score marker up from a taken space."), f"{RULE}score-6", "up"),
    ActionForm("down", N_("Move your score marker down from a taken space."), f"{RULE}score-6", "down"),
    # Chance and points
    ActionForm(
        "order",
        N_("The players' score markers get their order."),
        f"{RULE}setup-1",
        "order 1 0 2",
        tuple((some("seat", numbers(0, seats - 1), "permuted", seats, seats),) for seats in range(FEWEST_SEATS, MOST_SEATS + 1)),
        by="chance",
    ),
    ActionForm(
        "deal",
        N_("The cards of an epoch are laid out, as many empires as events."),
        f"{RULE}setup-2",
        "deal egyptians minoans zhou k_phoenicians i_weaponry i_plague",
        tuple(
            (some("empire", EMPIRE_CARDS, "once", half, half), some("event", EVENT_CARDS, "once", half, half))
            for half in range(FEWEST_SEATS, MOST_SEATS + 1)
        ),
        by="chance",
    ),
    ActionForm("draw", N_("The top card of the pile is drawn."), f"{RULE}draft-8", "draw i_plague", ((CARD,),), by="chance"),
    ActionForm(
        "roll",
        N_("The attacker's two dice, then the defender's one or two."),
        f"{RULE}battle-1",
        "roll 6 3 5",
        ((some("die", DIE, "any", 3, 4),),),
        by="chance",
    ),
    ActionForm("again", N_("A die is rolled again."), f"{RULE}battle-6", "again 4", ((one("die", DIE),),), by="chance"),
    ActionForm("score", N_("The turn is scored."), f"{RULE}score-1", "score", by="scorer"),
)
