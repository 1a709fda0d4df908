"""The question for the due seat: the options, why others are closed, and what a choice would do."""

from __future__ import annotations

import pytest

from games.tigris_euphrates.components import SQUARES
from tests.engine.tigris_euphrates.builders import ask, drawn, due, game, legal, play, position
from tests.engine.tigris_euphrates.english import groups, said, texts, told, whys

# Seat 0 has a king and a trader beside F10, seat 1 a king and a priest beside I7; a farm on G9 would unite them.
COURT = {
    "leaders": ["king F9, trader E10", "king I8, priest J7"],
    "tiles": {"temple": "I6", "settlement": "F11 H8", "farm": "H9"},
    "hands": ["farm 2, temple 2, settlement 1, market 1", "settlement 2, temple 1, market 3"],
}
# Three kingdoms, all beside H5.
THREE = """
    k0 .  t1
    T  .  T
    .  T  .
    .  f2 .
"""


def court(**fields):
    return position(**(COURT | fields))


def at(state, chosen):
    """Return the question for a valid prefix."""
    found = ask(state, chosen)
    assert found is not None
    assert found.chosen == chosen
    assert found.refusal is None
    return found


def does(state, text):
    """Return what an action would do, sentence by sentence."""
    found = at(state, text)
    assert found.action == text
    assert found.confirm is not None
    return told(found)


# A turn


@pytest.mark.rule("tigris_euphrates#turn-1", "tigris_euphrates#turn-2")
def test_a_turn_begins_with_the_pieces_that_can_be_used():
    state = court(hands=["farm 2, temple 1"])
    found = at(state, "")
    assert said(found.title) == "Your turn: choose the first of your two actions"
    assert set(texts(found)) == {
        "tile temple", "tile farm", "leader king", "leader priest", "leader farmer", "leader trader", "withdraw king", "withdraw trader",
        "catastrophe", "swap", "pass",
    }  # fmt: skip
    by_text = {option.text: option for option in found.options}
    assert [by_text[text].number for text in ("tile temple", "tile farm", "catastrophe")] == [1, 2, 2]
    assert [by_text[text].target for text in ("tile farm", "leader priest", "leader king")] == ["hand-farm", "leader-priest", "cell-F9"]
    assert by_text["leader king"].picture == "te-king-archer"
    assert [option.text for option in found.options if option.irreversible] == ["pass"]
    assert said(at(play(state, "withdraw king"), "").title) == "Choose your second action, or end your turn"


@pytest.mark.rule("tigris_euphrates#turn-1")
def test_nobody_else_is_asked():
    state = court()
    assert ask(state, seat=1) is None
    assert game.ask(game.view_for(state, None)) is None
    drawing = play(court(hands=["farm 5"]), "pass")
    assert due(drawing) == -1
    assert ask(drawing, seat=0) is None


@pytest.mark.rule("tigris_euphrates#catastrophes-1", "tigris_euphrates#leaders-3", "tigris_euphrates#turn-6")
def test_what_is_not_offered_has_its_reason():
    state = position(2, treasures="B2", tiles={"settlement": "A2 C2 B1 B3"}, hands=[{}], catastrophes="A1 P11", catastrophes_left=[0, 2])
    found = at(state, "")
    assert texts(found) == ["pass"]
    no_square = ("No empty land square is next to a face-up temple and touches at most one kingdom.", "tigris_euphrates#leaders-3")
    assert whys(found) == {
        "Why can't I place or swap a tile?": (
            "You have no tiles in hand. Hands are refilled at the end of the turn.",
            "tigris_euphrates#turn-5",
        ),
        "Why can't I place a catastrophe?": ("You have already placed both your catastrophe tiles.", "tigris_euphrates#catastrophes-1"),
        **{f"Why can't I place my {role}?": no_square for role in ("king", "priest", "farmer", "trader")},
    }


@pytest.mark.rule("tigris_euphrates#tiles-2")
def test_a_farm_without_a_free_river_is_not_offered():
    river = "E1 F1 G1 H1 I1 M1 E2 M2 D3 E3 M3 N3 A4 B4 C4 D4 N4 O4 P4 O5 P5 O6 A7 B7 C7 D7 M7 N7 O7 D8 E8 F8 G8 M8 G9 H9"
    state = position(4, tiles={"farm": river}, catastrophes="I9 J9 K9 L9 M9", hands=["market 2", "", "", ""], gone="")
    full = position(4, tiles={"farm": river[:-3]}, catastrophes="I9 J9 K9 L9 M9 H9", hands=["market 2, farm 1", "", "", ""])
    assert "tile farm" not in texts(at(state, ""))  # none held: nothing to explain
    assert not any("farm" in question for question in whys(at(state, "")))
    assert "tile farm" not in texts(at(full, ""))
    assert whys(at(full, ""))["Why can't I place a farm?"] == (
        "No empty square can take it.",
        "tigris_euphrates#tiles-2",
    )
    assert ask(full, "tile farm").chosen == ""


