"""What other sites show: frames of games and positions, and how they ask for them."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from portal.clubs.models import Membership
from portal.positions.codes import code_of
from portal.tables.models import Table
from portal.tables.replay import SPECTATORS, replay_of
from portal.tables.selectors import page_of
from portal.tables.speaker import Speaker
from rules_docs.examples import example

pytestmark = pytest.mark.django_db
HOME = "http://testserver"


@pytest.fixture(autouse=True)
def home(settings):
    settings.BASE_URL = HOME


def frame_of(table) -> str:
    return reverse("embed-table", args=[table.pk])


def asked(client, url, **query):
    return client.get("/oembed/", {"url": url, **query})


def test_every_site_may_show_it_and_nothing_else_of_this_one(client, ended):
    shown = client.get(frame_of(ended.table), {"step": 4})
    assert shown.status_code == 200
    assert "X-Frame-Options" not in shown
    assert "frame-ancestors *" in shown["Content-Security-Policy"]
    assert "script-src 'self'" in shown["Content-Security-Policy"], "the rest stays as strict"
    assert shown["Cache-Control"] == "public, max-age=60"
    assert not shown.cookies
    for path in (reverse("table", args=[ended.table.pk]), reverse("table-replay", args=[ended.table.pk]), "/positions/ra/"):
        other = client.get(path)
        assert other["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in other["Content-Security-Policy"]


def test_a_running_game_is_the_same_for_its_players_and_for_everybody(client, browser, running, alice, bob):
    """Whoever is signed in here may look at another site; their hand must not be in its page."""
    table = running.table
    for path in (frame_of(table), reverse("embed-steps", args=[table.pk])):
        answers = [looks.get(path, {"step": 3, "lang": "hu"}) for looks in (client, browser(alice), browser(bob))]
        assert [answer.status_code for answer in answers] == [200] * 3
        assert len({answer.content for answer in answers}) == 1
    mine = browser(alice).get(reverse("table-replay-steps", args=[table.pk]), {"step": 3})
    assert mine.content != client.get(reverse("embed-steps", args=[table.pk]), {"step": 3}).content, "she sees more on her own page"


def test_nobody_chooses_a_seat_in_a_frame(client, ended):
    """Even where everybody may: one address is one picture."""
    answers = {client.get(frame_of(ended.table), {"step": 4, "seat": seat}).content for seat in ("", "0", "1", "2", "x")}
    assert len(answers) == 1
    page = page_of(ended, None)
    replay = replay_of(ended, page, seat=SPECTATORS)
    assert replay.picture(4, Speaker("babel", "en", page.names, None), _parts())["board"] in answers.pop().decode()


def _parts():
    from portal.tables.reel import Follower

    return Follower()


def test_hidden_games_have_no_frame(client, browser, ended, alice, club, olga):
    ended.table.privacy = Table.Privacy.LINK
    ended.table.save()
    for looks in (client, browser(alice)):
        hidden = looks.get(frame_of(ended.table))
        missing = looks.get(reverse("embed-table", args=[10**9]))
        assert hidden.status_code == missing.status_code == 404
        assert hidden.content == missing.content
        assert hidden["Cache-Control"] == "no-store"
        assert looks.get(reverse("embed-steps", args=[ended.table.pk])).status_code == 404
        assert asked(looks, f"{HOME}/tables/{ended.table.pk}/").status_code == 404
    Table.objects.filter(pk=ended.table.pk).update(privacy=Table.Privacy.PUBLIC, club=club)
    assert client.get(frame_of(ended.table)).status_code == 200
    club.is_private = True
    club.save()
    assert Membership.objects.filter(club=club, user=olga).exists()
    assert browser(olga).get(frame_of(ended.table)).status_code == 404, "a frame is drawn for a visitor"


@pytest.mark.parametrize(("step", "status"), [("0", 200), ("", 200), ("999999", 404), ("1e3", 400), ("-1", 400)])
def test_steps_that_are_not_there(client, ended, step, status):
    assert client.get(frame_of(ended.table), {"step": step}).status_code == status


def test_language_and_theme_are_those_of_the_address(client, browser, ended, alice):
    alice.language = "ru"
    alice.save()
    for looks in (client, browser(alice)):
        page = looks.get(frame_of(ended.table), {"lang": "hu", "theme": "dark", "step": 2}, headers={"Accept-Language": "ru"})
        assert b'<html lang="hu" data-theme="dark">' in page.content
        assert page["Content-Language"] == "hu"
        assert "lang=hu&amp;theme=dark&amp;step=3" in page.content.decode(), "the next step, too"
    assert b'<html lang="en">' in client.get(frame_of(ended.table), {"lang": "xx", "theme": "red"}).content


def test_it_costs_few_statements(client, ended, django_assert_num_queries):
    with django_assert_num_queries(2):
        client.get(frame_of(ended.table), {"step": 4})


def test_a_position_is_shown_as_the_address_says(client):
    position = example("babel", "expelling").position
    path = reverse("embed-position", args=["babel"])
    seats = {client.get(path, {"p": code_of(position), "seat": seat}).content for seat in ("0", "1", "2")}
    assert len(seats) == 3
    plain = client.get(path, {"p": code_of(position)})
    assert plain.status_code == 200 and "frame-ancestors *" in plain["Content-Security-Policy"]
    broken = client.get(path, {"p": "A"})
    assert broken.status_code == 422 and b"can&#x27;t be shown" in broken.content
    assert "frame-ancestors *" in broken["Content-Security-Policy"], "the reason is read in the frame"
    assert client.get(reverse("embed-position", args=["chess"]), {"p": "A"}).status_code == 404


# oEmbed


def test_a_page_that_wants_to_show_a_game_asks_for_its_frame(client, ended):
    url = f"{HOME}/tables/{ended.table.pk}/replay/?step=7"
    page = client.get(f"/tables/{ended.table.pk}/replay/", {"step": 7})
    assert f"{HOME}/oembed/?format=json&amp;url=" in page.content.decode()
    told = asked(client, url, maxwidth=500, lang="hu").json()
    assert {key: told[key] for key in ("version", "type", "width", "height", "provider_name", "title")} == {
        "version": "1.0",
        "type": "rich",
        "width": 500,
        "height": 720,
        "provider_name": "Ziggurat",
        "title": f"Bábel, {ended.table.pk}. asztal",
    }
    assert f'src="{HOME}/embed/tables/{ended.table.pk}/?lang=hu&amp;step=7"' in told["html"]
    assert client.get(told["thumbnail_url"].removeprefix(HOME))["Content-Type"] == "image/png"


def test_a_position_is_embedded_too(client):
    code = code_of(example("ra", "civilization").position)
    told = asked(client, f"{HOME}/positions/ra/?p={code}").json()
    assert f"/embed/positions/ra/?lang=en&amp;p={code}" in told["html"]
    assert asked(client, f"{HOME}/positions/ra/?p=AAAA").status_code == 404
    assert asked(client, f"{HOME}/positions/ra/").status_code == 404


@pytest.mark.parametrize(
    ("url", "query", "status"),
    [
        ("", {}, 404),
        ("nonsense", {}, 404),
        ("http://[", {}, 404),
        ("https://elsewhere.example/tables/1/", {}, 404),
        (f"{HOME}/tables/999999999/", {}, 404),
        (f"{HOME}/lobby/", {}, 404),
        (f"{HOME}/tables/1/", {"format": "xml"}, 501),
        (f"{HOME}/tables/1/", {"format": "nonsense"}, 400),
        (f"{HOME}/tables/1/", {"maxwidth": "wide"}, 400),
        (f"{HOME}/tables/1/", {"maxheight": "10"}, 400),
        (f"{HOME}/tables/1/", {"maxheight": "123456"}, 400),
    ],
)
def test_anything_else_is_refused_with_the_reason(client, url, query, status):
    answer = asked(client, url, **query)
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert json.loads(answer.content)["detail"]


def test_tables_that_have_not_begun_have_no_frame(client, alice):
    from portal.tables.services import create_table

    waiting = create_table(owner=alice, game_key="babel", seats=2).table
    assert asked(client, f"{HOME}/tables/{waiting.pk}/").status_code == 404
    assert client.get(frame_of(waiting)).status_code == 404
