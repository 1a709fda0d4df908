"""A second Tigris & Euphrates, slow and plain, to compare the engine with. It imports nothing from it.

Written from the rule book: squares are (row, column), the board is dicts and sets, regions are searched whenever they are needed, nothing
is cached, and a game is one generator that asks its questions through a turn in the order of the book:

    oracle = Oracle(position)         # JSON fields of a position in which a seat takes an action, or of the start
    oracle.ask                        # who is asked what: Ask(who, texts); for draws the number of tiles
    oracle.tell("tile temple D2")     # goes on to the next question
    oracle.board(), oracle.kingdoms() # to compare with
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

Square = tuple[int, int]

MAP = (
    "....~~~~~.T.~...",
    ".T..~.......~..T",
    "...~~T......~~..",
    "~~~~.........~~~",
    ".............T~~",
    "..............~.",
    "~~~~....T...~~~.",
    ".T.~~~~.....~...",
    "......~~~~~~~.T.",
    ".....T..........",
    "..........T.....",
)
SQUARES = [(row, column) for row in range(11) for column in range(16)]
RIVER = {(row, column) for row, column in SQUARES if MAP[row][column] == "~"}
FRAMED = {(1, 1), (1, 15), (7, 1), (8, 14)}
TILES = {"settlement": 30, "temple": 57, "farm": 36, "market": 30}
LEADER_OF = {"settlement": "king", "temple": "priest", "farm": "farmer", "market": "trader"}
TILE_OF = {role: kind for kind, role in LEADER_OF.items()}
COLOUR_OF = {"settlement": "black", "temple": "red", "farm": "blue", "market": "green"}
MONUMENTS = ("black_green", "black_blue", "black_red", "red_blue", "green_red", "blue_green")

CHANCE = -1
SCORER = -2


def label(square: Square) -> str:
    return f"{'ABCDEFGHIJKLMNOP'[square[1]]}{square[0] + 1}"


SQUARE = {label(square): square for square in SQUARES}


def beside(square: Square) -> list[Square]:
    row, column = square
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def four_from(square: Square) -> list[Square]:
    row, column = square
    return [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]


@dataclass(frozen=True)
class Ask:
    """A question: who is asked, the possible answers, and for a draw the number of tiles."""

    who: int
    texts: frozenset[str] = frozenset()
    draw: int = 0


Asking = Generator[Ask, str, None]


class GameOver(Exception):
    """The game ends now; the value says why."""


class Oracle:
    def __init__(self, data: Mapping[str, Any]) -> None:
        assert data["phase"] in ("start", "action"), "the oracle begins where a turn's action does"
        self.seats: int = data["seats"]
        self.tiles: dict[Square, str] = {square: kind for kind, text in data["tiles"].items() for square in squares(text)}
        self.built: list[tuple[str, Square, str]] = [(name, SQUARE[at], kind) for name, at, kind in data["built"]]
        self.down: set[Square] = {square for _, corner, _ in self.built for square in four_from(corner)}
        self.catastrophes: set[Square] = set(squares(data["catastrophes"]))
        self.treasures: set[Square] = set(squares(data["treasures"]))
        self.leaders: dict[tuple[int, str], Square] = {
            (seat, role): SQUARE[at] for seat, leaders in enumerate(data["leaders"]) for role, at in leaders.items()
        }
        self.hands = [Counter(hand) for hand in data["hands"]]
        self.swapped = [Counter(tiles) for tiles in data["swapped"]]
        self.bag = Counter(data["bag"])
        self.gone = Counter(data["gone"])
        self.catastrophes_left: list[int] = list(data["catastrophes_left"])
        self.points: list[Counter[str]] = [
            Counter({colour: n if isinstance(n, int) else sum(n) for colour, n in points.items()}) for points in data["points"]
        ]
        self.jokers: list[int] = list(data["jokers"])
        self.active: int | None = data["active"]
        self.actions_left: int = data["actions_left"]
        self.ending: str | None = None
        self._line = self._game(is_new=data["phase"] == "start")
        self.ask: Ask | None = next(self._line)

    def tell(self, text: str) -> None:
        """Answer the question."""
        assert self.ask is not None
        assert self.ask.draw or text in self.ask.texts, text
        try:
            self.ask = self._line.send(text)
        except StopIteration:
            self.ask = None

    # the course of the game

    def _game(self, is_new: bool) -> Asking:
        try:
            if is_new:
                text = yield Ask(CHANCE, frozenset(f"start {seat}" for seat in range(self.seats)))
                self.active = int(text.split()[1])
                for seat in self._round():
                    yield from self._draw(seat, 6)
            while True:
                yield from self._turn()
        except GameOver as over:
            self.ending = str(over)
        yield Ask(SCORER, frozenset({"score"}))

    def _round(self) -> list[int]:
        """The seats in turn order, the active one first."""
        assert self.active is not None
        return [(self.active + step) % self.seats for step in range(self.seats)]

    def _turn(self) -> Asking:
        seat = self._round()[0]
        while self.actions_left:
            text = yield Ask(seat, frozenset(self.possible(seat)))
            verb, *words = text.split()
            if verb == "pass":
                break
            if verb == "tile":
                yield from self._tile(seat, words[0], SQUARE[words[1]])
            elif verb == "leader":
                yield from self._leader(seat, words[0], SQUARE[words[1]])
            elif verb == "withdraw":
                del self.leaders[seat, words[0]]
            elif verb == "catastrophe":
                self._catastrophe(seat, SQUARE[words[0]])
            else:
                yield from self._swap(seat, words)
            self.actions_left -= 1
        for name, corner, _ in self.built:
            for colour in name.split("_"):
                role = next(LEADER_OF[kind] for kind in TILES if COLOUR_OF[kind] == colour)
                if (seat, role) in self.leaders and corner in self.region(self.leaders[seat, role]):
                    self.points[seat][colour] += 1
        for player in self._round():
            missing = 6 - self.hands[player].total()
            if missing:
                yield from self._draw(player, min(missing, self.bag.total()))
        if any(hand.total() < 6 for hand in self.hands):
            raise GameOver("bag")
        if len(self.treasures) < 3:
            raise GameOver("treasures")
        self.active = (seat + 1) % self.seats
        self.actions_left = 2

    def _draw(self, seat: int, count: int) -> Asking:
        if count:
            text = yield Ask(CHANCE, draw=count)
            drawn = text.split()[1:]
            assert len(drawn) == count
            self.bag.subtract(drawn)
            self.hands[seat].update(drawn)

    # what is possible

    def possible(self, seat: int) -> list[str]:
        kingdoms = self.kingdoms()
        without = {role: self.kingdoms_without(seat, role) for role in TILE_OF}
        texts = ["pass"]
        for square in SQUARES:
            at = label(square)
            if self.is_empty(square):
                for kind in TILES:
                    fits = (square in RIVER) == (kind == "farm")
                    if self.hands[seat][kind] and fits and touching(square, kingdoms) <= 2:
                        texts.append(f"tile {kind} {at}")
                texts += [f"leader {role} {at}" for role in TILE_OF if self.may_stand(square, without[role])]
            is_open = self.is_empty(square) or (square in self.tiles and square not in self.treasures)
            if self.catastrophes_left[seat] and is_open:
                texts.append(f"catastrophe {at}")
        texts += [f"withdraw {role}" for role in TILE_OF if (seat, role) in self.leaders]
        hand = [kind for kind in TILES for _ in range(self.hands[seat][kind])]
        texts += {"swap " + " ".join(some) for count in range(1, len(hand) + 1) for some in combinations(hand, count)}
        return texts

    def kingdoms_without(self, seat: int, role: str) -> list[set[Square]]:
        """The kingdoms after lifting the seat's leader, if it is on the board."""
        standing = self.leaders.pop((seat, role), None)
        kingdoms = self.kingdoms()
        if standing is not None:
            self.leaders[seat, role] = standing
        return kingdoms

    def may_stand(self, square: Square, kingdoms: list[set[Square]]) -> bool:
        """Whether a leader may be placed on an empty square beside these kingdoms."""
        has_temple = any(self.tiles.get(near) == "temple" for near in beside(square))
        return has_temple and square not in RIVER and touching(square, kingdoms) <= 1

    def is_empty(self, square: Square) -> bool:
        taken = square in self.tiles or square in self.down or square in self.catastrophes
        return not taken and square not in self.leaders.values()

    # regions

    def pieces(self) -> set[Square]:
        return set(self.tiles) | self.down | set(self.leaders.values())

    def region(self, square: Square, without: Square | None = None) -> set[Square]:
        """Everything connected with a piece, as if `without` were empty."""
        pieces = self.pieces() - {without}
        found: set[Square] = set()
        todo = [square]
        while todo:
            here = todo.pop()
            if here in pieces and here not in found:
                found.add(here)
                todo += beside(here)
        return found

    def kingdoms(self) -> list[set[Square]]:
        """Every region with a leader, once."""
        found: list[set[Square]] = []
        for square in self.leaders.values():
            if not any(square in kingdom for kingdom in found):
                found.append(self.region(square))
        return found

    def owners(self, role: str, region: set[Square]) -> list[int]:
        """The seats with a leader of a role in a region, in turn order from the active one."""
        return [seat for seat in self._round() if self.leaders.get((seat, role)) in region]

    # actions

    def _tile(self, seat: int, kind: str, square: Square) -> Asking:
        joined = [kingdom for kingdom in self.kingdoms() if set(beside(square)) & kingdom]
        self.hands[seat][kind] -= 1
        self.tiles[square] = kind
        if len(joined) == 1:
            owners = self.owners(LEADER_OF[kind], joined[0]) or self.owners("king", joined[0])
            for owner in owners:
                self.points[owner][COLOUR_OF[kind]] += 1
        elif len(joined) == 2:
            yield from self._wars(square)
        yield from self._monument(square)
        yield from self._treasures()

    def _leader(self, seat: int, role: str, square: Square) -> Asking:
        self.leaders.pop((seat, role), None)
        self.leaders[seat, role] = square
        owners = self.owners(role, self.region(square))
        if len(owners) == 2:
            yield from self._revolt(role, *owners)
        yield from self._treasures()

    def _catastrophe(self, seat: int, square: Square) -> None:
        self.catastrophes_left[seat] -= 1
        self.catastrophes.add(square)
        covered = self.tiles.pop(square, None)
        if covered:
            self.gone[covered] += 1
        self._leaders_without_temple_go_home()

    def _leaders_without_temple_go_home(self) -> None:
        for leader, square in list(self.leaders.items()):
            if not any(self.tiles.get(near) == "temple" for near in beside(square)):
                del self.leaders[leader]

    def _swap(self, seat: int, kinds: list[str]) -> Asking:
        self.hands[seat].subtract(kinds)
        self.swapped[seat].update(kinds)
        enough = self.bag.total() >= len(kinds)
        yield from self._draw(seat, min(len(kinds), self.bag.total()))
        if not enough:
            raise GameOver("swap")

    # conflicts

    def _added(self, seat: int, kind: str) -> Generator[Ask, str, int]:
        text = yield Ask(seat, frozenset(f"support {n} {kind}" for n in range(self.hands[seat][kind] + 1)))
        count = int(text.split()[1])
        self.hands[seat][kind] -= count
        self.gone[kind] += count
        return count

    def _revolt(self, role: str, attacker: int, defender: int) -> Asking:
        def temples(seat: int) -> int:
            return sum(self.tiles.get(near) == "temple" for near in beside(self.leaders[seat, role]))

        attack = temples(attacker) + (yield from self._added(attacker, "temple"))
        defence = temples(defender) + (yield from self._added(defender, "temple"))
        winner, loser = (attacker, defender) if attack > defence else (defender, attacker)
        del self.leaders[loser, role]
        self.points[winner]["red"] += 1

    def _wars(self, union: Square) -> Asking:
        while True:
            united = self.region(union)
            at_war = [role for role in TILE_OF if len(self.owners(role, united)) == 2]
            if not at_war:
                return
            role = at_war[0]
            if len(at_war) > 1:
                text = yield Ask(self._round()[0], frozenset(f"war {name}" for name in at_war))
                role = text.split()[1]
            yield from self._war(role, union, *self.owners(role, united))

    def _war(self, role: str, union: Square, attacker: int, defender: int) -> Asking:
        kind = TILE_OF[role]

        def supporters(seat: int) -> list[Square]:
            return [square for square in self.region(self.leaders[seat, role], without=union) if self.tiles.get(square) == kind]

        attack = len(supporters(attacker)) + (yield from self._added(attacker, kind))
        defence = len(supporters(defender)) + (yield from self._added(defender, kind))
        winner, loser = (attacker, defender) if attack > defence else (defender, attacker)
        lost = supporters(loser)
        del self.leaders[loser, role]
        if kind == "temple":  # those with a treasure or beside another leader remain
            guarded = {near for square in self.leaders.values() for near in beside(square)} | self.treasures
            lost = [square for square in lost if square not in guarded]
        for square in lost:
            del self.tiles[square]
            self.gone[kind] += 1
        self.points[winner][COLOUR_OF[kind]] += len(lost) + 1
        self._leaders_without_temple_go_home()

    # monuments, treasures

    def _monument(self, placed: Square) -> Asking:
        kind = self.tiles[placed]
        row, column = placed
        corners = [
            corner
            for corner in ((row - 1, column - 1), (row - 1, column), (row, column - 1), (row, column))
            if all(self.tiles.get(square) == kind for square in four_from(corner))
        ]
        standing = {name for name, _, _ in self.built}
        names = [name for name in MONUMENTS if name not in standing and COLOUR_OF[kind] in name.split("_")]
        if not corners or not names:
            return
        texts = {f"build {name} {label(corner)}" for name in names for corner in corners}
        text = yield Ask(self._round()[0], frozenset(texts | {"decline"}))
        if text != "decline":
            _, name, at = text.split()
            self.built.append((name, SQUARE[at], kind))
            for square in four_from(SQUARE[at]):
                del self.tiles[square]
                self.down.add(square)
            self._leaders_without_temple_go_home()

    def _treasures(self) -> Asking:
        for seat in self._round():
            while (seat, "trader") in self.leaders:
                found = self.region(self.leaders[seat, "trader"]) & self.treasures
                if len(found) < 2:
                    break
                first = (found & FRAMED) or found
                text = yield Ask(seat, frozenset(f"treasure {label(square)}" for square in first))
                self.treasures.remove(SQUARE[text.split()[1]])
                self.jokers[seat] += 1

    # to compare with

    def board(self) -> dict[str, Any]:
        """Every piece and its place, in the form of a position's fields, with sets for lists; without kingdoms."""
        return {
            "seats": self.seats,
            "active": self.active,
            "tiles": {label(square): kind for square, kind in self.tiles.items()},
            "built": [[name, label(corner), kind] for name, corner, kind in self.built],
            "catastrophes": set(map(label, self.catastrophes)),
            "treasures": set(map(label, self.treasures)),
            "leaders": {(seat, role): label(square) for (seat, role), square in self.leaders.items()},
            "hands": [+hand for hand in self.hands],
            "bag": +self.bag,
            "gone": +self.gone,
            "swapped": [+tiles for tiles in self.swapped],
            "catastrophes_left": self.catastrophes_left,
            "points": [+points for points in self.points],
            "jokers": self.jokers,
            "ending": self.ending,
        }

    def ranking(self) -> list[int]:
        """Places by the weakest colour, then the next, with treasures assigned in the best way (by trying all)."""
        best = []
        for seat in range(self.seats):
            colours = [self.points[seat][colour] for colour in COLOUR_OF.values()]
            best.append(max(sorted(a + b for a, b in zip(colours, way, strict=True)) for way in ways_to_share(self.jokers[seat], 4)))
        return [1 + sum(other > mine for other in best) for mine in best]


