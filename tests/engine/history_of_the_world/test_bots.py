"""The bots of History of the World: answers in simple positions, and the figures behind them (see `test_every_bot` for the rest)."""

from __future__ import annotations

import pytest

from games.core.rng import SeededRng
from games.history_of_the_world import game
from games.history_of_the_world.actions import parse_action
from games.history_of_the_world.apprentice import passing_reason
from games.history_of_the_world.components import EMPIRES, EMPIRES_BY_EPOCH
from games.history_of_the_world.evaluation import Outlook, acting_odds, evenly, map_of, seat_sees_empires, standing_odds
from games.history_of_the_world.odds import battle, siege, siege_for
from games.history_of_the_world.passages import PASSAGES
from games.history_of_the_world.scoring import points_of, record_of
from games.history_of_the_world.state import DRAFT, State
from tests.engine.history_of_the_world.builders import armies, due, play, position
from tests.engine.played import choices_met

LEVELS = ("apprentice", "journeyman", "scribe", "master")


def answer(state: State, level: str = "scribe", seed: int = 1) -> str:
    return str(game.choose_action(game.view_for(state, due(state)), level, SeededRng(seed)).action)


def next_action(state: State, actor: int, level: str, rng: SeededRng):
    """Return what chance, the scorer or a bot of a level does."""
    if actor == -1:
        return game.sample_chance(state, rng)
    if actor < 0:
        return game.legal_actions(state, actor)[0]
    return game.choose_action(game.view_for(state, actor), level, rng).action


# Simple positions


@pytest.mark.rule("history_of_the_world#score-1")
@pytest.mark.parametrize("level", LEVELS)
def test_the_empty_province_that_gives_control_is_occupied(level):
    state = position(
        phase="conquest",
        epoch=2,
        active=0,
        empires=["mauryas", "persians", "celts"],
        armies=["ganges* bengal*", "levant", "gaul"],
        capitals="bengal",
        card=1,
    )
    assert answer(state, level) in {"conquer deccan_plateau land", "conquer indus land", "conquer ghats land", "conquer hindu_kush land"}


@pytest.mark.rule("history_of_the_world#defence-4")
@pytest.mark.parametrize("level", LEVELS)
def test_the_last_army_does_not_attack_a_fort_in_mountains_for_nothing(level):
    state = position(
        phase="conquest",
        epoch=2,
        active=0,
        empires=["persians", "mauryas", "celts"],
        armies=["zagros persian_plateau* tigris", "turan", "gaul caucasus"],
        forts="caucasus",
        card=1,
    )
    assert answer(state, level) != "conquer caucasus land"


def rest_of_turn(state: State, level: str) -> tuple[list[str], State]:
    """Play until the scoring of the turn is due; return the active seat's answers and the position."""
    rng, texts = SeededRng(3), []
    while (actor := due(state)) != -2:
        action = next_action(state, actor, level, rng)
        texts += [str(action)] if actor >= 0 else []
        state, _ = game.apply(state, actor, action)
        assert len(texts) < 200
    return texts, state


@pytest.mark.rule("history_of_the_world#conquest-3")
@pytest.mark.parametrize("level", LEVELS)
def test_all_armies_are_used_while_something_gains(level):
    state = position(
        phase="conquest",
        epoch=2,
        active=0,
        empires=["romans", "celts", "han"],
        armies=["apennines*", "gaul", "wei"],
        capitals="apennines",
        card=6,
    )
    texts, end = rest_of_turn(state, level)
    assert "end" not in texts
    assert len(armies(end, 0)) >= 5


@pytest.mark.rule("history_of_the_world#kingdom-1")
@pytest.mark.parametrize("level", LEVELS)
def test_a_kingdom_is_played_before_the_empire_is_founded(level):
    state = position(
        phase="prepare",
        epoch=2,
        active=0,
        called=2,
        empires=["scythians", "celts", "han"],
        hands=["k_parthians", "", ""],
        armies=["", "", ""],
    )
    assert answer(state, level) == "kingdom"


