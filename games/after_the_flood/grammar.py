"""The forms of the actions of After the Flood, from the same lists as the actions themselves (`actions.py`)."""

from __future__ import annotations

from typing import Final

from games.after_the_flood.actions import PAYMENTS, SPOT_NAMES, is_scribe_move
from games.after_the_flood.components import (
    AREAS,
    EMPIRE_NAMES,
    GOODS,
    LUXURIES,
    OTHERS,
    PLACES,
    PRICES,
    RECRUITS,
    SEATS,
    SOLD,
    SUMER,
    TARGETS,
    VALUES,
)
from games.core.grammar import ActionForm, numbers, one, some
from games.core.phrases import N_

BOOK: Final = "after_the_flood#"
AREA: Final = one("area", AREAS)
SUMER_AREA: Final = one("area", SUMER)
GOOD: Final = one("good", GOODS)
PLACED_IN: Final = one("place", [PLACES[place] for place in TARGETS])
TRADES: Final = tuple(
    (one("area", [area]), one("get", [GOODS[get]]), one("give", [GOODS[give] for give in PRICES[get]]))
    for place, area in enumerate(OTHERS)
    for get in SOLD[place]
)
SCRIBE_MOVES: Final = tuple(
    (one("from", [SPOT_NAMES[source]]), one("to", targets))
    for source in range(len(SPOT_NAMES))
    if (targets := [SPOT_NAMES[target] for target in range(len(SPOT_NAMES)) if is_scribe_move(source, target)])
)

FORMS: Final = (
    ActionForm("pass", N_("Pass for the rest of the turn."), f"{BOOK}pass-1", "pass"),
    ActionForm(
        "pay", N_("Pay for an action after another player has passed."), f"{BOOK}pass-3", "pay grain", ((one("payment", PAYMENTS),),)
    ),
    ActionForm("done", N_("End your action."), f"{BOOK}act-1", "done"),
    ActionForm("build", N_("Build a city."), f"{BOOK}build-1", "build ur", ((SUMER_AREA,),)),
    ActionForm(
        "relocate",
        N_("Move one of your four cities to another area."),
        f"{BOOK}build-3",
        "relocate lagash babylon",
        tuple((one("from", [source]), one("to", [area for area in SUMER if area != source])) for source in SUMER),
    ),
    ActionForm(
        "place",
        N_("Spend a good and place workers, at most as many as its value."),
        f"{BOOK}place-1",
        "place gold chaldea 3",
        tuple((one("good", [good]), PLACED_IN, one("count", numbers(1, value))) for good, value in zip(GOODS, VALUES, strict=True)),
    ),
    ActionForm("scribe", N_("Use a scribe to place or move one worker."), f"{BOOK}scribes-1", "scribe available guti", SCRIBE_MOVES),
    ActionForm("trade", N_("Exchange a good in an area outside Sumer."), f"{BOOK}trade-1", "trade amorites oil textile", TRADES),
    ActionForm("tool", N_("Use a tool maker to make a tool."), f"{BOOK}tools-1", "tool"),
    ActionForm("found", N_("Found one of the turn's empires."), f"{BOOK}found-1", "found guti", ((one("empire", EMPIRE_NAMES),),)),
    ActionForm(
        "recruit",
        N_("Spend a good for more armies."),
        f"{BOOK}found-6",
        "recruit metal",
        ((one("good", [GOODS[good] for good in RECRUITS]),),),
    ),
    ActionForm("equip", N_("Spend a good to equip your armies."), f"{BOOK}equip-1", "equip gold", ((GOOD,),)),
    ActionForm("ready", N_("Spend no more goods on your new empire."), f"{BOOK}found-7", "ready"),
    ActionForm("home", N_("Choose the home of a Sumer empire."), f"{BOOK}found-4", "home uruk", ((SUMER_AREA,),)),
    ActionForm(
        "garrison", N_("Place one or two armies in your empire's home."), f"{BOOK}found-8", "garrison 2", ((one("count", numbers(1, 2)),),)
    ),
    ActionForm("invade", N_("Invade a neighbouring area."), f"{BOOK}expand-2", "invade umma", ((AREA,),)),
    ActionForm(
        "destroy", N_("Destroy another player's city where you have an army."), f"{BOOK}destroy-1", "destroy nippur", ((SUMER_AREA,),)
    ),
    ActionForm("reinforce", N_("Place a second army beside one of yours."), f"{BOOK}expand-5", "reinforce umma", ((AREA,),)),
    ActionForm(
        "refound",
        N_("Bring back your empire that has no armies on the map; a Sumer empire needs a home."),
        f"{BOOK}expand-8",
        "refound nippur",
        ((), (SUMER_AREA,)),
    ),
    ActionForm("attack", N_("Roll the dice again."), f"{BOOK}combat-4", "attack"),
    ActionForm("stop", N_("Break off the attack."), f"{BOOK}combat-4", "stop"),
    ActionForm("bid", N_("Put a good in the passing box, as a bid for the order of play."), f"{BOOK}pass-2", "bid gold", ((GOOD,),)),
    ActionForm(
        "grow",
        N_("Grow a city with two wood and these luxuries."),
        f"{BOOK}growth-1",
        "grow babylon oil gold",
        ((SUMER_AREA, some("luxury", [GOODS[good] for good in LUXURIES], "once", 0, len(LUXURIES))),),
    ),
    ActionForm(
        "order",
        N_("The first order of play."),
        f"{BOOK}setup-1",
        "order 2 0 1",
        ((some("seat", numbers(0, SEATS - 1), "permuted", SEATS, SEATS),),),
        by="chance",
    ),
    ActionForm(
        "roll", N_("Two dice are rolled."), f"{BOOK}combat-1", "roll 3 4", ((some("die", numbers(1, 6), "any", 2, 2),),), by="chance"
    ),
    ActionForm("score", N_("The turn is scored."), f"{BOOK}points-1", "score", by="scorer"),
)
