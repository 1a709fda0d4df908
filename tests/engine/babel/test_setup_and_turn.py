"""Setting up, the order of turns, the first turn, drawing and revealing (babel#setup, #turn, #start, #people, #temples)."""

from __future__ import annotations

from collections import Counter

import pytest

from games.babel import components
from games.core.contract import CHANCE
from games.core.rng import SeededRng
from tests.engine.babel.builders import (
    act,
    counts,
    data,
    data_of,
    due,
    first_turn,
    game,
    hand,
    keys,
    legal,
    play,
    position,
    refusal,
    temple,
    told,
)

BOX = data("components")


def draw(initials: str) -> str:
    """Return the text of a draw."""
    found = counts(initials)
    return " ".join(["draw", *(people for people in components.PEOPLES for _ in range(found.get(people, 0)))])


@pytest.mark.rule("babel#components-1", "babel#components-2", "babel#components-8", "babel#readings-2")
def test_the_box_holds_60_people_cards_and_45_temple_cards_with_seven_of_level_4():
    assert {row["id"]: row["count"] for row in BOX["people_cards"]["peoples"]} == dict.fromkeys(components.PEOPLES, components.PEOPLE_EACH)
    assert components.PEOPLE_CARDS == BOX["people_cards"]["total"] == 60
    assert {str(level): count for level, count in enumerate(components.LEVELS) if level} == BOX["temple_cards"]["by_level"]
    assert components.TEMPLE_CARDS == BOX["temple_cards"]["total"] == 45
    assert components.LEVELS[4] == 7
    assert sum(level * count for level, count in enumerate(components.LEVELS)) == BOX["temple_cards"]["sum_of_levels"]
    assert list(components.START_HANDS.values()) == [tuple(edition["start_hands"]) for edition in BOX["editions"].values()]
    assert BOX["people_cards"]["draw_per_turn"] == components.DRAW
    assert BOX["temple_cards"]["draw_per_turn"] == components.REVEAL


@pytest.mark.rule("babel#setup-2", "babel#setup-5")
def test_each_seat_starts_with_a_level_1_and_its_pawn_in_the_quarry():
    start = data_of(game.setup(2, {}))
    assert start["stocks"] == [[1], [1]]
    assert start["deck"] == [8, 9, 8, 7, 6, 5]
    assert sum(start["deck"]) == BOX["temple_cards"]["deck_at_start"]
    assert start["pawns"] == [None, None]
    assert start["columns"] == start["temples"] == [{}, {}]


@pytest.mark.rule("babel#overview-5")
def test_a_game_for_two_takes_half_an_hour_to_an_hour():
    assert (game.meta.seats, game.meta.minutes) == ((2,), (30, 60))


@pytest.mark.rule("babel#setup-6", "babel#readings-3")
def test_chance_decides_who_starts():
    start = game.setup(2, {})
    assert due(start) == CHANCE
    rng = SeededRng(2)
    assert Counter(str(game.sample_chance(start, rng)) for _ in range(400)).keys() == {"start 0", "start 1"}
    for seat in (0, 1):
        state, events = act(start, f"start {seat}")
        assert (data_of(state)["active"], data_of(state)["due"]) == (seat, seat)
        assert [(event.key, event.params) for event in events] == [("started", {"seat": seat})]


@pytest.mark.rule("babel#setup-3", "babel#setup-4", "babel#people-1", "babel#readings-3")
@pytest.mark.parametrize(("option", "first", "second"), [("5/5", 5, 5), ("3/5", 3, 5)])
@pytest.mark.parametrize("starter", [0, 1])
def test_hands_are_drawn_and_the_first_turn_draws_three_more(option, first, second, starter):
    rng = SeededRng(4)
    state = play(game.setup(2, {"start_hands": option}), f"start {starter}")
    sizes = []
    while due(state) == CHANCE:
        action = game.sample_chance(state, rng)
        sizes.append((data_of(state)["due"], len(action.peoples)))
        state, _ = game.apply(state, CHANCE, action)
    assert sizes == [(starter, first), (1 - starter, second), (starter, 3)]
    assert (due(state), data_of(state)["turn"]) == (starter, 1)
    assert list(game.view_for(state, None).hand_counts)[starter] == first + 3


@pytest.mark.rule("babel#turn-1", "babel#turn-2", "babel#overview-4", "babel#turn-6")
def test_a_turn_draws_acts_and_turns_up_and_then_the_other_seat_is_next():
    state = position("0> medes | MMAAA\n1 persians | 5")
    phases = [(data_of(state)["phase"], data_of(state)["active"])]
    for text in ("settle medes", "end", "reveal 4 2", draw("MPS"), "end", "reveal 6 6", draw("AAP")):
        state = play(state, text)
        phases.append((data_of(state)["phase"], data_of(state)["active"]))
    assert phases == [
        ("action", 0),
        ("action", 0),
        ("revealing", 0),
        ("drawing", 1),
        ("action", 1),
        ("revealing", 1),
        ("drawing", 0),
        ("action", 0),
    ]
    assert data_of(state)["turn"] == 5


