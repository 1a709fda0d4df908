"""The pairings of a league: pure arithmetic over entrant numbers, the same from the same seed.

A round is a list of tables; a table is a list of entrants in the order of their seats; anyone at no table rests in that round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from math import ceil, gcd

from games.core.rng import SeededRng, shuffled

MOST_ENTRANTS = 32
MOST_ROUNDS = 62  # each of 32 meets each twice
TRIES = 80  # how often the search for few repeated meetings is perturbed and restarted
SWAPS = 120_000  # swaps that one search may try: a fifth of a second

Pair = tuple[int, ...]  # entrants of one table, by seat
Round = list[Pair]


def round_robin(entrants: int, *, twice: bool = False, seed: int | str = 0) -> list[Round]:
    """Return rounds at tables of two in which everybody meets everybody once, or twice with seats swapped (circle method).

    With an odd number everybody rests in one round of each leg. Everybody has each seat equally often, within one.
    """
    _require(entrants, 2)
    rounds = _circle(entrants, seed)
    seated = _balanced(rounds, entrants, 2, seed)
    second: list[Round] = [[(pair[1], pair[0]) for pair in pairs] for pairs in seated]
    return seated + second if twice else seated


def fair_rounds(entrants: int, seats: int) -> list[int]:
    """Return the numbers of rounds after which everybody has played equally often, up to MOST_ROUNDS.

    If the tables seat everybody, every number is fair; otherwise only those in which everybody rests equally often.
    """
    _require(entrants, seats)
    step = entrants // gcd(entrants, entrants % seats)
    return list(range(1 if entrants % seats == 0 else step, MOST_ROUNDS + 1, 1 if entrants % seats == 0 else step))


def default_rounds(entrants: int, seats: int) -> int:
    """Return the smallest fair number of rounds in which everybody could meet everybody."""
    enough = ceil((entrants - 1) / (seats - 1))
    return next(number for number in fair_rounds(entrants, seats) if number >= enough)


def rounds_of_tables(entrants: int, seats: int, rounds: int, *, seed: int | str = 0) -> list[Round]:
    """Return `rounds` rounds at tables of `seats`, with as few repeated meetings as the search finds.

    Rests are equal within one, and exactly when `rounds` is fair; everybody has each seat equally often, within one.
    """
    _require(entrants, seats)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise ValueError(f"1 to {MOST_ROUNDS} rounds, not {rounds}")
    if seats == 2:
        circle = _circle(entrants, seed)
        drawn = [circle[number % len(circle)] for number in range(rounds)]
    else:
        drawn = _Search(entrants, seats, rounds, seed).run()
    return _balanced(drawn, entrants, seats, seed)


def resting(tables: Round, entrants: int) -> list[int]:
    """Return the entrants who have no game in a round."""
    playing = {entrant for table in tables for entrant in table}
    return [entrant for entrant in range(entrants) if entrant not in playing]


def _require(entrants: int, seats: int) -> None:
    if not 2 <= seats <= entrants <= MOST_ENTRANTS:
        raise ValueError(f"{seats} to {MOST_ENTRANTS} entrants at tables of {seats}, not {entrants}")


def _circle(entrants: int, seed: int | str) -> list[Round]:
    """Return the rounds of a round robin: one entrant is fixed, the others rotate around it; anyone without an opponent rests."""
    order: list[int | None] = list(shuffled(entrants, SeededRng(seed), "draw"))
    if entrants % 2:
        order.append(None)
    size = len(order)
    rounds: list[Round] = []
    for turn in range(size - 1):
        ring = [order[0], *(order[1 + (turn + place) % (size - 1)] for place in range(size - 1))]
        pairs = ((ring[place], ring[size - 1 - place]) for place in range(size // 2))
        rounds.append([(one, other) for one, other in pairs if one is not None and other is not None])
    return rounds


class _Search:
    """Tables of one size for a number of rounds: drawn at random, then entrants change tables while that makes meetings more even."""

    def __init__(self, entrants: int, seats: int, rounds: int, seed: int | str) -> None:
        self.rng = SeededRng(seed)
        self.seats = seats
        self.met = [[0] * entrants for _ in range(entrants)]
        self.left = SWAPS
        order = shuffled(entrants, self.rng, "draw")
        rests = entrants % seats
        self.rounds: list[list[list[int]]] = []
        self.out: list[list[int]] = []  # resting entrants, by round
        for number in range(rounds):
            self.out.append([order[(number * rests + place) % entrants] for place in range(rests)])
            playing = [entrant for entrant in order if entrant not in self.out[-1]]
            mixed = [playing[at] for at in shuffled(len(playing), self.rng, "draw")]
            self.rounds.append([mixed[at : at + seats] for at in range(0, len(mixed), seats)])
        for tables in self.rounds:
            for table in tables:
                for one, other in combinations(table, 2):
                    self.met[one][other] += 1
                    self.met[other][one] += 1

    def run(self) -> list[Round]:
        """Return the best rounds found."""
        best, cost = self._settled(), self._cost()
        for _ in range(TRIES):
            if self.left <= 0:
                break
            self._shake()
            found = self._settled()
            if self._cost() < cost:
                best, cost = found, self._cost()
        return best

    def _cost(self) -> int:
        return sum(count * count for row in self.met for count in row)

    def _settled(self) -> list[Round]:
        is_better = True
        while is_better and self.left > 0:
            is_better = False
            for tables in self.rounds:
                for first, second in combinations(range(len(tables)), 2):
                    for at in range(self.seats):
                        for to in range(self.seats):
                            self.left -= 1
                            if self._gain(tables[first], at, tables[second], to) > 0:
                                self._swap(tables[first], at, tables[second], to)
                                is_better = True
            is_better = self._change_rests() or is_better
        return [[tuple(table) for table in tables] for tables in self.rounds]

    def _change_rests(self) -> bool:
        """Swap two entrants in two rounds where one plays while the other rests; say whether that helped."""
        is_better = False
        for first, second in combinations(range(len(self.rounds)), 2):
            if self.left <= 0:
                break
            for one in list(self.out[second]):
                for other in list(self.out[first]):
                    self.left -= 8  # it costs as much as eight swaps
                    if one not in self.out[first] and other not in self.out[second]:
                        before = self._around(one) + self._around(other)
                        self._replace(first, one, other)
                        self._replace(second, other, one)
                        if self._around(one) + self._around(other) < before:
                            is_better = True
                            break
                        self._replace(first, other, one)
                        self._replace(second, one, other)
        return is_better

    def _around(self, entrant: int) -> int:
        return sum(count * count for count in self.met[entrant])

    def _replace(self, number: int, entrant: int, by: int) -> None:
        """Let `by`, who rests in a round, play there in an entrant's place."""
        table = next(table for table in self.rounds[number] if entrant in table)
        at = table.index(entrant)
        self._count(table, at, -1)
        table[at] = by
        self._count(table, at, 1)
        self.out[number][self.out[number].index(by)] = entrant

    def _gain(self, table: list[int], at: int, other: list[int], to: int) -> int:
        """Return by how much half the sum of the squares of meetings falls when two entrants change tables."""
        one, two = self.met[table[at]], self.met[other[to]]
        gain = 0
        for place, entrant in enumerate(table):
            if place != at:
                gain += one[entrant] - two[entrant] - 1
        for place, entrant in enumerate(other):
            if place != to:
                gain += two[entrant] - one[entrant] - 1
        return gain

    def _swap(self, table: list[int], at: int, other: list[int], to: int) -> None:
        self._count(table, at, -1)
        self._count(other, to, -1)
        table[at], other[to] = other[to], table[at]
        self._count(table, at, 1)
        self._count(other, to, 1)

    def _count(self, table: list[int], at: int, change: int) -> None:
        for place, entrant in enumerate(table):
            if place != at:
                self.met[table[at]][entrant] += change
                self.met[entrant][table[at]] += change

    def _shake(self) -> None:
        for tables in self.rounds:
            if len(tables) > 1:
                first = self.rng.below(len(tables), "draw")
                second = (first + 1 + self.rng.below(len(tables) - 1, "draw")) % len(tables)
                self._swap(tables[first], self.rng.below(self.seats, "draw"), tables[second], self.rng.below(self.seats, "draw"))


