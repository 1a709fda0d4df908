"""The scribe of Ra: weighs every answer in expected fame, less what the others gain by it (`evaluation`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.choosing import near
from games.core.contract import NO_SEAT, Choice, Rng
from games.ra import legality
from games.ra.actions import CALL, DRAW, PASS, Action, Bid, Discard, UseGods
from games.ra.components import AUCTION_SPACES, CIV_FIRST, DISASTERS, GOD, GOLD, N_KINDS
from games.ra.evaluation import CIVILIZATION, DEFAULT, GROUP_OF, GROUP_RULES, GROUPS, TREASURE, Auction, Outlook, Weights
from games.ra.state import AUCTION, DISCARD, FULL, RA_TILE, SUNS_IN, TURN, VOLUNTARY, State, kinds_on_track, next_in_play

Reason = tuple[str, float, str | None]
Weighed = list[tuple[Action, float]]

LEAST_SAID: Final = 0.3  # fame from which it is mentioned what the others may still do
NEAR: Final = 0.02  # fame by which a move may fall short of the best and still be played


class Scribe:
    """One position, weighed for one seat. Without a generator, ties go to the first action.

    With `draws`, only so many of the tiles that may come next are weighed, evenly spread over all unseen ones. Four of them choose the
    same in 97 % of turns, in half of the time.
    """

    least_said = LEAST_SAID

    def __init__(self, state: State, seat: int, weights: Weights = DEFAULT, draws: int = 0) -> None:
        self.state = state
        self.seat = seat
        self.draws = draws
        self.outlook = Outlook(state, seat, weights)
        self.in_play = [seat for seat in range(state.seats) if state.suns_up[seat]]
        self.is_alone = self.in_play == [seat]
        self.lot = kinds_on_track(state)
        self._gains: list[list[float]] | None = None

    def choose(self, legal: Sequence[Action], rng: Rng | None = None) -> Choice[Action]:
        weighed = self.weigh(legal)
        if rng is None:
            action = max(weighed, key=lambda option: option[1])[0]
        else:
            action = weighed[near([value for _, value in weighed], NEAR, rng)][0]
        ranked = sorted([(option, round(value, 3)) for option, value in weighed], key=lambda option: -option[1])
        return Choice(action, self.reasons(action, weighed), ranked)

    def weigh(self, legal: Sequence[Action]) -> Weighed:
        """Return the actions worth considering, each with its worth."""
        phase = self.state.phase
        if phase == AUCTION:
            return self.weigh_bids(legal)
        if phase == DISCARD:
            return self.weigh_discards(legal)
        assert phase == TURN
        return self.weigh_turn(legal)

    def reasons(self, action: Action, weighed: Weighed) -> list[Reason]:
        """Return the terms that spoke for an action, best first."""
        if isinstance(action, Discard):
            return [("discard", round(dict(weighed)[action], 1), "ra#disasters-4")]
        if self.state.phase == AUCTION:
            return self.auction_reasons(action, dict(weighed))
        return self.turn_reasons(action, dict(weighed))

    def auction_reasons(self, action: Action, worth: dict[Action, float]) -> list[Reason]:
        """Return what bidding and passing are worth, and of what the bid consists: the tiles by group, less the sun, and what others may answer."""
        bids = {option: value for option, value in worth.items() if isinstance(option, Bid)}
        bid = action if isinstance(action, Bid) else max(bids, key=lambda option: bids[option])
        tiles = self.lot_reasons(self.lot, self.gains[self.seat])
        if self.is_alone:
            key = "take" if self.state.suns_up[self.seat].bit_count() > 1 else "take_last"
            found: list[Reason] = [(key, round(bids[bid], 1), "ra#epochs-6")]
            if PASS in worth:
                found.insert(bid == action, ("go_on", round(worth[PASS], 1), "ra#auction-6"))
            return [*found, self.ra_reason(), *tiles]
        found = [("bid" if bid == action else "best_bid", round(bids[bid], 1), "ra#auction-3")]
        if PASS not in worth:
            found.insert(0, ("must_bid", 0.0, "ra#auction-4"))
        else:
            found.insert(bid == action, ("pass", round(worth[PASS], 1), "ra#auction-3"))
        lowest = min(bids, key=lambda option: option.sun)
        is_last = self.order_after(self.state.ra_player)[-1] == self.seat
        if bid == action and lowest.sun < bid.sun:
            found.append(("lower_last" if is_last else "lower", round(bids[lowest], 1), "ra#auction-3"))
        parts = tiles + self.sun_reasons(bid.sun)
        others = bids[bid] - sum(self.gains[self.seat]) + sum(self.outlook.sun_terms(self.seat, bid.sun))
        if not is_last and abs(others) >= self.least_said:
            parts.append(("others", round(others, 1), "ra#auction-3"))
        return found + sorted(parts, key=lambda reason: -abs(reason[1]))

    def turn_reasons(self, action: Action, worth: dict[Action, float]) -> list[Reason]:
        """Return what an action of a turn is worth, what the others are, and what decides about them."""
        draw: list[Reason] = [("draw", round(worth[DRAW], 1), "ra#draw-1")] if DRAW in worth else []
        call: list[Reason] = [("call", round(worth[CALL], 1), "ra#ra-1" if draw else "ra#ra-2")]
        tiles = self.lot_reasons(self.lot, self.gains[self.seat])
        if isinstance(action, UseGods):
            taken = self.lot_reasons(action.tiles, self.outlook.gains(self.seat, action.tiles))
            kept = self.outlook.god_worth(self.seat) * len(action.tiles)
            cost: Reason = ("god_kept", -round(kept, 1), "ra#gods-score-1")
            instead = draw if draw and worth[DRAW] > worth[CALL] else call
            return [("god", round(worth[action], 1), "ra#gods-1"), *instead, *taken[:2], cost]
        if action == DRAW:
            found = [*draw, *call, self.ra_reason()]
            if self.is_alone or not self.lot:
                return found
            sun = min(self.outlook.sun_costs(self.seat).values())
            lot = sum(self.gains[self.seat])
            return [*found, ("lot_now", round(lot, 1), "ra#auction-7"), ("sun_least", -round(sun, 1), "ra#auction-8")]
        if len(self.lot) == AUCTION_SPACES:
            return [("track_full", float(len(self.lot)), "ra#ra-2"), *call, *tiles]
        risk = [self.ra_reason()] if draw and self.outlook.ra_left == 1 else []
        return [*call, *draw, *risk, *tiles]

    # auctions

    @property
    def gains(self) -> list[list[float]]:
        """What each seat in play gains from the lot, by group (zeros for the others)."""
        if self._gains is None:
            self._gains = self.gains_of(self.lot)
        return self._gains

    def gains_of(self, lot: Sequence[int]) -> list[list[float]]:
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

    def auction(self) -> Auction:
        """Return the auction under way, from this seat's successor on."""
        state = self.state
        everybody = self.order_after(state.ra_player)
        order = everybody[everybody.index(self.seat) + 1 :]
        return self.open(self.lot, [sum(groups) for groups in self.gains], state.cause, state.ra_player, order)

    def weigh_bids(self, legal: Sequence[Action]) -> Weighed:
        state = self.state
        if self.is_alone:
            gain = self.gains[self.seat]
            draws_left = self.outlook.draws_left
            worths: Weighed = []
            for action in legal:
                if isinstance(action, Bid):
                    worths.append((action, self.take(sum(gain), draws_left, action.sun)))
                else:
                    worths.append((action, self.go_on(self.lot, gain)))
            return worths
        return self.weigh_answers(self.auction(), legal, state.best_bid, state.best_seat)

    def weigh_answers(self, auction: Auction, legal: Sequence[Action], best: int, best_seat: int) -> Weighed:
        """Return what each answer in an auction is worth if `best` of `best_seat` leads."""
        weighed: Weighed = []
        for action in legal:
            if isinstance(action, Bid):
                weighed.append((action, auction.value(0, action.sun, self.seat)))
            else:
                weighed.append((action, auction.value(0, best, best_seat)))
        return weighed

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

    def weigh_turn(self, legal: Sequence[Action]) -> Weighed:
        state = self.state
        lot, gains = self.lot, self.gains
        gross = [sum(groups) for groups in gains]
        order = self.order_after(self.seat)
        is_full = len(lot) == AUCTION_SPACES
        if self.is_alone:
            call = self.take(gross[self.seat], self.outlook.draws_left)
            if is_full:  # the seat may still let all these tiles go
                call = max(call, self.go_on(lot, gains[self.seat]))
        else:
            call = self.open(lot, gross, FULL if is_full else VOLUNTARY, self.seat, order).value(0, 0, NO_SEAT)
        weighed: Weighed = []
        if DRAW in legal:  # first, because a tie goes to it
            draw = self.go_on(lot, gains[self.seat]) if self.is_alone else self.draw_value(lot, gains, gross, order)
            weighed.append((DRAW, draw))
        weighed.append((CALL, call))
        if state.tiles[self.seat * N_KINDS + GOD]:
            weighed += self.weigh_gods(lot)
        return weighed

    def ra_reason(self) -> Reason:
        """Return the chance in per cent of a Ra tile, which starts an auction or ends the epoch."""
        is_last = self.outlook.ra_left == 1
        return "last_ra" if is_last else "ra_chance", float(round(100 * self.outlook.p_ra)), "ra#epochs-3" if is_last else "ra#draw-2"

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
        tiles = self.state.tiles
        rest = 0.0
        whole = 0
        alike: dict[tuple[int, ...], float] = {}  # kinds of one group that everybody has the same number of are worth the same
        for kind, count in self.next_tiles():
            group = GROUP_OF[kind]
            key = (group, kind if group < CIVILIZATION or kind in DISASTERS else 0, lot.count(kind), *tiles[kind::N_KINDS])
            worth = alike.get(key)
            if worth is None:
                longer = [*lot, kind]
                more = list(gross)
                for seat in self.in_play:
                    more[seat] += outlook.gain_of_group(seat, group, longer) - gains[seat][group]
                worth = alike[key] = self.open(longer, more, cause, caller, after).value(0, 0, NO_SEAT)
            rest += count * worth
            whole += count
        return value + (1 - p_ra) * rest / (whole or 1)

    def next_tiles(self) -> list[tuple[int, int]]:
        """Return the kinds other than Ra that a draw may bring and are weighed, with their weights."""
        kinds = [(kind, count) for kind, count in enumerate(self.outlook.unseen) if count > 0]
        if not self.draws:
            return kinds
        found: list[tuple[int, int]] = []
        total, so_far, step = self.outlook.non_ra, 0, 0
        for kind, count in kinds:
            so_far += count
            weight = 0
            while step < self.draws and (2 * step + 1) * total <= 2 * self.draws * so_far:
                step += 1
                weight += 1
            if weight:
                found.append((kind, weight))
        return found

    def weigh_gods(self, lot: Sequence[int]) -> Weighed:
        """Return uses of gods: the best single tile, then more of them as long as there are gods, each time the tile that brings most."""
        state = self.state
        outlook = self.outlook
        left = list(lot)
        chosen: list[int] = []
        weighed: Weighed = []
        caller = next_in_play(state, self.seat)
        order = self.order_after(caller)
        god = outlook.god_worth(self.seat)
        for _ in range(state.tiles[self.seat * N_KINDS + GOD]):
            options = []
            for kind in sorted({kind for kind in left if kind != GOD}):
                tiles = tuple(sorted([*chosen, kind]))
                options.append((sum(outlook.gains(self.seat, tiles)), tiles, kind))
            if not options:
                break
            gain, tiles, kind = max(options, key=lambda option: option[0])
            chosen.append(kind)
            left.remove(kind)
            after = self.gains_of(left)
            if self.is_alone:
                rest = max(self.go_on(left, after[self.seat]), self.take(sum(after[self.seat]), outlook.draws_left))
            else:
                rest = self.open(left, [sum(by_group) for by_group in after], RA_TILE, caller, order).value(0, 0, NO_SEAT)
            weighed.append((UseGods(tiles), gain - god * len(tiles) + rest))
        return weighed

    # the last player of an epoch plays on alone (ra#epochs-6): nobody else bids, only the Ra track works against it

    def sun_keeping(self, sun: int) -> float:
        """Return what a sun is worth beyond this epoch, less the one in the centre."""
        _, later, final = self.outlook.sun_terms(self.seat, sun)
        return later + final

    def take(self, gain: float, draws_left: float, sun: int | None = None) -> float:
        """Return the worth of taking a lot of `gain` with a sun (None: the cheapest) and going on with the other suns."""
        suns = SUNS_IN[self.state.suns_up[self.seat]]
        keeping = min(map(self.sun_keeping, suns)) if sun is None else self.sun_keeping(sun)
        return gain - keeping + self.outlook.rest_alone(len(suns) - 1, draws_left)

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

    def weigh_discards(self, legal: Sequence[Action]) -> Weighed:
        """Return what each discard costs: what the tiles that stay are worth, less what they were worth before."""
        state, outlook = self.state, self.outlook
        first, end, _ = legality.discard_due(state)
        base = self.seat * N_KINDS
        weigh = outlook.civilization if first == CIV_FIRST else outlook.monuments
        before = weigh(self.seat, list(state.tiles[base + first : base + end]))
        weighed: Weighed = []
        for action in legal:
            assert isinstance(action, Discard)
            counts = list(state.tiles[base + first : base + end])
            for kind in action.tiles:
                counts[kind - first] -= 1
            weighed.append((action, weigh(self.seat, counts) - before))
        return weighed
