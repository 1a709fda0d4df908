"""The operators' admin: what moderators can and can't do, that nothing hidden can be read or found by asking, and that twice is once."""

from __future__ import annotations

from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client

from portal.accounts import sign_ins
from portal.accounts.models import User
from portal.clubs import services as club_services
from portal.clubs import ways_in
from portal.clubs.models import Club, ClubEntry, Membership
from portal.notices.models import Notice
from portal.notices.sentences import sentence
from portal.site import moderating
from portal.tables import services
from portal.tables.loading import load
from portal.tables.models import Seat, Table
from tests.portal.leaks.eyes import MASKS

pytestmark = pytest.mark.django_db

PAGES = ("accounts/user", "tables/table", "clubs/club", "notices/delivery", "talk/report")


@pytest.fixture
def mod(db):
    user = User.objects.create_user("mod", "mod@example.org", "correct horse")
    call_command("moderators", "add", "mod", stdout=StringIO())
    client = Client()
    client.force_login(User.objects.get(pk=user.pk))
    return client


@pytest.fixture
def root(db):
    client = Client()
    client.force_login(User.objects.create_superuser("root", "root@example.org", "correct horse"))
    return client


@pytest.fixture
def table(alice, bob):
    loaded = services.create_table(owner=alice, game_key="ra", seats=3, bots=["apprentice"], word="crocodile")
    return services.join_table(table_id=loaded.table.pk, user=bob, word="hippo").table


def act(client, page, name, row, reason="Complaints."):
    return client.post(f"/admin/{page}/", {"action": name, "_selected_action": [row.pk], "reason": reason}, follow=True).content.decode()


def masked(page):
    for pattern, text in MASKS:
        page = pattern.sub(text, page)
    return page


def reasons():
    return list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))


def test_moderators_get_their_pages_and_no_others(mod, alice):
    for page in PAGES:
        assert mod.get(f"/admin/{page}/").status_code == 200, page
    for page in ("auth/group", "account/emailaddress", "common/maintenance", "site/announcement", "axes/accessattempt"):
        assert mod.get(f"/admin/{page}/").status_code == 403, page
    assert mod.get(f"/admin/accounts/user/{alice.pk}/change/").status_code == 200
    for address in ("accounts/user/add/", f"accounts/user/{alice.pk}/delete/", f"accounts/user/{alice.pk}/password/"):
        assert mod.get(f"/admin/{address}").status_code in (302, 403, 404), address


def test_nothing_can_be_edited(mod, root, alice):
    for client in (mod, root):
        client.post(f"/admin/accounts/user/{alice.pk}/change/", {"username": "evil", "is_superuser": "on", "is_active": ""})
    alice.refresh_from_db()
    assert (alice.username, alice.is_superuser, alice.is_active) == ("alice", False, True)


def test_people_without_the_right_see_nothing(client, alice):
    client.force_login(alice)
    for page in PAGES:
        assert client.get(f"/admin/{page}/").status_code == 302
    assert "/admin/" not in client.get("/lobby/").content.decode()


def test_the_menu_leads_there(mod):
    assert 'href="/admin/"' in mod.get("/lobby/").content.decode()


def test_addresses_are_for_superusers(mod, root, alice):
    address = f"/admin/accounts/user/{alice.pk}/change/"
    assert "alice@example.org" not in mod.get(address).content.decode()
    assert "alice@example.org" not in mod.get("/admin/accounts/user/?q=alice").content.decode()
    assert f"/user/{alice.pk}/" not in mod.get("/admin/accounts/user/?q=alice@example").content.decode()
    assert "alice@example.org" in root.get(address).content.decode()
    assert f"/user/{alice.pk}/" in root.get("/admin/accounts/user/?q=alice@example").content.decode()


@pytest.mark.parametrize(
    "asked",
    [
        "accounts/user/?password__startswith=md5",
        "accounts/user/?email__startswith=a",
        "accounts/user/?api_tokens__digest__startswith=0",
        "accounts/user/?sign_ins__key__startswith=a",
        "tables/table/?secret__gt=0",
        "tables/table/?state__has_key=bag",
        "tables/table/?seats__word=crocodile",
        "tables/table/?seats__order__startswith=bid",
        "tables/table/?link_code__startswith=a",
        "tables/table/?recent__icontains=a",
        "clubs/club/?link_code__startswith=a",
        "notices/delivery/?user__email__startswith=a",
        "talk/report/?line__table__state__has_key=bag",
    ],
)
def test_nothing_is_found_by_asking(mod, table, asked):
    answer = mod.get(f"/admin/{asked}")
    assert answer.status_code in (302, 400), "302: to the list with ?e=1"


