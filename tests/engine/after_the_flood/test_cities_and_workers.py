"""Building, placing, scribes (after_the_flood#build, #place, #scribes, #cities)."""

from __future__ import annotations

import pytest

from tests.engine.after_the_flood.builders import cities, data_of, due, game, goods, keys, legal, play, position, refusal, told, workers

SUMER = ["sippar", "babylon", "nippur", "shuruppak", "umma", "uruk", "ur", "lagash", "eridu"]
PURPLE_ARMY = {"turn": 2, "empires": [None, "larsa", None], "ranking": [1], "armies_available": [0, 1, 0]}


@pytest.mark.rule("after_the_flood#build-1", "after_the_flood#build-2", "after_the_flood#act-1")
def test_a_city_goes_to_any_sumer_area_without_a_city_and_the_next_player_acts():
    state = position(cities=["", "ur umma", ""])
    assert legal(state, "build") == [f"build {area}" for area in SUMER if area not in ("ur", "umma")]
    after = play(state, "build lagash")
    assert cities(after, 0) == ["lagash"]
    assert due(after) == 1
    assert refusal(state, "build ur") == ("city_there", "after_the_flood#build-2")


@pytest.mark.rule("after_the_flood#build-2", "after_the_flood#build-4")
def test_an_enemy_army_keeps_builders_out_but_your_own_army_does_not():
    state = position(armies=["", "lagash", ""], active=0, **PURPLE_ARMY)
    assert refusal(state, "build lagash") == ("enemy_army_there", "after_the_flood#build-2")
    assert "build lagash" in legal(position(armies=["", "lagash", ""], active=1, **PURPLE_ARMY))


@pytest.mark.rule("after_the_flood#build-3")
def test_a_city_is_relocated_only_when_all_four_stand_and_loses_its_growth():
    state = position(cities=["ur umma sippar lagash", "nippur", ""], grown=["ur", "nippur"])
    assert legal(state, "build") == []
    assert set(legal(state, "relocate")) == {
        f"relocate {old} {new}" for old in ("ur", "umma", "sippar", "lagash") for new in ("babylon", "shuruppak", "uruk", "eridu")
    }
    after = play(state, "relocate ur babylon")
    assert cities(after, 0) == ["sippar", "babylon", "umma", "lagash"]
    assert data_of(after)["grown"] == ["nippur"]
    assert refusal(state, "build eridu") == ("no_city_left", "after_the_flood#build-3")
    assert refusal(state, "relocate nippur eridu") == ("no_own_city", "after_the_flood#build-3")
    assert refusal(position(cities=["ur", "", ""]), "relocate ur eridu") == ("city_left", "after_the_flood#build-3")
    with pytest.raises(ValueError, match="two different Sumer areas"):
        game.parse_action("relocate ur ur")


@pytest.mark.rule("after_the_flood#build-3", "after_the_flood#growth-3")
def test_a_relocated_city_can_grow_again():
    state = position(cities=["ur umma sippar lagash", "", ""], grown=["ur"], goods=["wood 2", "", ""], passed=[1, 2], workers=["", "", ""])
    after = play(state, "relocate ur babylon")
    after = play(after, "pass", "done")
    assert [text for text in legal(after) if text.startswith("grow babylon")] == ["grow babylon"]


@pytest.mark.rule("after_the_flood#cities-1", "after_the_flood#cities-2")
def test_uruk_and_eridu_give_a_worker_from_the_reserve_when_built():
    state = position()
    scribe = play(state, "build uruk")
    assert workers(scribe, 0) == {"scribes": 1}
    assert data_of(scribe)["available"] == [8, 8, 8]
    assert workers(play(state, "build eridu"), 0) == {"tool_makers": 1}
    assert keys(told(state, "build uruk")) == ["built", "free_worker"]
    again = position(cities=["uruk umma sippar lagash", "", ""])
    assert workers(play(again, "relocate uruk eridu"), 0) == {"tool_makers": 1}


