"""Who may see a study and do what with it: every verb, for everybody who could try."""

from __future__ import annotations

import re

import pytest

from portal.accounts import blocks
from portal.accounts.models import Block, User
from portal.clubs import members
from portal.clubs import services as clubs
from portal.clubs.models import Membership
from portal.studies import services, sharing
from portal.studies.models import Guest, Move, Study, Wish
from portal.tables.models import Invitation, Table

pytestmark = pytest.mark.django_db

NOWHERE = 999_999


@pytest.fixture
def moderator(db):
    return User.objects.create_superuser("moira", "moira@example.org", "correct horse")


@pytest.fixture
def played(study, alice, plays):
    """The study with one move of Alice's."""
    plays(alice, study)
    return study


def share(study, **fields):
    Study.objects.filter(pk=study.pk).update(**fields)


def let_in(study, user, *, may_add=False):
    share(study, visibility="people")
    Guest.objects.create(study=study, user=user, may_add=may_add)


def verbs(study, legal):
    """Every request that reads or changes a study, by name; each changes something if it is allowed."""
    seat, actions = legal(study, 0)
    base = f"/studies/{study.pk}/"
    return {
        "see": ("get", base, {}),
        "see a move": ("get", f"{base}1/", {}),
        "see as a seat": ("get", f"{base}1/as/1/", {}),
        "play": ("post", f"{base}0/play/", {"seat": seat + 1, "action": actions[1]}),
        "ask a bot": ("post", f"{base}0/bot/", {"seat": seat + 1, "level": "apprentice"}),
        "comment": ("post", f"{base}1/comment/", {"comment": "mine", "mark": "!"}),
        "promote": ("post", f"{base}1/line/", {"do": "promote"}),
        "delete": ("post", f"{base}1/line/", {"do": "delete"}),
        "see settings": ("get", f"{base}settings/", {}),
        "share": ("post", f"{base}settings/", {"do": "share", "title": "T", "visibility": "public"}),
        "let in": ("post", f"{base}settings/", {"do": "let_in", "who": "zoe"}),
        "renew": ("post", f"{base}settings/", {"do": "renew"}),
        "delete all": ("post", f"{base}settings/", {"do": "delete"}),
    }


def tried(client, study, legal):
    """What somebody gets for each verb, after each of which all is put back."""
    from django.db import transaction

    client.raise_request_exception = False
    found = {}
    for name, (method, address, fields) in verbs(study, legal).items():
        point = transaction.savepoint()
        found[name] = getattr(client, method)(address, fields).status_code
        transaction.savepoint_rollback(point)
    return found


HIDDEN = dict.fromkeys(
    (
        "see", "see a move", "see as a seat", "play", "ask a bot", "comment", "promote", "delete", "see settings", "share", "let in", "renew",
        "delete all",
    ),
    404,
)  # fmt: skip
SETTINGS = dict.fromkeys(("see settings", "share", "let in", "renew", "delete all"), 404)
LOOKS = {
    **dict.fromkeys(("see", "see a move", "see as a seat"), 200),
    **dict.fromkeys(("play", "ask a bot", "comment", "promote", "delete"), 403),
    **SETTINGS,
}
ADDS = {**LOOKS, "play": 303, "ask a bot": 303, "comment": 403, "promote": 403, "delete": 403}  # the comment and the move are Alice's
OWNS = {**dict.fromkeys(HIDDEN, 303), **dict.fromkeys(("see", "see a move", "see as a seat", "see settings"), 200)}


