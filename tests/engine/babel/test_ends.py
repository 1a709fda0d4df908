"""Points, winning on points, and the end of the temple deck (babel#score, #end)."""

from __future__ import annotations

import pytest

from games.core.contract import SCORER, PositionError, score_of
from games.core.rng import SeededRng
from tests.engine.babel.builders import act, data, data_of, due, game, keys, legal, play, position, refusal, scores, told

TABLE = data("rule_cases")["end_table"]
IMPOSSIBLE = data("rule_cases")["also"]["a_b_9_15"]
LANDS = ("assyrians", "hittites", "sumerians", "persians")  # the action is in Media


def temples(points: int, highest: int) -> dict[str, list[int]]:
    """Return temples of single cards that are worth `points`, none in Media."""
    out = {}
    for land in LANDS:
        if points:
            out[land] = [min(points, highest)]
            points -= out[land][0]
    assert not points
    return out


def standing(own: int, other: int, mine: list[int], theirs: list[int], settlers: str = "AAA", **fields):
    """Return a position with these scores outside Media, these temples in Media, and both pawns there."""
    data = {
        "pawns": ["medes", "medes"],
        "columns": [{"medes": settlers}, {"medes": "M"}],
        "temples": [temples(own, 6) | {"medes": mine}, temples(other, 5) | {"medes": theirs}],
        "stocks": [[1], []],
    }
    return game.complete(data | fields, SeededRng(1))


def reached(own: int, other: int):
    """Return the position after the action of seat 0 that makes the score `own` against `other`."""
    if (own, other) == (19, 9):
        return play(standing(19, 9, [], [1, 2, 3]), "destroy")
    if (own, other) == (20, 0):
        return play(standing(14, 0, [], [6], "HHHAAA"), "steal")
    return play(standing(own - 1, other, [], []), "build own")


@pytest.mark.rule(
    "babel#end-1", "babel#end-2", "babel#end-3", "babel#end-4", "babel#end-8", "babel#end-9", "babel#end-10", "babel#overview-2"
)
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['a']}-{row['b']}")
def test_each_way_to_win_has_its_limits(row):
    own, other = row["a"], row["b"]
    if (own, other) == (9, 15):
        assert "already have won" in IMPOSSIBLE
        with pytest.raises(PositionError, match=r"^temples: seat 1 has won already: 15 against 9$"):
            standing(9, 15, [], [])
        return
    state = reached(own, other)
    assert scores(state) == [own, other]
    assert (due(state) == SCORER) == (row["result"] == "active wins")
    if due(state) == SCORER:
        outcome = game.outcome(play(state, "score"))
        assert (list(outcome.places), list(outcome.scores)) == ([1, 2], [own, other])
        assert outcome.reason == ("lead" if other <= 9 else "twenty")


@pytest.mark.rule("babel#end-1")
def test_15_points_against_fewer_than_10_win_at_once_and_nothing_follows():
    state = standing(14, 9, [], [])
    events = told(state, "build own", "score")
    assert keys(events) == ["built", "ended_by_lead", "game_ended"]
    state = play(state, "build own")
    assert data_of(state)["phase"] == "scoring"
    assert (data_of(state)["ending"], legal(state)) == ("lead", ["score"])
    assert refusal(state, "end", actor=0) == ("scoring_first", "babel#score-1")
    state = play(state, "score")
    assert game.actors(state) == ()
    assert refusal(state, "end", actor=0) == ("finished", "babel#end-1")


@pytest.mark.rule("babel#end-2")
def test_15_points_against_10_or_more_begin_the_end_phase_which_is_told():
    state, events = act(standing(14, 10, [], []), "build own")
    assert (due(state), data_of(state)["phase"]) == (0, "action")
    assert [(event.key, event.rule) for event in events] == [("built", "babel#build-1"), ("last_phase", "babel#end-2")]
    assert keys(told(standing(15, 10, [], []), "build own")) == ["built"]  # it is reported once


@pytest.mark.rule("babel#end-3")
def test_20_points_win_in_the_end_phase():
    state, events = act(standing(19, 10, [], []), "build own")
    assert [(event.key, event.rule) for event in events] == [("built", "babel#build-1"), ("ended_by_twenty", "babel#end-3")]
    assert game.outcome(play(state, "score")).reason == "twenty"


