"""Every sentence of Ra that a reader may see, marked for translation. Fields: see `Phrase` in the contract.

Keys: events unchanged (plus `.me` if the reader is the seat, `.known` if the reader may read the secret), "refused." reasons,
"score." lines, "round." headings, "end." reasons. Names keep their base form.
"""

from __future__ import annotations

from typing import Final

from games.core.asking import Voice
from games.core.phrases import N_

PHRASES: Final[dict[str, str]] = {
    # events
    "dealt": N_("{seat:name} received suns {suns}."),
    "epoch_began": N_("{epoch:noun}: {seat:name} had the highest sun, {sun}, and started."),
    "draws": N_("{seat:name} draws a tile."),
    "drew": N_("{seat:name} drew a tile: {tile:noun}."),
    "drew_ra": N_("{seat:name} drew Ra tile {n} of {of}."),
    "called": N_("{seat:name} called Ra with {n:count tile} on the auction track."),
    "called_full": N_("{seat:name} had to call Ra: the auction track was full."),
    "called_empty": N_("{seat:name} called Ra for sun {sun} only."),
    "bid": N_("{seat:name} bid {sun}."),
    "passed": N_("{seat:name} passed."),
    "won": N_("{seat:name} won with sun {sun} and took sun {centre} and {tiles:nouns}."),
    "won_sun": N_("{seat:name} won with sun {sun} and took sun {centre}."),
    "nobody_bid": N_("Nobody bid."),
    "nobody_bid_stay": N_("Nobody bid. {n:count tile} stayed on the auction track."),
    "nobody_bid_dropped": N_("Nobody bid. Tiles removed from the game: {tiles:nouns}."),
    "out": N_("{seat:name} had no face-up suns left and was out for the rest of the epoch."),
    "used_gods": N_("{seat:name} used {n:count god} and took {tiles:nouns}."),
    "lost_tiles": N_("{seat:name} lost {tiles:nouns} to a disaster ({disaster:noun})."),
    "lost_nothing": N_("{seat:name} had nothing to lose to the disaster ({disaster:noun})."),
    "must_discard": N_("{seat:name} must discard {n:count tile} ({disaster:noun})."),
    "discarded": N_("{seat:name} discarded {tiles:nouns}."),
    "epoch_ended_by_suns": N_("{epoch:noun} ended: the last face-up sun was used."),
    "epoch_ended_by_ra": N_("{epoch:noun} ended: the Ra track was full."),
    "track_cleared": N_("Tiles removed from the auction track: {tiles:nouns}."),
    "epoch_scored": N_("{epoch:noun} was scored."),
    "fame_hidden": N_("{seat:name} scored the epoch."),
    "fame_hidden.known": N_("{seat:name} scored {points:signed} fame for the epoch, {fame} in total."),
    "fame_open": N_("{seat:name} scored {points:signed} fame for the epoch, {fame} in total."),
    "game_ended": N_("The game is over: {seat:name} wins with {fame} fame."),
    "game_ended_tie": N_("The game is over: {seat:name} wins with {fame} fame and the higher sun, {sun}."),
    # refusals
    "refused.finished": N_("The game is over."),
    "refused.not_your_turn": N_("It's not your turn. Waiting for {seat:name}."),
    "refused.scoring_first": N_("Not yet: the epoch must be scored first."),
    "refused.chance_first": N_("Not yet: a random draw comes first."),
    "refused.not_scoring": N_("There is nothing to score now."),
    "refused.not_by_hand": N_("This is decided by chance. You can't choose it."),
    "refused.deal": N_("The suns can't be dealt now."),
    "refused.no_draw": N_("No tile is being drawn now."),
    "refused.tile_not_left": N_("No tile of this kind is left to draw: {tile:noun}."),
    "refused.track_full": N_("The auction track is full, so you can't draw. Call Ra, or use a god."),
    "refused.bag_empty": N_("No tiles are left to draw."),
    "refused.bid_or_pass": N_("An auction is in progress: bid or pass."),
    "refused.discard_first": N_("Discard the tiles you lose to the disaster first."),
    "refused.no_auction": N_("There is no auction now."),
    "refused.turn_pass": N_("You can't pass your turn. Draw a tile, call Ra, or use a god."),
    "refused.caller_must_bid": N_("You called Ra by choice and nobody has bid, so you must bid."),
    "refused.sun_face_down": N_("Sun {sun} is face down. You can't use it until the next epoch."),
    "refused.sun_not_yours": N_("You don't have sun {sun}."),
    "refused.bid_too_low": N_("Sun {sun} doesn't beat the bid of {best}. Bid higher, or pass."),
    "refused.no_god": N_("You have no gods to use."),
    "refused.god_takes_no_god": N_("You can't take a god or a Ra tile with a god. Choose another tile."),
    "refused.too_few_gods": N_("You need one god per tile. Tiles chosen: {n}; your gods: {gods}."),
    "refused.not_on_track": N_("This tile isn't on the auction track: {tile:noun}."),
    "refused.nothing_to_discard": N_("There is nothing to discard now."),
    "refused.wrong_family": N_("This disaster affects a different kind of tile: {family:noun}."),
    "refused.wrong_number": N_("Discard exactly {n:count tile}."),
    "refused.not_owned": N_("You don't have that many: {tile:noun}."),
    # score lines
    "score.start": N_("Starting fame"),
    "score.carried": N_("Fame from earlier epochs"),
    "score.gods": N_("Unused gods (2 each)"),
    "score.pharaohs_most": N_("Most pharaohs"),
    "score.pharaohs_fewest": N_("Fewest pharaohs"),
    "score.pharaohs_between": N_("Neither most nor fewest pharaohs"),
    "score.pharaohs_equal": N_("All players tied on pharaohs"),
    "score.river": N_("Niles and floods (1 each)"),
    "score.river_dry": N_("Niles with no flood"),
    "score.civilization": N_("Different civilization tiles"),
    "score.civilization_few": N_("Fewer than 3 different civilization tiles"),
    "score.civilization_none": N_("No civilization tiles"),
    "score.gold": N_("Gold (3 each)"),
    "score.monument_kinds": N_("Different monuments"),
    "score.monument_same": N_("3 or more monuments of a kind"),
    "score.suns_most": N_("Highest sun total"),
    "score.suns_fewest": N_("Lowest sun total"),
    "score.suns_between": N_("Neither highest nor lowest sun total"),
    "score.suns_equal": N_("All players tied on sun total"),
    "score.floor": N_("Fame can't go below 0"),
    # headings of the derivation
    "round.start": N_("Start"),
    "round.epoch_1": N_("Old Kingdom"),
    "round.epoch_2": N_("Middle Kingdom"),
    "round.epoch_3": N_("New Kingdom"),
    # reasons of the end
    "end.suns": N_("The last face-up sun of the third epoch was used."),
    "end.suns_tie": N_("The last face-up sun of the third epoch was used. The highest sun broke the tie for first place."),
    "end.ra_track": N_("The Ra track filled up in the third epoch."),
    "end.ra_track_tie": N_("The Ra track filled up in the third epoch. The highest sun broke the tie for first place."),
    # what a bot weighed; {points} is fame by the bot's own estimate
    "bot.only": N_("There was no other legal move."),
    "bot.lot": N_("Rough value of the lot: {points:signed}"),
    "bot.lot_small": N_("The lot isn't worth calling Ra for yet: {points:signed}"),
    "bot.price": N_("Rough value of the sun: {points:signed}"),
    "bot.track_full": N_("Tiles on the full auction track: {n}"),
    "bot.spare": N_("Different kinds kept: {n}"),
    "bot.must_bid": N_("Everyone else passed, so the caller had to bid."),
    "bot.discard": N_("Discarding these tiles: {points:signed}"),
    "bot.bid": N_("Bidding this sun: {points:signed}"),
    "bot.best_bid": N_("The best possible bid: {points:signed}"),
    "bot.lower": N_("A lower sun, which is easier to outbid: {points:signed}"),
    "bot.lower_last": N_("A lower sun, which would also have won: {points:signed}"),
    "bot.others": N_("What the others may still do, such as outbidding: {points:signed}"),
    "bot.pass": N_("Passing: {points:signed}"),
    "bot.take": N_("Taking these tiles and playing on with the other suns: {points:signed}"),
    "bot.take_last": N_("Taking these tiles with the last sun: {points:signed}"),
    "bot.go_on": N_("Leaving these tiles and drawing more: {points:signed}"),
    "bot.god": N_("Using a god: {points:signed}"),
    "bot.god_kept": N_("Using gods instead of keeping them: {points:signed}"),
    "bot.lot_now": N_("The tiles on the auction track as they are: {points:signed}"),
    "bot.sun_least": N_("Spending the sun easiest to spare: {points:signed}"),
    "bot.call": N_("Calling Ra: {points:signed}"),
    "bot.draw": N_("Drawing a tile: {points:signed}"),
    "bot.ra_chance": N_("Chance of a Ra tile: {n}%"),
    "bot.last_ra": N_("Chance that the next tile ends the epoch: {n}%"),
    # the master, in fame
    "bot.learned": N_("Expected lead at the end of the game, compared with the move that looks best at once: {points:signed}"),
    "bot.treasure": N_("Gold and gods: {points:signed}"),
    "bot.pharaohs": N_("Pharaohs: {points:signed}"),
    "bot.river": N_("Niles and floods: {points:signed}"),
    "bot.civilization": N_("Civilization: {points:signed}"),
    "bot.monuments": N_("Monuments: {points:signed}"),
    "bot.sun_now": N_("Doing without the sun bid for the rest of this epoch: {points:signed}"),
    "bot.sun_later": N_("Swapping the sun bid for the one in the centre, for later epochs: {points:signed}"),
    "bot.sun_sum": N_("The sun total at the end of the game: {points:signed}"),
}