@pytest.mark.rule("babel#turn-3")
def test_actions_come_in_any_order_and_number():
    state = position("0> medes | MMAAPPP\n1 persians | 5\nmedes: MM . | . .\nstocks: 2 1 | 1")
    state = play(
        state, "settle medes", "build own", "move assyrians", "settle assyrians", "build other", "move persians", "settle persians"
    )
    state = play(state, "settle persians", "migrate medes persians")
    assert data_of(state)["columns"][0] == {"assyrians": "A", "persians": "PPMMM"}
    assert data_of(state)["pawns"][0] == "persians"
    assert (temple(state, 0, "medes"), temple(state, 0, "assyrians")) == ([1], [1])


@pytest.mark.rule("babel#turn-4", "babel#turn-5")
def test_any_number_of_cards_is_kept_at_the_end_of_a_turn_and_told():
    state = position("0> medes | AAAAAAAAAAMMMMMMMMMMPPPPPPPPPP\n1 quarry | 2")
    events = told(state, "end")
    assert [(event.key, event.params) for event in events] == [("ended_turn", {"seat": 0, "n": 30})]
    after = play(state, "end", "reveal 2 1")
    assert sum(hand(after, 0).values()) == 30
    assert game.view_for(after, 1).hand_counts == (30, 2)
    assert legal(play(position("0> medes | .\n1 quarry | 2".replace("| .", "|")), "end", "reveal 2 1", draw("AAA")))[-1] == "end"


@pytest.mark.rule("babel#turn-1")
def test_nobody_acts_out_of_turn():
    state = position("0> medes | MMA\n1 persians | PPP")
    assert refusal(state, "settle persians", actor=1) == ("not_your_turn", "babel#turn-1")
    assert refusal(state, "draw medes medes medes", actor=0) == ("not_by_hand", "babel#people-1")
    assert refusal(play(state, "end"), "settle medes", actor=0) == ("temples_first", "babel#temples-1")
    assert refusal(play(state, "end", "reveal 2 1"), "settle persians", actor=1) == ("people_first", "babel#people-1")
    assert refusal(game.setup(2, {}), "end", actor=0) == ("people_first", "babel#people-1")
    assert refusal(state, "score", actor=-2) == ("not_scoring", "babel#score-1")


@pytest.mark.rule("babel#setup-6", "babel#people-1", "babel#temples-1")
def test_chance_is_asked_for_what_is_due_and_nothing_else():
    state = position("0> medes | MMA\n1 persians | PPP")
    for text, reason in (("start 0", "no_start"), ("draw medes", "no_draw"), ("reveal 2 1", "no_reveal")):
        assert refusal(state, text, actor=CHANCE)[0] == reason
    drawing = play(state, "end", "reveal 2 1")
    assert refusal(drawing, "draw medes medes") == ("draw_count", "babel#people-1")
    assert refusal(play(state, "end"), "reveal 2") == ("reveal_count", "babel#temples-1")
    used = position("0> medes | MMMMMMMMMMMM\n1 persians | PPP", phase="drawing")
    assert refusal(used, "draw medes persians persians") == ("card_not_there", "babel#people-2")
    no_sixes = position("0> medes | M\n1 persians | P", phase="revealing", stocks=[[6, 6, 6], [6, 6]])
    assert refusal(no_sixes, "reveal 6 5") == ("level_not_there", "babel#components-2")


# The first level 1


@pytest.mark.rule("babel#start-2", "babel#start-4", "babel#readings-4")
def test_the_first_level_1_must_be_built_before_the_first_turn_ends():
    state = first_turn(hand="MMPPPAAA")
    assert "end" not in legal(state)
    assert refusal(state, "end") == ("first_level", "babel#start-2")
    state = play(state, "move medes", "settle persians")
    assert refusal(state, "end") == ("first_level", "babel#start-2")
    state = play(state, "build own")
    assert "end" in legal(state)
    state = play(state, "end", "reveal 3 2", draw("HHH"))
    assert (due(state), data_of(state)["turn"]) == (1, 2)
    assert refusal(state, "end") == ("first_level", "babel#start-2")  # the other seat must still place its own in its first turn


@pytest.mark.rule("babel#start-2")
def test_from_the_third_turn_on_nothing_is_owed():
    assert "end" in legal(position("0> medes | MM\n1 persians | PP", turn=3))


