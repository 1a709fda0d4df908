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
    for name, line in zip(("gilga", "Apprentice"), match.lines, strict=True):
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
