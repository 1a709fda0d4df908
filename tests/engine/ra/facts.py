"""What registry-wide tests need to know about Ra (see `test_every_game` and `test_every_bot`)."""

from operator import itemgetter

from games.ra.components import KINDS
from games.ra.state import NO_TILE

REASONS = {"apprentice": 3, "journeyman": 9, "scribe": 9, "master": 9}
THOUGHT = ("gains", 10, 10)  # nothing is searched
# The places are from one deal for each number of players; test_bots plays whole games of the master.
GAIN = {"apprentice": 8, "journeyman": 1, "scribe": 3, "master": -8}
PLACES = 16  # luck weighs more than in the other games
READINGS = 34
UNTESTED = {"R34"}  # an interpretation that needs no test
TARGETS_IN_TEMPLATE = True  # the board gives pieces their ids, and the scene has only those that need more


def check_drawing(drawing, state, seat):
    """Hold a drawing against the position: as many spaces of each kind as the Ra track has, and every tile and sun in its place."""
    spaces = [space["state"] for space in drawing["ra_spaces"]]
    shut = len(spaces) - state.ra_length
    assert spaces == ["shut"] * shut + ["ra"] * state.ra_count + ["free"] * (state.ra_length - state.ra_count)
    assert [slot["kind"] for slot in drawing["track"] if slot["kind"]] == [KINDS[kind] for kind in state.track if kind != NO_TILE]
    suns = [(up | down).bit_count() for up, down in zip(state.suns_up, state.suns_down, strict=True)]
    assert [len(berth["suns"]) for berth in sorted(drawing["berths"], key=itemgetter("number"))] == suns
