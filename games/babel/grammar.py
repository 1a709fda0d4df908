"""The forms of Babel's actions, from the same lists of pieces as the parser (`actions.py`)."""

from __future__ import annotations

from typing import Final

from games.babel.actions import STOCKS
from games.babel.components import PEOPLE_CARDS, PEOPLES, REVEAL, TOP_LEVEL
from games.core.grammar import ActionForm, Line, numbers, one, some
from games.core.phrases import N_

PEOPLE: Final = one("people", PEOPLES)
STOCK: Final = one("stock", STOCKS)
RUN: Final = one("run", numbers(2, 9))  # the first run has no number


def _power(*parts: object) -> tuple[Line, ...]:
    """Return the lines of a power: without a number, and with that of a later run."""
    line = tuple(part for part in (PEOPLE, STOCK) if part in parts)
    return (line, (*line, RUN))


FORMS: Final = (
    ActionForm("move", N_("Discard a card of a people and move your pawn into its land."), "babel#move-1", "move medes", ((PEOPLE,),)),
    ActionForm(
        "settle", N_("Place a people card on your column in the land where your pawn is."), "babel#settle-1", "settle medes", ((PEOPLE,),)
    ),
    ActionForm("build", N_("Build the next level of a temple with the top card of a stock."), "babel#build-1", "build own", ((STOCK,),)),
    ActionForm(
        "migrate",
        N_("Move the three outermost cards of one column onto another."),
        "babel#migration-1",
        "migrate medes persians",
        tuple((one("from", [source]), one("to", [land for land in PEOPLES if land != source])) for source in PEOPLES),
    ),
    ActionForm("destroy", N_("Use a run of Assyrians to destroy your opponent's temple."), "babel#destroy-1", "destroy", _power()),
    ActionForm("steal", N_("Use a run of Hittites to take the top level of your opponent's temple."), "babel#steal-1", "steal", _power()),
    ActionForm(
        "expel", N_("Use a run of Medes to expel a people from your opponent's column."), "babel#expel-1", "expel medes", _power(PEOPLE)
    ),
    ActionForm(
        "switch",
        N_("Use a run of Sumerians to win over the people of your opponent's outermost card."),
        "babel#switch-1",
        "switch",
        _power(),
    ),
    ActionForm("skip", N_("Use a run of Persians to skip one level as you build from a stock."), "babel#skip-1", "skip own", _power(STOCK)),
    ActionForm(
        "halve", N_("Use any run to make your opponent discard half of their hand."), "babel#halving-1", "halve medes", _power(PEOPLE)
    ),
    ActionForm(
        "discard",
        N_("Choose the half of your hand that you discard."),
        "babel#halving-2",
        "discard medes",
        ((some("people", PEOPLES, "listed", 1, PEOPLE_CARDS),),),
    ),
    ActionForm("end", N_("End your turn's actions."), "babel#turn-4", "end"),
    ActionForm("start", N_("A player is chosen to start."), "babel#setup-6", "start 1", ((one("seat", numbers(0, 1)),),), by="chance"),
    ActionForm(
        "draw",
        N_("A player draws people cards; none if there are none left."),
        "babel#people-1",
        "draw assyrians medes sumerians",
        ((some("people", PEOPLES, "listed", 0, PEOPLE_CARDS),),),
        by="chance",
    ),
    ActionForm(
        "reveal",
        N_("Temple cards are turned up, the higher one first."),
        "babel#temples-1",
        "reveal 4 2",
        ((some("level", numbers(1, TOP_LEVEL)[::-1], "listed", 1, REVEAL),),),
        by="chance",
    ),
    ActionForm("score", N_("The game is closed."), "babel#end-1", "score", by="scorer"),
)
