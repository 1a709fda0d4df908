"""The question of a turn and of a halving: what can be done here, what it does, and why not the rest (babel#turn-3, #powers-6)."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import games.babel
from games.babel import phrases, prompt_phrases
from games.babel.legality import legal_actions
from games.core.contract import CHANCE, Ask, Phrase
from games.core.rng import SeededRng
from tests.engine.babel.builders import ask, due, first_turn, game, legal, play, position, scores
from voice import glossary, wording

PICTURE = """
    0> medes | AAHP
    1  persians | HMMSS
    medes: AAAMP 12 | PSP 123
    persians: MMM . | MPP 12
    hittites: HH . | . .
    stocks: 4 3 | 5 2
"""


def texts(asked: Ask) -> list[str]:
    return [option.text for option in asked.options]


def option(asked: Ask, text: str):
    (found,) = [option for option in asked.options if option.text == text]
    return found


def groups(asked: Ask) -> dict[str, list[str]]:
    """Return the options under the text of each heading, in the order of the list."""
    out: dict[str, list[str]] = {}
    for entry in asked.options:
        out.setdefault(entry.group.text if entry.group else "", []).append(entry.text)
    return out


def said(phrase: Phrase) -> str:
    """Return the English sentence of a phrase."""
    return wording.fill(phrase.text, phrase.params, "en", names=["Anna", "Ben"], game="babel").replace("\N{NO-BREAK SPACE}", " ")


def told(asked: Ask) -> list[str]:
    """Return everything that a chosen action is said to do."""
    assert asked.action is not None
    assert asked.confirm is not None
    return [said(phrase) for phrase in (asked.consequence, *asked.also)]


# What can be done here


@pytest.mark.rule("babel#turn-3", "babel#turn-7")
def test_all_that_can_be_done_stands_under_headings_in_one_list():
    state = position(PICTURE)
    assert groups(ask(state)) == {
        "Move your pawn": ["move assyrians", "move hittites", "move persians"],
        "Settle in {land:noun}": ["settle assyrians", "settle hittites", "settle persians"],
        "Build in {land:noun}": ["build own"],
        "Migrate three cards": ["migrate medes", "migrate persians"],
        "Use run: {run:nouns}": ["destroy", "halve assyrians"],
        "Finish": ["end"],
    }
    assert said(ask(state).title) == "You are in Media. What do you do?"
    assert ask(state).action is None


def test_nothing_is_offered_that_is_not_legal_and_nothing_legal_is_missing():
    state = position(PICTURE)
    offered = set(texts(ask(state)))
    for text in legal(state):
        assert text in offered or text.startswith("migrate")
    assert {text for text in offered if text not in legal(state)} == {"migrate medes", "migrate persians"}


@pytest.mark.rule("babel#powers-4")
def test_two_runs_of_one_people_stand_under_headings_of_their_own():
    state = position("0> medes |\n1 medes | 3\nmedes: MMMAMMMM . | P .")
    heads = [(said(entry.group), entry.text) for entry in ask(state).options if entry.text.startswith(("expel", "halve"))]
    assert heads == [
        ("Use run 1, counted from the inside: 3 Medes", "expel persians"),
        ("Use run 1, counted from the inside: 3 Medes", "halve medes"),
        ("Use run 2, counted from the inside: 4 Medes", "expel persians 2"),
        ("Use run 2, counted from the inside: 4 Medes", "halve medes 2"),
    ]
    assert [entry.target for entry in ask(state).options if entry.text.startswith("halve")] == ["run-medes-1", "run-medes-2"]
    assert [entry.target for entry in ask(state).options if entry.text.startswith("expel")] == ["rival-persians", None]


@pytest.mark.rule("babel#move-1", "babel#powers-2")
def test_a_move_says_what_waits_in_that_land():
    asked = ask(position(PICTURE))
    assert said(option(asked, "move persians").label) == "Persia: cards 3–3, temples 0–2, runs 3 Medes"
    assert said(option(asked, "move assyrians").label) == "Assyria: cards 0–0, temples 0–0"
    assert told(ask(position(PICTURE), "move persians")) == [
        "You discard 1 Persian and move your pawn to Persia. Cards left in hand: 3.",
        "Powers you can then use: expelling a people and halving a hand.",
    ]


@pytest.mark.rule("babel#settle-1", "babel#powers-1")
def test_a_settler_says_how_many_cards_there_are_then_and_what_becomes_possible():
    state = position("0> medes | MP\n1 medes | 1\nmedes: AMM 123 | PS .\nstocks: 1 | 4")
    assert said(option(ask(state), "settle medes").label) == "Mede (cards here: 4, 3 in a row)"
    assert said(option(ask(state), "settle persians").label) == "Persian (cards here: 4)"
    assert told(ask(state, "settle medes")) == [
        "The card goes to the outer end of your column in Media. Cards there: 4.",
        "You can then build level 4 here.",
        "Powers you can then use: expelling a people.",
    ]
    assert option(ask(state), "settle medes").number == 1
    first = position("0> medes | MP\n1 medes | 1")
    assert said(option(ask(first), "settle medes").label) == "Mede (your first card here)"


@pytest.mark.rule("babel#build-2", "babel#build-4")
def test_a_level_says_the_score_after_it_and_what_lies_open_then():
    state = position(PICTURE)
    assert said(option(ask(state), "build own").label) == "Level 3 from your stock (3–5)"
    assert told(ask(state, "build own")) == [
        "Your temple in Media will be 3 high. Score: 3 to 5.",
        "The next card in that stock is level 4.",
        "You can then build level 4 here.",
    ]
    other = position("0> medes |\n1 medes |\nmedes: A . | . .\nstocks: 3 | 1")
    assert said(option(ask(other), "build other").label) == "Level 1 from Ben's stock (1–0)"
    assert told(ask(other, "build other"))[1] == "That stock will be empty."
    assert option(ask(other), "build other").picture == "ba-temple-1"


@pytest.mark.rule("babel#destroy-1", "babel#destroy-3")
def test_a_destruction_shows_before_and_after():
    state = position(PICTURE)
    assert said(option(ask(state), "destroy").label) == "Destroy Ben's temple, 3 high (2–2)"
    assert told(ask(state, "destroy")) == [
        "Ben's temple goes face down on top of the deck. Next levels revealed: 1, 2. Score: 2 to 2.",
        "You discard one card of the run (Assyrian). Your cards left here: 4.",
    ]
    assert ask(play(state, "destroy")).hint is not None
    assert said(ask(play(state, "destroy")).hint) == "Known levels on top of the temple deck: 1, 2."


@pytest.mark.rule("babel#steal-1", "babel#steal-4")
def test_a_theft_shows_before_and_after():
    state = position("0> medes |\n1 medes | 1\nmedes: HHHP 2 | PS 134")
    assert said(option(ask(state), "steal").label) == "Take level 4 from Ben (4–3)"
    assert told(ask(state, "steal")) == [
        "Your temple here will be 4 high and Ben's 3. Score: 4 to 3.",
        "You discard one card of the run (Hittite). Your cards left here: 3.",
    ]


@pytest.mark.rule("babel#expel-1", "babel#expel-2")
def test_an_expulsion_names_the_cards_and_a_run_that_arises():
    state = position("0> medes |\n1 medes | 1\nmedes: MMM . | PPMPM .")
    assert said(option(ask(state), "expel medes").label) == "Expel 2 Medes"
    assert told(ask(state, "expel medes")) == [
        "They are discarded. Ben's cards left here: 3.",
        "You discard one card of the run (Mede). Your cards left here: 2.",
        "Ben's runs here: 3 Persians.",
    ]
    assert len(told(ask(state, "expel persians"))) == 2


@pytest.mark.rule("babel#switch-1")
def test_a_switch_names_the_cards_and_the_powers_that_arise():
    state = position("0> medes |\n1 medes | 1\nmedes: SSSA . | APA 2")
    assert said(option(ask(state), "switch").label) == "Win over 2 Assyrians"
    assert told(ask(state, "switch")) == [
        "They go to the outer end of your column here. Ben's cards left here: 1.",
        "You discard one card of the run (Sumerian). Your cards left here: 5.",
        "Powers you can then use: destroying a temple.",
    ]


@pytest.mark.rule("babel#skip-1")
def test_a_skip_names_level_and_stock():
    state = position("0> medes |\n1 medes | 1\nmedes: PPPP 2 | A .\nstocks: 3 | 1 4")
    assert said(option(ask(state), "skip other").label) == "Skip a level: build level 4 from Ben's stock (4–0)"
    assert told(ask(state, "skip other"))[0] == "Your temple in Media will be 4 high. Score: 4 to 0."
    own = position("0> medes |\n1 medes | 1\nmedes: PPPP 2 | A .\nstocks: 4 | 1")
    assert said(option(ask(own), "skip own").label) == "Skip a level: build level 4 from your stock (4–0)"


@pytest.mark.rule("babel#halving-1", "babel#halving-2")
def test_a_halving_says_how_many_cards_go_and_cannot_be_taken_back():
    state = position(PICTURE)
    entry = option(ask(state), "halve assyrians")
    assert said(entry.label) == "Halve Ben's hand (2 of 5 cards discarded)"
    assert entry.irreversible
    assert told(ask(state, "halve assyrians")) == [
        "Ben chooses the cards and discards them at once; then your turn continues. You can't undo this.",
        "You discard one card of the run (Assyrian). Your cards left here: 4.",
    ]
    assert [entry.text for entry in ask(state).options if entry.irreversible] == ["halve assyrians", "end"]


PHASE = """
    0> medes |
    1  medes |
    medes: AMPS 12 | A .
    persians: . 6 | . 5
    assyrians: . 6 | . 5
    stocks: 4 3 | 1
