"""Player counts and options are checked in one place, for every set-up."""

from __future__ import annotations

import pytest

from games.core.contract import PositionError
from games.core.options import SetupError, full_options
from games.registry import GAMES, game
from tests.engine.played import only_in_plain_python

every_game = pytest.mark.parametrize("key", GAMES)


@every_game
@pytest.mark.parametrize("seats", [-1, 0, 1, 7, 99, True, 3.0, "3", None, [3]])
def test_no_game_is_set_up_for_other_seat_counts_than_its_own(key, seats):
    if not isinstance(seats, int):
        only_in_plain_python(key)
    with pytest.raises(SetupError, match=r"^seats: .* is not possible; .* has \d"):
        game(key).setup(seats, {})


@every_game
@pytest.mark.parametrize("value", [None, "", "never", 0, 1, -1, 1.0, [], {}, "x" * 9999])
def test_no_game_is_set_up_with_an_option_that_it_does_not_have(key, value):
    rules = game(key)
    seats = rules.meta.seats[0]
    for spec in rules.meta.options:
        with pytest.raises(SetupError, match=f"^options.{spec.key}: .* is not one of ") as refused:
            rules.setup(seats, {spec.key: value})
        assert len(str(refused.value)) < 200
    with pytest.raises(SetupError, match=f"^options: 'colour' is not an option of {rules.meta.title}$"):
        rules.setup(seats, {"colour": value})


@every_game
def test_options_that_are_left_out_have_their_default(key):
    rules = game(key)
    defaults = {spec.key: spec.default for spec in rules.meta.options}
    assert full_options(rules.meta, {}) == defaults
    for seats in rules.meta.seats:
        assert rules.setup(seats, {}) == rules.setup(seats, defaults)
        assert rules.state_to_json(rules.setup(seats, {}))["options"] == defaults
    assert issubclass(SetupError, PositionError)
