"""A rematch: the same game and people, at one table however many ask for it; and the form of a new table remembers."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from portal.accounts import services as accounts
from portal.tables import invited, inviting, refusals, services
from portal.tables.models import Invitation, Table
from portal.tables.rematching import rematch
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_limits_from_before():
    cache.clear()


@pytest.fixture
def over(alice, bob, charlie, fixed_secret) -> Table:
    """Ra with Alice, Bob, Charlie and a bot, unrated and by link only, at its end."""
    table = services.create_table(
        owner=alice, game_key="ra", seats=4, bots=["apprentice"], options={"open_fame": True}, is_rated=False, privacy="link"
    ).table
    for user in (bob, charlie):
        inviting.join_by_link(code=table.link_code, user=user, terms="4 unrated")
    end(table.pk)
    return Table.objects.get(pk=table.pk)


def who(table) -> list[str]:
    return [seat.user.username if seat.user else seat.bot_level for seat in table.seats.order_by("index")]


def test_the_first_opens_it_and_the_others_sit_down_there(over, alice, bob, charlie):
    table = rematch(table_id=over.pk, user=bob)
    assert (table.status, table.owner, table.options, table.is_rated, table.privacy) == ("open", bob, {"open_fame": True}, False, "link")
    assert who(table) == ["", "bob", "", "apprentice"], "nobody is seated without having agreed"
    assert {one.user.username for one in Invitation.objects.filter(table=table)} == {"alice", "charlie"}
    assert rematch(table_id=over.pk, user=bob) == table
    assert rematch(table_id=over.pk, user=alice) == table
    assert rematch(table_id=over.pk, user=charlie) == table
    table.refresh_from_db()
    assert (table.status, sorted(who(table))) == ("playing", ["alice", "apprentice", "bob", "charlie"])
    assert set(Invitation.objects.filter(table=table).values_list("state", flat=True)) == {"accepted"}


def test_settings_that_changed_since_are_agreed_to_on_their_page(over, alice, bob, charlie):
    table = rematch(table_id=over.pk, user=bob)
    asked = Invitation.objects.get(table=table, user=charlie)
    inviting.counter(invitation_id=asked.pk, user=charlie, seats=5, is_rated=False)
    inviting.grant(table_id=table.pk, user=bob, invitation_id=asked.pk)
    assert rematch(table_id=over.pk, user=alice) == table
    assert not table.seats.filter(user=alice).exists()
    assert [one.id for one in invited.waiting_for(alice)] == [Invitation.objects.get(table=table, user=alice).pk]


def test_a_bot_keeps_the_seat_of_somebody_who_left(alice, bob, charlie, fixed_secret):
    table = services.create_table(owner=alice, game_key="ra", seats=3).table
    services.join_table(table_id=table.pk, user=bob)
    services.join_table(table_id=table.pk, user=charlie)
    services.leave_table(table_id=table.pk, user=charlie)
    end(table.pk)
    again = rematch(table_id=table.pk, user=alice)
    assert who(again) == ["alice", "", "apprentice"]
    assert Invitation.objects.get(table=again).user == bob
    with pytest.raises(refusals.NoSeatHere):
        rematch(table_id=table.pk, user=charlie)


def test_no_rematch_before_the_end_nor_for_others(duel, alice, charlie):
    with pytest.raises(refusals.NoRematch):
        rematch(table_id=duel.pk, user=alice)
    with pytest.raises(refusals.NoSeatHere):
        rematch(table_id=duel.pk, user=charlie)
    assert Table.objects.count() == 1


def test_the_result_offers_it_to_those_who_played(over, alice, charlie):
    address = reverse("table-rematch", args=[over.pk])
    client = Client()
    client.force_login(alice)
    assert address in client.get(reverse("table", args=[over.pk])).content.decode()
    answer = client.post(address)
    assert (answer.status_code, answer.url) == (303, reverse("table", args=[Table.objects.latest("pk").pk]))
    stranger = Client()
    stranger.force_login(accounts.create_guest(address="192.0.2.1"))
    for visitor in (stranger, Client()):
        assert visitor.post(address).status_code == 404
    assert client.post(reverse("table-rematch", args=[987_654])).status_code == 404


# What a new table remembers


def test_the_form_starts_from_what_was_chosen_last(alice):
    client = Client()
    client.force_login(alice)
    client.post(
        reverse("table-new"),
        {"game": "ra", "seats": "5", "seat-1": "scribe", "seat-2": "open", "option-open_fame": "on", "who": "link", "unrated": "on"},
    )
    assert Table.objects.get().privacy == "link"
    page = client.get(reverse("table-new")).content.decode()
    for chosen in (
        'value="5" checked',
        'name="option-open_fame" checked',
        'value="link" aria-describedby="help-link" checked',
        'name="unrated" checked',
    ):
        assert chosen in page, chosen
    other = client.get(reverse("table-new"), {"game": "babel"}).content.decode()
    assert 'value="link" aria-describedby="help-link" checked' in other
    assert 'value="2" checked' in other


def test_the_last_table_of_a_game_counts_for_that_game(alice):
    services.create_table(owner=alice, game_key="ra", seats=2)
    services.create_table(owner=alice, game_key="babel", seats=2, is_rated=False)
    client = Client()
    client.force_login(alice)
    assert 'value="2" checked' in client.get(reverse("table-new"), {"game": "ra"}).content.decode()
    assert 'name="unrated" checked' in client.get(reverse("table-new")).content.decode()


def test_a_club_must_be_one_of_ones_own(alice):
    client = Client()
    client.force_login(alice)
    for club in ("", "enlil"):
        assert client.post(reverse("table-new"), {"game": "ra", "seats": "3", "who": "club", "club": club}).status_code == 422
    assert client.post(reverse("table-new"), {"game": "ra", "seats": "3", "who": "everybody"}).status_code == 422
    assert not Table.objects.exists()
