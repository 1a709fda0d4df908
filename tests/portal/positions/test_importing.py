"""A game that somebody has written down is shown in the editor, and each of its positions can be opened."""

from __future__ import annotations

import re
from html import unescape

import pytest

pytestmark = pytest.mark.django_db
PAGE = "/positions/tigris_euphrates/"
GAME = "leader B3 red\ntile C3 black\nleader K2 red\n"


def test_a_game_is_shown_at_its_end_and_each_position_opens(client):
    page = client.post(PAGE, {"text": GAME})
    assert page.status_code == 200
    links = [unescape(link) for link in re.findall(r'<a class="num" href="([^"]*)"', page.content.decode())]
    assert len(links) == 4
    for link in links:
        assert client.get(link).status_code == 200
    assert "leader K2 red" in page.content.decode()
    assert "Positions of this game" not in client.get(links[-1]).content.decode()


def test_a_line_that_can_t_be_played_is_named(client):
    page = client.post(PAGE, {"text": GAME + "tile E1 red\n"}, headers={"HX-Request": "true"})
    assert page.status_code == 422
    assert "line 4: " in unescape(page.content.decode())
    assert "Positions of this game" not in page.content.decode()


@pytest.mark.parametrize(
    ("line", "lang", "fault"),
    [
        ("tile E1 red", "en", "line 4: 'tile E1 red': E1 is a river. Only farms go on rivers."),
        ("tile E1 red", "hu", "4. sor: 'tile E1 red': E1: ez folyó. Ide csak gazdaság kerülhet."),
        ("tile Q1 red", "hu", "4. sor: 'tile Q1 red': 'Q1' nem mező; a mezők: A1–P11"),
        ("tile Q1 red", "ru", "строка 4: 'tile Q1 red': 'Q1': такой клетки нет; клетки от A1 до P11"),
        ("war", "ru", "строка 4: 'war': после war пишется цвет"),
    ],
)
def test_a_line_is_refused_in_the_reader_s_language(client, line, lang, fault):
    page = client.post(PAGE, {"text": GAME + line}, headers={"accept-language": lang})
    assert page.status_code == 422
    assert fault in unescape(page.content.decode())


def test_a_game_can_be_played_on_and_other_games_take_no_records(client):
    opened = client.post(PAGE, {"text": GAME, "do": "play", "as": "1", "level": "apprentice"})
    assert opened.status_code == 302
    assert client.post("/positions/ra/", {"text": GAME}).status_code == 422


def test_taking_a_field_turns_the_record_into_its_last_position(client):
    page = client.post(PAGE, {"text": GAME, "do": "take bag"})
    assert page.status_code == 200
    assert "&quot;bag&quot;" in page.content.decode()
    assert "Positions of this game" not in page.content.decode()
