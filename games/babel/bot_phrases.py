"""The sentences for what the bots of Babel weighed, marked for translation; keys are "bot." + the key of a reason."""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

BOT_PHRASES: Final[dict[str, str]] = {
    "bot.only": N_("Nothing else is allowed."),
    "bot.nothing": N_("Nothing seemed worth a card."),
    "bot.win": N_("This turn wins, with a score of {n}."),
    # the apprentice
    "bot.build": N_("Building: {points:signed}"),
    "bot.settle": N_("A settler, and what it makes possible: {points:signed}"),
    "bot.move": N_("Going to another land, and what can be done there: {points:signed}"),
    "bot.migrate": N_("A migration, and what it makes possible: {points:signed}"),
    "bot.power": N_("A power: {points:signed}"),
    "bot.give_up": N_("Cards given up, those without others of their people first: {n}"),
    "bot.end": N_("Ending the turn, the cards kept for later"),
    # the scribe, over the turn that it plans, in points
    "bot.points": N_("Points, and how far both sides are from winning: {points:signed}"),
    "bot.levels": N_("Levels that can be built next turn: {points:signed}"),
    "bot.settlers": N_("Settlers of both sides: {points:signed}"),
    "bot.attacks": N_("Powers within reach next turn: {points:signed}"),
    "bot.threats": N_("What the other side may do next turn, by the odds of unseen cards: {points:signed}"),
    "bot.hand": N_("Cards in the own hand: {points:signed}"),
    "bot.rival_hand": N_("Cards in the other hand: {points:signed}"),
    "bot.keep": N_("What is given up costs the hand least: {points:signed}"),
}
