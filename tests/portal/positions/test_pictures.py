"""Pictures at their addresses: what each reader gets, how large it is, how long it is kept, and what comes in its place."""

from __future__ import annotations

import re
import struct
from dataclasses import replace

import pytest
from django.urls import reverse

from games import registry
from portal.accounts import oauth_views
from portal.accounts.models import User
from portal.positions import editor_views, embed_views, picture_views, pictures
from portal.positions.codes import code_of
from portal.tables.models import Table
from rules_docs.examples import example

pytestmark = pytest.mark.django_db
HOME = "http://testserver"


@pytest.fixture(autouse=True)
def home(settings):
    settings.BASE_URL = HOME


def of_table(table, form="svg") -> str:
    return reverse("picture-table", args=[table.pk, form])


def of_position(game="ra", form="svg") -> str:
    return reverse("picture-position", args=[game, form])


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


@pytest.fixture
def code():
    return code_of(example("ra", "auction").position)


@pytest.fixture
def drawings(monkeypatch):
    """The widths of the PNGs that are drawn, by a small stand-in for what draws them."""
    widths = []

    def drawn(svg, width):
        widths.append(width)
        return b"\x89PNG\r\n\x1a\n" + svg.encode()[:40]

    monkeypatch.setattr(pictures, "_drawn", drawn)
    return widths


def test_everybody_gets_the_picture_of_a_visitor(client, browser, running, alice, bob):
    """Whoever is signed in here may look at another site; their hand must not be in its pictures."""
    for query in ({"step": 3, "lang": "hu"}, {}, {"seat": "1"}):
        answers = [looks.get(of_table(running.table), query) for looks in (client, browser(alice), browser(bob))]
        assert [answer.status_code for answer in answers] == [200] * 3
        assert len({answer.content for answer in answers}) == 1
    assert client.get(of_table(running.table), {"seat": "1"}).content == client.get(of_table(running.table)).content


