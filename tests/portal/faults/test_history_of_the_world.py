"""What cannot be done in History of the World, by page and API: refused with the paragraph that says so, and nothing changed."""

from __future__ import annotations

import json

import pytest

from portal.tables import services
from portal.tables.loading import load

from .refusals import assert_choices_show_the_question, assert_each_refused, by_position
from .test_bad_input import signed_in

pytestmark = pytest.mark.django_db

# Epoch 1: Alice conquers with the Egyptians; Bob stands in the Levant, Charlie on Crete.
CONQUEST = {
    "phase": "conquest",
    "epoch": 1,
    "active": 0,
    "empires": ["egyptians", "minoans", "sumerians"],
    "armies": [["nile", "nubia"], ["levant"], ["crete"]],
    "active_armies": ["nile"],
    "forts": ["nile"],
    "hands": [["i_plague", "k_shang"], [], []],
    "turn": {"card": 3, "zones": ["mediterranean_sea"]},
}
EMPTY_CARD = CONQUEST | {"turn": {"tokens": 1}}
FOUNDING = CONQUEST | {"phase": "prepare", "armies": [[], ["levant"], ["crete"]], "active_armies": [], "forts": [], "turn": {}}
NO_KINGDOM = FOUNDING | {"hands": [["i_plague"], [], []]}
BATTLE = {"target": "levant", "invading": True}
ROLLED = CONQUEST | {"phase": "siege", "battle": BATTLE | {"dice": [1, 2, 3]}}
REROLL = CONQUEST | {"phase": "rerolling", "battle": BATTLE | {"dice": [1, 2, 3], "attack_rerolls": 1, "due": 1}}
PLAGUE = CONQUEST | {
    "phase": "effect",
    "hands": [["k_shang"], [], []],
    "turn": {"card": 3, "effect": "i_plague", "left": 1, "back": "conquest", "events": ["i_plague"]},
    "played": ["i_plague"],
}
MONUMENT = {
    "phase": "monument",
    "epoch": 1,
    "active": 0,
    "empires": ["egyptians", "minoans", "sumerians"],
    "armies": [["nile", "libya", "levant"], [], ["crete"]],
    "active_armies": ["nile", "libya", "levant"],
    "cities": ["nile", "levant"],
    "turn": {"monuments": 1},
}
DRAFT = {
    "phase": "draft",
    "epoch": 1,
    "starts": [3, 1, 2],
    "draft": {"empires": ["sumerians", "egyptians", "minoans"], "events": ["k_shang", "i_plague", "i_walls"]},
}
CLASSIC = {
    "phase": "passing",
    "epoch": 1,
    "starts": [3, 1, 2],
    "options": {"draft": "classic"},
    "hands": [["i_masonry"], [], []],
    "draft": {"empires": ["sumerians", "egyptians", "minoans"], "events": ["k_shang", "i_walls"], "card": "i_plague"},
}
NO_FORM, WAIT = "no action of this game", "The move is not yours now. Waiting for alice"

