"""Positions as JSON: written compactly, read with every fault named, completed if partial (after_the_flood#setup, #components).

Fields of a state (a position file may leave out all but what it is about):
    rules_version     1
    seats             3
    options           {"ur_textile": always | weaver, "tool_stock": limited | unlimited}
    phase             paying | action | placing | trading | mustering | equipping | homing | garrisoning | attacking | expanding |
                      bidding | growing | rolling | start | scoring | closing | end
    turn              1..5; 0 in the phase start
    active            the seat that acts or whose cities grow; null in start, scoring, closing, end
    order             [seats in the order of play]
    passed            [seats that have passed]
    goods             per seat {good: count}
    equipment, bids   per seat {good: count}, put in the boxes this turn
    workers           per seat {area or box: count}
    available         per seat: workers that can be placed
    armies            per seat {area: 1 or 2}
    armies_available  per seat
    cities            per seat [areas]
    grown             [areas of cities that have grown]
    empires           per seat the empire founded this turn, or null
    ranking           [seats by the equipment of their armies, best first]
    records           per scored turn, per seat: [areas, areas that Nippur counts, {city: [luxuries]}]
    growths           cities that have grown this turn: [[seat, area, [luxuries]]]
    doing             of the current action: {"paid": whether it is paid for, "placed": whether a good is spent on workers, "usable": scribes,
                      "traded": {area: [exchanges, [goods got]]}, "extra": whether Sippar's exchange was used, "target": area of the
                      fight or of the garrison, "fight": invasion | founding | refounding}; entries still at their default are left out
The reserves, the stock and the scores follow from these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.after_the_flood import scoring
from games.after_the_flood.components import (
    AREA_OF,
    AREAS,
    ARMIES,
    ARMY_LIMIT,
    CITIES,
    EMPIRE_NAMES,
    GOOD_OF,
    GOODS,
    KINDS,
    LUXURIES,
    OTHERS,
    PIECES,
    PLACE_OF,
    PLACES,
    SCRIBES,
    SEATS,
    SOLD,
    SPOTS,
    SUMER,
    TURNS,
    UNLIMITED,
    WORKERS,
    WORKERS_A_TURN,
)
from games.after_the_flood.meta import RULES_VERSION
from games.after_the_flood.position_checks import check_position
from games.after_the_flood.state import (
    END,
    FIGHTS,
    INVASION,
    NO_AREA,
    NO_EMPIRE,
    PHASES,
    ROLLING,
    START,
    State,
    TurnPoints,
    areas_of,
    begin_action,
    first_state,
)
from games.core import jsonio
from games.core.contract import NO_SEAT, Rng
from games.core.phrases import N_

FIELDS: Final = (
    "rules_version", "seats", "options", "phase", "turn", "active", "order", "passed", "goods", "equipment", "bids", "workers",
    "available", "armies", "armies_available", "cities", "grown", "empires", "ranking", "records", "growths", "doing",
)  # fmt: skip
DOING: Final = ("paid", "placed", "usable", "traded", "extra", "target", "fight")
UR_TEXTILE: Final = ("always", "weaver")
TOOL_STOCK: Final = ("limited", "unlimited")
ALL: Final = range(SEATS)
MOST_GOODS: Final = 99  # of one kind in a position file; grain and textiles have no limit
BYTE: Final = 255  # what they can become during a game


def state_to_json(state: State) -> dict[str, Any]:
    """Return the position as plain JSON values."""
    return {
        "rules_version": RULES_VERSION,
        "seats": SEATS,
        "options": {"ur_textile": UR_TEXTILE[state.is_weaver_needed], "tool_stock": TOOL_STOCK[not state.is_tool_limited]},
        "phase": PHASES[state.phase],
        "turn": state.turn,
        "active": None if state.active == NO_SEAT else state.active,
        "order": list(state.order),
        "passed": [seat for seat in ALL if state.passed >> seat & 1],
        "goods": [goods_of(state.goods, seat) for seat in ALL],
        "equipment": [goods_of(state.equipment, seat) for seat in ALL],
        "bids": [goods_of(state.bids, seat) for seat in ALL],
        "workers": [workers_of(state, seat) for seat in ALL],
        "available": state.workers_available[:],
        "armies": [armies_of(state, seat) for seat in ALL],
        "armies_available": state.armies_available[:],
        "cities": [[AREAS[area] for area in areas_of(state.cities[seat])] for seat in ALL],
        "grown": [AREAS[area] for area in areas_of(state.grown)],
        "empires": [None if empire == NO_EMPIRE else EMPIRE_NAMES[empire] for empire in state.empires],
        "ranking": list(state.ranking),
        "records": [[_record_to_json(record) for record in state.records[at : at + SEATS]] for at in range(0, len(state.records), SEATS)],
        "growths": [[seat, AREAS[area], [GOODS[good] for good in goods]] for seat, area, goods in state.growths],
        "doing": _doing_to_json(state),
    }


def goods_of(held: bytearray, seat: int) -> dict[str, int]:
    """Return a seat's goods by name."""
    return {GOODS[good]: count for good, count in enumerate(held[seat * KINDS : seat * KINDS + KINDS]) if count}


