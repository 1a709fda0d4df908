"""What holds in every position of Ra, whatever was played; checked in random games (`manage.py fuzz`).

Rules: ra#components-2 (tiles), ra#setup-5 and ra#setup-6 (suns), ra#score-3 (fame)
"""

from __future__ import annotations

from operator import add

from games.ra.components import AUCTION_SPACES, CENTRE_SUN, COUNTS, FAME_FLOOR, KINDS, N_KINDS, RA, RA_TRACK, SUN_SETS
from games.ra.state import AUCTION, DEAL, DRAWING, NO_BID, NO_TILE, TURN, State, mask_of


def check_invariants(state: State, before: State | None = None) -> str | None:
    """Return what is broken, in one line, or None. `before` is the position one action earlier."""
    counts = _in_play(state)
    fault = _tiles(state, counts) or _suns(state) or _auction(state)
    return fault if fault or before is None else _change(before, state, counts)


def _in_play(state: State) -> list[int]:
    """Return the tiles of each kind that are not in the box: in front of players, on both tracks, in the bag."""
    counts = list(map(state.bag.count, range(N_KINDS)))
    for base in range(0, len(state.tiles), N_KINDS):
        counts = list(map(add, counts, state.tiles[base : base + N_KINDS]))
    counts[RA] += state.ra_count
    for kind in state.track:
        if kind != NO_TILE:
            counts[kind] += 1
    return counts


def _tiles(state: State, counts: list[int]) -> str | None:
    for kind, count in enumerate(counts):
        if count > COUNTS[kind]:
            return f"{count} tiles {KINDS[kind]} of {COUNTS[kind]}"
    if list(state.bag) != sorted(state.bag):
        return "the bag is not sorted"
    if state.gaps != state.track.count(NO_TILE) or len(state.track) > AUCTION_SPACES:
        return f"the auction track has {len(state.track)} spaces in use and counts {state.gaps} gaps"
    if state.track and state.track[-1] == NO_TILE:
        return "the auction track ends with a gap"
    if state.ra_length != RA_TRACK[state.seats] or not 0 <= state.ra_count < state.ra_length:
        return f"{state.ra_count} Ra tiles on a track of {state.ra_length}"
    return None


def _suns(state: State) -> str | None:
    if state.phase == DEAL:
        return None
    every = mask_of([CENTRE_SUN, *(sun for suns in SUN_SETS[state.seats] for sun in suns)])
    found = 1 << state.centre
    for mask in (*state.suns_up, *state.suns_down):
        if found & mask:
            return "a sun is there twice"
        found |= mask
    if found != every:
        return "a sun is missing or not of this game"
    each = len(SUN_SETS[state.seats][0])
    for seat in range(state.seats):
        if (state.suns_up[seat] | state.suns_down[seat]).bit_count() != each:
            return f"seat {seat} does not own {each} suns"
    return None


def _auction(state: State) -> str | None:
    best = max(state.bids)
    if max(best, 0) != state.best_bid:
        return f"the best bid is {best}, counted as {state.best_bid}"
    if state.phase in (TURN, DRAWING, AUCTION) and not any(state.suns_up):
        return "nobody has a face-up sun and the epoch goes on"
    if state.phase == DRAWING and any(bid != NO_BID for bid in state.bids):
        return "a tile is drawn during an auction"
    if min(state.fame) < FAME_FLOOR:
        return "fame below the floor"
    return None


def _change(before: State, state: State, counts: list[int]) -> str | None:
    for kind, (old, new) in enumerate(zip(_in_play(before), counts, strict=True)):
        if new > old:
            return f"{KINDS[kind]}: a removed tile came back"
    if before.phase == DRAWING and len(before.bag) != len(state.bag) + 1:
        return "a draw did not take one tile from the bag"
    if before.phase != DRAWING and before.bag != state.bag:
        return "the bag changed without a draw"
    return None
