"""Illegal actions in After the Flood, and why each is refused."""

from __future__ import annotations

from tests.engine.after_the_flood.builders import counts

SEATS = 3

# Turn 3: Alice leads Mittani, Bob Egypt, Charlie a Sumerian empire.
TURN = {
    "turn": 3,
    "goods": ["grain 4 metal tool", "textile 3", "wood 3"],
    "workers": ["amorites 2 irrigation scribes used_scribes tool_makers", "hittites", "kassites akkad 2 mittani"],
    "available": [2, 4, 6],
    "armies": ["mittani 2 assyria", "egypt amorites", "umma 2 sippar"],
    "armies_available": [3, 2, 3],
    "cities": ["ur umma", "babylon", "uruk shuruppak"],
    "empires": ["mittani", "egypt", "sumer"],
    "ranking": [0, 1, 2],
}
FIRST = {
    "turn": 1,
    "goods": ["grain wood", "", ""],
    "workers": ["guti", "guti 2", "akkad"],
    "available": [4, 4, 4],
    "armies": ["", "", "akkad"],
    "armies_available": [0, 0, 9],
    "cities": ["ur umma lagash eridu", "uruk", ""],
    "empires": [None, None, "akkad"],
    "ranking": [2],
}
PASSED = FIRST | {"phase": "paying", "passed": [1]}
PLACING = TURN | {"phase": "placing", "doing": {"placed": True, "usable": 1}}
TRADING = TURN | {
    "phase": "trading",
    "armies": ["mittani 2 assyria", "egypt", "umma 2 sippar"],
    "doing": {"traded": {"amorites": [1, ["wood"]]}},
}
MUSTERING = FIRST | {
    "phase": "mustering",
    "empires": ["sumer", None, "akkad"],
    "armies_available": [20, 0, 9],
    "goods": ["grain tool", "", ""],
}
ATTACKING = TURN | {"phase": "attacking", "doing": {"target": "sippar"}}
EXPANDING = TURN | {"phase": "expanding", "armies_available": [1, 2, 3]}
BIDDING = TURN | {"phase": "bidding", "passed": [0]}
GROWING = TURN | {"phase": "growing", "passed": [0, 1, 2], "goods": ["wood 2 oil", "", ""], "grown": ["ur"]}
WIPED_OUT = TURN | {"armies": ["", "egypt amorites", "umma 2 sippar"]}
NO_FORM, WAIT = "an action in this game", "It's not your turn. Waiting for alice"