@pytest.mark.rule("tigris_euphrates#end-1")
def test_the_last_turn_is_announced():
    state = position(treasures="B2 P2", hands=["farm 6", "farm 6"])
    assert said(at(state, "").hint) == "Treasures left on the board: 2. The game ends after this turn."
    assert at(position(treasures="B2 P2 N5"), "").hint is None


# Squares


@pytest.mark.rule("tigris_euphrates#tiles-6", "tigris_euphrates#tiles-7", "tigris_euphrates#tiles-9", "tigris_euphrates#tiles-5")
def test_the_squares_of_a_tile_are_grouped_by_what_they_bring():
    found = at(court(), "tile farm")
    assert found.on_board
    assert said(found.entry) == "Square, for example D2"
    by_group = groups(found)
    assert list(by_group) == [
        "1 point for you (blue)", "1 point for Ben (blue)", "Unites two kingdoms: war", "Next to tiles with no leader", "On its own",
    ]  # fmt: skip
    assert by_group["1 point for you (blue)"] == ["F8"]
    assert by_group["1 point for Ben (blue)"] == ["G8", "I9"]
    assert by_group["Unites two kingdoms: war"] == ["G9"]
    assert by_group["Next to tiles with no leader"] == ["E3", "N4", "O5", "B7"]
    assert found.options[0].text == "tile farm F8"
    assert said(found.options[0].label) == "F8"
    assert sum(map(len, by_group.values())) + len(found.closed) == len(SQUARES)
    peace = groups(at(court(leaders=["trader E10", "king I8"]), "tile farm"))
    assert "Unites two kingdoms: war" not in peace
    assert peace["1 point for Ben (blue)"] == ["G8", "G9", "I9"]  # F9 is empty: G9 touches only Ben's kingdom
    united = groups(at(court(leaders=["farmer F9", "king I8"]), "tile farm"))
    assert united["Unites two kingdoms in peace"] == ["G9"]


@pytest.mark.rule("tigris_euphrates#leaders-4", "tigris_euphrates#revolts-1")
def test_the_squares_of_a_leader_are_grouped_by_peace_and_revolt():
    by_group = groups(at(court(), "leader priest"))
    assert by_group["Joins a kingdom"] == ["G10"]
    assert by_group["Revolt against Ben"] == ["I5", "H6", "J6", "H7"]
    assert "C2" in by_group["Starts a kingdom"]
    assert "Revolt against Ben" not in groups(at(court(), "leader farmer"))
    assert groups(at(court(), "leader king"))["Joins a kingdom"] == ["G10"]  # its own kingdom, lifted first


@pytest.mark.rule("tigris_euphrates#catastrophes-1")
def test_the_squares_of_a_catastrophe_are_grouped_by_what_it_covers():
    by_group = groups(at(court(), "catastrophe"))
    assert by_group["Covers a tile: settlement"] == ["H8", "F11"]
    assert by_group["Covers a tile: temple"] == ["I6"]
    assert "O6" in by_group["Empty river"]
    assert "A1" in by_group["Empty land"]