def _balanced(rounds: Sequence[Round], entrants: int, seats: int, seed: int | str) -> list[Round]:
    """Return the rounds with seats assigned so that everybody has each seat equally often, within one.

    Two seats at a time: each table is an edge between the two entrants there, and a walk along all edges gives each entrant both seats
    equally often, within one. The sum of squares falls with each walk that is needed, so it ends; that it ends with all within one is de
    Werra's theorem on equitable colourings of bipartite graphs.
    """
    rng = SeededRng(f"seats {seed}")
    dealt = [[tuple(table[at] for at in shuffled(seats, rng, "seats")) for table in tables] for tables in rounds]
    tables = [list(table) for of_round in dealt for table in of_round]
    is_even = False
    while not is_even:
        is_even = True
        for one, other in combinations(range(seats), 2):
            surplus = [0] * entrants
            for table in tables:
                surplus[table[one]] += 1
                surplus[table[other]] -= 1
            if max(map(abs, surplus)) > 1:
                is_even = False
                _walk(tables, one, other)
    found = iter(tables)
    return [[tuple(next(found)) for _ in of_round] for of_round in dealt]


def _walk(tables: list[list[int]], one: int, other: int) -> None:
    """Reassign the two seats of all tables, so that nobody has one of them more than once more often than the other."""
    edges: list[tuple[int, int]] = [(table[one], table[other]) for table in tables]
    at: defaultdict[int, list[int]] = defaultdict(list)  # entrant -> edges
    for number, (a, b) in enumerate(edges):
        at[a].append(number)
        at[b].append(number)
    odd = [entrant for entrant in sorted(at) if len(at[entrant]) % 2]
    for a, b in zip(odd[::2], odd[1::2], strict=True):  # helping edges between those with an odd number; there is an even number of them
        at[a].append(len(edges))
        at[b].append(len(edges))
        edges.append((a, b))
    done = [False] * len(edges)
    for start in sorted(at):
        here = start
        while True:
            while at[here] and done[at[here][-1]]:
                at[here].pop()
            if not at[here]:
                break  # back at the start: all have an even number of edges
            number = at[here].pop()
            done[number] = True
            a, b = edges[number]
            there = b if a == here else a
            if number < len(tables):
                tables[number][one], tables[number][other] = here, there
            here = there
