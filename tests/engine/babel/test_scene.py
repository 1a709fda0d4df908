"""The data for drawing the board: columns with their runs, temples with their gaps, stocks, decks, scores against the lines."""

from __future__ import annotations

import pytest

from games.babel.components import PEOPLES, SYMBOLS
from tests.engine.babel.builders import first_turn, game, play, position

SPRITE = set(SYMBOLS.values())

RICH = """
    turn: 5
    0> hittites | AHS
    1  hittites | 5
    hittites:  SSSSAAAP .   | PSSAPS 134
    medes:     PPP 1234     | .      .
    assyrians: HH  .        | MMM    12
    stocks: 6 2 | 5 4 3
"""


def scene(state, seat=0):
    return game.scene(game.view_for(state, seat))


def land(drawing, people):
    return drawing["lands"][PEOPLES.index(people)]


def names(cards):
    return "".join(card["people"][0].upper() for card in cards)


# Lands


def test_the_viewer_sits_below_and_spectators_look_from_the_first_seat():
    state = position(RICH)
    for seat, near in ((0, 1), (1, 2), (None, 1)):
        drawing = scene(state, seat)
        assert {side["near"]["number"] for side in drawing["lands"]} == {near}
        assert [row["number"] for row in drawing["score"]["rows"]] == [3 - near, near]
        assert [stock["number"] for stock in drawing["stocks"]] == [3 - near, near]


@pytest.mark.rule("babel#settle-1")
def test_every_card_is_drawn_from_the_inside_out_and_the_outermost_is_marked():
    side = land(scene(position(RICH)), "hittites")
    assert (names(side["near"]["cards"]), names(side["far"]["cards"])) == ("SSSSAAAP", "PSSAPS")
    for cards in (side["near"]["cards"], side["far"]["cards"]):
        assert [card["is_outermost"] for card in cards] == [False] * (len(cards) - 1) + [True]


@pytest.mark.rule("babel#powers-1", "babel#powers-4")
def test_runs_have_a_bracket_and_name_their_power():
    drawing = scene(position(RICH))
    cards = land(drawing, "hittites")["near"]["cards"]
    assert [card["bracket"] for card in cards] == ["first", "inner", "inner", "last", "first", "inner", "last", ""]
    assert [(at, card["run"]["power"]) for at, card in enumerate(cards) if card["run"]] == [(0, "power_switch"), (4, "power_destroy")]
    assert land(drawing, "medes")["near"]["powers"] == ["power_skip"]
    assert land(drawing, "assyrians")["far"]["powers"] == ["power_expel"]
    assert land(drawing, "hittites")["far"]["powers"] == []


@pytest.mark.rule("babel#powers-2")
def test_only_a_run_where_the_pawn_stands_can_be_pointed_at():
    drawing = scene(position(RICH))
    runs = [card["run"]["target"] for card in land(drawing, "hittites")["near"]["cards"] if card["run"]]
    assert [target["id"] for target in runs] == ["run-sumerians-1", "run-assyrians-1"]
    assert [card["run"]["target"] for card in land(drawing, "medes")["near"]["cards"] if card["run"]] == [None]
    assert [name for name in drawing["targets"] if name.startswith("run-")] == ["run-sumerians-1", "run-assyrians-1"]


@pytest.mark.rule("babel#powers-4")
def test_two_runs_of_one_people_are_numbered_from_the_inside():
    drawing = scene(position("0> medes | A\n1 quarry | 3\nmedes: SSSASSSS . | . ."))
    runs = [card["run"] for card in land(drawing, "medes")["near"]["cards"] if card["run"]]
    assert [(run["target"]["id"], run["length"]) for run in runs] == [("run-sumerians-1", 3), ("run-sumerians-2", 4)]


