"""What a game says of a position file that it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.contract import AnyGame, PositionError
from games.core.rng import SeededRng


def refused(game: AnyGame, data: Any, *, complete: bool = False) -> str:
    """Return the field that is named when a position is refused, in one line; `complete`: a part of one."""
    with pytest.raises(PositionError) as error:
        game.complete(data, SeededRng(1)) if complete else game.state_from_json(data)
    message = str(error.value)
    assert "\n" not in message
    return message.split(":")[0]