# position, seat that asks, action, status, paragraph, a part of the sentence
CASES = [
    (CONQUEST, 0, "march", 400, "turn-2", NO_FORM),
    (CONQUEST, 0, "conquer atlantis land", 400, "conquest-1", NO_FORM),
    (CONQUEST, 0, "conquer levant", 400, "conquest-1", NO_FORM),
    (CONQUEST, 0, "conquer levant caravan", 400, "conquest-1", NO_FORM),
    (CONQUEST, 0, "conquer  levant land", 400, "conquest-1", NO_FORM),
    (CONQUEST, 0, "CONQUER levant land", 400, "turn-2", NO_FORM),
    (CONQUEST, 0, "fort mediterranean_sea", 400, "forts-1", NO_FORM),
    (CONQUEST, 0, "play assyrians", 400, "events-1", NO_FORM),
    (CONQUEST, 0, "guard always", 400, "battle-7", NO_FORM),
    (CONQUEST, 0, "zone nile", 400, "reach-1", NO_FORM),
    (CONQUEST, 0, "siege fleet", 400, "siege-1", NO_FORM),
    (CONQUEST, 0, "take nile", 400, "draft-1", NO_FORM),
    (CONQUEST, 0, "give ١", 400, "draft-8", NO_FORM),
    (CONQUEST, 0, "end now", 400, "turn-2", NO_FORM),
    (CONQUEST, 0, "roll 6 6 7", 400, "battle-1", NO_FORM),
    (CONQUEST, 0, "roll 6 6 1", 422, "battle-1", "Nobody may choose what chance decides"),
    (CONQUEST, 0, "again 6", 422, "battle-1", "Nobody may choose what chance decides"),
    (CONQUEST, 0, "order 0 1 2", 422, "battle-1", "Nobody may choose what chance decides"),
    (CONQUEST, 0, "score", 422, "score-5", "nothing to score now"),
    (CONQUEST, 0, "found", 422, "conquest-3", "You are conquering"),
    (CONQUEST, 0, "conquer honshu land", 422, "conquest-1", "None of your active armies can go there: Honshu"),
    (CONQUEST, 0, "conquer crete land", 422, "conquest-1", "It can be reached only by fleet: Crete"),
    (CONQUEST, 0, "conquer gobi fleet", 400, "conquest-1", NO_FORM),
    (CONQUEST, 0, "conquer deccan_plateau fleet", 422, "reach-1", "Your fleets do not lead there"),
    (CONQUEST, 0, "conquer nile land", 422, "conquest-2", "Your active army holds it already: Nile"),
    (CONQUEST, 0, "fort nile", 422, "forts-2", "A fort stands there: Nile"),
    (CONQUEST, 0, "fort nubia", 422, "forts-2", "You have no active army there: Nubia"),
    (CONQUEST, 0, "play i_walls", 422, "events-2", "You do not hold this event"),
    (CONQUEST, 0, "play k_shang", 422, "kingdom-1", "It can be played only at the beginning of your turn"),
    (CONQUEST, 1, "conquer nile land", 409, "turn-1", WAIT),
    (CONQUEST, 1, "guard ask", 409, "turn-1", WAIT),
    (EMPTY_CARD, 0, "conquer levant land", 422, "conquest-3", "No army is left on your card"),
    (FOUNDING, 0, "conquer levant land", 422, "found-1", "Your turn begins"),
    (NO_KINGDOM, 0, "kingdom", 422, "kingdom-1", "You hold no kingdom of this epoch"),
    (ROLLED, 0, "conquer libya land", 422, "battle-4", "first lay siege or retreat"),
    (ROLLED, 0, "siege token", 422, "siege-4", "You have no siege token"),
    (ROLLED, 0, "play i_plague", 422, "events-1", "cannot be played in the middle of a battle"),
    (ROLLED, 0, "guard ask", 422, "battle-7", "can be changed while you choose cards"),
    (REROLL, 0, "end", 422, "battle-6", "First decide whether a die is rolled again"),
    (REROLL, 1, "reroll", 409, "turn-1", WAIT),
    (PLAGUE, 0, "target gaul", 422, "events-1", "cannot be used there: Gaul"),
    (PLAGUE, 0, "end", 422, "events-1", "First carry out the improvement"),
    (MONUMENT, 0, "monument libya", 422, "monuments-2", "Capitals come first"),
    (MONUMENT, 0, "end", 422, "monuments-1", "First choose the place of the next monument"),
    (DRAFT, 0, "take sumerians", 422, "draft-1", "You are choosing from the other pile now"),
    (DRAFT, 0, "take i_masonry", 422, "draft-1", "This card is not in the pile before you"),
    (DRAFT, 0, "end", 422, "draft-2", "Cards are being chosen"),
    (CLASSIC, 0, "keep", 422, "draft-8", "can only go to somebody who has none of its kind"),
    (CLASSIC, 0, "give 5", 422, "draft-8", "can only go to somebody who has none of its kind"),
    (CLASSIC, 0, "take i_plague", 422, "draft-8", "First keep the card that you have drawn"),
]


def table_of(alice, bob, charlie, fields):
    """Open a table for Alice, Bob and Charlie, in this order, from a position."""
    state = {name: value for name, value in fields.items() if name != "options"}
    file = {"format": "ziggurat-position/1", "game": "history_of_the_world", "rules_version": 1, "seats": 3, "fill": "refusals"}
    options = fields.get("options", {})
    file |= {"options": options, "state": state}
    table_id = services.create_table(owner=alice, game_key="history_of_the_world", seats=3, options=options, position=file).table.pk
    services.join_table(table_id=table_id, user=bob)
    return services.join_table(table_id=table_id, user=charlie).table


@by_position(CASES)
def test_refused_by_page_and_api_with_the_paragraph(alice, bob, charlie, position, seat, asked):
    table = table_of(alice, bob, charlie, position)
    assert 0 in load(table.pk).table.due
    assert_each_refused(table, (alice, bob)[seat], asked)


def test_what_is_refused_names_no_card_of_others(alice, bob, charlie):
    table = table_of(alice, bob, charlie, CONQUEST)
    client = signed_in(bob)
    for action in ("play i_plague", "target levant", "take i_plague", "conquer nile land"):
        for response in (
            client.post(f"/tables/{table.pk}/act/", {"action": action, "expected_version": table.version}),
            client.post(
                f"/api/v1/tables/{table.pk}/actions/",
                json.dumps({"action": action, "expected_version": table.version}),
                content_type="application/json",
            ),
        ):
            assert response.status_code == 409
            assert "Shang" not in response.content.decode()


def test_odd_choices_in_the_making_show_the_question_and_change_nothing(alice, bob, charlie):
    odd = ["conquer atlantis", "conquer honshu", "play i_walls", "siege", "fort", "guard x", "take", "a" * 500, "١ ٢"]
    assert_choices_show_the_question(table_of(alice, bob, charlie, CONQUEST), alice, odd)
