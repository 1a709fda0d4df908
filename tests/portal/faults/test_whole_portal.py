"""A whole portal, started by `manage.py up`, loses one part after another while bots play: nothing accepted is lost."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter

import pytest

from tests.portal.faults.site import BOT_GAMES, WITHIN_S, quietly
from tests.running import ROOT, wait_until
from tools.chaos.driver import Pace
from tools.chaos.faults import BY_NAME
from tools.chaos.run import Chaos

CHAOS = ("web-kill", "worker-bots-kill", "worker-scoring-kill", "valkey-stall", "postgres-kill")


@contextlib.contextmanager
def supervisor_asleep(portal):
    """Nothing that ends is restarted meanwhile."""
    portal.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        portal.process.send_signal(signal.SIGCONT)


def test_parts_are_lost_in_the_middle_of_games(site):
    """The short form of `make chaos`: the same people, faults and checks; times are only measured there."""
    faults = [BY_NAME[name] for name in CHAOS]
    pace = Pace(look_s=0.3, think_s=(0.05, 0.4), reopen_s=1.0)
    chaos = Chaos(site.portal, faults, tables=6, seed=6, pace=pace, calm_s=0.3, steady_s=0.3, silent_after_s=WITHIN_S, most_verified=2)
    result = chaos.run()
    assert result.findings == []
    assert [outcome.fault.name for outcome in result.outcomes if outcome.slowest is None] == []
    assert result.figures["accepted"] > len(faults)


def test_without_a_broker_moves_are_accepted_and_pages_answer(site):
    """Valkey is down: the move is accepted at once and the page answers; bots continue when it is back."""
    status, table = site.api("POST", "tables/", {"game": "ra", "seats": 3, "bots": ["apprentice"] * 2}, site.alice)
    assert status == 201

    def my_turn():
        return site.api("GET", f"tables/{table['id']}/", token=site.alice)[1]["legal"]

    wait_until(my_turn, WITHIN_S)
    with supervisor_asleep(site.portal):
        os.kill(site.pids("valkey")[0], signal.SIGKILL)
        wait_until(lambda: not site.pids("valkey"))
        _, now = site.api("GET", f"tables/{table['id']}/", token=site.alice)
        body = {"action": now["legal"][0], "expected_version": now["version"]}
        begin = time.monotonic()
        status, after = site.api("POST", f"tables/{table['id']}/actions/", body, site.alice)
        seconds = time.monotonic() - begin
        assert (status, after["version"]) == (200, now["version"] + 1)
        assert seconds < 3, "the move waited for the broker"
        for path in ("/", "/lobby/", f"/tables/{table['id']}/", "/en/rules/ra/"):
            assert site.portal.get(path)[0] == 200, path
        health = json.loads(site.ask("GET", "/healthz")[1])
        assert (health["database"], health["broker"]) == (True, False)
        version = after["version"]
    site.moves_on()
    wait_until(lambda: quietly(lambda: site.versions()[table["id"]] > version or my_turn()), WITHIN_S)


def test_without_a_database_pages_say_so_and_come_back(site):
    with supervisor_asleep(site.portal):
        os.kill(site.pids("postgres")[0], signal.SIGKILL)
        wait_until(lambda: not quietly(lambda: site.rows("SELECT 1")))
        for path in ("/lobby/", "/tables/1/", "/leaderboards/ra/"):
            status, text = site.portal.get(path)
            assert status == 503, (path, status)
            assert "database isn't available" in text
            assert "Traceback" not in text
            assert "psycopg" not in text
        status, answer = site.api("GET", "tables/1/", token=site.alice)
        assert (status, answer["error"]["code"]) == (503, "away")
        status, answer = site.api("POST", "tables/1/actions/", {"action": "draw", "expected_version": 1}, site.alice)
        assert (status, answer["error"]["code"]) == (503, "away")
        assert site.ask("GET", "/healthz")[0] == 503
    wait_until(lambda: quietly(site.is_up), WITHIN_S)
    assert site.portal.get("/lobby/")[0] == 200
    site.keep_playing()
    site.moves_on()


def test_finished_games_are_rated_exactly_once(site):
    wait_until(lambda: quietly(lambda: not site.playing()), 2 * WITHIN_S)
    finished = {row[0] for row in site.rows("SELECT id FROM tables_table WHERE status = 'finished'")}
    assert len(finished) >= BOT_GAMES
    numbers = [row[0] for row in site.rows("SELECT finish_number FROM tables_table WHERE status = 'finished' ORDER BY 1")]
    assert numbers == list(range(1, len(numbers) + 1))

    def changes():
        return Counter(site.rows("SELECT table_id, rating_id FROM ratings_ratingchange"))

    wait_until(lambda: {table for table, _ in changes()} == finished, WITHIN_S)
    assert set(changes().values()) == {1}
    rebuilt = subprocess.run(
        [sys.executable, "manage.py", "rebuild_standings", "--check"], cwd=ROOT, env=site.portal.environment, capture_output=True, text=True
    )
    assert rebuilt.returncode == 0, rebuilt.stdout + rebuilt.stderr


def test_every_table_has_one_unbroken_line_of_records(site):
    for table, last, lines in site.rows(
        "SELECT t.id, t.seq, array_agg(ARRAY[r.seq::text, r.version::text, r.by] ORDER BY r.seq) "
        "FROM tables_table t JOIN tables_actionrecord r ON r.table_id = t.id GROUP BY t.id"  # at a glance: some still play
    ):
        rows = [(int(seq), int(version), by) for seq, version, by in lines]
        assert [row[0] for row in rows] == list(range(1, last + 1)), table
        moves = Counter(version for _, version, by in rows if by in ("player", "bot", "substitute", "scorer"))
        assert set(moves.values()) <= {1}
    for (table,) in site.rows("SELECT id FROM tables_table WHERE status = 'finished' ORDER BY id LIMIT 2"):
        status, text = site.ask("GET", f"/tables/{table}/record/")
        assert status == 200
        file = site.portal.folder / f"{table}.json"
        file.write_bytes(text)
        told = subprocess.run(
            [sys.executable, "manage.py", "verify_record", str(file)], cwd=ROOT, env=site.portal.environment, capture_output=True, text=True
        )
        assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.parametrize("path", ["/tables/1/act/", "/api/v1/tables/1/actions/", "/verify/", "/nowhere/"])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_of_a_megabyte_is_refused_at_the_front(site, path, chunked):
    body = b"x" * 1_000_000
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    if chunked:
        sent = head.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n"
    else:
        sent = head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body
    with socket.create_connection(("127.0.0.1", site.portal.port), timeout=20) as connection:
        connection.sendall(sent)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    assert answer.startswith(b"HTTP/1.1 413 "), answer[:100]
    assert b"64 kB" in answer


def test_no_log_of_any_part_holds_a_secret(site):
    """After all that, no password, token, key or sealed secret is in any log."""
    secrets = {bytes(row[0]).hex() for row in site.rows("SELECT secret FROM tables_table")}
    secrets |= {site.alice, site.bob, "lapis lazuli 9", "pbkdf2_sha256"}
    secrets |= {(site.portal.folder / name).read_text().strip() for name in ("secret_key", "postgres_password")}
    texts = {file.name: file.read_text(errors="replace") for file in site.portal.state.logs.glob("*.log*")}
    texts["printed"] = "".join(site.portal.output + site.portal.errors)
    assert {"web.log", "worker-bots.log", "postgres.log"} <= set(texts)
    for name, text in texts.items():
        assert not [secret for secret in secrets if secret in text], name
        assert "STATEMENT:" not in text, name


def test_what_was_killed_is_replaced_and_not_doubled(site):
    counts = {part: len(site.pids(part)) for part in ("worker-scoring", "worker-mail", "beat", "valkey")}
    assert counts == {"worker-scoring": 1, "worker-mail": 1, "beat": 1, "valkey": 1}
    assert len(site.portal.find("bin/postgres", " -D ")) == 1