class TestVerbs:
    @pytest.fixture(autouse=True)
    def _commented(self, played, zoe):
        Move.objects.update(comment="hers", commented_by=played.owner)

    def test_the_owner(self, played, browser, alice, legal):
        assert tried(browser(alice), played, legal) == OWNS

    @pytest.mark.parametrize("visibility", ["me", "people", "club", "link"])
    @pytest.mark.parametrize("who", ["charlie", "moderator", "guest", None])
    def test_to_others_it_is_not_there(self, played, browser, club, legal, request, visibility, who):
        share(played, visibility=visibility, club=club if visibility == "club" else None)
        user = request.getfixturevalue(who) if who else None
        assert tried(browser(user), played, legal) == HIDDEN

    @pytest.mark.parametrize("who", ["charlie", "moderator", "guest"])
    def test_a_public_one_is_looked_at(self, played, browser, legal, request, who):
        share(played, visibility="public")
        assert tried(browser(request.getfixturevalue(who)), played, legal) == LOOKS

    def test_a_visitor_is_asked_to_sign_in(self, played, browser, legal):
        share(played, visibility="public")
        found = tried(browser(), played, legal)
        assert {name: found[name] for name in ("see", "play", "comment", "see settings", "share")} == {
            "see": 200, "play": 302, "comment": 302, "see settings": 302, "share": 302,
        }  # fmt: skip
        assert not Wish.objects.exists()

    def test_people_who_only_look(self, played, browser, bob, legal):
        let_in(played, bob)
        assert tried(browser(bob), played, legal) == LOOKS

    def test_people_who_add(self, played, browser, bob, legal):
        let_in(played, bob, may_add=True)
        assert tried(browser(bob), played, legal) == ADDS

    def test_people_who_were_let_in_see_nothing_when_only_the_owner_does(self, played, browser, bob, legal):
        let_in(played, bob, may_add=True)
        share(played, visibility="me")
        assert tried(browser(bob), played, legal) == HIDDEN

    def test_readers_by_link(self, played, browser, charlie, legal):
        share(played, visibility="link")
        client = browser(charlie)
        answer = client.get(f"/studies/link/{Study.objects.get().link_code}/")
        assert answer.url == f"/studies/{played.pk}/"
        assert tried(client, played, legal) == LOOKS

    def test_members_of_the_club(self, played, browser, club, alice, zoe, legal):
        Membership.objects.get_or_create(club=club, user=alice)
        Membership.objects.get_or_create(club=club, user=zoe)
        share(played, visibility="club", club=club)
        assert tried(browser(zoe), played, legal) == LOOKS

    def test_what_a_moderator_has_hidden_is_seen_by_its_owner_alone(self, played, browser, alice, bob, legal):
        let_in(played, bob, may_add=True)
        Study.objects.update(hidden_at=played.made_at)
        assert tried(browser(bob), played, legal) == HIDDEN
        assert browser(alice).get(f"/studies/{played.pk}/").status_code == 200


def test_nothing_tells_a_hidden_study_from_none(played, browser, charlie):
    client = browser(charlie)

    def answers(pk):
        found = [client.get(f"/studies/{pk}/{rest}") for rest in ("", "1/", "1/as/1/", "settings/", "?v=1", "?stream=1")]
        found += [client.get(f"/studies/{pk}/", headers={"HX-Request": "true"})]
        found += [client.post(f"/studies/{pk}/{rest}") for rest in ("0/play/", "1/comment/", "1/line/", "0/bot/", "settings/")]
        return [
            (
                one.status_code,
                re.sub(rb'csrfmiddlewaretoken" value="[^"]*', b"", one.content).replace(str(pk).encode(), b"N"),
                "X-Stream" in one.headers,
            )
            for one in found
        ]

    assert answers(played.pk) == answers(NOWHERE)


class TestContributors:
    def test_they_delete_what_is_theirs_alone(self, played, alice, bob, browser, plays):
        let_in(played, bob, may_add=True)
        own = plays(bob, played, nth=1)
        client = browser(bob)
        on_it = plays(alice, played, own)
        assert client.post(f"/studies/{played.pk}/{own}/line/", {"do": "delete"}).status_code == 403
        services.delete(study_id=played.pk, user=alice, codes={}, number=on_it)
        assert client.post(f"/studies/{played.pk}/{own}/line/", {"do": "delete"}).status_code == 303
        assert list(Move.objects.values_list("number", flat=True)) == [1]

    def test_they_comment_where_nobody_else_has(self, played, alice, bob, browser):
        let_in(played, bob, may_add=True)
        address = f"/studies/{played.pk}/1/comment/"
        assert browser(bob).post(address, {"comment": "his"}).status_code == 303
        assert browser(bob).post(address, {"comment": "his own"}).status_code == 303
        assert "Comment by bob" in browser(alice).get(f"/studies/{played.pk}/1/").content.decode()
        assert browser(alice).post(address, {"comment": "hers"}).status_code == 303
        assert browser(bob).post(address, {"comment": "his"}).status_code == 403


