"""What a board of Ra looks like, as plain data: places, picture names, counts. The markup is in templates/games/ra/board.html.

The Ra track is the path of the sun over the sky, in a box of 480 x 186; the auction track is a row below it. Between them each seat has
a berth with its suns, where its bid rises.
"""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any, Final

from games.core.contract import Phrase
from games.core.phrases import N_
from games.ra.components import AUCTION_SPACES, CIV_END, CIV_FIRST, EPOCH_COUNT, GOD_SYMBOLS, KINDS, MON_END, MON_FIRST, RA_SPACES, SYMBOLS
from games.ra.view import View

SPACE_SIZE: Final = 38
INNER_SIZE: Final = 28  # the second frame of the last Ra space
SKY_CENTRE: Final = (240.0, 172.0)
SKY_RADII: Final = (206.0, 134.0)
FIRST_ANGLE, ANGLE_STEP = 9.0, 18.0  # degrees over the western horizon

STEADY_KINDS: Final = ("god", "gold", "pharaoh", "nile", "flood")  # always shown, even a zero, so that nothing shifts
MORE_KINDS: Final = KINDS[CIV_FIRST:CIV_END] + KINDS[MON_FIRST:MON_END]

NAME: Final = "{seat:name}"
FAME: Final = N_("{n} fame")
BID: Final = N_("bid {n}")
PASSED: Final = N_("passed")
BIDS_LAST: Final = N_("bids last")
OUT: Final = N_("out this epoch")
SUN: Final = N_("sun {n}")
BIDS_NOW: Final = N_("bids now")
GIVES_UP: Final = N_("must discard tiles")


def _space_corner(place: int) -> tuple[float, float]:
    """Return the upper left corner of a Ra space."""
    angle = radians(FIRST_ANGLE + ANGLE_STEP * place)
    x = SKY_CENTRE[0] - SKY_RADII[0] * cos(angle) - SPACE_SIZE / 2
    y = SKY_CENTRE[1] - SKY_RADII[1] * sin(angle) - SPACE_SIZE / 2
    return round(x, 1), round(y, 1)


_CORNERS: Final = tuple(_space_corner(place) for place in range(RA_SPACES))
_ARC: Final = f"M{SKY_CENTRE[0] - SKY_RADII[0]:g} {SKY_CENTRE[1]:g}a{SKY_RADII[0]:g} {SKY_RADII[1]:g} 0 0 1 {2 * SKY_RADII[0]:g} 0"


def scene(view: View) -> dict[str, Any]:
    """Return the drawing of a position.

    `parts` names the pieces of the board that change independently (partials of the template) with the values that they
    show, `held` the same for what is in front of a player. `targets` holds the pieces that an answer may point at, by the id
    that `Option.target` names; the page turns the legal ones into links.
    """
    track = [_slot(view, place) for place in range(AUCTION_SPACES)]
    players = [_player(view, seat) for seat in range(view.seats)]
    targets = {slot["id"]: slot for slot in track if slot["kind"]}
    berths = [_berth(view, seat) for seat in _bidding_order(view)]
    named = {f"berth-{berth['number']}": berth for berth in berths}
    targets |= {sun["id"]: sun for berth in berths for sun in berth["suns"]}
    sky = targets["sky"] = {"id": "sky", "noun": "ra_track"}
    return {
        "parts": {"sky": ("epoch", "ra_spaces", "centre_sun", "sky"), "berths": {name: (name,) for name in named}, "track": ("track",)},
        "held": {"tiles": ("steady", "more")},
        "epoch": view.epoch,
        "epoch_noun": f"epoch_{view.epoch}",
        "epoch_count": EPOCH_COUNT,
        "arc": _ARC,
        "ra_spaces": [_ra_space(view, place) for place in range(RA_SPACES)],
        "sky": sky,
        "ra_count": view.ra_count,
        "ra_length": view.ra_length,
        "centre_sun": view.centre,
        "berths": berths,
        **named,
        "track": track,
        "track_count": sum(kind is not None for kind in view.track),
        "track_length": AUCTION_SPACES,
        "players": players,
        "targets": targets,
    }


