"""Who may read and write in which room, with every verb; and that a table which somebody may not see has no chat for them."""

from __future__ import annotations

import pytest
from django.utils import timezone

from portal.accounts import blocks
from portal.clubs.models import Membership
from portal.tables import inviting, services
from portal.tables.models import Seat, Table
from portal.talk.models import Line, Listener, Report, Silence
from tests.portal.leaks.test_clubs import MISSING, same
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db


POSTS = {
    "say": {"room": "players", "text": "Hello"},
    "mute": {"do": "mute"},
    "note": {"note": "my plan"},
}


@pytest.fixture
def said(says, alice, charlie):
    """A line of Alice's in the players' room, and one of Charlie's in the other."""
    assert says(alice, "from a player").status_code == 303
    assert says(charlie, "from a spectator", room="watchers").status_code == 303
    return list(Line.objects.order_by("pk"))


def test_players_and_spectators_write_apart_while_the_game_runs(says, alice, bob, charlie, guest):
    for user, room, status in (
        (alice, "players", 303),
        (bob, "players", 303),
        (charlie, "watchers", 303),
        (guest, "watchers", 303),
        (alice, "watchers", 403),
        (charlie, "players", 403),
        (guest, "players", 403),
        (alice, "nowhere", 422),
        (alice, "", 422),
    ):
        before = Line.objects.count()
        assert says(user, room=room).status_code == status, (user.username, room)
        assert Line.objects.count() == before + (status == 303)


def test_players_do_not_see_what_spectators_say_until_the_game_is_over(said, duel, reads, browser, alice, charlie, guest):
    assert "from a spectator" not in reads(alice)
    assert "from a spectator" not in reads(None)
    assert browser(alice).get(f"/tables/{duel.pk}/talk/lines/?room=watchers&since=0").status_code == 404
    assert browser().get(f"/tables/{duel.pk}/talk/lines/?room=watchers&since=0").status_code == 404
    assert browser(alice).get(f"/tables/{duel.pk}/talk/{said[1].pk}/").status_code == 404
    for user in (charlie, guest):
        assert "from a spectator" in reads(user)
        assert "from a player" in reads(user)
    end(duel.pk)
    for user in (alice, charlie, None):
        assert "from a spectator" in reads(user)


def test_the_number_of_unread_lines_tells_players_nothing_of_spectators(says, duel, browser, alice, bob, charlie):
    def unread(user):
        return browser(user).get(f"/tables/{duel.pk}/talk/unread/").content

    says(charlie, room="watchers")
    assert unread(alice) == b"0"
    says(bob)
    says(alice)
    assert (unread(alice), unread(bob), unread(charlie)) == (b"1", b"1", b"0")
    browser(alice).get(f"/tables/{duel.pk}/talk/")
    assert unread(alice) == b"0"
    assert browser().get(f"/tables/{duel.pk}/talk/unread/").status_code == 204


def test_after_the_game_players_write_in_both_rooms_and_spectators_in_theirs(says, duel, alice, charlie):
    end(duel.pk)
    for user, room, status in (
        (alice, "players", 303),
        (alice, "watchers", 303),
        (charlie, "watchers", 303),
        (charlie, "players", 403),
    ):
        assert says(user, room=room).status_code == status


def test_somebody_whose_seat_a_bot_keeps_is_still_a_player(said, duel, reads, says, bob):
    Seat.objects.filter(table=duel, user=bob).update(user=None, left_user=bob, is_away=True, bot_level="apprentice")
    assert "from a spectator" not in reads(bob)
    assert says(bob, room="watchers").status_code == 403
    assert says(bob, room="players").status_code == 303


def test_somebody_who_left_for_good_watches(said, duel, reads, says, bob):
    services.leave_table(table_id=duel.pk, user=bob)
    assert "from a spectator" in reads(bob)
    assert says(bob, room="players").status_code == 403


def test_visitors_read_and_are_asked_to_sign_in(duel, said, browser, reads):
    assert "from a player" in reads(None)
    assert "Sign in to chat" in reads(None)
    for verb, fields in POSTS.items():
        answer = browser().post(f"/tables/{duel.pk}/talk/{verb}/", fields)
        assert answer.status_code == 302
        assert answer["Location"].startswith("/accounts/login/")
        answer = browser().post(f"/tables/{duel.pk}/talk/{verb}/", fields, headers={"HX-Request": "true"})
        assert answer.status_code == 403
    assert browser().post(f"/tables/{duel.pk}/talk/{said[0].pk}/", {"reason": "rude"}).status_code == 302
    assert Line.objects.count() == 2
    assert not Listener.objects.exclude(user__username__in=["alice", "charlie"]).exists()
    assert not Report.objects.exists()