class TestLinks:
    def test_a_new_link_ends_the_old_one_for_those_who_followed_it(self, played, browser, alice, charlie):
        share(played, visibility="link")
        old = Study.objects.get().link_code
        client = browser(charlie)
        client.get(f"/studies/link/{old}/")
        assert client.get(f"/studies/{played.pk}/").status_code == 200
        sharing.renew_link(study_id=played.pk, user=alice)
        assert client.get(f"/studies/{played.pk}/").status_code == 404
        assert client.get(f"/studies/link/{old}/").status_code == 404

    def test_visitors_follow_it_too(self, played, browser):
        share(played, visibility="link")
        client = browser()
        assert client.get(f"/studies/{played.pk}/").status_code == 404
        client.get(f"/studies/link/{Study.objects.get().link_code}/")
        assert client.get(f"/studies/{played.pk}/1/").status_code == 200
        assert "study-play" not in client.get(f"/studies/{played.pk}/").content.decode()

    @pytest.mark.parametrize("visibility", ["me", "people", "club"])
    def test_it_leads_nowhere_while_the_study_is_not_open_by_link(self, played, browser, charlie, visibility):
        share(played, visibility=visibility)
        assert browser(charlie).get(f"/studies/link/{Study.objects.get().link_code}/").status_code == 404

    def test_nobody_guesses(self, browser, charlie, db):
        client = browser(charlie)
        found = [client.get(f"/studies/link/{'x' * 15}{n}/").status_code for n in range(31)]
        assert found == [404] * 30 + [429]


class TestPeople:
    def test_blocked_people_are_refused_like_people_who_take_no_invitations(self, played, alice, bob, charlie, browser):
        Block.objects.create(user=bob, blocked=alice)
        User.objects.filter(pk=charlie.pk).update(takes_invitations=False)
        pages = {}
        for name in ("bob", "charlie"):
            answer = browser(alice).post(f"/studies/{played.pk}/settings/", {"do": "let_in", "who": name})
            assert answer.status_code == 422
            text = answer.content.decode().partition('role="alert"')[2].partition("</div>")[0]
            pages[name] = text.replace(name, "N")
        assert pages["bob"] == pages["charlie"]
        assert "taking invitations" in pages["bob"]
        assert not Guest.objects.exists()

    @pytest.mark.parametrize("by", ["alice", "bob"])
    def test_whoever_blocks_parts(self, played, alice, bob, browser, by):
        let_in(played, bob, may_add=True)
        user, person = (alice, bob) if by == "alice" else (bob, alice)
        blocks.block(user=user, person=person)
        assert browser(bob).get(f"/studies/{played.pk}/").status_code == 404

    def test_rights_change_and_end(self, played, alice, bob, browser):
        sharing.let_in(study_id=played.pk, user=alice, name="BOB", may_add=False)
        assert Study.objects.get().visibility == "people"
        sharing.let_in(study_id=played.pk, user=alice, name="bob", may_add=True)
        assert Guest.objects.get().may_add
        browser(alice).post(f"/studies/{played.pk}/settings/", {"put_out": str(bob.pk)})
        assert not Guest.objects.exists()

    @pytest.mark.parametrize(
        ("name", "says"), [("nobody", "Nobody here has that name"), ("alice", "your own study"), ("", "Nobody here has that name")]
    )
    def test_odd_names(self, played, alice, browser, name, says):
        answer = browser(alice).post(f"/studies/{played.pk}/settings/", {"do": "let_in", "who": name})
        assert answer.status_code == 422
        assert says in answer.content.decode()

    def test_not_without_end(self, played, alice, bob, charlie, monkeypatch):
        monkeypatch.setattr(sharing, "MAX_GUESTS", 1)
        sharing.let_in(study_id=played.pk, user=alice, name="bob", may_add=False)
        with pytest.raises(sharing.refusals.TooManyGuests):
            sharing.let_in(study_id=played.pk, user=alice, name="charlie", may_add=False)

    def test_guests_of_the_site_share_nothing(self, guest, ended, starts, browser):
        study = starts(guest, ended.table.pk)
        client = browser(guest)
        assert client.post(f"/studies/{study.pk}/settings/", {"do": "share", "title": "T", "visibility": "link"}).status_code == 403
        assert client.post(f"/studies/{study.pk}/settings/", {"do": "let_in", "who": "alice"}).status_code == 403
        assert Study.objects.get(pk=study.pk).visibility == "me"