# Questions, answers and hints of `prompt` and `orders`.
ASK_TURN: Final = N_("Your turn: draw, call Ra, or use a god")
ASK_TURN_PLAIN: Final = N_("Your turn: draw or call Ra")
ASK_TURN_FULL: Final = N_("The auction track is full: call Ra")
ASK_TURN_FULL_GOD: Final = N_("The auction track is full: call Ra, or use a god")
ASK_TURN_NO_TILES: Final = N_("No tiles are left to draw: call Ra")
ASK_GOD: Final = N_("Choose a tile to take")
ASK_GODS: Final = N_("Choose up to {n:count tile} to take, one god per tile")
ASK_BID: Final = N_("Bid or pass")
ASK_BID_ABOVE: Final = N_("Bid above {n}, or pass")
ASK_MUST_BID: Final = N_("You called Ra and nobody bid. Choose your bid")
ASK_ONLY_PASS: Final = N_("None of your suns beats {n}: pass")
ASK_DISCARD: Final = N_("Choose {n:count civilization} to discard")
ASK_DISCARD_MONUMENTS: Final = N_("Choose {n:count monument} to discard")

OPTION_DRAW: Final = N_("Draw tile")
OPTION_CALL: Final = N_("Call Ra")
OPTION_GOD: Final = N_("Use god")
OPTION_BID: Final = N_("Bid {n}")
OPTION_PASS: Final = N_("Pass")
OPTION_TILE: Final = N_("{tile:noun}")

