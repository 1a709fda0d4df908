"""The forms of the actions of Tigris & Euphrates, from the same lists of pieces as the parser (`actions.py`)."""

from __future__ import annotations

from typing import Final

from games.core.grammar import ActionForm, numbers, one, some
from games.core.phrases import N_
from games.tigris_euphrates.components import HAND_SIZE, KINDS, LABELS, MONUMENTS, ROLES, SEATS

BOOK: Final = "tigris_euphrates#"
TILE: Final = one("tile", KINDS)
LEADER: Final = one("leader", ROLES)
SQUARE: Final = one("square", tuple(LABELS.values()))
HANDFUL: Final = some("tile", KINDS, "listed", 1, HAND_SIZE)
MONUMENT: Final = one("monument", [name for name, _, _ in MONUMENTS])

FORMS: Final = (
    ActionForm("tile", N_("Place a tile from your hand."), f"{BOOK}tiles-1", "tile temple D2", ((TILE, SQUARE),)),
    ActionForm("leader", N_("Place your leader, or move it there."), f"{BOOK}leaders-1", "leader farmer C2", ((LEADER, SQUARE),)),
    ActionForm("withdraw", N_("Withdraw your leader from the board."), f"{BOOK}leaders-8", "withdraw priest", ((LEADER,),)),
    ActionForm("catastrophe", N_("Place a catastrophe tile."), f"{BOOK}catastrophes-1", "catastrophe D2", ((SQUARE,),)),
    ActionForm("swap", N_("Discard tiles face down and draw as many."), f"{BOOK}swap-1", "swap temple farm", ((HANDFUL,),)),
    ActionForm("pass", N_("Forgo the rest of your turn's actions."), f"{BOOK}turn-3", "pass"),
    ActionForm("war", N_("Choose which leaders' war is resolved next."), f"{BOOK}wars-2", "war trader", ((LEADER,),)),
    ActionForm(
        "support",
        N_("Add this many tiles from your hand to a conflict, or none."),
        f"{BOOK}conflicts-3",
        "support 2 temple",
        ((one("count", numbers(0, HAND_SIZE)), TILE),),
    ),
    ActionForm(
        "build",
        N_("Build a monument; the square is the upper left of its four tiles."),
        f"{BOOK}monuments-1",
        "build black_red J10",
        ((MONUMENT, SQUARE),),
    ),
    ActionForm("decline", N_("Build no monument now."), f"{BOOK}monuments-4", "decline"),
    ActionForm("treasure", N_("Take the treasure from a square."), f"{BOOK}treasures-3", "treasure B2", ((SQUARE,),)),
    ActionForm(
        "start", N_("A player is chosen to start."), f"{BOOK}setup-5", "start 1", ((one("seat", numbers(0, SEATS[-1] - 1)),),), by="chance"
    ),
    ActionForm("draw", N_("A player draws tiles."), f"{BOOK}turn-5", "draw temple farm", ((HANDFUL,),), by="chance"),
    ActionForm("score", N_("Treasures are distributed, and players are ranked."), f"{BOOK}scoring-1", "score", by="scorer"),
)
