"""Answers in advance for an auction: private to a seat, kept outside the state (ra#auction-3).

    at-most 9 @7    in auction 7: bid the lowest sun that beats the best bid, at most 9, else pass
    at-most 0 @7    in auction 7: pass
    exactly 12 @7   in auction 7: bid 12 if that beats the best bid, else pass

The caller gives an order for the auction that the call will open, `auction_no + 1`. If the rule forbids passing
(ra#auction-4) and the order names no sun to bid, it gives no answer and the seat is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from games.core.contract import Option, Phrase
from games.ra import legality, phrases
from games.ra.actions import BIDS, PASS, Action
from games.ra.components import SUN_MAX, SUN_SYMBOL
from games.ra.view import View, known_state

_FORM: Final = re.compile(r"(at-most|exactly) (0|[1-9][0-9]?) @([1-9][0-9]{0,3})")


def _parse(order: str) -> tuple[str, int, int] | None:
    match = _FORM.fullmatch(order)
    if match is None:
        return None
    kind, sun, auction = match[1], int(match[2]), int(match[3])
    return (kind, sun, auction) if sun <= SUN_MAX and (sun or kind == "at-most") else None


def orders(view: View) -> Sequence[Option]:
    """Return the orders that the viewing seat could give while others bid before it in the current auction."""
    seat = view.seat
    if seat is None or view.phase != "auction" or seat == view.due or view.bids[seat] is not None:
        return ()
    suns = [sun for sun in view.suns_up[seat] if sun > view.best_bid]
    options = _orders(suns, view.auction_no)
    if view.suns_up[seat]:
        options.append(Option(f"at-most 0 @{view.auction_no}", Phrase(phrases.ORDER_PASS, rule="ra#auction-3")))
    return options


def orders_with_call(suns: Sequence[int], auction_no: int) -> Sequence[Option]:
    """Return the orders that a caller with these face-up suns could give for the auction that the call will open."""
    return _orders(suns, auction_no)


def _orders(suns: Sequence[int], auction_no: int) -> list[Option]:
    options = []
    for kind, text in (("at-most", phrases.ORDER_AT_MOST), ("exactly", phrases.ORDER_EXACTLY)):
        options += [Option(f"{kind} {sun} @{auction_no}", Phrase(text, {"n": sun}, "ra#auction-3"), SUN_SYMBOL, sun) for sun in suns]
    return options


def order_stands(view: View, order: str) -> bool:
    """Return whether the seat has yet to bid or pass in the auction that the order names."""
    parsed = _parse(order)
    seat = view.seat
    if parsed is None or seat is None or parsed[2] != view.auction_no or view.phase != "auction":
        return False
    kind, sun, _ = parsed
    if not view.suns_up[seat] or view.bids[seat] is not None:
        return False
    return kind == "at-most" or sun in view.suns_up[seat]


def answer_by_order(view: View, order: str) -> Action | None:
    """Return the action that the order gives the due viewing seat, or None if it gives none."""
    parsed = _parse(order)
    if parsed is None or view.seat is None or view.seat != view.due or not order_stands(view, order):
        return None
    kind, limit, _ = parsed
    state = known_state(view)
    suns = legality.suns_to_bid(state)
    wanted = [sun for sun in suns if (sun <= limit if kind == "at-most" else sun == limit)]
    if wanted:
        return BIDS[wanted[0]]
    return None if legality.must_bid(state) else PASS
