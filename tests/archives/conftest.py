"""Rows of self-play, and archives of them."""

from __future__ import annotations

from functools import cache

from archives.selfplay import Plan, play
from archives.writing import Writer
from games.registry import game

GAMES_EACH = 3


@cache
def rows_of(key, count=GAMES_EACH, seats=None):
    """Return some games of apprentices, which now and then move at random."""
    rules = game(key)
    plan = Plan(key, ("apprentice",) * (seats or rules.meta.seats[0]), 1, strays=30)
    return [play(rules, plan, number) for number in range(count)]


def written(folder, rows, name="ra-2026-10", key="ra"):
    with Writer(folder, name, game=key, month=name[-7:], source={"kind": "test"}) as out:
        for row in rows:
            out.add(row)
    return out
