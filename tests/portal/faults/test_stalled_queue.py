"""A worker that no longer takes work, for whatever reason, is replaced; meanwhile the site says so."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

from tests.portal.faults.site import quietly
from tests.running import ROOT, wait_until

MOVES_WITHIN_S = 90.0
DEAF = """
from portal.celery import app
app.control.cancel_consumer("bots")
"""


def state_of(site, queue):
    return json.loads(site.ask("GET", "/readyz")[1])["queues"][queue]["state"]


def test_a_worker_that_stops_asking_for_work_is_replaced(site):
    """As after an acknowledgement that was lost: connected, alive, and deaf."""
    wait_until(lambda: quietly(lambda: state_of(site, "bots") == "moving"))
    (deaf, *_) = site.pids("worker-bots")
    subprocess.run([sys.executable, "manage.py", "shell", "-v", "0", "-c", DEAF], cwd=ROOT, env=site.portal.environment, check=True)
    table = site.bots_alone()
    before = site.versions()[table]
    wait_until(lambda: deaf not in site.pids("worker-bots"), MOVES_WITHIN_S)
    wait_until(lambda: site.versions()[table] > before, MOVES_WITHIN_S)


def test_a_frozen_worker_is_replaced_and_told_of(site):
    wait_until(lambda: quietly(lambda: state_of(site, "bots") == "moving"))
    frozen = site.pids("worker-bots")
    for pid in frozen:
        os.kill(pid, signal.SIGSTOP)
    table = site.bots_alone()
    before = site.versions()[table]
    wait_until(lambda: state_of(site, "bots") == "no worker", MOVES_WITHIN_S)
    assert site.ask("GET", "/readyz")[0] == 503
    assert json.loads(site.ask("GET", "/healthz")[1])["queues"]["bots"] == "no worker"
    wait_until(lambda: not set(frozen) & set(site.pids("worker-bots")), 2 * MOVES_WITHIN_S)
    wait_until(lambda: site.versions()[table] > before, MOVES_WITHIN_S)
    wait_until(lambda: site.ask("GET", "/readyz")[0] == 200, MOVES_WITHIN_S)