CONFIRM_DRAW: Final = N_("Draw tile")
CONFIRM_CALL: Final = N_("Call Ra")
CONFIRM_GOD: Final = N_("Use {n:count god}")
CONFIRM_BID: Final = N_("Confirm bid")
CONFIRM_PASS: Final = N_("Confirm pass")
CONFIRM_DISCARD: Final = N_("Discard {n:count tile}")

THEN_DRAW: Final = N_("A Ra tile starts an auction; any other tile goes on the auction track.")
THEN_DRAW_LAST_RA: Final = N_("Another Ra tile ends the epoch; any other tile goes on the auction track.")
THEN_CALL: Final = N_("The others bid first, for {n:count tile} and sun {sun}. If nobody bids, you must bid.")
THEN_CALL_EMPTY: Final = N_("The others bid first, for sun {sun} only. If nobody bids, you must bid.")
THEN_CALL_ALONE: Final = N_("Only you are left in the epoch: you bid one of your suns for {n:count tile} and sun {sun}.")
THEN_CALL_ALONE_EMPTY: Final = N_("Only you are left in the epoch: you bid one of your suns for sun {sun} only.")
THEN_CALL_FULL: Final = N_("The others bid first. If nobody bids, you may pass; all eight tiles are then removed from the game.")
THEN_CALL_FULL_ALONE: Final = N_("Only you are left in the epoch: bid, or pass to remove all eight tiles from the game.")
THEN_GOD: Final = N_("You take {tiles:nouns}. Your turn ends.")
THEN_GOD_DISASTER: Final = N_("You take {tiles:nouns}. The disaster affects you at once.")
THEN_BID: Final = N_("Bid {n}. Players still to bid may bid higher.")
THEN_BID_UNBEATEN: Final = N_("Bid {n}. None of the players still to bid can go higher.")
THEN_BID_LAST: Final = N_("Bid {n}. You win: you take {tiles:count tile} and sun {sun}, face down.")
THEN_BID_LAST_SUN: Final = N_("Bid {n}. You win: you take sun {sun}, face down.")
THEN_PASS: Final = N_("You are out of this auction.")
THEN_PASS_WON: Final = N_("{seat:name} wins with sun {n}.")
THEN_PASS_STAY: Final = N_("Nobody bid: the tiles stay on the auction track.")
THEN_PASS_NOTHING: Final = N_("Nobody bid: no sun changes hands.")
THEN_PASS_DROPPED: Final = N_("Nobody bid: all eight tiles are removed from the game.")
THEN_DISCARD: Final = N_("You discard {tiles:nouns}.")

