"""What may be studied, and from which position.

A game that is over and revealed is studied as it was. The reader's own practice table may be studied while it runs: nobody else is concerned,
but the bots' hands, the supplies and the order of what will be drawn are still hidden, and a study must not show them. So its position is made
from what the reader's seat saw at that step and nothing else: everything hidden is dealt again.
"""

from __future__ import annotations

import secrets
from typing import Any

from games.core.rng import SeededRng
from portal.tables import refusals
from portal.tables.replay import Replay
from portal.tables.why import is_own_practice


def may_study(replay: Replay) -> bool:
    return replay.may_choose or is_own_practice(replay.page)


def position_of(replay: Replay, step: int) -> Any:
    """Return the position of a step to play on from. Raises NotRevealed, NoSuchStep, and NothingToStudy where nothing is left to decide."""
    if not may_study(replay):
        raise refusals.NotRevealed
    if step > replay.count:
        raise refusals.NoSuchStep
    state, game = replay.state(step), replay.loaded.game
    if not game.actors(state):
        raise refusals.NothingToStudy
    if replay.may_choose:
        return state
    return game.sample_state(game.view_for(state, replay.seat), SeededRng(secrets.token_hex()))
