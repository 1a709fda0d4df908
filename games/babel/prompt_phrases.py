"""The sentences of the questions of Babel, marked for translation. Fields: see `Phrase` in the contract.

In English the noun of a land can follow a preposition ("in {land:noun}"). Two scores or numbers stand as "own against other".
"""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

# Questions
ASK_QUARRY: Final = N_("Your pawn is in the quarry: where does it go?")
ASK_QUARRY_END: Final = N_("Your pawn is in the quarry, and you have no card to move it: end the turn")
ASK_LAND: Final = N_("You are in {land:noun}: what do you do?")
ASK_LAND_END: Final = N_("You are in {land:noun}, and nothing more can be done: end the turn")
ASK_MIGRATION: Final = N_("Three cards from {land:noun} migrate ({cards:nouns}): where to?")
ASK_DISCARD: Final = N_("{seat:name} makes you give up half of your hand. Choose {n:count people_card}")

# Headings over the answers
GROUP_MOVE: Final = N_("Move your pawn")
GROUP_SETTLE: Final = N_("Settle in {land:noun}")
GROUP_BUILD: Final = N_("Build in {land:noun}")
GROUP_MIGRATION: Final = N_("Let three cards migrate")
GROUP_POWERS: Final = N_("Use the run: {run:nouns}")
GROUP_POWERS_RUN: Final = N_("Use run {n} from the inside: {run:nouns}")
GROUP_END: Final = N_("Finish acting")

# Answers, short because they stand under a heading; in brackets what the scores are then
OPTION_MOVE: Final = N_("{land:noun}: cards {n} : {m}, temples {height} : {rival}")
OPTION_MOVE_RUN: Final = N_("{land:noun}: cards {n} : {m}, temples {height} : {rival}, in a row {runs:nouns}")
OPTION_SETTLE: Final = N_("{people:noun}: {n} cards here then")
OPTION_SETTLE_RUN: Final = N_("{people:noun}: {n} cards here then, {m} in a row")
OPTION_SETTLE_FIRST: Final = N_("{people:noun}: the first card here")
OPTION_BUILD: Final = N_("Level {n} from your stock ({score} : {rival})")
OPTION_BUILD_OTHER: Final = N_("Level {n} from the stock of {seat:name} ({score} : {rival})")
OPTION_MIGRATE: Final = N_("From {land:noun}: {cards:nouns}")
OPTION_MIGRATE_TO: Final = N_("{land:noun}: {n} cards then")
OPTION_MIGRATE_TO_RUN: Final = N_("{land:noun}: {n} cards then, in a row {runs:nouns}")
OPTION_DESTROY: Final = N_("Destroy the temple of {seat:name}, {n} high ({score} : {rival})")
OPTION_STEAL: Final = N_("Take level {n} from {seat:name} ({score} : {rival})")
OPTION_EXPEL: Final = N_("Expel: {cards:nouns}")
OPTION_SWITCH: Final = N_("Bring over: {cards:nouns}")
OPTION_SKIP: Final = N_("Skip to level {n} from your stock ({score} : {rival})")
OPTION_SKIP_OTHER: Final = N_("Skip to level {n} from the stock of {seat:name} ({score} : {rival})")
OPTION_HALVE: Final = N_("Halve the hand of {seat:name}: {n} of {m} go")
OPTION_END: Final = N_("End the turn")
OPTION_GIVE: Final = N_("Give up: {people:noun}")
OPTION_KEEP: Final = N_("Keep: {people:noun}")

CONFIRM_MOVE: Final = N_("Move there")
CONFIRM_SETTLE: Final = N_("Settle the card")
CONFIRM_BUILD: Final = N_("Build the level")
CONFIRM_MIGRATE: Final = N_("Let them migrate")
CONFIRM_DESTROY: Final = N_("Destroy the temple")
CONFIRM_STEAL: Final = N_("Take the level")
CONFIRM_EXPEL: Final = N_("Expel this people")
CONFIRM_SWITCH: Final = N_("Bring this people over")
CONFIRM_SKIP: Final = N_("Skip and build")
CONFIRM_HALVE: Final = N_("Halve the hand")
CONFIRM_END: Final = N_("End the turn")
CONFIRM_DISCARD: Final = N_("Give up {n:count people_card}")

HINT_FIRST_LEVEL: Final = N_("In your first turn you have to build your level 1.")
HINT_DECK_TOP: Final = N_("Known levels on top of the temple deck: {levels}.")
HINT_DISCARD: Final = N_("Chosen: {n} of {of}.")

