"""Playouts of Ra's master: possible draws, the same for every action, to the end of some auctions or of the epoch."""

from __future__ import annotations

from collections import Counter

import pytest

from games.core.rng import SeededRng
from games.ra import legality
from games.ra.actions import CALL, DRAW, PASS, Action
from games.ra.components import COUNTS, EPOCH_COUNT, RA
from games.ra.evaluation import Outlook
from games.ra.features import NAMES, features
from games.ra.master import Master
from games.ra.playouts import AUCTIONS, ROUND, Draws, Playouts
from games.ra.state import TURN, State
from games.ra.view import known_state
from games.registry import game as find_game
from tests.engine.nets import adding
from tests.engine.played import choices_met, only_in_plain_python
from tests.engine.ra.builders import due, four

game = find_game("ra")


HOPE = adding(NAMES, own_net=1.0)  # a net that looks at the lot alone


def playouts(state: State, seed: int = 1) -> Playouts:
    seat = due(state)
    return Playouts(Outlook(known_state(game.view_for(state, seat)), seat), HOPE, SeededRng(seed))


class Counted(Playouts):
    """Answers by a table instead of playing, and counts the playouts of each action."""

    def __init__(self, state: State, worth: dict[Action, list[float]]) -> None:
        seat = due(state)
        super().__init__(Outlook(known_state(game.view_for(state, seat)), seat), HOPE, SeededRng(1))
        self.worth = worth
        self.count: Counter[Action] = Counter()

    def play(self, action: Action, draws: Draws) -> float:
        values = self.worth[action]
        self.count[action] += 1
        return values[(self.count[action] - 1) % len(values)]


@pytest.mark.rule("ra#components-2", "ra#draw-1")
def test_the_draws_are_tiles_that_nobody_has_seen_each_once():
    for state, _ in choices_met("ra", 30):
        looked = playouts(state)
        draws = looked.draws()
        size = len(state.bag)
        drawn = Counter(draws.tile(at) for at in range(size))
        ra = drawn.pop(RA, 0)
        unseen = looked.pool
        assert abs(ra - looked.mean_ra) < 1
        assert all(count <= unseen.count(kind) <= COUNTS[kind] for kind, count in drawn.items())
        assert drawn.total() + ra == size
        assert [draws.tile(at) for at in range(size)] == draws.drawn  # asked again, the same


@pytest.mark.rule("ra#tiles-3")
def test_what_is_in_the_bag_does_not_change_what_playouts_say():
    for state, seat in choices_met("ra", 24):
        actions = legality.legal_actions(state, seat)[:3]
        other = state.copy()
        other.bag = bytearray(len(other.bag))
        assert playouts(state, 7).margins(actions, 4) == playouts(other, 7).margins(actions, 4)


@pytest.mark.rule("ra#epochs-5", "ra#end-1")
def test_a_playout_ends_after_some_auctions_or_with_the_epoch_or_the_game(monkeypatch):
    only_in_plain_python("ra")
    judged: list[State] = []
    monkeypatch.setattr("games.ra.playouts.features", lambda state, seat: judged.append(state) or features(state, seat))
    found = Counter()
    for state, seat in choices_met("ra", 60):
        looked = playouts(state)
        for action in legality.legal_actions(state, seat)[:2]:
            judged.clear()
            looked.play(action, looked.draws())
            if not judged:
                assert state.epoch == EPOCH_COUNT
                found["game"] += 1
                continue
            (end,) = judged
            assert end.phase == TURN
            if end.epoch == state.epoch:
                assert end.auction_no == state.auction_no + AUCTIONS[state.seats]
                found["auctions"] += 1
            else:
                assert (end.epoch, end.auction_no <= state.auction_no + AUCTIONS[state.seats]) == (state.epoch + 1, True)
                found["epoch"] += 1
    assert set(found) == {"auctions", "epoch", "game"}


def test_all_actions_meet_the_same_draws_and_the_position_is_left_as_it_was():
    state = four("gold flood nile nile", tiles={0: "nile 3"})
    looked = playouts(state)
    before = looked.state.copy()
    draws = looked.draws()
    first = [looked.play(action, draws) for action in (DRAW, CALL)]
    assert [looked.play(action, draws) for action in (DRAW, CALL)] == first
    assert looked.state == before


def test_an_action_far_behind_is_left_out_early_and_stays_as_far_behind():
    only_in_plain_python("ra")  # nothing inherits from a compiled class
    looked = Counted(four("gold flood nile nile"), {DRAW: [4.0, 6.0], CALL: [1.0, 2.0], PASS: [6.0, 3.5]})
    margins = looked.margins([DRAW, CALL, PASS], 32)
    assert looked.count[CALL] == ROUND
    assert looked.count[DRAW] == 32
    assert margins == pytest.approx([5.0, 1.5, 4.75], abs=0.01)


def test_equal_actions_are_played_on_to_the_end():
    only_in_plain_python("ra")  # nothing inherits from a compiled class
    looked = Counted(four("gold flood nile nile"), {DRAW: [4.0, 6.0, 1.0], CALL: [6.0, 1.0, 4.0]})
    assert looked.margins([DRAW, CALL], 24) == pytest.approx([11 / 3, 11 / 3])
    assert looked.count == {DRAW: 24, CALL: 24}


def test_few_playouts_leave_out_nothing_and_none_leave_the_choice_to_the_net():
    only_in_plain_python("ra")  # nothing inherits from a compiled class
    state = four("gold flood nile nile", tiles={0: "nile 3"})
    seat = due(state)
    assert Counted(state, {DRAW: [4.0], CALL: [1.0]}).margins([DRAW, CALL], 1) == [4.0, 1.0]
    legal = legality.legal_actions(state, seat)
    at_once = Master(known_state(game.view_for(state, seat)), seat, HOPE, SeededRng(1), playouts=0)
    assert dict(at_once.choose(legal).ranked) == pytest.approx({action: at_once.worth(action) for action in (DRAW, CALL)}, abs=0.001)


def test_a_budget_limits_the_playouts_by_a_number():
    state = four("gold flood nile nile", tiles={0: "nile 3"})
    view = game.view_for(state, due(state))
    none, short, full = [game.choose_action(view, "master", SeededRng(1), budget).ranked for budget in (0.0, 0.1, None)]
    assert full == game.choose_action(view, "master", SeededRng(1), 60.0).ranked == game.choose_action(view, "master", SeededRng(1)).ranked
    assert none != short != full != none
