"""What must hold in every position (games/babel/invariants.py): each kind of damage is named."""

from __future__ import annotations

import pytest

from games.babel.invariants import check_invariants
from tests.engine.babel.builders import first_turn, play, position


def sound():
    return position(
        """
        turn: 8
        0> medes | AAHP
        1  persians | HMMSS
        medes: AAAM 12 | PS 12
        persians: MMM . | MPP 123
        stocks: 4 2 | 3 5
        """
    )


def _lose_card(state):
    state.people_deck[2] -= 1


def _double_level(state):
    state.stocks[0] += b"\x06"


def _owe_cards(state):
    state.hands[3] -= 2
    state.discards[3] += 2


def _bend_temple(state):
    state.temples[2] = b"\x02\x01"


def _miscount(state):
    state.scores[0] += 1


def _back_to_quarry(state):
    state.pawns[1] = -1


def _wait_for_ever(state):
    state.reserved[0] = True


def _empty_deck(state):
    state.stocks[0] += bytes(level for level in range(1, 7) for _ in range(state.deck[level]))
    state.deck = [0] * 7


DAMAGE = [
    (_lose_card, "11 cards medes of 12"),
    (_double_level, "6 cards of level 6 of 5"),
    (_owe_cards, "fewer than no cards"),
    (_bend_temple, "a temple of the levels [2, 1]"),
    (_miscount, "seat 0 has 2 points, counted as 3"),
    (_back_to_quarry, "seat 1 has settled from the quarry"),
    (_wait_for_ever, "the first level 1 of seat 0 does not lie alone in its stock"),
    (_empty_deck, "the temple deck is empty and the game goes on"),
]


def changed(text, damage, state=None):
    """Return what is reported for an action with damage done on top of it."""
    before = state or sound()
    after = play(before, text)
    assert check_invariants(after, before) is None
    damage(after)
    return check_invariants(after, before)


def swap(at, other):
    """Return a damage that swaps two columns."""

    def damage(state):
        state.columns[at], state.columns[other] = state.columns[other], state.columns[at]

    return damage


def _fall(state):
    state.temples[2], state.stocks[0] = b"\x01", state.stocks[0] + b"\x02"
    state.scores[0] -= 1


def _fall_elsewhere(state):
    state.temples[9], state.stocks[0] = b"\x01\x02", state.stocks[0] + b"\x03"
    state.scores[1] -= 1


def _grow_deck(state):
    state.deck[2] += 1
    state.stocks[0] = state.stocks[0][:-1]


def _second_card(state):
    state.columns[2] = state.columns[2][1:]
    state.discards[0] += 1


def _second_migration(state):
    state.columns[1], state.columns[2] = state.columns[1][:-1], state.columns[2] + state.columns[1][-1:]


@pytest.mark.parametrize(
    ("text", "damage", "what"),
    [
        ("settle persians", _fall, "a temple of the active seat has fallen"),
        ("settle persians", _fall_elsewhere, "a temple has changed away from the pawn"),
        ("settle persians", swap(5, 9), "the other column has changed away from the pawn"),
        ("settle persians", _grow_deck, "the temple deck has grown without a destroyed temple"),
        ("migrate persians hittites", _second_migration, "a migration did not move three cards"),
        ("settle persians", swap(0, 4), "a column of the active seat has changed away from the pawn"),
        ("destroy", _second_card, "a power did not take one card of the pawn's column"),
    ],
)
def test_a_change_that_no_action_makes_is_named(text, damage, what):
    assert changed(text, damage) == what


def _another_pawn(state):
    state.pawns[0] = 1


def _give_back(state):
    state.discards[2] -= 1
    state.hands[5 + 2] += 1


def _reveal_more(state):
    state.deck[6] -= 1
    state.stocks[0] += b"\x06"


def _shuffle_some(state):
    state.discards[0] -= 1
    state.people_deck[0] += 1


def test_a_change_outside_the_actions_is_named():
    ended = play(sound(), "end")
    assert changed("reveal 3 1", _another_pawn, ended) == "a column, a temple or a pawn has changed without an action"
    assert changed("reveal 3 1", _reveal_more, ended) == "an end of turn did not turn up two temple cards"
    drawing = position("turn: 8\n0> medes |\n1 persians |", phase="drawing", discards={"assyrians": 3})
    assert changed("draw medes medes persians", _shuffle_some, drawing) == "the discard pile was shuffled in part"
    assert (
        changed("draw medes medes persians", _reveal_more, drawing)
        == "the temple deck has changed outside the actions and the end of a turn"
    )
    halving = play(sound(), "halve assyrians")
    assert changed("discard hittites medes", _give_back, halving) == "not half of a hand was given up"


def test_the_first_turn_is_sound():
    before = first_turn(hand="MMPP")
    for text in ("move medes", "settle persians", "build own", "end", "reveal 4 3"):
        after = play(before, text)
        assert check_invariants(after, before) is None
        before = after
