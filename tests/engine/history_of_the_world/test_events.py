"""Improvements, one by one (history_of_the_world#events)."""

from __future__ import annotations

import pytest

from games.history_of_the_world.components import BORDERS, PROVINCES, ZONE_KIND, ZONES
from tests.engine.history_of_the_world.builders import armies, data_of, due, game, keys, legal, on_card, play, position, refusal, told

LATE = {"epoch": 5, "empires": ["mughals", "russians", "british"], "called": 8}


def with_card(card, mine="", theirs="", third="", phase="conquest", card_armies=3, **fields):
    """Return a position in seat 0's turn in the fifth epoch with an improvement in its hand."""
    return position(phase=phase, armies=[mine, theirs, third], hands=[card, "", ""], card=card_armies, **(LATE | fields))


@pytest.mark.rule("history_of_the_world#events-1", "history_of_the_world#events-2")
def test_improvements_are_played_in_four_windows_and_never_in_a_battle():
    for phase in ("prepare", "conquest"):
        assert "play i_weaponry" in legal(with_card("i_weaponry", "nile*" if phase == "conquest" else "", phase=phase))
    after = play(with_card("i_industry", "nile*"), "end")
    assert data_of(after)["phase"] == "after"
    assert "play i_industry" in legal(after)
    finish = play(with_card("i_silk_road", "nile*"), "end", "done")
    assert data_of(finish)["phase"] == "finish"
    assert legal(finish) == ["play i_silk_road", "done"]
    late = play(with_card("i_weaponry", "nile*"), "end")
    assert refusal(late, "play i_weaponry") == ("too_late", "history_of_the_world#events-1")
    battle = play(with_card("i_weaponry", "nile*", "levant"), "conquer levant land", "roll 1 1 6")
    assert refusal(battle, "play i_weaponry") == ("not_now", "history_of_the_world#events-1")
    assert refusal(battle, "play i_plague") == ("card_not_held", "history_of_the_world#events-2")


@pytest.mark.rule("history_of_the_world#events-1", "history_of_the_world#battle-5")
@pytest.mark.parametrize("card", ["i_weaponry", "i_artillery"])
def test_weaponry_and_artillery_add_one_this_turn(card):
    state = play(with_card(card, "nile*", "levant"), f"play {card}", "conquer levant land", "roll 3 1 3")
    assert "levant" in armies(state, 0)
    assert data_of(state)["played"] == [card]


@pytest.mark.rule("history_of_the_world#events-1")
def test_stirrups_win_ties_and_a_great_leader_rolls_again():
    assert "levant" in armies(play(with_card("i_stirrups", "nile*", "levant"), "play i_stirrups", "conquer levant land", "roll 3 1 3"), 0)
    state = play(with_card("i_leader", "nile*", "levant"), "play i_leader", "conquer levant land", "roll 3 1 4")
    assert legal(state) == ["reroll", "pass"]


@pytest.mark.rule("history_of_the_world#events-1", "history_of_the_world#defence-4")
@pytest.mark.parametrize(("card", "target", "way", "dice", "forts"), [
    ("i_engineers", "anatolia", "land", "roll 5 1 4", ""), ("i_gunpowder", "levant", "land", "roll 5 1 4", "levant"),
    ("i_ironclads", "levant", "fleet", "roll 5 1 4", ""),
])  # fmt: skip
def test_engineers_gunpowder_and_ironclads_take_a_defence_away(card, target, way, dice, forts):
    state = with_card(card, "levant*" if target == "anatolia" else "nile*", target, forts=forts, zones="mediterranean_sea")
    assert target in armies(play(state, f"play {card}", f"conquer {target} {way}", dice), 0)


@pytest.mark.rule("history_of_the_world#events-4", "history_of_the_world#siege-6")
@pytest.mark.parametrize(("card", "gain"), [("i_mercenaries", (2, 0)), ("i_colonial_militia", (3, 0)), ("i_siegecraft", (0, 3))])
def test_armies_and_tokens_are_gained(card, gain):
    state = play(with_card(card, "nile*"), f"play {card}")
    assert on_card(state) == (3 + gain[0], gain[1])
    short = with_card(card, " ".join(PROVINCES[:24]).replace("nile", "nile*"), card_armies=1)
    assert sum(on_card(play(short, f"play {card}"))) == 1 + sum(gain)
    assert on_card(play(short, f"play {card}"))[0] == 1, "none is left in the supply: siege tokens"


