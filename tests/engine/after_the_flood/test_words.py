"""Every sentence of After the Flood works in every language, cites existing paragraphs, and is used."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import games.after_the_flood
from games.after_the_flood import phrases, prompt_phrases
from games.core.contract import CHANCE
from games.core.rng import SeededRng
from rules_docs import content
from tests.engine.after_the_flood.builders import ask, game, position, told
from tests.engine.after_the_flood.questions import NAMES, random_positions
from tests.engine.after_the_flood.test_refusals import CASES
from voice import glossary, wording

SENTENCES = {name: value for name, value in vars(prompt_phrases).items() if name.isupper() and isinstance(value, str)}
LANGUAGES = ("en", "hu", "ru")
PACKAGE = Path(games.after_the_flood.__file__).parent


@cache
def played():
    """Return the events of some random games and their outcomes."""
    events, outcomes = [], []
    for number in range(12):
        rng = SeededRng(f"words {number}")
        state = game.setup(3, {})
        while actors := game.actors(state):
            action = game.sample_chance(state, rng) if actors[0] == CHANCE else game.sample_action(state, actors[0], rng)
            state, more = game.apply(state, actors[0], action)
            events += more
        outcomes.append(game.outcome(state))
    return events, outcomes


def is_paragraph(rule):
    """Return whether a paragraph exists in the rule book."""
    return rule.split("#")[1] in paragraphs()


@cache
def paragraphs():
    """Return the paragraphs of the rule book."""
    return frozenset(content.places("after_the_flood"))


def rare_events():
    """Yield events that are rare in random games."""
    empire = {"empires": ["akkad", None, None], "ranking": [0], "armies_available": [5, 0, 0]}
    yield from told(position(armies=["akkad babylon", "", ""], cities=["", "babylon", ""], **empire), "destroy babylon")
    yield from told(position(**empire), "refound")
    war = {"empires": ["guti", "akkad", None], "ranking": [0, 1], "armies": ["umma", "nippur 2", ""], "armies_available": [5, 0, 0]}
    yield from told(position(**war), "invade nippur", "roll 1 1", "attack")
    yield from told(position(cities=["sippar babylon nippur umma", "", ""]), "relocate umma ur")
    yield from told(position(phase="growing", passed=[0, 1, 2], goods=["wood 2 oil", "", ""], cities=["ur", "", ""]), "grow ur oil")
    yield from told(position(phase="closing", turn=5, passed=[0, 1, 2], workers=["egypt", "amorites", ""]), "score")


def test_every_event_can_be_said_and_names_its_paragraph():
    events = [*played()[0], *rare_events()]
    seen = Counter()
    for event in events:
        for lang in LANGUAGES:
            assert "{" not in wording.say(event, lang, names=NAMES, game="after_the_flood")
        assert is_paragraph(event.rule), event
        seen[event.key] += 1
    wanted = {key for key in phrases.PHRASES if "." not in key}
    assert wanted == set(seen)


def test_every_point_is_named():
    _, outcomes = played()
    for outcome in outcomes:
        assert f"end.{outcome.reason}" in game.phrases
        for rounds in outcome.derivation:
            for name, lines in rounds:
                assert f"round.{name}" in game.phrases
                for line in lines:
                    assert f"score.{line.key}" in game.phrases
                    assert is_paragraph(line.rule)
                    for lang in LANGUAGES:
                        assert glossary.nouns("after_the_flood", line.pieces, lang)


def test_every_refusal_can_be_said():
    for reason, build, text, actor, rule in CASES:
        state = build()
        who = state.active if actor is None else actor
        try:
            game.apply(state, who, game.parse_action(text))
        except ValueError as error:
            for lang in LANGUAGES:
                assert "{" not in wording.say(error, lang, names=NAMES, game="after_the_flood"), reason
        assert is_paragraph(f"after_the_flood#{rule}"), reason


def test_every_sentence_of_a_question_can_be_said_and_names_its_paragraph():
    rng = SeededRng(9)
    seen = Counter()
    for state in random_positions(21, 6, every=6):
        first = ask(state)
        texts = [str(action) for action in game.legal_actions(state, state.active)]
        asks = [first, *(ask(state, entry.text) for entry in first.options), ask(state, texts[rng.below(len(texts), "t")])]
        for asked in asks:
            said = [asked.title, asked.hint, asked.confirm, asked.consequence, *asked.also, *asked.closed.values()]
            said += [phrase for pair in asked.why_not for phrase in pair]
            said += [phrase for entry in asked.options for phrase in (entry.label, entry.group)]
            for phrase in filter(None, said):
                if not seen[phrase.text] or rng.below(20, "say") == 0:
                    for lang in LANGUAGES:
                        assert "{" not in wording.fill(phrase.text, phrase.params, lang, names=NAMES, game="after_the_flood")
                assert phrase.rule is None or is_paragraph(phrase.rule), phrase
                seen[phrase.text] += 1
            assert all(why.rule for why in asked.closed.values())
            assert all(answer.rule for _, answer in asked.why_not)
            assert asked.title.rule
            assert all(entry.label.rule for entry in asked.options)
    assert len(seen) > 120


def test_every_field_is_known_and_every_counted_noun_is_in_the_glossary():
    known = {*wording.SPECS, *(f"count {noun}" for noun in glossary.noun_ids("after_the_flood", "en"))}
    texts = SENTENCES | phrases.PHRASES
    specs = {(name, spec) for name, text in texts.items() for _, spec in wording.fields(text)}
    assert [(name, spec) for name, spec in specs if spec not in known] == []
    assert any(spec.startswith("count ") for _, spec in specs)


def test_no_sentence_is_left_over():
    """The modules of the package use each one."""
    files = [path for path in PACKAGE.glob("*.py") if path.name not in ("phrases.py", "prompt_phrases.py")]
    code = "".join(path.read_text(encoding="utf-8") for path in files)
    for name in SENTENCES:
        assert re.search(rf"phrases\.{name}\b", code), name
    for key in phrases.PHRASES:
        word = key.partition(".")[2] or key
        assert f'"{word}"' in code or f'"{key}"' in code or re.fullmatch(r"round\.turn_[1-5]", key), key


def test_every_paragraph_that_the_code_names_exists():
    rules = set()
    for path in PACKAGE.glob("*.py"):
        rules |= set(re.findall(r'"((?:[a-z]+)-\d+)"', path.read_text(encoding="utf-8")))
    assert len(rules) > 80
    assert {rule for rule in rules if not is_paragraph(f"after_the_flood#{rule}")} == set()
