"""Looking ahead over a seat's own turn in Tigris & Euphrates: which actions are worth considering, and how they end.

A position is settled when nobody is asked in the middle of an action. Conflicts are resolved by the odds of what the others
hold; monuments and the order of wars by what is worth most to the seat that looks ahead, if they are its own to choose.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from games.tigris_euphrates import legality, turns
from games.tigris_euphrates.actions import (
    CATASTROPHES,
    DECLINE,
    LEADERS,
    PASS,
    SUPPORTS,
    TILES,
    WARS,
    Action,
    Support,
    Swap,
    Treasure,
)
from games.tigris_euphrates.components import HAND_SIZE, N_COLOURS, RED
from games.tigris_euphrates.evaluation import Outlook
from games.tigris_euphrates.odds import chance
from games.tigris_euphrates.squares import Board
from games.tigris_euphrates.state import (
    ATTACK,
    DEFENCE,
    MONUMENT,
    NOWHERE,
    TREASURE,
    WAR_CHOICE,
    State,
    squares_of,
)
from games.tigris_euphrates.strengths import conflict_strengths

Branch = tuple[float, State]  # chance, settled position

OVERWHELMING: Final = 60  # this many tiles decide any conflict
SLIGHT: Final = 0.03  # chances below this are not followed


class Lookahead:
    """Plays out the rest of an action, for the seat of an outlook."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.seat = outlook.seat
        self.base = outlook.seat * N_COLOURS
        self.is_ordering = False  # whether orders of wars are being compared

    # settling

    def after(self, state: State, action: Action) -> list[Branch]:
        """Return the settled positions that an action may lead to, with their chances."""
        new = state.copy()
        turns.step(new, action, None)
        return self.settle(new)

    def worth(self, state: State, action: Action) -> float:
        """Return what an action is worth on average."""
        return self.mean(self.after(state, action))

    def mean(self, branches: list[Branch]) -> float:
        value = self.outlook.value
        if len(branches) == 1:
            return value(branches[0][1])
        total = whole = 0.0
        for part, state in branches:
            total += part * value(state)
            whole += part
        return total / whole

    def settle(self, state: State) -> list[Branch]:
        """Return the positions in which an action ends. Changes `state`."""
        while True:
            phase = state.phase
            if phase == WAR_CHOICE:
                roles = legality.pending_wars(state)
                if state.due == self.seat and not self.is_ordering:
                    return self._order(state, roles)
                turns.step(state, WARS[roles[0]], None)
            elif phase in (ATTACK, DEFENCE):
                return self._fight(state)
            elif phase == MONUMENT:
                options: list[Action] = [*self.monuments(state), DECLINE]
                if len(options) == 1:
                    turns.step(state, DECLINE, None)
                    continue
                return max([self.after(state, option) for option in options], key=self.mean)
            elif phase == TREASURE:
                squares = legality.treasure_squares(state, state.due)
                turns.step(state, Treasure((squares & -squares).bit_length() - 1), None)
            else:
                return [(1.0, state)]

    def _order(self, state: State, roles: Sequence[int]) -> list[Branch]:
        """Return the branches of the best war to resolve next; those after it are taken as they come, or four wars would be endless."""
        self.is_ordering = True
        best = max([self.after(state, WARS[role]) for role in roles], key=self.mean)
        self.is_ordering = False
        return best

    def monuments(self, state: State) -> list[Action]:
        """Return the monuments worth considering: on the first square, and on others if there is a choice."""
        return list(legality.monument_options(state))

    def _fight(self, state: State) -> list[Branch]:
        """Return how a conflict may end; the seat adds what is best for it."""
        attack, defence = conflict_strengths(state)
        kind = legality.support_kind(state)
        me = self.seat
        if state.phase == DEFENCE:
            attack += state.added
            if state.defender == me:
                return self._defend(state, attack, defence, kind)
            p = chance(self.outlook.odds_now[state.defender][kind], attack - defence)
            return self._branches(state, [(p, Support(OVERWHELMING + attack, kind)), (1 - p, SUPPORTS[kind][0])])
        if state.attacker == me:
            return self._attack(state, attack, defence, kind)
        # others fight: the attacker adds all it may have
        odds, other = self.outlook.odds_now[state.attacker][kind], self.outlook.odds_now[state.defender][kind]
        if state.defender == me:
            held = state.hands[self.base + kind]
            p = chance(odds, defence + held - attack + 1)
        else:
            p = 0.0
            for n, (now, then) in enumerate(pairwise(odds)):
                p += (now - then) * (1 - chance(other, attack + n - defence))
        given = Support(min(2, state.hands[self.base + kind]) if state.defender == me else 0, kind)
        won, lost = state.copy(), state
        turns.step(won, Support(OVERWHELMING, kind), None)
        turns.step(won, given, None)
        turns.step(lost, Support(-OVERWHELMING, kind), None)
        turns.step(lost, given, None)
        return self._join([(p, won), (1 - p, lost)])

    def _branches(self, state: State, ways: list[tuple[float, Action]]) -> list[Branch]:
        found: list[Branch] = []
        for p, action in ways:
            if p >= SLIGHT:
                found += [(p * part, end) for part, end in self.after(state, action)]
        return found

    def _join(self, ways: list[tuple[float, State]]) -> list[Branch]:
        found: list[Branch] = []
        for p, state in ways:
            if p >= SLIGHT:
                found += [(p * part, end) for part, end in self.settle(state)]
        return found

    def _defend(self, state: State, attack: int, defence: int, kind: int) -> list[Branch]:
        need = max(0, attack - defence)
        ways = [self.after(state, SUPPORTS[kind][0])]
        if 0 < need <= state.hands[self.base + kind]:
            ways.append(self.after(state, SUPPORTS[kind][need]))
        return max(ways, key=self.mean)

    def _attack(self, state: State, attack: int, defence: int, kind: int) -> list[Branch]:
        """Return the branches of the best number of tiles to add, judged by the two outcomes and the odds."""
        held = state.hands[self.base + kind]
        odds = self.outlook.odds_now[state.defender][kind]
        best: list[Branch] = []
        top = -1e9
        for count in range(held + 1):
            p = 1 - chance(odds, attack + count - defence)
            if count and p <= 0:
                continue
            new = state.copy()
            turns.step(new, SUPPORTS[kind][count], None)
            ways = self._branches(new, [(1 - p, Support(OVERWHELMING, kind)), (p, SUPPORTS[kind][0])])
            worth = self.mean(ways)
            if worth > top:
                best, top = ways, worth
            if p >= 1 - SLIGHT:
                break
        return best

    # candidates

    def answers(self, state: State, legal: Sequence[Action]) -> list[Action]:
        """Return the answers worth considering: a defender adds just enough or nothing, an attacker nothing if there is no hope."""
        if state.phase not in (ATTACK, DEFENCE):
            return list(legal)
        attack, defence = conflict_strengths(state)
        if state.phase == DEFENCE:
            need = max(0, attack + state.added - defence)
            return [legal[0], legal[need]] if 0 < need < len(legal) else [legal[0]]
        odds = self.outlook.odds_now[state.defender][legality.support_kind(state)]
        return [legal[0], *[action for count, action in enumerate(legal) if count and chance(odds, attack + count - defence) < 1]]

    def candidates(self, state: State) -> list[Action]:
        """Return the seat's actions that are worth considering."""
        board = Board(state, self.seat)
        actions: list[Action] = []
        hand = state.hands[self.base : self.base + N_COLOURS]
        for kind in range(N_COLOURS):
            if hand[kind]:
                squares = board.tile_squares(kind)
                row = TILES[kind]
                while squares:
                    low = squares & -squares
                    squares ^= low
                    actions.append(row[low.bit_length() - 1])  # type: ignore[arg-type]
        for role in range(N_COLOURS):
            squares = board.leader_squares(role)
            while squares:
                low = squares & -squares
                squares ^= low
                actions.append(LEADERS[role][low.bit_length() - 1])  # type: ignore[arg-type]
        if state.catastrophes_left[self.seat]:
            actions += [CATASTROPHES[square] for square in squares_of(board.catastrophe_squares())]  # type: ignore[misc]
        actions += self.swaps(state, hand)
        actions.append(PASS)
        return actions

    def swaps(self, state: State, hand: list[int]) -> list[Action]:
        """Return the swaps worth considering: the colours that no leader waits for, and the colour held most."""
        if not sum(hand):
            return []
        if sum(state.bag) < HAND_SIZE * state.seats:
            return [Swap((hand.index(max(hand)),))]
        leaders = state.leaders[self.base : self.base + N_COLOURS]
        idle = [kind for kind in range(N_COLOURS) if hand[kind] and leaders[kind] == NOWHERE and kind != RED]
        found: list[Action] = []
        if idle:
            found.append(Swap(tuple([kind for kind in idle for _ in range(hand[kind])])))
        most = max(range(N_COLOURS), key=hand.__getitem__)
        if hand[most] >= 3:
            found.append(Swap((most,) * (hand[most] - 1)))
        return found
