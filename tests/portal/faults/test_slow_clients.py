"""Clients that read nothing, or send half of something, keep the places of their own address and nothing else."""

from __future__ import annotations

import contextlib
import html
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from tests.portal.faults.site import OPENER, WITHIN_S
from tests.running import ROOT, wait_until

ANSWERED_WITHIN_S = 8.0  # pages take some 20 ms on an idle machine; a page that waits for a slow client takes 30 s
OTHER = "127.0.0.2"  # on Linux, the whole of 127.0.0.0/8 is this machine
IN_ADVANCE = 50  # REQUESTS_PER_ADDRESS, as the portal is shipped


@contextlib.contextmanager
def held(site, count, text, *, source=OTHER):
    """Hold connections that have sent `text` and read nothing."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            connection = stack.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.bind((source, 0))
            connection.settimeout(10)
            connection.connect(("127.0.0.1", site.portal.port))
            connection.sendall(text)
        time.sleep(0.5)
        yield


def assert_prompt(site, *paths):
    for path in paths:
        begin = time.monotonic()
        status, _ = site.ask("GET", path)
        assert status == 200, path
        assert time.monotonic() - begin < ANSWERED_WITHIN_S, path


@pytest.fixture(scope="module")
def large(site):
    """The address of the largest static file."""
    root = site.portal.folder / "staticfiles"
    files = [path for path in root.rglob("*") if path.is_file() and path.suffix not in (".gz", ".br")]
    return "/static/" + max(files, key=lambda path: path.stat().st_size).relative_to(root).as_posix()


def stream_of(site, table):
    """Return the address of the table's event stream, as its page has it."""
    found = re.search(r'data-stream="([^"]+)"', site.ask("GET", f"/tables/{table}/")[1].decode())
    assert found
    return html.unescape(found[1])


def get(path):
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def refusal_of(request):
    """Ask until it is refused: on a busy machine the portal takes its time to see all connections that came before."""
    end = time.monotonic() + WITHIN_S
    while True:
        try:
            OPENER.open(request, timeout=10).close()
        except urllib.error.HTTPError as error:
            return error
        assert time.monotonic() < end, f"answered for {WITHIN_S} s"
        time.sleep(0.1)


def test_slow_readers_of_files_stop_neither_pages_nor_files(site, large):
    with held(site, 60, 20 * get(large)):  # more than the buffers of a connection hold
        assert_prompt(site, "/", "/healthz", large)


def test_slow_readers_of_pages_stop_no_page(site):
    with held(site, 60, 300 * get("/en/rules/ra/gods/")):
        assert_prompt(site, "/", "/en/rules/ra/gods/")


def test_half_sent_heads_stop_nothing(site, large):
    with held(site, 1500, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow:"):
        assert_prompt(site, "/", large)


def test_half_sent_bodies_use_up_the_places_of_their_address_alone(site):
    half = b"POST /tables/1/act/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\naction="
    with held(site, IN_ADVANCE, half):
        assert_prompt(site, "/", "/healthz")
    with held(site, IN_ADVANCE, half, source="127.0.0.1"):
        request = urllib.request.Request(site.portal.url + "/", headers={"Accept-Language": "hu"})
        refused = refusal_of(request)
        text = refused.read().decode()
        assert refused.code == 503
        assert int(refused.headers["Retry-After"]) > 0
        assert '<html lang="hu">' in text
        assert "Próbáld újra" in text
    wait_until(lambda: site.ask("GET", "/")[0] == 200)


def status_of(site, request, source):
    with socket.create_connection(("127.0.0.1", site.portal.port), timeout=10, source_address=(source, 0)) as connection:
        connection.sendall(request)
        return connection.recv(65536).split()[1]


def test_somebody_with_too_many_streams_is_told_so_and_others_still_get_theirs(site):
    status, table = site.api("POST", "tables/", {"game": "ra", "seats": 3}, site.alice)
    assert status == 201, table
    stream = get(stream_of(site, table["id"]))
    with held(site, 300, stream):
        wait_until(lambda: status_of(site, stream, OTHER) == b"503", WITHIN_S)  # until it has seen those that came before
        with socket.create_connection(("127.0.0.1", site.portal.port), timeout=10) as mine:
            mine.sendall(stream)
            assert mine.recv(65536).startswith(b"HTTP/1.1 200 ")
        assert_prompt(site, "/")


def test_the_measurement_of_watchers_runs_to_its_end(site):
    assert site.api("POST", "tables/", {"game": "ra", "seats": 3}, site.bob)[0] == 201
    argv = [sys.executable, "-m", "tools.streams", site.portal.url, "--streams", "300"]
    told = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert told.returncode == 0, told.stderr
    assert "300 streams open" in told.stdout
    assert told.stdout.count(" p95 ") == 8
