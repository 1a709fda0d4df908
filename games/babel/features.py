"""What the master of Babel learns from: the scribe's worth of a turn's end, and what it is made of, in numbers that can be weighed again.

Each feature counts something that `master.Experience` adds to the scribe's groups, so a weight in points for each of them makes a value.
A land is described by how its settlers stand to its temple's next level: two or more beyond it, one, just enough, or how many are missing.

Rules: babel#build-2, #build-3, #settle-1, #score-1, #powers-1
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.babel.components import LANDS, PEOPLES, TOO_FEW, TOP_LEVEL
from games.babel.evaluation import ATTACKS, ROWS, THREATS, Outlook, distance
from games.babel.state import State

STANDINGS: Final = ("two_beyond", "one_beyond", "enough", "one_missing", "two_missing", "three_missing")
HELD: Final = ("cards", "first_cards", "peoples", "pairs", "threes", "fours", "many_cards")
FIRST_CARDS: Final = 4
MANY_CARDS: Final = 8


def _of_lands(side: str) -> tuple[str, ...]:
    return (
        *[f"{side}_{name}" for name in STANDINGS],  # lands
        *[f"{side}_ready_{name}" for name in STANDINGS],  # the same by the chance that the level can be taken
        f"{side}_settlers",  # up to two above the temple's height
        f"{side}_spare",  # three beyond
        f"{side}_idle",  # and more
        *[f"{side}_height_{level}" for level in range(1, TOP_LEVEL + 1)],  # temples
        *[f"{side}_runs_{people}" for people in PEOPLES],  # lands with a run of a people
    )


NAMES: Final = (
    "worth",  # all that the scribe sees
    "attacks",
    "threats",
    "own_score",
    "other_score",
    "late_lead",
    "own_near",
    "other_near",
    "own_safe",
    "other_safe",
    *[f"own_{name}" for name in HELD],
    "other_cards",
    "other_first_cards",
    "other_many_cards",
    *_of_lands("own"),
    *_of_lands("other"),
)


def standing(settlers: int, height: int) -> int:
    """Return the place in STANDINGS of a land with so many settlers and a temple of such a height."""
    return max(-2, min(3, height + 1 - settlers)) + 2


def settled(settlers: int, height: int) -> tuple[int, int, int]:
    """Return how many settlers of a land are of use soon, how many are spare, and how many idle."""
    useful = min(settlers, height + 2, TOP_LEVEL)
    spare = settlers - useful
    return useful, min(spare, 3), max(0, spare - 3)


def held(hand: Sequence[int]) -> tuple[int, ...]:
    """Return the counts of HELD for a hand."""
    cards = sum(hand)
    return (cards, min(cards, FIRST_CARDS), *[sum([n >= least for n in hand]) for least in (1, 2, 3, 4)], max(0, cards - MANY_CARDS))


def features(outlook: Outlook, state: State) -> list[float]:
    """Return the numbers for the end of a turn, in the order of NAMES. The outlook must be a scribe's."""
    groups = outlook.terms(state)
    own, other = state.scores[outlook.seat], state.scores[outlook.rival]
    cards = sum(state.hands[outlook.facing : outlook.facing + LANDS])
    mine, his = outlook.stocks(state)
    hand = state.hands[outlook.base : outlook.base + LANDS]
    odds = outlook.odds(cards)
    pawn = state.pawns[outlook.seat]
    to_own = [1.0 if pawn == land else 0.9 if hand[land] else 0.5 for land in range(LANDS)]  # as the scribe has it
    to_other = [1.0 if outlook.rival_pawn == land else odds[land][1] for land in range(LANDS)]
    return [
        sum(groups),
        groups[ATTACKS],
        groups[THREATS],
        float(own),
        float(other),
        outlook.late * (own - other),
        1 / (1 + distance(own, other)),
        1 / (1 + distance(other, own)),
        float(own > TOO_FEW),
        float(other > TOO_FEW),
        *[float(count) for count in held(hand)],
        float(cards),
        float(min(cards, FIRST_CARDS)),
        float(max(0, cards - MANY_CARDS)),
        *_lands(state, outlook.base, to_own, mine),
        *_lands(state, outlook.facing, to_other, his),
    ]


def _lands(state: State, base: int, reach: Sequence[float], stocks: Sequence[float]) -> list[float]:
    """Return the numbers of one side's lands, with its chance to be in each and to take each level."""
    stands, ready = [0.0] * len(STANDINGS), [0.0] * len(STANDINGS)
    settlers = [0.0] * 3
    heights = [0.0] * TOP_LEVEL
    runs = [0.0] * LANDS
    for land in range(LANDS):
        column, temple = state.columns[base + land], state.temples[base + land]
        height = temple[-1] if temple else 0
        if height < TOP_LEVEL:
            at = standing(len(column), height)
            stands[at] += 1
            ready[at] += reach[land] * stocks[height + 1]
        for at, count in enumerate(settled(len(column), height)):
            settlers[at] += count
        if height:
            heights[height - 1] += 1
        for people in range(LANDS):
            runs[people] += ROWS[column][0] >> people & 1
    return [*stands, *ready, *settlers, *heights, *runs]
