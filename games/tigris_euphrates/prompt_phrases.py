"""The sentences of the questions of Tigris & Euphrates, marked for translation. Fields: see `Phrase` in the contract."""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

# Questions
ASK_FIRST: Final = N_("Your turn: choose the first of your two actions")
ASK_SECOND: Final = N_("Choose your second action, or end your turn")
ASK_TILE: Final = N_("Choose a square for the {tile:noun}")
ASK_LEADER: Final = N_("Choose a square for the {leader:noun}")
ASK_LEADER_MOVE: Final = N_("Choose where to move the {leader:noun}")
ASK_CATASTROPHE: Final = N_("Choose a square for the catastrophe")
ASK_SWAP: Final = N_("Choose the tiles to swap")
ASK_WAR: Final = N_("Which war is resolved next?")
ASK_REVOLT_ATTACK: Final = N_("You attack {seat:name} in a revolt ({role:noun}). How many temples do you add?")
ASK_REVOLT_DEFENCE: Final = N_("{seat:name} attacks you in a revolt ({role:noun}). How many temples do you add?")
ASK_WAR_ATTACK: Final = N_("You attack {seat:name} in a war ({role:noun}). How many tiles do you add ({tile:noun})?")
ASK_WAR_DEFENCE: Final = N_("{seat:name} attacks you in a war ({role:noun}). How many tiles do you add ({tile:noun})?")
ASK_MONUMENT: Final = N_("You have completed a square of four. Build a monument?")
ASK_MONUMENT_SQUARE: Final = N_("Choose the four tiles for the {monument:noun}")
ASK_TREASURE: Final = N_("Choose a treasure for your trader. Still to take: {n}")

# Answers
OPTION_TILE: Final = "{tile:noun}"
OPTION_LEADER: Final = "{role:noun}"
OPTION_LEADER_ON: Final = "{role:noun}, {square}"
OPTION_CATASTROPHE: Final = N_("Place a catastrophe")
OPTION_SWAP: Final = N_("Swap tiles")
OPTION_PASS: Final = N_("End turn")
OPTION_SQUARE: Final = "{square}"
OPTION_SWAP_MORE: Final = N_("Swap {tile:noun}")
OPTION_SWAP_LESS: Final = N_("Keep {tile:noun}")
OPTION_SWAP_ALL: Final = N_("Swap all {n:count tile}")
OPTION_WAR: Final = N_("War: {role:noun}")
OPTION_ADD_NONE: Final = N_("Add none")
OPTION_ADD: Final = N_("Add {n} ({tile:noun})")
OPTION_BUILD: Final = N_("Build the {monument:noun}")
OPTION_DECLINE: Final = N_("Don't build")

CONFIRM_TILE: Final = N_("Place tile")
CONFIRM_LEADER: Final = N_("Place leader")
CONFIRM_LEADER_MOVE: Final = N_("Move leader")
CONFIRM_WITHDRAW: Final = N_("Withdraw leader")
CONFIRM_CATASTROPHE: Final = N_("Place catastrophe")
CONFIRM_SWAP: Final = N_("Swap {n:count tile}")
CONFIRM_PASS: Final = N_("End turn")
CONFIRM_WAR: Final = N_("Resolve this war")
CONFIRM_ADD: Final = N_("Add {n:count tile}")
CONFIRM_ADD_NONE: Final = N_("Add none")
CONFIRM_BUILD: Final = N_("Build monument")
CONFIRM_DECLINE: Final = N_("Don't build")
CONFIRM_TREASURE: Final = N_("Take treasure")

ENTRY_SQUARE: Final = N_("Square, for example D2")

# Headings over what a turn may start with
GROUP_TILE: Final = N_("Place a tile")
GROUP_LEADER: Final = N_("Place a leader")
GROUP_MOVE: Final = N_("Move a leader")
GROUP_WITHDRAW: Final = N_("Withdraw a leader")
GROUP_MORE: Final = N_("Other")

# Headings over squares
GROUP_POINT_ME: Final = N_("1 point for you ({colour:noun})")
GROUP_POINT: Final = N_("1 point for {seat:name} ({colour:noun})")
GROUP_NO_POINT: Final = N_("In a kingdom, no points")
GROUP_WAR: Final = N_("Unites two kingdoms: war")
GROUP_UNION: Final = N_("Unites two kingdoms in peace")
GROUP_REGION: Final = N_("Next to tiles with no leader")
GROUP_ALONE: Final = N_("On its own")
GROUP_REVOLT: Final = N_("Revolt against {seat:name}")
GROUP_JOIN: Final = N_("Joins a kingdom")
GROUP_FOUND: Final = N_("Starts a kingdom")
GROUP_COVERS: Final = N_("Covers a tile: {tile:noun}")
GROUP_EMPTY_LAND: Final = N_("Empty land")
GROUP_EMPTY_RIVER: Final = N_("Empty river")
GROUP_TREASURES: Final = N_("Treasures")
GROUP_FOUR: Final = N_("Upper left square of the four tiles")

