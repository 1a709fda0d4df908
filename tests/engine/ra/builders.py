"""Positions of Ra from a small text picture, and playing on from them with texts.

    position('''
        track: pharaoh nile . gold
        ra: 3
        0> 13 6 (2) | god, pharaoh 2 | 12
        1  12 7 3   | nile
        2  11 8 4
        3  10 9 5
    ''')

A line for each seat: suns, face-down ones in brackets; tiles with their number; fame. `>` marks who is due. A dot is a gap
on the auction track. `complete` fills in missing lines; the centre is the one sun that is missing.
"""

from __future__ import annotations

import re
from typing import Any

from games.core.rng import SeededRng
from games.ra.state import State
from games.registry import game as find_game
from tests.engine.steps import Steps

game = find_game("ra")
steps = Steps(game, names_all=True)
act, play, told, due, legal = steps.act, steps.play, steps.told, steps.due, steps.legal
data_of, ask, refusal, keys = steps.data_of, steps.ask, steps.refusal, steps.keys
SEAT = re.compile(r"(\d)([> ])\s*([^|]*)(?:\|([^|]*))?(?:\|([^|]*))?")


def position(picture: str = "", **fields: Any) -> State:
    """Return the state of a picture; `fields` are fields of a position file and take precedence."""
    data: dict[str, Any] = {}
    suns, tiles, fame = [], [], []
    for line in filter(None, map(str.strip, picture.splitlines())):
        match = SEAT.fullmatch(line)
        if match is None:
            key, _, value = line.partition(":")
            data[{"ra": "ra_track"}.get(key, key)] = _value(key, value.strip())
            continue
        assert int(match[1]) == len(suns), line
        if match[2] == ">":
            data["due"] = len(suns)
        words = match[3].split()
        suns.append([[int(w) for w in words if w[0] != "("], [int(w[1:-1]) for w in words if w[0] == "("]])
        tiles.append(counts(match[4] or ""))
        fame.append(int(match[5] or 10))
    if suns:
        data |= {"seats": len(suns), "suns": suns, "tiles": tiles, "fame": fame}
    return game.complete(data | fields, SeededRng(1))


def counts(text: str) -> dict[str, int]:
    """Return the tiles of "god, pharaoh 2" as counts."""
    out = {}
    for item in filter(None, map(str.strip, text.split(","))):
        kind, _, number = item.partition(" ")
        out[kind] = int(number or 1)
    return out


def _value(key: str, value: str) -> Any:
    if key == "track":
        return [None if kind == "." else kind for kind in value.split()]
    return int(value) if value.lstrip("-").isdigit() else value


def four(track: str = "", due: int = 0, tiles: dict[int, str] | None = None, **fields: Any) -> State:
    """Return a four-player position with the printed sun sets in seat order; seat 0 owns sun 13."""
    sets = [[13, 6, 2], [12, 7, 3], [11, 8, 4], [10, 9, 5]]
    held = [counts((tiles or {}).get(seat, "")) for seat in range(4)]
    data: dict[str, Any] = {"track": _value("track", track), "due": due, "tiles": held, "suns": [[s, []] for s in sets], "centre": 1}
    return game.complete(data | fields, SeededRng(1))
