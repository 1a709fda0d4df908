"""Invitations by the API: what the owner, the invited person and others get, and what is refused."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from portal.accounts import blocks
from portal.accounts.models import User
from portal.tables import inviting, services
from portal.tables.models import Invitation, Table
from tests.portal.api.asking import NOON, Person, code_of
from tests.portal.tables.driver import snapshot

pytestmark = pytest.mark.django_db
RA = {"game": "ra", "seats": 3}


@pytest.fixture
def opened(alice):
    return services.create_table(owner=alice, game_key="ra", seats=3).table


def mine(person) -> dict:
    (found,) = person.get("invitations/").json()["results"]
    return found


def test_a_table_is_opened_with_everything_that_the_form_takes(hers, bob):
    starts = timezone.now() + timedelta(hours=2)
    pace = {"kind": "days", "days": 3, "weekends": True, "out": "lost"}
    body = RA | {"invite": ["BOB", "zoe@example.org"], "privacy": "link", "starts_at": starts.isoformat(), "pace": pace, "is_rated": False}
    table = hers.post("tables/", body).json()
    assert (table["privacy"], table["kept_seats"], table["terms"]) == ("link", 2, "3 unrated")
    assert datetime.fromisoformat(table["starts_at"]) == starts
    assert table["pace"] == {"kind": "days", "bank_s": 0, "add_s": 0, "days": 3, "weekends": True, "out": "lost"}
    invited = hers.get(f"tables/{table['id']}/invitations/").json()
    assert [(one["name"], one["is_person"], one["state"]) for one in invited["results"]] == [
        ("bob", True, "pending"),
        ("zoe@example.org", False, "pending"),
    ]


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"invite": ["nobody"]}, 422, "bad_invitation"),
        ({"invite": ["alice"]}, 422, "bad_invitation"),
        ({"invite": ["bob", "bob"]}, 422, "bad_invitation"),
        ({"invite": ["bob", "charlie", "zoe@example.org"]}, 409, "wrong_status"),
        ({"invite": ["not an address@"]}, 422, "bad_invitation"),
        ({"invite": "bob"}, 400, "invalid"),
        ({"invite": ["a@example.org"] * 6}, 400, "invalid"),
        ({"invite": ["bob"], "bots": ["scribe", "scribe"]}, 409, "wrong_status"),
        ({"privacy": "secret"}, 400, "invalid"),
        ({"starts_at": "yesterday"}, 400, "invalid"),
        ({"starts_at": "2020-01-01T00:00:00Z"}, 400, "bad_setting"),
        ({"starts_at": "9999-12-31T23:59:59-14:00"}, 400, "invalid"),
        ({"pace": {"kind": "live", "bank_s": 1}}, 400, "bad_setting"),
        ({"pace": {"kind": "days", "days": 4}}, 400, "bad_setting"),
    ],
)
def test_what_does_not_fit_opens_no_table(hers, bob, charlie, change, status, code):
    answer = hers.post("tables/", RA | change)
    assert (answer.status_code, code_of(answer)) == (status, code)
    assert not Table.objects.exists() and not Invitation.objects.exists()


def test_invited_declined_and_withdrawn(hers, his, strangers, opened, charlie):
    assert hers.post(f"tables/{opened.pk}/invitations/", {"who": "bob"}).status_code == 201
    made = hers.post(f"tables/{opened.pk}/invitations/", {"who": "charlie"}).json()
    assert his.post(f"invitations/{mine(his)['id']}/decline/").status_code == 204
    assert hers.post(f"tables/{opened.pk}/invitations/{made['id']}/", method="DELETE").json()["kept_seats"] == 0
    assert strangers.get("invitations/").json()["results"] == []
    assert strangers.post(f"invitations/{made['id']}/accept/", {"terms": "3 rated"}).status_code == 409
    states = [one["state"] for one in hers.get(f"tables/{opened.pk}/invitations/").json()["results"]]
    assert states == ["declined"]


def test_nobody_agrees_to_settings_that_they_did_not_see(hers, his, opened):
    hers.post(f"tables/{opened.pk}/invitations/", {"who": "bob"})
    pk = mine(his)["id"]
    before = snapshot(opened.pk)
    refused = his.post(f"invitations/{pk}/accept/", {"terms": "3 unrated"})
    assert (refused.status_code, code_of(refused)) == (409, "terms_changed")
    assert his.post(f"invitations/{pk}/accept/", {}).status_code == 400
    assert snapshot(opened.pk) == before


def test_a_change_is_suggested_and_granted_or_not(hers, his, opened):
    hers.post(f"tables/{opened.pk}/invitations/", {"who": "bob"})
    pk = mine(his)["id"]
    nothing = his.post(f"invitations/{pk}/suggest/", {})
    assert (nothing.status_code, code_of(nothing)) == (422, "bad_invitation")
    told = his.post(f"invitations/{pk}/suggest/", {"is_rated": False, "message": "Just for fun?"}).json()
    assert (told["state"], told["wish"]) == ("countered", {"seats": None, "is_rated": False, "message": "Just for fun?"})
    (seen,) = hers.get(f"tables/{opened.pk}/invitations/").json()["results"]
    assert (seen["state"], seen["is_rated"], seen["message"]) == ("countered", False, "Just for fun?")
    kept = hers.post(f"tables/{opened.pk}/invitations/{pk}/answer/", {"agrees": False}).json()
    assert kept["is_rated"] and mine(his)["state"] == "pending"
    his.post(f"invitations/{pk}/suggest/", {"seats": 2})
    granted = hers.post(f"tables/{opened.pk}/invitations/{pk}/answer/", {"agrees": True}).json()
    assert (granted["seat_count"], granted["status"]) == (2, "playing")


def test_by_link(hers, his, strangers, opened, client):
    table = hers.get(f"tables/{opened.pk}/").json()
    code = table["link_code"]
    assert table["link"].endswith(f"/{code}/")
    for person in (his, Person()):
        seen = person.get(f"tables/{opened.pk}/").json()
        assert (seen["link"], seen["link_code"], seen["is_owner"]) == (None, None, False)
    told = Person().get(f"links/{code}/").json()
    assert (told["id"], told["by"], told["terms"], told["is_open"]) == (None, "alice", "3 rated", True)
    assert Person().post(f"links/{code}/accept/", {"terms": told["terms"]}).status_code == 401
    assert his.post(f"links/{code}/accept/", {"terms": told["terms"]}).json()["my_seat"] == 1
    asked = strangers.post(f"links/{code}/suggest/", {"message": "Tonight?"}).json()
    assert (asked["state"], mine(strangers)["id"]) == ("countered", asked["id"])
    renewed = hers.post(f"tables/{opened.pk}/link/").json()["link_code"]
    assert renewed != code
    assert his.get(f"links/{code}/").status_code == 404
    assert code_of(strangers.post(f"links/{code}/accept/", {"terms": "3 rated"})) == "invitation_not_found"


def test_a_table_by_link_is_watched(alice, his, bob):
    table = services.create_table(owner=alice, game_key="ra", seats=2, privacy="link", bots=[]).table
    assert his.get(f"tables/{table.pk}/").status_code == 404
    assert his.get(f"links/{table.link_code}/").json()["may_watch"]
    assert his.post(f"links/{table.link_code}/watch/").json()["my_seat"] is None
    assert his.get(f"tables/{table.pk}/").status_code == 200


def test_a_mailed_invitation_is_answered_by_its_code(hers, his, strangers, opened):
    hers.post(f"tables/{opened.pk}/invitations/", {"who": "friend@example.org"})
    code = Invitation.objects.get().code
    assert his.get(f"links/{code}/").json()["state"] == "pending"
    assert code_of(his.post(f"links/{code}/watch/")) == "invitation_not_found"
    assert his.post(f"links/{code}/decline/").status_code == 204
    assert his.post(f"links/{code}/accept/", {"terms": "3 rated"}).status_code == 409


def test_whoever_guesses_codes_is_stopped(his, opened):
    with time_machine.travel(NOON, tick=False):  # all in one hour
        answers = [his.get(f"links/{number:016}/").status_code for number in range(31)]
        right = his.get(f"links/{opened.link_code}/").status_code
    assert (answers, right) == ([404] * 30 + [429], 429)


def test_nobody_sees_or_answers_what_others_are_invited_to(hers, his, strangers, opened):
    hers.post(f"tables/{opened.pk}/invitations/", {"who": "bob"})
    pk, nothing = Invitation.objects.get().pk, 10**9
    for path, body in (("", None), ("accept/", {"terms": "3 rated"}), ("decline/", {}), ("suggest/", {"seats": 2})):
        there, missing = (
            strangers.get(f"invitations/{number}/") if body is None else strangers.post(f"invitations/{number}/{path}", body)
            for number in (pk, nothing)
        )
        assert (there.status_code, there.content) == (404, missing.content)
    assert strangers.get(f"tables/{opened.pk}/invitations/").status_code == 403
    assert strangers.get("invitations/").json() == {"next": None, "results": []}


def test_nobody_learns_that_they_are_blocked(hers, alice, opened, bob, charlie):
    blocks.block(user=bob, person=alice)
    User.objects.filter(pk=charlie.pk).update(takes_invitations=False)
    answers = [hers.post(f"tables/{opened.pk}/invitations/", {"who": name}) for name in ("bob", "charlie")]
    said = [answer.json()["detail"].replace(name, "*") for answer, name in zip(answers, ("bob", "charlie"), strict=True)]
    assert said[0] == said[1]
    assert [code_of(answer) for answer in answers] == ["bad_invitation"] * 2


def test_lists_have_pages_and_cost_one_statement(hers, his, alice, bob, django_assert_num_queries):
    for _ in range(5):
        table = services.create_table(owner=alice, game_key="ra", seats=3).table
        inviting.invite(table_id=table.pk, user=alice, name="bob")
    with django_assert_num_queries(2):  # the token, and the list
        first = his.get("invitations/?limit=3").json()
    rest = his.client.get(first["next"]).json()
    seen = [one["id"] for one in (*first["results"], *rest["results"])]
    assert seen == list(Invitation.objects.order_by("-made_at", "-pk").values_list("pk", flat=True))
    assert rest["next"] is None
    with django_assert_num_queries(3):  # the token, the table, its invitations
        hers.get(f"tables/{table.pk}/invitations/")


@pytest.mark.parametrize("query", ["cursor=x", "cursor=WzFd:1:2", "limit=0", "limit=101", "limit=-1", "limit=x", "limit=" + "9" * 99])
def test_a_cursor_or_limit_that_is_none(his, query):
    answer = his.get(f"invitations/?{query}")
    assert (answer.status_code, code_of(answer)) == (400, "invalid")


def test_a_cursor_of_another_list_is_refused(hers, his, alice, duel):
    for _ in range(3):
        hers.post(f"tables/{duel.pk}/chat/players/", {"text": "Hello"})
    cursor = hers.get(f"tables/{duel.pk}/chat/players/?limit=1").json()["next"].partition("cursor=")[2].partition("&")[0]
    assert hers.get(f"tables/{duel.pk}/chat/players/?cursor={cursor}").status_code == 200
    assert code_of(hers.get(f"invitations/?cursor={cursor}")) == "invalid"


@pytest.mark.parametrize("ended", ["declined", "taken_back", "expired", "started"])
def test_an_invitation_that_has_ended_tells_nothing_of_a_table_that_its_reader_may_not_see(his, alice, bob, charlie, client, ended):
    table = services.create_table(owner=alice, game_key="ra", seats=3, privacy=Table.Privacy.LINK).table
    invitation = inviting.invite_somebody(table_id=table.pk, user=alice, who="bob")
    seen = his.get(f"invitations/{invitation.pk}/").json()
    assert (seen["players"], seen["seat_count"], seen["state"]) == (["alice"], 3, "pending")
    client.force_login(bob)
    assert "At the table" in client.get(f"/invitations/{invitation.pk}/").content.decode()
    if ended == "declined":
        inviting.decline(invitation_id=invitation.pk, user=bob)
    elif ended == "taken_back":
        inviting.take_back(table_id=table.pk, user=alice, invitation_id=invitation.pk)
    elif ended == "expired":
        Invitation.objects.filter(pk=invitation.pk).update(expires_at=timezone.now())
    else:
        services.start_table(table_id=table.pk, user=alice)
    answer = his.get(f"invitations/{invitation.pk}/")
    if answer.status_code == 404:  # as if it had never been there
        assert ended in ("taken_back", "expired", "started")
        return
    told = answer.json()
    assert told["state"] == ("declined" if ended == "declined" else "closed")
    assert (told["players"], told["seat_count"], told["terms"], told["table"], told["options"]) == ([], None, None, None, {})
    page = client.get(f"/invitations/{invitation.pk}/").content.decode()
    assert "no longer open" in page
    assert "At the table" not in page and "Settings</dt>" not in page
