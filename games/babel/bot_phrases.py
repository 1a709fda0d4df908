"""The sentences for what the bots of Babel weighed, marked for translation; keys are "bot." + a reason's key."""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

BOT_PHRASES: Final[dict[str, str]] = {
    "bot.only": N_("There was no other legal move."),
    "bot.even": N_("No other move looked better to the bot."),
    "bot.win": N_("This turn wins, with a score of {n}."),
    # the apprentice
    "bot.build": N_("Building: {points:signed}"),
    "bot.settle": N_("A settler and what it opens up: {points:signed}"),
    "bot.move": N_("Moving to another land and what can be done there: {points:signed}"),
    "bot.migrate": N_("A migration and what it opens up: {points:signed}"),
    "bot.power": N_("A power: {points:signed}"),
    "bot.give_up": N_("Cards discarded, single ones first: {n}"),
    "bot.end": N_("Nothing else was worth it."),
    # the scribe, for the turn it plans, in points
    "bot.plan": N_("Actions planned for this turn and weighed together: {n}"),
    "bot.points": N_("Score and how close each player is to winning: {points:signed}"),
    "bot.levels": N_("Levels that can be built next turn: {points:signed}"),
    "bot.settlers": N_("Both players' settlers: {points:signed}"),
    "bot.attacks": N_("Powers within reach next turn: {points:signed}"),
    "bot.threats": N_("What the opponent may do next turn, judging by the unseen cards: {points:signed}"),
    "bot.hand": N_("Cards in hand: {points:signed}"),
    "bot.rival_hand": N_("Fewer cards in the opponent's hand: {points:signed}"),
    "bot.keep": N_("Discarding the cards least needed: {points:signed}"),
    # the master
    "bot.played": N_("Chance of winning, after trying out the next two turns: {n}%"),
}
