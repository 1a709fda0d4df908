"""The page of friends and the buttons on profiles: what each may see and do, and what it costs."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portal.accounts import blocks
from portal.accounts.models import User
from portal.accounts.services import create_guest
from portal.clubs import services as clubs
from portal.friends import services
from portal.friends.models import Friendship
from portal.friends.selectors import Tie, tie
from portal.notices.models import Kind, Notice
from portal.studies.models import Study
from portal.tables import services as tables
from portal.tables.models import Invitation, Table
from tests.portal.friends.test_asking import befriend

pytestmark = pytest.mark.django_db
PAGE = "/friends/"


def page(client) -> str:
    return client.get(PAGE).content.decode()


def offers(client, name: str) -> list[str]:
    """What the profile of a person offers to do about being friends."""
    found = client.get(reverse("profile", args=[name])).content.decode()
    return re.findall(rf'formaction="/people/{name}/friend/" name="do"\s+value="(\w+)"', found)


def do(client, name: str, verb: str, **more: str):
    return client.post(f"/people/{name}/friend/", {"do": verb, **more}, follow=True)


def test_visitors_are_asked_to_sign_in(client, alice):
    for answer in (client.get(PAGE), client.post("/friends/presence/"), client.post("/people/alice/friend/", {"do": "ask"})):
        assert answer["Location"].startswith(reverse("account_login"))
    assert offers(client, "alice") == []


def test_from_asking_to_parting(browser, alice, bob):
    alices, bobs = browser(alice), browser(bob)
    assert "No friends yet" in page(alices)
    assert (offers(alices, "bob"), offers(alices, "alice")) == (["ask"], [])
    assert "You have asked bob." in do(alices, "bob", "ask").content.decode()
    assert (offers(alices, "bob"), offers(bobs, "alice")) == (["withdraw"], ["accept", "decline"])
    assert "No answer yet" in page(alices)
    assert "Accept: alice" in page(bobs)
    answer = do(bobs, "alice", "accept", next=PAGE)
    assert answer.redirect_chain == [(PAGE, 302)]
    assert "You and alice are friends now." in answer.content.decode()
    found = page(alices)
    assert f"{reverse('table-new')}?invite=bob" in found
    assert reverse("against-player", args=["alice", "bob"]) in found
    assert (offers(alices, "bob"), offers(bobs, "alice")) == (["end"], ["end"])
    assert "no longer friends" in do(bobs, "alice", "end").content.decode()
    assert tie(alice, bob) == Tie.NONE


def test_a_declined_and_a_blocked_person_see_what_others_see(browser, alice, bob, charlie):
    """Alice asks three people: one doesn't answer, one declines, one blocks her."""
    dora = User.objects.create_user("dora")
    alices = browser(alice)
    blocks.block(user=dora, person=alice)
    answers = {name: do(alices, name, "ask", next=PAGE) for name in ("bob", "charlie", "dora")}
    do(browser(charlie), "alice", "decline")
    said = [
        re.sub(r"bob|charlie|dora", "X", re.findall(r"<span>(You have asked [^<]*)</span>", answers[name].content.decode())[0])
        for name in answers
    ]
    assert len(set(said)) == 1
    rows = re.findall(r'<li class="row friend">.*?</li>', page(alices), re.DOTALL)
    assert len(rows) == 3
    assert len({re.sub(r"bob|charlie|dora|name=\"csrf.*?>", "", row) for row in rows}) == 1
    assert [offers(alices, name) for name in answers] == [["withdraw"]] * 3
    again = {re.sub(r"bob|charlie|dora", "X", str(do(alices, name, "ask").redirect_chain)) for name in answers}
    assert len(again) == 1
    for name in answers:
        assert "withdrawn your request" in do(alices, name, "withdraw").content.decode()
    assert [offers(alices, name) for name in answers] == [["ask"]] * 3


def test_somebody_whom_the_reader_blocks_is_not_asked(browser, alice, bob):
    blocks.block(user=alice, person=bob)
    alices = browser(alice)
    assert offers(alices, "bob") == []
    assert "You have blocked bob. Unblock them first." in do(alices, "bob", "ask").content.decode()
    assert offers(browser(bob), "alice") == ["ask"]


def test_guests_read_why_not_and_where_to_sign_up(browser, alice):
    guest = create_guest(address="192.0.2.1")
    guests = browser(guest)
    found = do(guests, "alice", "ask").content.decode()
    assert "Guests can&#x27;t have friends" in found
    assert re.search(rf'button--primary" href="{reverse("account_signup")}"', found)
    profile = guests.get("/people/alice/").content.decode()
    assert (offers(guests, "alice"), f'href="{PAGE}">Ask to be friends' in re.sub(r"\s+", " ", profile)) == ([], True)
    assert offers(browser(alice), guest.username) == []
    assert "playing as a guest" in do(browser(alice), guest.username, "ask").content.decode()
    guests.post("/friends/presence/", {"shows_presence": "on"})
    guests.post("/settings/people/", {"shows_presence": "on"})
    guest.refresh_from_db()
    assert not guest.shows_presence
    assert not Friendship.objects.exists()


