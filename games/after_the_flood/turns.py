"""What happens between actions: collecting, decline, whose turn it is, passing, growth, the end of a turn (collect, decline, order, turnend)."""

from __future__ import annotations

from typing import Final

from games.after_the_flood import legality, scoring
from games.after_the_flood.actions import Bid, Grow
from games.after_the_flood.components import (
    AREAS,
    DECLINE_KEPT,
    DECLINE_TURNS,
    DILMUN_PLACE,
    GOODS,
    GRAIN,
    GRAIN_ALL_EQUAL,
    GRAIN_BY_RANK,
    GROWTH_POINTS,
    GROWTH_WOOD,
    IRRIGATION,
    KINDS,
    OTHERS,
    PLACES,
    SCRIBES,
    SEATS,
    SPOTS,
    TEXTILE,
    TEXTILES_BY_RANK,
    TOOL_MAKERS,
    TURNS,
    UR,
    USED_SCRIBES,
    USED_TOOL_MAKERS,
    WEAVING,
    WOOD,
    WORKERS_A_TURN,
    YEARS,
)
from games.after_the_flood.state import (
    ACTION,
    BIDDING,
    CLOSING,
    END,
    GROWING,
    NO_EMPIRE,
    PAYING,
    SCORING,
    State,
    begin_action,
    value_of,
)
from games.core.contract import NO_SEAT, Event

RULE: Final = "after_the_flood#"
Events = list[Event] | None
ALL_PASSED: Final = (1 << SEATS) - 1


def spend(state: State, seat: int, good: int) -> None:
    """Return a seat's good to the stock."""
    state.goods[seat * KINDS + good] -= 1
    state.stock[good] += 1


def gain(state: State, seat: int, good: int, count: int = 1) -> None:
    """Give a seat goods from the stock."""
    state.goods[seat * KINDS + good] += count
    state.stock[good] -= count


# Phases 1 and 2


def begin_turn(state: State, events: Events) -> None:
    """Start the next turn: collect, decline, then the first action (turn-2)."""
    state.turn += 1
    if events is not None:
        events.append(Event("turn_began", {"n": state.turn, "year": YEARS[state.turn - 1]}, RULE + "turn-1"))
    grain = harvest(state, IRRIGATION)
    textiles = harvest(state, WEAVING)
    for seat in range(SEATS):
        _collect(state, seat, grain[seat], textiles[seat], events)
    if state.turn in DECLINE_TURNS:
        _decline(state, events)
    state.active = state.order[0]
    state.phase = ACTION
    begin_action(state)


def harvest(state: State, box: int) -> list[int]:
    """Return what each seat gets from a box, by the rank of its workers there (collect-1 .. collect-4)."""
    counts = [state.workers[seat * SPOTS + box] for seat in range(SEATS)]
    ranks = sorted(set(counts), reverse=True)
    if len(ranks) == 1 and box == IRRIGATION:
        return [GRAIN_ALL_EQUAL if count else 0 for count in counts]
    table = GRAIN_BY_RANK if box == IRRIGATION else TEXTILES_BY_RANK
    return [table[ranks.index(count)] if count else 0 for count in counts]


def _collect(state: State, seat: int, grain: int, textiles: int, events: Events) -> None:
    workers = state.workers
    at = seat * SPOTS
    if state.cities[seat] >> UR & 1 and (workers[at + WEAVING] or not state.is_weaver_needed):
        textiles += 1  # collect-5
    gain(state, seat, GRAIN, grain)
    gain(state, seat, TEXTILE, textiles)
    count = min(WORKERS_A_TURN, state.reserve[seat])
    state.reserve[seat] -= count
    state.workers_available[seat] += count
    workers[at + SCRIBES] += workers[at + USED_SCRIBES]
    workers[at + TOOL_MAKERS] += workers[at + USED_TOOL_MAKERS]
    workers[at + USED_SCRIBES] = workers[at + USED_TOOL_MAKERS] = 0
    if events is not None:
        goods = [GOODS[GRAIN]] * grain + [GOODS[TEXTILE]] * textiles
        events.append(Event("collected" if goods else "collected_nothing", {"seat": seat, "goods": goods, "n": count}, RULE + "collect-1"))


def decline_of(state: State, seat: int) -> dict[int, int]:
    """Return how many workers a seat loses at a decline, by place (decline-2 .. decline-5)."""
    workers = state.workers
    at = seat * SPOTS
    lost = {place: min(1, workers[at + place]) for place in range(len(OTHERS))}
    lost[DILMUN_PLACE] = workers[at + DILMUN_PLACE]
    for box in (IRRIGATION, WEAVING):
        most = max(workers[other * SPOTS + box] for other in range(SEATS))
        lost[box] = min(max(0, most - DECLINE_KEPT), workers[at + box])
    for unused, used in ((SCRIBES, USED_SCRIBES), (TOOL_MAKERS, USED_TOOL_MAKERS)):
        lost[unused] = min(1, workers[at + unused] + workers[at + used])
    return {place: count for place, count in lost.items() if count}


def _decline(state: State, events: Events) -> None:
    losses = [decline_of(state, seat) for seat in range(SEATS)]
    for seat, lost in enumerate(losses):
        for place, count in lost.items():
            state.workers[seat * SPOTS + place] -= count
        total = sum(lost.values())
        state.reserve[seat] += total
        if events is not None:
            places = [PLACES[place] for place, count in lost.items() for _ in range(count)]
            events.append(
                Event("declined" if total else "declined_nothing", {"seat": seat, "n": total, "places": places}, RULE + "decline-1")
            )


# Phase 3


