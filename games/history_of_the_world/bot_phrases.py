"""The sentences for what the bots of History of the World weighed, marked for translation; keys are "bot." + the key of a reason."""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

BOT_PHRASES: Final[dict[str, str]] = {
    "bot.only": N_("Nothing else is allowed."),
    # an answer, by the worth that was given to it
    "bot.draft": N_("What the card is worth: {points:signed}"),
    "bot.look": N_("Which pile is looked at first makes no difference."),
    "bot.give": N_("The card is worth less than the usual one: {points:signed}"),
    "bot.kingdom": N_("The kingdom: {points:signed}"),
    "bot.found": N_("Nothing has to be played before the founding."),
    "bot.event": N_("The event: {points:signed}"),
    "bot.guard": N_("The standing order: {points:signed}"),
    "bot.bring": N_("The army that is missed least: {points:signed}"),
    "bot.start": N_("The start: {points:signed}"),
    "bot.conquest": N_("The province: {points:signed}"),
    "bot.fort": N_("A fort: {points:signed}"),
    "bot.end": N_("No conquest gains anything more."),
    "bot.reroll": N_("The roll can only become better."),
    "bot.pass": N_("The roll is good enough."),
    "bot.siege": N_("Going on with the siege: {points:signed}"),
    "bot.retreat": N_("The siege costs more than it brings."),
    "bot.raid": N_("Raiding on: {points:signed}"),
    "bot.ruin": N_("Somebody else would get what stands here: {points:signed}"),
    "bot.spare": N_("What stands here serves its new owner: {points:signed}"),
    "bot.target": N_("The province hit: {points:signed}"),
    "bot.zone": N_("Ways that open: {points:signed}"),
    "bot.city": N_("The city: {points:signed}"),
    "bot.done": N_("Nothing more seemed worth it."),
    "bot.monument": N_("The monument: {points:signed}"),
    "bot.up": N_("Upwards the marker gains points: {points:signed}"),
    "bot.down": N_("Downwards the marker leaves the lead to others: {points:signed}"),
    # what an answer of the scribe changes in the evaluation, in points
    "bot.now": N_("Points of this turn: {points:signed}"),
    "bot.later": N_("What probably still stands in later epochs: {points:signed}"),
    "bot.rivals": N_("What the other players can expect: {points:signed}"),
}
