"""What a board of Babel looks like, as plain data: columns card by card, temples rung by rung, stocks, decks, counts.

The markup is in templates/games/babel/board.html. The viewing seat is `near`, at the bottom; for spectators that is the first
seat. A column is drawn from the inside out, away from the middle of the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from games.babel.components import MIGRANTS, PEOPLES, POWER_PEOPLE, RUN, SYMBOLS, TOO_FEW, TOP_LEVEL, WIN_AHEAD, WIN_AT_ONCE
from games.babel.view import View
from games.core.contract import Phrase
from games.core.phrases import N_

RUNG: Final = 7  # units from one rung of a temple to the next
SCALE: Final = 25  # length of the score bar in points; nobody gets further, because 20 points win
POWER_OF: Final = {PEOPLES[people]: f"power_{power}" for power, people in POWER_PEOPLE.items()}

NAME: Final = "{seat:name}"
POINTS: Final = N_("points: {score}")
GOAL: Final = N_("{score} of {goal} points")
GIVES_UP: Final = N_("discarding half the hand")

Target = dict[str, Any]


def scene(view: View) -> dict[str, Any]:
    """Return the drawing of a position.

    `targets` holds the pieces that `prompt` names; lands have the `word` by which events name them.
    """
    near = 0 if view.seat is None else view.seat
    sides = (1 - near, near)  # from above
    targets = _targets(view, near)
    lands = [_land(view, people, sides, targets) for people in PEOPLES]
    stocks = [_stock(view, seat, "own" if seat == near else "other", targets) for seat in sides]
    land_parts = {f"land-{number}": (f"land-{number}",) for number in range(1, len(PEOPLES) + 1)}
    return {
        "parts": {
            "bar": ("score",),
            "lands": {
                **land_parts,
                "recent": ("recent",),
                "supplies": {"stock-1": ("stock-1",), "decks": ("decks",), "stock-2": ("stock-2",)},
            },
            "hand": ("hand",),
        },
        "held": {"heights": ("heights",)},
        "score": _score(view, sides),
        "lands": lands,
        **{f"land-{number}": land for number, land in enumerate(lands, 1)},
        "recent": [],
        "stocks": stocks,
        "stock-1": stocks[0],
        "stock-2": stocks[1],
        "decks": _decks(view, sides),
        "hand": _hand(view, targets),
        "players": [_player(view, seat, targets) for seat in (0, 1)],
        "targets": targets,
    }


def _targets(view: View, near: int) -> dict[str, Target]:
    """Return the pieces that an answer may point at; see the docstring of `prompt`."""
    names = [f"land-{people}" for people in PEOPLES]
    if view.seat is not None:
        names += [f"{what}-{people}" for what in ("hand", "column") for people in PEOPLES]
        names += ["stock-own", "stock-other"]
        here = view.pawns[near]
        if here is not None:
            names += [f"run-{run['people']}-{run['number']}" for run in _runs(view.columns[near].get(here, ()))]
            names += ["rival-temple", "rival-top", "rival-outermost", *(f"rival-{people}" for people in PEOPLES)]
    found: dict[str, Target] = {name: {"id": name} for name in names}
    for name in names:
        kind, _, people = name.partition("-")
        if kind in ("hand", "column"):
            found[name]["noun"] = people if kind == "hand" else f"land_{people}"
        elif kind == "run":
            found[name]["noun"] = f"people_{people.rpartition('-')[0]}"
        elif kind == "stock":
            found[name]["noun"] = "stock"
    for column, people in enumerate(PEOPLES, 1):
        found[f"land-{people}"] |= {"word": f"land_{people}", "column": column}
    return found


# Lands


def _land(view: View, people: str, sides: tuple[int, int], targets: dict[str, Target]) -> dict[str, Any]:
    far, near = sides
    is_here = view.pawns[near] == people
    rival = {name.removeprefix("rival-"): target for name, target in targets.items() if is_here and name.startswith("rival-")}
    column = _column(view, near, people)
    for item in column["cards"]:
        if is_here and item["run"]:
            item["run"]["target"] = targets.get(f"run-{item['people']}-{item['run']['number']}")
    facing = _column(view, far, people)
    _point(facing["cards"], rival)
    return {
        "people": people,
        "noun": f"land_{people}",
        "symbol": SYMBOLS[people],
        "is_here": is_here,
        "go": targets[f"land-{people}"],
        "far": {**facing, **_site(view, far, people), "temple_target": rival.get("temple"), "top_target": rival.get("top")},
        "near": {**column, **_site(view, near, people), "column_target": targets.get(f"column-{people}")},
    }


def _runs(column: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Return the runs of a column: people, number among its people's runs from the inside, place and length (powers-1, powers-4)."""
    place = 0
    numbers = dict.fromkeys(PEOPLES, 0)
    for people, cards in groupby(column):
        length = len(list(cards))
        if length >= RUN:
            numbers[people] += 1
            yield {"people": people, "number": numbers[people], "place": place, "length": length}
        place += length


def _column(view: View, seat: int, people: str) -> dict[str, Any]:
    """Return the settlers of a seat in a land, from the inside out."""
    column = view.columns[seat].get(people, ())
    cards: list[dict[str, Any]] = [
        {
            "people": settler,
            "symbol": SYMBOLS[f"card_{settler}"],
            "bracket": "",
            "run": None,
            "is_outermost": place == len(column) - 1,
            "is_migrant": len(column) >= MIGRANTS and place >= len(column) - MIGRANTS,
            "hits": [],
        }
        for place, settler in enumerate(column)
    ]
    powers = []
    for run in _runs(column):
        last = run["place"] + run["length"] - 1
        for place in range(run["place"], last + 1):
            cards[place]["bracket"] = "first" if place == run["place"] else "last" if place == last else "inner"
        power = POWER_OF[run["people"]]
        cards[run["place"]]["run"] = {**run, "power": power, "symbol": SYMBOLS[power], "target": None}
        powers.append(power)
    return {"cards": cards, "count": len(column), "powers": powers}