def end_action(state: State, events: Events) -> None:
    """Pass play to the next seat that has not passed; when all have, set the next order of play (act-1)."""
    if state.passed == ALL_PASSED:
        _set_order(state, events)
        return
    order = state.order
    at = order.index(state.active)
    for step in range(1, SEATS + 1):
        seat = order[(at + step) % SEATS]
        if not state.passed >> seat & 1:
            break
    state.active = seat
    begin_action(state)
    state.phase = PAYING if state.passed else ACTION


def begin_pass(state: State, events: Events) -> None:
    """Pass: the seat does not act again this turn, but may bid (pass-1, pass-2)."""
    seat = state.active
    state.passed |= 1 << seat
    if events is not None:
        events.append(Event("passed", {"seat": seat}, RULE + "pass-1"))
    state.phase = BIDDING
    _see_whether_bids_are_over(state, events)


def bid(state: State, action: Bid, events: Events) -> None:
    """Put a good in the passing box (pass-2)."""
    at = state.active * KINDS + action.good
    state.goods[at] -= 1
    state.bids[at] += 1
    if events is not None:
        params = {"seat": state.active, "good": GOODS[action.good], "n": value_of(state.bids, state.active)}
        events.append(Event("bid", params, RULE + "pass-2"))
    _see_whether_bids_are_over(state, events)


def _see_whether_bids_are_over(state: State, events: Events) -> None:
    at = state.active * KINDS
    if not any(state.goods[at : at + KINDS]):
        end_action(state, events)


# Phases 4 and 5


def _set_order(state: State, events: Events) -> None:
    """Set the next turn's order of play by the bids, then let cities grow (order-1 .. order-3, points-3)."""
    bids = [value_of(state.bids, seat) for seat in range(SEATS)]
    state.order = tuple(sorted(state.order, key=lambda seat: -bids[seat]))
    if events is not None:
        first, second, third = state.order
        events.append(Event("order_set", {"seat": first, "second": second, "third": third, "n": bids[first]}, RULE + "order-1"))
    state.active = NO_SEAT
    next_grower(state)


def next_grower(state: State) -> None:
    """Ask the next seat whose cities can grow; after the last, the scorer is due for the turn's points (points-3)."""
    order = state.order
    start = order.index(state.active) + 1 if state.active != NO_SEAT else 0
    for seat in order[start:]:
        if legality.growable(state, seat):
            state.active = seat
            state.phase = GROWING
            begin_action(state)
            return
    state.active = NO_SEAT
    state.phase = SCORING
    begin_action(state)


def grow(state: State, action: Grow, events: Events) -> None:
    """Grow a city: two wood and luxuries go to the stock, the growth marker remains (growth-1 .. growth-3)."""
    seat = state.active
    at = seat * KINDS
    state.goods[at + WOOD] -= GROWTH_WOOD
    state.stock[WOOD] += GROWTH_WOOD
    for good in action.luxuries:
        spend(state, seat, good)
    state.grown |= 1 << action.area
    state.growths.append((seat, action.area, action.luxuries))
    if events is not None:
        goods = [GOODS[WOOD]] * GROWTH_WOOD + [GOODS[good] for good in action.luxuries]
        params = {"seat": seat, "area": AREAS[action.area], "goods": goods, "points": GROWTH_POINTS[len(action.luxuries)]}
        events.append(Event("grew", params, RULE + "growth-1"))
    if not legality.growable(state, seat):
        next_grower(state)


def score_turn(state: State, events: Events) -> None:
    """Record the turn's points, then end it (points-1 .. points-3)."""
    for seat in range(SEATS):
        record = scoring.turn_points(state, seat)
        state.records.append(record)
        points = scoring.points_of(record)
        state.scores[seat] += points
        if events is not None:
            areas, _, grown = record
            params = {"seat": seat, "points": points, "n": areas, "cities": len(grown), "score": state.scores[seat]}
            events.append(Event("scored", params, RULE + "points-1"))
    if state.turn == TURNS:
        state.phase = CLOSING
        return
    end_turn(state)
    begin_turn(state, events)


def end_turn(state: State) -> None:
    """Clear the map of armies; unplaced pieces go to the reserve, bids and equipment to the stock (turnend-1 .. turnend-3)."""
    for seat in range(SEATS):
        state.reserve[seat] += state.workers_available[seat]
        state.workers_available[seat] = 0
        state.armies_reserve[seat] = sum_of_armies(state, seat)
        state.armies_available[seat] = 0
        state.armies[seat] = 0
        state.empires[seat] = NO_EMPIRE
    state.doubles = 0
    for at in range(SEATS * KINDS):
        state.stock[at % KINDS] += state.equipment[at] + state.bids[at]
    state.equipment = bytearray(SEATS * KINDS)
    state.bids = bytearray(SEATS * KINDS)
    state.ranking = ()
    state.passed = 0
    state.growths = []


def sum_of_armies(state: State, seat: int) -> int:
    """Return all of a seat's armies: on the map, available and in the reserve."""
    own = state.armies[seat]
    return own.bit_count() + (own & state.doubles).bit_count() + state.armies_available[seat] + state.armies_reserve[seat]


def close(state: State, events: Events) -> None:
    """Score the majorities and end the game (end-1 .. end-4)."""
    for place, seat, points in scoring.majorities(state):
        state.scores[seat] += points
        if events is not None:
            params = {"seat": seat, "place": PLACES[place], "points": points, "score": state.scores[seat]}
            events.append(Event("majority", params, RULE + "end-2"))
    state.phase = END
    if events is not None:
        outcome = scoring.outcome(state)
        assert outcome is not None
        winner = outcome.places.index(1)
        key = "game_ended" if outcome.reason == "points" else "game_ended_by_order"
        events.append(
            Event(
                key,
                {"seat": winner, "n": outcome.scores[winner]},
                RULE + ("end-1" if outcome.reason == "points" else "end-4"),
                reveals=True,
            )
        )
