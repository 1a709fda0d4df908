"""The sentences of the questions of Babel, marked for translation. Fields: see `Phrase` in the contract.

In English a land's noun can follow a preposition ("in {land:noun}"). Of two scores or numbers, the player's own comes first.
"""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

# Questions
ASK_QUARRY: Final = N_("Your pawn is in the quarry. Where do you move it?")
ASK_QUARRY_END: Final = N_("Your pawn is in the quarry and you have no card to move it: end your turn")
ASK_LAND: Final = N_("You are in {land:noun}. What do you do?")
ASK_LAND_END: Final = N_("You are in {land:noun}. You have no other options: end your turn")
ASK_MIGRATION: Final = N_("Three cards migrate from {land:noun} ({cards:nouns}). Where do they go?")
ASK_DISCARD: Final = N_("{seat:name} halved your hand. Choose {n:count people_card} to discard")

# Headings over the answers
GROUP_MOVE: Final = N_("Move your pawn")
GROUP_SETTLE: Final = N_("Settle in {land:noun}")
GROUP_BUILD: Final = N_("Build in {land:noun}")
GROUP_MIGRATION: Final = N_("Migrate three cards")
GROUP_POWERS: Final = N_("Use run: {run:nouns}")
GROUP_POWERS_RUN: Final = N_("Use run {n}, counted from the inside: {run:nouns}")
GROUP_END: Final = N_("Finish")

# Answers, short because they are under a heading; the resulting scores are in brackets
OPTION_MOVE: Final = N_("{land:noun}: cards {n}–{m}, temples {height}–{rival}")
OPTION_MOVE_RUN: Final = N_("{land:noun}: cards {n}–{m}, temples {height}–{rival}, runs {runs:nouns}")
OPTION_SETTLE: Final = N_("{people:noun} (cards here: {n})")
OPTION_SETTLE_RUN: Final = N_("{people:noun} (cards here: {n}, {m} in a row)")
OPTION_SETTLE_FIRST: Final = N_("{people:noun} (your first card here)")
OPTION_BUILD: Final = N_("Level {n} from your stock ({score}–{rival})")
OPTION_BUILD_OTHER: Final = N_("Level {n} from {seat:name}'s stock ({score}–{rival})")
OPTION_MIGRATE: Final = N_("From {land:noun}: {cards:nouns}")
OPTION_MIGRATE_TO: Final = N_("{land:noun} (cards there: {n})")
OPTION_MIGRATE_TO_RUN: Final = N_("{land:noun} (cards there: {n}, runs {runs:nouns})")
OPTION_DESTROY: Final = N_("Destroy {seat:name}'s temple, {n} high ({score}–{rival})")
OPTION_STEAL: Final = N_("Take level {n} from {seat:name} ({score}–{rival})")
OPTION_EXPEL: Final = N_("Expel {cards:nouns}")
OPTION_SWITCH: Final = N_("Win over {cards:nouns}")
OPTION_SKIP: Final = N_("Skip a level: build level {n} from your stock ({score}–{rival})")
OPTION_SKIP_OTHER: Final = N_("Skip a level: build level {n} from {seat:name}'s stock ({score}–{rival})")
OPTION_HALVE: Final = N_("Halve {seat:name}'s hand ({n} of {m} cards discarded)")
OPTION_END: Final = N_("End turn")
OPTION_GIVE: Final = N_("Discard {people:noun}")
OPTION_KEEP: Final = N_("Keep {people:noun}")

CONFIRM_MOVE: Final = N_("Move pawn")
CONFIRM_SETTLE: Final = N_("Settle card")
CONFIRM_BUILD: Final = N_("Build level")
CONFIRM_MIGRATE: Final = N_("Migrate")
CONFIRM_DESTROY: Final = N_("Destroy temple")
CONFIRM_STEAL: Final = N_("Take level")
CONFIRM_EXPEL: Final = N_("Expel people")
CONFIRM_SWITCH: Final = N_("Win people over")
CONFIRM_SKIP: Final = N_("Skip and build")
CONFIRM_HALVE: Final = N_("Halve hand")
CONFIRM_END: Final = N_("End turn")
CONFIRM_DISCARD: Final = N_("Discard {n:count people_card}")

HINT_FIRST_LEVEL: Final = N_("You must build your level 1 on your first turn.")
HINT_DECK_TOP: Final = N_("Known levels on top of the temple deck: {levels}.")
HINT_DISCARD: Final = N_("Chosen: {n} of {of}.")

