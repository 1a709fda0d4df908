"""The bots of Babel: what they may look at, what they answer in plain positions, and that each level beats the one below."""

from __future__ import annotations

import re
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from games.babel import legality
from games.babel.bot import LEVELS as ALL_LEVELS
from games.babel.components import LANDS
from games.babel.components import LEVELS as LEVEL_COUNTS
from games.babel.evaluation import DECIDED, WIN, Outlook, distance
from games.babel.search import NODES, follow, give_up, plan_turn
from games.babel.state import ACTION, HALVING, REVEALING, SCORING, State
from games.babel.view import known_state, unseen
from games.core.rng import SeededRng
from games.core.simulate import Match, play_game
from tests.engine.babel import secrets
from tests.engine.babel.builders import data_from, due, first_turn, game, keys, legal, play, position, scores, temple
from tests.engine.babel.test_worked_example import start as worked_example

LEVELS = ("apprentice", "scribe")
ANCHORS = {
    match
    for file in (Path(__file__).parents[3] / "rules_docs" / "content" / "babel" / "en").glob("*.md")
    for match in re.findall(r"\{#([a-z0-9-]+)\}", file.read_text(encoding="utf-8"))
}


def answer(state: State, level: str = "scribe", seed: int = 1) -> str:
    return str(game.choose_action(game.view_for(state, due(state)), level, SeededRng(seed)).action)


def rest_of_turn(state: State, level: str = "scribe") -> tuple[list[str], State, list[str]]:
    """Play on until the turn or the game ends; return what was answered, the position then, and what happened."""
    texts, happened = [], []
    rng = SeededRng(1)
    while state.phase in (ACTION, HALVING):
        seat = due(state)
        action = game.choose_action(game.view_for(state, seat), level, rng).action
        texts.append(str(action))
        state, events = game.apply(state, seat, action)
        happened += keys(events)
    return texts, state, happened


def some_positions(count: int, label: str = "positions") -> list[State]:
    """Return positions with a choice, halvings among them, from games of apprentices."""
    rng, found = SeededRng(label), []
    while len(found) < count:
        state = game.setup(2, {})
        while actors := game.actors(state):
            actor = actors[0]
            if actor < 0:
                action = game.sample_chance(state, rng) if actor == -1 else game.legal_actions(state, actor)[0]
            else:
                if len(game.legal_actions(state, actor)) > 1 and (state.phase == HALVING or rng.below(8, "keep") == 0):
                    found.append(state)
                action = game.choose_action(game.view_for(state, actor), "apprentice", rng).action
            state, _ = game.apply(state, actor, action)
    return found[:count]


def with_deck(picture: str, deck: list[int], top: int) -> State:
    """Return the position of a picture without stocks; all temple cards but those of `deck` lie in stocks, `top` on both."""
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


# What every level promises


@pytest.mark.parametrize(
    ("bots", "games"),
    [(("random", "random"), 4), (("apprentice", "random"), 4), (("apprentice", "apprentice"), 4), (("scribe", "scribe"), 1)],
)
def test_every_answer_is_allowed_and_every_game_ends_by_its_rule(bots, games):
    for number in range(games):
        played = play_game(game, Match("babel", 2, bots, 3), number)  # raises at an answer that is not allowed
        assert f"end.{played.reason}" in game.phrases
        assert sum(played.wins) == 1


def test_the_lobby_offers_all_levels_but_the_random_one():
    assert set(game.meta.bot_levels) == set(ALL_LEVELS) - {"random"}


@pytest.mark.parametrize("level", LEVELS)
def test_an_answer_follows_from_view_and_generator_alone(level):
    vary = SeededRng(4)
    changed = halved = 0
    for state in some_positions(50):
        seat = due(state)
        view = game.view_for(state, seat)
        first = game.choose_action(view, level, SeededRng(9))
        assert game.choose_action(view, level, SeededRng(9)) == first
        assert view == game.view_for(state, seat)
        other = secrets.vary(state, seat, vary)
        changed += other != state
        halved += state.phase == HALVING
        assert game.choose_action(game.view_for(other, seat), level, SeededRng(9)) == first
        if level == "scribe":
            assert game.choose_action(view, level, SeededRng(10)) == first
    assert changed > 15
    assert halved > 0


@pytest.mark.parametrize("level", LEVELS)
def test_reasons_can_be_said_and_cite_paragraphs(level):
    seen = set()
    for state in some_positions(60):
        reasons = game.choose_action(game.view_for(state, due(state)), level, SeededRng(1)).reasons
        assert reasons
        for key, value, rule in reasons:
            seen.add(key)
            assert f"bot.{key}" in game.phrases
            assert isinstance(value, int if key in ("win", "give_up") else float)
            assert rule is None or rule.removeprefix("babel#") in ANCHORS
    assert len(seen) >= {"apprentice": 6, "scribe": 8}[level]


