"""People who play through the API of whichever machine they choose."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import urllib.error
import urllib.request
from typing import Any

from tests.portal.faults.site import PEOPLE
from tests.portal.machines.network import Machine, Network
from tests.running import ROOT, wait_until

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Play:
    """Alice and Bob at tables with bots. What was accepted is remembered."""

    def __init__(self, net: Network) -> None:
        self.net, self.rng = net, random.Random(14)
        self.accepted: list[tuple[int, int]] = []  # table and the version that the move had
        argv = [sys.executable, "manage.py", "shell", "-v", "0", "-c", PEOPLE]
        environment = {**net.machines[0].portal.environment, **net.shared}
        said = subprocess.run(argv, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
        self.alice, self.bob = json.loads(said.strip().splitlines()[-1])

    def ask(self, at: Machine, method: str, path: str, token: str, body: object = None, timeout: float = 8) -> tuple[int, Any]:
        """Return status and answer; 0 if the machine does not answer."""
        request = urllib.request.Request(f"{at.portal.url}/api/v1/{path}", method=method)
        request.add_header("Authorization", f"Token {token}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with OPENER.open(request, timeout=timeout) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())
        except OSError:
            return 0, None

    def open_table(self, at: Machine, token: str, **settings: object) -> int:
        status, table = self.ask(at, "POST", "tables/", token, {"game": "ra", **settings})
        assert status == 201, table
        return int(table["id"])

    def move(self, at: Machine, token: str, table: int) -> bool:
        """Make a move if it is this person's turn; return whether it was accepted. With 0 nobody knows, and the next look tells."""
        status, found = self.ask(at, "GET", f"tables/{table}/", token)
        if status != 200 or not found["legal"]:
            return False
        body = {"action": self.rng.choice(found["legal"]), "expected_version": found["version"]}
        status, _ = self.ask(at, "POST", f"tables/{table}/actions/", token, body)
        if status == 200:
            self.accepted.append((table, found["version"]))
        assert status in (0, 200, 409, 503)
        return status == 200

    def bot_moves(self, table: int) -> int:
        found = self.net.rows("SELECT count(*) FROM tables_actionrecord WHERE table_id = %s AND by = 'bot'", [table])
        return int(str(found[0][0]))

    def goes_on(self, at: Machine, tables: dict[int, str], within_s: float) -> None:
        """Let everybody play at this machine until people and bots have moved at every table."""
        bots = {table: self.bot_moves(table) for table in tables}
        people = dict.fromkeys(tables, 0)

        def all_moved() -> bool:
            waiting = [table for table in tables if not people[table] or self.bot_moves(table) == bots[table]]
            for table in waiting:  # nobody plays on elsewhere meanwhile: a game that ends would never move again
                people[table] += self.move(at, tables[table], table)
            return not waiting

        wait_until(all_moved, within_s)

    def nothing_lost_or_doubled(self) -> None:
        rows = self.net.rows("SELECT table_id, version FROM tables_actionrecord WHERE by = 'player'")
        assert len(set(rows)) == len(rows)
        assert len(set(self.accepted)) == len(self.accepted)
        assert set(self.accepted) <= {(table, int(str(version)) - 1) for table, version in rows}


def is_ready(at: Machine) -> bool:
    try:
        with OPENER.open(f"{at.portal.url}/readyz", timeout=3) as answer:
            return answer.status == 200
    except OSError:
        return False
