"""Illegal actions in History of the World, and why each is refused."""

from __future__ import annotations

SEATS = 3

# Epoch 1: Alice conquers with the Egyptians; Bob is in the Levant, Charlie on Crete.
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
    "ranks": [1, 0, 2],
    "options": {"draft": "classic"},
    "hands": [["i_masonry"], [], []],
    "draft": {"step": 1, "given": 1, "empires": ["sumerians", "egyptians", "minoans"], "events": ["k_shang"], "card": "i_plague"},
}
NO_FORM, WAIT = "an action in this game", "It's not your turn. Waiting for alice"

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
    (CONQUEST, 0, "roll 6 6 1", 422, "battle-1", "This is decided by chance. You can't choose it"),
    (CONQUEST, 0, "again 6", 422, "battle-1", "This is decided by chance. You can't choose it"),
    (CONQUEST, 0, "order 0 1 2", 422, "battle-1", "This is decided by chance. You can't choose it"),
    (CONQUEST, 0, "score", 422, "score-5", "nothing to score now"),
    (CONQUEST, 0, "found", 422, "conquest-3", "You are conquering"),
    (CONQUEST, 0, "conquer honshu land", 422, "conquest-1", "None of your active armies can reach it: Honshu"),
    (CONQUEST, 0, "conquer crete land", 422, "conquest-1", "You can reach it only by fleet: Crete"),
    (CONQUEST, 0, "conquer gobi fleet", 400, "conquest-1", NO_FORM),
    (CONQUEST, 0, "conquer deccan_plateau fleet", 422, "reach-1", "Your fleets can't reach it"),
    (CONQUEST, 0, "conquer nile land", 422, "conquest-2", "You already have an active army there: Nile"),
    (CONQUEST, 0, "fort nile", 422, "forts-2", "There is already a fort there: Nile"),
    (CONQUEST, 0, "fort nubia", 422, "forts-2", "You have no active army there: Nubia"),
    (CONQUEST, 0, "play i_walls", 422, "events-2", "You don't have this event"),
    (CONQUEST, 0, "play k_shang", 422, "kingdom-1", "You can only play it at the start of your turn"),
    (CONQUEST, 1, "conquer nile land", 409, "turn-1", WAIT),
    (CONQUEST, 1, "guard ask", 409, "turn-1", WAIT),
    (EMPTY_CARD, 0, "conquer levant land", 422, "conquest-3", "You have no armies left on your card"),
    (FOUNDING, 0, "conquer levant land", 422, "found-1", "Your turn has started"),
    (NO_KINGDOM, 0, "kingdom", 422, "kingdom-1", "You have no kingdom from this epoch"),
    (ROLLED, 0, "conquer libya land", 422, "battle-4", "You lost the battle: first lay siege or retreat"),
    (ROLLED, 0, "siege token", 422, "siege-4", "You have no siege tokens"),
    (ROLLED, 0, "play i_plague", 422, "events-1", "in the middle of a battle"),
    (ROLLED, 0, "guard ask", 422, "battle-7", "while drafting, before founding your empire, or while conquering"),
    (REROLL, 0, "end", 422, "battle-6", "Decide first whether to reroll a die"),
    (REROLL, 1, "reroll", 409, "turn-1", WAIT),
    (PLAGUE, 0, "target gaul", 422, "events-1", "can't be used there: Gaul"),
    (PLAGUE, 0, "end", 422, "events-1", "First carry out the improvement you played"),
    (MONUMENT, 0, "monument libya", 422, "monuments-2", "Capitals come first"),
    (MONUMENT, 0, "end", 422, "monuments-1", "First choose where to build the next monument"),
    (DRAFT, 0, "take sumerians", 422, "draft-1", "You are choosing from the other pile now"),
    (DRAFT, 0, "take i_masonry", 422, "draft-1", "This card isn't in your pile"),
    (DRAFT, 0, "end", 422, "draft-2", "Cards are being drafted: take one from your pile"),
    (CLASSIC, 0, "keep", 422, "draft-8", "to a player with no card of its kind this epoch"),
    (CLASSIC, 0, "give 5", 422, "draft-8", "to a player with no card of its kind this epoch"),
    (CLASSIC, 0, "take i_plague", 422, "draft-8", "First keep the card you drew"),
]
# Texts that are no choice in the first position
ODD = ["conquer atlantis", "conquer honshu", "play i_walls", "siege", "fort", "guard x", "take", "a" * 500, "١ ٢"]


def state_of(fields):
    return fields
