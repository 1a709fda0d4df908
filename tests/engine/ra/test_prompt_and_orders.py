"""Questions step by step, and answers in advance (ra#turn-2, ra#auction-3)."""

from __future__ import annotations

import pytest

from tests.engine.ra.builders import due, four, game, play, position

FULL = "nile nile nile nile gold gold civ_art civ_art"
LAST_SUN = "0> 13 (6) (2)\n1  (12) (7) (3)\n2  (11) (8) (4)\n3  (10) (9) (5)"


def ask(state, chosen=""):
    return game.ask(game.view_for(state, due(state)), chosen)


def texts(options):
    return [option.text for option in options]


@pytest.mark.rule("ra#turn-2")
def test_a_turn_offers_what_is_possible_and_says_why_not_the_rest():
    question = ask(four("nile"))
    assert texts(question.options) == ["draw", "call"]
    assert [(q.text, a.rule) for q, a in question.why_not] == [("Why can't I use a god?", "ra#gods-1")]
    question = ask(four(FULL, tiles={0: "god"}))
    assert texts(question.options) == ["call", "god"]
    assert [(q.text, a.rule) for q, a in question.why_not] == [("Why can't I draw a tile?", "ra#draw-4")]
    assert question.title.rule == "ra#ra-2"


def test_a_chosen_answer_is_marked_and_can_be_confirmed_or_taken_back():
    question = ask(four("nile gold"), "call")
    assert [option.selected for option in question.options] == [False, True]
    assert (question.action, question.back) == ("call", "")
    assert question.consequence.params == {"n": 2, "sun": 1}
    assert texts(question.then) == [f"{kind} {sun} @1" for kind in ("at-most", "exactly") for sun in (2, 6, 13)]


@pytest.mark.rule("ra#gods-1", "ra#gods-3")
def test_tiles_for_gods_are_chosen_one_by_one_in_any_order():
    state = four("nile god gold nile", tiles={0: "god 2"})
    question = ask(state, "god")
    assert [(o.text, o.target) for o in question.options] == [
        ("god nile", "track-0"),
        ("god gold", "track-2"),
        ("god nile", "track-3"),
    ]
    assert question.action is None
    assert [(q.text, a.rule) for q, a in question.why_not] == [("Why can't I take the god?", "ra#gods-2")]
    question = ask(state, "god gold")
    assert [(o.text, o.selected) for o in question.options] == [("god nile gold", False), ("god", True), ("god nile gold", False)]
    assert question.action == "god gold"
    question = ask(state, "god gold nile")
    assert question.chosen == question.action == "god nile gold"
    assert question.consequence.rule == "ra#gods-3"
    assert [(o.text, o.selected, o.target) for o in question.options] == [("god gold", True, "track-0"), ("god nile", True, "track-2")]


@pytest.mark.rule("ra#gods-1")
def test_with_one_god_another_tile_replaces_the_first():
    question = ask(four("nile gold", tiles={0: "god"}), "god nile")
    assert [(o.text, o.selected) for o in question.options] == [("god", True), ("god gold", False)]


@pytest.mark.rule("ra#auction-3", "ra#auction-8")
def test_an_auction_offers_higher_suns_and_says_why_not_the_others():
    state = position("0> 13 6 (2)\n1  12 7 3\n2  11 8 4\n3  10 9 5", phase="auction", auction={"ra_player": 0, "bids": [None, 7, 0, 0]})
    question = ask(state)
    assert [(o.text, o.number, o.picture) for o in question.options] == [("bid 13", 13, "ra-sun"), ("pass", None, None)]
    assert question.title.params == {"n": 7}
    assert [(q.params["sun"], a.rule) for q, a in question.why_not] == [(2, "ra#auction-8"), (6, "ra#auction-3")]
    assert ask(state, "bid 6").action is None
    chosen = ask(state, "bid 13")
    assert chosen.action == "bid 13"
    assert chosen.consequence.rule == "ra#auction-8"
    assert ask(state, "pass").consequence.params == {"seat": 1, "n": 7}