@pytest.mark.rule("after_the_flood#cities-1", "after_the_flood#cities-2", "after_the_flood#scribes-2")
def test_uruk_gives_nothing_beyond_two_scribes_or_from_an_empty_reserve():
    full = play(position(workers=["scribes used_scribes", "", ""]), "build uruk")
    assert workers(full, 0) == {"scribes": 1, "used_scribes": 1}
    empty = position(workers=["egypt 25", "", ""])
    assert workers(play(empty, "build uruk"), 0) == {"egypt": 25}
    assert workers(play(empty, "build eridu"), 0) == {"egypt": 25}
    assert cities(play(empty, "build eridu"), 0) == ["eridu"]


@pytest.mark.rule(
    "after_the_flood#place-1",
    "after_the_flood#place-2",
    "after_the_flood#place-3",
    "after_the_flood#place-4",
    "after_the_flood#components-10",
)
def test_a_good_places_up_to_its_value_in_one_place():
    state = position(goods=["lapis textile", "", ""], available=[4, 0, 0])
    texts = legal(state, "place")
    assert [text for text in texts if text.startswith("place lapis egypt")] == [f"place lapis egypt {n}" for n in (1, 2, 3, 4)]
    assert [text for text in texts if text.startswith("place textile weaving")] == ["place textile weaving 1", "place textile weaving 2"]
    places = {text.split()[2] for text in texts}
    assert not places & set(SUMER)
    assert places == {
        *("egypt", "amorites", "hittites", "mittani", "assyria", "kassites", "guti", "elam", "chaldea", "akkad", "isin", "larsa", "dilmun"),
        *("irrigation", "weaving", "scribes", "tool_makers"),
    }
    after = play(state, "place lapis dilmun 3")
    assert workers(after, 0) == {"dilmun": 3}
    assert goods(after, 0) == {"textile": 1}
    assert data_of(after)["available"][0] == 1
    assert due(after) == 1
    assert refusal(state, "place lapis egypt 5") == ("too_few_workers", "after_the_flood#place-1")
    assert refusal(state, "place gold egypt 1") == ("good_not_held", "after_the_flood#place-1")
    with pytest.raises(ValueError, match="up to the value of the good"):
        game.parse_action("place textile egypt 3")
    with pytest.raises(ValueError, match="outside Sumer"):
        game.parse_action("place textile ur 1")


@pytest.mark.rule("after_the_flood#scribes-2")
def test_nobody_has_more_than_two_scribes_over_both_sides():
    state = position(goods=["gold", "", ""], workers=["used_scribes", "", ""])
    assert [text for text in legal(state) if text.startswith("place gold scribes")] == ["place gold scribes 1"]
    assert refusal(state, "place gold scribes 2") == ("too_many_scribes", "after_the_flood#scribes-2")
    full = position(workers=["scribes 2 irrigation", "", ""])
    assert refusal(full, "scribe irrigation scribes") == ("too_many_scribes", "after_the_flood#scribes-2")


@pytest.mark.rule("after_the_flood#scribes-1", "after_the_flood#scribes-6")
def test_each_scribe_places_or_moves_one_worker_once_a_turn():
    state = position(workers=["scribes 2 guti", "", ""], goods=["", "", ""], available=[1, 0, 0])
    after = play(state, "scribe available egypt")
    assert due(after) == 0
    assert workers(after, 0) == {"guti": 1, "egypt": 1, "scribes": 1, "used_scribes": 1}
    after = play(after, "scribe guti larsa")
    assert workers(after, 0) == {"larsa": 1, "egypt": 1, "used_scribes": 2}
    assert due(after) == 1
    assert refusal(position(workers=["used_scribes 2 guti", "", ""]), "scribe guti larsa") == ("no_scribe", "after_the_flood#scribes-1")


@pytest.mark.rule("after_the_flood#scribes-1", "after_the_flood#place-1")
def test_scribes_add_to_a_placing_before_or_after_the_good():
    state = position(workers=["scribes 2", "", ""], goods=["textile", "", ""], available=[4, 0, 0])
    first = play(state, "place textile egypt 2", "scribe available guti", "scribe available elam")
    last = play(state, "scribe available guti", "scribe available elam", "place textile egypt 2")
    assert workers(first, 0) == workers(last, 0) == {"egypt": 2, "guti": 1, "elam": 1, "used_scribes": 2}
    assert due(first) == due(last) == 1
    between = play(state, "place textile egypt 2")
    assert legal(between, "place") == []
    assert due(play(between, "done")) == 1
    assert refusal(between, "place textile guti 1") == ("placed_already", "after_the_flood#place-1")


