"""Beside the map: boxes with their ranks, the five turns with their empires, the fight, the orders of the seats, the stock."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

from games.after_the_flood.components import (
    DECLINE_TURNS,
    EMPIRES,
    GOODS,
    GRAIN_ALL_EQUAL,
    GRAIN_BY_RANK,
    NEED_INFERIOR,
    NEED_SUPERIOR,
    RATINGS,
    SEATS,
    SYMBOLS,
    TEXTILES_BY_RANK,
    TURNS,
    UNLIMITED,
    YEARS,
)
from games.after_the_flood.view import View
from games.core.contract import Phrase

NAME: Final = "{seat:name}"
FACES: Final = range(1, 7)
BOX_SIDES: Final = {"scribes": "used_scribes", "tool_makers": "used_tool_makers"}
FIGHT_PHASES: Final = ("rolling", "attacking")

Target = dict[str, Any]


# Boxes


def boxes(view: View, targets: dict[str, Target]) -> list[dict[str, Any]]:
    """Return the four boxes with a row for each player: workers, and what they bring next time or how many have already worked."""
    found = []
    for box in ("irrigation", "weaving", *BOX_SIDES):
        used = BOX_SIDES.get(box)
        counts = [view.workers[seat].get(box, 0) for seat in range(SEATS)]
        brought = [] if used else harvest(view, box)
        found.append(
            {
                "box": box,
                "symbol": SYMBOLS[box],
                "good": None if used else "grain" if box == "irrigation" else "textile",
                "good_symbol": None if used else SYMBOLS["grain" if box == "irrigation" else "textile"],
                "used": used,
                "target": targets[f"box-{box}"],
                "used_target": targets[f"box-{used}"] if used else None,
                "rows": [
                    {
                        "number": seat + 1,
                        "name": Phrase(NAME, {"seat": seat}),
                        "count": counts[seat],
                        "used": view.workers[seat].get(used, 0) if used else None,
                        "rank": 1 + sum(count > counts[seat] for count in set(counts)) if counts[seat] else None,
                        "brings": brought[seat] if brought else None,
                        "lost": view.decline[seat].get(box, 0) if view.turn + 1 in DECLINE_TURNS else 0,
                    }
                    for seat in range(SEATS)
                ],
            }
        )
    return found


def harvest(view: View, box: str) -> list[int]:
    """Return what each player would collect from a box now (collect-1 .. collect-5)."""
    workers = view.workers
    counts = [workers[seat].get(box, 0) for seat in range(SEATS)]
    ranks = sorted(set(counts), reverse=True)
    if box == "irrigation":
        if len(ranks) == 1:
            return [GRAIN_ALL_EQUAL if count else 0 for count in counts]
        return [GRAIN_BY_RANK[ranks.index(count)] if count else 0 for count in counts]
    needs_weaver = view.ur_textile == "weaver"
    return [
        (TEXTILES_BY_RANK[ranks.index(count)] if count else 0) + int("ur" in view.cities[seat] and bool(count or not needs_weaver))
        for seat, count in enumerate(counts)
    ]


# Turns


def turns(view: View, targets: dict[str, Target]) -> list[dict[str, Any]]:
    """Return the five turns with their empires; those of the current turn tell who founded them (found-1, decline-1)."""
    return [
        {
            "turn": turn,
            "year": YEARS[turn - 1],
            "is_now": turn == view.turn,
            "is_past": turn < view.turn,
            "has_decline": turn in DECLINE_TURNS,
            "empires": [
                {
                    "empire": empire,
                    "armies": armies,
                    "target": targets.get(f"empire-{empire}") if turn == view.turn else None,
                    "founder": _founder(view, empire) if turn == view.turn else None,
                }
                for empire, _, armies in EMPIRES[turn - 1]
            ],
        }
        for turn in range(1, TURNS + 1)
    ]


def _founder(view: View, empire: str) -> dict[str, Any] | None:
    for seat, founded in enumerate(view.empires):
        if founded == empire:
            return {"number": seat + 1, "name": Phrase(NAME, {"seat": seat})}
    return None


# Dice


def rolls() -> dict[str, Target]:
    """Return the rolls of two dice, by the words that events use for them (combat-1)."""
    return {
        f"roll-{first}-{second}": {
            "id": f"roll-{first}-{second}",
            "word": f"{first} + {second}",
            "dice": (first, second),
            "total": first + second,
            "is_hit": first + second >= NEED_INFERIOR,
            "is_miss": first + second < NEED_SUPERIOR,
        }
        for first, second in product(FACES, FACES)
    }


def fight(view: View) -> dict[str, Any] | None:
    """Return the current attack: attacker, place, what the dice must show, how likely that is (combat-1)."""
    area = view.target
    if view.phase not in FIGHT_PHASES or area is None or view.active is None:
        return None
    defender = next(seat for seat in range(SEATS) if area in view.armies[seat])
    need = needed(view.ranking, view.active, defender)
    return {
        "area": area,
        "need": need,
        "chance": round(100 * chance(need)),
        "sides": [
            {
                "number": view.active + 1,
                "name": Phrase(NAME, {"seat": view.active}),
                "armies": view.armies_available[view.active],
            },
            {"number": defender + 1, "name": Phrase(NAME, {"seat": defender}), "armies": view.armies[defender][area]},
        ],
        "is_to_the_end": view.fight != "invasion",
    }


def needed(ranking: Sequence[int], attacker: int, defender: int) -> int:
    """Return the least that two dice must show (combat-1)."""
    return NEED_SUPERIOR if ranking.index(attacker) < ranking.index(defender) else NEED_INFERIOR


def chance(need: int) -> float:
    """Return how likely two dice are to show `need` or more.

    >>> round(chance(5), 2), round(chance(7), 2)
    (0.83, 0.58)
    """
    return sum(first + second >= need for first, second in product(FACES, FACES)) / len(FACES) ** 2


# The orders of the seats


def ledger(view: View) -> dict[str, Any]:
    """Return the order of play with passes and bids, the equipment ranking, and the stock (order-1, equip-2, collect-8)."""
    is_passing = 0 < len(view.passed) < SEATS  # once all have passed, nobody acts
    return {
        "order": [
            {
                "number": seat + 1,
                "name": Phrase(NAME, {"seat": seat}),
                "has_passed": seat in view.passed,
                "bid": view.bid_values[seat],
                "goods": _laid(view.bids[seat]),
            }
            for seat in view.order
        ]
        if view.turn
        else [],
        "is_passing": is_passing,
        "is_limited": view.tool_stock == "limited",
        "ratings": [
            {
                "rating": f"rating_{rating}",
                "letter": rating.upper(),
                "holder": {"number": view.ranking[at] + 1, "name": Phrase(NAME, {"seat": view.ranking[at]})}
                if at < len(view.ranking)
                else None,
                "value": view.equipment_values[view.ranking[at]] if at < len(view.ranking) else 0,
                "goods": _laid(view.equipment[view.ranking[at]]) if at < len(view.ranking) else [],
            }
            for at, rating in enumerate(RATINGS)
        ],
        "stock": [
            {
                "good": good,
                "symbol": SYMBOLS[good],
                "count": view.stock[good],
                "is_endless": index in UNLIMITED or (good == "tool" and view.tool_stock == "unlimited"),
            }
            for index, good in enumerate(GOODS)
        ],
    }


def _laid(goods: dict[str, int]) -> list[dict[str, Any]]:
    return [{"good": good, "symbol": SYMBOLS[good], "count": goods[good]} for good in GOODS if goods.get(good)]
