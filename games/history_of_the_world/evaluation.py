"""What a map is worth to a seat of History of the World, in points (history_of_the_world#score).

There are three groups: the points of this turn; those that the current map is likely to bring in the epochs to come; what the rivals
will get. Nothing is played out: an army survives by the odds that the empires to come pass over its province.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from typing import Final, NamedTuple

from games.history_of_the_world import draft, scoring
from games.history_of_the_world.components import (
    CARDS_AN_EPOCH,
    EMPIRES,
    EMPIRES_BY_EPOCH,
    EPOCHS,
    PROVINCES,
    REGION_MASKS,
    REGIONS,
    TILES,
)
from games.history_of_the_world.passages import PASSAGES
from games.history_of_the_world.state import DRAFT, EMPIRE_PILE, State, provinces_in

RULE: Final = "history_of_the_world#"
GROUPS: Final = ("now", "later", "rivals")
GROUP_RULES: Final = (RULE + "score-1", RULE + "tiles-2", RULE + "score-1")
Terms = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Weights:
    """What cannot be computed; tuned in matches of scribes with different numbers."""

    now: tuple[float, ...] = (0.0, 0.2, 0.5, 0.75, 0.9, 1.0)  # what a point of an epoch is worth at the end: who leads chooses last
    later: tuple[float, ...] = (0.0, 1.3, 1.4, 1.2, 1.1, 0.0)  # the same for a point that the map is likely to bring in the next
    rival: float = 0.2  # weight of the leading rival's points to come, in the last epoch
    field: float = 12.0  # points behind the leading rival at which a rival matters a third as much
    icon: float = 0.3  # share of a monument for an unpaired icon
    hazard: float = 1.3  # factor on the odds that an empire takes a province it can reach
    fort: float = 0.7  # factor on these odds for a fort
    late: float = 2.0  # weight of the points likely to be lost before the seat's own turn
    place: float = 0.7  # weight of choosing an empire earlier
    # conquest
    ahead: float = 0.2  # share of the gain of the best province beyond one, for opening the way to it
    spared: float = 0.75  # share of an army's usual gain, for an army still left
    left: float = 0.15  # worth of an army left over at the end
    # the draft
    draft_now: float = 1.0  # factors on what an empire promises (`drafting`)
    draft_later: float = 0.4
    draft_icons: float = 0.7
    draft_lost: float = 0.3
    draft_army: float = 2.2
    draft_order: float = 0.1
    draft_bonus: float = 1.0
    card_kept: float = 1.0  # share of an improvement's usual worth, by the epochs left, if it is not for the plan at hand
    draft_shares: tuple[float, ...] = (0.0, 0.0, 0.1, 0.3, 0.5, 0.7)  # share of a plan's points, by epoch; in the last all that counts
    draft_event: float = 1.0  # share of what is expected of an event
    draft_events: tuple[float, ...] = ()  # points that each event brings beyond that; none if empty
    held: float = 1.0  # factor on what a card must bring to be played before the last epoch


DEFAULT: Final = Weights()


class Map(NamedTuple):
    """The pieces on the map: armies by seat, structures, forts, the active armies."""

    armies: tuple[int, ...]
    capitals: int
    cities: int
    monuments: int
    forts: int
    active: int


def map_of(state: State) -> Map:
    """Return the pieces on the map of a position."""
    return Map(tuple(state.armies), state.capitals, state.cities, state.monuments, state.forts, state.active_armies)


# Odds that empires pass over a province


@lru_cache(maxsize=4096)
def standing_odds(epoch: int, called: int, until: int, shares: tuple[float, ...]) -> tuple[float, ...]:
    """Return, by province, the odds that its army survives some of an epoch's empires; `shares` are the odds that each empire acts."""
    odds = [1.0] * len(PROVINCES)
    for at in range(called, until):
        for province, taken in PASSAGES[EMPIRES_BY_EPOCH[epoch][at]]:
            odds[province] *= 1 - min(1.0, shares[at] * taken)
    return tuple(odds)


def evenly(share: float) -> tuple[float, ...]:
    """Return the same odds for each empire of an epoch."""
    return (share,) * CARDS_AN_EPOCH


def acting_odds(state: State, seat: int, called: int) -> tuple[float, ...]:
    """Return, by empire of the epoch, the odds that somebody else acts with it; for an imagined turn, `called` differs from now."""
    order = EMPIRES_BY_EPOCH[state.epoch]
    if called == state.called:
        waiting = sum(other != seat and not is_called(state, other) for other in range(state.seats))
        return evenly(min(1.0, waiting / max(1, CARDS_AN_EPOCH - called)))
    others = state.seats - 1
    if state.phase != DRAFT or not seat_sees_empires(state, seat):
        return evenly(others / (CARDS_AN_EPOCH - 1))
    pile = state.pile_empires
    hidden = (state.seats - len(pile)) / (CARDS_AN_EPOCH - len(pile))
    return tuple([1.0 if empire in pile else hidden for empire in order])


