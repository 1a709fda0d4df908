"""What teaches a game: every file is complete in every language, its lesson plays by the rules, and faults name their place."""

from __future__ import annotations

import json
from functools import cache

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.urls import reverse

from games.registry import GAMES
from rules_docs import content, inline, teaching
from rules_docs.teaching import SCREENS, TeachError, is_taught, teaching_of, with_names

TAUGHT = [key for key in GAMES if is_taught(key)]
LANGUAGES = settings.INTERFACE_LANGUAGES

NOWHERE = "#".join(("ra", "draw-99"))  # whole, it would be taken for a citation


@cache
def plain(key="ra"):
    return (content.ROOT / key / teaching.FILE).read_text("utf-8")


@pytest.mark.parametrize("key", TAUGHT)
def test_a_game_is_taught_in_every_language_by_its_own_paragraphs(key):
    found = teaching_of(key)
    assert [screen.key for screen in found.overview.screens] == list(SCREENS)
    texts = [text for screen in found.overview.screens for text in (screen.title, screen.text)]
    texts += [text for step in found.lesson.steps for text in (step.aim, step.why, step.instead)]
    texts += [row.text for section in found.aid for row in section.rows]
    for text in texts:
        assert set(text) == set(LANGUAGES)
        assert len(set(text.values())) == len(LANGUAGES), text
    for text in (text for text in texts if text not in [step.aim for step in found.lesson.steps]):
        for lang in LANGUAGES:
            assert "  " not in text[lang]


@pytest.mark.parametrize("key", TAUGHT)
def test_texts_fit_their_places(key):
    """The overview is read in two minutes, and neither a screen nor a step of the coach needs to be scrolled on a phone."""
    found = teaching_of(key)
    for lang in LANGUAGES:
        words = sum(len(screen.text[lang].split()) for screen in found.overview.screens)
        assert words <= 240, (lang, words)
        for screen in found.overview.screens:
            assert len(screen.title[lang]) <= 52, screen.title[lang]
            assert len(screen.text[lang]) <= 250, (len(screen.text[lang]), screen.text[lang])
        for step in found.lesson.steps:
            assert len(step.aim[lang]) <= 40, step.aim[lang]
            for text in (step.why, step.instead):
                assert len(text[lang]) <= 170, (len(text[lang]), text[lang])


@pytest.mark.parametrize("key", TAUGHT)
def test_a_lesson_has_a_handful_of_moves_and_ends_with_one_of_the_learners(key):
    lesson = teaching_of(key).lesson
    assert 6 <= len(lesson.steps) <= 12
    rules = GAMES[key].game
    assert lesson.seat in rules.actors(lesson.state)
    assert rules.outcome(lesson.state) is None
    starts = [step.start for step in lesson.steps]
    assert starts == sorted(starts)
    for number, start in enumerate(starts):
        assert lesson.script[start][0] == lesson.seat
        assert lesson.step_at(start) == number


def test_a_game_without_the_file_is_not_taught(tmp_path):
    (tmp_path / "ra").mkdir()
    assert not is_taught("ra", tmp_path)
    assert teaching_of("ra", tmp_path) is None


def changed(tmp_path, change):
    data = json.loads(plain())
    change(data)
    folder = tmp_path / "ra"
    folder.mkdir()
    (folder / teaching.FILE).write_text(json.dumps(data), "utf-8")
    return tmp_path


def drop_russian(data):
    del data["overview"]["screens"][1]["text"]["ru"]


def wrong_anchor(data):
    data["aid"][0]["rows"][0]["rules"] = [NOWHERE]


def wrong_piece(data):
    data["aid"][0]["rows"][0]["text"]["hu"] = "[[tile:camel]]"


def wrong_macro(data):
    data["aid"][0]["rows"][0]["text"]["hu"] = "[[draw-1]]"


def not_the_learner(data):
    data["lesson"]["steps"][1]["plays"].insert(0, [1, "pass"])


def illegal(data):
    data["lesson"]["steps"][4]["plays"][0] = [0, "bid 3"]


def no_action(data):
    data["lesson"]["steps"][0]["plays"][0] = [0, "jump"]