def test_a_picture_is_sent_as_one_that_can_do_nothing(client, ended):
    shown = client.get(of_table(ended.table), {"step": 4})
    assert shown["Content-Type"] == "image/svg+xml"
    assert shown["Content-Security-Policy"] == "default-src 'none'; frame-ancestors *; sandbox"
    assert shown["X-Content-Type-Options"] == "nosniff"
    assert shown["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert shown["Cache-Control"] == "public, max-age=60"
    assert shown["Content-Language"] == "en"
    assert "X-Frame-Options" not in shown and not shown.cookies
    assert f"Table {ended.table.pk}, step 4" in shown.content.decode()


def test_the_same_picture_is_sent_once(client, ended, drawings):
    for form in ("svg", "png"):
        first = client.get(of_table(ended.table, form), {"step": 4})
        again = client.get(of_table(ended.table, form), {"step": 4}, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
        other = client.get(of_table(ended.table, form), {"step": 5}, headers={"If-None-Match": first["ETag"]})
        assert other.status_code == 200 and other["ETag"] != first["ETag"]
    assert drawings == [pictures.USUAL] * 2, "none for the 304"


def test_a_png_has_the_width_that_is_asked_for(client, code):
    usual = client.get(of_position("ra", "png"), {"p": code})
    wide = client.get(of_position("ra", "png"), {"p": code, "width": 320, "theme": "dark", "lang": "ru"})
    svg = client.get(of_position("ra"), {"p": code}).content.decode()
    assert usual["Content-Type"] == wide["Content-Type"] == "image/png"
    assert size_of(usual.content) == (1000, pictures.height_of(svg, 1000))
    assert size_of(wide.content)[0] == 320


def test_widths_that_there_are_none_of(client, code, drawings):
    for width in ("319", "321", "1640", "0", "-320", "9" * 400, "x", "٣٢٠", "1e3", " 320"):
        answer = client.get(of_position("ra", "png"), {"p": code, "width": width})
        assert answer.status_code == 400, width
        assert answer.content.decode() == "Give width as a whole number from 320 to 1600, in steps of 40.\n"
        assert answer["Cache-Control"] == "no-store"
    assert drawings == []
    for width in ("320", "1600"):
        assert client.get(of_position("ra", "png"), {"p": code, "width": width}).status_code == 200
    assert client.get(of_position("ra"), {"p": code, "width": "x"}).status_code == 200, "an SVG has no width"


def test_a_png_is_drawn_once_and_then_kept(client, code, drawings):
    answers = {client.get(of_position("ra", "png"), {"p": code, "width": 400}).content for _ in range(3)}
    assert len(answers) == 1 and drawings == [400]
    client.get(of_position("ra", "png"), {"p": code, "width": 440})
    client.get(of_position("ra", "png"), {"p": code, "width": 440, "theme": "dark"})
    assert drawings == [400, 440, 440]


def test_while_another_is_drawn_people_are_asked_to_come_back(client, code, drawings, monkeypatch):
    monkeypatch.setattr(pictures, "WAIT_S", 0)
    with pictures._drawing:
        busy = client.get(of_position("ra", "png"), {"p": code})
    assert (busy.status_code, busy["Retry-After"], busy["Cache-Control"]) == (503, "5", "no-store")
    assert client.get(of_position("ra", "png"), {"p": code}).status_code == 200


def test_a_drawing_that_takes_too_long_is_stopped(client, code, monkeypatch):
    monkeypatch.setattr(pictures, "STOPPED_S", 0)
    assert client.get(of_position("ra", "png"), {"p": code}).status_code == 503
    assert pictures._drawing.acquire(blocking=False), "the next one can be drawn"
    pictures._drawing.release()


def test_hidden_games_have_no_picture(client, browser, ended, alice, club):
    ended.table.privacy = Table.Privacy.LINK
    ended.table.save()
    for form in ("svg", "png"):
        for looks in (client, browser(alice)):
            hidden = looks.get(of_table(ended.table, form))
            missing = looks.get(reverse("picture-table", args=[10**9, form]))
            assert hidden.status_code == missing.status_code == 404
            assert hidden.content == missing.content
            assert hidden["Cache-Control"] == "no-store"
    Table.objects.filter(pk=ended.table.pk).update(privacy=Table.Privacy.PUBLIC, club=club)
    assert client.get(of_table(ended.table)).status_code == 200
    club.is_private = True
    club.save()
    assert client.get(of_table(ended.table)).status_code == 404


def test_what_there_is_no_picture_of(client, ended, code):
    assert client.get(f"/pictures/tables/{ended.table.pk}.gif").status_code == 404
    assert client.get("/pictures/positions/chess.svg", {"p": code}).status_code == 404
    assert client.get(of_table(ended.table), {"step": 10**5}).status_code == 404
    assert client.get(of_table(ended.table), {"step": "x"}).status_code in (400, 404)
    for broken in ("", "x", code[:-9], code_of({"format": "?"})):
        answer = client.get(of_position(), {"p": broken})
        assert answer.status_code == 422 and answer["Content-Type"] == "text/plain; charset=utf-8"
    assert client.get(of_position("babel"), {"p": code}).status_code == 422
    assert client.post(of_position(), {"p": code}).status_code == 405


def test_a_position_is_seen_from_the_seat_in_its_address(client):
    code = code_of(example("babel", sorted_first("babel")).position)
    answers = [client.get(of_position("babel"), {"p": code, "seat": seat}) for seat in ("", "0", "1", "2")]
    assert [answer.status_code for answer in answers] == [200] * 4
    assert len({answer.content for answer in answers[1:]}) == 3
    assert client.get(of_position("babel"), {"p": code}).content == answers[1].content, "without one, as everybody"


def sorted_first(game):
    from rules_docs.examples import example_names

    return sorted(example_names(game))[0]


def test_names_are_text_and_in_a_png_those_without_letters_of_its_fonts_are_numbers(client, ended, alice, drawings):
    User.objects.filter(pk=alice.pk).update(username="<script>")
    shown = client.get(of_table(ended.table)).content.decode()
    assert "&lt;script&gt;" in shown and "<script" not in shown
    assert pictures.names_in_fonts(["Őz", "Юрий", "太郎"]) == ["Őz", "Юрий", "Player 3"]


def test_too_many_pictures(client, code, monkeypatch):
    monkeypatch.setattr(picture_views, "PICTURES_A_MINUTE", 2)
    assert [client.get(of_position(), {"p": code}).status_code for _ in range(3)] == [200, 200, 429]


def test_what_is_drawn_is_counted_by_network_and_what_is_kept_is_not(client, code, drawings, monkeypatch):
    monkeypatch.setattr(pictures, "DRAWN_A_MINUTE", 2)

    def status(width, address="2001:db8:0:1::1"):
        return client.get(of_position("ra", "png"), {"p": code, "width": width}, REMOTE_ADDR=address).status_code

    assert [status(400), status(440), status(480)] == [200, 200, 429]
    assert status(480, "2001:db8:0:1::2") == 429, "another address of the same network"
    assert status(400) == 200, "that one is kept"
    assert status(480, "2001:db8:0:2::1") == 200
    assert drawings == [400, 440, 480]


def test_whoever_comes_while_another_is_drawn_has_none_drawn_and_none_counted(client, code, drawings, monkeypatch):
    monkeypatch.setattr(pictures, "DRAWN_A_MINUTE", 1)
    with pictures._drawing:
        assert [client.get(of_position("ra", "png"), {"p": code}).status_code for _ in range(2)] == [503, 503]
    assert client.get(of_position("ra", "png"), {"p": code}).status_code == 200
    assert drawings == [1000]


def test_no_more_is_kept_than_there_is_room_for(client, code, drawings, monkeypatch):
    monkeypatch.setattr(pictures, "MOST_KEPT", 70)  # each of these has 48 bytes
    for width in (400, 440, 400, 440):
        assert client.get(of_position("ra", "png"), {"p": code, "width": width}).status_code == 200
    assert drawings == [400, 440, 440]


@pytest.mark.parametrize(
    ("of", "limit", "address"),
    [
        (picture_views, "PICTURES_A_MINUTE", "/pictures/positions/ra.svg"),
        (embed_views, "FRAMES_A_MINUTE", "/embed/positions/ra/"),
        (editor_views, "LOOKS_A_MINUTE", "/positions/ra/"),
        (oauth_views, "TOKENS_A_MINUTE", "/oauth/token/"),
    ],
)
def test_addresses_of_one_network_are_counted_together(client, monkeypatch, of, limit, address):
    monkeypatch.setattr(of, limit, 1)
    ask = client.post if of is oauth_views else client.get
    answers = [ask(address, {"p": "x"}, REMOTE_ADDR=f"2001:db8:0:{at}").status_code for at in ("1::1", "1::2", "2::1")]
    assert [status == 429 for status in answers] == [False, True, False]


def test_an_answer_that_sets_a_cookie_is_for_its_reader_alone(browser, ended, alice):
    """Once an hour any answer to somebody signed in writes their session."""
    for address in (
        of_table(ended.table),
        f"/tables/{ended.table.pk}/result.png?lang=en",
        "/.well-known/oauth-authorization-server",
    ):
        looks = browser(alice)
        session = looks.session
        session["sign_in"] = [session.session_key, 0]
        session.save()
        first, second = looks.get(address), looks.get(address)
        assert "sessionid" in first.cookies and not second.cookies, address
        assert "private" in first["Cache-Control"] and "public" not in first["Cache-Control"], address
        assert "public" in second["Cache-Control"] and "private" not in second["Cache-Control"], address


# Where they are used


def previewed(answer) -> dict[str, str]:
    return dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)"', answer.content.decode()))


def test_a_link_to_a_step_is_shown_elsewhere_with_its_picture(client, ended):
    said = previewed(client.get(reverse("table-replay", args=[ended.table.pk]), {"step": 7}))
    assert said["image"] == f"{HOME}{of_table(ended.table, 'png')}?lang=en&amp;width=1200&amp;step=7"
    assert "image:width" not in said, "the picture is as high as the position needs"


def test_a_link_to_a_running_game_is_shown_elsewhere_with_its_picture(client, browser, running, alice):
    address = reverse("table", args=[running.table.pk])
    said = previewed(client.get(address))
    assert said["title"] == f"Babel, table {running.table.pk}"
    assert said["image"] == f"{HOME}{of_table(running.table, 'png')}?lang=en&amp;width=1200"
    assert previewed(browser(alice).get(address)) == {}, "it is for other sites, which have no name here: pages of players stay small"
    Table.objects.filter(pk=running.table.pk).update(privacy=Table.Privacy.LINK)
    assert previewed(client.get(address)) == {}


def test_a_link_to_a_position_is_shown_elsewhere_as_everybody_sees_it(client, code):
    said = previewed(client.get("/positions/ra/", {"p": code, "seat": "1"}))
    assert said["title"] == "Ra: a position"
    address = said["image"].replace("&amp;", "&")
    assert address.startswith(f"{HOME}{of_position('ra', 'png')}?lang=en&width=1200&p=") and "seat" not in address
    assert previewed(client.get("/positions/ra/")) == {}


def test_people_find_the_pictures_beside_the_frame(client, browser, ended, alice, code):
    page = client.get(reverse("table-replay", args=[ended.table.pk]), {"step": 7}).content.decode()
    editor = client.get("/positions/ra/", {"p": code}).content.decode()
    for form in ("svg", "png"):
        assert f'href="{HOME}{of_table(ended.table, form)}?lang=en&amp;step=7"' in page
        assert f'href="{HOME}{of_position("ra", form)}?lang=en&amp;' in editor
    Table.objects.filter(pk=ended.table.pk).update(privacy=Table.Privacy.LINK)
    assert "/pictures/" not in browser(alice).get(reverse("table-replay", args=[ended.table.pk])).content.decode()


def test_what_asks_how_a_page_is_embedded_is_told_its_thumbnail(client, running, code):
    for url in (f"{HOME}/tables/{running.table.pk}/", f"{HOME}/positions/ra/?p={code}"):
        told = client.get("/oembed/", {"url": url}).json()
        png = client.get(told["thumbnail_url"].removeprefix(HOME))
        assert size_of(png.content) == (told["thumbnail_width"], told["thumbnail_height"])
        assert told["thumbnail_width"] == 600


def test_programs_are_told_where_they_are(client, ended):
    step = f"/api/v1/tables/{ended.table.pk}/replay/7/"
    told = client.get(step).json()["pictures"]
    for form, kind in (("svg", "image/svg+xml"), ("png", "image/png")):
        assert client.get(told[form].removeprefix(HOME))["Content-Type"] == kind


def test_other_pages_do_without_where_a_game_has_no_pictures(client, running, ended, monkeypatch, code):
    monkeypatch.setattr(registry.Entry, "game", property(lambda entry: replace(registry._load(entry.package), picture=None)))
    assert client.get(of_position("ra"), {"p": code}).status_code == 404
    assert client.get(of_table(ended.table)).status_code == 404
    assert previewed(client.get("/positions/ra/", {"p": code}))["image:width"] == "1200"
    assert previewed(client.get(reverse("table", args=[running.table.pk])))["image:width"] == "1200"
    assert client.get(f"/api/v1/tables/{ended.table.pk}/replay/7/").json()["pictures"] is None
    assert "thumbnail_url" not in client.get("/oembed/", {"url": f"{HOME}/positions/ra/?p={code}"}).json()
