"""What all questions have in common: words of a prefix, steps, headings, refusals."""

from __future__ import annotations

from games.core import asking
from games.core.asking import Said, Voice
from games.core.contract import ActionFormatError, Ask, IllegalAction, Option, Phrase

VOICE = Voice("toy#", {"refused.late": "It is too late, {n}."})
LATE = Phrase("It is too late, {n}.", {"n": 3}, "toy#turn-1")


def check(n: int) -> None:
    if n > 2:
        raise IllegalAction("refused.late", "toy#turn-1", n=n)


def test_a_voice_names_the_paragraph_and_says_why():
    assert VOICE.phrase("Go", "turn-1", text="t") == Phrase("Go", {"text": "t"}, "toy#turn-1")
    assert VOICE.phrase("Go").rule is None
    assert VOICE.refused("late", "turn-1", n=3) == VOICE.why(check, 3) == LATE
    assert VOICE.why(check, 2) is None
    assert asking.answered(LATE, None) == []
    assert asking.answered(LATE, LATE) == [(LATE, LATE)]


def test_a_prefix_is_a_few_words():
    assert asking.words_of(" take  two ", 20) == ["take", "two"]
    assert asking.words_of("x" * 21, 20) == []


def test_a_text_that_is_no_action_gives_none():
    def parse(text: str) -> int:
        if text != "1":
            raise ActionFormatError("a number")
        return 1

    assert asking.parsed(parse, "1") == 1
    assert asking.parsed(parse, "2") is None


def test_pieces_are_taken_up_to_the_first_that_cannot_be_had():
    index = {"red": 0, "blue": 1}
    assert asking.usable(["blue", "red", "blue"], index, [1, 1], 3) == [0, 1]
    assert asking.usable(["red", "green", "blue"], index, [1, 1], 3) == [0]
    assert asking.usable(["blue", "blue", "red"], index, {0: 1, 1: 2}, 2) == [1, 1]


def test_the_tree_leads_to_every_action_by_the_depths_that_are_asked():
    legal = {"go": 1, "take red one": 2, "take red two": 3, "take blue one": 4}
    tree = asking.tree_of(legal, lambda words, action: (1, 2) if words[0] == "take" else ())
    assert {node: list(steps) for node, steps in tree.items()} == {
        "": ["go", "take"],
        "take": ["take red", "take blue"],
        "take red": ["take red one", "take red two"],
        "take blue": ["take blue one"],
    }
    assert tree[""]["take"].below == [2, 3, 4]
    assert (tree["take"]["take red"].action, tree["take red"]["take red two"].below) == (2, [3])
    assert asking.asked_at(tree, ["take", "red", "nine"]) == "take red"
    assert asking.asked_at(tree, ["nine"]) == ""


def test_options_stand_under_their_headings_and_the_first_keeps_a_target():
    first, second = Phrase("First"), Phrase("Second")
    rows = [("a", first, "here"), ("b", second, None), ("c", first, "here"), ("d", None, None), ("e", second, "there")]
    options = [Said(Phrase(text), group=group, target=target).option(text, text == "a", False) for text, group, target in rows]
    assert options[0] == Option("a", Phrase("a"), selected=True, target="here", group=first)
    assert [option.text for option in asking.under_headings(options)] == ["a", "c", "b", "e", "d"]
    assert [option.target for option in asking.with_free_targets(options)] == ["here", None, None, None, "there"]


def test_a_question_gets_its_button_or_the_reason_why_it_was_cut_back():
    asked = Ask(Phrase("What?"), [], "take")
    told = asking.with_action(asked, 12, Phrase("Do it"), [Phrase("one"), Phrase("two")])
    assert (told.action, told.confirm, told.consequence, list(told.also)) == ("12", Phrase("Do it"), Phrase("one"), [Phrase("two")])
    assert asking.unless_cut(asked, ["take"], lambda: LATE) is asked
    assert asking.unless_cut(asked, ["take", "two"], lambda: LATE).refusal == LATE