def workers_of(state: State, seat: int) -> dict[str, int]:
    """Return a seat's workers on the map and in the boxes, by place."""
    return {PLACES[place]: count for place, count in enumerate(state.workers[seat * SPOTS : seat * SPOTS + SPOTS]) if count}


def armies_of(state: State, seat: int) -> dict[str, int]:
    """Return a seat's armies on the map, by area."""
    return {AREAS[area]: 1 + (state.doubles >> area & 1) for area in areas_of(state.armies[seat])}


def _record_to_json(record: TurnPoints) -> list[Any]:
    areas, nippur, grown = record
    return [areas, nippur, {AREAS[area]: [GOODS[good] for good in goods] for area, goods in grown}]


def _doing_to_json(state: State) -> dict[str, Any]:
    doing: dict[str, Any] = {}
    if state.is_paid:
        doing["paid"] = True
    if state.is_placed:
        doing["placed"] = True
    if state.active != NO_SEAT and state.usable != state.workers[state.active * SPOTS + SCRIBES]:
        doing["usable"] = state.usable
    traded = {
        OTHERS[place]: [used & 7, [GOODS[good] for slot, good in enumerate(SOLD[place]) if used >> (3 + slot) & 1]]
        for place, used in enumerate(state.traded)
        if used
    }
    if traded:
        doing["traded"] = traded
    if state.bonus_used:
        doing["extra"] = True
    if state.target != NO_AREA:
        doing["target"] = AREAS[state.target]
    if state.fight != INVASION:
        doing["fight"] = FIGHTS[state.fight]
    return doing


def state_from_json(data: Mapping[str, Any]) -> State:
    """Return the state of a full position. Raises PositionError, one line that names the field."""
    jsonio.fields(data, "", FIELDS, FIELDS)
    return _read(data)


def complete(partial: Mapping[str, Any], rng: Rng) -> State:
    """Return a full state from a partial one. Raises PositionError for an impossible position. Nothing is left to chance.

    Defaults: seat 0 starts its action in turn 1; no goods, workers, armies, cities, empires; eight workers available, or as many
    as there are; no points in earlier turns.
    """
    data = dict(jsonio.fields(partial, "", FIELDS))
    data.setdefault("rules_version", RULES_VERSION)
    data.setdefault("seats", SEATS)
    options = data.get("options", {})
    data["options"] = {"ur_textile": UR_TEXTILE[0], "tool_stock": TOOL_STOCK[0], **options} if isinstance(options, Mapping) else options
    phase = data.setdefault("phase", "action")
    data.setdefault("turn", 0 if phase == "start" else 1)
    order = data.setdefault("order", list(ALL))
    if "active" not in data:
        is_asked = phase in PHASES and PHASES.index(phase) <= ROLLING
        data["active"] = order[0] if is_asked and isinstance(order, list) and order else None
    for name in ("goods", "equipment", "bids", "workers", "armies"):
        data.setdefault(name, [{} for _ in ALL])
    data.setdefault("cities", [[] for _ in ALL])
    data.setdefault("armies_available", [0] * SEATS)
    data.setdefault("empires", [None] * SEATS)
    for name in ("passed", "grown", "ranking", "growths"):
        data.setdefault(name, [])
    if "records" not in data:
        turn = jsonio.integer(data["turn"], "turn", 0, TURNS)
        scored = turn if phase in ("closing", "end") else max(0, turn - 1)
        data["records"] = [[[0, 0, {}] for _ in ALL] for _ in range(scored)]
    data.setdefault("doing", {})
    if "available" not in data:
        workers = jsonio.items(data["workers"], "workers", SEATS)
        placed = [sum(_counts(workers[seat], f"workers[{seat}]", PLACES, WORKERS).values()) for seat in ALL]
        data["available"] = [max(0, min(WORKERS_A_TURN, WORKERS - count)) for count in placed]
    return _read(data, MOST_GOODS)


