"""Playouts of History of the World's master: the same cards and dice for every answer, to the end of the turn or of the epoch."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from games.core.contract import Choice
from games.core.rng import SeededRng
from games.history_of_the_world import game, legality
from games.history_of_the_world.actions import DONE, FOUND, KINGDOM, RETREAT, Action, Siege, Take
from games.history_of_the_world.components import EPOCHS
from games.history_of_the_world.evaluation import seat_sees_empires
from games.history_of_the_world.features import NAMES, features
from games.history_of_the_world.master import (
    ANSWERS,
    APART,
    CARDS,
    CLEAR,
    ENDS_PER_S,
    EPOCHS_PLAYED,
    LEARNED,
    PLAYED_ON,
    PLAYOUTS,
    SKETCHED,
    WHOLE_TURNS_PER_S,
    Master,
)
from games.history_of_the_world.odds import siege_for
from games.history_of_the_world.playouts import EVEN, ROUND, Hasty, Playouts, gain_of, is_anybody_left
from games.history_of_the_world.state import AFTER, DRAFT, SCORING, SIEGE, State
from games.history_of_the_world.view import known_state, sample_state
from tests.engine.history_of_the_world.builders import due, position
from tests.engine.history_of_the_world.secrets import vary
from tests.engine.nets import adding
from tests.engine.played import choices_met, only_in_plain_python

KEY = "history_of_the_world"
HOPE = adding(NAMES, own_score=1.0)  # a net that looks at the seat's points alone


def playouts(state: State, seat: int, seed: int = 1) -> Playouts:
    return Playouts(partial(sample_state, game.view_for(state, seat)), seat, HOPE, LEARNED, SeededRng(seed))


def in_turn() -> list[tuple[State, int]]:
    """Return choices of the active seat that a master plays on to the end of its turn."""
    return [(state, seat) for state, seat in choices_met(KEY, 120) if state.phase in PLAYED_ON and state.active == seat]


def drafts() -> list[tuple[State, int]]:
    found = [(state, seat) for state, seat in choices_met(KEY, 300) if state.phase == DRAFT]
    return [(state, seat) for state, seat in found if seat_sees_empires(state, seat) and len(state.pile_empires) > 1]


def answers_of(state: State, seat: int) -> list[Action]:
    known = known_state(game.view_for(state, seat))
    return [action for action in legality.legal_actions(known, seat) if action.verb not in ("guard", "ability", "look")]


class Told(Playouts):
    """Answers by a table instead of playing, and counts the playouts of each answer."""

    def __init__(self, leads: dict[Action, list[float]]) -> None:
        self.leads = leads
        self.count: Counter[Action] = Counter()
        state = after_a_turn()
        super().__init__(lambda rng: state, 0, HOPE, LEARNED, SeededRng(1))

    def play(self, answer: Action, state: State, luck: object, is_whole: bool) -> float:
        values = self.leads[answer]
        self.count[answer] += 1
        return values[(self.count[answer] - 1) % len(values)]


def after_a_turn() -> State:
    return position(
        epoch=1, phase="after", active=0, empires=["egyptians", "sumerians", "minoans"], armies=["nile*", "mesopotamia", "crete"]
    )


# Playing on


@pytest.mark.rule("history_of_the_world#score-1")
def test_a_choice_in_a_turn_is_played_to_the_end_of_that_turn(monkeypatch):
    only_in_plain_python(KEY)
    judged: list[State] = []
    monkeypatch.setattr("games.history_of_the_world.playouts.features", lambda state, seat: judged.append(state) or features(state, seat))
    for state, seat in in_turn():
        for answer in answers_of(state, seat)[:2]:
            judged.clear()
            playouts(state, seat).results([answer], 1)
            (end,) = judged
            assert (end.phase, end.active, end.epoch) == (SCORING, seat, state.epoch)
            assert len(end.records[seat]) == len(state.records[seat])


@pytest.mark.rule("history_of_the_world#epoch-3", "history_of_the_world#end-1")
def test_a_choice_of_an_empire_is_played_to_the_end_of_the_epoch_or_of_the_game(monkeypatch):
    only_in_plain_python(KEY)
    judged: list[State] = []
    monkeypatch.setattr("games.history_of_the_world.playouts.features", lambda state, seat: judged.append(state) or features(state, seat))
    epochs = set()
    for state, seat in drafts():
        judged.clear()
        (rows,) = playouts(state, seat).results(answers_of(state, seat)[:1], 2, is_whole=True)
        epochs.add(state.epoch == EPOCHS)
        if state.epoch == EPOCHS:  # the game is over: its points count
            assert not judged
            assert len(rows) == 2
            continue
        for end in judged:
            assert (end.phase, end.epoch) == (SCORING, state.epoch)
            assert not is_anybody_left(end)
            assert sum(len(end.records[other]) - len(state.records[other]) for other in range(state.seats)) == state.seats - 1
    assert epochs == {False, True}


def test_all_answers_meet_the_same_cards_and_dice_and_the_deal_is_left_as_it_was():
    for state, seat in [*in_turn()[:6], *drafts()[:1]]:
        is_whole = state.phase == DRAFT
        answer = answers_of(state, seat)[0]
        one, two = playouts(state, seat).results([answer, answer], 3, is_whole)
        assert one == two
        dealt = sample_state(game.view_for(state, seat), SeededRng(5))
        looked = playouts(state, seat)
        looked.deal = lambda rng, dealt=dealt: dealt
        before = dealt.copy()
        looked.results([answer], 2, is_whole)
        assert dealt == before


@pytest.mark.rule("history_of_the_world#draft-5", "history_of_the_world#hidden-1")
def test_what_the_seat_cannot_see_does_not_change_what_playouts_say():
    changed = 0
    for number, (state, seat) in enumerate([*in_turn()[:8], *drafts()[:2]]):
        other = vary(state, seat, SeededRng(number))
        changed += other != state
        answers = answers_of(state, seat)[:2]
        is_whole = state.phase == DRAFT
        assert playouts(state, seat, 7).results(answers, 2, is_whole) == playouts(other, seat, 7).results(answers, 2, is_whole)
    assert changed > 5


def test_an_answer_far_behind_is_left_out_early():
    only_in_plain_python(KEY)  # nothing inherits from a compiled class
    told = Told({KINGDOM: [4.0, 6.0], FOUND: [1.0, 2.0], DONE: [6.0, 4.5]})
    rows = told.results([KINGDOM, FOUND, DONE], 12)
    assert told.count == {KINGDOM: 12, FOUND: ROUND, DONE: 12}
    assert [len(row) for row in rows] == [12, ROUND, 12]
    assert gain_of(rows[1], rows[0]) == (-3.5, pytest.approx(1 / 12**0.5))
    assert len(Told({KINGDOM: [4.0]}).results([KINGDOM], 12)[0]) == ROUND  # nothing to compare it with


@pytest.mark.rule("history_of_the_world#siege-1")
def test_in_a_playout_a_siege_goes_on_while_the_chance_is_even():
    seen = set()
    for state, seat in choices_met(KEY, 200):
        for armies in range(1, state.card_armies + 1) if state.phase == SIEGE else ():
            fewer = state.copy()
            fewer.card_armies, fewer.tokens = armies, 0
            answer = Hasty(fewer, seat, SeededRng(1), 100).choose(legality.legal_actions(fewer, seat)).action
            siege = siege_for(fewer, fewer.target, fewer.by_fleet)
            won, tied, _ = siege.odds[min(fewer.catapult + 1, 3)]
            if armies == 1:  # nothing would be left to hold a tie or to go on with
                assert isinstance(answer, Siege) == (won >= EVEN)
            elif won + tied >= EVEN:
                assert isinstance(answer, Siege)
            seen.add(answer.verb)
    assert seen == {"siege", RETREAT.verb}


# What the master makes of them


def master(state: State, told: Playouts | None, budget_s: float | None = None) -> Master:
    found = Master(state, due(state), SeededRng(1), HOPE, budget_s=budget_s)
    found.playouts = told
    return found


def test_only_a_surely_better_answer_replaces_the_usual_one():
    only_in_plain_python(KEY)  # nothing inherits from a compiled class
    usual = Choice(FOUND, (("found", 0.0, None),), ((FOUND, 0.0), (KINGDOM, -1.0), (DONE, -2.0)))
    better = Told({FOUND: [3.0, 4.0], KINGDOM: [5.0, 6.0], DONE: [2.0, 3.0]})
    choice = master(after_a_turn(), better).played_on(usual, better)
    assert choice.action == KINGDOM
    assert choice.reasons == (("played", 2.0, "history_of_the_world#end-1"),)
    assert [action for action, _ in choice.ranked] == [KINGDOM, FOUND, DONE]
    assert dict(choice.ranked)[KINGDOM] == pytest.approx(2.0 - CLEAR)
    for leads in ([3.0 + 0.9 * CLEAR, 4.0 + 0.9 * CLEAR], [14.0, -6.0]):  # hardly better, or perhaps by chance alone
        other = Told({FOUND: [3.0, 4.0], KINGDOM: leads, DONE: [2.0, 3.0]})
        assert master(after_a_turn(), other).played_on(usual, other) is usual


def test_no_more_answers_are_played_on_than_so_many_and_a_budget_limits_how_often():
    only_in_plain_python(KEY)  # nothing inherits from a compiled class
    actions = [game.parse_action(f"monument {name}") for name in ("nile", "libya", "levant", "crete", "gaul")]
    usual = Choice(actions[0], (), tuple([(action, -float(at)) for at, action in enumerate(actions)]))
    for budget_s, most in ((None, PLAYOUTS), (5 * ANSWERS / ENDS_PER_S, 5), (60.0, PLAYOUTS), (1.9 * ANSWERS / ENDS_PER_S, 0)):
        told = Told({action: [4.0, 6.0] for action in actions})
        assert master(after_a_turn(), told, budget_s).played_on(usual, told) is usual
        assert told.count == dict.fromkeys(actions[:ANSWERS], most) if most else not told.count


def test_empires_are_ranked_by_sketches_and_playouts_together_and_the_others_stay_as_far_behind():
    only_in_plain_python(KEY)  # nothing inherits from a compiled class
    state, _ = drafts()[0]
    takes = [Take(card, False) for card in range(CARDS + 2)]
    leads = [5.0, 4.0, 5.0 - 1.1 * APART, *[3.0 - 0.1 * at for at in range(CARDS - 1)]]
    told = Told({take: [2.0 + at - (-1) ** at, 2.0 + at + (-1) ** at] for at, take in enumerate(takes)})
    found, by_hand = master(state, told).tried(takes, leads, [0.5] * len(takes), told)
    assert by_hand == pytest.approx([0.5 * SKETCHED] * len(takes))
    kept = [0, 1, *range(3, CARDS + 1)]
    assert set(told.count) == {takes[at] for at in kept}
    assert max(told.count.values()) == EPOCHS_PLAYED
    for at in kept:
        assert found[at] == pytest.approx(SKETCHED * leads[at] + (1 - SKETCHED) * (2.0 + at))
    moved = 2.0 + max(kept) - leads[0]
    assert found[2] == pytest.approx(leads[2] + (1 - SKETCHED) * moved)
    short = Told({take: [1.0] for take in takes})
    assert master(state, short, 1.9 * CARDS * state.seats / WHOLE_TURNS_PER_S).tried(takes, leads, [0.5] * len(takes), short) == (
        leads,
        [0.5] * len(takes),
    )


def test_the_master_says_that_it_has_tried_an_answer_out():
    said = 0
    for state, seat in in_turn():
        choice = game.choose_action(game.view_for(state, seat), "master", SeededRng(1))
        played = [(value, rule) for key, value, rule in choice.reasons if key == "played"]
        if played:
            said += 1
            assert choice.ranked[0][0] == choice.action
            assert len(choice.reasons) == 1
            assert played[0][0] >= CLEAR  # as it is rounded
            assert played[0][1] == "history_of_the_world#end-1"
    assert said
    assert any(state.phase == AFTER for state, _ in in_turn())
