"""The scribe of Tigris & Euphrates: weighs positions, looks ahead over both actions of its turn, and takes the odds into account."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from games.core.choosing import near
from games.core.contract import Choice, Rng
from games.tigris_euphrates.actions import Action, Pass, Swap
from games.tigris_euphrates.evaluation import DEFAULT, Outlook, Weights
from games.tigris_euphrates.reasons import explained, margin
from games.tigris_euphrates.search import Branch, Lookahead
from games.tigris_euphrates.state import ACTION, State
from games.tigris_euphrates.view import View

Option = tuple[float, Action, list[Branch]]  # worth, action, where it leads

NEAR: Final = 0.02  # points by which an answer may fall short of the best and still be given


class Scribe:
    """Weighs every answer by the position it leads to, in points of the weakest colour."""

    def __init__(
        self,
        view: View,
        state: State,
        rng: Rng,
        weights: Weights = DEFAULT,
        budget_s: float | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        assert view.seat is not None
        self.clock = clock
        self.until = None if budget_s is None else clock() + budget_s
        self.state = state
        self.seat = view.seat
        self.rng = rng
        self.weights = weights
        self.outlook = Outlook(view, state, view.seat, weights)
        self.look = Lookahead(self.outlook)

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        if self.state.phase == ACTION:
            return self.turn()
        found = [
            (self.look.mean(branches), action, branches)
            for action in self.look.answers(self.state, legal)
            for branches in (self.look.after(self.state, action),)
        ]
        found.sort(key=lambda option: -option[0])
        if len(found) == 1:
            return Choice(found[0][1], [margin(self.state, found[0][1])])
        return self.best(found, found[1][2])

    def best(self, found: list[Option], instead: list[Branch] | None = None) -> Choice[Action]:
        """Return the best of some options, best first, or another one as good; its reasons compare it with the present or `instead`."""
        at = near([worth for worth, _, _ in found], NEAR, self.rng)
        _, action, branches = found[at]
        if instead is None:
            instead = [(1.0, self.state)]
        elif at:
            instead = found[0][2]
        return Choice(
            action, explained(self.outlook, self.state, action, branches, instead), [(other, round(worth, 3)) for worth, other, _ in found]
        )

    def is_late(self) -> bool:
        return self.until is not None and self.clock() >= self.until

    def turn(self) -> Choice[Action]:
        look, state = self.look, self.state
        found: list[Option] = []
        for action in look.candidates(state):
            branches = look.after(state, action)
            found.append((look.mean(branches), action, branches))
            if self.is_late():
                break
        found.sort(key=lambda option: -option[0])
        if state.actions_left > 1:
            known = {action: worth for worth, action, _ in found}
            deeper: list[Option] = []
            for worth, action, branches in found[: self.weights.beam]:
                if self.is_late():
                    break
                deeper.append((self.second(action, worth, branches, known), action, branches))
            found = sorted(deeper, key=lambda option: -option[0]) or found
        return self.best(found)

    def second(self, first: Action, worth: float, branches: list[Branch], known: dict[Action, float]) -> float:
        """Return what the turn is worth after a first action, including the best second one."""
        if isinstance(first, Pass | Swap):
            return worth
        look = self.look
        total = whole = 0.0
        for part, state in branches:
            best = -1e9
            if state.phase != ACTION or state.active != self.seat:
                best = self.outlook.value(state)
            else:
                options = look.candidates(state)
                old = sorted([action for action in options if action in known], key=lambda action: -known[action])[: self.weights.breadth]
                new = [action for action in options if action not in known]
                for action in old + new:
                    best = max(best, look.worth(state, action))
                    if self.is_late():
                        break
            total += part * best
            whole += part
        return total / whole
