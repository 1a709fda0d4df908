"""What a position of Tigris & Euphrates is worth to a seat, in points of its weakest colour, from what the seat can see.

The worth of a position is built from points by colour, as they will stand at the end: points so far, what leaders and
monuments will bring, what wars and revolts will probably give and take. Treasures fill the lowest colours; then the colours
are drawn together so that the weakest counts most (`level`). What a rival gains counts against it.

Rules: tigris_euphrates#tiles-6, #monuments-10, #revolts-3, #wars-4, #treasures-1, #end-1, #end-2, #scoring-2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final

from games.tigris_euphrates.components import (
    BLUE,
    FEWEST_TREASURES,
    GREEN,
    HAND_SIZE,
    LAND,
    MONUMENT_COLOURS,
    MONUMENTS_WITH,
    N_COLOURS,
    RED,
    RIVER,
    STRIDE,
)
from games.tigris_euphrates.kingdoms import BESIDE
from games.tigris_euphrates.odds import at_least, chance
from games.tigris_euphrates.state import N_SOURCES, State, total_of
from games.tigris_euphrates.view import View, unseen

# What a worth is made of, in the order in which it is added up.
GROUPS: Final = ("points", "leaders", "monuments", "hand", "treasures", "revolts", "wars", "squares", "rivals")
GROUP_RULES: Final = (
    "tigris_euphrates#scoring-2",
    "tigris_euphrates#tiles-6",
    "tigris_euphrates#monuments-10",
    "tigris_euphrates#hidden-1",
    "tigris_euphrates#treasures-1",
    "tigris_euphrates#revolts-3",
    "tigris_euphrates#wars-4",
    "tigris_euphrates#monuments-1",
    "tigris_euphrates#overview-2",
)

BIT: Final = tuple(1 << square for square in range(11 * STRIDE))
BIG_LAND: Final = LAND & LAND >> 1 & LAND >> STRIDE & LAND >> (STRIDE + 1)  # upper left squares of 2x2 of land
BIG_RIVER: Final = RIVER & RIVER >> 1 & RIVER >> STRIDE & RIVER >> (STRIDE + 1)
BIG: Final = (BIG_LAND, BIG_LAND, BIG_RIVER, BIG_LAND)
IN_HAND: Final = (0.0, 1.0, 1.7, 2.2, 2.5, 2.7, 2.8)  # what so many tiles of one colour are worth, in tiles


@dataclass(frozen=True, slots=True)
class Weights:
    """What the evaluation cannot compute: found by matches against the apprentice."""

    leader: float = 1.2  # a leader on the board, points of its colour
    tile: float = 0.45  # a tile in the hand that a leader waits for
    king: float = 0.75  # what the king's point for another colour is worth against that leader's own
    lasting: float = 0.9  # chance that a monument still brings its point a turn later
    treasure: float = 0.45  # a treasure that one tile would bring
    revolt: float = 0.5  # how surely a rival attacks where it pays
    strip: float = 0.6  # how surely a rival's catastrophe could hit the only temple of a leader
    war: float = 0.5
    own_war: float = 0.35  # how surely a war of one's own is still there next turn
    square: float = 0.3  # three of four tiles for a monument
    rival: float = 0.5  # a rival's gain counts this much against me, shared among all rivals
    doubt: float = 1.0  # how far from each other colours may lie before the weaker one counts alone
    doubt_turn: float = 0.15  # and how much more with every turn to come
    catastrophe: float = 0.5
    draws: float = 2.6  # tiles that a seat draws in a turn
    treasure_turns: float = 3.0  # turns of a seat that a treasure on the board stands for
    progress: float = 0.2  # a turn in which tiles are used, so that the game goes on
    beam: int = 7  # first actions of a turn that are followed up
    breadth: int = 9  # second actions tried after each, besides those that the first one made possible
    patience: float = 0.02  # and how much more with every turn after the usual number


DEFAULT: Final = Weights()

USUAL_TURNS: Final = 64  # of all seats together, whatever their number


def filled(colours: Sequence[float], treasures: float) -> list[float]:
    """Return the colours with treasures poured into the lowest ones (treasures-6).

    >>> filled([1.0, 5.0, 2.0, 9.0], 3.0)
    [3.0, 5.0, 3.0, 9.0]
    """
    order = sorted(range(len(colours)), key=colours.__getitem__)
    result = list(colours)
    level, left = colours[order[0]], treasures
    for place in range(1, len(order) + 1):
        step = (colours[order[place]] - level) * place if place < len(order) else left
        if step >= left:
            level += left / place
            for at in order[:place]:
                result[at] = level
            break
        left -= step
        level = colours[order[place]]
    return result


def level(colours: Sequence[float], treasures: float, doubt: float) -> float:
    """Return what the colours are worth together: near the lowest one, nearer to their mean the more `doubt` there is."""
    if treasures:
        colours = filled(colours, treasures)
    low = min(colours)
    scale = -1.0 / doubt
    a, b, c, d = colours
    return low - doubt * log((exp((a - low) * scale) + exp((b - low) * scale) + exp((c - low) * scale) + exp((d - low) * scale)) / 4)


class Outlook:
    """All that is the same for every position that one decision looks at, and the worth of each of them."""

    def __init__(self, view: View, state: State, seat: int, weights: Weights = DEFAULT) -> None:
        self.weights = weights
        self.seat = seat
        self.seats = seats = view.seats
        self.unseen = unseen(view)
        self.pool = max(1, sum(self.unseen))
        self.bag_count = view.bag_count
        self.odds = [at_least(self.pool, count, HAND_SIZE) for count in self.unseen]  # of a full hand, by kind
        self.odds_now = [[at_least(self.pool, count, hand) for count in self.unseen] for hand in view.hand_counts]
        self.share = [count / self.pool for count in self.unseen]
        self.turns = self.turns_left(view.bag_count, state.treasures.bit_count())
        self.knows = [points is not None for points in view.points]
        # the more of a colour there is to come, the more of it will come without doing anything for it
        mean = 1 / N_COLOURS
        self.drift = [(share - mean) * self.turns for share in self.share]
        self.progress = weights.progress + weights.patience * max(0, view.turn - USUAL_TURNS)
        rest = max(1, seats - 1)
        self.rival = weights.rival / rest
        self.rival_rate = [self._rates(state, other) for other in range(seats)]

    def turns_left(self, bag: int, treasures: int) -> float:
        """Return the turns that each seat probably still has after this one."""
        weights = self.weights
        by_bag = bag / (self.seats * weights.draws)
        by_treasures = (treasures - FEWEST_TREASURES + 1) * weights.treasure_turns
        return max(0.5, min(by_bag, by_treasures * 2 / self.seats + 1))

    def _rates(self, state: State, seat: int) -> list[float]:
        """Return what a point of each colour is worth to a rival."""
        if not self.knows[seat]:
            return [1 / N_COLOURS] * N_COLOURS
        colours = [total_of(state, seat, colour) + self.drift[colour] for colour in range(N_COLOURS)]
        if state.jokers[seat]:
            colours = filled(colours, state.jokers[seat])
        low = min(colours)
        doubt = self.doubt_at(self.turns)
        pulls = [exp((low - colour) / doubt) for colour in colours]
        whole = sum(pulls)
        return [pull / whole for pull in pulls]

    def doubt_at(self, turns: float) -> float:
        return self.weights.doubt + self.weights.doubt_turn * turns

    def is_over(self, state: State) -> bool:
        """Return whether the game ends with this turn, whose last action is done (end-1, end-2)."""
        if state.treasures.bit_count() < FEWEST_TREASURES:
            return True
        hands = state.hands
        missing = sum([max(0, HAND_SIZE - sum(hands[at : at + N_COLOURS])) for at in range(0, len(hands), N_COLOURS)])
        return missing > self.bag_count

    def value(self, state: State, groups: list[float] | None = None) -> float:
        """Return the worth of a settled position to the seat; with `groups`, list there what it is made of."""
        weights = self.weights
        me = self.seat
        seats = self.seats
        leaders = state.leaders
        sources = state.sources
        kingdoms = state.kingdoms
        is_turn_over = state.active != me or state.phase != 0
        is_end = is_turn_over and not state.swapping and self.is_over(state)
        turns = 0.0 if is_end else self.turns_left(self.bag_count, state.treasures.bit_count())
        doubt = weights.doubt if is_end else self.doubt_at(turns)

        # points so far
        points: list[float] = []
        at = me * N_COLOURS * N_SOURCES
        for colour in range(N_COLOURS):
            points.append(sources[at] + sources[at + 1] + sources[at + 2] + sources[at + 3] + (0.0 if is_end else self.drift[colour]))
            at += N_SOURCES
        jokers = float(state.jokers[me])
        rivals = 0.0
        for seat in range(seats):
            if seat != me:
                at = seat * N_COLOURS * N_SOURCES
                for rate in self.rival_rate[seat]:
                    rivals += rate * (sources[at] + sources[at + 1] + sources[at + 2] + sources[at + 3])
                    at += N_SOURCES
                rivals += 0.5 * state.jokers[seat]
        if groups is not None:
            groups.append(level(points, jokers, doubt))
        if is_end:
            worth = level(points, jokers, doubt) + self.progress
            if groups is not None:
                groups += [worth] * (len(GROUPS) - 2)
                groups.append(worth - self.rival * rivals)
            return worth - self.rival * rivals

        # the board
        tiles = state.tiles
        red = tiles[RED]
        closed = state.occupied | state.catastrophes
        free = LAND & ~closed
        free_river = RIVER & ~closed
        edges = state.edges
        one = two = three = 0
        for edge in edges:
            three |= two & edge
            two |= one & edge
            one |= edge
        count = len(kingdoms)
        owners: list[list[int]] = [[-1, -1, -1, -1] for _ in range(count)]
        where = [-1] * len(leaders)
        for at, square in enumerate(leaders):
            if square >= 0:
                bit = BIT[square]
                for index, kingdom in enumerate(kingdoms):
                    if kingdom & bit:
                        where[at] = index
                        owners[index][at & 3] = at >> 2
                        break

        # leaders on the board and the tiles in the hand that wait for them
        base = me * N_COLOURS
        hand = state.hands[base : base + N_COLOURS]
        missing = HAND_SIZE - sum(hand)  # tiles used
        expected = [held + missing * share for held, share in zip(hand, self.share, strict=True)] if is_turn_over else hand
        king_at = where[base]
        stay = [0.0, 0.0, 0.0, 0.0]  # what each of my leaders is worth where it stands
        for colour in range(N_COLOURS):
            index = where[base + colour]
            if index >= 0:
                room = 1.0
                if colour == BLUE and not edges[index] & free_river & ~two:
                    room = 0.5
                stay[colour] = weights.leader * room
                points[colour] += stay[colour]
        if groups is not None:
            groups.append(level(points, jokers, doubt))

        # monuments
        lasting = weights.lasting
        stream = (1 - lasting**turns) / (1 - lasting)
        pending = 0.0 if is_turn_over else 1.0  # the points of this turn, still to come
        rival_stay = 0.0
        bring = [0.0] * len(leaders)
        for monument, corner, _ in state.built:
            bit = BIT[corner]
            for index, kingdom in enumerate(kingdoms):
                if kingdom & bit:
                    for colour in MONUMENT_COLOURS[monument]:
                        owner = owners[index][colour]
                        if owner >= 0:
                            bring[owner * N_COLOURS + colour] += stream + pending if owner == me else stream
                    break
        for colour in range(N_COLOURS):
            points[colour] += bring[base + colour]
        for seat in range(seats):
            if seat != me:
                rates = self.rival_rate[seat]
                for colour in range(N_COLOURS):
                    at = seat * N_COLOURS + colour
                    if where[at] >= 0:
                        rival_stay += rates[colour] * (weights.leader + bring[at])
        rivals += rival_stay
        if groups is not None:
            groups.append(level(points, jokers, doubt))

        # the hand
        for colour in range(N_COLOURS):
            index = where[base + colour]
            held = expected[colour]
            low = min(int(held), HAND_SIZE - 1)
            worth = IN_HAND[low]
            if held > low:
                worth += (held - low) * (IN_HAND[low + 1] - worth)
            if index >= 0:
                points[colour] += weights.tile * worth
            elif king_at >= 0 and owners[king_at][colour] < 0:
                points[colour] += weights.tile * weights.king * worth
            else:
                points[colour] += weights.tile * 0.4 * worth
        if groups is not None:
            groups.append(level(points, jokers, doubt))

        # treasures that a tile would bring
        treasures = state.treasures
        if state.leader_bits[GREEN]:
            for index, kingdom in enumerate(kingdoms):
                owner = owners[index][GREEN]
                if owner < 0:
                    continue
                inside = kingdom & treasures
                outside = treasures & ~kingdom
                near = (outside << 1 | outside >> 1 | outside << STRIDE | outside >> STRIDE) & ~three
                edge = edges[index]
                worth = 0.0
                if near & edge & (free | free_river):
                    worth = 1.0 if inside else 0.4
                else:
                    step = edge & (free | free_river)
                    step = step << 1 | step >> 1 | step << STRIDE | step >> STRIDE
                    if near & step & (free | free_river):
                        worth = 0.5 if inside else 0.2
                    elif inside:
                        worth = 0.2
                if owner == me:
                    jokers += weights.treasure * worth
                else:
                    rivals += 0.5 * weights.treasure * worth
        if groups is not None:
            groups.append(level(points, jokers, doubt))

        # revolts against my leaders, and mine against those of rivals
        up, down, left, right = red << STRIDE, red >> STRIDE, red << 1, red >> 1
        any_two, both_two = up | down, up & down
        any_side, both_side = left | right, left & right
        temple1 = any_two | any_side
        temple2 = both_two | both_side | (any_two & any_side)
        temple3 = (both_two & any_side) | (any_two & both_side)
        temple4 = both_two & both_side
        reds = expected[RED]
        open_squares = free & ~two
        spots: list[int] = []
        for index in range(count):
            spot = edges[index] & open_squares
            if spot & temple2:
                spots.append((4 if spot & temple4 else 3) if spot & temple3 else 2)
            elif spot & temple1:
                spots.append(1)
            else:
                spots.append(0 if spot else -1)
        worst = [0.0, 0.0, 0.0, 0.0]
        rival_catastrophes = sum(state.catastrophes_left) - state.catastrophes_left[me]
        rival_gain = 0.0
        for at, square in enumerate(leaders):
            if square < 0:
                continue
            seat, colour = at >> 2, at & 3
            index = where[at]
            spot = spots[index]
            if spot < 0:
                continue
            strength = (BESIDE[square] & red).bit_count()
            if seat == me:
                loss = stay[colour] + bring[at]
                p = chance(self.odds[RED], strength + reds - spot + 1)
                if strength == 1 and rival_catastrophes and not BESIDE[square] & red & treasures:
                    p = max(p, weights.strip)  # a catastrophe on its only temple
                if p > 0.02:
                    eager = (seats - 1) * weights.revolt * min(1.0, loss / 4)
                    worst[colour] += eager * p * loss
                    rival_gain += eager * p * (0.25 + 0.15 * loss)
            else:
                gain = bring[at]
                mine = where[base + colour]
                if gain and (mine < 0 or mine != index):
                    p = 1 - chance(self.odds[RED], spot + reds - strength)
                    if p > 0.1:
                        points[colour] += 0.25 * p * gain
                        rivals -= 0.25 * p * gain * self.rival_rate[seat][colour]
        for colour in range(N_COLOURS):
            points[colour] -= worst[colour]
        rivals += rival_gain
        if groups is not None:
            groups.append(level(points, jokers, doubt))

        # wars
        can_place = (free | free_river) & ~three
        for first in range(count):
            own_first = owners[first]
            for second in range(first + 1, count):
                own_second = owners[second]
                at_war = [
                    colour
                    for colour in range(N_COLOURS)
                    if own_first[colour] != own_second[colour]
                    and own_first[colour] >= 0
                    and own_second[colour] >= 0
                    and (own_first[colour] == me or own_second[colour] == me)
                ]
                if not at_war:
                    continue
                edge, other_edge = edges[first], edges[second]
                closeness = 1.0
                if not edge & other_edge & can_place:
                    step = edge & can_place
                    step = step << 1 | step >> 1 | step << STRIDE | step >> STRIDE
                    if not step & other_edge & can_place:
                        continue
                    closeness = 0.6
                rivals += self._wars(state, at_war, first, second, owners, closeness, points, stay, bring, expected)
        if groups is not None:
            groups.append(level(points, jokers, doubt))

        # squares of four to come
        if state.monuments_left:
            for kind in range(N_COLOURS):
                if not state.monuments_left & MONUMENTS_WITH[kind]:
                    continue
                board = tiles[kind]
                if board.bit_count() < 3:
                    continue
                b, c, d = board >> 1, board >> STRIDE, board >> (STRIDE + 1)
                high, low_pair = board & b, c & d
                three_of = (high & (c ^ d)) | (low_pair & (board ^ b))
                if not three_of:
                    continue
                blocked = closed & ~board
                three_of &= BIG[kind] & ~(blocked | blocked >> 1 | blocked >> STRIDE | blocked >> (STRIDE + 1))
                while three_of:
                    low_bit = three_of & -three_of
                    three_of ^= low_bit
                    shape = (low_bit | low_bit << 1 | low_bit << STRIDE | low_bit << (STRIDE + 1)) & board
                    best_mine: float = 0.0
                    best_other: float = 0.0
                    for index, kingdom in enumerate(kingdoms):
                        if kingdom & shape:
                            for monument, pair in enumerate(MONUMENT_COLOURS):
                                if state.monuments_left >> monument & 1 and kind in pair:
                                    ours = sum([owners[index][colour] == me for colour in pair])
                                    theirs = sum([owners[index][colour] not in (-1, me) for colour in pair])
                                    best_mine = max(best_mine, ours - 0.7 * theirs)
                                    best_other = max(best_other, theirs - 0.7 * ours)
                            break
                    if best_mine > 0:
                        points[kind] += weights.square * best_mine * stream * min(1.0, expected[kind])
                    if best_other > 0:
                        rivals += weights.square * 0.25 * best_other * stream
        worth = level(points, jokers, doubt)
        if groups is not None:
            groups += [worth, worth - self.rival * rivals]
        worth += weights.catastrophe * 0.25 * state.catastrophes_left[me]
        if missing:
            worth += self.progress
        return worth - self.rival * rivals

    def _wars(
        self,
        state: State,
        at_war: list[int],
        first: int,
        second: int,
        owners: list[list[int]],
        near: float,
        points: list[float],
        stay: list[float],
        bring: list[float],
        hand: Sequence[float],
    ) -> float:
        """Weigh the wars that would follow if two kingdoms were united, by a rival and by me; return what rivals gain."""
        weights = self.weights
        me = self.seat
        threat = chance_mine = gained = 0.0
        losses = [0.0, 0.0, 0.0, 0.0]
        rival_gain = rival_loss = 0.0
        gains = [0.0, 0.0, 0.0, 0.0]
        for colour in at_war:
            board = state.tiles[colour]
            if owners[first][colour] == me:
                mine, his, other = first, second, owners[second][colour]
            else:
                mine, his, other = second, first, owners[first][colour]
            own = (board & state.kingdoms[mine]).bit_count()
            enemy = (board & state.kingdoms[his]).bit_count()
            odds = self.odds[colour]
            my_loss = stay[colour] + bring[me * N_COLOURS + colour]
            his_loss = weights.leader + bring[other * N_COLOURS + colour]
            p_lost = chance(odds, own + hand[colour] - enemy + 1)  # he attacks: he needs more
            p_won = 1 - chance(odds, own + hand[colour] - enemy)  # I attack: he needs as much
            take, give = enemy + 1.0, own + 1.0
            threat += p_lost * (give + my_loss) - (1 - p_lost) * (take + his_loss)
            losses[colour] = p_lost * my_loss - (1 - p_lost) * take
            rate = self.rival_rate[other][colour]
            rival_gain += rate * (p_lost * give - (1 - p_lost) * his_loss)
            rival_loss += rate * (p_won * his_loss - (1 - p_won) * give)
            chance_mine += p_won * (take + his_loss) - (1 - p_won) * (give + my_loss)
            gains[colour] = p_won * take - (1 - p_won) * my_loss
        if threat > 0:
            eager = near * weights.war * min(1.0, threat / 4)
            for colour in at_war:
                points[colour] -= eager * losses[colour]
            gained += eager * rival_gain
        if chance_mine > 0:
            eager = near * weights.own_war
            for colour in at_war:
                points[colour] += eager * gains[colour]
            gained -= eager * rival_loss
        return gained