@pytest.mark.rule("ra#auction-4")
def test_a_caller_who_must_bid_is_told_so():
    question = ask(play(four("nile"), "call", "pass", "pass", "pass"))
    assert texts(question.options) == ["bid 2", "bid 6", "bid 13"]
    assert [(q.text, a.rule) for q, a in question.why_not] == [("Why can't I pass?", "ra#auction-4")]


@pytest.mark.rule("ra#ra-3")
def test_a_bid_for_the_centre_sun_alone_speaks_of_no_tiles():
    state = play(four(), "call", "pass", "pass", "pass")
    assert ask(state, "bid 6").consequence.text == "Bid {n}. You win: you take sun {sun}, face down."
    state = play(four("nile"), "call", "pass", "pass", "pass")
    assert ask(state, "bid 6").consequence.params == {"n": 6, "tiles": 1, "sun": 1}


@pytest.mark.rule("ra#epochs-1")
def test_the_last_sun_is_pointed_out():
    state = position("0> 13 (6) (2)\n1  12 7 3\n2  11 8 4\n3  10 9 5", phase="auction", auction={"ra_player": 3})
    assert ask(state, "bid 13").hint.rule == "ra#epochs-1"
    assert ask(four(phase="auction", auction={"ra_player": 3}), "bid 13").hint.rule != "ra#epochs-1", "with another one up"


@pytest.mark.rule("ra#ra-1", "ra#draw-2")
def test_a_bidder_is_told_who_started_the_auction_and_whose_bid_is_the_highest():
    def told(state, chosen=""):
        hint = ask(state, chosen).hint
        return hint.text, hint.params, hint.rule

    called = {"ra_player": 3, "cause": "voluntary"}
    assert told(four("nile", phase="auction", auction=called)) == ("{seat:name} called Ra. No bids yet.", {"seat": 3}, "ra#ra-1")
    higher = position(
        "0> 13 6 2\n1  12 7 3\n2  11 8 4\n3  10 9 5",
        phase="auction",
        auction={"ra_player": 1, "cause": "voluntary", "bids": [None, None, 8, 9]},
    )
    whole = ("{seat:name} called Ra. Highest bid: {n} ({other:name}).", {"seat": 1, "n": 9, "other": 3}, "ra#ra-1")
    assert told(higher) == told(higher, "bid 13") == told(higher, "pass") == whole

    drawn = play(four(), "draw", "tile ra")
    assert drawn.due == 1
    assert told(drawn) == ("{seat:name} drew a Ra tile. No bids yet.", {"seat": 0}, "ra#draw-2")
    assert told(play(drawn, "bid 7")) == (
        "{seat:name} drew a Ra tile. Highest bid: {n} ({other:name}).",
        {"seat": 0, "n": 7, "other": 1},
        "ra#draw-2",
    )
    assert told(play(drawn, "bid 7", "pass", "pass")) == (
        "You drew a Ra tile. Highest bid: {n} ({other:name}).",
        {"n": 7, "other": 1},
        "ra#draw-2",
    )
    assert told(play(drawn, "pass", "pass", "pass")) == ("You drew a Ra tile. No bids yet.", {}, "ra#draw-2")
    assert told(play(four("nile"), "call", "bid 7", "pass", "pass")) == (
        "You called Ra. Highest bid: {n} ({other:name}).",
        {"n": 7, "other": 1},
        "ra#ra-1",
    )
    full = play(four(FULL), "call", "pass", "pass", "pass")
    assert told(full) == ("You called Ra. No bids yet.", {}, "ra#ra-1")
    assert ask(play(four("nile"), "call", "pass", "pass", "pass")).hint is None, "the title says that the caller must bid"


@pytest.mark.rule("ra#epochs-2")
def test_the_last_face_up_sun_of_all_is_pointed_out_as_the_end_of_the_epoch():
    hint = ask(play(position(LAST_SUN, track=["nile"]), "call"), "bid 13").hint
    assert (hint.text, hint.rule) == ("No player has another face-up sun. If you win with this one, the epoch ends.", "ra#epochs-2")


