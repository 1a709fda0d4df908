"""What cannot be done in After the Flood, by page and API: refused with the paragraph that says so, and nothing changed."""

from __future__ import annotations

import pytest

from portal.tables import services
from portal.tables.loading import load
from tests.engine.after_the_flood.builders import counts

from .refusals import assert_choices_show_the_question, assert_each_refused, by_position

pytestmark = pytest.mark.django_db

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
NO_FORM, WAIT = "no action of this game", "The move is not yours now. Waiting for alice"

# position, seat that asks, action, status, paragraph, a part of the sentence
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
    (TURN, 0, "build babylon", 422, "build-2", "A city of bob stands there"),
    (TURN, 0, "build sippar", 422, "build-2", "An army of charlie stands there"),
    (TURN, 0, "relocate ur eridu", 422, "build-3", "only when all four are on the map"),
    (TURN, 0, "place gold egypt 1", 422, "place-1", "You do not have this good"),
    (TURN, 0, "place tool egypt 3", 422, "place-1", "Available workers: 2, not 3"),
    (TURN, 0, "place grain scribes 1", 422, "scribes-2", "2 scribes at most"),
    (TURN, 0, "scribe elam egypt", 422, "scribes-3", "You have no worker there to move"),
    (TURN, 0, "scribe available scribes", 422, "scribes-2", "2 scribes at most"),
    (TURN, 0, "trade amorites wood grain", 422, "trade-5", "An army of bob blocks the trade there"),
    (TURN, 0, "trade egypt gold tool", 422, "trade-5", "An army of bob blocks the trade there"),
    (TURN, 0, "trade elam metal grain", 422, "trade-1", "You have no trader there"),
    (TURN, 0, "trade mittani wood textile", 422, "trade-3", "You do not have this good"),
    (TURN, 0, "found sumer", 422, "found-2", "You have started an empire in this turn already"),
    (TURN, 0, "invade egypt", 422, "expand-2", "No army of yours stands beside it"),
    (TURN, 0, "invade akkad", 422, "expand-4", "No way leads there for armies"),
    (TURN, 0, "invade dilmun", 422, "expand-4", "No way leads there for armies"),
    (TURN, 0, "invade assyria", 422, "expand-2", "Your own army stands there"),
    (TURN, 0, "destroy babylon", 422, "destroy-1", "You have no army there"),
    (TURN, 0, "reinforce mittani", 422, "expand-5", "Two armies of yours stand there already"),
    (TURN, 0, "reinforce babylon", 422, "expand-5", "You have no army there"),
    (TURN, 0, "refound", 422, "expand-8", "need not begin again"),
    (TURN, 0, "pay grain", 422, "pass-3", "Nothing has to be paid now"),
    (TURN, 0, "bid grain", 422, "act-2", "Now an action has to be chosen"),
    (TURN, 0, "grow umma", 422, "act-2", "Now an action has to be chosen"),
    (TURN, 0, "done", 422, "act-2", "Now an action has to be chosen"),
    (TURN, 0, "attack", 422, "act-2", "Now an action has to be chosen"),
    (TURN, 0, "garrison 1", 422, "act-2", "Now an action has to be chosen"),
    (TURN, 0, "roll 6 6", 422, "combat-1", "Nobody may choose what chance decides"),
    (TURN, 0, "order 0 1 2", 422, "setup-1", "Nobody may choose what chance decides"),
    (TURN, 0, "score", 422, "points-1", "nothing to score now"),
    (TURN, 1, "build nippur", 409, "act-1", WAIT),
    (TURN, 1, "pass", 409, "act-1", WAIT),
    (FIRST, 0, "build nippur", 422, "build-3", "All four of your cities are on the map"),
    (FIRST, 0, "relocate ur ur", 400, "build-3", NO_FORM),
    (FIRST, 0, "relocate nippur sippar", 422, "build-3", "You have no city there"),
    (FIRST, 0, "found guti", 422, "found-3", "Somebody has more workers in the home area"),
    (FIRST, 0, "found akkad", 422, "found-2", "charlie has started this empire"),
    (FIRST, 0, "found egypt", 422, "found-1", "cannot be started in turn 1"),
    (FIRST, 0, "invade babylon", 422, "expand-1", "You have started no empire in this turn"),
    (FIRST, 0, "scribe available guti", 422, "scribes-1", "You have no unused scribe"),
    (FIRST, 0, "tool", 422, "tools-1", "You do not have this good"),
    (PASSED, 0, "place grain guti 1", 422, "pass-3", "Somebody else has passed: first pay"),
    (PASSED, 0, "pay army", 422, "pass-3", "You have no available army"),
    (PASSED, 0, "pay gold", 422, "pass-3", "You do not have this good"),
    (PASSED, 1, "pay worker", 409, "act-1", WAIT),
    (PLACING, 0, "place grain guti 1", 422, "place-1", "One action takes one good"),
    (PLACING, 0, "pass", 422, "place-1", "You are placing workers"),
    (TRADING, 0, "trade amorites wood grain", 422, "trade-2", "You have got this good there already"),
    (TRADING, 0, "build nippur", 422, "trade-1", "You are trading"),
    (MUSTERING, 0, "recruit grain", 422, "found-6", "twenty is the limit"),
    (MUSTERING, 0, "equip gold", 422, "equip-1", "You do not have this good"),
    (MUSTERING, 0, "home uruk", 422, "found-6", "You are starting an empire"),
    (ATTACKING, 0, "invade babylon", 422, "combat-4", "First decide about the attack"),
    (ATTACKING, 0, "done", 422, "combat-4", "First decide about the attack"),
    (EXPANDING, 0, "reinforce assyria", 422, "expand-6", "Expanding once more costs an army and needs another one"),
    (EXPANDING, 0, "refound", 422, "expand-8", "need not begin again"),
    (BIDDING, 0, "bid gold", 422, "pass-2", "You do not have this good"),
    (BIDDING, 0, "pay grain", 422, "pass-2", "You have passed"),
    (GROWING, 0, "grow ur", 422, "growth-3", "This city has grown already"),
    (GROWING, 0, "grow babylon", 422, "growth-1", "You have no city there"),
    (GROWING, 0, "grow umma gold", 422, "growth-1", "You do not have this good"),
    (GROWING, 1, "grow babylon", 409, "act-1", WAIT),
    (WIPED_OUT, 0, "invade amorites", 422, "expand-8", "it has to begin again in the home area"),
    (WIPED_OUT, 0, "refound ur", 422, "expand-8", "in its own home area, not in any other"),
]


