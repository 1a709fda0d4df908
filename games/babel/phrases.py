"""The sentences of Babel for events, refusals, points and ends, marked for translation. Fields: see `Phrase` in the contract.

Keys: events unchanged (plus `.known` if the reader may read the secret), "step." events as links of a chain, "refused." reasons,
"score." lines, "round." headings, "end." reasons. Names keep their base form; in English a land's noun can follow a preposition ("in {land:noun}").
The sentences of questions are in `prompt_phrases`.
"""

from __future__ import annotations

from typing import Final

from games.core.asking import Voice
from games.core.phrases import N_

PHRASES: Final[dict[str, str]] = {
    # events
    "started": N_("{seat:name} starts."),
    "reshuffled": N_("The discard pile was shuffled to form a new people deck."),
    "drew": N_("{seat:name} drew {n:count people_card}."),
    "drew.known": N_("{seat:name} drew {cards:nouns}."),
    "drew_nothing": N_("{seat:name} drew nothing: no people cards are left."),
    "moved": N_("{seat:name} discarded 1 {people:noun} and moved to {land:noun}."),
    "settled": N_("{seat:name} settled 1 {people:noun} in {land:noun}. Cards there: {n}."),
    "built": N_("{seat:name} built level {n} in {land:noun}. Score: {score} to {rival}."),
    "built_from_other": N_("{seat:name} built level {n} in {land:noun} from {other:name}'s stock. Score: {score} to {rival}."),
    "migrated": N_("{seat:name} migrated {cards:nouns} from {land:noun} to {target:noun}."),
    "destroyed": N_(
        "{seat:name} used the Assyrians in {land:noun} and destroyed {other:name}'s temple. Its cards went on top of the "
        "temple deck, lowest level first ({levels}). Score: {score} to {rival}."
    ),
    "stole": N_("{seat:name} used the Hittites in {land:noun} and took level {n} from {other:name}'s temple. Score: {score} to {rival}."),
    "expelled": N_("{seat:name} used the Medes in {land:noun}. {other:name} lost {cards:nouns}."),
    "switched": N_("{seat:name} used the Sumerians in {land:noun} and took {cards:nouns} from {other:name}."),
    "skipped": N_("{seat:name} used the Persians in {land:noun}, skipped a level and built level {n}. Score: {score} to {rival}."),
    "skipped_from_other": N_(
        "{seat:name} used the Persians in {land:noun}, skipped a level and built level {n} from {other:name}'s stock. Score: "
        "{score} to {rival}."
    ),
    "halved": N_("{seat:name} used a run ({people:noun}) to halve {other:name}'s hand. {other:name} must discard {n:count people_card}."),
    "discarded": N_("{seat:name} discarded {cards:nouns}."),
    "ended_turn": N_("{seat:name} ended the turn with {n:count people_card} in hand."),
    "revealed": N_("{seat:name} revealed temple cards: {levels}."),
    "last_phase": N_(
        "{seat:name} had {score} points, but {other:name} had {rival}. From now on, a player wins by reaching 20 points, or by having 15 while the other has fewer than 10."
    ),
    "ended_by_lead": N_("{seat:name} won with {score} points while {other:name} had fewer than 10 ({rival})."),
    "ended_by_twenty": N_("{seat:name} won with {score} points."),
    "ended_by_deck": N_("The last temple card was revealed. {seat:name}: {score}, {other:name}: {rival}."),
    "game_ended": N_("The game is over: {seat:name} wins, {score} to {rival}."),
    "game_ended_by_hands": N_("The game is over with {score} points each: {seat:name} wins with the larger hand, {n} to {m}."),
    "game_drawn": N_("The game is over with {score} points each and hands of equal size: both players win."),
    # the actions of a turn, as links of a chain
    "step.moved": N_("moved to {land:noun}"),
    "step.settled": N_("settled 1 {people:noun}"),
    "step.built": N_("built level {n} in {land:noun}"),
    "step.built_from_other": N_("built level {n} in {land:noun}, from {other:name}"),
    "step.migrated": N_("migrated from {land:noun} to {target:noun}"),
    "step.destroyed": N_("destroyed {other:name}'s temple in {land:noun}"),
    "step.stole": N_("took level {n} from {other:name}"),
    "step.expelled": N_("expelled {cards:nouns}"),
    "step.switched": N_("won over {cards:nouns}"),
    "step.skipped": N_("skipped a level and built level {n} in {land:noun}"),
    "step.skipped_from_other": N_("skipped a level and built level {n} in {land:noun}, from {other:name}"),
    "step.halved": N_("halved {other:name}'s hand"),
    "step.discarded": N_("discarded {cards:nouns}"),
    # refusals
    "refused.finished": N_("The game is over."),
    "refused.not_scoring": N_("There is nothing to score now."),
    "refused.scoring_first": N_("The game has ended and is being scored."),
    "refused.people_first": N_("Not yet: people cards must be drawn first."),
    "refused.temples_first": N_("Not yet: temple cards must be revealed first."),
    "refused.halving_first": N_("{seat:name} must discard half of their hand first."),
    "refused.not_your_turn": N_("It's not your turn. Waiting for {seat:name}."),
    "refused.not_by_hand": N_("This is decided by chance. You can't choose it."),
    "refused.no_start": N_("The starting player has already been chosen."),
    "refused.no_draw": N_("No people cards are being drawn now."),
    "refused.draw_count": N_("Draw exactly {n:count people_card}."),
    "refused.card_not_there": N_("There aren't that many left to draw: {people:noun}."),
    "refused.no_reveal": N_("No temple cards are being revealed now."),
    "refused.reveal_count": N_("Reveal exactly this many temple cards: {n}."),
    "refused.level_not_next": N_("The cards you reveal must include the known level {n} card from the top of the deck."),
    "refused.level_not_there": N_("The deck doesn't have that many level {n} cards."),
    "refused.halve_hand": N_("Discard half of your hand first."),
    "refused.pawn_is_there": N_("Your pawn is already there. Choose another land."),
    "refused.card_not_held": N_("You don't have this card: {people:noun}."),
    "refused.pawn_in_quarry": N_("Your pawn is still in the quarry. Move it to a land first."),
    "refused.not_next_level": N_("This stock's top card is level {n}, but your temple here needs level {level} next."),
    "refused.not_skipped_level": N_("This stock's top card is level {n}. To skip a level of your temple here, you need level {level}."),
    "refused.no_such_level": N_("Temples go no higher than level {n}."),
    "refused.stock_empty": N_("This stock is empty."),
    "refused.level_reserved": N_("This level 1 is reserved for its owner's first temple."),
    "refused.too_few_settlers": N_("To build level {n}, you need {n:count people_card} here. You have: {held}."),
    "refused.migrated": N_("You have already migrated this turn."),
    "refused.too_few_migrants": N_("Exactly three cards migrate, but this column has fewer."),
    "refused.first_level": N_("You must build your level 1 on your first turn, and you still can."),
    "refused.no_run": N_("You don't have this run in {land:noun}: {people:noun}."),
    "refused.no_temple_there": N_("Your opponent has no temple here."),
    "refused.not_higher": N_("Your opponent's temple here is only at level {n}, no higher than yours."),
    "refused.nobody_to_expel": N_("Your opponent's column here has none of these: {people:noun}."),
    "refused.nobody_there": N_("Your opponent has no cards here."),
    "refused.hand_too_small": N_("Your opponent has fewer than two cards in hand, so there is no half to discard."),
    "refused.nothing_to_discard": N_("There is nothing to discard now."),
    "refused.discard_count": N_("Discard exactly {n:count people_card}."),
    # points
    "score.assyrians": N_("Temple in Assyria"),
    "score.hittites": N_("Temple in Hatti"),
    "score.medes": N_("Temple in Media"),
    "score.sumerians": N_("Temple in Sumer"),
    "score.persians": N_("Temple in Persia"),
    "round.temples": N_("Temple heights"),
    # ends
    "end.lead": N_("One player had 15 points or more and the other fewer than 10."),
    "end.twenty": N_("One player reached 20 points."),
    "end.deck": N_("The last temple card was revealed. The higher score won."),
    "end.deck_hands": N_("The last temple card was revealed. The scores were tied, and the larger hand won."),
    "end.deck_drawn": N_("The last temple card was revealed. Scores and hand sizes were tied."),
}
VOICE: Final = Voice("babel#", PHRASES)
