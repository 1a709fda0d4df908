"""Faults of position files: people read them in their language, programs and logs in English, and the field's name is the file's everywhere."""

from __future__ import annotations

import json
import pickle

import pytest
from django.urls import reverse
from django.utils import translation

from games.core.contract import PositionError
from games.core.jsonio import fault
from games.core.records import read_json, start_of_position
from games.registry import game
from portal.positions.codes import code_of
from portal.tables import refusals
from portal.tables.faults import Said, said
from portal.tables.models import Table
from tests.portal.positions.seen import fault_of

pytestmark = pytest.mark.django_db
FAULTS = [
    (
        {"fame": [1, 2, "x"]},
        "fame[2]: expected a whole number from 0 to 1000000000, found 'x'",
        "fame[2]: 0 és 1000000000 közötti egész szám kell, itt viszont 'x' áll",
        "fame[2]: нужно целое число от 0 до 1000000000, а здесь 'x'",
    ),
    ({"colour": 5}, "colour: is not known", "colour: ismeretlen", "colour: такого поля нет"),
    (
        {"tiles": [{"pharaoh": 25}, {"pharaoh": 1}, {}]},
        "tiles: more pharaoh than the 25 of the game",
        "tiles: több pharaoh, mint a játékban lévő 25",
        "tiles: pharaoh: больше, чем есть в игре (25)",
    ),
    (
        {"track": ["pharaoh", None]},
        "track: ends with a gap",
        "track: üres hellyel végződik",
        "track: заканчивается пустым местом",
    ),
    (
        {"phase": "nap"},
        "phase: expected one of turn, auction, discard, drawing, deal, scoring, end; found 'nap'",
        "phase: ezek egyike kell: turn, auction, discard, drawing, deal, scoring, end; itt viszont 'nap' áll",
        "phase: нужно одно из: turn, auction, discard, drawing, deal, scoring, end; а здесь 'nap'",
    ),
]


def text_with(state: dict[str, object], key: str = "ra") -> str:
    return json.dumps({"game": key, "seats": 3, "state": state, "fill": "1"})


@pytest.mark.parametrize(("state", "en", "hu", "ru"), FAULTS)
def test_the_editor_says_a_fault_in_the_reader_s_language_case(client, state, en, hu, ru):
    for lang, line in (("en", en), ("hu", hu), ("ru", ru)):
        page = client.post(reverse("position-editor", args=["ra"]), {"text": text_with(state)}, headers={"accept-language": lang})
        assert line in fault_of(page)
        assert f'lang="{lang}">{line[:4]}' in page.content.decode()


@pytest.mark.parametrize(("state", "en", "hu", "ru"), FAULTS)
def test_programs_and_logs_have_the_english_line_case(state, en, hu, ru):
    file = json.loads(text_with(state)) | {"format": "ziggurat-position/1", "rules_version": 1, "options": {}}
    with translation.override("ru"), pytest.raises(PositionError) as error:
        start_of_position(file, game)
    assert str(error.value) == en
    assert said(error.value) == en
    with translation.override("hu"):
        assert said(error.value) == hu


def test_a_fault_without_a_sentence_is_said_in_english(client):
    error = PositionError("hands[1]: is of another time")
    with translation.override("hu"):
        assert said(error) == "hands[1]: is of another time"
    state = {"leaders": [{"king": "A1"}, {}, {}]}
    with pytest.raises(PositionError) as raised:
        start_of_position(json.loads(text_with(state, "after_the_flood")) | {"format": "ziggurat-position/1", "rules_version": 1}, game)
    assert raised.value.where


def test_values_of_a_file_are_no_fields_of_a_sentence():
    error = fault("fame", "{found} is not a number", found="{n} {found:noun}")
    assert str(error) == "fame: {n} {found:noun} is not a number"
    with translation.override("hu"):
        assert said(error) == "fame: {n} {found:noun} nem szám"
    written = fault("fame", "is {unknown:kind}")
    assert str(written) == said(written) == "fame: is {unknown:kind}"


def test_a_fault_comes_whole_out_of_another_process():
    error = fault("suns", "expected {n} suns", n=3)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.where, again.what) == (str(error), error.where, error.what)


def test_a_refusal_says_the_fault_in_the_language_in_which_it_is_read():
    refusal = refusals.BadFile(fault=Said(fault("seats", "is missing")))
    for lang, line in (("en", "seats: is missing"), ("hu", "seats: hiányzik"), ("ru", "seats: отсутствует")):
        with translation.override(lang):
            assert line in str(refusal)


def test_frame_and_picture_say_it_too(client):
    code = code_of(read_json(text_with({"colour": 5})) | {"format": "ziggurat-position/1", "rules_version": 1, "options": {}})
    for name, extra in (("embed-position", []), ("picture-position", ["svg"])):
        page = client.get(reverse(name, args=["ra", *extra]), {"p": code, "lang": "hu"})
        assert page.status_code == 422
        assert "colour: ismeretlen" in page.content.decode()
    assert Table.objects.count() == 0