@pytest.mark.rule("tigris_euphrates#tiles-4", "tigris_euphrates#leaders-4", "tigris_euphrates#leaders-5", "tigris_euphrates#catastrophes-2")
def test_closed_squares_say_why():
    state = drawn("G4", THREE, hands=["farm 1, temple 1", "", ""], catastrophes="A1", built=[["black_red", "J10", "temple"]])

    def why(chosen):
        return {target.removeprefix("cell-"): (said(reason), reason.rule) for target, reason in at(state, chosen).closed.items()}

    tile, farm, leader, catastrophe = map(why, ("tile temple", "tile farm", "leader king", "catastrophe"))
    assert tile["H5"] == ("would join three kingdoms", "tigris_euphrates#tiles-4")
    assert tile["A1"] == ("has a catastrophe", "tigris_euphrates#catastrophes-3")
    assert tile["G4"] == tile["K10"] == ("taken", "tigris_euphrates#tiles-1")
    assert tile["A4"] == ("river: farms only", "tigris_euphrates#tiles-3")
    assert farm["A2"] == ("land: farms go only on rivers", "tigris_euphrates#tiles-2")
    assert "H4" not in tile  # it joins two
    assert leader["H5"] == ("would join two kingdoms", "tigris_euphrates#leaders-4")
    assert leader["H4"] == ("not next to a face-up temple", "tigris_euphrates#leaders-3")
    assert leader["G4"] == ("this leader is already there", "tigris_euphrates#leaders-5")
    assert leader["A4"] == ("river: leaders go only on land", "tigris_euphrates#leaders-2")
    assert catastrophe["H7"] == ("has a leader", "tigris_euphrates#catastrophes-2")
    assert catastrophe["B2"] == ("has a treasure", "tigris_euphrates#catastrophes-2")
    assert catastrophe["K10"] == ("has a monument", "tigris_euphrates#catastrophes-2")
    assert catastrophe["A1"] == ("has a catastrophe", "tigris_euphrates#catastrophes-3")


def test_another_piece_can_be_chosen_while_a_square_is_asked_for():
    found = at(court(), "tile farm")
    assert [option.text for option in found.options if option.selected] == ["tile farm"]
    assert {"tile temple", "leader priest", "catastrophe", "pass"} <= set(texts(found))
    found = at(court(), "tile farm F8")
    assert {option.text for option in found.options if option.selected} == {"tile farm", "tile farm F8"}
    assert (found.back, at(court(), "tile farm").back) == ("tile farm", "")


@pytest.mark.parametrize(
    ("typed", "chosen", "refusal", "rule"),
    [
        ("tile temple d10", "tile temple D10", "", ""),
        ("leader  priest g10 ", "leader priest G10", "", ""),
        ("tile temple A4", "tile temple", "A4 is a river. Only farms go on rivers.", "tiles-3"),
        ("tile temple a4", "tile temple", "A4 is a river. Only farms go on rivers.", "tiles-3"),
        ("tile farm A1", "tile farm", "A1 is land. Farms go only on rivers.", "tiles-2"),
        ("tile temple Q1", "tile temple", "Enter a square as a letter from A to P and a number from 1 to 11.", "components-6"),
        ("tile temple A12", "tile temple", "Enter a square as a letter from A to P and a number from 1 to 11.", "components-6"),
        ("leader king F9", "leader king", "This leader is already on F9.", "leaders-5"),
        ("leader king A1", "leader king", "There is no face-up temple next to A1. A leader needs one.", "leaders-3"),
        ("catastrophe B2", "catastrophe", "There is a treasure on B2.", "catastrophes-2"),
        ("catastrophe here", "catastrophe", "Enter a square as a letter from A to P and a number from 1 to 11.", "components-6"),
        ("withdraw farmer", "", "Your farmer isn't on the board.", "leaders-8"),
        ("support 1 temple", "", "There is no conflict now.", "conflicts-1"),
        (
            "build black_red E10",
            "",
            "You can't build a monument now. First a tile you place must complete a square of four in one colour.",
            "monuments-1",
        ),
        ("swap farm farm farm", "swap farm farm", "You don't have that many: farm.", "swap-1"),
    ],
)
def test_typed_squares_are_read_and_unusable_ones_refused_with_their_paragraph(typed, chosen, refusal, rule):
    found = ask(court(), typed)
    assert found.chosen == chosen
    assert said(found.refusal) == refusal
    assert (found.refusal.rule if found.refusal else "") == (f"tigris_euphrates#{rule}" if rule else "")


@pytest.mark.parametrize("junk", ["tile", "tile house", "leader", "tile temple D10 D10", "x" * 5000, "\x00", "0", "pass now", "swap king"])
def test_junk_is_cut_back_without_a_word(junk):
    found = ask(court(), junk)
    assert found.chosen in ("", "tile temple", "swap", "pass")
    assert found.refusal is None


# What a tile does


@pytest.mark.rule("tigris_euphrates#tiles-6", "tigris_euphrates#tiles-7", "tigris_euphrates#tiles-8")
def test_the_point_of_a_tile_is_told_with_who_gets_it():
    state = court()
    assert does(state, "tile settlement E9") == ["You get 1 black point."]
    assert does(state, "tile temple E9") == ["You get 1 red point through your king."]
    assert does(state, "tile market E9") == ["You get 1 green point."]
    assert does(state, "tile temple J8") == ["Ben gets 1 red point."]
    assert does(state, "tile market J8") == ["Ben gets 1 green point through the king."]
    assert does(state, "tile temple A1") == ["No points: the tile isn't in a kingdom."]
    without = court(leaders=["priest C2", ""])
    assert does(without, "tile market C3") == ["No points: this kingdom has no trader and no king."]
    assert does(without, "tile settlement C3") == ["No points: this kingdom has no king."]


