"""The bots of Tigris & Euphrates: their answers in simple positions, and the evaluation (see `test_every_bot` for everything else)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from games.core import learner as learners
from games.core.rng import SeededRng
from games.tigris_euphrates import scoring
from games.tigris_euphrates.actions import WARS, Catastrophe, parse_action
from games.tigris_euphrates.components import BLACK, GREEN
from games.tigris_euphrates.evaluation import Outlook, filled, level
from games.tigris_euphrates.features import NAMES
from games.tigris_euphrates.journeyman import Journeyman
from games.tigris_euphrates.learner import LEARNER
from games.tigris_euphrates.master import FIRST, RUIN, Master
from games.tigris_euphrates.odds import at_least, chance
from games.tigris_euphrates.reasons import conflict, explained, marks
from games.tigris_euphrates.scribe import Scribe
from games.tigris_euphrates.search import Lookahead
from games.tigris_euphrates.state import ACTION, DRAWING, State
from games.tigris_euphrates.view import known_state
from tests.engine.nets import adding
from tests.engine.played import choices_met
from tests.engine.tigris_euphrates.builders import data_of, drawn, due, game, leaders, legal, play, points, position

LEVELS = ("apprentice", "journeyman", "scribe")


def answer(state: State, level: str = "scribe", seed: int = 1) -> str:
    return str(game.choose_action(game.view_for(state, due(state)), level, SeededRng(seed)).action)


def played_turn(state: State, level: str = "scribe") -> tuple[State, list[str]]:
    """Let the active seat play its turn, and others answer its questions; return the position and the actions."""
    turn, done = state.turn, []
    while state.turn == turn and due(state) >= 0:
        done.append(answer(state, level))
        state = play(state, done[-1])
    return state, done


def test_a_budget_ends_the_search_and_without_one_no_clock_is_looked_at():
    state, _ = choices_met("tigris_euphrates", 40)[0]
    view = game.view_for(state, due(state))
    looks = [0]

    def clock() -> float:
        looks[0] += 1
        return float(looks[0])

    def forbidden() -> float:
        raise AssertionError("looked at the clock")

    legal_texts = legal(state)
    for budget in (0.0, 5.0, 60.0):
        looks[0] = 0
        chosen = Scribe(view, known_state(view), SeededRng(1), budget_s=budget, clock=clock).choose(game.legal_for_view(view)).action
        assert str(chosen) in legal_texts
        assert looks[0] <= budget + 12  # one call at the start, one for each step, a few to notice that time is up
    assert str(Scribe(view, known_state(view), SeededRng(1), clock=forbidden).choose(game.legal_for_view(view)).action) == answer(state)


# All levels in simple positions


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.rule("tigris_euphrates#leaders-1")
def test_a_first_turn_places_a_leader(level):
    assert answer(position(hands=["temple 2, farm 2, settlement, market", None]), level).startswith("leader ")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.rule("tigris_euphrates#conflicts-3", "tigris_euphrates#conflicts-4")
def test_a_defender_adds_just_enough_or_nothing(level):
    field = """
        T k1 S S .
        T .  S . .
        .  T . . .
    """
    state = drawn("E4", field, hands=["temple 6", "temple 3, farm 3"])
    state = play(state, "leader king F5")  # two temples beside each king
    assert answer(play(state, "support 2 temple"), level) == "support 2 temple"
    assert answer(play(state, "support 3 temple"), level) == "support 3 temple"
    assert answer(play(state, "support 4 temple"), level) == "support 0 temple"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.rule("tigris_euphrates#treasures-1")
def test_a_kingdom_with_a_trader_is_led_to_a_second_treasure(level):
    field = """
        .  M M M M .
        t0 . . . . .
    """  # treasures on F10 and K11
    after, _ = played_turn(drawn("F10", field, hands=["settlement, farm 5", None]), level)
    assert data_of(after)["jokers"] == [1, 0]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.rule("tigris_euphrates#wars-4")
def test_a_war_that_is_as_good_as_won_is_begun_and_a_lost_one_is_not(level):
    field = """
        T  S S . S k{} T
        k{} S S . . .  .
    """
    after, _ = played_turn(drawn("E4", field.format(1, 0), hands=["settlement 3, market, farm 2", None]), level)
    assert (leaders(after, 1), leaders(after, 0)["king"]) == ({}, "E5")
    after, done = played_turn(drawn("E4", field.format(0, 1), hands=["market 3, farm 3", None]), level)
    assert not [text for text in done if text.startswith("support")]
    assert (leaders(after, 0)["king"], leaders(after, 1)["king"]) == ("J4", "E5")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.rule("tigris_euphrates#revolts-3")
def test_nobody_revolts_without_temples_against_three(level):
    field = """
        .  T .  .
        T  k1 T T
        .  T .  .
    """
    state = drawn("E4", field, leaders=["priest B1, farmer A2, trader B3"], hands=["farm 3, market 3", None])
    after, _ = played_turn(state, level)
    assert leaders(after, 1) == {"king": "F5"}
    assert "king" in leaders(after, 0)


@pytest.mark.parametrize("level", ["apprentice", "scribe"])  # a newcomer may take the wrong pair of colours
@pytest.mark.rule("tigris_euphrates#monuments-1", "tigris_euphrates#monuments-10")
def test_a_monument_is_built_that_serves_two_leaders(level):
    field = """
        T k0 S S .
        T p0 S . .
        .  T . . .
    """
    after, done = played_turn(drawn("E4", field, hands=["settlement, farm 5", None]), level)
    assert [text for text in done if text.startswith("build black_")]
    assert len(points(after, 0)) == 2


# The scribe in simple positions


@pytest.mark.rule("tigris_euphrates#monuments-4")
def test_the_scribe_builds_nothing_that_serves_a_rival_alone():
    field = """
        T k1 S S .
        T p1 S . .
        .  T f0 . .
    """
    state = play(drawn("E4", field, hands=["settlement, farm 5", None]), "tile settlement H5")
    assert answer(state) == "decline"


@pytest.mark.rule("tigris_euphrates#monuments-9")
def test_the_scribe_does_not_turn_down_the_temples_below_its_own_leaders():
    field = """
        k0 T .
        p0 T T
    """
    state = play(drawn("E4", field, leaders=["farmer A2, trader B3"], hands=["temple, farm 5", None]), "tile temple G4")
    assert answer(state) == "decline"


@pytest.mark.rule("tigris_euphrates#conflicts-3")
@pytest.mark.parametrize(("gone", "added"), [("temple 43", 1), ("temple 42", 1), ("", 4)])
def test_the_scribe_adds_to_an_attack_what_the_other_hand_may_hold(gone, added):
    fields = {"gone": gone} if gone else {}
    state = position(leaders=["", "king C2"], hands=["temple 4, farm 2", "farm 6"], **fields)
    assert answer(play(state, "leader king B3")) == f"support {added} temple"


# The evaluation


def outlook_of(state: State, seat: int) -> Outlook:
    view = game.view_for(state, seat)
    return Outlook(view, known_state(view), seat)


@pytest.mark.rule("tigris_euphrates#scoring-2")
def test_together_colours_are_worth_at_least_the_weakest_and_at_most_their_mean():
    rng = SeededRng(3)
    for _ in range(200):
        colours = [float(rng.below(20, "colour")) for _ in range(4)]
        worth = level(colours, 0.0, 2.0)
        assert min(colours) <= worth + 1e-9 <= sum(colours) / 4 + 2e-9
        for at in range(4):
            more = [colour + (at == other) for other, colour in enumerate(colours)]
            assert level(more, 0.0, 2.0) > worth
        weakest = colours.index(min(colours))
        gains = [level([colour + (at == other) for other, colour in enumerate(colours)], 0.0, 2.0) for at in range(4)]
        assert gains[weakest] == max(gains)


@pytest.mark.rule("tigris_euphrates#scoring-5")
def test_treasures_fill_the_lowest_colours_as_the_scoring_does():
    rng = SeededRng(5)
    for _ in range(200):
        colours = [rng.below(12, "colour") for _ in range(4)]
        treasures = rng.below(9, "treasures")
        given = scoring.spread_treasures(colours, treasures)
        exact = filled([float(colour) for colour in colours], float(treasures))
        assert int(min(exact) + 1e-9) == min(total + more for total, more in zip(colours, given, strict=True))
        assert sum(exact) == pytest.approx(sum(colours) + treasures)


def test_the_odds_of_a_hand_are_those_of_all_hands_counted():
    pool = [kind for kind, count in enumerate((3, 4, 2)) for _ in range(count)]
    hands = list(combinations(pool, 4))
    for n in range(6):
        counted = sum(hand.count(1) >= n for hand in hands) / len(hands)
        assert at_least(len(pool), 4, 4)[n] == pytest.approx(counted)
    assert chance(at_least(9, 4, 4), 1.5) == pytest.approx((at_least(9, 4, 4)[1] + at_least(9, 4, 4)[2]) / 2)
    assert (chance(at_least(9, 4, 4), -1), chance(at_least(9, 4, 4), 9)) == (1.0, 0.0)


@pytest.mark.rule("tigris_euphrates#hidden-3")
def test_the_scribe_reckons_with_all_tiles_that_it_cannot_see():
    state = position(hands=["temple 4, farm 2", None], gone="market 5")
    outlook = outlook_of(state, 0)
    assert outlook.unseen == [30, 57 - 10 - 4, 36 - 2, 30 - 5]


@pytest.mark.rule("tigris_euphrates#leaders-3", "tigris_euphrates#revolts-3")
def test_a_leader_beside_more_temples_is_worth_more_to_its_owner_and_a_rival_s_monument_less():
    field = """
        {} k0 S S
        T p0 S S
        . T .  .
    """
    built = {"built": [["black_red", "G4", "settlement"]], "tiles": {}}
    worths = []
    for seat, sign in ((0, "T"), (0, "M"), (1, "T")):
        text = field.format(sign).replace("S", ".").replace("0", str(seat))
        state = drawn("E4", text, hands=["farm 6", None], **built)
        worths.append(outlook_of(state, 0).value(known_state(game.view_for(state, 0))))
    assert worths[0] > worths[1] > worths[2]


# The journeyman in simple positions


@pytest.mark.rule("tigris_euphrates#conflicts-3")
def test_a_newcomer_takes_the_other_hand_for_a_usual_one_and_the_scribe_for_any():
    state = play(position(leaders=["", "king C2"], hands=["temple 4, farm 2", "farm 6"]), "leader king B3")
    view = game.view_for(state, 0)
    sure = Journeyman(view, known_state(view), SeededRng(1), blur=0.0).choose(game.legal_for_view(view))
    assert str(sure.action) == "support 3 temple"  # one more than the two temples of a usual hand
    assert answer(state, "scribe") == "support 4 temple"


def test_a_newcomer_misjudges_what_it_weighs_and_so_varies():
    state = position(hands=["temple 2, farm 2, settlement, market", None])
    assert len({answer(state, "journeyman", seed) for seed in range(12)}) > 1


# What an answer says


def test_every_answer_marks_the_pieces_and_squares_that_it_is_about():
    field = """
        T k1 S S .
        T .  S . .
        .  T . . .
    """
    state = drawn("E4", field, hands=["temple 6", "temple 3, farm 3"])
    marked = {}
    for text in ("leader king F5", "swap temple temple", "catastrophe F4", "withdraw king", "pass"):
        marked[text] = marks(state, parse_action(text))
    assert list(marked.values()) == [["cell-F5"], ["hand-temple"], ["cell-F4"], [], []]
    assert marks(play(state, "leader king F5"), parse_action("support 2 temple")) == ["cell-F5", "cell-F4"]
    assert marks(state, parse_action("build black_red E4")) == ["cell-E4", "cell-F4", "cell-E5", "cell-F5"]


@pytest.mark.rule("tigris_euphrates#conflicts-4")
def test_an_answer_in_a_conflict_is_explained_by_strength_and_chance_first():
    field = """
        T k1 . .
        T .  . .
        .  T . .
    """
    state = drawn("E4", field, hands=["temple 6", "temple 3, farm 3"])
    start = game.choose_action(game.view_for(state, 0), "scribe", SeededRng(1))
    assert str(start.action).startswith("leader king")
    assert start.reasons[0][0] == "win_chance"
    revolt = play(state, "leader king F5")  # two temples against two
    attack = game.choose_action(game.view_for(revolt, 0), "scribe", SeededRng(1))
    assert [key for key, _, _ in attack.reasons[:2]] == ["strength", "win_chance"]
    added = int(str(attack.action).split()[1])
    assert attack.reasons[0][1] == added
    defence = play(revolt, f"support {added} temple")
    answered = game.choose_action(game.view_for(defence, 1), "scribe", SeededRng(1))
    assert answered.reasons[0][0] == "strength"
    assert "win_chance" not in [key for key, _, _ in answered.reasons], "nobody adds anything after the defender"


@pytest.mark.rule("tigris_euphrates#conflicts-4")
def test_a_defender_who_draws_level_is_said_to_win_the_tie_and_an_attacker_is_not():
    field = """
        T k1 . .
        T .  . .
        .  T . .
    """
    revolt = play(drawn("E4", field, hands=["temple 6", "temple 3, farm 3"]), "leader king F5")
    defence = play(revolt, "support 3 temple")
    keys = {count: [key for key, _, _ in conflict(defence, parse_action(f"support {count} temple"), [])] for count in (2, 3)}
    assert keys == {2: ["strength"], 3: ["strength", "tie"]}
    even = conflict(revolt, parse_action("support 0 temple"), [(1.0, revolt)])
    assert [key for key, _, _ in even] == ["strength", "win_chance"]


def test_where_all_is_equal_nothing_is_made_up():
    state = position(hands=["temple 2, farm 2, settlement, market", None])
    view = game.view_for(state, 0)
    outlook = outlook_of(state, 0)
    known = known_state(view)
    assert explained(outlook, known, parse_action("treasure B1"), [(1.0, known)], [(1.0, known)]) == [("even", 0.0, None)]
    assert explained(outlook, known, parse_action("pass"), [(1.0, known)], [(1.0, known)])[0][0] == "nothing"


def test_the_apprentice_gives_the_reason_of_its_own_move_alone_and_ranks_the_others():
    state = position(hands=["temple 2, farm 2, settlement, market", None])
    choice = game.choose_action(game.view_for(state, 0), "apprentice", SeededRng(3))
    assert len(choice.reasons) == 1
    assert choice.ranked[0][0] == choice.action
    assert len(choice.ranked) > 3


@pytest.mark.rule("tigris_euphrates#wars-2", "tigris_euphrates#wars-9")
def test_the_scribe_fights_first_the_war_that_ends_another_one():
    field = """
        .  M  . . t1 S
        k0 T  . M T k1
        .  t0 . . .  S
    """  # the market on H5, which a lost war of traders removes, is the only way to the king
    state = play(drawn("E4", field, hands=["settlement, market 4", None]), "tile settlement G5")
    known = known_state(game.view_for(state, 0))
    look = Lookahead(outlook_of(state, 0))
    black, green = [look.mean(look.after(known, WARS[role])) for role in (BLACK, GREEN)]
    assert green > black
    assert look.mean(look.settle(known)) == green
    assert answer(state) == "war trader"


def test_two_tables_open_in_different_ways():
    state = position(hands=["temple 2, farm 2, settlement, market", None])
    assert len({answer(state, seed=seed) for seed in range(12)}) > 3


# The master


@pytest.fixture
def hopeful():
    """A net that has learned nothing but to hope for points in the weakest colour."""
    return adding(NAMES, expected_0=1.0)


def test_features_are_finite_and_differ_between_positions():
    seen = set()
    for state, seat in choices_met("tigris_euphrates", 40):
        row = LEARNER.features(game.view_for(state, seat), seat)
        assert len(row) == len(NAMES)
        assert np.isfinite(row).all()
        seen.add(tuple(row))
    assert len(seen) > 20


def test_a_position_is_kept_when_a_turn_is_over_and_its_seat_draws():
    state = position(hands=["temple 2, farm 2, settlement, market", None])
    assert not LEARNER.seats_at(state)
    after, _ = played_turn(state)
    assert list(LEARNER.seats_at(after)) == ([0] if after.phase == DRAWING else [])


def test_the_master_ranks_turns_says_what_was_learned_and_gives_the_same_answer_again(hopeful):
    state, _ = choices_met("tigris_euphrates", 40)[0]
    view = game.view_for(state, due(state))
    choices = [
        Master(view, known_state(view), hopeful, SeededRng(1), budget).choose(game.legal_for_view(view)) for budget in (None, None, 60.0)
    ]
    assert choices[0] == choices[1] == choices[2]
    assert 1 < len(choices[0].ranked) <= FIRST + RUIN
    assert choices[0].reasons[-1][0] == "learned"
    hurried = Master(view, known_state(view), hopeful, SeededRng(1), 0.0).choose(game.legal_for_view(view))
    assert hurried.action in game.legal_actions(state, due(state))


@pytest.mark.rule("tigris_euphrates#catastrophes-1")
def test_the_master_weighs_catastrophes_of_which_the_scribe_thinks_little(hopeful):
    weighed = []
    for state, seat in choices_met("tigris_euphrates", 60):
        if state.phase == ACTION and state.catastrophes_left[seat]:
            view = game.view_for(state, seat)
            master = Master(view, known_state(view), hopeful, SeededRng(1))
            possible = [action for action in master.scribe.look.candidates(state) if isinstance(action, Catastrophe)]
            ranked = master.choose(game.legal_for_view(view)).ranked
            weighed.append(sum(isinstance(action, Catastrophe) for action, _ in ranked) - min(RUIN, len(possible)))
    assert len(weighed) > 3
    assert min(weighed) >= 0


def test_without_weights_the_master_plays_as_the_scribe(tmp_path):
    state, seat = choices_met("tigris_euphrates", 40)[0]
    learners.use("tigris_euphrates", tmp_path)
    try:
        given = [game.choose_action(game.view_for(state, seat), level, SeededRng(1)) for level in ("master", "scribe")]
    finally:
        learners.use("tigris_euphrates", None)
    assert given[0] == given[1]