# Why a square is closed
CLOSED_TAKEN: Final = N_("taken")
CLOSED_CATASTROPHE: Final = N_("has a catastrophe")
CLOSED_RIVER_TILE: Final = N_("river: farms only")
CLOSED_LAND: Final = N_("land: farms go only on rivers")
CLOSED_THREE: Final = N_("would join three kingdoms")
CLOSED_HERE: Final = N_("this leader is already there")
CLOSED_RIVER_LEADER: Final = N_("river: leaders go only on land")
CLOSED_NO_TEMPLE: Final = N_("not next to a face-up temple")
CLOSED_TWO: Final = N_("would join two kingdoms")
CLOSED_LEADER: Final = N_("has a leader")
CLOSED_MONUMENT: Final = N_("has a monument")
CLOSED_TREASURE: Final = N_("has a treasure")
CLOSED_CORNER_FIRST: Final = N_("corner treasures come first")
CLOSED_OTHER_TREASURE: Final = N_("not in your trader's kingdom")

# What a tile does
THEN_POINT_ME: Final = N_("You get 1 {colour:noun} point.")
THEN_POINT_ME_KING: Final = N_("You get 1 {colour:noun} point through your king.")
THEN_POINT: Final = N_("{seat:name} gets 1 {colour:noun} point.")
THEN_POINT_KING: Final = N_("{seat:name} gets 1 {colour:noun} point through the king.")
THEN_NO_POINT_KINGDOM: Final = N_("No points: this kingdom has no {role:noun} and no king.")
THEN_NO_POINT_NO_KING: Final = N_("No points: this kingdom has no king.")
THEN_NO_POINT_OUTSIDE: Final = N_("No points: the tile isn't in a kingdom.")
THEN_UNION: Final = N_("Two kingdoms unite in peace. You score no points.")
THEN_UNION_WAR: Final = N_("Two kingdoms unite. You score no points, and a war breaks out.")
THEN_UNION_WARS: Final = N_("Two kingdoms unite. You score no points, and wars break out. You choose which is resolved first.")
THEN_WAR_MINE: Final = N_(
    "War ({role:noun}): you have {n} on the board and {held} in hand; {seat:name} has {m} and can add at most {most}. You lose ties."
)
THEN_WAR_OTHERS: Final = N_("War ({role:noun}): {seat:name} attacks with {n} on the board; {other:name} defends with {m} and wins ties.")
THEN_MAY_BUILD: Final = N_("This completes a square of four: you may build a monument.")
THEN_MAY_BUILD_AFTER: Final = N_("If the square of four survives the conflict, you may build a monument.")
THEN_NO_MONUMENT: Final = N_("This completes a square of four, but no monument of that colour is left.")

# What a leader does
THEN_FOUND: Final = N_("The leader starts a new kingdom.")
THEN_JOIN: Final = N_("The leader joins a kingdom without a revolt. Leaders there: {leaders:nouns}.")
THEN_REVOLT: Final = N_(
    "Revolt (temples): you have {n} on the board and {held} in hand; {seat:name} has {m} and can add at most {most}. You lose ties."
)
THEN_WITHDRAW: Final = N_("The leader returns to its place in front of your screen.")
THEN_SPLIT: Final = N_("The leader's old kingdom splits.")
THEN_LEADERLESS: Final = N_("The tiles left behind are no longer a kingdom.")
THEN_INCOME_ROLE: Final = N_("Points from monuments there at the end of each of your turns: {n}.")

# What a catastrophe does
THEN_CATASTROPHE: Final = N_("{square} can never be used again. Catastrophes you have left: {n}.")
THEN_CATASTROPHE_TILE: Final = N_(
    "The {tile:noun} is removed from the game. {square} can never be used again. Catastrophes you have left: {n}."
)
THEN_STRIPPED_ME: Final = N_("Your {leader:noun} loses its last temple and returns to you.")
THEN_STRIPPED: Final = N_("{seat:name}'s {leader:noun} loses its last temple and returns to its owner.")
THEN_KINGDOM_SPLIT: Final = N_("A kingdom splits.")

# Swapping and ending the turn
THEN_SWAP: Final = N_("You remove {tiles:nouns} from the game face down and draw the same number of tiles.")
THEN_PASS_BOTH: Final = N_("You give up both actions.")
THEN_PASS: Final = N_("You give up your second action.")
THEN_INCOME_ME: Final = N_("Monuments give you {points:signed} ({colour:noun}) at the end of this turn.")
THEN_INCOME: Final = N_("Monuments give {seat:name} {points:signed} ({colour:noun}) at the end of this turn.")

