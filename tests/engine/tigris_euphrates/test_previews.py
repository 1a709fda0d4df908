"""What a question announces is what happens: headings, reasons and consequences in random games against the rules."""

from __future__ import annotations

from collections import Counter

import pytest

from games.core.contract import IllegalAction
from games.core.rng import SeededRng
from games.tigris_euphrates import prompt_phrases as phrases
from games.tigris_euphrates.components import LABELS, SQUARES
from games.tigris_euphrates.state import ACTION, DRAWING, MONUMENT, SCORING, TREASURE, WAR_CHOICE
from tests.engine.tigris_euphrates.builders import game, legal, play

WON = (phrases.THEN_WIN_REVOLT, phrases.THEN_WIN_REVOLT_TIE, phrases.THEN_WIN_WAR, phrases.THEN_WIN_WAR_TIE)
LOST = (phrases.THEN_LOSE_REVOLT, phrases.THEN_LOSE_WAR)
# Why a square is closed, and the refusal of anyone who tries it.
REASONS = {
    phrases.CLOSED_TAKEN: "refused.occupied",
    phrases.CLOSED_CATASTROPHE: "refused.on_catastrophe",
    phrases.CLOSED_RIVER_TILE: "refused.tile_on_river",
    phrases.CLOSED_LAND: "refused.farm_on_land",
    phrases.CLOSED_THREE: "refused.unites_three",
    phrases.CLOSED_HERE: "refused.same_square",
    phrases.CLOSED_RIVER_LEADER: "refused.leader_on_river",
    phrases.CLOSED_NO_TEMPLE: "refused.no_temple",
    phrases.CLOSED_TWO: "refused.unites_two",
    phrases.CLOSED_LEADER: "refused.catastrophe_on_leader",
    phrases.CLOSED_MONUMENT: "refused.catastrophe_on_monument",
    phrases.CLOSED_TREASURE: "refused.catastrophe_on_treasure",
}
# What a heading over squares promises about the first consequence.
PROMISES = {
    phrases.GROUP_POINT_ME: (phrases.THEN_POINT_ME, phrases.THEN_POINT_ME_KING),
    phrases.GROUP_POINT: (phrases.THEN_POINT, phrases.THEN_POINT_KING),
    phrases.GROUP_NO_POINT: (phrases.THEN_NO_POINT_KINGDOM, phrases.THEN_NO_POINT_NO_KING),
    phrases.GROUP_WAR: (phrases.THEN_UNION_WAR, phrases.THEN_UNION_WARS),
    phrases.GROUP_UNION: (phrases.THEN_UNION,),
    phrases.GROUP_REGION: (phrases.THEN_NO_POINT_OUTSIDE,),
    phrases.GROUP_ALONE: (phrases.THEN_NO_POINT_OUTSIDE,),
    phrases.GROUP_REVOLT: (phrases.THEN_REVOLT,),
    phrases.GROUP_JOIN: (phrases.THEN_JOIN,),
    phrases.GROUP_FOUND: (phrases.THEN_FOUND,),
    phrases.GROUP_COVERS: (phrases.THEN_CATASTROPHE_TILE,),
    phrases.GROUP_EMPTY_LAND: (phrases.THEN_CATASTROPHE,),
    phrases.GROUP_EMPTY_RIVER: (phrases.THEN_CATASTROPHE,),
}


def random_choices(seats, games):
    """Yield what seats do in random games: position, actor, action, position after it, events."""
    for seed in range(games):
        rng = SeededRng(f"previews {seats} {seed}")
        state = game.setup(seats, {})
        while actors := game.actors(state):
            action = game.sample_chance(state, rng) if actors[0] == -1 else game.sample_action(state, actors[0], rng)
            after, events = game.apply(state, actors[0], action)
            if actors[0] >= 0:
                yield state, actors[0], str(action), after, events
            state = after


@pytest.mark.rule("tigris_euphrates#tiles-6", "tigris_euphrates#wars-4", "tigris_euphrates#revolts-3", "tigris_euphrates#monuments-10")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_told_before_is_what_happens(seats):
    seen = set()
    for state, actor, text, after, events in random_choices(seats, 8):
        found = game.ask(game.view_for(state, actor), text)
        assert found.action == text
        told = (found.consequence, *found.also)
        count = Counter(phrase.text for phrase in told)
        params = {phrase.text: phrase.params for phrase in told}
        happened = Counter(event.key for event in events)
        values = {event.key: event.params for event in events}
        seen |= count.keys()
        check_points(actor, count, happened, values)
        check_income(actor, told, events)
        assert count[phrases.THEN_REVOLT] == happened["revolt_began"]
        if text.startswith(("tile", "leader")):
            check_conflict_begun(count, params, happened, values, after)
        assert count[phrases.THEN_STRIPPED] + count[phrases.THEN_STRIPPED_ME] == happened["leader_stripped"]
        assert count[phrases.THEN_WAR_VOID] == happened["war_void"]
        check_conflict_settled(params, values)
        check_treasures(told, after)
        check_end(count, after)
    told = {text for name, text in vars(phrases).items() if name.startswith("THEN_")}
    assert len(told - seen) < 16, sorted(told - seen)


def check_points(actor, count, happened, values):
    mine = count[phrases.THEN_POINT_ME] + count[phrases.THEN_POINT_ME_KING]
    by_king = count[phrases.THEN_POINT_ME_KING] + count[phrases.THEN_POINT_KING]
    assert (mine + count[phrases.THEN_POINT] + count[phrases.THEN_POINT_KING] - by_king, by_king) == (
        happened["tile_point"],
        happened["tile_point_king"],
    )
    got = values.get("tile_point") or values.get("tile_point_king")
    assert bool(mine) == (got is not None and got["seat"] == actor)


