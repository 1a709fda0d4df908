"""Faults of position files: people read them in their language, programs and logs in English, and the field's name is the file's everywhere."""

from __future__ import annotations

import ast
import copy
import json
import pickle
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation

from games.core.contract import PositionError
from games.core.jsonio import fault
from games.core.records import read_json, start_of_position
from games.core.rng import SeededRng
from games.registry import GAMES, game
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


GAME_FOLDERS = [Path(settings.BASE_DIR, "games", key) for key in ("core", *GAMES)]
SAYS_FAULTS = ("jsonio.fail", "jsonio.fault", "fail", "fault", "SetupError.of")
# the spoilt positions that each game's own tests refuse
SPOILT = [(key, ways) for key in GAMES for ways in import_module(f"tests.engine.{key}.test_positions").SPOILT]
OTHERS = ("hu", "ru")


def without_sentence(folder: Path) -> list[str]:
    """Return the calls that make a fault whose sentence isn't marked for translation, or that give none."""
    found = []
    for file in sorted(folder.glob("*.py")):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = ast.unparse(call.func)
            if name == "PositionError":
                is_marked = any(keyword.arg == "what" for keyword in call.keywords)
            elif name in SAYS_FAULTS:
                is_marked = not isinstance(call.args[1], ast.Constant | ast.JoinedStr | ast.BinOp)
            else:
                continue
            if not is_marked:
                found.append(f"{file.name}:{call.lineno}: {ast.unparse(call)}")
    return found


@pytest.mark.parametrize("folder", GAME_FOLDERS, ids=[folder.name for folder in GAME_FOLDERS])
def test_every_fault_of_a_game_is_a_sentence_to_be_translated(folder):
    assert without_sentence(folder) == []


def test_a_fault_that_is_only_a_line_is_noticed(tmp_path):
    (tmp_path / "position.py").write_text(
        "jsonio.fail('bag', f'more than {n}')\njsonio.fail('bag', N_('is empty'))\nraise PositionError('bag: x')\n"
    )
    assert [line.split(": ")[0] for line in without_sentence(tmp_path)] == ["position.py:1", "position.py:3"]


@pytest.mark.parametrize(("key", "ways"), SPOILT, ids=[f"{n} {key}" for n, (key, _) in enumerate(SPOILT)])
def test_every_spoilt_position_is_refused_in_the_reader_s_language(key, ways):
    good, spoils = ways
    for field, spoil in spoils:
        data = copy.deepcopy(good())
        spoil(data)
        with pytest.raises(PositionError) as error:
            game(key).state_from_json(data)
        for lang in OTHERS:
            with translation.override(lang):
                line = said(error.value)
            assert line.startswith(f"{field}: ")
            assert line != str(error.value)


@pytest.mark.parametrize(
    ("key", "partial", "en", "hu", "ru"),
    [
        (
            "babel",
            {"temples": [{land: [level] for land, level in zip(("assyrians", "hittites", "medes"), (6, 6, 3), strict=True)}, {}]},
            "temples: seat 0 has won already: 15 against 0",
            "temples: a(z) 0 számú hely már nyert: 15, az ellenfélé 0",
            "temples: место 0 уже победило: 15 против 0",
        ),
        (
            "after_the_flood",
            {"workers": [{"scribes": 4}, {}, {}]},
            "workers[0]: more than 2 scribes",
            "workers[0]: több mint 2 írnok",
            "workers[0]: писцов больше, чем 2",
        ),
        (
            "history_of_the_world",
            {"armies": [["nile"], ["nile"], []]},
            "armies[1]: nile holds one army only",
            "armies[1]: nile: csak egy hadsereg fér el benne",
            "armies[1]: nile: вмещает только одно войско",
        ),
        (
            "tigris_euphrates",
            {"tiles": {"farm": "A1"}},
            "tiles.farm: A1 is land; farms go on the river",
            "tiles.farm: A1 szárazföld; gazdaság folyóra kerül",
            "tiles.farm: A1 — суша; пашни ставятся на реку",
        ),
    ],
)
def test_each_game_says_its_faults_in_the_reader_s_language(key, partial, en, hu, ru):
    with pytest.raises(PositionError) as error:
        game(key).complete(partial, SeededRng(1))
    assert str(error.value) == en
    for lang, line in (("hu", hu), ("ru", ru)):
        with translation.override(lang):
            assert said(error.value) == line


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