@pytest.mark.rule("babel#end-4")
@pytest.mark.parametrize(("own", "other", "ends"), [(15, 9, True), (15, 10, False), (14, 9, False), (14, 0, False)])
def test_pushing_the_opponent_below_10_wins_with_15_points_or_more(own, other, ends):
    state, events = act(standing(own, other, [], [1, 2, 3, 4]), "destroy")
    assert scores(state) == [own, other]
    assert (due(state) == SCORER) == ends
    assert [event.rule for event in events if event.key.startswith("ended")] == (["babel#end-4"] if ends else [])


@pytest.mark.rule("babel#end-8", "babel#end-2", "babel#readings-11")
def test_a_player_on_exactly_10_is_still_in_the_game_although_the_summary_says_otherwise():
    """According to the summary, a seat that falls to 10 or less has lost, and a seat with fewer than 15 could win."""
    assert due(play(standing(16, 10, [], [1, 2]), "destroy")) == 0
    assert due(play(standing(12, 9, [], [1, 2, 3, 4, 5, 6]), "destroy")) == 0  # 15 against 12 has become 9 against 12


@pytest.mark.rule("babel#end-9", "babel#end-1", "babel#readings-11")
def test_every_way_to_change_the_scores_can_win():
    assert due(play(standing(13, 0, [], [], "PPP", stocks=[[2], []]), "skip own")) == SCORER
    assert due(play(standing(12, 3, [], [1, 2, 3], "HHH"), "steal")) == SCORER
    assert due(play(standing(15, 9, [], [1], "AAA"), "destroy")) == SCORER
    for text in ("settle assyrians", "expel medes", "end"):
        still = standing(19, 19, [], [], "MMM", hands=[{"assyrians": 1}, {}])
        assert due(play(still, text)) != SCORER


@pytest.mark.rule("babel#end-9")
def test_only_the_seat_whose_turn_it_is_can_win():
    """An action never lowers the score of its seat and never raises that of the other."""
    state = standing(13, 13, [], [6], "AAAHHHMMMSSSPPP", hands=[{"medes": 1, "persians": 1}, 4], stocks=[[2], [1]])
    verbs = set()
    for text in legal(state):
        own, other = scores(play(state, text))
        assert own >= 13
        assert other <= 19
        verbs.add(text.split()[0])
    assert verbs == {"move", "settle", "build", "migrate", "destroy", "steal", "expel", "switch", "skip", "halve", "end"}


# Points


@pytest.mark.rule("babel#score-1", "babel#score-3", "babel#overview-2", "babel#readings-10")
def test_a_temple_counts_its_top_level_gaps_or_not():
    state = position("0> medes |\n1 medes |\nmedes: AA 14 | A .\npersians: A 123 | . 3\nassyrians: . 6 | . .")
    assert scores(state) == [13, 3]
    view = game.view_for(state, None)
    ((name, lines),) = view.derivations[0]
    assert name == "temples"
    assert [(line.key, line.points) for line in lines] == [
        ("assyrians", 6),
        ("hittites", 0),
        ("medes", 4),
        ("sumerians", 0),
        ("persians", 3),
    ]
    assert {line.rule for line in lines} == {"babel#score-1"}
    assert [dict(line.pieces) for line in lines if line.points] == [{"temple_6": 1}, {"temple_4": 1}, {"temple_3": 1}]


@pytest.mark.rule("babel#score-2")
def test_nobody_can_have_more_than_30_points():
    full = {land: [6] for land in (*LANDS, "medes")}
    with pytest.raises(PositionError, match=r"^temples: seat 0 has won already: 30 against 0$"):
        game.complete({"temples": [full, {}]}, SeededRng(1))


@pytest.mark.rule("babel#score-1", "babel#score-4")
def test_the_derivation_adds_up_to_the_score_and_falls_with_the_temples():
    state = standing(4, 5, [], [1, 2, 3])
    assert scores(state) == [4, 8]
    state = play(state, "destroy")
    assert scores(state) == [4, 5]
    won = play(standing(14, 9, [], []), "build own", "score")
    outcome = game.outcome(won)
    assert [score_of(outcome, seat) for seat in (0, 1)] == list(outcome.scores) == [15, 9]


# The temple deck


def last_cards(levels: list[int], hands: str, own: list[int], other: list[int], phase: str = "revealing"):
    """Return a position in which these temple cards are the last in the deck."""
    mine, theirs = hands.split("|")
    rest = [10, 9, 8, 7, 6, 5]
    for level in (*levels, *own, *other):
        rest[level - 1] -= 1
    stock = [level + 1 for level, count in enumerate(rest) for _ in range(count)]
    temple = ({"medes": own} if own else {}, {"medes": other} if other else {})
    return position(
        f"0> medes | {mine}\n1 medes | {theirs}",
        phase=phase,
        stocks=[stock, []],
        temples=list(temple),
        deck=[levels.count(n) for n in range(1, 7)],
    )


