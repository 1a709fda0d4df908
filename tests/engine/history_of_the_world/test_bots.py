"""The bots of History of the World: what they may look at, what they answer in plain positions, and that each level beats the one below."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.core.rng import SeededRng
from games.core.simulate import Match, play_game
from games.history_of_the_world import game
from games.history_of_the_world.bot import LEVELS as ALL_LEVELS
from games.history_of_the_world.components import EMPIRES, EMPIRES_BY_EPOCH
from games.history_of_the_world.evaluation import Outlook, acting_odds, evenly, map_of, seat_sees_empires, standing_odds
from games.history_of_the_world.odds import battle, siege
from games.history_of_the_world.passages import PASSAGES
from games.history_of_the_world.scoring import points_of, record_of
from games.history_of_the_world.state import DRAFT, State
from tests.engine.history_of_the_world.builders import armies, due, play, position

LEVELS = ("apprentice", "scribe")
ANCHORS = {
    match
    for file in (Path(__file__).parents[3] / "rules_docs" / "content" / "history_of_the_world" / "en").glob("*.md")
    for match in re.findall(r"\{#([a-z0-9-]+)\}", file.read_text(encoding="utf-8"))
}


def answer(state: State, level: str = "scribe", seed: int = 1) -> str:
    return str(game.choose_action(game.view_for(state, due(state)), level, SeededRng(seed)).action)


def next_action(state: State, actor: int, level: str, rng: SeededRng):
    """Return what chance, the scorer or a bot of a level does."""
    if actor == -1:
        return game.sample_chance(state, rng)
    if actor < 0:
        return game.legal_actions(state, actor)[0]
    return game.choose_action(game.view_for(state, actor), level, rng).action


def some_positions(count: int, every: int = 9) -> list[State]:
    """Return positions with a choice, from games of apprentices under both drafts; the first of each phase is among them."""
    rng, found, phases = SeededRng("positions"), [], set()
    number = 0
    while len(found) < count:
        number += 1
        state = game.setup(3 + number % 4, {"draft": ("standard", "classic")[number % 2]})
        while actors := game.actors(state):
            actor = actors[0]
            if actor >= 0 and (state.phase not in phases or rng.below(every, "keep") == 0) and len(game.legal_actions(state, actor)) > 1:
                phases.add(state.phase)
                found.append(state)
            # now and then something odd, so that positions differ
            state, _ = game.apply(state, actor, next_action(state, actor, "random" if rng.below(6, "odd") == 0 else "apprentice", rng))
    return found[:count]


@pytest.fixture(scope="module")
def met() -> list[State]:
    return some_positions(60)


# What every level promises


@pytest.mark.parametrize(
    ("seats", "bots", "games", "classic"),
    [
        (3, ("random", "random", "random"), 2, False),
        (6, ("apprentice", "random", "apprentice", "random", "apprentice", "apprentice"), 2, True),
        (5, ("apprentice",) * 5, 2, False),
        (4, ("scribe",) * 4, 1, True),
        (3, ("scribe",) * 3, 1, False),
    ],
)
def test_every_answer_is_allowed_and_every_game_ends_by_its_rule(seats, bots, games, classic):
    for number in range(games):
        rng = SeededRng(f"game {number}")
        state = game.setup(seats, {"draft": "classic" if classic else "standard"})
        moves = 0
        while actors := game.actors(state):
            level = bots[actors[0]] if actors[0] >= 0 else ""
            state, _ = game.apply(state, actors[0], next_action(state, actors[0], level, rng))  # raises at what is not allowed
            moves += 1
            assert moves < 4000
        outcome = game.outcome(state)
        assert outcome is not None
        assert sorted(outcome.places) == list(range(1, seats + 1))


def test_the_lobby_offers_all_levels_but_the_random_one():
    assert set(game.meta.bot_levels) == set(ALL_LEVELS) - {"random"}


@pytest.mark.parametrize("level", LEVELS)
def test_an_answer_follows_from_view_and_generator_alone(level, met):
    phases = set()
    for state in met:
        phases.add(state.phase)
        seat = due(state)
        view = game.view_for(state, seat)
        first = game.choose_action(view, level, SeededRng(9))
        assert game.choose_action(view, level, SeededRng(9)) == first
        assert view == game.view_for(state, seat)
        assert first.action in game.legal_actions(state, seat)
        if level == "scribe":
            assert game.choose_action(view, level, SeededRng(10)) == first
            assert game.choose_action(view, level, SeededRng(9), 0.01).action in game.legal_actions(state, seat)
    assert len(phases) >= 10


@pytest.mark.parametrize("level", LEVELS)
def test_what_others_hide_changes_nothing(level, met):
    for number, state in enumerate(met[::2]):
        seat = due(state)
        view = game.view_for(state, seat)
        other = game.sample_state(view, SeededRng(number))
        assert game.choose_action(game.view_for(other, seat), level, SeededRng(2)) == game.choose_action(view, level, SeededRng(2))


@pytest.mark.parametrize("level", LEVELS)
def test_reasons_can_be_said_and_cite_paragraphs(level, met):
    seen = set()
    for state in met:
        reasons = game.choose_action(game.view_for(state, due(state)), level, SeededRng(1)).reasons
        assert reasons
        for key, value, rule in reasons:
            seen.add(key)
            assert f"bot.{key}" in game.phrases
            assert isinstance(value, float)
            assert rule is None or rule.removeprefix("history_of_the_world#") in ANCHORS
    assert len(seen) >= 8


@pytest.mark.parametrize(("level", "seat"), [("master", 0), ("scribe", 1), ("scribe", None)])
def test_unknown_levels_and_seats_that_are_not_due_get_no_answer(level, seat):
    state = position(
        phase="conquest", epoch=1, active=0, empires=["egyptians", "minoans", "hittites"], armies=["nile*", "crete", ""], card=2
    )
    with pytest.raises(ValueError, match=r"no bot|not due"):
        game.choose_action(game.view_for(state, seat), level, SeededRng(1))


# Plain positions


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
    """Play until the points of the turn are due; return what the active seat answered, and the position then."""
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


@pytest.mark.rule("history_of_the_world#score-1")
def test_the_scribe_prefers_dominance_to_a_region_without_a_tile():
    state = position(
        epoch=1, phase="conquest", active=0, empires=["hittites", "zhou", "vedics"], armies=["anatolia*", "wei", "ganges"], card=1
    )
    assert answer(state, "scribe") in {"conquer levant land", "conquer mesopotamia land", "conquer zagros land"}


# The figures behind the answers


def test_the_odds_of_a_battle_are_those_of_the_dice():
    assert [round(chance * 216) for chance in battle(0, 1)] == [125, 36, 55]
    won, tied, lost = battle(0, 1, (1, 0))  # one die of the attacker rolled again when that can help
    assert won > 125 / 216
    assert won + tied + lost == pytest.approx(1)
    assert battle(0, 1, (0, 1))[0] < 125 / 216  # that of a defender
    assert battle(0, 2, (0, 0), wins_ties=True)[1] == 0


def test_a_siege_costs_more_armies_against_forts_and_mountains_and_fewer_with_a_bonus():
    plain, fort, mountain = (siege(edge, 0, dice, (0, 0), False) for edge, dice in ((0, 1), (0, 2), (-1, 1)))
    assert plain.armies[0] < mountain.armies[0]
    assert plain.armies[0] < fort.armies[0]
    assert plain.armies[3] < plain.armies[1] < plain.armies[0]
    assert plain.taken(0, 0) == pytest.approx(125 / 216)
    assert plain.taken(0, 0) < plain.taken(0, 1) < plain.taken(0, 5)


def test_the_outlook_counts_this_turn_as_the_scoring_does(met):
    checked = 0
    for state in met:
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


def test_who_looks_at_the_empires_knows_which_of_them_will_act(met):
    states = [state for state in met if state.phase == DRAFT and seat_sees_empires(state, due(state))]
    assert states
    for state in states:
        odds = acting_odds(state, due(state), 8)
        known = [at for at, empire in enumerate(EMPIRES_BY_EPOCH[state.epoch]) if empire in state.pile_empires]
        assert all(odds[at] == 1.0 for at in known)
        assert sum(odds) == pytest.approx(state.seats)  # the own empire is one of them


# Each level beats the one below


def test_an_apprentice_beats_random_play_from_every_seat():
    match = Match("history_of_the_world", 4, ("apprentice", "random", "random", "random"), 11)
    assert [play_game(game, match, number).wins[0] for number in range(4)] == [1.0] * 4


def test_the_scribe_gains_more_than_apprentices():
    match = Match("history_of_the_world", 4, ("scribe", "apprentice", "apprentice", "apprentice"), 11)
    played = [play_game(game, match, number).scores for number in range(8)]
    assert sum(scores[0] for scores in played) > sum(sum(scores[1:]) for scores in played) / 3
