"""Inviting people by name, by mail and by link: what each verb does, and who may do it."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from portal.accounts import services as accounts
from portal.accounts.models import OutgoingMail, User
from portal.clubs import services as clubs
from portal.clubs import ways_in
from portal.clubs.models import Club
from portal.tables import invited, inviting, refusals, services
from portal.tables.models import Invitation, Table
from portal.tables.signals import invitation_changed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _as_on_the_site(settings):
    """Mail goes through the queue, and nobody has used up a limit."""
    settings.EMAIL_BACKEND = "portal.accounts.mail.QueuedMailBackend"
    cache.clear()


@pytest.fixture
def open_duel(alice, fixed_secret) -> Table:
    """Alice waits for one opponent at a table of Ra."""
    return services.create_table(owner=alice, game_key="ra", seats=2).table


@pytest.fixture
def trio(alice, fixed_secret) -> Table:
    return services.create_table(owner=alice, game_key="ra", seats=3).table


@pytest.fixture
def told():
    """What listeners were told of, in order."""
    heard = []

    def hear(*, invitation, what, **_signal):
        heard.append((what, invitation.user.username if invitation.user else invitation.email))

    invitation_changed.connect(hear)
    yield heard
    invitation_changed.disconnect(hear)


def terms(table) -> str:
    return inviting.terms_of(Table.objects.get(pk=table.pk))


def people(table) -> list[str | None]:
    return list(table.seats.order_by("index").values_list("user__username", flat=True))


def kept(table) -> int:
    return Table.objects.get(pk=table.pk).kept


# By name


def test_an_invited_person_takes_the_seat_that_was_kept_and_the_game_starts(open_duel, alice, bob, told):
    invitation = inviting.invite(table_id=open_duel.pk, user=alice, name="BOB")
    assert (people(open_duel), kept(open_duel)) == (["alice", None], 1)
    loaded = inviting.accept(invitation_id=invitation.pk, user=bob, terms=terms(open_duel))
    assert loaded.table.status == "playing"
    assert people(open_duel) == ["alice", "bob"]
    invitation.refresh_from_db()
    assert (invitation.state, kept(open_duel)) == ("accepted", 0)
    assert told == [("invited", "bob"), ("accepted", "bob")]


def test_a_kept_seat_is_not_taken_by_a_stranger_nor_a_bot_and_is_free_after_a_no(open_duel, alice, bob, charlie, told):
    invitation = inviting.invite(table_id=open_duel.pk, user=alice, name="bob")
    with pytest.raises(refusals.SeatsKept):
        services.join_table(table_id=open_duel.pk, user=charlie)
    with pytest.raises(refusals.SeatsKept):
        services.add_bot(table_id=open_duel.pk, user=alice, level="scribe")
    with pytest.raises(refusals.SeatsKept):
        inviting.join_by_link(code=open_duel.link_code, user=charlie, terms=terms(open_duel))
    inviting.decline(invitation_id=invitation.pk, user=bob)
    assert told[-1] == ("declined", "bob")
    services.join_table(table_id=open_duel.pk, user=charlie)
    assert people(open_duel) == ["alice", "charlie"]


def test_an_invited_person_who_joins_another_way_has_accepted(trio, alice, bob, told):
    inviting.invite(table_id=trio.pk, user=alice, name="bob")
    services.join_table(table_id=trio.pk, user=bob)
    assert told[-1] == ("accepted", "bob")
    assert kept(trio) == 0


def test_not_more_people_are_invited_than_seats_are_free(open_duel, alice, bob, charlie):
    inviting.invite(table_id=open_duel.pk, user=alice, name="bob")
    with pytest.raises(refusals.NoSeatToKeep):
        inviting.invite(table_id=open_duel.pk, user=alice, name="charlie")


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("nobody", refusals.NobodyOfThatName),
        ("alice", refusals.SitsAlready),
        ("bob", refusals.AlreadyInvited),
        ("", refusals.NobodyOfThatName),
    ],
)
def test_who_cannot_be_invited(trio, alice, bob, name, error):
    inviting.invite(table_id=trio.pk, user=alice, name="bob")
    with pytest.raises(error):
        inviting.invite(table_id=trio.pk, user=alice, name=name)
    assert Invitation.objects.count() == 1


def test_a_guest_can_be_invited_and_a_guest_can_invite(alice, bob):
    guest = accounts.create_guest(address="192.0.2.1")
    table = services.create_table(owner=guest, game_key="ra", seats=2).table
    invitation = inviting.invite(table_id=table.pk, user=guest, name="bob")
    assert inviting.accept(invitation_id=invitation.pk, user=bob, terms=terms(table)).table.status == "playing"
    other = services.create_table(owner=alice, game_key="ra", seats=2).table
    inviting.invite(table_id=other.pk, user=alice, name=guest.username)
    with pytest.raises(refusals.GuestsSendNoMail):
        inviting.invite_by_mail(table_id=table.pk, user=guest, email="dora@example.org")


def test_invitations_of_a_guest_who_leaves_keep_no_seat(trio, alice):
    guest = accounts.create_guest(address="192.0.2.1")
    inviting.invite(table_id=trio.pk, user=alice, name=guest.username)
    accounts.delete_guest(user=guest)
    assert kept(trio) == 0


def test_an_invitation_is_taken_back_once_and_can_be_sent_again(open_duel, alice, bob, told):
    invitation = inviting.invite(table_id=open_duel.pk, user=alice, name="bob")
    inviting.take_back(table_id=open_duel.pk, user=alice, invitation_id=invitation.pk)
    assert (kept(open_duel), told[-1]) == (0, ("taken_back", "bob"))
    for answer in (
        lambda: inviting.accept(invitation_id=invitation.pk, user=bob, terms=terms(open_duel)),
        lambda: inviting.decline(invitation_id=invitation.pk, user=bob),
        lambda: inviting.counter(invitation_id=invitation.pk, user=bob, seats=3, is_rated=True),
        lambda: inviting.take_back(table_id=open_duel.pk, user=alice, invitation_id=invitation.pk),
    ):
        with pytest.raises(refusals.InvitationOver):
            answer()
    assert people(open_duel) == ["alice", None]
    inviting.invite(table_id=open_duel.pk, user=alice, name="bob")


def test_an_invitation_expires_after_a_week_and_its_seat_is_free(open_duel, alice, bob, charlie):
    invitation = inviting.invite(table_id=open_duel.pk, user=alice, name="bob")
    with time_machine.travel(timezone.now() + timedelta(days=7, minutes=1)):
        with pytest.raises(refusals.InvitationOver):
            inviting.accept(invitation_id=invitation.pk, user=bob, terms=terms(open_duel))
        assert invited.waiting_for(bob) == []
        inviting.invite(table_id=open_duel.pk, user=alice, name="bob")  # the old one is not in the way
        assert [one.state for one in invited.invited_to(open_duel)] == ["pending"]


def test_a_stranger_may_join_once_the_invitation_has_expired(open_duel, alice, bob, charlie):
    inviting.invite(table_id=open_duel.pk, user=alice, name="bob")
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        services.join_table(table_id=open_duel.pk, user=charlie)
    assert people(open_duel) == ["alice", "charlie"]


@pytest.mark.parametrize("end", [services.start_table, services.leave_table], ids=["start", "close"])
def test_invitations_expire_when_the_table_starts_or_closes(trio, alice, bob, end):
    invitation = inviting.invite(table_id=trio.pk, user=alice, name="bob")
    end(table_id=trio.pk, user=alice)
    invitation.refresh_from_db()
    assert (invitation.state, kept(trio), invited.waiting_for(bob)) == ("expired", 0, [])
    with pytest.raises(refusals.InvitationOver):
        inviting.accept(invitation_id=invitation.pk, user=bob, terms=terms(trio))


def test_nobody_agrees_to_settings_they_did_not_see(trio, alice, bob):
    invitation = inviting.invite(table_id=trio.pk, user=alice, name="bob")
    for other in ("", "2 rated", "3 unrated"):
        with pytest.raises(refusals.TermsChanged):
            inviting.accept(invitation_id=invitation.pk, user=bob, terms=other)
        with pytest.raises(refusals.TermsChanged):
            inviting.join_by_link(code=trio.link_code, user=bob, terms=other)
    assert people(trio) == ["alice", None, None]


def test_one_person_sends_only_so_many_invitations_a_day(alice, bob, monkeypatch):
    monkeypatch.setattr(inviting, "PER_DAY", 2)
    for _ in range(2):
        inviting.invite(table_id=services.create_table(owner=alice, game_key="ra", seats=2).table.pk, user=alice, name="bob")
    table = services.create_table(owner=alice, game_key="ra", seats=2).table
    with pytest.raises(refusals.TooManyInvitations):
        inviting.invite(table_id=table.pk, user=alice, name="bob")
    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        inviting.invite(table_id=table.pk, user=alice, name="bob")


# Counter-offers


def test_the_owner_changes_the_table_to_what_was_asked_and_the_person_sits(open_duel, alice, bob, told):
    invitation = inviting.invite(table_id=open_duel.pk, user=alice, name="bob")
    inviting.counter(invitation_id=invitation.pk, user=bob, seats=4, is_rated=False, message="  more\nfun ")
    invitation.refresh_from_db()
    assert (invitation.state, invitation.seats, invitation.is_rated, invitation.message) == ("countered", 4, False, "more fun")
    assert kept(open_duel) == 1
    loaded = inviting.grant(table_id=open_duel.pk, user=alice, invitation_id=invitation.pk)
    assert (loaded.table.seat_count, loaded.table.is_rated, loaded.table.status) == (4, False, "open")
    assert people(open_duel) == ["alice", "bob", None, None]
    assert [what for what, _ in told] == ["invited", "countered", "accepted"]


def test_a_smaller_table_keeps_its_bots_and_starts_when_it_is_full(alice, bob):
    table = services.create_table(owner=alice, game_key="ra", seats=4, bots=["scribe"]).table
    invitation = inviting.invite(table_id=table.pk, user=alice, name="bob")
    inviting.counter(invitation_id=invitation.pk, user=bob, seats=3, is_rated=True)
    loaded = inviting.grant(table_id=table.pk, user=alice, invitation_id=invitation.pk)
    assert loaded.table.status == "playing"
    assert [(seat.index, seat.user_id or seat.bot_level) for seat in table.seats.order_by("index")] == [
        (0, alice.pk),
        (1, bob.pk),
        (2, "scribe"),
    ]


def test_the_table_does_not_change_under_those_who_have_agreed_to_it(trio, alice, bob, charlie):
    invitation = inviting.invite(table_id=trio.pk, user=alice, name="bob")
    services.join_table(table_id=trio.pk, user=charlie)
    inviting.counter(invitation_id=invitation.pk, user=bob, seats=4, is_rated=True)
    with pytest.raises(refusals.OthersAgreed):
        inviting.grant(table_id=trio.pk, user=alice, invitation_id=invitation.pk)
    assert people(trio) == ["alice", "charlie", None]


def test_a_table_does_not_become_too_small_for_those_who_are_invited(trio, alice, bob, charlie):
    first = inviting.invite(table_id=trio.pk, user=alice, name="bob")
    inviting.invite(table_id=trio.pk, user=alice, name="charlie")
    inviting.counter(invitation_id=first.pk, user=bob, seats=2, is_rated=True)
    with pytest.raises(refusals.TooFewSeats):
        inviting.grant(table_id=trio.pk, user=alice, invitation_id=first.pk)


def test_the_owner_insists_and_the_person_may_still_accept(open_duel, alice, bob, told):
    invitation = inviting.invite(table_id=open_duel.pk, user=alice, name="bob")
    inviting.counter(invitation_id=invitation.pk, user=bob, seats=3, is_rated=True)
    inviting.insist(table_id=open_duel.pk, user=alice, invitation_id=invitation.pk)
    assert told[-1] == ("invited", "bob")
    assert [one.id for one in invited.waiting_for(bob)] == [invitation.pk]
    assert inviting.accept(invitation_id=invitation.pk, user=bob, terms="2 rated").table.status == "playing"


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        ({"seats": 9, "is_rated": True}, refusals.BadSeatCount),
        ({"seats": 2, "is_rated": True}, refusals.NothingAsked),
        ({"seats": 3, "is_rated": True, "message": "x" * 201}, refusals.BadMessage),
        ({"seats": 3, "is_rated": True, "message": "a\u202eb"}, refusals.BadMessage),
    ],
)
def test_what_cannot_be_asked_for(open_duel, alice, bob, wish, error):
    invitation = inviting.invite(table_id=open_duel.pk, user=alice, name="bob")
    with pytest.raises(error):
        inviting.counter(invitation_id=invitation.pk, user=bob, **wish)
    invitation.refresh_from_db()
    assert invitation.state == "pending"


# By mail


def test_a_mail_is_queued_with_a_link_and_whoever_follows_it_sits_down(open_duel, alice, settings, told):
    invitation = inviting.invite_by_mail(table_id=open_duel.pk, user=alice, email=" Dora@Example.org ")
    mail = OutgoingMail.objects.get()
    assert mail.recipients == ["dora@example.org"]
    assert f"{settings.BASE_URL}/invite/{invitation.code}/" in mail.body
    assert "alice invites you to a game of Ra" in mail.subject
    guest = accounts.create_guest(address="192.0.2.1")
    inviting.accept(invitation_id=invitation.pk, user=guest, terms=terms(open_duel), code=invitation.code)
    assert people(open_duel) == ["alice", guest.username]
    assert told == [("invited", "dora@example.org"), ("accepted", guest.username)]


def test_the_mail_is_in_the_language_of_who_sends_it(open_duel, alice):
    alice.language = "hu"
    inviting.invite_by_mail(table_id=open_duel.pk, user=alice, email="dora@example.org")
    assert "meghív" in OutgoingMail.objects.get().subject


def test_an_address_on_this_site_makes_no_difference(open_duel, alice, bob):
    invitation = inviting.invite_by_mail(table_id=open_duel.pk, user=alice, email="bob@example.org")
    assert invitation.user is None
    assert invited.waiting_for(bob) == []


@pytest.mark.parametrize("email", ["", "dora", "dora@", "dora@example.org\nBcc: all@example.org", "a b@example.org"])
def test_what_is_no_address(open_duel, alice, email):
    with pytest.raises(refusals.NoSuchAddress):
        inviting.invite_by_mail(table_id=open_duel.pk, user=alice, email=email)
    assert not OutgoingMail.objects.exists()


def test_nobody_is_mailed_often(alice, bob, charlie, monkeypatch):
    monkeypatch.setattr(inviting, "MAILS_PER_ADDRESS", 1)
    tables = [services.create_table(owner=owner, game_key="ra", seats=2).table.pk for owner in (alice, bob)]
    inviting.invite_by_mail(table_id=tables[0], user=alice, email="dora@example.org")
    with pytest.raises(refusals.TooManyInvitations):
        inviting.invite_by_mail(table_id=tables[1], user=bob, email="dora@example.org")
    monkeypatch.setattr(inviting, "MAILS_PER_DAY", 1)
    again = services.create_table(owner=alice, game_key="ra", seats=2).table.pk
    with pytest.raises(refusals.TooManyInvitations):
        inviting.invite_by_mail(table_id=again, user=alice, email="emma@example.org")


# By link


def test_who_has_the_link_takes_a_seat_and_keeps_it_with_an_account(open_duel):
    guest = accounts.create_guest(address="192.0.2.1")
    inviting.join_by_link(code=open_duel.link_code, user=guest, terms=terms(open_duel))
    accounts.claim_guest(user=guest, username="dora", password="clay-tablet-77")
    assert people(open_duel) == ["alice", "dora"]


def test_a_new_link_ends_the_old_one(trio, alice, bob):
    old = trio.link_code
    inviting.renew_link(table_id=trio.pk, user=alice)
    new = Table.objects.get(pk=trio.pk).link_code
    assert new not in ("", old)
    with pytest.raises(refusals.InvitationNotFound):
        inviting.join_by_link(code=old, user=bob, terms=terms(trio))
    inviting.join_by_link(code=new, user=bob, terms=terms(trio))


def test_links_cannot_be_guessed(alice):
    codes = {services.create_table(owner=alice, game_key="ra", seats=2).table.link_code for _ in range(5)}
    assert len(codes) == 5
    assert all(len(code) == 16 for code in codes)


def test_a_table_that_starts_at_once_has_no_link(alice):
    assert services.create_table(owner=alice, game_key="ra", seats=2, bots=["scribe"]).table.link_code == ""


# Clubs


def test_only_members_are_invited_to_a_clubs_table(alice, bob, charlie):
    club = clubs.create_club(owner=alice, name="Enlil")
    ways_in.join_by_link(code=club.link_code, user=bob)
    table = services.create_table(owner=alice, game_key="ra", seats=3, club=Club.objects.get(pk=club.pk)).table
    assert table.link_code == ""
    invitation = inviting.invite(table_id=table.pk, user=alice, name="bob")
    with pytest.raises(refusals.NotInTheClub):
        inviting.invite(table_id=table.pk, user=alice, name="charlie")
    with pytest.raises(refusals.NoMailFromClubs):
        inviting.invite_by_mail(table_id=table.pk, user=alice, email="dora@example.org")
    with pytest.raises(refusals.NoLinkForClubs):
        inviting.renew_link(table_id=table.pk, user=alice)
    inviting.accept(invitation_id=invitation.pk, user=bob, terms=terms(table))
    assert people(table) == ["alice", "bob", None]


# Who may do what


@pytest.mark.parametrize("verb", ["invite", "mail", "link", "take back", "grant", "insist"])
@pytest.mark.parametrize("who", ["member", "stranger", "invited"])
def test_only_the_owner_invites(trio, alice, bob, charlie, who, verb):
    dora = User.objects.create_user("dora")
    services.join_table(table_id=trio.pk, user=bob)
    invitation = inviting.invite(table_id=trio.pk, user=alice, name="charlie")
    inviting.counter(invitation_id=invitation.pk, user=charlie, seats=4, is_rated=True)
    user = {"member": bob, "stranger": dora, "invited": charlie}[who]
    verbs = {
        "invite": lambda: inviting.invite(table_id=trio.pk, user=user, name="dora"),
        "mail": lambda: inviting.invite_by_mail(table_id=trio.pk, user=user, email="emma@example.org"),
        "link": lambda: inviting.renew_link(table_id=trio.pk, user=user),
        "take back": lambda: inviting.take_back(table_id=trio.pk, user=user, invitation_id=invitation.pk),
        "grant": lambda: inviting.grant(table_id=trio.pk, user=user, invitation_id=invitation.pk),
        "insist": lambda: inviting.insist(table_id=trio.pk, user=user, invitation_id=invitation.pk),
    }
    with pytest.raises(refusals.OwnerOnly):
        verbs[verb]()
    assert Invitation.objects.get().state == "countered"


def test_an_invitation_is_answered_by_the_invited_person_alone(trio, alice, bob, charlie):
    invitation = inviting.invite(table_id=trio.pk, user=alice, name="bob")
    mailed = inviting.invite_by_mail(table_id=trio.pk, user=alice, email="dora@example.org")
    for number in (invitation.pk, mailed.pk, 10**9):
        for user in (alice, charlie):
            for answer in (
                lambda number=number, user=user: inviting.accept(invitation_id=number, user=user, terms=terms(trio)),
                lambda number=number, user=user: inviting.decline(invitation_id=number, user=user),
                lambda number=number, user=user: inviting.counter(invitation_id=number, user=user, seats=4, is_rated=True),
            ):
                with pytest.raises(refusals.InvitationNotFound):
                    answer()
    with pytest.raises(refusals.InvitationNotFound):
        inviting.decline(invitation_id=mailed.pk, user=None)
    with pytest.raises(refusals.InvitationNotFound):
        inviting.accept(invitation_id=mailed.pk, user=charlie, terms=terms(trio), code=f"{mailed.code[:-1]}~")


def test_the_invitation_to_another_table_is_not_the_owners(trio, alice, bob, charlie):
    other = services.create_table(owner=charlie, game_key="ra", seats=2).table
    invitation = inviting.invite(table_id=other.pk, user=charlie, name="bob")
    with pytest.raises(refusals.InvitationOver):
        inviting.take_back(table_id=trio.pk, user=alice, invitation_id=invitation.pk)
