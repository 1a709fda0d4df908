"""The portal as a newcomer runs it: from a checkout in a private folder with spaces in its name."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
import redis

from tests.running import ROOT, RunningPortal, command_of, refused, wait_until

STOP_WITHIN_S = 5.0
PARTS = {
    "postgres": ("postgres", "-D"),
    "valkey": ("valkey-server",),
    "web": ("granian",),
    "worker-scoring": ("celery", "-Q scoring"),
    "worker-mail": ("celery", "-Q mail"),
    "worker-bots": ("celery", "-Q bots"),
    "beat": ("celery", "beat"),
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the tracked files, like a `git clone`, with the environment of this run."""
    private = tmp_path_factory.mktemp("private")
    private.chmod(0o700)
    root = private / "a checkout with spaces"
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, root / name)
    (root / ".venv").symlink_to(ROOT / ".venv")
    return root


@pytest.fixture(scope="module")
def portal(checkout: Path) -> Iterator[RunningPortal]:
    running = RunningPortal(checkout / "var", root=checkout)
    running.start()
    yield running
    running.__exit__()
    for folder in {running.state.cluster, running.state.sockets}:
        shutil.rmtree(folder, ignore_errors=True)


def database(portal: RunningPortal) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(portal.state.database_url(), autocommit=True)


def is_healthy(portal: RunningPortal) -> bool:
    with suppress(OSError):
        status, text = portal.get("/healthz")
        told = json.loads(text)
        return status == 200 and told["database"] and told["broker"]
    return False


def test_the_address_is_the_last_line_of_standard_output(portal: RunningPortal) -> None:
    assert portal.output[-1] == f"Ziggurat is ready: {portal.url}/\n"
    assert sum("✓" in line and line.rstrip().endswith(" s") for line in portal.output) >= 5
    assert is_healthy(portal)
    assert portal.get("/")[0] == 200


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another place for the data")
def test_as_root_below_a_private_folder_the_state_folder_says_where_the_data_are(portal: RunningPortal) -> None:
    where = Path((portal.folder / "where.txt").read_text().strip())
    assert where.parent == Path("/var/tmp")
    assert next(where.glob("pg*/PG_VERSION"), None) or list(where.glob("pg*"))
    assert Path(f"/proc/{portal.find('postgres', '-D')[0]}").stat().st_uid != 0


def test_a_second_start_on_the_same_state_refuses(portal: RunningPortal, checkout: Path) -> None:
    said = refused(root=checkout, ZIGGURAT_STATE=str(portal.folder), PORT="1")
    assert said.returncode == 1
    assert said.stderr.count("\n") == 1
    assert "already runs on the state folder" in said.stderr
    assert "set ZIGGURAT_STATE" in said.stderr
    assert is_healthy(portal)


def test_a_taken_port_refuses(portal: RunningPortal, tmp_path: Path) -> None:
    said = refused(ZIGGURAT_STATE=str(tmp_path), PORT=str(portal.port))
    assert said.returncode == 1
    assert said.stderr.count("\n") == 1
    assert f"Port {portal.port} on 127.0.0.1 is taken" in said.stderr
    assert "PORT=" in said.stderr.partition("taken")[2]


