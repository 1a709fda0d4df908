"""What a position of Ra is worth to each seat, in expected fame: tiles, suns, and the likely course of an auction.

It uses only what is open on the table. The worth of tiles falls into five independent groups (treasure, pharaohs, river,
civilization, monuments), so another tile on the track changes only one group. A group counts its points now, averaged over
the tiles that the seat may still get in this epoch and in later ones.

Rules: ra#gods-score-1, ra#pharaohs-1, ra#niles-1, ra#civilization-1, ra#gold-1, ra#monuments-1, ra#suns-1, ra#disasters-1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erf, exp, sqrt
from typing import Final

from games.core.contract import NO_SEAT
from games.ra.components import (
    AUCTION_SPACES,
    CIV_END,
    CIV_FIRST,
    CIVILIZATION_FAME,
    COUNTS,
    DROUGHT,
    EARTHQUAKE,
    EPOCH_COUNT,
    FLOOD,
    FUNERAL,
    GOD,
    GOD_FAME,
    GOLD,
    GOLD_FAME,
    LOST_PER_DISASTER,
    MON_END,
    MON_FIRST,
    MONUMENT_KINDS_FAME,
    MONUMENT_SAME_FAME,
    N_KINDS,
    NILE,
    PHARAOH,
    PHARAOHS_FEWEST,
    PHARAOHS_MOST,
    RA,
    RA_TRACK,
    SUN_SETS,
    SUNS_FEWEST,
    SUNS_MOST,
    UNREST,
)
from games.ra.state import BY_RA_TRACK, NO_TILE, SUNS_IN, VOLUNTARY, State

# Groups of tiles.
TREASURE: Final = 0
PHARAOHS: Final = 1
RIVER: Final = 2
CIVILIZATION: Final = 3
MONUMENTS: Final = 4
GROUPS: Final = ("treasure", "pharaohs", "river", "civilization", "monuments")
GROUP_RULES: Final = ("ra#gold-1", "ra#pharaohs-1", "ra#niles-1", "ra#civilization-1", "ra#monuments-1")


def _group_of(kind: int) -> int:
    if kind in (PHARAOH, FUNERAL):
        return PHARAOHS
    if kind in (NILE, FLOOD, DROUGHT):
        return RIVER
    if CIV_FIRST <= kind < CIV_END or kind == UNREST:
        return CIVILIZATION
    if MON_FIRST <= kind < MON_END or kind == EARTHQUAKE:
        return MONUMENTS
    return TREASURE


GROUP_OF: Final = tuple(_group_of(kind) for kind in range(N_KINDS))

TILES_OTHER_THAN_RA: Final = sum(COUNTS) - COUNTS[RA]
N_CIVILIZATIONS: Final = CIV_END - CIV_FIRST
N_MONUMENTS: Final = MON_END - MON_FIRST


@dataclass(frozen=True, slots=True)
class Weights:
    """What the evaluation cannot compute: tuned in matches against the apprentice."""

    tile: float = 2.6  # fame from a tile won later in the epoch
    later_sun: float = 2.5  # how much more the highest sun brings than none in each later epoch
    lot: float = 5.5  # tiles in a large lot
    god: float = 1.5  # what a god is worth beyond its two fame while there is time to use it
    rival: float = 0.6  # a rival's gain counts this much against me, shared among all rivals
    doubt: float = 1.6  # how uncertain the others' bids are, fame
    taken: float = 0.85  # share of the drawn tiles that somebody takes


DEFAULT: Final = Weights()

_MONUMENT_LOSS: Final = (9, 1, 0, 2, 3, 4)  # by count of the kind: what is discarded first

ENOUGH_DRAWS: Final = 12  # with this many tiles still to come, there is time for anything
SPARE: Final = 0.1  # what a second civilization of a kind is worth as a shield against unrest
PHI_STEPS: Final = 4  # table steps for each unit of difference


@lru_cache(maxsize=256)
def _at_least(tenths: int) -> tuple[float, ...]:
    """Return P(X + d >= 0) for d = -16 .. 16 in steps of 1/4, X normal with deviation `tenths` / 10; ties count."""
    if tenths == 0:
        return tuple(1.0 if at >= 16 * PHI_STEPS else 0.0 for at in range(32 * PHI_STEPS + 1))
    scale = 1 / (tenths / 10 * sqrt(2))
    return tuple(0.5 + 0.5 * erf(((at - 16 * PHI_STEPS) / PHI_STEPS + 0.5) * scale) for at in range(32 * PHI_STEPS + 1))


def _most_and_fewest(own: float, others: Sequence[float], tenths: int, most: float, fewest: float) -> float:
    """Return the expected points for the most and the fewest if every difference has the deviation `tenths` / 10."""
    table = _at_least(tenths)
    high = low = same = 1.0
    for other in others:
        at = int((own - other) * PHI_STEPS + 64.5)
        if at < 0:
            at = 0
        elif at > 128:
            at = 128
        not_below = table[at]
        not_above = table[128 - at]
        high *= not_below
        low *= not_above
        both = not_below + not_above - 1
        same *= both if both > 0 else 0
    return most * (high - same) + fewest * (low - same)


@lru_cache(maxsize=4096)
def _civilization(kinds: int, tenths: int) -> float:
    """Return the expected points of `kinds` different kinds if `tenths` / 10 civilization tiles are still to come."""
    return _grown(kinds, N_CIVILIZATIONS, tenths / 10, CIVILIZATION_FAME)


@lru_cache(maxsize=4096)
def _monument_kinds(kinds: int, tenths: int) -> float:
    return _grown(kinds, N_MONUMENTS, tenths / 10, MONUMENT_KINDS_FAME)


def _grown(kinds: int, of: int, mean: float, fame: Sequence[int]) -> float:
    """Return the mean of `fame` over the number of kinds if tiles come at random, each missing kind independently."""
    missing = of - kinds
    come = 1 - exp(-mean / of)
    chances = [1.0] + [0.0] * missing  # by number of new kinds
    for _ in range(missing):
        for n in range(missing, 0, -1):
            chances[n] = chances[n] * (1 - come) + chances[n - 1] * come
        chances[0] *= 1 - come
    return sum([chance * fame[kinds + n] for n, chance in enumerate(chances)])


@lru_cache(maxsize=4096)
def _monument_same(count: int, hundredths: int) -> float:
    """Return the expected points for `count` monuments of one kind if `hundredths` / 100 more of it are still to come."""
    top = len(MONUMENT_SAME_FAME) - 1
    mean = hundredths / 100
    total, chance, left = 0.0, exp(-mean), 1.0
    for n in range(top - count):
        total += chance * MONUMENT_SAME_FAME[count + n]
        left -= chance
        chance *= mean / (n + 1)
    return total + left * MONUMENT_SAME_FAME[top]


class Outlook:
    """One position, weighed for all seats. `state` holds what is open; only the length of its bag counts."""

    __slots__ = (
        "_base",
        "_costs",
        "_lots",
        "_sun_sums",
        "draws_left",
        "epochs_after",
        "me",
        "non_ra",
        "p_ra",
        "ra_left",
        "seats",
        "shift",
        "sigma_later",
        "sigma_now",
        "state",
        "sun_deviation",
        "to_come",
        "to_come_later",
        "unseen",
        "weights",
    )

    def __init__(self, state: State, me: int, weights: Weights = DEFAULT) -> None:
        self.state = state
        self.me = me
        self.weights = weights
        self.seats = range(state.seats)
        self.epochs_after = EPOCH_COUNT - state.epoch
        self._count_unseen()
        self._look_ahead()
        self._base: list[list[float]] = [[self._group(seat, group, ()) for group in range(len(GROUPS))] for seat in self.seats]
        self._costs: dict[int, dict[int, float]] = {}

    # what is still to come

    def _count_unseen(self) -> None:
        """Work out the chances of a Ra tile and of each other kind on the next draw, and the draws left in the epoch.

        What went back to the box is unknown, except how many Ra tiles left with an epoch that ended by the Ra track.
        """
        state = self.state
        unseen = list(COUNTS)
        for at, count in enumerate(state.tiles):
            if count:
                unseen[at % N_KINDS] -= count
        for kind in state.track:
            if kind != NO_TILE:
                unseen[kind] -= 1
        length = RA_TRACK[state.seats]
        gone = 0.0
        for epoch in range(1, state.epoch):
            is_last = epoch == state.epoch - 1
            gone += length if is_last and state.ending == BY_RA_TRACK else length * (0.7 if is_last else 0.9)
        bag = len(state.bag)
        self.ra_left = state.ra_length - state.ra_count
        ra = min(max(COUNTS[RA] - state.ra_count - gone, 0.0), float(bag))
        self.p_ra = ra / bag if bag else 0.0
        unseen[RA] = 0
        self.unseen = unseen
        self.non_ra = sum(unseen) or 1
        # The mean number of other tiles before the Ra tile that ends the epoch.
        self.draws_left = min(self.ra_left * (bag - ra) / (ra + 1), bag - ra)

    def _look_ahead(self) -> None:
        """Share out the tiles to come: by face-up suns in this epoch, evenly in later ones."""
        state, weights = self.state, self.weights
        suns = [mask.bit_count() for mask in state.suns_up]
        total = sum(suns) or 1
        coming = min(self.draws_left, weights.lot * total) * weights.taken
        self.to_come = [min(coming * count / total, AUCTION_SPACES * count) for count in suns]
        length = RA_TRACK[state.seats]
        self.to_come_later = length * TILES_OTHER_THAN_RA / COUNTS[RA] * weights.taken / state.seats
        share = self.unseen[PHARAOH] / self.non_ra
        now = 2 * sum(self.to_come) / state.seats * share
        later = 2 * self.to_come_later * COUNTS[PHARAOH] / TILES_OTHER_THAN_RA
        self.sigma_now = round(10 * sqrt(now))
        self.sigma_later = [round(10 * sqrt(now + later * epoch)) for epoch in range(1, self.epochs_after + 1)]
        exchanges = min(total, self.draws_left / weights.lot + 0.5) / state.seats
        self.sun_deviation = round(10 * sqrt(30 * exchanges + 45 * self.epochs_after))
        self._sun_sums = [float(sum(SUNS_IN[state.suns_up[seat] | state.suns_down[seat]])) for seat in self.seats]

    # tiles

    def _group(self, seat: int, group: int, lot: Sequence[int]) -> float:
        """Return what the tiles of one group are worth to a seat that also takes `lot` and pays its disasters."""
        tiles = self.state.tiles
        base = seat * N_KINDS
        if group == TREASURE:
            gods = tiles[base + GOD] + lot.count(GOD)
            gold = tiles[base + GOLD] + lot.count(GOLD)
            return gods * self.god_worth(seat) + gold * GOLD_FAME
        if group == PHARAOHS:
            count = tiles[base + PHARAOH] + lot.count(PHARAOH) - LOST_PER_DISASTER * lot.count(FUNERAL)
            return self._pharaohs(seat, count if count > 0 else 0)
        if group == RIVER:
            return self._river(seat, lot)
        if group == CIVILIZATION:
            counts = list(tiles[base + CIV_FIRST : base + CIV_END])
            for kind in lot:
                if CIV_FIRST <= kind < CIV_END:
                    counts[kind - CIV_FIRST] += 1
            _pay_civilization(counts, LOST_PER_DISASTER * lot.count(UNREST))
            return self.civilization(seat, counts)
        counts = list(tiles[base + MON_FIRST : base + MON_END])
        for kind in lot:
            if MON_FIRST <= kind < MON_END:
                counts[kind - MON_FIRST] += 1
        _pay_monuments(counts, LOST_PER_DISASTER * lot.count(EARTHQUAKE))
        return self.monuments(seat, counts)

    def god_worth(self, seat: int) -> float:
        """Return what a god is worth: its fame, and its use while there is time for one."""
        use = self.weights.god * min(1.0, self.draws_left / ENOUGH_DRAWS) if self.state.suns_up[seat] else 0.0
        return GOD_FAME + use

    def _pharaohs(self, seat: int, count: float, rival: int = NO_SEAT, rival_count: float = 0.0) -> float:
        """Return the expected points for the most and fewest pharaohs in this epoch and later ones."""
        tiles = self.state.tiles
        share = self.unseen[PHARAOH] / self.non_ra
        others = []
        others_now = []
        for other in self.seats:
            if other != seat:
                owned = rival_count if other == rival else tiles[other * N_KINDS + PHARAOH]
                others.append(owned)
                others_now.append(owned + self.to_come[other] * share)
        own = count + self.to_come[seat] * share
        total = _most_and_fewest(own, others_now, self.sigma_now, PHARAOHS_MOST, PHARAOHS_FEWEST)
        for sigma in self.sigma_later:
            total += _most_and_fewest(count, others, sigma, PHARAOHS_MOST, PHARAOHS_FEWEST)
        return total

    def _river(self, seat: int, lot: Sequence[int]) -> float:
        base = seat * N_KINDS
        niles = self.state.tiles[base + NILE] + lot.count(NILE)
        floods = self.state.tiles[base + FLOOD] + lot.count(FLOOD)
        lost = LOST_PER_DISASTER * lot.count(DROUGHT)
        if lost:  # floods first, ra#disasters-5
            gone = min(lost, floods)
            floods -= gone
            niles = max(0, niles - (lost - gone))
        per_tile = self.to_come[seat] / self.non_ra
        more_niles = per_tile * self.unseen[NILE]
        flood_chance = 1.0 if floods else 1 - exp(-per_tile * self.unseen[FLOOD])
        total = floods + flood_chance * (niles + more_niles)
        if self.epochs_after:
            later = 1 - exp(-self.to_come_later * COUNTS[FLOOD] / TILES_OTHER_THAN_RA)
            total += self.epochs_after * later * niles
        return total

    def civilization(self, seat: int, counts: Sequence[int]) -> float:
        """Return the expected points of civilization tiles, by counts of the kinds, plus a little for spare ones."""
        kinds = N_CIVILIZATIONS - counts.count(0)
        coming = self.to_come[seat] * sum(self.unseen[CIV_FIRST:CIV_END]) / self.non_ra
        spare = (sum(counts) - kinds) * SPARE * min(1.0, self.draws_left / ENOUGH_DRAWS)
        return _civilization(kinds, round(coming * 10)) + spare

    def monuments(self, seat: int, counts: Sequence[int]) -> float:
        """Return the expected points of monuments at the end of the game, by counts of the kinds."""
        share = sum(self.unseen[MON_FIRST:MON_END]) / self.non_ra
        coming = (self.to_come[seat] + self.epochs_after * self.to_come_later) * share
        total = _monument_kinds(N_MONUMENTS - counts.count(0), round(coming * 10))
        hundredths = round(coming * 100 / N_MONUMENTS)
        for count in counts:
            total += _monument_same(count if count < 5 else 5, hundredths)
        return total

    def gains(self, seat: int, lot: Sequence[int]) -> list[float]:
        """Return what a seat gains from taking `lot` and paying its disasters, by group."""
        touched = {GROUP_OF[kind] for kind in lot}
        base = self._base[seat]
        return [self._group(seat, group, lot) - base[group] if group in touched else 0.0 for group in range(len(GROUPS))]

    def worth(self, seat: int, group: int) -> float:
        """Return what a seat's tiles of one group are worth to it now."""
        return self._base[seat][group]

    def gain_of_group(self, seat: int, group: int, lot: Sequence[int]) -> float:
        """Return one group's part of `gains`."""
        return self._group(seat, group, lot) - self._base[seat][group]

    def pharaoh_loss(self, taker: int, lot: Sequence[int]) -> float:
        """Return what my own pharaohs lose when another seat takes `lot`."""
        if PHARAOH not in lot and FUNERAL not in lot:
            return 0.0
        tiles = self.state.tiles
        count = tiles[taker * N_KINDS + PHARAOH] + lot.count(PHARAOH) - LOST_PER_DISASTER * lot.count(FUNERAL)
        own = tiles[self.me * N_KINDS + PHARAOH]
        return self._base[self.me][PHARAOHS] - self._pharaohs(self.me, own, taker, max(0, count))

    # suns

    def sun_costs(self, seat: int) -> dict[int, float]:
        """Return what it costs a seat to win with each of its face-up suns: the sun's further use, less that of the centre sun."""
        known = self._costs.get(seat)
        if known is None:
            known = self._costs[seat] = {sun: sum(self.sun_terms(seat, sun)) for sun in SUNS_IN[self.state.suns_up[seat]]}
        return known

    def costs(self) -> list[dict[int, float]]:
        """Return `sun_costs` of all seats."""
        return [self.sun_costs(seat) for seat in self.seats]

    def sun_terms(self, seat: int, sun: int) -> tuple[float, float, float]:
        """Return the cost of a sun in parts: use in this epoch, use in later epochs, the sum of suns at the end."""
        state, weights = self.state, self.weights
        mine = state.suns_up[seat].bit_count()
        total = sum([mask.bit_count() for mask in state.suns_up])
        centre = state.centre
        lost = self._tiles_for(mine, total) - self._tiles_for(mine - 1, total - 1)
        now = weights.tile * lost
        highest = max(map(max, SUN_SETS[state.seats]))
        later = self.epochs_after * weights.later_sun * (sun - centre) / highest
        sums = self._sun_sums
        rest = [sums[other] for other in self.seats if other != seat]
        before = _most_and_fewest(sums[seat], rest, self.sun_deviation, SUNS_MOST, SUNS_FEWEST)
        after = _most_and_fewest(sums[seat] + centre - sun, rest, self.sun_deviation, SUNS_MOST, SUNS_FEWEST)
        return now, later, before - after

    def sun_finals(self) -> list[float]:
        """Return what each seat may expect from the sum of its suns at the end."""
        sums = self._sun_sums
        finals = []
        for seat in self.seats:
            rest = sums[:seat] + sums[seat + 1 :]
            finals.append(_most_and_fewest(sums[seat], rest, self.sun_deviation, SUNS_MOST, SUNS_FEWEST))
        return finals

    def _tiles_for(self, suns: int, total: int) -> float:
        """Return how many tiles `suns` out of `total` face-up suns may still win in this epoch."""
        if not suns:
            return 0.0
        return min(self.draws_left * self.weights.taken * suns / total, self.weights.lot * suns)

    def rest_alone(self, suns: int, draws_left: float) -> float:
        """Return what the rest of the epoch brings the last player left, with so many suns."""
        return self.weights.tile * min(draws_left * self.weights.taken, self.weights.lot * suns)


