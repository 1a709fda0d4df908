"""The master of History of the World: its features, what it learns from, its sketches of an epoch, and how it weighs plans."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from games.core import learner as learners
from games.core.net import Net
from games.core.rng import SeededRng
from games.history_of_the_world import bot, game, sketch, turns
from games.history_of_the_world.actions import parse_action
from games.history_of_the_world.components import EMPIRES_BY_EPOCH, EVENTS, EVENTS_BY_EPOCH, PROVINCE_OF, REGION_OF, REGIONS
from games.history_of_the_world.drafting import Drafter
from games.history_of_the_world.evaluation import Outlook, seat_sees_empires
from games.history_of_the_world.features import NAMES, Forecast, features
from games.history_of_the_world.learner import LEARNER, MOST, margin
from games.history_of_the_world.master import EVENT_LEARNED, EVENT_SHARE, KEPT, LEARNED, NEAR_LEAD, TURNS, WIDE, Master
from games.history_of_the_world.scribe import Scribe
from games.history_of_the_world.search import Line, Planner
from games.history_of_the_world.sketch import Sketcher, turn_of
from games.history_of_the_world.state import CONQUEST, DRAFT, SCORING, State, all_armies
from tests.engine.history_of_the_world.builders import due, position
from tests.engine.nets import adding
from tests.engine.played import choices_met, only_in_plain_python, plies

KEY = "history_of_the_world"


def net(**slopes: float) -> Net:
    return adding(NAMES, **slopes)


def at_nile(**fields) -> State:
    """Return a position of a seat at the Nile with two armies to spend."""
    fields = {"card": 2, "armies": ["nile*", "mesopotamia", "crete"]} | fields
    return position(epoch=1, phase="conquest", active=0, empires=["egyptians", "sumerians", "minoans"], **fields)


# Features


def test_features_are_finite_and_differ_between_positions():
    seen = set()
    for state, seat in choices_met(KEY, 30):
        if state.epoch:
            row = LEARNER.features(game.view_for(state, seat), seat)
            assert len(row) == len(NAMES) == len(set(NAMES))
            assert np.isfinite(row).all()
            seen.add(tuple(row))
    assert len(seen) > 20


def test_a_position_is_learned_from_when_a_turn_is_over_and_not_yet_scored():
    kept = [ply.before for ply in plies(KEY, 3) if LEARNER.seats_at(ply.before)]
    assert {state.phase for state in kept} == {SCORING}
    assert len(kept) % 15 == 0  # a turn a seat in each of five epochs
    assert {LEARNER.stage(state) for state in kept} == {1, 2, 3, 4, 5}
    assert {LEARNER.seats_at(state) for state in kept} == {range(3)}


def test_the_margin_counts_the_best_rival_and_the_mean_of_the_others():
    end = at_nile()
    for scores, wanted in (([100, 90, 70], 15.0), ([70, 100, 90], -27.5), ([200, 0, 0], MOST)):
        end.scores = scores
        assert margin(end, end, 0) == wanted


def test_the_points_of_a_turn_that_is_over_are_counted():
    before = next(ply.before for ply in plies(KEY, 3) if ply.before.phase == SCORING)
    told = dict(zip(NAMES, features(before, before.active), strict=True))
    after = game.apply(before, game.actors(before)[0], game.legal_actions(before, game.actors(before)[0])[0])[0]
    shift = after.records[before.active][-1][-1]  # of a collision
    assert told["own_score"] == after.scores[before.active] - shift > before.scores[before.active]


def test_a_seat_that_has_had_its_turn_expects_no_more_points_in_this_epoch():
    state = at_nile(armies=["nile* libya* levant", "mesopotamia", "crete"], capitals="nile")
    told = dict(zip(NAMES, features(state, 0), strict=True))
    assert told["own_tiles_soon"] == told["own_structures_soon"] == told["own_to_act"] == 0
    assert 0 < told["own_structures_next_3"] < told["own_structures_next_2"] < told["own_structures_next_1"] < 2
    waiting = dict(zip(NAMES, features(state, 2), strict=True))
    assert waiting["own_tiles_soon"] > 0
    assert waiting["own_to_act"] == 1
    forted = Forecast(state, 0)
    bare = forted.features(state)
    state.forts = 1 << PROVINCE_OF["nile"]
    assert forted.features(state)[NAMES.index("own_standing")] > bare[NAMES.index("own_standing")]


# Sketches of an epoch


def test_a_sketched_epoch_gives_every_province_one_army_and_everybody_points():
    drafts = [state for state, _ in choices_met("history_of_the_world", 60) if state.phase == DRAFT and state.pile_empires]
    seen = 0
    for state in drafts[:6]:
        seat = due(state)
        if not seat_sees_empires(state, seat):
            continue
        sketcher = Sketcher(state, seat, lambda end, seat=seat: float(end.scores[seat]))
        luck = dict.fromkeys(EMPIRES_BY_EPOCH[state.epoch], 0)
        for card in state.pile_empires:
            holders = sketcher.holders(card, dict.fromkeys(luck, 0.0))
            assert holders[card] == seat
            assert len(set(holders.values())) == len(holders) <= state.seats
            end = sketcher.epoch(holders, luck)
            assert sum(mask.bit_count() for mask in end.armies) == all_armies(end).bit_count()
            assert all(end.scores[other] > state.scores[other] for other in holders.values())
            seen += 1
    assert seen
    assert sketcher.leads(state.pile_empires, 2, SeededRng(4)) == sketcher.leads(state.pile_empires, 2, SeededRng(4))


def drafts_of_empires():
    found = [(state, seat) for state, seat in choices_met("history_of_the_world", 80) if state.phase == DRAFT]
    return [(state, seat) for state, seat in found if seat_sees_empires(state, seat) and len(state.pile_empires) > 1]


def test_a_master_says_how_far_an_empire_puts_it_ahead_and_without_a_budget_judges_as_scribes_do():
    drafts = drafts_of_empires()
    for state, seat in drafts:
        view = game.view_for(state, seat)
        choice = game.choose_action(view, "master", SeededRng(1))
        lead, worth = choice.reasons[:2]
        assert (lead[0], worth[0]) == ("lead", "draft")
        assert len(choice.ranked) == len(state.pile_empires)
        assert sum(worth for _, worth in choice.ranked) == pytest.approx(0, abs=1e-9)  # each compared with the pile
        assert choice.ranked[0][1] - dict(choice.ranked)[choice.action] <= NEAR_LEAD
        quick = game.choose_action(view, "master", SeededRng(1), budget_s=0.0)
        assert quick.reasons[0][0] == "draft"
    assert len(drafts) >= 2


def test_a_master_sketches_no_more_turns_than_it_may(monkeypatch):
    only_in_plain_python("history_of_the_world")
    sketched = 0

    def counted(*args):
        nonlocal sketched
        sketched += 1
        return turn_of(*args)

    monkeypatch.setattr(sketch, "turn_of", counted)
    for state, seat in drafts_of_empires():
        sketched = 0
        game.choose_action(game.view_for(state, seat), "master", SeededRng(1))
        assert 0 < sketched <= TURNS


def test_a_master_weighs_events_by_what_they_have_brought_and_keeps_cards_longer():
    assert set(EVENT_LEARNED) == {event.name for event in EVENTS}
    state = position(phase="prepare", epoch=4, active=0, empires=["mongols", "ming", "turks"], armies=["levant", "nile", "gaul"])
    plain = Drafter(state, Outlook(state, 0, weights=replace(LEARNED, draft_events=(), draft_event=1.0)), 100)
    learned = Drafter(state, Outlook(state, 0, weights=LEARNED), 100)
    for card in EVENTS_BY_EPOCH[4]:
        worth = EVENT_SHARE * plain.event_worth(card) + EVENT_LEARNED[EVENTS[card].name]
        assert learned.event_worth(card) == pytest.approx(worth)
    card = parse_action("play i_renaissance")
    master, scribe = Master(state, 0, SeededRng(1), net()), Scribe(state, 0, SeededRng(1))
    assert master.held(card) > scribe.held(card)
    state.epoch = 5
    assert master.held(card) == scribe.held(card)  # afterwards there is no turn to keep it for


# Plans


def master_of(state: State, value: Net) -> Master:
    return Master(state, due(state), SeededRng(1), value)


def ends_of(state: State) -> list[Line]:
    master = master_of(state, net())
    planner = Planner(state, master.outlook, master.steps)
    return list(planner.plan(WIDE, KEPT).ends)


def test_whole_plans_are_kept_each_with_another_end_the_best_first():
    state = at_nile(card=4)
    ends = ends_of(state)
    assert 1 < len(ends) <= KEPT
    assert len({active for _, _, active in ends}) == len(ends)
    assert [worth for _, worth, _ in ends] == sorted([worth for _, worth, _ in ends], reverse=True)
    planner = Planner(state, Outlook(state, 0, weights=LEARNED))
    assert not planner.plan().ends
    assert planner.plan(WIDE, KEPT).worth == pytest.approx(ends[0][1])


def test_the_end_of_a_plan_is_the_position_before_its_turn_is_scored():
    state = at_nile(card=4)
    master = master_of(state, net())
    planner = Planner(state, master.outlook)
    for _, _, active in ends_of(state):
        closed = master.closed(planner, active)
        assert (closed.phase, closed.active, closed.active_armies) == (SCORING, 0, active)
        assert sum(mask.bit_count() for mask in closed.armies) == all_armies(closed).bit_count()
        assert closed.monuments.bit_count() == turns.monument_count(closed)
    assert state.phase == CONQUEST
    assert not state.monuments


def test_marauders_count_what_they_would_ruin():
    state = position(
        epoch=2,
        phase="conquest",
        active=0,
        card=5,
        empires=["scythians", "persians", "celts"],
        armies=["caucasus*", "anatolia levant", "gaul"],
        capitals="anatolia",
        cities="levant",
    )
    planner = Planner(state, Outlook(state, 0))
    bit = {name: 1 << PROVINCE_OF[name] for name in ("anatolia", "levant")}
    own = state.active_armies
    assert planner.plundered(own) == 0
    assert planner.plundered(own | bit["levant"]) == planner.plunder
    assert planner.plundered(own | bit["levant"] | bit["anatolia"]) == 2 * planner.plunder


def test_a_master_follows_the_plan_whose_end_is_worth_most_and_says_what_it_learned(monkeypatch):
    state = at_nile()
    homes, abroad = net(own_north_africa=9.0), net(own_middle_east=9.0)
    regions = []
    for value in (homes, abroad):
        monkeypatch.setattr(bot, "net_for", lambda learner, seats, value=value: value)
        choice = game.choose_action(game.view_for(state, 0), "master", SeededRng(1))
        assert choice.reasons[1][0] == "learned"
        assert choice.ranked[0][0] == choice.action
        regions.append(REGIONS[REGION_OF[PROVINCE_OF[str(choice.action).split()[1]]]])
    assert regions == ["north_africa", "middle_east"]


def test_where_the_learned_value_sees_nothing_good_the_scribes_plan_stands():
    state = at_nile()
    gloomy = master_of(state, net(own_armies=-50.0))
    planner = Planner(state, gloomy.outlook, gloomy.steps)
    plan = gloomy.plan(planner)
    assert gloomy.weighed(planner, plan) == plan.lines
    assert not gloomy.gains


def test_without_weights_the_master_plays_as_the_scribe(tmp_path):
    learners.use(KEY, tmp_path)
    try:
        for state, seat in choices_met(KEY, 40)[:12]:
            given = [game.choose_action(game.view_for(state, seat), level, SeededRng(1)) for level in ("master", "scribe")]
            assert given[0] == given[1]
    finally:
        learners.use(KEY, None)
