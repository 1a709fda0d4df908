"""An account can be deleted: nothing of the person is left, and everything that counts for others is."""

from __future__ import annotations

import json

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.core.cache import cache
from django.core.management import call_command
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import translation

from portal.accounts import deleting, names, services
from portal.accounts.models import ApiToken, OutgoingMail, User
from portal.accounts.own_tokens import make_token
from portal.accounts.pseudonyms import is_pseudonym, shown
from portal.accounts.refusals import NameOfDeleted
from portal.clubs import services as clubs
from portal.clubs import ways_in
from portal.clubs.models import Membership
from portal.notices.models import Notice
from portal.ratings.models import Rating
from portal.ratings.services import apply_pending
from portal.tables import inviting
from portal.tables import services as tables
from portal.tables.models import ActionRecord, Table
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"


@pytest.fixture(autouse=True)
def _no_guesses_yet():
    cache.clear()


def delete(client: Client, password: str = PASSWORD):
    return client.post(reverse("delete-account"), {"password": password})


@pytest.fixture
def bobs(bob):
    client = Client()
    client.force_login(bob)
    return client


def test_the_page_says_what_happens_and_asks_for_the_password(bobs, bob):
    page = bobs.get(reverse("delete-account")).content.decode()
    assert "Deleted player" in page
    assert 'type="password"' in page
    refused = delete(bobs, "wrong")
    assert refused.status_code == 422
    assert User.objects.filter(pk=bob.pk, is_active=True).exists()
    assert reverse("delete-account") in bobs.get(reverse("settings")).content.decode()


def test_guessing_the_password_is_limited(bobs, bob):
    answers = [delete(bobs, "wrong").status_code for _ in range(31)]
    assert answers[-1] == 429
    assert delete(bobs).status_code == 429
    assert User.objects.filter(pk=bob.pk, is_active=True).exists()


def test_only_accounts_are_deleted_here_and_only_ones_own(client, alice):
    assert delete(client).url.startswith(reverse("account_login"))
    guest = services.create_guest(address="198.51.100.7")
    client.force_login(guest)
    assert delete(client, "").url == reverse("delete-guest")
    assert set(User.objects.filter(is_active=True)) == {alice, guest}


def test_without_games_for_others_nothing_is_left(bobs, bob):
    assert delete(bobs).url == reverse("home")
    assert not User.objects.filter(pk=bob.pk).exists()
    assert bobs.get(reverse("settings")).status_code == 302


def test_a_finished_game_stays_under_a_pseudonym(bobs, bob, alice, duel):
    end(duel.pk)
    apply_pending()
    before = list(Rating.objects.order_by("pk").values())
    other = Client()
    other.force_login(bob)
    EmailAddress.objects.create(user=bob, email=bob.email, primary=True, verified=True)
    token = make_token(user=bob).text
    OutgoingMail.objects.create(sender="a@b.example", recipients=[bob.email], subject="Your turn", due_at=duel.started_at)
    delete(bobs)
    bob.refresh_from_db()
    name = f"deleted-{bob.pk}"
    assert (bob.username, bob.email, bob.is_active, bob.has_usable_password()) == (name, "", False, False)
    assert not EmailAddress.objects.exists()
    assert not ApiToken.objects.exists()
    assert not OutgoingMail.objects.filter(subject="Your turn").exists()
    assert not other.get(reverse("home")).wsgi_request.user.is_authenticated
    assert Client(HTTP_AUTHORIZATION=f"Token {token}").get("/api/v1/tables/").status_code == 401
    signed_in = Client().post(reverse("account_login"), {"login": "bob", "password": PASSWORD})
    assert signed_in.status_code == 200
    assert not signed_in.wsgi_request.user.is_authenticated
    listed = {"is_listed"}
    assert [{key: value for key, value in row.items() if key not in listed} for row in Rating.objects.order_by("pk").values()] == [
        {key: value for key, value in row.items() if key not in listed} for row in before
    ]
    call_command("rebuild_standings", "--check")
    alices = Client()
    alices.force_login(alice)
    table = reverse("table", args=[duel.pk])
    page = alices.get(table).content.decode()
    assert f"Deleted player {bob.pk}" in page
    assert "bob" not in page
    assert f'href="{reverse("profile", args=[name])}"' not in page
    translation.activate("en")
    for address in (
        reverse("leaderboard", args=["ra"]),
        reverse("profile", args=["alice"]),
        reverse("home"),
        reverse("lobby"),
        f"/api/v1/tables/{duel.pk}/",
        f"/api/v1/tables/{duel.pk}/record/",
    ):
        assert "bob" not in alices.get(address).content.decode(), address
    for gone in ("bob", name):
        assert alices.get(reverse("profile", args=[gone])).status_code == 404


