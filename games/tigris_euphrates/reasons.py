"""Why a bot of Tigris & Euphrates answers as it does: the terms whose change decided, and the squares to look at."""

from __future__ import annotations

from typing import Final

from games.tigris_euphrates.actions import Action, Build, Catastrophe, Leader, Support, Swap, Tile, Treasure, War
from games.tigris_euphrates.components import KINDS, LABELS, N_COLOURS
from games.tigris_euphrates.evaluation import GROUP_RULES, Outlook
from games.tigris_euphrates.legality import SQUARE_SHAPE
from games.tigris_euphrates.search import Branch
from games.tigris_euphrates.state import State, squares_of
from games.tigris_euphrates.strengths import conflict_strengths, war_sides

Reason = tuple[str, float, str | None]

MOST: Final = 5  # more reasons than this explain nothing
SLIGHTEST: Final = 0.05  # a change below this decides nothing


def reasons(outlook: Outlook, branches: list[Branch], instead: list[Branch]) -> list[Reason]:
    """Return what an answer changes compared with another or with the present, group by group, the largest change first."""
    changes = [now - then for now, then in zip(profile(outlook, branches), profile(outlook, instead), strict=True)]
    steps = [changes[0]] + [changes[at] - changes[at - 1] for at in range(1, len(changes))]
    found: list[Reason] = [
        (key, round(step, 1), GROUP_RULES[key]) for key, step in zip(outlook.groups, steps, strict=True) if abs(step) >= SLIGHTEST
    ]
    return sorted(found, key=lambda reason: -abs(reason[1]))[:MOST] or [("nothing", 0.0, None)]


def margin(state: State) -> list[Reason]:
    """Return by how much the seat that is asked leads in strength, for an answer in a conflict that nothing was weighed against."""
    attack, defence = conflict_strengths(state)
    lead = defence - attack - state.added if state.due == state.defender else attack - defence
    return [("strength", float(lead), "tigris_euphrates#conflicts-4")]


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