@pytest.mark.rule("tigris_euphrates#tiles-9", "tigris_euphrates#wars-4", "tigris_euphrates#wars-5")
def test_a_union_is_told_with_the_strengths_of_its_wars():
    assert does(court(), "tile farm G9") == [
        "Two kingdoms unite. You score no points, and a war breaks out.",
        "War (king): you have 1 on the board and 1 in hand; Ben has 1 and can add at most 6. You lose ties.",
    ]
    both = court(leaders=["king F9, trader E10", "king I8, trader H7"], hands=["farm 1", "market 3"])
    assert does(both, "tile farm G9") == [
        "Two kingdoms unite. You score no points, and wars break out. You choose which is resolved first.",
        "War (king): you have 1 on the board and 0 in hand; Ben has 1 and can add at most 3. You lose ties.",
        "War (trader): you have 0 on the board and 0 in hand; Ben has 0 and can add at most 3. You lose ties.",
    ]
    others = court(leaders=["trader C2", "king I8, priest J7", "king F9"], hands=["farm 1", "", ""])
    assert does(others, "tile farm G9") == [
        "Two kingdoms unite. You score no points, and a war breaks out.",
        "War (king): Ben attacks with 1 on the board; Cid defends with 1 and wins ties.",
    ]
    peace = court(leaders=["farmer F9", "king I8"])
    assert does(peace, "tile farm G9") == ["Two kingdoms unite in peace. You score no points."]


@pytest.mark.rule("tigris_euphrates#hidden-1", "tigris_euphrates#conflicts-3")
def test_what_the_other_side_can_add_is_told_only_as_far_as_it_is_public():
    for hand in ("settlement 3", "market 3", "settlement 1, temple 2"):
        assert "Ben has 1 and can add at most 3" in does(court(hands=["farm 1", hand]), "tile farm G9")[1]
    few = court(hands=["farm 1", "settlement 1, temple 5"], gone="settlement 26")
    assert "Ben has 1 and can add at most 2" in does(few, "tile farm G9")[1]  # two on the board, 26 gone: two are unseen


@pytest.mark.rule("tigris_euphrates#monuments-1", "tigris_euphrates#monuments-3", "tigris_euphrates#monuments-5")
def test_a_square_of_four_is_told_with_what_may_follow():
    state = position(tiles={"temple": "E10 E11"}, hands=["temple 6"])
    assert does(state, "tile temple F11")[1:] == ["This completes a square of four: you may build a monument."]
    built = [["black_red", "A5", "settlement"], ["red_blue", "O4", "farm"], ["green_red", "G3", "market"]]
    state = position(tiles={"temple": "E10 E11"}, hands=["temple 6"], built=built)
    assert does(state, "tile temple F11")[1:] == ["This completes a square of four, but no monument of that colour is left."]
    state = position(tiles={"temple": "E10 E11 H11", "settlement": "G11"}, leaders=["king F9", "king H10"], hands=["temple 6"])
    assert does(state, "tile temple F11")[-1] == "If the square of four survives the conflict, you may build a monument."


TWO_TREASURES = {"leaders": ["priest F9, trader E10", "king I8"], "tiles": {"settlement": "H8", "farm": "H9"}}


@pytest.mark.rule("tigris_euphrates#treasures-1", "tigris_euphrates#treasures-5", "tigris_euphrates#end-1")
def test_treasures_are_told_with_who_takes_them():
    state = position(**TWO_TREASURES, hands=["farm 6"])
    assert does(state, "tile farm G9")[1:] == ["Your trader takes 1 treasure."]
    other = position(leaders=["king I8", "priest F9, trader E10"], tiles=TWO_TREASURES["tiles"], hands=["farm 6"])
    assert does(other, "tile farm G9")[1:] == ["Ben takes 1 treasure."]
    last = position(**TWO_TREASURES, hands=["farm 6"], treasures="F10 I7 B2")
    assert does(last, "tile farm G9")[1:] == [
        "Your trader takes 1 treasure.",
        "Treasures left on the board: 2. The game will end after this turn.",
    ]


