"""The sentences for what the bots of After the Flood weighed, marked for translation; keys are "bot." + the key of a reason."""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

BOT_PHRASES: Final[dict[str, str]] = {
    "bot.only": N_("Nothing else is allowed."),
    # a step, by the worth that was given to it
    "bot.build": N_("A city: {points:signed}"),
    "bot.workers": N_("Workers: {points:signed}"),
    "bot.trade": N_("Goods gained by trade or tools: {points:signed}"),
    "bot.found": N_("An empire: {points:signed}"),
    "bot.armies": N_("More armies: {points:signed}"),
    "bot.equip": N_("Better equipment: {points:signed}"),
    "bot.ready": N_("The empire is equipped well enough."),
    "bot.home": N_("Armies in the home of the empire: {points:signed}"),
    "bot.expand": N_("An area for the empire: {points:signed}"),
    "bot.destroy": N_("A city destroyed: {points:signed}"),
    "bot.attack": N_("Going on with the attack: {points:signed}"),
    "bot.stop": N_("The attack costs more than it brings."),
    "bot.pay": N_("What is paid, and the action that it allows: {points:signed}"),
    "bot.bid": N_("A better place in the order of play: {points:signed}"),
    "bot.grow": N_("A city that grows: {points:signed}"),
    "bot.pass": N_("No action seemed worth it."),
    "bot.done": N_("Nothing more seemed worth it."),
    # what an action changes in the evaluation of the scribe, in points
    "bot.areas": N_("Areas, and what armies can still take: {points:signed}"),
    "bot.goods": N_("Goods, and the growth that they promise: {points:signed}"),
    "bot.posts": N_("What workers bring until the end: {points:signed}"),
    "bot.homes": N_("Homes of empires, now and next turn: {points:signed}"),
    "bot.cities": N_("What the rules of cities bring: {points:signed}"),
    "bot.rivals": N_("What the other players have: {points:signed}"),
}