HINT_LAST_SUN: Final = N_("This is your last face-up sun. If you win with it, you are out until the epoch ends.")
HINT_LAST_SUN_OF_ALL: Final = N_("No player has another face-up sun. If you win with this one, the epoch ends.")
BID_WITH_CALL: Final = N_("Your bid in advance")
HINT_CALL_BID: Final = N_("You can set your bid when you call Ra.")
HINT_CALLED: Final = N_("{seat:name} called Ra. No bids yet.")
HINT_CALLED_BID: Final = N_("{seat:name} called Ra. Highest bid: {n} ({other:name}).")
HINT_DREW_RA: Final = N_("{seat:name} drew a Ra tile. No bids yet.")
HINT_DREW_RA_BID: Final = N_("{seat:name} drew a Ra tile. Highest bid: {n} ({other:name}).")
HINT_YOU_CALLED: Final = N_("You called Ra. No bids yet.")
HINT_YOU_CALLED_BID: Final = N_("You called Ra. Highest bid: {n} ({other:name}).")
HINT_YOU_DREW_RA: Final = N_("You drew a Ra tile. No bids yet.")
HINT_YOU_DREW_RA_BID: Final = N_("You drew a Ra tile. Highest bid: {n} ({other:name}).")
HINT_DISCARD: Final = N_("Chosen: {n} of {of}.")
HINT_GODS: Final = N_("Each unused god scores 2 fame at the end of the epoch.")

WHY_DRAW: Final = N_("Why can't I draw a tile?")
WHY_SUN: Final = N_("Why can't I bid sun {sun}?")
WHY_PASS: Final = N_("Why can't I pass?")
WHY_GOD: Final = N_("Why can't I use a god?")
WHY_GOD_TILE: Final = N_("Why can't I take the god?")
BECAUSE_NOTHING_TO_TAKE: Final = N_("There is nothing on the auction track that a god can take.")

ORDER_AT_MOST: Final = N_("Bid the lowest sun that leads, up to {n}; otherwise pass")
ORDER_EXACTLY: Final = N_("Bid {n} if it leads; otherwise pass")
ORDER_PASS: Final = N_("Pass")
VOICE: Final = Voice("ra#", PHRASES)
