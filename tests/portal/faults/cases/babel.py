"""Illegal actions in Babel, and why each is refused."""

from __future__ import annotations

from tests.engine.babel.builders import data_from

SEATS = 2
TURN = """
    turn: 8
    0> medes | AAHP
    1  persians | HMMSS
    medes: AAAM 12 | PS 12
    persians: MMM . | MPP 123
    stocks: 4 2 | 3 5
"""
FIRST = """
    turn: 1
    0> quarry | MMP
    1  quarry | 5
"""
RUNS = """
    turn: 8
    0> medes | M
    1  persians | H
    medes: HHHSSSPPP 12 | . .
    stocks: 2 | 1
"""
HALVING = TURN + "\nphase: halving"

CASES = [
    (TURN, 0, "move egyptians", 400, None, "an action in this game"),
    (TURN, 0, "move quarry", 400, None, "an action in this game"),
    (TURN, 0, "settle", 400, None, "an action in this game"),
    (TURN, 0, "build third", 400, None, "an action in this game"),
    (TURN, 0, "migrate medes medes", 400, None, "an action in this game"),
    (TURN, 0, "destroy 1", 400, None, "an action in this game"),
    (TURN, 0, "halve assyrians 99", 400, None, "an action in this game"),
    (TURN, 0, "discard persians assyrians", 400, None, "an action in this game"),
    (TURN, 0, "discard" + " medes" * 61, 400, None, "an action in this game"),
    (TURN, 0, "DESTROY", 400, None, "an action in this game"),
    (TURN, 0, "move sumerians", 422, "move-1", "You don't have this card"),
    (TURN, 0, "move medes", 422, "move-2", "Your pawn is already there. Choose another land"),
    (TURN, 0, "settle medes", 422, "settle-1", "You don't have this card"),
    (TURN, 0, "build own", 422, "build-2", "your temple here needs level 3 next"),
    (TURN, 0, "migrate hittites medes", 422, "migration-3", "Exactly three cards migrate"),
    (TURN, 0, "steal", 422, "powers-1", "You don't have this run in Media"),
    (TURN, 0, "destroy 2", 422, "powers-1", "You don't have this run in Media"),
    (TURN, 0, "expel persians", 422, "powers-1", "You don't have this run in Media"),
    (TURN, 0, "discard assyrians assyrians", 422, "halving-2", "nothing to discard now"),
    (TURN, 0, "draw medes medes medes", 422, "people-1", "This is decided by chance. You can't choose it"),
    (TURN, 0, "reveal 2 1", 422, "people-1", "This is decided by chance. You can't choose it"),
    (TURN, 0, "score", 422, "score-1", "nothing to score now"),
    (TURN, 1, "move hittites", 409, "turn-1", "It's not your turn. Waiting for alice"),
    (TURN, 1, "discard medes medes", 409, "turn-1", "It's not your turn. Waiting for alice"),
    (FIRST, 0, "settle medes", 422, "move-3", "Your pawn is still in the quarry"),
    (FIRST, 0, "build own", 422, "move-3", "Your pawn is still in the quarry"),
    (FIRST, 0, "end", 422, "start-2", "You must build your level 1 on your first turn"),
    (RUNS, 0, "steal", 422, "steal-1", "Your opponent has no temple here"),
    (RUNS, 0, "switch", 422, "switch-1", "Your opponent has no cards here"),
    (RUNS, 0, "skip own", 422, "skip-1", "To skip a level of your temple here, you need level 4"),
    (RUNS, 0, "halve hittites", 422, "halving-3", "Your opponent has fewer than two cards in hand"),
    (HALVING, 1, "discard medes", 422, "halving-1", "Discard exactly 2 people cards"),
    (HALVING, 1, "discard medes medes sumerians", 422, "halving-1", "Discard exactly 2 people cards"),
    (HALVING, 1, "discard hittites hittites", 422, "halving-2", "You don't have this card"),
    (HALVING, 1, "end", 422, "halving-2", "Discard half of your hand first"),
    (HALVING, 0, "end", 409, "halving-2", "bob must discard half of their hand first"),
    (HALVING, 0, "discard assyrians assyrians", 409, "halving-2", "bob must discard half of their hand first"),
]

state_of = data_from
