"""What a position of Tigris & Euphrates is worth to a seat, in points of its weakest colour, from what the seat can see.

The worth of a position is built from the points by colour expected at the end: points so far, what leaders and monuments
will bring, what wars and revolts will probably give and take. Treasures fill the lowest colours; then the colours are
combined so that the weakest counts most (`level`). A rival's gains count against it.

Rules: tigris_euphrates#tiles-6, #monuments-10, #revolts-3, #wars-4, #treasures-1, #end-1, #end-2, #scoring-2
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
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
from games.tigris_euphrates.kingdoms import BESIDE, spread, touched
from games.tigris_euphrates.odds import at_least, chance
from games.tigris_euphrates.state import ACTION, N_SOURCES, State, total_of
from games.tigris_euphrates.view import View, unseen

# The parts of a worth and their paragraphs, in the order in which they are added up; between the first and the last come the terms.
GROUP_RULES: Final = {
    "points": "tigris_euphrates#scoring-2",
    "leaders": "tigris_euphrates#tiles-6",
    "monuments": "tigris_euphrates#monuments-10",
    "hand": "tigris_euphrates#tiles-6",
    "treasures": "tigris_euphrates#treasures-1",
    "revolts": "tigris_euphrates#revolts-3",
    "wars": "tigris_euphrates#wars-4",
    "squares": "tigris_euphrates#monuments-1",
    "rivals": "tigris_euphrates#overview-2",
}
ALL_TERMS: Final = tuple(GROUP_RULES)[1:-1]

BIT: Final = tuple(1 << square for square in range(11 * STRIDE))
BIG_LAND: Final = LAND & LAND >> 1 & LAND >> STRIDE & LAND >> (STRIDE + 1)  # upper left squares of 2x2 of land
BIG_RIVER: Final = RIVER & RIVER >> 1 & RIVER >> STRIDE & RIVER >> (STRIDE + 1)
BIG: Final = (BIG_LAND, BIG_LAND, BIG_RIVER, BIG_LAND)
IN_HAND: Final = (0.0, 1.0, 1.7, 2.2, 2.5, 2.7, 2.8)  # by number of tiles of one colour: what they are worth, in tiles


@dataclass(frozen=True, slots=True)
class Weights:
    """What the evaluation cannot compute: tuned in matches against the apprentice."""

    leader: float = 1.2  # a leader on the board, points of its colour
    tile: float = 0.45  # a tile in hand that a leader waits for
    king: float = 0.75  # what the king's point for another colour is worth, relative to that leader's own
    lasting: float = 0.9  # chance that a monument still brings its point a turn later
    treasure: float = 0.45  # a treasure that one tile would bring
    revolt: float = 0.5  # how likely a rival is to attack where it pays
    strip: float = 0.6  # how likely a rival's catastrophe is to hit a leader's only temple
    war: float = 0.5
    own_war: float = 0.35  # how likely a war that I could start is still to be there next turn
    square: float = 0.3  # three of four tiles for a monument
    rival: float = 0.5  # a rival's gain counts this much against me, shared among all rivals
    doubt: float = 1.0  # how far apart colours may be before only the weaker one counts
    doubt_turn: float = 0.15  # plus this for every turn to come
    catastrophe: float = 0.5
    draws: float = 2.6  # tiles that a seat draws in a turn
    treasure_turns: float = 3.0  # turns per seat that each treasure on the board stands for
    progress: float = 0.2  # a turn in which tiles are used, which moves the game along
    beam: int = 7  # first actions of a turn that are followed up
    breadth: int = 9  # second actions tried after each, besides those that the first made possible
    patience: float = 0.02  # plus this for every turn after the usual number


DEFAULT: Final = Weights()

USUAL_TURNS: Final = 64  # of all seats together, whatever their number


def filled(colours: Sequence[float], treasures: float) -> list[float]:
    """Return the colours after filling up the lowest ones with treasures (treasures-6).

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
    """Return what the colours are worth together: close to the lowest, and closer to their mean the more `doubt` there is."""
    if treasures:
        colours = filled(colours, treasures)
    low = min(colours)
    scale = -1.0 / doubt
    a, b, c, d = colours
    return low - doubt * log((exp((a - low) * scale) + exp((b - low) * scale) + exp((c - low) * scale) + exp((d - low) * scale)) / 4)


