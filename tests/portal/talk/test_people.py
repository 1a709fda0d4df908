"""Mentions, blocked people and what they learn of it, and invitations that somebody doesn't take."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from portal.accounts import blocks
from portal.accounts.deleting import delete_person
from portal.accounts.models import Block
from portal.accounts.refusals import BlocksSelf, TooManyBlocks
from portal.notices.models import Kind, Notice
from portal.tables import inviting, refusals, rematching, services
from portal.tables.models import Invitation, Seat
from portal.talk.mentions import names_in
from portal.talk.models import Line
from tests.portal.leaks.eyes import masked
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db


def told():
    """The live mentions: the person, the writer, and the address."""
    found = Notice.objects.filter(kind=Kind.MENTION, read_at=None, withdrawn_at=None).select_related("user").order_by("pk")
    return [(notice.user.username, notice.facts["who"], notice.path) for notice in found]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("@Bob", ["BOB"]),
        ("hello @bob, @bob and @al.ice.", ["BOB", "AL.ICE"]),
        ("(@Jose-Luis_2)", ["JOSE-LUIS_2"]),
        ("me@example.org @ @. @@bob", []),
        ("@Józsi és @Иван!", ["JÓZSI", "ИВАН"]),
        (" ".join(f"@n{number}" for number in range(20)), [f"N{number}" for number in range(6)]),
    ],
)
def test_names_are_found_where_they_are_meant(text, names):
    assert names_in(text) == names


def test_somebody_who_is_mentioned_is_told_once_until_they_have_read_it(says, reads, browser, duel, alice, bob):
    says(alice, "your move, @BOB")
    says(alice, "@bob?")
    assert told() == [("bob", "alice", f"/tables/{duel.pk}/talk/")]
    browser(bob).post("/notices/unread/", {"table": duel.pk})  # the page of the table: the chat has not been read
    assert len(told()) == 1
    reads(bob)
    assert told() == []
    says(alice, "@bob again")
    assert len(told()) == 1
    client = browser(bob)
    assert "your move" not in client.get("/notices/").content.decode()


def test_only_those_are_told_who_may_read_the_line(says, duel, alice, bob, charlie, olga):
    says(charlie, "I bet on @alice, @charlie and @olga", room="watchers")
    assert told() == []  # a player, oneself, and somebody who is not there
    says(olga, "hello @charlie", room="watchers")
    says(alice, "hello @charlie")
    assert [(who, by) for who, by, _path in told()] == [("charlie", "olga")]
    end(duel.pk)
    says(charlie, "well done @alice", room="watchers")
    assert ("alice", "charlie", f"/tables/{duel.pk}/talk/") in told()


def test_nobody_is_told_who_lost_sight_of_the_table_muted_it_or_blocks_the_writer(says, browser, alice, bob, charlie):
    table = services.create_table(owner=alice, game_key="ra", seats=3, privacy="link").table
    inviting.join_by_link(code=table.link_code, user=bob, terms="3 rated")
    inviting.watch_by_link(code=table.link_code, user=charlie)
    says(charlie, "hello", room="watchers", table=table)
    Invitation.objects.filter(user=charlie).delete()
    says(alice, "@charlie", table=table)
    assert told() == []
    browser(bob).post(f"/tables/{table.pk}/talk/mute/", {"do": "mute"})
    says(alice, "@bob", table=table)
    assert told() == []
    browser(bob).post(f"/tables/{table.pk}/talk/mute/", {"do": "unmute"})
    blocks.block(user=bob, person=alice)
    says(alice, "@bob", table=table)
    assert told() == []


def test_people_are_blocked_from_their_profile_and_from_a_line(says, duel, browser, alice, bob):
    client = browser(bob)
    assert 'action="/people/alice/block/"' in client.get("/people/alice/").content.decode()
    answer = client.post("/people/ALICE/block/", {"next": f"/tables/{duel.pk}/talk/"})
    assert answer["Location"] == f"/tables/{duel.pk}/talk/"
    assert list(Block.objects.values_list("user__username", "blocked__username")) == [("bob", "alice")]
    assert "Unblock" in client.get("/people/alice/").content.decode()
    assert "alice" in client.get("/settings/people/").content.decode()
    client.post("/people/alice/block/", {})
    assert Block.objects.count() == 1
    client.post("/settings/people/", {"unblock": str(alice.pk)})
    assert not Block.objects.exists()


def test_nobody_blocks_for_others_or_themselves(browser, alice, bob, monkeypatch):
    assert browser().post("/people/alice/block/").status_code == 302
    assert browser(bob).post("/people/nobody/block/").status_code == 404
    assert browser(bob).get("/people/alice/block/").status_code == 302
    for raw in ("x", "9" * 40, "-1", "0"):
        assert browser(bob).post("/settings/people/", {"unblock": raw}).status_code == 302
    browser(bob).post("/people/bob/block/")
    assert not Block.objects.exists()
    with pytest.raises(BlocksSelf):
        blocks.block(user=bob, person=bob)
    monkeypatch.setattr(blocks, "MOST", 0)
    with pytest.raises(TooManyBlocks):
        blocks.block(user=bob, person=alice)


def test_the_list_shows_only_ones_own(browser, alice, bob, charlie):
    blocks.block(user=bob, person=alice)
    assert "alice" not in browser(charlie).get("/settings/people/").content.decode()
    browser(charlie).post("/settings/people/", {"unblock": str(alice.pk)})
    assert Block.objects.count() == 1


def test_a_blocked_person_learns_as_little_as_at_somebody_who_takes_no_invitations(browser, alice, bob, charlie):
    """Both answers are the same but for the name."""
    table = services.create_table(owner=alice, game_key="ra", seats=4).table
    blocks.block(user=bob, person=alice)
    browser(charlie).post("/settings/people/", {})
    charlie.refresh_from_db()
    assert not charlie.takes_invitations
    said = []
    for name in ("bob", "charlie"):
        with pytest.raises(refusals.TakesNoInvitations) as refused:
            inviting.invite(table_id=table.pk, user=alice, name=name)
        said.append(str(refused.value).replace(name, "X"))
    assert said[0] == said[1] == "X isn't taking invitations at the moment."
    assert not Invitation.objects.exists()
    profile = browser(alice).get("/people/bob/").content
    blocks.unblock(user=bob, person_id=alice.pk)
    assert masked(profile) == masked(browser(alice).get("/people/bob/").content)
    assert inviting.invite(table_id=table.pk, user=alice, name="bob").state == "pending"


def test_an_invitation_of_somebody_who_is_then_blocked_is_declined(alice, bob, charlie):
    table = services.create_table(owner=alice, game_key="ra", seats=4).table
    mine = inviting.invite(table_id=table.pk, user=alice, name="bob")
    other = inviting.invite(table_id=table.pk, user=alice, name="charlie")
    blocks.block(user=bob, person=alice)
    for invitation, state in ((mine, "declined"), (other, "pending")):
        invitation.refresh_from_db()
        assert invitation.state == state
    assert not Notice.objects.filter(user=bob, kind=Kind.INVITATION, withdrawn_at=None).exists()


@pytest.mark.parametrize(("is_shown_theirs", "mails"), [(True, 0), (False, 1)])
def test_no_mail_on_behalf_of_a_blocked_person(alice, bob, is_shown_theirs, mails):
    """The invitation looks the same to the one who sent it. An address that somebody only claims keeps nothing back."""
    EmailAddress.objects.create(user=bob, email="bob@example.org", primary=True, verified=is_shown_theirs)
    blocks.block(user=bob, person=alice)
    table = services.create_table(owner=alice, game_key="ra", seats=4).table
    invitation = inviting.invite_by_mail(table_id=table.pk, user=alice, email="Bob@example.org")
    assert invitation.state == "pending"
    assert len(mail.outbox) == mails


@pytest.mark.parametrize("why", ["blocks", "takes none"])
def test_a_rematch_invites_nobody_who_does_not_want_it(duel, alice, bob, why):
    end(duel.pk)
    if why == "blocks":
        blocks.block(user=bob, person=alice)
    else:
        bob.takes_invitations = False
        bob.save()
    again = rematching.rematch(table_id=duel.pk, user=alice)
    assert not Invitation.objects.exists()
    assert Seat.objects.filter(table=again, user=None, bot_level="").count() == 1


def test_who_deletes_their_account_takes_their_words_along(says, alice, bob, duel):
    says(alice, "Hello")
    says(bob, "Goodbye")
    delete_person(user=bob)
    assert [line.text for line in Line.objects.all()] == ["Hello"]
