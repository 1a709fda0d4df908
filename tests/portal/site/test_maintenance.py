"""Maintenance: everything can be read, nothing is changed, clocks stand still, and people can sign in and out."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from portal.accounts.models import User
from portal.common import maintenance
from portal.common.models import Maintenance
from portal.site.middleware import ALLOWED
from portal.tables import handing, services, standstill, tasks, upkeep
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Standstill, Table
from portal.tables.pace import Kind, Pace

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
LIVE = Pace(Kind.LIVE, bank_s=600, add_s=15)


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as machine:
        maintenance.kept.forget()
        yield machine


@pytest.fixture
def table(clock, alice, bob):
    loaded = services.create_table(owner=alice, game_key="ra", seats=2, pace=LIVE)
    return services.join_table(table_id=loaded.table.pk, user=bob).table


@pytest.fixture
def mine(table, client):
    """A browser of the person who is due."""
    loaded = load(table.pk)
    client.force_login(loaded.seats[loaded.table.due[0]].user)
    return client


def switch_on(clock, **options):
    upkeep.begin(**options)
    clock.shift(maintenance.AHEAD)
    maintenance.kept.forget()


def switch_off(clock):
    upkeep.end()
    clock.shift(maintenance.AHEAD)
    maintenance.kept.forget()


def move(client, table, **headers):
    loaded = load(table.pk)
    action = str(loaded.game.legal_actions(loaded.state, loaded.table.due[0])[0])
    return client.post(f"/tables/{table.pk}/act/", {"action": action, "expected_version": loaded.table.version}, headers=headers)


def everything(table):
    row = Table.objects.filter(pk=table.pk).values().get()
    return row, list(ActionRecord.objects.order_by("pk").values()), list(User.objects.order_by("pk").values("pk", "username", "last_login"))


def test_a_move_is_refused_and_can_be_made_afterwards(mine, table, clock):
    switch_on(clock, minutes=30)
    before = everything(table)
    answer = move(mine, table)
    assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "1797", "no-store")
    assert "probably until 13:30" in answer.content.decode(), "in the reader's time zone"
    assert "Nothing was changed" in answer.content.decode()
    assert everything(table) == before
    assert move(mine, table, **{"HX-Request": "true"}).status_code == 503
    assert everything(table) == before
    switch_off(clock)
    assert move(mine, table).status_code == 303
    assert load(table.pk).table.version == table.version + 1


def test_a_piece_of_a_page_goes_to_the_line_under_the_header(mine, table, clock):
    switch_on(clock)
    answer = move(mine, table, **{"HX-Request": "true"})
    assert (answer["HX-Retarget"], answer["HX-Reswap"], answer["Retry-After"]) == ("#site-news", "innerHTML", "120")
    assert 'role="alert"' in answer.content.decode() and "<html" not in answer.content.decode()


def test_the_api_says_it_as_json(mine, table, clock):
    switch_on(clock, minutes=30)
    answer = mine.post(f"/api/v1/tables/{table.pk}/actions/", "{}", content_type="application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "maintenance")
    assert (answer["Content-Type"], answer.json()["status"]) == ("application/problem+json", 503)
    assert answer["Retry-After"] == "1797" and "Nothing was changed" in answer.json()["error"]["reason"]
    assert mine.post("/api/v1/token/", "{}", content_type="application/json").status_code == 503
    assert mine.get(f"/api/v1/tables/{table.pk}/").status_code == 200


@pytest.mark.parametrize(
    ("language", "words"), [("hu", "Az oldalon éppen dolgozunk"), ("ru", "На сайте идут работы"), ("en", "being worked on")]
)
def test_it_is_said_in_the_readers_language(client, table, clock, language, words):
    switch_on(clock, message="New machine <b>")
    answer = client.post(f"/tables/{table.pk}/join/", headers={"Accept-Language": language})
    assert answer.status_code == 503 and words in answer.content.decode()
    page = client.get("/lobby/", headers={"Accept-Language": language}).content.decode()
    assert words in page and "New machine &lt;b&gt;" in page


def test_every_other_address_refuses_to_change_anything(mine, table, clock):
    """No address that takes a POST is left out but those that are named."""
    from django.urls import get_resolver

    switch_on(clock)
    reached = 0
    for pattern in get_resolver().url_patterns:
        for one in getattr(pattern, "url_patterns", [pattern]):
            name, address = getattr(one, "name", None), str(one.pattern)
            if name is None or name in ALLOWED or "<" in address or "(" in address or str(pattern.pattern).startswith(("admin", "api")):
                continue
            path = "/" + (str(pattern.pattern) if one is not pattern else "") + address
            answer = mine.post(path)
            assert answer.status_code in (503, 404), path
            reached += answer.status_code == 503
    assert reached > 30


def test_people_sign_in_and_out_and_choose_how_they_read(table, clock, alice):
    switch_on(clock)
    client = Client()
    assert client.get(f"/tables/{table.pk}/").status_code == 200
    answer = client.post("/accounts/login/", {"login": "alice", "password": "correct horse"})
    assert answer.status_code == 302 and client.session["_auth_user_id"] == str(alice.pk)
    assert client.post("/theme/", {"theme": "dark", "next": "/"}).status_code in (302, 303)
    assert client.post("/accounts/logout/").status_code in (302, 303)
    assert "_auth_user_id" not in client.session
    assert client.post("/accounts/signup/", {"username": "eve", "password1": "correct horse"}).status_code == 503
    assert not User.objects.filter(username="eve").exists()


def test_reading_notes_nothing(mine, table, clock):
    switch_on(clock)
    before = list(Table.objects.get(pk=table.pk).seats.values())
    for address in (f"/tables/{table.pk}/", f"/tables/{table.pk}/log/", f"/tables/{table.pk}/talk/", "/lobby/", "/", "/notices/"):
        assert mine.get(address).status_code == 200, address
    assert list(Table.objects.get(pk=table.pk).seats.values()) == before


def test_clocks_go_on_exactly_where_they_were(mine, table, clock):
    due = load(table.pk).table.due[0]
    left = load(table.pk).table.clocks["left"][due]
    clock.shift(100)
    switch_on(clock)
    assert upkeep.follow() is True and upkeep.follow() is False
    assert load(table.pk).table.clocks["left"][due] == left - 103_000
    assert "8:32" in mine.get(f"/tables/{table.pk}/").content.decode()  # 615 - 103 seconds, and no moment to count down to
    clock.shift(timedelta(hours=5))
    tasks.reconcile()
    tasks.ring(table.pk)
    assert load(table.pk).seats[due].user is not None
    switch_off(clock)
    assert upkeep.follow() is True
    clock.shift(12)
    standstill.change(table.pk, lambda loaded: upkeep._count(loaded))
    assert load(table.pk).table.clocks["left"][due] == left - 115_000
    clock.shift(511)
    handing.ring(table.pk)
    assert load(table.pk).seats[due].user is None


def test_clocks_stopped_by_hand_stay_stopped(table, clock):
    standstill.stop_clocks()
    switch_on(clock)
    switch_off(clock)
    assert standstill.by_hand().count() == 1
    standstill.start_clocks()
    switch_on(clock)
    standstill.start_clocks()  # of no use: maintenance has a standstill of its own
    assert Standstill.objects.filter(until=None).count() == 1
    clock.shift(1)
    standstill.stop_clocks()
    switch_off(clock)
    assert standstill.by_hand().count() == 1


def test_bots_and_scoring_rest_and_are_woken_afterwards(alice, clock, monkeypatch):
    table = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"]).table
    while load(table.pk).table.waits_for != Table.Waits.BOT:
        loaded = load(table.pk)
        text = str(loaded.game.legal_actions(loaded.state, loaded.table.due[0])[0])
        services.submit_action(table_id=table.pk, user=alice, action=text, expected_version=loaded.table.version)
    table = load(table.pk).table
    switch_on(clock)
    before = everything(table)
    tasks.play_bot(table.pk, table.version, table.due[0])
    tasks.score(table.pk, table.version)
    clock.shift(60)
    assert tasks.reconcile() == 0
    assert everything(table) == before
    switch_off(clock)
    assert tasks.reconcile() == 1
    tasks.play_bot(table.pk, table.version, table.due[0])
    assert load(table.pk).table.version > table.version


def test_the_time_in_maintenance_is_no_time_in_which_the_site_was_down(table, clock):
    standstill.beat()
    switch_on(clock)
    for _ in range(20):
        clock.shift(5)
        tasks.reconcile()
    switch_off(clock)
    tasks.reconcile()
    assert Standstill.objects.count() == 1


def test_all_processes_change_at_the_same_moment(mine, table, clock):
    assert maintenance.AHEAD.total_seconds() > maintenance.KEPT_S
    upkeep.begin()
    assert move(mine, table).status_code == 303, "it begins only when every process knows"
    clock.shift(maintenance.AHEAD)
    assert move(mine, table).status_code == 503
    upkeep.end()
    assert move(mine, table).status_code == 503
    clock.shift(maintenance.AHEAD)
    assert maintenance.is_on() is False
    assert Standstill.objects.get().until == Maintenance.objects.get().until


def test_switched_on_again_before_all_know_that_it_is_off_it_goes_on(table, clock):
    switch_on(clock)
    upkeep.end()
    upkeep.begin(message="Not yet.")
    row = Maintenance.objects.get()
    assert row.until is None and Standstill.objects.get().until is None and row.since == NOON + maintenance.AHEAD


def test_each_process_reads_it_once_in_two_seconds(client, table, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("portal.common.briefly.monotonic", lambda: now[0])
    maintenance.kept.forget()

    def asked():
        with CaptureQueriesContext(connection) as statements:
            assert client.get("/theme/").status_code == 405
            client.post("/nowhere/")
            client.post(f"/tables/{table.pk}/join/")
        return sum("common_maintenance" in one["sql"] for one in statements)

    assert [asked(), asked()] == [1, 0]
    now[0] += maintenance.KEPT_S
    assert asked() == 1


def test_while_the_database_is_away_what_was_known_stays(monkeypatch, clock, table):
    from django.db import OperationalError

    switch_on(clock)
    assert maintenance.is_on()
    maintenance.kept.forget()
    monkeypatch.setattr(maintenance.kept, "_read", lambda: (_ for _ in ()).throw(OperationalError("away")))
    assert maintenance.is_on()


def test_health_stays_good_and_names_it(client, clock, table):
    assert json.loads(client.get("/healthz").content)["maintenance"] is False
    switch_on(clock)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["maintenance"]) == (200, True)
    assert client.get("/readyz").json()["maintenance"] is True


def command(*words, **options):
    out = StringIO()
    call_command("maintenance", *words, stdout=out, **options)
    return out.getvalue()


def test_the_command_switches_and_tells(clock):
    assert "never on" in command()
    assert "3 seconds" in command("on", minutes=30, message="New machine.")
    assert 'on since 2026-11-27 12:00:03 UTC, people are told it takes until 2026-11-27 12:30 UTC. Message: "New machine."' in command(
        "status"
    )
    command("on", minutes=60)
    assert "until 2026-11-27 13:00 UTC." in command("status")
    assert "works again" in command("off")
    clock.shift(10)
    assert "wasn't on" in command("off")
    assert "off since" in command("status")


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["on"], {"minutes": 0}),
        (["on"], {"minutes": 99999}),
        (["on"], {"message": "x" * 301}),
        (["on"], {"message": "a\nb"}),
        (["off"], {"minutes": 3}),
        (["status"], {"message": "x"}),
    ],
)
def test_the_command_refuses_what_makes_no_sense(clock, words, options):
    with pytest.raises(CommandError):
        command(*words, **options)
    assert not Maintenance.objects.filter(since__isnull=False).exists()


@pytest.fixture
def root(client, db):
    client.force_login(User.objects.create_superuser("root", password="correct horse"))
    return client


ADMIN = "/admin/common/maintenance/1/change/"


def test_staff_switch_it_on_and_off_in_the_admin(root, clock, table):
    from django.contrib.admin.models import LogEntry

    assert root.get("/admin/common/maintenance/")["Location"] == ADMIN
    assert root.post(ADMIN, {"is_on": "on", "minutes": "20", "message": "Soon back."}).status_code == 302
    clock.shift(maintenance.AHEAD)
    row = maintenance.current()
    assert row.message == "Soon back." and row.expected_until == NOON + timedelta(minutes=20)
    assert root.post("/theme/", {"theme": "dark"}).status_code != 503
    assert root.post(f"/tables/{table.pk}/join/").status_code == 503, "staff play no more than others"
    assert root.post(ADMIN, {"message": ""}).status_code == 302
    clock.shift(maintenance.AHEAD)
    assert not maintenance.is_on()
    said = [str(entry.change_message) for entry in LogEntry.objects.order_by("pk")]
    assert said == ["Switched maintenance on for 20 minutes. Soon back.", "Switched maintenance off."]


def test_the_admin_refuses_what_would_be_lost(root, clock):
    root.get("/admin/common/maintenance/")
    assert "Switch maintenance on" in root.post(ADMIN, {"minutes": "20", "message": ""}).content.decode()
    assert root.post(ADMIN, {"is_on": "on", "minutes": "999999", "message": ""}).status_code == 200
    assert not maintenance.is_on() and Maintenance.objects.get().since is None


def test_others_can_not_switch_it(client, alice, clock):
    client.force_login(alice)
    Maintenance.objects.get_or_create(pk=1)
    assert client.post(ADMIN, {"is_on": "on"}).status_code == 302
    assert Maintenance.objects.get().since is None


def test_it_costs_a_request_next_to_nothing(table, clock):
    switch_on(clock)
    maintenance.current()
    begin = time.process_time()
    for _ in range(1000):
        maintenance.current()
    assert time.process_time() - begin < 0.5