@pytest.mark.parametrize(
    "asked",
    [
        "tables/table/?q=abc",
        "tables/table/?q=99999999999999999999",
        "accounts/user/?_to_field=password",
        "tables/table/?status=playing&q=alice",
        "clubs/club/?q=%27",
    ],
)
def test_odd_searches_are_no_faults(mod, table, asked):
    assert mod.get(f"/admin/{asked}").status_code in (200, 302, 400)


def test_the_pages_of_a_running_table_are_alike_whatever_is_hidden(mod, root, table):
    """Only what is hidden is different: both pages must be the same, byte for byte."""
    addresses = [
        f"/admin/tables/table/{table.pk}/change/",
        "/admin/tables/table/",
        f"/admin/tables/table/{table.pk}/history/",
        "/admin/tables/table/?q=alice",
    ]

    def read():
        return [masked(client.get(address).content) for client in (mod, root) for address in addresses]

    before = read()
    state = load(table.pk).table.state
    assert state
    Table.objects.filter(pk=table.pk).update(
        secret=b"\xff" * 32, commitment="0" * 64, state={"hidden": "crocodile"}, recent=[], line=[], counters={"x": 1}
    )
    Seat.objects.filter(table=table).update(word="elephant", order="pass")
    assert read() == before
    assert not any(
        word in page for page in before for word in (b"crocodile", b"hippo", bytes(table.secret).hex().encode(), table.commitment.encode())
    )


def test_a_stuck_game_ends_without_a_result_and_its_players_are_told(mod, table, alice):
    assert "1 was changed." in act(mod, "tables/table", "end", table)
    assert "0 were changed." in act(mod, "tables/table", "end", table)
    assert Table.objects.get(pk=table.pk).status == "abandoned"
    told = [sentence(one) for one in Notice.objects.filter(user=alice, withdrawn_at=None)]
    assert told[-1] == "The operators of the site ended your game of Ra without a result."
    assert reasons() == ["Ended the game without a result. Complaints."]
    assert Client().get(f"/tables/{table.pk}/").status_code == 200


def test_bots_are_asked_again_only_where_one_is_due(mod, table, monkeypatch):
    sent = []
    monkeypatch.setattr("portal.site.moderating.enqueue_due", lambda *args, **more: sent.append(args[:2]))
    Table.objects.filter(pk=table.pk).update(waits_for="person")
    act(mod, "tables/table", "wake", table)
    assert sent == [] and reasons() == []
    Table.objects.filter(pk=table.pk).update(waits_for="bot")
    act(mod, "tables/table", "wake", table)
    assert sent == [(table.pk, table.version)] and reasons() == ["Asked its bots again. Complaints."]


def test_nothing_is_done_without_a_reason(mod, table, alice):
    for page, name, row in (("tables/table", "end", table), ("accounts/user", "deactivate", alice), ("accounts/user", "rename", alice)):
        assert "Write a reason" in act(mod, page, name, row, reason=" ")
    alice.refresh_from_db()
    assert alice.is_active and alice.username == "alice" and Table.objects.get(pk=table.pk).status == "playing" and reasons() == []


def test_an_account_is_closed_and_opened_again(mod, alice):
    browser = Client()
    assert browser.post("/accounts/login/", {"login": "alice", "password": "correct horse"}).status_code == 302
    act(mod, "accounts/user", "deactivate", alice)
    assert browser.get("/settings/").status_code == 302
    assert (
        browser.post("/accounts/login/", {"login": "alice", "password": "correct horse"}).status_code != 302
        or "_auth_user_id" not in browser.session
    )
    act(mod, "accounts/user", "deactivate", alice)
    act(mod, "accounts/user", "reactivate", alice)
    act(mod, "accounts/user", "reactivate", alice)
    assert User.objects.get(pk=alice.pk).is_active
    assert reasons() == ["Closed the account. Complaints.", "Opened the account again. Complaints."]


def test_a_deleted_account_is_not_opened_again(mod, alice):
    User.objects.filter(pk=alice.pk).update(username=f"deleted-{alice.pk}", is_active=False)
    act(mod, "accounts/user", "reactivate", alice)
    assert not User.objects.get(pk=alice.pk).is_active


def test_somebody_is_signed_out_everywhere(mod, alice):
    browser = Client()
    browser.post("/accounts/login/", {"login": "alice", "password": "correct horse"})
    browser.get("/lobby/")
    assert sign_ins.of(alice, None)
    act(mod, "accounts/user", "end_sessions", alice)
    act(mod, "accounts/user", "end_sessions", alice)
    assert browser.get("/settings/").status_code == 302
    assert reasons() == ["Ended all sessions. Complaints."]


