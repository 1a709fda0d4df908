"""Guests arrive with one click, become accounts with all their games, and leave."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.accounts import services
from portal.accounts.models import User
from portal.common import limits
from portal.ratings import services as ratings
from portal.ratings.models import Rating
from portal.tables import services as tables
from portal.tables.models import Seat, Table
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db
GOOD = {"username": "Nofret", "password1": "papyrus and reed", "email": ""}


def play_now(client, **extra):
    return client.post(reverse("play-now", args=["ra"]), **extra)


def guest_of(client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


def test_one_click_makes_a_guest_and_a_running_table(client):
    response = play_now(client)
    guest = guest_of(client)
    table = Table.objects.get()
    assert response.url == reverse("table", args=[table.pk])
    assert guest.is_guest
    assert not guest.has_usable_password()
    assert guest.username.startswith("guest-")
    assert table.status == "playing"
    assert table.owner == guest
    assert [seat.bot_level for seat in table.seats.all()] == ["", "scribe", "scribe", "scribe"]


def test_a_guest_stays_the_same_at_the_next_table(client):
    play_now(client)
    play_now(client)
    assert User.objects.count() == 1
    assert Table.objects.count() == 2


@time_machine.travel("2026-11-28 10:00:00+00:00", tick=False)
def test_attempts_to_claim_count_for_the_guest_and_for_the_network(db):
    def attempts(number, times, address):
        client = Client(REMOTE_ADDR=address)
        client.force_login(User.objects.create(username=f"guest-{number}", is_guest=True), "django.contrib.auth.backends.ModelBackend")
        return [client.post(reverse("account_signup"), {"username": "!"}).status_code for _ in range(times)]

    here, beside, elsewhere = "2001:db8:0:1::5", "2001:db8:0:1:ffff::6", "2001:db8:0:2::7"
    assert attempts(0, 12, here) == [200] * 10 + [429] * 2, "what a guest has no attempts left for isn't counted for the network"
    assert attempts(1, 1, here) == [200], "nobody is held up by another guest"
    for number in range(2, 6):
        assert attempts(number, 10, beside) == [200] * 10
    assert attempts(6, 10, here) == [200] * 9 + [429]
    assert attempts(7, 1, beside) == [429]
    assert attempts(8, 1, elsewhere) == [200]


def test_a_visit_alone_makes_no_guest(client):
    client.get(reverse("home"))
    client.get(reverse("play-now", args=["ra"]))
    client.get(reverse("table-new"))
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("route", "sent"),
    [
        ("lobby-join hidden", {}),
        ("lobby-join full", {}),
        ("lobby-join nothing", {}),
        ("table-new", {"game": "ra", "seats": "3", "seat-1": "invite", "person-1": "nobody-of-that-name"}),
        ("find-look", {"game": "chess", "pace": "live"}),
        ("find-look", {"game": "ra", "pace": "days"}),
        ("invitation-by-code", {"terms": "old"}),
        ("invitation-by-code", {"do": "counter", "seats": "99"}),
        ("table-study full", {"step": "0", "seat": "1", "level": "none"}),
        ("study-new full", {"step": "0", "title": ""}),
    ],
    ids=str,
)
def test_a_visitor_who_is_refused_stays_one(client, alice, route, sent):
    hidden = tables.create_table(owner=alice, game_key="ra", seats=3, privacy="link").table
    full = tables.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"]).table
    end(full.pk)
    name, _, which = route.partition(" ")
    args = {"hidden": [hidden.pk], "full": [full.pk], "nothing": [10**9], "": [hidden.link_code] if "code" in name else []}[which]
    before = Table.objects.count()
    answer = client.post(reverse(name, args=args), sent)
    assert answer.status_code in (302, 303, 404, 409, 422, 400)
    assert not answer.has_header("Location") or answer.url == reverse("lobby")
    assert (User.objects.count(), Table.objects.count()) == (1, before)
    assert "_auth_user_id" not in client.session


def test_the_eleventh_guest_of_an_hour_and_address_is_refused():
    for _ in range(services.GUESTS_PER_HOUR):
        assert play_now(Client(), REMOTE_ADDR="203.0.113.7").status_code == 302
    refused = play_now(Client(), REMOTE_ADDR="203.0.113.7")
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 3600
    assert User.objects.count() == services.GUESTS_PER_HOUR
    assert play_now(Client(), REMOTE_ADDR="203.0.113.8").status_code == 302


def test_the_limit_counts_while_the_cache_is_away(settings, monkeypatch):
    settings.CACHES = {
        "default": {
            "BACKEND": "portal.common.cache.TolerantRedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",
            "OPTIONS": {"socket_connect_timeout": 0.1},
        }
    }
    monkeypatch.setattr(limits, "cache", caches.create_connection("default"))
    monkeypatch.setattr(limits, "_local", {})
    answers = [play_now(Client(), REMOTE_ADDR="203.0.113.9").status_code for _ in range(services.GUESTS_PER_HOUR + 1)]
    assert answers == [302] * services.GUESTS_PER_HOUR + [429]


def test_behind_a_proxy_the_client_is_counted_and_not_the_proxy(rf, settings):
    request = rf.get("/", HTTP_X_FORWARDED_FOR="198.51.100.1, 203.0.113.5", REMOTE_ADDR="10.0.0.1")
    assert limits.client_address(request) == "10.0.0.1"  # no proxy is trusted unless the settings say so
    settings.PROXY_COUNT = 1
    assert limits.client_address(request) == "203.0.113.5"


def test_a_guest_that_becomes_an_account_keeps_its_games(client):
    play_now(client)
    guest = guest_of(client)
    finished = tables.create_table(owner=guest, game_key="ra", seats=2, bots=["apprentice"]).table.pk
    end(finished)
    response = client.post(reverse("account_signup"), GOOD)
    assert response.status_code == 302
    account = User.objects.get(username="Nofret")
    assert account.pk == guest.pk
    assert not account.is_guest
    assert account.check_password(GOOD["password1"])
    assert guest_of(client) == account, "the session goes on"
    assert Seat.objects.filter(user=account, table_id=finished, table__status="finished").exists()
    assert User.objects.count() == 1


def test_the_account_of_a_guest_can_sign_in_elsewhere(client):
    play_now(client)
    client.post(reverse("account_signup"), GOOD)
    elsewhere = Client()
    elsewhere.post(reverse("account_login"), {"login": "Nofret", "password": GOOD["password1"], "remember": "on"})
    assert guest_of(elsewhere) == guest_of(client)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("username", "alice"),
        ("username", "ALICE"),
        ("username", "guest-mine"),
        ("username", "x" * 25),
        ("username", "a b"),
        ("username", ""),
        ("password1", "12345678"),
        ("password1", "short"),
        ("password1", "Nofret12"),
        ("email", "alice@example.org"),
        ("email", "no address"),
    ],
)
def test_a_guest_cannot_take_what_is_taken_or_weak(client, alice, field, value):
    from allauth.account.models import EmailAddress

    EmailAddress.objects.create(user=alice, email=alice.email, primary=True, verified=True)
    play_now(client)
    response = client.post(reverse("account_signup"), GOOD | {field: value})
    assert response.status_code == 200
    assert b'aria-invalid="true"' in response.content
    assert guest_of(client).is_guest


def test_a_guest_signs_in_to_another_account_only_with_its_password(client, alice):
    play_now(client)
    guest = guest_of(client)
    client.post(reverse("account_login"), {"login": "alice", "password": "wrong"})
    assert guest_of(client) == guest, "a wrong password does not cost the guest"
    client.post(reverse("account_login"), {"login": "alice", "password": "correct horse"})
    assert guest_of(client) == alice


def test_a_guest_is_asked_before_it_signs_out(client):
    play_now(client)
    assert client.post(reverse("account_logout")).status_code == 200
    assert "_auth_user_id" in client.session
    client.post(reverse("account_logout"), {"sure": "yes"})
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("name", ["account_change_password", "account_set_password", "account_email"])
def test_a_guest_gets_credentials_only_by_becoming_an_account(client, name):
    play_now(client)
    for response in (
        client.get(reverse(name)),
        client.post(reverse(name), {"password1": "papyrus and reed", "password2": "papyrus and reed"}),
    ):
        assert response.status_code == 302
        assert response.url == reverse("account_signup")
    assert not guest_of(client).has_usable_password()


def test_removing_a_guest_hands_its_seats_to_bots(client, alice):
    play_now(client)
    guest = guest_of(client)
    running = Table.objects.get()
    open_table = tables.create_table(owner=alice, game_key="ra", seats=3).table
    tables.join_table(table_id=open_table.pk, user=guest)
    response = client.post(reverse("delete-guest"))
    assert response.status_code == 302
    assert not User.objects.filter(pk=guest.pk, is_active=True).exists()
    assert running.seats.get(index=0).bot_level == running.bot_fill
    assert open_table.seats.get(index=1).user_id is None
    assert not open_table.seats.get(index=1).bot_level


def test_a_removed_guest_is_last_in_the_game_that_goes_on(client, alice):
    """The row stays until the game is over, or nobody could tell that the bot was not there from the start."""
    guest = services.create_guest(address="198.51.100.7")
    table = tables.create_table(owner=alice, game_key="ra", seats=2).table
    tables.join_table(table_id=table.pk, user=guest)
    services.delete_guest(user=guest)
    seat = table.seats.get(index=1)
    assert (seat.left_user, seat.user) == (guest, None)
    guest.refresh_from_db()
    assert not guest.is_active
    for place, index in ((2, 0), (1, 1)):  # the bot wins
        table.seats.filter(index=index).update(place=place, score=10)
    Table.objects.filter(pk=table.pk).update(status="finished", finish_number=1, finished_at=timezone.now())
    assert ratings.apply_pending() == 1
    assert not Rating.objects.filter(user=None).exists()
    assert set(Rating.objects.values_list("ladder__key", "user", "wins")) == {
        (key, user, wins) for key in ("people/ra", "people/") for user, wins in ((alice.pk, 1.0), (guest.pk, 0.0))
    }
    assert services.remove_idle_guests() == 0


def test_a_removed_guest_goes_with_the_last_game_that_had_no_end(alice):
    guest = services.create_guest(address="198.51.100.8")
    table = tables.create_table(owner=alice, game_key="ra", seats=2).table
    tables.join_table(table_id=table.pk, user=guest)
    services.delete_guest(user=guest)
    Table.objects.filter(pk=table.pk).update(status="abandoned")
    User.objects.filter(pk=guest.pk).update(date_joined=timezone.now() - timedelta(days=91))
    assert services.remove_idle_guests() == 1
    assert not User.objects.filter(pk=guest.pk).exists()


def test_a_removed_guest_with_finished_games_leaves_a_closed_row(client, alice):
    play_now(client)
    guest = guest_of(client)
    finished = tables.create_table(owner=guest, game_key="ra", seats=2, bots=["apprentice"]).table.pk
    end(finished)
    client.post(reverse("delete-guest"))
    guest.refresh_from_db()
    assert not guest.is_active
    assert Seat.objects.filter(table_id=finished, user=guest).exists()
    assert client.get(reverse("profile", args=[guest.username])).status_code == 404


def test_an_account_is_not_removed_like_a_guest(client, alice):
    client.force_login(alice)
    assert client.get(reverse("delete-guest")).status_code == 403
    assert client.post(reverse("delete-guest")).status_code == 403
    assert User.objects.filter(pk=alice.pk).exists()


def test_idle_guests_are_removed_after_ninety_days(alice):
    def guest(days: int) -> User:
        made = services.create_guest(address=f"198.51.100.{days}")
        User.objects.filter(pk=made.pk).update(date_joined=timezone.now() - timedelta(days=days))
        return made

    young, old, player = guest(89), guest(91), guest(92)
    table = tables.create_table(owner=player, game_key="ra", seats=2, bots=["apprentice"]).table.pk
    end(table)
    User.objects.filter(pk=alice.pk).update(date_joined=timezone.now() - timedelta(days=500))
    assert services.remove_idle_guests() == 1
    assert set(User.objects.all()) == {young, player, alice}
    assert old not in User.objects.all()