def board_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a position in the form of `Oracle.board`."""
    return {
        "seats": data["seats"],
        "active": data["active"],
        "tiles": {at: kind for kind, text in data["tiles"].items() for at in text.split()},
        "built": [list(entry) for entry in data["built"]],
        "catastrophes": set(data["catastrophes"].split()),
        "treasures": set(data["treasures"].split()),
        "leaders": {(seat, role): at for seat, leaders in enumerate(data["leaders"]) for role, at in leaders.items()},
        "hands": [Counter(hand) for hand in data["hands"]],
        "bag": Counter(data["bag"]),
        "gone": Counter(data["gone"]),
        "swapped": [Counter(tiles) for tiles in data["swapped"]],
        "catastrophes_left": list(data["catastrophes_left"]),
        "points": [Counter({name: n if isinstance(n, int) else sum(n) for name, n in points.items()}) for points in data["points"]],
        "jokers": list(data["jokers"]),
        "ending": data["ending"],
    }


def squares(text: str) -> list[Square]:
    return [SQUARE[at] for at in text.split()]


def touching(square: Square, kingdoms: Iterable[set[Square]]) -> int:
    """How many kingdoms have a piece beside a square."""
    return sum(any(near in kingdom for near in beside(square)) for kingdom in kingdoms)


def ways_to_share(count: int, among: int) -> list[tuple[int, ...]]:
    if among == 1:
        return [(count,)]
    return [(first, *rest) for first in range(count + 1) for rest in ways_to_share(count - first, among - 1)]
