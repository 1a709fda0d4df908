"""Sentences: typed fields, lists, numbers, what a reader may know."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from games import registry
from games.core.contract import Event, IllegalAction, Phrase
from voice import glossary, wording

ROOT = Path(__file__).parents[2]
NAMES = ["Anna", "Bence"]


def say(text: str, lang: str = "en", **params: object) -> str:
    return wording.say(Phrase(text, params), lang, names=NAMES, game="ra")


@pytest.mark.parametrize(
    ("text", "params", "said"),
    [
        ("{seat:name} passed.", {"seat": 1}, "Bence passed."),
        ("{seats:names} share it.", {"seats": [0, 1]}, "Anna and Bence share it."),
        ("Drawn: {tile:noun}", {"tile": "mon_step_pyramid"}, "Drawn: step pyramid"),
        ("{tiles:nouns}", {"tiles": ["pharaoh", "nile", "pharaoh", "gold"]}, "2\u00a0pharaohs, Nile and gold"),
        ("{tiles:nouns}", {"tiles": {"nile": 3, "god": 0}}, "3\u00a0Niles"),
        ("{tiles:nouns}", {"tiles": []}, ""),
        ("{p:signed}", {"p": 5}, "+5"),
        ("{p:signed}", {"p": -2}, "−2"),
        ("{p:signed}", {"p": 0}, "0"),
        ("{n:count tile}", {"n": 1}, "1\u00a0tile"),
        ("{n:count tile}", {"n": 0}, "0\u00a0tiles"),
        ("{n} of {of}", {"n": 3, "of": 8}, "3 of 8"),
        ("no field", {}, "no field"),
    ],
)
def test_fields_are_filled_by_their_type(text: str, params: dict[str, object], said: str) -> None:
    assert say(text, **params) == said


@pytest.mark.parametrize(("lang", "said"), [("en", "+1.5, −0.3 or 2.5"), ("hu", "+1,5, −0,3 or 2,5"), ("ru", "+1,5, −0,3 or 2,5")])
def test_a_fraction_has_the_decimal_sign_of_the_language(lang: str, said: str) -> None:
    assert say("{more:signed}, {less:signed} or {n}", lang, more=1.5, less=-0.3, n=2.5) == said


def test_each_language_counts_and_lists_in_its_own_way() -> None:
    assert say("{tiles:nouns}", "hu", tiles=["pharaoh", "pharaoh", "gold"]) == "2\u00a0fáraó és arany"
    assert [say("{n:count tile}", "ru", n=n) for n in (1, 3, 5, 21)] == [
        "1\u00a0плитка",
        "3\u00a0плитки",
        "5\u00a0плиток",
        "21\u00a0плитка",
    ]


def test_names_stand_as_they_are_even_with_braces_and_markup() -> None:
    assert wording.say(Phrase("{seat:name} passed.", {"seat": 0}), "en", names=["{n} <b>"], game="ra") == "{n} <b> passed."


@pytest.mark.parametrize("text", ["{n:colour}", "{n:count}", "{missing}"])
def test_a_message_with_an_unknown_or_missing_field_is_a_fault(text: str) -> None:
    with pytest.raises(wording.WordingError):
        say(text, n=1)


def test_an_event_with_an_unknown_key_is_a_fault() -> None:
    with pytest.raises(wording.WordingError, match="no phrase 'danced'"):
        wording.say(Event("danced"), "en", names=NAMES, game="ra")


def test_a_refusal_is_said_by_its_reason() -> None:
    refusal = IllegalAction("refused.bid_too_low", "ra#auction-3", sun=3, best=6)
    assert wording.say(refusal, "en", names=NAMES, game="ra") == "Sun 3 doesn't beat the bid of 6. Bid higher, or pass."


def test_only_the_reader_of_a_secret_is_told_it() -> None:
    event = Event("fame_hidden", {"seat": 0, "epoch": "epoch_1"}, secret={0: {"points": 7, "fame": 17}, 1: {"points": 0, "fame": 0}})
    own = wording.say(event, "en", names=NAMES, me=0, game="ra")
    assert "+7" in own
    assert "17" in own
    for me in (None, 5):
        other = wording.say(event, "en", names=NAMES, me=me, game="ra")
        assert other
        assert not any(character.isdigit() for character in other)


def test_an_event_of_my_own_may_have_its_own_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.game("ra").phrases, "passed.me", "You passed.")
    event = Event("passed", {"seat": 0})
    assert wording.say(event, "en", names=NAMES, me=0, game="ra") == "You passed."
    assert wording.say(event, "en", names=NAMES, me=1, game="ra") == "Anna passed."


@cache
def marked(package: str) -> list[str]:
    """Return every sentence that a package marks for translation in any module: for events, questions, bots, drawings."""
    folder = Path(str(import_module(package).__file__)).parent
    calls = [node for file in sorted(folder.rglob("*.py")) for node in ast.walk(ast.parse(file.read_text("utf-8"))) if _is_mark(node)]
    return ["\x04".join(map(ast.literal_eval, call.args)) for call in calls if isinstance(call, ast.Call)]


def _is_mark(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("N_", "NC_")


@cache
def messages() -> list[tuple[str, str]]:
    found: dict[tuple[str, str], None] = {}
    for key, entry in registry.GAMES.items():
        found |= {(key, text): None for text in entry.game.phrases.values()}
        found |= {(key, text): None for text in (*marked(entry.package), *marked("games.core"))}
    return list(found)


def test_sentences_of_questions_bots_and_drawings_are_among_those_compared() -> None:
    from games.babel import bot_phrases, prompt_phrases

    assert {("babel", prompt_phrases.THEN_END_HANDS), ("babel", bot_phrases.BOT_PHRASES["bot.points"])} <= set(messages())
    for key, entry in registry.GAMES.items():
        assert set(entry.game.phrases.values()) <= {*marked(entry.package), *marked("games.core")}, key


def is_known(spec: str, game: str, lang: str) -> bool:
    kind, _, noun = spec.partition(" ")
    return spec in wording.SPECS or (kind == "count" and noun in glossary.noun_ids(game, lang) | glossary.noun_ids(game, "en"))


def _kind(spec: str) -> str:
    """Return the kind of a field: a translation may give a number with or without its noun."""
    return "number" if spec in ("", "signed") or spec.startswith("count ") else spec


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_sentence_of_a_game_has_known_fields_and_keeps_them_in_every_language(game: str) -> None:
    texts = [text for key, text in messages() if key == game]
    assert len(texts) > 100
    assert [fault for text in texts for fault in faults_of(game, text)] == []


def faults_of(game: str, text: str) -> list[str]:
    fields = set(wording.fields(text))
    kinds = {(name, _kind(spec)) for name, spec in fields}
    faults = [f"{spec!r} is not known: {text}" for _, spec in fields if not is_known(spec, game, "en")]
    for lang in ("hu", "ru", "en"):
        translated = wording.translate(text, lang)
        own = list(wording.fields(translated))
        faults += [f"{lang}: no such field {name!r}: {translated}" for name, spec in own if (name, _kind(spec)) not in kinds]
        faults += [f"{lang}: {spec!r} is not known: {translated}" for _, spec in own if not is_known(spec, game, lang)]
        if translated.count("{") != len(own) or not translated:
            faults.append(f"{lang}: a brace without a field, or nothing at all: {translated!r} for {text!r}")
    return faults


def test_a_fault_of_a_translation_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert faults_of("ra", "{seat:name} passed: {n}") == []
    for translated in ("{seat:colour} {n}", "{other:name}", "{n} {", ""):
        monkeypatch.setattr(wording, "translate", lambda _text, _lang, translated=translated: translated)
        assert faults_of("ra", "{seat:name} passed: {n}"), translated


def test_one_word_may_differ_between_games_by_its_context() -> None:
    said = {
        lang: [wording.say_key(game, "score.monuments", lang) for game in ("history_of_the_world", "tigris_euphrates")]
        for lang in ("en", "ru")
    }
    assert said == {"en": ["Monuments", "Monuments"], "ru": ["Памятники", "Монументы"]}


def test_the_sumerians_have_one_name_in_hungarian() -> None:
    """In names, sentences and all books; "Sumerer" is the German word on a card."""
    files = [ROOT / "voice/glossary/hu.toml", ROOT / "locale/hu/LC_MESSAGES/django.po", *(ROOT / "rules_docs/content").glob("*/hu/*.md")]
    english_and_ids = re.compile(r'^(#|::|msgid |"|\w+ = ).*|\[\[.*?\]\]|\w*_\w*', re.MULTILINE)
    found = [
        (file.name, word)
        for file in files
        for word in re.findall(r"\bsumer(?!er\b)\w*", english_and_ids.sub("", file.read_text("utf-8")), re.I)
    ]
    assert found == []
    nouns = [(game, noun, glossary.noun(game, noun, "hu")) for game in registry.GAMES for noun in glossary.noun_ids(game, "hu")]
    assert [told for told in nouns if "sumer" in told[2].casefold()] == []
    assert glossary.noun("after_the_flood", "sumer", "hu") == glossary.noun("babel", "land_sumerians", "hu") == "Suméria"


def test_a_noun_that_a_language_lacks_is_english_and_an_unknown_id_a_fault() -> None:
    assert glossary.noun("ra", "pharaoh", "xx") == "pharaoh"
    with pytest.raises(KeyError, match="no noun 'spaceship'"):
        glossary.noun("ra", "spaceship", "en")
