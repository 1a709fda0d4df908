"""The whole truth about a table of Ra, stored compactly: small ints, byte arrays and bit masks (ra#components, ra#setup).

A seat's suns are a bit mask (bit 13 set: sun 13). The seats' tiles are one byte array, `tiles[seat * N_KINDS + kind]`.
The bag is a byte array of kinds, always sorted: the tiles still to be drawn have no order.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.core.compact import Compact, compact
from games.core.contract import NO_SEAT
from games.ra.components import CENTRE_SUN, COUNTS, N_KINDS, RA_TRACK, START_FAME

# Phases: what the table waits for. Up to DISCARD it waits for a seat.
TURN: Final = 0  # `due` takes a turn
AUCTION: Final = 1  # `due` bids or passes
DISCARD: Final = 2  # `due` chooses the tiles to discard to disasters
DRAWING: Final = 3  # CHANCE draws the tile for `due`
DEAL: Final = 4  # CHANCE deals the sun sets
SCORING: Final = 5  # SCORER scores the epoch
END: Final = 6
PHASES: Final = ("turn", "auction", "discard", "drawing", "deal", "scoring", "end")

# Causes of an auction.
VOLUNTARY: Final = 0  # Ra was called with fewer than 8 tiles
FULL: Final = 1  # Ra was called because the auction track is full
RA_TILE: Final = 2  # a Ra tile was drawn
CAUSES: Final = ("voluntary", "full", "ra_tile")

# How an epoch ended.
BY_SUNS: Final = 0  # ra#epochs-2
BY_RA_TRACK: Final = 1  # ra#epochs-3
NO_ENDING: Final = -1
ENDINGS: Final = ("suns", "ra_track")

NO_TILE: Final = 255  # a gap on the auction track that a god left (ra#gods-4)
NO_BID: Final = -1  # has not bid yet; 0: has passed

_FULL_BAG: Final = bytes(kind for kind, count in enumerate(COUNTS) for _ in range(count))


class Scored(NamedTuple):
    """What an epoch was scored from; its points and derivations follow from this."""

    epoch: int
    fame_before: tuple[int, ...]
    tiles: tuple[bytes, ...]  # per seat: N_KINDS counts


@compact()
class State(Compact):
    """One position. Changed in place only by `rules`; everything else gets copies."""

    seats: int
    open_fame: bool
    phase: int
    epoch: int  # 1..3
    due: int  # the seat on turn, bidding, drawing or discarding
    ra_player: int  # the seat that holds the Ra figure; NO_SEAT before the first auction of an epoch
    cause: int  # of the current or last auction
    auction_no: int  # auctions started in this game
    bids: list[int]  # in this auction: NO_BID, 0 for a pass, or the sun
    best_bid: int
    best_seat: int
    track: bytearray  # kinds on the auction spaces from the left; NO_TILE for a gap
    gaps: int  # how many NO_TILE are in `track`
    ra_count: int  # Ra tiles on the Ra track
    ra_length: int  # Ra spaces in use
    bag: bytearray  # kinds not drawn yet, sorted
    centre: int  # the sun in the centre
    suns_up: list[int]  # bit masks
    suns_down: list[int]
    tiles: bytearray
    fame: list[int]
    lose_civilization: int  # tiles that `due` must still discard
    lose_monuments: int
    ending: int  # how the last finished epoch ended; NO_ENDING in the first one
    history: tuple[Scored, ...]  # scored epochs in order; a position file may start after the first ones

    def __repr__(self) -> str:
        return f"<Ra {self.seats} seats, epoch {self.epoch}, {PHASES[self.phase]}, due {self.due}>"


def first_state(seats: int, open_fame: bool) -> State:
    """Return the position before the sun sets are dealt (ra#setup-1)."""
    state = State.__new__(State)
    state.seats = seats
    state.open_fame = open_fame
    state.phase = DEAL
    state.epoch = 1
    state.due = NO_SEAT
    state.ra_player = NO_SEAT
    state.cause = VOLUNTARY
    state.auction_no = 0
    state.bids = [NO_BID] * seats
    state.best_bid = 0
    state.best_seat = NO_SEAT
    state.track = bytearray()
    state.gaps = 0
    state.ra_count = 0
    state.ra_length = RA_TRACK[seats]
    state.bag = bytearray(_FULL_BAG)
    state.centre = CENTRE_SUN
    state.suns_up = [0] * seats
    state.suns_down = [0] * seats
    state.tiles = bytearray(seats * N_KINDS)
    state.fame = [START_FAME] * seats
    state.lose_civilization = 0
    state.lose_monuments = 0
    state.ending = NO_ENDING
    state.history = ()
    return state


class _Suns(dict[int, tuple[int, ...]]):
    """The values in a mask of suns, ascending; each mask is worked out once."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        value = tuple(sun for sun in range(mask.bit_length()) if mask >> sun & 1)
        self[mask] = value
        return value


SUNS_IN: Final = _Suns()


def mask_of(suns: tuple[int, ...] | list[int]) -> int:
    """Return the mask of sun values.

    >>> SUNS_IN[mask_of([13, 2])]
    (2, 13)
    """
    mask = 0
    for sun in suns:
        mask |= 1 << sun
    return mask


def tiles_of(state: State, seat: int) -> bytes:
    """Return the counts of a seat's tiles, by kind."""
    return bytes(state.tiles[seat * N_KINDS : (seat + 1) * N_KINDS])


def track_count(state: State) -> int:
    """Return how many tiles are on the auction track."""
    return len(state.track) - state.gaps


def kinds_on_track(state: State) -> list[int]:
    """Return the kinds on the auction track, in canonical order."""
    return sorted(kind for kind in state.track if kind != NO_TILE)


def next_in_play(state: State, seat: int) -> int:
    """Return the first seat clockwise from `seat` with a face-up sun; `seat` itself if it is the only one.

    There must be one. Rules: ra#epochs-1, ra#auction-10
    """
    up = state.suns_up
    n = state.seats
    while True:
        seat += 1
        if seat == n:
            seat = 0
        if up[seat]:
            return seat


def owner_of_highest_sun(state: State) -> int:
    """Return the seat with the highest face-up sun (ra#turn-1, ra#epochs-5)."""
    up = state.suns_up
    return up.index(max(up))  # the highest bit decides between masks
