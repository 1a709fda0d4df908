"""A whole portal is seen from outside: its numbers, and a click that is followed through its logs."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import urllib.request

from tests.portal.faults.site import OPENER, WITHIN_S, quietly
from tests.running import wait_until


def numbers(site):
    """Return what a program on this machine reads: name with labels -> value."""
    status, text = site.ask("GET", "/metrics")
    assert status == 200
    return {name: float(value) for name, value in re.findall(r"^(ziggurat_\S+) (\S+)$", text.decode(), re.MULTILINE)}


def my_table(site):
    """Return the number of a table where Alice plays against a bot, and it is her turn."""
    status, table = site.api("POST", "tables/", {"game": "ra", "seats": 2, "bots": ["apprentice"]}, site.alice)
    assert status == 201, table
    wait_until(lambda: quietly(lambda: site.api("GET", f"tables/{table['id']}/", token=site.alice)[1]["legal"]), WITHIN_S)
    return table["id"]


def act(site, table_id):
    """Do what is allowed, as a program that sees the header of the answer; return the id of the request."""
    table = site.api("GET", f"tables/{table_id}/", token=site.alice)[1]
    body = json.dumps({"action": table["legal"][0], "expected_version": table["version"]}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Token {site.alice}", "X-Request-ID": "given-from-outside"}
    request = urllib.request.Request(f"{site.portal.url}/api/v1/tables/{table_id}/actions/", body, headers)
    with OPENER.open(request, timeout=20) as answer:
        return answer.headers["X-Request-ID"]


def logged(site, request_id):
    """Return every line with an id, by log."""
    found = {}
    for log in site.portal.state.logs.glob("*.log"):
        lines = [json.loads(line) for line in log.read_text().splitlines() if request_id in line]
        if lines:
            found[log.stem] = lines
    return found


def test_a_click_is_followed_from_the_page_through_the_bots_move_to_the_open_pages(site):
    table_id = my_table(site)

    def followed():
        request_id = act(site, table_id)  # some actions end without a bot's move
        with contextlib.suppress(AssertionError):
            wait_until(lambda: "worker-bots" in logged(site, request_id), 3)
        lines = logged(site, request_id)
        return lines if "worker-bots" in lines else None

    lines = next(filter(None, (followed() for _ in range(10) if site.api("GET", f"tables/{table_id}/", token=site.alice)[1]["legal"])))
    (clicked,), moved = lines["web"], lines["worker-bots"]
    assert (clicked["event"], clicked["table"], clicked["is_told"]) == ("moved", table_id, True)
    assert {(line["event"], line["table"], line["task"], line["is_told"]) for line in moved} == {
        ("moved", table_id, "tables.play_bot", True)
    }
    assert [line["version"] for line in moved] == [*range(clicked["version"] + 1, clicked["version"] + 1 + len(moved))]
    assert len({line["task_id"] for line in moved}) == len(moved)
    assert re.fullmatch(r"[0-9a-f]{16}", clicked["request_id"])
    assert not logged(site, "given-from-outside")
    assert not logged(site, site.alice)


def test_the_numbers_of_all_processes_are_read_in_one_place(site):
    site.bots_alone()
    wanted = (
        'ziggurat_bot_seconds_count{game="ra",level="apprentice"}',
        'ziggurat_tasks_total{outcome="success",task="tables.play_bot"}',
        'ziggurat_tasks_total{outcome="success",task="tables.reconcile"}',
        'ziggurat_task_wait_seconds_count{queue="bots"}',
        'ziggurat_requests_total{status="2xx",view="api-tables"}',
        'ziggurat_moves_total{game="ra"}',
    )
    wait_until(lambda: quietly(lambda: all(numbers(site).get(name) for name in wanted)), WITHIN_S)
    found = numbers(site)
    for part in ("web", "worker-bots", "worker-scoring", "worker-mail"):
        assert any(name.startswith(f'ziggurat_process_resident_memory_bytes{{part="{part}"') for name in found), part
    assert found['ziggurat_up{part="database"}'] == found['ziggurat_up{part="broker"}'] == 1
    assert {found[f'ziggurat_queue_moving{{queue="{queue}"}}'] for queue in ("bots", "scoring", "mail")} == {1}
    assert site.ask("GET", "/metrics", headers={"X-Forwarded-For": "203.0.113.9"}.items())[0] == 404


def test_what_a_killed_worker_has_counted_is_kept(site):
    name = 'ziggurat_tasks_total{outcome="success",task="tables.play_bot"}'
    site.keep_playing()
    wait_until(lambda: quietly(lambda: numbers(site).get(name)), WITHIN_S)
    worker, before = site.pids("worker-bots"), numbers(site)[name]
    for pid in worker:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    wait_until(lambda: quietly(lambda: set(site.pids("worker-bots")) - set(worker)), WITHIN_S)
    assert numbers(site)[name] >= before
    site.keep_playing()
    wait_until(lambda: quietly(lambda: numbers(site)[name] > before), WITHIN_S)
    folder = site.portal.folder / "metrics"
    assert not [file for pid in worker for file in folder.glob(f"*{pid}.db")]


def test_open_streams_and_who_watches_are_counted_while_they_last(site):
    table_id = my_table(site)
    address = site.api("GET", f"tables/{table_id}/stream/", token=site.alice)[1]["url"]
    with socket.create_connection(("127.0.0.1", site.portal.port)) as client:
        client.sendall(f"GET {address} HTTP/1.1\r\nHost: localhost:{site.portal.port}\r\n\r\n".encode())
        head = client.recv(4096).decode().lower()
        assert "text/event-stream" in head
        assert re.search(r"x-request-id: [0-9a-f]{16}\r\n", head)
        wait_until(lambda: numbers(site)["ziggurat_streams_open"] >= 1)
        assert numbers(site)["ziggurat_people_watching"] >= 1
        assert numbers(site)['ziggurat_places_taken{kind="streams"}'] >= 1
    wait_until(lambda: numbers(site)["ziggurat_streams_open"] == 0)
    assert numbers(site)["ziggurat_people_watching"] == 0
