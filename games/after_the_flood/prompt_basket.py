"""Goods that are spent together: the equipment of an empire, a bid (after_the_flood#equip-1, after_the_flood#pass-2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.after_the_flood import prompt_phrases as phrases
from games.after_the_flood.actions import DONE, READY, Action, Bid, Equip
from games.after_the_flood.components import GOODS, KINDS, SYMBOLS, VALUES
from games.after_the_flood.prompt_facts import phrase, rating_of
from games.after_the_flood.state import State, value_of
from games.core.asking import Step
from games.core.contract import Basket, Lot, Phrase


def basket_of(state: State, steps: Iterable[Step[Action]]) -> Basket | None:
    """Return the goods among the answers that can be spent together, or None if there are none."""
    actions = [step.action for step in steps]
    equips = [action for action in actions if isinstance(action, Equip)]
    if equips:
        base = value_of(state.equipment, state.active)
        lots = [_lot(state, action, "equip-1") for action in equips]
        most = base + sum(lot.have * lot.worth for lot in lots)
        label, confirm = phrase(phrases.BASKET_EQUIP, "equip-2"), phrase(phrases.CONFIRM_READY)
        return Basket(lots, label, base, str(READY), confirm, _ratings(state, base, most))
    bids = [action for action in actions if isinstance(action, Bid)]
    if bids:
        lots = [_lot(state, action, "pass-2") for action in bids]
        base = value_of(state.bids, state.active)
        return Basket(lots, phrase(phrases.BASKET_BID, "pass-2"), base, str(DONE), phrase(phrases.CONFIRM_BASKET_BID))
    return None


def _lot(state: State, action: Equip | Bid, anchor: str) -> Lot:
    good = GOODS[action.good]
    have = state.goods[state.active * KINDS + action.good]
    return Lot(str(action), phrase(phrases.BASKET_GOOD, anchor, good=good), SYMBOLS.get(good), have, VALUES[action.good])


def _ratings(state: State, base: int, most: int) -> Sequence[tuple[int, Phrase]]:
    """Return the values from which on each rating holds, as things stand (equip-2)."""
    found: list[tuple[int, Phrase]] = []
    last = ""
    for value in range(base, most + 1):
        rating = rating_of(state, value)
        if rating != last:
            found.append((value, phrase(phrases.BASKET_RATING, "equip-2", rating=rating)))
        last = rating
    return found