"""


@pytest.mark.rule("babel#end-1", "babel#end-2", "babel#end-3")
def test_an_action_that_wins_says_so():
    lands = "persians: . 6 | . 5\nassyrians: . 6 | . {}"
    won = position("0> medes |\n1 medes |\nmedes: AMP 12 | A .\nstocks: 3 | 1\n" + lands.format(4))
    assert told(ask(won, "build own"))[-1] == "You win the game with 15 points while Ben has fewer than 10 (9)."
    assert due(play(won, "build own")) < 0
    close = position("0> medes |\n1 medes |\nmedes: AMP 12 | A .\nstocks: 3 | 1\n" + lands.format(5))
    assert told(ask(close, "build own"))[-1] == (
        "You will have 15 points or more, but Ben has 10. To win from then on, reach 20 points, or have 15 while your "
        "opponent has fewer than 10."
    )
    assert "15 points" not in " ".join(told(ask(play(position(PHASE), "build own"), "build own")))  # it has already started
    twenty = position(
        "0> medes |\n1 medes |\nmedes: A . | A .\nstocks: 1 | 1\nhittites: . 6 | . .\nsumerians: . 1 | . .\n" + lands.format(5)
    )
    assert told(ask(twenty, "build own"))[-1] == "You win the game with 20 points."


# The end of a turn


@pytest.mark.rule("babel#temples-1", "babel#turn-4", "babel#build-4")
def test_the_end_of_a_turn_says_what_follows_and_asks_always():
    state = position(PICTURE)
    assert option(ask(state), "end").irreversible
    assert told(ask(state, "end")) == [
        "Two temple cards are revealed and go onto your stock, the lower one on top. Then it is Ben's turn.",
        "Ben will be able to build the top card of your stock, or level 2 from the other stock.",
        "You keep 4 people cards.",
    ]
    assert told(ask(play(state, "destroy"), "end"))[1] == "Their levels are known: 1, 2."
    one = position("0> medes |\n1 medes |\nmedes: AAA . | A 4\nstocks: 1 |")
    assert told(ask(play(one, "destroy"), "end")) == [
        "Two temple cards are revealed and go onto your stock, the lower one on top. Then it is Ben's turn.",
        "One of them is known: level 4.",
        "Ben will be able to build the top card of your stock.",
    ]


@pytest.mark.rule("babel#end-5", "babel#end-7", "babel#end-11")
def test_the_last_end_of_a_turn_says_how_the_game_stands():
    rest = [8, 9, 8, 7, 6, 5]
    stock = [level + 1 for level, count in enumerate(rest) for _ in range(count)]
    last = position("0> medes | AA\n1 medes | P\nmedes: A 1 | A 1", stocks=[stock[:-2], []], deck=[0, 0, 0, 0, 0, 2])
    assert told(ask(last, "end")) == ["The temple deck runs out and the game ends, 1 to 1.", "The larger hand wins: 2 to 1."]
    equal = position("0> medes | AA\n1 medes | PP\nmedes: A 1 | A 1", stocks=[stock[:-2], []], deck=[0, 0, 0, 0, 0, 2])
    assert told(ask(equal, "end"))[1:] == ["Hand sizes are tied too, 2 to 2: both players win."]
    assert [ask(state, "end").also[0].rule for state in (last, equal)] == ["babel#end-7", "babel#end-11"]
    ahead = position("0> medes | AA\n1 medes | P\nmedes: A 1 | A .", stocks=[[1, *stock[:-1]], []], deck=[0, 0, 0, 0, 0, 1])
    assert told(ask(ahead, "end")) == ["The temple deck runs out and the game ends, 1 to 0."]


@pytest.mark.rule("babel#start-2", "babel#start-3")
def test_the_duty_of_the_first_turn_is_said():
    state = first_turn(hand="MMP")
    asked = ask(state)
    assert said(asked.hint) == "You must build your level 1 on your first turn."
    assert "end" not in texts(asked)
    assert [(said(q), a.rule) for q, a in asked.why_not][-1] == ("Why can't I end the turn?", "babel#start-2")
    stuck = play(first_turn(hand="M"), "move medes")
    assert told(ask(stuck, "end"))[-1] == ("You can no longer build your reserved level 1 this turn. It becomes an ordinary card.")
    assert said(ask(stuck).title) == "You are in Media. You have no other options: end your turn"


# Migration in two steps


@pytest.mark.rule("babel#migration-1", "babel#migration-4")
def test_a_migration_is_chosen_in_two_steps_with_the_runs_that_arise():
    state = position("0> hittites |\n1 medes |\nmedes: PMSS . | . .\npersians: P . | . .\nsumerians: AMM . | . .\nhittites: S . | . .")
    first = ask(state)
    assert [entry.text for entry in first.options if entry.text.startswith("migrate")] == ["migrate medes", "migrate sumerians"]
    assert said(option(first, "migrate medes").label) == "From Media: Mede and 2 Sumerians"
    second = ask(state, "migrate medes")
    assert (second.chosen, second.back, second.action) == ("migrate medes", "", None)
    assert (first.held, second.held) == ((), ("column-medes",))
    assert said(second.title) == "Three cards migrate from Media (Mede and 2 Sumerians). Where do they go?"
    assert [(entry.text, entry.target) for entry in second.options] == [
        (f"migrate medes {land}", f"column-{land}") for land in ("assyrians", "hittites", "sumerians", "persians")
    ]
    assert [said(entry.label) for entry in second.options] == [
        "Assyria (cards there: 3)",
        "Hatti (cards there: 4)",
        "Sumer (cards there: 6, runs 3 Medes)",
        "Persia (cards there: 4)",
    ]
    chosen = ask(state, "migrate medes sumerians")
    assert (chosen.action, chosen.back) == ("migrate medes sumerians", "migrate medes")
    assert chosen.held == ("column-medes",)
    assert [entry.text for entry in chosen.options if entry.selected] == ["migrate medes sumerians"]
    assert told(chosen) == [
        "They go to the outer end of your column in Sumer, in the same order. Cards there: 6. Cards left behind: 1.",
        "Runs there: 3 Medes.",
    ]


# Why not


@pytest.mark.rule("babel#move-3")
def test_in_the_quarry_only_moves_are_offered():
    asked = ask(position("0> quarry | MP\n1 medes | 3"))
    assert texts(asked) == ["move medes", "move persians", "end"]
    assert [(said(q), a.rule) for q, a in asked.why_not] == [
        ("Why can't I settle or build?", "babel#move-3"),
        ("Why can't I migrate?", "babel#migration-3"),
    ]
    assert said(asked.title) == "Your pawn is in the quarry. Where do you move it?"
    assert said(ask(position("0> quarry |\n1 medes | 3")).title).startswith("Your pawn is in the quarry and you have no card")


@pytest.mark.rule("babel#build-2", "babel#build-3", "babel#migration-4", "babel#powers-5")
def test_what_one_may_miss_is_explained():
    state = play(position(PICTURE), "migrate medes persians")
    asked = ask(state)
    assert {said(q): (said(a), a.rule) for q, a in asked.why_not} == {
        "Why can't I build from my stock?": ("To build level 3, you need 3 people cards here. You have: 2.", "babel#build-3"),
        "Why can't I build from Ben's stock?": (
            "This stock's top card is level 2, but your temple here needs level 3 next.",
            "babel#build-2",
        ),
        "Why can't I migrate?": ("You have already migrated this turn.", "babel#migration-4"),
        "Why can't I use a power?": ("Your pawn must be where the run is. Lands with your runs: Persia.", "babel#powers-2"),
    }


@pytest.mark.rule("babel#powers-5")
@pytest.mark.parametrize(
    ("column", "rival", "stocks", "answers"),
    [
        ("AAA 1", "P .", "3 | 3", {"destroying a temple": "babel#destroy-1"}),
        ("HHH 3", "P 123", "3 | 3", {"stealing a level": "babel#steal-2"}),
        ("HHH .", "P 1234", "3 | 3", {"stealing a level": "babel#steal-3"}),
        ("MMM .", ". 1", "3 | 3", {"expelling a people": "babel#expel-1"}),
        ("SSS .", ". 1", "3 | 3", {"switching sides": "babel#switch-1"}),
        ("PPP 1", "A 1", "4 | 5", {"skipping a level": "babel#skip-2"}),
        ("PPP 12", "A 1", "4 | 5", {"skipping a level": "babel#build-3"}),
    ],
)
def test_a_power_without_effect_is_explained(column, rival, stocks, answers):
    state = position(f"0> medes |\n1 medes | 1\nmedes: {column} | {rival}\nstocks: {stocks}")
    why = {
        said(q).removeprefix("Why can't I use this power (").removesuffix(")?"): a.rule for q, a in ask(state).why_not if "power" in said(q)
    }
    assert why == answers | {"halving a hand": "babel#halving-3"}


@pytest.mark.rule("babel#skip-1")
@pytest.mark.parametrize(
    ("height", "answer"),
    [
        (4, "To skip a level of your temple here, you need level 6 on top of a stock."),
        (5, "Temples go no higher than level 6."),
        (6, "Temples go no higher than level 6."),
    ],
)
def test_no_level_above_the_highest_is_named(height, answer):
    levels = "".join(map(str, range(1, height + 1)))
    state = position(f"0> medes |\n1 medes | 1\nmedes: PPPAAA {levels} | A 1\nstocks: 1 | 2")
    (found,) = [a for q, a in ask(state).why_not if said(q) == "Why can't I use this power (skipping a level)?"]
    assert (said(found), found.rule) == (answer, "babel#skip-2" if height == 4 else "babel#skip-1")


def test_no_run_at_all_is_explained():
    (answer,) = [a for q, a in ask(position("0> medes |\n1 medes |\nmedes: MM . | P .")).why_not if said(q) == "Why can't I use a power?"]
    assert (said(answer), answer.rule) == ("You don't have three cards of the same people in a row in Media.", "babel#powers-1")


def test_what_is_not_possible_is_cut_back_with_the_reason():
    state = position(PICTURE)
    for text, rule in (
        ("settle medes", "babel#settle-1"),
        ("build other", "babel#build-2"),
        ("migrate hittites medes", "babel#migration-3"),
        ("steal", "babel#powers-1"),
        ("discard medes", "babel#halving-2"),
        ("reveal 2 1", "babel#people-1"),
    ):
        asked = ask(state, text)
        assert (asked.chosen, asked.action) == ("", None)
        assert asked.refusal.rule == rule
    assert ask(state, "build").refusal is None
    assert ask(state, "migrate medes medes").chosen == "migrate medes"
    assert ask(state, "migrate").chosen == ""


# Half of a hand


@pytest.mark.rule("babel#halving-1", "babel#halving-2")
def test_cards_to_give_up_are_counted_out_one_by_one():
    state = play(position(PICTURE), "halve assyrians")
    asked = ask(state)
    assert said(asked.title) == "Anna halved your hand. Choose 2 people cards to discard"
    assert said(asked.hint) == "Chosen: 0 of 2."
    assert [(entry.text, entry.number, entry.target, entry.selected) for entry in asked.options] == [
        ("discard hittites", 1, "hand-hittites", False),
        ("discard medes", 2, "hand-medes", False),
        ("discard sumerians", 2, "hand-sumerians", False),
    ]
    asked = ask(state, "discard sumerians")
    assert (asked.chosen, asked.back, asked.action) == ("discard sumerians", "", None)
    assert said(asked.hint) == "Chosen: 1 of 2."
    assert [(entry.text, entry.target, entry.selected) for entry in asked.options] == [
        ("discard hittites sumerians", "hand-hittites", False),
        ("discard medes sumerians", "hand-medes", False),
        ("discard sumerians sumerians", "hand-sumerians", False),
        ("", None, True),
    ]
    assert said(asked.options[-1].label) == "Keep Sumerian"
    asked = ask(state, "discard sumerians medes")
    assert (asked.chosen, asked.action, asked.back) == ("discard medes sumerians", "discard medes sumerians", "discard medes")
    assert told(asked) == ["You discard Mede and Sumerian. You keep Hittite, Mede and Sumerian."]
    assert [(entry.text, entry.target) for entry in asked.options] == [
        ("discard sumerians", "hand-medes"),
        ("discard medes", "hand-sumerians"),
    ]
    assert said(asked.confirm) == "Discard 2 people cards"


def test_who_gives_up_cards_is_told_of_the_cards_alone():
    """What could then be built or done with a run does not matter for this answer: the opponent's turn continues (halving-2)."""
    state = position("""
        0> persians | AA
        1  medes    | HHMM
        persians: PPPPAAA . | . 1
        medes: . . | MMMA .
        stocks: 3 | 1
    """)
    asked = ask(play(state, "halve persians"), "discard hittites medes")
    assert {"destroy", "halve assyrians"} <= set(legal(play(state, "halve persians", "discard hittites medes")))
    assert told(asked) == ["You discard Hittite and Mede. You keep Hittite and Mede."]


