"""What must hold in every position (games/tigris_euphrates/invariants.py): sound games pass, and each kind of damage is named."""

from __future__ import annotations

import pytest

from games.core.rng import SeededRng
from games.tigris_euphrates.components import BLACK, GREEN, KIND_OF, RED, SQUARE_OF
from games.tigris_euphrates.invariants import check_invariants
from games.tigris_euphrates.kingdoms import find_kingdoms
from games.tigris_euphrates.state import NOWHERE
from tests.engine.tigris_euphrates.builders import game, play, position

FARM = KIND_OF["farm"]
COURT = {
    "leaders": ["king F9, trader E10", "king I8, priest J7"],
    "tiles": {"temple": "I6", "settlement": "F11 H8", "farm": "H9"},
    "hands": ["farm 2, temple 2, settlement 1, market 1", "settlement 2, temple 1, market 3"],
    "built": [["black_red", "A5", "temple"]],
    "catastrophes": "A1 C2",
    "points": [{"red": 2}, {"green": 1}],
    "swapped": ["market 1", ""],
    "gone": "temple 3",
}


def court(**fields):
    return position(**(COURT | fields))


def bit(label):
    return 1 << SQUARE_OF[label]


@pytest.mark.rule(
    "tigris_euphrates#components-1", "tigris_euphrates#kingdoms-1", "tigris_euphrates#conflicts-1", "tigris_euphrates#leaders-3"
)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_is_broken_at_any_ply_of_random_games(seats):
    rng = SeededRng(f"invariants {seats}")
    for number in range(12):
        state, plies = game.setup(seats, {"open_totals": number % 2 == 0}), 0
        while actors := game.actors(state):
            actor = actors[0]
            action = game.sample_chance(state, rng) if actor == -1 else game.sample_action(state, actor, rng)
            after, _ = game.apply(state, actor, action)
            assert check_invariants(after, state) is None, str(action)
            state, plies = after, plies + 1
        assert plies > 100


# Damage to a position


def _lose_leader_bit(state):
    state.leader_bits[BLACK] &= ~bit("F9")


def _stack_leaders(state):
    state.leaders[4] = SQUARE_OF["F9"]
    state.leader_bits[BLACK] &= ~bit("I8")


def _forget_occupied(state):
    state.occupied &= ~bit("F11")


def _forget_kingdom(state):
    state.kingdoms.pop()
    state.edges.pop()


def _grow_kingdom(state):
    state.kingdoms[0] |= bit("P11")


def _forget_edge(state):
    state.edges[0] &= state.edges[0] - 1


def _keep_old_touched(state):
    state.touched = (0, 0, 0)


def _borrow_tile(state):
    state.hands[GREEN] = -1


def _lose_tile(state):
    state.tiles[BLACK] &= ~bit("F11")
    find_kingdoms(state)


def _take_bag_tile(state):
    state.bag[RED] -= 1


def _draw_too_many(state):
    state.hands[RED] += 1
    state.bag[RED] -= 1


def _two_kings(state):
    state.leaders[4] = SQUARE_OF["G10"]
    state.leader_bits[BLACK] ^= bit("I8") | bit("G10")
    find_kingdoms(state)


def _leader_on_tile(state):
    state.leaders[0] = SQUARE_OF["F11"]
    state.leader_bits[BLACK] ^= bit("F9") | bit("F11")
    find_kingdoms(state)


def _lonely_leader(state):
    state.leaders[0] = SQUARE_OF["L5"]
    state.leader_bits[BLACK] ^= bit("F9") | bit("L5")
    find_kingdoms(state)


def _farm_on_land(state):
    state.tiles[FARM] ^= bit("H9") | bit("H10")
    find_kingdoms(state)


def _give_treasure(state):
    state.jokers[0] += 1


def _find_catastrophe(state):
    state.catastrophes_left[0] += 1


def _union_in_peace(state):
    state.union = SQUARE_OF["F11"]


def _collectable(state):
    state.leaders[3] = SQUARE_OF["F9"]
    state.leaders[0] = NOWHERE
    state.leader_bits[BLACK] &= ~bit("F9")
    state.leader_bits[GREEN] ^= bit("E10") | bit("F9")
    state.tiles[FARM] |= bit("G9")
    state.bag[FARM] -= 1
    find_kingdoms(state)


sound = court
DAMAGE = [
    (_lose_leader_bit, "the squares of the leaders (king) do not agree with each other"),
    (_stack_leaders, "the squares of the leaders (king) do not agree with each other"),
    (_forget_occupied, "taken or free, wrongly kept: F11"),
    (_forget_kingdom, "the kingdoms kept are not those of the board"),
    (_grow_kingdom, "the kingdoms kept are not those of the board"),
    (_forget_edge, "the edges kept are not those of the kingdoms"),
    (_keep_old_touched, "the squares kept as beside kingdoms are not those"),
    (_borrow_tile, "there are fewer than no tiles or treasures"),
    (_lose_tile, "bag: the settlement tiles in all places add up to 29; the game has 30"),
    (_take_bag_tile, "bag: the temple tiles in all places add up to 56; the game has 57"),
    (_draw_too_many, "hands[0]: more than 6 tiles"),
    (_two_kings, "leaders: F9, G10: two leaders of one colour in a kingdom, and no conflict"),
    (_leader_on_tile, "leaders[0].king: F11 is taken by another piece"),
    (_lonely_leader, "leaders[0].king: L5 has no face-up temple beside it"),
    (_farm_on_land, "tiles.farm: H10 is land; farms go on the river"),
    (_give_treasure, "jokers: 1 treasures are taken, 10 on the board; the game has 10"),
    (_find_catastrophe, "catastrophes_left: must be 2 a seat, less those on the board"),
    (_union_in_peace, "union: is given while wars are settled, else null"),
    (_collectable, "treasures: the trader of seat 0 would have taken all but one of its kingdom"),
]