@pytest.mark.rule("babel#migration-1", "babel#migration-3")
def test_the_three_outermost_cards_are_those_that_would_migrate():
    drawing = scene(position(RICH))
    assert [card["is_migrant"] for card in land(drawing, "hittites")["near"]["cards"]] == [False] * 5 + [True] * 3
    assert not any(card["is_migrant"] for card in land(drawing, "assyrians")["near"]["cards"])


@pytest.mark.rule("babel#score-1", "babel#steal-2")
def test_a_temple_tells_its_height_and_shows_its_gaps():
    site = land(scene(position(RICH)), "hittites")["far"]
    assert (site["height"], site["levels"], site["symbol"], site["is_gapped"]) == (4, [1, 3, 4], "ba-temple-4", True)
    assert [rung["state"] for rung in site["rungs"]] == ["built", "built", "gap", "built"]  # from the top
    whole = land(scene(position(RICH)), "medes")["near"]
    assert (whole["height"], whole["is_gapped"]) == (4, False)
    empty = land(scene(position(RICH)), "hittites")["near"]
    assert (empty["height"], empty["symbol"], empty["rungs"]) == (0, "ba-temple-0", [])


@pytest.mark.rule("babel#components-3", "babel#components-4")
def test_each_seat_has_a_site_and_a_column_in_each_of_five_lands_and_a_pawn_in_the_quarry():
    drawing = scene(position("0> quarry | AHS\n1 quarry | 5", turn=1, stocks=[[1], [1]], columns=[{}, {}]))
    assert len(drawing["lands"]) == 5
    for side in drawing["lands"]:
        for seat in ("near", "far"):
            assert (side[seat]["cards"], side[seat]["levels"]) == ([], [])
    assert sorted(pawn["number"] for pawn in drawing["decks"]["in_quarry"]) == [1, 2]


@pytest.mark.rule("babel#move-4", "babel#setup-5")
def test_pawns_stand_in_the_quarry_or_in_their_lands():
    start = scene(first_turn())
    assert [pawn["number"] for pawn in start["decks"]["in_quarry"]] == [2, 1]
    assert not any(side["near"]["pawn"] or side["far"]["pawn"] for side in start["lands"])
    drawing = scene(position(RICH))
    assert drawing["decks"]["in_quarry"] == []
    both = land(drawing, "hittites")
    assert (both["near"]["pawn"], both["far"]["pawn"], both["is_here"]) == ("ba-pawn-a", "ba-pawn-b", True)
    assert [side["is_here"] for side in drawing["lands"]].count(True) == 1


# The cards of the opponent's column as answers


def shown(cards, *offered):
    """Return which card shows which answer when the question offers these, as the template picks them."""
    found = []
    for at, card in enumerate(cards):
        hits = [hit["id"] for hit in card["hits"] if hit["id"] in offered]
        spare = card.get("spare")
        if hits:
            found.append((at, hits[0]))
        elif spare and spare["unless"]["id"] in offered and spare["target"]["id"] in offered:
            found.append((at, spare["target"]["id"]))
        if card["is_outermost"] and spare and len(hits) == 2:
            found.append((at, hits[1]))
    return found


@pytest.mark.rule("babel#expel-1", "babel#switch-1")
def test_each_people_of_the_other_column_can_be_pointed_at_once():
    cards = land(scene(position(RICH)), "hittites")["far"]["cards"]  # PSSAPS
    expelling = ("rival-assyrians", "rival-sumerians", "rival-persians")
    assert shown(cards, *expelling) == [(3, "rival-assyrians"), (4, "rival-persians"), (5, "rival-sumerians")]
    assert shown(cards, "rival-outermost") == [(5, "rival-outermost")]
    both = shown(cards, "rival-outermost", *expelling)
    assert both == [(2, "rival-sumerians"), (3, "rival-assyrians"), (4, "rival-persians"), (5, "rival-outermost")]
    alone = land(scene(position("0> medes | A\n1  medes | 3\nmedes: SSSMMM . | A .")), "medes")["far"]["cards"]
    assert shown(alone, "rival-outermost", "rival-assyrians") == [(0, "rival-outermost"), (0, "rival-assyrians")]
    assert not any(card["hits"] for card in land(scene(position(RICH)), "assyrians")["far"]["cards"])


