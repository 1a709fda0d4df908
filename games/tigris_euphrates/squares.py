"""The squares of a Tigris & Euphrates position that are worth considering, as bit boards.

A turn has some six hundred actions, and most of them do not differ in anything that matters.
"""

from __future__ import annotations

from games.tigris_euphrates import legality
from games.tigris_euphrates.components import BLACK, N_COLOURS, RED, STRIDE
from games.tigris_euphrates.kingdoms import BESIDE, flood, spread, touched
from games.tigris_euphrates.state import NOWHERE, State, squares_of


class Board:
    """The squares of a position worth considering, as bit boards."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.base = seat * N_COLOURS
        self.taken = state.occupied | state.catastrophes
        self.one, self.two, _ = touched(state)
        self.edges = state.edges
        leaders = state.leaders
        self.owners: list[list[int]] = []
        for kingdom in state.kingdoms:
            row = [-1, -1, -1, -1]
            for at, square in enumerate(leaders):
                if square >= 0 and kingdom >> square & 1:
                    row[at & 3] = at >> 2
            self.owners.append(row)
        self.whole = 0
        for kingdom in state.kingdoms:
            self.whole |= kingdom
        loose = state.occupied & ~self.whole
        self.loose_edge = spread(loose)
        self.loose_treasure_edge = spread(flood(state.treasures & loose, loose)) if state.treasures & loose else 0
        self.own_leaders = sum([1 << square for square in leaders[self.base : self.base + N_COLOURS] if square >= 0])

    def completing(self, kind: int) -> tuple[int, int]:
        """Return the squares that complete a 2x2 of the kind, and those that make three of the four."""
        tiles = self.state.tiles[kind]
        free = ~self.taken
        complete = begun = 0
        # the four places of a new tile in its 2x2: the other three are at these offsets
        for across in (1, -1):
            for along in (STRIDE, -STRIDE):
                a = tiles >> across if across > 0 else tiles << -across
                b = tiles >> along if along > 0 else tiles << -along
                both = across + along
                c = tiles >> both if both > 0 else tiles << -both
                complete |= a & b & c
                free_a = free >> across if across > 0 else free << -across
                free_b = free >> along if along > 0 else free << -along
                free_c = free >> both if both > 0 else free << -both
                begun |= (a & b & free_c) | (a & c & free_b) | (b & c & free_a)
        return complete & free, begun & free & ~complete

    def tile_squares(self, kind: int) -> int:
        """Return the squares worth considering for a tile of `kind`."""
        seat = self.seat
        allowed = legality.tile_squares(self.state, kind)
        if not allowed:
            return 0
        complete, begun = self.completing(kind)
        single = allowed & self.one & ~self.two
        chosen = allowed & complete
        for index, edge in enumerate(self.edges):
            here = single & edge
            if not here:
                continue
            row = self.owners[index]
            owner = row[kind] if row[kind] >= 0 else row[BLACK]
            chosen |= _first(here & self.loose_treasure_edge, 1)
            if owner == seat:
                more = _first(here & begun, 2)
                more |= _first(here & self.loose_edge & ~self.loose_treasure_edge, 1)
                if kind == RED:
                    more |= _first(here & spread(self.own_leaders), 2)
                calm = here & ~self._beyond(index)
                more |= _first(calm, 1) | _last(calm, 1) if calm else _first(here, 1)
                step = here & self._beyond(index)
                more |= _first(step, 1) | _last(step, 1)
                chosen |= more
            elif kind == RED and seat in row:
                chosen |= _first(here & spread(self.own_leaders), 2)
        joint = allowed & self.two
        if joint:
            edges = self.edges
            for first in range(len(edges)):
                here = joint & edges[first]
                if not here:
                    continue
                for second in range(first + 1, len(edges)):
                    both = here & edges[second]
                    if both and self._may_unite(first, second):
                        chosen |= _first(both, 1) | _last(both, 1)
        if kind == RED and not chosen:
            chosen |= _first(allowed & ~self.one, 1)
        return chosen

    def _beyond(self, index: int) -> int:
        """Return the squares next to squares beside another kingdom: a tile there brings the kingdoms within one tile of each other."""
        others = 0
        for other, edge in enumerate(self.edges):
            if other != index:
                others |= edge
        return spread(others & ~self.taken)

    def _may_unite(self, first: int, second: int) -> bool:
        seat = self.seat
        one, other = self.owners[first], self.owners[second]
        at_war = [role for role in range(N_COLOURS) if one[role] >= 0 and other[role] >= 0]
        if not at_war:
            return seat in one or seat in other
        state = self.state
        hand = state.hands
        for role in at_war:
            if seat in (one[role], other[role]):
                mine, his = (first, second) if one[role] == seat else (second, first)
                tiles = state.tiles[role]
                if (tiles & state.kingdoms[mine]).bit_count() + hand[self.base + role] > (tiles & state.kingdoms[his]).bit_count():
                    return True
        return state.seats > 2 and all(seat not in (one[role], other[role]) for role in at_war)

    def leader_squares(self, role: int) -> int:
        """Return the squares worth considering for the seat's leader."""
        state = self.state
        squares = legality.leader_squares(state, self.seat, role)
        if not squares:
            return 0
        red = state.tiles[RED]
        up, down, left, right = red << STRIDE, red >> STRIDE, red << 1, red >> 1
        two = (up & down) | (left & right) | ((up | down) & (left | right))
        three = ((up & down) & (left | right)) | ((up | down) & (left & right))
        now = state.leaders[self.base + role]
        chosen = 0
        rest = squares
        for index, edge in enumerate(self.edges):
            here = squares & edge
            rest &= ~edge
            if not here:
                continue
            owner = self.owners[index][role]
            if owner >= 0 and owner != self.seat:  # a revolt
                rival = state.leaders[owner * N_COLOURS + role]
                best = here & three or here & two or here
                strong = 3 if here & three else 2 if here & two else 1
                if strong + state.hands[self.base + RED] > (BESIDE[rival] & red).bit_count():
                    chosen |= _first(best, 1) | _last(best, 1)
            elif owner == self.seat:
                if (BESIDE[now] & red).bit_count() < 2:
                    chosen |= _first(here & two, 1)
            else:
                chosen |= _first(here & three, 1) or _first(here & two, 1) or _first(here, 1)
                chosen |= _last(here & (two | three), 1) or _last(here, 1)
        if now == NOWHERE and rest:
            chosen |= _first(rest & two, 2) or _first(rest, 1) | _last(rest, 1)
            chosen |= _first(rest & self.loose_treasure_edge, 1) | _last(rest & self.loose_treasure_edge, 1)
            if not self.own_leaders:  # any treasure that no kingdom has yet is a place to start
                for square in squares_of(state.treasures & ~self.whole):
                    chosen |= _first(rest & BESIDE[square], 1)
        return chosen

    def catastrophe_squares(self) -> int:
        """Return the squares worth considering for a catastrophe: temples that support rivals' leaders, and links to monuments."""
        state = self.state
        allowed = legality.catastrophe_squares(state)
        rivals = 0
        mine = 0
        for at, square in enumerate(state.leaders):
            if square >= 0:
                if at >> 2 == self.seat:
                    mine |= 1 << square
                else:
                    rivals |= 1 << square
        tiles = 0
        for board in state.tiles:
            tiles |= board
        strip = 0
        for square in squares_of(rivals):
            temples = BESIDE[square] & state.tiles[RED]
            if temples & (temples - 1) == 0:
                strip |= temples
        chosen = allowed & strip & ~spread(mine)
        links = allowed & tiles & spread(state.down) & self._rival_kingdoms()
        return chosen | _first(links, 2)

    def _rival_kingdoms(self) -> int:
        found = 0
        for kingdom, row in zip(self.state.kingdoms, self.owners, strict=True):
            if self.seat not in row and kingdom & self.state.down:
                found |= kingdom
        return found


def _first(board: int, count: int) -> int:
    """Return the first squares of a bit board."""
    chosen = 0
    for _ in range(count):
        low = board & -board
        chosen |= low
        board ^= low
    return chosen


def _last(board: int, count: int) -> int:
    """Return the last squares of a bit board."""
    chosen = 0
    for _ in range(count):
        if board:
            high = 1 << (board.bit_length() - 1)
            chosen |= high
            board ^= high
    return chosen
