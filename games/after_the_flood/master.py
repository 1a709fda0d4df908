"""The master of After the Flood: the scribe's search, whose best lines are weighed by a learned value as well (`features`, `learner`).

Each line is followed to the end of its action, a fight through both of its outcomes. The learned value is the margin of points at the end
of the game. The scribe's choice stands unless another line is clearly better, also after both rivals have answered as scribes would.

The scribe may spend a good on workers that a city will need which it is about to get; so the master also considers the goods that such a
city would miss least, and counts what is promised (`features.promise`).

Rules: after_the_flood#act-2, #place-1, #pass-2, #build-1
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.after_the_flood import legality
from games.after_the_flood.actions import ATTACK, DONE, READY, STOP, Action, Place
from games.after_the_flood.components import KINDS, VALUES
from games.after_the_flood.empires import needed
from games.after_the_flood.evaluation import Outlook
from games.after_the_flood.features import features, promise
from games.after_the_flood.search import BEST_ROLL, HIT, SECOND, WORST_ROLL, Ranked, Search, Weighed, follow
from games.after_the_flood.state import (
    ACTION,
    ATTACKING,
    BIDDING,
    EQUIPPING,
    EXPANDING,
    GARRISONING,
    GROWING,
    HOMING,
    MUSTERING,
    PAYING,
    PLACING,
    ROLLING,
    TRADING,
    State,
)
from games.after_the_flood.weights import Weights
from games.core.net import Net

FEW: Final = 6  # lines that are weighed
SWAPPED: Final = 2  # placements that are also tried with other goods
BY_HAND: Final = 1.5  # what a point of the scribe's worth counts beside a point of the learned margin
HELD: Final = 1.0  # what a point of a promised city counts beside it
CLEAR: Final = 1.5  # how much better than the scribe's choice another line must look
REPLY_STEPS: Final = 200  # steps that a rival's answer is chosen from
FOLLOWED: Final = 12  # steps of a line that are followed to the end of its action; beyond, it is weighed as it stands
QUICK: Final = Weights(width=1)  # no second action is looked at
ENDINGS: Final[dict[int, Action]] = {ROLLING: BEST_ROLL, ATTACKING: ATTACK, MUSTERING: READY, EQUIPPING: READY}  # else DONE

End = tuple[float, State]  # chance, position


class Master:
    """Weighs the lines of a scribe's search by a net. Thought is bounded by numbers."""

    def __init__(self, search: Search, net: Net, replies: bool = True) -> None:
        self.search = search
        self.state = search.state
        self.seat = search.seat
        self.quick = Search(search.state, Outlook(search.state, search.seat, QUICK), REPLY_STEPS)  # for the action that follows a payment
        self.net = net
        self.replies = replies

    def choose(self, ranked: Ranked, safe: Weighed) -> tuple[Ranked, Weighed, float]:
        """Return the scribe's ranked lines weighed again, the line chosen, and by how much its learned margin beats the best other one.

        `safe` is the scribe's choice. The worth of each line is compared with that of the last one.
        """
        lines = self.lines(ranked, safe)
        if len(lines) < 2 or self.state.phase == GROWING:  # the value of a position counts growth that was declined as still to come
            return ranked, safe, 0.0
        ends = [self.ends(action) for _, action in lines]
        margins = self.margins(ends)
        worths = [
            margin + BY_HAND * worth + HELD * sum([part * promise(self.search.outlook, state) for part, state in ways])
            for margin, (worth, _), ways in zip(margins, lines, ends, strict=True)
        ]
        at = max(range(len(lines)), key=lambda place: worths[place])
        own = next(place for place, (_, action) in enumerate(lines) if action == safe[1])
        if at != own and (worths[at] <= worths[own] + CLEAR or not self.still_better(ends[at], ends[own])):
            at = own
        least = min(worths)
        weighed: Ranked = sorted([(worth - least, action) for worth, (_, action) in zip(worths, lines, strict=True)], key=_worth)
        gained = margins[at] - max([margin for place, margin in enumerate(margins) if place != at])
        return weighed, (lines[at][0], lines[at][1]), gained

    def lines(self, ranked: Ranked, safe: Weighed) -> Ranked:
        """Return the lines to weigh: the scribe's choice, its best others, the last one (to rest), and placements with other goods."""
        found = [safe]
        for line in [*ranked[: FEW - 1], ranked[-1]]:
            if line not in found:
                found.append(line)
        if self.state.phase not in (ACTION, PLACING):
            return found
        known = {action for _, action in found}
        for _, action in found[:]:
            if isinstance(action, Place) and len(found) < FEW + SWAPPED:
                for other in self.swapped(action):
                    if other not in known:
                        known.add(other)
                        found.append((self.worth(other), other))
                        break
        return found

    def swapped(self, action: Place) -> list[Action]:
        """Return a placement with other goods, those first that the seat and a city to come would miss least; [] if none is promised."""
        goods, outlook = self.state.goods, self.search.outlook
        if not promise(outlook, self.state):
            return []
        found: list[tuple[float, Action]] = []
        for good in range(KINDS):
            if goods[self.seat * KINDS + good] and VALUES[good] >= action.count:
                other = action if good == action.good else Place(good, action.place, action.count)
                new = follow(self.state, other)
                found.append((outlook.value(new) + promise(outlook, new), other))
        found.sort(key=_worth)
        return [other for _, other in found[: [other for _, other in found].index(action)]]

    def worth(self, action: Action) -> float:
        """Return the scribe's worth of an action, compared with passing or resting."""
        search, state = self.search, self.state
        worth = search.after(state, action)
        if state.phase != ACTION:
            return worth - search.after(state, DONE)
        return worth + SECOND * search.second(state, action, worth, 0.0) - search.outlook.value(state, is_open=False)

    # where lines end

    def ends(self, action: Action) -> list[End]:
        """Return the positions to which a line leads, once its action is over, with their chances."""
        return self.settled(follow(self.state, action), 1.0, FOLLOWED)

    def settled(self, state: State, part: float, steps: int) -> list[End]:
        """Return the ends of an action in progress. It goes on only as far as it must: nothing more is placed, traded or conquered."""
        seat, search = self.seat, self.search
        while steps and state.active == seat:
            steps -= 1
            phase = state.phase
            if phase == ROLLING:
                odds = HIT[needed(state)]
                hit, missed = follow(state, BEST_ROLL), follow(state, WORST_ROLL)
                if steps < FOLLOWED // 2:
                    state = hit
                    continue
                return [*self.settled(hit, part * odds, steps - 2), *self.settled(missed, part * (1 - odds), steps - 2)]
            if phase in (PLACING, TRADING, EXPANDING, BIDDING):
                state = follow(state, DONE)
            elif phase in (MUSTERING, EQUIPPING):
                state = follow(state, READY)
            elif phase in (HOMING, GARRISONING):
                state = max([follow(state, way) for way in legality.legal_actions(state, seat)], key=search.settled)
            elif phase == ATTACKING:
                stop = follow(state, STOP)
                go_on = follow(state, ATTACK)
                state = go_on if search.settled(go_on) > search.settled(stop) else stop
            elif phase == ACTION and state.is_paid:
                state = follow(state, self.quick.act(state)[0][1])
            else:
                break  # the next action of this seat: nobody else is left, or it is its growth
        return [(part, state)]

    def margins(self, ends: Sequence[Sequence[End]]) -> list[float]:
        """Return the learned margin of each line."""
        rows = [features(state, self.seat) for ways in ends for _, state in ways]
        values = iter([float(value) for value in self.net.values(rows)])
        return [sum([part * next(values) for part, _ in ways]) for ways in ends]

    # what the others may answer

    def still_better(self, line: Sequence[End], safe: Sequence[End]) -> bool:
        """Return whether a line has no worse a learned margin than the scribe's choice once the rivals have answered both."""
        if not self.replies:
            return True
        answered = [[(part, self.answered(state)) for part, state in ways[:2]] for ways in (line, safe)]
        parts = [sum([part for part, _ in ways]) for ways in answered]
        one, other = [margin / part for margin, part in zip(self.margins(answered), parts, strict=True)]
        return one >= other

    def answered(self, state: State) -> State:
        """Return the position once each rival that is due before this seat has made one action; dice fall well for them."""
        for _ in range(2):
            rival = state.active
            if rival in (self.seat, -1) or state.phase not in (ACTION, PAYING):
                break
            state = self.answer(state, rival)
        return state

    def answer(self, state: State, rival: int) -> State:
        """Return the position after one action of a rival, the first step of it chosen with care, or after it has passed."""
        search = Search(state, Outlook(state, rival, QUICK), REPLY_STEPS)
        for number in range(FOLLOWED):
            phase = state.phase
            is_next = number > 0 and (phase == PAYING or (phase == ACTION and not state.is_paid))
            if state.active != rival or is_next or phase == GROWING:
                break
            if phase in (HOMING, GARRISONING):
                state = max([follow(state, way) for way in legality.legal_actions(state, rival)], key=search.settled)
                continue
            if phase == PAYING:
                step = search.pay(legality.legal_actions(state, rival))[0][1]
            elif phase == ACTION:
                step = search.act(state)[0][1]
            else:
                step = ENDINGS.get(phase, DONE)
            state = follow(state, step)
        return state


def _worth(step: tuple[float, Action]) -> float:
    return -step[0]
