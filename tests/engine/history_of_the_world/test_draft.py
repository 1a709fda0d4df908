"""Setting up and choosing cards (history_of_the_world#setup, #draft)."""

from __future__ import annotations

import pytest

from games.core.contract import CHANCE
from games.core.options import SetupError
from games.core.rng import SeededRng
from games.history_of_the_world.actions import parse_action
from tests.engine.history_of_the_world.builders import act, data_of, due, game, keys, legal, play, refusal, scores

FOUR = "deal sumerians egyptians minoans assyrians k_shang i_weaponry i_plague i_walls"
THREE = "deal sumerians egyptians minoans k_shang i_weaponry i_plague"
FIVE = "deal sumerians egyptians minoans hittites assyrians k_shang i_weaponry i_plague i_walls i_masonry"


def dealt(seats, text, order="order", **options):
    words = " ".join(map(str, range(seats)))
    return play(game.setup(seats, options), f"{order} {words}", text)


@pytest.mark.rule("history_of_the_world#setup-1")
def test_chance_places_the_markers_on_one_two_and_three():
    state, events = act(game.setup(4, {}), "order 2 0 3 1")
    assert scores(state) == [2, 4, 1, 3]
    assert data_of(state)["ranks"] == [1, 3, 0, 2]
    assert keys(events) == ["markers_set", "epoch_began"]
    assert game.actors(state) == (CHANCE,)


@pytest.mark.rule("history_of_the_world#setup-2")
def test_as_many_cards_as_players_are_kept_and_nobody_knows_which():
    state = play(game.setup(3, {}), "order 0 1 2")
    drawn = {str(game.sample_chance(state, SeededRng(seed))) for seed in range(30)}
    assert len(drawn) == 30
    assert all(len(text.split()) == 7 for text in drawn)
    _, events = act(state, THREE)
    (event,) = events
    assert event.params == {"n": 3, "epoch": 1}
    assert not event.secret


@pytest.mark.rule("history_of_the_world#draft-1", "history_of_the_world#draft-2", "history_of_the_world#draft-7")
def test_the_leader_takes_an_event_while_the_last_takes_an_empire_and_the_piles_move_together():
    state = dealt(4, FOUR)
    assert game.actors(state) == (0, 3)
    assert [str(action) for action in game.legal_actions(state, 3)][:4] == [
        f"take {name}" for name in ("k_shang", "i_weaponry", "i_plague", "i_walls")
    ]
    assert [str(action) for action in game.legal_actions(state, 0)][:4] == [
        f"take {name}" for name in ("sumerians", "egyptians", "minoans", "assyrians")
    ]
    one, _ = act(state, "take i_plague", actor=3)
    assert game.actors(one) == (0,)
    assert refusal(one, "take k_shang", actor=3) == ("not_your_turn", "history_of_the_world#turn-1")
    two, _ = act(one, "take minoans", actor=0)
    assert game.actors(two) == (1, 2)
    assert "take i_plague" not in [str(action) for action in game.legal_actions(two, 2)]


@pytest.mark.rule("history_of_the_world#draft-3")
@pytest.mark.parametrize("first", ["events", "empires"])
def test_with_three_the_middle_player_looks_at_one_pile_after_the_other(first):
    state = play(dealt(3, THREE), "take sumerians")
    state, _ = act(state, "take k_shang", actor=2)
    assert game.actors(state) == (1,)
    assert legal(state) == ["look events", "look empires"]
    assert refusal(state, "take i_plague") == ("look_first", "history_of_the_world#draft-3")
    state = play(state, f"look {first}")
    cards = ["take i_weaponry", "take i_plague"] if first == "events" else ["take egyptians", "take minoans"]
    assert legal(state) == cards
    other = "take minoans" if first == "events" else "take i_plague"
    assert refusal(state, other) == ("other_pile", "history_of_the_world#draft-1")
    state = play(state, cards[0])
    assert set(legal(state)) == {"take egyptians", "take minoans"} if first == "events" else {"take i_weaponry", "take i_plague"}


@pytest.mark.rule("history_of_the_world#draft-4")
def test_the_last_card_of_each_pile_goes_by_itself():
    state = play(dealt(3, THREE), "take sumerians")
    state, _ = act(state, "take k_shang", actor=2)
    state = play(state, "look events", "take i_plague")
    after, events = act(state, "take egyptians")
    assert keys(events)[:3] == ["took_empire", "took_event", "took_empire"]
    assert data_of(after)["empires"] == ["sumerians", "egyptians", "minoans"]
    assert data_of(after)["hands"] == [["i_weaponry"], ["i_plague"], ["k_shang"]]
    assert due(after) == 0, "the Sumerians come first"