# What a leader does


@pytest.mark.rule("tigris_euphrates#revolts-3", "tigris_euphrates#conflicts-4")
def test_a_revolt_is_told_with_its_strengths():
    assert does(court(), "leader king H7") == [
        "Revolt (temples): you have 1 on the board and 2 in hand; Ben has 1 and can add at most 6. You lose ties.",
    ]
    assert does(court(), "leader priest H6") == [
        "Revolt (temples): you have 1 on the board and 2 in hand; Ben has 1 and can add at most 6. You lose ties.",
    ]


@pytest.mark.rule("tigris_euphrates#kingdoms-2", "tigris_euphrates#leaders-4", "tigris_euphrates#treasures-4")
def test_a_leader_in_peace_is_told_with_its_company():
    assert does(court(), "leader farmer H7") == ["The leader joins a kingdom without a revolt. Leaders there: king_bull and priest_bull."]
    assert does(court(), "leader farmer C2") == ["The leader starts a new kingdom."]
    state = position(leaders=["priest F9", "king I8"], tiles={"settlement": "H8", "farm": "G9 H9"})
    assert does(state, "leader trader E10") == [
        "The leader joins a kingdom without a revolt. Leaders there: king_bull and priest_archer.",
        "Your trader takes 1 treasure.",
    ]


@pytest.mark.rule("tigris_euphrates#leaders-10", "tigris_euphrates#leaders-8", "tigris_euphrates#kingdoms-4")
def test_what_a_leader_leaves_behind_is_told():
    link = court(tiles=COURT["tiles"] | {"farm": "F8 H9"})  # F8 depends on the king
    assert does(link, "withdraw king") == [
        "The leader returns to its place in front of your screen.",
        "The leader's old kingdom splits.",
    ]
    assert does(link, "leader king G10")[1:] == ["The leader's old kingdom splits."]
    assert does(court(), "withdraw king") == ["The leader returns to its place in front of your screen."]
    alone = court(leaders=["king F9", ""])
    assert does(alone, "withdraw king")[1:] == ["The tiles left behind are no longer a kingdom."]
    assert does(alone, "leader king C2") == ["The leader starts a new kingdom.", "The tiles left behind are no longer a kingdom."]
    assert does(alone, "leader king G10") == ["The leader starts a new kingdom."]


@pytest.mark.rule("tigris_euphrates#monuments-10", "tigris_euphrates#turn-5")
def test_points_from_monuments_are_told():
    state = position(built=[["black_red", "C9", "temple"]], hands=["farm 6", "farm 6"])
    assert does(state, "leader king C8")[1:] == ["Points from monuments there at the end of each of your turns: 1."]
    assert len(does(state, "leader trader C8")) == 1
    there = play(state, "leader king C8")
    assert does(there, "pass") == ["You give up your second action.", "Monuments give you +1 (black) at the end of this turn."]


@pytest.mark.rule("tigris_euphrates#monuments-10", "tigris_euphrates#monuments-18")
def test_an_answer_that_closes_the_turn_of_another_tells_whom_monuments_pay():
    state = position(
        tiles={"temple": "D6"},
        leaders=["king H7", "priest C6"],
        built=[["black_red", "G5", "settlement"]],
        hands=["temple 2, settlement 4", "temple 2, farm 4"],
        actions_left=1,
    )
    assert does(play(state, "leader priest E6", "support 0 temple"), "support 0 temple") == [
        "1 to 1: the defender wins ties, so you get 1 red point. The attacking leader is withdrawn.",
        "Monuments give Ann +1 (black) at the end of this turn.",
    ]


# Catastrophes, swaps, the end of a turn


@pytest.mark.rule("tigris_euphrates#catastrophes-3", "tigris_euphrates#catastrophes-4", "tigris_euphrates#leaders-6")
def test_a_catastrophe_is_told_with_all_that_it_breaks():
    left = "can never be used again. Catastrophes you have left: 1."
    assert does(court(), "catastrophe A1") == [f"A1 {left}"]
    assert does(court(), "catastrophe H8") == [f"The settlement is removed from the game. H8 {left}", "A kingdom splits."]
    stripped = court(leaders=["king F9, farmer I5", "king I8, priest J6"])
    assert does(stripped, "catastrophe I6") == [
        f"The temple is removed from the game. I6 {left}",
        "Your farmer_archer loses its last temple and returns to you.",
        "Ben's priest_bull loses its last temple and returns to its owner.",
    ]


