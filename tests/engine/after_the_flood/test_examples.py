"""The examples of the rule book of After the Flood, as the file of facts gives them, played with the engine.

Every case of the file is run by its kind; its expectations are compared key by key, and no key may be left over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import pytest

from games.after_the_flood import components as flood
from games.after_the_flood.state import State
from games.core.contract import CHANCE, SCORER, IllegalAction
from tests.engine.after_the_flood.builders import armies, cities, data, data_of, due, game, goods, legal, play, position, told, workers

SEATS = {"red": 0, "purple": 1, "green": 2, "x": 0}
COLOURS = ("red", "purple", "green")
CASES: list[dict[str, Any]] = data("examples")["examples"]
Case = dict[str, Any]


def by_seat(counts: dict[str, Any], empty: Any) -> list[Any]:
    """Return the file's values by colour as a list by seat."""
    found = [empty, empty, empty]
    for colour, value in counts.items():
        found[SEATS[colour]] = value
    return found


def workers_of_case(places: dict[str, dict[str, int]]) -> list[dict[str, int]]:
    """Return the workers by seat from those by place and colour."""
    return [{place: counts[colour] for place, counts in places.items() for colour in counts if SEATS[colour] == seat} for seat in range(3)]


def empire_of(seat: int, turn: int, empire: str) -> dict[str, Any]:
    """Return the fields of a position in which a seat has founded an empire, with five available armies."""
    return {
        "turn": turn,
        "empires": [empire if other == seat else None for other in range(3)],
        "ranking": [seat],
        "armies_available": [5 if other == seat else 0 for other in range(3)],
    }


def hauls(state: State) -> set[frozenset[tuple[str, int]]]:
    """Return everything the active seat can get in one trade action, in all possible ways."""
    seat = due(state)
    seen: set[tuple[Any, ...]] = set()

    def walk(at: State, got: Counter[str]) -> Iterator[Counter[str]]:
        key = (*sorted(got.items()), *sorted(goods(at, seat).items()), repr(data_of(at)["doing"]))
        if key in seen:
            return
        seen.add(key)
        yield got
        if due(at) == seat:
            for text in legal(at, "trade"):
                yield from walk(play(at, text), got + Counter([text.split()[2]]))

    return {frozenset(got.items()) for got in walk(state, Counter())}


def exchanges_in(state: State, area: str) -> int:
    """Return how many exchanges the active seat can make in an area in one action."""
    found = 0
    seat = due(state)
    while due(state) == seat and (texts := [text for text in legal(state, "trade") if text.split()[1] == area]):
        state = play(state, texts[0])
        found += 1
    return found


# ---------------------------------------------------------------- kinds


def production(case: Case) -> dict[str, Any]:
    box, ranks = case["given"]["box"], case["given"]["ranks"]
    held = [{box: 4 - rank} for rank in by_seat(ranks, 0)]
    state = play(position(turn=2, phase="scoring", passed=[0, 1, 2], workers=held), "score")
    good = {"irrigation": "grain", "weaving": "textile"}[box]
    return {colour: goods(state, SEATS[colour]).get(good, 0) for colour in ranks}


def decline(case: Case) -> dict[str, Any]:
    box, counts = case["given"]["box"], case["given"]["workers"]
    held = [{box: count} for count in by_seat(counts, 0)]
    state = play(position(turn=1, phase="scoring", passed=[0, 1, 2], workers=held), "score")
    left = {colour: workers(state, SEATS[colour]).get(box, 0) for colour in counts}
    return {"left": left, "removed": {colour: counts[colour] - left[colour] for colour in counts}}


def legality(case: Case) -> dict[str, Any]:
    given = case["given"]
    seat = SEATS[given["player"]]
    if "cannot_invade" in case["expect"]:
        held = [{area: count for area, (colour, count) in given["armies"].items() if SEATS[colour] == other} for other in range(3)]
        state = position(active=seat, armies=held, **empire_of(seat, 1, "guti"))
        reached = {text.split()[1] for text in legal(state, "invade")}
        assert "nippur" in reached, "other ways are open"
        return {"cannot_invade": [area for area in case["expect"]["cannot_invade"] if area not in reached]}
    fields: dict[str, list[Any]] = {"cities": [[], [], []], "armies": [{}, {}, {}], "empires": [None, None, None]}
    for area, what in given["areas"].items():
        if "city" in what:
            fields["cities"][SEATS[what["city"]]].append(area)
        if "army" in what:
            fields["armies"][SEATS[what["army"]]][area] = 1
            fields["empires"][SEATS[what["army"]]] = "sumer"
    ranking = [other for other, empire in enumerate(fields["empires"]) if empire]
    state = position(active=seat, ranking=ranking, **fields)
    return {"can_build": [area for area in given["areas"] if f"build {area}" in legal(state, "build")]}


