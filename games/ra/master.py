"""The master of Ra: plays out draws and auctions, and weighs the positions after them by a learned value (`features`, `learner`).

Draws are averaged over all unseen tiles. An auction is played to its end over every sun of the seat; rivals bid as the scribe would,
whose thoughts use only what is open. The scribe's own choice stands unless another one is clearly better.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final

from games.core.choosing import near
from games.core.contract import Choice, Rng
from games.core.net import Net
from games.ra import legality, rules
from games.ra.actions import BIDS, CALL, DRAW, DRAWN, PASS, SCORE, Action, Bid
from games.ra.components import RA
from games.ra.evaluation import Auction
from games.ra.features import features
from games.ra.learner import margin
from games.ra.scribe import Scribe
from games.ra.state import AUCTION, DISCARD, DRAWING, END, SCORING, State

NEAR: Final = 0.05  # fame by which a move may fall short of the best and still be played
CLEAR: Final = 0.0  # how much better than the scribe's choice another one must look
DOUBT: Final = 0.5  # how uncertain rivals' answers are, fame
SURE: Final = 0.03  # answers less likely than this are left out


class Master:
    def __init__(self, state: State, seat: int, net: Net, rng: Rng) -> None:
        self.state = state
        self.seat = seat
        self.net = net
        self.rng = rng

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        scribe = Scribe(self.state, self.seat)
        by_hand = scribe.weigh(legal)
        if self.state.phase == DISCARD:
            return scribe.choose(legal, self.rng)
        safe = max(by_hand, key=lambda option: option[1])[0]
        weighed = [(action, self.worth(action)) for action, _ in by_hand]
        worths = [worth + (CLEAR if action == safe else 0.0) for action, worth in weighed]
        action = weighed[near(worths, NEAR, self.rng)][0]
        ranked = sorted([(option, round(worth, 3)) for option, worth in weighed], key=lambda option: -option[1])
        return Choice(action, scribe.reasons(action, by_hand), ranked)

    def worth(self, action: Action) -> float:
        """Return the margin of fame to expect after an action of this seat."""
        if action == DRAW:
            return self.after_draw()
        state = self.state.copy()
        rules.step(state, action, None)
        return self.follow(state, {})

    def after_draw(self) -> float:
        """Return the mean over the next tile, each unseen one as likely."""
        outlook = Scribe(self.state, self.seat).outlook
        total = 0.0
        for kind, count in enumerate(outlook.unseen):
            chance = outlook.p_ra if kind == RA else (1 - outlook.p_ra) * count / outlook.non_ra
            if chance > 0:
                state = self.state.copy()
                state.phase = DRAWING
                state.bag[0] = kind  # the bag of a known state has no kinds
                rules.step(state, DRAWN[kind], None)
                total += chance * self.follow(state, {})
        return total

    def follow(self, state: State, auctions: dict[int, Rival]) -> float:
        """Return the margin to expect from a position that is its own, which may be changed."""
        while True:
            if state.phase == AUCTION:
                return self.bidding(state, auctions)
            if state.phase == DISCARD:
                scribe = Scribe(state, state.due)
                legal = legality.legal_actions(state, state.due)
                rules.step(state, max(scribe.weigh(legal), key=lambda option: option[1])[0], None)
            elif state.phase == SCORING:
                rules.step(state, SCORE, None)
            elif state.phase == END:
                return margin(state, state, self.seat)
            else:
                return self.net.value(features(state, self.seat))

    def bidding(self, state: State, rivals: dict[int, Rival]) -> float:
        """Return the margin to expect from an auction: the best own answer, and the rivals' by their chances."""
        seat = state.due
        answers = legality.answers(state)
        if seat == self.seat:
            return max([self.answered(state, answer, rivals) for answer in answers])
        if len(answers) == 1:
            return self.answered(state, answers[0], rivals)
        rival = rivals.get(seat)
        if rival is None:
            rival = rivals[seat] = Rival(state, seat)
        return sum([chance * self.answered(state, answer, rivals) for answer, chance in rival.answers(state)])

    def answered(self, state: State, answer: Action, rivals: dict[int, Rival]) -> float:
        after = state.copy()
        rules.step(after, answer, None)
        key = (after.best_seat, after.best_bid) if after.phase == AUCTION else None
        del key
        return self.follow(after, rivals)


class Rival:
    """A rival in an auction, who weighs its answers as the scribe does."""

    def __init__(self, state: State, seat: int) -> None:
        self.seat = seat
        self.scribe = Scribe(state, seat)
        self.auction: Auction = self.scribe.auction()

    def answers(self, state: State) -> list[tuple[Action, float]]:
        """Return the likely answers with their chances."""
        weighed = self.scribe.weigh_answers(self.auction, legality.answers(state), state.best_bid, state.best_seat)
        top = max([worth for _, worth in weighed])
        chances = [(answer, exp((worth - top) / DOUBT)) for answer, worth in weighed]
        total = sum([chance for _, chance in chances])
        kept = [(answer, chance / total) for answer, chance in chances if chance >= SURE * total]
        total = sum([chance for _, chance in kept])
        return [(answer, chance / total) for answer, chance in kept]


__all__ = ["BIDS", "CALL", "PASS", "Bid", "Master"]
