"""Ra's bots: what each level answers, from its seat's view alone, and why.

random      any legal action; for measurements only
apprentice  values tiles by rules of thumb; ignores the others' suns, the sun in the centre, later epochs and the odds
scribe      weighs lots, suns and rivals with `evaluation`, looks one draw ahead, and plays out every auction

No level looks at a clock; `scribe` uses no chance at all. Reasons are (key, fame, paragraph); the sentence for a key is
in the game's phrases under "bot." + key, with the value as `points` and `n`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.contract import NO_SEAT, Choice, Rng
from games.ra import legality
from games.ra.actions import BIDS, CALL, DRAW, PASS, Action, Bid, Discard, UseGods
from games.ra.components import (
    AUCTION_SPACES,
    CIV_END,
    CIV_FIRST,
    DISASTERS,
    FLOOD,
    GOD,
    GOLD,
    MON_END,
    MON_FIRST,
    N_KINDS,
    NILE,
    PHARAOH,
)
from games.ra.evaluation import CIVILIZATION, DEFAULT, GROUP_OF, GROUP_RULES, GROUPS, MONUMENTS, TREASURE, Auction, Outlook, Weights
from games.ra.state import AUCTION, DISCARD, FULL, RA_TILE, SUNS_IN, TURN, VOLUNTARY, State, kinds_on_track, next_in_play
from games.ra.view import View, known_state

Reason = tuple[str, float, str | None]

LEVELS: Final = ("random", "apprentice", "scribe")


def choose_action(view: View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the answer of a bot of `level` for the viewing seat, with the terms it weighed, best first.

    Raises ValueError for an unknown level, or if the seat is not due. `budget_s` is for levels that search.
    """
    if level not in LEVELS:
        raise ValueError(f"no bot {level!r}; known: {', '.join(LEVELS)}")
    if view.seat is None or view.seat != view.due:
        raise ValueError("this seat is not due")
    state = known_state(view)
    legal = legality.legal_actions(state, view.seat)
    if not legal:
        raise ValueError("this seat is not due")
    if level == "random":
        return Choice(legal[rng.below(len(legal), "bot")])
    if len(legal) == 1:
        return Choice(legal[0], (("only", 0.0, None),))
    if level == "apprentice":
        return Apprentice(state, view.seat, rng).choose(legal)
    return Scribe(state, view.seat).choose(legal)


# Apprentice


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
        if value >= self.price(lowest) or legality.must_bid(self.state):
            return Choice(BIDS[lowest], reasons)
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


# Scribe


