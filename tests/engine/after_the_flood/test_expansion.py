"""Invading, dice, destroying, reinforcing, repeating (after_the_flood#expand, #combat, #destroy)."""

from __future__ import annotations

from collections import Counter

import pytest

from games.core.rng import SeededRng
from tests.engine.after_the_flood.builders import armies, cities, data_of, due, game, keys, legal, play, position, refusal, told, workers


def at_war(mine: str, theirs: str = "", available: int = 5, turn: int = 1, better: bool = True, **fields):
    """Return a position in which seat 0 acts with the first empire of a turn against seat 1 with the second."""
    names = {1: ("guti", "akkad"), 2: ("amorites", "isin"), 4: ("hittites", "kassites"), 5: ("elam", "chaldea")}[turn]
    return position(
        turn=turn, empires=[*names, None], ranking=[0, 1] if better else [1, 0], armies=[mine, theirs, ""],
        armies_available=[available, 5, 0], **fields,
    )  # fmt: skip


@pytest.mark.rule("after_the_flood#expand-1", "after_the_flood#expand-2", "after_the_flood#expand-3")
def test_a_neighbour_without_defenders_gets_one_army():
    state = at_war("guti")
    assert legal(state, "invade") == ["invade nippur", "invade umma"]
    after = play(state, "invade umma")
    assert armies(after, 0) == {"umma": 1, "guti": 1}
    assert data_of(after)["armies_available"][0] == 4
    assert refusal(state, "invade elam") == ("not_a_neighbour", "after_the_flood#expand-2")
    assert refusal(state, "invade guti") == ("own_army_there", "after_the_flood#expand-2")


@pytest.mark.rule("after_the_flood#expand-2", "after_the_flood#expand-4")
@pytest.mark.parametrize("area", ["akkad", "isin", "larsa", "chaldea", "dilmun"])
def test_homes_off_the_map_and_dilmun_are_never_invaded(area):
    state = at_war("babylon shuruppak uruk ur")
    assert f"invade {area}" not in legal(state)
    assert refusal(state, f"invade {area}") == ("never_invaded", "after_the_flood#expand-4")


@pytest.mark.rule("after_the_flood#expand-2")
def test_an_arrow_is_followed_in_its_direction():
    state = position(turn=1, empires=["akkad", None, None], ranking=[0], armies=["akkad", "", ""], armies_available=[5, 0, 0])
    assert legal(state, "invade") == ["invade babylon"]


@pytest.mark.rule("after_the_flood#combat-1", "after_the_flood#combat-2", "after_the_flood#combat-3", "after_the_flood#combat-5")
@pytest.mark.parametrize(("better", "need"), [(True, 5), (False, 7)])
def test_five_or_seven_takes_a_defender_and_less_costs_an_army(better, need):
    state = play(at_war("umma", "nippur 2", better=better), "invade nippur")
    assert game.actors(state) == (-1,)
    hit, miss = f"roll {need - 3} 3", f"roll {need - 4} 3"
    one = play(state, hit)
    assert (armies(one, 1), data_of(one)["armies_available"]) == ({"nippur": 1}, [5, 5, 0])
    none = play(state, miss)
    assert (armies(none, 1), data_of(none)["armies_available"]) == ({"nippur": 2}, [4, 5, 0])
    (event,) = told(state, miss)
    assert (event.key, event.params["n"], event.params["need"], event.reveals) == ("missed", need - 1, need, True)
    won = play(one, "attack", hit)
    assert armies(won, 0) == {"nippur": 1, "umma": 1}
    assert armies(won, 1) == {}
    assert data_of(won)["armies_available"][0] == 4
    assert game.view_for(won, None).armies_reserve[1] == 15