@pytest.mark.rule("babel#start-1", "babel#readings-4")
def test_the_opponent_may_not_take_a_first_level_1_before_its_owner_s_first_turn_is_over():
    state = play(first_turn(hand="MMPPPAAA"), "move medes", "settle persians", "build own", "move assyrians", "settle persians")
    assert refusal(state, "build other") == ("level_reserved", "babel#start-1")
    assert "build other" not in legal(state)
    assert data_of(state)["reserved"] == [False, True]


@pytest.mark.rule("babel#start-3")
def test_a_first_level_1_that_cannot_be_built_any_more_may_stay_and_is_a_card_like_others_then():
    state = first_turn(hand="MP", other="AAPPM")
    state = play(state, "move persians")
    assert refusal(state, "end") == ("first_level", "babel#start-2")  # the Mede can still settle
    state = play(state, "move medes")
    assert legal(state) == ["end"]
    state = play(state, "end")
    assert data_of(state)["reserved"] == [True, True]
    state = play(state, "reveal 5 2")
    assert data_of(state)["reserved"] == [False, True]
    assert data_of(state)["stocks"] == [[1, 5, 2], [1]]
    # later whoever reaches it builds it, from under the cards above
    later = play(position("0> medes | M\n1 assyrians | AP\nassyrians: . . | A .\nstocks: 1 | 3", active=1, turn=4), "build other")
    assert (data_of(later)["stocks"], temple(later, 1, "assyrians")) == ([[], [3]], [1])


@pytest.mark.rule("babel#start-3")
@pytest.mark.parametrize(
    ("picture", "owes"),
    [
        ("0> quarry | M", False),  # the move takes the last card
        ("0> quarry | MM", True),
        ("0> quarry |", False),
        ("0> medes | P", True),  # settle and build
        ("0> medes |", False),
        ("0> medes |\nmedes: P . | . .", True),  # build at once
        ("0> medes | P\npersians: A . | . .", True),
        ("0> medes |\npersians: AAA . | . .", True),  # three migrants come to the pawn
        ("0> medes |\npersians: AA . | . .", False),
        ("0> medes | P\nmedes: . 2 | . .\nassyrians: AAA . | . .", True),  # to Persia, and three migrants come
        ("0> medes | P\nmedes: . 2 | . .\nassyrians: AA . | . .", False),  # nobody would settle in Persia
        ("0> medes | MMM\nmedes: PPP 2 | . .", False),  # no card leads to an empty site
    ],
)
def test_the_duty_stands_as_long_as_some_line_of_play_can_meet_it(picture, owes):
    state = position(picture + "\n1 quarry | 5\nturn: 1")
    assert ("end" not in legal(state)) == owes
    assert can_build_first_level(state) == owes


@pytest.mark.rule("babel#start-3", "babel#migration-4")
def test_migrants_meet_the_duty_only_if_the_turn_has_not_migrated_yet():
    picture = "0> medes |\n1 quarry | 5\npersians: AAA . | . .\nturn: 1"
    assert "end" in legal(position(picture, migrated=True))
    assert "end" not in legal(position(picture))


def can_build_first_level(state) -> bool:
    """Try every line of play of the turn."""
    todo, seen = [state], set()
    while todo:
        now = todo.pop()
        mark = repr(data_of(now))
        if mark in seen:
            continue
        seen.add(mark)
        for text in legal(now):
            if text.startswith("build own"):
                return True
            if text != "end" and not text.startswith("halve"):
                todo.append(play(now, text))
    return False


def test_the_duty_is_judged_as_trying_every_line_of_play_judges_it():
    """Random first turns with small hands, so that all lines can be tried."""
    rng = SeededRng(31)
    found = Counter()
    for _ in range(120):
        cards = "".join("AHMSP"[rng.below(5, "t")] for _ in range(rng.below(4, "t")))
        state = first_turn(hand=cards)
        for _ in range(rng.below(3, "t")):
            choices = [text for text in legal(state) if text.split()[0] in ("move", "settle", "migrate")]
            if choices:
                state = play(state, choices[rng.below(len(choices), "t")])
        owes = can_build_first_level(state)
        assert ("end" not in legal(state)) == owes
        found[owes] += 1
    assert min(found.values()) > 20


# People cards


@pytest.mark.rule("babel#people-1")
def test_three_people_cards_are_drawn_at_the_start_of_a_turn():
    state = position("0> medes | M\n1 persians | PP", phase="drawing")
    state, events = act(state, draw("AAS"))
    assert hand(state, 0) == {"assyrians": 2, "medes": 1, "sumerians": 1}
    assert [(event.key, event.params, event.secret) for event in events] == [
        ("drew", {"seat": 0, "n": 3}, {0: {"cards": ["assyrians", "assyrians", "sumerians"]}})
    ]
    assert events[0].reveals


