"""What must hold in every position (games/history_of_the_world/invariants.py): each kind of damage is named."""

from __future__ import annotations

from games.history_of_the_world.components import EVENT_OF, PROVINCE_OF, PROVINCES
from games.history_of_the_world.invariants import check_invariants
from games.history_of_the_world.state import State
from tests.engine.history_of_the_world.builders import play, position


def sound() -> State:
    return position(
        armies=["nile* levant*", "crete mesopotamia", "wei"], empires=["egyptians", "hittites", "greeks"], card=3, capitals="nile",
        cities="levant", forts="nile", hands=["i_plague", "i_weaponry", ""],
    )  # fmt: skip


def _share(state):
    state.armies[1] |= 1 << PROVINCE_OF["nile"]


def _too_many(state):
    state.card_armies = 24


def _two_buildings(state):
    state.cities |= state.capitals


def _pieces(state):
    state.forts = (1 << 15) - 1


def _stranger(state):
    state.active_armies |= 1 << PROVINCE_OF["wei"]


def _negative(state):
    state.tokens = -1


def _two_places(state):
    state.played = (EVENT_OF["i_plague"],)


def _twin(state):
    state.empires[1] = state.empires[0]


def _old_kingdom(state):
    state.hands[2] = (EVENT_OF["k_aksum"],)


def _shared_space(state):
    state.starts = (1, 1, 3)
    state.scores = [1, 1, 3]


def _miscount(state):
    state.scores[2] += 5


DAMAGE = [
    (_share, "two armies in one province"),
    (_too_many, "seat 0 has more than its armies"),
    (_two_buildings, "a capital and a city in one province"),
    (_pieces, "more structures or forts than there are"),
    (_stranger, "active armies of somebody else"),
    (_negative, "fewer than no armies on card or catapult"),
    (_two_places, "an event in two places"),
    (_twin, "an empire in two places"),
    (_old_kingdom, "a kingdom kept beyond its epoch"),
    (_shared_space, "two markers on one space"),
    (_miscount, "seat 2 has 3 points, counted as 8"),
]


def test_a_change_that_no_action_makes_is_named():
    before = sound()
    after = play(before, "conquer anatolia land")
    assert check_invariants(after, before) is None
    gift = after.copy()
    gift.armies[2] |= 1 << PROVINCES.index("brazil")
    assert "has gained an army" in str(check_invariants(gift, before))
    robbed = after.copy()
    robbed.hands[1] = ()
    assert "cards or points of seat 1" in str(check_invariants(robbed, before))
    razed = after.copy()
    razed.forts = 0
    assert "a fort of the active seat" in str(check_invariants(razed, before))
