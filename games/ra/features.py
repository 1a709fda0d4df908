"""What a seat sees in a position of Ra, as named numbers for the learned value of `master`.

Each group of names belongs to one reason that the bot can give. Rivals come in the order of play after the seat; empty places are zeros.
"""

from __future__ import annotations

from typing import Final

from games.core.contract import NO_SEAT
from games.ra.components import (
    CIV_END,
    CIV_FIRST,
    DISASTERS,
    EPOCH_COUNT,
    FLOOD,
    GOD,
    GOLD,
    MON_END,
    MON_FIRST,
    N_KINDS,
    NILE,
    PHARAOH,
    SEATS,
)
from games.ra.evaluation import GROUPS, N_CIVILIZATIONS, N_MONUMENTS, Outlook
from games.ra.state import SUNS_IN, TURN, State, kinds_on_track

MAX_RIVALS: Final = max(SEATS) - 1
MAX_SUNS: Final = 4

_TIME: Final = ("epoch_2", "epoch_3", "draws_left", "ra_left", "p_ra", "centre", "suns_in_play", "tiles_on_track", "my_turn", "alone")
_UNSEEN: Final = (
    "unseen_pharaoh",
    "unseen_nile",
    "unseen_flood",
    "unseen_civ",
    "unseen_mon",
    "unseen_gold",
    "unseen_god",
    "unseen_disaster",
)
_OWN: Final = (
    *[f"own_{group}" for group in GROUPS],
    "own_sun_count",
    *[f"own_sun_{n}" for n in range(1, MAX_SUNS + 1)],
    "own_sun_sum",
    "own_sun_final",
    "own_to_come",
    "own_turn_in",
    "own_gods",
    "own_pharaoh_count",
    "own_niles",
    "own_has_flood",
    "own_civ_kinds",
    "own_civ_spare",
    "own_mon_kinds",
    "own_mon_pairs",
    "own_mon_threes",
    *[f"own_lot_{group}" for group in GROUPS],
    "own_lot",
    "own_price",
    "own_net",
)
_RIVAL: Final = (
    "lead",
    "tiles",
    "pharaoh_lead",
    "sun_count",
    "sun_high",
    "sun_low",
    "sun_sum",
    "sun_final",
    "mon_kinds",
    "gods",
    "lot",
    "net",
    "turn_in",
)
_RIVALS: Final = ("best_rival", "mean_rival", "best_rival_net", "rival_over", "best_lead", "mean_lead")
NAMES: Final = (*_TIME, *_UNSEEN, *_OWN, *_RIVALS, *[f"rival_{n}_{name}" for n in range(1, MAX_RIVALS + 1) for name in _RIVAL])


def features(state: State, seat: int) -> list[float]:
    """Return the numbers that NAMES names, from what is open in `state` (`known_state`) and the fame in it."""
    return features_of(Outlook(state, seat), seat)


def features_of(outlook: Outlook, seat: int) -> list[float]:
    """Return the numbers for a position that is already weighed; `outlook.me` is `seat`."""
    state = outlook.state
    n = state.seats
    tiles = state.tiles
    lot = kinds_on_track(state)
    unseen = outlook.unseen
    base = seat * N_KINDS
    order = [(seat + at) % n for at in range(n)]
    up = state.suns_up
    due = state.due if state.due != NO_SEAT else seat
    in_play = [other for other in order if up[other]]
    # how many seats act before each one does
    wait = {other: at for at, other in enumerate([s for s in ((due + k) % n for k in range(n)) if up[s]])}
    groups = range(len(GROUPS))
    worths = [[outlook.worth(other, group) for group in groups] for other in order]
    sums = [sum(worth) for worth in worths]
    lots = []
    prices = []
    for other in order:
        lots.append(outlook.gains(other, lot) if lot and up[other] else [0.0] * len(GROUPS))
        prices.append(min(outlook.sun_costs(other).values(), default=0.0))
    gains = [sum(gain) for gain in lots]
    nets = [gain - price if up[other] else 0.0 for gain, price, other in zip(gains, prices, order, strict=True)]
    finals = outlook.sun_finals()
    own_suns = SUNS_IN[up[seat]]
    civ = tiles[base + CIV_FIRST : base + CIV_END]
    mon = tiles[base + MON_FIRST : base + MON_END]
    kinds = N_CIVILIZATIONS - civ.count(0)
    x: list[float] = [
        state.epoch == 2,
        state.epoch == EPOCH_COUNT,
        outlook.draws_left,
        outlook.ra_left,
        outlook.p_ra,
        state.centre,
        sum([mask.bit_count() for mask in up]),
        len(lot),
        due == seat and state.phase == TURN,
        in_play == [seat],
        unseen[PHARAOH],
        unseen[NILE],
        unseen[FLOOD],
        sum(unseen[CIV_FIRST:CIV_END]),
        sum(unseen[MON_FIRST:MON_END]),
        unseen[GOLD],
        unseen[GOD],
        sum([unseen[kind] for kind in DISASTERS]),
        *worths[0],
        len(own_suns),
        *own_suns[::-1],
        *[0.0] * (MAX_SUNS - len(own_suns)),
        sum(own_suns),
        finals[seat],
        outlook.to_come[seat],
        wait.get(seat, -1),
        tiles[base + GOD],
        tiles[base + PHARAOH],
        tiles[base + NILE],
        tiles[base + FLOOD] > 0,
        kinds,
        sum(civ) - kinds,
        N_MONUMENTS - mon.count(0),
        mon.count(2),
        mon.count(3) + 2 * mon.count(4) + 3 * mon.count(5),
        *lots[0],
        gains[0],
        prices[0],
        nets[0],
    ]
    fame = state.fame
    leads = [fame[seat] - fame[other] for other in order[1:]]
    over = [fame[other] + s for other, s in zip(order[1:], sums[1:], strict=True)]
    x += [max(sums[1:]), sum(sums[1:]) / (n - 1), max(nets[1:]), fame[seat] + sums[0] - max(over), min(leads), sum(leads) / (n - 1)]
    for at, other in enumerate(order[1:], start=1):
        b = other * N_KINDS
        suns = SUNS_IN[up[other]]
        x += [
            leads[at - 1],
            sums[at],
            tiles[base + PHARAOH] - tiles[b + PHARAOH],
            len(suns),
            suns[-1] if suns else 0,
            suns[0] if suns else 0,
            sum(suns),
            finals[other],
            N_MONUMENTS - tiles[b + MON_FIRST : b + MON_END].count(0),
            tiles[b + GOD],
            gains[at],
            nets[at],
            wait.get(other, -1),
        ]
    x += [0.0] * (len(NAMES) - len(x))
    return x
