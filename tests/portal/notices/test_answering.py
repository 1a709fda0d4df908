"""Invitations are answered where they are read: in the panel of the bell and in the inbox, without leaving the page."""

from __future__ import annotations

import re

import pytest

from portal.accounts import blocks
from portal.clubs import services as clubs
from portal.clubs import ways_in
from portal.clubs.models import Membership
from portal.friends import services as friends
from portal.friends.selectors import circle_of
from portal.notices.models import Notice
from portal.tables import inviting, services
from portal.tables.models import Invitation, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def waits(alice, bob, fixed_secret) -> Invitation:
    """Alice has invited Bob to a game of Ra."""
    table = services.create_table(owner=alice, game_key="ra", seats=3).table
    return inviting.invite(table_id=table.pk, user=alice, name="bob")


@pytest.fixture
def to_club(charlie, bob):
    club = clubs.create_club(owner=charlie, name="Ninlil")
    return ways_in.invite(club=club, actor=charlie, person=bob)


def forms_in(page):
    """The forms of a page that answer something: address -> what the button `accept` or `decline` sends."""
    text = page.content.decode()
    found = {}
    for action, body in re.findall(r'<form class="button-row" method="post" action="([^"]+)">(.*?)</form>', text, re.S):
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', body))
        assert re.findall(r'name="do" value="(\w+)"', body) == ["accept", "decline"]
        found[action] = {name: value for name, value in fields.items() if name != "csrfmiddlewaretoken"}
    return found


@pytest.mark.parametrize("address", ["/notices/", "/notices/panel/?next=/ratings/"])
def test_both_kinds_can_be_answered_there_and_lead_back(waits, to_club, bob, browser, address):
    client = browser(bob)
    page = client.get(address)
    back = "/notices/" if address == "/notices/" else "/ratings/"
    forms = forms_in(page)
    assert forms == {
        f"/invitations/{waits.pk}/": {"next": back, "terms": "3 rated"},
        f"/clubs/invitations/{to_club.pk}/": {"next": back},
    }
    assert "3 players, rated" in page.content.decode()
    for action, fields in forms.items():
        answer = client.post(action, {**fields, "do": "accept"})
        assert (answer.status_code, answer["Location"]) == (303, back)
    assert Table.objects.get().seats.filter(user=bob).exists()
    assert Membership.objects.filter(club=to_club.club, user=bob).exists()
    said = client.get(back).content.decode()
    assert "You accepted the invitation to Ra." in said
    after = client.get(address)
    assert not forms_in(after)
    assert after.content.decode().count("You accepted.") == 2


def test_declining_leads_back_and_is_said(waits, to_club, bob, browser):
    client = browser(bob)
    for action, fields in forms_in(client.get("/notices/panel/?next=/lobby/")).items():
        assert client.post(action, {**fields, "do": "decline"})["Location"] == "/lobby/"
    waits.refresh_from_db()
    assert waits.state == "declined"
    for address in ("/notices/", "/notices/panel/"):
        page = client.get(address)
        assert not forms_in(page)
        assert page.content.decode().count("You declined.") == 2


def test_nobody_is_led_to_another_site(waits, bob, browser):
    answer = browser(bob).post(f"/invitations/{waits.pk}/", {"do": "decline", "next": "//evil.example/"})
    assert answer["Location"] == "/lobby/"


def test_terms_that_changed_are_shown_and_nothing_is_accepted(waits, bob, browser):
    client = browser(bob)
    ((action, fields),) = forms_in(client.get("/notices/")).items()
    Table.objects.update(is_rated=False)
    answer = client.post(action, {**fields, "do": "accept"})
    assert answer.status_code == 409
    assert "settings have changed" in answer.content.decode()
    assert not Table.objects.get().seats.filter(user=bob).exists()


@pytest.mark.parametrize("how", ["taken back", "expired", "started", "blocked", "withdrawn"])
def test_what_can_no_longer_be_answered_has_no_buttons(waits, to_club, alice, bob, charlie, browser, how):
    if how == "taken back":
        inviting.take_back(table_id=waits.table_id, user=alice, invitation_id=waits.pk)
    elif how == "expired":
        Invitation.objects.update(expires_at=waits.made_at)
    elif how == "started":
        services.start_table(table_id=waits.table_id, user=alice)
    elif how == "blocked":
        blocks.block(user=bob, person=alice)
    else:
        ways_in.withdraw_invitation(club=to_club.club, actor=charlie, invitation_id=to_club.pk)
    page = browser(bob).get("/notices/")
    assert len(forms_in(page)) == 1
    assert ("You declined." if how == "blocked" else "It is no longer open.") in page.content.decode()


def test_a_suggestion_is_said_and_waits_for_the_owner(waits, bob, browser):
    inviting.counter(invitation_id=waits.pk, user=bob, seats=4, is_rated=True)
    page = browser(bob).get("/notices/panel/")
    assert not forms_in(page)
    assert "You suggested other terms." in page.content.decode()


def test_a_notice_about_an_invitation_of_somebody_else_has_no_buttons(waits, charlie, browser):
    """Nobody gets such a notice; if one went astray, it would be good for nothing."""
    Notice.objects.update(user=charlie)
    page = browser(charlie).get("/notices/")
    assert not forms_in(page)
    assert browser(charlie).post(f"/invitations/{waits.pk}/", {"do": "accept", "terms": "3 rated"}).status_code == 404


def test_only_what_shows_invitations_asks_for_them(waits, to_club, bob, browser, django_assert_num_queries):
    client = browser(bob)
    client.get("/ratings/")
    with django_assert_num_queries(1):  # the person
        client.get("/ratings/")
    with django_assert_num_queries(4):  # the person, the notices, the invitations to tables and to clubs
        client.get("/notices/panel/")
    Notice.objects.all().delete()
    with django_assert_num_queries(2):
        client.get("/notices/panel/")


def test_a_request_to_be_friends_is_answered_there_too(alice, charlie, bob, browser):
    client = browser(bob)
    for person, do, said in ((alice, "accept", "You accepted."), (charlie, "decline", "You declined.")):
        friends.ask(user=person, person=bob)
        address = f"/people/{person.username}/friend/"
        assert forms_in(client.get("/notices/panel/?next=/ratings/")) == {address: {"next": "/ratings/"}}
        answer = client.post(address, {"next": "/ratings/", "do": do})
        assert (answer.status_code, answer["Location"]) == (302, "/ratings/")
        page = client.get("/notices/panel/?next=/ratings/")
        assert forms_in(page) == {}
        assert said in page.content.decode()
    assert [one.name for one in circle_of(bob).friends] == ["alice"]


def test_a_request_that_was_withdrawn_is_no_longer_open(alice, bob, browser):
    friends.ask(user=alice, person=bob)
    friends.withdraw(user=alice, person=bob)
    page = browser(bob).get("/notices/panel/")
    assert forms_in(page) == {}
    assert "It is no longer open." in page.content.decode()