@pytest.mark.parametrize("setting", ["link", "private club"])
def test_a_table_that_somebody_may_not_see_has_no_chat(setting, browser, says, alice, bob, charlie, private, olga):
    """Strangers and visitors get what they get at a number that no table has, for every verb."""
    if setting == "link":
        hidden = services.create_table(owner=alice, game_key="ra", seats=2, privacy="link").table
        inviting.join_by_link(code=hidden.link_code, user=bob, terms="2 rated")
    else:
        for person in (alice, bob):
            Membership.objects.get_or_create(club=private, user=person)
        hidden = services.create_table(owner=alice, game_key="ra", seats=2, club=private).table
        services.join_table(table_id=hidden.pk, user=bob)
    assert says(alice, "a secret plan", table=hidden).status_code == 303
    line = Line.objects.get()
    for user in (charlie, None):
        client = browser(user)
        for path in ("", "lines/?room=players&since=0", "unread/"):
            there, missing = (client.get(f"/tables/{pk}/talk/{path}") for pk in (hidden.pk, MISSING))
            assert there.status_code == missing.status_code == 404, path
            assert same(there, missing, hidden.pk), path
        for verb, fields in POSTS.items():
            for head in ({}, {"HX-Request": "true"}):
                there, missing = (client.post(f"/tables/{pk}/talk/{verb}/", fields, headers=head) for pk in (hidden.pk, MISSING))
                assert there.status_code == missing.status_code == 404, verb
        there, missing = (client.post(f"/tables/{pk}/talk/{line.pk}/", {"reason": "rude"}) for pk in (hidden.pk, MISSING))
        assert there.status_code == missing.status_code
        assert there.status_code == (404 if user else 302)
    assert Line.objects.count() == 1
    assert not Report.objects.exists()
    assert b"a secret plan" in browser(bob).get(f"/tables/{hidden.pk}/talk/").content


def test_a_line_is_found_at_its_own_table_only(said, table, browser, charlie):
    assert browser(charlie).get(f"/tables/{table.pk}/talk/{said[0].pk}/").status_code == 404
    assert browser(charlie).get(f"/tables/{said[0].table_id}/talk/{said[0].pk}/").status_code == 200


def test_somebody_who_blocks_the_writer_does_not_read_them_in_any_way(said, duel, reads, browser, bob, alice):
    blocks.block(user=bob, person=alice)
    assert "from a player" not in reads(bob)
    assert browser(bob).get(f"/tables/{duel.pk}/talk/lines/?room=players&since=0").status_code == 204
    assert browser(bob).get(f"/tables/{duel.pk}/talk/unread/").content == b"0"
    assert browser(bob).get(f"/tables/{duel.pk}/talk/{said[0].pk}/").status_code == 404
    assert "from a player" in reads(alice)


def test_somebody_who_was_silenced_may_only_read(says, reads, bob, alice, duel, browser):
    silence = Silence.objects.create(user=bob, until=timezone.now() + timezone.timedelta(hours=1))
    answer = says(bob)
    assert answer.status_code == 403
    assert "A moderator has stopped you" in answer.content.decode()
    says(alice, "read this")
    assert "read this" in reads(bob)
    assert browser(bob).post(f"/tables/{duel.pk}/talk/note/", {"note": "mine"}).status_code == 303
    silence.until = timezone.now()
    silence.save()
    assert says(bob).status_code == 303


@pytest.mark.parametrize("how", ["alone", "by hand", "lesson"])
def test_there_is_no_chat_where_nobody_else_plays(how, alice, charlie, says, browser, fixed_secret):
    alone = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"]).table
    Table.objects.filter(pk=alone.pk).update(by_hand=how == "by hand", lesson="x" if how == "lesson" else "")
    for user, room in ((alice, "players"), (charlie, "watchers")):
        assert says(user, room=room, table=alone).status_code == 403
    page = browser(alice).get(f"/tables/{alone.pk}/talk/")
    assert "there is no chat" in page.content.decode()
    assert browser(alice).get(f"/tables/{alone.pk}/talk/lines/?room=players").status_code == 404
    assert browser(alice).post(f"/tables/{alone.pk}/talk/note/", {"note": "still mine"}).status_code == 303


def test_an_open_table_has_a_chat(alice, charlie, says, reads):
    waiting = services.create_table(owner=alice, game_key="ra", seats=2).table
    assert says(alice, "come and play", table=waiting).status_code == 303
    assert says(charlie, "no time", room="watchers", table=waiting).status_code == 303
    assert "come and play" in reads(charlie, table=waiting)
    assert "no time" not in reads(alice, table=waiting)
