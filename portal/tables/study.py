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


def may_study(replay: Replay) -> bool:
    return replay.may_choose or is_own_practice(replay)


def is_own_practice(replay: Replay) -> bool:
    """Whether this is a running game of the reader that counts for nothing, at which nobody else sits."""
    page, table = replay.page, replay.loaded.table
    if page.my_seat is None or page.status != "playing" or page.is_rated or table.duplicate_id is not None:
        return False
    me = replay.loaded.seats[page.my_seat].user_id
    return all(seat.user_id in (None, me) for seat in page.seats) or table.by_hand


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