def seat_sees_empires(state: State, seat: int) -> bool:
    """Return whether a seat looks at the empires of the draft."""
    return seat in draft.drafters(state) and draft.pile_of(state, seat) == EMPIRE_PILE


class Outlook:
    """What maps are worth to a seat at the end of its turn. Figures that do not depend on the map are worked out once."""

    def __init__(self, state: State, seat: int, called: int | None = None, weights: Weights = DEFAULT) -> None:
        self.seat = seat
        self.weights = weights
        self.epoch = state.epoch
        self.tiles = TILES[state.epoch]
        is_last = state.epoch >= EPOCHS
        self.next_tiles = None if is_last else TILES[state.epoch + 1]
        self.now = weights.now[state.epoch]
        self.later = weights.later[state.epoch]
        called = state.called if called is None else called
        waiting = [other for other in range(state.seats) if other != seat and not is_called(state, other)]
        uncalled = CARDS_AN_EPOCH - called
        is_ahead = called != state.called  # an imagined turn: it is unknown who will have played by then
        self.soon_share = uncalled / (CARDS_AN_EPOCH - 1) if is_ahead else 1.0
        self.acting = tuple([weights.hazard * share for share in acting_odds(state, seat, called)])
        half = evenly(weights.hazard * 0.5 * (state.seats - 1) / CARDS_AN_EPOCH)
        soon = standing_odds(state.epoch, called, CARDS_AN_EPOCH, self.acting)
        following = soon if is_last else standing_odds(state.epoch + 1, 0, CARDS_AN_EPOCH, half)
        self.next_odds = soon if is_last else tuple([a * b for a, b in zip(soon, following, strict=True)])
        self.soon_odds = standing_odds(state.epoch, called, CARDS_AN_EPOCH, tuple([0.5 * share for share in self.acting]))
        self.next_forts = tuple([chance**weights.fort for chance in self.next_odds])
        self.soon_forts = tuple([chance**weights.fort for chance in self.soon_odds])
        self.crowds = tuple([0.5 * sum(1 - self.next_odds[at] for at in provinces_in(mask)) for mask in REGION_MASKS])
        totals = [state.scores[other] + (_projected(state, other) if other in waiting else 0) for other in range(state.seats)]
        ahead = max([totals[other] for other in range(state.seats) if other != seat])
        near = weights.rival * (state.epoch / EPOCHS) ** 2
        self.shares = [near * exp((totals[other] - ahead) / weights.field) if other != seat else 0.0 for other in range(state.seats)]
        self.waiting = waiting
        self.regions: dict[tuple[int, ...], Terms] = {}

    def terms(self, standing: Map) -> Terms:
        """Return the points of the three groups, weighted."""
        now = later = rivals = 0.0
        rows = [self.region(region, standing.armies, standing.forts) for region in range(len(REGIONS))]
        rows += [self.structures(standing, province) for province in provinces_in(standing.capitals | standing.cities | standing.monuments)]
        for a, b, c in rows:
            now, later, rivals = now + a, later + b, rivals + c
        return now, later, rivals

    def waited(self, standing: Map, called: int) -> float:
        """Return what the seat is likely to lose of what it has before its empire's turn, after so many others are called (turn-1)."""
        weights = self.weights
        odds = standing_odds(self.epoch, 0, called - 1, self.acting)
        forts = [each**weights.fort for each in odds]
        own, lost = standing.armies[self.seat], 0.0
        for region, mask in enumerate(REGION_MASKS):
            tile = self.tiles[region]
            if tile is not None and own & mask:
                rows = [row & mask for row in standing.armies]
                lost += _points(tile, rows, self.seat) - likely(tile, strengths(rows, standing.forts, odds, forts), self.seat, 0.0)
        for province in provinces_in(own & (standing.capitals | standing.cities | standing.monuments)):
            lost += self.structures(standing, province)[0] * (1 - odds[province])
        return lost * weights.late

    def value(self, standing: Map) -> float:
        """Return the worth of a map."""
        return self.total(self.terms(standing))

    def total(self, terms: Terms) -> float:
        """Return the sum of the groups; points of early epochs count less, since they cost the choice of the next empire (draft-1)."""
        return self.now * terms[0] + terms[1] + terms[2]

    def region(self, region: int, armies: Sequence[int], forts: int) -> Terms:
        """Return what a region brings."""
        mask = REGION_MASKS[region]
        key = (region, forts & mask, *[row & mask for row in armies])
        found = self.regions.get(key)
        if found is None:
            found = self.regions[key] = self._region(region, key[2:], key[1])
        return found

    def _region(self, region: int, armies: Sequence[int], forts: int) -> Terms:
        tile = self.tiles[region]
        now = later = rivals = 0.0
        if tile is not None:
            now = float(_points(tile, armies, self.seat))
        next_tile = None if self.next_tiles is None else self.next_tiles[region]
        if next_tile is not None:
            strong = strengths(armies, forts, self.next_odds, self.next_forts)
            for seat in range(len(armies)):
                if armies[seat]:
                    points = likely(next_tile, strong, seat, self.crowds[region])
                    if seat == self.seat:
                        later = self.later * points
                    else:
                        rivals -= self.shares[seat] * points
        if tile is not None and self.waiting:
            strong = strengths(armies, forts, self.soon_odds, self.soon_forts)
            for seat in self.waiting:
                if armies[seat]:
                    rivals -= self.soon_share * self.shares[seat] * likely(tile, strong, seat, 0.0)
        return now, later, rivals

    def structures(self, standing: Map, province: int) -> Terms:
        """Return what a province's structures bring its holder."""
        bit = 1 << province
        points = 2 * bool(standing.capitals & bit) + bool(standing.cities & bit) + bool(standing.monuments & bit)
        if not points:
            return 0.0, 0.0, 0.0
        is_fort = standing.forts & bit
        next_odds = (self.next_forts if is_fort else self.next_odds)[province]
        for seat, mask in enumerate(standing.armies):
            if mask & bit:
                if seat == self.seat:
                    return float(points), self.later * next_odds * points, 0.0
                later = next_odds * points if self.later else 0.0
                soon = (
                    (self.soon_forts if is_fort else self.soon_odds)[province] * points * self.soon_share if seat in self.waiting else 0.0
                )
                return 0.0, 0.0, -self.shares[seat] * (later + soon)
        return 0.0, 0.0, 0.0

    def monument(self, province: int) -> float:
        """Return what a monument in one of the seat's provinces brings."""
        return self.now + self.later * self.next_odds[province]