@pytest.mark.rule("history_of_the_world#events-3")
@pytest.mark.parametrize("level", LEVELS)
def test_a_card_that_gives_armies_is_not_kept_beyond_the_last_turn(level):
    state = position(
        phase="conquest",
        epoch=5,
        active=0,
        empires=["mughals", "russians", "french"],
        hands=["i_colonial_militia", "", ""],
        armies=["ganges*", "volga", "gaul"],
        capitals="ganges",
        card=2,
    )
    texts, end = rest_of_turn(state, level)
    assert "play i_colonial_militia" in texts
    assert len(armies(end, 0)) >= 5


@pytest.mark.rule("history_of_the_world#score-6")
@pytest.mark.parametrize("level", LEVELS)
def test_a_marker_that_shares_its_space_goes_up(level):
    state = position(
        phase="scoring",
        armies=["nile", "", ""],
        empires=["sumerians", "egyptians", "minoans"],
        starts=[2, 3, 1],
        records=[[], [[1, "0" * 13, 0, 1, 0, 0, 0, 0]], []],
    )
    assert answer(play(state, "score"), level) == "up"


@pytest.mark.rule("history_of_the_world#score-6")
@pytest.mark.parametrize(("level", "way"), [("apprentice", "up"), ("journeyman", "up"), ("scribe", "down"), ("master", "down")])
def test_who_thinks_of_the_next_draft_does_not_pass_two_others_for_a_few_points(level, way):
    state = position(
        phase="scoring",
        active=2,
        called=3,
        armies=["", "", "nile"],
        empires=["sumerians", "egyptians", "minoans"],
        starts=[2, 3, 1],
        records=[[[1, "0" * 13, 0, 1, 0, 0, 0, 0]], [[1, "0" * 13, 0, 1, 0, 0, 0, 0]], []],
    )
    assert answer(play(state, "score"), level) == way


@pytest.mark.rule("history_of_the_world#score-1")
def test_the_scribe_prefers_points_to_a_region_without_a_tile():
    state = position(
        epoch=1, phase="conquest", active=0, empires=["hittites", "zhou", "vedics"], armies=["anatolia*", "wei", "ganges"], card=1
    )
    assert answer(state, "scribe") in {"conquer levant land", "conquer mesopotamia land", "conquer balkans land"}


# The figures behind the answers


def test_the_odds_of_a_battle_are_those_of_the_dice():
    assert [round(chance * 216) for chance in battle(0, 1)] == [125, 36, 55]
    won, tied, lost = battle(0, 1, (1, 0))  # one die of the attacker rerolled if that can help
    assert won > 125 / 216
    assert won + tied + lost == pytest.approx(1)
    assert battle(0, 1, (0, 1))[0] < 125 / 216  # one of a defender's
    assert battle(0, 2, (0, 0), wins_ties=True)[1] == 0


def test_a_siege_costs_more_armies_against_forts_and_mountains_and_fewer_with_a_bonus():
    plain, fort, mountain = (siege(edge, 0, dice, (0, 0), False) for edge, dice in ((0, 1), (0, 2), (-1, 1)))
    assert plain.armies[0] < mountain.armies[0]
    assert plain.armies[0] < fort.armies[0]
    assert plain.armies[3] < plain.armies[1] < plain.armies[0]
    assert plain.taken(0, 0) == pytest.approx(125 / 216)
    assert plain.taken(0, 0) < plain.taken(0, 1) < plain.taken(0, 5)


def test_the_odds_of_an_attack_are_worked_out_on_a_copy():
    state = position(
        phase="conquest", epoch=2, active=0, empires=["persians", "mauryas", "celts"], armies=["zagros*", "levant", "gaul"], card=2
    )
    before = state.copy()
    siege_for(state, state.armies[1].bit_length() - 1, by_fleet=False)
    assert state == before


