"""The bots of Ra: their answers in simple positions, and the scribe's calculations (see `test_every_bot` for everything else)."""

from __future__ import annotations

import pytest

from games.core.rng import SeededRng
from games.core.simulate import Match, play_game
from games.ra import scoring
from games.ra.components import MON_END, MON_FIRST, N_KINDS, SUN_SETS
from games.ra.evaluation import GROUPS, Outlook
from games.ra.state import State
from games.ra.view import known_state
from games.registry import game as find_game
from tests.engine.played import choices_met
from tests.engine.ra.builders import act, due, four, position
from tests.engine.ra.builders import play as play_texts

game = find_game("ra")
LEVELS = ("apprentice", "scribe")


def answer(state: State, level: str = "scribe", seed: int = 1) -> str:
    return str(game.choose_action(game.view_for(state, due(state)), level, SeededRng(seed)).action)


# The scribe in simple positions


@pytest.mark.rule("ra#auction-3")
def test_the_last_to_speak_wins_with_the_lowest_sun_that_leads():
    state = play_texts(four("gold gold flood nile nile nile", due=2), "call", "pass", "bid 6", "bid 7")
    assert (due(state), answer(state)) == (2, "bid 8")


@pytest.mark.rule("ra#disasters-1")
def test_a_lot_that_costs_more_than_it_brings_is_left_to_others():
    state = play_texts(four("funeral drought nile", due=3, tiles={0: "pharaoh 3, nile 4, flood"}), "call")
    assert (due(state), answer(state)) == (0, "pass")


@pytest.mark.rule("ra#epochs-3")
def test_before_the_last_ra_tile_a_good_lot_is_called_rather_than_risked():
    state = four("gold flood nile nile", ra_track=8, tiles={0: "nile 3"})
    assert answer(state) == "call"


@pytest.mark.rule("ra#ra-3")
def test_with_an_empty_track_early_in_the_epoch_a_tile_is_drawn():
    assert answer(four("")) == "draw"
    assert answer(four(""), "apprentice") == "draw"


@pytest.mark.rule("ra#epochs-6")
def test_the_last_player_goes_on_while_the_ra_track_leaves_time_and_stops_when_it_does_not():
    alone = """
        track: {track}
        ra: {ra}
        0> 6 (13) (2)
        1  (12) (7) (3)
        2  (11) (8) (4)
        3  (10) (9) (5)
    """
    assert answer(position(alone.format(track="nile pharaoh", ra=2))) == "draw"
    assert answer(position(alone.format(track="gold gold gold flood nile nile nile", ra=8))) == "call"


@pytest.mark.rule("ra#disasters-4")
def test_spare_tiles_are_given_up_before_the_only_one_of_a_kind():
    for level in LEVELS:
        tiles = "civ_art 2, civ_agriculture 2, civ_religion"
        state = play_texts(four("unrest", due=3, tiles={0: tiles}), "call", "bid 13", "pass", "pass", "pass")
        assert (due(state), answer(state, level)) == (0, "discard civ_art civ_agriculture")


@pytest.mark.rule("ra#gods-1")
def test_at_the_end_of_an_epoch_a_god_takes_the_flood_that_makes_niles_count():
    low = """
        track: flood funeral
        ra: 8
        0> 2 (13) (6) | god, nile 6
        1  12 7 3
        2  11 8 4
        3  10 9 5
    """
    assert answer(position(low)) == "god flood"
    assert answer(position(low.replace("nile 6", "gold"))) != "god flood"


@pytest.mark.rule("ra#suns-1")
def test_a_low_sun_in_the_centre_makes_a_high_bid_dearer_than_a_high_one_does():
    suns = [[13, 6, 2], [12, 7, 3], [11, 8, 4], [10, 9, 1]]
    costs = []
    for centre, last in ((1, 5), (5, 1)):
        sets = [*suns[:3], [10, 9, last]]
        state = four("nile", epoch=3, suns=[[s, []] for s in sets], centre=centre, ending="suns")
        costs.append(Outlook(known_state(game.view_for(state, 0)), 0).sun_costs(0)[13])
    assert costs[0] > costs[1]


# The evaluation


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_with_nothing_left_to_come_tiles_are_worth_what_the_scorer_gives(seats):
    compared = 0
    for state in [state for state, _ in choices_met("ra", 240) if state.seats == seats]:
        state = state.copy()
        state.epoch = 3
        state.bag = bytearray()
        expected = scoring.epoch_gains(state)
        suns = [sum(sun for sun in range(17) if (up | down) >> sun & 1) for up, down in zip(state.suns_up, state.suns_down, strict=True)]
        sums = scoring.most_and_fewest(suns, 5, -5)
        for seat in range(seats):
            outlook = Outlook(known_state(game.view_for(state, seat)), seat)
            worth = sum(outlook.worth(seat, group) for group in range(len(GROUPS)))
            assert worth == pytest.approx(expected[seat] - sums[seat])
            compared += worth != 0
    assert compared > 30


@pytest.mark.rule("ra#monuments-1")
def test_monuments_are_worth_something_before_the_last_epoch_and_more_when_they_fit():
    state = four("", tiles={0: "mon_sphinx 2"})
    outlook = Outlook(known_state(game.view_for(state, 0)), 0)
    lot = [MON_FIRST + 4, MON_FIRST]  # a third sphinx, a first fortress
    third, first = (sum(outlook.gains(0, [kind])) for kind in lot)
    assert third > first > 0
    assert MON_END - MON_FIRST == 8


