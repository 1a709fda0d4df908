"""The sentences of Tigris & Euphrates for events, refusals, points and ends, marked for translation. Fields: see `Phrase`.

Keys: events unchanged (plus `.known` if the reader may read the secret), "refused." reasons, "score." lines, "round." headings,
"end." reasons. Names keep their base form. The sentences of questions are in `prompt_phrases`.
"""

from __future__ import annotations

from typing import Final

from games.core.asking import Voice
from games.core.phrases import N_

PHRASES: Final[dict[str, str]] = {
    # events
    "started": N_("{seat:name} starts."),
    "drew": N_("{seat:name} drew {n:count tile}."),
    "drew.known": N_("{seat:name} drew {tiles:nouns}."),
    "placed": N_("{seat:name} placed a {tile:noun} on {square}."),
    "united": N_("The tile on {square} united two kingdoms and scored no points."),
    "tile_point": N_("{seat:name} got 1 {colour:noun} point for the tile."),
    "tile_point_king": N_("{seat:name} got 1 {colour:noun} point for the tile through the king."),
    "leader_placed": N_("{seat:name} placed their {leader:noun} on {square}."),
    "leader_moved": N_("{seat:name} moved their {leader:noun} from {before} to {square}."),
    "leader_withdrawn": N_("{seat:name} withdrew their {leader:noun} from {square}."),
    "leader_stripped": N_("{seat:name} had to withdraw their {leader:noun} from {square}: it was no longer next to a face-up temple."),
    "catastrophe_placed": N_("{seat:name} placed a catastrophe on {square}."),
    "catastrophe_covered": N_("{seat:name} placed a catastrophe on {square} and removed a {tile:noun} from the game."),
    "swapped": N_("{seat:name} swapped {n:count tile}."),
    "swapped.known": N_("{seat:name} swapped {tiles:nouns}."),
    "passed": N_("{seat:name} ended the turn early."),
    "revolt_began": N_("Revolt ({role:noun}): {seat:name} on {square} attacked {other:name} on {rival}, {n} to {m} on the board."),
    "war_began": N_("War ({role:noun}): {seat:name} on {square} attacked {other:name} on {rival}, {n} to {m} on the board."),
    "war_chosen": N_("{seat:name} chose the next war: {role:noun}."),
    "supported": N_("{seat:name} added supporters from hand: {n} ({tile:noun})."),
    "supported_none": N_("{seat:name} added no supporters."),
    "revolt_won": N_(
        "{seat:name} won {n} to {m} and scored {points:signed} ({colour:noun}). {other:name} had to withdraw their {leader:noun}."
    ),
    "war_won": N_(
        "{seat:name} won {n} to {m} and scored {points:signed} ({colour:noun}). Tiles removed: {removed}. {other:name} had to withdraw their {leader:noun}."
    ),
    "war_void": N_("There was no further war, because the kingdoms had split ({role:noun})."),
    "built": N_("{seat:name} built the {monument:noun} on {square}."),
    "declined": N_("{seat:name} built no monument."),
    "treasure_taken": N_("{seat:name} took the treasure on {square}. Treasures left on the board: {n}."),
    "monument_point": N_("{seat:name} got 1 {colour:noun} point from the {monument:noun}."),
    "ended_by_treasures": N_("The game ended. Treasures left on the board: {n}."),
    "ended_by_bag": N_("The game ended: the bag couldn't fill every hand."),
    "ended_by_swap": N_("The game ended at once: the bag couldn't replace the swapped tiles."),
    "game_ended": N_("The game is over. Winner: {seats:names}. Weakest colour: {points}."),
    # refusals
    "refused.finished": N_("The game is over."),
    "refused.not_scoring": N_("There is nothing to score now."),
    "refused.scoring_first": N_("The game has ended and is being scored."),
    "refused.chance_first": N_("Not yet: tiles must be drawn first."),
    "refused.conflict_of_others": N_("A conflict is being resolved. Waiting for {seat:name}."),
    "refused.not_your_turn": N_("It's not your turn. Waiting for {seat:name}."),
    "refused.not_by_hand": N_("This is decided by chance. You can't choose it."),
    "refused.no_start": N_("The starting player can't be chosen now."),
    "refused.no_draw": N_("No tiles are being drawn now."),
    "refused.draw_count": N_("Draw exactly {n:count tile}."),
    "refused.tile_not_left": N_("There aren't that many left in the bag: {tile:noun}."),
    "refused.choose_war": N_("First choose which war to resolve next."),
    "refused.no_such_war": N_("These leaders aren't at war: {role:noun}."),
    "refused.build_or_decline": N_("First decide whether to build a monument."),
    "refused.take_treasure": N_("Take a treasure first."),
    "refused.support_first": N_("A conflict is being resolved. Choose how many tiles to add, or none."),
    "refused.tile_not_held": N_("You don't have this tile: {tile:noun}."),
    "refused.leader_in_hand": N_("Your {role:noun} isn't on the board."),
    "refused.no_catastrophe": N_("You have already placed both your catastrophe tiles."),
    "refused.swap_not_held": N_("You don't have that many: {tile:noun}."),
    "refused.no_conflict": N_("There is no conflict now."),
    "refused.no_monument_now": N_("You can't build a monument now. First a tile you place must complete a square of four in one colour."),
    "refused.no_treasure_now": N_("There is no treasure to take now."),
    "refused.on_catastrophe": N_("{square} is under a catastrophe and can never be used again."),
    "refused.occupied": N_("{square} isn't empty. Choose another square."),
    "refused.farm_on_land": N_("{square} is land. Farms go only on rivers."),
    "refused.tile_on_river": N_("{square} is a river. Only farms go on rivers."),
    "refused.unites_three": N_("A tile on {square} would join three kingdoms. A tile can join at most two."),
    "refused.same_square": N_("This leader is already on {square}."),
    "refused.leader_on_river": N_("{square} is a river. Leaders go only on land."),
    "refused.no_temple": N_("There is no face-up temple next to {square}. A leader needs one."),
    "refused.unites_two": N_("A leader on {square} would join two kingdoms. A leader can touch only one."),
    "refused.catastrophe_on_leader": N_("There is a leader on {square}."),
    "refused.catastrophe_on_monument": N_("{square} is part of a monument. Monuments can't be destroyed."),
    "refused.catastrophe_on_treasure": N_("There is a treasure on {square}."),
    "refused.revolt_needs_temples": N_("Only temples count in a revolt. You can't add this tile: {tile:noun}."),
    "refused.war_needs_colour": N_("You can only add tiles of the leaders' colour: {tile:noun}."),
    "refused.support_not_held": N_("You don't have that many. Tiles in hand: {n} ({tile:noun})."),
    "refused.no_square_of_four": N_(
        "The tile you just placed doesn't complete a square of four in one colour with its upper left corner on {square}."
    ),
    "refused.monument_taken": N_("The {monument:noun} has already been built."),
    "refused.monument_colour": N_("The {monument:noun} doesn't match the four tiles. Choose a monument with their colour: {colour:noun}."),
    "refused.corner_first": N_("Take corner treasures first: {squares}."),
    "refused.treasure_elsewhere": N_("There is no treasure on {square} in your trader's kingdom."),
    # points
    "score.tiles": N_("Tiles placed"),
    "score.revolts": N_("Revolts won"),
    "score.wars": N_("Wars won"),
    "score.monuments": N_("Monuments"),
    "score.treasures": N_("Treasures"),
    "score.nothing": N_("No points in this colour"),
    "round.black": N_("Black"),
    "round.red": N_("Red"),
    "round.blue": N_("Blue"),
    "round.green": N_("Green"),
    # ends
    "end.treasures": N_("Fewer than three treasures were left on the board. The weakest colour decided."),
    "end.bag": N_("The bag couldn't fill every hand. The weakest colour decided."),
    "end.swap": N_("The bag couldn't replace the swapped tiles. The weakest colour decided."),
}
VOICE: Final = Voice("tigris_euphrates#", PHRASES)
