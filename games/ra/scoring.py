"""Fame: the points of an epoch, derivations with their paragraphs, places (ra#score, ra#gods-score .. ra#suns, ra#end)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from games.core.contract import Outcome, ScoreLine
from games.ra.components import (
    CIV_END,
    CIV_FIRST,
    CIVILIZATION_FAME,
    EPOCH_COUNT,
    FAME_FLOOR,
    FLOOD,
    GOD,
    GOD_FAME,
    GOLD,
    GOLD_FAME,
    KINDS,
    MON_END,
    MON_FIRST,
    MONUMENT_KINDS_FAME,
    MONUMENT_SAME_FAME,
    N_KINDS,
    NILE,
    PHARAOH,
    PHARAOHS_FEWEST,
    PHARAOHS_MOST,
    START_FAME,
    SUNS_FEWEST,
    SUNS_MOST,
)
from games.ra.state import BY_SUNS, END, SUNS_IN, Scored, State

Derivation = tuple[tuple[str, tuple[ScoreLine, ...]], ...]  # (round, lines), in play order


def most_and_fewest(values: Sequence[int], most: int, fewest: int) -> list[int]:
    """Return `most` for the highest values, `fewest` for the lowest, 0 for all if all are equal.

    Rules: ra#pharaohs-2, ra#suns-3

    >>> most_and_fewest([4, 3, 3, 4], 5, -2)
    [5, -2, -2, 5]
    """
    high, low = max(values), min(values)
    if high == low:
        return [0] * len(values)
    return [most if value == high else fewest if value == low else 0 for value in values]


def river_points(nile: int, flood: int) -> int:
    """Return 1 for each Nile and flood if there is a flood (ra#niles-1, ra#niles-2)."""
    return nile + flood if flood else 0


def civilization_points(counts: Sequence[int]) -> int:
    """Return the points for the counts of the five kinds (ra#civilization-1, ra#civilization-2)."""
    return CIVILIZATION_FAME[len(counts) - counts.count(0)]


def monument_points(counts: Sequence[int]) -> tuple[int, int]:
    """Return the points for different kinds and for equal ones (ra#monuments-2, ra#monuments-3)."""
    return MONUMENT_KINDS_FAME[len(counts) - counts.count(0)], sum([MONUMENT_SAME_FAME[count] for count in counts])


def epoch_gains(state: State) -> list[int]:
    """Return each seat's gains less losses of the epoch that has just ended, before the floor (ra#score-2)."""
    gains = tile_gains(state.tiles)
    if state.epoch == EPOCH_COUNT:
        sums = [sum(SUNS_IN[up | down]) for up, down in zip(state.suns_up, state.suns_down, strict=True)]
        gains = [a + b for a, b in zip(gains, most_and_fewest(sums, SUNS_MOST, SUNS_FEWEST), strict=True)]
        for seat in range(state.seats):
            base = seat * N_KINDS
            gains[seat] += sum(monument_points(state.tiles[base + MON_FIRST : base + MON_END]))
    return gains


def tile_gains(tiles: bytes | bytearray) -> list[int]:
    """Return what each seat's tiles score at the end of every epoch: all but monuments. `tiles` are N_KINDS counts for each seat."""
    bases = range(0, len(tiles), N_KINDS)
    gains = most_and_fewest([tiles[base + PHARAOH] for base in bases], PHARAOHS_MOST, PHARAOHS_FEWEST)
    for seat, base in enumerate(bases):
        gains[seat] += (
            GOD_FAME * tiles[base + GOD]
            + GOLD_FAME * tiles[base + GOLD]
            + river_points(tiles[base + NILE], tiles[base + FLOOD])
            + civilization_points(tiles[base + CIV_FIRST : base + CIV_END])
        )
    return gains


@lru_cache(maxsize=256)
def remembered(seats: int, scored: tuple[tuple[bytes, ...], ...], epochs: int) -> tuple[int, ...] | None:
    """Return each seat's fame after `epochs` epochs, the last not among them, from the tiles that lay open when each was scored.

    None unless all of them are there.
    """
    if len(scored) < epochs:
        return None
    fame = [START_FAME] * seats
    for tiles in scored[:epochs]:
        gains = tile_gains(b"".join(tiles))
        fame = [max(FAME_FLOOR, before + gain) for before, gain in zip(fame, gains, strict=True)]
    return tuple(fame)


# Derivations


def epoch_lines(scored: Scored, seat: int, suns: Sequence[int]) -> tuple[ScoreLine, ...]:
    """Return how a seat scored its points in one epoch; the lines add up to the change in its fame.

    `suns` are the masks of all suns that each seat owns; they count in the last epoch only. What scores nothing is listed
    if a player would ask why.
    """
    own = scored.tiles[seat]
    is_final = scored.epoch == EPOCH_COUNT
    lines: list[ScoreLine] = []
    if own[GOD]:
        lines.append(ScoreLine("gods", GOD_FAME * own[GOD], "ra#gods-score-1", _pieces(own, [GOD])))
    lines.append(_pharaoh_line([tiles[PHARAOH] for tiles in scored.tiles], seat))
    if own[FLOOD]:
        lines.append(ScoreLine("river", river_points(own[NILE], own[FLOOD]), "ra#niles-1", _pieces(own, [NILE, FLOOD])))
    elif own[NILE]:
        lines.append(ScoreLine("river_dry", 0, "ra#niles-2", _pieces(own, [NILE])))
    lines.append(_civilization_line(own))
    if own[GOLD]:
        lines.append(ScoreLine("gold", GOLD_FAME * own[GOLD], "ra#gold-1", _pieces(own, [GOLD])))
    if is_final:
        lines += _monument_lines(own)
        lines.append(_sun_line([sum(SUNS_IN[mask]) for mask in suns], seat))
    total = scored.fame_before[seat] + sum(line.points for line in lines)
    if total < FAME_FLOOR:
        lines.append(ScoreLine("floor", FAME_FLOOR - total, "ra#score-3"))
    return tuple(lines)


def _pieces(own: bytes, kinds: Sequence[int]) -> Mapping[str, int]:
    return {KINDS[kind]: own[kind] for kind in kinds if own[kind]}


def _pharaoh_line(counts: list[int], seat: int) -> ScoreLine:
    points = most_and_fewest(counts, PHARAOHS_MOST, PHARAOHS_FEWEST)[seat]
    pieces = {"pharaoh": counts[seat]}
    if max(counts) == min(counts):
        return ScoreLine("pharaohs_equal", 0, "ra#pharaohs-2", pieces)
    key = {PHARAOHS_MOST: "pharaohs_most", PHARAOHS_FEWEST: "pharaohs_fewest"}.get(points, "pharaohs_between")
    return ScoreLine(key, points, "ra#pharaohs-1", pieces)


def _civilization_line(own: bytes) -> ScoreLine:
    kinds = range(CIV_FIRST, CIV_END)
    points = civilization_points(own[CIV_FIRST:CIV_END])
    if points < 0:
        return ScoreLine("civilization_none", points, "ra#civilization-1")
    if points == 0:
        return ScoreLine("civilization_few", 0, "ra#civilization-2", _pieces(own, kinds))
    return ScoreLine("civilization", points, "ra#civilization-2", _pieces(own, kinds))


def _monument_lines(own: bytes) -> list[ScoreLine]:
    different, same = monument_points(own[MON_FIRST:MON_END])
    kinds = [kind for kind in range(MON_FIRST, MON_END) if own[kind]]
    lines = []
    if different:
        lines.append(ScoreLine("monument_kinds", different, "ra#monuments-2", {KINDS[kind]: 1 for kind in kinds}))
    if same:
        scoring = [kind for kind in kinds if MONUMENT_SAME_FAME[own[kind]]]
        lines.append(ScoreLine("monument_same", same, "ra#monuments-3", _pieces(own, scoring)))
    return lines


def _sun_line(sums: list[int], seat: int) -> ScoreLine:
    points = most_and_fewest(sums, SUNS_MOST, SUNS_FEWEST)[seat]
    pieces = {"sun": sums[seat]}
    if max(sums) == min(sums):
        return ScoreLine("suns_equal", 0, "ra#suns-3", pieces)
    key = {SUNS_MOST: "suns_most", SUNS_FEWEST: "suns_fewest"}.get(points, "suns_between")
    return ScoreLine(key, points, "ra#suns-1", pieces)


def derivation(state: State, seat: int) -> Derivation:
    """Return all of a seat's points so far: the start, then each scored epoch."""
    suns = [up | down for up, down in zip(state.suns_up, state.suns_down, strict=True)]
    if state.history:
        first, before = state.history[0].epoch, state.history[0].fame_before[seat]
    else:
        first, before = state.epoch, state.fame[seat]
    is_start = first == 1 and before == START_FAME
    start = ScoreLine("start", before, "ra#setup-4") if is_start else ScoreLine("carried", before, "ra#score-2")
    rounds: list[tuple[str, tuple[ScoreLine, ...]]] = [("start", (start,))]
    rounds += [(f"epoch_{scored.epoch}", epoch_lines(scored, seat, suns)) for scored in state.history]
    return tuple(rounds)


# The end


def highest_sun(state: State, seat: int) -> int:
    """Return the highest sun that a seat owns, face up or down."""
    return (state.suns_up[seat] | state.suns_down[seat]).bit_length() - 1


def outcome(state: State) -> Outcome | None:
    """Return places, fame and derivations after the third epoch, otherwise None. The highest sun breaks a tie (ra#end-2)."""
    if state.phase != END:
        return None
    seats = range(state.seats)
    ranking = sorted(seats, key=lambda seat: (-state.fame[seat], -highest_sun(state, seat)))
    places = [0] * state.seats
    for place, seat in enumerate(ranking, start=1):
        places[seat] = place
    is_tie = state.fame[ranking[0]] == state.fame[ranking[1]]
    reason = ("suns" if state.ending == BY_SUNS else "ra_track") + ("_tie" if is_tie else "")
    return Outcome(tuple(places), tuple(state.fame), reason, tuple(derivation(state, seat) for seat in seats))
