"""The grammar of each game's actions: in the API for programs, and on a page of the rule book for people, in three languages."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from games.core.grammar import BYS, shape
from games.registry import GAMES
from portal.tables.loading import load
from rules_docs import content
from tests.portal.api.asking import ROOT, Person, code_of
from tests.portal.sixth.conftest import nim

__all__ = ["nim"]
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game", GAMES)
def test_every_game_tells_its_grammar_in_every_language_without_a_statement(game, django_assert_num_queries):
    told = {}
    for lang in ("en", "hu", "ru"):
        with django_assert_num_queries(0):
            answer = Client().get(f"{ROOT}games/{game}/grammar/?lang={lang}")
        assert (answer.status_code, answer["Cache-Control"]) == (200, "public, max-age=300")
        told[lang] = answer.json()
    assert told["en"]["rules_version"] == GAMES[game].game.meta.rules_version
    assert [form["verb"] for form in told["en"]["forms"]] == [form.verb for form in GAMES[game].game.grammar()]
    for forms in zip(*(one["forms"] for one in told.values()), strict=True):
        assert len({form["meaning"] for form in forms}) == 3 and len({form["pattern"] for form in forms}) == 1
        assert re.match(forms[0]["pattern"], forms[0]["example"])
        assert forms[0]["by"] in BYS
        assert forms[0]["rule"].partition("#")[2] in content.places(game)


def test_the_legal_actions_of_a_table_have_the_forms_that_the_grammar_names(duel, alice, bob):
    patterns = [form["pattern"] for form in Client().get(f"{ROOT}games/ra/grammar/").json()["forms"]]
    due = load(duel.pk).table.due[0]
    for person in (alice, bob):
        table = Person(person).get(f"tables/{duel.pk}/").json()
        assert bool(table["legal"]) == (table["my_seat"] == due)
        assert all(sum(bool(re.match(one, action)) for one in patterns) == 1 for action in table["legal"])
    assert not any(re.match(one, "nonsense") for one in patterns)


def test_a_game_that_is_not_there_and_one_that_tells_nothing(nim):
    missing = Client().get(f"{ROOT}games/chess/grammar/")
    assert (missing.status_code, code_of(missing)) == (404, "no_such_game")
    assert [form["verb"] for form in Client().get(f"{ROOT}games/nim/grammar/").json()["forms"]] == ["take", "pile", "score"]


@pytest.mark.parametrize("game", GAMES)
def test_the_page_has_every_form_with_its_meaning_example_and_paragraph(game):
    for lang in content.book(game).languages:
        page = Client().get(reverse("rules:grammar", args=[lang, game]))
        assert page.status_code == 200
        body = page.content.decode()
        for form in Client().get(f"{ROOT}games/{game}/grammar/?lang={lang}").json()["forms"]:
            assert escape(form["meaning"]) in body and f">{form['example']}<" in body
        for form in GAMES[game].game.grammar():
            assert escape(shape(form)) in body
            assert content.paragraph_address(game, form.rule.partition("#")[2], lang) in body
    assert Client().get("/en/rules/chess/grammar/").status_code == 404