def test_what_no_button_sends_changes_nothing(browser, alice, bob):
    alices = browser(alice)
    assert alices.post("/people/bob/friend/", {"do": "befriend"}).status_code == 404
    assert alices.post("/people/bob/friend/").status_code == 404
    assert alices.post("/people/nobody/friend/", {"do": "ask"}).status_code == 404
    assert alices.get("/people/bob/friend/")["Location"] == "/people/bob/"
    assert alices.post(PAGE).status_code == 405
    assert alices.get("/friends/presence/").status_code == 405
    assert do(alices, "bob", "ask", next="https://evil.example/").redirect_chain == [("/people/bob/", 302)]
    assert "This request is no longer open." in do(alices, "bob", "accept").content.decode()
    assert "aren&#x27;t friends" in do(alices, "bob", "end").content.decode()
    assert Friendship.objects.count() == 1


def test_moderators_see_no_more_than_others(browser, alice, bob, charlie):
    services.ask(user=alice, person=bob)
    moderator = User.objects.create_superuser("mod", "mod@example.org", "correct horse")
    mods = browser(moderator)
    assert not re.search(r">\s*(alice|bob)\s*<", page(mods))
    assert "no longer open" in do(mods, "alice", "accept").content.decode()
    assert tie(alice, bob) == Tie.ASKED
    for client in (mods, browser(charlie)):
        assert (
            "friends"
            not in re.sub(r'href="/friends/".*?<|Ask to be friends|friend/', "", client.get("/people/alice/").content.decode()).lower()
        )


def test_too_many_requests_are_said(browser, alice, bob, monkeypatch):
    monkeypatch.setattr(services, "PER_DAY", 0)
    assert browser(alice).post("/people/bob/friend/", {"do": "ask"}).status_code == 429
    assert not Friendship.objects.exists()


def test_the_page_reads_what_was_told_of_friends(browser, alice, bob, duel):
    services.ask(user=alice, person=bob)
    page(browser(bob))
    assert Notice.objects.get(user=bob, kind=Kind.FRIEND).read_at is not None
    assert not Notice.objects.filter(user=bob, read_at__isnull=False).exclude(kind=Kind.FRIEND).exists()


# What friends play and study


def watched(client) -> list[int]:
    section = re.search(r'id="games">.*?</section>', page(client), re.DOTALL)
    return [int(number) for number in re.findall(r'row__title" href="/tables/(\d+)/', section[0])] if section else []


def running(owner: User, **more: object) -> int:
    return tables.create_table(owner=owner, game_key="ra", seats=2, bots=["apprentice"], **more).table.pk


def test_friends_games_are_offered_to_those_who_may_see_them(browser, alice, bob, charlie):
    befriend(alice, bob)
    public, linked = running(bob), running(bob, privacy="link")
    now = timezone.now()
    Invitation.objects.create(
        table_id=linked, way=Invitation.Way.LINK, user=alice, state=Invitation.State.WATCHING, made_at=now, expires_at=now
    )
    running(charlie)
    together = tables.create_table(owner=bob, game_key="ra", seats=2)
    tables.join_table(table_id=together.table.pk, user=alice)
    club = clubs.create_club(owner=bob, name="Enlil")
    club.is_private = True
    club.save()
    hidden = running(bob)
    Table.objects.filter(pk=hidden).update(club=club)
    practice = running(bob)
    Table.objects.filter(pk=practice).update(by_hand=True)
    assert browser(alice).get(f"/tables/{linked}/").status_code == 200
    assert watched(browser(alice)) == [public]
    assert watched(browser(charlie)) == []
    for row in Friendship.objects.all():
        services.end_row(row)
    assert watched(browser(alice)) == []


def test_friends_studies_are_offered_to_those_who_may_see_them(browser, alice, bob, charlie, duel):
    befriend(alice, bob)
    kinds = (("Open", "public"), ("Private", "me"), ("Linked", "link"))
    for number, (title, visibility) in enumerate(kinds):
        Study.objects.create(
            owner=bob, title=f"{title} lines", game="ra", table=duel, step=0, position={"seats": 2}, seed="x", visibility=visibility,
            link_code=f"code-{number}", made_at=duel.created_at, changed_at=duel.created_at,
        )  # fmt: skip
    found = page(browser(alice))
    assert ["Open lines" in found, "Private lines" in found, "Linked lines" in found] == [True, False, False]
    assert "Open lines" not in page(browser(charlie))
    Table.objects.filter(pk=duel.pk).update(privacy=Table.Privacy.LINK)
    befriend(charlie, bob)
    assert "Open lines" not in page(browser(charlie))
    assert "Open lines" in page(browser(alice))  # she sits at the table


# What it costs


def cost(client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(
        connection,
    ) as spent:
        client.get(address)
    return len(spent)


def test_the_page_costs_as_much_for_many_friends_as_for_one(browser, alice, bob):
    alices = browser(alice)
    alone = cost(alices, PAGE)
    befriend(alice, bob)
    running(bob)
    one = cost(alices, PAGE)
    for number in range(12):
        friend = User.objects.create_user(f"friend-{number}")
        befriend(friend, alice)
        running(friend)
        services.ask(user=User.objects.create_user(f"asker-{number}"), person=alice)
    assert cost(alices, PAGE) == one
    assert one <= alone + 3  # tables, seats, studies


def test_a_profile_costs_a_statement_more(browser, alice, bob):
    alices = browser(alice)
    befriend(alice, bob)
    alices.get("/people/bob/")
    with CaptureQueriesContext(connection) as spent:
        alices.get("/people/bob/")
    assert len([one for one in spent if "friends_friendship" in one["sql"]]) == 1
    with CaptureQueriesContext(connection) as spent:
        alices.get("/people/alice/")
        browser().get("/people/bob/")
    assert not [one for one in spent if "friends_friendship" in one["sql"]]
