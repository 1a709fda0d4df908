"""The forms of actions that every game names for people and programs describe exactly what its parser takes."""

from __future__ import annotations

import json
import re
from itertools import chain
from pathlib import Path

import pytest

from games.core.contract import CHANCE, SCORER, ActionFormatError
from games.core.grammar import as_json, forms_of, pattern, sample, shape, texts
from games.core.rng import SeededRng
from games.registry import GAMES
from tests.engine.history_of_the_world.builders import position
from tests.engine.played import apprentice_games, every_game, every_table, plies

SAMPLES = 60  # of each form
BY = {CHANCE: "chance", SCORER: "scorer"}
ROOT = Path(__file__).parents[2]
RARE = {  # positions of a game with forms that are hardly ever met
    "history_of_the_world": lambda: position(phase="starting", epoch=4, empires=["mesoamericans", "vikings", "turks"], card=1),
}
SPOILT = (
    lambda text: text + " ",
    lambda text: " " + text,
    lambda text: text + "\n",
    lambda text: text.replace(" ", "  "),
    lambda text: text.upper(),
    lambda text: text + " 1",
    lambda text: text + " x",
    lambda text: text.rsplit(" ", 1)[0],
    lambda text: text + " " + text.rsplit(" ", 1)[-1],
    lambda text: " ".join(reversed(text.split(" "))),
    lambda text: text[:-1],
    lambda text: text[1:],
    lambda text: text.split(" ")[0],
    lambda text: " ".join([text.split(" ")[0], *reversed(text.split(" ")[1:])]),
    lambda text: text.replace("1", "01"),
    lambda text: text.replace("2", "٢"),
)


def takes(game, text: str) -> bool:
    try:
        action = game.parse_action(text)
    except ActionFormatError:
        return False
    assert str(action) == text
    return True


def recorded(key: str):
    """Yield (actor, text) of all golden games and worked examples of a game."""
    for file in sorted((ROOT / "tests/golden" / key).glob("*.json")):
        yield from json.loads(file.read_text())["actions"]
    for file in sorted((ROOT / "rules_docs/content" / key / "examples").glob("*.json")):
        yield from ((step["actor"], step["action"]) for step in json.loads(file.read_text())["steps"])


@every_table
def test_each_legal_action_has_exactly_one_form_and_it_says_who_does_it(key, seats):
    game = GAMES[key].game
    forms = game.grammar()
    for ply in plies(key, seats):
        legal = [ply.action] if ply.actor == CHANCE else game.legal_actions(ply.before, ply.actor)
        for text in map(str, legal):
            assert [form.by for form in forms_of(forms, text)] == [BY.get(ply.actor, "seat")], text


@every_game
def test_every_form_occurs_in_games_and_so_does_its_example(key):
    game = GAMES[key].game
    forms = game.grammar()
    met = {text for _actor, text in recorded(key)}
    for line in apprentice_games(key):
        for state, actor in line:
            met |= {str(action) for action in game.legal_actions(state, actor)} if actor != CHANCE else set()
    for ply in chain.from_iterable(plies(key, seats) for seats in game.meta.seats):
        met.add(str(ply.action))
    if key in RARE:
        state = RARE[key]()
        met |= {str(action) for action in game.legal_actions(state, game.actors(state)[0])}
    occurs = {form.verb for form in forms for text in met if text.split(" ")[0] == form.verb}
    assert {form.verb for form in forms} - occurs == set()
    assert [form.example for form in forms if form.example not in met] == []
    assert all(forms_of(forms, form.example) == [form] and takes(game, form.example) for form in forms)


@every_game
def test_the_parser_takes_what_a_form_allows_and_nothing_that_has_no_form(key):
    game = GAMES[key].game
    forms, rng = game.grammar(), SeededRng(f"grammar {key}")
    spoilt = 0
    for form in forms:
        for text in {sample(form, rng) for _ in range(SAMPLES)}:
            assert forms_of(forms, text) == [form], text
            assert takes(game, text), text
            for spoil in SPOILT:
                bad = spoil(text)
                assert takes(game, bad) == bool(forms_of(forms, bad)), bad
                spoilt += not takes(game, bad)
    assert spoilt > 100
    for nonsense in ("", " ", "nothing", "score score", "tile", "bid -1", "\x00", "draw" * 500):
        assert takes(game, nonsense) == bool(forms_of(forms, nonsense)), nonsense


def test_the_forms_of_a_game_with_few_actions_are_all_its_actions():
    from games.after_the_flood.actions import _ALL

    forms = {form.verb: form for form in GAMES["after_the_flood"].game.grammar()}
    for verb in forms.keys() - {"grow", "order", "roll"}:
        assert sorted(texts(forms[verb])) == sorted(text for text in _ALL if text.split(" ")[0] == verb)
    assert all(re.match(pattern(forms[text.split(" ")[0]]), text) for text in _ALL)
    with pytest.raises(ValueError, match="grow"):
        list(texts(forms["grow"]))


@every_game
def test_forms_are_told_alike_to_people_and_programs(key):
    game = GAMES[key].game
    forms = game.grammar()
    assert len({form.verb for form in forms}) == len(forms)
    assert len({shape(form) for form in forms}) == len(forms)
    for form in forms:
        told = as_json(form)
        assert json.loads(json.dumps(told)) == told
        assert told["shape"].split(" ")[0] == form.verb
        assert form.rule is None or form.rule.startswith(f"{key}#")
        assert form.meaning.endswith(".")
    assert game.meta.automatic <= {form.verb for form in forms if form.by == "seat"}
