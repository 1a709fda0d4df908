"""The best way to play a turn of Babel: a beam search over the positions that its actions lead to.

On a seat's own turn nothing is hidden except which cards its opponent discards; so a halving is played as so many cards fewer,
and a turn is a sequence of certain steps. The turn may end at any position; the search keeps the best. Positions to follow
further are ranked by their worth and by what they still promise.

Rules: babel#turn-3, #halving-1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.babel import legality, rules
from games.babel.actions import END, Action, Migrate, Move, Power
from games.babel.components import LANDS
from games.babel.evaluation import Outlook
from games.babel.promise import Promises
from games.babel.state import ACTION, HALVING, QUARRY, SCORING, State, hand_count, height

WIDTH: Final = 32
CHILDREN: Final = 120  # positions after which a depth is closed; the lines that are left out are the least promising ones
DEPTH: Final = 24
NODES: Final = 8000  # positions looked at, at most
NO_END: Final = -1e9  # of a line that may not end where it is

Key = tuple[object, ...]
Node = tuple[float, int, State, tuple[Action, ...], int]  # rank, a number unique to the node, position, actions so far, its line
RAISING: Final = ("skip", "steal")


class Line:
    """The best end of the turn that a search found for one first action: the actions that lead to it, the position, and its worth."""

    __slots__ = ("actions", "state", "worth")

    def __init__(self, worth: float, state: State, actions: tuple[Action, ...]) -> None:
        self.worth = worth
        self.state = state
        self.actions = actions

    @property
    def first(self) -> Action:
        """The first action; END if the turn ends at once."""
        return self.actions[0] if self.actions else END


class Plan(Line):
    """The best line of all, and the best for each first action, best first; a position reached in two orders counts for one of them."""

    __slots__ = ("lines",)

    def __init__(self, best: Line, lines: Sequence[Line]) -> None:
        super().__init__(best.worth, best.state, best.actions)
        self.lines = sorted(lines, key=lambda line: -line.worth)


@dataclass(frozen=True, slots=True)
class Breadth:
    """How far a search goes."""

    nodes: int = NODES
    width: int = WIDTH
    children: int = CHILDREN
    depth: int = DEPTH


BREADTH: Final = Breadth()


def follow(state: State, action: Action) -> State:
    """Return the position after an action of the seat whose turn it is; half of the opponent's hand is gone if it was halved."""
    new = state.copy()
    rules.step(new, action, None)
    if new.phase == HALVING:
        give_up(new)
    return new


def give_up(state: State) -> None:
    """Take half of the cards from a hand of which only the size is known."""
    rival = 1 - state.active
    base = rival * LANDS
    left = hand_count(state, rival) - hand_count(state, rival) // 2
    state.hands[base : base + LANDS] = [left] + [0] * (LANDS - 1)
    state.phase = ACTION
    state.due = state.active


def plan_turn(state: State, outlook: Outlook, breadth: Breadth = BREADTH) -> Plan:
    """Return the best plan found from `state` on; its actions are empty if ending at once is best."""
    seat = outlook.seat
    value, promise = outlook.value, Promises(outlook).best
    owes = legality.owes_first_level
    best = at_once = Line(NO_END if owes(state, seat) else value(state), state, ())
    lines: list[Line] = []
    frontier: list[Node] = [(best.worth, 0, state, (), -1)]
    seen: set[Key] = {_key(state, seat, None)}
    looked = 0
    for depth in range(breadth.depth):
        found: list[Node] = []
        limit = looked + breadth.children
        for _, _, old, path, line in frontier:
            for action in _steps(old, seat, path[-1] if path else None):
                new = follow(old, action)
                key = _key(new, seat, action)
                if key in seen:
                    continue
                seen.add(key)
                looked += 1
                worth = value(new)
                if not depth:
                    line = len(lines)
                    lines.append(Line(NO_END, new, (action,)))
                if worth > lines[line].worth and (new.phase == SCORING or not owes(new, seat)):
                    lines[line] = end = Line(worth, new, (*path, action))
                    if worth > best.worth:
                        best = end
                    if new.phase == SCORING:
                        return Plan(best, _complete(lines, at_once))
                if type(action) is not Migrate or new.pawns[seat] in (action.source, action.target):
                    found.append((worth + promise(new), -looked, new, (*path, action), line))
            if looked >= breadth.nodes:
                return Plan(best, _complete(lines, at_once))
            if looked >= limit:
                break
        if not found:
            break
        found.sort(key=_rank, reverse=True)
        frontier = found[: breadth.width]
    return Plan(best, _complete(lines, at_once))


def _complete(lines: Sequence[Line], at_once: Line) -> list[Line]:
    """Return the lines that end the turn as they may."""
    return [line for line in (at_once, *lines) if line.worth > NO_END]


def _steps(state: State, seat: int, last: Action | None) -> list[Action]:
    """Return the actions worth following after `last`; one of several equivalent orders is enough.

    What can be built is built first, unless that level could be stolen. Halving comes last in a land. The pawn does not move
    twice in a row. A migration that does not involve the pawn's land could wait until it does, so `plan_turn` follows it no further.
    """
    pawn = state.pawns[seat]
    if pawn != QUARRY:
        built = legality.builds(state, seat)
        if built and height(state.temples[(1 - seat) * LANDS + pawn]) != height(state.temples[seat * LANDS + pawn]) + 1:
            return built + [action for action in legality.powers(state, seat) if type(action) is Power and action.verb in RAISING]
    actions = legality.legal_actions(state, seat)
    if actions and actions[-1] is END:
        actions.pop()
    if type(last) is Move:
        return [action for action in actions if type(action) is not Move]
    if _is_halving(last):
        return [action for action in actions if type(action) is Move or type(action) is Migrate or _is_halving(action)]
    return actions


def _is_halving(action: Action | None) -> bool:
    return type(action) is Power and action.verb == "halve"


def _rank(node: Node) -> tuple[float, int]:
    return node[:2]


def _key(state: State, seat: int, last: Action | None) -> Key:
    base = seat * LANDS
    return (
        state.pawns[seat],
        state.migrated,
        tuple(state.hands[base : base + LANDS]),
        tuple(state.columns),
        tuple(state.temples),
        tuple(state.stocks),
        sum(state.hands),
        type(last) is Move,
        _is_halving(last),
    )