# Conflicts
THEN_ATTACK_LOST: Final = N_("You have {n} and {seat:name} has {m}: you lose even if they add nothing.")
THEN_ATTACK_WON: Final = N_("You have {n}; {seat:name} has {m} and can add at most {most}: you win.")
THEN_ATTACK_OPEN: Final = N_("You have {n}; {seat:name} has {m} and can add at most {most}. To win, {seat:name} must add {need}.")
THEN_WIN_REVOLT: Final = N_("You win {n} to {m} and get 1 {colour:noun} point. The attacking leader is withdrawn.")
THEN_WIN_REVOLT_TIE: Final = N_("{n} to {m}: the defender wins ties, so you get 1 {colour:noun} point. The attacking leader is withdrawn.")
THEN_LOSE_REVOLT: Final = N_("You lose {m} to {n}. Your leader is withdrawn and {seat:name} gets 1 {colour:noun} point.")
THEN_WIN_WAR: Final = N_(
    "You win {n} to {m}. Points: {points} ({colour:noun}). The attacking leader is withdrawn. Tiles removed: {removed}."
)
THEN_WIN_WAR_TIE: Final = N_(
    "{n} to {m}: the defender wins ties. Points for you: {points} ({colour:noun}). The attacking leader is withdrawn. "
    "Tiles removed: {removed}."
)
THEN_LOSE_WAR: Final = N_(
    "You lose {m} to {n} and your leader is withdrawn. Points for {seat:name}: {points} ({colour:noun}). Tiles removed: {removed}."
)
THEN_WAR_VOID: Final = N_("These leaders' kingdoms will have split, so they won't be at war: {role:noun}.")
THEN_WAR_NEXT: Final = N_("There is still a war to resolve: {role:noun}.")

# Monuments
THEN_BUILD: Final = N_("The four tiles are turned face down for good. They still connect squares, but do nothing else.")
THEN_BUILD_FOR_ME: Final = N_("With the leaders where they are, you get 1 {colour:noun} point at the end of each of your turns.")
THEN_BUILD_FOR: Final = N_("With the leaders where they are, {seat:name} gets 1 {colour:noun} point at the end of each of their turns.")
THEN_BUILD_FOR_NOBODY: Final = N_("With the leaders where they are, nobody gets {colour:noun} points from it.")
THEN_DECLINE: Final = N_("You can't build a monument on this square of four later.")
THEN_DECLINE_SQUARES: Final = N_("You can't build a monument on any of these squares of four later.")

# Treasures and ends
THEN_TREASURE: Final = N_("You take the treasure on {square}. At the end of the game it counts as 1 point in any colour.")
THEN_TREASURES_ME: Final = N_("Your trader takes {n:count treasure}.")
THEN_TREASURES: Final = N_("{seat:name} takes {n:count treasure}.")
THEN_END_TREASURES: Final = N_("Treasures left on the board: {n}. The game will end after this turn.")
THEN_END_BAG: Final = N_("Tiles in the bag: {n}, not enough to fill every hand. The game will end.")
THEN_END_SWAP: Final = N_("Tiles in the bag: {n}, not enough to replace those swapped. The game will end at once.")

# Hints
HINT_LAST_TURN: Final = N_("Treasures left on the board: {n}. The game ends after this turn.")
HINT_LEADER: Final = N_("A leader must be next to a face-up temple and can touch only one kingdom.")
HINT_SWAP: Final = N_("Swapped tiles are removed from the game face down.")
HINT_REVOLT_ATTACK: Final = N_(
    "Temples next to the leaders: you {n}, {seat:name} {m} (can add up to {most}). The defender wins ties. The "
    "winner gets 1 {colour:noun} point."
)
HINT_REVOLT_DEFENCE: Final = N_(
    "Temples next to the leaders: you {n}, {seat:name} {m} plus {added} added. You win ties. The winner gets 1 {colour:noun} point."
)
HINT_WAR_ATTACK: Final = N_(
    "Supporters on the board: you {n}, {seat:name} {m} (can add up to {most}). The defender wins ties. Points if "
    "you win: {win}; for {seat:name} if you lose: {lose} ({colour:noun})."
)
HINT_WAR_DEFENCE: Final = N_(
    "Supporters on the board: you {n}, {seat:name} {m} plus {added} added. You win ties. Points if you win: {win}; for "
    "{seat:name} if you lose: {lose} ({colour:noun})."
)

# Why not
WHY_TILE: Final = N_("Why can't I place a {tile:noun}?")
WHY_LEADER: Final = N_("Why can't I place my {role:noun}?")
WHY_LEADER_MOVE: Final = N_("Why can't I move my {role:noun}?")
WHY_CATASTROPHE: Final = N_("Why can't I place a catastrophe?")
WHY_NO_TILES: Final = N_("Why can't I place or swap a tile?")
WHY_TREASURE: Final = N_("Why can't I take the treasure on {square}?")
WHY_MONUMENT: Final = N_("Why can't I build the {monument:noun}?")
BECAUSE_NO_SQUARE_TILE: Final = N_("No empty square can take it.")
BECAUSE_NO_SQUARE_LEADER: Final = N_("No empty land square is next to a face-up temple and touches at most one kingdom.")
BECAUSE_NO_TILES: Final = N_("You have no tiles in hand. Hands are refilled at the end of the turn.")
BECAUSE_NO_SUCH_SQUARE: Final = N_("Enter a square as a letter from A to P and a number from 1 to 11.")