@pytest.mark.rule("after_the_flood#scribes-3", "after_the_flood#scribes-4")
def test_a_scribe_moves_any_worker_even_itself_even_back_to_the_available_workers():
    state = position(workers=["scribes used_scribes used_tool_makers weaving", "", ""], available=[0, 0, 0])
    assert workers(play(state, "scribe used_tool_makers tool_makers"), 0)["tool_makers"] == 1
    assert data_of(play(state, "scribe weaving available"))["available"][0] == 1
    himself = play(state, "scribe used_scribes irrigation")
    assert workers(himself, 0) == {"used_scribes": 1, "used_tool_makers": 1, "weaving": 1, "irrigation": 1}
    sources = {text.split()[1] for text in legal(state, "scribe")}
    assert sources == {"used_scribes", "used_tool_makers", "weaving"}, "the last unused scribe is by then on the used side"
    targets = {text.split()[2] for text in legal(state, "scribe")}
    assert not targets & {"used_scribes", "used_tool_makers", "scribes"}
    with pytest.raises(ValueError, match="from where and to where"):
        game.parse_action("scribe used_scribes scribes")


@pytest.mark.rule("after_the_flood#scribes-4")
def test_with_two_scribes_one_may_move_the_other():
    state = position(workers=["scribes 2", "", ""], available=[0, 0, 0])
    after = play(state, "scribe scribes egypt")
    assert workers(after, 0) == {"used_scribes": 1, "egypt": 1}
    assert due(after) == 1, "no unused scribe is left"


@pytest.mark.rule("after_the_flood#scribes-5", "after_the_flood#forgotten-3")
def test_a_new_scribe_waits_for_the_next_action():
    state = position(goods=["textile grain", "", ""], available=[3, 0, 0])
    after = play(state, "place textile scribes 2")
    assert due(after) == 1, "no scribe was there when the action began"
    mixed = play(position(workers=["scribes", "", ""], goods=["grain", "", ""], available=[3, 0, 0]), "place grain scribes 1")
    mixed = play(mixed, "scribe available guti")
    assert due(mixed) == 1, "the old scribe is used, the new one waits"
    back = play(after, "build ur", "build umma")
    assert due(back) == 0
    assert legal(back, "scribe")
    first = play(
        position(workers=["scribes irrigation", "", ""], goods=["grain", "", ""], available=[3, 0, 0]), "scribe irrigation scribes"
    )
    assert refusal(first, "scribe available guti") == ("new_scribe", "after_the_flood#scribes-5")


@pytest.mark.rule("after_the_flood#place-5")
def test_at_least_one_worker_must_be_placed():
    state = position(goods=["textile", "", ""], workers=["scribes", "", ""], available=[2, 0, 0])
    assert "done" not in legal(state)
    with pytest.raises(ValueError, match="up to the value of the good"):
        game.parse_action("place textile egypt 0")
    nobody = position(goods=["textile", "", ""], available=[0, 0, 0])
    assert legal(nobody, "place") == []
    assert refusal(nobody, "place textile egypt 1") == ("too_few_workers", "after_the_flood#place-1")
    assert goods(nobody, 0) == {"textile": 1}, "the good is not paid"


@pytest.mark.rule("after_the_flood#cities-8")
@pytest.mark.parametrize("area", ["umma", "lagash"])
def test_a_city_in_umma_or_lagash_changes_nothing_else(area):
    state = position(goods=["textile 3", "", ""], workers=["mittani", "", ""])
    assert keys(told(state, f"build {area}")) == ["built"]
    after = play(state, f"build {area}")
    assert workers(after, 0) == {"mittani": 1}
    traded = play(play(after, "build ur", "build uruk"), "trade mittani wood textile")
    assert due(traded) == 1, "no exchange more than traders"