@pytest.mark.rule("after_the_flood#combat-1")
def test_the_odds_are_30_and_21_of_36():
    counts = Counter(first + second for first in range(1, 7) for second in range(1, 7))
    assert sum(count for total, count in counts.items() if total >= 5) == 30
    assert sum(count for total, count in counts.items() if total >= 7) == 21
    state = play(at_war("umma", "nippur"), "invade nippur")
    rng = SeededRng(3)
    assert len({str(game.sample_chance(state, rng)) for _ in range(900)}) == 36


@pytest.mark.rule("after_the_flood#combat-4", "after_the_flood#forgotten-7")
def test_an_attack_goes_on_or_is_broken_off_or_runs_out_of_armies():
    state = play(at_war("umma", "nippur 2", available=2), "invade nippur", "roll 1 1")
    assert legal(state) == ["attack", "stop"]
    assert due(play(state, "stop")) == 1, "one army cannot pay and act"
    events = told(state, "attack", "roll 1 1")
    assert keys(events) == ["went_on", "missed", "ran_out"]
    assert due(play(state, "attack", "roll 1 1")) == 1


@pytest.mark.rule("after_the_flood#combat-4", "after_the_flood#combat-6")
def test_after_stopping_going_another_way_costs_an_army_and_so_does_the_same_area():
    state = play(at_war("umma guti", "nippur", available=5), "invade nippur", "roll 1 1", "stop")
    assert data_of(state)["phase"] == "expanding"
    assert {"invade nippur", "invade lagash", "reinforce umma", "done"} <= set(legal(state))
    again = play(state, "invade nippur", "roll 6 6")
    assert data_of(again)["armies_available"][0] == 5 - 1 - 1 - 1


@pytest.mark.rule("after_the_flood#expand-6", "after_the_flood#forgotten-8")
def test_every_repetition_costs_an_army_and_a_failed_roll_is_none():
    state = play(at_war("umma", available=4), "invade ur")
    assert data_of(state)["armies_available"][0] == 3
    state = play(state, "invade lagash")
    assert data_of(state)["armies_available"][0] == 1
    assert due(state) == 1, "the last army cannot pay and expand"
    lone = at_war("umma", available=1)
    assert due(play(lone, "invade ur")) == 1
    assert data_of(play(lone, "invade ur"))["armies_available"][0] == 0


@pytest.mark.rule("after_the_flood#expand-5")
def test_two_armies_of_a_player_at_most():
    state = at_war("umma guti 2")
    assert legal(state, "reinforce") == ["reinforce umma"]
    assert armies(play(state, "reinforce umma"), 0) == {"umma": 2, "guti": 2}
    assert refusal(state, "reinforce guti") == ("two_armies_there", "after_the_flood#expand-5")
    assert refusal(state, "reinforce ur") == ("no_own_army_there", "after_the_flood#expand-5")


@pytest.mark.rule("after_the_flood#expand-7")
def test_workers_under_armies_stay_and_no_action_moves_an_army():
    state = at_war("umma", workers=["", "elam 2", ""])
    after = play(state, "invade elam")
    assert workers(after, 1) == {"elam": 2}
    verbs = {text.split()[0] for text in legal(state)}
    assert not verbs & {"march", "retreat"}
    assert armies(after, 0) == {"umma": 1, "elam": 1}


@pytest.mark.rule("after_the_flood#destroy-1", "after_the_flood#destroy-2", "after_the_flood#forgotten-10", "after_the_flood#destroy-4")
def test_a_city_under_the_player_s_army_is_destroyed_for_two_available_armies():
    state = at_war("umma ur", cities=["ur", "umma", ""], grown=["umma"], available=2)
    assert legal(state, "destroy") == ["destroy umma"]
    after = play(state, "destroy umma")
    assert cities(after, 1) == []
    assert data_of(after)["grown"] == []
    assert armies(after, 0) == {"umma": 1, "ur": 1}
    assert data_of(after)["armies_available"][0] == 0
    assert refusal(state, "destroy ur") == ("own_city", "after_the_flood#destroy-1")
    assert refusal(at_war("umma"), "destroy umma") == ("no_city_there", "after_the_flood#destroy-1")
    assert refusal(at_war("umma", cities=["", "ur", ""]), "destroy ur") == ("no_own_army_there", "after_the_flood#destroy-1")
    assert refusal(at_war("umma", cities=["", "umma", ""], available=1), "destroy umma") == (
        "destroy_too_dear",
        "after_the_flood#destroy-1",
    )