def test_a_body_above_the_limit_is_refused_by_the_server(portal: RunningPortal) -> None:
    for chunked in (False, True):
        for size in (64 * 1024 + 1, 1_000_000):
            line = http.client.HTTPConnection("127.0.0.1", portal.port, timeout=20)
            body = [b"x" * 1000] * (size // 1000 + 1)
            line.request("POST", "/", iter(body) if chunked else b"".join(body), {"Accept": "application/json"}, encode_chunked=chunked)
            answer = line.getresponse()
            assert (answer.status, json.loads(answer.read())["error"]["code"]) == (413, "too_big")
            line.close()
    assert is_healthy(portal)


def test_a_published_version_reaches_an_open_stream(portal: RunningPortal) -> None:
    code = "from portal.live.tokens import make_token; print(make_token(7, 0))"
    token = in_shell(portal, code)
    with urllib.request.urlopen(f"{portal.url}/events/tables/7/?token={quote(token)}", timeout=20) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        assert stream.headers["Cache-Control"] == "no-store"
        assert stream.headers["Content-Encoding"] is None
        assert [stream.readline() for _ in range(5)] == [b"retry: 1000\n", b"\n", b"event: version\n", b"data: 0\n", b"\n"]
        assert in_shell(portal, "from portal.live.publish import publish_version; print(publish_version(7, 42))") == "True"
        heard = (stream.readline() for _ in range(20))
        assert next(line for line in heard if line.startswith(b"event")) == b"event: version\n"  # comments keep it alive meanwhile
        assert next(heard) == b"data: 42\n"


def in_shell(portal: RunningPortal, code: str) -> str:
    argv = [sys.executable, "-c", f"import django; django.setup(); {code}"]
    environment = portal.environment | {"DJANGO_SETTINGS_MODULE": "portal.settings"}
    return subprocess.run(argv, cwd=portal.root, env=environment, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("part", PARTS)
def test_a_killed_part_comes_back(portal: RunningPortal, part: str) -> None:
    wait_until(lambda: portal.find(*PARTS[part]))
    before = portal.find(*PARTS[part])
    os.kill(before[0], signal.SIGKILL)
    wait_until(lambda: set(portal.find(*PARTS[part])) - set(before))
    wait_until(lambda: is_healthy(portal))
    wait_until(lambda: not any(command_of(pid) for pid in before if pid not in portal.processes()))
    assert portal.get("/")[0] == 200
    wait_until(lambda: any(line.startswith(f"{part} ended") for line in portal.errors))


def test_a_killed_web_process_comes_back_below_its_parent(portal: RunningPortal) -> None:
    parent, *children = portal.find(*PARTS["web"])
    for child in children:
        os.kill(child, signal.SIGKILL)
    wait_until(lambda: is_healthy(portal))
    assert parent in portal.find(*PARTS["web"])
    assert not set(children) & set(portal.find(*PARTS["web"]))


def test_a_killed_guard_leaves_no_second_service(portal: RunningPortal) -> None:
    (server,) = portal.find(*PARTS["valkey"])
    os.kill(int(Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()[1]), signal.SIGKILL)
    wait_until(lambda: not command_of(server))
    wait_until(lambda: len(portal.find(*PARTS["valkey"])) == 1)
    wait_until(lambda: is_healthy(portal))


def test_pages_answer_while_the_broker_is_away(portal: RunningPortal) -> None:
    (server,) = portal.find(*PARTS["valkey"])
    os.kill(server, signal.SIGSTOP)  # worse than dead: it accepts connections and sends nothing
    try:
        begin = time.monotonic()
        assert portal.get("/")[0] == 200
        assert portal.get("/accounts/login/")[0] in (200, 404)
        status, text = portal.get("/healthz")
        queues = dict.fromkeys(("bots", "scoring", "mail"), "unknown")
        assert (status, json.loads(text)) == (200, {"database": True, "broker": False, "queues": queues, "maintenance": False})
        assert portal.get("/readyz")[0] == 503
        assert time.monotonic() - begin < 5
    finally:
        os.kill(server, signal.SIGCONT)
    wait_until(lambda: is_healthy(portal))


def test_all_stops_in_order_within_five_seconds_and_the_next_start_finds_the_data(portal: RunningPortal) -> None:
    with database(portal) as connection:
        connection.execute("CREATE TABLE kept_over_stops (word text)")
        connection.execute("INSERT INTO kept_over_stops VALUES ('őrtorony')")
    broker = redis.Redis.from_url(portal.state.redis_url())
    broker.set("kept", "1")
    broker.close()
    wait_until(lambda: all(portal.find(*words) for words in PARTS.values()))
    first = {name: portal.find(*words)[0] for name, words in PARTS.items()}
    everything = portal.processes()
    begin = time.monotonic()
    os.kill(portal.process.pid, signal.SIGINT)
    ended: dict[str, float] = {}
    while portal.process.poll() is None:
        for name, pid in first.items():
            if name not in ended and not command_of(pid):
                ended[name] = time.monotonic()
        assert time.monotonic() - begin < 15
        time.sleep(0.01)
    took = time.monotonic() - begin
    last = time.monotonic()
    seconds = {name: round(ended.get(name, last) - begin, 2) for name in first}
    assert max(at for name, at in seconds.items() if name not in ("valkey", "postgres")) <= seconds["valkey"] <= seconds["postgres"]
    assert seconds["web"] <= seconds["worker-bots"]
    assert took < STOP_WITHIN_S, seconds
    assert portal.process.returncode == 0
    assert not [command for pid, command in everything.items() if command_of(pid)]

    portal.start()
    with database(portal) as connection:
        assert connection.execute("SELECT word FROM kept_over_stops").fetchone() == ("őrtorony",)
    broker = redis.Redis.from_url(portal.state.redis_url())
    assert broker.get("kept") == b"1"
    broker.close()


def test_a_killed_supervisor_leaves_nothing_and_the_next_start_finds_the_data(portal: RunningPortal) -> None:
    with database(portal) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept_over_kills (word text)")
        connection.execute("INSERT INTO kept_over_kills VALUES ('kapu')")
    everything = portal.processes()
    assert len(everything) >= 15
    portal.process.kill()
    portal.process.wait()
    wait_until(lambda: not any(command_of(pid) == command for pid, command in everything.items()), STOP_WITHIN_S)

    portal.start()
    with database(portal) as connection:
        assert connection.execute("SELECT word FROM kept_over_kills").fetchone() == ("kapu",)


def test_a_start_right_after_a_kill_waits_for_the_servers_of_the_earlier_run(portal: RunningPortal) -> None:
    portal.process.kill()
    portal.process.wait()
    portal.start()
    assert is_healthy(portal)
    assert portal.stop(signal.SIGTERM) < STOP_WITHIN_S
    assert portal.process.returncode == 0
