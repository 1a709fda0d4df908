"""Babel's bots: what each level answers, from its seat's view alone, and why.

random      any legal action; for measurements only
apprentice  one action at a time by rules of thumb
journeyman  plans a few steps and judges hastily: see `journeyman`
scribe      plans its whole turn with `search` and judges the position at its end with `evaluation`
master      searches four times as wide, judges with corrections learned from games (`master`), and plays on from the best ends of its turn
            (`playouts`)
quick       a scribe that follows few lines and misjudges a little: plays the games that the master learns from, and is not offered

All but the apprentice choose by the table's generator among lines of nearly equal worth. No level looks at a clock. Reasons are (key, worth,
paragraph); the sentence for a key is in the game's phrases under "bot." + key, with the value as `points` and `n`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.babel import legality
from games.babel.actions import Action, Discard
from games.babel.apprentice import Apprentice
from games.babel.components import LANDS, PEOPLES, SEATS
from games.babel.evaluation import DEFAULT, GROUP_RULES, GROUPS, Outlook
from games.babel.journeyman import GLANCE, Glance
from games.babel.learner import LEARNER
from games.babel.master import QUICK, WIDE, Experience, known_corrections
from games.babel.meta import META
from games.babel.playouts import PLAYOUTS, PLAYOUTS_PER_S, Playouts
from games.babel.prompt import target
from games.babel.search import BREADTH, NODES, Breadth, Line, follow, plan_turn
from games.babel.state import HALVING, SCORING, State
from games.babel.view import View, known_state
from games.core.choosing import near
from games.core.contract import Choice, Rng
from games.core.learner import net_for

Reason = tuple[str, float, str | None]

LEVELS: Final = ("random", "quick", *META.bot_levels)
NODES_PER_S: Final = 8_000  # positions that a slow machine judges in a second; converts a budget into a number of positions
NEAR: Final = 0.04  # lines that differ by no more points than this are as good as equal
LEAST_SAID: Final = 0.05  # points from which a group is mentioned
MOST_SAID: Final = 5  # groups mentioned
SLIP: Final = 0.4  # the most by which `quick` misjudges a position, in points


def choose_action(view: View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the answer of a bot of `level` for the viewing seat, with the terms it weighed, best first.

    Raises ValueError for an unknown level, or if the seat is not due. A budget limits how many positions scribe and master
    look at, and how often a master plays on; no clock is read.
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
        choice = Apprentice(view, state, rng).choose(legal)
        return replace(choice, marks=marks_of(choice.action))
    if level == "journeyman":
        return Scribe(state, Glance(view, state, view.seat, rng), rng, GLANCE).choose(legal)
    nodes = NODES if budget_s is None else max(1, min(NODES, int(budget_s * NODES_PER_S)))
    if level == "quick":
        return Scribe(state, Glance(view, state, view.seat, rng, DEFAULT, SLIP), rng, QUICK).choose(legal)
    if level == "master" and (net := net_for(LEARNER, SEATS[0])) is not None:
        learned = known_corrections(net)
        most = PLAYOUTS if budget_s is None else min(PLAYOUTS, int(budget_s * PLAYOUTS_PER_S))
        playouts = Playouts(view, view.seat, learned, rng, most)
        return Scribe(state, Experience(view, state, view.seat, learned), rng, replace(WIDE, nodes=nodes), playouts).choose(legal)
    return Scribe(state, Outlook(view, state, view.seat), rng, replace(BREADTH, nodes=nodes)).choose(legal)


class Scribe:
    """Plans the turn to its end, has playouts judge the best ends if there are any, and answers with the plan's first action."""

    def __init__(self, state: State, outlook: Outlook, rng: Rng, breadth: Breadth = BREADTH, playouts: Playouts | None = None) -> None:
        self.state = state
        self.seat = outlook.seat
        self.outlook = outlook
        self.rng = rng
        self.breadth = breadth
        self.playouts = playouts

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        if self.state.phase == HALVING:
            return self.give_up(legal[: self.breadth.nodes])
        lines = plan_turn(self.state, self.outlook, self.breadth).lines
        if not lines:  # no line builds the first level in time
            lines = [Line(self.outlook.value(new), new, (action,)) for action in legal for new in (follow(self.state, action),)]
            lines.sort(key=lambda line: -line.worth)
        if self.playouts is not None:
            lines = self.playouts.judged(lines)
        line = lines[near([line.worth for line in lines], NEAR, self.rng)]
        reasons: list[Reason] = self.reasons(line) if line.actions else [("end", 0.0, "babel#turn-4")]
        if self.playouts is not None and line.first in self.playouts.found:
            reasons.insert(0, ("played", float(round(100 * self.playouts.found[line.first])), "babel#end-1"))
        return Choice(
            line.first, tuple(reasons[:MOST_SAID]), tuple([(line.first, round(line.worth, 2)) for line in lines]), self.marks(line)
        )

    def give_up(self, ways: Sequence[Action]) -> Choice[Action]:
        """Discard the half that leaves the best position."""
        held = self.outlook.value(self.state)
        ranked = sorted([(way, self.outlook.value(self.without(way))) for way in ways], key=lambda pair: -pair[1])
        best, worth = ranked[0]
        assert isinstance(best, Discard)
        reasons = (("keep", round(worth - held, 1), "babel#halving-2"),)
        return Choice(best, reasons, tuple([(way, round(worth, 2)) for way, worth in ranked]), marks_of(best))

    def without(self, way: Action) -> State:
        assert isinstance(way, Discard)
        state = self.state.copy()
        for people in way.peoples:
            state.hands[self.seat * LANDS + people] -= 1
        return state

    def reasons(self, line: Line) -> list[Reason]:
        """Return how many actions the planned turn has, if several, and what it changes, group by group, the largest changes first."""
        end = line.state
        if end.phase == SCORING:
            return [("win", float(end.scores[self.seat]), "babel#end-1")]
        before, after = self.outlook.terms(self.state), self.outlook.terms(end)
        found: list[Reason] = [
            (key, round(now - then, 1), rule)
            for key, then, now, rule in zip(GROUPS, before, after, GROUP_RULES, strict=True)
            if abs(now - then) >= LEAST_SAID
        ]
        found.sort(key=lambda reason: -abs(reason[1]))
        if len(line.actions) > 1:
            found.insert(0, ("plan", float(len(line.actions)), None))
        elif not any(change > 0 for _, change, _ in found):
            found[MOST_SAID - 1 :] = [("even", 0.0, None)]
        return found[:MOST_SAID]

    def marks(self, line: Line) -> tuple[str, ...]:
        """Return the target of the first action, and the lands whose temples the planned turn changes."""
        before, after = self.state.temples, line.state.temples
        lands = [f"land-{people}" for at, people in enumerate(PEOPLES) if before[at::LANDS] != after[at::LANDS]]
        return tuple(dict.fromkeys([*marks_of(line.first), *lands]))


def marks_of(action: Action) -> tuple[str, ...]:
    """Return the targets that an action names: its own, or those of the cards discarded."""
    if isinstance(action, Discard):
        return tuple(dict.fromkeys([f"hand-{PEOPLES[people]}" for people in action.peoples]))
    named = target(action)
    return (named,) if named else ()