@pytest.mark.rule("babel#people-1")
def test_every_card_of_the_people_deck_is_equally_likely():
    state = position("0> medes |\n1 persians |", phase="drawing", people_deck={"assyrians": 1, "medes": 3, "persians": 2})
    rng = SeededRng(7)
    found = Counter(people for _ in range(4000) for people in game.sample_chance(state, rng).peoples)
    for people, share in ((0, 2000), (2, 6000), (4, 4000)):
        assert abs(found[people] - share) < 5 * share**0.5
    assert found.total() == 12000


@pytest.mark.rule("babel#people-2")
def test_the_discard_pile_is_shuffled_when_the_deck_is_empty_and_the_rest_drawn_from_it():
    deck, used = {"assyrians": 1, "medes": 1}, {"persians": 2, "sumerians": 1}
    picture = "0> quarry | HHHHHHHHHHHHMMMMMMMMMMM\n1 quarry | AAAAAAAAAAAPPPPPPPPPPSSSSSSSSSSS"
    state = position(picture, phase="drawing", people_deck=deck, discards=used)
    rng = SeededRng(3)
    drawn = Counter(str(game.sample_chance(state, rng)) for _ in range(300))
    assert drawn.keys() == {"draw assyrians medes persians", "draw assyrians medes sumerians"}
    assert 150 < drawn["draw assyrians medes persians"] < 250
    assert refusal(state, "draw assyrians sumerians persians") == ("card_not_there", "babel#people-2")  # first the whole deck
    state, events = act(state, "draw assyrians medes persians")
    assert (data_of(state)["people_deck"], data_of(state)["discards"]) == ({"sumerians": 1, "persians": 1}, {})
    assert keys(events) == ["reshuffled", "drew"]


@pytest.mark.rule("babel#people-2")
def test_a_deck_that_is_just_enough_is_not_shuffled_yet():
    picture = "0> quarry | HHHHHHHHHHHHMMMMMMMMMMMM\n1 quarry | AAAAAAAAAAASSSSSSSSSSSS"
    state = position(picture, phase="drawing", people_deck={"assyrians": 1, "persians": 2})
    state, events = act(state, "draw assyrians persians persians")
    assert (data_of(state)["people_deck"], data_of(state)["discards"]) == ({}, {"persians": 10})
    assert keys(events) == ["drew"]


@pytest.mark.rule("babel#people-3", "babel#readings-5")
@pytest.mark.parametrize(("left", "texts"), [(2, {"draw persians persians"}), (1, {"draw persians"}), (0, {"draw"})])
def test_with_deck_and_discard_pile_empty_a_player_draws_what_there_is(left, texts):
    picture = "0> quarry | HHHHHHHHHHHHMMMMMMMMMMMM\n1 quarry | AAAAAAAAAAAASSSSSSSSSSSS" + "P" * (12 - left)
    state = position(picture, phase="drawing")
    assert sum(data_of(state)["people_deck"].values()) == left
    assert {str(game.sample_chance(state, SeededRng(seed))) for seed in range(9)} == texts
    (text,) = texts
    after, events = act(state, text)
    assert (data_of(after)["phase"], due(after)) == ("action", 0)
    assert keys(events) == (["drew"] if left else ["drew_nothing"])


# Temple cards


@pytest.mark.rule("babel#temples-1", "babel#temples-2")
def test_at_the_end_of_a_turn_two_temple_cards_go_on_the_player_s_stock_the_lower_on_top():
    state = position("0> medes | M\n1 persians | P\nstocks: 4 | 3", phase="revealing")
    after, events = act(state, "reveal 5 2")
    assert data_of(after)["stocks"] == [[4, 5, 2], [3]]
    assert sum(data_of(after)["deck"]) == sum(data_of(state)["deck"]) - 2
    assert game.view_for(after, 1).stocks == ((4, 5, 2), (3,))
    assert [(event.key, event.params) for event in events] == [("revealed", {"seat": 0, "levels": "5, 2"})]


@pytest.mark.rule("babel#temples-1")
def test_every_temple_card_of_the_deck_is_equally_likely():
    state = position("0> medes |\n1 persians |", phase="revealing", deck_top=[3])
    rng = SeededRng(5)
    found = Counter()
    for _ in range(3000):
        levels = list(game.sample_chance(state, rng).levels)
        assert levels == sorted(levels, reverse=True)
        levels.remove(3)  # known to be next
        found += Counter(levels)
    deck = data_of(state)["deck"]
    for level, count in enumerate(deck, start=1):
        share = 3000 * count / sum(deck)
        assert abs(found[level] - share) < 5 * share**0.5
