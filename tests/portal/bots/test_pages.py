"""The list of bot accounts, and the form that challenges one."""

import pytest
from django.urls import reverse

from portal.accounts.blocks import block
from portal.bots.services import change_bot, make_bot
from portal.ratings import services as ratings
from portal.tables.models import Table
from tests.portal.ratings.games import finished

LIST = reverse("bot-accounts")
CHALLENGE = reverse("challenge-bot", args=["gilga"])
SENT = {"game": "ra", "seats": "2", "pace": "days-3", "others": "free"}


def read(answer):
    return answer.content.decode()


def test_the_list_says_what_bots_are_and_accept(bob, gilga, browser):
    change_bot(gilga, games=["ra"], paces=["days"], rated=False)
    finished(1, [("alice", 2), ("gilga", 1)])
    ratings.apply_pending()
    page = read(browser(bob).get(f"{LIST}?game=ra"))
    for said in ("gilga", "Plays Ra", reverse("profile", args=["alice"]), "By correspondence", "Unrated games only.", "±", CHALLENGE):
        assert said in page
    assert "Nobody has made a bot for this yet." in read(browser(bob).get(f"{LIST}?game=babel"))
    assert "gilga" in read(browser().get(LIST))
    assert browser().get(f"{LIST}?game=chess").status_code == 404
    assert browser().get(f"{LIST}?page=2").status_code == 404


def test_the_list_has_pages(alice, bob, gilga, browser, monkeypatch):
    monkeypatch.setattr("portal.bots.views.ROWS", 1)
    make_bot(owner=alice, username="enlil")
    first, second = (read(browser(bob).get(f"{LIST}?page={n}")) for n in (1, 2))
    assert ("enlil" in first, "gilga" in first, "page=2" in first) == (True, False, True)
    assert ("enlil" in second, "gilga" in second, "page=3" in second) == (False, True, False)


def test_the_list_asks_as_much_for_many_bots_as_for_one(alice, bob, gilga, browser, django_assert_num_queries):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    ask = browser(bob)
    with CaptureQueriesContext(connection) as one:
        ask.get(LIST)
    for number in range(3):
        make_bot(owner=alice, username=f"enlil{number}")
    with django_assert_num_queries(len(one)):
        ask.get(LIST)


def test_people_find_the_list_and_the_form(bob, gilga, browser):
    ask = browser(bob)
    for address in (reverse("bots", args=["ra"]), reverse("lobby"), f"{reverse('leaderboard', args=['ra'])}?pool=bots"):
        assert LIST in read(ask.get(address))
    assert CHALLENGE in read(ask.get(reverse("profile", args=["gilga"])))
    change_bot(gilga, paused=True)
    for address in (LIST, reverse("profile", args=["gilga"])):
        assert CHALLENGE not in read(ask.get(address))


def test_a_challenge_opens_a_table(alice, bob, gilga, browser):
    make_bot(owner=alice, username="enlil")
    answer = browser(bob).post(CHALLENGE, {**SENT, "seats": "4", "bots": "enlil", "others": "scribe", "unrated": "on"})
    table = Table.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, reverse("table", args=[table.pk]))
    seats = [(seat.user.username if seat.user else "", seat.bot_level) for seat in table.seats.order_by("index")]
    assert seats == [("bob", ""), ("gilga", ""), ("enlil", ""), ("", "scribe")]
    assert (table.is_rated, table.pace["days"], table.status) == (False, 3, Table.Status.PLAYING)


@pytest.mark.parametrize(
    ("rules", "sent", "status", "said"),
    [
        ({"paused": True}, {}, 409, "gilga isn&#x27;t taking challenges from you right now."),
        ({"from_whom": "friends"}, {}, 409, "gilga only takes challenges from friends of its owner."),
        ({"rated": False}, {}, 409, "gilga only plays unrated games."),
        ({"games": ["babel"]}, {}, 422, "Choose one of these."),
        ({"paces": ["live"]}, {}, 422, "Choose one of these."),
        ({}, {"seats": "6"}, 422, "is played by"),
        ({}, {"seats": "2", "bots": "nobody"}, 404, "There is no such bot"),
        ({}, {"others": "oracle"}, 422, "Choose one of these."),
    ],
)
def test_what_the_rules_forbid_is_said_and_opens_no_table(rules, sent, status, said, bob, gilga, browser):
    change_bot(gilga, **rules)
    answer = browser(bob).post(CHALLENGE, {**SENT, **sent})
    assert answer.status_code == status
    assert said in read(answer)
    assert not Table.objects.exists()


def test_blocked_people_get_the_answer_of_a_paused_bot(alice, bob, gilga, browser):
    block(user=alice, person=bob)
    blocked = browser(bob).get(CHALLENGE), browser(bob).post(CHALLENGE, SENT)
    alice.blocks.all().delete()
    change_bot(gilga, paused=True)
    paused = browser(bob).get(CHALLENGE), browser(bob).post(CHALLENGE, SENT)
    assert [one.status_code for one in blocked] == [one.status_code for one in paused] == [200, 409]
    assert all("taking challenges from you right now" in read(one) for one in (*blocked, *paused))


def test_a_visitor_signs_in_first_and_people_are_no_bots(bob, gilga, browser):
    assert reverse("account_login") in browser().post(CHALLENGE, SENT)["Location"]
    assert browser(bob).get(reverse("challenge-bot", args=["alice"])).status_code == 404
    assert not Table.objects.exists()
