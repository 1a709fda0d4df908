"""The sentences for what the bots of Tigris & Euphrates weighed, marked for translation; keys are "bot." + a reason's key."""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

BOT_PHRASES: Final[dict[str, str]] = {
    "bot.only": N_("There was no other legal move."),
    "bot.nothing": N_("No action was worth taking."),
    # the apprentice
    "bot.point": N_("Point for a tile, weakest colours first: {points:signed}"),
    "bot.leader": N_("A leader on the board and the tiles it can use: {points:signed}"),
    "bot.monument": N_("Rough value of a monument: {points:signed}"),
    "bot.treasure": N_("A treasure: {points:signed}"),
    "bot.revolt": N_("A revolt that looks winnable: {points:signed}"),
    "bot.war": N_("Rough value of a war: {points:signed}"),
    "bot.catastrophe": N_("Driving a rival's leader from a monument: {points:signed}"),
    "bot.swap": N_("Swapping tiles of little use: {points:signed}"),
    "bot.any_war": N_("The bot saw no difference between the wars."),
    "bot.no_monument": N_("No monument would have been worth it."),
    "bot.strength": N_("Margin of strength, including the tiles added: {points:signed}"),
    "bot.tie": N_("The defender wins ties."),
    "bot.win_chance": N_("Chance of winning the conflict, as the bot sees it: {n}%"),
    "bot.even": N_("No other move looked better to the bot."),
    # the scribe, in points of the weakest colour
    "bot.points": N_("Points and treasures, weakest colour first: {points:signed}"),
    "bot.leaders": N_("Its own leaders on the board: {points:signed}"),
    "bot.monuments": N_("Points still to come from monuments: {points:signed}"),
    "bot.hand": N_("Tiles in hand that leaders can use: {points:signed}"),
    "bot.treasures": N_("Treasures within reach: {points:signed}"),
    "bot.revolts": N_("Future revolts, judging by the hidden temples: {points:signed}"),
    "bot.wars": N_("Future wars, judging by the hidden tiles: {points:signed}"),
    "bot.squares": N_("Squares of four tiles that can be completed: {points:signed}"),
    "bot.rivals": N_("What rivals gain or lose: {points:signed}"),
    # the master, in points of the final lead
    "bot.learned": N_("Expected lead at the end of the game, compared with the best other turn: {points:signed}"),
}