# The last example has its steps in words: each with its actions
STEPS = {
    "take metal in one area": ["trade elam metal grain"],
    "turn it into a tool": ["tool"],
    "give the tool for gold or lapis in another area": ["trade kassites lapis tool", "trade egypt gold tool"],
}


def trade(case: Case) -> dict[str, Any]:
    given, expect = case["given"], case["expect"]
    if "steps" in given:
        return {"legal_in_one_action": all(chain(given["steps"], last) for last in STEPS[given["steps"][-1]])}
    seat = SEATS[given["player"]]
    fields: dict[str, Any] = {"workers": workers_of_case(given["workers"]), "goods": ["grain 3 textile 3 tool 2"] * 3}
    if "cities" in given:
        fields["cities"] = by_seat({given["player"]: given["cities"]}, [])
    if "armies" in given:
        ((area, (colour, count)),) = given["armies"].items()
        fields |= empire_of(SEATS[colour], 2, area) | {"armies": by_seat({colour: {area: count}}, {})}
    state = position(active=seat, **fields)
    (area, *_) = given["workers"]
    found: dict[str, Any] = {}
    for key, wanted in expect.items():
        match key:
            case "max_trades":
                found[key] = {area: exchanges_in(state, area)}
            case "purple_max_trades":
                found[key] = {area: exchanges_in(position(active=SEATS["purple"], **fields), area)}
            case "legal":
                found[key] = [pair for pair in wanted if f"trade {area} {pair[1]} {pair[0]}" in legal(state)]
            case "illegal_pairs":
                found[key] = [pair for pair in wanted if not any(dict(got).get(pair[0], 0) >= 2 for got in hauls(state))]
            case "max_gain":
                all_hauls = [dict(got) for got in hauls(state)]
                most = {good: max(got.get(good, 0) for got in all_hauls) for good in {good for got in all_hauls for good in got}}
                assert most in all_hauls, "all of it in one action"
                found[key] = most
            case "legal_gain":
                all_hauls = [dict(got) for got in hauls(state)]
                assert max(sum(got.values()) for got in all_hauls) == sum(wanted.values()), "once more than there are traders"
                found[key] = wanted if wanted in all_hauls else all_hauls
    return found


def chain(steps: list[str], last: str) -> bool:
    state = position(workers=["elam kassites egypt tool_makers", "", ""], goods=["grain", "", ""])
    for text in (*(STEPS[step][0] for step in steps[:-1]), last):
        if due(state) != 0:
            return False  # the action is over
        state = play(state, text)
    return goods(state, 0) == {last.split()[2]: 1}


def tool(case: Case) -> dict[str, Any]:
    given = case["given"]
    seat = SEATS[given["player"]]
    held = by_seat({given["player"]: {"tool_makers": given["tool_makers_unused"]}}, {})
    state = position(active=seat, workers=held, goods=by_seat({given["player"]: {"metal": given["metal"]}}, {}))
    while due(state) == seat and "tool" in legal(state):
        state = play(state, "tool")
    assert due(state) != seat, "there is no metal left: the action is over"
    boxes = workers(state, seat)
    return {
        "tools": goods(state, seat)["tool"],
        "tool_makers_unused": boxes["tool_makers"],
        "tool_makers_used": boxes["used_tool_makers"],
    }


