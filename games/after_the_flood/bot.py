"""The bots of After the Flood: what each level answers, from its seat's view alone, and why.

random      any legal action; for measurements only
apprentice  one step at a time by a price list
scribe      compares its options by an evaluation that looks to the end of the turn

No level looks at a clock. Reasons are (key, worth, paragraph); the sentence for a key is in the game's phrases under
"bot." + key, with the value as `points` and `n`.
"""

from __future__ import annotations

from typing import Final

from games.after_the_flood import legality
from games.after_the_flood.actions import DONE, PASS, Action
from games.after_the_flood.apprentice import Apprentice, reason_of
from games.after_the_flood.evaluation import GROUP_RULES, GROUPS, Outlook
from games.after_the_flood.search import STEPS_LOOKED_AT, Search, follow
from games.after_the_flood.state import ACTION, EXPANDING, PLACING, TRADING
from games.after_the_flood.view import View, known_state
from games.core.contract import Choice, Rng

Reason = tuple[str, float, str | None]

LEVELS: Final = ("random", "apprentice", "scribe")
STEPS_PER_S: Final = 1_000  # steps that a slow machine judges in a second; converts a budget into a number of steps
LEAST_SAID: Final = 0.3  # points from which a group is mentioned
MOST_SAID: Final = 3


def choose_action(view: View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the answer of a bot of `level` for the viewing seat, with the terms it weighed, best first.

    Raises ValueError for an unknown level, or if the seat is not due. A budget limits how many steps the scribe
    looks at; no clock is read.
    """
    if level not in LEVELS:
        raise ValueError(f"no bot {level!r}; known: {', '.join(LEVELS)}")
    if view.seat is None or not view.is_due:
        raise ValueError("this seat is not due")
    state = known_state(view)
    legal = legality.legal_actions(state, view.seat)
    if level == "random":
        return Choice(legal[rng.below(len(legal), "bot")])
    if len(legal) == 1:
        return Choice(legal[0], (("only", 0.0, None),))
    if level == "apprentice":
        return Apprentice(state, view.seat, rng).choose(legal)
    steps = STEPS_LOOKED_AT if budget_s is None else min(STEPS_LOOKED_AT, int(budget_s * STEPS_PER_S))
    search = Search(state, Outlook(state, view.seat), steps)
    gain, action = search.choose(legal)
    return Choice(action, (reason_of(action, gain), *changes(search, action)))


def changes(search: Search, action: Action) -> list[Reason]:
    """Return what an action changes in the evaluation, group by group, the largest change first; nothing if dice decide."""
    state = search.state
    if state.phase not in (ACTION, PLACING, TRADING, EXPANDING) or action in (PASS, DONE):
        return []
    after = search.rested(follow(state, action))
    if after is None:
        return []
    found: list[Reason] = [
        (key, round(now - then, 1), rule)
        for key, then, now, rule in zip(GROUPS, search.outlook.terms(state), search.outlook.terms(after), GROUP_RULES, strict=True)
        if abs(now - then) >= LEAST_SAID
    ]
    return sorted(found, key=lambda reason: -abs(reason[1]))[:MOST_SAID]
