"""What holds in every game of History of the World, checked in random games; hidden cards; counts from fixed positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from games.core.contract import CHANCE, SCORER, score_of
from games.core.rng import SeededRng
from games.history_of_the_world.actions import parse_action
from games.history_of_the_world.components import EMPIRES, EVENTS
from games.history_of_the_world.invariants import check_invariants
from games.history_of_the_world.view import known_state
from tests.engine.history_of_the_world.builders import data_of, game, legal, position

GAMES = 16


def busy_game(seed: int) -> Iterator[tuple[Any, int, Any, Any, list]]:
    """Yield (before, actor, action, after, events) of a random game that keeps fighting and seldom changes standing orders."""
    rng = SeededRng(f"busy {seed}")
    state = game.setup(3 + seed % 4, {"draft": "classic"} if seed % 5 == 4 else {})
    while actors := game.actors(state):
        actor = actors[rng.below(len(actors), "t")]
        action = game.sample_chance(state, rng) if actor == CHANCE else choose(state, actor, rng)
        after, events = game.apply(state, actor, action)
        yield state, actor, action, after, events
        state = after


def choose(state: Any, actor: int, rng: SeededRng) -> Any:
    """Pick anything, but seldom end a conquest or retreat."""
    texts = [str(action) for action in game.legal_actions(state, actor)]
    if rng.below(6, "t"):
        texts = [text for text in texts if text not in ("end", "retreat") and not text.startswith("guard")] or texts
    return parse_action(texts[rng.below(len(texts), "t")])


@pytest.mark.rule(
    "history_of_the_world#limits-1", "history_of_the_world#limits-2", "history_of_the_world#score-7", "history_of_the_world#end-1"
)
def test_pieces_cards_and_points_are_right_in_every_position():
    verbs, effects = Counter(), set()
    for seed in range(GAMES):
        for before, actor, action, after, events in busy_game(seed):
            assert check_invariants(after, before) is None, (seed, str(action))
            verbs[action.verb] += 1
            effects |= {EVENTS[card].name for card in after.turn_events}
            assert (actor == CHANCE) <= (action.verb == "deal" or any(event.reveals for event in events))
            if before.active == after.active >= 0 and actor != SCORER:
                assert_only_its_own_verbs_change(before, action.verb, after)
        outcome = game.outcome(after)
        assert sorted(outcome.places) == list(range(1, after.seats + 1))
        assert [score_of(outcome, seat) for seat in range(after.seats)] == list(outcome.scores)
    wanted = {
        "take",
        "keep",
        "give",
        "conquer",
        "fort",
        "end",
        "roll",
        "again",
        "siege",
        "retreat",
        "play",
        "kingdom",
        "found",
        "monument",
        "target",
    }
    assert not wanted - set(verbs)
    assert len(effects) >= 5


def assert_only_its_own_verbs_change(before: Any, verb: str, after: Any) -> None:
    """Only a few verbs add and remove structures and forts, and one changes standing orders."""
    if verb != "guard":
        assert after.guards == before.guards
    if verb in ("guard", "siege", "reroll", "up", "down"):
        assert (after.capitals, after.cities) == (before.capitals, before.cities)
    if verb not in ("play", "kingdom", "take", "draw", "keep", "give", "score"):
        assert after.hands == before.hands


def test_positions_survive_their_text_and_views_know_the_legal_actions():
    for seed in range(100, 104):
        for number, (before, actor, *_) in enumerate(busy_game(seed)):
            if number % 5:
                continue
            assert game.state_from_json(data_of(before)) == before
            if actor >= 0:
                view = game.view_for(before, actor)
                assert [str(action) for action in game.legal_for_view(view)] == [
                    str(action) for action in game.legal_actions(before, actor)
                ]
                assert game.view_for(known_state(view), actor) == view


@pytest.mark.rule("history_of_the_world#hidden-1")
def test_no_view_names_a_card_that_its_seat_has_not_seen():
    for seed in range(200, 203):
        for number, (before, _, _, after, events) in enumerate(busy_game(seed)):
            if number % 4:
                continue
            for seat in (*range(after.seats), None):
                text = repr(game.view_for(after, seat))
                for rival in range(after.seats):
                    if rival == seat:
                        continue
                    for card in after.hands[rival]:
                        assert f"'{EVENTS[card].name}'" not in text
                    empire = after.empires[rival]
                    if empire >= 0 and EMPIRES[empire].order > after.called:
                        assert f"'{EMPIRES[empire].name}'" not in text
            for event in events:
                for name, value in event.params.items():
                    assert name != "card" or value in {EVENTS[card].name for card in after.played}, event
            assert before is not after


@pytest.mark.parametrize(
    ("state", "one"),
    [
        (position(armies=["nile* levant*", "mesopotamia anatolia", "crete"], empires=["egyptians", "hittites", "greeks"], card=3), 9),
        (
            position(
                epoch=4, empires=["portuguese", "turks", "mongols"], armies=["lusitania*", "gaul britannia", "brazil"], card=5,
                zones=["atlantic_ocean", "indian_ocean", "pacific_asian"], hands=["i_plague i_compass", "", ""],
            ),
            55,
        ),
    ],
    ids=["Egypt", "oceans"],
)  # fmt: skip
def test_the_number_of_actions_in_fixed_positions(state, one):
    assert len(legal(state)) == one
