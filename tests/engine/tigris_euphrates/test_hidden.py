"""What is public when (tigris_euphrates#hidden)."""

from __future__ import annotations

import dataclasses
import json

import pytest

from games.core.contract import IllegalAction
from games.core.events import events_for
from games.core.rng import SeededRng
from games.tigris_euphrates.components import COUNTS, KINDS
from games.tigris_euphrates.view import Conflict, View, most_to_add
from tests.engine.tigris_euphrates.builders import act, ask, data_of, due, game, legal, play, position, told
from tests.engine.tigris_euphrates.secrets import vary

COURT = {
    "leaders": ["king F9, trader E10", "king I8, priest J7", ""],
    "tiles": {"temple": "I6", "settlement": "F11 H8", "farm": "H9"},
    "hands": ["farm 2, temple 3, settlement 1", "settlement 2, temple 1, market 3", "farm 6"],
    "points": [{"red": 3, "blue": [1, 0, 2, 0]}, {"green": 4}, {}],
    "treasures": "B2 F3 I7 F10 K11 O9",
    "jokers": [1, 2, 1],
    "swapped": ["market 2", "", "temple 1"],
    "gone": "temple 4",
}


def court(**fields):
    return position(**(COURT | fields))


def views(state):
    return {seat: game.view_for(state, seat) for seat in (None, *range(state.seats))}


@pytest.mark.rule("tigris_euphrates#hidden-1")
def test_players_see_only_their_own_hand():
    seen = views(court())
    assert seen[0].hands == ({"temple": 3, "farm": 2, "settlement": 1}, None, None)
    assert seen[1].hands == (None, {"settlement": 2, "temple": 1, "market": 3}, None)
    assert seen[None].hands == (None, None, None)
    assert {view.hand_counts for view in seen.values()} == {(6, 6, 6)}


@pytest.mark.rule("tigris_euphrates#hidden-2", "tigris_euphrates#readings-14")
def test_players_see_only_their_own_points_and_treasures():
    seen = views(court())
    assert seen[0].points == ({"black": 0, "red": 3, "blue": 3, "green": 0}, None, None)
    assert seen[1].jokers == (None, 2, None)
    assert seen[None].points == seen[None].jokers == seen[None].derivations == (None, None, None)
    assert [derivation is None for derivation in seen[2].derivations] == [True, True, False]


@pytest.mark.rule("tigris_euphrates#hidden-4", "tigris_euphrates#swap-2")
def test_players_see_only_their_own_swapped_tiles():
    seen = views(court())
    assert seen[0].swapped == ({"market": 2}, None, None)
    assert seen[1].swapped == (None, {}, None)
    assert {view.swapped_counts for view in seen.values()} == {(2, 0, 1)}


@pytest.mark.rule("tigris_euphrates#hidden-3")
def test_all_else_is_open():
    state = play(court(), "tile farm G9", "support 1 settlement")
    for view in views(state).values():
        assert view.conflict == Conflict("war", "king", 0, 1, 1)
        assert (view.phase, view.active, view.due, view.actions_left, view.union, view.placed) == ("defence", 0, 1, 2, "G9", "G9")
        assert view.tiles["G9"] == "farm"
        assert view.leaders[0] == {"king": "F9", "priest": None, "farmer": None, "trader": "E10"}
        assert view.hand_counts == (4, 6, 6)
        assert view.bag_count == sum(data_of(state)["bag"].values())
        assert view.gone == {"settlement": 1, "temple": 4}
        assert view.catastrophes_left == (2, 2, 2)
        assert view.treasures == ("B2", "F3", "I7", "O9", "F10", "K11")
        assert len(view.monuments_left) == 6
    built = game.view_for(position(built=[["black_red", "A5", "temple"]]), None)
    assert built.built == (("black_red", "A5", "temple"),)
    assert built.down == ("A5", "B5", "A6", "B6")
    assert "black_red" not in built.monuments_left


