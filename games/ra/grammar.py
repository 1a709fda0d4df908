"""The forms of Ra's actions, from the same lists of pieces as the parser (`actions.py`)."""

from __future__ import annotations

from typing import Final

from games.core.grammar import ActionForm, numbers, one, some
from games.core.phrases import N_
from games.ra.components import KINDS, SUN_MAX

MOST_TILES: Final = 8
TILES: Final = some("tile", KINDS, "listed", 1, MOST_TILES)

FORMS: Final = (
    ActionForm("draw", N_("Draw a tile."), "ra#draw-1", "draw"),
    ActionForm("call", N_("Call Ra and start an auction."), "ra#ra-1", "call"),
    ActionForm(
        "god", N_("Discard one god for each of these tiles and take them from the auction track."), "ra#gods-1", "god nile", ((TILES,),)
    ),
    ActionForm("bid", N_("Bid a face-up sun."), "ra#auction-3", "bid 9", ((one("sun", numbers(1, SUN_MAX)),),)),
    ActionForm("pass", N_("Pass in the auction."), "ra#auction-3", "pass"),
    ActionForm(
        "discard", N_("Choose the tiles that you lose to a disaster."), "ra#disasters-4", "discard civ_art civ_writing", ((TILES,),)
    ),
    ActionForm(
        "deal",
        N_("Each player gets a set of suns, in seat order."),
        "ra#setup-5",
        "deal 1 0",
        tuple((some("set", numbers(0, seats - 1), "permuted", seats, seats),) for seats in range(2, 6)),
        by="chance",
    ),
    ActionForm("tile", N_("A tile comes out of the bag."), "ra#draw-1", "tile nile", ((one("tile", KINDS),),), by="chance"),
    ActionForm("score", N_("The epoch is scored."), "ra#score-1", "score", by="scorer"),
)
