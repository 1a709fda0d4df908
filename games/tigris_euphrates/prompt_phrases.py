"""The sentences of the questions of Tigris & Euphrates, marked for translation. Fields: see `Phrase` in the contract."""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

# Questions
ASK_FIRST: Final = N_("Your turn: choose the first of two actions")
ASK_SECOND: Final = N_("Choose your second action, or end the turn")
ASK_TILE: Final = N_("Choose a square for the tile: {tile:noun}")
ASK_LEADER: Final = N_("Choose a square for the leader: {leader:noun}")
ASK_LEADER_MOVE: Final = N_("Choose a square to move the leader to: {leader:noun}")
ASK_CATASTROPHE: Final = N_("Choose a square for the catastrophe")
ASK_SWAP: Final = N_("Choose the tiles to swap")
ASK_WAR: Final = N_("Which war is settled next?")
ASK_REVOLT_ATTACK: Final = N_("Your revolt against {seat:name} ({role:noun}): how many temples do you add?")
ASK_REVOLT_DEFENCE: Final = N_("{seat:name} attacks you, revolt ({role:noun}): how many temples do you add?")
ASK_WAR_ATTACK: Final = N_("Your war against {seat:name} ({role:noun}): how many tiles do you add? ({tile:noun})")
ASK_WAR_DEFENCE: Final = N_("{seat:name} attacks you, war ({role:noun}): how many tiles do you add? ({tile:noun})")
ASK_MONUMENT: Final = N_("Four tiles of one colour: do you build a monument?")
ASK_MONUMENT_SQUARE: Final = N_("Choose the four tiles for the monument: {monument:noun}")
ASK_TREASURE: Final = N_("Your trader takes treasures. Still to take: {n}. Choose one")

# Answers
OPTION_TILE: Final = "{tile:noun}"
OPTION_LEADER: Final = "{role:noun}"
OPTION_LEADER_ON: Final = "{role:noun}, {square}"
OPTION_CATASTROPHE: Final = N_("Place a catastrophe")
OPTION_SWAP: Final = N_("Swap tiles")
OPTION_PASS: Final = N_("End the turn")
OPTION_SQUARE: Final = "{square}"
OPTION_SWAP_MORE: Final = N_("Swap: {tile:noun}")
OPTION_SWAP_LESS: Final = N_("Keep: {tile:noun}")
OPTION_SWAP_ALL: Final = N_("Swap all {n:count tile}")
OPTION_WAR: Final = N_("War: {role:noun}")
OPTION_ADD_NONE: Final = N_("Add none")
OPTION_ADD: Final = N_("Add {n} ({tile:noun})")
OPTION_BUILD: Final = N_("Build: {monument:noun}")
OPTION_DECLINE: Final = N_("Build none")

CONFIRM_TILE: Final = N_("Place the tile")
CONFIRM_LEADER: Final = N_("Place the leader")
CONFIRM_LEADER_MOVE: Final = N_("Move the leader")
CONFIRM_WITHDRAW: Final = N_("Take the leader back")
CONFIRM_CATASTROPHE: Final = N_("Place the catastrophe")
CONFIRM_SWAP: Final = N_("Swap {n:count tile}")
CONFIRM_PASS: Final = N_("End the turn")
CONFIRM_WAR: Final = N_("Settle this war")
CONFIRM_ADD: Final = N_("Add {n:count tile}")
CONFIRM_ADD_NONE: Final = N_("Add none")
CONFIRM_BUILD: Final = N_("Build the monument")
CONFIRM_DECLINE: Final = N_("Build none")
CONFIRM_TREASURE: Final = N_("Take the treasure")

ENTRY_SQUARE: Final = N_("Square, for example D2")

# Headings over what a turn may begin with
GROUP_TILE: Final = N_("Place a tile")
GROUP_LEADER: Final = N_("Place a leader")
GROUP_MOVE: Final = N_("Move a leader")
GROUP_WITHDRAW: Final = N_("Take a leader back")
GROUP_MORE: Final = N_("Other")

# Headings over squares
GROUP_POINT_ME: Final = N_("A point for you ({colour:noun})")
GROUP_POINT: Final = N_("A point for {seat:name} ({colour:noun})")
GROUP_NO_POINT: Final = N_("In a kingdom, but no point")
GROUP_WAR: Final = N_("Unites two kingdoms: war")
GROUP_UNION: Final = N_("Unites two kingdoms in peace")
GROUP_REGION: Final = N_("Beside tiles without a leader")
GROUP_ALONE: Final = N_("Alone")
GROUP_REVOLT: Final = N_("Revolt against {seat:name}")
GROUP_JOIN: Final = N_("Joins a kingdom")
GROUP_FOUND: Final = N_("Begins a kingdom")
GROUP_COVERS: Final = N_("Covers a tile: {tile:noun}")
GROUP_EMPTY_LAND: Final = N_("Empty land")
GROUP_EMPTY_RIVER: Final = N_("Empty river")
GROUP_TREASURES: Final = N_("Treasures")
GROUP_FOUR: Final = N_("Upper left square of the four tiles")

