"""The pages of matches: what they show, to whom, and what they cost."""

import re

import pytest
from django.test import Client

from portal.matches.feeding import feed
from portal.matches.models import Match
from portal.matches.selectors import match_page
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser():
    def of(person=None):
        client = Client()
        if person is not None:
            client.force_login(person, "django.contrib.auth.backends.ModelBackend")
        return client

    return of


def _tables_linked(page):
    return {int(found) for found in re.findall(r'href="/tables/(\d+)/"', page.content.decode())}


def test_the_page_has_every_player_with_share_and_interval(browser, match_of, gilga, play_all):
    match, _opened = play_all(match_of("gilga", levels=["apprentice"]))
    page = browser().get(f"/matches/{match.pk}/")
    text = page.content.decode()
    assert page.status_code == 200
    assert "Games played: 4 of 4" in text
    assert 'href="/people/gilga/"' in text
    match = match_page(match.pk)
    assert sum(line.wins for line in match.lines) == 4
    for name, line in zip(("gilga (bot)", "Apprentice"), match.lines, strict=True):
        assert f"{100 * line.low:.1f} to {100 * line.high:.1f}%" in text
        assert f"{name}: {100 * line.win_rate:.1f}% of the wins" in text
    assert text.count("chart__span") == 2
    assert f"http://testserver/matches/{match.match.pk}/</textarea>" in text
    assert "hx-get" not in text, "it is over"


def test_games_of_a_deal_that_is_open_have_neither_link_nor_result(browser, match_of, gilga):
    match = match_of("gilga", levels=["apprentice"], games=2)
    feed()
    tables = list(match.rows.order_by("number").values_list("table_id", flat=True))
    page = browser().get(f"/matches/{match.pk}/")
    assert _tables_linked(page) == set()
    end(tables[0])
    feed()
    page = browser().get(f"/matches/{match.pk}/")
    assert _tables_linked(page) == set()
    assert "chart__span" not in page.content.decode()
    assert page.content.decode().count("hidden until its deal is over") == 2
    end(tables[1])
    feed()
    assert _tables_linked(browser().get(f"/matches/{match.pk}/")) == set(tables)


def test_the_region_is_sent_only_when_it_has_changed(browser, match_of, gilga, django_assert_num_queries):
    match = match_of("gilga", levels=["apprentice"], games=2)
    client, address = browser(), f"/matches/{match.pk}/"
    feed()
    first = client.get(address)
    asked = {"v": re.search(r"v=([a-z0-9-]+)\"", first.content.decode())[1]}
    with django_assert_num_queries(1):
        assert client.get(address, asked, headers={"HX-Request": "true"}).status_code == 204
    for table in match.rows.values_list("table_id", flat=True):
        end(table)
    feed()
    with django_assert_num_queries(5):
        part = client.get(address, asked, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert "<html" not in part.content.decode()
    assert "Games played: 2 of 2" in part.content.decode()


def test_only_those_who_may_cancel_have_the_button(browser, match_of, gilga, shamash, alice, bob, charlie):
    match = match_of("gilga", "shamash")
    address = f"/matches/{match.pk}/"
    assert [address + "cancel/" in browser(who).get(address).content.decode() for who in (alice, bob, charlie, None)] == [
        True,
        True,
        False,
        False,
    ]
    assert browser(charlie).post(address + "cancel/").status_code == 403
    assert Match.objects.get().state == "queued"
    answer = browser(bob).post(address + "cancel/", follow=True)
    assert answer.redirect_chain == [(address, 303)]
    assert Match.objects.get().state == "cancelled"
    assert "Cancelled" in answer.content.decode()
    assert address + "cancel/" not in answer.content.decode()
    assert "This match is over." in browser(alice).post(address + "cancel/", follow=True).content.decode()


def test_a_page_that_is_not_there(browser, match_of, gilga, alice):
    match = match_of("gilga", levels=["apprentice"])
    assert [browser().get(address).status_code for address in (f"/matches/{match.pk + 1}/", f"/matches/{match.pk}/?page=2")] == [404, 404]
    assert browser(alice).post(f"/matches/{match.pk + 1}/cancel/").status_code == 404
    assert browser().get(f"/matches/{match.pk}/cancel/").status_code == 302  # to sign in


def test_the_list_has_the_latest_first_and_costs_the_same_with_more(browser, match_of, gilga, enkidu, django_assert_num_queries):
    assert "There are no matches yet." in browser().get("/matches/").content.decode()
    first = match_of("gilga", levels=["apprentice"])
    with django_assert_num_queries(2):
        browser().get("/matches/")
    second = match_of("gilga", "enkidu")
    with django_assert_num_queries(2):
        text = browser().get("/matches/").content.decode()
    assert re.findall(r'href="/matches/(\d+)/"', text) == [str(second.pk), str(first.pk)]
    assert "Games played: 0 of 4" in text
    assert "New match" not in text, "visitors start none"
    only = browser().get("/matches/?player=enkidu").content.decode()
    assert re.findall(r'href="/matches/(\d+)/"', only) == [str(second.pk)]
    assert browser().get("/matches/?page=2").status_code == 404
    assert browser().get("/matches/?page=x").status_code == 404
    assert "There are no matches yet." in browser().get("/matches/?player=nobody").content.decode()


def test_a_match_is_started_by_the_form(browser, alice, gilga):
    page = browser(alice).get("/matches/new/")
    assert 'value="gilga"' in page.content.decode(), "her own bot is proposed"
    sent = {"game": "ra", "bots": "gilga", "level": "scribe", "count": "2", "games": "10", "pace": "live-300-5", "at_once": "3"}
    answer = browser(alice).post("/matches/new/", sent)
    assert answer.status_code == 302, re.findall(r"_error\">.*?<span>([^<]*)", answer.content.decode())
    match = Match.objects.get()
    assert answer.headers["Location"] == f"/matches/{match.pk}/"
    assert (match.game, match.seats, match.games, match.at_once, match.is_rated) == ("ra", 3, 12, 3, False)
    assert [player.bot_level or player.name for player in match.players.all()] == ["gilga", "scribe", "scribe"]
    assert (match.pace["kind"], match.pace["bank_s"]) == ("live", 300)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"games": "1000000"}, "A match has 1 to 1000 games."),
        ({"games": "many"}, "A match has 1 to 1000 games."),
        ({"at_once": "0"}, "A match plays 1 to 10 games"),
        ({"bots": ""}, "at least one bot account"),
        ({"bots": "nobody-here"}, "nobody-here"),
        ({"bots": "gilga, gilga", "count": "0"}, "only once"),
        ({"count": "0"}, "Name that many bots and levels."),
        ({"game": "chess"}, "Choose one of these."),
        ({"pace": "never"}, "Choose one of these."),
    ],
)
def test_a_wrong_form_says_what_to_do_and_starts_nothing(browser, alice, gilga, wrong, told):
    sent = {"game": "ra", "bots": "gilga", "level": "scribe", "count": "1", "games": "10", "pace": "live-300-5", "at_once": "3", **wrong}
    answer = browser(alice).post("/matches/new/", sent)
    assert answer.status_code in (400, 404, 409, 422)
    assert told in answer.content.decode()
    assert not Match.objects.exists()


def test_guests_and_visitors_start_none(browser, guest, gilga):
    assert browser().get("/matches/new/").status_code == 302
    sent = {"game": "ra", "bots": "gilga", "level": "scribe", "count": "1", "games": "2", "pace": "day", "at_once": "1"}
    answer = browser(guest).post("/matches/new/", sent)
    assert answer.status_code == 403
    assert "You need an account to start matches." in answer.content.decode()
    assert not Match.objects.exists()
