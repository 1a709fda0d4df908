"""The picture of a result: for those who may see the table, the same for everybody, and kept."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.core.cache import cache
from django.test import Client
from PIL import Image

from games.registry import GAMES
from portal.tables import result_picture, result_views, services
from portal.tables.models import Table
from portal.tables.result_picture import Row, drawn, has_letters_for
from tests.portal.tables.telling import play
from tests.portal.tables.test_replay import opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(alice, fixed_secret):
    return play(opened(alice, "ra")).table


def asked(table, user=None, **values):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(f"/tables/{table.pk}/result.png", {"lang": "en", **values})


@pytest.fixture
def drawings(monkeypatch):
    made = []

    def noted(*facts):
        made.append(facts)
        return drawn(*facts)

    monkeypatch.setattr(result_views, "drawn", noted)
    return made


def test_the_picture_has_places_names_and_points_and_is_kept(ended, drawings):
    answer = asked(ended)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/png"
    assert answer["Cache-Control"] == "public, max-age=3600"
    with Image.open(BytesIO(answer.content)) as image:
        assert image.size == (1200, 630)
    assert len(answer.content) < 60_000
    ((game, title, lines, rows),) = drawings
    assert (game, title) == ("ra", "Ra")
    assert f"table {ended.pk}" in lines[1]
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    assert {row.number for row in rows} == set(range(1, 1 + len(rows)))
    page = Client().get(f"/tables/{ended.pk}/").content.decode()
    for row in rows:
        assert f">{row.name}</bdi>" in page
        assert f'class="matrix__total">{row.points}<' in page
    assert asked(ended, save="1")["Content-Disposition"] == f'attachment; filename="ziggurat-ra-{ended.pk}.png"'
    assert len(drawings) == 1, "the second one was kept"
    assert asked(ended, lang="hu").content != answer.content


def test_it_is_the_preview_of_a_table_for_everybody_and_of_no_other(ended, alice, bob):
    address = f'/tables/{ended.pk}/result.png?lang=en">'
    page = Client().get(f"/tables/{ended.pk}/").content.decode()
    assert address in page[page.index('"og:image"') :][:200]
    Table.objects.filter(pk=ended.pk).update(privacy=Table.Privacy.LINK)
    assert asked(ended).status_code == asked(ended, bob).status_code == 404
    mine = asked(ended, alice)
    assert (mine.status_code, mine["Cache-Control"]) == (200, "private, no-store")


@pytest.mark.parametrize("lang", ["", "xx", "en/../hu", "e" * 5000])
def test_there_is_none_in_other_languages(ended, lang):
    assert asked(ended, lang=lang).status_code == 404


def test_a_running_game_has_none(alice):
    table = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"]).table
    assert asked(table, alice).status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_six_players_with_long_names_find_room_in_every_game(game):
    cache.clear()
    rows = [Row(1 + number // 2, number, "Őszirózsa-Гильгамеш-" + "W" * 40, -1000 * number) for number in range(1, 7)]
    png = drawn(game, "After the Flood and long before it, in so many words that there is no room for them", ["a" * 90, "b"], rows)
    with Image.open(BytesIO(png)) as image:
        pixels = image.convert("RGB")
    edge = pixels.crop((result_picture.END + 24, 0, *result_picture.SIZE))
    assert len(edge.getcolors()) == 1, "nothing runs out of the list"


@pytest.mark.parametrize(
    ("name", "is_known"), [("Ödön", True), ("Гильгамеш", True), ("Šárka-2", True), ("阿丽丝", False), ("Αλίκη", False)]
)
def test_names_in_other_letters_are_not_drawn_as_boxes(name, is_known):
    assert has_letters_for(name) is is_known
