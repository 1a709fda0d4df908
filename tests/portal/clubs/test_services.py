"""Clubs and their people: what works, and what is refused without changing anything."""

from __future__ import annotations

import re

import pytest

from portal.accounts.models import User
from portal.clubs import announcements, members, services, ways_in
from portal.clubs.models import Ban, Club, ClubEntry, Invitation, JoinRequest, Membership
from portal.clubs.refusals import ClubNotFound
from portal.clubs.waiting import invitations_of
from portal.common.refusals import BadValue, NotAllowed, WrongMoment
from portal.tables import services as tables
from portal.tables.models import Seat, Table
from tests.portal.clubs.conftest import person
from tests.portal.clubs.test_permissions import everything

pytestmark = pytest.mark.django_db


def role(club, user):
    return Membership.objects.filter(club=club, user=user).values_list("role", flat=True).first()


def verbs(club):
    return list(ClubEntry.objects.filter(club=club).order_by("id").values_list("verb", flat=True))


class refused:  # noqa: N801
    """A block that raises the error and leaves every row unchanged."""

    def __init__(self, error, words=""):
        self.expected = pytest.raises(error, match=words or None)

    def __enter__(self):
        self.before = everything()
        return self.expected.__enter__()

    def __exit__(self, *raised):
        done = self.expected.__exit__(*raised)
        assert everything() == self.before
        return done


# Founding


def test_who_founds_a_club_owns_it(alice):
    club = services.create_club(owner=alice, name=" Ősi  Kő ", about_ru="Привет", joining="open")
    assert (club.name, club.slug, club.member_count, club.about_ru, club.is_private) == ("Ősi Kő", "osi-ko", 1, "Привет", False)
    assert role(club, alice) == "owner" and verbs(club) == ["founded"]
    assert len(club.link_code) >= 20


def test_addresses_are_told_apart_and_keep_off_words_of_the_site(alice):
    slugs = [services.create_club(owner=alice, name=name).slug for name in ("Kő", "Ko", "Kö", "New", "join", "Invitations", "中", "文")]
    assert slugs == ["ko", "ko-2", "ko-3", "new-2", "join-2", "invitations-2", "club", "club-2"]


def test_a_name_is_taken_in_capitals_too(alice, bob, club):
    for name in ("Enlil", "ENLIL", " enlil "):
        with refused(BadValue, "already") as caught:
            services.create_club(owner=bob, name=name)
        assert caught.value.field == "name"
    other = services.create_club(owner=bob, name="Ninlil")
    with refused(BadValue, "already"):
        services.change_settings(club=other, actor=bob, name="enlil", is_private=False, joining="open")
    services.change_settings(club=other, actor=bob, name="NINLIL", is_private=False, joining="open")  # its own name


def test_a_private_club_takes_no_name_and_no_address_from_others(alice, bob, club):
    """Founders of a club learn about other clubs only what the list of public clubs says."""
    other = person("other")
    private = [
        services.create_club(owner=owner, name=name, is_private=True)
        for owner, name in ((alice, "Kazan"), (other, "Kazan"), (other, "Enlil"))
    ]
    assert [
        re.fullmatch(rf"{base}-[a-z]{{6}}", found.slug) is not None
        for base, found in zip(("kazan", "kazan", "enlil"), private, strict=True)
    ] == [True] * 3
    assert len({found.slug for found in private}) == 3
    public = services.create_club(owner=bob, name="KAZAN")
    assert (public.name, public.slug) == ("KAZAN", "kazan")
    with refused(BadValue, "already") as caught:
        services.change_settings(club=private[0], actor=alice, name="Kazan", is_private=False, joining="open")
    assert caught.value.field == "name" and Club.objects.get(pk=private[0].pk).is_private
    services.change_settings(club=private[0], actor=alice, name="Kazan II", is_private=False, joining="open")
    services.change_settings(club=public, actor=bob, name="KAZAN", is_private=True, joining="open")
    opened = services.change_settings(club=private[1], actor=other, name="kazan", is_private=False, joining="open")
    assert (opened.name, opened.slug) == ("kazan", private[1].slug)


