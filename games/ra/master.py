"""The master of Ra: plays out draws and auctions, and weighs the positions after them by a learned value (`features`, `learner`).

Draws are averaged over all unseen tiles. An auction is played to its end over every sun of the seat; rivals bid as the scribe would,
whose thoughts use only what is open. The actions that look best are then played on over the next auctions (`playouts`). The scribe's
own choice stands unless another one is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from operator import itemgetter
from typing import Final

from games.core.choosing import near
from games.core.contract import Choice, Rng
from games.core.net import Net
from games.ra import legality, rules
from games.ra.actions import DRAW, DRAWN, SCORE, Action, Bid
from games.ra.components import DISASTERS, N_KINDS, RA
from games.ra.evaluation import CIVILIZATION, GROUP_OF, Auction
from games.ra.features import features
from games.ra.learner import margin
from games.ra.playouts import Playouts
from games.ra.scribe import Scribe, Weighed
from games.ra.state import AUCTION, DISCARD, DRAWING, END, SCORING, State

NEAR: Final = 0.05  # fame by which a move may fall short of the best and still be played
CLEAR: Final = 0.1  # how much better than the scribe's choice another one must look
OPTIONS: Final = 4  # actions that are played on at most
WIDE: Final = 2.0  # fame by which they may look worse than the best one before
PLAYOUTS: Final = (0, 0, 32, 32, 64, 32)  # by seats: of each action at most
PLAYOUTS_PER_S: Final = 60  # at least, without compiled engines
AT_ONCE: Final = (0.0, 0.0, 0.3, 0.3, 0.15, 0.3)  # by seats: what the value of an action without playouts counts beside them, of 1
DOUBT: Final = 0.5  # how uncertain rivals' answers are, fame
SURE: Final = 0.03  # answers less likely than this are left out


class Master:
    """One position, weighed for one seat by a net."""

    def __init__(self, state: State, seat: int, net: Net, rng: Rng, playouts: int) -> None:
        self.state = state
        self.seat = seat
        self.net = net
        self.rng = rng
        self.playouts = playouts
        self.scribe = Scribe(state, seat)
        self.bidders = Bidders()

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        scribe = self.scribe
        if self.state.phase == DISCARD:
            return scribe.choose(legal, self.rng)
        by_hand = scribe.weigh(legal)
        safe = max(by_hand, key=itemgetter(1))[0]
        weighed = self.played_on([(action, self.worth(action)) for action, _ in by_hand], safe)
        top = dict(weighed)[safe]
        better = [(action, worth) for action, worth in weighed if worth > top + CLEAR]
        if better:
            action = better[near([worth for _, worth in better], NEAR, self.rng)][0]
        else:
            action = safe
        ranked = sorted([(option, round(worth, 3)) for option, worth in weighed], key=lambda option: -option[1])
        reasons = scribe.reasons(action, by_hand)
        if action != safe:  # the scribe's terms speak for another one
            reasons.insert(0, ("learned", round(dict(weighed)[action] - top, 1), "ra#end-1"))
        return Choice(action, reasons, ranked)

    def played_on(self, weighed: Weighed, safe: Action) -> Weighed:
        """Return the actions with what playouts say of those that look best and of the scribe's; the others stay as far behind."""
        best = max([worth for _, worth in weighed])
        near_best = sorted([option for option in weighed if option[1] > best - WIDE], key=lambda option: -option[1])[:OPTIONS]
        kept = dict(near_best)
        kept[safe] = dict(weighed)[safe]
        if len(kept) == 1 or not self.playouts:
            return weighed
        margins = Playouts(self.scribe.outlook, self.net, self.rng).margins(list(kept), self.playouts)
        share = AT_ONCE[self.state.seats]
        known = {action: share * at_once + (1 - share) * played for (action, at_once), played in zip(kept.items(), margins, strict=True)}
        top = max(known.values())
        return [(action, known[action] if action in known else top - (best - worth)) for action, worth in weighed]

    def worth(self, action: Action) -> float:
        """Return the margin of fame to expect after an action of this seat."""
        if action == DRAW:
            return self.after_draw()
        state = self.state.copy()
        rules.step(state, action, None)
        if self.state.phase != AUCTION:
            return self.follow(state)
        return self.follow(state, self.bidders)

    def after_draw(self) -> float:
        """Return the mean over the next tile, each unseen one as likely."""
        outlook = self.scribe.outlook
        tiles, lot = self.state.tiles, self.scribe.lot
        total = 0.0
        alike: dict[tuple[int, ...], float] = {}  # as for the scribe
        for kind, count in enumerate(outlook.unseen):
            chance = outlook.p_ra if kind == RA else (1 - outlook.p_ra) * count / outlook.non_ra
            if chance <= 0:
                continue
            group = GROUP_OF[kind]
            key = (group, kind if group < CIVILIZATION or kind in DISASTERS else 0, lot.count(kind), *tiles[kind::N_KINDS])
            worth = alike.get(key)
            if worth is None:
                state = self.state.copy()
                state.phase = DRAWING
                state.bag[0] = kind  # the bag of a known state has no kinds
                rules.step(state, DRAWN[kind], None)
                worth = alike[key] = self.follow(state)
            total += chance * worth
        return total

    def follow(self, state: State, bidders: Bidders | None = None) -> float:
        """Return the margin to expect from a position that is this search's own and may be changed."""
        while True:
            phase = state.phase
            if phase == AUCTION:
                return self.bidding(state, bidders or Bidders())
            if phase == DISCARD:
                rival = Scribe(state, state.due)
                rules.step(state, max(rival.weigh(legality.legal_actions(state, state.due)), key=itemgetter(1))[0], None)
            elif phase == SCORING:
                rules.step(state, SCORE, None)
            elif phase == END:
                return margin(state, state, self.seat)
            else:
                return self.net.value(features(state, self.seat))

    def bidding(self, state: State, bidders: Bidders) -> float:
        """Return the margin to expect from an auction: the best of its own answers, the rivals' by their chances."""
        answers = legality.answers(state)
        if state.due == self.seat:
            return max([self.answered(state, answer, bidders) for answer in answers])
        if len(answers) == 1:
            return self.answered(state, answers[0], bidders)
        return sum([chance * self.answered(state, answer, bidders) for answer, chance in bidders.answers(state)])

    def answered(self, state: State, answer: Action, bidders: Bidders) -> float:
        """Return the margin to expect after an answer; an auction has one ending for each sun that wins it."""
        after = state.copy()
        best = (state.due, answer.sun) if isinstance(answer, Bid) else (state.best_seat, state.best_bid)
        rules.step(after, answer, None)
        if after.phase == AUCTION:
            return self.bidding(after, bidders)
        worth = bidders.endings.get(best)
        if worth is None:
            worth = bidders.endings[best] = self.follow(after)
        return worth


class Bidders:
    """The rivals in one auction, who weigh their answers as the scribe does."""

    def __init__(self) -> None:
        self.rivals: dict[int, tuple[Scribe, Auction]] = {}
        self.endings: dict[tuple[int, int], float] = {}  # what an auction is worth to the searching seat, by winner and sun

    def answers(self, state: State) -> list[tuple[Action, float]]:
        """Return the due seat's likely answers with their chances."""
        known = self.rivals.get(state.due)
        if known is None:
            scribe = Scribe(state, state.due)
            known = self.rivals[state.due] = (scribe, scribe.auction())
        scribe, auction = known
        weighed = scribe.weigh_answers(auction, legality.answers(state), state.best_bid, state.best_seat)
        top = max([worth for _, worth in weighed])
        chances = [(answer, exp((worth - top) / DOUBT)) for answer, worth in weighed]
        least = SURE * sum([chance for _, chance in chances])
        kept = [(answer, chance) for answer, chance in chances if chance >= least]
        total = sum([chance for _, chance in kept])
        return [(answer, chance / total) for answer, chance in kept]