@pytest.mark.rule("history_of_the_world#reach-1")
@pytest.mark.parametrize(("card", "kinds"), [("i_caravans", {"barren"}), ("i_compass", {"sea", "ocean"})])
def test_caravans_and_compass_add_a_disc(card, kinds):
    state = play(with_card(card, "nile*", zones="sahara mediterranean_sea"), f"play {card}")
    zones = {text.split()[1] for text in legal(state)}
    assert zones == {zone for zone, kind in zip(ZONES, ZONE_KIND, strict=True) if kind in kinds} - {"sahara", "mediterranean_sea"}
    zone = sorted(zones)[0]
    assert zone in data_of(play(state, f"zone {zone}"))["turn"]["zones"]
    assert refusal(state, "zone mediterranean_sea") == ("not_for_zone", "history_of_the_world#events-1")


@pytest.mark.rule("history_of_the_world#events-6", "history_of_the_world#events-7")
def test_plague_and_black_death_remove_armies_and_leave_what_stands():
    state = play(with_card("i_plague", "nile*", "levant crete", forts="crete", cities="levant"), "play i_plague")
    assert "target crete" not in legal(state), "a fort protects"
    assert refusal(state, "target crete") == ("not_for_effect", "history_of_the_world#events-1")
    after = play(state, "target levant")
    assert (armies(after, 1), data_of(after)["cities"]) == ({"crete"}, ["levant"])
    assert data_of(after)["phase"] == "conquest"
    death = play(with_card("i_black_death", "nile*", "levant crete"), "play i_black_death", "target levant")
    assert due(death) == 0
    assert armies(play(death, "target crete"), 1) == set()
    alone = with_card("i_black_death", "nile*", forts="")
    assert refusal(alone, "play i_black_death") == ("no_target", "history_of_the_world#events-3")


@pytest.mark.rule("history_of_the_world#events-3", "history_of_the_world#events-5")
def test_diplomacy_and_missionaries_replace_an_army_and_ruin_nothing():
    state = play(with_card("i_diplomacy", "nile*", "levant crete", cities="levant", forts="levant"), "play i_diplomacy")
    assert legal(state) == ["target levant"], "beside an active army"
    after = play(state, "target levant")
    assert (armies(after, 0), armies(after, 1)) == ({"nile", "levant"}, {"crete"})
    assert data_of(after)["active_armies"] == ["nile"], "inactive: no base for more"
    assert (data_of(after)["cities"], data_of(after)["forts"]) == (["levant"], ["levant"])
    faith = play(with_card("i_missionaries", "nile*", "libya crete"), "play i_missionaries")
    assert legal(faith) == ["target libya"], "in a region with an active army"
    full = with_card("i_diplomacy", " ".join(PROVINCES[:25]).replace("nile", "nile*"), "brazil", card_armies=0)
    assert refusal(full, "play i_diplomacy") == ("too_few_in_supply", "history_of_the_world#events-3")


@pytest.mark.rule("history_of_the_world#events-3", "history_of_the_world#events-7")
def test_barbarians_need_two_provinces_at_barren_land_and_ruin_in_each():
    barren = 0
    for zone, kind in enumerate(ZONE_KIND):
        barren |= BORDERS[zone] if kind == "barren" else 0
    assert not barren >> PROVINCES.index("crete") & 1
    state = with_card("i_barbarians", "brazil*", "libya levant crete", capitals="libya")
    state = play(state, "play i_barbarians")
    assert set(legal(state)) == {"target libya", "target levant"}
    after = play(state, "target libya", "target levant")
    assert armies(after, 0) == {"brazil", "libya", "levant"}
    assert data_of(after)["cities"] == ["libya"]
    assert refusal(with_card("i_barbarians", "brazil*", "libya crete"), "play i_barbarians") == (
        "no_target",
        "history_of_the_world#events-3",
    )


@pytest.mark.rule("history_of_the_world#events-3")
def test_a_revolution_happens_in_one_region():
    state = play(with_card("i_revolution", "brazil*", "libya atlas crete", "levant"), "play i_revolution")
    assert set(legal(state)) == {"target libya", "target atlas"}, "only there are two"
    state = play(state, "target libya")
    assert legal(state) == ["target atlas"]
    assert armies(play(state, "target atlas"), 0) == {"brazil", "libya", "atlas"}


@pytest.mark.rule("history_of_the_world#events-1", "history_of_the_world#ruin-1")
def test_disaster_ruins_a_step_and_takes_the_fort():
    state = play(with_card("i_disaster", "nile*", "levant", capitals="levant", forts="levant"), "play i_disaster")
    assert legal(state) == ["target levant"]
    after = play(state, "target levant")
    assert (data_of(after)["capitals"], data_of(after)["cities"], data_of(after)["forts"]) == ([], ["levant"], [])
    assert armies(after, 1) == {"levant"}
    assert refusal(with_card("i_disaster", "nile*"), "play i_disaster") == ("no_target", "history_of_the_world#events-3")


