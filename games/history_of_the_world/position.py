"""Positions as JSON: written compactly, read with every fault named, completed if partial (history_of_the_world#setup, #components).

Fields of a state (a position file may leave out all but what it is about):
    rules_version  1
    seats          3..6
    options        {"draft": standard | classic}
    phase          draft | passing | prepare | bringing | starting | conquest | rerolling | siege | won | ruining | posting | effect | after |
                   monument | finish | collision | rolling | reroll | start | dealing | drawing | scoring | end
    epoch          1..5; 0 in the phase start
    active         the seat whose turn it is, or null
    starts         per seat the starting space of its marker
    records        per seat its scored turns: [epoch, level in each region as a digit, capitals, cities, monuments, points for icons, for
                   ruins, by collisions]
    ranks          [seats by points at the start of the epoch]
    draft          {"step", "done", "looking": piles as bits, "empires": [..], "events": [..] left, "card": drawn, "given": bits}
    called         how many empires of the epoch have been called
    empires        per seat the empire of this epoch, or null
    hands          per seat [events]
    played         [events already played]
    guards         per seat losing | tied | never | ask
    armies         per seat [provinces]
    active_armies  [provinces], of the active seat
    capitals, cities, monuments, forts   [provinces]
    turn           {"kingdom", "waiting": {"card", "tokens", "zones"} for the empire, "forgone": true without the ability, "card": armies,
                   "tokens", "zones": [..], "events": [..], "uses": {..}, "raid", "forts", "cities", "monuments": still to be built, "effect", "left", "plunder", "plunder_due", "shift",
                   "back", "resume"}; entries still at their default are left out
    battle         {"target", "fleet", "invading", "catapult", "on_catapult", "dice", "attack_rerolls", "defence_rerolls", "passes", "attacker",
                   "due", "result"}, likewise
Scores, supplies and stocks follow from these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.core import jsonio
from games.core.contract import NO_SEAT, Rng
from games.core.phrases import N_
from games.history_of_the_world import scoring
from games.history_of_the_world.components import (
    ARMIES,
    CARDS_AN_EPOCH,
    EMPIRE_OF,
    EMPIRES,
    EPOCHS,
    EVENT_OF,
    EVENTS,
    GUARDS,
    PROVINCE_OF,
    PROVINCES,
    REGIONS,
    SEATS,
    ZONE_OF,
)
from games.history_of_the_world.meta import RULES_VERSION
from games.history_of_the_world.position_checks import check_position
from games.history_of_the_world.reach import zones_of
from games.history_of_the_world.state import (
    COLLISION,
    NO_CARD,
    NOWHERE,
    PHASES,
    PREPARE,
    REROLL,
    SCORING,
    USES,
    State,
    TurnRecord,
    first_state,
    provinces_in,
)

FIELDS: Final = (
    "rules_version", "seats", "options", "phase", "epoch", "active", "starts", "records", "ranks", "draft", "called", "empires", "hands",
    "played", "guards", "armies", "active_armies", "capitals", "cities", "monuments", "forts", "turn", "battle",
)  # fmt: skip
DRAFTS: Final = ("standard", "classic")
DRAFT_FIELDS: Final = ("step", "done", "looking", "empires", "events", "card", "given")
TURN_FIELDS: Final = (
    "kingdom", "waiting", "forgone", "card", "tokens", "zones", "events", "uses", "raid", "forts", "cities", "monuments", "effect", "left", "plunder",
    "plunder_due", "shift", "back", "resume",
)  # fmt: skip
WAITING_FIELDS: Final = ("card", "tokens", "zones")
BATTLE_FIELDS: Final = (
    "target", "fleet", "invading", "catapult", "on_catapult", "dice", "attack_rerolls", "defence_rerolls", "passes", "attacker", "due", "result",
)  # fmt: skip
MOST: Final = 99  # in a position file; a game that continues from it is read up to ENDLESS
MOST_POINTS: Final = 999
ENDLESS: Final = 10**9


def state_to_json(state: State) -> dict[str, Any]:
    """Return the position as plain JSON values."""
    return {
        "rules_version": RULES_VERSION,
        "seats": state.seats,
        "options": {"draft": DRAFTS[state.is_classic]},
        "phase": PHASES[state.phase],
        "epoch": state.epoch,
        "active": None if state.active == NO_SEAT else state.active,
        "starts": list(state.starts),
        "records": [[list(record) for record in records] for records in state.records],
        "ranks": list(state.ranks),
        "draft": draft_to_json(state),
        "called": state.called,
        "empires": [None if empire == NO_CARD else EMPIRES[empire].name for empire in state.empires],
        "hands": [[EVENTS[card].name for card in hand] for hand in state.hands],
        "played": [EVENTS[card].name for card in state.played],
        "guards": [GUARDS[guard] for guard in state.guards],
        "armies": [names_of(mask) for mask in state.armies],
        "active_armies": names_of(state.active_armies),
        "capitals": names_of(state.capitals),
        "cities": names_of(state.cities),
        "monuments": names_of(state.monuments),
        "forts": names_of(state.forts),
        "turn": turn_to_json(state),
        "battle": battle_to_json(state),
    }


def names_of(mask: int) -> list[str]:
    """Return the names of some provinces."""
    return [PROVINCES[province] for province in provinces_in(mask)]


def _filled(pairs: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in pairs.items() if value not in (None, 0, False, [], {})}


def draft_to_json(state: State) -> dict[str, Any]:
    """Return what is left of the piles and how far they have moved."""
    pairs = {
        "step": state.step,
        "done": state.step_done,
        "looking": state.looking,
        "empires": [EMPIRES[card].name for card in state.pile_empires],
        "events": [EVENTS[card].name for card in state.pile_events],
        "given": state.given,
    }
    if state.chosen != NO_CARD:
        pairs["card"] = (EVENTS if state.step < state.seats else EMPIRES)[state.chosen].name
    return _filled(pairs)


def turn_to_json(state: State) -> dict[str, Any]:
    """Return what belongs to the current turn."""
    return _filled(
        {
            "kingdom": None if state.kingdom == NO_CARD else EVENTS[state.kingdom].name,
            "waiting": _filled({"card": state.waiting[0], "tokens": state.waiting[1], "zones": zones_of(state.waiting[2])}),
            "forgone": state.is_forgone,
            "card": state.card_armies,
            "tokens": state.tokens,
            "zones": zones_of(state.zones),
            "events": [EVENTS[card].name for card in state.turn_events],
            "uses": {name: count for name, count in zip(USES, state.uses, strict=True) if count},
            "raid": None if state.raid_base == NOWHERE else PROVINCES[state.raid_base],
            "forts": state.forts_left,
            "cities": state.cities_left,
            "monuments": state.monuments_left,
            "effect": None if state.effect_card == NO_CARD else EVENTS[state.effect_card].name,
            "left": state.effect_left,
            "plunder": state.plunder,
            "plunder_due": state.plunder_due,
            "shift": state.shift,
            "back": None if state.back == PREPARE else PHASES[state.back],
            "resume": None if state.resume == PREPARE else PHASES[state.resume],
        }
    )


def battle_to_json(state: State) -> dict[str, Any]:
    """Return the current battle."""
    return _filled(
        {
            "target": None if state.target == NOWHERE else PROVINCES[state.target],
            "fleet": state.by_fleet,
            "invading": state.is_invading,
            "catapult": state.catapult,
            "on_catapult": state.catapult_armies,
            "dice": list(state.dice),
            "attack_rerolls": state.attack_rerolls,
            "defence_rerolls": state.defence_rerolls,
            "passes": state.passes,
            "attacker": None if state.rerolling_attacker else "waits",
            "due": None if state.due == NO_SEAT else state.due + 1,
            "result": state.result,
        }
    )


def state_from_json(data: Mapping[str, Any]) -> State:
    """Return the state of a full position. Raises PositionError, one line that names the field."""
    jsonio.fields(data, "", FIELDS, FIELDS)
    return _read(data)


def complete(partial: Mapping[str, Any], rng: Rng) -> State:
    """Return a full state from a partial one. Raises PositionError for an impossible position. Nothing is left to chance.

    Defaults: three seats; the first epoch; seat 0 conquers with the epoch's first empire and the others have the next ones; no
    armies, structures or cards in hand; markers on 1, 2, 3 .. by seat; earlier turns brought no points.
    """
    data = dict(jsonio.fields(partial, "", FIELDS))
    data.setdefault("rules_version", RULES_VERSION)
    armies = data.get("armies", ())
    seats = data.setdefault("seats", max(SEATS[0], len(armies) if isinstance(armies, list) else 0))
    jsonio.integer(seats, "seats", SEATS[0], SEATS[-1])
    options = data.get("options", {})
    data["options"] = {"draft": DRAFTS[0], **options} if isinstance(options, Mapping) else options
    phase = data.setdefault("phase", "conquest")
    epoch = data.setdefault("epoch", 0 if phase == "start" else 1)
    jsonio.integer(epoch, "epoch", 0, EPOCHS)
    is_turn = phase in PHASES and (PREPARE <= PHASES.index(phase) <= REROLL or phase == "scoring")
    data.setdefault("active", 0 if is_turn else None)
    data.setdefault("starts", [0] * seats if phase == "start" else list(range(1, seats + 1)))
    for name in ("records", "hands", "armies"):
        data.setdefault(name, [[] for _ in range(seats)])
    data.setdefault("ranks", list(range(seats)))
    data.setdefault("draft", {})
    for name in ("played", "active_armies", "capitals", "cities", "monuments", "forts"):
        data.setdefault(name, [])
    data.setdefault("guards", [GUARDS[0]] * seats)
    data.setdefault("turn", {})
    data.setdefault("battle", {})
    names = [EMPIRES[index].name for index in range(len(EMPIRES)) if EMPIRES[index].epoch == epoch]
    data.setdefault("empires", names[:seats] if is_turn else [None] * seats)
    data.setdefault("called", 0 if not is_turn else CARDS_AN_EPOCH if data["active"] != 0 else 1)
    if "called" not in partial and is_turn and data["active"] in range(seats):
        own = jsonio.items(data["empires"], "empires", seats)[data["active"]]
        if isinstance(own, str) and own in EMPIRE_OF:
            data["called"] = EMPIRES[EMPIRE_OF[own]].order
    state = _read(data)
    _check_sizes(state)
    return state


def _check_sizes(state: State) -> None:
    """Refuse numbers in a position file far beyond those of any game."""
    for name, value in (("turn.tokens", state.tokens), ("turn.plunder", state.plunder), ("turn.plunder_due", state.plunder_due)):
        jsonio.integer(value, name, 0, MOST)
    jsonio.integer(state.waiting[1], "turn.waiting.tokens", 0, MOST)
    jsonio.integer(state.catapult, "battle.catapult", 0, MOST)
    jsonio.integer(state.shift, "turn.shift", -MOST_POINTS, MOST_POINTS)
    for seat, records in enumerate(state.records):
        for record in records:
            for count in record[2:]:
                jsonio.integer(count, f"records[{seat}]", -MOST_POINTS, MOST_POINTS)


# Reading


def _read(data: Mapping[str, Any]) -> State:
    if data["rules_version"] != RULES_VERSION or type(data["rules_version"]) is not int:
        jsonio.fail(
            "rules_version", N_("expected {wanted}, found {found}"), wanted=RULES_VERSION, found=jsonio.shown(data["rules_version"])
        )
    seats = jsonio.integer(data["seats"], "seats", SEATS[0], SEATS[-1])
    options = jsonio.fields(data["options"], "options", ("draft",), ("draft",))
    state = first_state(seats, bool(jsonio.one_of(options["draft"], "options.draft", DRAFTS)))
    state.phase = jsonio.one_of(data["phase"], "phase", PHASES)
    state.epoch = jsonio.integer(data["epoch"], "epoch", 0, EPOCHS)
    state.active = NO_SEAT if data["active"] is None else jsonio.integer(data["active"], "active", 0, seats - 1)
    state.called = jsonio.integer(data["called"], "called", 0, CARDS_AN_EPOCH)
    state.ranks = tuple(jsonio.integer(seat, "ranks", 0, seats - 1) for seat in jsonio.items(data["ranks"], "ranks", seats))
    state.starts = tuple(jsonio.integer(space, "starts", 0, seats) for space in jsonio.items(data["starts"], "starts", seats))
    rows = {name: jsonio.items(data[name], name, seats) for name in ("records", "empires", "hands", "guards", "armies")}
    for seat in range(seats):
        state.records[seat] = tuple(_record(row, f"records[{seat}]") for row in jsonio.items(rows["records"][seat], f"records[{seat}]"))
        empire = rows["empires"][seat]
        state.empires[seat] = NO_CARD if empire is None else EMPIRE_OF[_name(empire, f"empires[{seat}]", EMPIRE_OF)]
        state.hands[seat] = _events(rows["hands"][seat], f"hands[{seat}]")
        state.guards[seat] = jsonio.one_of(rows["guards"][seat], f"guards[{seat}]", GUARDS)
        state.armies[seat] = _mask(rows["armies"][seat], f"armies[{seat}]")
        if state.armies[seat].bit_count() > ARMIES:
            jsonio.fail(f"armies[{seat}]", N_("more than the {n} armies of a player"), n=ARMIES)
    state.played = tuple(EVENT_OF[_name(card, "played", EVENT_OF)] for card in jsonio.items(data["played"], "played"))
    state.active_armies = _mask(data["active_armies"], "active_armies")
    state.capitals, state.cities = _mask(data["capitals"], "capitals"), _mask(data["cities"], "cities")
    state.monuments, state.forts = _mask(data["monuments"], "monuments"), _mask(data["forts"], "forts")
    _read_draft(state, data["draft"])
    _read_turn(state, data["turn"])
    _read_battle(state, data["battle"])
    for seat in range(seats):
        state.scores[seat] = state.starts[seat] + sum(map(scoring.points_of, state.records[seat]))
    if state.active != NO_SEAT:
        is_counted = state.phase == COLLISION and state.resume == SCORING
        state.scores[state.active] += state.shift + (0 if is_counted else state.plunder)
    check_position(state)
    return state


def _name(value: Any, where: str, known: Mapping[str, int]) -> str:
    if not isinstance(value, str) or value not in known:
        jsonio.fail(where, N_("{found} is not known"), found=jsonio.shown(value))
    return value


def _mask(value: Any, where: str) -> int:
    names = [_name(name, f"{where}[{at}]", PROVINCE_OF) for at, name in enumerate(jsonio.items(value, where))]
    if len(set(names)) != len(names):
        jsonio.fail(where, N_("names a province twice"))
    return sum(1 << PROVINCE_OF[name] for name in names)


def _zones(found: Mapping[str, Any], where: str) -> int:
    zones = [_name(zone, where, ZONE_OF) for zone in jsonio.items(found.get("zones", []), where)]
    return sum(1 << ZONE_OF[zone] for zone in set(zones))


def _events(value: Any, where: str) -> tuple[int, ...]:
    cards = [EVENT_OF[_name(name, f"{where}[{at}]", EVENT_OF)] for at, name in enumerate(jsonio.items(value, where))]
    if len(set(cards)) != len(cards):
        jsonio.fail(where, N_("names a card twice"))
    return tuple(sorted(cards))


def _record(value: Any, where: str) -> TurnRecord:
    epoch, levels, *counts = jsonio.items(value, where, 8)
    if not isinstance(levels, str) or len(levels) != len(REGIONS) or set(levels) - set("0123"):
        jsonio.fail(where, N_("expected {n} levels from 0 to 3"), n=len(REGIONS))
    numbers = [jsonio.integer(count, where, 0, ENDLESS) for count in counts[:-1]] + [jsonio.integer(counts[-1], where, -ENDLESS, ENDLESS)]
    return (jsonio.integer(epoch, where, 1, EPOCHS), levels, *numbers)  # type: ignore[return-value]


def _read_draft(state: State, value: Any) -> None:
    found = jsonio.fields(value, "draft", DRAFT_FIELDS)
    state.step = jsonio.integer(found.get("step", 0), "draft.step", 0, 2 * SEATS[-1])
    state.step_done = jsonio.integer(found.get("done", 0), "draft.done", 0, 3)
    state.looking = jsonio.integer(found.get("looking", 0), "draft.looking", 0, 2)
    state.given = jsonio.integer(found.get("given", 0), "draft.given", 0, (1 << 14) - 1)
    state.pile_empires = tuple(
        EMPIRE_OF[_name(card, "draft.empires", EMPIRE_OF)] for card in jsonio.items(found.get("empires", []), "draft.empires")
    )
    state.pile_events = tuple(
        EVENT_OF[_name(card, "draft.events", EVENT_OF)] for card in jsonio.items(found.get("events", []), "draft.events")
    )
    if "card" in found:
        known = EVENT_OF if state.step < state.seats else EMPIRE_OF
        state.chosen = known[_name(found["card"], "draft.card", known)]


def _read_turn(state: State, value: Any) -> None:
    found = jsonio.fields(value, "turn", TURN_FIELDS)

    def number(name: str, low: int = 0, high: int = ENDLESS) -> int:
        return jsonio.integer(found.get(name, 0), f"turn.{name}", low, high)

    def event(name: str) -> int:
        return EVENT_OF[_name(found[name], f"turn.{name}", EVENT_OF)] if name in found else NO_CARD

    state.kingdom, state.effect_card = event("kingdom"), event("effect")
    state.card_armies, state.tokens = number("card", high=ARMIES), number("tokens")
    state.is_forgone = jsonio.boolean(found.get("forgone", False), "turn.forgone")
    state.zones = _zones(found, "turn.zones")
    waiting = jsonio.fields(found.get("waiting", {}), "turn.waiting", WAITING_FIELDS)
    waiting_armies = jsonio.integer(waiting.get("card", 0), "turn.waiting.card", 0, ARMIES)
    waiting_tokens = jsonio.integer(waiting.get("tokens", 0), "turn.waiting.tokens", 0, ENDLESS)
    state.waiting = (waiting_armies, waiting_tokens, _zones(waiting, "turn.waiting.zones"))
    state.turn_events = tuple(
        EVENT_OF[_name(card, "turn.events", EVENT_OF)] for card in jsonio.items(found.get("events", []), "turn.events")
    )
    uses = jsonio.fields(found.get("uses", {}), "turn.uses", USES)
    state.uses = [jsonio.integer(uses.get(name, 0), f"turn.uses.{name}", 0, MOST) for name in USES]
    state.raid_base = PROVINCE_OF[_name(found["raid"], "turn.raid", PROVINCE_OF)] if "raid" in found else NOWHERE
    state.forts_left, state.cities_left, state.monuments_left = (
        number("forts", high=MOST),
        number("cities", high=MOST),
        number("monuments", high=MOST),
    )
    state.effect_left = number("left", high=MOST)
    state.plunder, state.plunder_due = number("plunder"), number("plunder_due")
    state.shift = number("shift", -ENDLESS)
    state.back = jsonio.one_of(found.get("back", PHASES[PREPARE]), "turn.back", PHASES)
    state.resume = jsonio.one_of(found.get("resume", PHASES[PREPARE]), "turn.resume", PHASES)


def _read_battle(state: State, value: Any) -> None:
    found = jsonio.fields(value, "battle", BATTLE_FIELDS)
    state.target = PROVINCE_OF[_name(found["target"], "battle.target", PROVINCE_OF)] if "target" in found else NOWHERE
    state.by_fleet = jsonio.boolean(found.get("fleet", False), "battle.fleet")
    state.is_invading = jsonio.boolean(found.get("invading", False), "battle.invading")
    state.catapult = jsonio.integer(found.get("catapult", 0), "battle.catapult", 0, ENDLESS)
    state.catapult_armies = jsonio.integer(found.get("on_catapult", 0), "battle.on_catapult", 0, 3)
    dice: Sequence[Any] = jsonio.items(found.get("dice", []), "battle.dice")
    if len(dice) not in (0, 3, 4):
        jsonio.fail("battle.dice", N_("expected two dice of the attacker and one or two of the defender"))
    state.dice = tuple(jsonio.integer(die, "battle.dice", 1, 6) for die in dice)
    state.attack_rerolls = jsonio.integer(found.get("attack_rerolls", 0), "battle.attack_rerolls", 0, 9)
    state.defence_rerolls = jsonio.integer(found.get("defence_rerolls", 0), "battle.defence_rerolls", 0, 9)
    state.passes = jsonio.integer(found.get("passes", 0), "battle.passes", 0, 2)
    state.rerolling_attacker = "attacker" not in found
    state.due = jsonio.integer(found["due"], "battle.due", 1, state.seats) - 1 if "due" in found else NO_SEAT
    state.result = jsonio.integer(found.get("result", 0), "battle.result", 0, 2)
