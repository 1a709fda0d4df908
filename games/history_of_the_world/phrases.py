"""The sentences of History of the World for events, refusals, points and ends, marked for translation. Fields: see `Phrase` in the contract.

Keys: events as they are (`.known` for who may read the secret of one), "refused." reasons, "score." lines, "round." headings, "end." reasons.
Names of players, provinces and cards stay in their base form, behind a colon or in brackets. The sentences of questions stand in
`prompt_phrases`, those of abilities and improvements in `ability_phrases`.
"""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

PHRASES: Final[dict[str, str]] = {
    # events: epochs and the draft
    "markers_set": N_("Score markers by chance, from space 1 upwards: {seats:names}."),
    "epoch_began": N_("Epoch {epoch} of 5 begins."),
    "dealt": N_("Epoch {epoch}: {n:count empire_card} and {n:count event_card} by chance; the rest stay unseen."),
    "looked_at_events": N_("{seat:name} holds both piles and looks at the events first."),
    "looked_at_empires": N_("{seat:name} holds both piles and looks at the empires first."),
    "took_event": N_("{seat:name} took an event in secret."),
    "took_event.known": N_("{seat:name} took an event in secret: {card:noun}."),
    "took_empire": N_("{seat:name} took an empire in secret."),
    "took_empire.known": N_("{seat:name} took an empire in secret: {card:noun}."),
    "drew_card": N_("{seat:name} drew a card."),
    "drew_card.known": N_("{seat:name} drew a card: {card:noun}."),
    "kept_card": N_("{seat:name} kept the card."),
    "gave_card": N_("{seat:name} gave the card to {other:name}."),
    "not_taken": N_("Nobody took this empire: {empire:noun}."),
    "guard_set": N_("{seat:name} changed the standing order of a defender."),
    "guard_set.known": N_("{seat:name} changed the standing order of a defender: {guard:noun}."),
    # events: the turn
    "turn_began": N_("It is the turn of {seat:name}: {empire:noun}."),
    "kingdom_played": N_("{seat:name} plays a kingdom: {kingdom:noun}."),
    "kingdom_founded": N_("{seat:name} founds a kingdom ({realm:noun}). On the card: {n:count army}, {tokens:count siege_token}."),
    "kingdom_ended": N_("The kingdom is done, its armies are inactive now: {kingdom:noun}."),
    "kingdom_unused": N_("{seat:name} has not played a kingdom: it goes into the box."),
    "founded": N_("{seat:name} founds an empire ({realm:noun}). On the card: {n:count army}, {tokens:count siege_token}."),
    "brought": N_("{seat:name} has no army in the supply and brings one off the map: {province:noun}."),
    "settled_start": N_("{seat:name} takes a start province: {province:noun}. Placed there: {building:noun}."),
    "settled_start_fort": N_("{seat:name} takes a start province: {province:noun}. Placed there: {building:noun}, with a fort."),
    "played": N_("{seat:name} plays an improvement: {card:noun}."),
    "gained": N_("{seat:name} gains {n:count army} and {tokens:count siege_token}."),
    "removed": N_("{seat:name} removes an army of {other:name}: {province:noun}."),
    "replaced": N_("{seat:name} replaces an army of {other:name} by an own one: {province:noun}."),
    "zone_added": N_("{seat:name} puts a disc into one more zone: {zone:noun}."),
    "conquest_ended": N_("{seat:name} ended the conquest."),
    "left_it": N_("{seat:name} left it at that."),
    "rolls_again": N_("{seat:name} rolls a die again: {province:noun}."),
    "let_stand": N_("{seat:name} lets the dice stand: {province:noun}."),
    "ability_off": N_("{seat:name} does without the ability of the empire: {empire:noun}."),
    "ability_on": N_("{seat:name} uses the ability of the empire again: {empire:noun}."),
    "gave_up": N_("{seat:name} ends the conquest and gives up {n:count army}."),
    "fort_built": N_("{seat:name} builds a fort: {province:noun}."),
    "city_built": N_("{seat:name} builds a city: {province:noun}."),
    "monument_built": N_("{seat:name} builds a monument: {province:noun}."),
    # events: battles
    "attacked": N_("{seat:name} attacks {other:name}: {province:noun}."),
    "attacked_by_fleet": N_("{seat:name} attacks {other:name} by fleet: {province:noun}."),
    "rolled": N_("{seat:name} rolls {dice}, {other:name} {defence} ({province:noun}). Compared: {n} against {m}."),
    "rolled_again": N_(
        "{seat:name} rolled a die again: {dice} against {defence} of {other:name} ({province:noun}). Compared: {n} against {m}."
    ),
    "defender_rolled_again": N_(
        "{other:name} rolled a die again: {defence} against {dice} of {seat:name} ({province:noun}). Compared: {m} against {n}."
    ),
    "won": N_("{seat:name} wins the battle against {other:name}: {province:noun}."),
    "won_tie": N_("{seat:name} wins a tied battle against {other:name}: {province:noun}."),
    "tied": N_("The battle is tied: {seat:name} and {other:name} lose an army each ({province:noun})."),
    "tied_saved": N_("The battle is tied: {other:name} loses an army ({province:noun}), that of {seat:name} goes back onto the card."),
    "lost": N_("{seat:name} loses the battle against {other:name}: {province:noun}."),
    "besieged": N_("{seat:name} lays siege: {province:noun}. Siege bonus: {n:signed}."),
    "retreated": N_("{seat:name} retreats and loses the army: {province:noun}."),
    "occupied": N_("{seat:name} occupies a province: {province:noun}."),
    "raided": N_("{seat:name} leaves a province empty and raids on: {province:noun}."),
    "ruined": N_("{seat:name} ruins a structure ({province:noun}): {what:noun}."),
    "fort_removed": N_("The fort comes off the map: {province:noun}."),
    "spared": N_("{seat:name} spares what stands there: {province:noun}."),
    "plundered": N_("{seat:name} gets {points:signed} for ruins. Score: {score}."),
    # events: points
    "scored": N_("{seat:name} gets {points:signed} for the turn ({empire:noun}). Score: {score}."),
    "moved_up": N_("The space is taken: the marker of {seat:name} moves up by {n}. Score: {score}."),
    "moved_down": N_("The space is taken: the marker of {seat:name} moves down by {n}. Score: {score}."),
    "game_ended": N_("The game is over: {seat:name} wins with {n:count point}."),
    # refusals: whose move it is, and of what kind
    "refused.finished": N_("The game is over."),
    "refused.not_by_hand": N_("Nobody may choose what chance decides."),
    "refused.no_chance_now": N_("Chance decides something else now, or nothing."),
    "refused.chance_count": N_("Chance gives {n} values here, no more and no fewer."),
    "refused.card_not_there": N_("Such a card cannot come up now. Cards that can: {n}."),
    "refused.not_scoring": N_("There is nothing to score now."),
    "refused.chance_first": N_("First chance decides."),
    "refused.scoring_first": N_("The points have to be counted first."),
    "refused.not_your_turn": N_("The move is not yours now. Waiting for {seat:name}."),
    "refused.draft_first": N_("Cards are being chosen: take one from your pile."),
    "refused.pass_on_first": N_("First keep the card that you have drawn, or give it to somebody."),
    "refused.found_first": N_("Your turn begins: play a kingdom or improvements, or found your empire."),
    "refused.bring_first": N_("First choose the army on the map that goes to the start."),
    "refused.start_first": N_("First choose the start of your only army."),
    "refused.conquest_now": N_("You are conquering: conquer on, build a fort, play an improvement, or end the conquest."),
    "refused.reroll_first": N_("First decide whether a die is rolled again."),
    "refused.siege_first": N_("The battle is lost: first lay siege or retreat."),
    "refused.occupy_first": N_("The battle is won: first occupy the province, or raid on."),
    "refused.ruin_first": N_("First decide whether to ruin or to spare what stands there."),
    "refused.post_first": N_("First decide whether to build a trading post there."),
    "refused.effect_first": N_("First carry out the improvement that you have played."),
    "refused.after_first": N_("The conquest is over: build what you are given, play an improvement, or go on to the monuments."),
    "refused.monument_first": N_("First choose the place of the next monument."),
    "refused.finish_first": N_("Before the points are counted you can only play improvements."),
    "refused.collision_first": N_("Your marker needs a free space: choose up or down."),
    # refusals: the draft
    "refused.look_first": N_("You hold both piles: first choose which one you look at."),
    "refused.other_pile": N_("You are choosing from the other pile now."),
    "refused.card_not_in_pile": N_("This card is not in the pile before you."),
    "refused.has_card_already": N_("The card can only go to somebody who has none of its kind in this epoch."),
    "refused.guard_as_before": N_("This is your standing order already."),
    "refused.guard_not_now": N_("A standing order can be changed while you choose cards, before you found, and while you conquer."),
    # refusals: events
    "refused.no_kingdom": N_("You hold no kingdom of this epoch."),
    "refused.card_not_held": N_("You do not hold this event: {card:noun}."),
    "refused.kingdom_not_improvement": N_("This is a kingdom. It can be played only at the beginning of your turn: {card:noun}."),
    "refused.kingdom_acts": N_("Your kingdom is acting now, and improvements do not serve it."),
    "refused.not_now": N_("Improvements cannot be played in the middle of a battle or of another improvement."),
    "refused.too_late": N_("It is too late for this improvement in this turn: {card:noun}."),
    "refused.no_zone_left": N_("Your discs lie in all zones that this improvement is for: {card:noun}."),
    "refused.no_fort_site": N_("You have no active army without a fort, or no fort is left: {card:noun}."),
    "refused.no_city_site": N_("You have no active army without a structure, or no city is left: {card:noun}."),
    "refused.too_few_in_supply": N_("Your supply has too few armies for the whole of this improvement: {card:noun}."),
    "refused.no_target": N_("There are too few provinces for the whole of this improvement: {card:noun}."),
    "refused.not_for_zone": N_("This improvement ({card:noun}) cannot be used there: {zone:noun}."),
    "refused.not_for_effect": N_("This improvement ({card:noun}) cannot be used there: {province:noun}."),
    # refusals: founding
    "refused.no_own_army": N_("You have no army there: {province:noun}."),
    "refused.no_start": N_("This empire ({empire:noun}) does not start there: {province:noun}."),
    # refusals: conquest
    "refused.no_army_on_card": N_("No army is left on your card."),
    "refused.no_token": N_("You have no siege token."),
    "refused.held_already": N_("Your active army holds it already: {province:noun}."),
    "refused.out_of_reach": N_("None of your active armies can go there: {province:noun}."),
    "refused.only_by_fleet": N_("It can be reached only by fleet: {province:noun}."),
    "refused.no_fleet_there": N_("Your fleets do not lead there: {province:noun}."),
    # refusals: forts and monuments
    "refused.no_fort_left": N_("All forts are on the map."),
    "refused.no_active_army": N_("You have no active army there: {province:noun}."),
    "refused.fort_there": N_("A fort stands there: {province:noun}."),
    "refused.no_fort_given": N_("Nothing gives you a fort now."),
    "refused.no_monument_site": N_(
        "The next monument cannot be built there: {province:noun}. Capitals come first, then cities, then resource icons."
    ),
    # points
    "score.start": N_("Space of the marker at the start"),
    "score.presence": N_("Presence"),
    "score.dominance": N_("Dominance"),
    "score.control": N_("Control"),
    "score.capitals": N_("Capitals"),
    "score.cities": N_("Cities"),
    "score.monuments": N_("Monuments"),
    "score.icons": N_("Resource icons, by an improvement"),
    "score.plunder": N_("Structures ruined"),
    "score.shift": N_("Moves to a free space"),
    "round.start": N_("Start"),
    "round.epoch_1": N_("Epoch I"),
    "round.epoch_2": N_("Epoch II"),
    "round.epoch_3": N_("Epoch III"),
    "round.epoch_4": N_("Epoch IV"),
    "round.epoch_5": N_("Epoch V"),
    # ends
    "end.points": N_("Five epochs were played. The most points decided."),
}