@pytest.mark.rule(
    "history_of_the_world#draft-5", "history_of_the_world#hidden-1", "history_of_the_world#hidden-2", "history_of_the_world#draft-11"
)
def test_choices_are_secret_until_used():
    state = dealt(4, FOUR)
    state, events = act(state, "take i_plague", actor=3)
    assert events[0].secret == {3: {"card": "i_plague"}}
    assert "card" not in events[0].params
    for seat in (0, 1, 2, None):
        view = game.view_for(state, seat)
        assert view.hand == ()
        assert view.hand_epochs[3] == (1,)
    assert game.view_for(state, 3).hand == ("i_plague",)
    assert game.view_for(state, 0).pile == ("sumerians", "egyptians", "minoans", "assyrians")
    assert game.view_for(state, 3).pile == ()


@pytest.mark.rule("history_of_the_world#draft-6")
def test_five_players_draft_in_the_ranks_of_the_beginning():
    state = dealt(5, FIVE)
    for texts in (("take sumerians", "take k_shang"), ("take egyptians", "take i_weaponry")):
        first, second = game.actors(state)
        state, _ = act(state, texts[0], actor=first)
        state, _ = act(state, texts[1], actor=second)
    assert game.actors(state) == (2,)


@pytest.mark.rule("history_of_the_world#draft-8", "history_of_the_world#draft-10")
def test_the_classic_draft_keeps_or_gives_the_top_card():
    state = dealt(3, THREE, draft="classic")
    assert game.actors(state) == (CHANCE,)
    state, events = act(state, "draw i_plague")
    assert events[0].secret == {2: {"card": "i_plague"}}, "the leader, on space 3"
    assert legal(state) == ["keep", "give 0", "give 1"]
    state = play(state, "give 1", "draw k_shang")
    assert due(state) == 1
    assert legal(state) == ["give 0", "give 2"], "who has a card must give the next one away"
    assert refusal(state, "keep") == ("has_card_already", "history_of_the_world#draft-8")
    assert game.view_for(state, 1).hand == (), "what was given is not looked at before all have a card"
    state = play(state, "give 2")
    state, events = act(state, "draw i_weaponry")
    assert keys(events)[:2] == ["drew_card", "kept_card"], "only the drawer lacks one"
    assert game.view_for(state, 1).hand == ("i_plague",), "now everybody has an event"
    state, _ = act(state, "draw minoans")
    assert due(state) == 0
    state = play(state, "keep", "draw sumerians", "give 2")
    assert game.view_for(state, 2).empires[2] is None, "an empire that was given is hidden until everybody has one"
    state, events = act(state, "draw egyptians")
    assert "gave_card" in keys(events)
    assert due(state) == 2, "the Sumerians begin"
    assert game.view_for(state, 1).hand == ("i_plague",)


@pytest.mark.rule("history_of_the_world#draft-5")
def test_texts_of_chance_are_read_back():
    for text in (FOUR, "draw i_plague", "draw minoans", "order 1 0 2", "roll 6 1 3", "roll 6 1 3 3", "again 4"):
        assert str(parse_action(text)) == text
    for text in (
        "deal sumerians",
        "deal egyptians sumerians minoans k_shang i_weaponry i_plague",
        "roll 7 1 1",
        "order 0 0 1",
        "draw nile",
    ):
        with pytest.raises(ValueError, match="expected"):
            parse_action(text)


@pytest.mark.rule("history_of_the_world#overview-5")
def test_three_to_six_can_play():
    assert [game.setup(seats, {}).seats for seats in (3, 4, 5, 6)] == [3, 4, 5, 6]
    for seats in (2, 7):
        with pytest.raises(SetupError):
            game.setup(seats, {})


@pytest.mark.rule("history_of_the_world#setup-4")
def test_the_map_starts_empty_and_everything_else_is_in_the_supplies():
    view = game.view_for(dealt(4, FOUR), None)
    assert view.armies == ((), (), (), ())
    assert view.capitals == view.cities == view.monuments == view.forts == ()
    assert view.supplies == (25, 25, 25, 25)
    assert dict(view.stock) == {"city": 24, "monument": 20, "fort": 14}


@pytest.mark.rule("history_of_the_world#draft-11")
def test_a_pile_is_seen_by_its_holder_and_never_again():
    state = dealt(4, FOUR)
    seen = [game.view_for(state, seat).pile for seat in (0, 1, 2, 3, None)]
    assert [bool(pile) for pile in seen] == [True, False, False, True, False], "the last has the empires, the leader the events"
    state, _ = act(state, "take minoans", actor=0)
    assert game.view_for(state, 0).pile == (), "the card is chosen, the pile is out of sight"
    state, _ = act(state, "take i_plague", actor=3)
    assert [bool(game.view_for(state, seat).pile) for seat in (0, 1, 2, 3)] == [False, True, True, False]
    assert game.view_for(state, 1).pile == ("sumerians", "egyptians", "assyrians"), "without the card that was taken"
