"""Positions of a study, worked out by the engine from its first position; nothing of them comes from a reader.

All draws are determined. A move's *key* is a digest of its parent's key, its seat, its action and how often it was drawn for; the first key is the
study's secret seed. Chance after a move draws from a generator seeded by its key, so a line shows the same draws to everybody and whenever it is
played again, and nobody can choose them. Another draw for the same action is another move with another number of draw, and another key.

A position follows from its key. So positions are kept in the process by their keys, and a page usually plays one move or none.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from typing import Any, Final

from games.core.contract import CHANCE, SCORER, ActionFormatError, AnyGame, Event, IllegalAction, PositionError
from games.core.records import start_of_position
from games.core.rng import SeededRng
from games.registry import game
from portal.studies import refusals
from portal.studies.models import Move, Study

MAX_KEPT: Final = 1_000  # positions in a process, some kilobytes each
_kept: OrderedDict[str, Any] = OrderedDict()
_lock = Lock()

Told = list[tuple[int, Event]]  # what happened: each with the actor


@dataclass(frozen=True, slots=True)
class Tree:
    """The moves of a study by their numbers, each with those after it in order; the start is 0."""

    moves: Mapping[int, Move]
    after: Mapping[int, Sequence[int]]
    before: Mapping[int, int]

    def require(self, number: int) -> None:
        """Raises NoSuchMove."""
        if number and number not in self.moves:
            raise refusals.NoSuchMove

    def path(self, number: int) -> list[Move]:
        """Return the moves from the start to one, which is the last. Raises NoSuchMove."""
        self.require(number)
        found: list[Move] = []
        while number:
            found.append(self.moves[number])
            number = self.before[number]
        return found[::-1]

    def below(self, number: int) -> list[int]:
        """Return the numbers of a move and of all moves after it."""
        found = [number]
        for other in found:  # it grows meanwhile
            found += self.after.get(other, ())
        return found

    def beside(self, number: int) -> Sequence[int]:
        """Return a move and its alternatives, in order."""
        return self.after[self.before[number]]


def tree_of(moves: Sequence[Move]) -> Tree:
    """Return the tree of a study's moves."""
    numbers = {move.pk: move.number for move in moves}
    before = {move.number: numbers.get(move.parent_id or 0, 0) for move in moves}
    after: dict[int, list[int]] = {}
    for move in sorted(moves, key=lambda move: (move.rank, move.number)):
        after.setdefault(before[move.number], []).append(move.number)
    return Tree({move.number: move for move in moves}, after, before)


def next_key(key: str, seat: int, text: str, draw: int) -> str:
    """Return the key of a move after the one with a key."""
    return sha256(f"{key} {seat} {draw} {text}".encode()).hexdigest()


def key_of(study: Study, path: Sequence[Move]) -> str:
    """Return the key of the last move of a path, or the first key."""
    key = study.seed
    for move in path:
        key = next_key(key, move.seat, move.text, move.draw)
    return key


def state_after(study: Study, path: Sequence[Move]) -> Any:
    """Return the state after the moves of a path. Raises LineLost if today's rules refuse one."""
    keys = [study.seed]
    for move in path:
        keys.append(next_key(keys[-1], move.seat, move.text, move.draw))
    at = len(path)
    while at and keys[at] not in _kept:
        at -= 1
    state = _kept.get(keys[at])
    if state is None:
        state = _first(study)
        _keep(keys[0], state)
    for place in range(at, len(path)):
        move = path[place]
        try:
            state, _told = play(game(study.game), state, move.seat, move.text, keys[place + 1])
        except (IllegalAction, ActionFormatError, refusals.SeatNotDue):
            raise refusals.LineLost from None
        _keep(keys[place + 1], state)
    return state


def play(rules: AnyGame, state: Any, seat: int, text: str, key: str) -> tuple[Any, Told]:
    """Return the state after a seat's action and all that follows by itself, and what happened.

    Raises SeatNotDue, IllegalAction and ActionFormatError.
    """
    if seat < 0 or seat not in rules.actors(state):
        raise refusals.SeatNotDue
    after, events = rules.apply(state, seat, rules.parse_action(text))
    told: Told = [(seat, event) for event in events]
    return settled(rules, after, key, told), told


def settled(rules: AnyGame, state: Any, key: str, told: Told) -> Any:
    """Let chance draw and points be scored, and give answers that are the only legal one as tables do, until a seat decides or the game is over."""
    rng = SeededRng(key)
    while due := rules.actors(state):
        actor, action = due[0], None
        if actor == CHANCE:
            action = rules.sample_chance(state, rng)
        elif actor == SCORER:
            action = rules.legal_actions(state, SCORER)[0]
        else:
            actor, action = next(((seat, only) for seat in due if (only := _only(rules, state, seat)) is not None), (actor, None))
        if action is None:
            break
        state, events = rules.apply(state, actor, action)
        told += [(actor, event) for event in events]
    return state


def _only(rules: AnyGame, state: Any, seat: int) -> Any | None:
    """Return the only answer of a seat, if tables give it without asking."""
    if not rules.meta.automatic:
        return None
    legal = rules.legal_actions(state, seat)
    return legal[0] if len(legal) == 1 and str(legal[0]).split(" ", 1)[0] in rules.meta.automatic else None


def _first(study: Study) -> Any:
    try:
        rules, state = start_of_position(study.position, game)
    except PositionError:
        raise refusals.LineLost from None
    return settled(rules, state, study.seed, [])


def _keep(key: str, state: Any) -> None:
    with _lock:
        _kept[key] = state
        _kept.move_to_end(key)
        while len(_kept) > MAX_KEPT:
            _kept.popitem(last=False)
