"""The squares of a question: grouped by what a piece would do there, and why the others are closed (tigris_euphrates#tiles, #leaders)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from games.core.contract import NO_SEAT, Option, Phrase
from games.tigris_euphrates import legality
from games.tigris_euphrates import prompt_phrases as phrases
from games.tigris_euphrates.components import (
    ALL_SQUARES,
    BLACK,
    BLUE,
    COLOURS,
    KINDS,
    LABELS,
    LAND,
    N_COLOURS,
    RED,
    RIVER,
)
from games.tigris_euphrates.kingdoms import find_kingdoms, spread, touched
from games.tigris_euphrates.state import NOWHERE, State, squares_of
from games.tigris_euphrates.strengths import leader_in

Groups = list[tuple[Phrase, int]]  # heading, bit board

TARGETS: Final = {square: f"cell-{label}" for square, label in LABELS.items()}
_LABELS: Final = {square: Phrase(phrases.OPTION_SQUARE, {"square": label}) for square, label in LABELS.items()}


def square_options(
    prefix: str, groups: Groups, chosen: str, picture: str | None, *, irreversible: bool = False, recall: bool = False
) -> list[Option]:
    """Return an option for each square, group by group; `prefix` comes before the square in its text."""
    options = []
    for heading, board in groups:
        for square in squares_of(board):
            text = f"{prefix} {LABELS[square]}"
            target = TARGETS[square]
            options.append(Option(text, _LABELS[square], picture, None, text == chosen, target, irreversible, recall, heading))
    return options


def _closed(reasons: Iterable[tuple[int, str, str]], legal: int) -> Mapping[str, Phrase]:
    """Return why squares are closed, with the first reason that applies to each; reasons are (bit board, phrase, anchor)."""
    closed: dict[str, Phrase] = {}
    left = ALL_SQUARES & ~legal
    for board, text, anchor in reasons:
        here = left & board
        if here:
            phrase = Phrase(text, rule=legality.RULE + anchor)
            closed.update((TARGETS[square], phrase) for square in squares_of(here))
            left &= ~here
    return closed


# Tiles


def tile_groups(state: State, seat: int, kind: int) -> Groups:
    """Return the legal squares of a tile, grouped by who gets a point, by unions, and by what it would be next to; own points first."""
    legal = legality.tile_squares(state, kind)
    one, two, _ = touched(state)
    points: dict[int, int] = {}
    for kingdom in state.kingdoms:
        here = spread(kingdom) & legal & ~two
        if here:
            owner = leader_in(state, kind, kingdom)
            if owner == NO_SEAT:
                owner = leader_in(state, BLACK, kingdom)
            points[owner] = points.get(owner, 0) | here
    groups: Groups = []
    for owner in sorted(points, key=lambda owner: (owner == NO_SEAT, (owner - seat) % state.seats)):
        if owner == NO_SEAT:
            heading = Phrase(phrases.GROUP_NO_POINT)
        elif owner == seat:
            heading = Phrase(phrases.GROUP_POINT_ME, {"colour": COLOURS[kind]})
        else:
            heading = Phrase(phrases.GROUP_POINT, {"seat": owner, "colour": COLOURS[kind]})
        groups.append((heading, points[owner]))
    unions = legal & two
    wars = _war_squares(state) & unions
    beside = legal & ~one & spread(state.occupied)
    groups += [
        (Phrase(phrases.GROUP_WAR), wars),
        (Phrase(phrases.GROUP_UNION), unions & ~wars),
        (Phrase(phrases.GROUP_REGION), beside),
        (Phrase(phrases.GROUP_ALONE), legal & ~one & ~beside),
    ]
    return [(heading, board) for heading, board in groups if board]


def _war_squares(state: State) -> int:
    """Return the squares beside two kingdoms that have leaders of one colour."""
    rows = [(spread(kingdom), [bool(kingdom & board) for board in state.leader_bits]) for kingdom in state.kingdoms]
    squares = 0
    for at, (edge, roles) in enumerate(rows):
        for other_edge, other_roles in rows[:at]:
            if any(here and there for here, there in zip(roles, other_roles, strict=True)):
                squares |= edge & other_edge
    return squares


def tile_closed(state: State, kind: int) -> Mapping[str, Phrase]:
    """Return why a tile cannot be placed on the other squares."""
    is_farm = kind == BLUE
    reasons = [
        (state.catastrophes, phrases.CLOSED_CATASTROPHE, "catastrophes-3"),
        (state.occupied, phrases.CLOSED_TAKEN, "tiles-1"),
        (
            LAND if is_farm else RIVER,
            phrases.CLOSED_LAND if is_farm else phrases.CLOSED_RIVER_TILE,
            "tiles-2" if is_farm else "tiles-3",
        ),
        (ALL_SQUARES, phrases.CLOSED_THREE, "tiles-4"),
    ]
    return _closed(reasons, legality.tile_squares(state, kind))


# Leaders


def without_leader(state: State, seat: int, role: int) -> State:
    """Return the position with the seat's leader lifted off the board (leaders-5)."""
    lifted = state.copy()
    square = state.leaders[seat * N_COLOURS + role]
    if square != NOWHERE:
        lifted.leaders[seat * N_COLOURS + role] = NOWHERE
        lifted.leader_bits[role] &= ~(1 << square)
        find_kingdoms(lifted)
    return lifted


