"""The steps of a turn: kingdoms, founding, monuments, points, collisions, epochs (history_of_the_world#turn, #kingdom, #found, #monuments, #score)."""

from __future__ import annotations

import pytest

from games.core.contract import CHANCE, SCORER
from tests.engine.history_of_the_world.builders import (
    armies,
    data_of,
    due,
    game,
    keys,
    legal,
    on_card,
    play,
    position,
    refusal,
    scores,
    told,
)

FIRST = ["sumerians", "egyptians", "minoans"]


def before(empire, seats=3, **fields):
    """Return the position before seat 0 founds an empire."""
    epoch = {
        "sumerians": 1,
        "egyptians": 1,
        "minoans": 1,
        "assyrians": 1,
        "macedonians": 2,
        "byzantines": 3,
        "mesoamericans": 4,
        "mongols": 4,
        "huns": 3,
    }[empire]
    others = {1: ["hittites", "greeks"], 2: ["persians", "romans"], 3: ["goths", "guptas"], 4: ["vikings", "turks"]}[epoch]
    fields.setdefault("hands", ["i_weaponry", "", ""])
    return position(phase="prepare", epoch=epoch, empires=[empire, *others], **fields)


@pytest.mark.rule("history_of_the_world#turn-1", "history_of_the_world#turn-3")
def test_empires_are_called_in_their_order_and_those_not_taken_are_named():
    state = position(phase="scoring", empires=["egyptians", "greeks", "assyrians"], active=0)
    events = told(state, "score")
    assert [event.params["empire"] for event in events if event.key == "not_taken"] == ["minoans", "hittites"]
    assert due(play(state, "score")) == 2


@pytest.mark.rule(
    "history_of_the_world#found-1", "history_of_the_world#found-2", "history_of_the_world#found-3", "history_of_the_world#found-4"
)
def test_founding_clears_the_start_without_battle_and_brings_capital_and_discs():
    state = before("assyrians", armies=["", "mesopotamia", ""], capitals="mesopotamia", monuments="mesopotamia", forts="mesopotamia")
    after = play(state, "found")
    found = data_of(after)
    assert (armies(after, 0), armies(after, 1)) == ({"mesopotamia"}, set())
    assert (found["capitals"], found["monuments"], found["forts"]) == (["mesopotamia"], [], [])
    assert found["turn"]["zones"] == ["empty_quarter"]
    assert on_card(after) == (5, 0)
    assert found["active_armies"] == ["mesopotamia"]
    own = play(before("assyrians", armies=["mesopotamia", "", ""]), "found")
    assert game.view_for(own, None).supplies[0] == 25 - 6, "own pieces are treated alike"


@pytest.mark.rule("history_of_the_world#found-3", "history_of_the_world#abilities-3")
def test_marauders_have_no_capital():
    after = play(before("huns"), "found")
    assert data_of(after)["capitals"] == []
    assert armies(after, 0) == {"eurasian_steppe"}


@pytest.mark.rule("history_of_the_world#found-5", "history_of_the_world#siege-6")
def test_missing_armies_become_siege_tokens_and_with_none_left_one_is_brought():
    held = " ".join(data_names()[:22])
    after = play(before("assyrians", armies=[held.replace("mesopotamia", ""), "", ""]), "found")
    placed = len(held.replace("mesopotamia", "").split())
    assert sum(on_card(after)) == 5
    assert on_card(after)[0] == 25 - placed - 1
    full = [name for name in data_names() if name != "mesopotamia"][:25]
    state = play(before("assyrians", armies=[" ".join(full), "", ""]), "found")
    assert data_of(state)["phase"] == "bringing"
    assert len(legal(state, "bring")) == 25
    assert refusal(state, "bring australia") == ("no_own_army", "history_of_the_world#found-5")
    after = play(state, f"bring {full[0]}")
    assert "mesopotamia" in armies(after, 0)
    assert full[0] not in armies(after, 0)
    assert on_card(after) == (0, 6)


def data_names():
    from games.history_of_the_world.components import PROVINCES

    return list(PROVINCES)


