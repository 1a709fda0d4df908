"""What is public when (babel#hidden)."""

from __future__ import annotations

import dataclasses
import json

import pytest

from games.babel.view import View, unseen
from games.core.contract import CHANCE
from games.core.events import events_for
from games.core.rng import SeededRng
from games.core.undo import can_undo
from tests.engine.babel.builders import act, counts, data_of, game, legal, play, position

PICTURE = """
    0> medes | AAHP
    1  persians | HMMSS
    medes: AAA 12 | PS 1
    persians: M . | MPP 123
    stocks: 4 2 | 3 5
"""


@pytest.mark.rule("babel#hidden-1", "babel#turn-5", "babel#readings-13")
def test_a_hand_is_seen_by_its_owner_alone_its_size_by_all():
    state = position(PICTURE)
    assert game.view_for(state, 0).hand == counts("AAHP")
    assert game.view_for(state, 1).hand == counts("HMMSS")
    assert game.view_for(state, None).hand is None
    for seat in (None, 0, 1):
        assert game.view_for(state, seat).hand_counts == (4, 5)


@pytest.mark.rule("babel#hidden-2")
def test_everything_on_the_table_is_open():
    state = play(position(PICTURE), "move persians", "settle hittites")
    for seat in (None, 0, 1):
        view = game.view_for(state, seat)
        assert view.columns == (
            {"medes": ("assyrians",) * 3, "persians": ("medes", "hittites")},
            {"medes": ("persians", "sumerians"), "persians": ("medes", "persians", "persians")},
        )
        assert view.temples == ({"medes": (1, 2)}, {"medes": (1,), "persians": (1, 2, 3)})
        assert (view.scores, view.stocks, view.pawns) == ((2, 4), ((4, 2), (3, 5)), ("persians", "persians"))
        assert view.discards == {"persians": 1}
        assert (view.people_deck_count, view.deck_count) == (60 - 9 - 9, 45 - 10)
        assert (view.phase, view.turn, view.active, view.due, view.migrated) == ("action", 3, 0, 0, False)
        assert [len(derivation[0][1]) for derivation in view.derivations] == [5, 5]


@pytest.mark.rule("babel#hidden-3")
def test_neither_deck_is_in_a_view():
    assert {field.name for field in dataclasses.fields(View)} == {
        "seat", "start_hands", "phase", "turn", "active", "due", "migrated", "reserved", "pawns", "columns", "temples", "scores", "stocks",
        "hand", "hand_counts", "discards", "people_deck_count", "deck_count", "deck_top", "ending", "derivations", "outcome",
    }  # fmt: skip
    state = position(PICTURE)
    other = state.copy()
    other.hands[5:] = [1, 1, 1, 1, 1]
    other.people_deck = [count + was - now for count, was, now in zip(state.people_deck, state.hands[5:], other.hands[5:], strict=True)]
    assert data_of(other) != data_of(state)
    assert game.view_for(other, 0) == game.view_for(state, 0)
    assert game.view_for(other, None) == game.view_for(state, None)
    assert game.view_for(other, 1) != game.view_for(state, 1)


@pytest.mark.rule("babel#hidden-3", "babel#destroy-2")
def test_the_top_of_the_temple_deck_is_known_to_all_after_a_destruction():
    state = position(PICTURE)
    assert game.view_for(state, 1).deck_top == ()
    state = play(state, "destroy")
    for seat in (None, 0, 1):
        assert game.view_for(state, seat).deck_top == (1,)  # the temple of the other seat in Media
    assert game.view_for(state, 0).deck_count == 45 - 9


@pytest.mark.rule("babel#hidden-1")
def test_cards_drawn_are_read_by_their_owner_only():
    _, events = act(position(PICTURE, phase="drawing"), "draw assyrians assyrians sumerians")
    assert [event.key for event in events] == ["drew"]
    assert "cards" not in events[0].params
    assert events_for(events, 0)[0].secret == {0: {"cards": ["assyrians", "assyrians", "sumerians"]}}
    assert events_for(events, 1)[0].secret == events_for(events, None)[0].secret == {}


@pytest.mark.rule("babel#hidden-4", "babel#readings-13")
def test_actions_are_undone_back_to_what_has_come_to_light():
    state = position(PICTURE, migrated=False)
    for text in ("settle hittites", "move persians", "migrate medes persians", "destroy", "halve assyrians"):
        after, events = act(state, text)
        assert can_undo([(0, events)], 0)
    after, events = act(after, "discard hittites medes")
    assert not can_undo([(1, events)], 1)
    assert not can_undo([(0, []), (1, events)], 0)
    after, events = act(play(state, "end"), "reveal 2 1")
    assert not can_undo([(CHANCE, events)], 0)
    assert not can_undo([(CHANCE, act(after, "draw assyrians medes medes")[1])], 1)


@pytest.mark.rule("babel#hidden-1", "babel#hidden-3")
def test_unseen_cards_are_sampled_in_their_true_proportions():
    view = game.view_for(position(PICTURE), 0)
    assert unseen(view) == [7, 11, 10, 11, 8]  # 12 each less what seat 0 sees
    rng = SeededRng(6)
    medes = 0
    for _ in range(600):
        state = game.sample_state(view, rng)
        assert game.view_for(state, 0) == view
        medes += state.hands[5 + 2]
    assert abs(medes / 600 - 5 * 10 / 47) < 0.15


@pytest.mark.rule("babel#hidden-1")
def test_a_spectators_sample_deals_both_hands():
    view = game.view_for(position(PICTURE), None)
    found = {json.dumps(data_of(game.sample_state(view, SeededRng(seed)))["hands"]) for seed in range(30)}
    assert len(found) > 20
    assert all([sum(hand.values()) for hand in json.loads(hands)] == [4, 5] for hands in found)


@pytest.mark.rule("babel#hidden-1")
def test_a_player_knows_their_own_legal_actions_and_nobody_else_s():
    state = position(PICTURE)
    assert [str(action) for action in game.legal_for_view(game.view_for(state, 0))] == legal(state)
    assert game.legal_for_view(game.view_for(state, 1)) == game.legal_for_view(game.view_for(state, None)) == []
    halving = play(state, "halve assyrians")
    assert [str(action) for action in game.legal_for_view(game.view_for(halving, 1))] == legal(halving)
    assert game.legal_for_view(game.view_for(halving, 0)) == []
    assert game.legal_for_view(game.view_for(position(PICTURE, phase="drawing"), 0)) == []


def test_a_view_is_plain_data():
    for seat in (None, 0, 1):
        view = game.view_for(position(PICTURE), seat)
        data = json.loads(json.dumps(dataclasses.asdict(view)))
        assert data["columns"][0]["medes"] == ["assyrians"] * 3
        assert data["temples"][1] == {"medes": [1], "persians": [1, 2, 3]}
        with pytest.raises(dataclasses.FrozenInstanceError):
            view.turn = 1


def test_there_are_no_answers_in_advance():
    state = play(position(PICTURE), "halve assyrians")
    for seat in (0, 1):
        view = game.view_for(state, seat)
        assert game.orders(view) == ()
        assert game.answer_by_order(view, "discard hittites medes") is None
        assert not game.order_stands(view, "discard hittites medes")