@pytest.mark.rule("history_of_the_world#forts-3", "history_of_the_world#forts-2")
def test_walls_castles_and_renaissance_build_what_their_cards_say():
    walls = play(with_card("i_walls", "nile* levant*"), "play i_walls", "fort levant")
    assert (data_of(walls)["forts"], data_of(walls)["phase"]) == (["levant"], "conquest")
    castles = play(with_card("i_castles", "nile* levant* zagros*"), "play i_castles", "fort levant", "fort nile")
    assert set(data_of(castles)["forts"]) == {"levant", "nile"}
    one = play(with_card("i_castles", "nile* levant*"), "play i_castles", "fort levant", "done")
    assert data_of(one)["forts"] == ["levant"]
    city = play(with_card("i_renaissance", "nile* levant*", capitals="nile"), "play i_renaissance")
    assert legal(city) == ["city levant"]
    assert refusal(with_card("i_renaissance", "nile*", capitals="nile"), "play i_renaissance") == (
        "no_city_site",
        "history_of_the_world#cards-4",
    )
    assert refusal(with_card("i_walls", "nile*", forts="nile"), "play i_walls") == ("no_fort_site", "history_of_the_world#forts-2")


@pytest.mark.rule("history_of_the_world#monuments-4")
def test_masonry_and_industry_bring_monuments():
    empires = {"empires": ["russians", "mughals", "british"]}
    masonry = play(with_card("i_masonry", "volga*", capitals="volga", **empires), "play i_masonry", "end")
    assert data_of(masonry)["monuments"] == ["volga"]
    industry = play(with_card("i_industry", "levant* zagros*", **empires), "play i_industry", "end", "monument zagros")
    assert set(data_of(industry)["monuments"]) == {"levant", "zagros"}


@pytest.mark.rule("history_of_the_world#events-1", "history_of_the_world#score-3")
def test_the_silk_road_scores_icons_of_active_armies():
    state = with_card("i_silk_road", "levant* zagros* indus* nubia", empires=["russians", "mughals", "british"])
    after = play(state, "play i_silk_road", "end")
    after = play(after, *([legal(after, "monument")[0]] if data_of(after)["phase"] == "monument" else []))
    scored = play(after, "score")
    assert data_of(scored)["records"][0][0][5] == 1, "three icons: one point for two"


@pytest.mark.rule("history_of_the_world#events-2", "history_of_the_world#hidden-2")
def test_a_played_card_is_shown_and_gone():
    state = with_card("i_weaponry", "nile*")
    (event,) = told(state, "play i_weaponry")
    assert (event.key, event.reveals) == ("played", True)
    after = play(state, "play i_weaponry")
    assert game.view_for(after, 1).hand_epochs == ((), (), ())
    assert keys(told(after, "end"))[0] == "gave_up"


@pytest.mark.rule("history_of_the_world#events-8")
def test_there_are_five_occasions_and_several_improvements_may_be_played():
    hand = "i_weaponry i_leader i_stirrups i_industry i_silk_road"
    state = position(phase="prepare", hands=[hand, "", ""], armies=["", "", ""], **LATE)
    state = play(
        state, "play i_weaponry", "found", "play i_leader", "conquer indus land", "play i_stirrups", "conquer hindu_kush land", "end"
    )
    state = play(state, "play i_industry", "done")
    assert data_of(state)["phase"] == "finish"
    state = play(state, "play i_silk_road")
    assert data_of(state)["played"] == ["i_weaponry", "i_leader", "i_stirrups", "i_industry", "i_silk_road"]
    assert data_of(state)["phase"] == "scoring", "no card is left, so there is nothing more to ask"


@pytest.mark.rule("history_of_the_world#events-9", "history_of_the_world#events-11", "history_of_the_world#deactivate-1")
def test_this_turn_ends_with_the_turn_and_what_scores_lasts_until_scoring():
    state = with_card("i_weaponry i_silk_road", "levant* zagros*", "nile", empires=["mughals", "russians", "british"], called=1)
    state = play(state, "play i_weaponry", "play i_silk_road", "end")
    if data_of(state)["phase"] == "monument":
        state = play(state, "monument zagros")
    assert data_of(state)["turn"]["events"] == ["i_weaponry", "i_silk_road"]
    state = play(state, "score")
    assert data_of(state)["records"][0][0][5] == 1, "two icons, one point"
    assert data_of(state)["active"] == 1
    assert "events" not in data_of(state)["turn"], "the next empire has neither"
