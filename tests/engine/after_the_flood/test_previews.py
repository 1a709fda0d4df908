"""What a question announces is what happens: labels and consequences in random games against the rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

from games.after_the_flood import prompt_phrases as phrases
from games.after_the_flood.components import AREA_OF, EMPIRE_NAMES, GOODS, KINDS, PLACE_OF, RECRUITS, SPOTS, VALUES
from games.after_the_flood.legality import empires_to_found
from games.after_the_flood.prompt_odds import fight, hit_chance, percent
from games.after_the_flood.scoring import AREA_POINTS
from games.after_the_flood.state import ACTION, GROWING, PLACING, ROLLING, SCORING, cities_left, value_of
from games.core.contract import CHANCE, SCORER
from games.core.rng import SeededRng
from tests.engine.after_the_flood.builders import ask, data_of, game, keys, play, position
from tests.engine.after_the_flood.questions import option, random_positions


def done(state, text):
    """Return the position after an action and its events."""
    return game.apply(state, state.active, game.parse_action(text))


@cache
def choices():
    """Return positions of random games with an action each, what was said about it, the position after it, and the events."""
    rng = SeededRng("choices")
    found = [chosen(state, text) for state, text in rare_choices()]
    for state in random_positions(11, 24):
        if state.phase in (ACTION, PLACING) and rng.below(4, "skip"):  # long lists of similar options
            continue
        texts = [str(action) for action in game.legal_actions(state, state.active)]
        found.append(chosen(state, texts[rng.below(len(texts), "t")]))
    return found


def chosen(state, text):
    """Return a position, an action, what is said about it, the position after it, and the events."""
    return state, text, ask(state, text), *done(state, text)


def rare_choices():
    """Yield positions and actions that are rare in random games: growth, free workers, armies beyond twenty."""
    growing = position(phase="growing", passed=[0, 1, 2], goods=["wood 4 oil gold", "wood 2", ""], cities=["ur umma", "lagash", ""])
    for text in ("grow ur", "grow umma oil gold", "done"):
        yield growing, text
    yield play(growing, "grow ur"), "grow umma"
    yield play(growing, "done"), "grow lagash"
    last = position(
        phase="bidding", passed=[0, 1, 2], goods=["grain 2", "wood 2", "wood 2"], cities=["", "ur", "umma"], bids=["", "", "oil"]
    )
    yield last, "done"
    for area in ("uruk", "eridu"):
        yield position(), f"build {area}"
    yield position(phase="mustering", empires=["akkad", None, None], armies_available=[19, 0, 0], goods=["tool", "", ""]), "recruit tool"


def count_workers(state, seat, place):
    """Return the workers of a seat in a place, used ones of the same box included."""
    held = data_of(state)["workers"][seat]
    return held.get(place, 0) + held.get(f"used_{place}", 0)


def checks(state, new, seat, params, events):
    """Return what must hold of each sentence that names numbers or places: text -> (said, true)."""
    held, left = state.goods[seat * KINDS : seat * KINDS + KINDS], new.armies_available[seat]
    n = params.get("n")
    area = AREA_OF.get(params.get("area", ""), 0)
    home = [event for event in events if event.key == "left_home"]
    gained = left - state.armies_available[seat]
    points = AREA_POINTS * new.armies[seat].bit_count()
    if new.cities[seat] >> AREA_OF["nippur"] & 1:
        points += (new.armies[seat] & (1 << 9) - 1).bit_count()
    return {
        phrases.THEN_BUILD: lambda: (n, cities_left(new, seat)),
        phrases.THEN_FREE_WORKER: lambda: (params["place"], next(event.params["place"] for event in events if event.key == "free_worker")),
        phrases.THEN_PLACE: lambda: (
            (params["m"], n, sum(held)),
            (
                new.workers_available[seat],
                state.workers_available[seat] - new.workers_available[seat],
                sum(new.goods[seat * 8 : seat * 8 + 8]) + 1,
            ),
        ),
        phrases.THEN_SCRIBE_PLACE: lambda: (n, new.workers_available[seat]),
        phrases.THEN_SCRIBE_AVAILABLE: lambda: (n, new.workers_available[seat]),
        phrases.THEN_TOOL: lambda: (n, new.workers[seat * SPOTS + PLACE_OF["tool_makers"]]),
        phrases.THEN_EXTRA: lambda: (keys(events)[0], "traded_extra"),
        phrases.THEN_FOUND: lambda: (n, gained),
        phrases.THEN_RECRUIT: lambda: (n, left),
        phrases.THEN_SURPLUS: lambda: (n, RECRUITS[GOODS.index(events[0].params["good"])] - gained),
        phrases.THEN_EQUIP: lambda: (n, value_of(new.equipment, seat)),
        phrases.THEN_READY: lambda: (params["rating"], next(event.params["rating"] for event in events if event.key == "ranked")),
        phrases.THEN_LEAVE: lambda: ((n, params["area"]), (home[0].params["n"], home[0].params["area"])),
        phrases.THEN_GARRISON: lambda: ((n, params["m"]), (data_of(new)["armies"][seat][params["area"]], left)),
        phrases.THEN_INVADE: lambda: ((n, 1), (left, new.armies[seat] >> area & 1)),
        phrases.THEN_ATTACK: lambda: (new.phase, ROLLING),
        phrases.THEN_REPEAT: lambda: ("repeated" in keys(events), True),
        phrases.THEN_DESTROY: lambda: ((params["m"], new.cities[params["seat"]] >> area & 1), (left, 0)),
        phrases.THEN_REINFORCE: lambda: ((n, data_of(new)["armies"][seat][params["area"]]), (left, 2)),
        phrases.THEN_POINTS: lambda: (n, points),
        phrases.THEN_STOP: lambda: (n, left),
        phrases.THEN_DONE_EXPANDING: lambda: (n, left),
        phrases.THEN_DONE_PLACING: lambda: (n, new.workers_available[seat]),
        phrases.THEN_UNUSED: lambda: ((n, params["m"]), (new.workers_available[seat], left)),
        phrases.THEN_BID: lambda: (n, value_of(new.bids, seat)),
        phrases.THEN_GROW: lambda: (n, events[0].params["points"]),
        phrases.THEN_GROW_OVER: lambda: (new.phase != GROWING or new.active != seat, True),
        phrases.THEN_TURN: lambda: (params["seat"], new.active),
        phrases.THEN_TURN_ME: lambda: (new.active, seat),
        phrases.THEN_GROWTH: lambda: ((new.phase, params["seat"]), (GROWING, new.active)),
        phrases.THEN_SCORING: lambda: (new.phase, SCORING),
        phrases.THEN_CAN_REPEAT: lambda: ((new.active, "done" in [str(action) for action in game.legal_actions(new, seat)]), (seat, True)),
    }


def test_consequences_are_what_happens():
    compared = Counter()
    for state, text, asked, new, events in choices():
        for phrase in (asked.consequence, *asked.also):
            check = checks(state, new, state.active, phrase.params, events).get(phrase.text)
            if check is not None:
                said, true = check()
                assert said == true, (text, phrase)
                compared[phrase.text] += 1
    names = {value: name for name, value in vars(phrases).items() if name.startswith("THEN_")}
    assert [names[text] for text in checks(state, new, 0, {}, []) if text not in compared] == []


def test_what_stands_on_an_option_is_what_choosing_it_does():
    compared = Counter()
    for state, text, asked, new, _ in choices():
        seat = state.active
        label = option(asked, text).label
        said = label.params
        true = {
            phrases.OPTION_FOUND_LEAVE: new.armies_available[seat] - state.armies_available[seat],
            phrases.OPTION_FOUND: new.armies_available[seat] - state.armies_available[seat],
            phrases.OPTION_RECRUIT: new.armies_available[seat] - state.armies_available[seat],
            phrases.OPTION_EQUIP: value_of(new.equipment, seat),
            phrases.OPTION_READY: value_of(new.equipment, seat),
            phrases.OPTION_BID: value_of(new.bids, seat),
            phrases.OPTION_DESTROY_CITY: state.armies_available[seat] - new.armies_available[seat] - (state.phase != 1),
            phrases.OPTION_STOP: new.armies_available[seat],
        }.get(label.text)
        if true is not None:
            assert said["n"] == true, (text, label)
            compared[label.text] += 1
    assert len(compared) >= 7


def test_dice_and_points_are_announced_wherever_they_follow_and_nowhere_else():
    rolled = scored = 0
    for _, text, asked, new, _ in choices():
        announced = phrases.THEN_ROLL in [phrase.text for phrase in (asked.consequence, *asked.also)]
        assert announced == (new.phase == ROLLING), text
        counted = new.phase == SCORING
        assert (phrases.THEN_SCORING in [phrase.text for phrase in (asked.consequence, *asked.also)]) == counted, text
        assert option(asked, text).irreversible == (announced or counted or text == "pass"), text
        scored += counted
        rolled += announced
    assert rolled > 20
    assert scored > 3


@pytest.mark.rule("after_the_flood#combat-1")
def test_the_needed_number_on_a_fight_is_that_of_the_dice():
    fights = 0
    for _, text, asked, new, events in choices():
        attacked = [event for event in events if event.key == "attacked"]
        if attacked and text.startswith("invade"):
            said = option(asked, text).label.params
            assert (said["need"], said["seat"]) == (attacked[0].params["need"], attacked[0].params["other"])
            _, rolled = game.apply(new, CHANCE, game.parse_action(f"roll {said['need'] - 1} 1" if said["need"] < 8 else "roll 6 6"))
            assert rolled[0].key == "hit"
            fights += 1
    assert fights > 10


@pytest.mark.rule("after_the_flood#combat-7")
def test_the_odds_of_the_dice():
    assert (hit_chance(5), hit_chance(7)) == (Fraction(30, 36), Fraction(21, 36))
    assert [percent(hit_chance(need)) for need in (5, 7)] == [83, 58]


@pytest.mark.parametrize(("armies", "defenders", "need"), [(1, 1, 7), (2, 1, 7), (3, 2, 5), (5, 2, 7)])
def test_the_odds_of_a_fight_are_those_of_all_its_courses(armies, defenders, need):
    """Every sequence of hits and misses up to the last possible roll, weighted."""
    won = lost = Fraction(0)
    hit = Fraction(sum(first + second >= need for first in range(1, 7) for second in range(1, 7)), 36)
    rolls = armies + defenders - 1
    for course in range(1 << rolls):
        a, d, weight = armies, defenders, Fraction(1)
        for roll in range(rolls):
            is_hit = course >> roll & 1
            weight *= hit if is_hit else 1 - hit
            if a and d:
                a, d = (a, d - 1) if is_hit else (a - 1, d)
        won += weight * (d == 0)
        lost += weight * (armies - a)
    assert fight(armies, defenders, need) == (won, lost)


@pytest.mark.rule("after_the_flood#decline-3", "after_the_flood#decline-4")
def test_the_decline_that_is_announced_is_the_one_that_comes():
    """Seat 0 passes last with nothing left to change: the next turn takes exactly what was announced."""
    compared = 0
    for state in random_positions(15, 30):
        is_last = state.passed.bit_count() == 2 and state.turn in (1, 3) and state.phase in (0, 1) and not state.is_paid
        if not is_last:
            continue
        seat = state.active
        said = {phrase.text: phrase.params for phrase in ask(state, "pass").also}.get(phrases.THEN_DECLINE_NEXT)
        state = play(state, "pass")
        events = []
        while not any(event.key.startswith("declined") for event in events):
            actor = game.actors(state)[0]
            state, events = game.apply(state, actor, game.parse_action("score" if actor == SCORER else "done"))
        (lost,) = [event for event in events if event.key.startswith("declined") and event.params["seat"] == seat]
        assert lost.params["n"] == (said["n"] if said else 0)
        assert Counter(lost.params["places"]) == Counter(said["places"] if said else {})
        compared += 1
    assert compared > 10


@pytest.mark.rule("after_the_flood#found-3", "after_the_flood#decline-3")
def test_homes_that_are_announced_can_be_founded():
    opened = 0
    for state, text, asked, new, _ in choices():
        for phrase in (asked.consequence, *asked.also):
            if phrase.text in (phrases.THEN_CAN_FOUND, phrases.THEN_CANNOT_FOUND):
                names = [EMPIRE_NAMES[empire] for empire in empires_to_found(new, state.active)]
                assert (phrase.params["empire"] in names) == (phrase.text == phrases.THEN_CAN_FOUND), text
                opened += 1
    assert opened > 10


def test_the_value_of_a_good_limits_the_workers_that_are_offered():
    state = position(goods=["grain wood tool gold lapis", "", ""], available=[4, 8, 8])
    asked = ask(state)
    offered = {entry.text.split()[1]: entry.label.params["n"] for entry in asked.options if entry.text.startswith("place")}
    assert offered == {good: min(4, VALUES[GOODS.index(good)]) for good in ("grain", "wood", "tool", "gold", "lapis")}


def test_places_tell_the_workers_there():
    for state, text, asked, new, _ in choices():
        for phrase in asked.also:
            if phrase.text == phrases.THEN_THERE:
                place = text.split()[2]
                counts = [phrase.params[key] for key in ("n", "m", "k")]
                seats = [state.active, phrase.params["seat"], phrase.params["other"]]
                assert counts == [count_workers(new, seat, place) for seat in seats]
