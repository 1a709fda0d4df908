"""What holds in every game, whatever is played, and the engine compared with a plain second one ply by ply (see `oracle`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from games.core.contract import CHANCE, SCORER, Event
from games.core.rng import SeededRng
from games.tigris_euphrates.state import State, labels_of
from tests.engine.tigris_euphrates import lively
from tests.engine.tigris_euphrates.builders import due, game
from tests.engine.tigris_euphrates.oracle import COLOUR_OF, FRAMED, RIVER, SQUARE, TILES, Oracle, beside, board_of, label, squares

BOX = {"settlement": 30, "temple": 57, "farm": 36, "market": 30}


def plies(seats: int, seed: int, tries: int = 8) -> Iterator[tuple[State, int, str, State, list[Event]]]:
    """Play a random game: yield position, actor, action, the next position and the events of each ply."""
    rng = SeededRng(f"properties {seats} {seed}")
    state = game.setup(seats, {})
    while actors := game.actors(state):
        actor = actors[0]
        action = lively.answer(state, actor, rng, tries)
        after, events = game.apply(state, actor, action)
        yield state, actor, str(action), after, events
        state = after


# The second engine


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_engine_and_a_plain_one_of_the_rule_book_allow_and_do_the_same_at_every_ply(seats):
    seen: Counter[str] = Counter()
    for seed in range(2):
        plain = Oracle(game.state_to_json(game.setup(seats, {})))
        for state, actor, text, after, events in plies(seats, seed, tries=(4, 8)[seed]):
            assert plain.ask is not None
            assert plain.ask.who == actor
            if actor != CHANCE:
                texts = [str(action) for action in game.legal_actions(state, actor)]
                assert len(set(texts)) == len(texts)
                assert set(texts) == plain.ask.texts
            elif plain.ask.draw:
                assert len(text.split()) - 1 == plain.ask.draw
            plain.tell(text)
            assert board_of(game.state_to_json(after)) == plain.board()
            assert sorted(sorted(labels_of(kingdom)) for kingdom in after.kingdoms) == sorted(
                sorted(map(label, kingdom)) for kingdom in plain.kingdoms()
            )
            seen.update(event.key for event in events)
        assert plain.ask is None
        assert list(game.outcome(after).places) == plain.ranking()
    assert {"revolt_won", "war_won", "united", "built", "treasure_taken", "swapped", "catastrophe_placed", "tile_point_king"} <= set(seen)


# Properties, seen from outside


def check_board(data: dict[str, Any], kingdoms: list[set[str]]) -> None:
    """Check what must hold in every position, from its JSON."""
    for kind, count in BOX.items():
        places = [data["bag"], data["gone"], *data["hands"], *data["swapped"]]
        lying = len(data["tiles"].get(kind, "").split()) + 4 * sum(below == kind for _, _, below in data["built"])
        assert sum(place.get(kind, 0) for place in places) + lying == count
    assert len(data["treasures"].split()) + sum(data["jokers"]) == 10
    assert len(data["catastrophes"].split()) + sum(data["catastrophes_left"]) == 2 * data["seats"]
    temples = set(squares(data["tiles"].get("temple", "")))
    standing = [at for leaders in data["leaders"] for at in leaders.values()]
    assert len(set(standing)) == len(standing)
    for at in standing:
        assert temples & set(beside(SQUARE[at]))  # no leader without a temple
    if data["phase"] not in ("war_choice", "attack", "defence"):
        for kingdom in kingdoms:
            roles = [role for leaders in data["leaders"] for role, at in leaders.items() if at in kingdom]
            assert len(set(roles)) == len(roles)  # no two leaders of one colour in a kingdom
    for kind in TILES:
        assert all((square in RIVER) == (kind == "farm") for square in squares(data["tiles"].get(kind, "")))


def check_change(before: dict[str, Any], after: dict[str, Any], text: str) -> None:
    """Check what an action must not change."""
    verb = text.split()[0]
    lost = {
        (at, kind)
        for kind in TILES
        for at in before["tiles"].get(kind, "").split()
        if at not in after["tiles"].get(kind, "").split()
    }  # fmt: skip
    assert not lost or verb in ("support", "catastrophe", "build")
    if verb == "support":
        kind = text.split()[2]
        near = {square for leaders in after["leaders"] for at in leaders.values() for square in beside(SQUARE[at])}
        for at, lost_kind in lost:
            assert before["conflict"]["kind"] == "war"
            assert lost_kind == kind
            assert at != before["union"]
            if kind == "temple":
                assert at not in before["treasures"].split()
                assert SQUARE[at] not in near
    if verb == "catastrophe":
        assert len(lost) <= 1
        assert not {at for at, _ in lost} & set(before["treasures"].split())
    assert after["built"][: len(before["built"])] == before["built"]
    assert set(before["catastrophes"].split()) <= set(after["catastrophes"].split())
    taken = set(before["treasures"].split()) - set(after["treasures"].split())
    assert len(taken) == (verb == "treasure")
    assert set(after["treasures"].split()) <= set(before["treasures"].split())
    for old, new in zip(before["points"], after["points"], strict=True):
        for colour in COLOUR_OF.values():
            assert _total(old, colour) <= _total(new, colour)
    assert all(old <= new for old, new in zip(before["jokers"], after["jokers"], strict=True))


def _total(points: dict[str, Any], colour: str) -> int:
    value = points.get(colour, 0)
    return value if isinstance(value, int) else sum(value)


@pytest.mark.rule(
    "tigris_euphrates#components-1", "tigris_euphrates#conflicts-1", "tigris_euphrates#leaders-6", "tigris_euphrates#wars-8",
    "tigris_euphrates#monuments-7", "tigris_euphrates#catastrophes-3", "tigris_euphrates#treasures-2", "tigris_euphrates#tiles-2",
)  # fmt: skip
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_is_lost_no_leader_is_alone_or_doubled_and_what_is_guarded_stays(seats):
    endings: Counter[str] = Counter()
    for seed in range(7):
        for state, _, text, after, _ in plies(seats, 100 + seed):
            data = game.state_to_json(after)
            check_board(data, [set(labels_of(kingdom)) for kingdom in after.kingdoms])
            check_change(game.state_to_json(state), data, text)
            assert game.check_invariants(after, state) is None
        endings[game.outcome(after).reason] += 1
    assert endings["treasures"] + endings["bag"] > 0


@pytest.mark.rule("tigris_euphrates#hidden-2")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_points_of_all_events_add_up_to_the_totals(seats):
    """The totals, treasures included, follow from the log, so no point comes or goes silently."""
    told = [Counter() for _ in range(seats)]
    for _, actor, _, after, events in plies(seats, 200):
        for event in events:
            if event.key == "treasure_taken":
                told[event.params["seat"]]["treasure"] += 1
            elif "points" in event.params and actor != SCORER:
                told[event.params["seat"]][event.params["colour"]] += event.params["points"]
        data = game.state_to_json(after)
        for seat in range(seats):
            totals = Counter({colour: _total(data["points"][seat], colour) for colour in COLOUR_OF.values()})
            totals["treasure"] = data["jokers"][seat]
            assert +totals == +told[seat]


@pytest.mark.rule("tigris_euphrates#treasures-2")
def test_the_last_treasure_of_a_kingdom_is_framed_only_where_no_other_was():
    for seed in range(12):
        for state, actor, text, _, _ in plies(2 + seed % 3, 300 + seed):
            if text.startswith("treasure"):
                kingdom = next(kingdom for kingdom in state.kingdoms if text.split()[1] in labels_of(kingdom))
                here = {SQUARE[at] for at in labels_of(kingdom & state.treasures)}
                assert due(state) == actor
                assert SQUARE[text.split()[1]] in (here & FRAMED or here)
                assert len(here) > 1