def wrong_name(data):
    data["lesson"]["steps"][1]["why"]["en"] = "{4} drew."


def no_decision(data):
    data["lesson"]["steps"][-1]["plays"].pop()


def missing_screen(data):
    data["overview"]["screens"].pop()


def bad_selector(data):
    data["overview"]["parts"] = [".ra-sky{}"]


def other_order(data):
    data["aid"].reverse()


def too_few_names(data):
    data["names"]["ru"].pop()


def impossible(data):
    data["lesson"]["position"]["state"]["ra_track"] = 20


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (drop_russian, r"overview\.screens\[1\]\.text\.ru: the text is missing"),
        (wrong_anchor, rf"aid\[0\]\.rows\[0\]\.rules\[0\]: '{NOWHERE}' is no paragraph"),
        (wrong_piece, r"aid\[0\]\.rows\[0\]\.text\.hu: .*camel"),
        (wrong_macro, r"\[\[draw-1\]\]: expected"),
        (not_the_learner, r"lesson\.steps\[1\]\.plays: the first action must be the learner's"),
        (illegal, r"lesson\.steps\[4\]\.plays\[0\]: 'bid 3' is refused by ra#"),
        (no_action, r"lesson\.steps\[0\]\.plays\[0\]: 'jump'"),
        (wrong_name, r"lesson\.steps\[1\]\.why\.en: there is no seat \{4\}"),
        (no_decision, r"lesson\.steps: after the last step the learner must have a decision"),
        (missing_screen, r"overview\.screens: expected these keys"),
        (bad_selector, r"overview\.parts\[0\]: .*is no CSS selector"),
        (other_order, r"aid: expected each of these sections once"),
        (too_few_names, r"names: overview\.position has 3 seats"),
        (impossible, r"lesson\.position: .*ra_track"),
    ],
)
def test_a_fault_is_told_with_file_and_field(tmp_path, change, told):
    with pytest.raises(TeachError, match=rf"^ra/teach\.json: .*{told}"):
        teaching_of("ra", changed(tmp_path, change))


def test_a_file_that_is_no_json(tmp_path):
    (tmp_path / "ra").mkdir()
    (tmp_path / "ra" / teaching.FILE).write_text("{", "utf-8")
    with pytest.raises(TeachError, match=r"ra/teach\.json: is no JSON"):
        teaching_of("ra", tmp_path)


def test_the_check_of_the_rule_books_reads_it_too(monkeypatch):
    monkeypatch.setattr(teaching, "SCREENS", ("goal",))
    with pytest.raises(CommandError, match=r"ra/teach\.json: overview\.screens: expected these keys"):
        call_command("load_rules", "ra", check=True, verbosity=0)
    monkeypatch.undo()
    teaching.forget()


def test_names_are_those_of_the_table():
    assert with_names("{2} bids, {1} waits.", ["Anna", "Ben"]) == "Ben bids, Anna waits."


def test_pieces_in_running_text():
    html = inline.rendered("ra", "<b> [[tile:nile]] [[pic:sun]] [[term:epoch_1]]", "hu")
    assert html.startswith("&lt;b&gt; ")
    assert html.count("<svg") == 2
    assert "Nílus</span>" in html
    assert "Óbirodalom" in html


@pytest.mark.django_db
@pytest.mark.parametrize("key", TAUGHT)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_player_aid_is_a_page_and_a_piece_of_one(client, key, lang):
    address = reverse("rules:aid", args=[lang, key])
    page = client.get(address).content.decode()
    rows = sum(len(section.rows) for section in teaching_of(key).aid)
    assert page.count('class="aid__row"') == rows
    piece = client.get(address, headers={"HX-Request": "true"})
    assert piece.content.decode().count('class="aid__row"') == rows
    assert b"<html" not in piece.content
    assert "HX-Request" in piece["Vary"]


@pytest.mark.django_db
def test_an_aid_that_is_not_there(client):
    assert client.get("/en/rules/chess/aid/").status_code == 404
    assert client.get("/xx/rules/ra/aid/").status_code == 404
