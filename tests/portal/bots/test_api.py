"""The API of bot accounts: what each person sees and does, and the whole way from a new bot to its first move."""

import json

from portal.accounts.blocks import block
from portal.accounts.models import ApiToken, User
from portal.bots.models import BotAccount
from portal.bots.services import change_bot, make_bot
from portal.friends.models import Friendship
from portal.tables import services
from portal.tables.models import Seat


def test_from_a_new_bot_to_its_first_move(alice, bob, api, client):
    made = api(alice, "post", "me/bots/", {"username": "gilga", "games": ["ra"], "at_once": 2})
    assert made.status_code == 201
    assert made.json() | {"at": ""} == {
        "username": "gilga",
        "owner": "alice",
        "about": "",
        "games": ["ra"],
        "paces": ["relaxed", "live", "days"],
        "at_once": 2,
        "from_whom": "everyone",
        "rated": True,
        "is_mine": True,
        "is_taking": True,
        "paused": False,
        "at": "",
    }
    token = api(alice, "post", "me/bots/gilga/tokens/", {"name": "At home", "days": 30}).json()
    assert token["scopes"] == ["read", "play"]
    table = api(bob, "post", "bots/gilga/challenges/", {"game": "ra", "seats": 2}).json()
    assert [(seat["username"], seat["is_bot"]) for seat in table["seats"]] == [("bob", False), ("gilga", True)]
    bearer = {"authorization": f"Token {token['token']}"}
    lines = [json.loads(line) for line in client.get("/api/v1/stream/", headers=bearer).content.splitlines()]
    assert [line["type"] for line in lines if line.get("table") == table["id"]] in (["your_move"], ["state"])
    assert lines[0]["my_seat"] == 1


def test_a_list_shows_whose_bots_they_are_and_not_what_only_owners_know(alice, bob, gilga, api):
    change_bot(gilga, paused=True, games=["ra"])
    make_bot(owner=bob, username="enkidu", games=["babel"])
    found = api(bob, "get", "bots/").json()["results"]
    assert [(bot["username"], bot["owner"], bot["is_mine"], bot["is_taking"]) for bot in found] == [
        ("enkidu", "bob", True, True),
        ("gilga", "alice", False, False),
    ]
    assert "paused" not in found[0]
    assert [bot["username"] for bot in api(None, "get", "bots/?game=ra").json()["results"]] == ["gilga"]
    assert api(None, "get", "bots/?game=chess").status_code == 400


def test_a_list_costs_the_same_with_many_bots(alice, bob, charlie, api, django_assert_max_num_queries):
    for number in range(4):
        for owner in (alice, bob):
            make_bot(owner=owner, username=f"{owner.username}{number}", from_whom="friends")
    bearer = api(charlie, "get", "bots/").wsgi_request.headers["authorization"]
    assert bearer
    with django_assert_max_num_queries(12):
        assert len(api(charlie, "get", "bots/").json()["results"]) == 8


def test_the_blocked_see_what_everybody_sees_of_a_paused_bot(alice, bob, charlie, gilga, api):
    block(user=alice, person=bob)
    blocked = api(bob, "get", "bots/gilga/").json()
    told = api(bob, "post", "bots/gilga/challenges/", {"game": "ra", "seats": 2})
    change_bot(gilga, paused=True)
    assert api(charlie, "get", "bots/gilga/").json() == blocked
    paused = api(charlie, "post", "bots/gilga/challenges/", {"game": "ra", "seats": 2})
    assert (told.status_code, told.json()["type"], told.json()["detail"]) == (409, paused.json()["type"], paused.json()["detail"])


def test_friends_are_taken(alice, bob, gilga, api):
    change_bot(gilga, from_whom="friends")
    assert not api(bob, "get", "bots/gilga/").json()["is_taking"]
    Friendship.objects.create(asker=bob, asked=alice, state="friends", made_at="2026-01-01T00:00Z")
    assert api(bob, "get", "bots/gilga/").json()["is_taking"]


def test_bots_of_others_are_not_there(bob, gilga, api):
    for method, path, body in (
        ("get", "me/bots/gilga/", None),
        ("patch", "me/bots/gilga/", {"paused": True}),
        ("delete", "me/bots/gilga/", None),
        ("get", "me/bots/gilga/tokens/", None),
        ("post", "me/bots/gilga/tokens/", {"name": "Mine"}),
    ):
        assert api(bob, method, path, body).status_code == 404
    assert BotAccount.objects.filter(paused=False).count() == 1
    assert not ApiToken.objects.filter(user=gilga.user).exists()


def test_a_wrong_rule_is_told_by_its_field(alice, gilga, api):
    answer = api(alice, "patch", "me/bots/gilga/", {"games": ["chess"], "paused": True})
    assert answer.status_code == 422
    assert not BotAccount.objects.get().paused
    taken = api(alice, "post", "me/bots/", {"username": "scribe"})
    assert (taken.status_code, taken.json()["detail"]) == (
        422,
        "This name looks like one of the site's own bots. Choose a different name.",
    )


def test_a_bots_token_makes_no_bots_and_no_tokens(gilga, api):
    for path, body in (("me/bots/", {"username": "enkidu"}), ("tokens/", {"name": "Another", "scopes": ["read"]})):
        answer = api(gilga.user, "post", path, body)
        assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (403, answer.json()["type"].rpartition("/")[2])
    assert User.objects.filter(is_bot=True).count() == 1


def test_a_revoked_token_is_over(alice, gilga, api, client, token_of):
    bearer = {"authorization": f"Token {token_of(gilga.user)}"}
    assert client.get("/api/v1/me/", headers=bearer).json()["username"] == "gilga"
    row = ApiToken.objects.get(user=gilga.user)
    assert api(alice, "delete", f"me/bots/gilga/tokens/{row.pk}/").status_code == 204
    assert client.get("/api/v1/me/", headers=bearer).status_code == 401


def test_closing_a_bot_ends_its_tokens(alice, gilga, api, client, token_of):
    bearer = {"authorization": f"Token {token_of(gilga.user)}"}
    assert api(alice, "delete", "me/bots/gilga/").status_code == 204
    assert client.get("/api/v1/me/", headers=bearer).status_code == 401
    assert api(alice, "get", "bots/gilga/").status_code == 404


def test_a_bot_sees_exactly_what_its_seat_sees(bob, gilga, api, fixed_secret):
    """The same position, at the seat of a person and of a bot: every field of the answer is the same but who sits there."""
    views = []
    for sitter in (User.objects.create_user("dora"), gilga.user):
        table = services.open_table(game_key="tigris_euphrates", sitters=[bob, sitter], owner=bob).table
        answer = api(sitter, "get", f"tables/{table.pk}/").json()
        views.append({name: answer[name] for name in ("view", "legal", "due", "secret", "my_seat", "options")})
        stranger = api(User.objects.create_user(f"stranger{table.pk}"), "get", f"tables/{table.pk}/").json()
        assert stranger["view"] != answer["view"]
    assert views[0] == views[1]
    assert views[0]["secret"] is None
    assert Seat.objects.filter(user=gilga.user).count() == 1