def _point(cards: list[dict[str, Any]], rival: dict[str, Target]) -> None:
    """Give the cards of the other column here the answers that they stand for, in order of preference.

    The outermost card brings its people over, or expels it if it cannot be brought over; the outermost card of each other people
    expels that people. If the outermost card brings its people over, the next card of the same people expels it.
    """
    if not cards or not rival:
        return
    outermost = cards[-1]
    outermost["hits"] = [rival["outermost"], rival[outermost["people"]]]
    seen = {outermost["people"]}
    next_one = next((card for card in reversed(cards[:-1]) if card["people"] == outermost["people"]), outermost)
    next_one["spare"] = {"unless": rival["outermost"], "target": rival[outermost["people"]]}
    for card in reversed(cards[:-1]):
        if card["people"] not in seen:
            card["hits"] = [rival[card["people"]]]
            seen.add(card["people"])


def _site(view: View, seat: int, people: str) -> dict[str, Any]:
    levels = view.temples[seat].get(people, ())
    height = levels[-1] if levels else 0
    return {
        "number": seat + 1,
        "name": Phrase(NAME, {"seat": seat}),
        "height": height,
        "levels": list(levels),
        "symbol": SYMBOLS[f"temple_{height}"],
        "rungs": [{"y": RUNG * (TOP_LEVEL - level), "state": "built" if level in levels else "gap"} for level in range(height, 0, -1)],
        "is_gapped": len(levels) != height,
        "pawn": SYMBOLS[f"pawn_{seat + 1}"] if view.pawns[seat] == people else None,
    }


# Beside the lands


def _score(view: View, sides: tuple[int, int]) -> dict[str, Any]:
    """Return both scores against the winning lines, and what each side needs to win now (end-1 .. end-4)."""
    return {
        "scale": SCALE,
        "lines": [TOO_FEW + 1, WIN_AHEAD, WIN_AT_ONCE],
        "rows": [
            {
                "number": seat + 1,
                "name": Phrase(NAME, {"seat": seat}),
                "score": view.scores[seat],
                "length": min(view.scores[seat], SCALE),
                "goal": _goal(view, seat) if view.ending is None else None,
                "rival": Phrase(NAME, {"seat": 1 - seat}),
                "is_ahead": view.scores[seat] >= WIN_AHEAD,
            }
            for seat in sides
        ],
    }


def _goal(view: View, seat: int) -> int:
    return WIN_AHEAD if view.scores[1 - seat] <= TOO_FEW else WIN_AT_ONCE


def _stock(view: View, seat: int, whose: str, targets: dict[str, Target]) -> dict[str, Any]:
    levels = view.stocks[seat]
    return {
        "number": seat + 1,
        "name": Phrase(NAME, {"seat": seat}),
        "is_near": whose == "own",
        "hand_count": view.hand_counts[seat],
        "top": levels[-1] if levels else None,
        "symbol": SYMBOLS[f"temple_{levels[-1]}"] if levels else None,
        "rest": list(levels[-2::-1]),
        "is_kept": view.reserved[seat] and len(levels) == 1,
        "target": targets.get(f"stock-{whose}"),
    }


def _decks(view: View, sides: tuple[int, int]) -> dict[str, Any]:
    return {
        "temples": view.deck_count,
        "known": [{"level": level, "symbol": SYMBOLS[f"temple_{level}"]} for level in view.deck_top],
        "people": view.people_deck_count,
        "discarded": sum(view.discards.values()),
        "discards": [{"people": people, "symbol": SYMBOLS[people], "count": view.discards.get(people, 0)} for people in PEOPLES],
        "in_quarry": [
            {"number": seat + 1, "symbol": SYMBOLS[f"pawn_{seat + 1}"], "name": Phrase(NAME, {"seat": seat})}
            for seat in sides
            if view.pawns[seat] is None
        ],
    }


def _hand(view: View, targets: dict[str, Target]) -> dict[str, Any] | None:
    if view.hand is None or view.seat is None:
        return None
    held = [
        {"people": people, "symbol": SYMBOLS[f"card_{people}"], "count": view.hand.get(people, 0), "target": targets[f"hand-{people}"]}
        for people in PEOPLES
    ]
    return {"count": view.hand_counts[view.seat], "held": held}


# In front of the players


def _player(view: View, seat: int, targets: dict[str, Target]) -> dict[str, Any]:
    return {
        "number": seat + 1,
        "name": Phrase(NAME, {"seat": seat}),
        "heights": [
            {"people": people, "land": f"land_{people}", "symbol": SYMBOLS[people], "height": max(view.temples[seat].get(people, (0,)))}
            for people in PEOPLES
        ],
        "hand": _hand(view, targets) if seat == view.seat else None,  # if no hand is shown below the board, as in a picture
        "notes": _notes(view, seat),
        "is_due": view.due == seat,
        "is_out": False,
    }


def _notes(view: View, seat: int) -> list[Phrase]:
    """Return the facts about a seat that matter now."""
    notes = [Phrase(GIVES_UP, {}, "babel#halving-2")] if view.phase == "halving" and view.due == seat else []
    if view.ending is not None:
        return [Phrase(POINTS, {"score": view.scores[seat]})]
    return [*notes, Phrase(GOAL, {"score": view.scores[seat], "goal": _goal(view, seat)}, "babel#end-1")]
