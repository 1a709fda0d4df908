"""What else is written with the standings: an app above registers here, so that ratings need not import it.

All of it happens where standings are written: in their transactions, under the lock of their clock, in the order of the games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from portal.ratings.results import Result


class Check(Protocol):
    """What a follower should have written, recalculated and compared with what is stored."""

    def add(self, results: Sequence[Result]) -> None:
        """Take the next finished games."""

    def differences(self) -> Iterator[str]:
        """Yield a line for each difference, after all games have been added."""


@dataclass(frozen=True, slots=True)
class Follower:
    """`write` stores what finished games mean, `clear` deletes all of it, `check` starts a comparison."""

    write: Callable[[Sequence[Result]], object]
    clear: Callable[[], object]
    check: Callable[[], Check]


FOLLOWERS: Final[list[Follower]] = []


def write_all(results: Sequence[Result]) -> None:
    """Let every follower write what these games, in order, mean to it."""
    for follower in FOLLOWERS:
        follower.write(results)