def table_of(alice, bob, charlie, fields):
    """Open a table for Alice, Bob and Charlie, in this order, from a position."""
    state = dict(fields)
    for name in ("goods", "workers", "armies"):
        state[name] = [counts(words) for words in state[name]]
    state["cities"] = [words.split() for words in state["cities"]]
    file = {"format": "ziggurat-position/1", "game": "after_the_flood", "rules_version": 1, "options": {}, "seats": 3}
    file |= {"fill": "refusals", "state": state}
    table_id = services.create_table(owner=alice, game_key="after_the_flood", seats=3, position=file).table.pk
    services.join_table(table_id=table_id, user=bob)
    return services.join_table(table_id=table_id, user=charlie).table


@by_position(CASES)
def test_refused_by_page_and_api_with_the_paragraph(alice, bob, charlie, position, seat, asked):
    table = table_of(alice, bob, charlie, position)
    assert load(table.pk).table.due == [0]
    assert_each_refused(table, (alice, bob)[seat], asked)


def test_odd_choices_in_the_making_show_the_question_and_change_nothing(alice, bob, charlie):
    odd = ["build atlantis", "place lapis", "trade egypt", "invade dilmun", "grow", "scribe x y z", "a" * 500, "١ ٢"]
    assert_choices_show_the_question(table_of(alice, bob, charlie, TURN), alice, odd)
