"""Runs and the six powers (babel#powers, #destroy, #steal, #expel, #switch, #skip, #halving), the cases of the rulings page."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from games.core.rng import SeededRng
from tests.engine.babel.builders import (
    INITIAL,
    act,
    column,
    counts,
    data,
    data_of,
    due,
    game,
    hand,
    keys,
    legal,
    play,
    position,
    refusal,
    scores,
    temple,
    told,
)

RULE_CASES = data("rule_cases")
COLUMNS = {case["case"]: case for case in RULE_CASES["column_cases"]}
TEMPLES = {case["case"]: case for case in RULE_CASES["temple_cases"]}


def facing(own: str, other: str, held: int = 0, **fields):
    """Return a position with both columns (and temples) in Media, and both pawns there."""
    return position(f"0> medes |\n1 medes | {held}\nmedes: {own} | {other}", **fields)


def powers(state):
    """Return the legal uses of powers."""
    return [text for text in legal(state) if text.split()[0] in ("destroy", "steal", "expel", "switch", "skip", "halve")]


# Runs


@pytest.mark.rule("babel#powers-1")
@pytest.mark.parametrize(
    ("own", "runs"),
    [
        ("SS", 0),
        ("SSS", 1),
        ("ASSSP", 1),  # not outermost
        ("SSASS", 0),
        ("SASS", 0),
        ("SSSS", 1),
        ("SSSASSS", 2),
        ("PSSSAAA", 2),
    ],
)
def test_three_equal_cards_in_a_row_anywhere_in_the_column_are_a_run(own, runs):
    state = facing(f"{own} .", "HP .", held=4)
    assert len([text for text in powers(state) if text.startswith("halve")]) == runs


@pytest.mark.rule("babel#powers-1")
def test_one_card_of_the_run_is_discarded():
    state = facing("PSSSA .", "HPP .", held=4)
    after, events = act(state, "switch")
    assert column(after, 0, "medes") == "PSSAPP"
    assert data_of(after)["discards"] == {"sumerians": 1}
    assert keys(events) == ["switched"]
    assert refusal(facing("PSSA .", "HPP ."), "switch") == ("no_run", "babel#powers-1")


@pytest.mark.rule("babel#powers-2")
def test_run_and_effect_are_in_the_pawn_s_land():
    state = position("0> persians | M\n1 medes | 4\nmedes: SSS . | PP .\npersians: A . | HH .")
    assert powers(state) == []
    assert refusal(state, "switch") == ("no_run", "babel#powers-1")
    state = play(state, "move medes", "switch")
    assert (column(state, 1, "medes"), column(state, 1, "persians")) == ("", "HH")


@pytest.mark.rule("babel#powers-3")
@pytest.mark.parametrize(("length", "uses"), [(3, 1), (4, 2), (5, 3)])
def test_a_longer_run_is_used_more_often(length, uses):
    state = facing("M" * length + " .", "AHSP .")
    for people in ("assyrians", "hittites", "sumerians")[:uses]:
        state = play(state, f"expel {people}")
    assert column(state, 0, "medes") == "MM"
    assert refusal(state, "expel persians") == ("no_run", "babel#powers-1")
    assert column(state, 1, "medes") == "AHSP"[uses:]


@pytest.mark.rule("babel#powers-3")
@pytest.mark.parametrize("name", ["discard from a run of 4", "discard from a run of 3"])
def test_the_cases_of_a_run_that_shrinks(name):
    case = COLUMNS[name]
    state = play(facing(f"{case['before']} .", "PH ."), "switch")
    assert column(state, 0, "medes") == case["after"] + "H"
    assert ("switch" in legal(state)) == case["power_again"]


@pytest.mark.rule("babel#powers-4", "babel#readings-7")
def test_of_two_runs_of_one_people_the_seat_chooses():
    state = facing("MMMAMMMM .", "PP .", held=2)
    assert powers(state) == ["expel persians", "halve medes", "expel persians 2", "halve medes 2"]
    assert column(play(state, "expel persians"), 0, "medes") == "MMAMMMM"
    assert column(play(state, "expel persians 2"), 0, "medes") == "MMMAMMM"
    assert column(play(state, "halve medes 2"), 0, "medes") == "MMMAMMM"
    assert refusal(state, "expel persians 3") == ("no_run", "babel#powers-1")


@pytest.mark.rule("babel#powers-5", "babel#readings-7")
@pytest.mark.parametrize(
    ("own", "other", "refused"),
    [
        ("AAA .", "PP .", {"destroy": ("no_temple_there", "babel#destroy-1")}),
        ("HHH .", "PP .", {"steal": ("no_temple_there", "babel#steal-1")}),
        ("MMM .", ". 1", {"expel persians": ("nobody_to_expel", "babel#expel-1")}),
        ("MMM .", "PP .", {"expel medes": ("nobody_to_expel", "babel#expel-1")}),
        ("SSS .", ". 1", {"switch": ("nobody_there", "babel#switch-1")}),
        ("PPP .", "AA .", {"skip own": ("not_skipped_level", "babel#skip-1"), "skip other": ("not_skipped_level", "babel#skip-1")}),
        ("PPP .", "AA .", {"halve persians": ("hand_too_small", "babel#halving-3")}),
    ],
)
def test_a_power_without_effect_is_not_offered(own, other, refused):
    state = facing(own, other, held=1)
    for text, reason in refused.items():
        assert refusal(state, text) == reason
    assert [text for text in powers(state) if text in refused] == []


@pytest.mark.rule("babel#powers-6", "babel#components-5")
def test_each_people_has_its_power_and_all_share_one():
    state = facing("AAAHHHMMMSSSPPP 1", "AS 23", held=2, stocks=[[3], [1]])
    assert powers(state) == [
        "destroy", "halve assyrians", "steal", "halve hittites", "expel assyrians", "expel sumerians", "halve medes", "switch",
        "halve sumerians", "skip own", "halve persians",
    ]  # fmt: skip


# Assyrians


@pytest.mark.rule("babel#destroy-1", "babel#destroy-2", "babel#score-4")
def test_the_whole_temple_goes_on_the_deck_its_lowest_level_on_top():
    state = position("0> medes |\n1 medes | 2\nmedes: AAA 1 | P 123\npersians: . . | H 12")
    before = sum(data_of(state)["deck"])
    after, events = act(state, "destroy")
    assert (temple(after, 1, "medes"), temple(after, 0, "medes"), temple(after, 1, "persians")) == ([], [1], [1, 2])
    assert column(after, 1, "medes") == "P"
    assert data_of(after)["deck_top"] == [1, 2, 3]
    assert sum(data_of(after)["deck"]) == before
    assert scores(after) == [1, 2]
    assert [(event.key, event.params["levels"], event.params["rival"]) for event in events] == [("destroyed", "1, 2, 3", 2)]


@pytest.mark.rule("babel#destroy-3", "babel#temples-1")
def test_the_destroyer_turns_up_the_lowest_levels_and_the_other_seat_can_take_them():
    state = play(facing("AAA .", "P 123", stocks=[[4], [5]]), "destroy", "end")
    assert legal_reveals(state) == {"reveal 2 1"}
    assert refusal(state, "reveal 3 2") == ("level_not_next", "babel#destroy-2")
    state = play(state, "reveal 2 1", "draw hittites hittites hittites")
    assert data_of(state)["stocks"] == [[4, 2, 1], [5]]
    assert data_of(state)["deck_top"] == [3]
    state = play(state, "build other")
    assert temple(state, 1, "medes") == [1]
    known, state = data_of(state)["deck_top"], play(state, "end")
    assert all("3" in text.split() for text in legal_reveals(state))
    assert known == [3]


def legal_reveals(state):
    """Return the outcomes of chance over many tries."""
    return {str(game.sample_chance(state, SeededRng(seed))) for seed in range(60)}


@pytest.mark.rule("babel#destroy-2")
def test_the_case_of_a_gapped_temple():
    case = TEMPLES["destroy gapped temple"]
    state = play(facing("AAA .", "P " + "".join(map(str, case["opp"]))), "destroy")
    assert data_of(state)["deck_top"] == case["deck_next"]


@pytest.mark.rule("babel#destroy-2")
def test_a_second_destruction_goes_on_top_of_the_first():
    state = position("0> medes | P\n1 medes |\nmedes: AAA . | P 12\npersians: AAA . | H 1234")
    assert data_of(play(state, "destroy", "move persians", "destroy"))["deck_top"] == [1, 2, 3, 4, 1, 2]


@pytest.mark.rule("babel#destroy-2", "babel#end-5")
def test_destruction_makes_the_deck_longer():
    state = facing("AAA .", "P 123", deck_top=[])
    assert game.view_for(play(state, "destroy"), 0).deck_count == game.view_for(state, 0).deck_count + 3


# Hittites


@pytest.mark.rule("babel#steal-1", "babel#steal-2", "babel#steal-3", "babel#steal-4")
@pytest.mark.parametrize(
    ("own", "mine", "theirs", "after"),
    [
        ("HHHP", "1", "1234", ("14", "123")),  # a gap
        ("HHH", "", "123", ("3", "12")),  # on an empty site; the Hittite discarded counts
        ("HHHAAA", "12", "1246", ("126", "124")),  # the victim had a gap: it falls by two
        ("HHHA", "2", "134", ("24", "13")),
    ],
)
def test_the_top_level_of_the_opponent_s_temple_comes_onto_the_thief_s(own, mine, theirs, after):
    state = facing(f"{own} {mine or '.'}", f"P {theirs}")
    points = scores(state)
    state, events = act(state, "steal")
    assert ("".join(map(str, temple(state, 0, "medes"))), "".join(map(str, temple(state, 1, "medes")))) == after
    assert column(state, 0, "medes") == own[1:]
    top, fall = int(theirs[-1]), int(theirs[-1]) - int(theirs[-2])
    assert scores(state) == [points[0] + top - int(mine[-1] if mine else 0), points[1] - fall]
    assert [(event.key, event.params["n"]) for event in events] == [("stole", top)]


@pytest.mark.rule("babel#steal-2", "babel#steal-3")
@pytest.mark.parametrize("name", ["steal with gap", "steal equal level", "steal, too few cards"])
def test_the_cases_of_stealing(name):
    case = TEMPLES[name]
    cards = case.get("own_cards_before_discard", 6)
    own, theirs = ("".join(map(str, case[side])) for side in ("own", "opp"))
    state = facing(f"{'HHH' + 'A' * (cards - 3)} {own or '.'}", f"P {theirs}")
    assert ("steal" in legal(state)) == case["ok"]
    if case["ok"]:
        state = play(state, "steal")
        assert (temple(state, 0, "medes"), temple(state, 1, "medes")) == (case["own_after"], case["opp_after"])


@pytest.mark.rule("babel#steal-2", "babel#steal-3")
def test_a_level_that_is_not_higher_or_too_high_for_the_settlers_is_not_stolen():
    assert refusal(facing("HHHA 3", "P 123"), "steal") == ("not_higher", "babel#steal-2")
    assert refusal(facing("HHHA 4", "P 123"), "steal") == ("not_higher", "babel#steal-2")
    assert refusal(facing("HHH .", "P 1234"), "steal") == ("too_few_settlers", "babel#steal-3")


@pytest.mark.rule("babel#steal-4")
def test_the_case_of_a_level_stolen_from_a_gapped_temple():
    case = TEMPLES["level 6 stolen from a gapped temple drops to the next card below"]
    state = play(facing("HHHAAA .", "P " + "".join(map(str, case["opp"]))), "steal")
    assert temple(state, 1, "medes")[-1] == case["opp_height_after"]


# Medes


@pytest.mark.rule("babel#expel-1")
def test_all_cards_of_the_people_chosen_leave_the_other_column_wherever_they_lie():
    state = position("0> medes |\n1 medes |\nmedes: MMM . | PAPHP .\npersians: . . | PP .")
    assert powers(state) == ["expel assyrians", "expel hittites", "expel persians"]
    after, events = act(state, "expel persians")
    assert (column(after, 1, "medes"), column(after, 1, "persians")) == ("AH", "PP")
    assert Counter(data_of(after)["discards"]) == Counter({"medes": 1, "persians": 3})
    assert [event.params["cards"] for event in events] == [["persians"] * 3]


@pytest.mark.rule("babel#expel-2")
def test_closing_gaps_can_make_a_run_for_the_other_seat():
    case = COLUMNS["expelled cards close the gap"]
    state = facing("MMM .", f"{case['before']} 1", stocks=[[2], [3]])
    state = play(state, f"expel {INITIAL[case['expel']]}")
    assert column(state, 1, "medes") == case["after"]
    state = play(state, "end", "reveal 5 4", "draw assyrians assyrians assyrians")
    assert ("skip own" in legal(state)) == case["run_of_three_for_owner"]


# Sumerians


@pytest.mark.rule("babel#switch-1", "babel#switch-2", "babel#readings-8")
def test_all_cards_of_the_outermost_people_come_over_wherever_they_lie():
    case = COLUMNS["defectors leave from anywhere"]
    state = position(f"0> medes |\n1 medes |\nmedes: PSSS . | {case['before']} .\npersians: . . | SS .")
    after, events = act(state, "switch")
    assert column(after, 1, "medes") == case["after"]
    assert column(after, 0, "medes") == "PSS" + case["outermost"] * case["leave"]
    assert column(after, 1, "persians") == "SS"
    assert data_of(after)["discards"] == {"sumerians": 1}
    assert [event.params["cards"] for event in events] == [["sumerians", "sumerians"]]
    assert "switch" in legal(after)  # SSSS: the switched card restored the run


# Persians


@pytest.mark.rule("babel#skip-1", "babel#skip-2", "babel#skip-3")
@pytest.mark.parametrize(
    ("own", "mine", "stocks", "text", "after"),
    [
        ("PPP", "", [[2], [1]], "skip own", [2]),
        ("PPPA", "12", [[2], [4]], "skip other", [1, 2, 4]),
        ("PPPA", "2", [[4], [1]], "skip own", [2, 4]),
    ],
)
def test_exactly_one_level_is_skipped_with_the_top_of_a_stock(own, mine, stocks, text, after):
    state = facing(f"{own} {mine or '.'}", "A .", stocks=stocks)
    assert powers(state) == [text]
    state, events = act(state, text)
    assert (temple(state, 0, "medes"), column(state, 0, "medes")) == (after, own[1:])
    assert scores(state) == [after[-1], 0]
    assert keys(events) == ["skipped" if text == "skip own" else "skipped_from_other"]


@pytest.mark.rule("babel#skip-3")
def test_the_case_of_skipping_from_an_empty_site():
    case = TEMPLES["skip from empty"]
    cards = "P" * case["own_cards_before_discard"]
    state = play(facing(f"{cards} .", "A .", stocks=[[case["card"]], [1]]), "skip own")
    assert temple(state, 0, "medes") == case["own_after"]


@pytest.mark.rule("babel#skip-1", "babel#skip-2", "babel#skip-3")
def test_no_other_level_is_skipped_to_and_settlers_must_be_enough():
    assert refusal(facing("PPPA 1", "A .", stocks=[[4], [2]]), "skip own") == ("not_skipped_level", "babel#skip-1")
    assert refusal(facing("PPPA 1", "A .", stocks=[[4], [2]]), "skip other") == ("not_skipped_level", "babel#skip-1")
    assert refusal(facing("PPP 12", "A .", stocks=[[4], []]), "skip own") == ("too_few_settlers", "babel#build-3")
    assert refusal(facing("PPP 12", "A .", stocks=[[4], []]), "skip other") == ("stock_empty", "babel#build-4")
    assert refusal(facing("PPPAAA 12345", "A .", stocks=[[6], []]), "skip own") == ("no_such_level", "babel#skip-1")


@pytest.mark.rule("babel#skip-3", "babel#powers-3")
def test_two_skips_follow_each_other_if_the_run_is_long_enough():
    state = play(facing("PPPPA .", "A .", stocks=[[4, 2], [1]]), "skip own", "skip own")
    assert (temple(state, 0, "medes"), column(state, 0, "medes")) == ([2, 4], "PPA")


# Half a hand


@pytest.mark.rule("babel#halving-1", "babel#readings-9")
@pytest.mark.parametrize(("held", "case"), RULE_CASES["halving"].items())
def test_half_of_the_hand_goes_rounded_down(held, case):
    state = facing("PPP .", "A .", held=int(held))
    if not case["discard"]:
        assert refusal(state, "halve persians") == ("hand_too_small", "babel#halving-3")
        return
    state, events = act(state, "halve persians")
    assert [(event.key, event.params["n"]) for event in events] == [("halved", case["discard"])]
    assert due(state) == 1
    choices = legal(state)
    assert {len(text.split()) - 1 for text in choices} == {case["discard"]}
    assert sum(hand(play(state, choices[0]), 1).values()) == case["keep"]


@pytest.mark.rule("babel#halving-1")
@pytest.mark.parametrize("people", ["AAA", "HHH", "MMM", "SSS", "PPP"])
def test_any_people_halves_a_hand(people):
    state = facing(f"{people} .", ". .", held=4)
    assert f"halve {INITIAL[people[0]]}" in legal(state)


@pytest.mark.rule("babel#halving-2")
def test_the_owner_of_the_hand_chooses_at_once_and_then_the_turn_goes_on():
    state = position("0> medes | A\n1 medes | AAHMP\nmedes: PPP . | A .", migrated=True)
    state = play(state, "halve persians")
    assert set(legal(state)) == {f"discard {pair}" for pair in PAIRS}
    assert refusal(state, "settle assyrians", actor=0) == ("halving_first", "babel#halving-2")
    assert refusal(state, "end", actor=1) == ("halve_hand", "babel#halving-2")
    assert refusal(state, "discard hittites") == ("discard_count", "babel#halving-1")
    assert refusal(state, "discard hittites hittites") == ("card_not_held", "babel#halving-2")
    state, events = act(state, "discard assyrians persians")
    assert hand(state, 1) == {"assyrians": 1, "hittites": 1, "medes": 1}
    assert Counter(data_of(state)["discards"]) == Counter(counts("APP"))
    assert [(event.key, event.params["cards"], event.reveals) for event in events] == [("discarded", ["assyrians", "persians"], True)]
    assert (due(state), data_of(state)["active"], data_of(state)["migrated"]) == (0, 0, True)
    assert refusal(state, "discard assyrians") == ("nothing_to_discard", "babel#halving-2")


PAIRS = (
    "assyrians assyrians", "assyrians hittites", "assyrians medes", "assyrians persians", "hittites medes", "hittites persians",
    "medes persians",
)  # fmt: skip


@pytest.mark.rule("babel#halving-2")
def test_a_hand_of_one_people_leaves_no_choice_but_its_owner_is_asked_all_the_same():
    """Discarding a half automatically would reveal that all cards kept are of that people too."""
    state = play(position("0> medes |\n1 medes | AAAAA\nmedes: PPP . | . ."), "halve persians")
    assert legal(state) == ["discard assyrians assyrians"]
    assert game.meta.automatic == frozenset()


@pytest.mark.rule("babel#halving-3", "babel#readings-7")
def test_halving_is_repeated_until_a_single_card_is_left():
    state = position("0> medes |\n1 medes | AAAAAAA\nmedes: PPPPPP . | . .")
    kept = []
    while "halve persians" in legal(state):
        state = play(state, "halve persians")
        state = play(state, *legal(state))
        kept.append(sum(hand(state, 1).values()))
    assert kept == [4, 2, 1]
    assert refusal(state, "halve persians") == ("hand_too_small", "babel#halving-3")


@pytest.mark.rule("babel#halving-1")
def test_every_half_of_a_hand_is_listed_once():
    """Against all ways to pick cards one by one."""
    for cards in ("AAHMP", "AAAAHH", "AHMSP", "AAAHHHMMMSSSPPP", "PP", "AAAAAAAMMP"):
        state = play(position(f"0> medes |\n1 medes | {cards}\nmedes: PPP . | . ."), "halve persians")
        ways = {"discard " + " ".join(INITIAL[card] for card in way) for way in combinations(cards, len(cards) // 2)}
        assert set(legal(state)) == ways
        assert len(legal(state)) == len(ways)


# A chain


def test_a_chain_is_told_action_by_action():
    state = position("0> medes | AP\n1 medes | 3\nmedes: SSS . | AA 1\npersians: PPP . | . .\nstocks: 2 | 1")
    events = told(state, "switch", "settle assyrians", "destroy", "move persians", "skip own", "end")
    assert keys(events) == ["switched", "settled", "destroyed", "moved", "skipped", "ended_turn"]
    assert all(event.params["seat"] == 0 and event.rule.startswith("babel#") for event in events)