def test_a_halving_of_a_large_hand_stays_short():
    state = play(position("0> medes |\n1 medes | 31\nmedes: PPP . | . ."), "halve persians")
    assert len(ask(state).options) <= 5
    chosen = legal(state)[0]
    assert ask(state, chosen).action == chosen
    assert len(chosen) < 400


def test_junk_in_a_halving_is_cut_back():
    state = play(position(PICTURE), "halve assyrians")
    assert ask(state, "discard assyrians").chosen == ""
    assert ask(state, "discard medes medes medes").chosen == "discard medes medes"
    assert ask(state, "discard hittites hittites").chosen == "discard hittites"
    assert ask(state, "end").refusal.rule == "babel#halving-2"
    assert ask(state, "x" * 5000).chosen == ""


# All questions of random games


def questions():
    """Yield every question, chosen and not, of some random games."""
    rng = SeededRng(77)
    for _ in range(12):
        state = game.setup(2, {})
        while actors := game.actors(state):
            if actors[0] == CHANCE:
                action = game.sample_chance(state, rng)
            else:
                action = game.sample_action(state, actors[0], rng)
                if actors[0] >= 0 and rng.below(3, "t") == 0:
                    view = game.view_for(state, actors[0])
                    first = game.ask(view)
                    yield state, first
                    for entry in first.options:
                        yield state, game.ask(view, entry.text)
            state, _ = game.apply(state, actors[0], action)