@pytest.mark.rule("after_the_flood#destroy-2", "after_the_flood#growth-3")
def test_the_points_of_a_destroyed_city_stay_and_its_area_can_be_built_and_grown_again():
    records = [[[0, 0, {}], [0, 0, {"umma": ["tool"]}], [0, 0, {}]]]
    state = at_war("umma", turn=2, cities=["", "umma", ""], grown=["umma"], records=records, available=2)
    after = play(state, "destroy umma")
    assert game.view_for(after, None).scores == (0, 7, 0)
    assert "build umma" in legal(play(after, "build ur", "build eridu"))


@pytest.mark.rule(
    "after_the_flood#destroy-3",
    "after_the_flood#cities-3",
    "after_the_flood#destroy-4",
    "after_the_flood#cities-12",
    "after_the_flood#corrections-6",
    "after_the_flood#forgotten-11",
)
@pytest.mark.parametrize(
    ("held", "area", "cost"), [("shuruppak umma", "umma", 3), ("shuruppak umma", "shuruppak", 3), ("shuruppak", "shuruppak", 2)]
)
def test_shuruppak_makes_each_city_cost_three_while_there_are_two(held, area, cost):
    state = at_war("umma shuruppak", cities=["", held, ""], available=cost)
    assert f"destroy {area}" in legal(state)
    assert data_of(play(state, f"destroy {area}"))["armies_available"][0] == 0
    short = at_war("umma shuruppak", cities=["", held, ""], available=cost - 1)
    assert refusal(short, f"destroy {area}") == ("destroy_too_dear", f"after_the_flood#destroy-{1 if cost == 2 else 3}")


@pytest.mark.rule("after_the_flood#expand-6", "after_the_flood#destroy-1")
def test_a_repeated_destruction_costs_its_armies_and_one():
    state = play(at_war("umma", cities=["", "ur", ""], available=5), "invade ur")
    assert data_of(state)["armies_available"][0] == 4
    assert data_of(play(state, "destroy ur"))["armies_available"][0] == 1
    poor = play(at_war("umma", cities=["", "ur", ""], available=3), "invade ur")
    assert refusal(poor, "destroy ur") == ("destroy_too_dear", "after_the_flood#destroy-1")


@pytest.mark.rule("after_the_flood#expand-1")
def test_without_an_empire_or_armies_nobody_expands():
    assert refusal(position(), "invade ur") == ("no_empire", "after_the_flood#expand-1")
    assert refusal(at_war("umma", available=0), "invade ur") == ("no_army_available", "after_the_flood#expand-1")
    state = play(at_war("umma", available=3), "invade ur")
    assert legal(state)[-1] == "done"
    assert due(play(state, "done")) == 1


@pytest.mark.rule("after_the_flood#expand-9", "after_the_flood#combat-5")
def test_the_last_available_army_can_attack_and_take_the_area_itself():
    state = play(at_war("umma", "nippur", available=1), "invade nippur")
    won = play(state, "roll 6 6")
    assert armies(won, 0) == {"umma": 1, "nippur": 1}
    assert data_of(won)["armies_available"][0] == 0
    lost = play(state, "roll 1 1")
    assert (armies(lost, 0), armies(lost, 1)) == ({"umma": 1}, {"nippur": 1})
    assert due(lost) == 1, "without an army there is nothing to go on with"
    none = at_war("umma", "nippur", available=0)
    assert refusal(none, "invade nippur") == ("no_army_available", "after_the_flood#expand-1")