def test_nobody_founds_a_second_club_of_the_name_of_an_own_one(alice, bob, private):
    before = everything()
    for owner in (alice, bob):
        for name in ("Enlil", "ENLIL"):
            for is_private in (True, False):
                with refused(BadValue, "already"):
                    services.create_club(owner=owner, name=name, is_private=is_private)
    assert everything() == before


def test_a_name_between_the_question_and_the_insert_is_taken_too(bob, charlie, club, monkeypatch):
    monkeypatch.setattr(services, "_refuse_taken", lambda club: None)
    with refused(BadValue, "similar"):
        services.create_club(owner=charlie, name="Enlil")
    other = services.create_club(owner=bob, name="Ninlil")
    with refused(BadValue, "already"):
        services.change_settings(club=other, actor=bob, name="Enlil", is_private=False, joining="open")


@pytest.mark.parametrize(
    "values",
    [
        {"name": "x" * 10_000},
        {"name": "En\x00lil"},
        {"name": "En\u202elil"},
        {"name": ""},
        {"name": "Ok", "about_en": "x" * 2001},
        {"name": "Ok", "about_hu": "\x00"},
        {"name": "Ok", "about_ru": "a\x1bb"},
        {"name": "Ok", "joining": "never"},
        {"name": "Ok", "joining": ""},
    ],
)
def test_what_is_no_name_or_text_founds_nothing(alice, values):
    with refused(BadValue):
        services.create_club(owner=alice, **values)


def test_guests_visitors_and_closed_accounts_found_nothing_and_join_nothing(club, guest, alice):
    gone = person("gone", is_active=False)
    services.change_settings(club=club, actor=alice, name=club.name, is_private=False, joining="open")
    for user in (guest, None, gone):
        with refused(NotAllowed, "account"):
            services.create_club(owner=user, name="Ninlil")
        with refused(NotAllowed, "account"):
            ways_in.join(club=club, user=user)
        with refused(NotAllowed, "account"):
            ways_in.join_by_link(code=club.link_code, user=user)
        with refused(NotAllowed, "account"):
            ways_in.ask(club=club, user=user)
    for user in (guest, gone):
        with refused(BadValue):
            ways_in.invite(club=club, actor=alice, person=user)


# Ways in


def test_an_open_club_is_joined_at_once(club, alice, charlie):
    with refused(NotAllowed, "not open"):
        ways_in.join(club=club, user=charlie)
    services.change_settings(club=club, actor=alice, name=club.name, is_private=False, joining="open")
    ways_in.join(club=club, user=charlie)
    club.refresh_from_db()
    assert role(club, charlie) == "member" and club.member_count == 4 and verbs(club)[-2:] == ["joining_open", "joined"]
    with refused(WrongMoment, "already"):
        ways_in.join(club=club, user=charlie)
    with refused(WrongMoment, "already"):
        ways_in.join_by_link(code=club.link_code, user=charlie)


def test_who_asks_is_let_in_or_not(club, olga, charlie, django_user_model):
    request = ways_in.ask(club=club, user=charlie, message=" I play\nRa. ")
    assert request.message == "I play Ra."
    with refused(WrongMoment, "already asked"):
        ways_in.ask(club=club, user=charlie)
    ways_in.decide(club=club, actor=olga, request_id=request.pk, granted=False)
    assert role(club, charlie) is None and not JoinRequest.objects.exists()
    again = ways_in.ask(club=club, user=charlie)
    ways_in.decide(club=club, actor=olga, request_id=again.pk, granted=True)
    assert role(club, charlie) == "member"
    for granted in (True, False):
        with refused(WrongMoment, "already"):
            ways_in.decide(club=club, actor=olga, request_id=again.pk, granted=granted)
    assert verbs(club)[-4:] == ["asked", "request_declined", "asked", "request_granted"]


def test_a_request_is_taken_back_also_when_the_club_has_become_private(club, alice, charlie, bob):
    with refused(WrongMoment):
        ways_in.withdraw_request(club=club, user=charlie)
    ways_in.ask(club=club, user=charlie)
    services.change_settings(club=club, actor=alice, name=club.name, is_private=True, joining="request")
    ways_in.withdraw_request(club=club, user=charlie)
    assert not JoinRequest.objects.exists()
    with refused(ClubNotFound):
        ways_in.withdraw_request(club=club, user=charlie)
    with refused(ClubNotFound):
        ways_in.ask(club=club, user=charlie)


