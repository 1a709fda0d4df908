"""The State of every game: what a copy shares, what makes two positions differ, and what a field may hold."""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

import pytest

from games.core.bench import positions
from games.core.compact import Compact, compact
from games.registry import GAMES
from tests.engine.played import only_in_plain_python


class Pair(NamedTuple):
    first: int
    second: tuple[bytes, ...]


class Loose(NamedTuple):
    items: list[int]


@compact(derived=("sum",), unordered=("bag",))
class Sample(Compact):
    """A state."""

    count: int
    pair: Pair | None
    bag: list[Pair]
    track: bytearray
    sum: int

    def __repr__(self) -> str:
        return f"<Sample {self.count}>"


def sample() -> Sample:
    new = Sample.__new__(Sample)
    new.count, new.pair, new.bag, new.track, new.sum = 1, Pair(1, (b"x",)), [Pair(2, ()), Pair(3, ())], bytearray(b"ab"), 5
    return new


def test_a_state_has_slots_and_keeps_its_name_and_methods():
    state = sample()
    assert Sample.__slots__ == ("count", "pair", "bag", "track", "sum")
    with pytest.raises(AttributeError):
        state.other = 1
    assert (Sample.__name__, Sample.__module__, Sample.__doc__, repr(state)) == ("Sample", __name__, "A state.", "<Sample 1>")
    assert (Sample.copy.__qualname__, Sample.copy.__doc__) == ("Sample.copy", Compact.copy.__doc__)
    assert pickle.loads(pickle.dumps(state)) == state
    with pytest.raises(TypeError):
        hash(state)


def test_a_copy_shares_what_cannot_change_and_nothing_else():
    state = sample()
    copy = state.copy()
    assert type(copy) is Sample and copy == state
    assert copy.pair is state.pair
    assert copy.bag is not state.bag
    assert copy.track is not state.track


def test_positions_are_equal_by_all_fields_but_those_that_follow():
    state = sample()
    for name, value in {"count": 2, "pair": None, "bag": [Pair(2, ())], "track": bytearray(b"ba")}.items():
        other = state.copy()
        setattr(other, name, value)
        assert other != state, name
    other = state.copy()
    other.sum, other.bag = 6, other.bag[::-1]
    assert other == state
    assert state != "state"


@pytest.mark.parametrize(
    "kind", [list[list[int]], dict[int, int], list[bytearray], list, set[int], Any, Loose, tuple[int, Loose], list[int] | None]
)
def test_a_field_that_nobody_knows_how_to_copy_is_refused(kind):
    with pytest.raises(TypeError, match=r"Odd\.field: no way to copy"):
        compact()(type("Odd", (Compact,), {"__annotations__": {"field": kind}, "__module__": __name__, "__qualname__": "Odd"}))


def changeable(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(map(changeable, value))
    return not isinstance(value, int | str | bytes | float | type(None))


@pytest.mark.parametrize("key", GAMES)
def test_copies_of_the_positions_of_a_game_share_nothing_changeable(key):
    only_in_plain_python(key)  # a compiled class has no slots
    game = GAMES[key].game
    filled = set()
    for state, _, _ in positions(game, game.meta.seats[-1]):
        copy = state.copy()
        assert copy == state
        for name in state.__slots__:
            value, twin = getattr(state, name), getattr(copy, name)
            if changeable(value):
                assert twin is not value, name
                assert twin == value
                assert not any(map(changeable, value)), name  # a slice is deep enough
            else:
                assert twin is value, name
            if value:
                filled.add(name)
    assert len(filled) > len(state.__slots__) // 2


@pytest.mark.parametrize("key", GAMES)
def test_every_field_of_a_position_counts_in_equality(key):
    game = GAMES[key].game
    follows = {"tigris_euphrates": {"edges", "touched"}}.get(key, set())
    state = positions(game, game.meta.seats[-1])[20][0]
    for name in state.__slots__:
        other = state.copy()
        value = getattr(other, name)
        setattr(other, name, value + type(value)([0]) if isinstance(value, list | bytearray) else ("other",))
        assert (other == state) == (name in follows), name