class TestClubs:
    @pytest.fixture
    def ours(self, dora, alice, bob):
        """A club of Dora's to which Alice and Bob belong."""
        found = clubs.create_club(owner=dora, name="Ninurta", about_en="Mondays.", about_hu="Hétfőnként.")
        for user in (alice, bob):
            Membership.objects.create(club=found, user=user)
        return found

    @pytest.fixture
    def shared(self, played, ours, alice):
        sharing.set_up(study_id=played.pk, user=alice, title="T", visibility="club", club=ours.slug)
        return played

    def test_a_former_member_sees_nothing(self, shared, ours, bob, browser):
        client = browser(bob)
        assert client.get(f"/studies/{shared.pk}/").status_code == 200
        assert f"/studies/{shared.pk}/" in client.get("/studies/").content.decode()
        members.leave(club=ours, user=bob)
        assert client.get(f"/studies/{shared.pk}/").status_code == 404
        assert f"/studies/{shared.pk}/" not in client.get("/studies/").content.decode()

    def test_it_ends_when_the_owner_leaves(self, shared, ours, alice, bob, browser):
        members.leave(club=ours, user=alice)
        assert browser(bob).get(f"/studies/{shared.pk}/").status_code == 404
        study = Study.objects.get()
        assert (study.visibility, study.club) == ("me", None)

    def test_it_ends_with_the_club(self, shared, ours, dora, bob, browser):
        clubs.close_club(club=ours, actor=dora)
        assert browser(bob).get(f"/studies/{shared.pk}/").status_code == 404
        assert Study.objects.get().visibility == "me"

    def test_only_with_a_club_of_ones_own(self, played, ours, alice, browser):
        Membership.objects.filter(user=alice).delete()
        fields = {"do": "share", "title": "T", "visibility": "club", "club": ours.slug}
        assert browser(alice).post(f"/studies/{played.pk}/settings/", fields).status_code == 422
        assert Study.objects.get().club is None


class TestTheTableBehind:
    """A study is seen by those who may see its table, whatever the owner says."""

    @pytest.mark.parametrize("visibility", ["people", "link", "public"])
    def test_a_table_by_link(self, played, running, browser, alice, bob, visibility):
        let_in(played, bob, may_add=True)
        share(played, visibility=visibility)
        Table.objects.filter(pk=running.table.pk).update(privacy="link")
        client = browser(bob)
        client.get(f"/studies/link/{Study.objects.get().link_code}/")
        assert client.get(f"/studies/{played.pk}/").status_code == 404
        assert f"/studies/{played.pk}/" not in client.get("/studies/").content.decode()
        assert browser(alice).get(f"/studies/{played.pk}/").status_code == 200
        now = played.made_at
        Invitation.objects.create(table=running.table, way="link", user=bob, state=Invitation.State.WATCHING, made_at=now, expires_at=now)
        assert client.get(f"/studies/{played.pk}/").status_code == 200

    def test_a_table_of_a_private_club(self, played, running, browser, charlie, private):
        let_in(played, charlie, may_add=True)
        Table.objects.filter(pk=running.table.pk).update(club=private)
        assert browser(charlie).get(f"/studies/{played.pk}/").status_code == 404
        Membership.objects.create(club=private, user=charlie)
        assert browser(charlie).get(f"/studies/{played.pk}/").status_code == 200

    def test_it_is_not_opened_to_everyone(self, played, running, alice, browser):
        Table.objects.filter(pk=running.table.pk).update(privacy="link")
        fields = {"do": "share", "title": "T", "visibility": "public"}
        answer = browser(alice).post(f"/studies/{played.pk}/settings/", fields)
        assert answer.status_code == 422
        assert Study.objects.get().visibility == "me"

    def test_when_it_is_gone_the_owner_keeps_the_study(self, played, alice, bob, browser):
        let_in(played, bob, may_add=True)
        share(played, table=None, visibility="public")
        assert browser(bob).get(f"/studies/{played.pk}/").status_code == 404
        page = browser(alice).get(f"/studies/{played.pk}/1/").content.decode()
        assert "Player 1" in page
        assert f"/studies/{played.pk}/" in browser(alice).get("/studies/").content.decode()


def test_lists_have_what_is_shared_and_nothing_else(played, alice, bob, charlie, browser):
    def listed(user):
        return f"/studies/{played.pk}/" in browser(user).get("/studies/").content.decode()

    assert [listed(user) for user in (alice, bob, charlie, None)] == [True, False, False, False]
    let_in(played, bob)
    assert [listed(user) for user in (alice, bob, charlie, None)] == [True, True, False, False]
    share(played, visibility="link")
    assert [listed(user) for user in (alice, bob, charlie, None)] == [True, True, False, False]
    share(played, visibility="public")
    assert [listed(user) for user in (alice, bob, charlie, None)] == [True, True, True, True]
