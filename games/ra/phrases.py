"""Every sentence of Ra that a reader can meet, marked for translation. Fields: see `Phrase` in the contract.

Keys: events as they are (`.me` when the reader is the seat, `.known` when the reader may read the secret), "refused." reasons,
"score." lines, "round." headings, "end." reasons. Names stay in their base form.
"""

from __future__ import annotations

from typing import Final

from games.core.phrases import N_

PHRASES: Final[dict[str, str]] = {
    # events
    "dealt": N_("{seat:name} got the suns {suns}."),
    "epoch_began": N_("{epoch:noun}: {seat:name} owns the highest sun, {sun}, and starts."),
    "draws": N_("{seat:name} draws a tile."),
    "drew": N_("{seat:name} drew a tile: {tile:noun}."),
    "drew_ra": N_("{seat:name} drew a Ra tile, number {n} of {of}."),
    "called": N_("{seat:name} called Ra with {n:count tile} on the track."),
    "called_full": N_("{seat:name} had to call Ra: the auction track is full."),
    "called_empty": N_("{seat:name} called Ra for sun {sun} alone."),
    "bid": N_("{seat:name} bid {sun}."),
    "passed": N_("{seat:name} passed."),
    "won": N_("{seat:name} won with sun {sun} and took sun {centre} and these tiles: {tiles:nouns}."),
    "won_sun": N_("{seat:name} won with sun {sun} and took sun {centre}."),
    "nobody_bid": N_("Nobody bid."),
    "nobody_bid_stay": N_("Nobody bid. Left on the track: {n:count tile}."),
    "nobody_bid_dropped": N_("Nobody bid. These tiles left the game: {tiles:nouns}."),
    "out": N_("{seat:name} has no face-up sun left and is out until the end of the epoch."),
    "used_gods": N_("{seat:name} used {n:count god} and took: {tiles:nouns}."),
    "lost_tiles": N_("{seat:name} lost tiles ({disaster:noun}): {tiles:nouns}."),
    "lost_nothing": N_("{seat:name} had nothing to lose ({disaster:noun})."),
    "must_discard": N_("{seat:name} must give up {n:count tile} ({disaster:noun})."),
    "discarded": N_("{seat:name} gave up: {tiles:nouns}."),
    "epoch_ended_by_suns": N_("{epoch:noun} ended: the last face-up sun was used."),
    "epoch_ended_by_ra": N_("{epoch:noun} ended: the Ra track is full."),
    "track_cleared": N_("These tiles left the auction track: {tiles:nouns}."),
    "epoch_scored": N_("{epoch:noun} was scored."),
    "fame_hidden": N_("{seat:name} settled the fame of the epoch."),
    "fame_hidden.known": N_("{seat:name}: {points:signed} fame for the epoch, {fame} in all."),
    "fame_open": N_("{seat:name}: {points:signed} fame for the epoch, {fame} in all."),
    "game_ended": N_("The game is over: {seat:name} wins with {fame} fame."),
    "game_ended_tie": N_("The game is over: {seat:name} wins with {fame} fame and the higher sun, {sun}."),
    # refusals
    "refused.finished": N_("The game is over."),
    "refused.not_your_turn": N_("The move is not yours now. Waiting for {seat:name}."),
    "refused.scoring_first": N_("The epoch has to be scored first."),
    "refused.chance_first": N_("Chance has to be settled first."),
    "refused.not_scoring": N_("There is nothing to score now."),
    "refused.not_by_hand": N_("Nobody may choose what chance decides."),
    "refused.deal": N_("The suns cannot be dealt now."),
    "refused.no_draw": N_("Nobody is drawing a tile now."),
    "refused.tile_not_left": N_("No such tile is left to draw: {tile:noun}."),
    "refused.track_full": N_("All eight auction spaces are taken: nobody may draw."),
    "refused.bag_empty": N_("No tile is left to draw."),
    "refused.bid_or_pass": N_("An auction is running: bid or pass."),
    "refused.discard_first": N_("First give up the tiles that the disaster costs."),
    "refused.no_auction": N_("There is no auction now."),
    "refused.turn_pass": N_("A turn cannot be passed. Draw, call Ra, or use a god."),
    "refused.caller_must_bid": N_("You called of free will and nobody has bid, so you must bid."),
    "refused.sun_face_down": N_("Sun {sun} lies face down and cannot be used in this epoch."),
    "refused.sun_not_yours": N_("Sun {sun} is not yours."),
    "refused.bid_too_low": N_("Sun {sun} does not beat the bid of {best}."),
    "refused.no_god": N_("You have no god to use."),
    "refused.god_takes_no_god": N_("A god takes no other god and no Ra tile."),
    "refused.too_few_gods": N_("Each tile needs a god. Tiles: {n}; your gods: {gods}."),
    "refused.not_on_track": N_("That does not lie on the auction track: {tile:noun}."),
    "refused.nothing_to_discard": N_("There is nothing to give up now."),
    "refused.wrong_family": N_("The disaster strikes another family. Choose from: {family:noun}."),
    "refused.wrong_number": N_("Tiles to give up, no more and no fewer: {n}."),
    "refused.not_owned": N_("You do not have so many: {tile:noun}."),
    # score lines
    "score.start": N_("Fame at the start"),
    "score.carried": N_("Fame so far"),
    "score.gods": N_("Unused gods, 2 each"),
    "score.pharaohs_most": N_("Most pharaohs"),
    "score.pharaohs_fewest": N_("Fewest pharaohs"),
    "score.pharaohs_between": N_("Neither most nor fewest pharaohs"),
    "score.pharaohs_equal": N_("All have the same number of pharaohs"),
    "score.river": N_("Niles and floods, 1 each"),
    "score.river_dry": N_("Niles without a flood"),
    "score.civilization": N_("Different civilization tiles"),
    "score.civilization_few": N_("Fewer than three different civilization tiles"),
    "score.civilization_none": N_("No civilization tile"),
    "score.gold": N_("Gold, 3 each"),
    "score.monument_kinds": N_("Different monuments"),
    "score.monument_same": N_("Three or more monuments of a kind"),
    "score.suns_most": N_("Highest sum of suns"),
    "score.suns_fewest": N_("Lowest sum of suns"),
    "score.suns_between": N_("Neither highest nor lowest sum of suns"),
    "score.suns_equal": N_("All have the same sum of suns"),
    "score.floor": N_("Fame does not go below 0"),
    # headings of the derivation
    "round.start": N_("Start"),
    "round.epoch_1": N_("Old Kingdom"),
    "round.epoch_2": N_("Middle Kingdom"),
    "round.epoch_3": N_("New Kingdom"),
    # reasons of the end
    "end.suns": N_("The last face-up sun of the third epoch was used."),
    "end.suns_tie": N_("The last face-up sun of the third epoch was used. The highest sun decided a tie for first place."),
    "end.ra_track": N_("The Ra track of the third epoch was full."),
    "end.ra_track_tie": N_("The Ra track of the third epoch was full. The highest sun decided a tie for first place."),
    # what a bot weighed; {points} is fame as the bot reckons it
    "bot.only": N_("Nothing else is allowed."),
    "bot.lot": N_("The lot as a beginner counts it: {points:signed}"),
    "bot.lot_small": N_("The lot is not worth a call yet: {points:signed}"),
    "bot.price": N_("What the sun is worth to a beginner: {points:signed}"),
    "bot.track_full": N_("The auction track is full: {n}"),
    "bot.spare": N_("Different kinds that stay: {n}"),
    "bot.god": N_("Using a god: {points:signed}"),
    "bot.call": N_("Calling Ra: {points:signed}"),
    "bot.draw": N_("Drawing a tile: {points:signed}"),
    "bot.ra_chance": N_("Chance of a Ra tile: {n} %"),
    "bot.treasure": N_("Gold and gods: {points:signed}"),
    "bot.pharaohs": N_("Pharaohs: {points:signed}"),
    "bot.river": N_("Niles and floods: {points:signed}"),
    "bot.civilization": N_("Civilization: {points:signed}"),
    "bot.monuments": N_("Monuments: {points:signed}"),
    "bot.sun_now": N_("What the sun could still win in this epoch: {points:signed}"),
    "bot.sun_later": N_("The sun from the centre against the one given, in later epochs: {points:signed}"),
    "bot.sun_sum": N_("Sum of suns at the end: {points:signed}"),
}