CASES = [
    (TURN, 0, "flood", 400, "act-2", NO_FORM),
    (TURN, 0, "build atlantis", 400, "build-1", NO_FORM),
    (TURN, 0, "build egypt", 400, "build-1", NO_FORM),
    (TURN, 0, "build  ur", 400, "build-1", NO_FORM),
    (TURN, 0, "BUILD ur", 400, "act-2", NO_FORM),
    (TURN, 0, "place grain egypt 2", 400, "place-1", NO_FORM),
    (TURN, 0, "place grain egypt -1", 400, "place-1", NO_FORM),
    (TURN, 0, "place grain egypt ١", 400, "place-1", NO_FORM),
    (TURN, 0, "place grain ur 1", 400, "place-1", NO_FORM),
    (TURN, 0, "place tool used_scribes 1", 400, "place-1", NO_FORM),
    (TURN, 0, "scribe used_scribes scribes", 400, "scribes-1", NO_FORM),
    (TURN, 0, "trade amorites gold textile", 400, "trade-3", NO_FORM),
    (TURN, 0, "trade kassites lapis metal", 400, "trade-3", NO_FORM),
    (TURN, 0, "invade dilmun 2", 400, "expand-2", NO_FORM),
    (TURN, 0, "found atlantis", 400, "found-1", NO_FORM),
    (TURN, 0, "recruit oil", 400, "found-6", NO_FORM),
    (TURN, 0, "garrison 3", 400, "found-8", NO_FORM),
    (TURN, 0, "grow umma oil tool", 400, "growth-1", NO_FORM),
    (TURN, 0, "grow umma oil oil", 400, "growth-1", NO_FORM),
    (TURN, 0, "pass pass", 400, "pass-1", NO_FORM),
    (TURN, 0, "build babylon", 422, "build-2", "bob has a city in Babylon"),
    (TURN, 0, "build sippar", 422, "build-2", "charlie has an army in Sippar"),
    (TURN, 0, "relocate ur eridu", 422, "build-3", "You can move a city only when all four are on the map"),
    (TURN, 0, "place gold egypt 1", 422, "place-1", "You don't have this good"),
    (TURN, 0, "place tool egypt 3", 422, "place-1", "You don't have that many (3). Available workers: 2"),
    (TURN, 0, "place grain scribes 1", 422, "scribes-2", "at most 2 scribes"),
    (TURN, 0, "scribe elam egypt", 422, "scribes-3", "You have no worker to move from Elam"),
    (TURN, 0, "scribe available scribes", 422, "scribes-2", "at most 2 scribes"),
    (TURN, 0, "trade amorites wood grain", 422, "trade-5", "bob's army blocks trade there"),
    (TURN, 0, "trade egypt gold tool", 422, "trade-5", "bob's army blocks trade there"),
    (TURN, 0, "trade elam metal grain", 422, "trade-1", "You have no traders there"),
    (TURN, 0, "trade mittani wood textile", 422, "trade-3", "You don't have this good"),
    (TURN, 0, "found sumer", 422, "found-2", "You have already started an empire this turn"),
    (TURN, 0, "invade egypt", 422, "expand-2", "You have no army next to Egypt"),
    (TURN, 0, "invade akkad", 422, "expand-4", "Armies can't enter Akkad"),
    (TURN, 0, "invade dilmun", 422, "expand-4", "Armies can't enter Dilmun"),
    (TURN, 0, "invade assyria", 422, "expand-2", "You already have an army there"),
    (TURN, 0, "destroy babylon", 422, "destroy-1", "You have no army there"),
    (TURN, 0, "reinforce mittani", 422, "expand-5", "You already have two armies there"),
    (TURN, 0, "reinforce babylon", 422, "expand-5", "You have no army there"),
    (TURN, 0, "refound", 422, "expand-8", "you can't place it again"),
    (TURN, 0, "pay grain", 422, "pass-3", "There is nothing to pay now"),
    (TURN, 0, "bid grain", 422, "act-2", "Choose an action first"),
    (TURN, 0, "grow umma", 422, "act-2", "Choose an action first"),
    (TURN, 0, "done", 422, "act-2", "Choose an action first"),
    (TURN, 0, "attack", 422, "act-2", "Choose an action first"),
    (TURN, 0, "garrison 1", 422, "act-2", "Choose an action first"),
    (TURN, 0, "roll 6 6", 422, "combat-1", "This is decided by chance. You can't choose it"),
    (TURN, 0, "order 0 1 2", 422, "setup-1", "This is decided by chance. You can't choose it"),
    (TURN, 0, "score", 422, "points-1", "nothing to score now"),
    (TURN, 1, "build nippur", 409, "act-1", WAIT),
    (TURN, 1, "pass", 409, "act-1", WAIT),
    (FIRST, 0, "build nippur", 422, "build-3", "All four of your cities are on the map"),
    (FIRST, 0, "relocate ur ur", 400, "build-3", NO_FORM),
    (FIRST, 0, "relocate nippur sippar", 422, "build-3", "You have no city in Nippur"),
    (FIRST, 0, "found guti", 422, "found-3", "Another player has more workers in the home area (Guti) than you"),
    (FIRST, 0, "found akkad", 422, "found-2", "charlie has already started this empire"),
    (FIRST, 0, "found egypt", 422, "found-1", "can't be started in turn 1"),
    (FIRST, 0, "invade babylon", 422, "expand-1", "You haven't started an empire this turn"),
    (FIRST, 0, "scribe available guti", 422, "scribes-1", "You have no unused scribes"),
    (FIRST, 0, "tool", 422, "tools-1", "You don't have this good"),
    (PASSED, 0, "place grain guti 1", 422, "pass-3", "Another player has passed"),
    (PASSED, 0, "pay army", 422, "pass-3", "You have no available armies"),
    (PASSED, 0, "pay gold", 422, "pass-3", "You don't have this good"),
    (PASSED, 1, "pay worker", 409, "act-1", WAIT),
    (PLACING, 0, "place grain guti 1", 422, "place-1", "You can only pay one good per action, and you have already paid it"),
    (PLACING, 0, "pass", 422, "place-1", "You are placing workers: continue, or finish"),
    (TRADING, 0, "trade amorites wood grain", 422, "trade-2", "You have already received this good there this action"),
    (TRADING, 0, "build nippur", 422, "trade-1", "You are trading: continue, or finish"),
    (MUSTERING, 0, "recruit grain", 422, "found-6", "Twenty is the limit"),
    (MUSTERING, 0, "equip gold", 422, "equip-1", "You don't have this good"),
    (MUSTERING, 0, "home uruk", 422, "found-6", "You are starting an empire: buy armies, equip it, or finish"),
    (ATTACKING, 0, "invade babylon", 422, "combat-4", "First decide whether to continue the attack on Sippar or end it"),
    (ATTACKING, 0, "done", 422, "combat-4", "First decide whether to continue the attack on Sippar or end it"),
    (EXPANDING, 0, "reinforce assyria", 422, "expand-6", "Expanding again costs one army and needs another"),
    (EXPANDING, 0, "refound", 422, "expand-8", "you can't place it again"),
    (BIDDING, 0, "bid gold", 422, "pass-2", "You don't have this good"),
    (BIDDING, 0, "pay grain", 422, "pass-2", "You have passed"),
    (GROWING, 0, "grow ur", 422, "growth-3", "The city in Ur has already grown"),
    (GROWING, 0, "grow babylon", 422, "growth-1", "You have no city in Babylon"),
    (GROWING, 0, "grow umma gold", 422, "growth-1", "You don't have this good"),
    (GROWING, 1, "grow babylon", 409, "act-1", WAIT),
    (WIPED_OUT, 0, "invade amorites", 422, "expand-8", "First place it again, in its home area"),
    (WIPED_OUT, 0, "refound ur", 422, "expand-8", "You can only place your empire again in its home area"),
]
# Texts that are no choice in the first position
ODD = ["build atlantis", "place lapis", "trade egypt", "invade dilmun", "grow", "scribe x y z", "a" * 500, "١ ٢"]


def state_of(fields):
    """Return a position of Alice, Bob and Charlie as a file has it."""
    words = {name: [counts(each) for each in fields[name]] for name in ("goods", "workers", "armies")}
    return fields | words | {"cities": [each.split() for each in fields["cities"]]}
