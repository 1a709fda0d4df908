"""A table whose rows somebody holds: reading goes on, actions are told to try again, and no other table waits."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection, connections, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.own_tokens import make_token
from portal.clubs import members, ways_in
from portal.clubs import services as clubs
from portal.configuration import DATABASE_LIMITS, database_session
from portal.tables import refusals, services, tasks
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Seat, Table
from tests.portal.faults.test_races import waiters

pytestmark = pytest.mark.django_db(transaction=True)
SHORT = "-c lock_timeout=50"  # ms; the real limits are checked below


def elsewhere(call):
    """Return what `call` returns in a thread whose connection has a short limit for locks."""
    result = []

    def run():
        connection.settings_dict = {**connection.settings_dict, "OPTIONS": {**connection.settings_dict["OPTIONS"], "options": SHORT}}
        try:
            result.append(call())
        except Exception as error:
            result.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)
    if isinstance(result[0], Exception):
        raise result[0]
    return result[0]


@pytest.fixture
def alice():
    return User.objects.create_user("alice")


def table_of(alice, due=0):
    """Open a table of Alice against a bot in which seat `due` begins; the starting player is drawn."""
    for _ in range(50):
        loaded = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"])
        if loaded.table.due == [due]:
            return loaded.table.pk
    raise AssertionError(f"seat {due} never begins")


def rows(table_id):
    return (
        Table.objects.values_list("version", "due", "nudges", "due_since").get(pk=table_id),
        list(Seat.objects.filter(table_id=table_id).order_by("index").values_list("seen_version", "order")),
        ActionRecord.objects.filter(table_id=table_id).count(),
    )


@pytest.fixture
def token(alice):
    return make_token(user=alice).text


@pytest.fixture
def other(alice):
    return table_of(alice)


@pytest.fixture
def stuck(alice, token, other):
    """Hold the rows of a table, and return its number; what is needed beside it was committed before."""
    table_id = table_of(alice)
    with transaction.atomic():
        load(table_id, lock=True)
        yield table_id


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_the_page_is_read_as_ever(alice, stuck):
    client, before = signed_in(alice), rows(stuck)
    page = elsewhere(lambda: client.get(f"/tables/{stuck}/"))
    assert page.status_code == 200
    assert rows(stuck) == before


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Target": "table"}], ids=["page", "region"])
def test_an_action_is_told_to_try_again_beside_the_board(alice, stuck, headers):
    client, before = signed_in(alice), rows(stuck)
    data = {"action": "draw", "expected_version": str(load(stuck).table.version)}
    answer = elsewhere(lambda: client.post(reverse("table-act", args=[stuck]), data, headers=headers))
    assert answer.status_code == 503
    assert answer["Retry-After"] == "2"
    assert answer["X-Table-Version"] == data["expected_version"]
    assert "The table is busy with another action." in answer.content.decode()
    assert rows(stuck) == before


def test_the_api_says_so_in_the_readers_language(token, stuck):
    headers = {"Authorization": f"Token {token}", "Accept-Language": "hu"}
    data = {"action": "draw", "expected_version": load(stuck).table.version}
    url = f"/api/v1/tables/{stuck}/actions/"
    answer = elsewhere(lambda: Client().post(url, data, content_type="application/json", headers=headers))
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")
    error = answer.json()["error"]
    assert error["code"] == "table_busy"
    assert error["reason"].startswith("Az asztal")


@pytest.mark.parametrize("way", ["api", "page", "lobby"])
def test_a_hidden_table_is_not_there_even_when_it_is_busy(alice, way):
    club = clubs.create_club(owner=alice, name="Enlil")
    clubs.change_settings(club=club, actor=alice, name="Enlil", is_private=True, joining="invitation")
    stranger = User.objects.create_user("charlie")
    table_id = services.create_table(owner=alice, game_key="ra", seats=2, club=club).table.pk
    client, key = signed_in(stranger), make_token(user=stranger).text

    def ask(number):
        if way == "api":
            return client.post(
                f"/api/v1/tables/{number}/join/", {}, content_type="application/json", headers={"Authorization": f"Token {key}"}
            )
        return client.post(f"/tables/{number}/join/" if way == "page" else reverse("lobby-join", args=[number]))

    with transaction.atomic():
        load(table_id, lock=True)
        assert elsewhere(lambda: ask(table_id)).status_code == elsewhere(lambda: ask(10**6)).status_code == 404


def test_nobody_leaves_a_club_and_keeps_a_seat(alice):
    club = clubs.create_club(owner=alice, name="Enlil", joining="open")
    bob = User.objects.create_user("bob")
    ways_in.join_by_link(code=club.link_code, user=bob)
    table_id = services.create_table(owner=alice, game_key="ra", seats=3, club=club).table.pk
    services.join_table(table_id=table_id, user=bob)
    with transaction.atomic():
        load(table_id, lock=True)
        with pytest.raises(refusals.TableBusy):
            elsewhere(lambda: members.leave(club=club, user=bob))
    assert club.memberships.filter(user=bob).exists()
    assert Seat.objects.filter(table_id=table_id, user=bob).exists()
    members.leave(club=club, user=bob)
    assert not Seat.objects.filter(table_id=table_id, user=bob).exists()


def test_the_same_action_goes_through_afterwards(alice):
    table_id = table_of(alice)
    client, version = signed_in(alice), load(table_id).table.version
    with transaction.atomic():
        load(table_id, lock=True)
        act = lambda: client.post(reverse("table-act", args=[table_id]), {"action": "draw", "expected_version": str(version)})  # noqa: E731
        assert elsewhere(act).status_code == 503
    assert act().status_code == 303
    assert load(table_id).table.version > version


def test_no_other_table_waits(alice, other, stuck):
    client, version = signed_in(alice), load(other).table.version
    data = {"action": "draw", "expected_version": str(version)}
    assert elsewhere(lambda: client.post(reverse("table-act", args=[other]), data)).status_code == 303


def test_the_reconciler_passes_over_it_and_wakes_the_others(alice, monkeypatch):
    woken = []
    monkeypatch.setattr(tasks, "enqueue_due", lambda table_id, *_rest, **_options: woken.append(table_id))
    held, free = table_of(alice), table_of(alice)
    long_ago = timezone.now() - timedelta(seconds=tasks.SILENT_AFTER_S + 1)
    Table.objects.filter(pk__in=[held, free]).update(waits_for=Table.Waits.BOT, due_since=long_ago)
    with transaction.atomic():
        load(held, lock=True)
        before = rows(held)
        assert elsewhere(tasks.reconcile) == 1
        assert woken == [free]
        assert rows(held) == before
    assert elsewhere(tasks.reconcile) == 1
    assert woken == [free, held]


def test_a_bot_is_not_replaced_because_its_table_is_busy(alice):
    table_id = table_of(alice, due=1)
    version = load(table_id).table.version
    with transaction.atomic():
        load(table_id, lock=True)
        before = rows(table_id)
        elsewhere(lambda: tasks.play_bot(table_id, version, 1))
        elsewhere(lambda: tasks.play_bot(table_id, version, 1, substitute=True))
        elsewhere(lambda: tasks.score(table_id, version))
        assert rows(table_id) == before
    tasks.play_bot(table_id, version, 1)
    assert "bot" in ActionRecord.objects.filter(table_id=table_id, version=version + 1).values_list("by", flat=True)


def test_nobody_is_left_waiting(alice, stuck):
    client = signed_in(alice)
    elsewhere(lambda: client.post(reverse("table-act", args=[stuck]), {"action": "draw", "expected_version": "1"}))
    assert waiters() == 0


def in_words(ms):
    """As PostgreSQL shows it."""
    return f"{ms}ms" if ms % 1000 else f"{ms // 1000}s" if ms % 60_000 else f"{ms // 60_000}min"


@pytest.mark.parametrize("work", DATABASE_LIMITS)
def test_each_kind_of_process_has_its_limits(work):
    shown = (
        "import django; django.setup(); from django.db import connection; c = connection.cursor();"
        f"print([c.execute('SHOW ' + name).fetchone()[0] for name in {list(DATABASE_LIMITS[work])!r}])"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "ZIGGURAT_WORK": work}
    said = subprocess.run([sys.executable, "-c", shown], cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, timeout=60)
    assert said.stdout.strip() == str([in_words(ms) for ms in DATABASE_LIMITS[work].values()]), said.stderr


def test_a_command_of_a_person_has_none():
    assert database_session("", remote=False) == {"plan_cache_mode": "force_generic_plan"}
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)
