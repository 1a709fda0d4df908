"""The engine against a second, plain version of the rules in random games: points, markers, reach, battles, turns and draft."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.engine.history_of_the_world import oracle
from tests.engine.history_of_the_world.builders import data_of, game, legal, position
from tests.engine.history_of_the_world.test_properties import busy_game

GAMES = 12


@pytest.mark.rule(
    "history_of_the_world#score-1", "history_of_the_world#score-2", "history_of_the_world#score-3", "history_of_the_world#score-5",
    "history_of_the_world#score-6", "history_of_the_world#score-10", "history_of_the_world#reach-1", "history_of_the_world#reach-2",
    "history_of_the_world#reach-3", "history_of_the_world#battle-1", "history_of_the_world#turn-1", "history_of_the_world#draft-2",
)  # fmt: skip
def test_the_engine_agrees_with_a_plain_reading_of_the_rules():
    seen: Counter[str] = Counter()
    for seed in range(300, 300 + GAMES):
        for number, (before, actor, action, after, events) in enumerate(busy_game(seed)):
            if number == 0:
                plain = oracle.Oracle(before.seats)
                data = data_of(before)
            then = data_of(after)
            plain.see(data, actor, str(action), then, [event.key for event in events])
            assert plain.scores == list(after.scores), (seed, number, str(action))
            if then["phase"] == "conquest":
                assert set(legal(after, "conquer")) | set(legal(after, "fort")) == oracle.conquests(then), (seed, number)
            if then["phase"] == "monument":
                assert set(legal(after, "monument")) == {f"monument {name}" for name in oracle.monument_places(then)}
            if then["phase"] == "draft":
                assert set(game.actors(after)) == plain.drafters(), (seed, number)
            seen[action.verb] += 1
            seen[then["phase"]] += 1
            data = then
        assert game.outcome(after).scores == tuple(plain.scores)
    assert min(seen[name] for name in ("score", "up", "down", "collision", "conquest", "monument", "siege", "draft", "again")) > 0


@pytest.mark.rule("history_of_the_world#reach-2", "history_of_the_world#reach-3", "history_of_the_world#reach-9")
def test_chains_of_discs_lead_where_a_plain_walk_leads():
    for zones in (
        "atlantic_ocean indian_ocean",
        "north_sea mediterranean_sea",
        "siberia gobi",
        "gobi sea_of_japan",
        "pacific_asian sahara",
    ):
        for start in ("manchuria", "britannia", "nile", "honshu"):
            state = position(
                epoch=5, empires=["mughals", "russians", "british"], armies=[f"{start}*", "", ""], card=2, zones=zones, called=8
            )
            assert set(legal(state, "conquer")) | set(legal(state, "fort")) == oracle.conquests(data_of(state)), (start, zones)
