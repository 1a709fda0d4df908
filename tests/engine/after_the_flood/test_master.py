"""The master of After the Flood: its features, what it learns from, and how it weighs the scribe's lines."""

from __future__ import annotations

import numpy as np
import pytest

from games.after_the_flood import bot, game
from games.after_the_flood.evaluation import Outlook
from games.after_the_flood.features import NAMES, WAYS, another_city, before, features, next_places, promise, way_to_city
from games.after_the_flood.learner import LEARNER, MOST, margin
from games.after_the_flood.master import FEW, SWAPPED, Master
from games.after_the_flood.search import Search, follow
from games.after_the_flood.state import State
from games.core import learner as learners
from games.core.net import Data, Net, Settings, save, train
from games.core.rng import SeededRng
from tests.engine.after_the_flood.builders import due, position
from tests.engine.nets import adding
from tests.engine.played import choices_met, only_in_plain_python, plies

KEY = "after_the_flood"
RICH = "wood 2 tool oil gold lapis"


def net(**slopes: float) -> Net:
    return adding(NAMES, **slopes)


def search_of(state: State) -> Search:
    return Search(state, Outlook(state, due(state)))


def besieging(goods: str = RICH, **fields) -> State:
    """Return a position whose seat has goods for a city of 20 points, and an army on a rival's city instead of one."""
    fields = {"available": [3, 0, 0], "armies_available": [5, 0, 0]} | fields
    return position(
        turn=4,
        active=0,
        goods=[goods, "", ""],
        empires=["hittites", None, None],
        ranking=[0],
        armies=["babylon hittites", "", ""],
        cities=["ur eridu lagash", "babylon sippar nippur", "umma uruk shuruppak"],
        grown=["ur", "eridu", "lagash"],
        **fields,
    )


# Features


def test_features_are_finite_and_differ_between_positions():
    seen = set()
    for state, seat in choices_met(KEY, 30):
        row = LEARNER.features(game.view_for(state, seat), seat)
        assert len(row) == len(NAMES) == len(set(NAMES))
        assert np.isfinite(row).all()
        seen.add(tuple(row))
    assert len(seen) > 20


def test_a_position_is_learned_from_between_two_actions_and_at_the_end_of_a_turn():
    kept = [ply.before for ply in plies(KEY, 3) if LEARNER.seats_at(ply.before)]
    phases = {game.view_for(state, None).phase for state in kept}
    assert phases == {"action", "paying", "scoring"}
    assert not any(state.is_paid for state in kept)
    assert {seat for state in kept for seat in LEARNER.seats_at(state)} == {0, 1, 2}


def test_the_margin_counts_the_best_rival_and_the_mean_of_both():
    end = position(turn=5, active=0)
    for scores, wanted in (([100, 90, 70], 15.0), ([70, 100, 90], -27.5), ([200, 0, 0], MOST)):
        end.scores = scores
        assert margin(end, end, 0) == wanted


@pytest.mark.rule("after_the_flood#pass-2")
def test_the_places_in_the_order_of_play_now_and_next_are_told():
    state = position(turn=3, active=1, order=[2, 1, 0], passed=[2], bids=["", "", "grain 2"])
    assert [before(state, seat) for seat in range(3)] == [1, 0, 3]
    assert next_places(state) == [2, 1, 0]
    state = position(turn=3, active=1, order=[2, 1, 0], passed=[2], bids=["", "", ""])
    assert next_places(state) == [2, 1, 0]  # equal bids keep the order


# A city that the seat does not have yet


@pytest.mark.rule("after_the_flood#destroy-1", "after_the_flood#build-1", "after_the_flood#build-3")
@pytest.mark.parametrize(
    ("fields", "way"),
    [
        ({}, 1),
        ({"armies_available": [1, 0, 0]}, -1),
        ({"armies": ["kassites", "", ""]}, 2),
        ({"cities": ["ur eridu lagash", "babylon sippar", "umma uruk shuruppak"]}, 0),  # Nippur is free
        ({"cities": ["ur eridu lagash babylon", "sippar", "umma uruk shuruppak"], "grown": []}, -1),  # four cities, none to move
        ({"passed": [0]}, -1),
        ({"empires": [None, None, None], "armies": ["", "", ""], "workers": ["egypt", "", ""]}, 3),
    ],
)
def test_the_surest_way_to_another_city(fields, way):
    fields = {
        "turn": 4,
        "active": 0,
        "goods": [RICH, "", ""],
        "empires": ["hittites", None, None],
        "ranking": [0],
        "armies": ["babylon hittites", "", ""],
        "armies_available": [5, 0, 0],
        "cities": ["ur eridu lagash", "babylon sippar nippur", "umma uruk shuruppak"],
        "grown": ["ur", "eridu", "lagash"],
    } | fields
    if fields["empires"][0] is None:
        fields |= {"ranking": [], "armies_available": [0, 0, 0]}
    if fields.get("passed"):
        fields["active"] = 1
    assert way_to_city(position(**fields), 0) == way