# Consequences
THEN_MOVE: Final = N_("You discard 1 {people:noun} and move your pawn to {land:noun}. Cards left in hand: {n}.")
THEN_SETTLE: Final = N_("The card goes to the outer end of your column in {land:noun}. Cards there: {n}.")
THEN_BUILD: Final = N_("Your temple in {land:noun} will be {n} high. Score: {score} to {rival}.")
THEN_STOCK: Final = N_("The next card in that stock is level {n}.")
THEN_STOCK_EMPTY: Final = N_("That stock will be empty.")
THEN_MIGRATE: Final = N_(
    "They go to the outer end of your column in {land:noun}, in the same order. Cards there: {n}. Cards left behind: {m}."
)
THEN_IN_A_ROW: Final = N_("Runs there: {runs:nouns}.")
THEN_COST: Final = N_("You discard one card of the run ({people:noun}). Your cards left here: {n}.")
THEN_DESTROY: Final = N_(
    "{seat:name}'s temple goes face down on top of the deck. Next levels revealed: {levels}. Score: {score} to {rival}."
)
THEN_STEAL: Final = N_("Your temple here will be {n} high and {seat:name}'s {m}. Score: {score} to {rival}.")
THEN_EXPEL: Final = N_("They are discarded. {seat:name}'s cards left here: {n}.")
THEN_RIVAL_RUN: Final = N_("{seat:name}'s runs here: {runs:nouns}.")
THEN_SWITCH: Final = N_("They go to the outer end of your column here. {seat:name}'s cards left here: {n}.")
THEN_HALVE: Final = N_("{seat:name} chooses the cards and discards them at once; then your turn continues. You can't undo this.")
THEN_NOW_BUILD: Final = N_("You can then build level {n} here.")
THEN_NOW_POWERS: Final = N_("Powers you can then use: {powers:nouns}.")
THEN_WIN_LEAD: Final = N_("You win the game with {score} points while {seat:name} has fewer than 10 ({rival}).")
THEN_WIN_TWENTY: Final = N_("You win the game with {score} points.")
THEN_LAST_PHASE: Final = N_(
    "You will have 15 points or more, but {seat:name} has {rival}. To win from then on, reach 20 points, or have 15 "
    "while your opponent has fewer than 10."
)
THEN_END: Final = N_("Two temple cards are revealed and go onto your stock, the lower one on top. Then it is {seat:name}'s turn.")
THEN_END_LAST: Final = N_("The temple deck runs out and the game ends, {score} to {rival}.")
THEN_END_HANDS: Final = N_("The larger hand wins: {n} to {m}.")
THEN_END_DRAWN: Final = N_("Hand sizes are tied too, {n} to {m}: both players win.")
THEN_END_KNOWN: Final = N_("Their levels are known: {levels}.")
THEN_END_KNOWN_ONE: Final = N_("One of them is known: level {levels}.")
THEN_OPEN: Final = N_("{seat:name} will be able to build the top card of your stock, or level {n} from the other stock.")
THEN_OPEN_ONE: Final = N_("{seat:name} will be able to build the top card of your stock.")
THEN_HAND: Final = N_("You keep {n:count people_card}.")
THEN_FIRST_LEVEL: Final = N_("You can no longer build your reserved level 1 this turn. It becomes an ordinary card.")
THEN_DISCARD: Final = N_("You discard {cards:nouns}. You keep {kept:nouns}.")

# Why not
WHY_IN_QUARRY: Final = N_("Why can't I settle or build?")
WHY_BUILD: Final = N_("Why can't I build from my stock?")
WHY_BUILD_OTHER: Final = N_("Why can't I build from {seat:name}'s stock?")
WHY_MIGRATE: Final = N_("Why can't I migrate?")
WHY_POWER: Final = N_("Why can't I use this power ({power:noun})?")
WHY_POWERS: Final = N_("Why can't I use a power?")
WHY_END: Final = N_("Why can't I end the turn?")
BECAUSE_NO_MIGRANTS: Final = N_("Exactly three cards migrate, but none of your columns has three.")
BECAUSE_NO_RUN: Final = N_("You don't have three cards of the same people in a row in {land:noun}.")
BECAUSE_NO_RUN_ELSEWHERE: Final = N_("Your pawn must be where the run is. Lands with your runs: {lands:nouns}.")
BECAUSE_NOT_SKIPPED: Final = N_("To skip a level of your temple here, you need level {level} on top of a stock.")