@pytest.mark.rule("babel#end-5")
@pytest.mark.parametrize(("own", "other", "places"), [([1, 2], [1], [1, 2]), ([1], [1, 2, 3], [2, 1])])
def test_the_last_temple_card_ends_the_game_and_the_higher_score_wins(own, other, places):
    state = last_cards([3, 2], "A|PPPPP", own, other)
    state, events = act(state, "reveal 3 2")
    assert (keys(events), due(state)) == (["revealed", "ended_by_deck"], SCORER)
    state, events = act(state, "score")
    outcome = game.outcome(state)
    assert (list(outcome.places), list(outcome.scores), outcome.reason) == (places, [len(own), len(other)], "deck")
    assert [(event.key, event.params["seat"], event.rule) for event in events] == [("game_ended", places.index(1), "babel#end-5")]


@pytest.mark.rule("babel#end-5")
def test_the_game_goes_on_while_a_temple_card_is_left():
    state = play(last_cards([3, 2, 1], "A|P", [1], []), "reveal 3 2")
    assert data_of(state)["phase"] == "drawing"


@pytest.mark.rule("babel#end-5", "babel#end-1")
def test_a_win_on_points_comes_before_the_last_temple_cards():
    state = standing(14, 9, [], [], stocks=[stock_without([1], 14, 9), []], deck=[0, 0, 0, 0, 0, 0], deck_top=[1])
    assert game.view_for(state, 0).deck_count == 1
    assert data_of(play(state, "build own"))["ending"] == "lead"
    assert data_of(play(state, "end", "reveal 1"))["ending"] == "deck"


def stock_without(levels: list[int], own: int, other: int) -> list[int]:
    """Return all temple cards that are neither in `levels` nor in the temples of these scores, with a level 1 on top."""
    rest = [10, 9, 8, 7, 6, 5]
    used = [card for row in (temples(own, 6), temples(other, 5)) for cards in row.values() for card in cards]
    for level in (*levels, *used):
        rest[level - 1] -= 1
    return [level + 1 for level, count in reversed(list(enumerate(rest))) for _ in range(count)]


@pytest.mark.rule("babel#end-6", "babel#readings-12")
def test_a_single_last_card_is_turned_up_alone():
    state = last_cards([5], "A|P", [1], [])
    assert {str(game.sample_chance(state, SeededRng(seed))) for seed in range(5)} == {"reveal 5"}
    assert refusal(state, "reveal 5 5") == ("reveal_count", "babel#temples-1")
    after = play(state, "reveal 5")
    assert data_of(after)["stocks"][0][-1] == 5
    assert due(after) == SCORER


@pytest.mark.rule("babel#end-7", "babel#end-11", "babel#readings-12")
@pytest.mark.parametrize(
    ("hands", "places", "reason", "key", "anchor"),
    [
        ("AA|P", [1, 2], "deck_hands", "game_ended_by_hands", "end-7"),
        ("A|PP", [2, 1], "deck_hands", "game_ended_by_hands", "end-7"),
        ("AA|PP", [1, 1], "deck_drawn", "game_drawn", "end-11"),
    ],
)
def test_a_tie_is_decided_by_the_larger_hand_or_shared(hands, places, reason, key, anchor):
    state = play(last_cards([3, 2], hands, [1, 2], [2]), "reveal 3 2")
    state, events = act(state, "score")
    outcome = game.outcome(state)
    assert (list(outcome.places), list(outcome.scores), outcome.reason) == (places, [2, 2], reason)
    assert [(event.key, event.rule) for event in events] == [(key, f"babel#{anchor}")]


@pytest.mark.rule("babel#end-5")
def test_without_destruction_the_deck_lasts_22_turns():
    turns = data("components")["temple_cards"]["turns_until_empty_without_destruction"]
    state, rng = game.setup(2, {}), SeededRng(1)
    while actors := game.actors(state):
        if actors[0] >= 0:
            state = play(state, "end" if "end" in legal(state) else legal(state)[0])
        else:
            state, _ = game.apply(state, actors[0], game.sample_chance(state, rng) if actors[0] == -1 else game.legal_actions(state, -2)[0])
    assert (data_of(state)["turn"], data_of(state)["ending"]) == (turns, "deck")