def test_every_sentence_of_a_question_can_be_said_and_every_place_is_one_option():
    seen = Counter()
    for _, asked in questions():
        targets = [entry.target for entry in asked.options if entry.target]
        assert len(set(targets)) == len(targets)
        assert not asked.closed
        assert all(re.fullmatch(TARGET, target) for target in targets)
        phrases_of = [asked.title, asked.hint, asked.confirm, asked.consequence, *asked.also]
        phrases_of += [phrase for pair in asked.why_not for phrase in pair]
        phrases_of += [phrase for entry in asked.options for phrase in (entry.label, entry.group)]
        for phrase in filter(None, phrases_of):
            for lang in ("en", "ru", "hu"):
                assert "{" not in wording.fill(phrase.text, phrase.params, lang, names=["Anna", "Ben"], game="babel")
            seen[phrase.text] += 1
        headings = [entry.group for entry in asked.options]
        assert [h for n, h in enumerate(headings) if n == 0 or headings[n - 1] != h] == unique(headings)  # each heading once
        for entry in asked.options:
            assert entry.picture is None or entry.picture.startswith("ba-")
    assert len(seen) > 60


TARGET = (
    r"(land|hand|column|rival)-(assyrians|hittites|medes|sumerians|persians)|stock-(own|other)|run-[a-z]+-\d|rival-(temple|top|outermost)"
)


