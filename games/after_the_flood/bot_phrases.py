"""The sentences for what the bots of After the Flood weighed, marked for translation; keys are "bot." + a reason's key."""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

BOT_PHRASES: Final[dict[str, str]] = {
    "bot.only": N_("There was no other legal move."),
    # a step, by its estimated worth
    "bot.build": N_("This city: {points:signed}"),
    "bot.workers": N_("Placing workers: {points:signed}"),
    "bot.trade": N_("Goods gained by trade or tools: {points:signed}"),
    "bot.found": N_("Starting an empire: {points:signed}"),
    "bot.armies": N_("More armies: {points:signed}"),
    "bot.equip": N_("Better equipment: {points:signed}"),
    "bot.ready": N_("The empire is equipped well enough."),
    "bot.home": N_("This home area: {points:signed}"),
    "bot.home_other": N_("This home area, compared with the worst one: {points:signed}"),
    "bot.garrison": N_("This many armies in the home area: {points:signed}"),
    "bot.garrison_other": N_("This many armies in the home area, compared with the other choice: {points:signed}"),
    "bot.expand": N_("Another area for the empire: {points:signed}"),
    "bot.reinforce": N_("A second army in an area: {points:signed}"),
    "bot.destroy": N_("Destroying a city: {points:signed}"),
    "bot.attack": N_("Continuing the attack: {points:signed}"),
    "bot.stop": N_("The attack costs more than it gains."),
    "bot.pay": N_("Paying for another action, compared with passing: {points:signed}"),
    "bot.bid": N_("A better place in the order of play: {points:signed}"),
    "bot.grow": N_("Growing this city now: {points:signed}"),
    "bot.pass": N_("No action was worth it."),
    "bot.done": N_("Nothing else was worth it."),
    # what an action is worth with all that may follow it
    "bot.ahead": N_("With what can still follow this turn, compared with passing now: {points:signed}"),
    "bot.go_on": N_("With what can still follow, compared with stopping here: {points:signed}"),
    # what an action changes in the scribe's evaluation, in points
    "bot.areas": N_("Areas held and areas within reach: {points:signed}"),
    "bot.goods": N_("Goods and the city growth they promise: {points:signed}"),
    "bot.posts": N_("What workers will bring by the end of the game: {points:signed}"),
    "bot.homes": N_("Workers in home areas, this turn and next: {points:signed}"),
    "bot.cities": N_("Benefits of city rules: {points:signed}"),
    "bot.rivals": N_("The other players' positions: {points:signed}"),
    "bot.rebuild": N_("A city of its own that could be built there: {points:signed}"),
    # what the master has learned, in points
    "bot.learned": N_("Expected lead at the end of the game, compared with the best other move: {points:signed}"),
}