@pytest.mark.rule("tigris_euphrates#swap-1", "tigris_euphrates#swap-2")
def test_tiles_to_swap_are_chosen_one_by_one():
    state = court(hands=["temple 2, farm 1"])
    assert texts(at(state, "swap")) == ["swap temple", "swap farm", "swap temple temple farm"]
    found = at(state, "swap temple")
    assert texts(found) == ["swap temple temple", "swap temple farm", "swap", "swap temple temple farm"]
    assert [said(option.label) for option in found.options] == ["Swap temple", "Swap farm", "Keep temple", "Swap all 3 tile"]
    assert [option.number for option in found.options] == [1, 1, 1, None]
    assert all(option.irreversible for option in found.options)
    assert (found.back, at(state, "swap temple farm").back, at(state, "swap").back) == ("swap", "swap temple", "")
    assert does(state, "swap temple farm") == ["You remove temple and farm from the game face down and draw the same number of tiles."]
    assert ask(state, "swap farm temple").chosen == "swap temple farm"


@pytest.mark.rule("tigris_euphrates#swap-5", "tigris_euphrates#end-4", "tigris_euphrates#end-3")
def test_a_swap_that_ends_the_game_is_told():
    state = court(bag="temple 1")
    assert does(state, "swap temple farm")[1:] == [
        "Tiles in the bag: 1, not enough to replace those swapped. The game will end at once.",
    ]
    assert len(does(state, "swap temple")) == 1
    assert does(court(bag={}), "swap temple")[1:] == [
        "Tiles in the bag: 0, not enough to replace those swapped. The game will end at once.",
    ]


@pytest.mark.rule("tigris_euphrates#swap-5", "tigris_euphrates#end-2")
def test_a_last_swap_that_leaves_too_few_tiles_for_the_hands_is_told():
    state = play(court(hands=["farm 6", "temple 5"], bag="temple 1"), "withdraw king")
    assert does(state, "swap farm")[1:] == ["Tiles in the bag: 0, not enough to fill every hand. The game will end."]
    assert len(does(court(hands=["farm 6", "temple 5"], bag="temple 1"), "swap farm")) == 1  # another action follows


@pytest.mark.rule("tigris_euphrates#turn-3", "tigris_euphrates#end-2", "tigris_euphrates#end-1")
def test_the_end_of_a_turn_is_told_with_what_it_ends():
    assert does(court(), "pass") == ["You give up both actions."]
    short = court(hands=["farm 4", "temple 6"], bag="temple 1")
    assert does(short, "pass") == ["You give up both actions.", "Tiles in the bag: 1, not enough to fill every hand. The game will end."]
    assert len(does(court(hands=["farm 5", "temple 6"], bag="temple 1"), "pass")) == 1
    assert does(position(treasures="B2 P2", hands=["farm 4"]), "pass")[1:] == [
        "Treasures left on the board: 2. The game will end after this turn.",
    ]


# Conflicts


@pytest.mark.rule("tigris_euphrates#conflicts-3", "tigris_euphrates#conflicts-4", "tigris_euphrates#wars-7")
def test_an_attacker_is_told_what_a_number_can_still_come_to():
    war = play(court(), "tile farm G9")
    found = at(war, "")
    assert said(found.title) == "You attack Ben in a war (king). How many tiles do you add (settlement)?"
    assert said(found.hint) == (
        "Supporters on the board: you 1, Ben 1 (can add up to 6). The defender wins ties. Points if you win: 2; for Ben "
        "if you lose: 2 (black)."
    )
    assert texts(found) == legal(war) == ["support 0 settlement", "support 1 settlement"]
    assert [option.target for option in found.options] == [None, "hand-settlement"]
    assert does(war, "support 0 settlement") == ["You have 1 and Ben has 1: you lose even if they add nothing."]
    assert does(war, "support 1 settlement") == ["You have 2; Ben has 1 and can add at most 6. To win, Ben must add 1."]
    bare = play(court(hands=["farm 1, settlement 1", {}]), "tile farm G9")
    assert does(bare, "support 1 settlement") == ["You have 2; Ben has 1 and can add at most 0: you win."]