@pytest.mark.rule("history_of_the_world#found-6", "history_of_the_world#found-9")
def test_the_mesoamericans_have_two_starts_and_choose_one_for_a_single_army():
    after = play(before("mesoamericans"), "found")
    assert armies(after, 0) == {"andes", "sierra_madre"}
    assert set(data_of(after)["capitals"]) == {"andes", "sierra_madre"}
    assert on_card(after) == (2, 0)
    names = [name for name in data_names() if name not in ("andes", "sierra_madre")][:24]
    state = play(before("mesoamericans", armies=[" ".join(names), "", ""]), "found")
    assert legal(state) == ["start andes", "start sierra_madre"]
    assert "andes" in armies(play(state, "start andes"), 0)


@pytest.mark.rule("history_of_the_world#limits-1")
def test_without_a_piece_an_army_stands_without_a_capital():
    names = data_names()
    state = before("assyrians", cities=" ".join([name for name in names if name != "mesopotamia"][:24]))
    after = play(state, "found")
    assert "mesopotamia" not in data_of(after)["capitals"]
    assert armies(after, 0) == {"mesopotamia"}


@pytest.mark.rule(
    "history_of_the_world#kingdom-1",
    "history_of_the_world#kingdom-2",
    "history_of_the_world#kingdom-3",
    "history_of_the_world#kingdom-4",
    "history_of_the_world#events-11",
)
def test_a_kingdom_acts_before_the_empire_without_points_events_or_ability():
    state = before("egyptians", hands=["k_phoenicians i_weaponry", "", ""])
    assert {"kingdom", "found", "play i_weaponry"} <= set(legal(state))
    state = play(state, "kingdom")
    assert armies(state, 0) == {"levant"}
    assert data_of(state)["cities"] == ["levant"]
    assert refusal(state, "play i_weaponry") == ("kingdom_acts", "history_of_the_world#kingdom-4")
    assert data_of(state)["turn"]["zones"] == ["mediterranean_sea"]
    after = play(state, "conquer nile land")
    assert data_of(after)["phase"] == "prepare"
    assert data_of(after)["active_armies"] == []
    assert "zones" not in data_of(after)["turn"]
    assert scores(after) == scores(state)
    final = play(after, "found")
    assert armies(final, 0) == {"levant", "nile"}, "the empire may begin where its kingdom stood"


@pytest.mark.rule("history_of_the_world#kingdom-8", "history_of_the_world#kingdom-5")
def test_what_improvements_have_brought_waits_for_the_empire_while_a_kingdom_acts():
    state = before("macedonians", hands=["k_aksum i_mercenaries i_siegecraft i_caravans", "", ""])
    state = play(state, "play i_mercenaries", "play i_siegecraft", "play i_caravans", "zone sahara")
    assert on_card(state) == (2, 3)
    aksum = play(state, "kingdom")
    assert on_card(aksum) == (1, 0), "two armies of the kingdom, one of them on the map"
    assert "zones" not in data_of(aksum)["turn"]
    assert data_of(aksum)["turn"]["waiting"] == {"card": 2, "tokens": 3, "zones": ["sahara"]}
    assert game.view_for(aksum, None).supplies[0] == 25 - 2 - 2, "what waits is in no supply"
    assert game.state_from_json(data_of(aksum)) == aksum
    after = play(aksum, "conquer nubia land")
    assert "waiting" not in data_of(after)["turn"]
    assert armies(after, 0) == {"horn_of_africa", "nubia", "balkans"}
    assert on_card(after) == (9 + 2 - 1, 3 + 3), "the empire has all that was gained, and its own siege train"
    assert data_of(after)["turn"]["zones"] == ["sahara"]


@pytest.mark.rule(
    "history_of_the_world#kingdom-1", "history_of_the_world#epoch-4", "history_of_the_world#kingdom-7", "history_of_the_world#events-11"
)
def test_a_kingdom_is_optional_and_goes_at_the_end_of_its_epoch():
    state = position(phase="scoring", empires=["minoans", "egyptians", "sumerians"], active=0, called=8, hands=["k_shang i_plague", "", ""])
    events = told(state, "score")
    assert "kingdom_unused" in keys(events)
    after = play(state, "score")
    assert data_of(after)["hands"][0] == ["i_plague"]
    assert (data_of(after)["epoch"], data_of(after)["phase"]) == (2, "dealing")
    assert data_of(after)["empires"] == [None] * 3


