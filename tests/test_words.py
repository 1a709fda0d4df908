"""The word check finds habits in messages, docs and docstrings, and allows legitimate uses."""

from __future__ import annotations

import pytest

from tools.words import HABITS, Habit, check, finds

WRONG = {
    "A deadline lies after the begin of the season.": "the begin",
    "Place your empire and begin again.": "begin again",
    "Only who sits at this table may do that.": "Only who",
    "Who leaves a game is last in it.": "Who leaves a game is last in it.",
    "Ratings are reckoned from places.": "reckoned",
    "Points are counted anew.": "anew",
    "Nothing can be built any more.": "Nothing can be built any more",
    "You give up two temples.": "give up",
    "The attack was called off.": "called off",
    "Cards in the own hand": "the own",
    "Choose the other one.": "the other one",
    "A treasure lies on D4.": "lies on",
    "A word of your own (not needed)": "(not needed)",
    "Place one more worker.": "one more",
    "Plan an evening": "evening",
    "An officer let them in.": "let them in",
    "Tables of these seat counts": "seat counts",
    "The points given at the end": "points given",
    "An action can be taken back.": "taken back",
    "Nobody bids, for it is late.": ", for it is",
    "The derivation of a score": "derivation",
    "The draw is sealed": "draw is sealed",
    "Top of the ladder": "ladder",
    "Our reading of the rule": "Our reading",
    "An example that is played": "example that is played",
    "Bots of the level scribe": "Bots of the level",
    "This table cannot be opened so.": "opened so",
    "That is no text.": "That is no text",
    "The evening has to lie in the future.": "has to lie",
    "You have joined very many tables.": "very many",
    "Confirm your mail address": "mail address",
}
FINE = (
    "Who may join?",
    "Who finished ahead",
    "A rank is one more than the number of better ratings.",
    "The skill lies in choosing when to bid.",
    "The king stands in for a leader.",
    "He does not give up.",
    "Your opponent has no more cards.",
    "You are no longer in this club.",
    "Read the rule, then play on.",
    "The rules do so.",
    "Enter your own word.",
    "Its result stands.",
)


def found_in(text, **options):
    return [words for _, words, _ in finds(text, **options)]


@pytest.mark.parametrize(("text", "words"), WRONG.items())
def test_a_habit_is_found(text, words):
    assert words in found_in(text)


@pytest.mark.parametrize("text", FINE)
def test_its_legitimate_neighbour_is_not(text):
    assert found_in(text) == []


def test_each_habit_has_a_sentence_here():
    for habit in HABITS:
        assert any(found_in(text, habits=(habit,)) for text in WRONG), habit.pattern


def test_a_name_in_the_code_is_fine_for_developers_alone():
    assert found_in("the rows of a ladder", is_for_players=False) == []
    assert found_in("the rows are reckoned", is_for_players=False) == ["reckoned"]


def test_a_legitimate_use_covers_its_find_alone():
    habit = Habit(r"\bone more\b", "another", {r"\bone more than\b": "arithmetic"})
    assert found_in("one more than one more worker", habits=(habit,)) == ["one more"]


def test_messages_pages_books_and_docs_are_searched_with_their_lines(tmp_path):
    files = {
        "locale/hu/LC_MESSAGES/django.po": '#: x.py\nmsgid ""\n"Count it "\n"anew."\nmsgstr "anew"\n\nmsgid "a"\nmsgid_plural "reckon"\n',
        "templates/a.html": '{# anew #}\n<p class="anew">{% url "anew" %}\nanew</p>\n',
        "rules_docs/content/ra/en/01-a.md": "# A\n\nCount anew. {#anew-1}\n",
        "rules_docs/content/ra/hu/01-a.md": "anew\n",
        "rules_docs/content/ra/examples/a.json": '{\n  "anew": "anew",\n  "note": {"hu": "anew", "en": "He says \\"anew\\"."}\n}\n',
        "rules_docs/content/ra/held.json": '{\n "anew-1": {"tests": ["Counted anew."], "examples": [["anew", 1]]}\n}\n',
        "docs/a.md": "`anew`\nanew\n",
        "README.md": "Reckon\n",
        "portal/a.py": '"""A line.\n\nCount `anew` anew."""\n\nX = "anew"  # anew\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert [str(find) for find in check(tmp_path)] == [
        'locale/hu/LC_MESSAGES/django.po:2: "anew": write "again, from scratch"',
        'locale/hu/LC_MESSAGES/django.po:8: "reckon": write "calculate, work out, count"',
        'rules_docs/content/ra/en/01-a.md:3: "anew": write "again, from scratch"',
        'rules_docs/content/ra/examples/a.json:3: "anew": write "again, from scratch"',
        'rules_docs/content/ra/held.json:2: "anew": write "again, from scratch"',
        'templates/a.html:3: "anew": write "again, from scratch"',
        'README.md:1: "Reckon": write "calculate, work out, count"',
        'docs/a.md:2: "anew": write "again, from scratch"',
        'portal/a.py:3: "anew": write "again, from scratch"',
        'portal/a.py:5: "anew": write "again, from scratch"',
    ]
