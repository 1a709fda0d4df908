"""The sentences of Babel for events, refusals, points and ends, marked for translation. Fields: see `Phrase` in the contract.

Keys: events as they are (`.known` when the reader may read the secret), "step." events as links of a chain, "refused." reasons,
"score." lines, "round." headings, "end." reasons. Names stay in their base form; in English the noun of a land can follow a preposition ("in {land:noun}").
The sentences of questions stand in `prompt_phrases`.
"""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

PHRASES: Final[dict[str, str]] = {
    # events
    "started": N_("{seat:name} starts."),
    "reshuffled": N_("The discard pile was shuffled: it is the deck of people cards now."),
    "drew": N_("{seat:name} drew {n:count people_card}."),
    "drew.known": N_("{seat:name} drew: {cards:nouns}."),
    "drew_nothing": N_("{seat:name} drew nothing: no people card is left."),
    "moved": N_("{seat:name} moved to {land:noun}. Discarded: {people:noun}."),
    "settled": N_("{seat:name} settled in {land:noun}: {people:noun}. Cards there: {n}."),
    "built": N_("{seat:name} built level {n} in {land:noun}. Score: {score} against {rival}."),
    "built_from_other": N_(
        "{seat:name} built level {n} in {land:noun}, taken from the stock of {other:name}. Score: {score} against {rival}."
    ),
    "migrated": N_("{seat:name} migrated from {land:noun} to {target:noun}: {cards:nouns}."),
    "destroyed": N_(
        "{seat:name} used the Assyrians in {land:noun}: the temple of {other:name} is destroyed and lies on the deck, the lowest level "
        "on top ({levels}). Score: {score} against {rival}."
    ),
    "stole": N_(
        "{seat:name} used the Hittites in {land:noun} and took level {n} from the temple of {other:name}. Score: {score} against {rival}."
    ),
    "expelled": N_("{seat:name} used the Medes in {land:noun}. {other:name} lost: {cards:nouns}."),
    "switched": N_("{seat:name} used the Sumerians in {land:noun}. From {other:name} came: {cards:nouns}."),
    "skipped": N_("{seat:name} used the Persians in {land:noun}, skipped a level and built level {n}. Score: {score} against {rival}."),
    "skipped_from_other": N_(
        "{seat:name} used the Persians in {land:noun}, skipped a level and built level {n}, taken from the stock of {other:name}. "
        "Score: {score} against {rival}."
    ),
    "halved": N_("{seat:name} used a run ({people:noun}) against the hand of {other:name}: {n:count people_card} must go."),
    "discarded": N_("{seat:name} gave up: {cards:nouns}."),
    "ended_turn": N_("{seat:name} ended the turn with {n:count people_card} in hand."),
    "revealed": N_("{seat:name} turned up temple cards: {levels}."),
    "last_phase": N_(
        "{seat:name} has {score} points, but {other:name} has {rival}: from now on 20 points win, or 15 with the other below 10."
    ),
    "ended_by_lead": N_("{seat:name} has won: {score} points, and {other:name} has fewer than 10 ({rival})."),
    "ended_by_twenty": N_("{seat:name} has won: {score} points."),
    "ended_by_deck": N_("The last temple card has been turned up. {seat:name}: {score}, {other:name}: {rival}."),
    "game_ended": N_("The game is over: {seat:name} wins, {score} against {rival}."),
    "game_ended_by_hands": N_("The game is over at {score} each: {seat:name} wins with the larger hand, {n} against {m}."),
    "game_drawn": N_("The game is over at {score} each, with equal hands: both win."),
    # the actions of a turn, as links of a chain
    "step.moved": N_("to {land:noun}"),
    "step.settled": N_("settled: {people:noun}"),
    "step.built": N_("level {n} in {land:noun}"),
    "step.built_from_other": N_("level {n} in {land:noun}, from {other:name}"),
    "step.migrated": N_("migrated: {land:noun} to {target:noun}"),
    "step.destroyed": N_("temple of {other:name} destroyed in {land:noun}"),
    "step.stole": N_("level {n} taken from {other:name}"),
    "step.expelled": N_("expelled: {cards:nouns}"),
    "step.switched": N_("brought over: {cards:nouns}"),
    "step.skipped": N_("skipped to level {n} in {land:noun}"),
    "step.skipped_from_other": N_("skipped to level {n} in {land:noun}, from {other:name}"),
    "step.halved": N_("hand of {other:name} halved"),
    "step.discarded": N_("given up: {cards:nouns}"),
    # refusals
    "refused.finished": N_("The game is over."),
    "refused.not_scoring": N_("There is nothing to score now."),
    "refused.scoring_first": N_("The game has ended and is being scored."),
    "refused.people_first": N_("People cards have to be drawn first."),
    "refused.temples_first": N_("Temple cards have to be turned up first."),
    "refused.halving_first": N_("Half a hand has to be given up first. Waiting for {seat:name}."),
    "refused.not_your_turn": N_("The move is not yours now. Waiting for {seat:name}."),
    "refused.not_by_hand": N_("Nobody may choose what chance decides."),
    "refused.no_start": N_("It is settled who starts."),
    "refused.no_draw": N_("Nobody is drawing people cards now."),
    "refused.draw_count": N_("People cards to be drawn now: {n}."),
    "refused.card_not_there": N_("There are not so many of them to be drawn: {people:noun}."),
    "refused.no_reveal": N_("No temple card is turned up now."),
    "refused.reveal_count": N_("Temple cards to be turned up now: {n}."),
    "refused.level_not_next": N_("A card known to lie on top of the deck comes first: level {n}."),
    "refused.level_not_there": N_("The deck does not hold so many cards of level {n}."),
    "refused.halve_hand": N_("First give up half of your hand."),
    "refused.pawn_is_there": N_("Your pawn stands there already."),
    "refused.card_not_held": N_("You do not hold that card: {people:noun}."),
    "refused.pawn_in_quarry": N_("Your pawn is still in the quarry. Move it to a land first."),
    "refused.not_next_level": N_("The top card of this stock is level {n}; the next level of your temple here is {level}."),
    "refused.not_skipped_level": N_(
        "The top card of this stock is level {n}; with one level skipped your temple here goes on with {level}."
    ),
    "refused.no_such_level": N_("No level is higher than {n}."),
    "refused.stock_empty": N_("This stock is empty."),
    "refused.level_reserved": N_("This first level 1 waits for its owner."),
    "refused.too_few_settlers": N_("Level {n} needs {n:count people_card} of yours here; there: {held}."),
    "refused.migrated": N_("You have migrated in this turn already."),
    "refused.too_few_migrants": N_("Exactly three cards migrate; this column has fewer."),
    "refused.first_level": N_("In your first turn you have to build your level 1, and it can still be done."),
    "refused.no_run": N_("You have no such run in {land:noun}: {people:noun}."),
    "refused.no_temple_there": N_("The other has no temple here."),
    "refused.not_higher": N_("The top of the other temple here, level {n}, is not higher than yours."),
    "refused.nobody_to_expel": N_("The other column here holds no such card: {people:noun}."),
    "refused.nobody_there": N_("The other has no cards here."),
    "refused.hand_too_small": N_("The other holds fewer than two cards: there is no half to give up."),
    "refused.nothing_to_discard": N_("There is nothing to give up now."),
    "refused.discard_count": N_("Cards to give up, no more and no fewer: {n}."),
    # points
    "score.assyrians": N_("Temple in the land of the Assyrians"),
    "score.hittites": N_("Temple in the land of the Hittites"),
    "score.medes": N_("Temple in the land of the Medes"),
    "score.sumerians": N_("Temple in the land of the Sumerians"),
    "score.persians": N_("Temple in the land of the Persians"),
    "round.temples": N_("Heights of the temples"),
    # ends
    "end.lead": N_("One side had 15 points or more, the other fewer than 10."),
    "end.twenty": N_("One side reached 20 points."),
    "end.deck": N_("The last temple card was turned up. The higher score decided."),
    "end.deck_hands": N_("The last temple card was turned up. The scores were equal, and the larger hand decided."),
    "end.deck_drawn": N_("The last temple card was turned up. Scores and hands were equal."),
}
