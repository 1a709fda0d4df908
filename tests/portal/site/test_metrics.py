"""`/metrics`: who may read it, what it says, and what it never says."""

from __future__ import annotations

import json
import re
import time
from datetime import UTC, datetime, timedelta

import pytest
import redis
from celery import current_app
from django.conf import settings as site_settings
from django.db import OperationalError, connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from prometheus_client.mmap_dict import mmap_key

from games.registry import GAMES
from portal.common import tracking
from portal.common.limits import Guesses
from portal.metrics import folder
from portal.metrics.definitions import BOT_SECONDS, NO_VIEW, REQUEST_SECONDS, REQUESTS, STATEMENT_SECONDS, TASK_SECONDS
from portal.site import facts, metrics
from portal.supervisor import backup_clock
from portal.tables import services
from portal.tables.loading import load

pytestmark = pytest.mark.django_db
TOKEN = "clay-tablet-from-nippur-7"
FAR = {"REMOTE_ADDR": "203.0.113.9"}
LABELS = {"part", "pid", "view", "status", "work", "task", "outcome", "queue", "game", "level", "reason", "kind", "waits_for", "le"}


@pytest.fixture
def token(settings):
    settings.METRICS_TOKEN = TOKEN
    return TOKEN


@pytest.fixture
def read(client):
    """Return the text of the page, as a program on this machine gets it."""

    def read():
        response = client.get("/metrics")
        assert response.status_code == 200
        return response.content.decode()

    return read


def value(text, name, **labels):
    """Return the value of a number, None where it is left out."""
    shown = ",".join(f'{key}="{labels[key]}"' for key in sorted(labels))
    found = re.search(rf"^{re.escape(name + (f'{{{shown}}}' if labels else ''))} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else None


def ask(client, token=None, **meta):
    return client.get("/metrics", headers={"Authorization": f"Bearer {token}"} if token else {}, **meta)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])
def test_a_program_on_this_machine_may_read(client, address):
    response = ask(client, REMOTE_ADDR=address)
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    assert response["Content-Type"].startswith("text/plain; version=0.0.4")


@pytest.mark.parametrize("meta", [FAR, {"REMOTE_ADDR": ""}, {"REMOTE_ADDR": "::ffff:203.0.113.9"}])
def test_nobody_else_finds_such_a_page(client, meta):
    pages = [client.get(path, **meta) for path in ("/metrics", "/metricz")]
    assert [page.status_code for page in pages] == [404, 404]
    there, nowhere = (re.sub(r'"csrfmiddlewaretoken" value="\w+"|/metric[sz]', "", page.content.decode()) for page in pages)
    assert there == nowhere


@pytest.mark.parametrize("name", ["X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via"])
def test_a_proxy_on_this_machine_asks_for_somebody_else(client, name):
    assert client.get("/metrics", headers={name: "203.0.113.9"}).status_code == 404


def test_behind_proxies_only_the_token_counts(client, token, settings):
    settings.PROXY_COUNT = 1
    assert ask(client).status_code == 404
    forwarded = {"Authorization": f"Bearer {token}", "X-Forwarded-For": "203.0.113.9"}
    assert client.get("/metrics", headers=forwarded).status_code == 200


def test_the_token_opens_it_from_everywhere(client, token):
    assert ask(client, token, **FAR).status_code == 200
    assert ask(client, token[:-1], **FAR).status_code == 404
    assert client.get("/metrics", headers={"Authorization": f"Token {token}"}, **FAR).status_code == 404
    assert client.get("/metrics", {"token": token}, **FAR).status_code == 404


def test_without_a_token_in_the_settings_an_empty_one_opens_nothing(client, settings):
    settings.METRICS_TOKEN = ""
    assert ask(client, " ", **FAR).status_code == 404


def test_it_can_only_be_read(client):
    assert client.head("/metrics").status_code == 200
    assert client.post("/metrics").status_code == 404


def test_guesses_are_limited_for_each_address(client, token, monkeypatch):
    monkeypatch.setattr(metrics, "TOKENS", Guesses("metrics-token", limit=3, window_s=900))
    assert [ask(client, f"guess-{n}", **FAR).status_code for n in range(4)] == [404, 404, 404, 429]
    refused = ask(client, token, **FAR)
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 900
    assert ask(client, token, REMOTE_ADDR="203.0.113.10").status_code == 200


