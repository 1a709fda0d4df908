"""What must hold in every position (games/ra/invariants.py): sound games pass, and each kind of damage is named."""

from __future__ import annotations

from games.ra.components import KIND_OF, RA
from games.ra.invariants import check_invariants
from tests.engine.ra.builders import four, play


def _lose_gap(state):
    state.gaps += 1


def _fill_ra_track(state):
    state.bag = state.bag[state.ra_length :]  # Ra tiles come first
    state.ra_count = state.ra_length


def _give_sun_away(state):
    state.suns_up[1] |= state.suns_up[0] & -state.suns_up[0]
    state.suns_up[0] &= state.suns_up[0] - 1


def _lose_sun(state):
    state.suns_up[2] &= state.suns_up[2] - 1


def _false_bid(state):
    state.best_bid = 4


def sound():
    return four("nile gold")


DAMAGE = [
    (_lose_gap, "the auction track has 2 spaces in use and counts 1 gaps"),
    (_fill_ra_track, "9 Ra tiles on a track of 9"),
    (_give_sun_away, "seat 0 does not own 3 suns"),
    (_lose_sun, "a sun is missing or not of this game"),
    (_false_bid, "the best bid is -1, counted as 4"),
]


def test_a_change_that_no_rule_makes_is_named():
    before = four("nile gold", tiles={0: "gold"})
    for kind, what in ((KIND_OF["flood"], "flood: a removed tile came back"), (RA, "ra: a removed tile came back")):
        after = before.copy()
        poorer = before.copy()
        poorer.bag.remove(kind)
        assert check_invariants(after, poorer) == what
    drawn = play(before, "draw")
    same = drawn.copy()
    same.phase = before.phase
    assert check_invariants(same, drawn) == "a draw did not take one tile from the bag"
    fewer = before.copy()
    fewer.bag.pop()
    assert check_invariants(fewer, before) == "the bag changed without a draw"
