"""The berths above the auction track: whose suns, in which order, what is bid, who has passed and who bids now."""

from __future__ import annotations

import pytest

from games.core.rng import SeededRng
from games.registry import game as find_game

game = find_game("ra")


def positions(seats, seed, most=160):
    """Return the positions of a game played at random, up to `most`."""
    rng, state, found = SeededRng(seed), game.setup(seats, {}), []
    while len(found) < most and (actors := game.actors(state)):
        actor = actors[0]
        action = game.sample_chance(state, rng) if actor == -1 else None
        if action is None:
            legal = game.legal_actions(state, actor)
            action = legal[rng.below(len(legal), "action")]
        state = game.apply(state, actor, action)[0]
        found.append(state)
    return found


@pytest.mark.rule("ra#auction-2", "ra#auction-3")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_berths_show_every_sun_and_every_bid(seats):
    seen = set()
    for state in positions(seats, seats):
        for viewer in (0, None):
            view = game.view_for(state, viewer)
            berths = game.scene(view)["berths"]
            order = [berth["number"] - 1 for berth in berths]
            is_auction = view.phase == "auction"
            if is_auction:
                assert order[-1] == view.ra_player
                assert order == [(order[0] + step) % seats for step in range(seats)], "clockwise"
            else:
                assert order == list(range(seats))
            for seat, berth in zip(order, berths, strict=True):
                up = {sun["value"] for sun in berth["suns"] if not sun["is_down"]}
                down = {sun["value"] for sun in berth["suns"] if sun["is_down"]}
                assert (up, down) == (set(view.suns_up[seat]), set(view.suns_down[seat]))
                bid = view.bids[seat] if is_auction else None
                assert [sun["value"] for sun in berth["suns"] if sun["is_bid"]] == ([bid] if bid else [])
                assert berth["is_due"] == (is_auction and view.due == seat)
                assert berth["has_figure"] == (is_auction and view.ra_player == seat)
                words = [note.text for note in berth["said"]]
                assert ("passed" in words) == (bid == 0)
                assert ("bids now" in words) == berth["is_due"]
                assert not [note for note in berth["said"] if "fame" in note.text], "what is hidden is never on the track"
                seen |= set(words)
    assert {"bid {n}", "passed", "bids last", "bids now", "out this epoch"} <= seen
