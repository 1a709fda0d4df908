"""What a seat may know (ra#hidden-1, ra#hidden-2), and full states that fit it.

Everything is open except the other seats' fame, the bag and the box. Removed tiles are not listed during play (ra#tiles-3).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core.contract import NO_SEAT, Outcome, Rng
from games.core.schemas import NOT_SHOWN
from games.ra import legality, scoring
from games.ra.actions import Action
from games.ra.components import COUNTS, EPOCH_COUNT, FAME_FLOOR, KIND_OF, KINDS, N_KINDS, RA, RA_TRACK, START_FAME
from games.ra.state import (
    AUCTION,
    CAUSES,
    END,
    ENDINGS,
    NO_BID,
    NO_ENDING,
    NO_TILE,
    PHASES,
    SUNS_IN,
    State,
    first_state,
    mask_of,
)


@dataclass(frozen=True, slots=True)
class View:
    """A position as one seat knows it (`seat` None: a spectator). Tuples are indexed by seat."""

    seat: int | None
    seats: int
    open_fame: bool
    phase: str  # deal, turn, drawing, auction, discard, scoring, end
    epoch: int
    due: int | None  # the seat on turn, drawing, bidding or discarding
    ra_player: int | None
    cause: str | None  # of the current auction: voluntary, full, ra_tile
    auction_no: int
    bids: tuple[int | None, ...]  # None: not yet; 0: passed
    best_bid: int
    best_seat: int | None
    track: tuple[str | None, ...]  # auction spaces from the left; None is a gap that a god left
    ra_count: int
    ra_length: int
    bag_count: int  # tiles still to be drawn
    centre: int
    suns_up: tuple[tuple[int, ...], ...]  # ascending
    suns_down: tuple[tuple[int, ...], ...]
    tiles: tuple[dict[str, int], ...]  # kinds that the seat has, in canonical order
    lose_civilization: int
    lose_monuments: int
    ending: str | None  # how the last finished epoch ended: suns, ra_track
    fame: tuple[int | None, ...]  # None where hidden
    derivations: tuple[scoring.Derivation | None, ...]  # None where hidden
    outcome: Outcome | None
    # Each seat's fame before this epoch as anyone who watched can add it up (ra#hidden-1). For bots alone: no page or answer shows it.
    # None if the game wasn't watched from its start.
    remembered: tuple[int, ...] | None = field(default=None, metadata=NOT_SHOWN)


def view_for(state: State, seat: int | None) -> View:
    """Return what `seat` may know of the position; None is a spectator."""
    seats = range(state.seats)
    is_open = state.open_fame or state.phase == END
    return View(
        seat=seat,
        seats=state.seats,
        open_fame=state.open_fame,
        phase=PHASES[state.phase],
        epoch=state.epoch,
        due=_seat(state.due),
        ra_player=_seat(state.ra_player),
        cause=CAUSES[state.cause] if state.phase == AUCTION else None,
        auction_no=state.auction_no,
        bids=tuple([None if bid == NO_BID else bid for bid in state.bids]),
        best_bid=state.best_bid,
        best_seat=_seat(state.best_seat),
        track=tuple([None if kind == NO_TILE else KINDS[kind] for kind in state.track]),
        ra_count=state.ra_count,
        ra_length=state.ra_length,
        bag_count=len(state.bag),
        centre=state.centre,
        suns_up=tuple([SUNS_IN[mask] for mask in state.suns_up]),
        suns_down=tuple([SUNS_IN[mask] for mask in state.suns_down]),
        tiles=tuple([_tiles(state, s) for s in seats]),
        lose_civilization=state.lose_civilization,
        lose_monuments=state.lose_monuments,
        ending=None if state.ending == NO_ENDING else ENDINGS[state.ending],
        fame=tuple([state.fame[s] if is_open or s == seat else None for s in seats]),
        derivations=tuple([scoring.derivation(state, s) if is_open or s == seat else None for s in seats]),
        outcome=scoring.outcome(state),
        remembered=scoring.remembered(state.seats, tuple([scored.tiles for scored in state.history]), state.epoch - 1),
    )


def _seat(seat: int) -> int | None:
    return None if seat == NO_SEAT else seat


def _tiles(state: State, seat: int) -> dict[str, int]:
    base = seat * N_KINDS
    return {KINDS[kind]: count for kind, count in enumerate(state.tiles[base : base + N_KINDS]) if count}


def known_state(view: View) -> State:
    """Return a state with everything open in `view`, and hidden fame as it is remembered. The bag is a placeholder of the right size."""
    state = first_state(view.seats, view.open_fame)
    state.phase = PHASES.index(view.phase)
    state.epoch = view.epoch
    state.due = NO_SEAT if view.due is None else view.due
    state.ra_player = NO_SEAT if view.ra_player is None else view.ra_player
    state.cause = 0 if view.cause is None else CAUSES.index(view.cause)
    state.auction_no = view.auction_no
    state.bids = [NO_BID if bid is None else bid for bid in view.bids]
    state.best_bid = view.best_bid
    state.best_seat = NO_SEAT if view.best_seat is None else view.best_seat
    state.track = bytearray([NO_TILE if kind is None else KIND_OF[kind] for kind in view.track])
    state.gaps = view.track.count(None)
    state.ra_count = view.ra_count
    state.ra_length = view.ra_length
    state.bag = bytearray(view.bag_count)
    state.centre = view.centre
    state.suns_up = [mask_of(suns) for suns in view.suns_up]
    state.suns_down = [mask_of(suns) for suns in view.suns_down]
    for seat, tiles in enumerate(view.tiles):
        for kind, count in tiles.items():
            state.tiles[seat * N_KINDS + KIND_OF[kind]] = count
    state.fame = [_fame(view, seat) for seat in range(view.seats)]
    state.lose_civilization = view.lose_civilization
    state.lose_monuments = view.lose_monuments
    state.ending = NO_ENDING if view.ending is None else ENDINGS.index(view.ending)
    return state


def _fame(view: View, seat: int) -> int:
    """Return a seat's fame as it is shown or remembered; if it is neither, as much as the viewer's own."""
    shown = view.fame[seat]
    if shown is not None:
        return shown
    if view.remembered is not None:
        return view.remembered[seat]
    own = None if view.seat is None else view.fame[view.seat]
    return START_FAME if own is None else own


def legal_for_view(view: View) -> list[Action]:
    """Return the legal actions of the viewing seat; [] if it is not due."""
    if view.seat is None or view.seat != view.due or view.phase == "drawing":
        return []
    return legality.legal_actions(known_state(view), view.seat)


def sample_state(view: View, rng: Rng) -> State:
    """Return a full state that `view_for` would show as `view`: bag drawn from the unseen tiles, hidden fame guessed.

    It leaves out scored epochs, because a search does not need their derivations.
    """
    state = known_state(view)
    state.bag = _sample_bag(state, view.bag_count, rng)
    scored = view.epoch - 1
    for seat, fame in enumerate(view.fame):
        if fame is None:
            guess = START_FAME + sum(rng.below(26, "view") - 5 for _ in range(scored))  # most players score -5 .. 20 in an epoch
            state.fame[seat] = max(FAME_FLOOR, guess)
    return state


def _sample_bag(state: State, size: int, rng: Rng) -> bytearray:
    """Return a sorted bag of `size` tiles, drawn uniformly from all unseen tiles.

    It lacks at most as many Ra tiles as can have left with earlier epochs.
    """
    unseen = list(COUNTS)
    unseen[RA] -= state.ra_count
    for at, count in enumerate(state.tiles):
        unseen[at % N_KINDS] -= count
    for kind in state.track:
        if kind != NO_TILE:
            unseen[kind] -= 1
    most_gone = min(unseen[RA], (state.epoch - 1 if state.phase != END else EPOCH_COUNT) * RA_TRACK[state.seats])
    sure = min(size, unseen[RA] - most_gone)
    unseen[RA] -= sure
    pool = [kind for kind, count in enumerate(unseen) for _ in range(count)]
    below = rng.below
    for at in range(size - sure):
        other = at + below(len(pool) - at, "view")
        pool[at], pool[other] = pool[other], pool[at]
    return bytearray(sorted([RA] * sure + pool[: size - sure]))
