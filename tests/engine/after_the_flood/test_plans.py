"""What is gathered before it is played: every plan that is offered can be played, link by link, by the rules (after_the_flood#act-2)."""

from __future__ import annotations

from collections import Counter

import pytest

from games.core.asking import THEN
from games.core.rng import SeededRng
from tests.engine.after_the_flood.builders import ask, game, goods, legal, play, position
from tests.engine.after_the_flood.questions import random_positions, said

OIL, GOLD, LAPIS = "trade amorites oil textile", "trade egypt gold oil", "trade kassites lapis gold"


def market():
    return position(
        turn=2,
        goods=["grain 2 metal textile 2 tool", "", ""],
        workers=["amorites 2 egypt kassites scribes 2 tool_makers", "", ""],
        available=[5, 0, 0],
    )


def sent(asked):
    return asked.plan.send.split(THEN) if asked.plan is not None and asked.plan.send else []


def test_every_plan_that_is_offered_can_be_played():
    """At each step a random option of the question is taken, or a link is changed or removed."""
    rng = SeededRng(11)
    seen = Counter()
    for state in random_positions(6, 6, every=7):
        seat = state.active
        kinds = {text.split()[0] for text in legal(state)}
        for start in sorted(kinds & {"trade", "place", "scribe", "tool"}):
            chosen = start if start != "place" else next(text for text in legal(state) if text.startswith("place ")).rpartition(" ")[0]
            for _ in range(8):
                asked = ask(state, chosen)
                assert asked.refusal is None, (chosen, said(asked.refusal))
                plan = asked.plan
                if plan is not None and plan.send is not None:
                    after = state
                    for text in sent(asked):
                        assert game.actors(after) == (seat,), (chosen, text)
                        after, events = game.apply(after, seat, game.parse_action(text))
                        assert not any(event.reveals for event in events)
                    whole = [text for text in sent(asked) if text != "done"]
                    assert len(plan.links) == len(whole)
                    assert plan.confirm is not None
                    seen[len(plan.links)] += 1
                    for link in plan.links:
                        for prefix in (link.less, link.more):
                            if link.count is not None and prefix:
                                seen["counted"] += sent(ask(state, prefix)) != [] or prefix == link.without
                        changing = ask(state, link.change)
                        assert changing.refusal is None or len(plan.links) > 1
                        assert changing.action is None
                shown = plan.asked if plan is not None and plan.asked is not None else asked
                options = [option.text for option in shown.options if option.text.partition(" ")[0] in ("trade", "place", "scribe", "tool")]
                if not options:
                    break
                chosen = options[rng.below(len(options), "option")]
    assert seen[1] > 20
    assert seen[2] > 10
    assert seen[3] > 3
    assert seen["counted"] > 5


@pytest.mark.rule("after_the_flood#trade-1", "after_the_flood#trade-3")
def test_each_link_shows_what_one_then_has():
    state = market()
    asked = ask(state, THEN.join([OIL, GOLD, LAPIS]))
    held = [{said(name): count for _, name, count in link.held} for link in asked.plan.links]
    assert held[-1] == {"grain": 2, "metal": 1, "textile": 1, "tool": 1, "lapis lazuli": 1}
    for text, shown in zip([OIL, GOLD, LAPIS], held, strict=True):
        state = play(state, text)
        assert sum(shown.values()) == sum(goods(state, 0).values())
    assert asked.plan.send == THEN.join([OIL, GOLD, LAPIS, "done"])
    assert [said(link.name) for link in asked.plan.links] == ["Amorites", "Egypt", "Kassites"]


@pytest.mark.rule("after_the_flood#tools-1")
def test_a_tool_is_a_link_like_an_exchange():
    asked = ask(market(), THEN.join(["tool", "trade kassites lapis tool", "trade amorites oil tool"]))
    assert asked.refusal is None
    assert said(asked.plan.links[0].label) == "Tool maker: 1 tool for 1 metal"


def test_what_a_removed_link_had_brought_is_left_out_with_the_reason():
    asked = ask(market(), THEN.join([GOLD, LAPIS]))
    assert asked.plan is None
    assert said(asked.refusal) == said(ask(market(), GOLD).refusal)


@pytest.mark.parametrize(
    "other", ["build ur", "pass", "place textile irrigation 2", "found guti", "scribe available egypt", "nonsense", ""]
)
def test_a_plan_is_one_action_of_the_game(other):
    asked = ask(market(), THEN.join([OIL, other]))
    assert [said(link.name) for link in asked.plan.links] == ["Amorites"]
    assert asked.chosen == OIL


def longest():
    """Return a position with more exchanges than a list can hold, and the list that is full."""
    state = position(
        goods=["grain 8 textile 8 tool", "", ""],
        workers=["dilmun 4 amorites 2 mittani 2 egypt hittites elam chaldea kassites", "", ""],
        cities=["sippar", "", ""],
    )
    chosen = "trade"
    while True:
        asked = ask(state, chosen).plan.asked
        options = [option.text for option in asked.options if option.text.rpartition(THEN)[2].count(" ") == 3]
        if not options:
            return state, chosen
        chosen = min(options, key=len)


def test_a_plan_is_never_longer_than_an_address_may_be_and_says_so():
    state, chosen = longest()
    assert 340 < len(chosen) <= 380
    plan = ask(state, chosen).plan
    assert len(plan.links) == chosen.count(THEN) + 1
    assert said(plan.full).startswith("This list is full.")
    assert ask(state, chosen.rpartition(THEN)[0].rpartition(THEN)[0]).plan.full is None
    closed = plan.asked.closed.values()
    assert plan.full in closed


def test_a_full_plan_can_be_played_without_ending_the_action():
    state, chosen = longest()
    text, button = ask(state, chosen).plan.go_on
    assert said(button) == "Play and continue"
    assert text == chosen
    for action in text.split(THEN):
        assert game.actors(state) == (0,)
        state = play(state, action)
    assert game.actors(state) == (0,)
    more = ask(state, "").plan.asked.options
    assert any(option.text.startswith("trade ") for option in more)
    assert any(option.text == "done" for option in more)


def test_what_is_too_long_is_cut_to_what_fits_and_says_so():
    state, chosen = longest()
    links = chosen.split(THEN)
    asked = ask(state, THEN.join([*links, "trade dilmun oil textile"]))
    assert asked.chosen == chosen
    assert [said(link.label) for link in asked.plan.links] == [said(link.label) for link in ask(state, chosen).plan.links]
    assert said(asked.refusal) == "This list is too long. As much of it as fits has been kept."
    changing = ask(state, THEN.join(["trade", *links[1:], "trade dilmun oil textile"]))
    assert len(changing.plan.links) >= len(links) - 2
    assert ask(state, "trade x then " * 100).chosen == "trade"


def test_nothing_goes_on_where_nothing_can_follow():
    plan = ask(market(), "place textile irrigation 2 then scribe available egypt then scribe available kassites").plan
    assert plan.confirm is not None
    assert plan.go_on is None
    assert plan.full is None
