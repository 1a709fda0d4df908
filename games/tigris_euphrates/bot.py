"""The bots of Tigris & Euphrates: what each level answers, from its seat's view alone, and why.

random      any legal action; for measurements only
apprentice  one action at a time: points now, the weakest colours first; sees strengths on the board, guesses at hands
scribe      weighs positions with `evaluation`, looks ahead over both actions of its turn, and takes the odds into account

No level looks at a clock unless it is given a time budget, so the same view and generator give the same answer. Reasons are
(key, worth, paragraph); the sentence for a key is in the game's phrases under "bot." + key, with the value as `points`
and `n`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from games.core.contract import Choice, Rng
from games.tigris_euphrates import legality
from games.tigris_euphrates.actions import Action, Pass, Swap
from games.tigris_euphrates.apprentice import Apprentice
from games.tigris_euphrates.evaluation import DEFAULT, GROUP_RULES, GROUPS, Outlook, Weights
from games.tigris_euphrates.odds import chance
from games.tigris_euphrates.search import Branch, Lookahead
from games.tigris_euphrates.state import ACTION, ATTACK, DEFENCE, State
from games.tigris_euphrates.strengths import conflict_strengths
from games.tigris_euphrates.view import View, known_state

Reason = tuple[str, float, str | None]
Option = tuple[float, Action, list[Branch]]  # worth, action, where it leads

RULE: Final = "tigris_euphrates#"
LEVELS: Final = ("random", "apprentice", "scribe")


def choose_action(view: View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the answer of a bot of `level` for the viewing seat, with the terms it weighed, best first.

    `budget_s` is for the scribe, which answers with the best found by then. Raises ValueError for an unknown level, or if
    the seat is not due.
    """
    if level not in LEVELS:
        raise ValueError(f"no bot {level!r}; known: {', '.join(LEVELS)}")
    if view.seat is None or view.seat != view.due or view.phase == "drawing":
        raise ValueError("this seat is not due")
    state = known_state(view)
    legal = legality.legal_actions(state, view.seat)
    if level == "random":
        return Choice(legal[rng.below(len(legal), "bot")])
    if len(legal) == 1:
        return Choice(legal[0], (("only", 0.0, None),))
    if level == "apprentice":
        return Apprentice(view, state, rng).choose(legal)
    return Scribe(view, state, budget_s=budget_s).choose(legal)


class Scribe:
    """Weighs every answer by the position it leads to, in points of the weakest colour."""

    def __init__(
        self,
        view: View,
        state: State,
        weights: Weights = DEFAULT,
        budget_s: float | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        assert view.seat is not None
        self.clock = clock
        self.until = None if budget_s is None else clock() + budget_s
        self.state = state
        self.seat = view.seat
        self.weights = weights
        self.outlook = Outlook(view, state, view.seat, weights)
        self.look = Lookahead(self.outlook)

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        if self.state.phase == ACTION:
            return self.turn()
        found = [
            (self.look.mean(branches), action, branches)
            for action in self.answers(legal)
            for branches in (self.look.after(self.state, action),)
        ]
        found.sort(key=lambda option: -option[0])
        _, action, branches = found[0]
        if len(found) > 1:
            return Choice(action, self.reasons(branches, found[1][2]))
        attack, defence = conflict_strengths(self.state)
        short = defence - attack - self.state.added if self.seat == self.state.defender else attack - defence
        return Choice(action, (("strength", float(short), f"{RULE}conflicts-4"),))

    def answers(self, legal: Sequence[Action]) -> list[Action]:
        """Return the answers worth considering: a defender adds just enough or nothing, an attacker nothing if there is no hope."""
        state = self.state
        if state.phase not in (ATTACK, DEFENCE):
            return list(legal)
        attack, defence = conflict_strengths(state)
        if state.phase == DEFENCE:
            need = max(0, attack + state.added - defence)
            return [legal[0], legal[need]] if 0 < need < len(legal) else [legal[0]]
        odds = self.outlook.odds_now[state.defender][legality.support_kind(state)]
        return [legal[0], *[action for count, action in enumerate(legal) if count and chance(odds, attack + count - defence) < 1]]

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
        _, action, branches = found[0]
        return Choice(action, self.reasons(branches, [(1.0, state)]))

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

    def reasons(self, branches: list[Branch], instead: list[Branch]) -> list[Reason]:
        """Return what an answer changes compared with another or with the present, group by group, the largest change first."""
        changes = [now - then for now, then in zip(self.profile(branches), self.profile(instead), strict=True)]
        steps = [changes[0]] + [changes[at] - changes[at - 1] for at in range(1, len(GROUPS))]
        found: list[Reason] = [
            (key, round(step, 1), rule) for key, step, rule in zip(GROUPS, steps, GROUP_RULES, strict=True) if abs(step) >= 0.05
        ]
        return sorted(found, key=lambda reason: -abs(reason[1])) or [("nothing", 0.0, None)]

    def profile(self, branches: list[Branch]) -> list[float]:
        """Return the average worth of positions with the groups added one after another, as running totals."""
        mean = [0.0] * len(GROUPS)
        whole = sum([part for part, _ in branches])
        for part, state in branches:
            groups: list[float] = []
            self.outlook.value(state, groups)
            mean = [total + part / whole * worth for total, worth in zip(mean, groups, strict=True)]
        return mean