# Changes that no rule makes


def _lift_catastrophe(state):
    state.catastrophes &= ~bit("A1")
    state.catastrophes_left[0] += 1


def _raze_monument(state):
    state.down = 0
    state.built = ()
    state.gone[RED] += 4
    find_kingdoms(state)


def _return_tile(state):
    state.gone[RED] -= 1
    state.bag[RED] += 1


def _return_swapped(state):
    state.swapped[GREEN] -= 1
    state.bag[GREEN] += 1


def _lose_points(state):
    state.sources[4] -= 1


def _move_tile(state):
    state.tiles[BLACK] ^= bit("H8") | bit("J8")
    find_kingdoms(state)


def _draw_unasked(state):
    state.bag[RED] -= 1
    state.gone[RED] += 1


def _rob_hand(state):
    state.hands[4 + RED] -= 1
    state.gone[RED] += 1


def _skip_turn(state):
    state.turn += 2


def _swap_turns(state):
    state.active = state.due = 1


def _grab_treasure(state):
    state.treasures &= ~bit("N5")
    state.jokers[0] += 1


def _drop_treasure_temple(state):
    state.tiles[RED] &= ~bit("N5")
    state.treasures &= ~bit("N5")
    state.jokers[0] += 1
    state.gone[RED] += 1
    find_kingdoms(state)


@pytest.mark.rule(
    "tigris_euphrates#catastrophes-3", "tigris_euphrates#monuments-7", "tigris_euphrates#hidden-2", "tigris_euphrates#treasures-1"
)
@pytest.mark.parametrize(
    ("change", "what"),
    [
        (_lift_catastrophe, "a catastrophe has gone from A1"),
        (_raze_monument, "a monument has gone"),
        (_return_tile, "a tile that had left the game is back"),
        (_return_swapped, "a swapped tile is back"),
        (_lose_points, "points have fallen"),
        (_move_tile, "a tile has gone from H8 to nowhere"),
        (_draw_unasked, "the bag has changed without a draw"),
        (_rob_hand, "the hand of seat 1 has changed, and it did nothing"),
        (_skip_turn, "a turn was left out"),
        (_swap_turns, "the turn has not gone to the next seat"),
        (_grab_treasure, "the treasure of N5 was not taken by a trader"),
        (_drop_treasure_temple, "the temple with a treasure has gone from N5"),
    ],
)
def test_a_change_that_no_rule_makes_is_named(change, what):
    before = court()
    after = before.copy()
    change(after)
    assert check_invariants(after) is None
    assert check_invariants(after, before) == what


@pytest.mark.rule("tigris_euphrates#treasures-2")
def test_a_treasure_taken_before_that_of_a_corner_is_named():
    state = position(leaders=["king O2", "trader A2"], tiles={"settlement": "C2 D2", "farm": "E2"}, hands=["market 6", "farm 6"])
    before = play(state, "tile market F2")
    after = play(before, "treasure B2")
    assert check_invariants(after, before) is None
    wrong = after.copy()
    wrong.treasures ^= bit("B2") | bit("F3")
    assert check_invariants(wrong) is None
    assert check_invariants(wrong, before) == "the treasure of F3 was taken before that of a corner"
    elsewhere = after.copy()
    elsewhere.treasures ^= bit("B2") | bit("P2")
    elsewhere.phase, elsewhere.due, elsewhere.placed = before.phase, before.due, before.placed
    assert check_invariants(elsewhere) is None
    assert check_invariants(elsewhere, before) == "the treasure of P2 was not to be taken"


@pytest.mark.rule("tigris_euphrates#wars-4", "tigris_euphrates#wars-6", "tigris_euphrates#wars-8")
def test_what_a_war_must_not_remove_is_named():
    """The losing priest is beside I7; I6 is lost, I7 has a treasure, and the king on H7 guards H8."""
    state = position(
        leaders=["priest F9", "priest I8, king H7"], tiles={"temple": "I6 H8 E10", "farm": "H9"}, hands=["farm 2, temple 4", ""]
    )
    before = play(state, "tile farm G9", "support 4 temple")
    after = play(before, "support 0 temple")
    assert before.tiles[RED] & ~after.tiles[RED] == bit("I6")
    assert check_invariants(after, before) is None
    for kind, label, what in (
        (FARM, "G9", "the union tile has gone from G9"),
        (FARM, "H9", "a war of other leaders has removed H9"),
        (RED, "H8", "the temple on H8 was removed from beside a leader"),
    ):
        wrong = after.copy()
        wrong.tiles[kind] &= ~bit(label)
        wrong.gone[kind] += 1
        find_kingdoms(wrong)
        assert check_invariants(wrong) is None
        assert check_invariants(wrong, before) == what