# Questions, answers and hints of `prompt` and `orders`.
ASK_TURN: Final = N_("Your turn: draw, call Ra, or use a god")
ASK_TURN_PLAIN: Final = N_("Your turn: draw or call Ra")
ASK_TURN_FULL: Final = N_("The auction track is full: call Ra")
ASK_TURN_FULL_GOD: Final = N_("The auction track is full: call Ra, or use a god")
ASK_TURN_NO_TILES: Final = N_("No tile is left to draw: call Ra")
ASK_GOD: Final = N_("Choose the tile to take")
ASK_GODS: Final = N_("Choose up to {n:count tile} to take, a god for each")
ASK_BID: Final = N_("Bid or pass")
ASK_BID_ABOVE: Final = N_("Bid above {n}, or pass")
ASK_MUST_BID: Final = N_("You called and nobody bid: choose your bid")
ASK_ONLY_PASS: Final = N_("No sun of yours beats {n}: pass")
ASK_DISCARD: Final = N_("Choose {n:count civilization} to give up")
ASK_DISCARD_MONUMENTS: Final = N_("Choose {n:count monument} to give up")

OPTION_DRAW: Final = N_("Draw a tile")
OPTION_CALL: Final = N_("Call Ra")
OPTION_GOD: Final = N_("Use a god")
OPTION_BID: Final = N_("Bid {n}")
OPTION_PASS: Final = N_("Pass")
OPTION_TILE: Final = N_("{tile:noun}")

