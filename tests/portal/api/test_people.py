"""People, friends, blocks, searches and notices by the API: the same answers as on the pages, with pages of their own."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from portal.accounts import blocks
from portal.accounts.models import User
from portal.clubs import services as clubs
from portal.friends import services as friends
from portal.friends.models import Friendship
from portal.live import presence
from portal.matching import services as matching
from portal.matching.models import Search
from portal.notices.models import Kind, Notice
from portal.people.models import Profile
from portal.ratings.services import apply_pending
from portal.tables import services
from portal.tables.models import Table
from tests.portal.api.asking import NOON, Person, code_of
from tests.portal.friends.test_presence import valkey
from tests.portal.ratings.games import finished
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db
__all__ = ["valkey"]


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    cache.clear()
    monkeypatch.setattr(matching, "later", lambda *_args: None)
    monkeypatch.setattr("portal.notices.unread.transaction.on_commit", lambda call, **_options: call())  # a test commits nothing


# People


def test_people_are_found_by_the_start_of_their_name(hers, bob):
    User.objects.create(username="bobby-guest", is_guest=True)
    assert hers.get("people/?q=BO").json() == {"results": [{"username": "bob", "is_bot": False}]}
    for query in ("", "?q=", "?q=b", "?q=+b+"):
        assert code_of(hers.get(f"people/{query}")) == "invalid"
    assert Person().get("people/?q=bo").status_code == 401


def test_searches_for_people_are_limited(hers):
    with time_machine.travel(NOON, tick=False):  # all in one minute
        answers = [hers.get("people/?q=bo").status_code for _ in range(61)]
    assert answers == [200] * 60 + [429]


def test_a_profile_is_what_the_page_shows(hers, his, duel, alice, bob, django_assert_num_queries):
    Profile.objects.create(user=bob, about="I like Ra.")
    blocks.block(user=alice, person=bob)
    end(duel.pk)
    apply_pending()
    told = hers.get("people/BOB/").json()
    assert (told["username"], told["about"], told["picture"], told["is_me"], told["is_blocked"]) == ("bob", "I like Ra.", "", False, True)
    assert [one["id"] for one in told["last_games"]] == [duel.pk]
    assert told["games_played"] == sum(total["games"] for total in told["totals"]) == 1
    assert {rating["pool"] for rating in told["ratings"]} == {"people"}
    assert not his.get("people/alice/").json()["is_blocked"], "nobody learns that they are blocked"
    assert Person().get("people/nobody/").status_code == 404
    with django_assert_num_queries(6):  # as many as the page
        Person().get("people/bob/")


def test_games_have_filters_and_pages(hers, alice, bob, charlie, django_assert_num_queries):
    made = [finished(number, [("alice", 1 + number % 2), ("bob", 2 - number % 2)]).pk for number in range(1, 6)]
    finished(6, [("bob", 1), ("charlie", 2)])
    with django_assert_num_queries(4):  # the token, the person, the games, their seats
        page = hers.get("people/alice/games/?limit=2").json()
    seen = [one["id"] for one in page["results"]]
    while page["next"]:
        page = hers.client.get(page["next"]).json()
        seen += [one["id"] for one in page["results"]]
    assert seen == made[::-1]
    won = hers.get("people/alice/games/?result=won&opponent=bob&game=ra&rated=rated").json()["results"]
    assert [one["id"] for one in won] == [made[3], made[1]]
    assert all(one["place"] == 1 for one in won)
    assert hers.get("people/alice/games/?opponent=charlie").json()["results"] == []
    assert hers.get("people/alice/games/?opponent=nobody").status_code == 404
    for query in ("game=chess", "rated=perhaps", "result=drawn", "cursor=x", "limit=1000"):
        assert code_of(hers.get(f"people/alice/games/?{query}")) == "invalid"


def test_head_to_head(hers, duel, alice, bob):
    end(duel.pk)
    apply_pending()
    told = hers.get("people/alice/against/bob/").json()
    assert [line["game"] for line in told["lines"]] == [None, "ra"]
    first = told["lines"][0]
    assert first["games"] == 1 == first["ahead"] + first["behind"] + first["level"]
    assert [one["id"] for one in told["last_games"]] == [duel.pk]
    for path in ("people/alice/against/alice/", "people/alice/against/nobody/", "people/nobody/against/bob/"):
        assert hers.get(path).status_code == 404


def test_games_that_a_reader_may_not_see_are_nowhere(hers, his, strangers, alice, bob):
    club = clubs.create_club(owner=alice, name="Enlil")
    clubs.change_settings(club=club, actor=alice, name="Enlil", is_private=True, joining="open")
    from portal.clubs import ways_in

    ways_in.join_by_link(code=type(club).objects.get(pk=club.pk).link_code, user=bob)
    club.refresh_from_db()
    in_club = services.create_table(owner=alice, game_key="ra", seats=2, club=club).table.pk
    services.join_table(table_id=in_club, user=bob)
    by_link = services.create_table(owner=alice, game_key="ra", seats=2, privacy="link").table.pk
    services.join_table(table_id=by_link, user=alice)
    Table.objects.filter(pk=by_link).update(privacy="public")
    services.join_table(table_id=by_link, user=bob)
    Table.objects.filter(pk=by_link).update(privacy="link")
    paths = ("people/alice/", "people/alice/games/", "people/bob/games/?opponent=alice", "people/alice/against/bob/")
    before = [strangers.get(path).content for path in paths]
    for pk in (in_club, by_link):
        end(pk)
    assert [strangers.get(path).content for path in paths] == before
    assert [Person().get(path).content for path in paths[1:3]] == [b'{"next":null,"results":[]}'] * 2
    assert {one["id"] for one in his.get("people/alice/games/").json()["results"]} == {in_club, by_link}


def test_me(hers, alice, django_assert_num_queries):
    with django_assert_num_queries(2):  # the token, and the notices, which nobody has counted
        told = hers.get("me/").json()
    assert told == {
        "username": "alice",
        "is_guest": False,
        "is_bot": False,
        "language": "",
        "time_zone": "Europe/Budapest",
        "takes_invitations": True,
        "shows_presence": False,
        "shows_watching": True,
        "unread_notices": 0,
    }
    assert hers.post("me/", {"takes_invitations": False}, "PATCH").json()["takes_invitations"] is False
    assert hers.post("me/", {}, "PATCH").json()["takes_invitations"] is False
    assert code_of(hers.post("me/", {"takes_invitations": "perhaps"}, "PATCH")) == "invalid"
    alice.refresh_from_db()
    assert (alice.takes_invitations, alice.shows_presence, alice.shows_watching) == (False, False, True)
    assert hers.post("me/", {"shows_watching": False}, "PATCH").json()["shows_watching"] is False


# Friends and blocks


def test_friends_from_the_request_to_the_end(hers, his, django_assert_num_queries):
    assert hers.post("friends/Bob/").json() == {"username": "bob", "tie": "asked"}
    assert [one["username"] for one in hers.get("friends/?list=asked").json()["results"]] == ["bob"]
    assert [one["username"] for one in his.get("friends/?list=asking").json()["results"]] == ["alice"]
    assert his.post("friends/alice/accept/").json()["tie"] == "friends"
    with django_assert_num_queries(2):  # the token, and the friends
        (friend,) = hers.get("friends/").json()["results"]
    assert (friend["username"], friend["is_here"], friend["table"]) == ("bob", False, None)
    assert hers.get("people/bob/").json()["tie"] == "friends"
    assert hers.post("friends/bob/", method="DELETE").status_code == 204
    assert code_of(hers.post("friends/bob/", method="DELETE")) == "not_found"
    assert his.get("friends/").json()["results"] == []


def test_declining_and_being_blocked_look_like_waiting(hers, his, strangers, alice, bob, charlie):
    hers.post("friends/bob/")
    waits = hers.get("friends/?list=asked").json()
    assert his.post("friends/alice/decline/").status_code == 204
    assert hers.get("friends/?list=asked").json() == waits
    blocks.block(user=charlie, person=alice)
    assert hers.post("friends/charlie/").json() == {"username": "charlie", "tie": "asked"}
    assert strangers.get("friends/?list=asking").json()["results"] == []
    assert hers.post("friends/charlie/withdraw/").status_code == 204
    assert code_of(hers.post("friends/charlie/withdraw/")) == "not_found"


@pytest.mark.parametrize(("name", "status"), [("alice", 422), ("nobody", 404), ("lonely-guest", 422)])
def test_who_cannot_be_asked(hers, name, status):
    User.objects.create(username="lonely-guest", is_guest=True)
    assert hers.post(f"friends/{name}/").status_code == status
    assert not Friendship.objects.exists()


def test_presence_is_told_to_friends_who_show_the_same(valkey, hers, alice, bob):
    friends.ask(user=alice, person=bob)
    friends.accept(user=bob, person=alice)
    User.objects.update(shows_presence=True)
    presence.seen(bob.pk)
    assert hers.get("friends/").json()["results"][0]["is_here"]
    for hides in (alice, bob):
        User.objects.filter(pk=hides.pk).update(shows_presence=False)
        assert not hers.get("friends/").json()["results"][0]["is_here"]
        User.objects.filter(pk=hides.pk).update(shows_presence=True)
    seen, hidden = (services.create_table(owner=bob, game_key="ra", seats=2, privacy=privacy).table.pk for privacy in ("public", "link"))
    for table, told in ((hidden, None), (seen, seen)):
        valkey.set(presence.stream_key(bob.pk), str(table), ex=60)
        friend = hers.get("friends/").json()["results"][0]
        assert (friend["is_at_table"], friend["table"]) == (True, told)


def test_lists_of_people_have_pages(hers, alice):
    names = [f"friend{number}" for number in range(5)]
    for name in names:
        other = User.objects.create_user(name, f"{name}@example.org", "correct horse")
        friends.ask(user=alice, person=other)
        friends.accept(user=other, person=alice)
    first = hers.get("friends/?limit=3").json()
    rest = hers.client.get(first["next"]).json()
    assert [one["username"] for one in (*first["results"], *rest["results"])] == names
    assert rest["next"] is None
    assert code_of(hers.get("friends/?list=enemies")) == "invalid"
    for name in names:
        assert hers.post(f"blocks/{name}/", method="PUT").status_code == 204
    first = hers.get("blocks/?limit=3").json()
    rest = hers.client.get(first["next"]).json()
    assert [one["username"] for one in (*first["results"], *rest["results"])] == names[::-1]
    assert hers.get("friends/").json()["results"] == [], "a block ends a friendship"


def test_blocks_end_also_for_people_who_are_gone(hers, bob):
    assert hers.post("blocks/bob/", method="PUT").status_code == 204
    assert hers.post("blocks/bob/", method="PUT").status_code == 204
    assert len(hers.get("blocks/").json()["results"]) == 1
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert hers.post("blocks/bob/", method="DELETE").status_code == 204
    assert hers.get("blocks/").json()["results"] == []
    assert hers.post("blocks/alice/", method="PUT").status_code in (400, 409, 422)
    assert hers.post("blocks/nobody/", method="PUT").status_code == 404


# Find me a table


def test_two_people_find_each_other(hers, his, bob):
    looked = hers.post("searches/ra/", {"pace": "live", "seats": 2}, "PUT").json()
    assert (looked["game"], looked["pace"]["kind"], looked["table"], looked["offers_bots"]) == ("ra", "live", None, False)
    assert his.get("searches/").json() == {"results": [], "lookers": [{"game": "ra", "pace": "live", "count": 1}]}
    his.post("searches/ra/", {"pace": "live"}, "PUT")
    assert matching.pair_all() == 1
    tables = [person.get("searches/").json()["results"][0]["table"] for person in (hers, his)]
    assert tables[0] == tables[1] and Table.objects.get(pk=tables[0]).status == "playing"
    assert hers.post("searches/ra/", method="DELETE").status_code == 204
    assert hers.get("searches/").json()["results"] == []


def test_asking_says_that_one_is_there(hers, django_assert_num_queries):
    hers.post("searches/ra/", {"pace": "live"}, "PUT")
    long_ago = timezone.now() - timedelta(minutes=2)
    Search.objects.update(seen_at=long_ago)
    assert not matching.there(timezone.now()).exists()
    with django_assert_num_queries(4):  # the token, the searches, the note, who else looks
        hers.get("searches/")
    assert matching.there(timezone.now()).exists()


def test_bots_are_offered_after_a_while(hers):
    hers.post("searches/ra/", {"pace": "live"}, "PUT")
    Search.objects.update(made_at=timezone.now() - timedelta(seconds=matching.TEMPOS["live"].bots_after_s))
    assert hers.get("searches/").json()["results"][0]["offers_bots"]


@pytest.mark.parametrize(
    ("game", "body", "status", "code"),
    [
        ("chess", {"pace": "live"}, 422, "bad_value"),
        ("ra", {"pace": "relaxed"}, 400, "invalid"),
        ("ra", {}, 400, "invalid"),
        ("babel", {"pace": "live", "seats": 5}, 400, "bad_setting"),
        ("ra", {"pace": "live", "seats": -1}, 400, "invalid"),
    ],
)
def test_what_nobody_looks_for(hers, game, body, status, code):
    answer = hers.post(f"searches/{game}/", body, "PUT")
    assert (answer.status_code, code_of(answer)) == (status, code)
    assert not Search.objects.exists()


# Notices


def notice(user, **values) -> Notice:
    return Notice.objects.create(user=user, **({"kind": Kind.CLUB, "key": "joined", "path": "/", "made_at": timezone.now()} | values))


def test_notices_are_listed_counted_and_read(hers, his, alice, bob, django_assert_num_queries):
    his_own = notice(bob)
    own = [notice(alice, made_at=timezone.now() + timedelta(seconds=number)).pk for number in range(5)]
    with django_assert_num_queries(3):  # the token, the notices, what became of them
        page = hers.get("notices/?limit=3").json()
    rest = hers.client.get(page["next"]).json()
    assert [one["id"] for one in (*page["results"], *rest["results"])] == own[::-1]
    assert all(one["text"] and one["is_new"] and not one["is_over"] for one in page["results"])
    assert hers.get("notices/unread/").json() == {"unread": 5}, "listing reads nothing"
    assert hers.post("notices/read/", {"notice": own[0]}).json() == {"unread": 4}
    assert hers.post("notices/read/", {"notice": his_own.pk}).json() == {"unread": 4}
    assert [one["id"] for one in hers.get("notices/?show=unread").json()["results"]] == own[:0:-1]
    assert hers.post("notices/read/").json() == {"unread": 0}
    assert his.get("notices/unread/").json() == {"unread": 1}
    assert hers.get("notices/?show=failed").json()["results"] == []


def test_notices_of_one_table(hers, alice, duel):
    before = hers.get("notices/unread/").json()["unread"]
    notice(alice, table_id=duel.pk, kind=Kind.GAME, key="started", facts={"game": "ra"})
    notice(alice)
    cache.clear()
    assert hers.get("notices/unread/").json()["unread"] == before + 2
    assert hers.post("notices/read/", {"table": duel.pk}).json()["unread"] == 1


@pytest.mark.parametrize("query", ["show=all", "show=%20", "cursor=x", "limit=0"])
def test_a_list_of_notices_that_is_none(hers, query):
    assert code_of(hers.get(f"notices/?{query}")) == "invalid"


@pytest.mark.parametrize("body", [{"notice": 0}, {"notice": "x"}, {"table": 10**30}, {"notice": [1]}])
def test_what_is_no_notice(hers, body):
    assert code_of(hers.post("notices/read/", body)) == "invalid"


@pytest.mark.parametrize("path", ["me/", "friends/", "blocks/", "searches/", "notices/", "notices/unread/", "invitations/", "people/bob/"])
def test_nothing_is_kept_by_caches(hers, bob, path):
    assert hers.get(path)["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["me/", "friends/", "blocks/", "searches/", "notices/", "notices/unread/", "invitations/"])
def test_visitors_have_nothing_of_their_own(path):
    answer = Person().get(path)
    assert (answer.status_code, code_of(answer)) == (401, "not_authenticated")