def leader_groups(state: State, seat: int, role: int) -> Groups:
    """Return the legal squares of a leader, grouped by what would follow: a revolt (and against whom) or none."""
    legal = legality.leader_squares(state, seat, role)
    lifted = without_leader(state, seat, role)
    revolts: dict[int, int] = {}
    peace = 0
    for kingdom in lifted.kingdoms:
        here = spread(kingdom) & legal
        rival = leader_in(lifted, role, kingdom)
        if rival == NO_SEAT:
            peace |= here
        elif here:
            revolts[rival] = revolts.get(rival, 0) | here
    attacked = 0
    for board in revolts.values():
        attacked |= board
    groups = [(Phrase(phrases.GROUP_JOIN), peace), (Phrase(phrases.GROUP_FOUND), legal & ~peace & ~attacked)]
    rivals = sorted(revolts, key=lambda rival: (rival - seat) % state.seats)
    groups += [(Phrase(phrases.GROUP_REVOLT, {"seat": rival}), revolts[rival]) for rival in rivals]
    return [(heading, board) for heading, board in groups if board]


def leader_closed(state: State, seat: int, role: int) -> Mapping[str, Phrase]:
    """Return why a leader cannot be placed on the other squares."""
    square = state.leaders[seat * N_COLOURS + role]
    reasons = [
        (0 if square == NOWHERE else 1 << square, phrases.CLOSED_HERE, "leaders-5"),
        (state.catastrophes, phrases.CLOSED_CATASTROPHE, "catastrophes-3"),
        (state.occupied, phrases.CLOSED_TAKEN, "leaders-2"),
        (RIVER, phrases.CLOSED_RIVER_LEADER, "leaders-2"),
        (~spread(state.tiles[RED]), phrases.CLOSED_NO_TEMPLE, "leaders-3"),
        (ALL_SQUARES, phrases.CLOSED_TWO, "leaders-4"),
    ]
    return _closed(reasons, legality.leader_squares(state, seat, role))


# Catastrophes and treasures


def catastrophe_groups(state: State) -> Groups:
    """Return the legal squares of a catastrophe, grouped by what it would cover."""
    legal = legality.catastrophe_squares(state)
    groups = [(Phrase(phrases.GROUP_COVERS, {"tile": KINDS[kind]}), board & legal) for kind, board in enumerate(state.tiles)]
    empty = legal & ~state.occupied
    groups += [(Phrase(phrases.GROUP_EMPTY_LAND), empty & LAND), (Phrase(phrases.GROUP_EMPTY_RIVER), empty & RIVER)]
    return [(heading, board) for heading, board in groups if board]


def catastrophe_closed(state: State) -> Mapping[str, Phrase]:
    """Return why a catastrophe cannot be placed on the other squares."""
    king, priest, farmer, trader = state.leader_bits
    reasons = [
        (king | priest | farmer | trader, phrases.CLOSED_LEADER, "catastrophes-2"),
        (state.down, phrases.CLOSED_MONUMENT, "catastrophes-2"),
        (state.treasures, phrases.CLOSED_TREASURE, "catastrophes-2"),
        (ALL_SQUARES, phrases.CLOSED_CATASTROPHE, "catastrophes-3"),
    ]
    return _closed(reasons, legality.catastrophe_squares(state))


def treasure_closed(state: State, seat: int, here: int) -> Mapping[str, Phrase]:
    """Return why the other treasures cannot be taken now; `here` holds those of the trader's kingdom."""
    reasons = [
        (here, phrases.CLOSED_CORNER_FIRST, "treasures-2"),
        (state.treasures, phrases.CLOSED_OTHER_TREASURE, "treasures-1"),
    ]
    return _closed(reasons, legality.treasure_squares(state, seat))
