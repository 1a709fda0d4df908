"""Illegal actions in Tigris & Euphrates, and why each is refused."""

from __future__ import annotations

from tests.engine.tigris_euphrates.builders import data_from

SEATS = 2
WAR = {
    "tiles": {"market": "G4 I4", "temple": "H4 J5"},
    "leaders": ["trader F4", "trader I5"],
    "hands": ["market 2, temple 4", "market 1, temple 5"],
    "phase": "attack",
    "conflict": {"kind": "war", "role": "trader"},
    "placed": "H4",
}
QUIET = {"leaders": ["king F4", "king B3"], "hands": ["temple 2, settlement 2, market 2", None]}


CASES = [
    (QUIET, 0, "tile temple Q3", 400, "components-6", "an action in this game"),
    (QUIET, 0, "tile temple A12", 400, "components-6", "an action in this game"),
    (QUIET, 0, "tile temple E1", 422, "tiles-3", "E1 is a river"),
    (QUIET, 0, "tile farm E1", 422, "tiles-1", "You don't have this tile"),
    (QUIET, 0, "tile temple F3", 422, "tiles-1", "F3 isn't empty. Choose another square"),
    (QUIET, 0, "leader emperor G3", 400, "components-3", "an action in this game"),
    (QUIET, 0, "withdraw priest", 422, "leaders-8", "Your priest isn't on the board"),
    (QUIET, 0, "leader king F4", 422, "leaders-5", "This leader is already on F4"),
    (QUIET, 0, "leader priest D5", 422, "leaders-3", "There is no face-up temple next to D5"),
    (QUIET, 0, "leader priest E3", 422, "leaders-2", "E3 is a river"),
    (QUIET, 0, "catastrophe F3", 422, "catastrophes-2", "There is a treasure on F3"),
    (QUIET, 0, "catastrophe F4", 422, "catastrophes-2", "There is a leader on F4"),
    (QUIET, 0, "swap temple temple temple", 422, "swap-1", "You don't have that many"),
    (QUIET, 0, "support 1 temple", 422, "conflicts-1", "There is no conflict now"),
    (QUIET, 0, "build black_red F4", 422, "monuments-1", "You can't build a monument now"),
    (QUIET, 0, "build white_red F4", 400, "components-4", "an action in this game"),
    (QUIET, 0, "treasure F3", 422, "treasures-1", "There is no treasure to take now"),
    (QUIET, 0, "draw temple", 422, "setup-4", "This is decided by chance. You can't choose it"),
    (QUIET, 0, "score", 422, "scoring-2", "nothing to score now"),
    (QUIET, 1, "tile temple G3", 409, "turn-1", "It's not your turn. Waiting for alice"),
    (WAR, 0, "support 1 temple", 422, "wars-5", "You can only add tiles of the leaders' colour"),
    (WAR, 0, "support 3 market", 422, "conflicts-3", "Tiles in hand: 2"),
    (WAR, 0, "tile temple K5", 422, "conflicts-2", "Choose how many tiles to add"),
    (WAR, 1, "support 1 market", 409, "conflicts-3", "A conflict is being resolved. Waiting for alice"),
]


def state_of(fields):
    return data_from(**fields)
