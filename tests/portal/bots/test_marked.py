"""A bot account is marked where its name is shown."""

from html import unescape

from django.urls import reverse
from django.utils import translation

from portal.bots.challenging import challenge
from portal.bots.services import change_bot
from portal.ratings import services as ratings
from portal.ratings.selectors import leaderboard
from tests.portal.ratings.games import finished


def test_a_profile_says_what_a_bot_is_and_whose(bob, gilga, browser):
    change_bot(gilga, games=["ra"], paces=["days"], rated=False)
    page = browser(bob).get(reverse("profile", args=["gilga"])).content.decode()
    for said in (
        "Bot account",
        "Plays Ra",
        "By correspondence",
        "Unrated games only.",
        "it sits down at once",
        reverse("profile", args=["alice"]),
    ):
        assert said in page
    assert unescape(page.partition("Plays:")[2].partition("Pace:")[0]).split() == ["Ra."]
    change_bot(gilga, paused=True)
    assert "taking challenges from you right now" in browser(bob).get(reverse("profile", args=["gilga"])).content.decode()
    assert "Bot account" not in browser(bob).get(reverse("profile", args=["alice"])).content.decode()


def test_seats_rows_and_log_mark_bots_in_the_readers_language(bob, gilga, browser, api):
    table = challenge(by=bob, bots=["gilga"], game="ra", seats=2).table
    for address in (reverse("table", args=[table.pk]), reverse("lobby")):
        assert "gilga (bot)" in browser(bob).get(address).content.decode()
        with translation.override("ru"):
            assert "gilga (бот)" in browser(bob).get(address, headers={"accept-language": "ru"}).content.decode()
    seats = api(bob, "get", f"tables/{table.pk}/").json()["seats"]
    assert [(seat["name"], seat["username"], seat["is_bot"]) for seat in seats] == [("bob", "bob", False), ("gilga (bot)", "gilga", True)]


def test_leaderboards_mark_bots(alice, gilga, browser, api):
    finished(1, [("alice", 2), ("gilga", 1)])
    ratings.apply_pending()
    assert [(line.username, line.is_bot) for line in leaderboard(pool="bots", game="ra").lines] == [("gilga", True), ("alice", False)]
    assert api(alice, "get", "leaderboards/ra/?pool=bots").json()["mine"]["is_bot"] is False
    page = browser().get(f"{reverse('leaderboard', args=['ra'])}?pool=bots").content.decode()
    assert '<span class="quiet">bot</span>' in page


def test_the_api_says_who_is_a_bot(alice, gilga, api):
    assert api(gilga.user, "get", "me/").json()["is_bot"] is True
    assert api(alice, "get", "me/").json()["is_bot"] is False
    assert api(alice, "get", "people/gilga/").json()["is_bot"] is True