def _projected(state: State, seat: int) -> int:
    return scoring.points_of(scoring.record_of(state, seat))


def is_called(state: State, seat: int) -> bool:
    """Return whether a seat's empire of this epoch has been called."""
    empire = state.empires[seat]
    return empire >= 0 and EMPIRES[empire].order <= state.called and EMPIRES[empire].epoch == state.epoch


def _points(tile: tuple[int, int, int], armies: Sequence[int], seat: int) -> int:
    """Return the points of a tile now (score-1)."""
    own = armies[seat].bit_count()
    if not own:
        return 0
    most = max([mask.bit_count() for other, mask in enumerate(armies) if other != seat])
    if own >= 3 and not most:
        return tile[2]
    return tile[1] if own >= 2 and own > most else tile[0]


def strengths(armies: Sequence[int], forts: int, odds: Sequence[float], fort_odds: Sequence[float]) -> list[tuple[float, float]]:
    """Return, by seat, how many of its armies in a region are likely to survive, and the chance that any does."""
    found = []
    for mask in armies:
        count, none = 0.0, 1.0
        for province in provinces_in(mask):
            chance = fort_odds[province] if forts >> province & 1 else odds[province]
            count += chance
            none *= 1 - chance
        found.append((count, 1 - none))
    return found


def likely(tile: tuple[int, int, int], strengths: Sequence[tuple[float, float]], seat: int, crowd: float) -> float:
    """Return the points that a tile is likely to bring, given the armies likely to survive and the newcomers."""
    own, any_stands = strengths[seat]
    rest = [count for other, (count, _) in enumerate(strengths) if other != seat]
    dominance = max(0.0, min(1.0, own - 1, own - max(*rest, crowd)))
    control = dominance * max(0.0, min(1.0, own - 2)) * max(0.0, 1 - sum(rest) - crowd)
    return tile[0] * any_stands + (tile[1] - tile[0]) * dominance + (tile[2] - tile[1]) * control


def icons_worth(outlook: Outlook, icons: int, ratio: int, extra: int) -> float:
    """Return what monuments for the active armies' icons bring, counting part of one for unpaired icons (monuments-1)."""
    count = icons // ratio + extra
    return (count + outlook.weights.icon * (icons % ratio)) * (outlook.now + 0.5 * outlook.later)
