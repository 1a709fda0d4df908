"""The sentences of History of the World for events, refusals, points and ends, marked for translation. Fields: see `Phrase` in the contract.

Keys: events unchanged (plus `.known` if the reader may read the secret), "refused." reasons, "score." lines, "round." headings, "end."
reasons. Names of players, provinces and cards keep their base form, after a colon or in brackets. The sentences of questions are in
`prompt_phrases`, those of abilities and improvements in `ability_phrases`.
"""

from __future__ import annotations

from typing import Final

from games.core.asking import Voice
from games.core.phrases import N_, NC_

PHRASES: Final[dict[str, str]] = {
    # events: epochs and the draft
    "markers_set": N_("Score markers were placed in random order from space 1 up: {seats:names}."),
    "epoch_began": N_("Epoch {epoch} of 5 started."),
    "dealt": N_("Epoch {epoch}: {n:count empire_card} and {n:count event_card} were drawn at random; the rest remain unseen."),
    "looked_at_events": N_("{seat:name} had both piles and looked at the events first."),
    "looked_at_empires": N_("{seat:name} had both piles and looked at the empires first."),
    "took_event": N_("{seat:name} secretly took an event."),
    "took_event.known": N_("{seat:name} secretly took an event: {card:noun}."),
    "took_empire": N_("{seat:name} secretly took an empire."),
    "took_empire.known": N_("{seat:name} secretly took an empire: {card:noun}."),
    "drew_card": N_("{seat:name} drew a card."),
    "drew_card.known": N_("{seat:name} drew a card: {card:noun}."),
    "kept_card": N_("{seat:name} kept the card."),
    "gave_card": N_("{seat:name} gave the card to {other:name}."),
    "not_taken": N_("Nobody took this empire: {empire:noun}."),
    "guard_set": N_("{seat:name} changed a standing order for defence."),
    "guard_set.known": N_("{seat:name} changed a standing order for defence: {guard:noun}."),
    # events: the turn
    "turn_began": N_("{seat:name}'s turn started: {empire:noun}."),
    "kingdom_played": N_("{seat:name} played a kingdom: {kingdom:noun}."),
    "kingdom_founded": N_("{seat:name} founded a kingdom ({realm:noun}). On the card: {n:count army}, {tokens:count siege_token}."),
    "kingdom_ended": N_("The kingdom's part of the turn ended and its armies became inactive: {kingdom:noun}."),
    "kingdom_unused": N_("{seat:name} didn't play a kingdom, so it left the game."),
    "founded": N_("{seat:name} founded an empire ({realm:noun}). On the card: {n:count army}, {tokens:count siege_token}."),
    "brought": N_("{seat:name} had no armies in the supply and took one from the map: {province:noun}."),
    "settled_start": N_("{seat:name} took a start province: {province:noun} ({building:noun})."),
    "settled_start_fort": N_("{seat:name} took a start province: {province:noun} ({building:noun} and fort)."),
    "played": N_("{seat:name} played an improvement: {card:noun}."),
    "gained": N_("{seat:name} gained {n:count army} and {tokens:count siege_token}."),
    "removed": N_("{seat:name} removed {other:name}'s army: {province:noun}."),
    "replaced": N_("{seat:name} replaced {other:name}'s army: {province:noun}."),
    "zone_added": N_("{seat:name} placed a disc in another zone: {zone:noun}."),
    "conquest_ended": N_("{seat:name} ended the conquest."),
    "left_it": N_("{seat:name} stopped there."),
    "rolls_again": N_("{seat:name} rerolled a die: {province:noun}."),
    "let_stand": N_("{seat:name} kept the dice: {province:noun}."),
    "ability_off": N_("{seat:name} stopped using an empire ability: {empire:noun}."),
    "ability_on": N_("{seat:name} used an empire ability again: {empire:noun}."),
    "gave_up": N_("{seat:name} ended the conquest and returned {n:count army}."),
    "fort_built": N_("{seat:name} built a fort: {province:noun}."),
    "city_built": N_("{seat:name} built a city: {province:noun}."),
    "monument_built": N_("{seat:name} built a monument: {province:noun}."),
    # events: battles
    "attacked": N_("{seat:name} attacked {other:name}: {province:noun}."),
    "attacked_by_fleet": N_("{seat:name} attacked {other:name} by fleet: {province:noun}."),
    "rolled": N_("{seat:name} rolled {dice} and {other:name} {defence} ({province:noun}). Result: {n} to {m}."),
    "rolled_again": N_("{seat:name} rerolled a die: {dice} against {other:name}'s {defence} ({province:noun}). Result: {n} to {m}."),
    "defender_rolled_again": N_(
        "{other:name} rerolled a die: {defence} against {seat:name}'s {dice} ({province:noun}). Result: {m} to {n}."
    ),
    "won": N_("{seat:name} won the battle against {other:name}: {province:noun}."),
    "won_tie": N_("{seat:name} won a tied battle against {other:name}: {province:noun}."),
    "tied": N_("The battle was tied: {seat:name} and {other:name} each lost an army ({province:noun})."),
    "tied_saved": N_("The battle was tied: {other:name} lost an army ({province:noun}), and {seat:name}'s army returned to the card."),
    "lost": N_("{seat:name} lost the battle against {other:name}: {province:noun}."),
    "besieged": N_("{seat:name} laid siege: {province:noun}. Siege bonus: {n:signed}."),
    "retreated": N_("{seat:name} retreated and lost the army: {province:noun}."),
    "occupied": N_("{seat:name} occupied a province: {province:noun}."),
    "raided": N_("{seat:name} left a province empty and kept raiding: {province:noun}."),
    "ruined": N_("{seat:name} ruined a structure ({province:noun}): {what:noun}."),
    "fort_removed": N_("The fort was removed from the map: {province:noun}."),
    "spared": N_("{seat:name} spared the structures: {province:noun}."),
    "plundered": N_("{seat:name} scored {points:signed} for ruins. Score: {score}."),
    # events: points
    "scored": N_("{seat:name} scored {points:signed} for the turn ({empire:noun}). Score: {score}."),
    "moved_up": N_("{seat:name}'s marker moved up {n} because the space was taken. Score: {score}."),
    "moved_down": N_("{seat:name}'s marker moved down {n} because the space was taken. Score: {score}."),
    "game_ended": N_("The game is over: {seat:name} wins with {n:count point}."),
    # refusals: whose move it is, and what kind of move
    "refused.finished": N_("The game is over."),
    "refused.not_by_hand": N_("This is decided by chance. You can't choose it."),
    "refused.no_chance_now": N_("This isn't being decided by chance now."),
    "refused.chance_count": N_("A chance result needs exactly {n} values here."),
    "refused.card_not_there": N_("This card can't be drawn now. Cards that can: {n}."),
    "refused.not_scoring": N_("There is nothing to score now."),
    "refused.chance_first": N_("Not yet: a random draw or roll comes first."),
    "refused.scoring_first": N_("Not yet: the points must be scored first."),
    "refused.not_your_turn": N_("It's not your turn. Waiting for {seat:name}."),
    "refused.draft_first": N_("Cards are being drafted: take one from your pile."),
    "refused.pass_on_first": N_("First keep the card you drew, or give it to another player."),
    "refused.found_first": N_("Your turn has started: play a kingdom or improvements, or found your empire."),
    "refused.bring_first": N_("First choose an army from the map to move to the start province."),
    "refused.start_first": N_("First choose where your only army starts."),
    "refused.conquest_now": N_("You are conquering: keep conquering, build a fort, play an improvement, or end the conquest."),
    "refused.reroll_first": N_("Decide first whether to reroll a die."),
    "refused.siege_first": N_("You lost the battle: first lay siege or retreat."),
    "refused.occupy_first": N_("You won the battle: first occupy the province, or keep raiding."),
    "refused.ruin_first": N_("Decide first whether to ruin or spare what is there."),
    "refused.post_first": N_("Decide first whether to build a trading post there."),
    "refused.effect_first": N_("First carry out the improvement you played."),
    "refused.after_first": N_(
        "The conquest is over: build what you are still allowed to build, play an improvement, or continue to the monuments."
    ),
    "refused.monument_first": N_("First choose where to build the next monument."),
    "refused.finish_first": N_("You can only play improvements before the turn is scored."),
    "refused.collision_first": N_("Your score marker needs a free space: choose whether to move it up or down."),
    # refusals: the draft
    "refused.look_first": N_("You have both piles: choose which to look at first."),
    "refused.other_pile": N_("You are choosing from the other pile now."),
    "refused.card_not_in_pile": N_("This card isn't in your pile."),
    "refused.has_card_already": N_("You can only give this card to a player with no card of its kind this epoch."),
    "refused.guard_as_before": N_("This is already your standing order."),
    "refused.guard_not_now": N_("You can only change a standing order while drafting, before founding your empire, or while conquering."),
    # refusals: events
    "refused.no_kingdom": N_("You have no kingdom from this epoch."),
    "refused.card_not_held": N_("You don't have this event: {card:noun}."),
    "refused.kingdom_not_improvement": N_("This is a kingdom. You can only play it at the start of your turn: {card:noun}."),
    "refused.kingdom_acts": N_("You can't use improvements while your kingdom is acting."),
    "refused.not_now": N_("You can't play an improvement in the middle of a battle or another improvement."),
    "refused.too_late": N_("It's too late to play this improvement this turn: {card:noun}."),
    "refused.no_zone_left": N_("You already have discs in every zone this improvement can affect: {card:noun}."),
    "refused.no_fort_site": N_("You have no active army in a province without a fort, or no forts are left: {card:noun}."),
    "refused.no_city_site": N_("You have no active army in a province without a structure, or no cities are left: {card:noun}."),
    "refused.too_few_in_supply": N_("Your supply doesn't have enough armies for this improvement: {card:noun}."),
    "refused.no_target": N_("There aren't enough provinces for this improvement: {card:noun}."),
    "refused.not_for_zone": N_("This improvement ({card:noun}) can't be used there: {zone:noun}."),
    "refused.not_for_effect": N_("This improvement ({card:noun}) can't be used there: {province:noun}."),
    # refusals: founding
    "refused.no_own_army": N_("You have no army there: {province:noun}."),
    "refused.no_start": N_("This empire ({empire:noun}) doesn't start there: {province:noun}."),
    # refusals: conquest
    "refused.no_army_on_card": N_("You have no armies left on your card."),
    "refused.no_token": N_("You have no siege tokens."),
    "refused.held_already": N_("You already have an active army there: {province:noun}."),
    "refused.out_of_reach": N_("None of your active armies can reach it: {province:noun}."),
    "refused.only_by_fleet": N_("You can reach it only by fleet: {province:noun}."),
    "refused.no_fleet_there": N_("Your fleets can't reach it: {province:noun}."),
    # refusals: forts and monuments
    "refused.no_fort_left": N_("No forts are left: they are all on the map."),
    "refused.no_active_army": N_("You have no active army there: {province:noun}."),
    "refused.fort_there": N_("There is already a fort there: {province:noun}."),
    "refused.no_fort_given": N_("You have no fort to build now."),
    "refused.no_monument_site": N_(
        "You can't build the next monument there: {province:noun}. Capitals come first, then cities, then resource icons."
    ),
    # points
    "score.start": N_("Starting space"),
    "score.presence": N_("Presence"),
    "score.dominance": N_("Dominance"),
    "score.control": N_("Control"),
    "score.capitals": N_("Capitals"),
    "score.cities": N_("Cities"),
    "score.monuments": NC_("points at History of the World", "Monuments"),
    "score.icons": N_("Resource icons from an improvement"),
    "score.plunder": N_("Structures ruined"),
    "score.shift": N_("Moves to a free space"),
    "round.start": N_("Start"),
    "round.epoch_1": N_("Epoch I"),
    "round.epoch_2": N_("Epoch II"),
    "round.epoch_3": N_("Epoch III"),
    "round.epoch_4": N_("Epoch IV"),
    "round.epoch_5": N_("Epoch V"),
    # ends
    "end.points": N_("Five epochs were played. The highest score won."),
}
VOICE: Final = Voice("history_of_the_world#", PHRASES)
