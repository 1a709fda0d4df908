"""The apprentice of Ra: a beginner's rules of thumb, tile by tile; it ignores the others' suns, the sun in the centre and the odds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.contract import Choice, Rng
from games.ra import legality
from games.ra.actions import BIDS, CALL, DRAW, PASS, Action, Discard, UseGods
from games.ra.components import CIV_END, CIV_FIRST, DISASTERS, FLOOD, GOD, GOLD, MON_END, MON_FIRST, N_KINDS, NILE, PHARAOH
from games.ra.state import AUCTION, DISCARD, State, kinds_on_track

Reason = tuple[str, float, str | None]


class Apprentice:
    """A beginner's rules of thumb: a price for every tile, a price for every sun, and a taste for many tiles."""

    CALL_FOR: Final = 6.0  # calls Ra on a lot worth this much
    FULL_ENOUGH: Final = 6  # or on this many tiles, if they are worth anything
    BLUR: Final = 1.5  # the most fame by which the beginner misjudges a lot

    def __init__(self, state: State, seat: int, rng: Rng) -> None:
        self.state = state
        self.seat = seat
        self.own = bytes(state.tiles[seat * N_KINDS : (seat + 1) * N_KINDS])
        self.rng = rng

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        if self.state.phase == AUCTION:
            return self.bid()
        if self.state.phase == DISCARD:
            return self.discard(legal)
        return self.turn(legal)

    def value(self, lot: Sequence[int]) -> float:
        """Return what a beginner thinks a lot is worth: this epoch only, tile by tile."""
        own = self.own
        total = 2.0 * lot.count(GOD) + 3.0 * lot.count(GOLD) + 1.5 * lot.count(PHARAOH)
        floods, niles = lot.count(FLOOD), lot.count(NILE)
        total += floods + niles
        if floods and not own[FLOOD]:
            total += 0.5 * own[NILE]
        for kind in set(lot):
            if CIV_FIRST <= kind < CIV_END and not own[kind]:
                total += 2.5
            elif MON_FIRST <= kind < MON_END:
                total += 1.0 + 0.5 * own[kind]
        return total - 3.0 * sum([kind in DISASTERS for kind in lot])

    def price(self, sun: int) -> float:
        """Return what a lot must be worth to spend a sun on it: early in the epoch, high suns are kept for good lots."""
        haste = self.state.ra_count / self.state.ra_length
        return (2.0 + 0.35 * sun) * (1.1 - 0.9 * haste)

    def blur(self) -> float:
        return (self.rng.below(2001, "bot") / 1000 - 1) * self.BLUR

    def bid(self) -> Choice[Action]:
        lot = kinds_on_track(self.state)
        value = self.value(lot) + self.blur()
        suns = legality.suns_to_bid(self.state)
        lowest = suns[0]
        reasons: list[Reason] = [("lot", value, "ra#auction-7"), ("price", -self.price(lowest), "ra#auction-3")]
        if value >= self.price(lowest):
            return Choice(BIDS[lowest], reasons)
        if legality.must_bid(self.state):
            return Choice(BIDS[lowest], [("must_bid", 0.0, "ra#auction-4"), *reasons])
        return Choice(PASS, reasons[::-1])

    def turn(self, legal: Sequence[Action]) -> Choice[Action]:
        state = self.state
        lot = kinds_on_track(state)
        if self.own[GOD]:
            for kind in (GOLD, FLOOD):  # what a beginner sees at once
                if kind in lot and (kind == GOLD or self.own[NILE] >= 3):
                    return Choice(UseGods((kind,)), (("god", self.value([kind]), "ra#gods-1"),))
        if DRAW not in legal:
            return Choice(CALL, (("track_full", float(len(lot)), "ra#ra-2"),))
        value = self.value(lot) + self.blur()
        wish = self.CALL_FOR * (1.1 - 0.6 * state.ra_count / state.ra_length)
        if value >= wish or (len(lot) >= self.FULL_ENOUGH and value > 2):
            return Choice(CALL, (("lot", value, "ra#ra-1"),))
        return Choice(DRAW, (("lot_small", value, "ra#draw-1"),))

    def discard(self, legal: Sequence[Action]) -> Choice[Action]:
        """Discard a duplicate, if there is one."""
        own = self.own

        def kept(action: Action) -> int:
            assert isinstance(action, Discard)
            return sum([own[kind] > action.tiles.count(kind) for kind in set(action.tiles)])

        best = max(legal, key=kept)
        return Choice(best, (("spare", float(kept(best)), "ra#disasters-4"),))