@pytest.mark.rule("history_of_the_world#conquest-3")
def test_armies_on_the_card_may_stay_unused():
    state = position(armies=["nile*", "", ""], empires=["egyptians", "hittites", "greeks"], card=3)
    after = play(state, "end")
    assert on_card(after) == (0, 0)
    assert game.view_for(after, None).supplies[0] == 24


@pytest.mark.rule("history_of_the_world#monuments-1", "history_of_the_world#monuments-2", "history_of_the_world#monuments-4")
def test_one_monument_for_two_icons_in_the_best_place_and_the_egyptians_one_for_each():
    spots = ["levant* zagros* indus* nile*", "", ""]
    state = position(armies=spots, empires=["sumerians", "hittites", "greeks"], capitals="nile", card=0)
    after = play(state, "end")
    assert data_of(after)["monuments"] == ["nile"], "three icons give one, the capital comes first"
    egypt = position(armies=spots, empires=["egyptians", "hittites", "greeks"], capitals="nile")
    state = play(egypt, "end")
    assert data_of(state)["phase"] == "monument", "after the capital three places with icons are left for two"
    assert legal(state) == ["monument levant", "monument zagros", "monument indus"]
    after = play(state, "monument indus", "monument zagros")
    assert set(data_of(after)["monuments"]) == {"nile", "indus", "zagros"}
    assert refusal(state, "monument nile") == ("no_monument_site", "history_of_the_world#monuments-2")


@pytest.mark.rule("history_of_the_world#monuments-4", "history_of_the_world#abilities-8")
def test_monuments_beyond_the_compulsory_ones_may_be_left_out():
    spots = ["levant* zagros* indus* nile*", "", ""]
    state = position(armies=spots, empires=["egyptians", "hittites", "greeks"], capitals="nile", card=1)
    off = play(state, "ability off")
    after = play(off, "end")
    assert data_of(after)["monuments"] == ["nile"], "the one for two icons is compulsory"
    assert data_of(play(off, "ability on", "end"))["phase"] == "monument"
    late = play(position(armies=spots, empires=["egyptians", "hittites", "greeks"], capitals="nile", hands=["i_masonry", "", ""]), "end")
    assert legal(late) == ["play i_masonry", "done", "ability off"]
    assert data_of(play(late, "ability off", "done"))["monuments"] == ["nile"]
    card = play(late, "ability off", "play i_masonry", "monument zagros")
    assert set(data_of(card)["monuments"]) == {"nile", "zagros"}, "one more by the card, which is no ability"
    next_turn = play(after, "score")
    assert "forgone" not in data_of(next_turn)["turn"]


@pytest.mark.rule("history_of_the_world#monuments-3", "history_of_the_world#limits-1")
def test_no_monument_without_a_place_or_a_piece():
    state = position(armies=["levant* zagros*", "", ""], empires=["sumerians", "hittites", "greeks"], monuments="levant zagros")
    assert set(data_of(play(state, "end"))["monuments"]) == {"levant", "zagros"}
    names = [name for name in data_names() if name not in ("levant", "zagros")][:20]
    empty = position(armies=["levant* zagros*", "", ""], empires=["sumerians", "hittites", "greeks"], monuments=" ".join(names))
    assert "levant" not in data_of(play(empty, "end"))["monuments"]


@pytest.mark.rule(
    "history_of_the_world#score-1",
    "history_of_the_world#score-2",
    "history_of_the_world#score-3",
    "history_of_the_world#score-4",
    "history_of_the_world#score-9",
    "history_of_the_world#overview-1",
    "history_of_the_world#overview-2",
)
def test_presence_dominance_control_and_structures_score():
    def points(mine, theirs="", third="", **fields):
        state = position(phase="scoring", armies=[mine, theirs, third], empires=FIRST, starts=[1, 2, 3], **fields)
        return told(state, "score")[0].params["points"]

    assert points("nile") == 2
    assert points("nile libya") == 4, "two and more than each single rival"
    assert points("nile libya", "atlas") == 4
    assert points("nile libya", "atlas", "nubia") == 4
    assert points("nile libya", "atlas nubia") == 2
    assert points("nile libya atlas") == 6
    assert points("nile libya atlas", "nubia") == 4, "no control while an enemy is there"
    assert points("honshu") == 0, "no tile in the first epoch"
    assert points("nile", capitals="nile crete", cities="levant", monuments="nile") == 2 + 2 + 1