@pytest.mark.rule("after_the_flood#growth-2")
def test_a_promised_city_is_worth_the_goods_it_needs():
    rich, poor = besieging(), besieging("wood 1 oil gold lapis grain 3")
    outlook = Outlook(rich, 0)
    assert 8 < another_city(outlook, rich) < 20
    assert promise(outlook, rich) > 5 * WAYS[1]
    assert promise(outlook, rich) > promise(Outlook(poor, 0), poor)
    assert features(rich, 0)[NAMES.index("promise")] == promise(outlook, rich)


@pytest.mark.rule("after_the_flood#place-1")
def test_a_placement_is_also_weighed_with_goods_that_a_city_to_come_can_spare():
    state = besieging(RICH + " textile")
    costly, spare = game.parse_action("place tool egypt 2"), game.parse_action("place textile egypt 2")
    master = Master(search_of(state), net())
    assert master.swapped(costly)[0] == spare
    assert not master.swapped(spare)
    line = (master.worth(costly), costly)
    assert spare in [action for _, action in master.lines([line], line)]
    ranked, (_, action), _ = master.choose([line], line)
    assert action == spare
    assert ranked[0][1] == spare


# Weighing


def test_the_master_ranks_lines_says_what_was_learned_and_gives_the_same_answer_again(tmp_path, monkeypatch):
    hopeful = net(lead_best=0.5)
    monkeypatch.setattr(bot, "net_for", lambda learner, seats: hopeful)
    said = set()
    for state, seat in choices_met(KEY, 40)[::3]:
        view = game.view_for(state, seat)
        choices = [game.choose_action(view, "master", SeededRng(1), budget) for budget in (None, None, 60.0)]
        assert choices[0] == choices[1] == choices[2]
        assert len(choices[0].ranked) <= FEW + SWAPPED + 1 or view.phase == "growing"
        assert choices[0].action in game.legal_actions(state, seat)
        said |= {reason for reason, _, _ in choices[0].reasons}
        assert game.choose_action(view, "master", SeededRng(1), 0.0).action in game.legal_actions(state, seat)
    assert "learned" in said


@pytest.mark.rule("after_the_flood#combat-1")
def test_a_fight_has_two_ends_with_the_odds_of_its_dice():
    state = position(
        turn=4,
        active=0,
        empires=["hittites", "kassites", None],
        ranking=[0, 1],
        armies=["amorites", "babylon", ""],
        armies_available=[1, 0, 0],
    )
    ends = Master(search_of(state), net()).ends(game.parse_action("invade babylon"))
    assert [part for part, _ in ends] == pytest.approx([30 / 36, 6 / 36])
    assert all(after.active != 0 for _, after in ends)


def test_a_line_is_taken_only_if_it_is_clearly_better_also_after_the_others_have_answered():
    only_in_plain_python("after_the_flood")
    state = position(turn=3, active=0, order=[0, 1, 2], goods=["grain 4", "grain 4", "grain 4"], available=[4, 4, 4])
    first, second = [game.parse_action(text) for text in ("place grain irrigation 1", "place grain weaving 1")]
    ranked = [(1.0, first), (0.9, second)]
    assert Master(search_of(state), net(own_irrigation=1.0)).choose(ranked, ranked[1])[1][1] == second  # not by enough
    master = Master(search_of(state), net(own_irrigation=9.0))
    assert master.choose(ranked, ranked[1])[1][1] == first
    master.still_better = lambda line, safe: False
    assert master.choose(ranked, ranked[1])[1][1] == second


def test_both_rivals_answer_a_line_with_one_action_each():
    state = position(turn=3, active=0, order=[0, 1, 2], goods=["grain 4", "grain 4", "grain 4"], available=[4, 4, 4])
    after = follow(state, game.parse_action("place grain irrigation 1"))
    assert after.active == 1
    answered = Master(search_of(state), net()).answered(after)
    assert (answered.active, answered.phase, answered.passed) == (0, after.phase, 0)
    assert answered != after


# Weights


def test_a_net_learns_from_recorded_positions_and_is_played_by(tmp_path):
    rows, targets, numbers = [], [], []
    for number, ply in enumerate(plies(KEY, 3)):
        for seat in LEARNER.seats_at(ply.before) if number % 5 == 0 else ():
            rows.append(features(ply.before, seat))
            targets.append(rows[-1][NAMES.index("lead_mean")])
            numbers.append(number)
    data = Data(np.array(rows, dtype=np.float32), np.array(targets, dtype=np.float32), np.array(numbers, dtype=np.int64))
    learned = train(NAMES, data, 1, Settings(hidden=(8,), batch=32, rounds=12))
    assert learned.error < 0.8 * learned.untrained
    save(learned.net, tmp_path / LEARNER.file(3), {})
    state, seat = choices_met(KEY, 40)[0]
    learners.use(KEY, tmp_path)
    try:
        assert learners.net_for(LEARNER, 3) is not None
        choice = game.choose_action(game.view_for(state, seat), "master", SeededRng(1))
    finally:
        learners.use(KEY, None)
    assert choice.action in game.legal_actions(state, seat)


def test_without_weights_the_master_plays_as_the_scribe(tmp_path):
    learners.use(KEY, tmp_path)
    try:
        for state, seat in choices_met(KEY, 40)[:8]:
            given = [game.choose_action(game.view_for(state, seat), level, SeededRng(1)) for level in ("master", "scribe")]
            assert given[0] == given[1]
    finally:
        learners.use(KEY, None)