class Scribe:
    """Weighs every answer in expected fame, less what the others gain by it."""

    def __init__(self, state: State, seat: int, weights: Weights = DEFAULT) -> None:
        self.state = state
        self.seat = seat
        self.outlook = Outlook(state, seat, weights)
        self.in_play = [seat for seat in range(state.seats) if state.suns_up[seat]]
        self.is_alone = self.in_play == [seat]

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        phase = self.state.phase
        if phase == AUCTION:
            return self.bid(legal)
        if phase == DISCARD:
            return self.discard(legal)
        assert phase == TURN
        return self.turn(legal)

    # auctions

    def gains(self, lot: Sequence[int]) -> list[list[float]]:
        """Return what each seat in play gains from `lot`, by group (zeros for the others)."""
        outlook = self.outlook
        return [outlook.gains(seat, lot) if seat in self.in_play else [0.0] * len(GROUPS) for seat in range(self.state.seats)]

    def order_after(self, caller: int) -> tuple[int, ...]:
        """Return the bidding order of an auction called by `caller`, the caller last."""
        n = self.state.seats
        order = [(caller + at) % n for at in range(1, n + 1)]
        return tuple([seat for seat in order if self.state.suns_up[seat]])

    def open(self, lot: Sequence[int], gross: Sequence[float], cause: int, caller: int, order: tuple[int, ...]) -> Auction:
        outlook = self.outlook
        losses = [0.0 if seat == self.seat else outlook.pharaoh_loss(seat, lot) for seat in range(self.state.seats)]
        return Auction(outlook, gross, losses, cause, caller, order)

    def bid(self, legal: Sequence[Action]) -> Choice[Action]:
        state = self.state
        lot = kinds_on_track(state)
        gains = self.gains(lot)
        everybody = self.order_after(state.ra_player)
        order = everybody[everybody.index(self.seat) + 1 :]
        own = self.lot_reasons(lot, gains[self.seat])
        suns = [action.sun for action in legal if isinstance(action, Bid)]
        if self.is_alone:
            sun = min(suns, key=self.sun_keeping)
            if len(suns) < len(legal) and self.go_on(lot, gains[self.seat]) > self.take(sum(gains[self.seat]), self.outlook.draws_left):
                return Choice(PASS, self.sun_reasons(sun) + own)
            return Choice(BIDS[sun], own + self.sun_reasons(sun))
        auction = self.open(lot, [sum(groups) for groups in gains], state.cause, state.ra_player, order)
        best: Action = legal[0]
        top = -1e9
        for action in legal:
            if isinstance(action, Bid):
                value = auction.value(0, action.sun, self.seat)
            else:
                value = auction.value(0, state.best_bid, state.best_seat)
            if value > top + 1e-9:
                best, top = action, value
        if isinstance(best, Bid):
            return Choice(best, own + self.sun_reasons(best.sun))
        return Choice(best, self.sun_reasons(suns[0]) + own)

    def lot_reasons(self, lot: Sequence[int], gains: Sequence[float]) -> list[Reason]:
        reasons: list[Reason] = [
            (GROUPS[group], round(gain, 1), self._treasure_rule(lot) if group == TREASURE else GROUP_RULES[group])
            for group, gain in enumerate(gains)
            if abs(gain) >= 0.05
        ]
        return sorted(reasons, key=lambda reason: -abs(reason[1]))

    @staticmethod
    def _treasure_rule(lot: Sequence[int]) -> str:
        return "ra#gold-1" if GOLD in lot else "ra#gods-score-1"

    def sun_reasons(self, sun: int) -> list[Reason]:
        now, later, final = self.outlook.sun_terms(self.seat, sun)
        terms: list[Reason] = [
            ("sun_now", round(-now, 1), "ra#auction-8"),
            ("sun_later", round(-later, 1), "ra#epochs-5"),
            ("sun_sum", round(-final, 1), "ra#suns-1"),
        ]
        return sorted([term for term in terms if abs(term[1]) >= 0.05], key=lambda term: -abs(term[1]))

    # turns

    def turn(self, legal: Sequence[Action]) -> Choice[Action]:
        state = self.state
        lot = kinds_on_track(state)
        gains = self.gains(lot)
        gross = [sum(groups) for groups in gains]
        order = self.order_after(self.seat)
        is_full = len(lot) == AUCTION_SPACES
        if self.is_alone:
            call = self.take(gross[self.seat], self.outlook.draws_left)
            if is_full:  # the seat may still let all these tiles go
                call = max(call, self.go_on(lot, gains[self.seat]))
        else:
            call = self.open(lot, gross, FULL if is_full else VOLUNTARY, self.seat, order).value(0, 0, NO_SEAT)
        best: Action = CALL
        top = call
        reasons: list[Reason] = [("call", round(call, 1), "ra#ra-2" if is_full else "ra#ra-1"), *self.lot_reasons(lot, gains[self.seat])]
        if DRAW in legal:
            draw = self.go_on(lot, gains[self.seat]) if self.is_alone else self.draw_value(lot, gains, gross, order)
            if draw >= top:
                best, top = DRAW, draw
                reasons = [("draw", round(draw, 1), "ra#draw-1"), ("call", round(call, 1), "ra#ra-1"), self.ra_reason()]
            else:
                reasons.append(("draw", round(draw, 1), "ra#draw-1"))
        if state.tiles[self.seat * N_KINDS + GOD]:
            action, value, taken = self.best_god(lot)
            if action is not None and value > top + 1e-9:
                best = action
                reasons = [("god", round(value, 1), "ra#gods-1"), *self.lot_reasons(action.tiles, taken)]
        return Choice(best, reasons)

    def ra_reason(self) -> Reason:
        rule = "ra#epochs-3" if self.outlook.ra_left == 1 else "ra#draw-2"
        return ("ra_chance", round(100 * self.outlook.p_ra, 1), rule)

    def draw_value(self, lot: Sequence[int], gains: Sequence[Sequence[float]], gross: Sequence[float], order: tuple[int, ...]) -> float:
        """Return what a draw is worth: an auction now for a Ra tile, or a lot with another tile for the others to call.

        Without a Ra tile, the next seat is assumed to call. Nobody is assumed to be forced to bid, since then it would not call.
        """
        outlook = self.outlook
        p_ra = outlook.p_ra
        value = 0.0
        if outlook.ra_left > 1:
            value = p_ra * self.open(lot, gross, RA_TILE, self.seat, order).value(0, 0, NO_SEAT)
        caller = next_in_play(self.state, self.seat)
        after = self.order_after(caller)
        cause = RA_TILE
        rest = 0.0
        for kind, count in enumerate(outlook.unseen):
            if count <= 0:
                continue
            longer = [*lot, kind]
            group = GROUP_OF[kind]
            more = list(gross)
            for seat in self.in_play:
                more[seat] += outlook.gain_of_group(seat, group, longer) - gains[seat][group]
            rest += count * self.open(longer, more, cause, caller, after).value(0, 0, NO_SEAT)
        return value + (1 - p_ra) * rest / outlook.non_ra

    def best_god(self, lot: Sequence[int]) -> tuple[UseGods | None, float, list[float]]:
        """Return the best use of gods with its worth and gains by group: tiles are added as long as that pays."""
        state = self.state
        outlook = self.outlook
        left = list(lot)
        chosen: list[int] = []
        best: tuple[UseGods | None, float, list[float]] = (None, -1e9, [])
        caller = next_in_play(state, self.seat)
        order = self.order_after(caller)
        god = outlook.god_worth(self.seat)
        for _ in range(state.tiles[self.seat * N_KINDS + GOD]):
            options = []
            for kind in sorted({kind for kind in left if kind != GOD}):
                tiles = tuple(sorted([*chosen, kind]))
                groups = outlook.gains(self.seat, tiles)
                options.append((sum(groups), tiles, kind, groups))
            if not options:
                break
            gain, tiles, kind, groups = max(options, key=lambda option: option[0])
            chosen.append(kind)
            left.remove(kind)
            after = self.gains(left)
            if self.is_alone:
                rest = max(self.go_on(left, after[self.seat]), self.take(sum(after[self.seat]), outlook.draws_left))
            else:
                rest = self.open(left, [sum(by_group) for by_group in after], RA_TILE, caller, order).value(0, 0, NO_SEAT)
            value = gain - god * len(tiles) + rest
            if value <= best[1]:
                break
            best = (UseGods(tiles), value, groups)
        return best

    # the last player of an epoch plays on alone (ra#epochs-6): nobody else bids, only the Ra track works against it

    def sun_keeping(self, sun: int) -> float:
        """Return what a sun is worth beyond this epoch, less the one in the centre."""
        _, later, final = self.outlook.sun_terms(self.seat, sun)
        return later + final

    def take(self, gain: float, draws_left: float) -> float:
        """Return the worth of taking a lot of `gain` with the cheapest sun and going on with the other suns."""
        suns = SUNS_IN[self.state.suns_up[self.seat]]
        return gain - min(map(self.sun_keeping, suns)) + self.outlook.rest_alone(len(suns) - 1, draws_left)

    def go_on(self, lot: Sequence[int], gains: Sequence[float]) -> float:
        """Return the worth of leaving `lot` for now: taking it with another tile later, or letting it go if the track is full."""
        outlook = self.outlook
        left = outlook.draws_left
        if len(lot) == AUCTION_SPACES or not outlook.non_ra:
            return outlook.rest_alone(self.state.suns_up[self.seat].bit_count(), left)
        gain = sum(gains)
        more = 0.0
        for kind, count in enumerate(outlook.unseen):
            if count > 0:
                group = GROUP_OF[kind]
                more += count * (outlook.gain_of_group(self.seat, group, [*lot, kind]) - gains[group])
        value = (1 - outlook.p_ra) * self.take(gain + more / outlook.non_ra, max(0.0, left - 1))
        if outlook.ra_left > 1:
            value += outlook.p_ra * self.take(gain, left * (outlook.ra_left - 1) / outlook.ra_left)
        return value

    # disasters

    def discard(self, legal: Sequence[Action]) -> Choice[Action]:
        """Discard the tiles that leave the most worth."""
        state, outlook = self.state, self.outlook
        first, end, _ = legality.discard_due(state)
        base = self.seat * N_KINDS
        group = CIVILIZATION if first == CIV_FIRST else MONUMENTS
        weigh = outlook.civilization if group == CIVILIZATION else outlook.monuments
        best: Action = legal[0]
        top = -1e9
        for action in legal:
            assert isinstance(action, Discard)
            counts = list(state.tiles[base + first : base + end])
            for kind in action.tiles:
                counts[kind - first] -= 1
            value = weigh(self.seat, counts)
            if value > top + 1e-9:
                best, top = action, value
        before = weigh(self.seat, list(state.tiles[base + first : base + end]))
        return Choice(best, ((GROUPS[group], round(top - before, 1), "ra#disasters-4"),))
