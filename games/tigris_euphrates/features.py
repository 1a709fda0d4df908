"""What the master of Tigris & Euphrates learns from: a position at the end of a seat's turn, as that seat sees it, in numbers.

Most of it is the scribe's evaluation taken apart: for each colour, from the weakest to the strongest, the points so far and what each
term expects to add. The rest is the stage of the game and what stands on the board for either side.
"""

from __future__ import annotations

from typing import Final

from games.tigris_euphrates.components import N_COLOURS, RED
from games.tigris_euphrates.evaluation import Outlook, Tally, filled
from games.tigris_euphrates.kingdoms import BESIDE
from games.tigris_euphrates.state import N_SOURCES, State

BY_COLOUR: Final = (
    *("points", "expected", "leaders", "monuments", "hand", "revolts", "wars", "squares"),
    *("leader", "temples", "supporters", "mates", "foes", "held", "is_red"),
)
ADDED: Final = ("leaders", "monuments", "hand", "revolts", "wars", "squares")  # terms that add points to a colour
AGAINST: Final = ("monuments", "treasures", "revolts", "wars", "squares")  # terms that add to the rivals
WHOLE: Final = (
    *(
        "worth",
        "turns",
        "turn",
        "bag",
        "treasures",
        "jokers",
        "jokers_near",
        "jokers_gone",
        "missing",
        "catastrophes",
        "catastrophes_theirs",
    ),
    *("monuments_left", "kingdoms", "is_end", "rivals", *[f"rivals_{term}" for term in AGAINST]),
    *("leaders_theirs", "leaders_most", "bring_theirs", "bring_most", "supporters_theirs", "supporters_most"),
)
NAMES: Final = (*[f"{name}_{rank}" for rank in range(N_COLOURS) for name in BY_COLOUR], *WHOLE)


def features(outlook: Outlook, state: State) -> list[float]:
    """Return the features of a settled position for the seat of an outlook with all terms, in the order of NAMES."""
    me, base = outlook.seat, outlook.seat * N_COLOURS
    is_turn_over, is_end, turns = outlook.stage(state)
    points, rivals = outlook.points_so_far(state, is_end)
    sources = state.sources
    so_far = [float(sum(sources[at : at + N_SOURCES])) for at in range(base * N_SOURCES, (base + N_COLOURS) * N_SOURCES, N_SOURCES)]
    tally = Tally(outlook, state, points, float(state.jokers[me]), rivals, turns, is_turn_over)
    added: dict[str, list[float]] = {}
    against: dict[str, float] = {}
    for name, term in zip(outlook.groups[1:-1], outlook.terms, strict=True):
        before, theirs = points[:], tally.rivals
        if not is_end:
            term(tally)
        added[name] = [now - then for now, then in zip(points, before, strict=True)]
        against[name] = tally.rivals - theirs
    expected = filled(points, tally.jokers) if tally.jokers else points
    red, kingdoms, where, owners = state.tiles[RED], state.kingdoms, tally.where, tally.owners
    supporters = [float((state.tiles[at & 3] & kingdoms[index]).bit_count()) if index >= 0 else 0.0 for at, index in enumerate(where)]
    found: list[float] = []
    for colour in sorted(range(N_COLOURS), key=lambda colour: (expected[colour], points[colour])):
        at = base + colour
        square, index = state.leaders[at], where[at]
        others = owners[index] if index >= 0 else ()
        found += [so_far[colour], expected[colour], *[added[name][colour] for name in ADDED]]
        found += [
            *(float(index >= 0), float((BESIDE[square] & red).bit_count()) if index >= 0 else 0.0, supporters[at]),
            *(float(sum([owner == me for owner in others])), float(sum([owner not in (me, -1) for owner in others]))),
            *(float(tally.expected[colour]), float(colour == RED)),
        ]
    left = state.treasures.bit_count()
    each = [
        (sum([where[at] >= 0 for at in span]), sum([tally.bring[at] for at in span]), sum([supporters[at] for at in span]))
        for seat in range(state.seats)
        if seat != me
        for span in (range(seat * N_COLOURS, (seat + 1) * N_COLOURS),)
    ]
    found += [
        *(outlook.value(state), turns, float(state.turn), float(outlook.bag_count), float(left), float(state.jokers[me])),
        *(tally.jokers - state.jokers[me], float(10 - left - state.jokers[me]), float(tally.missing), float(state.catastrophes_left[me])),
        *(float(sum(state.catastrophes_left) - state.catastrophes_left[me]), float(state.monuments_left.bit_count())),
        *(float(len(kingdoms)), float(is_end), tally.rivals, *[against[name] for name in AGAINST]),
    ]
    for column in range(3):
        found += [float(sum([row[column] for row in each])), float(max([row[column] for row in each]))]
    return found
