"""Playouts of Babel's master: the same deals for every end of its turn, to the end of the seat's next turn or of the game."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from games.babel import rules
from games.babel.actions import Draw, Move, Reveal
from games.babel.components import LANDS
from games.babel.learner import LEARNER
from games.babel.master import Corrections, Experience, corrections
from games.babel.playouts import APART, AT_ONCE, LEAST, OPTIONS, PLAYOUTS, ROUND, Deal, Playouts
from games.babel.search import Breadth, Line, plan_turn
from games.babel.state import ACTION, State
from games.babel.view import known_state, unseen
from games.core import learner as learners
from games.core.rng import SeededRng
from tests.engine.babel.builders import due, game, position
from tests.engine.babel.secrets import vary
from tests.engine.babel.test_bots import TO_BE_HALVED, with_deck
from tests.engine.played import choices_met, only_in_plain_python

PICTURE = """
    turn: 9
    0> hittites | AAHS
    1 medes | 4
    hittites:  HHP   12    | MMP  123
    medes:     MM    1     | MMHS 1234
    sumerians: SSP   123   | .
"""
MOVES = tuple(Move(land) for land in range(LANDS))


def learned() -> Corrections:
    net = learners.found(LEARNER, 2)
    assert net is not None
    return corrections(net)


def playouts(state: State, seed: int = 1, most: int = PLAYOUTS) -> Playouts:
    return Playouts(game.view_for(state, due(state)), due(state), learned(), SeededRng(seed), most)


def planned(state: State) -> list[Line]:
    view = game.view_for(state, due(state))
    known = known_state(view)
    return list(plan_turn(known, Experience(view, known, due(state), learned()), Breadth(nodes=300, width=4, children=60)).lines)


class Counted(Playouts):
    """Answers by a table instead of playing, and counts the playouts of each end."""

    def __init__(self, state: State, chances: dict[Move, list[float]]) -> None:
        super().__init__(game.view_for(state, due(state)), due(state), learned(), SeededRng(1))
        self.chances = chances
        self.count: Counter[object] = Counter()

    def play(self, line: Line, deal: Deal) -> float:
        values = self.chances[line.first]
        self.count[line.first] += 1
        return values[(self.count[line.first] - 1) % len(values)]


def ends(*worths: float) -> tuple[State, list[Line]]:
    """Return a position, and lines with these worths; their first actions are moves to the lands, in order.

    They are for `Counted`, and nothing inherits from a compiled class.
    """
    only_in_plain_python("babel")
    state = position(PICTURE)
    return state, [Line(worth, state, (move,)) for worth, move in zip(worths, MOVES, strict=False)]


@pytest.mark.rule("babel#hidden-1", "babel#hidden-3")
def test_a_deal_is_a_state_that_the_seat_could_be_looking_at():
    hands = set()
    for state, seat in choices_met("babel", 30):
        view = game.view_for(state, seat)
        deal = Deal(view, SeededRng(3))
        assert game.view_for(deal.state, seat) == view
        pool = [hand + deck for hand, deck in zip(deal.state.hands[(1 - seat) * LANDS :][:LANDS], deal.state.people_deck, strict=True)]
        assert pool == unseen(view)
        hands.add(tuple(deal.state.hands))
    assert len(hands) > 20


@pytest.mark.rule("babel#hidden-1", "babel#hidden-3")
def test_what_the_seat_cannot_see_does_not_change_what_playouts_say():
    changed = 0
    for number, (state, seat) in enumerate(choices_met("babel", 16)):
        if state.phase != ACTION or state.turn < 3:
            continue
        other = vary(state, seat, SeededRng(number))
        changed += other != state
        lines = planned(state)
        one, two = playouts(state, 7, 4), playouts(other, 7, 4)
        assert [line.worth for line in one.judged(lines)] == [line.worth for line in two.judged(lines)]
        assert one.found == two.found
    assert changed > 5


def test_all_ends_meet_the_same_draws_and_the_position_is_left_as_it_was(monkeypatch):
    only_in_plain_python("babel")
    drawn: list[object] = []
    sample = rules.sample_chance

    def told(state, rng):
        drawn.append(sample(state, rng))
        return drawn[-1]

    monkeypatch.setattr("games.babel.rules.sample_chance", told)
    state = position(PICTURE)
    lines = planned(state)
    looked = playouts(state)
    seen = set()
    for _ in range(3):
        deal = Deal(looked.view, looked.rng)
        before = deal.state.copy()
        met = []
        for line in (*lines[:3], lines[0]):
            drawn.clear()
            looked.play(line, deal)
            met.append(tuple(drawn))
        assert {type(action) for action in met[0]} == {Draw, Reveal}
        assert [type(action) for action in met[0]] == [Reveal, Draw, Reveal, Draw]  # the opponent's turn, then the seat's
        assert met[0] == met[1] == met[2] == met[3]
        assert deal.state == before
        seen.add(met[0])
    assert len(seen) == 3, "each deal is another one"


@pytest.mark.rule("babel#halving-2")
def test_in_a_playout_too_a_halved_hand_keeps_its_three_equal_cards(monkeypatch):
    only_in_plain_python("babel")
    state = position(TO_BE_HALVED)
    looked = playouts(state)
    deal = Deal(looked.view, looked.rng)
    deal.state.hands[LANDS:] = state.hands[LANDS:]
    halved: list[str] = []
    step = rules.step
    monkeypatch.setattr("games.babel.rules.step", lambda state, action, events: (halved.append(str(action)), step(state, action, events)))
    looked.play(Line(0.0, state, (game.parse_action("halve sumerians"),)), deal)
    assert halved[:3] == ["halve sumerians", "discard hittites medes persians", "end"]


@pytest.mark.rule("babel#end-5", "babel#end-7")
@pytest.mark.parametrize(("hand", "chance"), [("HHHHS", 1.0), ("", 0.0)])
def test_a_playout_that_reaches_the_end_of_the_game_counts_its_result(hand, chance):
    state = with_deck(f"turn: 22\n0> hittites | {hand}\n1 medes | 1\nhittites: AAP 12 | MMPS 12", [0, 0, 0, 0, 2, 0], top=6)
    looked = playouts(state)
    assert looked.play(Line(0.0, state, ()), Deal(looked.view, looked.rng)) == chance


def test_a_playout_that_ends_with_the_seats_next_turn_is_judged_by_the_learned_value():
    state = position(PICTURE)
    looked = playouts(state)
    lines = planned(state)
    chances = [looked.play(lines[0], Deal(looked.view, looked.rng)) for _ in range(6)]
    assert all(0 < chance < 1 for chance in chances)
    assert len(set(chances)) > 3


# What is made of them


def test_the_ends_that_look_best_are_ranked_by_their_chances_and_the_others_stay_as_far_behind():
    state, lines = ends(5.0, 4.9, 5.0 - 1.01 * APART, 2.0)
    looked = Counted(state, {MOVES[0]: [0.4, 0.5], MOVES[1]: [0.5, 0.6]})
    judged = looked.judged(lines)
    assert [line.first for line in judged] == [MOVES[1], MOVES[0], *MOVES[2:4]]
    assert looked.found[MOVES[0]] == pytest.approx(AT_ONCE * looked.chance(5.0) + (1 - AT_ONCE) * 0.45)
    assert looked.found[MOVES[1]] == pytest.approx(AT_ONCE * looked.chance(4.9) + (1 - AT_ONCE) * 0.55)
    assert [looked.chance(line.worth) for line in judged[:2]] == pytest.approx([looked.found[MOVES[1]], looked.found[MOVES[0]]])
    assert judged[1].worth - judged[3].worth == pytest.approx(4.9 - 2.0)
    assert judged[2].worth - judged[3].worth == pytest.approx(lines[2].worth - lines[3].worth)


def test_no_more_ends_than_so_many_are_played_on_and_one_far_behind_is_left_out_early():
    state, lines = ends(5.0, 4.9, 4.8, 4.7, 4.6)
    looked = Counted(state, {MOVES[0]: [0.6, 0.7], MOVES[1]: [0.1, 0.2], MOVES[2]: [0.7, 0.6], MOVES[3]: [0.65, 0.65]})
    looked.judged(lines)
    assert looked.count == {MOVES[0]: PLAYOUTS, MOVES[1]: ROUND, MOVES[2]: PLAYOUTS, MOVES[3]: PLAYOUTS}
    assert len(looked.found) == OPTIONS < len(lines)


def test_an_end_that_always_wins_or_loses_stays_comparable():
    state, lines = ends(5.0, 4.9)
    looked = Counted(state, {MOVES[0]: [1.0], MOVES[1]: [0.0]})
    looked.learned = learned()
    judged = looked.judged(lines)
    assert judged[0].first == MOVES[0]
    assert all(LEAST <= chance <= 1 - LEAST for chance in looked.found.values())


@pytest.mark.rule("babel#start-2")
@pytest.mark.parametrize(
    ("turn", "worths"), [(1, (5.0, 4.9)), (2, (5.0, 4.9)), (9, (5.0, 3.0)), (9, (5.0,)), (9, (1000.0, 999.0)), (9, (-500.0, -500.2))]
)
def test_first_turns_clear_choices_and_decided_games_are_not_played_on(turn, worths):
    state, lines = ends(*worths)
    looked = Counted(state, {})
    looked.view = replace(looked.view, turn=turn)
    assert looked.judged(lines) == lines
    assert not looked.found


def test_the_master_says_the_chance_that_it_found():
    said = 0
    for state, seat in choices_met("babel", 24):
        choice = game.choose_action(game.view_for(state, seat), "master", SeededRng(1))
        reasons = [key for key, _, _ in choice.reasons]
        if "played" in reasons:
            said += 1
            assert reasons[0] == "played"
            assert 0 <= choice.reasons[0][1] <= 100
            assert len(reasons) <= 5
        else:
            assert state.phase != ACTION or state.turn < 3 or reasons[0] in ("win", "only") or choice.ranked[0][1] - choice.ranked[1][1] > 1
    assert said > 5


def test_a_budget_limits_the_playouts_by_a_number():
    state = position(PICTURE)
    view = game.view_for(state, 0)
    none, short, full = [game.choose_action(view, "master", SeededRng(1), budget) for budget in (0.04, 0.3, None)]
    assert full == game.choose_action(view, "master", SeededRng(1), 60.0) == game.choose_action(view, "master", SeededRng(1))
    assert none.reasons[0][0] != "played" == short.reasons[0][0] == full.reasons[0][0]
    assert none.ranked != short.ranked != full.ranked
