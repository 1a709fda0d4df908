"""What the engine commands (simulate, ladder, bench, fuzz) share: arguments with clear refusals, and small print."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

from django.core.management.base import CommandError

from games.core.contract import Game
from games.registry import GAMES, Entry


def positive(text: str) -> int:
    """Return a whole number of at least 1 from the command line."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, found {text!r}")
    return number


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help=f"the game: {', '.join(GAMES)}")


def add_games(parser: argparse.ArgumentParser, default: int) -> None:
    parser.add_argument("--games", type=positive, default=default, metavar="K", help=f"games to play (default {default})")


def add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the same seed gives the same games (default 1)")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    cores = len(os.sched_getaffinity(0))
    parser.add_argument("--jobs", type=positive, default=cores, metavar="N", help=f"processes at work (default: the cores, {cores})")


def find_game(key: str) -> Entry:
    """Return the registry entry of a game, or refuse in one line."""
    if key not in GAMES:
        raise CommandError(f"{key!r} is no game; there are {', '.join(GAMES)}", returncode=2)
    return GAMES[key]


def seat_counts(game: Game, seats: int | None) -> tuple[int, ...]:
    """Return the player counts to use: the one asked for, or all of the game's."""
    if seats is None:
        return tuple(game.meta.seats)
    if seats not in game.meta.seats:
        possible = ", ".join(map(str, game.meta.seats))
        raise CommandError(f"--seats {seats}: {game.meta.title} has {possible} seats", returncode=2)
    return (seats,)


def counts(found: Mapping[str, int]) -> str:
    """Return a line of counts with their shares of the total, the largest first."""
    total = sum(found.values()) or 1
    items = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{key} {count} ({100 * count / total:.0f} %)" for key, count in items) or "none"