# Reading


def _read(data: Mapping[str, Any], most_goods: int = BYTE) -> State:
    if data["rules_version"] != RULES_VERSION or type(data["rules_version"]) is not int:
        jsonio.fail(
            "rules_version", N_("expected {wanted}, found {found}"), wanted=RULES_VERSION, found=jsonio.shown(data["rules_version"])
        )
    jsonio.integer(data["seats"], "seats", SEATS, SEATS)
    options = jsonio.fields(data["options"], "options", ("ur_textile", "tool_stock"), ("ur_textile", "tool_stock"))
    is_weaver_needed = bool(jsonio.one_of(options["ur_textile"], "options.ur_textile", UR_TEXTILE))
    state = first_state(is_weaver_needed, not jsonio.one_of(options["tool_stock"], "options.tool_stock", TOOL_STOCK))
    state.phase = jsonio.one_of(data["phase"], "phase", PHASES)
    state.turn = jsonio.integer(data["turn"], "turn", 0, TURNS)
    if (state.turn == 0) != (state.phase == START):
        jsonio.fail("turn", N_("is 0 in the phase start, and only there"))
    state.active = NO_SEAT if data["active"] is None else jsonio.integer(data["active"], "active", 0, SEATS - 1)
    if (state.active == NO_SEAT) != (state.phase > ROLLING):
        jsonio.fail("active", N_("is a seat while a seat acts, and null otherwise"))
    state.order = _seats(data["order"], "order")
    if len(state.order) != SEATS:
        jsonio.fail("order", N_("expected the {n} seats"), n=SEATS)
    state.passed = sum(1 << seat for seat in _seats(data["passed"], "passed"))
    _read_pieces(state, data, most_goods)
    state.ranking = _seats(data["ranking"], "ranking")
    records = jsonio.items(data["records"], "records")
    state.records = [
        _record(record, f"records[{turn}][{seat}]")
        for turn, row in enumerate(records)
        for seat, record in enumerate(jsonio.items(row, f"records[{turn}]", SEATS))
    ]
    state.growths = [_growth(growth, f"growths[{at}]") for at, growth in enumerate(jsonio.items(data["growths"], "growths"))]
    state.scores = [sum(map(scoring.points_of, state.records[seat::SEATS])) for seat in ALL]
    if state.phase == END:
        for _, seat, points in scoring.majorities(state):
            state.scores[seat] += points
    _read_doing(state, data["doing"])
    check_position(state)
    return state


def _read_pieces(state: State, data: Mapping[str, Any], most_goods: int) -> None:
    rows = {
        name: jsonio.items(data[name], name, SEATS)
        for name in ("goods", "equipment", "bids", "workers", "available", "armies", "armies_available", "cities", "empires")
    }
    state.doubles = 0
    for seat in ALL:
        for name, held in (("goods", state.goods), ("equipment", state.equipment), ("bids", state.bids)):
            counts = _counts(rows[name][seat], f"{name}[{seat}]", GOODS, most_goods)
            held[seat * KINDS : seat * KINDS + KINDS] = bytes([counts.get(good, 0) for good in GOODS])
        counts = _counts(rows["workers"][seat], f"workers[{seat}]", PLACES, WORKERS)
        state.workers[seat * SPOTS : seat * SPOTS + SPOTS] = bytes([counts.get(place, 0) for place in PLACES])
        state.workers_available[seat] = jsonio.integer(rows["available"][seat], f"available[{seat}]", 0, WORKERS)
        state.reserve[seat] = WORKERS - state.workers_available[seat] - sum(counts.values())
        if state.reserve[seat] < 0:
            jsonio.fail(f"workers[{seat}]", N_("more than the {n} workers of a player, available ones included"), n=WORKERS)
        armies = _counts(rows["armies"][seat], f"armies[{seat}]", AREAS[:-1], ARMY_LIMIT)
        state.armies[seat] = sum(1 << AREA_OF[area] for area, count in armies.items() if count)
        state.doubles |= sum(1 << AREA_OF[area] for area, count in armies.items() if count == ARMY_LIMIT)
        state.armies_available[seat] = jsonio.integer(rows["armies_available"][seat], f"armies_available[{seat}]", 0, ARMIES)
        state.armies_reserve[seat] = ARMIES - state.armies_available[seat] - sum(armies.values())
        if state.armies_reserve[seat] < 0:
            jsonio.fail(f"armies[{seat}]", N_("more than the {n} armies of a player, available ones included"), n=ARMIES)
        state.cities[seat] = _mask(rows["cities"][seat], f"cities[{seat}]")
        if state.cities[seat].bit_count() > CITIES:
            jsonio.fail(f"cities[{seat}]", N_("more than the {n} cities of a player"), n=CITIES)
        empire = rows["empires"][seat]
        state.empires[seat] = NO_EMPIRE if empire is None else jsonio.one_of(empire, f"empires[{seat}]", EMPIRE_NAMES)
    state.grown = _mask(data["grown"], "grown")
    for good in range(KINDS):
        held_by_all = sum(sum(held[good::KINDS]) for held in (state.goods, state.equipment, state.bids))
        state.stock[good] = PIECES[good] - held_by_all
        if state.stock[good] < 0 and good not in UNLIMITED and (GOODS[good] != "tool" or state.is_tool_limited):
            jsonio.fail("goods", N_("more than the {n} pieces of {kind}"), n=PIECES[good], kind=GOODS[good])


