"""Babel's bots: what each level answers, from its seat's view alone, and why.

random      any legal action; for measurements only
apprentice  one action at a time by rules of thumb
scribe      plans its whole turn with `search` and judges the position at its end with `evaluation`

No level looks at a clock. Reasons are (key, worth, paragraph); the sentence for a key is in the game's phrases under
"bot." + key, with the value as `points` and `n`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.babel import legality
from games.babel.actions import END, Action, Discard
from games.babel.apprentice import Apprentice
from games.babel.components import LANDS
from games.babel.evaluation import DEFAULT, GROUP_RULES, GROUPS, Outlook, Weights
from games.babel.search import NODES, follow, plan_turn
from games.babel.state import HALVING, SCORING, State
from games.babel.view import View, known_state
from games.core.contract import Choice, Rng

Reason = tuple[str, float, str | None]

LEVELS: Final = ("random", "apprentice", "scribe")
NODES_PER_S: Final = 8_000  # positions that a slow machine judges in a second; converts a budget into a number of positions


def choose_action(view: View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the answer of a bot of `level` for the viewing seat, with the terms it weighed, best first.

    Raises ValueError for an unknown level, or if the seat is not due. A budget limits how many positions the scribe looks
    at; no clock is read.
    """
    if level not in LEVELS:
        raise ValueError(f"no bot {level!r}; known: {', '.join(LEVELS)}")
    if view.seat is None or view.seat != view.due or view.phase not in ("action", "halving"):
        raise ValueError("this seat is not due")
    state = known_state(view)
    legal = legality.legal_actions(state, view.seat)
    if level == "random":
        return Choice(legal[rng.below(len(legal), "bot")])
    if len(legal) == 1:
        return Choice(legal[0], (("only", 0.0, None),))
    if level == "apprentice":
        return Apprentice(view, state, rng).choose(legal)
    nodes = NODES if budget_s is None else max(1, min(NODES, int(budget_s * NODES_PER_S)))
    return Scribe(view, state).choose(legal, nodes)


class Scribe:
    """Plans the turn to its end and answers with the plan's first action."""

    def __init__(self, view: View, state: State, weights: Weights = DEFAULT) -> None:
        assert view.seat is not None
        self.state = state
        self.seat = view.seat
        self.outlook = Outlook(view, state, view.seat, weights)

    def choose(self, legal: Sequence[Action], nodes: int = NODES) -> Choice[Action]:
        if self.state.phase == HALVING:
            return self.give_up(legal[:nodes])
        plan = plan_turn(self.state, self.outlook, nodes)
        if plan.actions:
            return Choice(plan.actions[0], self.reasons(plan.state))
        if END in legal:
            return Choice(END, (("end", 0.0, "babel#turn-4"),))
        action = max(legal, key=lambda action: self.outlook.value(follow(self.state, action)))
        return Choice(action, self.reasons(follow(self.state, action)))

    def give_up(self, ways: Sequence[Action]) -> Choice[Action]:
        """Discard the half that leaves the best position."""
        worth, _, best = max([(self.outlook.value(self.without(way)), -at, way) for at, way in enumerate(ways)])
        return Choice(best, (("keep", round(worth - self.outlook.value(self.state), 1), "babel#halving-2"),))

    def without(self, way: Action) -> State:
        assert isinstance(way, Discard)
        state = self.state.copy()
        for people in way.peoples:
            state.hands[self.seat * LANDS + people] -= 1
        return state

    def reasons(self, end: State) -> list[Reason]:
        """Return what the planned turn changes, group by group, the largest change first."""
        if end.phase == SCORING:
            return [("win", end.scores[self.seat], "babel#end-1")]
        before, after = self.outlook.terms(self.state), self.outlook.terms(end)
        found: list[Reason] = [
            (key, round(now - then, 1), rule)
            for key, then, now, rule in zip(GROUPS, before, after, GROUP_RULES, strict=True)
            if abs(now - then) >= 0.05
        ]
        return sorted(found, key=lambda reason: -abs(reason[1])) or [("nothing", 0.0, None)]