@pytest.mark.rule("ra#epochs-6")
@pytest.mark.parametrize(
    ("track", "text", "rule"),
    [
        ("nile", "Only you are left in the epoch: you bid one of your suns for {n:count tile} and sun {sun}.", "ra#epochs-6"),
        ("", "Only you are left in the epoch: you bid one of your suns for sun {sun} only.", "ra#epochs-6"),
        (FULL, "Only you are left in the epoch: bid, or pass to remove all eight tiles from the game.", "ra#auction-5"),
    ],
)
def test_a_lone_player_is_not_told_of_others_who_bid(track, text, rule):
    consequence = ask(position(LAST_SUN, track=track.split()), "call").consequence
    assert (consequence.text, consequence.rule) == (text, rule)


@pytest.mark.rule("ra#auction-6")
def test_a_pass_of_all_over_an_empty_track_speaks_of_no_tiles():
    state = play(position(ra_track=2), "draw", "tile ra", "pass", "pass", "pass")
    assert ask(state, "pass").consequence.text == "Nobody bid: no sun changes hands."
    state = play(four("nile"), "draw", "tile ra", "pass", "pass", "pass")
    assert ask(state, "pass").consequence.text == "Nobody bid: the tiles stay on the auction track."


@pytest.mark.rule("ra#auction-3")
def test_a_bid_says_whether_anybody_can_go_higher():
    state = play(four("nile"), "call")
    assert ask(state, "bid 12").consequence.text == "Bid {n}. Players still to bid may bid higher."  # 13 bids last
    state = play(four("nile", due=3), "call")
    assert ask(state, "bid 13").consequence.text == "Bid {n}. None of the players still to bid can go higher."
    state = play(four("nile", due=2), "call", "pass", "pass")  # 13 has bid; seat 2 has nothing above 11
    assert ask(state, "bid 12").consequence.text == "Bid {n}. None of the players still to bid can go higher."


@pytest.mark.rule("ra#draw-4", "ra#auction-8")
def test_reasons_hold_for_whoever_reads_them():
    (_, why), _ = ask(four(FULL)).why_not  # without a god
    assert why.text == "The auction track is full, so you can't draw. Call Ra, or use a god."
    (_, why), *_ = ask(play(position(LAST_SUN, track=["nile"], epoch=3), "call")).why_not  # no epoch follows
    assert why.text == "Sun {sun} is face down. You can't use it until the next epoch."


@pytest.mark.rule("ra#disasters-4")
def test_tiles_to_give_up_are_chosen_one_by_one():
    state = play(four("unrest", tiles={0: "civ_art 2, civ_writing"}), "call", "pass", "pass", "pass", "bid 2")
    question = ask(state)
    assert texts(question.options) == ["discard civ_art", "discard civ_art", "discard civ_writing"]
    assert (question.hint.params, question.action) == ({"n": 0, "of": 2}, None)
    question = ask(state, "discard civ_writing")
    assert [(o.text, o.selected) for o in question.options] == [
        ("discard civ_art civ_writing", False),
        ("discard civ_art civ_writing", False),
        ("", True),
    ]
    question = ask(state, "discard civ_art civ_writing")
    assert question.action == "discard civ_art civ_writing"
    assert question.back == "discard civ_art"


def test_nobody_else_is_asked():
    state = four("nile")
    assert game.ask(game.view_for(state, 1)) is None
    assert game.ask(game.view_for(state, None)) is None
    assert game.ask(game.view_for(play(state, "draw"), 0)) is None


# Answers in advance


def orders(state, seat):
    return texts(game.orders(game.view_for(state, seat)))


def answer(state, order):
    found = game.answer_by_order(game.view_for(state, due(state)), order)
    return None if found is None else str(found)


