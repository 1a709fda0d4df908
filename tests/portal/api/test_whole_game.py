"""Two people play a whole game from the API alone, from the invitation to the rematch."""

from __future__ import annotations

import pytest

from portal.accounts.services import token_for_sign_in
from portal.tables import tasks
from portal.tables.loading import load
from tests.portal.api.asking import Person

pytestmark = pytest.mark.django_db
MOST_MOVES = 400


def play(people, pk: int) -> dict:
    """Let whoever is due play the first legal action until the game is over; what workers do is done here at once."""
    for _ in range(MOST_MOVES):
        views = [person.get(f"tables/{pk}/").json() for person in people]
        if views[0]["status"] != "playing":
            return views[0]
        due = next(((person, view) for person, view in zip(people, views, strict=True) if view["legal"]), None)
        if due is None:
            assert views[0]["waiting_for"] == ["scoring"]
            tasks.score(pk, load(pk).table.version)
            continue
        person, view = due
        action = "end" if "end" in view["legal"] else view["legal"][0]
        answer = person.post(f"tables/{pk}/actions/", {"action": action, "expected_version": view["version"]})
        assert answer.status_code == 200, answer.json()
    raise AssertionError("the game does not end")


def test_two_friends_play_from_the_invitation_to_the_rematch(alice, bob, fixed_secret):
    assert token_for_sign_in(user=alice) != token_for_sign_in(user=bob)
    hers, his = Person(alice), Person(bob)
    settings = {
        "game": "babel",
        "seats": 2,
        "privacy": "link",
        "invite": ["bob"],
        "is_rated": False,
        "pace": {"kind": "live", "bank_s": 600, "add_s": 10},
    }
    opened = hers.post("tables/", settings)
    assert opened.status_code == 201
    table = opened.json()
    pk = table["id"]
    assert (table["status"], table["privacy"], table["kept_seats"], table["is_owner"]) == ("open", "link", 1, True)
    assert (table["pace"]["kind"], table["link"].endswith(f"/invite/{table['link_code']}/")) == ("live", True)

    (waiting,) = his.get("invitations/").json()["results"]
    assert (waiting["table"], waiting["by"], waiting["state"]) == (pk, "alice", "pending")
    offered = his.get(f"invitations/{waiting['id']}/").json()
    assert (offered["players"], offered["is_rated"], offered["pace"]["bank_s"]) == (["alice"], False, 600)
    joined = his.post(f"invitations/{waiting['id']}/accept/", {"terms": offered["terms"]})
    assert (joined.status_code, joined.json()["status"], joined.json()["my_seat"]) == (200, "playing", 1)
    assert his.get("invitations/").json()["results"] == []

    assert hers.post(f"tables/{pk}/chat/players/", {"phrase": "good_luck"}).status_code == 201
    said = his.get(f"tables/{pk}/chat/players/").json()["results"]
    assert [(line["username"], line["text"], line["phrase"]) for line in said] == [("alice", "Good luck!", "good_luck")]
    assert his.get(f"tables/{pk}/chat/").json()["unread"] == 1
    assert his.post(f"tables/{pk}/chat/read/", {"line": said[0]["id"]}).status_code == 204
    assert his.get(f"tables/{pk}/chat/").json()["unread"] == 0

    asked = hers.post(f"tables/{pk}/votes/", {"what": "no_clocks"}).json()
    vote = his.get(f"tables/{pk}/votes/").json()["results"][0]
    assert (vote["id"], vote["what"], vote["missing"]) == (asked["vote"]["id"], "no_clocks", [1])
    agreed = his.post(f"tables/{pk}/votes/{vote['id']}/", {"agrees": True}).json()
    assert (agreed["pace"]["kind"], agreed["vote"]) == ("relaxed", None)

    over = play([hers, his], pk)
    assert over["status"] == "finished"
    assert sorted(over["outcome"]["places"]) in ([1, 2], [1, 1])
    replay = his.get(f"tables/{pk}/replay/").json()
    last = his.get(f"tables/{pk}/replay/{replay['count']}/").json()
    assert last["view"] == his.get(f"tables/{pk}/").json()["view"]

    again = hers.post(f"tables/{pk}/rematch/").json()
    assert again["id"] != pk and again["kept_seats"] == 1
    both = his.post(f"tables/{pk}/rematch/").json()
    assert (both["id"], both["status"], both["my_seat"]) == (again["id"], "playing", 1)