# Consequences
THEN_MOVE: Final = N_("You discard one card ({people:noun}), and your pawn goes to {land:noun}. Left in your hand: {n}.")
THEN_SETTLE: Final = N_("The card becomes the outermost of your column in {land:noun}. Cards there then: {n}.")
THEN_BUILD: Final = N_("Your temple in {land:noun} is then {n} high. Score: {score} against {rival}.")
THEN_STOCK: Final = N_("On top of that stock lies then: level {n}.")
THEN_STOCK_EMPTY: Final = N_("That stock is then empty.")
THEN_MIGRATE: Final = N_("They lie outermost in {land:noun}, in the same order: {n} cards then. Left behind: {m}.")
THEN_IN_A_ROW: Final = N_("In a row there: {runs:nouns}.")
THEN_COST: Final = N_("One card of the run is discarded ({people:noun}). Your cards here then: {n}.")
THEN_DESTROY: Final = N_(
    "The temple of {seat:name} lies face down on the deck. Levels turned up next: {levels}. Score: {score} against {rival}."
)
THEN_STEAL: Final = N_("Your temple here is then {n} high, that of {seat:name} {m}. Score: {score} against {rival}.")
THEN_EXPEL: Final = N_("They are discarded. Left to {seat:name} here: {n}.")
THEN_RIVAL_RUN: Final = N_("Then {seat:name} has in a row here: {runs:nouns}.")
THEN_SWITCH: Final = N_("They lie outermost in your column here. Left to {seat:name} here: {n}.")
THEN_HALVE: Final = N_("{seat:name} chooses the cards and discards them at once; then your turn goes on. It cannot be taken back.")
THEN_NOW_BUILD: Final = N_("Then you can build here: level {n}.")
THEN_NOW_POWERS: Final = N_("Powers that are ready then: {powers:nouns}.")
THEN_WIN_LEAD: Final = N_("You win the game: {score} points, and {seat:name} has fewer than 10 ({rival}).")
THEN_WIN_TWENTY: Final = N_("You win the game with {score} points.")
THEN_LAST_PHASE: Final = N_(
    "You then have 15 points or more, but {seat:name} has {rival}: from then on 20 points win, or 15 with the other below 10."
)
THEN_END: Final = N_("Two temple cards are turned up onto your stock, the lower one on top. Then it is the turn of {seat:name}.")
THEN_END_LAST: Final = N_("The temple deck runs out, and the game ends: {score} against {rival}.")
THEN_END_HANDS: Final = N_("The larger hand decides: {n} against {m}.")
THEN_END_DRAWN: Final = N_("The hands are equal too, {n} against {m}: both win.")
THEN_END_KNOWN: Final = N_("Their levels are known: {levels}.")
THEN_END_KNOWN_ONE: Final = N_("One of them is known: level {levels}.")
THEN_OPEN: Final = N_("Open to {seat:name} then: the top of your stock, and level {n} on the other one.")
THEN_OPEN_ONE: Final = N_("Open to {seat:name} then: the top of your stock.")
THEN_HAND: Final = N_("You keep {n:count people_card}.")
THEN_FIRST_LEVEL: Final = N_("Your first level 1 can no longer be built in this turn: it becomes a card like the others.")
THEN_DISCARD: Final = N_("You give up: {cards:nouns}. You keep: {kept:nouns}.")

# Why not
WHY_IN_QUARRY: Final = N_("Why not settle or build?")
WHY_BUILD: Final = N_("Why not build from your stock?")
WHY_BUILD_OTHER: Final = N_("Why not build from the stock of {seat:name}?")
WHY_MIGRATE: Final = N_("Why not migrate?")
WHY_POWER: Final = N_("Why not this power: {power:noun}?")
WHY_POWERS: Final = N_("Why no power?")
WHY_END: Final = N_("Why not end the turn?")
BECAUSE_NO_MIGRANTS: Final = N_("Exactly three cards migrate, and no column of yours holds three.")
BECAUSE_NO_RUN: Final = N_("You have no three equal cards in a row in {land:noun}.")
BECAUSE_NO_RUN_ELSEWHERE: Final = N_("Your pawn must stand where the run is. You have runs in: {lands:nouns}.")
BECAUSE_NOT_SKIPPED: Final = N_("On top of a stock would have to lie level {level}, which skips one level of your temple here.")
