"""Playing on: the same possible draws after each of a seat's best actions, everybody a scribe, until the next auctions are over.

The position reached then is judged by the learned value. So playouts see what follows from an action, and the net what follows from
that. All actions meet the same draws, so a few dozen playouts tell them apart, and one that falls clearly behind is left out early.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from games.core.comparing import means
from games.core.contract import Rng
from games.core.net import Net
from games.ra import legality, rules
from games.ra.actions import DRAWN, SCORE, Action
from games.ra.components import RA
from games.ra.evaluation import Outlook
from games.ra.features import features
from games.ra.learner import margin
from games.ra.scribe import Scribe
from games.ra.state import DRAWING, END, SCORING, TURN

AUCTIONS: Final = (2, 2, 2, 2, 4, 2)  # by seats: how many begin and end before the position is judged, unless the epoch ends first
DRAWS: Final = 4  # tiles that a scribe weighs before it draws
ROUND: Final = 8  # playouts of each action between two looks at the means


class Draws:
    """One possible order of the unseen tiles, found as far as it is needed."""

    def __init__(self, pool: list[int], ra: int, size: int, rng: Rng) -> None:
        self.pool = pool  # tiles other than Ra that may be in the bag; changed
        self.ra = ra  # Ra tiles left in the bag
        self.size = size  # tiles left in the bag
        self.rng = rng
        self.drawn: list[int] = []

    def tile(self, at: int) -> int:
        """Return the kind of the tile that is drawn after `at` others; there must be one."""
        while len(self.drawn) <= at:
            self.drawn.append(self._next())
        return self.drawn[at]

    def _next(self) -> int:
        below, pool = self.rng.below, self.pool
        is_ra = below(self.size, "bot") < self.ra or not pool
        self.size -= 1
        if is_ra:
            self.ra -= 1
            return RA
        other = below(len(pool), "bot")
        kind = pool[other]
        pool[other] = pool[-1]
        pool.pop()
        return kind


class Playouts:
    """Compares actions of one seat in one position. Of the outlook's state only what is open counts, and the length of its bag."""

    def __init__(self, outlook: Outlook, net: Net, rng: Rng) -> None:
        self.state = outlook.state
        self.seat = outlook.me
        self.net = net
        self.rng = rng
        self.pool = [kind for kind, count in enumerate(outlook.unseen) for _ in range(count)]
        self.mean_ra = outlook.p_ra * len(self.state.bag)

    def margins(self, actions: Sequence[Action], most: int) -> list[float]:
        """Return the mean margin of fame after each action, from `most` playouts of each at most."""
        return means(len(actions), lambda at, draws: self.play(actions[at], draws), self.draws, most, ROUND)

    def draws(self) -> Draws:
        size = len(self.state.bag)
        ra = int(self.mean_ra + self.rng.below(1000, "bot") / 1000)  # a Ra tile that may have left with an earlier epoch is there at times
        return Draws(self.pool[:], min(ra, size), size, self.rng)

    def play(self, action: Action, draws: Draws) -> float:
        """Return the margin to expect when some auctions are over and somebody is on turn."""
        state = self.state.copy()
        epoch, last = state.epoch, state.auction_no + AUCTIONS[state.seats]
        drawn = 0
        rules.step(state, action, None)
        while True:
            phase = state.phase
            if phase == TURN and (state.auction_no >= last or state.epoch != epoch):
                return self.net.value(features(state, self.seat))
            if phase == DRAWING:
                kind = draws.tile(drawn)
                drawn += 1
                state.bag[0] = kind  # the bag of a known state has no kinds
                rules.step(state, DRAWN[kind], None)
            elif phase == SCORING:
                rules.step(state, SCORE, None)
            elif phase == END:
                return margin(state, state, self.seat)
            else:
                legal = legality.legal_actions(state, state.due)
                answer = legal[0]
                if len(legal) > 1:
                    answer = max(Scribe(state, state.due, draws=DRAWS).weigh(legal), key=itemgetter(1))[0]
                rules.step(state, answer, None)
