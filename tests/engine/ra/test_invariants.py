"""What must hold in every position (games/ra/invariants.py): sound games pass, and each kind of damage is named."""

from __future__ import annotations

import pytest

from games.core.rng import SeededRng
from games.ra.components import KIND_OF, RA
from games.ra.invariants import check_invariants
from games.registry import game as find_game
from tests.engine.ra.builders import four, play

game = find_game("ra")


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_nothing_is_broken_at_any_ply_of_random_games(seats):
    rng = SeededRng(seats)
    for _ in range(5):
        state, plies = game.setup(seats, {}), 0
        while actors := game.actors(state):
            actor = actors[0]
            action = game.sample_chance(state, rng) if actor == -1 else game.sample_action(state, actor, rng)
            after, _ = game.apply(state, actor, action)
            assert check_invariants(after, state) is None
            state, plies = after, plies + 1
        assert plies > 50


def _lose_gap(state):
    state.gaps += 1


def _fill_ra_track(state):
    state.bag = state.bag[state.ra_length :]  # Ra tiles stand first
    state.ra_count = state.ra_length


def _give_sun_away(state):
    state.suns_up[1] |= state.suns_up[0] & -state.suns_up[0]
    state.suns_up[0] &= state.suns_up[0] - 1


def _lose_sun(state):
    state.suns_up[2] &= state.suns_up[2] - 1


def _false_bid(state):
    state.best_bid = 4


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (_lose_gap, "counts 1 gaps"),
        (_fill_ra_track, "9 Ra tiles on a track of 9"),
        (_give_sun_away, "does not own 3 suns"),
        (_lose_sun, "a sun is missing"),
        (_false_bid, "the best bid is -1, counted as 4"),
    ],
)
def test_damage_is_named(damage, what):
    state = four("nile gold").copy()
    assert check_invariants(state) is None
    damage(state)
    assert what in (check_invariants(state) or "")


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