@pytest.mark.rule("tigris_euphrates#hidden-3")
def test_a_view_has_no_field_that_was_not_meant():
    names = {field.name for field in dataclasses.fields(View)}
    assert names == {
        "seat", "seats", "open_totals", "phase", "turn", "active", "due", "actions_left", "tiles", "down", "catastrophes", "treasures",
        "leaders", "built", "monuments_left", "hands", "hand_counts", "bag_count", "catastrophes_left", "points", "jokers", "gone",
        "swapped", "swapped_counts", "conflict", "union", "placed", "swapping", "ending", "derivations", "outcome",
    }  # fmt: skip


@pytest.mark.rule("tigris_euphrates#hidden-5", "tigris_euphrates#readings-14")
def test_with_open_totals_everybody_sees_all_points_and_treasures():
    for view in views(court(options={"open_totals": True})).values():
        assert [sum(points.values()) for points in view.points] == [6, 4, 0]
        assert view.jokers == (1, 2, 1)
        assert None not in view.derivations
        assert sum(hand is not None for hand in view.hands) == (view.seat is not None)


@pytest.mark.rule("tigris_euphrates#hidden-2", "tigris_euphrates#scoring-1")
def test_all_points_are_shown_when_the_game_is_over():
    last = {"treasures": "B2", "jokers": [3, 3, 3], "ending": "treasures", "leaders": ["", "", ""]}
    end = court(phase="end", **last)
    for view in views(end).values():
        assert view.jokers == (3, 3, 3)
        assert None not in view.points
        assert view.outcome == game.outcome(end)
    assert game.view_for(court(phase="scoring", **last), 0).points[1] is None


# Events


@pytest.mark.rule("tigris_euphrates#hidden-4", "tigris_euphrates#swap-2")
def test_what_was_swapped_and_drawn_is_told_to_its_owner_only():
    events = told(court(), "swap temple temple farm", "draw temple farm market")
    assert [(event.key, event.params) for event in events] == [("swapped", {"seat": 0, "n": 3}), ("drew", {"seat": 0, "n": 3})]
    assert [event.secret for event in events_for(events, 0)] == [
        {0: {"tiles": ["temple", "temple", "farm"]}},
        {0: {"tiles": ["temple", "farm", "market"]}},
    ]
    for seat in (None, 1, 2):
        assert all(not event.secret for event in events_for(events, seat))
        assert "market" not in json.dumps([[event.key, dict(event.params)] for event in events_for(events, seat)])


@pytest.mark.rule("tigris_euphrates#conflicts-3", "tigris_euphrates#hidden-3", "tigris_euphrates#readings-6")
def test_nothing_added_looks_the_same_whether_one_could_or_not():
    """A defender without a tile of the colour is asked just like one who keeps them."""
    war = play(court(), "tile farm G9", "support 1 settlement")
    without = play(court(hands=["farm 2, temple 3, settlement 1", "temple 3, market 3", "farm 6"]), "tile farm G9", "support 1 settlement")
    assert due(war) == due(without) == 1
    assert len(legal(war)) == 3
    assert legal(without) == ["support 0 settlement"]
    assert not game.meta.automatic & {"support"}
    for seat in (None, 0, 2):
        assert game.view_for(war, seat) == game.view_for(without, seat)
    (after, events), (other, others) = act(war, "support 0 settlement"), act(without, "support 0 settlement")
    assert events == others
    for seat in (None, 0, 2):
        assert game.view_for(after, seat) == game.view_for(other, seat)


@pytest.mark.rule("tigris_euphrates#hidden-1", "tigris_euphrates#hidden-2", "tigris_euphrates#hidden-4")
@pytest.mark.parametrize("seats", [3, 4])
def test_no_view_question_or_event_hangs_on_what_is_hidden(seats):
    """The same game with other secrets reads exactly the same to anyone who may not know them."""
    rng = SeededRng(f"secrets {seats}")
    compared = refused = 0
    for seed in range(1):
        state, play_rng = game.setup(seats, {}), SeededRng(f"hidden {seed}")
        while actors := game.actors(state):
            actor = actors[0]
            action = game.sample_chance(state, play_rng) if actor == -1 else game.sample_action(state, actor, play_rng)
            after, events = game.apply(state, actor, action)
            for seat in (None, *range(seats)):
                other = vary(state, seat, rng)
                view, twin = game.view_for(state, seat), game.view_for(other, seat)
                assert repr(view) == repr(twin)
                assert game.ask(view) == game.ask(twin)
                assert game.legal_for_view(view) == game.legal_for_view(twin)
                if actor == seat:
                    assert game.ask(view, str(action)) == game.ask(twin, str(action))
                if actor == -2:
                    continue
                try:
                    other_after, other_events = game.apply(other, actor, action)
                except IllegalAction:
                    assert actor != seat  # not in that other hand, or not in that other bag
                    refused += 1
                    continue
                compared += 1
                assert repr(events_for(events, seat)) == repr(events_for(other_events, seat))
                assert game.view_for(after, seat) == game.view_for(other_after, seat)
            state = after
    assert compared > 500
    assert refused > 50


