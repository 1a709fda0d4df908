"""Illegal actions: refused with a sentence and a paragraph of the rule book, and nothing changed."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest

from games.babel.actions import parse_action
from games.babel.components import PEOPLES
from games.core.contract import CHANCE, SCORER, IllegalAction
from games.core.forms import NO_ACTION
from tests.engine.babel.builders import data_of, first_turn, game, play, position, refusal
from tests.engine.babel.test_properties import busy_game

PAGES = Path(__file__).parents[3] / "rules_docs" / "content" / "babel" / "en"
ANCHORS = {f"babel#{anchor}" for page in PAGES.glob("*.md") for anchor in re.findall(r"\{#([\w-]+)\}", page.read_text(encoding="utf-8"))}
TURN = """
    turn: 8
    0> medes | AAHP
    1  persians | HMMSS
    medes: AAAM 12 | PS 12
    assyrians: AS . | . .
    persians: MMM . | MPP 123
    stocks: 4 2 | 3 5
"""
RUNS = """
    turn: 8
    0> medes | M
    1  persians | H
    medes: AAAHHHMMMSSSPPP 12 | . .
    persians: . . | MPP 123
    stocks: 2 | 1
"""


def turn(**fields):
    return position(TURN, **fields)


def runs():
    return position(RUNS)


def halving():
    return play(turn(), "halve assyrians")


def revealing():
    return play(turn(), "end")


def drawing():
    return play(turn(), "end", "reveal 6 6")


def in_quarry():
    return position("turn: 8\n0> quarry | MMP\n1 persians | AA")


def won():
    return play(
        position("turn: 8\n0> medes |\n1 quarry |\nmedes: AAA 12 | . .\nassyrians: . 6 | . .\nhittites: . 6 | . .\nstocks: 3 | 1"),
        "build own",
    )


def over():
    return play(won(), "score")


def owing():
    return first_turn(hand="MMP")


# position, who asks (None: whoever is due), text, reason, paragraph
CASES = [
    (turn, None, "move sumerians", "card_not_held", "move-1"),
    (turn, None, "move medes", "pawn_is_there", "move-2"),
    (in_quarry, None, "settle medes", "pawn_in_quarry", "move-3"),
    (in_quarry, None, "build other", "pawn_in_quarry", "move-3"),
    (in_quarry, None, "steal", "pawn_in_quarry", "move-3"),
    (in_quarry, None, "migrate medes persians", "too_few_migrants", "migration-3"),
    (turn, None, "settle sumerians", "card_not_held", "settle-1"),
    (turn, None, "build own", "not_next_level", "build-2"),
    (lambda: turn(stocks=[[], [3]]), None, "build own", "stock_empty", "build-4"),
    (lambda: play(turn(stocks=[[1], [3]]), "migrate medes persians"), None, "build other", "too_few_settlers", "build-3"),
    (lambda: turn(temples=[{"medes": [1, 2, 3, 4, 5, 6]}, {}]), None, "build own", "no_such_level", "build-2"),
    (lambda: first_turn(hand="MMP"), None, "build own", "pawn_in_quarry", "move-3"),
    (lambda: play(first_turn(hand="MMPA"), "move medes", "settle persians"), None, "build other", "level_reserved", "start-1"),
    (owing, None, "end", "first_level", "start-2"),
    (turn, None, "migrate assyrians medes", "too_few_migrants", "migration-3"),
    (turn, None, "migrate sumerians medes", "too_few_migrants", "migration-3"),
    (lambda: play(turn(), "migrate persians hittites"), None, "migrate hittites persians", "migrated", "migration-4"),
    (turn, None, "steal", "no_run", "powers-1"),
    (turn, None, "destroy 2", "no_run", "powers-1"),
    (turn, None, "halve medes", "no_run", "powers-1"),  # the run of Medes is in another land
    (runs, None, "destroy", "no_temple_there", "destroy-1"),
    (runs, None, "steal", "no_temple_there", "steal-1"),
    (runs, None, "expel sumerians", "nobody_to_expel", "expel-1"),
    (runs, None, "switch", "nobody_there", "switch-1"),
    (runs, None, "skip own", "not_skipped_level", "skip-1"),
    (runs, None, "halve medes", "hand_too_small", "halving-3"),
    (lambda: position("turn: 8\n0> medes |\n1 medes | A\nmedes: HHH 12 | P 12"), None, "steal", "not_higher", "steal-2"),
    (lambda: position("turn: 8\n0> medes |\n1 medes | A\nmedes: HHH . | P 1234"), None, "steal", "too_few_settlers", "steal-3"),
    (turn, None, "discard assyrians hittites", "nothing_to_discard", "halving-2"),
    (halving, None, "discard medes", "discard_count", "halving-1"),
    (halving, None, "discard medes medes sumerians", "discard_count", "halving-1"),
    (halving, None, "discard assyrians assyrians", "card_not_held", "halving-2"),
    (halving, None, "discard hittites hittites", "card_not_held", "halving-2"),
    (halving, None, "end", "halve_hand", "halving-2"),
    (halving, None, "move hittites", "halve_hand", "halving-2"),
    (halving, 0, "end", "halving_first", "halving-2"),
    (halving, 0, "discard assyrians hittites", "halving_first", "halving-2"),
    (turn, 1, "move hittites", "not_your_turn", "turn-1"),
    (turn, 1, "discard medes medes", "not_your_turn", "turn-1"),
    (turn, 7, "end", "not_your_turn", "turn-1"),
    (turn, CHANCE, "end", "not_your_turn", "turn-1"),
    (turn, 0, "draw medes medes medes", "not_by_hand", "people-1"),
    (turn, 0, "reveal 2 1", "not_by_hand", "people-1"),
    (turn, SCORER, "start 1", "not_by_hand", "people-1"),
    (turn, CHANCE, "start 1", "no_start", "setup-6"),
    (turn, CHANCE, "draw medes medes medes", "no_draw", "people-1"),
    (turn, CHANCE, "reveal 2 1", "no_reveal", "temples-1"),
    (turn, SCORER, "score", "not_scoring", "score-1"),
    (turn, 0, "score", "not_scoring", "score-1"),
    (revealing, 0, "settle assyrians", "temples_first", "temples-1"),
    (revealing, CHANCE, "reveal 6", "reveal_count", "temples-1"),
    (lambda: play(turn(), "destroy", "end"), CHANCE, "reveal 6 5", "level_not_next", "destroy-2"),
    (lambda: turn(phase="revealing", stocks=[[6, 6, 6], [6, 6]]), CHANCE, "reveal 6 5", "level_not_there", "components-2"),
    (drawing, 1, "end", "people_first", "people-1"),
    (drawing, CHANCE, "draw medes medes", "draw_count", "people-1"),
    (lambda: turn(phase="drawing", hands=[{"assyrians": 9}, {}], columns=[{"medes": "AAA"}, {}]), CHANCE, "draw assyrians hittites medes", "card_not_there", "people-2"),
    (won, 0, "end", "scoring_first", "score-1"),
    (won, 0, "score", "not_scoring", "score-1"),
    (over, 0, "end", "finished", "end-1"),
    (over, SCORER, "score", "finished", "end-1"),
    (over, CHANCE, "reveal 2 1", "finished", "end-1"),
]  # fmt: skip


@pytest.mark.rule("babel#turn-1", "babel#turn-3", "babel#powers-5", "babel#halving-1", "babel#move-1")
@pytest.mark.parametrize(("state", "actor", "text", "reason", "anchor"), CASES, ids=[f"{case[3]}: {case[2]}" for case in CASES])
def test_refused_with_the_paragraph(state, actor, text, reason, anchor):
    assert refusal(state(), text, actor) == (reason, f"babel#{anchor}")


def test_every_reason_of_a_refusal_is_met():
    reasons = {key for key in game.phrases if key.startswith("refused.")}
    assert reasons - {f"refused.{case[3]}" for case in CASES} == {NO_ACTION}  # tests/engine/test_every_action.py


def every_text() -> list[str]:
    """Return everything that a seat could write, for columns with up to three runs of a people, with only a few of the halves."""
    texts = [f"{verb} {people}" for verb in ("move", "settle") for people in PEOPLES]
    texts += ["build own", "build other", "end", "score", "start 0", "reveal 2 1", "draw medes medes medes", "draw"]
    texts += [f"migrate {source} {target}" for source, target in permutations(PEOPLES, 2)]
    for run in ("", " 2", " 3"):
        texts += [f"{verb}{run}" for verb in ("destroy", "steal", "switch", "skip own", "skip other")]
        texts += [f"{verb} {people}{run}" for verb in ("expel", "halve") for people in PEOPLES]
    return texts + [f"discard {people}" for people in PEOPLES] + ["discard assyrians hittites", "discard medes medes persians"]


def test_whatever_is_not_listed_is_refused_and_changes_nothing():
    """All texts by all actors in positions of random games: apply refuses whatever legal_actions does not list, with a known paragraph."""
    texts = every_text()
    refused = 0
    for seed in range(6):
        for number, (state, *_) in enumerate(busy_game(4000 + seed)):
            if number % 9:
                continue
            before = data_of(state)
            for seat in (0, 1, SCORER):
                legal = {str(action) for action in game.legal_actions(state, seat)}
                for text in texts:
                    if text in legal:
                        continue
                    with pytest.raises(IllegalAction) as error:
                        game.apply(state, seat, parse_action(text))
                    assert error.value.reason in game.phrases
                    assert error.value.rule in ANCHORS
                    refused += 1
            assert data_of(state) == before
    assert refused > 10_000
