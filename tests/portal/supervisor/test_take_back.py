"""A killed worker requeues the messages it was processing at its next start; another worker's are left alone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.running import ROOT

pytestmark = pytest.mark.xdist_group("take-back")  # both use the same databases

TAKE = """
import os, django; django.setup()
from portal.celery import app
with app.connection_for_write() as connection:
    channel = connection.default_channel
    channel.client.flushdb()
    app.send_task("portal.tables.tasks.reconcile", queue="probe", connection=connection)
    assert channel.basic_get("probe", no_ack=False)
    print(channel.client.llen("probe"), channel.client.hlen(channel.unacked_key), flush=True)
    os.kill(os.getpid(), 9)
"""
START = """
import django; django.setup()
from celery.signals import worker_init
from portal.celery import app
worker_init.send(sender=None)
with app.connection_for_write() as connection:
    channel = connection.default_channel
    print(channel.client.llen("probe"), channel.client.hlen("unacked:scoring"), flush=True)
"""


def run(code: str, worker: str) -> list[str]:
    # Separate databases, which no other test of this run uses.
    environment = os.environ | {"ZIGGURAT_WORKER": worker, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTEST_XDIST_WORKER": "gw4"}
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True).stdout.split()


@pytest.mark.parametrize(("starts", "found"), [("scoring", ["1", "0"]), ("mail", ["0", "1"])])
def test_a_killed_worker_takes_back_its_own_messages(starts: str, found: list[str]) -> None:
    assert run(TAKE, "scoring") == ["0", "1"]
    assert run(START, starts) == found
