"""The bots of After the Flood: what each level answers, from its seat's view alone, and why.

random      any legal action; for measurements only
apprentice  one step at a time by a price list
journeyman  one action at a time by the scribe's evaluation without rivals and threats, which it misjudges
scribe      compares its options by an evaluation that looks to the end of the turn
master      the scribe's search, with a learned value at the ends of its best lines

No level looks at a clock. Reasons are (key, worth, paragraph); the sentence for a key is in the game's phrases under
"bot." + key, with the value as `points` and `n`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from games.after_the_flood import legality
from games.after_the_flood.actions import DONE, PASS, READY, Action, Destroy, Grow
from games.after_the_flood.apprentice import Apprentice, reason_of
from games.after_the_flood.components import AREA_OF, AREAS, BOXES, GOOD_OF, GROWTH_POINTS, SEATS
from games.after_the_flood.evaluation import GROUP_RULES, GROUPS, Outlook
from games.after_the_flood.journeyman import Journeyman
from games.after_the_flood.learner import LEARNER
from games.after_the_flood.master import Master
from games.after_the_flood.search import STEPS_LOOKED_AT, Ranked, Search, Weighed, follow
from games.after_the_flood.state import ACTION, ATTACKING, EXPANDING, GARRISONING, HOMING, PLACING, TRADING, State
from games.after_the_flood.view import View, known_state
from games.core.choosing import near
from games.core.contract import Choice, Rng
from games.core.learner import net_for

Reason = tuple[str, float, str | None]

LEVELS: Final = ("random", "apprentice", "journeyman", "scribe", "master")
STEPS_PER_S: Final = 1_000  # steps that a slow machine judges in a second; converts a budget into a number of steps
LEAST_SAID: Final = 0.3  # points from which a group is mentioned
MOST_SAID: Final = 3
CLOSE: Final = 0.12  # points by which a step may be worse than the best to be chosen instead, for variety
RESTING: Final = (PASS, DONE, READY)


def choose_action(view: View, level: str, rng: Rng, budget_s: float | None = None) -> Choice[Action]:
    """Return the answer of a bot of `level` for the viewing seat, with the terms it weighed, best first.

    Raises ValueError for an unknown level, or if the seat is not due. A budget limits how many steps journeyman, scribe and master
    look at; no clock is read.
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
        choice = Apprentice(state, view.seat, rng).choose(legal)
        return replace(choice, marks=marks_of(state, choice.action))
    steps = STEPS_LOOKED_AT if budget_s is None else min(STEPS_LOOKED_AT, int(budget_s * STEPS_PER_S))
    search = Journeyman(state, view.seat, rng, steps) if level == "journeyman" else Search(state, Outlook(state, view.seat), steps)
    ranked = search.choose(legal)
    gain, action = chosen(ranked, rng)
    learned: list[Reason] = []
    if level == "master" and (net := net_for(LEARNER, SEATS)) is not None:
        ranked, (gain, action), lead = Master(search, net, steps == STEPS_LOOKED_AT).choose(ranked, (gain, action))
        learned = [("learned", round(lead, 1), "after_the_flood#end-1")] if lead else []
    weighed = tuple([(step, round(worth, 2)) for worth, step in ranked])
    reasons = (*explained(search, action, gain), *learned)
    return Choice(action, reasons, weighed if len(weighed) > 1 else (), marks_of(state, action))


def chosen(ranked: Ranked, rng: Rng) -> Weighed:
    """Return one of the best steps, as the generator decides among those that are nearly equal; never rest instead of acting."""
    best = ranked[0]
    if best[1] in RESTING:
        return best
    steps = [step for step in ranked if step[1] not in RESTING]
    return steps[near([worth for worth, _ in steps], CLOSE, rng)]


def marks_of(state: State, action: Action) -> tuple[str, ...]:
    """Return the targets of the scene that an action names: an empire, areas and boxes, or else goods; in a fight, the area attacked."""
    if state.phase == ATTACKING:
        return (f"area-{AREAS[state.target]}",)
    verb, *words = str(action).split(" ")
    if verb == "found":
        return (f"empire-{words[0]}",)
    places = [f"area-{word}" if word in AREA_OF else f"box-{word}" for word in words if word in AREA_OF or word in BOXES]
    return tuple(places or [f"good-{word}" for word in words if word in GOOD_OF])


def explained(search: Search, action: Action, gain: float) -> list[Reason]:
    """Return why an action is chosen: what it is worth by itself, group by group, and with all that can follow it.

    `gain` is its worth compared with passing or stopping, so it counts what the rest of the turn may bring; growth counts its points.
    """
    state = search.state
    if isinstance(action, Grow):
        return [reason_of(action, float(GROWTH_POINTS[len(action.luxuries)]))]
    if state.phase in (HOMING, GARRISONING):  # compared with the answer that is worth least
        key, worth, rule = reason_of(action, gain)
        return [(f"{key}_other", worth, rule)]
    if state.phase not in (ACTION, PLACING, TRADING, EXPANDING) or action in RESTING:
        return [reason_of(action, gain)]
    own = search.after(state, action) - search.outlook.value(state)
    groups = changes(search, action)
    if isinstance(action, Destroy):
        built = search.after(state, action) - search.settled(follow(state, action))  # what counts is often the city that can follow
        if built >= LEAST_SAID:
            groups = sorted([*groups, ("rebuild", round(built, 1), "after_the_flood#build-1")], key=lambda reason: -abs(reason[1]))
    found = [reason_of(action, own), *groups[: MOST_SAID if len(groups) > 1 else 0]]  # a single group is the whole
    if abs(gain - own) < LEAST_SAID:
        return found
    whole: Reason = ("ahead" if state.phase == ACTION else "go_on", round(gain, 1), None)
    return [*found, whole] if own > 0 else [whole, *found]


def changes(search: Search, action: Action) -> list[Reason]:
    """Return what an action changes in the evaluation, group by group, the largest change first; nothing if dice decide."""
    state = search.state
    after = search.rested(follow(state, action))
    if after is None:
        return []
    found: list[Reason] = [
        (key, round(now - then, 1), rule)
        for key, then, now, rule in zip(GROUPS, search.outlook.terms(state), search.outlook.terms(after), GROUP_RULES, strict=True)
        if abs(now - then) >= LEAST_SAID
    ]
    return sorted(found, key=lambda reason: -abs(reason[1]))
