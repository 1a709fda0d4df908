"""The folder in which processes keep their numbers: those of all are added up, and neither a killed process nor a full disk does harm."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest

from tests.running import ROOT

COUNT = """
from portal.metrics import folder
from portal.metrics.definitions import REQUESTS, REQUEST_SECONDS, STREAMS
folder.use({part!r})
REQUESTS.labels("home", "2xx").inc({times})
for _ in range({times}):
    REQUEST_SECONDS.labels("home").observe(0.02)
STREAMS.inc({times})
"""
FORK = """
import os
if os.fork():
    os.wait()
else:
    folder.use("child")
    REQUESTS.labels("home", "2xx").inc(100)
    os._exit(0)
"""
LATER = """
import os
from portal.metrics import folder
from portal.metrics.definitions import REQUESTS
unseen = REQUESTS.labels("home", "2xx")
unseen.inc(1000)
if os.fork():
    os.wait()
else:
    os.environ["ZIGGURAT_WORK"] = "tasks"
    unseen.inc(20)
    os._exit(0)
"""
WAIT = "print('ready', flush=True)\ninput()\n"
READ = """
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from portal.metrics import folder
with folder.still():
    folder.add_up_ended()
    found = CollectorRegistry()
    MultiProcessCollector(found, str(folder.FOLDER))
    print(generate_latest(found).decode())
print(sorted(folder.parts().values()))
"""
FULL = """
import os
def full(*of_what):
    raise OSError(28, "No space left on device")
os.posix_fallocate = full
"""


@pytest.fixture
def start(tmp_path):
    """Start Python code as a process of the portal's; all have ended afterwards."""
    started = []

    def start(code: str, work: str = "pages") -> subprocess.Popen[str]:
        environment = {**os.environ, "ZIGGURAT_STATE": str(tmp_path), "ZIGGURAT_WORK": work}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        started.append(subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=environment, **pipes))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str]) -> str:
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return text


def number(text: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    assert found, text
    return float(found[1])


def test_numbers_of_all_processes_are_added_up_and_outlive_them(start, tmp_path):
    alive = [start(COUNT.format(part=part, times=times) + WAIT) for part, times in (("web", 3), ("worker-bots", 4))]
    parent = start(COUNT.format(part="worker-mail", times=1) + FORK + WAIT)
    for process in (*alive, parent):
        assert process.stdout.readline() == "ready\n"
    text = ended(start(READ, work=""))
    assert number(text, 'ziggurat_requests_total{status="2xx",view="home"}') == 108
    assert number(text, 'ziggurat_request_seconds_count{view="home"}') == 8
    assert number(text, "ziggurat_streams_open") == 8
    assert text.strip().endswith("['web', 'worker-bots', 'worker-mail']")

    alive[0].send_signal(signal.SIGKILL)
    alive[0].wait()
    for _ in range(2):  # what was added up once isn't added again
        text = ended(start(READ, work=""))
        assert number(text, 'ziggurat_requests_total{status="2xx",view="home"}') == 108
        assert number(text, 'ziggurat_request_seconds_bucket{le="0.025",view="home"}') == 8
        assert number(text, "ziggurat_streams_open") == 5

    folder = tmp_path / "metrics"
    assert not list(folder.glob(f"*{alive[0].pid}*"))
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o077 for file in folder.glob("*.db")} == {0}
    assert all(file.stat().st_blocks * 512 >= file.stat().st_size for file in folder.glob("*.db"))  # no hole for a full disk to break


def test_on_a_full_disk_a_process_counts_unseen(start, tmp_path):
    ended(start(FULL + COUNT.format(part="web", times=3)))
    assert not list(tmp_path.glob("metrics/*.db"))
    ended(start(COUNT.format(part="web", times=5)))
    assert number(ended(start(READ, work="")), 'ziggurat_requests_total{status="2xx",view="home"}') == 5


def test_a_process_that_loads_the_portal_and_forks_parts_of_it_leaves_the_counting_to_them(start, tmp_path):
    ended(start(LATER, work=""))
    assert number(ended(start(READ, work="")), 'ziggurat_requests_total{status="2xx",view="home"}') == 20


def test_other_commands_keep_no_files(start, tmp_path):
    ended(start(COUNT.format(part="command", times=1), work=""))
    assert not (tmp_path / "metrics").exists()