# Why a square is closed
CLOSED_TAKEN: Final = N_("taken")
CLOSED_CATASTROPHE: Final = N_("a catastrophe lies there")
CLOSED_RIVER_TILE: Final = N_("river: only farms go there")
CLOSED_LAND: Final = N_("land: farms go on the river")
CLOSED_THREE: Final = N_("would join three kingdoms")
CLOSED_HERE: Final = N_("the leader stands there")
CLOSED_RIVER_LEADER: Final = N_("river: leaders stand on land")
CLOSED_NO_TEMPLE: Final = N_("no face-up temple beside it")
CLOSED_TWO: Final = N_("would join two kingdoms")
CLOSED_LEADER: Final = N_("a leader stands there")
CLOSED_MONUMENT: Final = N_("a monument stands there")
CLOSED_TREASURE: Final = N_("a treasure lies there")
CLOSED_CORNER_FIRST: Final = N_("a framed treasure comes first")
CLOSED_OTHER_TREASURE: Final = N_("not in your trader's kingdom")

# What a tile does
THEN_POINT_ME: Final = N_("You get 1 point ({colour:noun}).")
THEN_POINT_ME_KING: Final = N_("You get 1 point ({colour:noun}), by your king.")
THEN_POINT: Final = N_("{seat:name} gets 1 point ({colour:noun}).")
THEN_POINT_KING: Final = N_("{seat:name} gets 1 point ({colour:noun}), by the king.")
THEN_NO_POINT_KINGDOM: Final = N_("No point: in this kingdom there is no leader of that colour ({role:noun}) and no king.")
THEN_NO_POINT_NO_KING: Final = N_("No point: there is no king in this kingdom.")
THEN_NO_POINT_OUTSIDE: Final = N_("No point: the tile lies in no kingdom.")
THEN_UNION: Final = N_("Two kingdoms become one, in peace. That brings no point.")
THEN_UNION_WAR: Final = N_("Two kingdoms are united, which brings no point, and a war begins.")
THEN_UNION_WARS: Final = N_("Two kingdoms are united, which brings no point. Wars begin; you choose which is settled first.")
THEN_WAR_MINE: Final = N_(
    "War ({role:noun}): you have {n} on the board and {held} in hand, {seat:name} has {m} and can add {most} at most; a tie is lost."
)
THEN_WAR_OTHERS: Final = N_("War ({role:noun}): {seat:name} attacks with {n} on the board, {other:name} defends with {m} and wins a tie.")
THEN_MAY_BUILD: Final = N_("Four tiles of one colour: you may then build a monument.")
THEN_MAY_BUILD_AFTER: Final = N_("If the four tiles still lie there after the conflict, you may build a monument.")
THEN_NO_MONUMENT: Final = N_("Four tiles of one colour, but no monument of that colour is left.")

# What a leader does
THEN_FOUND: Final = N_("The leader begins a kingdom of its own.")
THEN_JOIN: Final = N_("The leader joins a kingdom in peace. Leaders there: {leaders:nouns}.")
THEN_REVOLT: Final = N_(
    "Revolt: you have {n} on the board and {held} in hand (temples), {seat:name} has {m} and can add {most} at most; a tie is lost."
)
THEN_WITHDRAW: Final = N_("The leader goes back in front of your screen.")
THEN_SPLIT: Final = N_("The kingdom that the leader leaves falls apart.")
THEN_LEADERLESS: Final = N_("What it leaves is no kingdom any more.")
THEN_INCOME_ROLE: Final = N_("There it brings you points at the end of each of your turns, from monuments: {n}.")

# What a catastrophe does
THEN_CATASTROPHE: Final = N_("{square} can never be used again. Catastrophes that you have left: {n}.")
THEN_CATASTROPHE_TILE: Final = N_(
    "This tile leaves the game: {tile:noun}. {square} can never be used again. Catastrophes that you have left: {n}."
)
THEN_STRIPPED_ME: Final = N_("Your leader loses its last temple and goes home: {leader:noun}.")
THEN_STRIPPED: Final = N_("A leader of {seat:name} loses its last temple and goes home: {leader:noun}.")
THEN_KINGDOM_SPLIT: Final = N_("A kingdom falls apart.")

# Swapping and ending the turn
THEN_SWAP: Final = N_("These leave the game unseen, and you draw as many: {tiles:nouns}.")
THEN_PASS_BOTH: Final = N_("You do without both actions.")
THEN_PASS: Final = N_("You do without your second action.")
THEN_INCOME_ME: Final = N_("At the end of this turn monuments bring you {points:signed} ({colour:noun}).")
THEN_INCOME: Final = N_("At the end of this turn monuments bring {seat:name} {points:signed} ({colour:noun}).")

