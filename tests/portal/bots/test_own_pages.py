"""The pages of one's own bots."""

import re

import pytest
from django.urls import reverse

from portal.accounts.models import ApiToken, User
from portal.bots.models import BotAccount
from portal.bots.services import make_bot

RULES = {"about": "Slow but fair", "games": ["ra", "babel"], "paces": ["days"], "at_once": "2", "from_whom": "friends", "rated": "on"}
MINE = reverse("my-bots")


def page_of(name):
    return reverse("my-bot", args=[name])


def test_a_bot_is_made_and_changed(alice, browser):
    ask = browser(alice)
    assert "You have no bots." in ask.get(MINE).content.decode()
    answer = ask.post(MINE, {"username": "enlil", **RULES})
    assert (answer.status_code, answer["Location"]) == (302, page_of("enlil"))
    bot = BotAccount.objects.get()
    found = (bot.owner, bot.about, bot.games, bot.paces, bot.at_once, bot.from_whom, bot.rated)
    assert found == (alice, "Slow but fair", ["ra", "babel"], ["days"], 2, "friends", True)
    assert ask.post(page_of("enlil"), {**RULES, "do": "change", "about": "Fast", "rated": ""}).status_code == 302
    bot.refresh_from_db()
    assert (bot.about, bot.rated, bot.games) == ("Fast", False, ["ra", "babel"])
    assert page_of("enlil") in ask.get(MINE).content.decode()
    assert reverse("my-bots") in ask.get(reverse("settings")).content.decode()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"username": "scribe"}, "looks like one of the site"),
        ({"username": "alice"}, "This name is taken."),
        ({"username": "-"}, "Use 2 to 24 letters"),
        ({"games": []}, "Choose at least one of these games."),
        ({"games": ["chess"]}, "Choose at least one of these games."),
        ({"paces": ["slow"]}, "Choose at least one of these paces."),
        ({"at_once": "21"}, "A bot can play 1 to 20 games at the same time."),
        ({"at_once": "many"}, "A bot can play 1 to 20 games at the same time."),
        ({"from_whom": "x"}, "Choose whose challenges the bot takes."),
        ({"about": "x" * 501}, "Describe the bot in at most 500 characters."),
    ],
)
def test_what_is_wrong_is_said_at_its_field(wrong, said, alice, browser):
    answer = browser(alice).post(MINE, {"username": "enlil", **RULES, **wrong})
    assert answer.status_code == 422
    assert re.search(rf'<p class="field__error" id="id_\w+_error">.*?<span>[^<]*{re.escape(said)}', answer.content.decode())
    assert not BotAccount.objects.exists()
    assert not User.objects.filter(is_bot=True).exists()


def test_nobody_has_more_than_five(alice, browser):
    for number in range(5):
        make_bot(owner=alice, username=f"enlil{number}")
    page = browser(alice).get(MINE).content.decode()
    assert "close one of these first" in page
    assert 'name="username"' not in page
    answer = browser(alice).post(MINE, {"username": "enlil", **RULES})
    assert answer.status_code == 409
    assert "You have five bots already." in answer.content.decode()
    assert BotAccount.objects.count() == 5


def test_a_token_is_shown_once_works_and_is_revoked(alice, gilga, browser, client):
    ask = browser(alice)
    answer = ask.post(page_of("gilga"), {"do": "token", "name": "laptop", "days": ""})
    text = re.search(r'<p class="token">(\S+)</p>', answer.content.decode())[1]
    assert "no-store" in answer["Cache-Control"]
    assert text not in ask.get(page_of("gilga")).content.decode()
    me = client.get("/api/v1/me/", headers={"authorization": f"Token {text}"})
    assert (me.status_code, me.json()["username"]) == (200, "gilga")
    row = ApiToken.objects.get()
    assert (row.user, row.scopes.split(), row.expires_at) == (gilga.user, ["read", "play"], None)
    assert ask.post(page_of("gilga"), {"revoke": row.pk}).status_code == 302
    assert client.get("/api/v1/me/", headers={"authorization": f"Token {text}"}).status_code == 401
    assert ask.post(page_of("gilga"), {"revoke": row.pk}).status_code == 404
    assert ask.post(page_of("gilga"), {"do": "token", "name": ""}).status_code == 422


def test_a_bot_is_paused_resumed_and_closed(alice, gilga, browser):
    ask = browser(alice)
    for do, paused in (("pause", True), ("resume", False)):
        assert ask.post(page_of("gilga"), {"do": do}).status_code == 302
        gilga.refresh_from_db()
        assert gilga.paused is paused
        assert ('<span class="badge">paused</span>' in ask.get(page_of("gilga")).content.decode()) is paused
    answer = ask.post(page_of("gilga"), {"do": "close"})
    assert answer.status_code == 422
    assert "Tick the box if you are sure." in answer.content.decode()
    assert ask.post(page_of("gilga"), {"do": "dance"}).status_code == 422
    assert BotAccount.objects.exists()
    assert ask.post(page_of("gilga"), {"do": "close", "sure": "on"})["Location"] == MINE
    assert not BotAccount.objects.exists()
    assert ask.get(page_of("gilga")).status_code == 404


def test_others_do_not_see_or_change_it(alice, bob, gilga, browser):
    assert "gilga" not in browser(bob).get(MINE).content.decode()
    for sent in ({"do": "pause"}, {"do": "close", "sure": "on"}, {"do": "token", "name": "x"}, {"do": "change", **RULES}):
        assert browser(bob).post(page_of("gilga"), sent).status_code == 404
    assert browser(bob).get(page_of("gilga")).status_code == 404
    assert browser().get(page_of("gilga")).status_code == 302
    gilga.refresh_from_db()
    assert (gilga.paused, gilga.about) == (False, "Plays Ra")
    assert not ApiToken.objects.exists()


def test_guests_are_led_to_an_account(bob, browser):
    User.objects.filter(pk=bob.pk).update(is_guest=True)
    assert browser(bob).get(MINE)["Location"] == reverse("account_signup")
    assert browser(bob).post(page_of("gilga"), {"do": "pause"})["Location"] == reverse("account_signup")


def test_statements_do_not_grow_by_the_bot(alice, gilga, browser, django_assert_num_queries):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    ask = browser(alice)
    with CaptureQueriesContext(connection) as one:
        ask.get(MINE)
    for number in range(3):
        make_bot(owner=alice, username=f"enlil{number}")
    with django_assert_num_queries(len(one)):
        ask.get(MINE)