def unique(headings):
    out = []
    for heading in headings:
        if heading not in out:
            out.append(heading)
    return out


def test_the_score_that_an_option_names_is_the_score_after_it():
    compared = 0
    for state, asked in questions():
        for entry in asked.options:
            if "score" in entry.label.params and entry.text in [str(action) for action in legal_actions(state, due(state))]:
                after = scores(play(state, entry.text))
                seat = due(state)
                assert (entry.label.params["score"], entry.label.params["rival"]) == (after[seat], after[1 - seat])
                compared += 1
    assert compared > 50


# Words


SENTENCES = {name: value for name, value in vars(prompt_phrases).items() if name.isupper() and isinstance(value, str)}


def all_sentences() -> list[str]:
    return [*SENTENCES.values(), *phrases.PHRASES.values()]


def test_every_field_of_a_sentence_is_known_and_every_counted_noun_is_in_the_glossary():
    for text in all_sentences():
        for _, spec in wording.fields(text):
            kind, _, noun = spec.partition(" ")
            assert spec in wording.SPECS or (kind == "count" and noun in glossary.noun_ids("babel", "en"))


def test_no_sentence_is_left_over():
    """The modules of the package use each one."""
    code = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(games.babel.__file__).parent.glob("*.py")
        if path.name not in ("phrases.py", "prompt_phrases.py")
    )
    for name in SENTENCES:
        assert f"phrases.{name}" in code, name
    for key in phrases.PHRASES:
        kind, _, rest = key.partition(".")
        word = {"refused": key, "step": rest, "score": rest, "round": rest, "end": rest}.get(kind, kind)
        assert f'"{word}"' in code or word.startswith("ended_by_"), key
