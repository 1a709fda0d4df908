"""Every reason for refusing an action, with its paragraph (history_of_the_world#turn-2)."""

from __future__ import annotations

import pytest

from games.core.contract import CHANCE, SCORER
from games.history_of_the_world.components import PROVINCES
from tests.engine.history_of_the_world.builders import ask, due, game, legal, position, refusal


def conquest(own: str = "nile*", card: int = 3, rivals: str = "levant", **fields):
    """Return a position in which seat 0 conquers with the Egyptians."""
    fields.setdefault("empires", ["egyptians", "minoans", "sumerians"])
    return position(armies=[own, rivals, ""], card=card, **fields)


def draft():
    """Return a draft at its start: seat 0 holds the events, seat 2 the empires."""
    piles = {"empires": ["sumerians", "egyptians", "minoans"], "events": ["k_shang", "i_plague", "i_walls"]}
    return position(phase="draft", draft=piles)


def middle():
    """Return a draft in which the piles have moved once: seat 1 holds both."""
    piles = {"step": 1, "empires": ["sumerians", "egyptians"], "events": ["k_shang", "i_plague"]}
    return position(phase="draft", draft=piles, empires=[None, None, "minoans"], hands=["i_walls", "", ""])


def drawn():
    """Return a classic draft in which seat 0 has drawn an event."""
    piles = {"empires": ["sumerians", "egyptians", "minoans"], "events": ["k_shang", "i_walls"], "card": "i_plague"}
    return position(phase="passing", options={"draft": "classic"}, draft=piles)


def given():
    """Return a classic draft in which seat 0 has given its event to seat 1, which has drawn the next one."""
    piles = {"step": 1, "given": 2, "empires": ["sumerians", "egyptians", "minoans"], "events": ["k_shang"], "card": "i_plague"}
    return position(phase="passing", options={"draft": "classic"}, draft=piles, hands=["", "i_walls", ""])


def battle(phase: str, **fields):
    """Return seat 0's battle for the Levant."""
    return conquest(phase=phase, target="levant", invading=True, **fields)


def effect(card: str, left: int = 1, **fields):
    """Return a position in which an improvement asks a question."""
    return conquest(phase="effect", effect=card, left=left, back="conquest", played=[card], **fields)