def check_income(actor, told, events):
    """Points from monuments are announced to the player who gets them, and to the others by name."""
    expected = Counter((event.params["seat"], event.params["colour"]) for event in events if event.key == "monument_point")
    income = {text: [phrase.params for phrase in told if phrase.text == text] for text in (phrases.THEN_INCOME_ME, phrases.THEN_INCOME)}
    assert Counter({(line["seat"], line["colour"]): line["points"] for lines in income.values() for line in lines}) == expected
    assert {line["seat"] for line in income[phrases.THEN_INCOME_ME]} <= {actor}
    assert actor not in {line["seat"] for line in income[phrases.THEN_INCOME]}


def check_conflict_begun(count, params, happened, values, after):
    unions = count[phrases.THEN_UNION] + count[phrases.THEN_UNION_WAR] + count[phrases.THEN_UNION_WARS]
    assert unions == happened["united"]
    assert count[phrases.THEN_UNION_WARS] == (after.phase == WAR_CHOICE)
    assert count[phrases.THEN_UNION_WAR] == happened["war_began"]
    assert count[phrases.THEN_MAY_BUILD] == (after.phase == MONUMENT)
    began = values.get("war_began") or values.get("revolt_began")
    if began is not None:
        told = next(params[text] for text in (phrases.THEN_REVOLT, phrases.THEN_WAR_MINE, phrases.THEN_WAR_OTHERS) if text in params)
        assert (told["n"], told["m"]) == (began["n"], began["m"])
        assert told.get("other", told["seat"]) == began["other"]


def check_conflict_settled(params, values):
    outcome = values.get("revolt_won") or values.get("war_won")
    settled = [text for text in params if text in WON + LOST]
    assert bool(settled) == (outcome is not None)
    if outcome is not None:
        (text,) = settled
        told = params[text]
        assert told["seat"] == outcome["other" if text in WON else "seat"]
        assert sorted([told["n"], told["m"]]) == [outcome["m"], outcome["n"]]
        assert (told["points"], told["colour"]) == (outcome["points"], outcome["colour"])
        assert told["removed"] == outcome.get("removed", 0)


def check_treasures(told, after):
    """Announced treasures are taken next, by the announced seats."""
    expected = {
        phrase.params["seat"]: phrase.params["n"] for phrase in told if phrase.text in (phrases.THEN_TREASURES, phrases.THEN_TREASURES_ME)
    }
    before = after.jokers
    while after.phase == TREASURE:
        after = play(after, legal(after)[0])
    assert {seat: now - then for seat, (then, now) in enumerate(zip(before, after.jokers, strict=True)) if now > then} == expected
    if expected:
        assert (after.treasures.bit_count() < 3) == any(phrase.text == phrases.THEN_END_TREASURES for phrase in told)


def check_end(count, after):
    """An announced end comes with the next draws, and no unannounced one does."""
    if after.phase not in (DRAWING, SCORING):
        assert not count[phrases.THEN_END_BAG] + count[phrases.THEN_END_SWAP]
        return
    while after.phase == DRAWING:
        after, _ = game.apply(after, -1, game.sample_chance(after, SeededRng(1)))
    ends = [phrases.THEN_END_TREASURES, phrases.THEN_END_BAG, phrases.THEN_END_SWAP]
    assert [count[text] for text in ends] == [after.phase == SCORING and after.ending == number for number in range(3)]


@pytest.mark.rule("tigris_euphrates#tiles-4", "tigris_euphrates#leaders-4", "tigris_euphrates#catastrophes-2")
@pytest.mark.parametrize("seats", [2, 4])
def test_every_square_is_offered_under_its_true_heading_or_closed_for_its_true_reason(seats):
    """A heading says what the first consequence says, a reason what the refusal says."""
    rng = SeededRng(seats)
    looked, headings, reasons = 0, set(), set()
    for state, actor, _, _, _ in random_choices(seats, 8):
        if state.phase != ACTION or rng.below(24, "look"):
            continue
        looked += 1
        view = game.view_for(state, actor)
        possible = legal(state)
        for stem in [option.text for option in game.ask(view).options if option.text.startswith(("tile", "leader", "catastrophe"))]:
            found = game.ask(view, stem)
            places = [option for option in found.options if option.text.startswith(f"{stem} ")]
            assert sorted(option.text for option in places) == sorted(text for text in possible if text.startswith(f"{stem} "))
            assert {option.target for option in places} | found.closed.keys() == {f"cell-{LABELS[square]}" for square in SQUARES}
            assert len(places) + len(found.closed) == len(SQUARES)
            for option in places[:: 1 + len(places) // 8]:
                headings.add(option.group.text)
                first = game.ask(view, option.text).consequence
                assert first.text in PROMISES[option.group.text]
                assert all(first.params[name] == value for name, value in option.group.params.items())
            closed = {why.text: (target, why) for target, why in found.closed.items()}  # one square for each reason
            for target, why in [*closed.values(), *list(found.closed.items())[::9]]:
                reasons.add(why.text)
                with pytest.raises(IllegalAction) as refused:
                    game.apply(state, actor, game.parse_action(f"{stem} {target.removeprefix('cell-')}"))
                assert (refused.value.reason, refused.value.rule) == (REASONS[why.text], why.rule)
    assert looked > 20
    assert headings == PROMISES.keys()
    assert reasons == REASONS.keys()