def test_one_asks_only_where_asking_is_the_way(club, alice, charlie, bob):
    for joining, error in (("open", WrongMoment), ("invitation", NotAllowed)):
        services.change_settings(club=club, actor=alice, name=club.name, is_private=False, joining=joining)
        with refused(error):
            ways_in.ask(club=club, user=charlie)
    with refused(WrongMoment, "already a member"):
        ways_in.ask(club=club, user=bob)


def test_an_invitation_is_accepted_declined_or_taken_back(club, olga, charlie, bob, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        first = ways_in.invite(club=club, actor=olga, person=charlie)
    assert invitations_of(charlie.pk) == 1
    with refused(WrongMoment, "already has an invitation"):
        ways_in.invite(club=club, actor=olga, person=charlie)
    with refused(WrongMoment, "already have an invitation"):
        ways_in.ask(club=club, user=charlie)
    for other in (bob, None):  # somebody else's invitation
        with refused(WrongMoment):
            ways_in.answer_invitation(invitation_id=first.pk, user=other, accepted=True)
    with django_capture_on_commit_callbacks(execute=True):
        ways_in.answer_invitation(invitation_id=first.pk, user=charlie, accepted=False)
    assert invitations_of(charlie.pk) == 0 and role(club, charlie) is None
    second = ways_in.invite(club=club, actor=olga, person=charlie)
    ways_in.withdraw_invitation(club=club, actor=olga, invitation_id=second.pk)
    for accepted in (True, False):
        with refused(WrongMoment):
            ways_in.answer_invitation(invitation_id=second.pk, user=charlie, accepted=accepted)
    third = ways_in.invite(club=club, actor=olga, person=charlie)
    ways_in.answer_invitation(invitation_id=third.pk, user=charlie, accepted=True)
    assert role(club, charlie) == "member" and not Invitation.objects.exists()
    with refused(WrongMoment, "already a member"):
        ways_in.invite(club=club, actor=olga, person=charlie)


def test_who_asks_or_is_banned_is_not_invited(club, olga, charlie, zoe):
    ways_in.ask(club=club, user=charlie)
    with refused(WrongMoment, "Answer the request"):
        ways_in.invite(club=club, actor=olga, person=charlie)
    with refused(WrongMoment, "banned"):
        ways_in.invite(club=club, actor=olga, person=zoe)


def test_the_link_leads_into_a_private_club_and_ends_when_renewed(private, alice, charlie):
    old = private.link_code
    services.renew_link(club=private, actor=alice)
    for code in (old, "", "nonsense"):
        with refused(ClubNotFound):
            ways_in.join_by_link(code=code, user=charlie)
    ways_in.join_by_link(code=Club.objects.get().link_code, user=charlie)
    assert role(private, charlie) == "member"


def test_whichever_way_one_comes_all_others_are_settled(club, olga, charlie):
    ways_in.ask(club=club, user=charlie)
    ways_in.join_by_link(code=club.link_code, user=charlie)
    assert not JoinRequest.objects.exists()
    members.leave(club=club, user=charlie)
    ways_in.invite(club=club, actor=olga, person=charlie)
    ways_in.join_by_link(code=club.link_code, user=charlie)
    assert not Invitation.objects.exists()


def test_a_club_takes_so_many_requests_and_invitations_and_no_more(club, olga, charlie, monkeypatch):
    monkeypatch.setattr(ways_in, "MAX_WAITING", 1)
    ways_in.ask(club=club, user=person("first"))
    with refused(WrongMoment):
        ways_in.ask(club=club, user=charlie)
    ways_in.invite(club=club, actor=olga, person=person("second"))
    with refused(WrongMoment):
        ways_in.invite(club=club, actor=olga, person=charlie)


# Leaving


def test_the_owner_cannot_leave_nor_be_removed_nor_banned(club, alice, olga):
    with refused(NotAllowed, "Hand the club over first"):
        members.leave(club=club, user=alice)
    for deed in (lambda: members.remove(club=club, actor=olga, member=alice), lambda: members.ban(club=club, actor=olga, person=alice)):
        with refused(NotAllowed, "lower role than yours"):
            deed()
    for deed in (
        lambda: members.remove(club=club, actor=alice, member=alice),
        lambda: members.ban(club=club, actor=alice, person=alice),
        lambda: members.remove(club=club, actor=olga, member=olga),
        lambda: members.ban(club=club, actor=olga, person=olga),
    ):
        with refused(NotAllowed, "yourself"):
            deed()


def test_officers_do_nothing_to_each_other(club, alice, olga, bob):
    services.set_officer(club=club, actor=alice, member=bob, is_officer=True)
    with refused(NotAllowed, "lower role than yours"):
        members.remove(club=club, actor=olga, member=bob)
    with refused(NotAllowed, "lower role than yours"):
        members.ban(club=club, actor=olga, person=bob)
    members.remove(club=club, actor=alice, member=bob)
    assert role(club, bob) is None


def test_nothing_is_done_to_a_member_of_another_club_or_of_none(club, alice, charlie, zoe):
    other = services.create_club(owner=charlie, name="Ninlil")
    for member in (charlie, zoe):
        with refused(BadValue, "isn't a member of this club"):
            members.remove(club=club, actor=alice, member=member)
        with refused(BadValue, "isn't a member of this club"):
            services.set_officer(club=club, actor=alice, member=member, is_officer=True)
        with refused(BadValue, "isn't a member of this club"):
            services.hand_over(club=club, actor=alice, member=member)
    with refused(NotAllowed):
        members.leave(club=other, user=alice)


def test_a_ban_closes_every_way_until_it_is_lifted(club, alice, olga, bob):
    with refused(WrongMoment, "already"):
        members.ban(club=club, actor=olga, person=User.objects.get(username="zoe"))
    services.change_settings(club=club, actor=alice, name=club.name, is_private=False, joining="request")
    ways_in.ask(club=club, user=(charlie := person("charlie")))
    dora = person("dora")
    invitation = ways_in.invite(club=club, actor=olga, person=dora)
    found = [members.ban(club=club, actor=olga, person=user, reason="Why\nnot") for user in (bob, charlie, dora)]
    assert not JoinRequest.objects.exists() and not Invitation.objects.exists() and role(club, bob) is None
    assert Club.objects.get().member_count == 2 and found[0].reason == "Why not"
    for user in (bob, charlie, dora):
        with refused(NotAllowed, "banned"):
            ways_in.ask(club=club, user=user)
        with refused(NotAllowed, "banned"):
            ways_in.join_by_link(code=club.link_code, user=user)
    with refused(WrongMoment):
        ways_in.answer_invitation(invitation_id=invitation.pk, user=dora, accepted=True)
    members.lift_ban(club=club, actor=olga, ban_id=found[0].pk)
    with refused(WrongMoment, "lifted"):
        members.lift_ban(club=club, actor=olga, ban_id=found[0].pk)
    ways_in.join_by_link(code=club.link_code, user=bob)
    assert role(club, bob) == "member"
    with refused(BadValue):
        members.ban(club=club, actor=olga, person=bob, reason="x" * 301)


def test_a_ban_of_another_club_is_not_lifted(club, alice, charlie):
    other = services.create_club(owner=charlie, name="Ninlil")
    with refused(WrongMoment):
        members.lift_ban(club=other, actor=charlie, ban_id=Ban.objects.get().pk)


@pytest.mark.parametrize("way", ["leave", "remove", "ban"])
def test_seats_at_open_tables_are_given_back_and_games_in_play_kept(club, alice, olga, bob, way, django_capture_on_commit_callbacks):
    own = tables.create_table(owner=bob, game_key="babel", seats=2, club=club).table
    joined = tables.create_table(owner=alice, game_key="history_of_the_world", seats=3, club=club).table
    tables.join_table(table_id=joined.pk, user=bob)
    playing = tables.create_table(owner=alice, game_key="babel", seats=2, club=club).table
    tables.join_table(table_id=playing.pk, user=bob)
    elsewhere = tables.create_table(owner=bob, game_key="babel", seats=2).table
    with django_capture_on_commit_callbacks(execute=True):
        if way == "leave":
            members.leave(club=club, user=bob)
        elif way == "remove":
            members.remove(club=club, actor=olga, member=bob)
        else:
            members.ban(club=club, actor=olga, person=bob)
    assert set(Seat.objects.filter(user=bob).values_list("table_id", flat=True)) == {own.pk, playing.pk, elsewhere.pk}
    statuses = dict(Table.objects.values_list("pk", "status"))
    assert statuses == {own.pk: "abandoned", joined.pk: "open", playing.pk: "playing", elsewhere.pk: "open"}
    assert Club.objects.get().member_count == 2


# Owner


def test_handing_over_leaves_the_old_owner_an_officer(club, alice, bob):
    services.hand_over(club=club, actor=alice, member=bob)
    assert (role(club, bob), role(club, alice)) == ("owner", "officer")
    with refused(NotAllowed):
        services.hand_over(club=club, actor=alice, member=alice)
    with refused(BadValue, "already own"):
        services.hand_over(club=club, actor=bob, member=bob)
    members.leave(club=club, user=alice)
    assert verbs(club)[-2:] == ["handed_over", "left"]


def test_the_owner_is_made_no_officer(club, alice, bob):
    with refused(NotAllowed, "handed over"):
        services.set_officer(club=club, actor=alice, member=alice, is_officer=False)
    before = verbs(club)
    services.set_officer(club=club, actor=alice, member=bob, is_officer=False)  # what he is
    assert verbs(club) == before


def test_a_closed_club_is_quiet_for_ever(club, alice, olga, bob, charlie):
    open_table = tables.create_table(owner=bob, game_key="babel", seats=2, club=club).table
    ways_in.invite(club=club, actor=olga, person=charlie)
    ways_in.ask(club=club, user=person("dora"))
    services.close_club(club=club, actor=alice)
    assert Table.objects.get(pk=open_table.pk).status == "abandoned"
    assert not Invitation.objects.exists() and not JoinRequest.objects.exists()
    with refused(WrongMoment, "closed"):
        services.close_club(club=club, actor=alice)
    with refused(WrongMoment, "closed"):
        ways_in.join_by_link(code=club.link_code, user=charlie)
    members.leave(club=club, user=bob)
    with refused(NotAllowed):
        members.leave(club=club, user=alice)


def test_what_stays_as_it_was_is_not_logged(club, alice, olga):
    before = verbs(club)
    services.edit_texts(club=club, actor=olga, about_en=club.about_en, about_hu=club.about_hu, about_ru="")
    services.change_settings(club=club, actor=alice, name="Enlil", is_private=False, joining="request")
    assert verbs(club) == before


def test_a_bad_text_changes_none_of_the_others(club, olga, alice):
    with refused(BadValue):
        services.edit_texts(club=club, actor=olga, about_en="New", about_hu="\x00", about_ru="")
    with refused(BadValue):
        services.change_settings(club=club, actor=alice, name="Ninlil", is_private=True, joining="sometimes")


# Announcements


def test_announcements_are_pinned_and_deleted(club, olga):
    found = announcements.announce(club=club, actor=olga, title=" News ", text="One\r\ntwo", is_pinned=True)
    assert (found.title, found.text, found.is_pinned) == ("News", "One\ntwo", True)
    announcements.pin(club=club, actor=olga, announcement_id=found.pk, is_pinned=False)
    before = verbs(club)
    announcements.pin(club=club, actor=olga, announcement_id=found.pk, is_pinned=False)
    assert verbs(club) == before
    announcements.delete_announcement(club=club, actor=olga, announcement_id=found.pk)
    for deed in (
        lambda: announcements.pin(club=club, actor=olga, announcement_id=found.pk, is_pinned=True),
        lambda: announcements.delete_announcement(club=club, actor=olga, announcement_id=found.pk),
    ):
        with refused(WrongMoment):
            deed()


@pytest.mark.parametrize("values", [{"title": ""}, {"title": "x" * 121}, {"title": "a\x00"}, {"title": "Ok", "text": "x" * 2001}])
def test_what_cannot_be_shown_is_not_announced(club, olga, values):
    with refused(BadValue):
        announcements.announce(club=club, actor=olga, **values)


def test_an_announcement_of_another_club_is_out_of_reach(club, olga, charlie):
    other = services.create_club(owner=charlie, name="Ninlil")
    found = announcements.announce(club=club, actor=olga, title="News")
    with refused(WrongMoment):
        announcements.delete_announcement(club=other, actor=charlie, announcement_id=found.pk)
