"""The sentences for what the bots of History of the World weighed, marked for translation; keys are "bot." + a reason's key."""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

BOT_PHRASES: Final[dict[str, str]] = {
    "bot.only": N_("There was no other legal move."),
    # an answer, by its estimated worth
    "bot.draft": N_("Value of the card: {points:signed}"),
    "bot.printed": N_("Rough value of the card, by what is printed on it: {points:signed}"),
    "bot.look": N_("It makes no difference which pile comes first."),
    "bot.keep": N_("The drawn card, compared with the usual one: {points:signed}"),
    "bot.give": N_("The drawn card is worth less than the usual one: {points:signed}"),
    "bot.give_better": N_("A good card that the bot couldn't keep went where it harms least: {points:signed}"),
    "bot.kingdom": N_("The kingdom: {points:signed}"),
    "bot.found": N_("There was no need to play anything before founding the empire."),
    "bot.event": N_("Playing this card now: {points:signed}"),
    "bot.guard": N_("The standing order: {points:signed}"),
    "bot.bring": N_("The army least needed: {points:signed}"),
    "bot.start": N_("Starting here: {points:signed}"),
    "bot.conquest": N_("This province: {points:signed}"),
    "bot.plan": N_("The conquests planned from here, starting with this province: {points:signed}"),
    "bot.fort": N_("A fort here: {points:signed}"),
    "bot.skip": N_("A fort here wasn't worth it."),
    "bot.end": N_("No further conquest would gain anything."),
    "bot.reroll": N_("A reroll can only improve the result."),
    "bot.pass": N_("The roll was good enough."),
    "bot.siege": N_("Continuing the siege: {points:signed}"),
    "bot.retreat": N_("The siege would cost more than it gains."),
    "bot.raid": N_("Continuing the raid: {points:signed}"),
    "bot.ruin": N_("Denying the structures here to rivals: {points:signed}"),
    "bot.spare": N_("Keeping the structures here: {points:signed}"),
    "bot.target": N_("The effect on this province: {points:signed}"),
    "bot.zone": N_("Routes opened: {points:signed}"),
    "bot.city": N_("The city: {points:signed}"),
    "bot.done": N_("Nothing else was worth it."),
    "bot.monument": N_("A monument here: {points:signed}"),
    "bot.up": N_("Points gained by moving the marker up: {points:signed}"),
    "bot.down": N_("Moving the marker down, for an earlier choice of empire next epoch: {points:signed}"),
    # what the scribe's answer changes in the evaluation, in points
    "bot.now": N_("Points this turn: {points:signed}"),
    "bot.later": N_("What will probably last into later epochs: {points:signed}"),
    "bot.learned": N_("Expected lead at the end of the game, compared with ending conquest now: {points:signed}"),
    "bot.played": N_("Expected lead at the end of the game, with the turn tried out, compared with the first idea: {points:signed}"),
    "bot.icons": N_("Resource icons, which bring monuments: {points:signed}"),
    # what an empire brings in the draft, compared with the other cards of the pile
    "bot.armies": N_("Its armies, compared with the other cards: {points:signed}"),
    "bot.card_now": N_("Points this turn, compared with the other cards: {points:signed}"),
    "bot.card_later": N_("What will probably last into later epochs, compared with the other cards: {points:signed}"),
    "bot.lost": N_("What will probably be lost before its turn, compared with the other cards: {points:signed}"),
    "bot.lead": N_("Expected lead at the end of the game, compared with the other empires: {points:signed}"),
    "bot.rivals": N_("What the other players can expect: {points:signed}"),
}
