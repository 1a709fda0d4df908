"""The journeyman of Tigris & Euphrates: a club newcomer, who knows what scores and weighs one action at a time.

It counts like the scribe, in points of the weakest colour: its points, its leaders with their tiles and monuments, treasures within reach,
conflicts that threaten, and what it leaves to its rivals. Of every hidden hand it assumes the usual, as many tiles of a colour as the mean,
so it is as sure of a conflict as it is often wrong. It plans no monument and no second action, and misjudges every action a little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.contract import Choice, Rng
from games.tigris_euphrates.actions import Action
from games.tigris_euphrates.components import HAND_SIZE
from games.tigris_euphrates.evaluation import Outlook
from games.tigris_euphrates.odds import NEEDS
from games.tigris_euphrates.reasons import explained, margin
from games.tigris_euphrates.search import Branch, Lookahead
from games.tigris_euphrates.state import ACTION, State
from games.tigris_euphrates.view import View

SEEN: Final = ("leaders", "monuments", "hand", "treasures", "revolts", "wars")
BLUR: Final = 0.2  # the most by which a newcomer misjudges an action, points of the weakest colour


class Journeyman:
    """A newcomer's answer to every question."""

    def __init__(self, view: View, state: State, rng: Rng, blur: float = BLUR) -> None:
        assert view.seat is not None
        self.state = state
        self.rng = rng
        self.blur = blur
        self.outlook = outlook = Outlook(view, state, view.seat, terms=SEEN)
        outlook.odds = [usual(HAND_SIZE * share) for share in outlook.share]
        outlook.odds_now = [[usual(hand * share) for share in outlook.share] for hand in view.hand_counts]
        self.look = Lookahead(outlook)

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        look, state = self.look, self.state
        options = look.candidates(state) if state.phase == ACTION else look.answers(state, legal)
        found: list[tuple[float, Action, list[Branch]]] = []
        for action in options:
            branches = look.after(state, action)
            found.append((look.mean(branches) + self.misjudged(), action, branches))
        found.sort(key=lambda option: -option[0])
        _, action, branches = found[0]
        if len(found) == 1:
            return Choice(action, [margin(state, action)])
        ranked = [(other, round(worth, 2)) for worth, other, _ in found]
        instead = [(1.0, state)] if state.phase == ACTION else found[1][2]
        return Choice(action, explained(self.outlook, state, action, branches, instead), ranked)

    def misjudged(self) -> float:
        return (self.rng.below(2001, "bot") / 1000 - 1) * self.blur


def usual(tiles: float) -> tuple[float, ...]:
    """Return odds as `odds.at_least` gives them, for a hand taken to hold as many tiles of a kind as the nearest whole number.

    >>> usual(1.6)
    (1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    """
    sure = min(NEEDS - 1, int(tiles + 0.5))
    return (1.0,) * (sure + 1) + (0.0,) * (NEEDS - sure)