CASES = [
    ("finished", lambda: position(phase="end", epoch=5), "end", 0, "end-1"),
    ("not_by_hand", lambda: battle("rolling"), "roll 1 2 3", 0, "battle-1"),
    ("no_chance_now", conquest, "again 3", CHANCE, "turn-2"),
    ("chance_count", lambda: position(phase="start"), "order 0 1 2 3", CHANCE, "setup-1"),
    ("chance_count", lambda: battle("rolling", forts="levant"), "roll 1 2 3", CHANCE, "defence-3"),
    ("chance_count", lambda: position(phase="dealing"), "deal sumerians egyptians minoans hittites k_shang i_plague i_walls i_masonry", CHANCE, "setup-2"),
    ("card_not_there", lambda: position(phase="dealing"), "deal sumerians egyptians persians k_shang i_plague i_walls", CHANCE, "setup-2"),
    (
        "card_not_there",
        lambda: position(phase="drawing", options={"draft": "classic"}, draft={"empires": ["sumerians", "egyptians", "minoans"], "events": ["k_shang", "i_walls", "i_plague"]}),
        "draw i_masonry",
        CHANCE,
        "draft-8",
    ),
    ("not_scoring", conquest, "score", SCORER, "score-5"),
    ("chance_first", lambda: position(phase="start"), "end", 0, "setup-1"),
    ("chance_first", lambda: position(phase="dealing"), "end", 0, "setup-2"),
    ("chance_first", lambda: battle("rolling"), "end", 0, "battle-1"),
    ("scoring_first", lambda: conquest(phase="scoring"), "end", 0, "score-5"),
    ("not_your_turn", conquest, "end", 1, "turn-1"),
    # first something else
    ("draft_first", draft, "end", 0, "draft-2"),
    ("pass_on_first", drawn, "end", None, "draft-8"),
    ("found_first", lambda: conquest("", phase="prepare", card=0, hands=["i_plague", "", ""]), "end", None, "found-1"),
    ("bring_first", lambda: conquest("nile", phase="bringing", card=0), "end", None, "found-5"),
    (
        "start_first",
        lambda: position(phase="starting", epoch=4, empires=["mesoamericans", "vikings", "turks"], card=1),
        "end",
        None,
        "found-6",
    ),
    ("conquest_now", conquest, "found", None, "conquest-3"),
    ("reroll_first", lambda: battle("rerolling", dice=[1, 2, 3], attack_rerolls=1, due=1), "end", None, "battle-6"),
    ("siege_first", lambda: battle("siege", dice=[1, 2, 3]), "end", None, "battle-4"),
    (
        "occupy_first",
        lambda: conquest(phase="won", epoch=4, empires=["turks", "vikings", "mongols"], target="levant", invading=True, rivals="", dice=[5, 2, 3], result=1),
        "end",
        None,
        "abilities-2",
    ),
    (
        "ruin_first",
        lambda: conquest(
            phase="ruining", epoch=3, empires=["arabs", "huns", "goths"], target="levant", invading=True, rivals="", cities="levant", dice=[5, 2, 3], result=1
        ),
        "end",
        None,
        "ruin-1",
    ),
    (
        "post_first",
        lambda: conquest("nile* levant*", phase="posting", epoch=4, empires=["portuguese", "vikings", "turks"], target="levant", rivals=""),
        "end",
        None,
        "abilities-2",
    ),
    ("effect_first", lambda: effect("i_plague"), "end", None, "events-1"),
    ("after_first", lambda: conquest(phase="after", card=0, turn={"forts": 1}), "end", None, "forts-3"),
    ("monument_first", lambda: conquest("nile* levant*", phase="monument", card=0, rivals="", cities="nile levant", turn={"monuments": 1}), "end", None, "monuments-1"),
    ("finish_first", lambda: conquest(phase="finish", card=0, hands=["i_caravans", "", ""]), "end", None, "score-5"),
    ("collision_first", lambda: conquest(phase="collision", card=0, plunder=1, resume="conquest"), "end", None, "score-6"),
    # the draft
    ("look_first", middle, "take i_plague", 1, "draft-3"),
    ("other_pile", draft, "take sumerians", 0, "draft-1"),
    ("card_not_in_pile", draft, "take i_masonry", 0, "draft-1"),
    ("has_card_already", given, "keep", None, "draft-8"),
    ("has_card_already", drawn, "give 5", None, "draft-8"),
    ("guard_as_before", conquest, "guard losing", None, "battle-7"),
    ("guard_not_now", lambda: battle("siege", dice=[1, 2, 3]), "guard ask", None, "battle-7"),
    # events
    ("no_kingdom", lambda: conquest("", phase="prepare", card=0, hands=["i_plague", "", ""]), "kingdom", None, "kingdom-1"),
    ("card_not_held", conquest, "play i_plague", None, "events-2"),
    ("kingdom_not_improvement", lambda: conquest(hands=["k_shang", "", ""]), "play k_shang", None, "kingdom-1"),
    ("kingdom_acts", lambda: conquest("yellow_river*", kingdom="k_shang", played=["k_shang"], hands=["i_plague", "", ""]), "play i_plague", None, "kingdom-4"),
    ("not_now", lambda: battle("siege", dice=[1, 2, 3], hands=["i_plague", "", ""]), "play i_plague", None, "events-1"),
    ("too_late", lambda: conquest(phase="finish", card=0, hands=["i_weaponry", "", ""]), "play i_weaponry", None, "events-1"),
    ("too_late", lambda: conquest(phase="finish", card=0, hands=["i_masonry", "", ""]), "play i_masonry", None, "events-1"),
    (
        "no_zone_left",
        lambda: conquest(hands=["i_caravans", "", ""], zones="empty_quarter sahara alps himalayas siberia northern_lakes gobi amazonia"),
        "play i_caravans",
        None,
        "events-1",
    ),
    ("no_fort_site", lambda: conquest(forts="nile", hands=["i_walls", "", ""]), "play i_walls", None, "forts-2"),
    (
        "no_city_site",
        lambda: conquest(epoch=4, empires=["mongols", "vikings", "turks"], capitals="nile", hands=["i_renaissance", "", ""]),
        "play i_renaissance",
        None,
        "cards-4",
    ),
    (
        "no_city_site",
        lambda: conquest(epoch=4, empires=["mongols", "vikings", "turks"], cities=" ".join(PROVINCES[:24]), hands=["i_renaissance", "", ""]),
        "play i_renaissance",
        None,
        "limits-1",
    ),
    (
        "too_few_in_supply",
        lambda: conquest(card=25 - 1, epoch=3, empires=["huns", "arabs", "goths"], rivals="levant gaul", hands=["i_barbarians", "", ""]),
        "play i_barbarians",
        None,
        "events-3",
    ),
    ("no_target", lambda: conquest(forts="nile levant", hands=["i_plague", "", ""]), "play i_plague", None, "events-3"),
    ("not_for_zone", lambda: effect("i_caravans"), "zone north_sea", None, "events-1"),
    ("not_for_effect", lambda: effect("i_plague"), "target gaul", None, "events-1"),
    # founding
    ("no_own_army", lambda: conquest("nile", phase="bringing", card=0), "bring gaul", None, "found-5"),
    ("no_start", lambda: position(phase="starting", epoch=4, empires=["mesoamericans", "vikings", "turks"], card=1), "start gaul", None, "found-6"),
    # conquest
    ("no_army_on_card", lambda: conquest(card=0, hands=["i_plague", "", ""]), "conquer levant land", None, "conquest-3"),
    ("no_army_on_card", lambda: battle("siege", card=0, tokens=1, dice=[1, 2, 3]), "siege army", None, "siege-4"),
    ("no_army_on_card", lambda: conquest(card=0, hands=["i_plague", "", ""]), "fort nile", None, "forts-1"),
    ("no_token", lambda: battle("siege", dice=[1, 2, 3]), "siege token", None, "siege-4"),
    ("held_already", lambda: conquest("nile* libya*"), "conquer libya land", None, "conquest-2"),
    ("out_of_reach", conquest, "conquer gaul land", None, "conquest-1"),
    ("only_by_fleet", lambda: conquest(zones="mediterranean_sea"), "conquer gaul land", None, "conquest-1"),
    ("no_fleet_there", conquest, "conquer gaul fleet", None, "reach-1"),
    # forts and monuments
    (
        "no_fort_left",
        lambda: conquest(forts="levant anatolia zagros tigris mesopotamia crete pindus balkans gaul danube volga turan indus ganges"),
        "fort nile",
        None,
        "limits-1",
    ),
    ("no_active_army", conquest, "fort levant", None, "forts-2"),
    ("fort_there", lambda: conquest(forts="nile"), "fort nile", None, "forts-2"),
    ("no_fort_given", lambda: conquest(phase="after", card=0, hands=["i_plague", "", ""]), "fort nile", None, "forts-3"),
    (
        "no_monument_site",
        lambda: conquest("nile* levant* libya*", phase="monument", card=0, rivals="", cities="nile levant", turn={"monuments": 1}),
        "monument libya",
        None,
        "monuments-2",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "build", "text", "actor", "rule"), CASES, ids=[f"{case[0]} {case[4]}" for case in CASES])
def test_an_action_is_refused_with_its_paragraph(reason, build, text, actor, rule):
    state = build()
    assert refusal(state, text, actor) == (reason, f"history_of_the_world#{rule}")


@pytest.mark.parametrize(("reason", "build", "text", "actor", "rule"), [case for case in CASES if case[3] is None])
def test_a_question_tells_why_a_chosen_action_is_not_possible(reason, build, text, actor, rule):
    state = build()
    asked = ask(state, text)
    assert asked.action is None
    assert asked.refusal is not None
    assert asked.refusal.text in game.phrases.values()
    assert asked.refusal.rule is not None
    assert text not in legal(state)
    assert due(state) >= 0


def test_every_reason_is_shown_by_a_case():
    reasons = {key.removeprefix("refused.") for key in game.phrases if key.startswith("refused.")}
    assert reasons - {case[0] for case in CASES} == {"no_action"}  # tests/engine/test_every_action.py