@cache
def pairs_with(kind: int, monuments: int) -> tuple[tuple[int, int], ...]:
    """Return the colour pairs of those of the `monuments` that have the colour of `kind`."""
    return tuple((pair[0], pair[1]) for at, pair in enumerate(MONUMENT_COLOURS) if monuments >> at & 1 and kind in pair)


class Outlook:
    """What stays the same for every position considered in one decision, and the worth of each position.

    `terms` are those of ALL_TERMS that are weighed, in this order.
    """

    def __init__(self, view: View, state: State, seat: int, weights: Weights = DEFAULT, terms: Sequence[str] = ALL_TERMS) -> None:
        self.weights = weights
        self.groups = ("points", *terms, "rivals")
        self.terms = [TERMS[name] for name in terms]
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
        # the more of a colour is still to come, the more of it will come without any effort
        mean = 1 / N_COLOURS
        self.drift = [(share - mean) * self.turns for share in self.share]
        self.progress = weights.progress + weights.patience * max(0, view.turn - USUAL_TURNS)
        rest = max(1, seats - 1)
        self.rival = weights.rival / rest
        self.rival_rate = [self._rates(state, other) for other in range(seats)]

    def turns_left(self, bag: int, treasures: int) -> float:
        """Return how many turns each seat probably has left after this one."""
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
        """Return the worth of a settled position to the seat; its parts are appended to `groups` if given."""
        weights = self.weights
        is_turn_over, is_end, turns = self.stage(state)
        doubt = weights.doubt if is_end else self.doubt_at(turns)
        points, rivals = self.points_so_far(state, is_end)
        jokers = float(state.jokers[self.seat])
        if groups is not None:
            groups.append(level(points, jokers, doubt))
        if is_end:
            worth = level(points, jokers, doubt) + self.progress
            if groups is not None:
                groups += [worth] * len(self.terms)
                groups.append(worth - self.rival * rivals)
            return worth - self.rival * rivals
        tally = Tally(self, state, points, jokers, rivals, turns, is_turn_over)
        for term in self.terms:
            term(tally)
            if groups is not None:
                groups.append(level(points, tally.jokers, doubt))
        worth = level(points, tally.jokers, doubt)
        if groups is not None:
            groups.append(worth - self.rival * tally.rivals)
        worth += weights.catastrophe * 0.25 * state.catastrophes_left[self.seat]
        if tally.missing:
            worth += self.progress
        return worth - self.rival * tally.rivals

    def stage(self, state: State) -> tuple[bool, bool, float]:
        """Return whether the turn is over, whether the game is, and how many turns each seat probably has left."""
        is_turn_over = state.active != self.seat or state.phase != ACTION
        is_end = is_turn_over and not state.swapping and self.is_over(state)
        return is_turn_over, is_end, 0.0 if is_end else self.turns_left(self.bag_count, state.treasures.bit_count())

    def points_so_far(self, state: State, is_end: bool) -> tuple[list[float], float]:
        """Return the seat's points by colour, including those that come without effort, and what the rivals' points are worth to them."""
        sources = state.sources
        points: list[float] = []
        at = self.seat * N_COLOURS * N_SOURCES
        for colour in range(N_COLOURS):
            points.append(sources[at] + sources[at + 1] + sources[at + 2] + sources[at + 3] + (0.0 if is_end else self.drift[colour]))
            at += N_SOURCES
        rivals = 0.0
        for seat in range(self.seats):
            if seat != self.seat:
                at = seat * N_COLOURS * N_SOURCES
                for rate in self.rival_rate[seat]:
                    rivals += rate * (sources[at] + sources[at + 1] + sources[at + 2] + sources[at + 3])
                    at += N_SOURCES
                rivals += 0.5 * state.jokers[seat]
        return points, rivals


