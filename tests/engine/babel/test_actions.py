"""Moving, settling, building and migrating (babel#move, #settle, #build, #migration), and the text of actions."""

from __future__ import annotations

import pytest

from games.babel.actions import parse_action
from games.core.contract import ActionFormatError
from tests.engine.babel.builders import act, column, data, data_of, hand, legal, play, position, refusal, scores, temple
from tests.engine.played import only_in_plain_python

CASES = {case["case"]: case for case in data("rule_cases")["column_cases"]}


# Moving


@pytest.mark.rule("babel#move-1", "babel#components-5")
def test_a_card_of_the_lands_people_is_discarded_for_a_move_there():
    state = position("0> medes | AAHP\n1 persians | P")
    assert [text for text in legal(state) if text.startswith("move")] == ["move assyrians", "move hittites", "move persians"]
    assert refusal(state, "move sumerians") == ("card_not_held", "babel#move-1")
    after, events = act(state, "move assyrians")
    assert data_of(after)["pawns"] == ["assyrians", "persians"]
    assert hand(after, 0) == {"assyrians": 1, "hittites": 1, "persians": 1}
    assert data_of(after)["discards"] == {"assyrians": 1}
    assert [(event.key, event.params) for event in events] == [
        ("moved", {"seat": 0, "people": "assyrians", "land": "land_assyrians"}),
    ]


@pytest.mark.rule("babel#move-2", "babel#readings-6")
def test_a_pawn_does_not_move_to_where_it_stands():
    state = position("0> medes | MM\n1 persians | P")
    assert "move medes" not in legal(state)
    assert refusal(state, "move medes") == ("pawn_is_there", "babel#move-2")


@pytest.mark.rule("babel#move-3")
def test_before_the_first_move_nothing_else_is_done_and_no_pawn_goes_back_to_the_quarry():
    state = position("0> quarry | MMAA\n1 persians | P")
    assert legal(state) == ["move assyrians", "move medes", "end"]
    for text in ("settle medes", "build own", "halve medes", "destroy"):
        assert refusal(state, text) == ("pawn_in_quarry", "babel#move-3")
    with pytest.raises(ActionFormatError):
        parse_action("move quarry")


@pytest.mark.rule("babel#move-4")
def test_both_pawns_may_be_in_the_same_land():
    state = play(position("0> medes | PP\n1 persians | P"), "move persians")
    assert data_of(state)["pawns"] == ["persians", "persians"]


# Settling


@pytest.mark.rule("babel#settle-1", "babel#settle-4", "babel#settle-2")
def test_any_number_of_cards_of_any_people_settle_outermost_in_the_pawn_s_land():
    state = position("0> sumerians | AAPSS\n1 persians | P\nsumerians: AA . | . .")
    state = play(state, "settle assyrians", "settle persians", "move assyrians", "settle sumerians", "settle sumerians")
    assert (column(state, 0, "sumerians"), column(state, 0, "assyrians")) == ("AAAP", "SS")
    assert hand(state, 0) == {}
    assert refusal(state, "settle medes") == ("card_not_held", "babel#settle-1")


@pytest.mark.rule("babel#settle-3")
def test_a_settled_card_never_returns_to_a_hand():
    state = position("0> sumerians | AP\n1 persians | P\nsumerians: AAAP . | MM .\nstocks: 1 | 1")
    held = sum(hand(state, 0).values())
    for text in legal(state):
        assert sum(hand(play(state, text), 0).values()) == held - text.startswith(("move", "settle"))


# Building


