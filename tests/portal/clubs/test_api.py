"""Clubs by the API: the same clubs, rights and limits as on the pages, with pages of lists and a fixed number of statements."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from portal.clubs import announcements, calendar, entry_views, services, ways_in
from portal.clubs.models import Announcement, Attendance, Ban, Club, Evening, Invitation, JoinRequest, Membership
from portal.common.limits import Use
from tests.portal.api.asking import Person, code_of
from tests.portal.clubs.conftest import person

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def fresh():
    cache.clear()


@pytest.fixture
def hers(alice):
    return Person(alice)


@pytest.fixture
def officers(olga):
    return Person(olga)


@pytest.fixture
def his(bob):
    return Person(bob)


@pytest.fixture
def strangers(charlie):
    return Person(charlie)


def names(page, key="username"):
    return [one[key] for one in page["results"]]


def everything(asker, path):
    """Return all rows of a list, read in pages of two."""
    page = asker.get(f"{path}{'&' if '?' in path else '?'}limit=2").json()
    found = page["results"]
    while page["next"]:
        page = asker.client.get(page["next"]).json()
        assert page["results"]
        found += page["results"]
    return found


# Clubs


def test_public_clubs_are_listed_and_searched(club, hers, strangers, alice, bob, django_assert_num_queries):
    others = [services.create_club(owner=bob, name=name).slug for name in ("Ninlil", "Anu", "Enlil's rivals")]
    secret = services.create_club(owner=alice, name="Hidden Enlil", is_private=True)
    with django_assert_num_queries(1):
        assert names(Person().get("clubs/").json(), "slug") == [club.slug, *others]
    assert [one["slug"] for one in everything(strangers, "clubs/")] == [club.slug, *others]
    assert names(strangers.get("clubs/?q=enlil").json(), "name") == ["Enlil", "Enlil's rivals"]
    with django_assert_num_queries(2):  # the token, and the clubs
        mine = hers.get("clubs/?list=mine").json()
    assert [(one["slug"], one["role"]) for one in mine["results"]] == [(club.slug, "owner"), (secret.slug, "owner")]
    assert Person().get("clubs/?list=mine").status_code == 401
    assert code_of(hers.get("clubs/?list=all")) == "invalid"


def test_a_club_says_what_its_reader_may_do(club, hers, his, strangers, zoe, django_assert_num_queries):
    with django_assert_num_queries(2):  # the token, and the club with the role
        told = his.get(f"clubs/{club.slug}/").json()
    assert (told["role"], told["way_in"], told["link"], told["members"]) == ("member", "member", None, 3)
    assert set(told["may"]) == {"view", "open_table", "sit_down", "answer", "read_log", "leave"}
    assert hers.get(f"clubs/{club.slug}/").json()["link"].endswith(f"/clubs/join/{club.link_code}/")
    with django_assert_num_queries(3):  # and how the stranger could join
        told = strangers.get(f"clubs/{club.slug}/").json()
    assert (told["role"], told["way_in"], told["may"], told["link"]) == (None, "request", ["view"], None)
    assert Person(zoe).get(f"clubs/{club.slug}/").json()["way_in"] == "banned"
    assert Person().get(f"clubs/{club.slug}/").json()["way_in"] == "visitor"


def test_a_private_club_is_nowhere(private, his, strangers):
    missing = strangers.get("clubs/nothing/")
    assert his.get(f"clubs/{private.slug}/").status_code == 200
    for part in ("", "members/", "announcements/", "events/", "log/", "requests/", "invitations/", "bans/"):
        hidden = strangers.get(f"clubs/{private.slug}/{part}")
        assert (hidden.status_code, hidden.content) == (404, missing.content), part
    assert private.slug not in strangers.get("clubs/").content.decode()


def test_a_club_is_founded_changed_and_closed(hers, officers, alice, olga):
    made = hers.post("clubs/", {"name": " Ninlil ", "about_en": "On Fridays.", "joining": "open"})
    slug = made.json()["slug"]
    assert (made.status_code, made.json()["name"], made.json()["role"], made.json()["joining"]) == (201, "Ninlil", "owner", "open")
    ways_in.join(club=Club.objects.get(slug=slug), user=olga)
    hers.post(f"clubs/{slug}/members/olga/", {"role": "officer"}, "PUT")
    assert officers.post(f"clubs/{slug}/", {"about_hu": "Pénteken."}, "PATCH").json()["about_en"] == "On Fridays."
    refused = officers.post(f"clubs/{slug}/", {"about_hu": "Szombaton.", "name": "Olga's"}, "PATCH")
    assert refused.status_code == 403
    assert Club.objects.get(slug=slug).about_hu == "Pénteken.", "all of it or nothing"
    changed = hers.post(f"clubs/{slug}/", {"name": "Ninlil II", "is_private": True}, "PATCH").json()
    assert (changed["name"], changed["is_private"], changed["joining"], changed["slug"]) == ("Ninlil II", True, "open", slug)
    assert hers.post(f"clubs/{slug}/close/", {"name": "Ninlil"}).status_code == 422
    assert hers.post(f"clubs/{slug}/close/", {"name": "Ninlil II"}).json()["closed_at"]
    assert hers.post(f"clubs/{slug}/", {"about_en": ""}, "PATCH").status_code == 409
    lines = everything(hers, f"clubs/{slug}/log/")
    assert [line["what"] for line in lines] == ["closed", "made_private", "renamed", "edited", "officer_made", "joined", "founded"]
    assert lines[-1]["text"] == "alice created the club."


def test_the_limits_are_those_of_the_pages(hers, monkeypatch):
    monkeypatch.setattr(entry_views, "CLUBS_PER_DAY", 1)
    assert hers.post("clubs/", {"name": "One"}).status_code == 201
    assert hers.post("clubs/", {"name": "Two"}).status_code == 429
    monkeypatch.setattr("portal.common.limits.use", lambda *_args, **_limits: Use(-1, 1234))
    refused = hers.post("clubs/one/", {"about_en": "x"}, "PATCH")
    assert (refused.status_code, refused["Retry-After"]) == (429, "1234")


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": "x" * 61}, {"name": "\u202eabc"}, {"name": "A", "joining": "never"}])
def test_what_is_no_club(hers, body):
    assert hers.post("clubs/", body).status_code in (400, 422)
    assert not Club.objects.exists()


# Joining and leaving


def test_every_way_in(club, hers, officers, strangers, alice, charlie):
    slug = club.slug
    assert code_of(strangers.post(f"clubs/{slug}/join/")) == "not_allowed"
    assert strangers.post(f"clubs/{slug}/ask/", {"message": "Please."}).json()["way_in"] == "asked"
    assert names(strangers.get("clubs/?list=asked").json(), "slug") == [slug]
    assert strangers.post(f"clubs/{slug}/withdraw/").status_code == 204
    assert strangers.post(f"clubs/{slug}/withdraw/").status_code == 409
    strangers.post(f"clubs/{slug}/ask/", {"message": "Please, please."})
    (asked,) = officers.get(f"clubs/{slug}/requests/").json()["results"]
    assert (asked["username"], asked["message"]) == ("charlie", "Please, please.")
    assert officers.post(f"clubs/{slug}/requests/{asked['id']}/decline/").status_code == 204
    strangers.post(f"clubs/{slug}/ask/")
    assert officers.post(f"clubs/{slug}/requests/{JoinRequest.objects.get().pk}/accept/").status_code == 204
    assert strangers.get(f"clubs/{slug}/").json()["role"] == "member"
    assert strangers.post(f"clubs/{slug}/leave/").status_code == 204
    assert hers.post(f"clubs/{slug}/leave/").status_code == 403, "the owner stays"
    invited = officers.post(f"clubs/{slug}/invitations/", {"username": "Charlie"})
    assert (invited.status_code, invited.json()["username"], invited.json()["by"]) == (201, "charlie", "olga")
    (told,) = strangers.get("clubs/invitations/").json()["results"]
    assert (told["club"], told["name"], told["by"]) == (slug, "Enlil", "olga")
    assert strangers.post(f"clubs/invitations/{told['id']}/decline/").status_code == 204
    ways_in.invite(club=club, actor=alice, person=charlie)
    assert strangers.post(f"clubs/invitations/{Invitation.objects.get().pk}/accept/").json()["role"] == "member"
    strangers.post(f"clubs/{slug}/leave/")
    hers.post(f"clubs/{slug}/", {"joining": "open"}, "PATCH")
    assert strangers.post(f"clubs/{slug}/join/").json()["role"] == "member"


def test_the_link(private, hers, strangers, zoe, django_assert_num_queries):
    code = private.link_code
    with django_assert_num_queries(1):  # visitors see what they were sent
        told = Person().get(f"clubs/join/{code}/").json()
    assert (told["slug"], told["name"], told["is_private"], told["role"], told["is_banned"]) == (private.slug, "Enlil", True, None, False)
    assert Person(zoe).get(f"clubs/join/{code}/").json()["is_banned"]
    assert Person(zoe).post(f"clubs/join/{code}/").status_code == 403
    assert strangers.post(f"clubs/join/{code}/").json()["role"] == "member"
    renewed = hers.post(f"clubs/{private.slug}/link/").json()["link"]
    assert code not in renewed
    assert Person().get(f"clubs/join/{code}/").status_code == 404
    for number in range(30):
        Person().get(f"clubs/join/wrong{number}/")
    assert Person().get(f"clubs/join/{renewed.rstrip('/').rsplit('/', 1)[1]}/").status_code == 429, "whoever guesses is stopped"


# People


def test_members_have_pages_and_roles(club, hers, officers, his, django_assert_num_queries):
    for number in range(4):
        ways_in.join_by_link(code=club.link_code, user=person(f"person{number}"))
    with django_assert_num_queries(2):  # the club, the members: visitors may look
        page = Person().get(f"clubs/{club.slug}/members/?limit=3").json()
    assert [(one["username"], one["role"]) for one in page["results"]] == [("alice", "owner"), ("olga", "officer"), ("bob", "member")]
    assert [one["username"] for one in everything(his, f"clubs/{club.slug}/members/")][3:] == [f"person{n}" for n in range(4)]
    at = f"clubs/{club.slug}/members"
    assert officers.post(f"{at}/bob/", {"role": "officer"}, "PUT").status_code == 403
    assert hers.post(f"{at}/BOB/", {"role": "officer"}, "PUT").status_code == 200
    assert his.post(f"{at}/olga/", method="DELETE").status_code == 403, "nobody of the same role"
    assert hers.post(f"{at}/alice/", {"role": "member"}, "PUT").status_code == 403, "there is always an owner"
    assert hers.post(f"{at}/bob/", {"role": "king"}, "PUT").status_code == 400
    assert hers.post(f"{at}/nobody/", {"role": "member"}, "PUT").status_code == 422
    assert hers.post(f"{at}/bob/", {"role": "owner"}, "PUT").json()["role"] == "officer"
    assert his.get(f"clubs/{club.slug}/").json()["role"] == "owner"
    assert officers.post(f"{at}/person0/", method="DELETE").status_code == 204
    assert not Membership.objects.filter(user__username="person0").exists()


def test_bans(club, officers, his, zoe):
    at = f"clubs/{club.slug}/bans/"
    assert his.get(at).status_code == 403
    (told,) = officers.get(at).json()["results"]
    assert (told["username"], told["by"], told["reason"]) == ("zoe", "olga", "Left every game.")
    assert officers.post(at, {"username": "bob", "reason": "Rude."}).status_code == 201
    assert his.get(f"clubs/{club.slug}/").json()["way_in"] == "banned"
    assert officers.post(at, {"username": "bob"}).status_code == 409
    assert officers.post(f"{at}{Ban.objects.get(user=zoe).pk}/", method="DELETE").status_code == 204
    assert [ban.user.username for ban in Ban.objects.all()] == ["bob"]


# Announcements, events, the log


def test_announcements(club, officers, his, olga, django_assert_num_queries):
    at = f"clubs/{club.slug}/announcements/"
    made = [announcements.announce(club=club, actor=olga, title=f"No. {number}").pk for number in range(4)]
    assert his.post(at, {"title": "Mine"}).status_code == 403
    last = officers.post(at, {"title": "Five", "text": "Text.", "is_pinned": True}).json()
    assert (last["title"], last["text"], last["author"], last["is_pinned"]) == ("Five", "Text.", "olga", True)
    assert officers.post(f"{at}{made[1]}/", {"is_pinned": True}, "PATCH").status_code == 204
    with django_assert_num_queries(2):  # the club, the announcements
        Person().get(at)
    assert [one["id"] for one in everything(Person(), at)] == [last["id"], made[1], made[3], made[2], made[0]]
    assert officers.post(f"{at}{made[1]}/", method="DELETE").status_code == 204
    assert officers.post(f"{at}{made[1]}/", {"is_pinned": True}, "PATCH").status_code == 409
    assert not Announcement.objects.filter(pk=made[1]).exists()


def test_events(club, officers, his, bob, olga, django_assert_num_queries):
    at = f"clubs/{club.slug}/events/"
    now = timezone.now()
    made = officers.post(at, {"title": "Ra night", "starts_at": (now + DAY).isoformat(), "game": "ra"})
    event = made.json()
    assert (made.status_code, event["title"], event["game"], event["is_cancelled"], event["mine"]) == (201, "Ra night", "ra", False, None)
    assert his.post(at, {"title": "Mine", "starts_at": (now + DAY).isoformat()}).status_code == 403
    answered = his.post(f"{at}{event['id']}/answer/", {"answer": "yes"}, "PUT").json()
    assert (answered["mine"], answered["yes"], answered["no"]) == ("yes", ["bob"], [])
    assert his.post(f"{at}{event['id']}/answer/", {"answer": "no"}, "PUT").json()["yes"] == []
    assert his.post(f"{at}{event['id']}/answer/", {"answer": "never"}, "PUT").status_code == 400
    moved = officers.post(f"{at}{event['id']}/", {"title": "Two of Ra"}, "PATCH").json()
    assert (moved["title"], moved["game"], moved["starts_at"], moved["no"]) == ("Two of Ra", "ra", event["starts_at"], ["bob"])
    later = [calendar.create_evening(club=club, actor=olga, title="x", starts_at=now + number * DAY).pk for number in (4, 2, 3)]
    with django_assert_num_queries(4):  # the token, the club, the events, the answers with their people
        his.get(at)
    assert [one["id"] for one in everything(his, at)] == [event["id"], later[1], later[2], later[0]]
    assert officers.post(f"{at}{event['id']}/cancel/").status_code == 204
    assert his.get(at).json()["results"][0]["is_cancelled"]
    assert his.post(f"{at}{event['id']}/answer/", {"answer": "yes"}, "PUT").status_code == 409
    Evening.objects.filter(pk=later[1]).update(starts_at=now - DAY)
    assert [(one["id"], one["is_over"]) for one in everything(his, f"{at}?when=past")] == [(later[1], True)]
    assert code_of(his.get(f"{at}?when=now")) == "invalid"
    assert officers.post(at, {"title": "Far", "starts_at": (now + 9999 * DAY).isoformat()}).status_code == 422
    assert officers.post(at, {"title": "Chess", "starts_at": (now + DAY).isoformat(), "game": "chess"}).status_code == 422
    assert Evening.objects.count() == 4 and Attendance.objects.get().answer == "no"


def test_the_log_is_for_members(club, his, strangers, django_assert_num_queries):
    with django_assert_num_queries(4):  # the token, the club, the role, the lines with their people
        page = his.get(f"clubs/{club.slug}/log/").json()
    assert page["results"][0]["text"] == "olga banned zoe."
    assert "Left every game." not in str(page), "the reason of a ban is for officers"
    assert code_of(strangers.get(f"clubs/{club.slug}/log/")) == "not_allowed"
    assert Person().get(f"clubs/{club.slug}/log/").status_code == 401


@pytest.mark.parametrize("part", ["members/", "announcements/", "events/", "log/"])
def test_a_cursor_of_another_list_is_refused(club, hers, alice, part):
    services.create_club(owner=alice, name="Second")
    page = hers.get("clubs/?limit=1").json()
    cursor = page["next"].split("cursor=")[1].split("&")[0]
    assert code_of(hers.get(f"clubs/{club.slug}/{part}?cursor={cursor}")) == "invalid"