class Auction:
    """One auction as a small tree of bids and passes."""

    __slots__ = ("caller", "costs", "doubt", "gross", "is_voluntary", "losses", "me", "order", "rival")

    def __init__(
        self, outlook: Outlook, gross: Sequence[float], losses: Sequence[float], cause: int, caller: int, order: tuple[int, ...]
    ) -> None:
        self.costs = outlook.costs()
        self.gross = gross
        self.losses = losses
        self.is_voluntary = cause == VOLUNTARY
        self.caller = caller
        self.order = order
        self.me = outlook.me
        self.rival = outlook.weights.rival / max(1, len(gross) - 1)
        self.doubt = outlook.weights.doubt

    def value(self, at: int, best: int, best_seat: int) -> float:
        """Return what the auction is worth to me from the `at`-th bidder on, if `best` of `best_seat` leads (0: nobody)."""
        if at == len(self.order):
            if not best:
                return 0.0
            net = self.gross[best_seat] - self.costs[best_seat][best]
            return net if best_seat == self.me else -self.rival * net - self.losses[best_seat]
        seat = self.order[at]
        costs = self.costs[seat]
        must = not best and self.is_voluntary and seat == self.caller
        if seat == self.me:
            top = -1e9 if must else self.value(at + 1, best, best_seat)
            for sun in costs:
                if sun > best:
                    worth = self.value(at + 1, sun, seat)
                    if worth > top:
                        top = worth
            return top
        for bid in costs:
            if bid > best:  # others bid the lowest sun that leads
                break
        else:
            return self.value(at + 1, best, best_seat)
        if must:
            return self.value(at + 1, bid, seat)
        doubt = (self.gross[seat] - costs[bid]) / self.doubt
        if doubt > 3:
            return self.value(at + 1, bid, seat)
        if doubt < -3:
            return self.value(at + 1, best, best_seat)
        chance = 1 / (1 + exp(-doubt))
        return chance * self.value(at + 1, bid, seat) + (1 - chance) * self.value(at + 1, best, best_seat)


def _pay_civilization(counts: list[int], due: int) -> None:
    """Take `due` civilization tiles from the counts in place, spare ones first."""
    for _ in range(min(due, sum(counts))):
        counts[counts.index(max(counts))] -= 1


def _pay_monuments(counts: list[int], due: int) -> None:
    """Take `due` monuments from the counts in place: the second of a kind first, then single ones, sets of three last."""
    for _ in range(min(due, sum(counts))):
        at = min((count for count in counts if count), key=_MONUMENT_LOSS.__getitem__)
        counts[counts.index(at)] -= 1
