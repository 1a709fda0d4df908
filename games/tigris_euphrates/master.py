"""The master of Tigris & Euphrates: the scribe's search over its turn, whose best ends are weighed by a learned value as well.

The learned value is the margin of the weakest colour over the best rival's at the end of the game (`features`, `learner`). It looks
at the ends of turns alone: answers in conflicts and elsewhere are the scribe's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.choosing import near
from games.core.contract import Choice, Rng
from games.core.net import Net
from games.tigris_euphrates.actions import Action, Catastrophe, Pass, Swap
from games.tigris_euphrates.features import features
from games.tigris_euphrates.reasons import MOST, explained
from games.tigris_euphrates.scribe import Option, Scribe
from games.tigris_euphrates.search import Branch
from games.tigris_euphrates.state import ACTION, State
from games.tigris_euphrates.view import View

FIRST: Final = 18  # first actions of a turn that are followed up
RUIN: Final = 2  # catastrophes that are followed up as well, because the scribe seldom thinks well of one
KEPT: Final = 6  # second actions that are weighed after each of them and each of its outcomes
BY_HAND: Final = 0.5  # what a point of the scribe's worth counts beside a point of the learned margin
NEAR: Final = 0.02  # by how much a turn may fall short of the best and still be played

End = tuple[float, int, float]  # chance, row of features, the scribe's worth
Way = list[End]  # what a second action may lead to
Plan = list[tuple[float, list[Way]]]  # for each outcome of a first action its chance, and what may follow


class Master:
    """Weighs the ends of the turns that the scribe thinks best. Thought is bounded by numbers; a budget only ends it early."""

    def __init__(self, view: View, state: State, net: Net, rng: Rng, budget_s: float | None = None) -> None:
        self.state = state
        self.net = net
        self.rng = rng
        self.scribe = Scribe(view, state, rng, budget_s=budget_s)
        self.outlook = self.scribe.outlook
        self.rows: list[list[float]] = []  # features of the ends of turns

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        return self.turn() if self.state.phase == ACTION else self.scribe.choose(legal)

    def turn(self) -> Choice[Action]:
        look, state = self.scribe.look, self.state
        found: list[Option] = []
        for action in look.candidates(state):
            branches = look.after(state, action)
            found.append((look.mean(branches), action, branches))
            if self.scribe.is_late():
                break
        found.sort(key=lambda option: -option[0])
        known = {action: worth for worth, action, _ in found}
        found = found[:FIRST] + [option for option in found[FIRST:] if isinstance(option[1], Catastrophe)][:RUIN]
        plans: list[Plan] = []
        for _, action, branches in found:
            plans.append(self.plan(action, branches, known))
            if self.scribe.is_late():
                break
        margins = [float(margin) for margin in self.net.values(self.rows)]
        weighed = [self.worth(plan, margins) for plan in plans]
        at = near([worth for worth, _ in weighed], NEAR, self.rng)
        _, action, branches = found[at]
        why = explained(self.outlook, state, action, branches, [(1.0, state)])[: MOST - 1]
        others = [margin for place, (_, margin) in enumerate(weighed) if place != at]
        if others:
            why.append(("learned", round(weighed[at][1] - max(others), 1), "tigris_euphrates#scoring-2"))
        ranked = sorted([(other, round(weighed[place][0], 3)) for place, (_, other, _) in enumerate(found[: len(plans)])], key=_worth)
        return Choice(action, why, ranked)

    def plan(self, first: Action, branches: list[Branch], known: dict[Action, float]) -> Plan:
        """Return what may follow a first action, keeping the features of every end."""
        look = self.scribe.look
        found: Plan = []
        for part, state in branches:
            if isinstance(first, Pass | Swap) or state.phase != ACTION or state.active != self.outlook.seat:
                found.append((part, [self.ends([(1.0, state)])]))
                continue
            options = look.candidates(state)
            old = sorted([action for action in options if action in known], key=lambda action: -known[action])
            seconds: list[tuple[float, list[Branch]]] = []
            for action in old[: self.outlook.weights.breadth] + [action for action in options if action not in known]:
                ends = look.after(state, action)
                seconds.append((look.mean(ends), ends))
                if self.scribe.is_late():
                    break
            seconds.sort(key=lambda option: -option[0])
            found.append((part, [self.ends(ends) for _, ends in seconds[:KEPT]]))
        return found

    def ends(self, branches: list[Branch]) -> Way:
        whole = sum([part for part, _ in branches])
        found = []
        for part, state in branches:
            found.append((part / whole, len(self.rows), self.outlook.value(state)))
            self.rows.append(features(self.outlook, state))
        return found

    def worth(self, plan: Plan, margins: Sequence[float]) -> tuple[float, float]:
        """Return what a plan is worth with the best that may follow, and the learned margin alone."""
        worth = margin = whole = 0.0
        for part, ways in plan:
            weighed = [(sum([p * (margins[row] + BY_HAND * by_hand) for p, row, by_hand in way]), way) for way in ways]
            best, way = max(weighed, key=lambda option: option[0])
            worth += part * best
            margin += part * sum([p * margins[row] for p, row, _ in way])
            whole += part
        return worth / whole, margin / whole


def _worth(option: tuple[Action, float]) -> float:
    return -option[1]
