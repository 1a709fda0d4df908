"""What holds in every game of Ra, checked in 640 random games (`make fuzz` plays more), and counts of all lines from fixed positions."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from games.core.contract import CHANCE, SCORER
from games.core.rng import SeededRng
from games.ra import scoring
from games.ra.actions import DRAWN, Deal, DrawnTile, UseGods
from games.ra.components import COUNTS, GOD, KIND_OF, LEAVE_AFTER_EPOCH, N_KINDS, RA, SUN_SETS
from games.ra.invariants import check_invariants
from games.ra.state import DEAL, State, tiles_of
from tests.engine.ra.builders import four, game, play, position

LEAVING = {"nobody_bid_dropped", "track_cleared", "lost_tiles", "discarded"}
DISASTER = {"lost_tiles", "lost_nothing", "must_discard"}


def in_play(state: State) -> list[int]:
    """Return the tiles of the seats, on both tracks and in the bag, by kind."""
    bag, track, tiles = state.bag, state.track, state.tiles
    counts = [bag.count(kind) + track.count(kind) + sum(tiles[kind::N_KINDS]) for kind in range(N_KINDS)]
    counts[RA] += state.ra_count
    return counts


def put_into_box(box: Counter[int], before: State, action: object, events: list) -> None:
    """Add to `box` what leaves the game according to the public events and the rules of the epoch's end."""
    if isinstance(action, UseGods):
        box[GOD] += len(action.tiles)
    for event in events:
        if event.key in LEAVING:
            box.update(KIND_OF[name] for name in event.params["tiles"])
        if event.key in DISASTER:
            kind = KIND_OF[event.params["disaster"]]
            box[kind] += event.params["n"] // 2 if event.key == "must_discard" else struck(before, action, kind)
        if event.key.startswith("epoch_ended"):
            box[RA] += before.ra_count + isinstance(action, DrawnTile)
        if event.key == "epoch_scored":
            for seat in range(before.seats):
                tiles = tiles_of(before, seat)
                box.update({kind: tiles[kind] for kind in LEAVE_AFTER_EPOCH})


def struck(before: State, action: object, kind: int) -> int:
    """Return how many disasters of a kind were taken at once."""
    return action.tiles.count(kind) if isinstance(action, UseGods) else list(before.track).count(kind)


@pytest.mark.rule("ra#components-2", "ra#epochs-9", "ra#score-2", "ra#score-3")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_tiles_and_suns_are_conserved_and_fame_changes_by_the_rules_only(seats):
    endings = Counter()
    for seed in range(160):
        rng = SeededRng(f"property {seats} {seed}")
        patience = (0, 5, 9)[seed % 3]  # of ten: how often a seat that may draw does so; patient games fill the Ra track
        state, box, plies = game.setup(seats, {}), Counter(), 0
        while actors := game.actors(state):
            actor = actors[0]
            if actor == CHANCE:
                action = game.sample_chance(state, rng)
            else:
                action = game.sample_action(state, actor, rng)
                if rng.below(10, "patience") < patience:
                    action = game.legal_actions(state, actor)[0]
            after, events = game.apply(state, actor, action)
            put_into_box(box, state, action, events)
            assert [count + box[kind] for kind, count in enumerate(in_play(after))] == list(COUNTS)
            if plies % 4 == 0:
                assert check_invariants(after, state) is None
            plies += 1
            if actor == SCORER:
                gains = scoring.epoch_gains(state)
                assert after.fame == [max(0, fame + gain) for fame, gain in zip(state.fame, gains, strict=True)]
                endings[state.ending] += 1
            else:
                assert after.fame == state.fame
            state = after
        outcome = game.outcome(state)
        best = max(outcome.scores)
        assert outcome.scores[outcome.places.index(1)] == best
        assert sorted(outcome.places) == list(range(1, seats + 1))
    assert min(endings.values()) > 50  # both ends of an epoch were seen
    assert len(endings) == 2


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_bag_never_runs_dry_before_the_game_ends(seats):
    """Even when every epoch ends by the Ra track and nobody ever wins a tile."""
    rng = SeededRng(seats)
    for _ in range(10):
        state = game.setup(seats, {})
        while actors := game.actors(state):
            actor = actors[0]
            legal = [] if actor == CHANCE else game.legal_actions(state, actor)
            action = game.sample_chance(state, rng) if actor == CHANCE else legal[-1] if str(legal[-1]) == "pass" else legal[0]
            state, _ = game.apply(state, actor, action)
            assert state.bag or game.actors(state) in ((SCORER,), ())


# Perft: how many lines of a given length start at a position. Changing the rules changes the counts.


def outcomes(state: State) -> list:
    """Return all actions of whoever is due, chance included."""
    (actor,) = game.actors(state)
    if actor != CHANCE:
        return game.legal_actions(state, actor)
    if state.phase == DEAL:
        return [Deal(tuple(order)) for order in permutations_of(state.seats)]
    return [DRAWN[kind] for kind in sorted(set(state.bag))]


def permutations_of(n: int) -> list[tuple[int, ...]]:
    return list(permutations(range(n)))


def perft(state: State, depth: int) -> int:
    if depth == 0 or not game.actors(state):
        return 1
    (actor,) = game.actors(state)
    actions = outcomes(state)
    if depth == 1:
        return len(actions)
    return sum(perft(game.apply(state, actor, action)[0], depth - 1) for action in actions)


POSITIONS = {
    "start of four": lambda: game.setup(4, {}),
    "first turn": lambda: four(),
    "gods on a full track": lambda: four("nile nile gold flood civ_art civ_writing unrest mon_palace", tiles={0: "god 3, civ_art 2"}),
    "auction": lambda: play(four("pharaoh unrest", tiles={2: "civ_art 3, civ_religion 2"}), "call"),
    "end of an epoch": lambda: position(
        "0> 13 (6) (2) | god\n1  (12) (7) 3\n2  (11) (8) (4)\n3  (10) (9) (5)", track=["unrest", "nile"], ra_track=8
    ),
}


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("start of four", [24, 48, 648, 1428]),
        ("first turn", [2, 27, 60, 638]),
        ("gods on a full track", [71, 139, 1639]),
        ("auction", [4, 12, 32, 72, 152]),
        ("end of an epoch", [4, 29, 98, 652]),
    ],
)
def test_the_number_of_lines_from_a_position(name, counts):
    state = POSITIONS[name]()
    assert [perft(state, depth + 1) for depth in range(len(counts))] == counts


def test_the_sun_sets_hold_each_sun_once():
    for seats, sets in SUN_SETS.items():
        suns = [sun for group in sets for sun in group]
        assert len(set(suns)) == len(suns) == seats * len(sets[0])
