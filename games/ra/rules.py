"""The rules of Ra as changes of a State: turns, auctions, disasters, gods, epochs (ra#turn .. ra#epochs).

`apply` is check, copy, step. `step` changes a state in place and trusts its caller; the playout loop uses it without
events. A step's work is in the small functions below, one for each kind of action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.core.contract import CHANCE, NO_SEAT, SCORER, Event, Rng
from games.core.forms import Forms
from games.core.options import checked
from games.core.rng import shuffled
from games.ra import legality, scoring
from games.ra.actions import (
    BIDS,
    CALL,
    DRAW,
    DRAWN,
    PASS,
    SCORE,
    Action,
    Bid,
    Call,
    Deal,
    Discard,
    Draw,
    DrawnTile,
    Pass,
    Score,
    UseGods,
    parse_action,
)
from games.ra.components import (
    AUCTION_SPACES,
    CIV_END,
    CIV_FIRST,
    DISASTERS,
    DROUGHT,
    EARTHQUAKE,
    EPOCH_COUNT,
    FAME_FLOOR,
    FLOOD,
    FUNERAL,
    GOD,
    KINDS,
    LEAVE_AFTER_EPOCH,
    LOST_PER_DISASTER,
    MON_END,
    MON_FIRST,
    N_KINDS,
    NILE,
    PHARAOH,
    RA,
    SUN_SETS,
    UNREST,
)
from games.ra.meta import META
from games.ra.state import (
    AUCTION,
    BY_RA_TRACK,
    BY_SUNS,
    DEAL,
    DISCARD,
    DRAWING,
    END,
    FULL,
    NO_BID,
    NO_TILE,
    RA_TILE,
    SCORING,
    SUNS_IN,
    TURN,
    VOLUNTARY,
    Scored,
    State,
    first_state,
    kinds_on_track,
    mask_of,
    next_in_play,
    owner_of_highest_sun,
    tiles_of,
    track_count,
)

Events = list[Event] | None  # None on the fast path, which tells nothing

_NOBODY: Final = ()


# Positions and who is due


def setup(seats: int, options: Mapping[str, Any]) -> State:
    """Return the first position: CHANCE deals the sun sets next (ra#setup-5). Raises SetupError."""
    return first_state(seats, checked(META, seats, options)["open_fame"])


def actors(state: State) -> tuple[int, ...]:
    """Return who is due: one seat, CHANCE, SCORER, or nobody at the end."""
    phase = state.phase
    if phase <= DISCARD:
        return (state.due,)
    if phase in (DRAWING, DEAL):
        return (CHANCE,)
    return (SCORER,) if phase == SCORING else _NOBODY


def legal_actions(state: State, actor: int) -> list[Action]:
    """Return every legal action of a due seat or the scorer, in a fixed order; [] for any other actor."""
    return legality.legal_actions(state, actor)


FORMS: Final = Forms(parse_action, "ra#turn-2")


def apply(state: State, actor: int, action: Action) -> tuple[State, list[Event]]:
    """Return the position after `action` and what happened. Raises IllegalAction; never changes `state`."""
    action = FORMS[action]
    legality.check(state, actor, action)
    new = state.copy()
    events: list[Event] = []
    step(new, action, events)
    return new, events


# Chance


def sample_chance(state: State, rng: Rng) -> Action:
    """Return the chance outcome that is due: a deal of the sun sets, or a tile from the bag."""
    if state.phase == DEAL:
        return Deal(tuple(shuffled(state.seats, rng, "setup")))
    bag = state.bag
    return DRAWN[bag[rng.below(len(bag), "bag")]]


# The fast path. It repeats what `legality` says of drawing and bidding: calls would slow random play by 5 %.


def sample_action(state: State, actor: int, rng: Rng) -> Action:
    """Return a legal action of the due actor without building the list; each one has a positive chance.

    Draw, call and gods are equally likely; so are all bids and the pass.
    """
    phase = state.phase
    if phase <= DISCARD:
        return _SAMPLERS[phase](state, rng)
    if phase == SCORING:
        return SCORE
    raise ValueError(f"{actor} is not due")


def _sample_turn(state: State, rng: Rng) -> Action:
    can_draw = len(state.track) - state.gaps != AUCTION_SPACES and state.bag  # `legality.can_draw`
    gods = state.tiles[state.due * N_KINDS + GOD]
    if gods:
        takeable = legality.takeable(state)
        if takeable:
            at = rng.below(3 if can_draw else 2, "play")
            if at == 0:
                return _sample_gods(takeable, gods, rng)
            return CALL if at == 1 else DRAW
    return DRAW if can_draw and rng.below(2, "play") else CALL


def _sample_answer(state: State, rng: Rng) -> Action:
    # `legality.answers`
    best = state.best_bid
    suns = SUNS_IN[state.suns_up[state.due] >> best << best if best else state.suns_up[state.due]]
    n = len(suns)
    if best or state.cause != VOLUNTARY or state.due != state.ra_player:
        if not n:
            return PASS
        n += 1
    at = rng.below(n, "play")
    return BIDS[suns[at]] if at < len(suns) else PASS


def _sample_gods(takeable: list[int], gods: int, rng: Rng) -> Action:
    tiles = takeable[:]
    count = 1 + rng.below(min(gods, len(tiles)), "play")
    for at in range(count):
        other = at + rng.below(len(tiles) - at, "play")
        tiles[at], tiles[other] = tiles[other], tiles[at]
    return UseGods(tuple(sorted(tiles[:count])))


def _sample_discard(state: State, rng: Rng) -> Action:
    first, end, count = legality.discard_due(state)
    base = state.due * N_KINDS
    owned = [kind for kind in range(first, end) for _ in range(state.tiles[base + kind])]
    for at in range(count):
        other = at + rng.below(len(owned) - at, "play")
        owned[at], owned[other] = owned[other], owned[at]
    return Discard(tuple(sorted(owned[:count])))


_SAMPLERS: Final[tuple[Callable[[State, Rng], Action], ...]] = (_sample_turn, _sample_answer, _sample_discard)  # TURN, AUCTION, DISCARD


def playout_moves(state: State, rng: Rng) -> int:
    """Play `state` in place to its end by `sample_action` and `step`; return the number of moves by seats."""
    moves = 0
    below = rng.below
    while True:
        phase = state.phase
        if phase <= DISCARD:
            action = _SAMPLERS[phase](state, rng)
            STEPS[type(action)](state, action, None)
            moves += 1
        elif phase == DRAWING:
            bag = state.bag
            _place(state, DRAWN[bag[below(len(bag), "bag")]], None)
        elif phase == SCORING:
            _score(state, SCORE, None)
        elif phase == DEAL:
            step(state, sample_chance(state, rng), None)
        else:
            return moves


# Steps. Each changes the state in place and tells what happened if `events` is a list.


def step(state: State, action: Action, events: Events) -> None:
    """Carry out a legal action in place."""
    STEPS[type(action)](state, action, events)


def _deal(state: State, action: Deal, events: Events) -> None:
    sets = SUN_SETS[state.seats]
    for seat, number in enumerate(action.sets):
        state.suns_up[seat] = mask_of(sets[number])
        if events is not None:
            events.append(Event("dealt", {"seat": seat, "suns": _sun_list(state.suns_up[seat])}, "ra#setup-5", reveals=True))
    _start_epoch(state, events, "ra#turn-1")


def _start_epoch(state: State, events: Events, rule: str) -> None:
    state.phase = TURN
    state.ra_player = NO_SEAT
    state.due = owner_of_highest_sun(state)
    if events is not None:
        sun = state.suns_up[state.due].bit_length() - 1
        events.append(Event("epoch_began", {"epoch": f"epoch_{state.epoch}", "seat": state.due, "sun": sun}, rule))


def _draw(state: State, action: Draw, events: Events) -> None:
    state.phase = DRAWING
    if events is not None:
        events.append(Event("draws", {"seat": state.due}, "ra#draw-1"))


def _place(state: State, action: DrawnTile, events: Events) -> None:
    kind = action.kind
    seat = state.due
    state.bag.remove(kind)
    if kind != RA:
        if state.gaps:  # ra#gods-4
            state.track[state.track.index(NO_TILE)] = kind
            state.gaps -= 1
        else:
            state.track.append(kind)
        state.phase = TURN
        state.due = next_in_play(state, seat)
        if events is not None:
            events.append(Event("drew", {"seat": seat, "tile": KINDS[kind]}, "ra#draw-1", reveals=True))
        return
    state.ra_count += 1
    if events is not None:
        params = {"seat": seat, "tile": KINDS[RA], "n": state.ra_count, "of": state.ra_length}
        events.append(Event("drew_ra", params, "ra#draw-2", reveals=True))
    if state.ra_count == state.ra_length:
        _end_epoch(state, BY_RA_TRACK, events)
    else:
        _open_auction(state, RA_TILE)


def _call(state: State, action: Call, events: Events) -> None:
    cause = FULL if legality.is_track_full(state) else VOLUNTARY
    if events is not None:
        count = track_count(state)
        if cause == FULL and state.tiles[state.due * N_KINDS + GOD] and legality.takeable(state):
            events.append(Event("called", {"seat": state.due, "n": count}, "ra#ra-2"))  # a god was kept
        elif cause == FULL:
            events.append(Event("called_full", {"seat": state.due, "n": count}, "ra#ra-2"))
        elif count:
            events.append(Event("called", {"seat": state.due, "n": count}, "ra#ra-1"))
        else:
            events.append(Event("called_empty", {"seat": state.due, "sun": state.centre}, "ra#ra-3"))
    _open_auction(state, cause)


def _open_auction(state: State, cause: int) -> None:
    """Make the due seat the Ra player; bidding starts on its left (ra#auction-1)."""
    state.phase = AUCTION
    state.cause = cause
    state.auction_no += 1
    state.ra_player = seat = state.due
    state.due = next_in_play(state, seat)


def _bid(state: State, action: Bid, events: Events) -> None:
    seat = state.due
    state.bids[seat] = state.best_bid = action.sun
    state.best_seat = seat
    if events is not None:
        events.append(Event("bid", {"seat": seat, "sun": action.sun}, "ra#auction-3"))
    if seat == state.ra_player:
        _close_auction(state, events)
    else:
        state.due = next_in_play(state, seat)


def _pass(state: State, action: Pass, events: Events) -> None:
    seat = state.due
    state.bids[seat] = 0
    if events is not None:
        events.append(Event("passed", {"seat": seat}, "ra#auction-3"))
    if seat == state.ra_player:
        _close_auction(state, events)
    else:
        state.due = next_in_play(state, seat)


def _close_auction(state: State, events: Events) -> None:
    """Give the winner the tiles and the sun, or deal with the tiles if nobody bid (ra#auction-5 .. ra#auction-9)."""
    sun = state.best_bid
    if not sun:
        if state.cause == FULL:
            if events is not None:
                events.append(Event("nobody_bid_dropped", {"tiles": _names(kinds_on_track(state))}, "ra#auction-5"))
            state.track.clear()
        elif events is not None:
            rule = "ra#auction-6"
            if state.track:
                events.append(Event("nobody_bid_stay", {"n": track_count(state)}, rule))
            else:
                events.append(Event("nobody_bid", {}, rule))
        _finish_auction(state, events)
        return
    seat = state.best_seat
    base = seat * N_KINDS
    tiles = state.tiles
    if events is not None:
        params = {"seat": seat, "sun": sun, "centre": state.centre}
        if state.track:
            events.append(Event("won", params | {"tiles": _names(kinds_on_track(state))}, "ra#auction-7"))
        else:
            events.append(Event("won_sun", params, "ra#auction-8"))
    if state.gaps:
        for kind in state.track:
            if kind != NO_TILE:
                tiles[base + kind] += 1
        state.gaps = 0
    else:
        for kind in state.track:
            tiles[base + kind] += 1
    state.track.clear()
    state.suns_up[seat] ^= 1 << sun
    state.suns_down[seat] |= 1 << state.centre
    state.centre = sun
    if events is not None and not state.suns_up[seat]:
        events.append(Event("out", {"seat": seat}, "ra#epochs-1"))
    if tiles[base + FUNERAL] or tiles[base + DROUGHT] or tiles[base + UNREST] or tiles[base + EARTHQUAKE]:
        _strike(state, seat, events)
        if state.lose_civilization or state.lose_monuments:
            state.phase = DISCARD
            state.due = seat
            return
    _finish_auction(state, events)


def _finish_auction(state: State, events: Events) -> None:
    """Clear the bids; the turn passes to the left of the Ra player (ra#auction-10), or the epoch ends (ra#epochs-2)."""
    state.bids = [NO_BID] * state.seats
    state.best_bid = 0
    state.best_seat = NO_SEAT
    if any(state.suns_up):
        state.phase = TURN
        state.due = next_in_play(state, state.ra_player)
    else:
        _end_epoch(state, BY_SUNS, events)


def _use_gods(state: State, action: UseGods, events: Events) -> None:
    seat = state.due
    base = seat * N_KINDS
    tiles = state.tiles
    track = state.track
    tiles[base + GOD] -= len(action.tiles)
    for kind in action.tiles:
        track[track.index(kind)] = NO_TILE
        tiles[base + kind] += 1
    state.gaps += len(action.tiles)
    while track and track[-1] == NO_TILE:
        track.pop()
        state.gaps -= 1
    if events is not None:
        params = {"seat": seat, "n": len(action.tiles), "tiles": _names(action.tiles)}
        events.append(Event("used_gods", params, "ra#gods-1" if len(action.tiles) == 1 else "ra#gods-3"))
    if not DISASTERS.isdisjoint(action.tiles):  # ra#gods-7
        _strike(state, seat, events)
        if state.lose_civilization or state.lose_monuments:
            state.phase = DISCARD
            return
    state.due = next_in_play(state, seat)


def _strike(state: State, seat: int, events: Events) -> None:
    """Resolve the disasters just taken; anything that needs a choice is left in `lose_civilization` and `lose_monuments`.

    Rules: ra#disasters-1 .. ra#disasters-7
    """
    tiles = state.tiles
    base = seat * N_KINDS
    if tiles[base + FUNERAL]:
        due = LOST_PER_DISASTER * tiles[base + FUNERAL]
        _lose(state, seat, FUNERAL, [(PHARAOH, min(due, tiles[base + PHARAOH]))], events)
    if tiles[base + DROUGHT]:  # floods first, then Niles: ra#disasters-5
        due = LOST_PER_DISASTER * tiles[base + DROUGHT]
        floods = min(due, tiles[base + FLOOD])
        _lose(state, seat, DROUGHT, [(NILE, min(due - floods, tiles[base + NILE])), (FLOOD, floods)], events)
    if tiles[base + UNREST]:
        state.lose_civilization = _strike_family(state, seat, UNREST, CIV_FIRST, CIV_END, events)
    if tiles[base + EARTHQUAKE]:
        state.lose_monuments = _strike_family(state, seat, EARTHQUAKE, MON_FIRST, MON_END, events)


def _strike_family(state: State, seat: int, disaster: int, first: int, end: int, events: Events) -> int:
    """Take all tiles of the family if there are no more than due; otherwise return how many the seat must choose."""
    tiles = state.tiles
    base = seat * N_KINDS
    due = LOST_PER_DISASTER * tiles[base + disaster]
    owned = sum(tiles[base + first : base + end])
    if owned <= due:
        _lose(state, seat, disaster, [(kind, tiles[base + kind]) for kind in range(first, end)], events)
        return 0
    tiles[base + disaster] = 0
    if events is not None:
        params = {"seat": seat, "disaster": KINDS[disaster], "n": due}
        events.append(Event("must_discard", params, "ra#disasters-4"))
    return due


def _lose(state: State, seat: int, disaster: int, lost: list[tuple[int, int]], events: Events) -> None:
    tiles = state.tiles
    base = seat * N_KINDS
    tiles[base + disaster] = 0  # the disaster leaves too, ra#disasters-7
    for kind, count in lost:
        tiles[base + kind] -= count
    if events is not None:
        names = _names([kind for kind, count in lost for _ in range(count)])
        params = {"seat": seat, "disaster": KINDS[disaster]}
        if names:
            rule = "ra#disasters-5" if disaster == DROUGHT else "ra#disasters-2"
            events.append(Event("lost_tiles", params | {"tiles": names}, rule))
        else:
            events.append(Event("lost_nothing", params, "ra#disasters-2"))


def _discard(state: State, action: Discard, events: Events) -> None:
    seat = state.due
    base = seat * N_KINDS
    for kind in action.tiles:
        state.tiles[base + kind] -= 1
    if events is not None:
        events.append(Event("discarded", {"seat": seat, "tiles": _names(action.tiles)}, "ra#disasters-4"))
    if state.lose_civilization:
        state.lose_civilization = 0
        if state.lose_monuments:
            return
    state.lose_monuments = 0
    if state.best_bid:
        _finish_auction(state, events)
    else:  # taken with a god
        state.phase = TURN
        state.due = next_in_play(state, seat)


def _end_epoch(state: State, ending: int, events: Events) -> None:
    """Clear both tracks; the centre sun stays (ra#epochs-4). The scorer is due."""
    if events is not None:
        epoch = f"epoch_{state.epoch}"
        if ending == BY_SUNS:
            events.append(Event("epoch_ended_by_suns", {"epoch": epoch}, "ra#epochs-2"))
        else:
            events.append(Event("epoch_ended_by_ra", {"epoch": epoch}, "ra#epochs-3"))
        if state.track:
            events.append(Event("track_cleared", {"tiles": _names(kinds_on_track(state))}, "ra#epochs-4"))
    state.track.clear()
    state.gaps = 0
    state.ra_count = 0
    state.ending = ending
    state.phase = SCORING
    state.due = NO_SEAT


def _score(state: State, action: Score, events: Events) -> None:
    """Add and subtract the epoch's fame, clear what does not stay, and start the next epoch or end the game (ra#score-1)."""
    seats = range(state.seats)
    is_final = state.epoch == EPOCH_COUNT
    before = tuple(state.fame)
    gains = scoring.epoch_gains(state)
    state.history += (Scored(state.epoch, before, tuple([tiles_of(state, seat) for seat in seats])),)
    for seat in seats:
        fame = before[seat] + gains[seat]
        state.fame[seat] = fame if fame > FAME_FLOOR else FAME_FLOOR
    if events is not None:
        _tell_scores(state, before, is_open=is_final or state.open_fame, events=events)
    tiles = state.tiles
    for base in range(0, len(tiles), N_KINDS):
        for kind in LEAVE_AFTER_EPOCH:
            tiles[base + kind] = 0
    if is_final:
        state.phase = END
        if events is not None:
            outcome = scoring.outcome(state)
            assert outcome is not None
            winner = outcome.places.index(1)
            params = {"seat": winner, "fame": state.fame[winner]}
            if outcome.reason.endswith("_tie"):
                sun = scoring.highest_sun(state, winner)
                events.append(Event("game_ended_tie", params | {"sun": sun}, "ra#end-2"))
            else:
                events.append(Event("game_ended", params, "ra#end-1"))
        return
    for seat in seats:  # ra#epochs-5
        state.suns_up[seat] |= state.suns_down[seat]
        state.suns_down[seat] = 0
    state.epoch += 1
    _start_epoch(state, events, "ra#epochs-5")


def _tell_scores(state: State, before: tuple[int, ...], *, is_open: bool, events: list[Event]) -> None:
    epoch = f"epoch_{state.epoch}"
    events.append(Event("epoch_scored", {"epoch": epoch}, "ra#score-1"))
    for seat in range(state.seats):
        gain = {"points": state.fame[seat] - before[seat], "fame": state.fame[seat]}
        params = {"seat": seat, "epoch": epoch}
        if is_open:
            events.append(Event("fame_open", params | gain, "ra#score-2", reveals=True))
        else:
            events.append(Event("fame_hidden", params, "ra#score-2", secret={seat: gain}, reveals=True))


def _names(kinds: list[int] | tuple[int, ...]) -> list[str]:
    return [KINDS[kind] for kind in kinds]


def _sun_list(mask: int) -> str:
    return ", ".join(map(str, reversed(SUNS_IN[mask])))


STEPS: Final[dict[type, Callable[[State, Any, Events], None]]] = {
    Draw: _draw,
    Call: _call,
    UseGods: _use_gods,
    Bid: _bid,
    Pass: _pass,
    Discard: _discard,
    Deal: _deal,
    DrawnTile: _place,
    Score: _score,
}