@pytest.mark.rule("history_of_the_world#score-5", "history_of_the_world#deactivate-1")
def test_the_empire_ends_and_the_marker_moves_once():
    state = position(phase="scoring", armies=["nile*", "", ""], empires=FIRST, starts=[1, 2, 3], zones="mediterranean_sea", tokens=2)
    after = play(state, "score")
    assert data_of(after)["active_armies"] == []
    assert "zones" not in data_of(after)["turn"]
    (record,) = data_of(after)["records"][0]
    assert (record[0], record[1].count("1"), record[2:7]) == (1, 1, [0, 0, 0, 0, 0])


@pytest.mark.rule("history_of_the_world#score-6", "history_of_the_world#score-7")
def test_a_shared_space_is_left_upwards_or_downwards_and_never_below_one():
    state = position(
        phase="scoring", armies=["nile", "", ""], empires=FIRST, starts=[2, 3, 1], records=[[], [[1, "0" * 13, 0, 1, 0, 0, 0, 0]], []]
    )
    assert scores(state) == [2, 4, 1]
    shared = play(state, "score")
    assert legal(shared) == ["up", "down"]
    assert due(shared) == 0
    assert scores(play(shared, "up")) == [5, 4, 1]
    assert scores(play(shared, "down")) == [3, 4, 1]
    assert refusal(shared, "found") == ("collision_first", "history_of_the_world#score-6")


@pytest.mark.rule(
    "history_of_the_world#end-1", "history_of_the_world#epoch-1", "history_of_the_world#epoch-3", "history_of_the_world#overview-2"
)
def test_the_fifth_epoch_ends_the_game_without_ties():
    empires = ["japanese", "mughals", "russians"]
    records = [[[epoch, "0" * 13, 0, seat, 0, 0, 0, 0] for epoch in range(1, 5)] for seat in range(3)]
    state = position(phase="scoring", epoch=5, empires=empires, records=records, called=8)
    after = play(state, "score")
    outcome = game.outcome(after)
    assert outcome.places == (3, 2, 1)
    assert game.actors(after) == ()
    assert outcome.scores == (1, 6, 11)


@pytest.mark.rule("history_of_the_world#epoch-2")
def test_after_the_last_turn_of_an_epoch_new_cards_are_dealt():
    state = position(phase="scoring", empires=FIRST, active=2, called=8)
    after = play(state, "score")
    assert game.actors(after) in ((CHANCE,), (2,))
    assert SCORER not in game.actors(after)


@pytest.mark.rule("history_of_the_world#turn-2", "history_of_the_world#turn-4", "history_of_the_world#kingdom-2")
def test_the_steps_of_a_turn_come_in_their_order():
    state = position(
        phase="scoring", empires=["sumerians", "egyptians", "minoans"], starts=[2, 1, 3], hands=["", "k_phoenicians", ""], armies=["zagros", "", ""],
    )  # fmt: skip
    events = told(state, "score", "kingdom", "conquer anatolia land", "conquer levant land", "conquer mesopotamia land", "fort nile")
    steps = ["scored", "turn_began", "kingdom_played", "kingdom_founded", "settled_start", "occupied", "conquest_ended"]
    steps += ["monument_built", "kingdom_ended", "founded", "settled_start", "occupied", "occupied", "fort_built", "conquest_ended"]
    assert [key for key in keys(events) if key in steps] == [*steps, "monument_built"]
    state = play(state, "score", "kingdom", "conquer anatolia land", "conquer levant land", "conquer mesopotamia land", "fort nile")
    assert (data_of(state)["active"], due(state)) == (1, SCORER), "the conquest is over, and only scoring is left"
    assert data_of(play(state, "score"))["records"][1][0][0] == 1
    assert refusal(before("sumerians"), "conquer zagros land") == ("found_first", "history_of_the_world#found-1"), (
        "no conquest before founding"
    )