def start_empire(case: Case) -> dict[str, Any]:
    given = case["given"]
    if "eligible" in case["expect"]:
        ((area, _),) = given["workers"].items()
        held = workers_of_case(given["workers"])
        states = {colour: position(active=SEATS[colour], turn=given["turn"], workers=held) for colour in COLOURS}
        return {"eligible": [colour for colour, state in states.items() if f"found {area}" in legal(state)]}
    seat = SEATS[given["player"]]
    empire = given.get("empire") or given["home"]
    spent = given.get("spend_for_armies") or {"grain": given["extra_armies"]}  # grain brings one army each
    fields: dict[str, Any] = {"active": seat, "turn": given["turn"], "goods": by_seat({given["player"]: spent}, {})}
    if "home" in given:
        fields["workers"] = by_seat({given["player"]: {given["home"]: 1}}, {})
    if "city_of" in given:
        fields["cities"] = by_seat({given["city_of"]: [given["area"]]}, [])
    state = play(
        position(**fields), f"found {empire}", *(f"recruit {good}" for good, count in spent.items() for _ in range(count)), "ready"
    )
    home = given.get("home")
    if "area" in given:
        home = given["area"]
        if f"home {home}" not in legal(state):
            return {"legal": False}
        state = play(state, f"home {home}")
    count = data_of(state)["armies_available"][seat]
    state = play(state, "garrison 2")
    assert armies(state, seat) == {home: 2}
    found = {"armies": count}
    if "legal" in case["expect"]:
        assert cities(state, SEATS[given["city_of"]]) == [home], "the city stays"
        found["legal"] = True
    return found


EMPIRES = ("guti", "akkad", "sumer")
GOOD_OF_VALUE = {0: [], 1: ["equip grain"], 2: ["equip textile"]}


def equipment(case: Case) -> dict[str, Any]:
    sequence = case["given"]["sequence"]
    order = [SEATS[colour] for colour, _ in sequence]
    held: list[Any] = [{}, {}, {}]
    for (colour, _), empire in zip(sequence, EMPIRES, strict=True):
        held[SEATS[colour]] = {empire: 1} if empire != "sumer" else {}
    state = position(order=order, workers=held, goods=["grain textile"] * 3)
    after_each: list[dict[str, str]] = []
    for (colour, value), empire in zip(sequence, EMPIRES, strict=True):
        assert due(state) == SEATS[colour]
        home = ["home ur"] if empire == "sumer" else []
        state = play(state, f"found {empire}", *GOOD_OF_VALUE[value], "ready", *home, "garrison 1")
        after_each.append({COLOURS[seat]: rating.upper() for seat, rating in zip(data_of(state)["ranking"], flood.RATINGS, strict=False)})
    return {"after_each": after_each, "final": after_each[-1]}


def combat(case: Case) -> dict[str, Any]:
    given = case["given"]
    attacker, home, target = SEATS[given["attacker"]], given["from"], given["target"]
    defender = (attacker + 1) % 3
    other = "akkad" if home == "guti" else "guti"
    held: list[Any] = [{}, {}, {}]
    held[attacker], held[defender] = {home: 1}, {target: given["defenders"]}
    empires: list[str | None] = [None, None, None]
    empires[attacker], empires[defender] = home, other
    ranking = {"inferior": [defender, attacker], "superior": [attacker, defender]}[given["attacker_rating"]]
    available = [5 if seat == attacker else 0 for seat in range(3)]
    state = position(active=attacker, armies=held, empires=empires, ranking=ranking, armies_available=available)
    assert [text.removeprefix("invade ") for text in legal(state, "invade")] == given["targets_offered"]
    state = play(state, f"invade {target}")
    for number, total in enumerate(given["rolls"]):
        if number:
            assert legal(state) == ["attack", "stop"], "the attack is not over"
            state = play(state, "attack")
        first = min(6, total - 1)
        assert game.actors(state) == (CHANCE,)
        state = play(state, f"roll {first} {total - first}")
    captured = armies(state, attacker).get(target) == 1 and target not in armies(state, defender)
    return {"captured": captured, "attacker_losses": 5 - captured - data_of(state)["armies_available"][attacker]}


def expand(case: Case) -> dict[str, Any]:
    given = case["given"]
    seat = SEATS[given["player"]]
    held = by_seat({given["player"]: {"nippur": 1}}, {})
    state = play(position(active=seat, armies=held, **empire_of(seat, 1, "guti")), f"invade {given['captured']}")
    before = data_of(state)["armies_available"][seat]
    after = play(state, f"invade {given['then']}")
    used = armies(after, seat)[given["then"]]
    return {"armies_used_for_second_area": used, "repeat_cost_armies": before - used - data_of(after)["armies_available"][seat]}