@pytest.mark.rule("babel#build-1", "babel#build-2", "babel#build-3")
def test_the_next_level_is_built_in_the_pawn_s_land_if_its_settlers_are_enough():
    state = position("0> medes |\n1 persians | P\nmedes: AMPS 12 | . .\npersians: AAAAA . | . .\nstocks: 3 | 4")
    assert [text for text in legal(state) if text.startswith("build")] == ["build own"]
    assert refusal(state, "build other") == ("not_next_level", "babel#build-2")
    state, events = act(state, "build own")
    assert (temple(state, 0, "medes"), temple(state, 0, "persians")) == ([1, 2, 3], [])
    assert [(event.key, event.params["n"], event.params["score"]) for event in events] == [("built", 3, 3)]
    assert "build other" in legal(state)  # level 4 on four settlers
    state = play(state, "build other")
    five = position("0> medes |\n1 persians | P\nmedes: AMPS 1234 | . .\nstocks: 5 | 6")
    assert refusal(five, "build own") == ("too_few_settlers", "babel#build-3")
    assert scores(state) == [4, 0]


@pytest.mark.rule("babel#build-3")
def test_the_settlers_of_the_other_seat_do_not_count():
    state = position("0> medes |\n1 persians | P\nmedes: A 1 | AAAA .\nstocks: 2 | 2")
    assert refusal(state, "build own") == ("too_few_settlers", "babel#build-3")


@pytest.mark.rule("babel#build-2")
def test_no_temple_goes_beyond_level_6():
    state = position("0> medes |\n1 persians | P\nmedes: AAAAAAAA 123456 | . .\nstocks: 1 | 6")
    assert not [text for text in legal(state) if text.startswith("build")]
    for text in ("build own", "build other"):
        assert refusal(state, text) == ("no_such_level", "babel#build-2")


@pytest.mark.rule("babel#build-4")
def test_only_the_top_of_either_stock_is_built_and_what_it_covered_comes_next():
    state = position("0> medes | HMP\n1 persians | P\nmedes: AMPS 1 | . .\nstocks: 6 2 | 5 4 3")
    assert refusal(state, "build other") == ("not_next_level", "babel#build-2")
    state = play(state, "build own")
    assert refusal(state, "build own") == ("not_next_level", "babel#build-2")
    state = play(state, "build other", "build other")
    assert refusal(state, "build other") == ("too_few_settlers", "babel#build-3")
    state = play(state, "settle hittites", "settle persians", "build other", "build own")
    assert temple(state, 0, "medes") == [1, 2, 3, 4, 5, 6]
    assert data_of(state)["stocks"] == [[], []]
    assert refusal(play(state, "settle medes"), "build own") == ("no_such_level", "babel#build-2")
    empty = position("0> medes |\n1 persians | P\nmedes: A . | . .\nstocks: | 1")
    assert refusal(empty, "build own") == ("stock_empty", "babel#build-4")
    assert "build other" in legal(empty)


@pytest.mark.rule("babel#build-5", "babel#migration-5")
def test_a_temple_stays_when_its_settlers_go_but_grows_only_with_enough_of_them():
    state = position("0> medes | M\n1 persians | P\nmedes: AMPS 1234 | . .\nstocks: 5 | 1")
    state = play(state, "migrate medes persians")
    assert (column(state, 0, "medes"), temple(state, 0, "medes"), scores(state)) == ("A", [1, 2, 3, 4], [4, 0])
    assert refusal(state, "build own") == ("too_few_settlers", "babel#build-3")


# Migration


@pytest.mark.rule("babel#migration-1", "babel#migration-2")
def test_the_three_outermost_cards_go_to_another_column_in_the_same_order_wherever_the_pawn_stands():
    state = position("0> hittites | M\n1 persians | P\nmedes: MSSH . | . .\npersians: P . | . .\nhittites: AA . | . .")
    after, events = act(state, "migrate medes persians")
    assert (column(after, 0, "medes"), column(after, 0, "persians"), column(after, 0, "hittites")) == ("M", "PSSH", "AA")
    assert [(event.key, event.params["cards"]) for event in events] == [("migrated", ["sumerians", "sumerians", "hittites"])]
    case = CASES["migration takes the outer three in order"]
    source, target = case["before"].split(" to ")
    assert f"{column(after, 0, 'medes')} / {column(after, 0, 'persians')}" == case["after"]
    assert (column(state, 0, "medes"), column(state, 0, "persians")) == (source, target)


