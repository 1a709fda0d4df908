"""What must hold in every position (games/after_the_flood/invariants.py): each kind of damage is named."""

from __future__ import annotations

from games.after_the_flood.components import AREA_OF, KINDS, SCRIBES, WOOD
from games.after_the_flood.invariants import check_invariants
from games.after_the_flood.state import State
from tests.engine.after_the_flood.builders import play, position


def sound() -> State:
    return position(
        turn=2, goods=["wood 2 gold", "metal", ""], workers=["egypt 2 scribes", "irrigation", ""], cities=["ur umma", "uruk", ""],
        empires=["isin", "larsa", None], ranking=[1, 0], armies=["isin 2 shuruppak", "larsa", ""], armies_available=[2, 1, 0],
    )  # fmt: skip


def _lose_worker(state):
    state.workers_available[0] -= 1


def _lose_army(state):
    state.armies_available[1] -= 1


def _third_scribe(state):
    state.workers[SCRIBES] += 2
    state.reserve[0] -= 2


def _used_scribe(state):
    state.usable = 2


def _fifth_city(state):
    state.cities[0] = 0b11111


def _army_of_nobody(state):
    state.empires[1] = -1


def _lose_good(state):
    state.goods[WOOD] -= 1


def _too_many_goods(state):
    state.goods[WOOD] += 11
    state.stock[WOOD] -= 11


def _share_area(state):
    state.armies[1] |= 1 << AREA_OF["shuruppak"]
    state.armies_available[1] -= 1


def _share_city(state):
    state.cities[1] |= state.cities[0]


def _dilmun(state):
    state.armies[0] |= 1 << AREA_OF["dilmun"]
    state.armies_available[0] -= 1


def _ghost(state):
    state.doubles |= 1 << AREA_OF["egypt"]


def _far_city(state):
    state.cities[0] |= 1 << AREA_OF["egypt"]


def _growth(state):
    state.grown |= 1 << AREA_OF["eridu"]


def _points(state):
    state.scores[2] += 1


DAMAGE = [
    (_lose_worker, "seat 0 has not 25 workers"),
    (_lose_army, "seat 1 has not 20 armies"),
    (_third_scribe, "seat 0 has more than 2 scribes"),
    (_used_scribe, "seat 0 may use more scribes than are unused"),
    (_fifth_city, "seat 0 has more than 4 cities"),
    (_army_of_nobody, "seat 1 has armies without an empire"),
    (_lose_good, "goods of kind 1 were lost or made"),
    (_too_many_goods, "more goods of kind 1 than there are"),
    (_share_area, "armies of two players in one area"),
    (_share_city, "cities of two players in one area"),
    (_dilmun, "an army in Dilmun"),
    (_ghost, "two armies where there is none"),
    (_far_city, "a city outside Sumer"),
    (_growth, "growth without a city"),
    (_points, "seat 2 has 0 points, counted as 1"),
]


def test_a_change_that_no_action_makes_is_named():
    before = sound()
    after = play(before, "build lagash")
    assert check_invariants(after, before) is None
    robbed = after.copy()
    robbed.goods[KINDS + 2], robbed.stock[2] = 0, robbed.stock[2] + 1
    assert "goods of seat 1" in str(check_invariants(robbed, before))
    moved = after.copy()
    moved.passed = 0
    assert check_invariants(moved, play(before, "pass", "done")) == "a pass was taken back"
