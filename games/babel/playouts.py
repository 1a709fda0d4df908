"""Playing on: what the best ends of a turn are worth once the opponent has played a turn and the seat another one.

All ends meet the same deals of what the seat cannot see: the opponent's hand and the order of both decks. Both sides plan quickly there, the
opponent by the scribe's value. How the seat's next turn would end is judged by the learned value, as a chance of winning. So playouts see what
the odds of single threats leave out, and the value what follows. An end that falls clearly behind is left out early.

Rules: babel#turn-3, #halving-2, #temples-1, #people-1, #end-1
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final

from games.babel import legality, rules
from games.babel.actions import END, SCORE, Action, Discard
from games.babel.components import LANDS
from games.babel.evaluation import DECIDED, Outlook
from games.babel.learner import won
from games.babel.legality import FIRST_TURNS
from games.babel.master import Corrections, Experience
from games.babel.search import Breadth, Line, plan_turn
from games.babel.state import END as OVER
from games.babel.state import HALVING, REVEALING, SCORING, State
from games.babel.view import View, sample_state, view_for
from games.core.comparing import means
from games.core.contract import Rng
from games.core.rng import SeededRng

HASTY: Final = Breadth(nodes=400, width=4, children=60)  # of the turns that are played on
OPTIONS: Final = 4  # ends that are played on at most
APART: Final = 1.5  # points by which they may look worse than the best one before
PLAYOUTS: Final = 16  # of each end at most
PLAYOUTS_PER_S: Final = 20  # at least, without compiled engines
ROUND: Final = 4  # playouts of each end between two looks at the means
AT_ONCE: Final = 0.3  # what the chance of an end without playouts counts beside them, of 1
SURE: Final = 12.0  # log odds beyond which a position counts as decided
LEAST: Final = 0.001  # no end counts as lost or won for certain, so that points can be told from its chance
SEEDS: Final = 1_000_000


class Deal:
    """What the seat cannot see, as it might be: a full state, and a stream of chance for each deck, so that ends which need one alike draw alike."""

    def __init__(self, view: View, rng: Rng) -> None:
        self.state = sample_state(view, rng)
        self.seed = rng.below(SEEDS, "bot")

    def luck(self) -> Luck:
        return Luck(self.seed)


class Luck:
    """The draws of one deal, from the start."""

    def __init__(self, seed: int) -> None:
        self.temples = SeededRng(f"temples {seed}")
        self.people = SeededRng(f"people {seed}")

    def below(self, n: int, label: str) -> int:
        return (self.temples if label == "deck:temples" else self.people).below(n, label)


class Playouts:
    """Compares ends of one seat's turn, from what the seat can see. `found` has the chances of winning, by first action."""

    def __init__(self, view: View, seat: int, learned: Corrections, rng: Rng, most: int = PLAYOUTS) -> None:
        self.view = view
        self.seat = seat
        self.learned = learned
        self.rng = rng
        self.most = most
        self.found: dict[Action, float] = {}

    def judged(self, lines: Sequence[Line]) -> list[Line]:
        """Return the lines of a plan, best first, with what playouts say of those that look best; the others stay as far behind."""
        best = lines[0].worth
        options = [line for line in lines[:OPTIONS] if line.worth > best - APART]
        # While a first level may be owed, a quick plan may miss it; a decided game is not played on.
        if len(options) < 2 or not self.most or self.view.turn <= FIRST_TURNS or abs(best) > DECIDED / 2:
            return list(lines)
        played = means(len(options), lambda at, deal: self.play(options[at], deal), lambda: Deal(self.view, self.rng), self.most, ROUND)
        judged: list[Line] = []
        for line, chance in zip(options, played, strict=True):
            chance = min(1 - LEAST, max(LEAST, AT_ONCE * self.chance(line.worth) + (1 - AT_ONCE) * chance))
            self.found[line.first] = chance
            judged.append(Line(self.points(chance), line.state, line.actions))
        judged.sort(key=lambda line: -line.worth)
        behind = judged[-1].worth - options[-1].worth
        return judged + [Line(line.worth + behind, line.state, line.actions) for line in lines[len(options) :]]

    def chance(self, worth: float) -> float:
        """Return the chance of winning in a position of the seat's own turn's end, by its worth in points."""
        odds = self.learned.base + self.learned.slope * worth
        return 1 / (1 + exp(-max(-SURE, min(SURE, odds))))

    def points(self, chance: float) -> float:
        """Return the worth in points at which winning has this chance."""
        return (log(chance / (1 - chance)) - self.learned.base) / self.learned.slope

    def play(self, line: Line, deal: Deal) -> float:
        """Return the chance of winning at the end of the seat's next turn, or the result if the game is over before."""
        state, luck = deal.state.copy(), deal.luck()
        _take_turn(state, line.actions)
        while True:
            phase = state.phase
            if phase == SCORING:
                rules.step(state, SCORE, None)
            elif phase == OVER:
                return won(state, state, self.seat)
            elif HALVING < phase <= REVEALING:
                rules.step(state, rules.sample_chance(state, luck), None)
            elif state.active == self.seat:
                outlook = Experience(view_for(state, self.seat), state, self.seat, self.learned)
                return self.chance(plan_turn(state, outlook, HASTY).worth)
            else:
                rival = state.active
                _take_turn(state, plan_turn(state, Outlook(view_for(state, rival), state, rival), HASTY).actions)


def _take_turn(state: State, actions: Sequence[Action]) -> None:
    """Carry out the actions of a turn, and end it unless the game is over. A player whose hand is halved keeps the best cards."""
    for action in actions:
        rules.step(state, action, None)
        if state.phase == HALVING:
            rules.step(state, _discarded(state), None)
        elif state.phase == SCORING:
            return
    rules.step(state, END, None)


def _discarded(state: State) -> Action:
    """Return the half whose loss leaves the due seat the best position."""
    seat = state.due
    base = seat * LANDS
    outlook = Outlook(view_for(state, seat), state, seat)

    def left(way: Action) -> float:
        assert isinstance(way, Discard)
        after = state.copy()
        for people in way.peoples:
            after.hands[base + people] -= 1
        return outlook.value(after)

    return max(legality.legal_actions(state, seat), key=left)
