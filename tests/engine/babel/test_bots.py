"""The bots of Babel: their answers in simple positions, the search and the evaluation (see `test_every_bot` for everything else)."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest

from games.babel import legality
from games.babel.bot import NEAR
from games.babel.components import LANDS
from games.babel.components import LEVELS as LEVEL_COUNTS
from games.babel.evaluation import DECIDED, WIN, Outlook, distance
from games.babel.search import Breadth, follow, give_up, plan_turn
from games.babel.state import ACTION, HALVING, REVEALING, SCORING, State
from games.babel.view import known_state, unseen
from games.core.rng import SeededRng
from tests.engine.babel.builders import data_from, due, game, keys, play, position, scores, temple
from tests.engine.babel.test_worked_example import start as worked_example
from tests.engine.played import choices_met

LEVELS = game.meta.bot_levels
TO_BE_HALVED = """
    turn: 9
    0> hittites | S
    1 sumerians | AAAHMP
    hittites:  SSSP .   | .   .
    sumerians: HHP  123 | SSP 12
    phase: action
"""


def answer(state: State, level: str = "scribe", seed: int = 1) -> str:
    return str(game.choose_action(game.view_for(state, due(state)), level, SeededRng(seed)).action)


def rest_of_turn(state: State, level: str = "scribe") -> tuple[list[str], State, list[str]]:
    """Play on until the turn or the game ends; return the answers, the position, and the events."""
    texts, happened = [], []
    rng = SeededRng(1)
    while state.phase in (ACTION, HALVING):
        seat = due(state)
        action = game.choose_action(game.view_for(state, seat), level, rng).action
        texts.append(str(action))
        state, events = game.apply(state, seat, action)
        happened += keys(events)
    return texts, state, happened


def with_deck(picture: str, deck: list[int], top: int) -> State:
    """Return the position of a picture without stocks; all temple cards except those of `deck` are in stocks, with `top` on both."""
    temples = data_from(picture).get("temples", [{}, {}])
    rest = [count - left for count, left in zip(LEVEL_COUNTS[1:], deck, strict=True)]
    for level in [level for side in temples for levels in side.values() for level in levels] + [top, top]:
        rest[level - 1] -= 1
    below = [level for level in range(6, 0, -1) for _ in range(rest[level - 1])]
    return position(picture, stocks=[[*below, top], [top]], deck=deck)


def outlook_for(state: State) -> tuple[Outlook, State]:
    view = game.view_for(state, due(state))
    known = known_state(view)
    return Outlook(view, known, due(state)), known


@pytest.mark.rule("babel#start-2")
@pytest.mark.parametrize("level", LEVELS)
def test_the_first_turn_builds_level_1_whatever_was_dealt(level):
    for seed in range(2):
        rng, state = SeededRng(seed), game.setup(2, {"start_hands": "3/5" if seed % 2 else "5/5"})
        for _ in range(2):
            while state.phase > HALVING:
                state, _ = game.apply(state, due(state), game.sample_chance(state, rng))
            seat = due(state)
            texts, state, _ = rest_of_turn(state, level)
            assert scores(state)[seat] >= 1, texts


# Simple positions


@pytest.mark.rule("babel#end-1")
@pytest.mark.parametrize("level", LEVELS)
def test_a_level_that_wins_is_built_at_once(level):
    state = position("""
        turn: 9
        0> hittites | AHS
        1 medes | 4
        hittites:  HPA   12    | MMP 123
        medes:     MMHS  1234  | .
        sumerians: SSPPA 12345 | .
        persians:  HPM   123   | .
        stocks: 6 3 | 5
    """)
    assert scores(state) == [14, 3]
    choice = game.choose_action(game.view_for(state, 0), level, SeededRng(1))
    assert (str(choice.action), choice.reasons[0][0]) == ("build own", "win")


@pytest.mark.rule("babel#end-4", "babel#destroy-1")
@pytest.mark.parametrize("level", LEVELS)
def test_a_temple_is_destroyed_when_that_wins(level):
    state = position("""
        turn: 9
        0> hittites | HS
        1 medes | 4
        hittites:  AAAP  1     | MMPS 1234
        medes:     MMHS  1234  | MMP  123
        sumerians: SSPPA 12345 | SSP  123
        persians:  HPMPP 12345 | PS   12
        stocks: 6 4 | 5
    """)
    assert scores(state) == [15, 12]
    assert answer(state, level) == "destroy"


@pytest.mark.rule("babel#skip-1", "babel#migration-1", "babel#end-1")
def test_the_scribe_finds_a_win_three_steps_away():
    state = position("""
        turn: 9
        0> hittites | PS
        1 medes | 4
        hittites:  AAAP  1     | MMPS 1234
        medes:     MMHS  123   | MMP  12
        sumerians: SSPPA 12345 | SS   1
        persians:  HPMP  123   | P    .
        stocks: 6 3 | 5 4
    """)
    assert scores(state) == [12, 7]
    texts, end, _ = rest_of_turn(state)
    assert (end.phase, scores(end)[0]) == (SCORING, 15)
    assert len(texts) >= 3
    assert not any(follow(known_state(game.view_for(state, 0)), action).phase == SCORING for action in game.legal_actions(state, 0))


@pytest.mark.rule("babel#sample-3")
def test_the_scribe_plays_the_long_turn_of_the_rule_book_at_least_as_well_as_the_book():
    state = worked_example()
    texts, end, happened = rest_of_turn(state)
    assert "destroyed" in happened
    assert happened.index("switched") < happened.index("destroyed")  # Assyrians switch sides, and then there are three of them
    assert temple(end, 1, "hittites") == []
    assert scores(end)[0] - scores(end)[1] >= 3 - 2, texts
    outlook, known = outlook_for(state)
    book = known
    for text in [
        "switch", "migrate hittites sumerians", "switch", "destroy", "move assyrians", "settle hittites", "steal", "move sumerians",
        "halve persians", "halve persians",
    ]:  # fmt: skip
        book = follow(book, game.parse_action(text))
    assert plan_turn(known, outlook).worth >= outlook.value(book)


@pytest.mark.parametrize("level", LEVELS)
def test_no_turn_ends_while_one_action_would_win(level):
    ended = 0
    for state, _ in choices_met("babel", 48):
        if state.phase == ACTION:
            _, end, _ = rest_of_turn(state, level)
            if end.phase == REVEALING:
                ended += 1
                last = end.copy()
                last.phase = ACTION
                wins = [action for action in game.legal_actions(last, last.due) if str(action) != "end"]
                assert not any(follow(last, action).phase == SCORING for action in wins)
    assert ended > 10


@pytest.mark.rule("babel#end-5", "babel#end-7")
@pytest.mark.parametrize(("hand", "wanted"), [("HS", True), ("H", False)])
def test_with_the_last_temple_cards_to_come_the_scribe_keeps_the_cards_that_win_the_tie(hand, wanted):
    picture = f"turn: 22\n0> hittites | {hand}\n1 medes | 1\nhittites: AAP 12 | MMPS 12"
    state = with_deck(picture, [0, 0, 0, 0, 2, 0], top=6)
    outlook, known = outlook_for(state)
    assert (outlook.value(known) > DECIDED / 2) == wanted
    _, end, _ = rest_of_turn(state)
    counts = game.view_for(end, None).hand_counts
    assert (counts[0] > counts[1]) == wanted


@pytest.mark.rule("babel#halving-2")
@pytest.mark.parametrize("level", LEVELS)
def test_a_halved_hand_keeps_its_three_equal_cards(level):
    state = position(TO_BE_HALVED)
    halved = play(state, "halve sumerians")
    assert due(halved) == 1
    assert answer(halved, level) == "discard hittites medes persians"


def test_what_the_scribe_gives_up_is_the_half_of_its_hand_that_it_misses_least():
    rng = SeededRng("halves")
    for held in [4, 5, 6, 7, 8, 9] * 3:
        hand = "".join("AHMSP"[rng.below(5, "hand")] for _ in range(held))
        state = position(f"turn: 9\n0> hittites | S\n1 medes | {hand}\nhittites: SSSP 12 | AA 1\nmedes: PH 1 | SSH 123")
        state = play(state, "halve sumerians")
        outlook, known = outlook_for(state)
        worths = {}
        for action in game.legal_actions(state, 1):
            after = known.copy()
            for people in action.peoples:
                after.hands[LANDS + people] -= 1
            worths[action] = outlook.value(after)
        given = game.choose_action(game.view_for(state, 1), "scribe", SeededRng(1)).action
        assert len(given.peoples) == held // 2
        assert worths[given] == max(worths.values())


# The search


def test_a_plan_is_played_as_it_was_foreseen_and_is_never_worse_than_ending_at_once():
    planned = 0
    for state, _ in choices_met("babel", 60):
        if state.phase != ACTION:
            continue
        outlook, known = outlook_for(state)
        plan = plan_turn(known, outlook)
        at_once = known
        real = state
        for action in plan.actions:
            real, _ = game.apply(real, due(real), action)  # raises unless it is allowed
            while real.phase == HALVING:
                real, _ = game.apply(real, due(real), game.legal_actions(real, due(real))[0])
        assert (real.columns, real.temples, real.stocks, real.scores) == (
            plan.state.columns,
            plan.state.temples,
            plan.state.stocks,
            plan.state.scores,
        )
        assert legality.owes_first_level(at_once, due(state)) or plan.worth >= outlook.value(at_once)
        planned += len(plan.actions) > 1
    assert planned > 10


@pytest.mark.rule("babel#halving-1")
@pytest.mark.parametrize(("held", "left"), [(2, 1), (5, 3), (7, 4)])
def test_a_plan_takes_half_of_a_hand_of_which_only_the_number_is_known(held, left):
    state = position(f"turn: 9\n0> hittites | S\n1 medes | {held}\nhittites: SSSP . | . .")
    known = follow(known_state(game.view_for(state, 0)), game.parse_action("halve sumerians"))
    assert (sum(known.hands[LANDS:]), known.phase, known.due) == (left, ACTION, 0)
    give_up(known)
    assert sum(known.hands[LANDS:]) == left - left // 2


def test_a_plan_keeps_the_best_end_for_every_first_action_and_the_search_can_be_narrowed():
    several = narrower = 0
    for state, _ in choices_met("babel", 40):
        if state.phase != ACTION:
            continue
        outlook, known = outlook_for(state)
        plan, narrow = plan_turn(known, outlook), plan_turn(known, outlook, Breadth(width=2, children=8, depth=3))
        narrower += narrow.worth < plan.worth
        if not plan.lines:
            continue
        firsts = [line.first for line in plan.lines]
        assert len(set(firsts)) == len(firsts)
        assert set(firsts) <= set(game.legal_actions(state, due(state)))
        assert plan.lines[0].worth == plan.worth
        for line in plan.lines:
            after = known
            for action in line.actions:
                after = follow(after, action)
            assert outlook.value(after) == line.worth
        several += len(plan.lines) > 2
    assert several > 10
    assert narrower > 5


@pytest.mark.parametrize("level", ["apprentice", "journeyman", "scribe"])
def test_an_answer_points_at_pieces_of_the_board(level):
    kinds = set()
    for state, seat in choices_met("babel", 30):
        view = game.view_for(state, seat)
        choice = game.choose_action(view, level, SeededRng(1))
        if choice.reasons[0][0] == "only":
            continue
        assert len(set(choice.marks)) == len(choice.marks)
        assert set(choice.marks) <= set(game.scene(view)["targets"])
        assert choice.action in [action for action, _ in choice.ranked]
        assert len(choice.reasons) <= 5
        if choice.reasons[0][0] == "plan":
            assert choice.reasons[0][1] > 1
        elif level != "apprentice" and choice.reasons[-1][0] != "even":
            assert any(value > 0 for _, value, _ in choice.reasons) or choice.reasons[0][0] in ("end", "keep")
        kinds |= {mark.split("-")[0] for mark in choice.marks}
    assert {"land", "hand", "stock"} <= kinds


def test_lines_of_equal_worth_are_chosen_by_the_generator():
    varied = 0
    for state, seat in choices_met("babel", 30):
        view = game.view_for(state, seat)
        choices = [game.choose_action(view, "scribe", SeededRng(seed)) for seed in range(4)]
        best = choices[0].ranked[0][1] if choices[0].ranked else 0.0
        for choice in choices:
            assert choice.ranked == choices[0].ranked
            assert not choice.ranked or dict(choice.ranked)[choice.action] >= best - NEAR - 0.011  # they are rounded
        varied += len({choice.action for choice in choices}) > 1
    assert varied


# The evaluation


@pytest.mark.rule("babel#end-1", "babel#end-3", "babel#end-4")
@pytest.mark.parametrize(("own", "other", "away"), [(14, 9, 1), (14, 10, 2), (15, 12, 3), (18, 17, 2), (0, 0, 15), (0, 20, 20), (20, 3, 0)])
def test_how_far_a_side_is_from_winning(own, other, away):
    assert distance(own, other) == away


def test_a_won_position_is_worth_more_than_any_other():
    best = 0.0
    for state, _ in choices_met("babel", 60):
        outlook, known = outlook_for(state)
        best = max(best, abs(outlook.value(known)))
    assert best < WIN


@pytest.mark.rule("babel#temples-1", "babel#destroy-2")
def test_the_odds_of_temple_cards_are_exact():
    state = with_deck("turn: 9\n0> hittites | S\n1 medes | 3", [1, 2, 0, 2, 1, 1], top=3)
    outlook, known = outlook_for(state)
    cards = [1, 2, 2, 4, 4, 5, 6]
    pairs = list(combinations(cards, 2))
    expected = [sum(min(pair) == level for pair in pairs) / len(pairs) for level in range(7)]
    assert outlook.lower_of_two(known, b"") == pytest.approx(expected)
    expected = [sum(min(card, 3) == level for card in cards) / len(cards) for level in range(7)]
    assert outlook.lower_of_two(known, b"\x03") == pytest.approx(expected)
    assert outlook.lower_of_two(known, b"\x02\x01") == [0, 1, 0, 0, 0, 0, 0]


@pytest.mark.rule("babel#hidden-1", "babel#people-1")
def test_the_odds_of_the_other_hand_are_those_of_cards_that_cannot_be_seen():
    state = position("turn: 9\n0> hittites | SSA\n1 medes | 3\nhittites: SSSP . | MM .")
    outlook, _ = outlook_for(state)
    hidden = unseen(game.view_for(state, 0))
    total, assyrians = sum(hidden), hidden[0]
    none = comb(total - assyrians, 6) / comb(total, 6)  # three cards and three that it will draw
    assert outlook.odds(3)[0][:2] == pytest.approx([1.0, 1 - none])
    for rows in outlook.odds(3):
        assert rows == sorted(rows, reverse=True)


@pytest.mark.rule("babel#destroy-1", "babel#build-4")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("medes: HPM 123 | . .", "medes: HPM 12 | . ."),  # height
        ("medes: HPM 123 | MMP 12", "medes: HPM 123 | MMP 123"),
        ("medes: HPMS 123 | . .", "medes: HPM 123 | . ."),  # a settler
        ("medes: HPM 123 | HHP .", "medes: HPM 123 | HHA ."),  # one Assyrian of three
        ("medes: HPM 123 | HAP .", "medes: HPM 123 | PAA ."),
        ("medes: AAAM 1 | . 1234", "medes: AAHM 1 | . 1234"),  # a run against a temple
    ],
)
def test_the_better_one_of_two_positions_is_worth_more(better, worse):
    frame = "turn: 9\n0> hittites | HM\n1 sumerians | 4\n{}\nstocks: 6 | 6"
    worths = []
    for line in (better, worse):
        outlook, known = outlook_for(position(frame.format(line)))
        worths.append(outlook.value(known))
    assert worths[0] > worths[1]