def _counts(value: Any, where: str, known: tuple[str, ...], most: int) -> dict[str, int]:
    counts = jsonio.fields(value, where, known)
    return {name: jsonio.integer(count, f"{where}.{name}", 0, most) for name, count in counts.items()}


def _seats(value: Any, where: str) -> tuple[int, ...]:
    seats = tuple(jsonio.integer(seat, f"{where}[{at}]", 0, SEATS - 1) for at, seat in enumerate(jsonio.items(value, where)))
    if len(set(seats)) != len(seats):
        jsonio.fail(where, N_("names a seat twice"))
    return seats


def _mask(value: Any, where: str) -> int:
    areas = [jsonio.one_of(area, f"{where}[{at}]", SUMER) for at, area in enumerate(jsonio.items(value, where))]
    if len(set(areas)) != len(areas):
        jsonio.fail(where, N_("names an area twice"))
    return sum(1 << area for area in areas)


def _luxuries(value: Any, where: str) -> tuple[int, ...]:
    names = tuple(GOODS[good] for good in LUXURIES)
    goods = tuple(GOOD_OF[names[jsonio.one_of(good, f"{where}[{at}]", names)]] for at, good in enumerate(jsonio.items(value, where)))
    if list(goods) != sorted(set(goods)):
        jsonio.fail(where, N_("expected luxuries once each, in the order {choices}"), choices=", ".join(names))
    return goods


def _record(value: Any, where: str) -> TurnPoints:
    areas, nippur, grown = jsonio.items(value, where, 3)
    cities = jsonio.fields(grown, f"{where}[2]", SUMER)
    return (
        jsonio.integer(areas, f"{where}[0]", 0, len(AREAS)),
        jsonio.integer(nippur, f"{where}[1]", 0, len(SUMER)),
        tuple((AREA_OF[area], _luxuries(goods, f"{where}[2].{area}")) for area, goods in cities.items()),
    )


def _growth(value: Any, where: str) -> tuple[int, int, tuple[int, ...]]:
    seat, area, goods = jsonio.items(value, where, 3)
    number = jsonio.integer(seat, f"{where}[0]", 0, SEATS - 1)
    return number, jsonio.one_of(area, f"{where}[1]", SUMER), _luxuries(goods, f"{where}[2]")


def _read_doing(state: State, value: Any) -> None:
    doing = jsonio.fields(value, "doing", DOING)
    begin_action(state)
    state.is_paid = jsonio.boolean(doing.get("paid", False), "doing.paid")
    state.is_placed = jsonio.boolean(doing.get("placed", False), "doing.placed")
    state.bonus_used = jsonio.boolean(doing.get("extra", False), "doing.extra")
    if "usable" in doing:
        state.usable = jsonio.integer(doing["usable"], "doing.usable", 0, state.usable)
    for area, used in jsonio.fields(doing.get("traded", {}), "doing.traded", OTHERS).items():
        where = f"doing.traded.{area}"
        place = PLACE_OF[area]
        count, goods = jsonio.items(used, where, 2)
        names = tuple(GOODS[good] for good in SOLD[place])
        slots = {jsonio.one_of(good, f"{where}[1]", names) for good in jsonio.items(goods, f"{where}[1]")}
        state.traded[place] = jsonio.integer(count, f"{where}[0]", 0, len(names)) | sum(8 << slot for slot in slots)
    if "target" in doing:
        state.target = jsonio.one_of(doing["target"], "doing.target", AREAS[:-1])
    state.fight = jsonio.one_of(doing.get("fight", FIGHTS[INVASION]), "doing.fight", FIGHTS)