def test_pages_are_counted_by_view_and_kind_of_answer(client, read):
    before = read()
    client.get("/lobby/?game=ra")
    client.get("/tables/987654321/")
    after = read()
    for view, status in (("lobby", "2xx"), ("table", "4xx")):
        labels = {"view": view, "status": status}
        assert value(after, "ziggurat_requests_total", **labels) == (value(before, "ziggurat_requests_total", **labels) or 0) + 1
    for name, label in (("request_seconds_count", "view"), ("request_seconds_sum", "view"), ("statements_total", "work")):
        counts = [value(text, f"ziggurat_{name}", **{label: "lobby"}) or 0 for text in (before, after)]
        assert counts[1] > counts[0], name


def test_a_flood_of_unknown_addresses_adds_no_number(client, read):
    def names():
        return {line.rpartition(" ")[0] for line in read().splitlines()}

    client.get("/nowhere/0/")
    read()  # it counts itself
    before = names()
    for n in range(1, 30):
        client.get(f"/nowhere/{n}/?q={n}")
        client.generic(f"VERB{n}", f"/nowhere/{n}/", headers={"User-Agent": f"flood {n}"})
    assert names() == before
    assert value(read(), "ziggurat_requests_total", view=NO_VIEW, status="4xx") >= 58


ADMIN_ELSE = "admin:django.contrib.admin.sites.catch_all_view"  # every address below /admin/ that is none


def view_names(resolver, prefix=""):
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from view_names(entry, f"{prefix}{entry.namespace}:" if entry.namespace else prefix)
        elif isinstance(entry, URLPattern):
            yield prefix + (entry.name or entry.lookup_str)


def test_labels_have_only_names_that_the_code_knows(client, read, duel, alice):
    """No person, table, address or position: every value of a label is the name of a view, a task, a game or a kind."""
    duel.pk, old = 7_654_321, duel.pk  # a number that stands out
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        cursor.execute("UPDATE tables_table SET id = %s WHERE id = %s", [duel.pk, old])
        for table in ("seat", "actionrecord"):
            cursor.execute(f"UPDATE tables_{table} SET table_id = %s WHERE table_id = %s", [duel.pk, old])
    client.force_login(alice)
    assert client.get(f"/tables/{duel.pk}/").status_code == 200
    assert client.get(f"/people/{alice.username}/").status_code == 200
    text = read()
    found = re.findall(r'(\w+)="([^"]*)"', text)
    assert {name for name, _ in found} <= LABELS
    assert {known for name, known in found if name == "view"} <= {*view_names(get_resolver()), NO_VIEW, ADMIN_ELSE}
    assert alice.username not in text
    assert str(duel.pk) not in text


def test_the_numbers_of_all_views_and_tasks_fit_into_the_files_of_a_process():
    """A file that grows is no longer allocated beforehand, and a full disk could end the process."""

    def size(metric, *labels):
        bounds = ({"le": str(bound)} for bound in getattr(metric, "_upper_bounds", ()))
        names = dict(zip(metric._labelnames, labels, strict=True))
        each = [{**names, **bound} for bound in ({}, *bounds)]
        keys = [mmap_key(metric._name, f"{metric._name}_bucket", [*found], [*found.values()], metric._documentation) for found in each]
        return sum(len(key.encode()) + 4 + 8 + 16 for key in keys)

    views = {*view_names(get_resolver()), NO_VIEW}
    tasks = [tracking.short(name) for name in current_app.tasks if name.startswith("portal.")]
    levels = [(key, level) for key in GAMES for level in GAMES[key].game.meta.bot_levels]
    histograms = sum(size(REQUEST_SECONDS, view) for view in views) + sum(size(TASK_SECONDS, task) for task in tasks)
    histograms += sum(size(BOT_SECONDS, *level) for level in levels)
    counters = sum(size(REQUESTS, view, f"{status}xx") for view in views for status in range(2, 6))
    counters += 2 * sum(size(STATEMENT_SECONDS, work) for work in (*views, *tasks))
    assert len(views) > 100
    assert histograms < 0.6 * folder.SIZES["histogram"]
    assert counters < 0.9 * folder.SIZES["counter"]


def test_games_are_counted_by_what_they_wait_for(read, duel):
    text = read()
    assert value(text, "ziggurat_up", part="database") == 1
    assert value(text, "ziggurat_games_running", waits_for="person") == 1
    assert value(text, "ziggurat_games_running", waits_for="bot") == 0
    assert value(text, "ziggurat_games_waiting_seconds", waits_for="bot") == 0


