"""Why a bot of Tigris & Euphrates answers as it does: the terms whose change decided, the odds of a conflict, and the squares to look at."""

from __future__ import annotations

from typing import Final

from games.tigris_euphrates import turns
from games.tigris_euphrates.actions import Action, Build, Catastrophe, Leader, Pass, Support, Swap, Tile, Treasure, War
from games.tigris_euphrates.components import KINDS, LABELS, N_COLOURS
from games.tigris_euphrates.evaluation import GROUP_RULES, Outlook
from games.tigris_euphrates.legality import SQUARE_SHAPE
from games.tigris_euphrates.search import Branch
from games.tigris_euphrates.state import ATTACK, DEFENCE, NOWHERE, State, squares_of
from games.tigris_euphrates.strengths import conflict_strengths, war_sides

Reason = tuple[str, float, str | None]

MOST: Final = 5  # more reasons than this explain nothing
SLIGHTEST: Final = 0.05  # a change below this decides nothing
STRENGTH_RULE: Final = "tigris_euphrates#conflicts-4"


def explained(outlook: Outlook, state: State, action: Action, branches: list[Branch], instead: list[Branch]) -> list[Reason]:
    """Return why an answer is given: what it means for a conflict, then what it changes compared with another one or with the present."""
    if isinstance(action, Pass):
        return [("nothing", 0.0, "tigris_euphrates#turn-3")]
    found = (conflict(state, action, branches) + changes(outlook, branches, instead))[:MOST]
    return found if any(worth > 0 for _, worth, _ in found) else [*found[: MOST - 1], ("even", 0.0, None)]


def changes(outlook: Outlook, branches: list[Branch], instead: list[Branch]) -> list[Reason]:
    """Return what is worth more or less than `instead`, group by group, the largest change first."""
    totals = [now - then for now, then in zip(profile(outlook, branches), profile(outlook, instead), strict=True)]
    steps = [totals[0]] + [totals[at] - totals[at - 1] for at in range(1, len(totals))]
    found: list[Reason] = [
        (key, round(step, 1), GROUP_RULES[key]) for key, step in zip(outlook.groups, steps, strict=True) if abs(step) >= SLIGHTEST
    ]
    return sorted(found, key=lambda reason: -abs(reason[1]))


def conflict(state: State, action: Action, branches: list[Branch]) -> list[Reason]:
    """Return what an answer means for the conflict that it starts or is part of: its seat's lead in strength with the tiles that it adds, and
    its chance of winning in per cent if the other side may still add tiles, or that it wins a tie; [] if there is no conflict, or several wars.
    """
    if isinstance(action, Support):
        lead = margin(state, action)
        if state.phase == ATTACK:
            return [lead, *_odds(state, branches)]
        return [lead] if lead[1] else [lead, ("tie", 0.0, STRENGTH_RULE)]
    if isinstance(action, Leader | Tile):
        begun = state.copy()
        turns.step(begun, action, None)
        if begun.phase == ATTACK and begun.attacker == state.due:
            return _odds(begun, branches)
    return []


def margin(state: State, action: Action) -> Reason:
    """Return by how much the seat that is asked leads in strength with the tiles that it adds."""
    attack, defence = conflict_strengths(state)
    lead = defence - attack - state.added if state.phase == DEFENCE else attack - defence
    return "strength", float(lead + (action.count if isinstance(action, Support) else 0)), STRENGTH_RULE


def _odds(begun: State, branches: list[Branch]) -> list[Reason]:
    """Return in how many of 100 cases the attacker's leader is still on the board when the conflict is over."""
    at = begun.attacker * N_COLOURS + begun.colour
    whole = sum([part for part, _ in branches])
    won = sum([part for part, state in branches if state.leaders[at] != NOWHERE])
    return [("win_chance", float(round(100 * won / whole)), STRENGTH_RULE)]


def profile(outlook: Outlook, branches: list[Branch]) -> list[float]:
    """Return the average worth of positions with the groups added one after another, as running totals."""
    mean = [0.0] * len(outlook.groups)
    whole = sum([part for part, _ in branches])
    for part, state in branches:
        groups: list[float] = []
        outlook.value(state, groups)
        mean = [total + part / whole * worth for total, worth in zip(mean, groups, strict=True)]
    return mean


def marks(state: State, action: Action) -> list[str]:
    """Return the ids of the scene's targets that an action is about: its squares, the leaders in a conflict, the tiles swapped."""
    leaders = state.leaders
    match action:
        case Tile() | Leader() | Catastrophe() | Treasure():
            squares = [action.square]
        case Build():
            squares = squares_of(SQUARE_SHAPE << action.square)
        case War():
            squares = [leaders[seat * N_COLOURS + action.role] for seat in war_sides(state, action.role)]
        case Support():
            squares = [leaders[seat * N_COLOURS + state.colour] for seat in (state.attacker, state.defender)]
        case Swap():
            return [f"hand-{KINDS[kind]}" for kind in sorted(set(action.kinds))]
        case _:
            return []
    return [f"cell-{LABELS[square]}" for square in squares]
