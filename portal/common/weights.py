"""Whether the learned weights of bots can be used. Looked at when the portal starts, and kept in the state folder for monitors.

Bots find out by themselves when they are asked for a move; this only tells the operator.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games.registry import GAMES

FILE: Final = "weights.txt"


def look(folder: Path) -> list[str]:
    """Read the weights of all games and keep what is wrong with them in the state folder: one line each, starting with the game's key."""
    from games.core.learner import problems  # needs numpy, which no page needs

    lines = [line for entry in GAMES.values() for line in problems(entry.game)]
    (folder / FILE).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return lines


def told(folder: Path) -> list[str]:
    """Return what was wrong at the last start."""
    try:
        return (folder / FILE).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