def test_a_game_that_was_woken_in_vain_has_waited_since_before(read, duel):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tables_table SET waits_for = 'bot', nudges = 4, due_since = now() - interval '3 seconds'")
    assert 23 <= value(read(), "ziggurat_games_waiting_seconds", waits_for="bot") < 30


def test_mail_that_waits_is_counted(read, django_user_model):
    with connection.cursor() as cursor:
        for attempts, due in ((0, "-10 minutes"), (2, "5 minutes")):
            cursor.execute(
                "INSERT INTO accounts_outgoingmail (sender, recipients, subject, body, html, headers, created_at, due_at, attempts, error)"
                " VALUES ('', '[]', '', '', '', '{}', now(), now() + %s::interval, %s, '')",
                [due, attempts],
            )
    text = read()
    assert value(text, "ziggurat_mail_waiting") == 1
    assert 600 <= value(text, "ziggurat_mail_waiting_seconds") < 700
    assert value(text, "ziggurat_mail_failing") == 1


def test_a_scrape_takes_three_statements(duel, django_assert_num_queries):
    with django_assert_num_queries(3):
        metrics.text(is_shared=False)


@pytest.fixture
def broker():
    with redis.Redis.from_url(site_settings.BROKER_REDIS_URL) as broker:
        broker.flushdb()  # nobody has taken what other tests of this process have sent
        yield broker
        broker.flushdb()


def test_the_oldest_task_of_a_queue_tells_its_age_whatever_its_priority(read, broker):
    for queue, age_s in (("bots", 5), ("bots\x06\x166", 90), ("bots\x06\x166", 40)):
        broker.lpush(queue, json.dumps({"headers": {"sent_at": time.time() - age_s}}))
    broker.lpush("bots", json.dumps({"headers": {}}), "no message of ours")
    text = read()
    assert value(text, "ziggurat_queue_waiting", queue="bots") == 5
    assert 90 <= value(text, "ziggurat_queue_oldest_seconds", queue="bots") < 100
    assert value(text, "ziggurat_queue_oldest_seconds", queue="mail") == 0


def test_without_valkey_the_rest_is_told(read, settings):
    settings.LIVE_REDIS_URL = "unix:///nowhere/valkey.sock?db=2"
    text = read()
    assert value(text, "ziggurat_up", part="broker") == 0
    assert value(text, "ziggurat_up", part="database") == 1
    assert value(text, "ziggurat_queue_waiting", queue="bots") is None
    assert "# TYPE ziggurat_queue_waiting gauge" in text


def test_without_the_database_the_rest_is_told(read, monkeypatch):
    def away():
        raise OperationalError("gone")

    monkeypatch.setattr(facts.connection, "cursor", away)
    text = read()
    assert value(text, "ziggurat_up", part="database") == 0
    assert value(text, "ziggurat_up", part="broker") == 1
    assert value(text, "ziggurat_games_running", waits_for="bot") is None


def test_the_age_of_the_newest_backup(read):
    assert value(read(), "ziggurat_backup_age_seconds") is None
    backups = site_settings.STATE.backups
    backups.mkdir(mode=0o700, exist_ok=True)
    now = datetime.now(UTC)
    files = [backups / backup_clock.dated_name(now - timedelta(hours=age_h)) for age_h in (2, 26)]
    try:
        for file in files:
            file.touch()
        assert 7200 <= value(read(), "ziggurat_backup_age_seconds") < 7300
    finally:
        for file in files:
            file.unlink()


def test_a_page_of_somebody_signed_in_is_no_key(alice):
    client = Client()
    client.force_login(alice)
    assert ask(client, **FAR).status_code == 404


def test_moves_are_counted_by_game(read, duel, django_capture_on_commit_callbacks):
    before = value(read(), "ziggurat_moves_total", game="ra") or 0
    loaded, seat = load(duel.pk), duel.due[0]
    action = str(loaded.game.legal_actions(loaded.state, seat)[0])
    with django_capture_on_commit_callbacks(execute=True):
        services.submit_action(table_id=duel.pk, actor=seat, action=action, expected_version=duel.version, by="player")
    assert value(read(), "ziggurat_moves_total", game="ra") == before + 1
