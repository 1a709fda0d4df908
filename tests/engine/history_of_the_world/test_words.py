"""Every sentence of History of the World works in every language, cites existing paragraphs, and is used."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import games.history_of_the_world
from games.core.contract import CHANCE
from games.core.rng import SeededRng
from games.history_of_the_world import ability_phrases, phrases, prompt_phrases
from games.history_of_the_world.ability_phrases import ABILITIES, IMPROVEMENTS, ability_of, improvement_of
from games.history_of_the_world.components import EMPIRE_OF, EMPIRES, EVENT_OF, EVENTS, PROVINCES
from rules_docs import content
from tests.engine.history_of_the_world.builders import game, position, told
from tests.engine.history_of_the_world.questions import KEY, NAMES, ask_of, phrases_of, random_positions, said, walk
from tests.engine.history_of_the_world.test_refusals import CASES
from voice import glossary, wording

SENTENCES = {name: value for name, value in vars(prompt_phrases).items() if name.isupper() and isinstance(value, str)}
CARDS = {f"{kind}.{key}": text for kind, table in (("ability", ABILITIES), ("improvement", IMPROVEMENTS)) for key, text in table.items()}
LANGUAGES = ("en", "hu", "ru")
PACKAGE = Path(games.history_of_the_world.__file__).parent


@cache
def played():
    """Return the events of some random games and their outcomes."""
    events, outcomes = [], []
    for number in range(8):
        rng = SeededRng(f"words {number}")
        state = game.setup(3 + number % 4, {"draft": ("standard", "classic")[number // 4]})
        state.guards = [number % 4] * state.seats
        while actors := game.actors(state):
            actor = actors[rng.below(len(actors), "actor")]
            action = game.sample_chance(state, rng) if actor == CHANCE else game.sample_action(state, actor, rng)
            state, more = game.apply(state, actor, action)
            events += more
        outcomes.append(game.outcome(state))
    return events, outcomes


def rare_events():
    """Yield events that are rare in random games."""
    fight = {"armies": ["nile*", "levant", ""], "card": 2, "phase": "rolling", "target": "levant", "invading": True}
    yield from told(position(epoch=2, empires=["persians", "romans", "han"], **fight), "roll 3 1 3")
    yield from told(position(epoch=4, empires=["mongols", "vikings", "turks"], **fight), "roll 3 1 3")
    yield from told(position(epoch=4, empires=["turks", "vikings", "mongols"], **fight), "roll 5 1 3", "raid")
    yield from told(position(epoch=3, empires=["arabs", "huns", "goths"], cities=["levant"], **fight), "roll 5 1 3", "spare")
    yield from told(position(phase="bringing", armies=["nile levant", "", ""]), "bring levant")
    byzantium = {"phase": "prepare", "epoch": 3, "empires": ["byzantines", "huns", "goths"], "hands": ["i_plague", "", ""]}
    yield from told(position(**byzantium), "found")


def rare_positions():
    """Yield positions with questions that are rare in random games, and the seats that are due."""
    nile = {"armies": ["nile*", "levant", ""], "card": 2}
    fight = nile | {"target": "levant", "invading": True, "dice": [1, 2, 3]}
    arabs = {"epoch": 3, "empires": ["arabs", "huns", "goths"]}
    portuguese = {"epoch": 4, "empires": ["portuguese", "vikings", "turks"]}
    franks = {"epoch": 3, "empires": ["franks", "huns", "goths"], "turn": {"cities": 1}, "hands": ["i_plague", "", ""]}
    zulu = {"epoch": 5, "empires": ["british", "mughals", "russians"]}
    won = nile | {"target": "levant", "invading": True, "result": 1, "armies": ["nile*", "", ""], "dice": [5, 2, 3]}
    yield position(phase="bringing", armies=["nile levant", "crete", ""]), 0
    yield position(phase="starting", epoch=4, empires=["mesoamericans", "vikings", "turks"], card=1), 0
    yield position(phase="siege", tokens=1, catapult=3, on_catapult=2, **fight), 0
    yield position(phase="siege", tokens=1, **fight | {"card": 0}), 0
    yield position(phase="ruining", cities=["levant"], forts=["levant"], **won, **arabs), 0
    yield position(cities=["levant"], **nile, **arabs | {"called": 8}), 0
    yield (
        position(phase="after", armies=["nile* levant*", "", ""], empires=["egyptians", "minoans", "sumerians"], turn={"forgone": True}),
        0,
    )
    yield position(phase="posting", target="levant", **portuguese, **nile | {"armies": ["nile* levant*", "", ""]}), 0
    yield position(zones=["mediterranean_sea"], **portuguese, **nile), 0
    yield position(phase="after", armies=["nile* levant*", "", ""], **franks), 0
    yield position(forts=["nile"], **nile), 0
    yield position(**zulu, **nile | {"armies": ["australia*", "levant", ""]}), 0
    yield position(hands=["i_plague", "", ""], phase="prepare", armies=["tigris", "levant", ""], cities=["tigris"]), 0
    yield position(kingdom="k_shang", played=["k_shang"], hands=["i_plague", "", ""], **nile), 0
    both = {"phase": "rerolling", "attack_rerolls": 1, "defence_rerolls": 1, "due": 1, "fleet": True}
    yield position(epoch=4, empires=["vikings", "mongols", "turks"], **fight | both), 0
    for card in ("i_plague", "i_caravans"):
        yield position(phase="effect", effect=card, left=1, back="conquest", played=[card], **nile), 0
    turks = {"epoch": 4, "empires": ["turks", "vikings", "mongols"]}
    yield position(phase="effect", effect="i_renaissance", left=1, back="conquest", played=["i_renaissance"], **nile | turks), 0
    yield position(phase="effect", effect="i_disaster", left=1, back="conquest", played=["i_disaster"], cities=["libya"], **nile | turks), 0
    yield position(phase="won", plunder_due=1, **won | turks), 0
    yield position(empires=["greeks", "minoans", "sumerians"], zones=["mediterranean_sea"], cities=["libya"], **nile), 0
    crowd = {"phase": "prepare", "epoch": 4, "hands": ["k_mali i_gunpowder", "", ""], "empires": ["mesoamericans", "vikings", "turks"]}
    for count in (24, 25):
        yield position(armies=[list(PROVINCES[:count]), [], []], **crowd), 0


@cache
def paragraphs():
    """Return the paragraphs of the rule book."""
    return frozenset(content.places(KEY))


def is_paragraph(rule):
    """Return whether a paragraph exists in the rule book."""
    return rule.split("#")[1] in paragraphs()


def test_every_event_can_be_said_and_names_its_paragraph():
    seen = Counter()
    for event in [*played()[0], *rare_events()]:
        seen[event.key] += 1
        if seen[event.key] > 25:
            continue
        assert is_paragraph(event.rule), event
        for lang in LANGUAGES:
            for me in (None, event.params.get("seat"), *event.secret):
                assert "{" not in wording.say(event, lang, names=NAMES, me=me, game=KEY)
    assert set(seen) == {key for key in phrases.PHRASES if "." not in key}


def test_secrets_are_said_to_those_alone_who_may_read_them():
    seen = Counter()
    for event in played()[0]:
        for seat, values in event.secret.items():
            if not values:
                continue
            (hidden,) = [glossary.noun(KEY, name, "en") for name in values.values()]
            assert f"{event.key}.known" in phrases.PHRASES
            assert hidden in wording.say(event, "en", names=NAMES, me=seat, game=KEY)
            assert hidden not in wording.say(event, "en", names=NAMES, me=(seat + 1) % 3, game=KEY)
            seen[event.key] += 1
    assert set(seen) == {"took_event", "took_empire", "drew_card", "guard_set"}


def test_every_point_is_named():
    _, outcomes = played()
    keys = set()
    for outcome in outcomes:
        assert f"end.{outcome.reason}" in game.phrases
        for rounds in outcome.derivation:
            for name, lines in rounds:
                assert f"round.{name}" in game.phrases
                for line in lines:
                    keys.add(f"score.{line.key}")
                    assert is_paragraph(line.rule)
                    for lang in LANGUAGES:
                        assert glossary.nouns(KEY, line.pieces, lang) or not line.pieces
    assert keys == {key for key in phrases.PHRASES if key.startswith("score.")}


def test_every_refusal_can_be_said():
    for reason, build, text, actor, rule in CASES:
        state = build()
        who = state.active if actor is None else actor
        with pytest.raises(ValueError, match=r"refused\.") as refused:
            game.apply(state, game.actors(state)[0] if actor is None else who, game.parse_action(text))
        for lang in LANGUAGES:
            assert "{" not in wording.say(refused.value, lang, names=NAMES, game=KEY), reason
        assert is_paragraph(f"{KEY}#{rule}"), reason


def test_every_sentence_of_a_question_can_be_said_and_names_its_paragraph():
    rng = SeededRng(9)
    seen = Counter()
    asks = [asked for state, seat in rare_positions() for asked in walk(state, seat)]
    for state, seat in random_positions(21, 8, every=9):
        first = ask_of(state, seat)
        texts = [str(action) for action in game.legal_actions(state, seat)]
        asks += [first, *(ask_of(state, seat, entry.text) for entry in first.options)]
        asks.append(ask_of(state, seat, texts[rng.below(len(texts), "t")]))
    for asked in asks:
        for phrase in phrases_of(asked):
            if seen[phrase.text] < 2:
                assert all("{" not in said(phrase, lang) for lang in LANGUAGES)
            assert phrase.rule is None or is_paragraph(phrase.rule), phrase
            seen[phrase.text] += 1
        assert all(reason.rule for reason in asked.closed.values())
        assert all(answer.rule for _, answer in asked.why_not)
        assert asked.title.rule
        assert all(entry.label.rule for entry in asked.options)
    assert sorted(name for name, text in SENTENCES.items() if text not in seen) == []


# Cards


def test_every_ability_and_every_improvement_is_told():
    for empire in EMPIRES:
        phrase = ability_of(empire)
        assert (phrase is None) == (empire.effect == "none")
        if phrase is not None:
            assert all("{" not in said(phrase, lang) for lang in LANGUAGES)
            assert is_paragraph(phrase.rule)
    for event in EVENTS:
        phrase = improvement_of(event)
        assert (phrase is None) == (event.realm is not None)
        if phrase is not None:
            assert all("{" not in said(phrase, lang) for lang in LANGUAGES)
            assert is_paragraph(phrase.rule)


@pytest.mark.rule("history_of_the_world#abilities-2")
@pytest.mark.parametrize(
    ("card", "params", "sentence"),
    [
        ("egyptians", {"icons_per_monument": 3}, "One monument for every 3 resource icons held by your active armies."),
        ("greeks", {"kinds": ["sea", "fort"]}, "Against you, defenders get no benefit from sea and fort."),
        ("sassanids", {"bonus": 2}, "+2 to your highest die in each battle."),
        ("sassanids", {"bonus": 2, "only": "fleet"}, "+2 to your highest die in battles by fleet."),
        ("sassanids", {"bonus": 2, "only": "land"}, "+2 to your highest die in battles not fought by fleet."),
        ("americans", {"bonus": 1, "only": "region:japan"}, "+1 to your highest die in battles in this region: Japan."),
        ("han", {"count": 1}, "After the conquest, build up to 1 fort in provinces with your active armies."),
        ("i_industry", {"icons_per_monument": 3}, "This turn, one monument for every 3 resource icons held by your active armies."),
        ("i_engineers", {"kinds": ["terrain", "sea"]}, "This turn, defenders get no benefit from terrain and sea against you."),
        ("i_mercenaries", {"count": 4}, "You gain 4 armies from your supply, and a siege token for each army you lack."),
        (
            "i_silk_road",
            {"per": 3, "max": 5},
            "When the turn is scored, 1 point for every 3 resource icons held by your active armies, at most 5.",
        ),
    ],
)
def test_a_value_that_is_corrected_in_the_data_is_told_as_it_is(card, params, sentence):
    if card in EVENT_OF:
        phrase = improvement_of(replace(EVENTS[EVENT_OF[card]], params=params))
    else:
        phrase = ability_of(replace(EMPIRES[EMPIRE_OF[card]], params=params))
    assert phrase is not None
    assert said(phrase) == sentence


def test_no_sentence_of_a_card_is_left_over():
    used = {phrase.text for phrase in (*map(ability_of, EMPIRES), *map(improvement_of, EVENTS)) if phrase is not None}
    only_corrected = {  # conditions in the rules that no card of the data has now; see the test above
        *("ability.monument_ratio.many", "ability.ignore_defence", "ability.battle_bonus", "ability.battle_bonus.fleet"),
        *("ability.battle_bonus.land", "improvement.monument_ratio.many", "improvement.ignore_defence"),
    }
    assert {key for key, text in CARDS.items() if text not in used} == only_corrected
    assert set(ability_phrases.ABILITIES) >= {empire.effect for empire in EMPIRES} - {"none", "ignore_defence"}


# The sentences themselves


def test_every_field_is_known_and_every_counted_noun_is_in_the_glossary():
    known = {*wording.SPECS, *(f"count {noun}" for noun in glossary.noun_ids(KEY, "en"))}
    texts = SENTENCES | phrases.PHRASES | CARDS
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
        word = key.partition(".")[2] if key.partition(".")[0] in ("refused", "score", "round", "end") else key.removesuffix(".known")
        made = re.fullmatch(r"round\.epoch_[1-5]|looked_at_(events|empires)", key)
        assert f'"{word}"' in code or made, key


def test_every_paragraph_that_the_code_names_exists():
    rules = set()
    for path in PACKAGE.glob("*.py"):
        rules |= set(re.findall(r'"((?:[a-z]+)-\d+)"', path.read_text(encoding="utf-8")))
    assert len(rules) > 60
    assert {rule for rule in rules - {"utf-8"} if not is_paragraph(f"{KEY}#{rule}")} == set()