def test_the_outlook_counts_this_turn_as_the_scoring_does():
    checked = 0
    for state, _ in choices_met("history_of_the_world", 60):
        if state.epoch and state.active >= 0:
            now, _, _ = Outlook(state, state.active).terms(map_of(state))
            assert now == points_of(record_of(state, state.active))
            checked += 1
    assert checked > 20


def test_nothing_lasts_beyond_the_last_epoch():
    state = position(
        phase="conquest",
        epoch=5,
        active=0,
        called=8,
        empires=["japanese", "mughals", "russians"],
        armies=["honshu*", "ganges", "volga"],
        card=1,
    )
    assert Outlook(state, 0).terms(map_of(state))[1] == 0


def test_each_empire_passes_over_its_start_and_an_army_lasts_the_less_the_more_empires_come():
    for realm, passages in zip(EMPIRES, PASSAGES, strict=True):
        taken = dict(passages)
        assert all(taken[start] == 1.0 for start in realm.starts)
        assert all(0 < share <= 1 for share in taken.values())
    few, many = standing_odds(2, 6, 8, evenly(0.4)), standing_odds(2, 0, 8, evenly(0.4))
    assert all(0 <= less <= more <= 1 for less, more in zip(many, few, strict=True))
    assert sum(many) < sum(few)


def test_who_looks_at_the_empires_knows_which_of_them_will_act():
    states = [
        state for state, _ in choices_met("history_of_the_world", 60) if state.phase == DRAFT and seat_sees_empires(state, due(state))
    ]
    assert states
    for state in states:
        odds = acting_odds(state, due(state), 8)
        known = [at for at, empire in enumerate(EMPIRES_BY_EPOCH[state.epoch]) if empire in state.pile_empires]
        assert all(odds[at] == 1.0 for at in known)
        assert sum(odds) == pytest.approx(state.seats)  # the seat's own empire is one of them


# What an answer says


@pytest.mark.parametrize("level", ["journeyman", "scribe", "master"])
def test_a_plan_of_several_conquests_is_not_said_to_be_the_worth_of_one_province(level):
    state = position(
        phase="conquest",
        epoch=2,
        active=0,
        empires=["romans", "celts", "han"],
        armies=["apennines*", "gaul", "wei"],
        capitals="apennines",
        card=6,
    )
    many = game.choose_action(game.view_for(state, 0), level, SeededRng(1))
    assert many.reasons[0][0] == "plan"
    state.card_armies = 1
    one = game.choose_action(game.view_for(state, 0), level, SeededRng(1))
    assert one.reasons[0][0] == "conquest"
    assert one.reasons[0][1] < many.reasons[0][1]
    assert "icons" in [key for key, _, _ in many.reasons], "two icons more bring a monument"
    assert one.marks == (f"province-{str(one.action).split()[1]}",)


def test_a_drawn_card_is_kept_or_passed_on_for_a_reason_of_the_right_sign():
    give, keep = parse_action("give 1"), parse_action("keep")
    assert passing_reason(keep, 2.0)[:2] == ("keep", 2.0)
    assert passing_reason(give, -1.5)[:2] == ("give", -1.5)
    assert passing_reason(give, 1.5)[:2] == ("give_better", 1.5)


@pytest.mark.rule("history_of_the_world#draft-1")
@pytest.mark.parametrize(("level", "key"), [("apprentice", "printed"), ("journeyman", "printed"), ("scribe", "draft")])
def test_only_those_who_go_by_the_print_of_a_card_say_so(level, key):
    said = set()
    for state, seat in choices_met("history_of_the_world", 60):
        if state.phase == DRAFT:
            choice = game.choose_action(game.view_for(state, seat), level, SeededRng(1))
            if choice.action.verb == "take":
                said.add(choice.reasons[0][0])
                others = {name for name, _, _ in choice.reasons[1:]}
                assert others <= {"armies", "card_now", "card_later", "lost"}
    assert key in said
    assert said <= {key, "only"}
