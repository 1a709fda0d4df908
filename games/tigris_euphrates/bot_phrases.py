"""The sentences for what the bots of Tigris & Euphrates weighed, marked for translation; keys are "bot." + the key of a reason."""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

BOT_PHRASES: Final[dict[str, str]] = {
    "bot.only": N_("Nothing else is allowed."),
    "bot.nothing": N_("Nothing seemed worth an action."),
    # the apprentice
    "bot.point": N_("A point for a tile, the weakest colours first: {points:signed}"),
    "bot.leader": N_("A leader on the board and the tiles that wait for it: {points:signed}"),
    "bot.monument": N_("A monument as a beginner counts it: {points:signed}"),
    "bot.treasure": N_("A treasure: {points:signed}"),
    "bot.revolt": N_("A revolt that looks won: {points:signed}"),
    "bot.war": N_("A war as a beginner counts it: {points:signed}"),
    "bot.catastrophe": N_("A rival's leader driven from a monument: {points:signed}"),
    "bot.swap": N_("Tiles of no use for others: {points:signed}"),
    "bot.strength": N_("Strength above the other side, with what is added: {n}"),
    # the scribe, in points of the weakest colour
    "bot.points": N_("Points and treasures, the weakest colour first: {points:signed}"),
    "bot.leaders": N_("Own leaders on the board: {points:signed}"),
    "bot.monuments": N_("What monuments will still bring: {points:signed}"),
    "bot.hand": N_("Tiles in the hand that leaders wait for: {points:signed}"),
    "bot.treasures": N_("Treasures within reach: {points:signed}"),
    "bot.revolts": N_("Revolts to come, by the odds of hidden temples: {points:signed}"),
    "bot.wars": N_("Wars to come, by the odds of hidden tiles: {points:signed}"),
    "bot.squares": N_("Squares of four that can be completed: {points:signed}"),
    "bot.rivals": N_("What rivals gain or lose by it: {points:signed}"),
}