@pytest.mark.rule("tigris_euphrates#swap-1", "tigris_euphrates#hidden-4")
def test_a_swap_is_possible_whatever_the_bag_holds():
    for bag in ({"temple": 1}, {"farm": 1}, {}):
        state = position(**{name: value for name, value in COURT.items() if name != "gone"}, bag=bag)
        assert "swap temple temple" in legal(state)
        assert "swap" in [option.text for option in ask(state).options]


# Sampling


@pytest.mark.rule("tigris_euphrates#hidden-1", "tigris_euphrates#hidden-4")
@pytest.mark.parametrize("seats", [2, 4])
def test_a_sampled_position_is_one_that_the_seat_cannot_tell_from_the_true_one(seats):
    rng = SeededRng(seats)
    state, different = game.setup(seats, {}), 0
    while actors := game.actors(state):
        action = game.sample_chance(state, rng) if actors[0] == -1 else game.sample_action(state, actors[0], rng)
        state, _ = game.apply(state, actors[0], action)
        for seat in (None, *range(seats)):
            view = game.view_for(state, seat)
            sampled = game.sample_state(view, rng)
            assert game.view_for(sampled, seat) == view
            assert game.check_invariants(sampled, None) is None
            different += sampled.hands != state.hands
    assert different > 200


@pytest.mark.rule("tigris_euphrates#components-1")
def test_unseen_tiles_are_dealt_in_their_true_proportions():
    view = game.view_for(court(), 0)
    unseen = dict(zip(KINDS, COUNTS, strict=True))
    for kind in view.tiles.values():
        unseen[kind] -= 1
    for known in (view.hands[0], view.swapped[0], view.gone):
        for kind, count in known.items():
            unseen[kind] -= count
    total = sum(unseen.values())
    assert total == view.bag_count + 6 + 6 + 1  # bag, two other hands, one swapped tile
    drawn = dict.fromkeys(KINDS, 0)
    rng = SeededRng(3)
    for _ in range(2000):
        for kind, count in data_of(game.sample_state(view, rng))["hands"][1].items():
            drawn[kind] += count
    for kind in KINDS:
        assert abs(drawn[kind] / 2000 - 6 * unseen[kind] / total) < 0.12


@pytest.mark.rule("tigris_euphrates#hidden-2")
def test_totals_are_guessed_only_where_they_are_hidden():
    view = game.view_for(court(turn=40), 0)
    sampled = [data_of(game.sample_state(view, SeededRng(seed))) for seed in range(40)]
    assert {json.dumps(data["points"][0]) for data in sampled} == {json.dumps(data_of(court())["points"][0])}
    assert len({json.dumps(data["points"][1]) for data in sampled}) > 10
    assert {data["jokers"][0] for data in sampled} == {1}
    assert {sum(data["jokers"]) for data in sampled} == {4}
    assert len({data["jokers"][1] for data in sampled}) > 2


@pytest.mark.rule("tigris_euphrates#conflicts-3", "tigris_euphrates#hidden-1")
def test_what_a_seat_can_add_is_known_as_far_as_the_hand_is():
    view = game.view_for(court(), 0)
    assert most_to_add(view, 0, 1) == 3  # its own temples
    assert most_to_add(view, 1, 1) == 6  # possibly a full hand of them, from what is known
    few = game.view_for(court(gone="temple 42"), 0)
    assert most_to_add(few, 1, 1) == 57 - 7 - 3 - 42  # on the board, in hand, gone