def _ra_space(view: View, place: int) -> dict[str, Any]:
    """Return a space of the Ra track; with fewer than five players the first ones are closed (ra#draw-3)."""
    x, y = _CORNERS[place]
    used = place - (RA_SPACES - view.ra_length)
    inset = (SPACE_SIZE - INNER_SIZE) / 2
    return {
        "x": x,
        "y": y,
        "inner_x": round(x + inset, 1),
        "inner_y": round(y + inset, 1),
        "state": "shut" if used < 0 else "ra" if used < view.ra_count else "free",
        "is_last": place == RA_SPACES - 1,
    }


def _slot(view: View, place: int) -> dict[str, Any]:
    kind = view.track[place] if place < len(view.track) else None
    symbol = None
    if kind is not None:
        symbol = GOD_SYMBOLS[place % len(GOD_SYMBOLS)] if kind == "god" else SYMBOLS[kind]
    return {"id": f"track-{place}", "kind": kind, "noun": kind, "symbol": symbol}


def _bidding_order(view: View) -> list[int]:
    """Return the seats as they bid, the Ra player last (ra#auction-3); between auctions as they sit."""
    first = (view.ra_player + 1) % view.seats if view.phase == "auction" and view.ra_player is not None else 0
    return [(first + step) % view.seats for step in range(view.seats)]


def _berth(view: View, seat: int) -> dict[str, Any]:
    """Return the place of a seat above the auction track: its suns, the one that it bids, and what it has said."""
    bid = view.bids[seat] if view.phase == "auction" else None
    suns = [_sun(seat, value, is_down=False, is_bid=value == bid) for value in reversed(view.suns_up[seat])]
    suns += [_sun(seat, value, is_down=True, is_bid=False) for value in reversed(view.suns_down[seat])]
    is_due = view.phase == "auction" and view.due == seat
    said = [Phrase(BIDS_NOW)] if is_due else [note for note in _notes(view, seat, bid) if note.text in (BID, PASSED, BIDS_LAST, OUT)]
    return {
        "number": seat + 1,
        "name": Phrase(NAME, {"seat": seat}),
        "suns": suns,
        "said": said,
        "has_figure": view.phase == "auction" and view.ra_player == seat,
        "is_due": is_due,
        "is_pale": bid == 0 or _is_out(view, seat),
    }


def _player(view: View, seat: int) -> dict[str, Any]:
    bid = view.bids[seat] if view.phase == "auction" else None
    tiles = view.tiles[seat]
    return {
        "number": seat + 1,
        "name": Phrase(NAME, {"seat": seat}),
        "steady": [_held(kind, tiles.get(kind, 0)) for kind in STEADY_KINDS],
        "more": [_held(kind, tiles[kind]) for kind in MORE_KINDS if tiles.get(kind)],
        "notes": _notes(view, seat, bid),
        "is_due": view.due == seat,
        "is_out": _is_out(view, seat),
    }


def _sun(seat: int, value: int, *, is_down: bool, is_bid: bool) -> dict[str, Any]:
    return {"id": f"sun-{seat}-{value}", "value": value, "short": Phrase(SUN, {"n": value}), "is_down": is_down, "is_bid": is_bid}


def _held(kind: str, count: int) -> dict[str, Any]:
    return {"kind": kind, "symbol": SYMBOLS[kind], "count": count}


def _is_out(view: View, seat: int) -> bool:
    """Return whether a seat takes no part until the epoch ends (ra#epochs-1)."""
    return view.phase in ("turn", "drawing", "auction", "discard") and not view.suns_up[seat]


def _notes(view: View, seat: int, bid: int | None) -> list[Phrase]:
    """Return the facts about a seat that matter now."""
    fame = view.fame[seat]
    notes = [] if fame is None else [Phrase(FAME, {"n": fame})]
    if view.phase == "auction" and not _is_out(view, seat):
        if bid:
            notes.append(Phrase(BID, {"n": bid}))
        elif bid == 0:
            notes.append(Phrase(PASSED))
        elif view.ra_player == seat:
            notes.append(Phrase(BIDS_LAST))
    elif view.phase == "discard" and view.due == seat:
        notes.append(Phrase(GIVES_UP))
    elif _is_out(view, seat):
        notes.append(Phrase(OUT))
    return notes