@pytest.mark.parametrize("level", LEVELS)
def test_the_only_possible_answer_is_given_and_said_to_be_the_only_one(level):
    state = position("turn: 9\n0> hittites |\n1 medes | 4")
    assert legal(state) == ["end"]
    choice = game.choose_action(game.view_for(state, 0), level, SeededRng(1))
    assert (str(choice.action), choice.reasons[0][0]) == ("end", "only")


@pytest.mark.parametrize(("level", "seat"), [("master", 0), ("scribe", 1), ("scribe", None)])
def test_unknown_levels_and_seats_that_are_not_due_get_no_answer(level, seat):
    with pytest.raises(ValueError, match=r"no bot|not due"):
        game.choose_action(game.view_for(position("turn: 9\n0> hittites | AAH\n1 medes | 4"), seat), level, SeededRng(1))


def test_nobody_answers_for_chance():
    state = play(position("turn: 9\n0> hittites | AAH\n1 medes | 4"), "end")
    assert state.phase == REVEALING
    with pytest.raises(ValueError, match="not due"):
        game.choose_action(game.view_for(state, 0), "scribe", SeededRng(1))


@pytest.mark.rule("babel#start-2")
@pytest.mark.parametrize("level", LEVELS)
def test_the_first_turn_builds_level_1_whatever_was_dealt(level):
    for seed in range(6):
        rng, state = SeededRng(seed), game.setup(2, {"start_hands": "3/5" if seed % 2 else "5/5"})
        for _ in range(2):
            while state.phase > HALVING:
                state, _ = game.apply(state, due(state), game.sample_chance(state, rng))
            seat = due(state)
            texts, state, _ = rest_of_turn(state, level)
            assert scores(state)[seat] >= 1, texts


def test_the_random_level_picks_among_all_that_is_allowed():
    state = first_turn(0, "AHMSP")
    answers = {answer(state, "random", seed) for seed in range(60)}
    assert answers == set(legal(state))


# Plain positions


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
    assert happened.index("switched") < happened.index("destroyed")  # Assyrians come over, and then there are three of them
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
    for state in some_positions(60, "wins"):
        if state.phase == ACTION:
            _, end, _ = rest_of_turn(state, level)
            if end.phase == REVEALING:
                ended += 1
                last = end.copy()
                last.phase = ACTION
                wins = [action for action in game.legal_actions(last, last.due) if str(action) != "end"]
                assert not any(follow(last, action).phase == SCORING for action in wins)
    assert ended > 30


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
    state = position("""
        turn: 9
        0> hittites | S
        1 sumerians | AAAHMP
        hittites:  SSSP .   | .   .
        sumerians: HHP  123 | SSP 12
        phase: action
    """)
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
    for state in some_positions(40, "plans"):
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


@pytest.mark.parametrize("budget", [0.0, 0.01, 0.1])
def test_a_budget_is_a_number_of_positions_looked_at(budget, monkeypatch):
    looked = 0
    value = Outlook.value

    def counted(self: Outlook, state: State) -> float:
        nonlocal looked
        looked += 1
        return value(self, state)

    monkeypatch.setattr(Outlook, "value", counted)
    state = worked_example()
    view = game.view_for(state, 0)
    game.choose_action(view, "scribe", SeededRng(1))
    free, looked = looked, 0
    choice = game.choose_action(view, "scribe", SeededRng(1), budget_s=budget)
    assert choice.action in game.legal_actions(state, 0)
    assert looked <= free <= NODES + 40
    assert looked <= 8000 * budget + 40  # a node is followed to its end


@pytest.mark.rule("babel#halving-1")
@pytest.mark.parametrize(("held", "left"), [(2, 1), (5, 3), (7, 4)])
def test_a_plan_takes_half_of_a_hand_of_which_only_the_number_is_known(held, left):
    state = position(f"turn: 9\n0> hittites | S\n1 medes | {held}\nhittites: SSSP . | . .")
    known = follow(known_state(game.view_for(state, 0)), game.parse_action("halve sumerians"))
    assert (sum(known.hands[LANDS:]), known.phase, known.due) == (left, ACTION, 0)
    give_up(known)
    assert sum(known.hands[LANDS:]) == left - left // 2


# The evaluation


@pytest.mark.rule("babel#end-1", "babel#end-3", "babel#end-4")
@pytest.mark.parametrize(("own", "other", "away"), [(14, 9, 1), (14, 10, 2), (15, 12, 3), (18, 17, 2), (0, 0, 15), (0, 20, 20), (20, 3, 0)])
def test_how_far_a_side_is_from_winning(own, other, away):
    assert distance(own, other) == away


def test_a_won_position_is_worth_more_than_any_other():
    best = 0.0
    for state in some_positions(40):
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


# Strength: small, seeded, and so always the same; `manage.py ladder` measures it in earnest


@pytest.mark.parametrize(("bots", "games", "at_least"), [(("apprentice", "random"), 10, 9), (("scribe", "apprentice"), 4, 3)])
def test_each_level_beats_the_one_below(bots, games, at_least):
    assert sum(play_game(game, Match("babel", 2, bots, 5), number).wins[0] for number in range(games)) >= at_least