@pytest.mark.rule("tigris_euphrates#conflicts-4", "tigris_euphrates#wars-6", "tigris_euphrates#wars-7")
def test_a_defender_is_told_exactly_what_a_number_comes_to():
    war = play(court(), "tile farm G9", "support 1 settlement")
    found = at(war, "")
    assert due(war) == 1
    assert said(found.title) == "Ann attacks you in a war (king). How many tiles do you add (settlement)?"
    assert said(found.hint) == (
        "Supporters on the board: you 1, Ann 1 plus 1 added. You win ties. Points if you win: 2; for Ann if you lose: 2 (black)."
    )
    assert does(war, "support 0 settlement") == [
        "You lose 2 to 1 and your leader is withdrawn. Points for Ann: 2 (black). Tiles removed: 1."
    ]
    assert does(war, "support 1 settlement") == [
        "2 to 2: the defender wins ties. Points for you: 2 (black). The attacking leader is withdrawn. Tiles removed: 1.",
    ]
    assert does(war, "support 2 settlement") == [
        "You win 3 to 2. Points: 2 (black). The attacking leader is withdrawn. Tiles removed: 1.",
    ]


@pytest.mark.rule("tigris_euphrates#revolts-3", "tigris_euphrates#revolts-4")
def test_both_sides_of_a_revolt_are_told_their_temples():
    revolt = play(court(), "leader king H7")
    found = at(revolt, "")
    assert said(found.title) == "You attack Ben in a revolt (king). How many temples do you add?"
    assert said(found.hint) == (
        "Temples next to the leaders: you 1, Ben 1 (can add up to 6). The defender wins ties. The winner gets 1 red point."
    )
    answer = play(revolt, "support 1 temple")
    assert said(at(answer, "").title) == "Ann attacks you in a revolt (king). How many temples do you add?"
    assert said(at(answer, "").hint) == (
        "Temples next to the leaders: you 1, Ann 1 plus 1 added. You win ties. The winner gets 1 red point."
    )
    assert does(answer, "support 0 temple") == ["You lose 2 to 1. Your leader is withdrawn and Ann gets 1 red point."]
    assert does(answer, "support 1 temple") == [
        "2 to 2: the defender wins ties, so you get 1 red point. The attacking leader is withdrawn.",
    ]
    assert does(play(revolt, "support 0 temple"), "support 1 temple") == [
        "You win 2 to 1 and get 1 red point. The attacking leader is withdrawn.",
    ]


@pytest.mark.rule("tigris_euphrates#wars-5", "tigris_euphrates#revolts-3", "tigris_euphrates#conflicts-3")
def test_support_that_cannot_be_given_is_refused_with_its_paragraph():
    war = play(court(), "tile farm G9")
    assert said(ask(war, "support 1 farm").refusal) == "You can only add tiles of the leaders' colour: settlement."
    assert said(ask(war, "support 2 settlement").refusal) == "You don't have that many. Tiles in hand: 1 (settlement)."
    assert said(ask(war, "tile temple D10").refusal) == "A conflict is being resolved. Choose how many tiles to add, or none."


BOTH = {"leaders": ["king F9, trader E10", "king I8, trader H7"], "hands": ["farm 1, settlement 1", "market 3"]}


@pytest.mark.rule("tigris_euphrates#wars-2", "tigris_euphrates#wars-9")
def test_the_active_seat_is_asked_which_war_is_next():
    choice = play(court(**BOTH), "tile farm G9")
    found = at(choice, "")
    assert said(found.title) == "Which war is resolved next?"
    assert texts(found) == ["war king", "war trader"]
    assert [option.target for option in found.options] == ["cell-F9", "cell-E10"]
    assert does(choice, "war trader") == [
        "War (trader): you have 0 on the board and 0 in hand; Ben has 0 and can add at most 3. You lose ties.",
    ]
    traders = play(choice, "war trader", "support 0 market")
    assert does(traders, "support 0 market")[1:] == ["There is still a war to resolve: king."]
    kings = play(choice, "war king", "support 1 settlement")
    assert does(kings, "support 0 settlement")[1:] == [
        "These leaders' kingdoms will have split, so they won't be at war: trader.",
    ]


# Monuments


def four_temples(**fields):
    given = {"tiles": {"temple": "E10 E11"}, "leaders": ["king F9", "priest D10"], "hands": ["temple 6", "temple 6"]} | fields
    return play(position(**given), "tile temple F11")