@pytest.mark.rule("babel#migration-1")
def test_cards_migrate_to_an_empty_column_as_well():
    state = play(position("0> hittites |\n1 persians | P\nmedes: MSH . | . ."), "migrate medes assyrians")
    assert data_of(state)["columns"][0] == {"assyrians": "MSH"}


@pytest.mark.rule("babel#migration-3")
def test_fewer_than_three_cards_do_not_migrate():
    assert CASES["migration needs 3"] == {"case": "migration needs 3", "before": "AB", "allowed": False}
    state = position("0> hittites |\n1 persians | P\nmedes: AH . | . .\npersians: PPP . | . .")
    assert refusal(state, "migrate medes persians") == ("too_few_migrants", "babel#migration-3")
    assert [text for text in legal(state) if text.startswith("migrate medes")] == []
    assert [text for text in legal(state) if text.startswith("migrate")] == [
        f"migrate persians {land}" for land in ("assyrians", "hittites", "medes", "sumerians")
    ]


@pytest.mark.rule("babel#migration-4")
def test_a_turn_migrates_once():
    state = play(position("0> hittites |\n1 persians | P\nmedes: MSSH . | . .\npersians: PPP . | . ."), "migrate medes persians")
    assert refusal(state, "migrate persians medes") == ("migrated", "babel#migration-4")
    assert not [text for text in legal(state) if text.startswith("migrate")]
    again = play(state, "end", "reveal 2 1", "draw medes medes medes", "end", "reveal 3 3", "draw assyrians assyrians assyrians")
    assert "migrate persians medes" in legal(again)


# Texts


@pytest.mark.parametrize(
    "text",
    [
        "move medes", "settle persians", "build own", "build other", "migrate medes persians", "end", "destroy", "destroy 2", "steal",
        "expel persians", "expel persians 3", "switch", "skip own", "skip other 2", "halve medes", "halve medes 2",
        "discard assyrians medes medes", "start 0", "draw", "draw medes persians persians", "reveal 2", "reveal 2 2", "reveal 6 1", "score",
    ],
)  # fmt: skip
def test_actions_are_read_back_from_their_text(text):
    assert str(parse_action(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "move", "move quarry", "move medes medes", "settle", "build", "build mine", "build own own", "migrate medes", "migrate medes medes",
        "migrate medes persians assyrians", "end now", "destroy 1", "destroy 0", "destroy 12", "destroy 2 2", "destroy medes", "steal x",
        "expel", "expel 2", "expel own", "skip", "skip medes", "halve", "halve own", "discard", "discard medes assyrians", "discard gods",
        "start", "start 2", "start 0 1", "draw persians medes", "reveal", "reveal 1 2", "reveal 7", "reveal 3 2 1", "score now", "Move medes",
        "move  medes", "move medes ", "discard " + "medes " * 30, None, 7,
    ],
)  # fmt: skip
def test_other_texts_are_no_actions(text):
    if not isinstance(text, str):
        only_in_plain_python("babel")
    with pytest.raises(ActionFormatError):
        parse_action(text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("move quarry", "move-1"), ("settle", "settle-1"), ("build mine", "build-4"), ("migrate medes medes", "migration-1"),
        ("destroy x", "powers-1"), ("expel own", "powers-1"), ("skip medes", "powers-1"), ("halve", "powers-1"),
        ("discard gods", "halving-2"), ("end now", "turn-4"), ("start 2", None), ("draw persians medes", None), ("fly", None),
    ],
)  # fmt: skip
def test_a_text_that_names_an_action_wrongly_is_refused_with_the_paragraph_of_that_action(text, rule):
    with pytest.raises(ActionFormatError) as fault:
        parse_action(text)
    assert fault.value.rule == (rule and f"babel#{rule}")
