"""What the master of History of the World learns from: the end of a turn in numbers, for one seat, from what everybody sees and its own cards.

Most of it is what the map promises each seat: the points of this epoch for those that still have a turn in it, and of the next three
epochs, by the odds that armies are still there (`evaluation`). Rivals are summed up as the best of them and their mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.history_of_the_world.components import (
    CARDS_AN_EPOCH,
    EMPIRES,
    EPOCHS,
    EVENTS,
    REGION_MASKS,
    REGIONS,
    TILES,
    EventCard,
)
from games.history_of_the_world.drafting import COUNTED, EVENT_WORTH
from games.history_of_the_world.evaluation import evenly, is_called, likely, standing_odds, strengths
from games.history_of_the_world.scoring import points_of, turn_record
from games.history_of_the_world.state import NO_CARD, SCORING, State, provinces_in

AHEAD: Final = 3  # epochs to come that are looked at
HAZARD: Final = 1.3  # factor on the odds that an empire takes a province, as for the scribe
FORT: Final = 0.7  # factor on these odds for a fort, as an exponent
TIMES: Final = ("soon", *[f"next_{ahead}" for ahead in range(1, AHEAD + 1)])

_STAGE: Final = (
    *[f"epoch_{epoch}" for epoch in range(2, EPOCHS + 1)],
    *[f"seats_{seats}" for seats in (4, 5, 6)],
    *("uncalled", "rivals_to_act", "rivals_behind", "rivals_close", "armies_of_all"),
)
_EACH: Final = (
    "score",
    *[f"tiles_{time}" for time in TIMES],
    *[f"structures_{time}" for time in TIMES],
    *("standing", "armies", "capitals", "cities", "monuments", "forts", "to_act", "cards"),
)
_OWN: Final = ("lead_best", "lead_mean", "lead_soon_best", "lead_soon_mean", "empire_armies", "empire_order", "improvements", "kingdom")
NAMES: Final = (
    *_STAGE,
    *[f"{whose}_{name}" for whose in ("own", "best", "mean") for name in _EACH],
    *_OWN,
    *[f"own_{region}" for region in REGIONS],
    *[f"rivals_{region}" for region in REGIONS],
)


class Forecast:
    """What maps of a position promise every seat. What doesn't depend on the map is worked out once, and each region of a map once."""

    def __init__(self, state: State, seat: int) -> None:
        self.seat = seat
        self.seats = state.seats
        self.epoch = epoch = state.epoch
        self.to_act = [not is_called(state, other) for other in range(state.seats)]
        uncalled = CARDS_AN_EPOCH - state.called
        waiting = sum(self.to_act)
        acting = HAZARD * min(1.0, waiting / max(1, uncalled))
        usual = HAZARD * state.seats / CARDS_AN_EPOCH
        self.odds = [standing_odds(epoch, state.called, CARDS_AN_EPOCH, evenly(0.5 * acting))]
        passed = standing_odds(epoch, state.called, CARDS_AN_EPOCH, evenly(acting))
        for later in range(epoch + 1, min(EPOCHS, epoch + AHEAD) + 1):
            half = standing_odds(later, 0, CARDS_AN_EPOCH, evenly(0.5 * usual))
            self.odds.append(tuple([a * b for a, b in zip(passed, half, strict=True)]))
            whole = standing_odds(later, 0, CARDS_AN_EPOCH, evenly(usual))
            passed = tuple([a * b for a, b in zip(passed, whole, strict=True)])
        self.forts = [tuple([chance**FORT for chance in odds]) for odds in self.odds]
        self.crowds = [  # newcomers to expect, by time and region
            [0.5 * sum([1 - odds[at] for at in provinces_in(mask)]) if time else 0.0 for mask in REGION_MASKS]
            for time, odds in enumerate(self.odds)
        ]
        empire = state.empires[seat]
        has_turn = self.to_act[seat] and empire != NO_CARD and EMPIRES[empire].epoch == epoch
        realm = EMPIRES[empire] if has_turn else None
        hand = [EVENTS[card] for card in state.hands[seat]]
        self.own_cards = [
            0.0 if realm is None else float(realm.armies),
            0.0 if realm is None else float(realm.order),
            float(sum([_worth_of(card) for card in hand if not card.realm])),
            float(any(card.realm and card.epoch == epoch for card in hand)),
        ]
        self.hands = [len(cards) for cards in state.hands]
        self.stage = [
            *[float(epoch == other) for other in range(2, EPOCHS + 1)],
            *[float(state.seats == other) for other in (4, 5, 6)],
            float(uncalled),
            float(waiting - self.to_act[seat]),
        ]
        self.regions: dict[tuple[int, ...], tuple[tuple[float, ...], tuple[float, ...]]] = {}

    def region(self, region: int, armies: Sequence[int], forts: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the points that a region promises: by time and seat, then how many armies of each seat are likely to stand next time."""
        mask = REGION_MASKS[region]
        key = (region, forts & mask, *[row & mask for row in armies])
        found = self.regions.get(key)
        if found is None:
            found = self.regions[key] = self._region(region, key[2:], key[1])
        return found

    def _region(self, region: int, armies: Sequence[int], forts: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        points: list[float] = []
        standing = (0.0,) * self.seats
        for time, (odds, fort_odds) in enumerate(zip(self.odds, self.forts, strict=True)):
            strong = strengths(armies, forts, odds, fort_odds)
            if time == min(1, len(self.odds) - 1):
                standing = tuple([count for count, _ in strong])
            tile = TILES[self.epoch + time][region]
            crowd = self.crowds[time][region]
            for seat in range(self.seats):
                is_due = armies[seat] and tile is not None and (time or self.to_act[seat])
                points.append(likely(tile, strong, seat, crowd) if is_due and tile is not None else 0.0)
        return tuple(points), standing

    def features(self, state: State) -> list[float]:
        """Return the features of a map of this position whose turn is over but not scored yet, in the order of NAMES."""
        seats, times = self.seats, len(self.odds)
        scores = [float(score) for score in state.scores]
        if state.phase == SCORING:
            scores[state.active] += points_of(turn_record(state)) - state.plunder
        tiles = [0.0] * (seats * times)
        structures = [0.0] * (seats * times)
        standing = [0.0] * seats
        own_standing: list[float] = []
        rivals_standing: list[float] = []
        for region in range(len(REGIONS)):
            points, alive = self.region(region, state.armies, state.forts)
            for at, value in enumerate(points):
                tiles[at] += value
            for other, count in enumerate(alive):
                standing[other] += count
            own_standing.append(alive[self.seat])
            rivals_standing.append(sum(alive) - alive[self.seat])
        built = state.capitals | state.cities | state.monuments
        for seat in range(seats):
            for province in provinces_in(built & state.armies[seat]):
                worth = 2 * (state.capitals >> province & 1) + (state.cities >> province & 1) + (state.monuments >> province & 1)
                odds = self.forts if state.forts >> province & 1 else self.odds
                for time in range(0 if self.to_act[seat] else 1, times):
                    structures[time * seats + seat] += worth * odds[time][province]
        missing = [0.0] * (AHEAD + 1 - times)
        rows = []
        for seat in range(seats):
            own = state.armies[seat]
            rows.append(
                [
                    scores[seat],
                    *[tiles[time * seats + seat] for time in range(times)],
                    *missing,
                    *[structures[time * seats + seat] for time in range(times)],
                    *missing,
                    standing[seat],
                    *[float((own & mask).bit_count()) for mask in (-1, state.capitals, state.cities, state.monuments, state.forts)],
                    float(self.to_act[seat]),
                    float(self.hands[seat]),
                ]
            )
        mine = rows.pop(self.seat)
        soon = [row[0] + row[1] + row[1 + AHEAD + 1] for row in rows]
        here = mine[0] + mine[1] + mine[1 + AHEAD + 1]
        best = rows[soon.index(max(soon))]
        mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        return [
            *self.stage,
            float(sum([each < here for each in soon])),
            float(sum([abs(each - here) <= 5 for each in soon])),
            float(sum([row.bit_count() for row in state.armies])),
            *mine,
            *best,
            *mean,
            mine[0] - max([row[0] for row in rows]),
            mine[0] - mean[0],
            here - max(soon),
            here - sum(soon) / len(soon),
            *self.own_cards,
            *own_standing,
            *rivals_standing,
        ]


def _worth_of(card: EventCard) -> float:
    """Return what an improvement is worth by its kind."""
    return EVENT_WORTH[card.effect] * float(card.params.get("count", 1) if card.effect in COUNTED else 1)


def features(state: State, seat: int) -> list[float]:
    """Return the features of the end of a turn for a seat, in the order of NAMES."""
    return Forecast(state, seat).features(state)