def test_the_chance_of_a_ra_tile_is_exact_in_the_first_epoch():
    outlook = Outlook(known_state(game.view_for(four("nile gold", ra_track=3), 0)), 0)
    bag = 180 - 3 - 2
    assert outlook.p_ra == pytest.approx(27 / bag)
    assert sum(outlook.unseen) + 27 == bag


def test_the_sun_sets_that_the_scribe_reckons_with_are_those_of_the_game():
    state, _ = act(game.setup(2, {}), "deal 0 1")
    outlook = Outlook(known_state(game.view_for(state, due(state))), due(state))
    assert sorted(sun for seat in range(2) for sun in outlook.sun_costs(seat)) == sorted(sum(SUN_SETS[2], ()))
    assert N_KINDS == 23


# What an answer says


@pytest.mark.parametrize("level", ["journeyman", "scribe"])
def test_every_answer_is_explained_by_what_it_and_the_others_are_worth(level):
    seen = set()
    for state, seat in choices_met("ra", 120):
        choice = game.choose_action(game.view_for(state, seat), level, SeededRng(1))
        reasons = {key: value for key, value, _ in choice.reasons}
        verb = str(choice.action).split()[0]
        if choice.reasons[0][0] == "only":
            continue
        worth = {str(action).split()[0]: value for action, value in reversed(choice.ranked)}
        is_alone = bool({"take", "take_last"} & reasons.keys())
        if verb == "bid" and not is_alone:
            assert ("must_bid" in reasons) != ("pass" in reasons)
            assert reasons["bid"] == pytest.approx(dict(choice.ranked)[choice.action], abs=0.06)
        elif verb == "pass" and not is_alone:
            assert reasons["pass"] >= reasons["best_bid"]
        elif verb == "draw":
            assert reasons["draw"] == pytest.approx(worth["draw"], abs=0.06)
            assert reasons["call"] == pytest.approx(worth["call"], abs=0.06)
            assert ("ra_chance" in reasons) != ("last_ra" in reasons)
        elif verb == "call":
            assert choice.reasons[0][0] in ("call", "track_full")
        seen.add(verb)
    assert {"bid", "pass", "draw", "call"} <= seen


def test_marks_are_the_pieces_that_an_answer_is_about():
    marked = {}
    for state, seat in choices_met("ra", 120):
        view = game.view_for(state, seat)
        choice = game.choose_action(view, "scribe", SeededRng(1))
        verb, *words = str(choice.action).split()
        assert set(choice.marks) <= set(game.scene(view)["targets"])
        tiles = {f"track-{place}" for place, kind in enumerate(view.track) if kind is not None}
        if verb == "bid":
            assert set(choice.marks) == {f"sun-{seat}-{words[0]}", *tiles}
        elif verb == "draw":
            assert set(choice.marks) == {"sky", *tiles}
        elif verb == "call":
            assert set(choice.marks) == tiles
        elif verb == "pass":
            assert set(choice.marks) == tiles | ({f"sun-{view.best_seat}-{view.best_bid}"} if view.best_bid else set())
        marked[verb] = True
    assert {"bid", "pass", "draw", "call"} <= set(marked)


def test_the_master_wins_most_of_some_whole_games():
    """Each deal is played from both seats. The win rate is a figure of the ladder; a master that has forgotten what it learned wins half."""
    match = Match("ra", 2, ("master", "scribe"), 3, paired=True)
    played = [play_game(game, match, number) for number in range(16)]
    assert sum(each.wins[0] for each in played) > 8
    assert sum(each.scores[0] - each.scores[1] for each in played) / len(played) > 4


@pytest.mark.rule("ra#auction-3", "ra#auction-8")
def test_a_bid_is_worth_its_tiles_less_its_sun_and_what_the_others_may_still_do():
    seen = set()
    for state, seat in choices_met("ra", 120):
        choice = game.choose_action(game.view_for(state, seat), "scribe", SeededRng(1))
        reasons = {key: value for key, value, _ in choice.reasons}
        total = reasons.get("bid", reasons.get("best_bid"))
        if total is None:
            continue
        parts = [value for key, value in reasons.items() if key in (*GROUPS, "sun_now", "sun_later", "sun_sum", "others")]
        assert sum(parts) == pytest.approx(total, abs=0.8)  # rounding, and what is too little to be said
        seen |= {"others", "lower"} & reasons.keys()
        if state.ra_player == seat:  # the last to answer
            assert not {"others", "lower"} & reasons.keys()
        else:
            assert "lower_last" not in reasons
    assert "others" in seen


@pytest.mark.rule("ra#epochs-6")
@pytest.mark.parametrize(("suns", "key"), [("6 2", "take"), ("6 (2)", "take_last")])
def test_whoever_plays_on_alone_is_said_to_have_other_suns_only_if_there_are_any(suns, key):
    alone = f"""
        track: nile pharaoh gold gold
        ra: 2
        0> {suns} (13)
        1  (12) (7) (3)
        2  (11) (8) (4)
        3  (10) (9) (5)
    """
    state = play_texts(position(alone), "draw", "tile ra")
    reasons = game.choose_action(game.view_for(state, due(state)), "scribe", SeededRng(1)).reasons
    assert [name for name, _, _ in reasons if name.startswith("take")] == [key]