# Conflicts
THEN_ATTACK_LOST: Final = N_("You have {n}, {seat:name} has {m}: that is lost even if nothing is added.")
THEN_ATTACK_WON: Final = N_("You have {n}, {seat:name} has {m} and can add {most} at most: that is won.")
THEN_ATTACK_OPEN: Final = N_("You have {n}, {seat:name} has {m} and can add {most} at most. To win, {seat:name} must add {need}.")
THEN_WIN_REVOLT: Final = N_("You win {n} : {m} and get 1 point ({colour:noun}). The attacking leader goes home.")
THEN_WIN_REVOLT_TIE: Final = N_("{n} : {m}, and the defender wins a tie: you get 1 point ({colour:noun}). The attacking leader goes home.")
THEN_LOSE_REVOLT: Final = N_("You lose {m} : {n}. Your leader goes home, {seat:name} gets 1 point ({colour:noun}).")
THEN_WIN_WAR: Final = N_("You win {n} : {m} and get {points} ({colour:noun}). The attacking leader goes home. Tiles removed: {removed}.")
THEN_WIN_WAR_TIE: Final = N_(
    "{n} : {m}, and the defender wins a tie: you get {points} ({colour:noun}). The attacking leader goes home. Tiles removed: {removed}."
)
THEN_LOSE_WAR: Final = N_("You lose {m} : {n}. Your leader goes home, {seat:name} gets {points} ({colour:noun}). Tiles removed: {removed}.")
THEN_WAR_VOID: Final = N_("Then there is no war any more between these leaders, their kingdoms have come apart: {role:noun}.")
THEN_WAR_NEXT: Final = N_("A war is then still to be settled: {role:noun}.")

# Monuments
THEN_BUILD: Final = N_("The four tiles are turned face down for good: they connect, and do nothing else.")
THEN_BUILD_FOR_ME: Final = N_("As the leaders stand, it brings you 1 point at the end of each of your turns ({colour:noun}).")
THEN_BUILD_FOR: Final = N_("As the leaders stand, it brings {seat:name} 1 point at the end of each of their turns ({colour:noun}).")
THEN_BUILD_FOR_NOBODY: Final = N_("As the leaders stand, it brings nobody a point of this colour: {colour:noun}.")
THEN_DECLINE: Final = N_("On this block of four tiles no monument can be built later.")
THEN_DECLINE_SQUARES: Final = N_("On none of these blocks of four tiles can a monument be built later.")

# Treasures and ends
THEN_TREASURE: Final = N_("You take the treasure of {square}: a point of whatever colour you need at the end.")
THEN_TREASURES_ME: Final = N_("Your trader then takes {n:count treasure}.")
THEN_TREASURES: Final = N_("{seat:name} then takes {n:count treasure}.")
THEN_END_TREASURES: Final = N_("Treasures left on the board: {n}. The game then ends with this turn.")
THEN_END_BAG: Final = N_("Tiles in the bag: {n}, which cannot fill all hands. The game then ends.")
THEN_END_SWAP: Final = N_("Tiles in the bag: {n}, which cannot replace those swapped. The game then ends at once.")

# Hints
HINT_LAST_TURN: Final = N_("Treasures left on the board: {n}. The game ends with this turn.")
HINT_LEADER: Final = N_("A leader needs a face-up temple beside it and may touch only one kingdom.")
HINT_SWAP: Final = N_("Swapped tiles never come back, and nobody sees them.")
HINT_REVOLT_ATTACK: Final = N_(
    "Temples beside the leaders: you {n}, {seat:name} {m}, who can add {most} at most. The defender wins a tie. The winner gets 1 point"
    " ({colour:noun})."
)
HINT_REVOLT_DEFENCE: Final = N_(
    "Temples beside the leaders: you {n}, {seat:name} {m}, and {added} added. You win a tie. The winner gets 1 point ({colour:noun})."
)
HINT_WAR_ATTACK: Final = N_(
    "Supporters on the board: you {n}, {seat:name} {m}, who can add {most} at most. The defender wins a tie. A victory brings you {win},"
    " a defeat brings {seat:name} {lose} ({colour:noun})."
)
HINT_WAR_DEFENCE: Final = N_(
    "Supporters on the board: you {n}, {seat:name} {m}, and {added} added. You win a tie. A victory brings you {win},"
    " a defeat brings {seat:name} {lose} ({colour:noun})."
)

# Why not
WHY_TILE: Final = N_("Why not place this tile: {tile:noun}?")
WHY_LEADER: Final = N_("Why not place this leader: {role:noun}?")
WHY_LEADER_MOVE: Final = N_("Why not move this leader: {role:noun}?")
WHY_CATASTROPHE: Final = N_("Why not place a catastrophe?")
WHY_NO_TILES: Final = N_("Why not place or swap a tile?")
WHY_TREASURE: Final = N_("Why not take the treasure of {square}?")
WHY_MONUMENT: Final = N_("Why not build this monument: {monument:noun}?")
BECAUSE_NO_SQUARE_TILE: Final = N_("No empty square is left that could take it.")
BECAUSE_NO_SQUARE_LEADER: Final = N_("No empty square on land has a face-up temple beside it and touches one kingdom at most.")
BECAUSE_NO_TILES: Final = N_("You have no tile in hand. Hands are filled at the end of the turn.")
BECAUSE_NO_SUCH_SQUARE: Final = N_("Squares are a letter from A to P and a number from 1 to 11.")