CONFIRM_DRAW: Final = N_("Draw a tile")
CONFIRM_CALL: Final = N_("Call Ra")
CONFIRM_GOD: Final = N_("Use {n:count god}")
CONFIRM_BID: Final = N_("Confirm bid")
CONFIRM_PASS: Final = N_("Confirm pass")
CONFIRM_DISCARD: Final = N_("Give up {n:count tile}")

THEN_DRAW: Final = N_("A Ra tile starts an auction; any other tile joins the track.")
THEN_DRAW_LAST_RA: Final = N_("One more Ra tile ends the epoch; any other tile joins the track.")
THEN_CALL: Final = N_("The others bid first, for {n:count tile} and sun {sun}. If nobody bids, you must.")
THEN_CALL_EMPTY: Final = N_("The others bid first, for sun {sun} alone. If nobody bids, you must.")
THEN_CALL_ALONE: Final = N_("Only you are left: you then bid one of your suns for {n:count tile} and sun {sun}.")
THEN_CALL_ALONE_EMPTY: Final = N_("Only you are left: you then bid one of your suns for sun {sun} alone.")
THEN_CALL_FULL: Final = N_("The others bid first. If nobody bids, you may pass, and all eight tiles leave the game.")
THEN_CALL_FULL_ALONE: Final = N_("Only you are left: you then bid; if you pass, all eight tiles leave the game.")
THEN_GOD: Final = N_("You take: {tiles:nouns}. Your turn is over.")
THEN_GOD_DISASTER: Final = N_("You take: {tiles:nouns}. The disaster strikes you at once.")
THEN_BID: Final = N_("Bid {n}. The others who have still to speak may bid higher.")
THEN_BID_UNBEATEN: Final = N_("Bid {n}. Nobody who has still to speak can bid higher.")
THEN_BID_LAST: Final = N_("Bid {n}. You win: you take {tiles:count tile} and sun {sun}, face down.")
THEN_BID_LAST_SUN: Final = N_("Bid {n}. You win: you take sun {sun}, face down.")
THEN_PASS: Final = N_("You take no part in this auction any more.")
THEN_PASS_WON: Final = N_("{seat:name} wins with sun {n}.")
THEN_PASS_STAY: Final = N_("Nobody bid: the tiles stay on the track.")
THEN_PASS_NOTHING: Final = N_("Nobody bid: no sun changes hands.")
THEN_PASS_DROPPED: Final = N_("Nobody bid: all eight tiles leave the game.")
THEN_DISCARD: Final = N_("You give up: {tiles:nouns}.")

HINT_LAST_SUN: Final = N_("This is your last face-up sun. If you win with it, you are out until the end of the epoch.")
HINT_LAST_SUN_OF_ALL: Final = N_("This is the last face-up sun of all. If you win with it, the epoch ends.")
BID_WITH_CALL: Final = N_("Your bid, given now")
HINT_CALL_BID: Final = N_("You may give your bid with the call.")
HINT_DISCARD: Final = N_("Chosen: {n} of {of}.")
HINT_GODS: Final = N_("Gods that you do not use bring 2 fame each at the end of the epoch.")

WHY_DRAW: Final = N_("Why not draw a tile?")
WHY_SUN: Final = N_("Why not sun {sun}?")
WHY_PASS: Final = N_("Why not pass?")
WHY_GOD: Final = N_("Why not use a god?")
WHY_GOD_TILE: Final = N_("Why not take the god?")
BECAUSE_NOTHING_TO_TAKE: Final = N_("Nothing that a god may take lies on the track.")

ORDER_AT_MOST: Final = N_("Bid the lowest sun that leads, up to {n}; else pass")
ORDER_EXACTLY: Final = N_("Bid {n} if it leads; else pass")
ORDER_PASS: Final = N_("Pass")
