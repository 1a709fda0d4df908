"""The apprentice of Tigris & Euphrates: a beginner's rules of thumb, one action at a time.

It sees the points of an action and the strengths on the board, and looks after its weakest colours. It assumes that every other
hand holds one tile of what matters, does not see what a rival could do next, and picks among equal squares at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from games.core.contract import Choice, Rng
from games.tigris_euphrates import legality
from games.tigris_euphrates.actions import (
    CATASTROPHES,
    DECLINE,
    LEADERS,
    PASS,
    SUPPORTS,
    TILES,
    Action,
    Build,
    Swap,
)
from games.tigris_euphrates.components import (
    BLACK,
    GREEN,
    MONUMENT_COLOURS,
    MONUMENTS_WITH,
    N_COLOURS,
    RED,
)
from games.tigris_euphrates.kingdoms import BESIDE, kingdom_at
from games.tigris_euphrates.squares import Board
from games.tigris_euphrates.state import ACTION, ATTACK, DEFENCE, MONUMENT, NOWHERE, WAR_CHOICE, State, squares_of, total_of
from games.tigris_euphrates.strengths import conflict_strengths
from games.tigris_euphrates.view import View

Item = TypeVar("Item")
Option = tuple[float, Action, str, str]  # worth, action, key of the reason, paragraph

RULE: Final = "tigris_euphrates#"
NEEDS: Final = (1.5, 1.2, 1.0, 0.8)  # what a point is worth, from the weakest colour to the strongest
GUESS: Final = 1  # tiles that a rival is assumed to add
BLUR: Final = 0.3  # the most by which a beginner misjudges an action
LEADER: Final = 1.0  # a leader on the board
WAITING: Final = 0.35  # plus this for each tile of its colour in hand
MONUMENT_POINT: Final = 1.5  # a leader in the kingdom of a monument of its colour
TREASURE: Final = 1.4
IDLE: Final = 0.3  # a swap


class Apprentice:
    """A beginner's answer to every question."""

    def __init__(self, view: View, state: State, rng: Rng) -> None:
        assert view.seat is not None
        self.state = state
        self.rng = rng
        self.seat = view.seat
        self.base = view.seat * N_COLOURS
        self.hand = state.hands[self.base : self.base + N_COLOURS]
        totals = [total_of(state, view.seat, colour) for colour in range(N_COLOURS)]
        order = sorted(range(N_COLOURS), key=lambda colour: totals[colour])
        self.needs = [NEEDS[order.index(colour)] for colour in range(N_COLOURS)]

    def choose(self, legal: Sequence[Action]) -> Choice[Action]:
        phase = self.state.phase
        if phase == ACTION:
            return self.turn()
        if phase == ATTACK:
            return self.attack()
        if phase == DEFENCE:
            return self.defend()
        if phase == MONUMENT:
            return self.monument(legal)
        if phase == WAR_CHOICE:
            return self.war(legal)
        return Choice(self.one_of(list(legal)), (("treasure", TREASURE, RULE + "treasures-3"),))

    def one_of(self, options: Sequence[Item]) -> Item:
        return options[self.rng.below(len(options), "bot")]

    def blur(self) -> float:
        return (self.rng.below(2001, "bot") / 1000 - 1) * BLUR

    # turns

    def turn(self) -> Choice[Action]:
        self.board = Board(self.state, self.seat)
        options = [*self.tiles(), *self.leaders(), *self.catastrophes(), *self.swaps()]
        if not options:
            if not any(self.hand):
                return Choice(PASS, (("nothing", 0.0, RULE + "turn-3"),))
            options = [(0.0, Swap((self.hand.index(max(self.hand)),)), "swap", "swap-1")]
        seen = [(worth + self.blur(), option) for option in options for worth in (option[0],)]
        seen.sort(key=lambda pair: -pair[0])
        worth, (_, best, key, rule) = seen[0]
        ranked: dict[Action, float] = {}
        for each, (_, action, _, _) in seen:
            ranked.setdefault(action, round(each, 2))
        return Choice(best, [(key, round(worth, 1), RULE + rule)], list(ranked.items()))

    def at(self, squares: int) -> int:
        """Return a random square of a bit board."""
        return self.one_of(squares_of(squares))

    def tiles(self) -> list[Option]:
        """Return tiles that bring a point, a treasure or a promising war."""
        board, state, seat = self.board, self.state, self.seat
        found: list[Option] = []
        for kind in range(N_COLOURS):
            if not self.hand[kind]:
                continue
            allowed = legality.tile_squares(board.state, kind)
            complete = board.completing(kind)[0] if state.monuments_left & MONUMENTS_WITH[kind] else 0
            for index, edge in enumerate(board.edges):
                here = allowed & edge & ~board.two
                row = board.owners[index]
                owner = row[kind] if row[kind] >= 0 else row[BLACK]
                if not here or seat not in row:
                    continue
                point = self.needs[kind] if owner == seat else 0.0 if owner < 0 else -0.5
                if here & complete:
                    best = max([self.monument_worth(monument, index) for monument in self.monuments(kind)])
                    if best > 0:
                        found.append((point + best, self.tile(kind, here & complete), "monument", "monuments-1"))
                near = here & board.loose_treasure_edge
                if near and row[GREEN] == seat and state.kingdoms[index] & state.treasures:
                    found.append((point + TREASURE, self.tile(kind, near), "treasure", "treasures-1"))
                if point > 0:
                    found.append((point, self.tile(kind, here), "point", "tiles-6" if row[kind] == seat else "tiles-7"))
            found += self.unions(kind, allowed & board.two)
        return found

    def tile(self, kind: int, squares: int) -> Action:
        action = TILES[kind][self.at(squares)]
        assert action is not None
        return action

    def monuments(self, kind: int) -> list[int]:
        left = self.state.monuments_left & MONUMENTS_WITH[kind]
        return [monument for monument in range(len(MONUMENT_COLOURS)) if left >> monument & 1]

    def monument_worth(self, monument: int, index: int) -> float:
        """Return what a monument in a kingdom is worth: points for the seat's leaders there, less those for the others'."""
        row = self.board.owners[index]
        worth = 0.0
        for colour in MONUMENT_COLOURS[monument]:
            if row[colour] >= 0:
                worth += MONUMENT_POINT if row[colour] == self.seat else -MONUMENT_POINT
        return worth

    def unions(self, kind: int, joint: int) -> list[Option]:
        """Return tiles that unite two kingdoms, for treasures or for wars that look winnable."""
        board, state, seat = self.board, self.state, self.seat
        found: list[Option] = []
        for first in range(len(board.edges)):
            if not joint & board.edges[first]:
                continue
            for second in range(first + 1, len(board.edges)):
                both = joint & board.edges[first] & board.edges[second]
                if not both or (seat not in board.owners[first] and seat not in board.owners[second]):
                    continue
                worth, wars = 0.0, 0
                for role in range(N_COLOURS):
                    one, other = board.owners[first][role], board.owners[second][role]
                    if one >= 0 and other >= 0:
                        wars += 1
                        if seat in (one, other):
                            mine, his = (first, second) if one == seat else (second, first)
                            worth += self.war_worth(role, mine, his, kind)
                if not wars:
                    treasures = (state.kingdoms[first] | state.kingdoms[second]) & state.treasures
                    if seat in (board.owners[first][GREEN], board.owners[second][GREEN]) and treasures & (treasures - 1):
                        found.append((TREASURE, self.tile(kind, both), "treasure", "treasures-1"))
                elif worth > 1:
                    found.append((worth, self.tile(kind, both), "war", "wars-4"))
        return found

    def war_worth(self, role: int, mine: int, his: int, kind: int) -> float:
        """Return what a war is worth to a beginner, who counts the tiles on the board and in hand."""
        tiles = self.state.tiles[role]
        own = (tiles & self.state.kingdoms[mine]).bit_count()
        enemy = (tiles & self.state.kingdoms[his]).bit_count()
        held = self.hand[role] - (role == kind)
        return 0.8 * self.needs[role] * (enemy + 1) if own + held > enemy + GUESS else -(own + 2.0)

    def leaders(self) -> list[Option]:
        """Return leaders to place, or to move to a kingdom with a monument."""
        board, state = self.board, self.state
        temples = state.tiles[RED]
        found: list[Option] = []
        for role in range(N_COLOURS):
            is_in_hand = state.leaders[self.base + role] == NOWHERE
            now = state.leaders[self.base + role]
            there = 0 if is_in_hand else self.monuments_in(kingdom_at(state, now), role)
            squares = legality.leader_squares(state, self.seat, role)
            rest = squares
            for index, edge in enumerate(board.edges):
                here = squares & edge
                rest &= ~edge
                row = board.owners[index]
                if not here or row[role] == self.seat:
                    continue
                worth = MONUMENT_POINT * (self.monuments_in(state.kingdoms[index], role) - there)
                if role == GREEN:
                    worth += TREASURE * max(0, (state.kingdoms[index] & state.treasures).bit_count() - 1)
                if is_in_hand:
                    worth += LEADER + WAITING * self.hand[role]
                elif worth <= 0:
                    continue
                square = self.at(here)
                action = LEADERS[role][square]
                assert action is not None
                if row[role] < 0:
                    found.append((worth, action, "leader", "leaders-1"))
                    continue
                rival = (BESIDE[state.leaders[row[role] * N_COLOURS + role]] & temples).bit_count()
                if (BESIDE[square] & temples).bit_count() + self.hand[RED] > rival + GUESS:
                    found.append((worth + self.needs[RED] - 0.7, action, "revolt", "revolts-3"))
            if is_in_hand and rest:
                action = LEADERS[role][self.at(rest)]
                assert action is not None
                found.append((LEADER + WAITING * self.hand[role], action, "leader", "leaders-1"))
        return found

    def monuments_in(self, kingdom: int, role: int) -> int:
        """Return how many monuments in a kingdom have the colour of a leader."""
        return sum([role in MONUMENT_COLOURS[monument] for monument, square, _ in self.state.built if kingdom >> square & 1])

    def catastrophes(self) -> list[Option]:
        """Return a catastrophe that drives a rival's leader away from a monument."""
        state = self.state
        if not state.catastrophes_left[self.seat] or not state.built:
            return []
        allowed = legality.catastrophe_squares(state)
        found: list[Option] = []
        for at, square in enumerate(state.leaders):
            if square == NOWHERE or at // N_COLOURS == self.seat:
                continue
            temples = BESIDE[square] & state.tiles[RED]
            kingdom = kingdom_at(state, square)
            points = self.monuments_in(kingdom, at % N_COLOURS)
            if points and temples & (temples - 1) == 0 and temples & allowed:
                action = CATASTROPHES[self.at(temples & allowed)]
                assert action is not None
                found.append((0.6 + 0.4 * points, action, "catastrophe", "catastrophes-4"))
        return found

    def swaps(self) -> list[Option]:
        """Return the swap of tiles held more than twice and of colours that no leader waits for."""
        leaders = self.state.leaders[self.base : self.base + N_COLOURS]
        kinds = []
        for kind, held in enumerate(self.hand):
            keep = 1 if kind != RED and leaders[kind] == NOWHERE else 2
            kinds += [kind] * max(0, held - keep)
        return [(IDLE, Swap(tuple(kinds)), "swap", "swap-1")] if kinds else []

    # conflicts, monuments

    def attack(self) -> Choice[Action]:
        """Add enough to beat a rival that adds a tile, if the hand can win at all."""
        attack, defence = conflict_strengths(self.state)
        kind = legality.support_kind(self.state)
        held = self.hand[kind]
        count = min(held, max(0, defence + GUESS + 1 - attack))
        if attack + count <= defence:
            count = 0
        return Choice(SUPPORTS[kind][count], (("strength", float(attack + count - defence), RULE + "conflicts-4"),))

    def defend(self) -> Choice[Action]:
        """Add just enough, if the hand has it."""
        state = self.state
        attack, defence = conflict_strengths(state)
        kind = legality.support_kind(state)
        need = max(0, attack + state.added - defence)
        count = need if need <= self.hand[kind] else 0
        return Choice(SUPPORTS[kind][count], (("strength", float(defence + count - attack - state.added), RULE + "conflicts-4"),))

    def war(self, legal: Sequence[Action]) -> Choice[Action]:
        """Start with any of the wars."""
        return Choice(self.one_of(list(legal)), (("any_war", 0.0, RULE + "wars-2"),))

    def monument(self, legal: Sequence[Action]) -> Choice[Action]:
        """Build what brings the seat's leaders most, if it brings them anything."""
        self.board = Board(self.state, self.seat)
        kingdoms = self.state.kingdoms
        best: Action = DECLINE
        top = 0.0
        for action in legal:
            if isinstance(action, Build):
                for index, kingdom in enumerate(kingdoms):
                    if kingdom >> action.square & 1:
                        worth = self.monument_worth(action.monument, index) + 0.1 * self.blur()
                        if worth > top:
                            best, top = action, worth
        if best is DECLINE:
            return Choice(best, (("no_monument", 0.0, RULE + "monuments-10"),))
        return Choice(best, (("monument", round(top, 1), RULE + "monuments-10"),))
