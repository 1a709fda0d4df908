"""The apprentice of Babel: a beginner who looks at one action and at what it makes possible at once.

It builds when it can, uses a power that is ready, collects the settlers that a level needs, and ends the turn when nothing
seems worth a card. It does not plan the turn, sees no threat from its opponent, and slightly misjudges what it sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.babel import legality
from games.babel.actions import END, SETTLES, Action, Build, Discard, End, Migrate, Move, Power
from games.babel.components import LANDS, RUN
from games.babel.search import follow
from games.babel.state import HALVING, QUARRY, RUNS_IN, SCORING, State, hand_count, height
from games.babel.view import View
from games.core.contract import Choice, Rng

RULE: Final = "babel#"
POINT: Final = 2.0
RIVAL_POINT: Final = 1.5
CARD: Final = 0.4  # a people card in the hand
NEEDED: Final = 0.55  # a settler, up to two more than the temple's height
SPARE: Final = 0.3  # any other settler
ROW: Final = 0.3  # a run
RIVAL_SETTLER: Final = 0.2
RIVAL_CARD: Final = 0.2
BLUR: Final = 0.25  # the most by which a beginner misjudges an action
FULL: Final = 7  # hand size above which more cards gain little
WIN: Final = 100.0

REASONS: Final = {
    "build": ("build", "build-1"),
    "settle": ("settle", "settle-1"),
    "move": ("move", "move-1"),
    "migrate": ("migrate", "migration-1"),
    "end": ("end", "turn-4"),
}


class Apprentice:
    """A beginner's answer to every question."""

    def __init__(self, view: View, state: State, rng: Rng) -> None:
        assert view.seat is not None
        self.state = state
        self.seat = view.seat
        self.rng = rng

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        if self.state.phase == HALVING:
            return self.give_up()
        now = self.worth(self.state)
        for action in legal:
            if action is not END and (after := follow(self.state, action)).phase == SCORING:
                return Choice(action, (("win", float(after.scores[self.seat]), RULE + "end-1"),))
        found: list[tuple[float, float, Action]] = []
        for action in legal:
            gain = 0.0 if action is END else self.promise(action) - now
            found.append((gain + (0.0 if action is END else self.blur()), gain, action))
        found.sort(key=lambda option: -option[0])
        _, gain, best = found[0]
        key, rule = REASONS.get(str(best).split(" ", 1)[0], ("power", "powers-1"))
        return Choice(best, ((key, round(gain, 1), RULE + rule),), [(action, round(worth, 2)) for worth, _, action in found])

    def blur(self) -> float:
        return (self.rng.below(2001, "bot") / 1000 - 1) * BLUR

    def promise(self, action: Action) -> float:
        """Return what the position after an action is worth, counting what can be done there at once."""
        after = follow(self.state, action)
        best = self.worth(after)
        if after.phase == SCORING or isinstance(action, Build | End):
            return best
        best = max(best, self.at_once(after))
        if isinstance(action, Move | Migrate | Power) and after.pawns[self.seat] != QUARRY:
            for people in range(LANDS):
                if after.hands[self.seat * LANDS + people]:
                    best = max(best, self.at_once(follow(after, SETTLES[people])))
        return best

    def at_once(self, state: State) -> float:
        """Return the highest worth of a position after one building or power."""
        if state.phase == SCORING or state.pawns[self.seat] == QUARRY:
            return -WIN
        options = [*legality.builds(state, self.seat), *legality.powers(state, self.seat)]
        return max([self.worth(follow(state, option)) for option in options], default=-WIN)

    def worth(self, state: State) -> float:
        """Return how a beginner rates a position: points, settlers, cards."""
        if state.phase == SCORING:
            return WIN
        seat, rival = self.seat, 1 - self.seat
        worth = POINT * state.scores[seat] - RIVAL_POINT * state.scores[rival]
        for land in range(LANDS):
            column = state.columns[seat * LANDS + land]
            needed = min(len(column), height(state.temples[seat * LANDS + land]) + 2)
            worth += NEEDED * needed + SPARE * (len(column) - needed) + ROW * len(RUNS_IN[column])
            worth -= RIVAL_SETTLER * len(state.columns[rival * LANDS + land])
        held = hand_count(state, seat)
        return worth + CARD * min(held, FULL) - RIVAL_CARD * hand_count(state, rival)

    def give_up(self) -> Choice[Action]:
        """Discard first what no run needs: the fourth card of a people, then single cards, then pairs."""
        base = self.seat * LANDS
        hand = self.state.hands[base : base + LANDS]
        given = [0] * LANDS
        due = sum(hand) // 2
        for _ in range(due):
            options = [people for people in range(LANDS) if hand[people]]
            people = min(options, key=lambda people: (hand[people] <= RUN, hand[people]))
            hand[people] -= 1
            given[people] += 1
        peoples = tuple([people for people in range(LANDS) for _ in range(given[people])])
        return Choice(Discard(peoples), (("give_up", due, RULE + "halving-2"),))
