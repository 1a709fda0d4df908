"""Two hundred notices of a whole portal whose parts are killed in turn: each reaches mail, browser and webhook once, none for a turn that was taken."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import psycopg
import pytest

from tests.portal.notices.catchers import HookCatcher, MailCatcher, running
from tests.portal.notices.test_push import Browser
from tests.running import RunningPortal, wait_until
from tools.chaos import parts

COUNT = 200
KILLED = ("worker-mail", "valkey", "web", "worker-mail", "beat", "worker-bots", "valkey", "worker-mail")
EACH_S = 3.5
WITHIN_S = 600.0  # a mail in hand when its worker is killed waits four minutes, a push two, and five more if its second attempt fails, too
MARK = re.compile(r"\bn(\d+)x\b")
WRITER = """
import json, sys, time
import django
django.setup()
from allauth.account.models import EmailAddress
from django.db import transaction
from portal.accounts.models import User
from portal.notices import hooks, outbox, push
from portal.notices.models import Kind, Reach

wish = json.loads(sys.argv[1])
anna = User.objects.create_user("anna", "anna@example.org", "correct horse")
EmailAddress.objects.create(user=anna, email=anna.email, primary=True, verified=True)
Reach.objects.create(user=anna, choices={"game": ["mail", "push", "hook"], "season": ["push", "hook"], "turn": ["push", "hook"]})
hooks.save_hook(anna, wish["hook"])
push.save_device(anna, endpoint=wish["push"], name="Firefox", key=wish["key"], auth=wish["auth"])
print("ready", flush=True)
for number in range(wish["count"]):
    facts = {"game": "ra", "names": [f"n{number}x"], "league": "Autumn", "at": "2026-11-30T12:00:00+00:00"}
    path, table = f"/tables/{1000 + number}/", 1000 + number
    with transaction.atomic():
        if number % 5 < 3:
            kind, key = (Kind.SEASON, "pairing") if number % 5 else (Kind.GAME, "started")
            outbox.tell([anna.pk], kind=kind, key=key, facts=facts, path=path, table_id=table)
        else:
            outbox.turns(table_id=table, version=3, path=path, due={anna.pk: facts}, over=[])
    if number % 5 == 4:
        with transaction.atomic():
            outbox.turns(table_id=table, version=4, path=path, due={}, over=[anna.pk])
    time.sleep(wish["pause_s"])
"""


@pytest.fixture(scope="module")
def receivers():
    with running(MailCatcher()) as mails, running(HookCatcher()) as hook, running(HookCatcher()) as service:
        service.status = 201
        yield mails, hook, service


@pytest.fixture(scope="module")
def portal(receivers):
    folder = Path(tempfile.mkdtemp(prefix="ziggurat-notices-"))
    folder.chmod(0o711)
    place = RunningPortal(
        folder, environment={"EMAIL_URL": f"smtp://127.0.0.1:{receivers[0].port}", "HOOKS_TO_PRIVATE": "1", "BASE_URL": "http://127.0.0.1"}
    )
    try:
        with place:
            yield place
    finally:
        for where in {place.state.folder, place.state.cluster, place.state.sockets}:
            shutil.rmtree(where, ignore_errors=True)


LEFT = """
SELECT 'delivery', id, channel, attempts, why, due_at - now() FROM notices_delivery WHERE status = 'waiting'
UNION ALL SELECT 'mail', id, 'mail', attempts, error, due_at - now() FROM accounts_outgoingmail WHERE sent_at IS NULL
UNION ALL SELECT 'notice', id, kind, 0, '', NULL FROM notices_notice WHERE planned_at IS NULL AND withdrawn_at IS NULL
"""


def left(portal):
    """Return what is still to be dealt with: notices to be planned, deliveries and mails to be sent."""
    with psycopg.connect(portal.state.database_url(), autocommit=True) as line:
        return [(*row[:5], str(row[5])) for row in line.execute(LEFT)]


def marks(found):
    """Return the identities of the messages in which each notice came; `found` is (text, identity)."""
    by_mark = defaultdict(set)
    for text, identity in found:
        for mark in MARK.findall(text):
            by_mark[int(mark)].add(identity)
    return by_mark


def test_each_notice_arrives_once_and_none_of_a_turn_that_was_taken(portal, receivers):
    mails, hook, service = receivers
    phone = Browser()
    wish = {"hook": hook.url, "push": service.url, "count": COUNT, "pause_s": len(KILLED) * EACH_S / COUNT, **phone.keys}
    environment = portal.environment | {"DJANGO_SETTINGS_MODULE": "portal.settings"}
    argv = [sys.executable, "-c", WRITER, json.dumps(wish)]
    writer = subprocess.Popen(argv, cwd=portal.root, env=environment, stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    for part in KILLED:
        time.sleep(EACH_S)
        for pid in parts.pids(portal, part):
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda part=part: parts.pids(portal, part))
    assert writer.wait(60) == 0
    told = {number for number in range(COUNT) if number % 5 != 4}
    games = {number for number in told if number % 5 == 0}  # as many as one mail names at most, however late it is

    def mailed():
        return marks((part.get_payload(decode=True).decode(), mail["Message-ID"]) for mail in list(mails.mails) for part in mail.walk()
                     if part.get_content_type() == "text/plain")  # fmt: skip

    end = time.monotonic() + WITHIN_S
    while rest := left(portal):
        assert time.monotonic() < end, rest
        time.sleep(0.25)
    arrived = {
        "mail": (mailed(), games),
        "webhook": (marks((said["text"], said["id"]) for said in hook.said), told),
        "push": (marks((said["text"], said["tag"]) for said in (phone.read(body) for body, _ in list(service.posts))), told),
    }
    for channel, (found, wanted) in arrived.items():
        assert set(found) == wanted, channel
        assert {number: ids for number, ids in found.items() if len(ids) != 1} == {}, channel