# Stocks, decks, hand


@pytest.mark.rule("babel#build-4", "babel#temples-2", "babel#hidden-2")
def test_stocks_show_the_playable_top_and_what_follows_below_it():
    theirs, own = scene(position(RICH))["stocks"]
    assert (own["top"], own["rest"], own["symbol"], own["target"]["id"]) == (2, [6], "ba-temple-2", "stock-own")
    assert (theirs["top"], theirs["rest"], theirs["target"]["id"]) == (3, [4, 5], "stock-other")
    empty = scene(position("0> medes | A\n1 quarry | 3\nstocks: | 1"))["stocks"][1]
    assert (empty["top"], empty["rest"], empty["symbol"]) == (None, [], None)


@pytest.mark.rule("babel#start-1")
def test_a_first_level_that_waits_for_its_owner_is_marked():
    assert [stock["is_kept"] for stock in scene(first_turn())["stocks"]] == [True, True]
    assert [stock["is_kept"] for stock in scene(position(RICH))["stocks"]] == [False, False]


@pytest.mark.rule("babel#destroy-2", "babel#hidden-2")
def test_the_known_top_of_the_temple_deck_is_shown_to_everybody_after_a_destruction():
    state = position(RICH)
    assert scene(state)["decks"]["known"] == []
    state = play(state, "destroy")
    for seat in (0, 1, None):
        assert [card["level"] for card in scene(state, seat)["decks"]["known"]] == [1, 3, 4]
    assert scene(state)["decks"]["temples"] == scene(position(RICH))["decks"]["temples"] + 3


@pytest.mark.rule("babel#hidden-1", "babel#hidden-2")
def test_a_hand_is_drawn_for_its_owner_alone_and_its_size_for_all():
    state = position(RICH)
    held = scene(state)["hand"]
    assert [(item["people"], item["count"]) for item in held["held"]] == list(zip(PEOPLES, [1, 1, 0, 1, 0], strict=True))
    assert held["count"] == 3
    assert scene(state, 1)["hand"]["count"] == 5
    assert scene(state, None)["hand"] is None
    for seat in (0, 1, None):
        assert {stock["number"]: stock["hand_count"] for stock in scene(state, seat)["stocks"]} == {1: 3, 2: 5}


def test_the_discard_pile_is_told_by_people():
    state = play(position(RICH), "move assyrians")
    decks = scene(state)["decks"]
    assert (decks["discarded"], [item["count"] for item in decks["discards"]]) == (1, [1, 0, 0, 0, 0])


# Scores


@pytest.mark.parametrize(
    ("own", "other", "goals", "ahead"),
    [
        ((4, 5), (6, 3), (15, 15), False),  # 9 : 9
        ((4, 5), (6, 4), (20, 15), False),  # 9 : 10
        ((5, 6, 4), (6, 4), (20, 20), True),  # 15 : 10
        ((4, 6, 4), (6, 4), (20, 20), False),  # 14 : 10
    ],
)
@pytest.mark.rule("babel#end-1", "babel#end-2", "babel#end-3", "babel#end-4")
def test_each_side_is_told_at_which_line_it_wins(own, other, goals, ahead):
    def temples(heights):
        return {people: list(range(1, height + 1)) for people, height in zip(PEOPLES, heights, strict=False)}

    state = position("turn: 9\n0> medes | A\n1  medes | 3", temples=[temples(own), temples(other)])
    rival, mine = scene(state)["score"]["rows"]
    assert (mine["score"], rival["score"]) == (sum(own), sum(other))
    assert (mine["goal"], rival["goal"]) == goals
    assert (mine["is_ahead"], rival["is_ahead"]) == (ahead, False)
    assert scene(state)["score"]["lines"] == [10, 15, 20]