def test_the_pseudonym_is_said_in_the_readers_language(alice, bob, duel):
    end(duel.pk)
    deleting.delete_person(user=bob)
    alice.language = "hu"
    alice.save()
    client = Client()
    client.force_login(alice)
    assert f"Törölt játékos {bob.pk}" in client.get(reverse("table", args=[duel.pk])).content.decode()
    with translation.override("ru"):
        assert shown("deleted-7") == "Удалённый игрок 7"
    assert shown("deleted-seven") == "deleted-seven"


def test_a_bot_takes_over_and_the_log_does_not_name_who_left(alice, bob, table):
    open_table = tables.create_table(owner=bob, game_key="ra", seats=3).table
    deleting.delete_person(user=bob)
    seat = table.seats.get(index=1)
    assert (seat.user, seat.bot_level) == (None, table.bot_fill)
    assert Table.objects.get(pk=open_table.pk).status == "abandoned"
    events = json.dumps(list(ActionRecord.objects.filter(table=table).values_list("events", flat=True)))
    assert "bob" not in events
    assert f"deleted-{bob.pk}" in events
    client = Client()
    client.force_login(alice)
    page = client.get(reverse("table", args=[table.pk])).content.decode()
    assert f"Deleted player {bob.pk} left the table" in page
    assert "bob" not in page


def test_what_others_were_told_names_nobody(alice, bob, charlie, duel):
    own = tables.create_table(owner=bob, game_key="ra", seats=3).table
    inviting.invite(table_id=own.pk, user=bob, name="charlie")
    assert Notice.objects.filter(user=charlie, facts__who="bob").exists()
    assert Notice.objects.filter(user=alice, facts__names=["bob"]).exists()
    deleting.delete_person(user=bob)
    assert "bob" not in json.dumps(list(Notice.objects.values_list("facts", flat=True)))
    assert not Notice.objects.filter(user=bob).exists()


def test_clubs_are_left_and_an_owner_hands_over_first(bobs, bob, alice):
    member_of = clubs.create_club(owner=alice, name="Enlil")
    ways_in.join_by_link(code=member_of.link_code, user=bob)
    own = clubs.create_club(owner=bob, name="Ninurta")
    page = bobs.get(reverse("delete-account")).content.decode()
    assert reverse("club-settings", args=[own.slug]) in page
    assert 'type="password"' not in page
    assert delete(bobs).status_code == 409
    assert Membership.objects.filter(user=bob).count() == 2
    clubs.close_club(club=own, actor=bob)
    delete(bobs)
    assert not Membership.objects.filter(club=member_of).exclude(user=alice).exists()
    member_of.refresh_from_db()
    assert member_of.member_count == 1
    assert not User.objects.filter(pk=bob.pk).exists()


def test_deleting_twice_changes_nothing_more(alice, bob, duel):
    end(duel.pk)
    deleting.delete_person(user=bob)
    before = User.objects.filter(pk=bob.pk).values().get()
    deleting.delete_person(user=bob)
    assert User.objects.filter(pk=bob.pk).values().get() == before


def test_nobody_takes_a_name_of_the_deleted(bob, alice, duel):
    with pytest.raises(NameOfDeleted):
        names.new_name("Deleted-7")
    User.objects.create(username=f"Deleted-{bob.pk}")  # from before such names were reserved
    end(duel.pk)
    deleting.delete_person(user=bob)
    bob.refresh_from_db()
    assert is_pseudonym(bob.username)


def test_every_row_that_points_to_a_person_is_decided():
    """What cascades goes or is in `KEPT`; a label in there that no model has would keep nothing."""
    rows = User._meta.get_fields(include_hidden=True)
    cascading = {row.related_model._meta.label for row in rows if getattr(row, "on_delete", None) is models.CASCADE}
    assert cascading >= deleting.KEPT
    assert {apps.get_model(label)._meta.app_label for label in deleting.KEPT} == {"ratings"}