@pytest.mark.rule("tigris_euphrates#monuments-1", "tigris_euphrates#monuments-2", "tigris_euphrates#monuments-4")
def test_a_monument_is_chosen_among_those_with_the_colour():
    state = four_temples()
    found = at(state, "")
    assert texts(found) == ["build black_red E10", "build red_blue E10", "build green_red E10", "decline"]
    assert [option.irreversible for option in found.options] == [False, False, False, True]
    assert does(state, "decline") == ["You can't build a monument on this square of four later."]
    assert ask(state, "build black_green E10").chosen == ""
    assert said(ask(state, "build black_green E10").refusal) == (
        "The black_green doesn't match the four tiles. Choose a monument with their colour: red."
    )
    stands = four_temples(built=[["black_red", "A5", "settlement"]])
    assert whys(at(stands, "")) == {
        "Why can't I build the black_red?": ("The black_red has already been built.", "tigris_euphrates#monuments-3"),
    }


@pytest.mark.rule(
    "tigris_euphrates#monuments-6", "tigris_euphrates#monuments-9", "tigris_euphrates#monuments-10", "tigris_euphrates#leaders-6"
)
def test_a_monument_is_told_with_whom_it_strips_and_whom_it_pays():
    assert does(four_temples(), "build black_red E10") == [
        "The four tiles are turned face down for good. They still connect squares, but do nothing else.",
        "Your king_archer loses its last temple and returns to you.",
        "Ben's priest_bull loses its last temple and returns to its owner.",
        "With the leaders where they are, nobody gets black points from it.",
        "With the leaders where they are, nobody gets red points from it.",
    ]
    kept = four_temples(tiles={"temple": "E10 E11 C10"}, leaders=["trader D10", "priest C11"])
    assert does(kept, "build green_red E10")[1:] == [
        "With the leaders where they are, you get 1 green point at the end of each of your turns.",
        "With the leaders where they are, Ben gets 1 red point at the end of each of their turns.",
    ]


@pytest.mark.rule("tigris_euphrates#monuments-12")
def test_several_squares_of_four_are_asked_for_after_the_monument():
    state = four_temples(tiles={"temple": "E10 E11 G10 G11"}, leaders=["", "priest D10"])
    assert texts(at(state, "")) == ["build black_red", "build red_blue", "build green_red", "decline"]
    found = at(state, "build black_red")
    assert said(found.title) == "Choose the four tiles for the black_red"
    assert groups(found) == {"Upper left square of the four tiles": ["E10", "F10"]}
    assert found.on_board
    assert (found.back, at(state, "build black_red F10").back) == ("", "build black_red")
    assert len(does(state, "build black_red E10")) == 4  # the priest on D10 goes home
    assert len(does(state, "build black_red F10")) == 3
    assert does(state, "decline") == ["You can't build a monument on any of these squares of four later."]
    assert ask(state, "build black_red g10").chosen == "build black_red"
    assert (
        said(ask(state, "build black_red g10").refusal)
        == "The tile you just placed doesn't complete a square of four in one colour with its upper left corner on G10."
    )


# Treasures


@pytest.mark.rule("tigris_euphrates#treasures-2", "tigris_euphrates#treasures-3")
def test_a_corner_treasure_is_asked_for_before_the_others():
    state = position(
        leaders=["king O2", "trader A2"], tiles={"settlement": "C2 D2", "farm": "E2"}, hands=["market 6", "farm 6"], treasures="B2 F3 P2"
    )
    state = play(state, "tile market F2")
    assert due(state) == 1
    found = at(state, "")
    assert said(found.title) == "Choose a treasure for your trader. Still to take: 1"
    assert texts(found) == ["treasure B2"]
    assert {target: said(reason) for target, reason in found.closed.items()} == {
        "cell-F3": "corner treasures come first",
        "cell-P2": "not in your trader's kingdom",
    }
    assert whys(found) == {
        "Why can't I take the treasure on F3?": ("Take corner treasures first: B2.", "tigris_euphrates#treasures-2"),
    }
    assert does(state, "treasure B2") == [
        "You take the treasure on B2. At the end of the game it counts as 1 point in any colour.",
        "Treasures left on the board: 2. The game will end after this turn.",
    ]
    assert ask(state, "treasure f3").chosen == ""
    assert said(ask(state, "treasure f3").refusal) == "Take corner treasures first: B2."


@pytest.mark.rule("tigris_euphrates#treasures-2")
def test_all_corner_treasures_that_come_first_are_named():
    state = position(
        leaders=["", "trader A8"], tiles={"settlement": "B3 C2 D2 F2", "farm": "B4 E2 B7", "market": "B6"}, hands=["market 6", "farm 6"]
    )
    assert said(ask(play(state, "tile market B5"), "treasure f3").refusal) == "Take corner treasures first: B2, B8."