def stands(state, seat, order):
    return game.order_stands(game.view_for(state, seat), order)


@pytest.mark.rule("ra#auction-3")
def test_who_has_still_to_speak_may_answer_in_advance():
    state = play(four("nile"), "call", "bid 7")
    assert orders(state, 3) == ["at-most 9 @1", "at-most 10 @1", "exactly 9 @1", "exactly 10 @1", "at-most 0 @1"]
    assert orders(state, 0) == ["at-most 13 @1", "exactly 13 @1", "at-most 0 @1"]
    assert orders(state, 1) == []  # has bid
    assert orders(state, 2) == []  # is due
    assert orders(four("nile"), 2) == []  # no auction
    assert game.orders(game.view_for(state, None)) == ()


@pytest.mark.rule("ra#auction-3", "ra#auction-12")
def test_without_a_face_up_sun_there_is_nothing_to_answer():
    state = play(position("0> 13 6 2\n1  12 7 3\n2  (11) (8) (4)\n3  10 9 5"), "call")
    assert orders(state, 2) == []


@pytest.mark.rule("ra#auction-3")
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("at-most 9 @1", "bid 9"),
        ("at-most 10 @1", "bid 9"),
        ("at-most 5 @1", "pass"),
        ("at-most 0 @1", "pass"),
        ("exactly 10 @1", "bid 10"),
        ("exactly 5 @1", "pass"),
        ("at-most 9 @2", None),
        ("at-most 9", None),
        ("exactly 0 @1", None),
        ("exactly 13 @1", None),
        ("at-most 99 @1", None),
        ("nonsense", None),
        ("x" * 5000, None),
    ],
)
def test_an_order_bids_the_lowest_sun_that_leads_within_its_limit_else_passes(order, expected):
    assert answer(play(four("nile"), "call", "bid 7", "pass"), order) == expected


@pytest.mark.rule("ra#auction-4")
def test_an_order_never_makes_a_caller_pass_who_must_bid():
    state = play(four("nile"), "call", "pass", "pass", "pass")
    assert answer(state, "at-most 0 @1") is None
    assert answer(state, "at-most 2 @1") == "bid 2"
    assert answer(state, "exactly 6 @1") == "bid 6"


def test_an_order_stands_until_its_seat_has_spoken_or_the_auction_is_over():
    state = four("nile")
    assert not stands(state, 0, "exactly 13 @1")
    state = play(state, "call")
    assert stands(state, 0, "exactly 13 @1")
    assert not stands(state, 0, "exactly 12 @1")  # not its sun
    assert not stands(state, 0, "exactly 13 @2")
    assert stands(state, 1, "at-most 9 @1")
    state = play(state, "pass")
    assert not stands(state, 1, "at-most 9 @1")
    state = play(state, "pass", "bid 5", "pass")
    assert not stands(state, 0, "exactly 13 @1")


def test_the_order_that_comes_with_a_call_fits_the_auction_it_opens():
    state = play(four("nile", auction={"no": 6}), "draw", "tile gold", "draw", "tile gold")
    order = ask(state, "call").then[-1].text
    assert order == "exactly 11 @7"
    state = play(state, "call")
    assert stands(state, 2, order)
    assert answer(play(state, "pass", "pass", "bid 7"), order) == "bid 11"


@pytest.mark.rule("ra#epochs-1")
def test_only_the_bid_of_the_last_sun_cannot_be_taken_back():
    last = position("0> 13 (6) (2)\n1  12 7 3\n2  11 8 4\n3  10 9 5", phase="auction", auction={"ra_player": 0, "bids": [None, 7, 0, 0]})
    assert [(option.text, option.irreversible) for option in ask(last).options] == [("bid 13", True), ("pass", False)]
    two = position("0> 13 6 (2)\n1  12 7 3\n2  11 8 4\n3  10 9 5", phase="auction", auction={"ra_player": 0, "bids": [None, 7, 0, 0]})
    assert not any(option.irreversible for option in ask(two).options)
