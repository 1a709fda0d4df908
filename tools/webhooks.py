"""How soon a turn reaches a webhook: `python -m tools.webhooks --turns 40`.

Starts a portal of its own, opens a table of Ra for two people, plays it by the API, and measures for each version that waits for the one with the
webhook how long after the answer to the action the message arrives. Nobody plays on before that.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from tests.portal.notices.catchers import HookCatcher, running
from tests.running import RunningPortal

WITHIN_S = 30.0
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
_SETUP = """
import json, sys
import django
django.setup()
from portal.accounts.models import User
from portal.accounts.services import token_for_sign_in
from portal.notices import hooks
from portal.notices.models import Hook
from portal.tables import services
anna, bela = (User.objects.create_user(name, f"{name}@example.org", "correct horse") for name in ("anna", "bela"))
hooks.save_hook(anna, sys.argv[1])
Hook.objects.update(takes_moves=True)
table = services.create_table(owner=anna, game_key="ra", seats=2).table.pk
services.join_table(table_id=table, user=bela)
print(json.dumps({"table": table, "tokens": [token_for_sign_in(user=user) for user in (anna, bela)]}))
"""


def ask(portal: RunningPortal, token: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Return the JSON of an answer of the API."""
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{portal.url}/api/v1/{path}", json.dumps(body).encode() if body else None, headers)
    with _open(request, timeout=WITHIN_S) as answer:
        return json.loads(answer.read())


def arrives(hook: HookCatcher, version: int) -> float:
    """Wait for the message of a version, and return when it was here. Raises TimeoutError."""
    end = time.perf_counter() + WITHIN_S
    while not any(said["version"] == version for said in hook.said[-2:]):
        if time.perf_counter() > end:
            raise TimeoutError(f"version {version} was not posted")
        time.sleep(0.002)
    return time.perf_counter()


def measure(portal: RunningPortal, hook: HookCatcher, turns: int) -> list[float]:
    """Return the seconds from the answer to the message, sorted."""
    environment = portal.environment | {"DJANGO_SETTINGS_MODULE": "portal.settings"}
    argv = [sys.executable, "-c", _SETUP, hook.url]
    made = subprocess.run(argv, cwd=portal.root, env=environment, capture_output=True, text=True, check=True)
    setup = json.loads(made.stdout.splitlines()[-1])
    table, tokens = setup["table"], setup["tokens"]
    took: list[float] = []
    now = ask(portal, tokens[0], f"tables/{table}/")
    if 0 in now["due"]:
        arrives(hook, now["version"])
    while len(took) < turns and now["status"] == "playing":
        if not now["due"]:  # points are being counted
            time.sleep(0.05)
            now = ask(portal, tokens[0], f"tables/{table}/")
            continue
        token = tokens[now["due"][0]]
        mine = ask(portal, token, f"tables/{table}/")
        now = ask(portal, token, f"tables/{table}/actions/", {"action": mine["legal"][0], "expected_version": mine["version"]})
        answered = time.perf_counter()
        if 0 in now["due"]:
            took.append(arrives(hook, now["version"]) - answered)
    if not took:
        raise RuntimeError("the game was over before anybody was due")
    return sorted(took)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--turns", type=int, default=40)
    turns: int = reader.parse_args().turns
    folder = Path(tempfile.mkdtemp(prefix="ziggurat-webhooks-"))
    folder.chmod(0o711)
    place = RunningPortal(folder, environment={"HOOKS_TO_PRIVATE": "1", "BASE_URL": "http://127.0.0.1"})
    try:
        with running(HookCatcher()) as hook, place:
            took = measure(place, hook, turns)
    finally:
        for where in {place.state.folder, place.state.cluster, place.state.sockets}:
            shutil.rmtree(where, ignore_errors=True)
    print(f"{len(took)} turns: p50 {took[len(took) // 2]:.2f} s, p95 {took[len(took) * 95 // 100]:.2f} s, worst {took[-1]:.2f} s")


if __name__ == "__main__":
    main()