def cost(case: Case) -> dict[str, Any]:
    given = case["given"]
    seat = SEATS[given["player"]]
    passed = [SEATS[colour] for colour in given["passed"]]
    state = position(active=seat, phase="paying", passed=passed)
    with pytest.raises(IllegalAction, match="pay_first"):
        play(state, "build ur")
    paid = play(state, f"pay {given['pays']}")
    assert data_of(paid)["available"][seat] == data_of(state)["available"][seat] - 1
    assert game.view_for(paid, seat).reserve[seat] == game.view_for(state, seat).reserve[seat] + 1
    return {"may_act": "build ur" in legal(paid) and cities(play(paid, "build ur"), seat) == ["ur"]}


def order(case: Case) -> dict[str, Any]:
    """The old order is not given: whatever it was, `rest` names the seats whose order must not change."""
    bids = case["given"]["bids"]
    firsts: set[str] = set()
    named = re.findall("|".join(COLOURS), case["expect"]["rest"])
    stays = True
    for old in permutations(range(3)):
        state = position(order=list(old), goods=["textile 2"] * 3)
        for seat in old:
            bid = {0: [], 2: ["bid textile"]}[bids[COLOURS[seat]]]
            state = play(state, "pass", *bid, "done")
        assert game.actors(state) == (SCORER,)
        new = [COLOURS[seat] for seat in data_of(state)["order"]]
        firsts.add(new[0])
        stays &= [colour for colour in new if colour in named] == [COLOURS[seat] for seat in old if COLOURS[seat] in named]
    assert len(firsts) == 1
    return {"first": firsts.pop(), "rest": case["expect"]["rest"] if stays else "changed"}


def growth(case: Case) -> dict[str, Any]:
    given = case["given"]
    fields = {"phase": "growing", "active": 0, "passed": [0, 1, 2], "cities": [given["city"], "", ""], "goods": [given["hand"], "", ""]}
    state = position(**fields)
    spent = dict(given["spend"])
    assert spent.pop("wood") == flood.GROWTH_WOOD
    text = " ".join(["grow", given["city"], *(good for good in flood.GOODS if good in spent)])
    (event,) = told(state, text)
    assert goods(play(state, text), 0) == {
        g: n - given["spend"].get(g, 0) for g, n in given["hand"].items() if n > given["spend"].get(g, 0)
    }
    most = max(told(state, possible)[0].params["points"] for possible in legal(state, "grow"))
    return {"vp": event.params["points"], "cannot_reach": case["expect"]["cannot_reach"] if most < case["expect"]["cannot_reach"] else None}


KINDS: dict[str, Callable[[Case], dict[str, Any]]] = {
    function.__name__: function
    for function in (production, decline, legality, trade, tool, start_empire, equipment, combat, expand, cost, order, growth)
}
RULES = {
    "collect-grain": "collect-4",
    "collect-textile": "collect-4",
    "decline-irrigation": "decline-4",
    "decline-weaving": "decline-4",
    "build-city": "build-2",
    "build-city-purple": "build-2",
    "trade-1": "trade-2",
    "trade-2": "trade-2",
    "trade-3": "trade-5",
    "trade-4": "trade-1",
    "tool-makers": "tools-1",
    "chain": "trade-6",
    "sippar": "trade-7",
    "start-guti": "found-3",
    "start-guti-buy": "found-6",
    "equipment": "equip-2",
    "equipment-zero-last": "equip-2",
    "start-sumer": "found-4",
    "invade-1": "combat-3",
    "invade-2": "combat-5",
    "no-reverse-arrow": "expand-4",
    "repeat": "expand-6",
    "after-pass": "pass-3",
    "order": "order-2",
    "growth": "growth-1",
}  # the paragraph that an example covers


def test_the_file_has_every_example_once_and_each_kind_is_played() -> None:
    names = [case["id"] for case in CASES]
    assert len(names) == len(set(names)) == 25
    assert set(names) == set(RULES)
    assert {case["kind"] for case in CASES} == set(KINDS)


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case["id"], marks=pytest.mark.rule(f"after_the_flood#{RULES[case['id']]}")) for case in CASES],
)
def test_an_example_of_the_rule_book_comes_out_as_it_says(case: Case) -> None:
    found = KINDS[case["kind"]](case)
    assert case["expect"]
    assert {key: found.get(key) for key in case["expect"]} == case["expect"]