@pytest.mark.rule("history_of_the_world#epoch-6", "history_of_the_world#epoch-2", "history_of_the_world#setup-3")
def test_an_epoch_brings_tiles_then_cards_then_turns():
    state = position(phase="scoring", empires=FIRST, active=2, called=8, armies=["", "", "gaul"], starts=[1, 2, 3])
    assert told(state, "score")[0].params["points"] == 0, "Northern Europe has no tile in the first epoch"
    state = play(state, "score")
    assert game.view_for(state, None).projected[2] == 1, "the tile of the second is there before anybody chooses"
    events = told(state, "deal persians scythians romans k_aksum i_leader i_diplomacy")
    assert keys(events) == ["dealt"]
    state = play(state, "deal persians scythians romans k_aksum i_leader i_diplomacy")
    assert data_of(state)["phase"] == "draft"
    ranks = data_of(state)["ranks"]
    assert ranks == [2, 1, 0]
    for seat, text in ((0, "take romans"), (2, "take i_leader"), (1, "look events"), (1, "take k_aksum"), (1, "take scythians")):
        state, _ = game.apply(state, seat, game.parse_action(text))
    assert (data_of(state)["phase"], data_of(state)["active"]) == ("prepare", 2), "the Persians are called first"


@pytest.mark.rule("history_of_the_world#setup-3", "history_of_the_world#tiles-1")
def test_each_tile_scores_from_its_epoch_until_the_next_one_replaces_it():
    def projected(epoch, *provinces):
        state = position(phase="dealing", epoch=epoch, armies=["", " ".join(provinces), ""])
        return game.view_for(state, None).projected[1]

    assert [projected(epoch, "gaul") for epoch in range(1, 6)] == [0, 1, 2, 3, 4]
    assert [projected(epoch, "levant") for epoch in range(1, 6)] == [3, 4, 3, 2, 2]
    assert [projected(epoch, "australia") for epoch in range(1, 6)] == [0, 0, 0, 0, 2]


@pytest.mark.rule("history_of_the_world#kingdom-6")
def test_a_kingdom_gets_no_points_for_ruin_even_before_a_marauder():
    state = before("huns", hands=["k_tibet", "", ""], armies=["", "turan volga", ""], capitals="turan volga", starts=[3, 1, 2])
    state = play(state, "kingdom", "conquer turan land", "roll 6 6 1")
    assert "turan" in data_of(state)["cities"]
    assert scores(state) == [3, 1, 2]
    huns = play(state, "conquer volga land", "roll 6 6 1")
    assert scores(huns) == [4, 1, 2], "the marauders themselves do"


@pytest.mark.rule("history_of_the_world#score-8")
def test_the_way_of_a_marker_is_chosen_once():
    row = [[1, "0" * 13, 0, 0, 0, 0, 0, 0]]
    state = position(
        phase="scoring", empires=["egyptians", "sumerians", "minoans", "hittites", "assyrians"], starts=[1, 2, 3, 4, 5], armies=["nile", "", "", "", ""],
        called=8, records=[[], row, row, row, row],
    )  # fmt: skip
    shared = play(state, "score")
    assert scores(shared) == [3, 2, 3, 4, 5]
    up, down = play(shared, "up"), play(shared, "down")
    assert (scores(up), scores(down)) == ([6, 2, 3, 4, 5], [1, 2, 3, 4, 5]), "over all occupied spaces without another question"
    assert data_of(up)["phase"] != "collision"
    assert data_of(down)["phase"] != "collision"


@pytest.mark.rule("history_of_the_world#components-8", "history_of_the_world#score-3")
def test_capitals_cities_and_monuments_are_structures_and_a_fort_is_none():
    def scored(**fields):
        return told(position(phase="scoring", armies=["gaul", "", ""], empires=FIRST, **fields), "score")[0].params["points"]

    assert [scored(capitals="gaul"), scored(cities="gaul"), scored(monuments="gaul"), scored(forts="gaul")] == [2, 1, 1, 0]
    raid = position(epoch=3, empires=["huns", "goths", "guptas"], armies=["eurasian_steppe*", "danube", ""], card=2, forts="danube")
    assert scores(play(raid, "conquer danube land", "roll 6 6 1 1")) == [1, 2, 3], "nothing is ruined where only a fort is"


@pytest.mark.rule("history_of_the_world#score-7", "history_of_the_world#corrections-7")
def test_markers_a_hundred_points_apart_do_not_share_a_space():
    """Seat 1 is on the same space of the track, with its marker turned to 100+."""
    row = [1, "0" * 13, 0, 0, 0, 0, 103, 0]
    state = position(phase="scoring", armies=["nile libya", "", ""], empires=FIRST, starts=[1, 2, 3], records=[[], [row], []])
    after = play(state, "score")
    assert scores(after) == [5, 105, 3]
    assert data_of(after)["phase"] != "collision"