class Tally:
    """One position being evaluated: each term adds to `points`, `jokers` and `rivals`."""

    __slots__ = (
        *("bring", "closed", "expected", "free", "jokers", "king_at", "me", "missing", "open", "outlook", "owners", "points"),
        *("rivals", "state", "stay", "stream", "three", "turn_points", "two", "weights", "where"),
    )

    def __init__(
        self, outlook: Outlook, state: State, points: list[float], jokers: float, rivals: float, turns: float, is_turn_over: bool
    ) -> None:
        self.outlook = outlook
        self.state = state
        self.weights = weights = outlook.weights
        self.me = me = outlook.seat
        self.points = points  # by colour, the seat's own
        self.jokers = jokers  # treasures, each a point of any colour
        self.rivals = rivals  # what the rivals have together
        self.closed = closed = state.occupied | state.catastrophes
        self.free = LAND & ~closed
        self.open = self.free | (RIVER & ~closed)
        _, self.two, self.three = touched(state)
        self._place_leaders()
        base = me * N_COLOURS
        hand = state.hands[base : base + N_COLOURS]
        self.missing = missing = HAND_SIZE - sum(hand)  # tiles used
        # the tiles in hand the next time they can be used
        self.expected = [held + missing * share for held, share in zip(hand, outlook.share, strict=True)] if is_turn_over else hand
        self.king_at = self.where[base]
        self.stay = [0.0, 0.0, 0.0, 0.0]  # what each of my leaders is worth on its square
        self.bring = [0.0] * len(state.leaders)  # what monuments bring to each leader
        self.stream = (1 - weights.lasting**turns) / (1 - weights.lasting)  # what a point a turn adds up to
        self.turn_points = 0.0 if is_turn_over else 1.0  # the points of this turn, still to come

    def _place_leaders(self) -> None:
        """Find each leader's kingdom (-1 if it is in hand), and the owners of the leaders in each kingdom by colour."""
        kingdoms = self.state.kingdoms
        self.owners = owners = [[-1, -1, -1, -1] for _ in kingdoms]
        self.where = where = [-1] * len(self.state.leaders)
        for at, square in enumerate(self.state.leaders):
            if square >= 0:
                bit = BIT[square]
                for index, kingdom in enumerate(kingdoms):
                    if kingdom & bit:
                        where[at] = index
                        owners[index][at & 3] = at >> 2
                        break

    def leaders(self) -> None:
        """Add what my leaders on the board will bring through tiles (tiles-6); half for the farmer if no river square is left."""
        base, worth, stay, points = self.me * N_COLOURS, self.weights.leader, self.stay, self.points
        for colour, index in enumerate(self.where[base : base + N_COLOURS]):
            if index >= 0:
                room = 1.0
                if colour == BLUE and not self.state.edges[index] & self.open & RIVER & ~self.two:
                    room = 0.5
                stay[colour] = worth * room
                points[colour] += stay[colour]

    def monuments(self) -> None:
        """Add what monuments will bring leaders in their kingdoms, and what the rivals' leaders are worth (monuments-10)."""
        me, points, where, bring = self.me, self.points, self.where, self.bring
        if self.state.built:
            self._share_out_monuments(bring)
            for colour in range(N_COLOURS):
                points[colour] += bring[me * N_COLOURS + colour]
        worth, leader = 0.0, self.weights.leader
        for seat, rates in enumerate(self.outlook.rival_rate):
            if seat != me:
                at = seat * N_COLOURS
                for rate in rates:
                    if where[at] >= 0:
                        worth += rate * (leader + bring[at])
                    at += 1
        self.rivals += worth

    def _share_out_monuments(self, bring: list[float]) -> None:
        for monument, corner, _ in self.state.built:
            bit = BIT[corner]
            for index, kingdom in enumerate(self.state.kingdoms):
                if kingdom & bit:
                    for colour in MONUMENT_COLOURS[monument]:
                        owner = self.owners[index][colour]
                        if owner >= 0:
                            bring[owner * N_COLOURS + colour] += self.stream + self.turn_points if owner == self.me else self.stream
                    break

    def hand(self) -> None:
        """Add what the tiles in hand are worth, most if a leader waits for them."""
        points, king_at, at = self.points, self.king_at, self.me * N_COLOURS
        tile, king = self.weights.tile, self.weights.king
        for colour, held in enumerate(self.expected):
            low = min(int(held), HAND_SIZE - 1)
            worth = IN_HAND[low]
            if held > low:
                worth += (held - low) * (IN_HAND[low + 1] - worth)
            if self.where[at + colour] >= 0:
                points[colour] += tile * worth
            elif king_at >= 0 and self.owners[king_at][colour] < 0:
                points[colour] += tile * king * worth
            else:
                points[colour] += tile * 0.4 * worth

    def treasures(self) -> None:
        """Add the treasures that one or two tiles would bring a trader (treasures-1)."""
        state, open_squares, three = self.state, self.open, self.three
        treasures = state.treasures
        if not state.leader_bits[GREEN]:
            return
        for index, owners in enumerate(self.owners):
            owner = owners[GREEN]
            if owner < 0:
                continue
            kingdom = state.kingdoms[index]
            inside = kingdom & treasures
            near = spread(treasures & ~kingdom) & ~three
            edge = state.edges[index]
            worth = 0.0
            if near & edge & open_squares:
                worth = 1.0 if inside else 0.4
            elif near & spread(edge & open_squares) & open_squares:
                worth = 0.5 if inside else 0.2
            elif inside:
                worth = 0.2
            if owner == self.me:
                self.jokers += self.weights.treasure * worth
            else:
                self.rivals += 0.5 * self.weights.treasure * worth

    def revolts(self) -> None:
        """Subtract what rivals may win from my leaders in revolts, and add what I may win from theirs (revolts-3)."""
        outlook, points, where, red = self.outlook, self.points, self.where, self.state.tiles[RED]
        me, odds, reds = self.me, outlook.odds[RED], self.expected[RED]
        spots = self._best_spots(red)
        worst = [0.0, 0.0, 0.0, 0.0]
        rival_gain = 0.0
        for at, square in enumerate(self.state.leaders):
            if square < 0 or (spot := spots[where[at]]) < 0:
                continue
            seat, colour = at >> 2, at & 3
            strength = (BESIDE[square] & red).bit_count()
            if seat == me:
                loss = self.stay[colour] + self.bring[at]
                p = chance(odds, strength + reds - spot + 1)
                if strength == 1 and self._can_be_stripped(square):
                    p = max(p, self.weights.strip)
                if p > 0.02:
                    eager = (outlook.seats - 1) * self.weights.revolt * min(1.0, loss / 4)
                    worst[colour] += eager * p * loss
                    rival_gain += eager * p * (0.25 + 0.15 * loss)
            elif (gain := self.bring[at]) and not 0 <= where[me * N_COLOURS + colour] == where[at]:
                p = 1 - chance(odds, spot + reds - strength)
                if p > 0.1:
                    points[colour] += 0.25 * p * gain
                    self.rivals -= 0.25 * p * gain * outlook.rival_rate[seat][colour]
        for colour in range(N_COLOURS):
            points[colour] -= worst[colour]
        self.rivals += rival_gain

    def _best_spots(self, red: int) -> list[int]:
        """Return, for each kingdom, the most temples beside a square where a leader may go; -1 if there is no such square."""
        up, down, left, right = red << STRIDE, red >> STRIDE, red << 1, red >> 1
        any_two, both_two = up | down, up & down
        any_side, both_side = left | right, left & right
        temple1 = any_two | any_side
        temple2 = both_two | both_side | (any_two & any_side)
        temple3 = (both_two & any_side) | (any_two & both_side)
        temple4 = both_two & both_side
        spots: list[int] = []
        free = self.free & ~self.two
        for edge in self.state.edges:
            spot = edge & free
            if spot & temple2:
                spots.append((4 if spot & temple4 else 3) if spot & temple3 else 2)
            elif spot & temple1:
                spots.append(1)
            else:
                spots.append(0 if spot else -1)
        return spots

    def _can_be_stripped(self, square: int) -> bool:
        """Return whether a rival's catastrophe could hit a leader's only temple."""
        state = self.state
        left = sum(state.catastrophes_left) - state.catastrophes_left[self.me]
        return bool(left) and not BESIDE[square] & state.tiles[RED] & state.treasures

    def wars(self) -> None:
        """Weigh the wars between kingdoms that one or two tiles would unite (wars-4)."""
        me, edges, owners = self.me, self.state.edges, self.owners
        can_place = self.open & ~self.three
        for first, own_first in enumerate(owners):
            for second in range(first + 1, len(owners)):
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
                if edges[first] & edges[second] & can_place:
                    self.rivals += self._war(at_war, first, second, 1.0)
                elif spread(edges[first] & can_place) & edges[second] & can_place:
                    self.rivals += self._war(at_war, first, second, 0.6)

    def squares(self) -> None:
        """Add the 2x2 squares that lack one tile for a monument (monuments-1)."""
        left = self.state.monuments_left
        for kind, board in enumerate(self.state.tiles):
            if not left & MONUMENTS_WITH[kind] or board.bit_count() < 3:
                continue
            b, c, d = board >> 1, board >> STRIDE, board >> (STRIDE + 1)
            high, low_pair = board & b, c & d
            three_of = (high & (c ^ d)) | (low_pair & (board ^ b))
            if not three_of:
                continue
            blocked = self.closed & ~board
            three_of &= BIG[kind] & ~(blocked | blocked >> 1 | blocked >> STRIDE | blocked >> (STRIDE + 1))
            while three_of:
                corner = three_of & -three_of
                three_of ^= corner
                self._square(kind, (corner | corner << 1 | corner << STRIDE | corner << (STRIDE + 1)) & board)

    def _square(self, kind: int, shape: int) -> None:
        """Add what a monument on three tiles and a missing fourth would bring, by the leaders of their kingdom."""
        owners = next((self.owners[index] for index, kingdom in enumerate(self.state.kingdoms) if kingdom & shape), None)
        if owners is None:
            return
        me, best_mine, best_other = self.me, 0.0, 0.0
        for first, second in pairs_with(kind, self.state.monuments_left):
            one, two = owners[first], owners[second]
            ours = (one == me) + (two == me)
            theirs = 2 - ours - (one < 0) - (two < 0)
            best_mine = max(best_mine, ours - 0.7 * theirs)
            best_other = max(best_other, theirs - 0.7 * ours)
        weights, stream = self.weights, self.stream
        if best_mine > 0:
            self.points[kind] += weights.square * best_mine * stream * min(1.0, self.expected[kind])
        if best_other > 0:
            self.rivals += weights.square * 0.25 * best_other * stream

    def _war(self, at_war: list[int], first: int, second: int, near: float) -> float:
        """Weigh the wars that would follow if a rival or I united two kingdoms; return what rivals gain."""
        state, weights, me = self.state, self.weights, self.me
        threat = chance_mine = gained = 0.0
        losses = [0.0, 0.0, 0.0, 0.0]
        rival_gain = rival_loss = 0.0
        gains = [0.0, 0.0, 0.0, 0.0]
        for colour in at_war:
            board = state.tiles[colour]
            if self.owners[first][colour] == me:
                mine, his, other = first, second, self.owners[second][colour]
            else:
                mine, his, other = second, first, self.owners[first][colour]
            own = (board & state.kingdoms[mine]).bit_count()
            enemy = (board & state.kingdoms[his]).bit_count()
            odds = self.outlook.odds[colour]
            my_loss = self.stay[colour] + self.bring[me * N_COLOURS + colour]
            his_loss = weights.leader + self.bring[other * N_COLOURS + colour]
            p_lost = chance(odds, own + self.expected[colour] - enemy + 1)  # the rival attacks and needs more
            p_won = 1 - chance(odds, own + self.expected[colour] - enemy)  # I attack, and the rival needs only as much
            take, give = enemy + 1.0, own + 1.0
            threat += p_lost * (give + my_loss) - (1 - p_lost) * (take + his_loss)
            losses[colour] = p_lost * my_loss - (1 - p_lost) * take
            rate = self.outlook.rival_rate[other][colour]
            rival_gain += rate * (p_lost * give - (1 - p_lost) * his_loss)
            rival_loss += rate * (p_won * his_loss - (1 - p_won) * give)
            chance_mine += p_won * (take + his_loss) - (1 - p_won) * (give + my_loss)
            gains[colour] = p_won * take - (1 - p_won) * my_loss
        if threat > 0:
            eager = near * weights.war * min(1.0, threat / 4)
            for colour in at_war:
                self.points[colour] -= eager * losses[colour]
            gained += eager * rival_gain
        if chance_mine > 0:
            eager = near * weights.own_war
            for colour in at_war:
                self.points[colour] += eager * gains[colour]
            gained -= eager * rival_loss
        return gained


TERMS: Final[dict[str, Callable[[Tally], None]]] = {
    "leaders": Tally.leaders,
    "monuments": Tally.monuments,
    "hand": Tally.hand,
    "treasures": Tally.treasures,
    "revolts": Tally.revolts,
    "wars": Tally.wars,
    "squares": Tally.squares,
}