def test_an_offensive_name_is_replaced_in_logs_too_and_its_owner_is_told(mod, table, bob, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    EmailAddress.objects.create(user=bob, email="bob@example.org", verified=True, primary=True)
    bob.language = "hu"
    bob.save()
    services.leave_table(table_id=table.pk, user=bob)
    act(mod, "accounts/user", "rename", bob)
    act(mod, "accounts/user", "rename", bob)
    bob.refresh_from_db()
    assert bob.username.startswith("player-")
    page = Client().get(f"/tables/{table.pk}/log/").content.decode()
    assert "bob" not in page and bob.username in page
    assert [one.to for one in mail.outbox] == [["bob@example.org"]] and bob.username in mail.outbox[0].body
    assert "Az oldal üzemeltetői" in mail.outbox[0].body
    assert reasons() == ["Replaced the name. Complaints."]
    assert Client().post("/accounts/login/", {"login": bob.username, "password": "correct horse"}).status_code == 302


@pytest.mark.parametrize("name", ["deactivate", "end_sessions", "rename"])
def test_moderators_act_neither_on_staff_nor_on_themselves(mod, root, name):
    other = User.objects.create_user("other", is_staff=True)
    for person in (other, User.objects.get(username="mod"), User.objects.get(username="root")):
        before = User.objects.filter(pk=person.pk).values().get()
        act(mod, "accounts/user", name, person)
        assert User.objects.filter(pk=person.pk).values().get() == before
    act(root, "accounts/user", "deactivate", User.objects.get(username="root"))
    assert User.objects.get(username="root").is_active
    act(root, "accounts/user", "deactivate", other)
    assert not User.objects.get(pk=other.pk).is_active


@pytest.fixture
def club(alice, bob, charlie):
    club = club_services.create_club(owner=alice, name="Enlil")
    for user in (bob, charlie):
        ways_in.join_by_link(code=club.link_code, user=user)
    club_services.set_officer(club=club, actor=alice, member=charlie, is_officer=True)
    return club


def test_a_club_is_closed(mod, club):
    act(mod, "clubs/club", "close", club)
    act(mod, "clubs/club", "close", club)
    assert Club.objects.get(pk=club.pk).closed_at is not None
    assert [entry.verb for entry in ClubEntry.objects.order_by("pk")][-1] == "closed_by_site"
    assert reasons() == ["Closed the club. Complaints."]
    page = mod.get(f"/admin/clubs/club/{club.pk}/change/").content.decode()
    assert "The operators of the site closed the club." in page and club.link_code not in page


def test_a_club_goes_to_an_officer_only_when_its_owner_is_gone(mod, club, alice, bob, charlie):
    act(mod, "clubs/club", "pass_on", club)
    assert Membership.objects.get(club=club, user=alice).role == "owner"
    moderating.deactivate(alice)
    act(mod, "clubs/club", "pass_on", club)
    act(mod, "clubs/club", "pass_on", club)
    assert dict(Membership.objects.filter(club=club).values_list("user__username", "role")) == {
        "alice": "officer",
        "bob": "member",
        "charlie": "owner",
    }
    assert reasons() == ["Gave the club to its oldest officer. Complaints."]
    assert "handed the club over to charlie" in mod.get(f"/admin/clubs/club/{club.pk}/change/").content.decode()


def test_an_action_needs_the_right_to_change(table, alice):
    from django.contrib.auth.models import Permission

    reader = User.objects.create_user("reader", is_staff=True)
    reader.user_permissions.add(*Permission.objects.filter(codename__in=["view_table", "view_user"]))
    client = Client()
    client.force_login(reader)
    assert client.get("/admin/tables/table/").status_code == 200
    act(client, "tables/table", "end", table)
    act(client, "accounts/user", "deactivate", alice)
    assert Table.objects.get(pk=table.pk).status == "playing" and User.objects.get(pk=alice.pk).is_active


def command(*words):
    out = StringIO()
    call_command("moderators", *words, stdout=out)
    return out.getvalue()


def test_the_command_gives_and_takes_the_rights(alice):
    assert "nobody" in command()
    assert "alice" in command("add", "Alice")
    assert "alice" in command("add", "alice")
    alice = User.objects.get(pk=alice.pk)
    assert alice.is_staff and alice.has_perm("tables.change_table") and not alice.has_perm("accounts.delete_user")
    assert "nobody" in command("remove", "alice")
    alice = User.objects.get(pk=alice.pk)
    assert not alice.is_staff and not alice.has_perm("tables.view_table")
    for words in (("add",), ("add", "nobody"), ("remove", "nobody")):
        with pytest.raises(CommandError):
            command(*words)
