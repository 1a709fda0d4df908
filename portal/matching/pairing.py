"""Which of the people who look for a table sit down together: arithmetic alone, so that it can be tested without waiting.

The one who has waited longest is served first. Whom they meet is a question of rating: at first only people of about the same strength, and
with each while of waiting twice as wide a range, until anybody will do. Somebody who leaves the number of players open gets the usual one
of the game at first; after some patience any number that can be filled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

POINTS_AT_FIRST: Final = 150  # how far apart two ratings may be at once
DOUBLINGS: Final = 5  # after so many, ratings no longer matter


@dataclass(frozen=True, slots=True)
class Tempo:
    """How long people wait at one pace."""

    doubles_s: int  # the range of ratings doubles each time this has passed
    patience_s: int  # after this, fewer players than usual will do
    bots_after_s: int  # after this, bots are offered
    unseen_s: int  # who hasn't been seen for so long is not there; 0: need not be there
    lasts_s: int  # a search ends by itself


LIVE: Final = Tempo(doubles_s=15, patience_s=30, bots_after_s=45, unseen_s=75, lasts_s=3600)
DAYS: Final = Tempo(doubles_s=2 * 3600, patience_s=6 * 3600, bots_after_s=3600, unseen_s=0, lasts_s=7 * 86_400)


@dataclass(frozen=True, slots=True)
class Seeker:
    """Somebody who looks for a table, as far as it matters here."""

    key: int
    points: int
    seats: int  # 0: any number
    is_rated: bool
    waited_s: float


def range_of(seeker: Seeker, tempo: Tempo) -> float:
    """Return how many points away from somebody another person's rating may be by now.

    >>> range_of(Seeker(1, 1500, 0, True, 31.0), LIVE)
    600
    """
    doublings = int(seeker.waited_s // tempo.doubles_s)
    return float("inf") if doublings >= DOUBLINGS else POINTS_AT_FIRST * 2**doublings


def fit(one: Seeker, other: Seeker, tempo: Tempo) -> bool:
    """Say whether two people want the same kind of game and are near enough to each other for the one who has waited longer.

    So a newcomer to the queue is not made to wait as well.
    """
    if one.is_rated != other.is_rated or (one.seats and other.seats and one.seats != other.seats):
        return False
    return abs(one.points - other.points) <= max(range_of(one, tempo), range_of(other, tempo))


def counts_for(seeker: Seeker, counts: Sequence[int], usual: int, tempo: Tempo) -> list[int]:
    """Return the numbers of players somebody would sit down with by now, the best first.

    >>> counts_for(Seeker(1, 1500, 0, True, 40.0), (2, 3, 4, 5), 4, LIVE)
    [4, 5, 3, 2]
    """
    if seeker.seats:
        return [seeker.seats] if seeker.seats in counts else []
    rest = sorted((count for count in counts if count != usual), reverse=True) if seeker.waited_s >= tempo.patience_s else []
    return [usual, *rest]


def groups(
    seekers: Iterable[Seeker], *, counts: Sequence[int], usual: int, tempo: Tempo, apart: Collection[frozenset[int]] = ()
) -> list[list[Seeker]]:
    """Return who sits down together, each person at most once; `apart` are pairs of keys who don't meet.

    Of those who fit, the nearest in rating are taken. A group is made for its member who has waited longest; the others agree to the
    number of players if they chose it or left it open.
    """
    waiting = sorted(seekers, key=lambda seeker: (-seeker.waited_s, seeker.key))
    found: list[list[Seeker]] = []
    while waiting:
        first = waiting.pop(0)
        group = _group_of(first, waiting, counts_for(first, counts, usual, tempo), tempo, apart)
        if group:
            found.append(group)
            waiting = [seeker for seeker in waiting if seeker not in group]
    return found


def _group_of(
    first: Seeker, others: Sequence[Seeker], counts: Sequence[int], tempo: Tempo, apart: Collection[frozenset[int]]
) -> list[Seeker]:
    near = sorted(
        (other for other in others if fit(first, other, tempo)),
        key=lambda other: (abs(other.points - first.points), -other.waited_s, other.key),
    )
    for count in counts:
        group = [first]
        for other in near:
            if len(group) == count:
                break
            if other.seats in (0, count) and not any(frozenset((other.key, member.key)) in apart for member in group):
                group.append(other)
        if len(group) == count:
            return group
    return []
